//! Cases made of files of other tools: Maestro flows, Gherkin features, journeys of Android Studio.
//!
//! Nothing is guessed: what has no counterpart is refused with file and line, and then no case is made.

mod draft;
mod gherkin;
mod journey;

use super::maestro::{FlowError, ImportedCase, Importer};
use std::path::Path;

impl Importer {
    /// The cases of a file, told by its ending: `.feature` is a Gherkin feature, `.xml` a journey, all else a Maestro flow.
    ///
    /// # Errors
    /// Everything in it that has no counterpart, with file and line.
    pub fn import_file(&self, path: &Path) -> Result<Vec<ImportedCase>, Vec<FlowError>> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        match ending.as_str() {
            "feature" => gherkin::import(self, path),
            "xml" => journey::import(self, path).map(|case| vec![case]),
            _ => self.import(path).map(|case| vec![case]),
        }
    }
}
