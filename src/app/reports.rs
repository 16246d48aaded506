//! The reports of a run: `result.json` and `report.html`.

use crate::domain::{EventKind, RunEvent};
use crate::report::{write_html, write_result};
use crate::run::RunReporter;
use std::path::Path;

/// Writes both into the recording's folder.
pub(super) struct FolderReports;

impl RunReporter for FolderReports {
    fn write(&self, events: &[RunEvent], folder: &Path) -> Result<(), String> {
        let result = events.iter().rev().find_map(|event| match &event.kind {
            EventKind::RunFinished { result } => Some(result),
            _ => None,
        });
        if let Some(result) = result {
            write_result(folder, result).map_err(|error| error.to_string())?;
        }
        write_html(&folder.join("report.html"), events, folder).map_err(|error| error.to_string())
    }
}
