//! The dumps beside the repository, with their names.

use std::path::Path;

/// A screen's name and its dump.
pub(super) type Dump = (String, Vec<u8>);

/// The dumps of a folder, by name: `NAME/hierarchy.xml`, `NAME.xml`, or `NAME.txt` for what an odd device wrote.
pub(super) fn read_dumps(folder: &Path) -> Vec<Dump> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut dumps: Vec<Dump> = entries.filter_map(|path| read_dump(&path)).collect();
    dumps.sort();
    dumps
}

fn read_dump(path: &Path) -> Option<Dump> {
    let file = if path.is_dir() { path.join("hierarchy.xml") } else { path.to_path_buf() };
    if file.extension().is_none_or(|extension| extension != "xml" && extension != "txt") {
        return None;
    }
    Some((path.file_stem()?.to_string_lossy().into_owned(), std::fs::read(file).ok()?))
}

/// The states of all recorded apps of a folder, called `APP/STATE`.
pub(super) fn recorded(folder: &Path) -> Vec<Dump> {
    let apps = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let states = apps.flat_map(|app| {
        let name = app.file_name().to_string_lossy().into_owned();
        read_dumps(&app.path().join("states")).into_iter().map(move |(state, bytes)| (format!("{name}/{state}"), bytes))
    });
    let mut dumps: Vec<Dump> = states.collect();
    dumps.sort();
    dumps
}
