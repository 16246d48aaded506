//! `tapwright devices`.

use super::print_json;
use crate::adb::ConnectionState;
use crate::app::Workspace;
use crate::cli::{DataArgs, Exit, Failure, table};

/// Lists what the adb server knows.
pub(super) async fn devices(args: &DataArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let server = workspace.server().await?;
    let rows = server.devices().await.map_err(Failure::infrastructure)?;
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Passed);
    }
    if rows.is_empty() {
        anstream::eprintln!(
            "no devices; plug one in, start an emulator, or run `tapwright emulate --connect --app FILE`"
        );
        return Ok(Exit::Passed);
    }
    let mut lines = vec![["SERIAL", "STATE", "MODEL", "HINT"].map(str::to_owned).to_vec()];
    for row in rows {
        let hint = match row.state {
            ConnectionState::Unauthorized => "confirm the USB debugging dialog on the device",
            ConnectionState::Offline | ConnectionState::Silent => "check the cable, or run: adb reconnect offline",
            ConnectionState::NoPermissions => "add a udev rule for the device",
            _ => "",
        };
        lines.push(vec![row.serial.to_string(), row.state.to_string(), row.model.unwrap_or_default(), hint.to_owned()]);
    }
    table::print(&lines);
    Ok(Exit::Passed)
}
