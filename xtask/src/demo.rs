//! `cargo xtask demo`: set up, then the product's own `tapwright demo`.

use crate::failure::Failure;
use crate::progress::run as run_command;
use crate::workspace::Workspace;
use crate::{runtime, setup};

/// Sets up and runs the demo; its exit code is ours.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    setup::run(workspace)?;
    let mut demo = workspace.cargo(["run", "--quiet", "--", "demo"]);
    run_command(runtime::environment(workspace, demo.args(arguments)))
}
