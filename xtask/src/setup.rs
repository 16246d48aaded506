//! `cargo xtask setup`: system packages, build, runtime libraries and models. Also the first part of `test` and `demo`.

use crate::failure::Failure;
use crate::packages::{self, Need, Privilege};
use crate::progress::{Shown, run as run_command, stage};
use crate::workspace::Workspace;
use crate::{host, runtime};
use std::process::Command;

/// Makes this machine ready. The second time it only looks.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    stage("system packages", || ensure(&packages::SETUP))?;
    stage("build", || run_command(&mut workspace.cargo(["build", "--workspace"])))?;
    stage("runtime libraries and models", || {
        let mut install = workspace.cargo(["run", "--quiet", "--", "models", "install"]);
        run_command(runtime::environment(workspace, &mut install))
    })
}

/// Checks each need by running it, and installs what is missing where that is allowed without asking.
pub(crate) fn ensure(needs: &[&'static Need]) -> Result<(), Failure> {
    let missing = look(needs);
    if missing.is_empty() {
        return Ok(());
    }
    let chosen = packages::choose(&missing);
    let privilege = host::privilege();
    if !host::has_apt() || privilege == Privilege::None {
        return without(&missing, &format!("install what is missing with\n  {}", packages::install_line(&chosen)));
    }
    for words in packages::install_commands(privilege, &chosen) {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
        if let Err(failure) = run_command(&mut command) {
            // A stale or unreachable list need not matter: the install says whether it does.
            if words.iter().any(|word| word == "update") {
                eprintln!("  ! {failure}; trying the lists that are there");
                continue;
            }
            return without(&missing, &format!("`{}` failed; see its output above", Shown(&command)));
        }
    }
    let still = look(&missing);
    if still.is_empty() { Ok(()) } else { without(&still, "the packages were installed, but these still do not run") }
}

/// Prints each need with its version; gives back the missing ones.
fn look<'a>(needs: &[&'a Need]) -> Vec<&'a Need> {
    let mut missing = Vec::new();
    for need in needs {
        if let Some(version) = host::probe(need) {
            eprintln!("  ✓ {}: {}", need.purpose, if version.is_empty() { "works" } else { &version });
        } else {
            eprintln!("  ✗ {}: `{}` does not work", need.purpose, need.probe.join(" "));
            missing.push(*need);
        }
    }
    missing
}

/// Ends the check with needs still missing. Without a system adb everything still works with the one in the pinned
/// wheel that `models install` fetches, so that alone is no failure.
fn without(missing: &[&Need], remedy: &str) -> Result<(), Failure> {
    if missing.iter().all(|need| **need == packages::ADB) {
        eprintln!("  ! no system adb: going on with the one `models install` fetches ({remedy})");
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|need| need.purpose).collect();
    Err(Failure::Missing(format!("missing: {}; {remedy}", names.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_adb_alone_does_not_stop_the_set_up() {
        assert!(without(&[&packages::ADB], "").is_ok());
    }

    #[test]
    fn anything_else_missing_ends_with_exit_code_3_and_the_remedy() {
        let failure = without(&[&packages::ADB, &packages::PIP], "sudo apt-get install x").unwrap_err();
        assert_eq!(failure.exit_code(), 3);
        assert!(failure.to_string().contains("sudo apt-get install x"));
        assert!(failure.to_string().contains("Python's pip"));
    }
}
