//! Where the fetched runtime libraries and the adb programs are, and how tests and demo learn of them.

use crate::host;
use crate::packages::ADB;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The adb every test uses: the system's, else the wheel's.
const ADB_VARIABLE: &str = "TAPWRIGHT_ADB";
/// The newer adb from the wheel, for tests that prove both versions.
const ADB_36_VARIABLE: &str = "TAPWRIGHT_ADB_36";
/// The ONNX Runtime library.
const ORT_VARIABLE: &str = "TAPWRIGHT_ORT_LIB";

/// Where wheels are unpacked.
const RUNTIME: &str = "models/runtime";

/// Names what is there to a command, by environment. What the caller has set already wins; what is not there is not
/// named, so that the command says itself what it misses.
pub(crate) fn environment<'a>(workspace: &Workspace, command: &'a mut Command) -> &'a mut Command {
    let files = files_below(&workspace.path(RUNTIME), 8);
    let wheel_adb = files.iter().find(|path| is_program(path, "adb"));
    let system_adb = host::probe(&ADB).and_then(|_| on_path("adb"));
    let found = [
        (ADB_VARIABLE, system_adb.as_ref().or(wheel_adb)),
        (ADB_36_VARIABLE, wheel_adb),
        (ORT_VARIABLE, files.iter().find(|path| is_onnxruntime(path))),
    ];
    for (name, path) in found {
        if let (Some(path), None) = (path, std::env::var_os(name)) {
            command.env(name, path);
        }
    }
    command
}

/// The adb that tests use: the caller's, the system's, else the wheel's.
pub(crate) fn adb(workspace: &Workspace) -> Option<PathBuf> {
    let named = std::env::var_os(ADB_VARIABLE).map(PathBuf::from);
    let wheels = || files_below(&workspace.path(RUNTIME), 8).into_iter().find(|path| is_program(path, "adb"));
    named.or_else(|| host::probe(&ADB).and_then(|_| on_path("adb"))).or_else(wheels)
}

/// `libonnxruntime.so` with or without a version; not the provider libraries beside it.
fn is_onnxruntime(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name == "libonnxruntime.dylib" || name == "onnxruntime.dll" || name.starts_with("libonnxruntime.so")
}

fn is_program(path: &Path, name: &str) -> bool {
    path.file_stem().is_some_and(|stem| stem == name)
        && path.extension().is_none_or(|extension| extension == "exe")
        && path.is_file()
}

/// A program found through `PATH`, absolute.
fn on_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// All files below a folder, sorted, at most `depth` folders down; empty when there is no such folder.
fn files_below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path);
        } else if depth > 0 {
            files.extend(files_below(&path, depth - 1));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_library_is_told_from_its_neighbours() {
        assert!(is_onnxruntime(Path::new("a/capi/libonnxruntime.so.1.31.1")));
        assert!(!is_onnxruntime(Path::new("a/capi/libonnxruntime_providers_shared.so")));
    }

    #[test]
    fn the_wheels_adb_is_found_deep_below_and_a_text_file_beside_it_is_not() {
        let folder = std::env::temp_dir().join(format!("tapwright-xtask-{}", std::process::id()));
        let binaries = folder.join("adb/adbutils/binaries");
        std::fs::create_dir_all(&binaries).unwrap();
        for name in ["adb", "adb.txt", "README.md"] {
            std::fs::write(binaries.join(name), "").unwrap();
        }
        let files = files_below(&folder, 8);
        let adb: Vec<_> = files.iter().filter(|path| is_program(path, "adb")).collect();
        assert_eq!(adb, [&binaries.join("adb")]);
        assert!(files_below(&folder, 1).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
