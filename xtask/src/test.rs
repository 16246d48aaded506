//! `cargo xtask test`: set up, run every test, end with one line that counts them.

use crate::failure::Failure;
use crate::progress::{Elapsed, Shown, cannot_start, stage};
use crate::summary::{Reader, Summary};
use crate::workspace::Workspace;
use crate::{clients, packages, runtime, setup};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

/// How many tests run at a time; read by the test binaries.
const THREADS_VARIABLE: &str = "RUST_TEST_THREADS";
/// Integration tests wait for devices most of the time, so two cores are kept busy by four of them.
const FEWEST_THREADS: usize = 4;

/// Sets up and runs `cargo test --workspace`; `arguments` go to it.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    setup::run(workspace)?;
    stage("system packages for tests", || setup::ensure(&packages::TESTS))?;
    let mut command = workspace.cargo(words(arguments));
    if std::env::var_os(THREADS_VARIABLE).is_none() {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        command.env(THREADS_VARIABLE, cores.max(FEWEST_THREADS).to_string());
    }
    if std::env::var_os(clients::VARIABLE).is_none()
        && let Some(folder) = stage("clients for tests", || Ok(clients::install(workspace)))?
    {
        command.env(clients::VARIABLE, folder);
    }
    let test_start = Instant::now();
    let (reader, succeeded) = stream(runtime::environment(workspace, &mut command), &mut std::io::stdout())?;
    let summary = reader.summary();
    let verdict = judge(summary, succeeded);
    println!(
        "\n{} skipped, {} test binaries, tests {}, with set-up {}{}",
        summary.skipped,
        summary.binaries,
        Elapsed(test_start.elapsed()),
        Elapsed(start.elapsed()),
        verdict.map_or_else(String::new, |reason| format!("\n{reason}"))
    );
    // The last line, whatever happened: scripts read it.
    println!("{summary}");
    if verdict.is_some() { Err(Failure::Told) } else { Ok(()) }
}

/// Why the tests did not pass; `None` when they did. Cargo's exit status decides, not only the counts: a binary that
/// does not compile or dies halfway leaves no count.
fn judge(summary: Summary, succeeded: bool) -> Option<&'static str> {
    if summary.failed > 0 {
        Some("tests failed")
    } else if !succeeded {
        Some("a test did not compile, or a test binary died: see the output above")
    } else if summary.passed + summary.skipped == 0 {
        Some("no test ran: nothing matches the arguments")
    } else {
        None
    }
}

/// The words after `cargo`. `--show-output` lets us see which tests skipped.
fn words(arguments: &[String]) -> Vec<String> {
    let split = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let (for_cargo, for_tests) = arguments.split_at(split);
    let mut words: Vec<String> = ["test", "--workspace", "--no-fail-fast"].map(str::to_owned).into();
    words.extend_from_slice(for_cargo);
    words.extend(["--", "--show-output"].map(str::to_owned));
    words.extend(for_tests.iter().skip(1).cloned());
    words
}

/// Runs the command and passes its stdout on to `out`, line by line as it comes; stderr stays as it is.
fn stream(command: &mut Command, out: &mut impl Write) -> Result<(Reader, bool), Failure> {
    eprintln!("▸ tests\n  $ {}", Shown(command));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, &error))?;
    let mut reader = Reader::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line =
                line.map_err(|error| Failure::Failed(format!("the tests' output could not be read: {error}")))?;
            if let Some(shown) = reader.line(String::from_utf8_lossy(&line).trim_end_matches('\r')) {
                writeln!(out, "{shown}").map_err(|error| Failure::Failed(format!("stdout is closed: {error}")))?;
            }
        }
    }
    let status = child.wait().map_err(|error| Failure::Failed(format!("cargo could not be waited for: {error}")))?;
    Ok((reader, status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_reach_cargo_before_the_dashes_and_the_tests_after_them() {
        let arguments = ["--lib", "adb::", "--", "--nocapture"].map(str::to_owned);
        assert_eq!(
            words(&arguments).join(" "),
            "test --workspace --no-fail-fast --lib adb:: -- --show-output --nocapture"
        );
        assert_eq!(words(&[]).join(" "), "test --workspace --no-fail-fast -- --show-output");
    }

    #[test]
    fn only_tests_that_ran_to_the_end_and_did_not_fail_pass() {
        let counts = |passed, failed| Summary { binaries: 1, passed, failed, skipped: 0 };
        assert_eq!(judge(counts(3, 0), true), None);
        assert!(judge(counts(3, 1), false).is_some());
        assert!(judge(counts(3, 0), false).is_some(), "a binary died");
        assert!(judge(counts(0, 0), true).is_some(), "nothing ran");
    }

    #[test]
    fn a_commands_lines_are_read_to_the_end_with_its_status() {
        let script = "echo 'test result: ok. 4 passed; 0 failed; 0 ignored; finished in 0.1s'; exit 3";
        let mut out = Vec::new();
        let (reader, succeeded) = stream(Command::new("sh").args(["-c", script]), &mut out).unwrap();
        assert_eq!(reader.summary().passed, 4);
        assert!(!succeeded);
        assert!(String::from_utf8(out).unwrap().starts_with("test result: ok. 4 passed"));
    }
}
