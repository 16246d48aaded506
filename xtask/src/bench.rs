//! `cargo xtask bench`: the benchmarks, with the runtime libraries named to them.

use crate::failure::Failure;
use crate::progress::{run as run_command, stage};
use crate::workspace::Workspace;
use crate::{runtime, setup};

/// Sets up and runs `cargo bench` on the declared benchmark targets.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    if !workspace.path("benches").is_dir() {
        return Err(Failure::Missing("nothing to measure: there is no benchmark in benches/".into()));
    }
    setup::run(workspace)?;
    stage("benchmarks", || {
        let mut bench = workspace.cargo(["bench", "--bench", "*"]);
        run_command(runtime::environment(workspace, bench.args(arguments)))
    })
}
