//! How scripts live through the next version of an app: a script is recorded on a suite's app as it is and replayed, with repair,
//! on the same app with other ids, places or words, or with a page nobody knew.
//!
//! `next_version` changes the apps, `wording` their labels, `replays` records and replays a case, `report` sums up.

mod next_version;
mod replays;
mod report;
mod wording;

pub use next_version::NextVersion;
pub use replays::{Renewal, RenewalSelection};
pub use report::{BugEnding, BugReplay, NextReplay, RenewalCounts, RenewalReport, ReplayEnding, ScriptReport};
