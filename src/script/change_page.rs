//! The page beside a proposal that tells what it changes, with pictures from before and after each change. Whoever decides
//! whether to accept it needs them; afterwards they are gone, and the log keeps the words.

use super::format::{ScriptError, plain_files, write_whole};
use std::path::{Path, PathBuf};

/// End of the name of the page that tells what a proposal changes.
pub(super) const CHANGES: &str = ".changes.md";
/// How a line of Markdown begins that shows a picture.
const PICTURE: &str = "![";

/// What a proposal changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangePage {
    /// In Markdown. A picture is named as it lies beside the page, on a line that begins with it.
    pub text: String,
    /// Names and bytes of the pictures.
    pub pictures: Vec<(String, Vec<u8>)>,
}

impl ChangePage {
    /// The name of a picture of a profile's proposal: of the change with this number, `before` or `after` it.
    pub fn picture_name(profile: &str, number: usize, when: &str) -> String {
        format!("{profile}.{number}-{when}.png")
    }

    /// Writes page and pictures beside the proposal of a profile, in place of those that are there.
    pub(super) fn write(&self, folder: &Path, profile: &str) -> Result<(), ScriptError> {
        remove(&pictures_of(folder, profile))?;
        for (name, bytes) in &self.pictures {
            write_whole(&folder.join(name), bytes, 0o644)?;
        }
        write_whole(&folder.join(format!("{profile}{CHANGES}")), self.text.as_bytes(), 0o644)
    }
}

/// The pictures that lie beside the proposal of a profile.
pub fn pictures_of(folder: &Path, profile: &str) -> Vec<PathBuf> {
    let is_of = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let rest = name.strip_prefix(profile).and_then(|rest| rest.strip_prefix('.'));
        let number = rest.and_then(|rest| rest.strip_suffix("-before.png").or_else(|| rest.strip_suffix("-after.png")));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    plain_files(folder).into_iter().filter(is_of).collect()
}

/// Removes files.
pub(super) fn remove(files: &[PathBuf]) -> Result<(), ScriptError> {
    files.iter().try_for_each(|path| {
        std::fs::remove_file(path).map_err(|source| ScriptError::File { path: path.clone(), source })
    })
}

/// The page without its pictures, which do not outlast the proposal.
pub(super) fn words_of(page: &str) -> String {
    let lines = page.lines().filter(|line| !line.starts_with(PICTURE));
    lines.map(|line| format!("{line}\n")).collect()
}
