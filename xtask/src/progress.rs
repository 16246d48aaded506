//! Says what is being done and how long it took. Everything goes to stderr: stdout belongs to the commands behind.

use crate::failure::Failure;
use std::fmt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs `work` between a line that names it and one that says how it ended and after how long.
pub(crate) fn stage<T>(name: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    eprintln!("▸ {name}");
    let start = Instant::now();
    let outcome = work();
    let mark = if outcome.is_ok() { "✓" } else { "✗" };
    eprintln!("{mark} {name} ({})", Elapsed(start.elapsed()));
    outcome
}

/// Runs a command to its end with our stdin, stdout and stderr.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    eprintln!("  $ {}", Shown(command));
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() {
        return Ok(());
    }
    let text = format!("`{}` ended with {status}", Shown(command));
    Err(match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code) => Failure::Code(code, text),
        None => Failure::Failed(text),
    })
}

/// The failure of a command that could not even be started.
pub(crate) fn cannot_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure::Missing(format!("`{}` could not be started: {error}", Shown(command)))
}

/// A command as one would type it; for reading, not for pasting words with spaces.
pub(crate) struct Shown<'a>(pub(crate) &'a Command);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = std::path::Path::new(self.0.get_program());
        f.write_str(&program.file_name().unwrap_or(program.as_os_str()).to_string_lossy())?;
        self.0.get_args().try_for_each(|word| write!(f, " {}", word.to_string_lossy()))
    }
}

/// A duration as people read it: `0.8 s`, `3 min 07 s`.
pub(crate) struct Elapsed(pub(crate) Duration);

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        if seconds >= 60 {
            write!(f, "{} min {:02} s", seconds / 60, seconds % 60)
        } else {
            write!(f, "{:.1} s", self.0.as_secs_f64())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_readable_below_and_above_a_minute() {
        assert_eq!(Elapsed(Duration::from_millis(840)).to_string(), "0.8 s");
        assert_eq!(Elapsed(Duration::from_secs(187)).to_string(), "3 min 07 s");
    }

    #[test]
    fn a_command_is_shown_by_its_name_and_words() {
        let mut command = Command::new("/some/where/cargo");
        command.args(["build", "--quiet"]);
        assert_eq!(Shown(&command).to_string(), "cargo build --quiet");
    }

    #[test]
    fn the_exit_code_of_a_command_is_kept() {
        let code = |line: &str| run(Command::new("sh").args(["-c", line])).map_err(|failure| failure.exit_code());
        assert_eq!(code("exit 0"), Ok(()));
        assert_eq!(code("exit 4"), Err(4));
    }
}
