//! Decisions in a file: a line that says which form they have and which features, then a line of JSON for each.

use super::example::DecisionExample;
use crate::pipeline::Feature;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What the first line calls such files.
const FORMAT: &str = "tapwright decisions";
/// The version of the form. A change that a reader must know of makes it greater.
const VERSION: u64 = 1;
/// What to do about a file that cannot be read.
const ANEW: &str = "write the file anew by `tapwright eval decisions DIR --examples FILE`";

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u64,
    features: Vec<String>,
}

/// Why decisions cannot be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum ExampleFileError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Where it is.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file has no header: it holds something else, or decisions of a time before there were headers.
    #[error("{}: the first line is no header of a file of decisions; {ANEW}", path.display())]
    Headless {
        /// Where it is.
        path: PathBuf,
    },
    /// The decisions have another form.
    #[error("{}: decisions of format version {found}; this Tapwright reads version {VERSION}; {ANEW}", path.display())]
    Version {
        /// Where it is.
        path: PathBuf,
        /// The version it has.
        found: u64,
    },
    /// The policy of the file had other features.
    #[error("{}: the features are not those of this version, which differ by {differing}; {ANEW}", path.display())]
    Features {
        /// Where it is.
        path: PathBuf,
        /// Names of features that only one of them has.
        differing: String,
    },
    /// A line is no decision.
    #[error("{}:{line}: {reason}; {ANEW}", path.display())]
    Line {
        /// Where it is.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// In the parser's words.
        reason: String,
    },
}

/// The text of a file of decisions.
///
/// # Errors
/// When a decision cannot be put into JSON.
pub fn example_lines<'e>(examples: impl Iterator<Item = &'e DecisionExample>) -> Result<String, serde_json::Error> {
    let features = Feature::ALL.iter().map(|feature| feature.key().to_owned()).collect();
    let header = Header { format: FORMAT.to_owned(), version: VERSION, features };
    let mut text = serde_json::to_string(&header)?;
    text.push('\n');
    for example in examples {
        text.push_str(&serde_json::to_string(example)?);
        text.push('\n');
    }
    Ok(text)
}

/// Reads a file that [`example_lines`] made; one whose name ends with `.gz` is unpacked.
///
/// # Errors
/// When it cannot be read, is of another version, or a line is no decision.
pub fn read_examples(path: &Path) -> Result<Vec<DecisionExample>, ExampleFileError> {
    let unreadable = |source| ExampleFileError::Unreadable { path: path.to_owned(), source };
    let is_packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    let text = if is_packed {
        unpack(path, &std::fs::read(path).map_err(unreadable)?)?
    } else {
        std::fs::read_to_string(path).map_err(unreadable)?
    };
    parse_examples(path, &text)
}

/// The text of a file packed by gzip; `path` is for messages.
pub(super) fn unpack(path: &Path, packed: &[u8]) -> Result<String, ExampleFileError> {
    let mut text = String::new();
    let read = flate2::read::GzDecoder::new(packed).read_to_string(&mut text);
    read.map_err(|source| ExampleFileError::Unreadable { path: path.to_owned(), source })?;
    Ok(text)
}

/// The decisions in a text that [`example_lines`] made; `path` is for messages.
pub(super) fn parse_examples(path: &Path, text: &str) -> Result<Vec<DecisionExample>, ExampleFileError> {
    let path = || path.to_owned();
    let mut lines = text.lines().enumerate();
    let first: serde_json::Value =
        lines.next().and_then(|(_, line)| serde_json::from_str(line).ok()).unwrap_or_default();
    // Another version may have another header: only its number is looked at.
    let version = first.get("version").and_then(serde_json::Value::as_u64);
    let Some(found) = version.filter(|_| first.get("format").is_some_and(|format| format == FORMAT)) else {
        return Err(ExampleFileError::Headless { path: path() });
    };
    if found != VERSION {
        return Err(ExampleFileError::Version { path: path(), found });
    }
    let Ok(header) = serde_json::from_value::<Header>(first) else {
        return Err(ExampleFileError::Headless { path: path() });
    };
    let own: BTreeSet<&str> = Feature::ALL.iter().map(|feature| feature.key()).collect();
    let theirs: BTreeSet<&str> = header.features.iter().map(String::as_str).collect();
    let differing: Vec<&str> = own.symmetric_difference(&theirs).copied().collect();
    if !differing.is_empty() {
        return Err(ExampleFileError::Features { path: path(), differing: differing.join(", ") });
    }
    let read = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| ExampleFileError::Line {
            path: path(),
            line: at + 1,
            reason: error.to_string(),
        })
    };
    lines.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::super::example::ExampleOption;
    use super::*;
    use crate::inference::Reading;

    fn example(astray: bool) -> DecisionExample {
        let mut features = vec![0.0; Feature::ALL.len()];
        features[Feature::Meaning as usize] = 0.1;
        features[Feature::LikelyDone as usize] = -0.25;
        let option = |veto: Option<&str>, right| ExampleOption {
            what: "click \"Save\"".into(),
            widget: Some(3),
            features: features.clone(),
            veto: veto.map(str::to_owned),
            right,
            carries_out: true,
            is_done: false,
        };
        DecisionExample {
            app: "org.example.app".into(),
            family: "chat".into(),
            case: "A-1".into(),
            step: 2,
            hand: "tap Save".into(),
            astray,
            reading: Reading { instruction: "Save it".into(), widgets: vec!["Save".into()], ..Reading::default() },
            options: vec![option(None, true), option(Some("it was done before"), false)],
        }
    }

    fn wrong(text: &str) -> String {
        parse_examples(Path::new("old.jsonl"), text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let examples = [example(false), example(true)];
        let text = example_lines(examples.iter()).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert_eq!(parse_examples(Path::new("x"), &text).unwrap(), examples);
    }

    #[test]
    fn a_file_of_another_version_is_refused_with_what_to_do() {
        let text = example_lines([example(false)].iter()).unwrap();
        let newer = text.replacen("\"version\":1", "\"version\":7", 1);
        let (headless, renamed) = (text.lines().last().unwrap(), text.replace("likely_done", "lucky"));
        for (text, said) in [
            (newer.as_str(), "format version 7; this Tapwright reads version 1"),
            ("{\"format\":\"tapwright decisions\",\"version\":2,\"more\":0}\n", "format version 2"),
            (headless, "no header"),
            ("", "no header"),
            (renamed.as_str(), "differ by likely_done, lucky"),
        ] {
            let error = wrong(text);
            assert!(error.starts_with("old.jsonl: ") && error.contains(said) && error.contains(ANEW), "{error}");
        }
    }

    #[test]
    fn a_line_that_is_no_decision_is_named() {
        let text = example_lines([example(false)].iter()).unwrap();
        assert!(wrong(&format!("{text}{{\"app\": 3}}\n")).starts_with("old.jsonl:3: "));
        let unknown = text.replacen("{\"meaning\":", "{\"luck\":1.0,\"meaning\":", 1);
        assert!(wrong(&unknown).contains("`luck` is no feature"), "{}", wrong(&unknown));
    }
}
