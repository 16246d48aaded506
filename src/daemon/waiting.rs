//! Why each waiting run waits, in a sentence.

use super::desk::{Desk, is_ready, now};
use super::leases::Leases;
use super::nights::is_quiet;
use crate::adb::ConnectionState;
use crate::domain::DeviceSerial;
use crate::run::ANY_DEVICE;
use crate::store::{RunRecord, StoreError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Runs that are told of.
const TOLD: u32 = 200;

/// A run that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingView {
    /// The run.
    pub run_id: String,
    /// Its case.
    pub case_id: String,
    /// Its night.
    pub batch_id: Option<String>,
    /// Higher goes first.
    pub priority: i32,
    /// When it was handed in.
    #[schemars(with = "String")]
    pub created_at: jiff::Timestamp,
    /// Why it waits.
    pub because: String,
}

/// The runs that wait, in the order in which they are to be made, at most two hundred.
pub(super) async fn waiting(desk: &Desk) -> Result<Vec<WaitingView>, StoreError> {
    let runs = desk.store.waiting(None, TOLD).await?;
    let leases = desk.leases.lock().await;
    let view = |run: RunRecord| WaitingView {
        because: because(desk, &leases, &run),
        run_id: run.run_id.as_str().to_owned(),
        case_id: run.case_id().as_str().to_owned(),
        batch_id: run.place.as_ref().map(|place| place.batch_id.clone()),
        priority: run.priority,
        created_at: run.created_at,
    };
    Ok(runs.into_iter().map(view).collect())
}

fn because(desk: &Desk, leases: &Leases, run: &RunRecord) -> String {
    if let Some(trouble) = desk.trouble.current() {
        return format!("the database takes nothing: {trouble}");
    }
    if let Some(place) = &run.place {
        if let Some(quiet) = place.quiet.as_ref().filter(|quiet| is_quiet(quiet, now())) {
            return format!("quiet hours until {} ({})", quiet.to, quiet.zone);
        }
        if let Some(most) = place.at_most.filter(|most| leases.of_batch(&place.batch_id) >= most.get() as usize) {
            return format!("its night makes at most {most} at once");
        }
    }
    if let Some(wanted) = &run.request.device {
        return of_device(desk, leases, wanted);
    }
    let usable = desk.usable();
    let suitable: Vec<&DeviceSerial> =
        usable.iter().filter(|serial| run.place.as_ref().is_none_or(|place| desk.farm.suits(place, serial))).collect();
    let needed = run.request.actors.len().max(1);
    if suitable.len() < needed {
        let kind = run.place.as_ref().map(|place| [&place.profile, &place.locale]);
        let words: Vec<&str> = kind.into_iter().flatten().flatten().map(String::as_str).collect();
        let kind = if words.is_empty() { String::new() } else { format!(" for {}", words.join(" ")) };
        let why = left_out(desk);
        return format!("needs {needed} usable devices{kind}, and there are {}{why}", suitable.len());
    }
    let free = suitable.iter().filter(|serial| !leases.is_held(serial) && desk.outsider(serial).is_none());
    let (idle, tended): (Vec<&DeviceSerial>, Vec<&DeviceSerial>) = free.partition(|serial| desk.is_idle(serial));
    if idle.len() < needed && idle.len() + tended.len() >= needed {
        return format!("{} is being made ready", tended.first().map_or("a device", |serial| serial.as_str()));
    }
    if idle.len() < needed {
        return format!("all {} devices for it are in use", suitable.len());
    }
    let named = run.request.actors.values().find(|serial| serial.as_str() != ANY_DEVICE);
    named.map_or_else(|| "is next".to_owned(), |serial| of_device(desk, leases, serial))
}

/// Why connected devices get no runs, at most three of them.
fn left_out(desk: &Desk) -> String {
    let rows = desk.devices.borrow();
    let ready = rows.iter().filter(|row| row.state == ConnectionState::Device && desk.rules.allows(&row.serial));
    let reasons: Vec<String> = ready.filter_map(|row| desk.why_not(&row.serial)).take(3).collect();
    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) }
}

fn of_device(desk: &Desk, leases: &Leases, serial: &DeviceSerial) -> String {
    if let Some(other) = leases.of_device(serial) {
        return format!("{serial} makes run {other}");
    }
    if let Some(outsider) = desk.outsider(serial) {
        return outsider;
    }
    if !is_ready(&desk.devices.borrow(), serial) {
        return format!("{serial} is not connected");
    }
    if let Some(reason) = desk.why_not(serial) {
        return reason;
    }
    "is next".to_owned()
}
