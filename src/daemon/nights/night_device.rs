//! Devices as the page of a night shows them: how many of its runs they had, and what happened to them meanwhile.

use crate::daemon::desk::{Desk, now};
use crate::daemon::pool::{Phase, is_trouble};
use crate::domain::DeviceSerial;
use crate::store::{BatchRecord, DeviceLine, RunRecord, StoreError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Lines of all logs that are looked through for one night.
const LINES: u32 = 2_000;

/// A device in a night.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NightDevice {
    /// The device.
    #[schemars(with = "String")]
    pub serial: DeviceSerial,
    /// Where it is in the pool now; `elsewhere` for a device of another host.
    pub phase: String,
    /// What is held against it now.
    pub reason: Option<String>,
    /// Runs of the night that it had last.
    pub runs: u32,
    /// What went wrong with it between the night's beginning and end, the latest first: also what made a run go elsewhere.
    pub troubles: Vec<DeviceLine>,
}

/// The devices of a night: those in most trouble first.
pub(super) async fn night_devices(
    desk: &Desk,
    batch: &BatchRecord,
    runs: &[RunRecord],
) -> Result<Vec<NightDevice>, StoreError> {
    let until = batch.finished_at.unwrap_or_else(now);
    let lines = desk.store.device_lines(batch.created_at, until, LINES).await?;
    let mut devices = gathered(runs, lines);
    for device in &mut devices {
        let condition = desk.pool.of(&device.serial);
        let elsewhere = condition.phase == Phase::New && desk.store.is_shared();
        let phase = if elsewhere { "elsewhere" } else { condition.phase.word() };
        phase.clone_into(&mut device.phase);
        device.reason = condition.standing.reason().map(str::to_owned);
    }
    Ok(devices)
}

fn gathered(runs: &[RunRecord], lines: Vec<(DeviceSerial, DeviceLine)>) -> Vec<NightDevice> {
    let mut devices: BTreeMap<DeviceSerial, (u32, Vec<DeviceLine>)> = BTreeMap::new();
    for device in runs.iter().filter_map(|run| run.device.as_ref()) {
        devices.entry(device.clone()).or_default().0 += 1;
    }
    for (serial, line) in lines.into_iter().filter(|(_, line)| is_trouble(&line.what)) {
        devices.entry(serial).or_default().1.push(line);
    }
    let view = |(serial, (runs, troubles))| NightDevice { serial, phase: String::new(), reason: None, runs, troubles };
    let mut devices: Vec<NightDevice> = devices.into_iter().map(view).collect();
    devices.sort_by_key(|device| std::cmp::Reverse(device.troubles.len()));
    devices
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::tried;
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn devices_in_trouble_come_first_and_those_that_lost_all_their_runs_are_told() {
        let line = |serial: &str, what: &str| {
            let line = DeviceLine { at: Timestamp::UNIX_EPOCH, phase: "leased".into(), what: what.into() };
            (DeviceSerial::from(serial), line)
        };
        let runs = ["A", "B"].map(|case| RunRecord { device: Some("d1".into()), ..tried(case, "p", 1, None) });
        let lines = vec![line("d2", "a run ended as an error: full"), line("d1", "prepared"), line("d3", "connected")];
        let told: Vec<_> = gathered(&runs, lines)
            .into_iter()
            .map(|device| (device.serial.to_string(), device.runs, device.troubles.len()))
            .collect();
        assert_eq!(told, [("d2".to_owned(), 0, 1), ("d1".to_owned(), 2, 0)]);
    }
}
