//! A suite as it lies in its folder: `suite.yaml`, `apps/`, `cases/`.

use super::error::SuiteError;
use super::file::{Status, SuiteDevice, SuiteFile, SuiteRun, matches};
use super::strings::AppTexts;
use super::truth::ViewVariables;
use crate::case::Case;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A suite.
#[derive(Debug)]
pub struct Suite {
    /// Its name, the folder's.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What it is for.
    pub status: Status,
    /// The language its cases are written in.
    pub language: String,
    /// Where it lies.
    pub folder: PathBuf,
    /// Its cases, by id.
    pub cases: Vec<Case>,
    /// Its runs.
    pub runs: Vec<SuiteRun>,
    /// Path and text of every app file.
    pub apps: Vec<(PathBuf, String)>,
    texts: AppTexts,
}

impl Suite {
    /// Reads a suite's folder. Every run names cases that exist and devices that can be made.
    ///
    /// # Errors
    /// When a file cannot be read, or says something that makes no sense.
    pub fn load(folder: &Path) -> Result<Self, SuiteError> {
        let path = folder.join("suite.yaml");
        let file: SuiteFile =
            serde_saphyr::from_str(&read(&path)?).map_err(|error| SuiteError::wrong(&path, error.to_string()))?;
        if folder.file_name().is_none_or(|name| name != file.name.as_str()) {
            return Err(SuiteError::wrong(&path, format!("the suite is called {:?}, its folder is not", file.name)));
        }
        let mut cases = Vec::new();
        for path in files(&folder.join("cases"), ".case.yaml")? {
            cases.push(Case::load(&path).map_err(|error| SuiteError::unreadable(&path, &error))?);
        }
        cases.sort_by(|a: &Case, b| a.id.cmp(&b.id));
        let mut apps = Vec::new();
        for path in files(&folder.join("apps"), ".app.yaml")? {
            let text = read(&path)?;
            apps.push((path, text));
        }
        for run in &file.runs {
            run.check().map_err(|reason| SuiteError::wrong(&path, reason))?;
            for pattern in &run.cases {
                if !cases.iter().any(|case| matches(pattern, case.id.as_str())) {
                    return Err(SuiteError::wrong(&path, format!("no case is called {pattern:?}")));
                }
            }
        }
        let texts = AppTexts::read(&apps)?;
        let SuiteFile { name, title, status, language, runs, .. } = file;
        Ok(Self { name, title, status, language, folder: folder.to_owned(), cases, runs, apps, texts })
    }

    /// The cases a run names, by id.
    pub fn cases_of(&self, run: &SuiteRun) -> Vec<&Case> {
        let named = |case: &&Case| run.cases.iter().any(|pattern| matches(pattern, case.id.as_str()));
        self.cases.iter().filter(named).collect()
    }

    /// Package and name of every planted bug.
    pub fn planted_bugs(&self) -> Vec<(String, String)> {
        self.texts.planted_bugs()
    }

    /// Variables of the apps that only say how things are shown.
    pub(super) fn view_variables(&self) -> ViewVariables {
        self.texts.view_variables()
    }

    /// A text of an app in one language and version (`@name`): as the app itself chooses.
    pub fn string(&self, name: &str, locale: &str, switches: &[String]) -> Option<String> {
        self.texts.string(name, locale, switches)
    }

    /// An expected text in the device's language: what an app calls it there if it is one of the app's English texts.
    pub fn in_language(&self, text: &str, locale: &str, switches: &[String]) -> String {
        self.texts.in_language(text, locale, switches)
    }

    /// The parameters a run replaces on a device, `@name` by the app's text.
    pub fn params_of(&self, run: &SuiteRun, device: &SuiteDevice) -> BTreeMap<String, String> {
        let replaced = |(name, text): (&String, &String)| {
            let named = text.strip_prefix('@').and_then(|name| self.string(name, &device.locale, &run.switches));
            (name.clone(), named.unwrap_or_else(|| text.clone()))
        };
        run.params.iter().map(replaced).collect()
    }
}

fn read(path: &Path) -> Result<String, SuiteError> {
    std::fs::read_to_string(path).map_err(|error| SuiteError::unreadable(path, &error))
}

/// The files of a folder with that ending, sorted; none where there is no folder.
fn files(folder: &Path, end: &str) -> Result<Vec<PathBuf>, SuiteError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| SuiteError::unreadable(folder, &error))? {
        let path = entry.map_err(|error| SuiteError::unreadable(folder, &error))?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(end)) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
