//! An Android device made of software, reached through the real adb server.
//!
//! `wire` speaks adbd's transport; `services` and `shell` answer as Android does; `system` is the device's state
//! (properties, files, packages, the activity stack); `app` runs declarative apps and draws them. They meet at the
//! [`AppProcess`] trait: the system knows nothing of layout, the apps know nothing of adb.

pub mod app;
mod process;

pub use process::{AppProcess, ElementSnapshot, Gesture, KeyOutcome};
