//! `cargo xtask lint`: everything a reviewer should not have to say. Changes nothing.

use crate::failure::Failure;
use crate::host;
use crate::progress::{run as run_command, stage};
use crate::workspace::Workspace;

/// Runs every lint, also after one has failed, and names the failed ones.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let mut failed = Vec::new();
    let mut check = |name: &'static str, words: &[&str]| {
        if stage(name, || run_command(workspace.cargo(words).env("RUSTDOCFLAGS", "-D warnings"))).is_err() {
            failed.push(name);
        }
    };
    check("format", &["fmt", "--all", "--check"]);
    check("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    check("links of the documentation", &["doc", "--quiet", "--workspace", "--no-deps", "--lib"]);
    if host::first_line(&mut workspace.cargo(["deny", "--version"])).is_some() {
        check("licences, advisories, sources", &["deny", "check"]);
    } else {
        eprintln!("- licences, advisories, sources: not checked; `cargo install cargo-deny --locked` brings the tool");
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::Failed(format!("failed: {}", failed.join(", ")))) }
}
