//! Where an artifact store is.

use super::error::ArtifactError;
use super::store::AccessKeys;
use crate::tls::choose_cryptography;
use object_store::ClientConfigKey::{ConnectTimeout, Timeout};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, RetryConfig};
use std::sync::Arc;
use std::time::Duration;

/// How long one request may take; pictures are small.
const REQUEST: &str = "30 seconds";
/// How long a connection may take to be made.
const CONNECT: &str = "5 seconds";
/// How long a request is tried again; what fails longer is tried again by the daemon.
const RETRIES: Duration = Duration::from_secs(20);

/// A store and the folder in it.
pub(super) struct Place {
    /// As it may be shown.
    pub shown: String,
    /// What stores.
    pub store: Arc<dyn ObjectStore>,
    /// The folder in it.
    pub folder: Path,
}

impl Place {
    /// Reads `s3://BUCKET/FOLDER` or `file:///FOLDER`; `keys` says how the first is reached.
    ///
    /// # Errors
    /// It is no such place, a secret stands in it, or the folder cannot be made.
    pub(super) fn of(text: &str, keys: &AccessKeys) -> Result<Self, ArtifactError> {
        let refused = |shown: &str, reason: &str| ArtifactError::Place { place: shown.into(), reason: reason.into() };
        let Some((scheme, rest)) = text.split_once("://") else { return Err(refused(text, "it is no URL")) };
        // Not shown: it may hold a password.
        if rest.split('/').next().is_some_and(|authority| authority.contains('@')) {
            return Err(refused(&format!("{scheme}://…"), "keys belong into the environment"));
        }
        match scheme {
            "s3" => {
                let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
                if bucket.is_empty() {
                    return Err(refused(text, "it names no bucket"));
                }
                let folder = Path::parse(folder).map_err(|error| refused(text, &error.to_string()))?;
                let store = bucket_of(bucket, keys)
                    .build()
                    .map_err(|source| ArtifactError::Store { place: text.to_owned(), source })?;
                Ok(Self { shown: text.to_owned(), store: Arc::new(store), folder })
            }
            "file" if rest.starts_with('/') => {
                let unusable = |error: std::io::Error| refused(text, &error.to_string());
                std::fs::create_dir_all(rest).map_err(unusable)?;
                let store = LocalFileSystem::new_with_prefix(rest)
                    .map_err(|source| ArtifactError::Store { place: text.to_owned(), source })?
                    // What is being written is synced before it takes its name.
                    .with_fsync(true);
                Ok(Self { shown: text.to_owned(), store: Arc::new(store), folder: Path::default() })
            }
            "file" => Err(refused(text, "the folder is not named from the root")),
            _ => Err(refused(text, "only s3 and file are known")),
        }
    }
}

/// A bucket of S3, or of what speaks like it.
fn bucket_of(name: &str, keys: &AccessKeys) -> AmazonS3Builder {
    choose_cryptography();
    let builder = AmazonS3Builder::new()
        .with_config(AmazonS3ConfigKey::Client(Timeout), REQUEST)
        .with_config(AmazonS3ConfigKey::Client(ConnectTimeout), CONNECT)
        .with_retry(RetryConfig { retry_timeout: RETRIES, ..RetryConfig::default() });
    // Variables of Amazon's other tools are none of ours.
    let known = keys.0.iter().filter_map(|(name, value)| Some((name.to_lowercase().parse().ok()?, value.expose())));
    known.fold(builder, |builder, (key, value)| builder.with_config(key, value)).with_bucket_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_place_is_refused_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let check = |text: &str, expected: &str| match Place::of(text, &AccessKeys::default()) {
            Ok(place) => assert_eq!(place.shown, expected),
            Err(error) => assert!(error.to_string().contains(expected), "{text}: {error}"),
        };
        let good = format!("file://{}", folder.path().join("a/b").display());
        check(&good, &good);
        assert!(folder.path().join("a/b").is_dir());
        check("s3://bucket/recordings", "s3://bucket/recordings");
        check("s3://", "names no bucket");
        check("s3:///recordings", "names no bucket");
        check("s3://bucket/a//b", "no place for artifacts");
        check("ftp://farm", "only s3 and file are known");
        check("artifacts", "it is no URL");
        check("file://artifacts", "not named from the root");
        check("s3://key:secret@farm", "keys belong into the environment");
        assert!(
            !Place::of("s3://key:secret@farm", &AccessKeys::default()).err().unwrap().to_string().contains("secret@")
        );
    }
}
