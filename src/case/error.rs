//! What can be wrong with a case file, with the place and what was expected there.

use super::Parameters;
use std::fmt;
use std::path::{Path, PathBuf};

/// A place in a case file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
pub struct Position {
    /// Counted from 1; 0 when unknown.
    pub line: u64,
    /// Counted from 1, in characters; 0 when unknown.
    pub column: u64,
}

impl Position {
    /// A position from its line and column, both counted from 1.
    pub const fn new(line: u64, column: u64) -> Self {
        Self { line, column }
    }
}

impl From<serde_saphyr::Location> for Position {
    fn from(at: serde_saphyr::Location) -> Self {
        Self::new(at.line(), at.column())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The lines around a place, with a caret under it. Values that may be secret are starred out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    /// Cuts the line of `at` and the one before it out of `source`.
    pub fn new(source: &str, at: Position) -> Self {
        let mut text = String::new();
        let Some(last) = usize::try_from(at.line).ok().filter(|&line| line > 0) else { return Self(text) };
        let hidden = parameter_lines(source);
        let width = at.line.to_string().len();
        for (index, line) in source.lines().enumerate().take(last).skip(last.saturating_sub(2)) {
            let shown = if hidden(index) { star_values(line) } else { line.to_owned() };
            text.push_str(&format!("{:>width$} | {}\n", index + 1, shown.trim_end()));
        }
        let caret = usize::try_from(at.column.saturating_sub(1)).unwrap_or(0).min(400);
        text.push_str(&format!("{:>width$} | {:>caret$}^", "", ""));
        Self(text)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Tells which lines (from 0) lie in the `params:` block, where any value may be a secret.
fn parameter_lines(source: &str) -> impl Fn(usize) -> bool {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in source.lines() {
        let top_level = line.chars().next().is_some_and(|c| !c.is_whitespace() && c != '#' && c != '-' && c != '}');
        if top_level {
            inside = line.trim_start_matches(['"', '\'']).starts_with("params");
        }
        lines.push(inside);
    }
    move |index| lines.get(index).copied().unwrap_or(false)
}

/// Replaces every value of a YAML line by stars of the same length, so that the caret still fits; keys stay.
fn star_values(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(colon) = rest.find(':') {
        let (key, after) = rest.split_at(colon + 1);
        shown.push_str(key);
        // A value ends where the next key of a flow mapping begins; a comma inside a value only hides more.
        let next_key = after.find(',').filter(|&comma| after[comma..].contains(':')).unwrap_or(after.len());
        let (value, tail) = after.split_at(next_key);
        if value.trim_start().starts_with('{') {
            let brace = value.find('{').map_or(0, |at| at + 1);
            shown.push_str(&value[..brace]);
            rest = &after[brace..];
            continue;
        }
        shown.extend(value.chars().map(|c| if c.is_whitespace() || c == '}' { c } else { '*' }));
        rest = tail;
    }
    // What is left holds no key: a continued value.
    let keyed = line.contains(':');
    shown.extend(rest.chars().map(|c| if keyed || c.is_whitespace() { c } else { '*' }));
    shown
}

/// Why a case file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file could not be read.
    #[error("cannot read the case file {path}: {source}. Check that the file exists and may be read")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not a case.
    #[error("{path}:{at}: {message}\n{excerpt}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where.
        at: Position,
        /// What is wrong and what was expected.
        message: String,
        /// The place in the source.
        excerpt: Excerpt,
    },
}

impl CaseError {
    pub(super) fn malformed(path: &Path, source: &str, at: Position, message: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), at, message: message.into(), excerpt: Excerpt::new(source, at) }
    }

    /// The place, where the file could be read.
    pub const fn position(&self) -> Option<Position> {
        match self {
            Self::Read { .. } => None,
            Self::Malformed { at, .. } => Some(*at),
        }
    }

    /// What is wrong, without file and excerpt.
    pub fn message(&self) -> String {
        match self {
            Self::Read { .. } => self.to_string(),
            Self::Malformed { message, .. } => message.clone(),
        }
    }
}

/// `a, b and c`: the known names for an error text.
pub(super) fn known_names(parameters: &Parameters) -> String {
    let names: Vec<&str> = parameters.names().collect();
    if names.is_empty() { "the case has no parameters".to_owned() } else { format!("known are: {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_never_shows_a_parameter_value() {
        let source = "id: A-1\nparams:\n  pin: {value: \"135790\", secret: true, odd: 1}\n  plain: 2468\n  long: >\n    s3cret words\nsteps:\n  - Tap pin\n";
        for line in 3..=6 {
            let excerpt = Excerpt::new(source, Position::new(line, 5)).to_string();
            for value in ["135790", "2468", "s3cret"] {
                assert!(!excerpt.contains(value), "{excerpt}");
            }
        }
        assert!(Excerpt::new(source, Position::new(3, 5)).to_string().contains("pin: {value:"));
        assert!(Excerpt::new(source, Position::new(8, 5)).to_string().contains("Tap pin"));
    }

    #[test]
    fn the_caret_stands_under_the_column() {
        let excerpt = Excerpt::new("id: x\ntitel: y\n", Position::new(2, 1)).to_string();
        assert_eq!(excerpt, "1 | id: x\n2 | titel: y\n  | ^");
    }
}
