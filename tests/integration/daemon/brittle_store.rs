//! A store that falls over where a test says so; everything else it passes on to a real one.

use async_trait::async_trait;
use jiff::Timestamp;
use std::sync::Mutex;
use tapwright::domain::{CaseId, DeviceSerial, RunEvent, RunId};
use tapwright::store::{
    AccessStore, AuditEntry, BatchEnd, BatchFilter, BatchRecord, Claimant, DeviceLine, DeviceStore, Hold, HostRecord,
    HostStore, NewRun, News, NightStore, Originals, PastTime, Recovered, Reservation, Review, ReviewStore, RunEnd,
    RunFilter, RunRecord, ScheduleRecord, SqliteStore, Store, StoreError, StoredEvent, StoredStanding, TokenRecord,
    Whom, Whose,
};

type Answer<T> = Result<T, StoreError>;

/// Each fall happens once, and where it says.
pub(super) struct BrittleStore {
    inner: SqliteStore,
    falls: Mutex<Vec<&'static str>>,
}

impl BrittleStore {
    pub(super) fn over(inner: SqliteStore) -> Self {
        Self { inner, falls: Mutex::default() }
    }

    /// The next call of each of these methods falls over.
    pub(super) fn fall_over_in(&self, methods: &[&'static str]) {
        self.falls.lock().unwrap().extend(methods);
    }

    /// The falls that have not happened yet.
    pub(super) fn falls_to_come(&self) -> usize {
        self.falls.lock().unwrap().len()
    }

    fn enter(&self, method: &str) {
        let mut falls = self.falls.lock().unwrap();
        if let Some(at) = falls.iter().position(|fall| *fall == method) {
            falls.remove(at);
            drop(falls);
            panic!("{method} fell over");
        }
    }
}

/// Writes a port that passes every call on.
macro_rules! passed_on {
    ($port:ident { $(async fn $name:ident(&self $(, $argument:ident: $kind:ty)*) -> $answer:ty;)* } $($own:tt)*) => {
        #[async_trait]
        impl $port for BrittleStore {
            $(async fn $name(&self $(, $argument: $kind)*) -> Answer<$answer> {
                self.enter(stringify!($name));
                self.inner.$name($($argument),*).await
            })*
            $($own)*
        }
    };
}

passed_on! { AccessStore {
    async fn add_token(&self, token: TokenRecord) -> ();
    async fn tokens(&self) -> Vec<TokenRecord>;
    async fn token(&self, id: &str) -> Option<TokenRecord>;
    async fn expire_token(&self, id: &str, at: Timestamp) -> bool;
    async fn revoke_token(&self, id: &str, at: Timestamp) -> bool;
    async fn append_audit(&self, entry: AuditEntry) -> ();
    async fn audit(&self, before: Option<i64>, limit: u32) -> Vec<AuditEntry>;
    async fn trim_audit(&self, keep: u32) -> u64;
} }

passed_on! { NightStore {
    async fn add_batch(&self, batch: BatchRecord, runs: Vec<NewRun>) -> ();
    async fn batch(&self, batch_id: &str) -> Option<BatchRecord>;
    async fn batch_with_key(&self, key: &str) -> Option<BatchRecord>;
    async fn batches(&self, filter: BatchFilter) -> Vec<BatchRecord>;
    async fn open_batches(&self) -> Vec<BatchRecord>;
    async fn runs_of_batch(&self, batch_id: &str) -> Vec<RunRecord>;
    async fn finish_batch(&self, batch_id: &str, end: BatchEnd, at: Timestamp) -> bool;
    async fn cancel_waiting(&self, batch_id: &str, reason: &str, at: Timestamp) -> Vec<String>;
    async fn runs_of_case(&self, case_id: &CaseId, limit: u32) -> Vec<RunRecord>;
    async fn past_times(&self, limit: u32) -> Vec<PastTime>;
    async fn put_schedule(&self, schedule: ScheduleRecord) -> ();
    async fn schedules(&self) -> Vec<ScheduleRecord>;
    async fn schedule(&self, name: &str) -> Option<ScheduleRecord>;
    async fn remove_schedule(&self, name: &str) -> bool;
    async fn fire(&self, name: &str, due: Timestamp, next: Option<Timestamp>, at: Timestamp) -> bool;
    async fn put_off(&self, name: &str, due: Timestamp, next: Timestamp) -> bool;
} }

passed_on! { HostStore {
    async fn enter(&self, host: &str) -> ();
    async fn clock(&self) -> Timestamp;
    async fn heartbeat(&self, host: HostRecord, until: Timestamp) -> ();
    async fn hosts(&self) -> Vec<HostRecord>;
    async fn ask_to_cancel(&self, whom: Whom<'_>) -> Vec<RunId>;
    async fn to_be_cancelled(&self, host: &str) -> Vec<RunId>;
} }

passed_on! { DeviceStore {
    async fn log_device(&self, serial: &DeviceSerial, line: DeviceLine) -> ();
    async fn device_log(&self, serial: &DeviceSerial, limit: u32) -> Vec<DeviceLine>;
    async fn device_lines(&self, from: Timestamp, until: Timestamp, limit: u32) -> Vec<(DeviceSerial, DeviceLine)>;
    async fn reserve(&self, reservation: Reservation) -> ();
    async fn end_reservation(&self, serial: &DeviceSerial) -> bool;
    async fn reservations(&self) -> Vec<Reservation>;
    async fn keep_originals(&self, serial: &DeviceSerial, originals: &Originals) -> ();
    async fn originals(&self, serial: &DeviceSerial) -> Originals;
    async fn drop_originals(&self, serial: &DeviceSerial) -> ();
} }

passed_on! { ReviewStore {
    async fn put_review(&self, review: Review) -> ();
    async fn remove_review(&self, run_id: &RunId) -> bool;
    async fn review(&self, run_id: &RunId) -> Option<Review>;
    async fn reviews_of_batch(&self, batch_id: &str) -> Vec<Review>;
} }

passed_on! { Store {
    async fn news(&self) -> Option<Box<dyn News>>;
    async fn enqueue(&self, run: NewRun) -> ();
    async fn waiting(&self, after: Option<&RunId>, limit: u32) -> Vec<RunRecord>;
    async fn claim(&self, run_id: &RunId, device: &DeviceSerial, by: &Claimant) -> Option<RunRecord>;
    async fn start(&self, hold: &Hold, at: Timestamp) -> ();
    async fn append_event(&self, hold: &Hold, event: &RunEvent) -> u64;
    async fn events_after(&self, run_id: &RunId, after: Option<u64>, limit: u32) -> Vec<StoredEvent>;
    async fn finish(&self, hold: &Hold, end: RunEnd, at: Timestamp) -> ();
    async fn requeue(&self, hold: &Hold) -> ();
    async fn cancel_queued(&self, run_id: &RunId, reason: &str, at: Timestamp) -> bool;
    async fn run(&self, run_id: &RunId) -> Option<RunRecord>;
    async fn run_with_key(&self, key: &str) -> Option<RunRecord>;
    async fn sealed_params(&self, run_id: &RunId) -> Option<Vec<u8>>;
    async fn runs(&self, filter: RunFilter) -> Vec<RunRecord>;
    async fn ended_before(&self, limit: Timestamp, most: u32) -> Vec<RunRecord>;
    async fn remove_ended(&self, run_id: &RunId) -> ();
    async fn standings(&self) -> Vec<StoredStanding>;
    async fn keep_standing(&self, stored: StoredStanding) -> ();
    async fn drop_standing(&self, serial: &DeviceSerial) -> ();
    async fn queue_length(&self) -> u64;
    async fn check_writable(&self) -> ();
    async fn recover(&self, at: Timestamp, whose: &Whose) -> Recovered;
}
    fn is_shared(&self) -> bool {
        self.inner.is_shared()
    }
}
