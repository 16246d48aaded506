//! An app on the real Android framework: `tools/framework-device` runs it in a JVM, this plays it behind our adbd.
//!
//! `connection` speaks to the JVM, `message` is what is said, `process` is the app as the virtual system uses it,
//! `package` the app as the package manager knows it. What is dumped and pictured comes from the framework's own views;
//! adbd, shell, status bar commands and the soft keyboard are the virtual device's.

mod connection;
mod message;
mod package;
mod process;

#[cfg(test)]
#[path = "differences/differences_tests.rs"]
mod differences_tests;
#[cfg(test)]
mod live_tests;
#[cfg(test)]
#[path = "differences/pages.rs"]
mod pages;

pub use connection::FrameworkError;
pub use package::FrameworkApp;
