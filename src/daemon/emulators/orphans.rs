//! Emulators that outlived the daemon that started them: a daemon that is killed cannot end them.

use super::EmulatorPlan;
use crate::adb::{emulator_name, kill_emulator};
use crate::report::{ReportError, write_whole};
use serde::{Deserialize, Serialize};
use std::future::pending;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::time::Duration;

/// For one question to a console: one that is left over on a busy machine answers late, and where none is the question fails at once.
const ASKED: Duration = Duration::from_secs(15);
/// For an emulator to be gone once it was told to end.
const GONE: Duration = Duration::from_secs(10);
/// Between two looks whether its port is free.
const LOOK: Duration = Duration::from_millis(100);

/// An emulator that a daemon started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    avd: String,
    port: u16,
}

/// Notes in `file` which emulators a daemon is about to start.
///
/// # Errors
/// The file cannot be written.
pub fn note(file: &Path, plans: &[EmulatorPlan]) -> Result<(), ReportError> {
    let noted: Vec<Noted> = plans.iter().map(|plan| Noted { avd: plan.avd.clone(), port: plan.port }).collect();
    write_whole(file, serde_json::to_string(&noted).unwrap_or_default().as_bytes())
}

/// Ends the emulators that are noted in `file` and still run: whose console tells the name of the virtual device that was started
/// there. Others are left alone, also on the same port. Gives what was ended.
pub async fn end_left_over(file: &Path) -> Vec<String> {
    let noted = std::fs::read(file).ok().and_then(|text| serde_json::from_slice::<Vec<Noted>>(&text).ok());
    let mut ended = Vec::new();
    for Noted { avd, port } in noted.unwrap_or_default() {
        if emulator_name(port, ASKED).await.as_ref() == Ok(&avd) && kill_emulator(port, ASKED).await.is_ok() {
            let gone = async {
                while !is_free(port) {
                    let _over = tokio::time::timeout(LOOK, pending::<()>()).await;
                }
            };
            // One that does not go keeps its port, and another is taken.
            let _gone = tokio::time::timeout(GONE, gone).await;
            ended.push(format!("emulator-{port}"));
        }
    }
    ended
}

/// True where nothing listens on a port of this machine.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}
