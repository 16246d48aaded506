//! What can be wrong with an app file.

use serde::Serialize;
use std::fmt;

/// Why an app file was refused as a whole.
#[derive(Debug, thiserror::Error)]
pub enum AppFileError {
    /// Not YAML, or not of the format.
    #[error(
        "{file}:{line}:{column}: {message}. See docs/virtual-apps.md or docs/schemas/app.schema.json for the format"
    )]
    Malformed {
        /// File name as given.
        file: String,
        /// Line, from 1.
        line: u64,
        /// Column, from 1.
        column: u64,
        /// What was found and what was expected.
        message: String,
    },
    /// Well-formed, but it refers to things that do not exist or says something twice.
    #[error("{file} has {} problem{}:\n{}", .issues.len(), if .issues.len() == 1 { "" } else { "s" },
        .issues.iter().map(|i| format!("  {file}:{i}")).collect::<Vec<_>>().join("\n"))]
    Invalid {
        /// File name as given.
        file: String,
        /// Every problem found.
        issues: Vec<AppFileIssue>,
    },
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The file is refused.
    Error,
    /// The app runs, but part of the file has no effect.
    Warning,
}

/// One problem found by the check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppFileIssue {
    /// Whether the file is refused for it.
    pub severity: Severity,
    /// Line, from 1; 0 when unknown.
    pub line: u64,
    /// Column, from 1; 0 when unknown.
    pub column: u64,
    /// Where in the app: screen and widget.
    pub place: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for AppFileIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let warning = if self.severity == Severity::Warning { "warning: " } else { "" };
        write!(f, "{}:{}: {warning}{}: {}", self.line, self.column, self.place, self.message)
    }
}
