//! `tapwright report`.

use super::plural;
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ReportCommand};
use crate::report::{probe_writable, write_archive, write_index};
use crate::run::LATEST;
use std::path::{Path, PathBuf};

/// Makes one page of many runs, or one file of a run.
pub(super) fn report(command: ReportCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        ReportCommand::Merge { folders, output } => merge(folders, output, workspace),
        ReportCommand::Bundle { run, output } => bundle(&run, output, workspace),
    }
}

/// Packs a run.
fn bundle(name: &str, output: Option<PathBuf>, workspace: &Workspace) -> Result<Exit, Failure> {
    let run = run_named(name, &workspace.runs())?;
    let file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let case = run.parent().map(file).unwrap_or_default();
    let path = output.unwrap_or_else(|| PathBuf::from(format!("{case}-{}.zip", file(&run))));
    probe_writable(&path).map_err(Failure::usage)?;
    let files = write_archive(&path, &run).map_err(Failure::infrastructure)?;
    anstream::eprintln!("{} of {} in {}", plural(files, "file"), run.display(), path.display());
    Ok(Exit::Passed)
}

/// The folder of a run: as it is named, else by its id below `runs`, else the one `latest` leads to.
fn run_named(name: &str, runs: &Path) -> Result<PathBuf, Failure> {
    let is_run = |folder: &Path| folder.join("events.jsonl").is_file();
    let given = PathBuf::from(name);
    let by_id = || {
        let cases = std::fs::read_dir(runs).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        cases.map(|case| case.join(name)).find(|folder| is_run(folder))
    };
    let pointed = || {
        let latest = runs.join(LATEST);
        let written = std::fs::read_to_string(&latest).ok().map(|path| runs.join(path.trim()));
        written.or_else(|| latest.canonicalize().ok())
    };
    let found = if is_run(&given) { given.canonicalize().ok() } else { by_id() };
    let found = found.or_else(|| (name == LATEST).then(pointed).flatten()).filter(|folder| is_run(folder));
    found.ok_or_else(|| {
        Failure::usage(format!(
            "{name} is no run: name a folder that holds events.jsonl, or the id of a run in {}",
            runs.display()
        ))
    })
}

/// Makes the page.
fn merge(mut folders: Vec<PathBuf>, output: Option<PathBuf>, workspace: &Workspace) -> Result<Exit, Failure> {
    if folders.is_empty() {
        folders.push(workspace.runs());
    }
    if let Some(missing) = folders.iter().find(|folder| !folder.is_dir()) {
        return Err(Failure::usage(format!("{} is no folder of runs", missing.display())));
    }
    let path = output.or_else(|| folders.first().map(|first| first.join("index.html"))).unwrap_or_default();
    probe_writable(&path).map_err(Failure::usage)?;
    let runs = write_index(&path, &folders).map_err(Failure::infrastructure)?;
    if runs == 0 {
        return Err(Failure::nothing_selected("no run was found: name folders that hold <case>/<run>/result.json"));
    }
    anstream::eprintln!("{} in {}", plural(runs, "run"), path.display());
    Ok(Exit::Passed)
}
