//! What all of Tapwright speaks of, without a device, a model or a clock.
//!
//! Each module is one *room*; `ARCHITECTURE.md` says who may import whom and `tests/tidy.rs` enforces it.

pub mod domain;
pub mod hierarchy;
pub mod recorded;
pub mod strings;
