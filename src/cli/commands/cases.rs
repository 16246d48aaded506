//! `tapwright cases`.

use super::already_true::already_true;
use super::{plural, print_json};
use crate::app::Workspace;
use crate::case::{Case, CaseIndex, Rewriter, Selection, Severity, claims_with, lint_file};
use crate::cli::{CasesCommand, Exit, Failure, table};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct CaseRow {
    id: String,
    title: String,
    tags: Vec<String>,
    steps: usize,
    path: PathBuf,
}

/// Something that is wrong with a case.
#[derive(Serialize)]
pub(super) struct LintRow {
    pub(super) path: PathBuf,
    /// From 1; 0 where it is about the whole file.
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) severity: String,
    pub(super) message: String,
}

impl LintRow {
    /// In one line: `cases/a.case.yaml:3:1: error: …`.
    pub(super) fn told(&self) -> String {
        let at = if self.line == 0 { String::new() } else { format!("{}:{}:", self.line, self.column) };
        format!("{}:{at} {}: {}", self.path.display(), self.severity, self.message)
    }
}

/// Lists or checks cases, or explores the app of one.
pub(super) async fn cases(command: CasesCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        CasesCommand::List { tags, json } => list(workspace, &tags, json),
        CasesCommand::Import(args) => super::import::import(&args, workspace),
        CasesCommand::Explore(args) => super::explore::explore_app(args, workspace).await,
        CasesCommand::Lint { cases, explain, json } => lint(workspace, &cases, explain, json).await,
    }
}

pub(super) fn index(workspace: &Workspace) -> Result<CaseIndex, Failure> {
    workspace.case_index().map_err(Failure::usage)
}

fn list(workspace: &Workspace, tags: &[String], json: bool) -> Result<Exit, Failure> {
    let index = index(workspace)?;
    for error in index.malformed() {
        anstream::eprintln!("warning: {error}");
    }
    let rows: Vec<CaseRow> = index
        .cases()
        .filter(|case| tags.is_empty() || tags.iter().any(|tag| case.tags.contains(tag)))
        .map(|case| CaseRow {
            id: case.id.to_string(),
            title: case.title.clone(),
            tags: case.tags.clone(),
            steps: case.aim.instructions().len(),
            path: case.path.clone(),
        })
        .collect();
    if json {
        print_json(&rows)?;
    } else if !rows.is_empty() {
        let mut lines = vec![["ID", "STEPS", "TAGS", "TITLE"].map(str::to_owned).to_vec()];
        lines.extend(
            rows.iter().map(|row| vec![row.id.clone(), row.steps.to_string(), row.tags.join(","), row.title.clone()]),
        );
        table::print_fitting(&lines);
    }
    if rows.is_empty() {
        let folders = format!("{} of {}", workspace.configured_case_roots(), workspace.root().display());
        if tags.is_empty() {
            anstream::eprintln!("no cases in {folders}; change to a folder with cases or name it with --workspace DIR");
        } else {
            anstream::eprintln!("no case in {folders} has the tag {}; see `tapwright cases list`", tags.join(" or "));
        }
        return Ok(Exit::NothingSelected);
    }
    Ok(Exit::Passed)
}

/// The files of the named cases, of all where none is named, and what is wrong with them, what they expect and is true at the
/// start included.
pub(super) async fn findings(workspace: &Workspace, names: &[String]) -> Result<(Vec<PathBuf>, Vec<LintRow>), Failure> {
    let index = index(workspace)?;
    let paths: Vec<PathBuf> = if names.is_empty() {
        index.entries().iter().map(|entry| entry.path.clone()).collect()
    } else {
        let mut paths = Vec::new();
        for name in names {
            match Selection::parse(name).map_err(Failure::usage)? {
                Selection::File(path) => paths.push(path),
                Selection::Id(id) => paths.push(index.find(&id).map_err(Failure::usage)?.path.clone()),
                Selection::Tag(_) => {}
            }
        }
        paths
    };
    let rewriter = workspace.rewriter().map_err(Failure::usage)?;
    let mut rows = Vec::new();
    for path in &paths {
        rows.extend(lint_file(path).into_iter().map(|problem| LintRow {
            path: path.clone(),
            line: problem.at.line,
            column: problem.at.column,
            severity: match problem.severity {
                Severity::Error => "error".into(),
                Severity::Warning => "warning".into(),
            },
            message: problem.message,
        }));
        // What cannot be loaded was told as an error.
        if let Ok(case) = Case::load(path) {
            rows.extend(already_true(workspace, &rewriter, &case).await);
        }
    }
    Ok((paths, rows))
}

async fn lint(workspace: &Workspace, names: &[String], explain: bool, json: bool) -> Result<Exit, Failure> {
    let (paths, rows) = findings(workspace, names).await?;
    let errors = rows.iter().filter(|row| row.severity == "error").count();
    if json {
        print_json(&rows)?;
    } else {
        for row in &rows {
            anstream::println!("{}", row.told());
        }
    }
    if explain {
        let rewriter = workspace.rewriter().map_err(Failure::usage)?;
        for path in &paths {
            explain_case(path, &rewriter);
        }
    }
    let warnings = plural(rows.len() - errors, "warning");
    anstream::eprintln!("{}, {}, {warnings}", plural(paths.len(), "case"), plural(errors, "error"));
    if paths.is_empty() {
        return Ok(Exit::NothingSelected);
    }
    Ok(if errors == 0 { Exit::Passed } else { Exit::Usage })
}

fn explain_case(path: &Path, rewriter: &Rewriter) {
    // Its errors were printed above.
    let Ok(case) = Case::load(path) else { return };
    anstream::println!("{} {}", case.id, case.title);
    for (position, rewritten) in rewriter.rewrite_all(&case, &case.params).iter().enumerate() {
        anstream::println!("  {}. {}", position + 1, rewritten.original);
        anstream::println!("     → {}", rewritten.instruction);
        if !rewritten.rules.is_empty() {
            anstream::println!("     rules: {}", rewritten.rules.join(", "));
        }
        // What a marked parameter is called was checked above.
        for claim in claims_with(&rewritten.instruction, &rewritten.original, &case.params).unwrap_or_default() {
            let ways: Vec<String> = claim.taken.iter().map(|taken| taken.wanted.to_string()).collect();
            anstream::println!("     checks {}", ways.join(", or "));
        }
    }
}
