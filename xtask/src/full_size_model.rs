//! `cargo xtask full-size-model`: proves once that a sentence-transformers MPNet of full size loads through a manifest
//! entry. The weights are random, everything stays under `target/`; nothing of it is committed and CI never runs it.

use crate::failure::Failure;
use crate::packages::{PIP, PYTHON, VENV};
use crate::progress::{run as run_command, stage};
use crate::workspace::Workspace;
use crate::{runtime, setup};
use std::path::Path;
use std::process::Command;

/// Makes the model (unless it is there), loads it, prints its dimensions, size and speed.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let (venv, model) = (workspace.target().join("venv"), workspace.target().join("random-mpnet-base"));
    setup::run(workspace)?;
    if model.join("manifest.toml").is_file() {
        eprintln!("✓ {} is there already", model.display());
    } else {
        stage("Python environment", || make_venv(workspace, &venv))?;
        stage("MPNet-base with random weights", || make_model(workspace, &venv, &model))?;
    }
    stage("load and embed", || {
        // The time goes into the native library: a release build of our own part would take minutes and change nothing.
        let mut bench = workspace.cargo(["bench", "--quiet", "--profile", "dev", "--bench", "embedding", "--"]);
        bench.arg("--models").arg(&model);
        run_command(runtime::environment(workspace, &mut bench))
    })
}

/// Runs the training script into a folder that gets its name only when the script has come to its end.
fn make_model(workspace: &Workspace, venv: &Path, model: &Path) -> Result<(), Failure> {
    let partial = model.with_extension("partial");
    if partial.exists() {
        std::fs::remove_dir_all(&partial)
            .map_err(|error| Failure::Failed(format!("{} could not be removed: {error}", partial.display())))?;
    }
    let script = workspace.path("models/training/make_random_mpnet_base.py");
    let mut make = Command::new(venv.join("bin/python"));
    make.arg(script).arg("--tokenizer").arg(workspace.path("models/ui-mpnet/tokenizer.json"));
    run_command(make.arg("--output").arg(&partial).current_dir(workspace.root()))?;
    std::fs::rename(&partial, model)
        .map_err(|error| Failure::Failed(format!("{} could not be renamed: {error}", partial.display())))
}

/// A virtual environment with what the training scripts need. A marker beside it says that it is complete; without
/// one it is made anew, so that an interrupted attempt does no harm.
fn make_venv(workspace: &Workspace, venv: &Path) -> Result<(), Failure> {
    let marker = venv.with_extension("complete");
    if marker.is_file() {
        return Ok(());
    }
    setup::ensure(&[&PYTHON, &PIP, &VENV])?;
    run_command(Command::new("python3").args(["-m", "venv", "--clear"]).arg(venv))?;
    run_command(
        Command::new(venv.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(workspace.path("models/training/requirements.txt")),
    )?;
    std::fs::write(&marker, "")
        .map_err(|error| Failure::Failed(format!("{} could not be written: {error}", marker.display())))
}
