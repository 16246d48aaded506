//! The walkthroughs of a suite: what only people need, beside the product's own reading of suites.

use super::step::Walkthrough;
use std::path::Path;
use tapwright::case::Case;
use tapwright::evaluation::suite::Suite;

/// Reads a suite's folder.
pub(super) fn load(folder: &Path) -> Suite {
    Suite::load(folder).unwrap_or_else(|error| panic!("{error}"))
}

/// How a person does a case.
pub(super) fn walkthrough(suite: &Suite, case: &Case) -> Result<Walkthrough, String> {
    let path = suite.folder.join("walkthroughs").join(format!("{}.yaml", case.id));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The ids for which there are walkthroughs.
pub(super) fn walkthrough_names(suite: &Suite) -> Vec<String> {
    let entries = std::fs::read_dir(suite.folder.join("walkthroughs")).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        .filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        .collect()
}
