//! `tapwright report`.

use super::plural;
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ReportCommand};
use crate::report::{probe_writable, write_index};

/// Makes one page of many runs.
pub(super) fn report(command: ReportCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    let ReportCommand::Merge { mut folders, output } = command;
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
