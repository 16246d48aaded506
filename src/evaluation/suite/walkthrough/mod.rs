//! How a person does a case, by what the screen shows: the truth that a run of the agent is compared with.
//!
//! `form` is the file's form, `file` reads it and says which action belongs to which step of the case; `handset` is a
//! device in a person's hand, `sight` finds on it what a text means, `player` looks and touches, `hands` does one action,
//! `play` does them all and judges how it ended; `wording` puts texts and parameters in; `teacher` leads the agent's loop by it.

mod file;
mod form;
mod free_order;
mod hands;
mod handset;
mod play;
mod player;
mod sight;
mod teacher;
mod wording;

pub use file::Attribution;
pub use form::Walkthrough;
pub use play::{Moment, Pace, Play, Played};
pub(super) use teacher::{Astray, Teacher};
pub(super) use wording::Wording;
