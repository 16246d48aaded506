//! The gym: apps without end, each with cases and the truth about them, so that the agent learns from apps nobody tuned on.
//!
//! `vocabulary` holds what families of apps speak of and how testers phrase what they ask for, both data; `draw` makes every
//! choice from a seed; `surface` draws how an app looks and where its actions live, `rich` what it has beyond a list of things; `app`, `parts`,
//! `list`, `detail`, `form` and `pieces` build the app file; `ability` holds what apps can do beyond keeping things;
//! `task` says what is asked, how a person does it and what holds then; `case` puts it into words; `suite` writes it all as
//! a suite. A developer's tool: nothing of the product may use it.

mod ability;
mod app;
mod case;
mod detail;
mod draw;
mod error;
mod form;
mod list;
mod parts;
mod pieces;
mod rich;
mod suite;
mod surface;
mod task;
mod vocabulary;

pub use error::GymError;
pub use suite::GeneratedSuite;
pub use vocabulary::{Library, Split};
