//! A person uses the app, and what they do becomes a case and a script.
//!
//! Nothing is sent to the device but what starts the app and looks at its screen. Each touch is understood on the screen that was
//! seen before it; what changes in a field was typed.

mod gesture;
mod watcher;
mod written;

pub use watcher::{Demonstrated, DemonstrationError, Shown, Told, demonstrate};
pub use written::{Notes, WrittenCase, write_case};
