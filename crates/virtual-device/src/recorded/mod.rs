//! Recorded apps on the virtual device: the recorded hierarchy node for node, the recorded picture (or a drawing where
//! there is none), and the recorded way from state to state.

mod element;
mod package;
mod picture;
mod player;
#[expect(dead_code, reason = "the samples of screens are for the rooms above")]
#[cfg(test)]
#[path = "../../../base/src/recorded/sample.rs"]
mod sample;

pub(super) use element::elements;
pub(super) use package::installed;
pub use package::{Journal, Performance, Played};
#[cfg(test)]
use tapwright_base::recorded::{Files, RecordedApp};
