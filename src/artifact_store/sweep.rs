//! Removes files that no recording has any more.

use super::error::ArtifactError;
use super::store::{ArtifactStore, BLOBS, FRESH, RUNS, age};
use futures_util::TryStreamExt as _;
use object_store::path::Path;
use std::collections::BTreeMap;

/// What a sweep removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl ArtifactStore {
    /// Removes the files that no listing names and that were not written within the last day. A damaged listing ends it before
    /// anything is removed: nobody knows what that run has.
    ///
    /// # Errors
    /// The store does not do it, or a listing is damaged.
    pub async fn sweep(&self) -> Result<Swept, ArtifactError> {
        let mut unnamed: BTreeMap<String, (Path, u64)> = BTreeMap::new();
        let mut blobs = self.each(BLOBS);
        while let Some(found) = blobs.try_next().await? {
            if let Some(name) = found.location.filename().filter(|_| age(&found) > 2 * FRESH) {
                unnamed.insert(name.to_owned(), (found.location.clone(), found.size));
            }
        }
        if unnamed.is_empty() {
            return Ok(Swept::default());
        }
        let mut listings = self.each(RUNS);
        while let Some(found) = listings.try_next().await? {
            let Some(listing) = self.listing(&found.location).await? else { continue };
            for file in listing.recordings.iter().flat_map(|recording| &recording.files) {
                unnamed.remove(&file.sha256);
            }
        }
        let mut swept = Swept::default();
        for (key, bytes) in unnamed.into_values() {
            // Somebody may have needed it meanwhile, and has written it again then.
            if self.head(&key).await?.is_some_and(|found| age(&found) > 2 * FRESH) {
                self.delete(&key).await?;
                swept.files += 1;
                swept.bytes += bytes;
            }
        }
        Ok(swept)
    }
}
