//! What is true inside the apps, and how a run is judged by it: the state after a step against the state after the same
//! step of the case's walkthrough.
//!
//! `snapshot` is what is true at one moment; `watch` notes it while the agent works. `canonical` makes two values
//! comparable, `subject` says which variables a case is about, `face` what an app shows; `yardstick` is what a walkthrough
//! leaves behind and judges by it. `tally` counts changes that have consequences, `unasked` those that the walkthrough does
//! not make.

mod canonical;
mod face;
mod snapshot;
mod subject;
mod tally;
mod unasked;
mod watch;
mod yardstick;

pub(super) use face::{View, ViewVariables};
pub use snapshot::{AppTruth, DeviceTruth, Snapshot};
pub use unasked::Unasked;
pub(super) use watch::{Sampled, Watch};
pub(super) use yardstick::{StepJudgement, Yardstick};
