//! Recorded apps on the virtual device: the recorded hierarchy node for node, the recorded picture (or a drawing where
//! there is none), and the recorded way from state to state.

mod element;
mod package;
mod picture;
mod player;

pub(super) use package::installed;
pub use package::{Journal, Performance, Played};
