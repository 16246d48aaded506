//! The reports of a run: `result.json` and `report.html`.

use crate::domain::RunEvent;
use crate::report::{write_html, write_result};
use crate::run::RunReporter;
use std::path::Path;

/// Writes both into the recording's folder.
pub(super) struct FolderReports;

impl RunReporter for FolderReports {
    fn write(&self, events: &[RunEvent], folder: &Path) -> Result<(), String> {
        write_result(folder, events).map_err(|error| error.to_string())?;
        write_html(&folder.join("report.html"), events, folder).map_err(|error| error.to_string())
    }
}
