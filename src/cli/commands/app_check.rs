//! `tapwright emulate --check`: what is wrong with app files and recordings.

use super::{plural, print_json};
use crate::cli::{Exit, Failure};
use crate::recorded::RecordedApp;
use crate::virtual_device::app::file::Severity;
use crate::virtual_device::app::{AppFile, AppFileError};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// One problem.
#[derive(Debug, Serialize)]
struct Problem {
    file: String,
    /// From 1; 0 where the problem has no place.
    line: u64,
    column: u64,
    severity: Severity,
    place: String,
    message: String,
    /// How it is printed for people.
    #[serde(skip)]
    shown: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Problem {
    fn plain(file: String, severity: Severity, shown: String) -> Self {
        Self { file, line: 0, column: 0, severity, place: String::new(), message: shown.clone(), shown }
    }
}

/// Checks app files and recordings. Warnings alone do not fail the check.
pub(super) fn check(paths: &[PathBuf], recordings: &[PathBuf], json: bool) -> Result<Exit, Failure> {
    let mut problems = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
        problems.extend(of_app(&name, &text));
    }
    for folder in recordings {
        problems.extend(of_recording(folder));
    }
    if json {
        print_json(&problems)?;
    } else {
        for problem in &problems {
            anstream::println!("{problem}");
        }
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let what = match (paths.len(), recordings.len()) {
        (apps, 0) => plural(apps, "app file"),
        (0, recordings) => plural(recordings, "recording"),
        (apps, recordings) => format!("{}, {}", plural(apps, "app file"), plural(recordings, "recording")),
    };
    let warnings = match problems.len() - errors {
        0 => String::new(),
        count => format!(", {}", plural(count, "warning")),
    };
    anstream::eprintln!("{what}, {}{warnings}", plural(errors, "problem"));
    Ok(if errors == 0 { Exit::Passed } else { Exit::Usage })
}

fn of_app(name: &str, text: &str) -> Vec<Problem> {
    let file = match AppFile::parse(name, text) {
        Ok(file) => file,
        Err(error) => return vec![malformed(name, &error)],
    };
    let problem = |issue: crate::virtual_device::app::AppFileIssue| Problem {
        file: name.to_owned(),
        shown: format!("{name}:{issue}"),
        line: issue.line,
        column: issue.column,
        severity: issue.severity,
        place: issue.place,
        message: issue.message,
    };
    file.check().into_iter().map(problem).collect()
}

fn malformed(name: &str, error: &AppFileError) -> Problem {
    let shown = error.to_string();
    match error {
        AppFileError::Malformed { line, column, message, .. } => Problem {
            file: name.to_owned(),
            line: *line,
            column: *column,
            severity: Severity::Error,
            place: "app".to_owned(),
            message: message.clone(),
            shown,
        },
        AppFileError::Invalid { .. } => Problem::plain(name.to_owned(), Severity::Error, shown),
    }
}

fn of_recording(folder: &Path) -> Vec<Problem> {
    let name = folder.display().to_string();
    match RecordedApp::open(folder) {
        Ok(app) => {
            let problem = |note: &crate::recorded::Note| {
                let severity = if note.lost { Severity::Error } else { Severity::Warning };
                Problem::plain(name.clone(), severity, format!("{name}/{note}"))
            };
            app.notes.iter().map(problem).collect()
        }
        Err(error) => vec![Problem::plain(name, Severity::Error, error.to_string())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_its_place_in_text_and_in_json() {
        let wrong = "package: com.example.x\nlabel: X\nscreens:\n  - id: home\n    on_open: [{goto: nowhere}]\n";
        let problems = of_app("x.app.yaml", wrong);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].to_string().starts_with("x.app.yaml:5:22: screen home: no screen"), "{}", problems[0]);
        let json = serde_json::to_value(&problems).expect("plain data");
        assert_eq!(json[0]["line"], 5);
        assert_eq!(json[0]["severity"], "error");
        assert!(json[0].get("shown").is_none());
        let malformed = of_app("x.app.yaml", "package: com.example.x\nlabl: X\n");
        assert_eq!((malformed[0].line, malformed[0].severity), (2, Severity::Error));
        let warned = of_app("x", "package: com.example.x\nlabel: X\nstate: {n: 1}\nscreens: [{id: home}]\n");
        assert_eq!(warned[0].severity, Severity::Warning);
    }
}
