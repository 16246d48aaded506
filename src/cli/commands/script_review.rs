//! `tapwright scripts diff`, `lint` and `log`: what somebody looks at before a script is accepted.

use super::scripts::{entries, files, misplaced, resolve};
use super::{cases, plural, print_json};
use crate::app::Workspace;
use crate::case::{CaseIndex, ParameterValue};
use crate::cli::{Exit, Failure};
use crate::domain::CaseId;
use crate::report::plain_line;
use crate::run::foreign_to;
use crate::script::{self, CaseFacts, DiffLine, Gravity, Script, Side, changes_of};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct DiffRow {
    side: &'static str,
    line: String,
}

#[derive(Serialize)]
struct FindingRow {
    path: PathBuf,
    line: usize,
    severity: &'static str,
    message: String,
}

/// Shows what two versions do differently.
pub(super) fn diff(name: &str, with: Option<&str>, json: bool, workspace: &Workspace) -> Result<Exit, Failure> {
    let pairs = match with {
        Some(with) => vec![(resolve(name, workspace)?, resolve(with, workspace)?)],
        None => proposals(name, workspace)?,
    };
    let mut rows = Vec::new();
    for (earlier, later) in pairs {
        let read = |path: &Path| Script::read(path).map_err(Failure::usage);
        let lines = script::diff(&read(&earlier)?, &read(&later)?);
        if json {
            rows.extend(lines.into_iter().map(|DiffLine { side, text }| {
                let side = match side {
                    Side::Both => "both",
                    Side::Earlier => "earlier",
                    Side::Later => "later",
                };
                DiffRow { side, line: text }
            }));
            continue;
        }
        anstream::println!("--- {}\n+++ {}", earlier.display(), later.display());
        if lines.is_empty() {
            anstream::println!("  both do the same by the same names; where things stand may differ");
        }
        for DiffLine { side, text } in lines {
            let style = match side {
                Side::Both => Style::new(),
                Side::Earlier => AnsiColor::Red.on_default(),
                Side::Later => AnsiColor::Green.on_default(),
            };
            let indent = text.len() - text.trim_start().len();
            anstream::println!("{style}{}{:indent$}{}{style:#}", side.mark(), "", plain_line(&text));
        }
    }
    if json {
        print_json(&rows)?;
    }
    Ok(Exit::Passed)
}

/// A case's proposals, each with the script it would replace.
fn proposals(name: &str, workspace: &Workspace) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let id = CaseId::new(name).map_err(Failure::usage)?;
    let own = workspace.scripts().join(id.as_str());
    let mut pairs = Vec::new();
    for proposed in files(&own.join("proposed"))? {
        let earlier = own.join(proposed.file_name().unwrap_or_default());
        if earlier.is_file() {
            pairs.push((earlier, proposed));
        }
    }
    if pairs.is_empty() {
        return Err(Failure::nothing_selected(format!(
            "{id} has no proposal beside a script in {}; two files are compared with `tapwright scripts diff A B`",
            own.display()
        )));
    }
    Ok(pairs)
}

/// Checks scripts; exit 2 where one has an error.
pub(super) fn lint(names: &[String], json: bool, workspace: &Workspace) -> Result<Exit, Failure> {
    let paths = if names.is_empty() { all(workspace)? } else { named(names, workspace)? };
    let index = cases::index(workspace)?;
    let mut rows = Vec::new();
    for path in &paths {
        let shown = path.strip_prefix(workspace.root()).unwrap_or(path);
        let row = |line: usize, gravity: Gravity, message: String| FindingRow {
            path: shown.to_owned(),
            line,
            severity: gravity.word(),
            message,
        };
        let elsewhere = Script::read(path).ok().and_then(|script| misplaced(path, &script, workspace));
        rows.extend(elsewhere.map(|why| row(0, Gravity::Error, why)));
        let found = script::lint(path, |script| facts(&index, script));
        rows.extend(found.into_iter().map(|finding| row(finding.line, finding.gravity, finding.message)));
    }
    let errors = rows.iter().filter(|row| row.severity == Gravity::Error.word()).count();
    if json {
        print_json(&rows)?;
    } else {
        for row in &rows {
            let at = if row.line == 0 { String::new() } else { format!("{}:", row.line) };
            anstream::println!("{}:{at} {}: {}", row.path.display(), row.severity, row.message);
        }
    }
    let warnings = plural(rows.len() - errors, "warning");
    anstream::eprintln!("{}, {}, {warnings}", plural(paths.len(), "script"), plural(errors, "error"));
    if paths.is_empty() {
        return Ok(Exit::NothingSelected);
    }
    Ok(if errors == 0 { Exit::Passed } else { Exit::Usage })
}

fn all(workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for case in entries(&workspace.scripts())? {
        paths.extend(files(&case)?);
    }
    Ok(paths)
}

fn named(names: &[String], workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for name in names {
        let own = files(&workspace.scripts().join(name))?;
        if own.is_empty() { paths.push(resolve(name, workspace)?) } else { paths.extend(own) }
    }
    Ok(paths)
}

/// What the workspace knows of a script's case.
fn facts(index: &CaseIndex, script: &Script) -> Option<CaseFacts> {
    let case = index.find(&script.case_id).ok()?;
    let secrets = case.params.iter().filter_map(|(name, value)| match value {
        ParameterValue::Secret(secret) => Some((name.to_owned(), secret.expose().to_owned())),
        ParameterValue::Plain(_) => None,
    });
    let foreign = foreign_to(script, &script.case_id, Some(case));
    Some(CaseFacts { digest: case.digest(), steps: case.digest_of_steps(), foreign, secrets: secrets.collect() })
}

/// Prints what repairs changed.
pub(super) fn log(case: &str, workspace: &Workspace) -> Result<Exit, Failure> {
    let id = CaseId::new(case).map_err(Failure::usage)?;
    let pages = changes_of(&workspace.scripts(), &id).map_err(Failure::usage)?;
    if pages.is_empty() {
        return Err(Failure::nothing_selected(format!("no script of {id} was repaired")));
    }
    for (path, text) in pages {
        anstream::println!("<!-- {} -->\n{text}", path.strip_prefix(workspace.root()).unwrap_or(&path).display());
    }
    Ok(Exit::Passed)
}
