//! Puts recordings into the store, finds them and takes them away.

use super::error::ArtifactError;
use super::listing::{Listing, StoredFile, StoredRecording, StoredRun, VERSION};
use super::place::Place;
use crate::domain::{CaseId, RunId, Secret};
use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use jiff::Timestamp;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore as _, ObjectStoreExt as _};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// A blob that is older is written again by whoever needs it: what nobody needs is removed once it is twice as old, so that
/// what a host has just found cannot be what another is about to remove.
pub(super) const FRESH: Duration = Duration::from_secs(12 * 3600);
/// Where files lie.
pub(super) const BLOBS: &str = "blobs";
/// Where listings lie.
pub(super) const RUNS: &str = "runs";

/// How a store of S3 is reached: the variables that Amazon's own tools read (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
/// `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP` …).
#[derive(Debug, Clone, Default)]
pub struct AccessKeys(pub Vec<(String, Secret)>);

/// The store of a farm's artifacts.
pub struct ArtifactStore {
    place: Place,
}

/// A recording that is to be stored.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The number of an earlier attempt; `None` for the latest.
    pub attempt: Option<u32>,
    /// When its last event was written.
    pub ended_at: Timestamp,
    /// Path within the recording, and the file on this host.
    pub files: Vec<(String, PathBuf)>,
}

/// What it took to store a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Uploaded {
    /// Files that were written.
    pub written: usize,
    /// Files that were there.
    pub found: usize,
    /// Bytes that were written.
    pub bytes: u64,
}

/// A part of a stored file, as it comes.
pub struct Blob {
    /// The whole file's size.
    pub size: u64,
    /// What of it comes.
    pub range: Range<u64>,
    /// It.
    pub stream: BoxStream<'static, Result<Bytes, object_store::Error>>,
}

impl ArtifactStore {
    /// The store at `s3://BUCKET/FOLDER` or `file:///FOLDER`. Nothing is asked yet.
    ///
    /// # Errors
    /// That is no place, or lacks what it is reached with.
    pub fn open(place: &str, keys: &AccessKeys) -> Result<Self, ArtifactError> {
        Ok(Self { place: Place::of(place, keys)? })
    }

    /// Where it is.
    pub fn shown(&self) -> &str {
        &self.place.shown
    }

    /// Writes, reads and removes an object, as every run will.
    ///
    /// # Errors
    /// One of them fails.
    pub async fn check(&self) -> Result<(), ArtifactError> {
        let key = self.key(["check", &uuid::Uuid::now_v7().to_string()]);
        let all = async {
            self.place.store.put(&key, Bytes::from_static(b"tapwright").into()).await?;
            self.place.store.get(&key).await?.bytes().await?;
            self.place.store.delete(&key).await
        };
        all.await.map_err(|source| self.failed(source))
    }

    /// Stores a run's recordings, the listing last: a run is there whole or not at all.
    ///
    /// # Errors
    /// A file cannot be read, or the store does not take it.
    pub async fn put(
        &self,
        host: &str,
        (case_id, run_id): (&CaseId, &RunId),
        recordings: Vec<Recorded>,
    ) -> Result<Uploaded, ArtifactError> {
        let mut uploaded = Uploaded::default();
        let mut stored = Vec::new();
        for recorded in recordings {
            let mut files = Vec::new();
            for (path, file) in recorded.files {
                let failed = |source| ArtifactError::File { path: file.display().to_string(), source };
                let content = Bytes::from(tokio::fs::read(&file).await.map_err(failed)?);
                let sha256 = digest(&content);
                let bytes = content.len() as u64;
                if self.put_blob(&sha256, content).await? {
                    uploaded.written += 1;
                    uploaded.bytes += bytes;
                } else {
                    uploaded.found += 1;
                }
                files.push(StoredFile { path, bytes, sha256 });
            }
            stored.push(StoredRecording { attempt: recorded.attempt, ended_at: recorded.ended_at, files });
        }
        let (case_id, run_id) = (case_id.clone(), run_id.clone());
        let listing = Listing { version: VERSION, run_id, case_id, host: host.to_owned(), recordings: stored };
        let key = self.listing_key(&listing.run_id, host);
        let text = serde_json::to_vec(&listing).map_err(|error| self.damaged(&key, &error.to_string()))?;
        self.place.store.put(&key, text.into()).await.map_err(|source| self.failed(source))?;
        Ok(uploaded)
    }

    /// Writes a blob unless it is there and young; true where it was written.
    async fn put_blob(&self, sha256: &str, content: Bytes) -> Result<bool, ArtifactError> {
        let key = self.blob_key(sha256);
        match self.place.store.head(&key).await {
            Ok(found) if found.size == content.len() as u64 && age(&found) < FRESH => return Ok(false),
            Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
            Err(source) => return Err(self.failed(source)),
        }
        self.place.store.put(&key, content.into()).await.map_err(|source| self.failed(source))?;
        Ok(true)
    }

    /// Whether this host's recordings of a run are stored.
    ///
    /// # Errors
    /// The store does not say.
    pub async fn has(&self, run_id: &RunId, host: &str) -> Result<bool, ArtifactError> {
        match self.place.store.head(&self.listing_key(run_id, host)).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(source) => Err(self.failed(source)),
        }
    }

    /// The runs whose recordings a host stored.
    ///
    /// # Errors
    /// The store does not say.
    pub async fn runs_of(&self, host: &str) -> Result<BTreeSet<RunId>, ArtifactError> {
        let name = Path::default().join(format!("{host}.json"));
        let run_of = |found: &ObjectMeta| {
            let own = found.location.filename() == name.filename();
            Some(RunId::new(found.location.parent().filter(|_| own)?.filename()?))
        };
        let mut runs = BTreeSet::new();
        let mut listings = self.each(RUNS);
        while let Some(found) = listings.try_next().await? {
            runs.extend(run_of(&found));
        }
        Ok(runs)
    }

    /// What all hosts stored of a run.
    ///
    /// # Errors
    /// The store does not say, or a listing is damaged.
    pub async fn run(&self, run_id: &RunId) -> Result<StoredRun, ArtifactError> {
        let mut listings = Vec::new();
        for found in self.list([RUNS, run_id.as_str()]).await? {
            listings.extend(self.listing(&found.location).await?);
        }
        Ok(StoredRun::of(listings))
    }

    /// A file, or a part of it; `None` where it is not there (any more).
    ///
    /// # Errors
    /// The store does not give it.
    pub async fn read(&self, file: &StoredFile, range: Option<Range<u64>>) -> Result<Option<Blob>, ArtifactError> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        match self.place.store.get_opts(&self.blob_key(&file.sha256), options).await {
            Ok(found) => {
                let (size, range) = (found.meta.size, found.range.clone());
                Ok(Some(Blob { size, range, stream: found.into_stream() }))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(source) => Err(self.failed(source)),
        }
    }

    /// Takes a run's listings away; its files stay until [`ArtifactStore::sweep`] finds that nobody has them.
    ///
    /// # Errors
    /// The store does not do it.
    pub async fn remove(&self, run_id: &RunId) -> Result<(), ArtifactError> {
        for found in self.list([RUNS, run_id.as_str()]).await? {
            self.delete(&found.location).await?;
        }
        Ok(())
    }

    /// One listing; `None` where it went since it was seen.
    pub(super) async fn listing(&self, key: &Path) -> Result<Option<Listing>, ArtifactError> {
        let read = async { self.place.store.get(key).await?.bytes().await };
        let text = match read.await {
            Ok(text) => text,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(source) => return Err(self.failed(source)),
        };
        let listing: Listing = serde_json::from_slice(&text).map_err(|error| self.damaged(key, &error.to_string()))?;
        if listing.version != VERSION {
            let reason = format!("its version is {}, this program reads {VERSION}", listing.version);
            return Err(self.damaged(key, &reason));
        }
        Ok(Some(listing))
    }

    /// All objects of a folder.
    pub(super) async fn list<'a>(
        &self,
        folder: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<ObjectMeta>, ArtifactError> {
        let folder = self.key(folder);
        self.place.store.list(Some(&folder)).try_collect().await.map_err(|source| self.failed(source))
    }

    /// All objects of a folder, one after the other.
    pub(super) fn each(&self, folder: &str) -> BoxStream<'static, Result<ObjectMeta, ArtifactError>> {
        let shown = self.place.shown.clone();
        let failed = move |source| ArtifactError::Store { place: shown.clone(), source };
        self.place.store.list(Some(&self.key([folder]))).map_err(failed).boxed()
    }

    /// What is known of an object; `None` where it is not there.
    pub(super) async fn head(&self, key: &Path) -> Result<Option<ObjectMeta>, ArtifactError> {
        match self.place.store.head(key).await {
            Ok(found) => Ok(Some(found)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(source) => Err(self.failed(source)),
        }
    }

    /// Removes an object; one that is gone is no error.
    pub(super) async fn delete(&self, key: &Path) -> Result<(), ArtifactError> {
        match self.place.store.delete(key).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(source) => Err(self.failed(source)),
        }
    }

    fn listing_key(&self, run_id: &RunId, host: &str) -> Path {
        self.key([RUNS, run_id.as_str(), &format!("{host}.json")])
    }

    fn blob_key(&self, sha256: &str) -> Path {
        let spread = sha256.get(..2).unwrap_or(sha256);
        self.key([BLOBS, spread, sha256])
    }

    /// A path in the folder; letters that a path cannot have are encoded.
    fn key<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Path {
        names.into_iter().fold(self.place.folder.clone(), |path, name| path.join(name))
    }

    fn failed(&self, source: object_store::Error) -> ArtifactError {
        ArtifactError::Store { place: self.place.shown.clone(), source }
    }

    fn damaged(&self, key: &Path, reason: &str) -> ArtifactError {
        let (place, object) = (self.place.shown.clone(), key.to_string());
        ArtifactError::Damaged { place, object, reason: reason.to_owned() }
    }
}

/// How long ago an object was written; one of the future is new.
pub(super) fn age(found: &ObjectMeta) -> Duration {
    let written = std::time::SystemTime::from(found.last_modified);
    written.elapsed().unwrap_or_default()
}

fn digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}
