//! What this machine has: programs, and the right to install more. Every answer comes from running the program.

use crate::packages::{Need, Privilege};
use std::process::{Command, Stdio};

/// The first line a need's probe prints, when it works.
pub(crate) fn probe(need: &Need) -> Option<String> {
    let (program, words) = need.probe.split_first()?;
    first_line(Command::new(program).args(words))
}

/// What we may do here.
pub(crate) fn privilege() -> Privilege {
    if first_line(Command::new("id").arg("-u")).as_deref() == Some("0") {
        Privilege::Root
    } else if first_line(Command::new("sudo").args(["-n", "true"])).is_some() {
        Privilege::Sudo
    } else {
        Privilege::None
    }
}

/// Whether packages come through apt-get here.
pub(crate) fn has_apt() -> bool {
    first_line(Command::new("apt-get").arg("--version")).is_some()
}

/// Runs a probe; `Some` (its first line, perhaps empty) only when it started and exited with 0.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_or_fails_is_missing() {
        assert_eq!(probe(&Need { purpose: "", probe: &["no-such-program-anywhere"], packages: &[] }), None);
        assert_eq!(probe(&Need { purpose: "", probe: &["false"], packages: &[] }), None);
        assert_eq!(probe(&Need { purpose: "", probe: &["echo", "1.2"], packages: &[] }), Some("1.2".into()));
    }
}
