//! A commit's answer: which cases to run, on which devices, in what order, and what came of it.
//!
//! Choosing, ordering, judging and comparing are pure. [`Queue`] spends devices on cases through a [`Player`]; what came of
//! it is a [`Manifest`], and everything else (`JUnit`, annotations, summaries, bundles) is made from that. Devices, models
//! and the environment are not known here.

mod allure;
mod attempt;
mod bundle;
mod changes;
mod comparison;
mod error;
mod github;
mod hook;
mod junit;
mod manifest;
mod order;
mod page;
mod queue;
#[cfg(test)]
mod sample;
mod schema;
mod script_first;
mod selection;
mod shard;
mod summary;
mod verdict;

pub use allure::write_allure;
pub use attempt::{Attempt, By, Try};
pub use bundle::{Bundler, LastPass};
pub use changes::{Changes, head};
pub use comparison::Comparison;
pub use error::GateError;
pub use github::annotations;
pub use hook::{HookError, run_hook};
pub use junit::{render_junit, write_junit};
pub use manifest::{CaseReport, DeviceReport, GateFolder, Manifest, earlier, latest};
pub use order::{Ordering, Outlook, Past, order};
pub use page::write_gate_page;
pub use queue::{Job, Player, Progress, Queue, Rules, Spent, Stop, Worked};
pub use schema::manifest_schema;
pub use script_first::{Part, ScriptChoice, ScriptFirst};
pub use selection::{Selected, Wanted, select};
pub use shard::Shard;
pub use summary::{markdown, progress_line, summary};
pub use verdict::{FlakyResult, GateVerdict, Judged, judge};
