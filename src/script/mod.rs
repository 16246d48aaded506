//! Persistent scripts: recording, guarding, replaying, exporting.
//!
//! A script is written only when a case reached its goal. It replays without a model: every action is guarded by the
//! screen it was recorded on and finds its widget again by a chain of locators.

mod format;
mod record;
mod replay;
mod seal;
mod shell_export;
mod vetting;

pub use format::{
    AppView, DisplayView, Script, ScriptAction, ScriptActor, ScriptError, ScriptTarget, Written, accept, reject,
};
pub use record::{ActionTrace, Cast, record};
pub use replay::{Divergence, Passage, ReplayError, Replayed, Replayer, Stop};
pub use seal::Seal;
pub use shell_export::to_shell;
