//! A flow file: its header and its commands, each with its line.

use serde::Deserialize;
use serde_json::Value;
use serde_saphyr::Spanned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Something in a flow that has no counterpart in a case, or is no flow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {reason}", path = .path.display())]
pub struct FlowError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// What it is, and what to do.
    pub reason: String,
}

/// A command of a flow.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Command {
    /// Its line in the file, from 1.
    pub(super) line: u64,
    /// Its name: `tapOn`.
    pub(super) name: String,
    /// What is given with it; null where nothing is.
    pub(super) value: Value,
}

/// What stands above the commands.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Header {
    #[serde(default)]
    pub(super) app_id: String,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, Value>,
}

/// A flow.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Flow {
    pub(super) header: Header,
    pub(super) commands: Vec<Command>,
}

impl Flow {
    /// Reads a flow; `path` is used in errors only.
    pub(super) fn parse(path: &Path, text: &str) -> Result<Self, FlowError> {
        let failed = |line: u64, reason: String| FlowError { path: path.to_owned(), line, reason };
        let lines: Vec<&str> = text.lines().collect();
        let Some(split) = lines.iter().position(|line| line.trim_end() == "---") else {
            return Err(failed(1, "no flow: a line `---` parts its header from its commands".to_owned()));
        };
        let (head, body) = (lines[..split].join("\n"), lines[split + 1..].join("\n"));
        let offset = split as u64 + 1;
        let header: Header = if head.trim().is_empty() { Header::default() } else { read(path, &head, 0)? };
        let listed: Vec<Spanned<Value>> = if body.trim().is_empty() { Vec::new() } else { read(path, &body, offset)? };
        let mut commands = Vec::new();
        for one in listed {
            let line = one.referenced.line() + offset;
            commands.push(command(one.value).map_err(|reason| failed(line, reason)).map(|(name, value)| Command {
                line,
                name,
                value,
            })?);
        }
        Ok(Self { header, commands })
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path, text: &str, offset: u64) -> Result<T, FlowError> {
    let options = serde_saphyr::options! { with_snippet: false };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(0, |at| at.line()) + offset;
        let reason = error.render_with_formatter(&serde_saphyr::UserMessageFormatter);
        FlowError { path: path.to_owned(), line, reason }
    })
}

/// `back` or `tapOn: …`.
pub(super) fn command(value: Value) -> Result<(String, Value), String> {
    match value {
        Value::String(name) => Ok((name, Value::Null)),
        Value::Object(map) if map.len() == 1 => map.into_iter().next().ok_or_else(|| "a command has a name".to_owned()),
        other => Err(format!("{other} is no command: expected a name, or a name with what belongs to it")),
    }
}
