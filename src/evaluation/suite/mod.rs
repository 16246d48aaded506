//! Suites as an examination: the bundled cases, with the real executor and the real model, on devices within this process
//! and on a virtual clock.
//!
//! `file` is the form of `suite.yaml`, `folder` a suite as it lies in its folder, `strings` the texts of its apps;
//! `phone` is a device, `trial` one case on one device, `ending` what came of it compared with what had to; `report` sums
//! up, `prompts` in the paper's own metrics, `table` and `page` for people; `fuzz` makes variants that must end the same;
//! `repairs` replays scripts on the apps' next versions;
//! `plays` makes many runs at once and keeps them in a file that goes on;
//! `walkthrough` plays a case as a person does it, `truth` judges a run by what that leaves behind, `lesson` leads the agent by it.

mod ending;
mod error;
mod examination;
mod file;
mod folder;
mod fuzz;
mod known;
mod last_look;
mod lesson;
mod page;
mod phone;
mod plays;
mod prompts;
mod repairs;
mod report;
#[cfg(test)]
mod sample;
mod strings;
mod table;
mod trial;
mod truth;
mod walkthrough;

pub use ending::{AimKind, Ending, RunCost, RunReport, RunSetting, StepReport, TruthReport};
pub use error::SuiteError;
pub use examination::{Examination, Fuzz, Selection};
pub use file::{Expected, Status, SuiteDevice, SuiteRun};
pub use folder::Suite;
pub use fuzz::{Change, ChangeReport, FuzzReport, VariantReport};
pub use known::KnownApps;
pub use lesson::{Lessons, apps_of_lessons};
pub use page::page;
pub use phone::{Phone, Pictures, morning};
pub use plays::{
    ExampleStore, FACET_HEADINGS, FacetReport, FacetRow, KeptExamples, PlayError, PlayPace, PlayStep, PlayStore,
    PlayTerms, Plays,
};
pub use prompts::PromptReport;
pub use repairs::{
    BugEnding, BugReplay, NextReplay, NextVersion, Renewal, RenewalCounts, RenewalReport, RenewalSelection,
    ReplayEnding, ScriptReport,
};
pub use report::{Rates, StepCounts, SuiteReport, SuiteScore, UnaskedCounts, VerdictCounts};
pub use table::{GROUP_HEADINGS, SUITE_HEADINGS};
pub use truth::{AppTruth, DeviceTruth, Snapshot, Unasked};
pub use walkthrough::{Attribution, Moment, Pace, Play, Played, Walkthrough};
