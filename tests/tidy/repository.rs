//! The repository's files.

use crate::imports;
use crate::source::Source;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold nothing a person wrote.
const SKIPPED: &[&str] = &[".git", "target", "runs", ".tapwright", "models/runtime"];
/// Beyond this a file is data.
const LARGEST: u64 = 2_000_000;

/// The working copy this test was built from.
pub(crate) struct Repository {
    files: Vec<String>,
    root: PathBuf,
}

impl Repository {
    /// Lists all files, sorted.
    pub(crate) fn open() -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        walk(&root, &root, &mut files);
        files.sort();
        Self { files, root }
    }

    /// Every Rust file, read; files declared as `#[cfg(test)] mod …;` count as tests.
    pub(crate) fn rust_sources(&self) -> Vec<Source> {
        let sources: Vec<_> =
            self.read(|path| has_extension(path, "rs")).iter().map(|(path, text)| Source::new(path, text)).collect();
        let tests: Vec<_> = sources.iter().flat_map(Source::test_modules).collect();
        let is_test = |source: &Source| tests.iter().any(|module| source.is_in(module));
        sources.into_iter().map(|source| if is_test(&source) { source.into_test() } else { source }).collect()
    }

    /// Every text file with its path.
    pub(crate) fn text_files(&self) -> Vec<(String, String)> {
        self.read(|path| !has_extension(path, "lock"))
    }

    /// The declarative apps of the bundled suites: path and text.
    pub(crate) fn app_files(&self) -> Vec<(String, String)> {
        self.read(|path| {
            path.starts_with("tests/suites/")
                && path.contains("/apps/")
                && (has_extension(path, "yaml") || has_extension(path, "yml"))
        })
    }

    /// Names of the rooms that the sources of all crates are in, sorted.
    pub(crate) fn rooms(&self) -> Vec<String> {
        let rust = self.files.iter().filter(|path| has_extension(path, "rs"));
        let rooms: BTreeSet<_> = rust.filter_map(|path| imports::room_of(path)).collect();
        rooms.into_iter().collect()
    }

    fn read(&self, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let text = |path: &String| Some((path.clone(), String::from_utf8(fs::read(self.root.join(path)).ok()?).ok()?));
        self.files.iter().filter(|path| wanted(path)).filter_map(text).collect()
    }
}

fn has_extension(path: &str, wanted: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == wanted)
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a readable folder entry").path()) {
        let relative = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
        let cache = path.join("CACHEDIR.TAG").is_file();
        if SKIPPED.contains(&relative.as_str()) || cache || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            walk(root, &path, files);
        } else if path.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST) {
            files.push(relative);
        }
    }
}
