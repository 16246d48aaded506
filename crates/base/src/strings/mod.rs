//! The texts of an app in all its languages, and the bridge they make: from what a screen shows to what the app's own
//! developers call it.
//!
//! A table comes from an app file (`resources.arsc` of an APK and its splits) or from a declarative app. Reading never
//! panics, whatever the bytes, and takes bounded time and memory.

mod apk;
mod arsc;
#[cfg(test)]
mod arsc_sample;
mod bridge;
mod chunk;
mod fold;
mod locale;
mod patterns;
mod plural;
mod pool;
mod table;
mod template;

pub use apk::{check_archive, holds_resources, read_apk};
pub use arsc::read_resources;
pub use bridge::{Bridge, Shown, Translation};
pub use locale::Locale;
pub use table::StringTable;

/// Why an app's texts could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StringsError {
    /// The file is no archive.
    #[error("it is no APK: {0}")]
    NoArchive(String),
    /// What is called an app is no archive at all: a page of a server that had no file, for one.
    #[error("it is no app: an APK or a bundle is a zip archive, and this file is none")]
    NoZip,
    /// The archive's part is larger than an app's texts ever are.
    #[error("its resources.arsc unpacks to more than {most} MiB, so it was not read")]
    TooLarge {
        /// The limit.
        most: u64,
    },
    /// The table is damaged.
    #[error("its resources.arsc is damaged: {0}")]
    Damaged(&'static str),
}
