//! `tapwright recordings`.

use super::plural;
use crate::cli::{Exit, Failure, RecordingsCommand};
use crate::run::export_runs;
use std::path::{Path, PathBuf};

/// Turns runs into recorded apps.
pub(super) fn recordings(command: &RecordingsCommand) -> Result<Exit, Failure> {
    let RecordingsCommand::Export { runs, output } = command;
    let mut folders = Vec::new();
    for run in runs {
        folders.extend(runs_in(run)?);
    }
    let exported = export_runs(&folders, output).map_err(Failure::usage)?;
    for note in &exported.notes {
        anstream::eprintln!("{note}");
    }
    anstream::eprintln!(
        "{}: {} of {} with {} and {}",
        plural(folders.len(), "run"),
        plural(exported.states, "state"),
        exported.package,
        plural(exported.transitions, "transition"),
        plural(exported.tasks, "task")
    );
    anstream::println!("{}", output.display());
    Ok(Exit::Passed)
}

/// The run in a folder, or all runs below it, oldest first: run ids sort by time.
pub(super) fn runs_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        if folder.join("events.jsonl").is_file() {
            found.push(folder);
            continue;
        }
        let entries = std::fs::read_dir(&folder).map_err(|error| Failure::unreadable(&folder, &error))?;
        open.extend(entries.filter_map(|entry| {
            // A link leads to a run that is found by its own name.
            let entry = entry.ok()?;
            entry.file_type().ok()?.is_dir().then(|| entry.path())
        }));
    }
    if found.is_empty() {
        let reason = "a run's folder holds events.jsonl; `tapwright run` leaves them in runs/<CASE-ID>/<run id>";
        return Err(Failure::usage(format!("{} holds no run: {reason}", folder.display())));
    }
    found.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
    Ok(found)
}
