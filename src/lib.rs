//! Tapwright tests Android apps the way a person would.
//!
//! It reads a case in plain language, looks at the screen through ADB, ranks what could be done next with a small
//! local MPNet model, does it, checks the outcome, and once the goal is reached writes the path down as a persistent
//! ADB script that replays without a model.
//!
//! Each module is one *room*; `ARCHITECTURE.md` says who may import whom and `tests/tidy.rs` enforces it. The lowest rooms
//! and the virtual device are crates of their own (`crates/`), named here as if they were modules.

pub mod adb;
pub mod app;
pub mod app_map;
pub mod artifact_store;
pub mod case;
pub mod cli;
pub mod daemon;
pub mod device;
pub mod evaluation;
pub mod form;
pub mod gate;
pub mod inference;
pub mod lexicon;
pub mod pipeline;
pub mod ranking;
pub mod recorded;
pub mod report;
pub mod run;
pub mod script;
pub mod skill;
pub mod store;
pub mod tls;
pub mod vision;
pub mod witness;

pub use tapwright_base::{domain, hierarchy, strings};
pub use tapwright_virtual_device as virtual_device;
