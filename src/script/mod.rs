//! Persistent scripts: recording, guarding, replaying, exporting.
//!
//! A script is written only when a case reached its goal. It replays without a model: every action is guarded by the
//! screen it was recorded on and finds its widget again by a chain of locators.

mod again;
mod appium_export;
mod change_page;
mod diff;
mod exported;
mod format;
mod gherkin_export;
mod handle;
mod journeys_export;
mod lint;
mod locate;
mod maestro_export;
mod mend;
mod need;
mod outline;
mod performance;
#[cfg(test)]
mod quoting_tests;
mod record;
mod replay;
mod seal;
mod sentence;
mod shell_export;
mod uiautomator_export;
mod variable;
mod vetting;

pub use appium_export::to_appium;
pub use change_page::{ChangePage, pictures_of};
pub use diff::{DiffLine, Side, diff};
pub use exported::Exported;
pub use format::{
    AppView, DisplayView, Proposal, Script, ScriptAction, ScriptActor, ScriptError, ScriptTarget, Written, accept,
    changes_of, reject,
};
pub use gherkin_export::to_gherkin;
pub use journeys_export::to_journey;
pub use lint::{CaseFacts, Finding, Gravity, lint};
pub use locate::{Decided, Located, Tie, locate};
pub use maestro_export::to_maestro;
pub use mend::{Ending, Halt, Mended, Mender, NoMender};
pub use need::Need;
pub use performance::{CarriedOut, Order, Performance};
pub use record::{ActionTrace, Cast, record};
pub use replay::{Divergence, Passage, ReplayError, Replayed, Replayer, Stop, Trust};
pub use seal::Seal;
pub use shell_export::to_shell;
pub use uiautomator_export::to_uiautomator;
