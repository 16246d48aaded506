//! The emulators that `tapwright serve` keeps running.

use crate::adb::AdbServer;
use crate::app::Workspace;
use crate::cli::Failure;
use crate::daemon::{EmulatorPlan, EmulatorWaits, Emulators, Sdk, end_left_over, is_free_port, note_emulators};

/// The emulators of a workspace, not started yet; none where its settings wish for none. That the SDK can run them is made sure of
/// here: not at 3 a.m. Those that a daemon before this one left are ended.
pub(super) async fn emulators(workspace: &Workspace, server: &AdbServer) -> Result<Emulators, Failure> {
    let wishes = workspace.emulator_wishes();
    if wishes.is_empty() {
        return Ok(Emulators::default());
    }
    let sdk = Sdk::find(workspace.environment().android_home.as_deref()).map_err(Failure::usage)?;
    sdk.check(wishes.iter().map(|wish| wish.avd.as_str())).await.map_err(Failure::usage)?;
    let file = workspace.root().join(".tapwright").join("emulators.json");
    for left in end_left_over(&file).await {
        anstream::eprintln!("emulator: {left}, which a daemon that was killed left, was ended");
    }
    let plans = EmulatorPlan::of(&wishes, &is_free_port).map_err(Failure::usage)?;
    note_emulators(&file, &plans).map_err(Failure::usage)?;
    for plan in &plans {
        anstream::eprintln!("emulator: {} starts", plan.serial());
    }
    Ok(Emulators::new(plans, sdk, server.clone(), EmulatorWaits::default()))
}
