//! The artifact store: recordings of ended runs in an S3-compatible store or a shared folder, where every host of a farm finds
//! them. Each file lies there once, under the digest of what is in it; a run's listing says which files are whose.
//!
//! | object | what it is |
//! |---|---|
//! | `blobs/<2 letters>/<SHA-256>` | a file of one or of many recordings |
//! | `runs/<run>/<host>.json` | what one host has of a run: its [`Listing`] |

mod error;
mod listing;
mod place;
mod store;
mod sweep;

#[cfg(test)]
mod store_tests;

pub use error::ArtifactError;
pub use listing::{Listing, StoredFile, StoredRecording, StoredRun};
pub use store::{AccessKeys, ArtifactStore, Blob, Recorded, Uploaded};
pub use sweep::Swept;
