//! Nights: many runs handed in together, and the schedules by which they begin.

use super::{NewRun, RunRecord, StoreError};
use crate::domain::CaseId;
use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// What a night is made of: every case on every profile in every language at every place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BatchSpec {
    /// What people call it; nights of one name are compared with each other.
    pub name: String,
    /// Cases by their ids.
    #[schemars(with = "Vec<String>")]
    pub cases: Vec<CaseId>,
    /// All cases with one of these tags.
    pub tags: Vec<String>,
    /// All cases of these suites: folders below the workspace's folders of cases.
    pub suites: Vec<String>,
    /// Device profiles; any device where there is none.
    pub profiles: Vec<String>,
    /// Languages, as `de-DE`: devices whose system is set to it; any where there is none.
    pub locales: Vec<String>,
    /// Places, as `48.85,2.35`: each case is run at each of them, in place of its own; where there is none, at its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<String>,
    /// Paths that changed, with `/` from the repository's top folder: cases that say that they are touched (`touches`) go first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The revision that is tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// How often what did not pass is tried again; all attempts are kept.
    pub retries: u32,
    /// Runs of it at once; as many as there are devices where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<NonZeroU32>,
    /// Higher goes first.
    pub priority: i32,
    /// Hours after which what still waits ends as an error; 24 where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub give_up_hours: Option<NonZeroU32>,
    /// When none of its runs may begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
}

/// Hours of a day in which no run begins; over midnight where `from` is later than `to`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quiet {
    /// `08:00`
    pub from: String,
    /// `18:30`
    pub to: String,
    /// An IANA time zone, as `Europe/Berlin`.
    pub zone: String,
}

/// What a run of a night is for, and under which terms it is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The night.
    pub batch_id: String,
    /// Only devices of this profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Only devices whose system has this language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// Where the devices are to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Which try of this cell it is, from 1.
    pub tried: u32,
    /// Runs of the night at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<NonZeroU32>,
    /// When it may not begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
    /// From when on it is given up while it waits.
    #[schemars(with = "String")]
    pub give_up_at: Timestamp,
}

/// How the cells of a night ended, each counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Passed at the first try.
    pub passed: u32,
    /// Passed at a later try.
    pub flaky: u32,
    /// Passed at the first try, after a repair of its script that is to be reviewed.
    #[serde(default)]
    pub repaired: u32,
    /// Failed in the last try.
    pub failed: u32,
    /// Blocked in the last try.
    pub blocked: u32,
    /// Ended as an error in the last try.
    pub error: u32,
    /// Called off.
    pub cancelled: u32,
    /// Not ended.
    pub open: u32,
}

/// A stored night.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchRecord {
    /// Its id.
    pub batch_id: String,
    /// What was asked for.
    pub spec: BatchSpec,
    /// The schedule it came from.
    pub schedule: Option<String>,
    /// What began it: `schedule`, `webhook`, or whose token.
    pub trigger: String,
    /// The app's version when the night of this name before it ended.
    pub app_before: Option<String>,
    /// The app's version at its own end.
    pub app_after: Option<String>,
    /// How its cells ended; absent while it is open.
    pub tally: Option<Tally>,
    /// When it was handed in.
    pub created_at: Timestamp,
    /// When its last cell ended.
    pub finished_at: Option<Timestamp>,
    /// The caller's own name for the submission.
    pub idempotency_key: Option<String>,
}

/// How a night ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchEnd {
    /// How its cells ended.
    pub tally: Tally,
    /// The app's version now.
    pub app_after: Option<String>,
}

/// Which nights to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchFilter {
    /// Only those of this name.
    pub name: Option<String>,
    /// Only those handed in before this one.
    pub before: Option<String>,
    /// At most so many.
    pub limit: u32,
}

/// A stored schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleRecord {
    /// Its name, which is the name of its nights.
    pub name: String,
    /// When it fires, in five fields; `None` for one that only a webhook fires.
    pub cron: Option<String>,
    /// The time zone of `cron`.
    pub zone: String,
    /// What its nights are made of.
    pub spec: BatchSpec,
    /// False while it is paused.
    pub enabled: bool,
    /// The webhook's secret, sealed; `None` for one without a webhook.
    pub sealed_secret: Option<Vec<u8>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it fires next.
    pub next_at: Option<Timestamp>,
    /// When it fired last.
    pub last_at: Option<Timestamp>,
}

/// How long a run of a case took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastTime {
    /// The case.
    pub case_id: String,
    /// Milliseconds.
    pub ms: i64,
}

/// Nights and schedules.
#[async_trait]
pub trait NightStore: Send + Sync {
    /// Keeps a night and queues its runs, all or nothing.
    async fn add_batch(&self, batch: BatchRecord, runs: Vec<NewRun>) -> Result<(), StoreError>;

    /// One night.
    async fn batch(&self, batch_id: &str) -> Result<Option<BatchRecord>, StoreError>;

    /// The night that was handed in with this key.
    async fn batch_with_key(&self, key: &str) -> Result<Option<BatchRecord>, StoreError>;

    /// Nights, the latest first.
    async fn batches(&self, filter: BatchFilter) -> Result<Vec<BatchRecord>, StoreError>;

    /// Nights that have not ended, the oldest first.
    async fn open_batches(&self) -> Result<Vec<BatchRecord>, StoreError>;

    /// The runs of a night in the order of their submission, without their results.
    async fn runs_of_batch(&self, batch_id: &str) -> Result<Vec<RunRecord>, StoreError>;

    /// Ends a night; false where it had ended.
    async fn finish_batch(&self, batch_id: &str, end: BatchEnd, at: Timestamp) -> Result<bool, StoreError>;

    /// Calls off what waits of a night, and gives those runs.
    async fn cancel_waiting(&self, batch_id: &str, reason: &str, at: Timestamp) -> Result<Vec<String>, StoreError>;

    /// The latest runs of a case, the latest first, without their results.
    async fn runs_of_case(&self, case_id: &CaseId, limit: u32) -> Result<Vec<RunRecord>, StoreError>;

    /// What the latest `limit` runs with a verdict took, the latest first.
    async fn past_times(&self, limit: u32) -> Result<Vec<PastTime>, StoreError>;

    /// Keeps a schedule in place of the one of its name.
    async fn put_schedule(&self, schedule: ScheduleRecord) -> Result<(), StoreError>;

    /// All schedules, by name.
    async fn schedules(&self) -> Result<Vec<ScheduleRecord>, StoreError>;

    /// One schedule.
    async fn schedule(&self, name: &str) -> Result<Option<ScheduleRecord>, StoreError>;

    /// Removes a schedule; false where there is none. Its nights stay.
    async fn remove_schedule(&self, name: &str) -> Result<bool, StoreError>;

    /// A schedule fires that was to fire at `due`, and will again at `next`; false where somebody else was first.
    async fn fire(
        &self,
        name: &str,
        due: Timestamp,
        next: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// A schedule that was to fire at `due` is to fire at `next`; false where that was changed meanwhile.
    async fn put_off(&self, name: &str, due: Timestamp, next: Timestamp) -> Result<bool, StoreError>;
}
