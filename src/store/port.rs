//! The port to the database. What implements it must pass `story.rs`.

use super::access::AccessStore;
use super::device::DeviceStore;
use super::host::HostStore;
use super::night::NightStore;
use super::review::ReviewStore;
use super::{
    Claimant, Hold, NewRun, Recovered, RunEnd, RunFilter, RunRecord, StoreError, StoredEvent, StoredStanding, Whose,
};
use crate::domain::{DeviceSerial, RunEvent, RunId};
use async_trait::async_trait;
use jiff::Timestamp;

/// Runs, their events, and the queue. Every change is one transaction: after a crash a run is in exactly one state.
#[async_trait]
pub trait Store: AccessStore + NightStore + HostStore + DeviceStore + ReviewStore {
    /// True when several daemons use it: then each gives signs of life, and takes over from those that give none.
    fn is_shared(&self) -> bool;

    /// News of all hosts; `None` where there is but one.
    async fn news(&self) -> Result<Option<Box<dyn News>>, StoreError>;

    /// Puts a run at the end of its priority's queue.
    async fn enqueue(&self, run: NewRun) -> Result<(), StoreError>;

    /// At most `limit` runs that wait behind `after` (`None`: from the front), in the order in which they are to be made:
    /// priority, then submission. A damaged run is among them, and says so.
    async fn waiting(&self, after: Option<&RunId>, limit: u32) -> Result<Vec<RunRecord>, StoreError>;

    /// Gives a waiting run to a device (state `leased`); of several, the first. `None` when it does not wait any more: two
    /// callers never get the same run. An error means that nobody may make it: it may or may not have been given away.
    /// Its number of attempts is the attempt's fence: what an attempt writes afterwards must carry it.
    async fn claim(
        &self,
        run_id: &RunId,
        device: &DeviceSerial,
        by: &Claimant,
    ) -> Result<Option<RunRecord>, StoreError>;

    /// A leased run's first event came: state `running`.
    async fn start(&self, hold: &Hold, at: Timestamp) -> Result<(), StoreError>;

    /// Adds an event to a run's stream and gives its position.
    async fn append_event(&self, hold: &Hold, event: &RunEvent) -> Result<u64, StoreError>;

    /// At most `limit` events of a run after a position (`None`: from the start), in order.
    async fn events_after(
        &self,
        run_id: &RunId,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError>;

    /// Ends a run that is queued, leased or running. One that was given away meanwhile is refused, as all that an attempt
    /// writes that does not hold the run any more.
    async fn finish(&self, hold: &Hold, end: RunEnd, at: Timestamp) -> Result<(), StoreError>;

    /// Puts a leased or running run back to its old place in the queue.
    async fn requeue(&self, hold: &Hold) -> Result<(), StoreError>;

    /// Ends a run that still waits in the queue; false when it does not wait (any more).
    async fn cancel_queued(&self, run_id: &RunId, reason: &str, at: Timestamp) -> Result<bool, StoreError>;

    /// One run.
    async fn run(&self, run_id: &RunId) -> Result<Option<RunRecord>, StoreError>;

    /// The run that was handed in with this key.
    async fn run_with_key(&self, key: &str) -> Result<Option<RunRecord>, StoreError>;

    /// A run's sealed parameters; `None` where it had none or has ended.
    async fn sealed_params(&self, run_id: &RunId) -> Result<Option<Vec<u8>>, StoreError>;

    /// Runs, latest submission first.
    async fn runs(&self, filter: RunFilter) -> Result<Vec<RunRecord>, StoreError>;

    /// At most `most` runs that ended before `limit`, the oldest submission first.
    async fn ended_before(&self, limit: Timestamp, most: u32) -> Result<Vec<RunRecord>, StoreError>;

    /// Removes a run that has ended, with its events.
    async fn remove_ended(&self, run_id: &RunId) -> Result<(), StoreError>;

    /// What is held against devices.
    async fn standings(&self) -> Result<Vec<StoredStanding>, StoreError>;

    /// Holds something against a device, in place of what was held before.
    async fn keep_standing(&self, stored: StoredStanding) -> Result<(), StoreError>;

    /// Nothing is held against a device any more.
    async fn drop_standing(&self, serial: &DeviceSerial) -> Result<(), StoreError>;

    /// How many runs wait.
    async fn queue_length(&self) -> Result<u64, StoreError>;

    /// Writes and commits something of no importance: whether the database takes anything again after it failed.
    async fn check_writable(&self) -> Result<(), StoreError>;

    /// Brings order after a stop without goodbye: leased runs are queued again, running ones too where that happens to
    /// them for the first time; else they end as error, and so do those whose parameters are lost.
    async fn recover(&self, at: Timestamp, whose: &Whose) -> Result<Recovered, StoreError>;
}

/// What hosts tell each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreNews {
    /// Something waits, or what was told was missed.
    Queue,
    /// Something happened to a run.
    Run(RunId),
    /// Whoever holds a run is to end it.
    Cancel(RunId),
}

/// News of a store, one after another.
#[async_trait]
pub trait News: Send {
    /// The next; an error means that it may be asked again later.
    async fn next(&mut self) -> Result<StoreNews, StoreError>;
}
