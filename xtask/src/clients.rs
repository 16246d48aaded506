//! Other people's clients that tests run against virtual devices: pinned by hash, installed below `target/`.

use crate::progress::run as run_command;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where tests look for the clients' Python packages.
pub(crate) const VARIABLE: &str = "TAPWRIGHT_TEST_CLIENTS";
const REQUIREMENTS: &str = "tests/clients/requirements.txt";
const FOLDER: &str = "target/test-clients";
/// Holds the requirements that were installed, so that nothing is fetched twice.
const MARK: &str = "installed.txt";

/// Installs what is missing; `None`, with the reason said, where pip or the network does not allow it: the tests then
/// say that they were skipped.
pub(crate) fn install(workspace: &Workspace) -> Option<PathBuf> {
    let (folder, requirements) = (workspace.path(FOLDER), workspace.path(REQUIREMENTS));
    let wanted = std::fs::read_to_string(&requirements).ok()?;
    if is_installed(&folder, &wanted) {
        return Some(folder);
    }
    match fetch(&folder, &requirements, &wanted) {
        Ok(()) => Some(folder),
        Err(reason) => {
            eprintln!("  ! the clients of {REQUIREMENTS} are not installed, their tests will be skipped: {reason}");
            None
        }
    }
}

fn is_installed(folder: &Path, wanted: &str) -> bool {
    std::fs::read_to_string(folder.join(MARK)).is_ok_and(|installed| installed == wanted)
}

fn fetch(folder: &Path, requirements: &Path, wanted: &str) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"])
        .args(["--only-binary=:all:", "--target"])
        .arg(folder)
        .arg("-r")
        .arg(requirements)
        .env("PIP_ROOT_USER_ACTION", "ignore");
    run_command(&mut pip).map_err(|failure| failure.to_string())?;
    std::fs::write(folder.join(MARK), wanted).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_list_of_requirements_is_installed_anew() {
        let folder = std::env::temp_dir().join(format!("tapwright-clients-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert!(!is_installed(&folder, "a==1\n"));
        std::fs::write(folder.join(MARK), "a==1\n").unwrap();
        assert!(is_installed(&folder, "a==1\n") && !is_installed(&folder, "a==2\n"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
