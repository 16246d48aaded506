//! Values of parameters: one by one on the command line, or together from where no list of processes shows them.

use super::Failure;
use crate::case::Parameters;
use clap::Args;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

/// Most bytes of a file of values.
const MOST: u64 = 1 << 20;
/// In place of a file: standard input.
const STANDARD_INPUT: &str = "-";

/// `--param` and `--params-file`.
#[derive(Debug, Args)]
pub struct ParamArgs {
    /// Replace a parameter's value, or give a secret its own (repeatable); other users of this machine may see it
    #[arg(id = "param", long, value_name = "NAME=VALUE")]
    pub given: Vec<String>,
    /// Take values from this file, or from standard input: a JSON object of texts, or a NAME=VALUE on each line
    #[arg(id = "params_file", long = "params-file", value_name = "FILE|-")]
    pub file: Option<PathBuf>,
}

impl ParamArgs {
    /// All values by name; one on the command line goes before one in the file.
    pub fn read(&self) -> Result<BTreeMap<String, String>, Failure> {
        let mut values = self.file.as_deref().map(from_file).transpose()?.unwrap_or_default();
        values.extend(Parameters::parse_overrides(&self.given).map_err(Failure::usage)?);
        Ok(values)
    }
}

fn from_file(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut text = String::new();
    let read = if path.as_os_str() == STANDARD_INPUT {
        stdin().lock().take(MOST + 1).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(MOST + 1).read_to_string(&mut text))
    };
    let refused = |why: &dyn std::fmt::Display| Failure::usage(format!("--params-file {}: {why}", path.display()));
    read.map_err(|error| refused(&format_args!("{error}; check that it exists, may be read and is UTF-8")))?;
    if text.len() as u64 > MOST {
        return Err(refused(&"it is larger than 1 MiB; expected a few values"));
    }
    Parameters::parse_file(&text).map_err(|error| refused(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_goes_before_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "pin=1\nnote=Lunch\n").unwrap();
        let args = ParamArgs { given: vec!["pin=2".into()], file: Some(file.path().to_owned()) };
        let values = args.read().unwrap_or_else(|failure| panic!("{}", failure.message));
        let values: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(values, [("note", "Lunch"), ("pin", "2")]);
        std::fs::write(file.path(), "x".repeat(MOST as usize + 1)).unwrap();
        assert!(args.read().is_err_and(|failure| failure.message.contains("larger than 1 MiB")));
    }
}
