//! The folder in which maps are kept.

use super::file::{Hidden, MOST_BYTES, from_text, to_text};
use super::{AppMap, Discovery, MapError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Ending of a map's file.
const ENDING: &str = ".map.json";

/// The maps of a workspace: `<package>@<version>.map.json`.
#[derive(Debug, Clone)]
pub struct MapStore {
    folder: PathBuf,
}

impl MapStore {
    /// The maps in a folder, which need not exist.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The file of one version of an app; a version that is not told is its own.
    pub fn path(&self, package: &str, version: Option<&str>) -> PathBuf {
        let plain = |text: &str| -> String {
            let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+') { c } else { '_' };
            text.chars().take(100).map(kept).collect()
        };
        self.folder.join(format!("{}@{}{ENDING}", plain(package), plain(version.unwrap_or("unknown"))))
    }

    /// The map of one version of an app, without vectors; an empty one where there is no file yet.
    pub fn load(&self, package: &str, version: Option<&str>) -> Result<AppMap, MapError> {
        let path = self.path(package, version);
        let file = match std::fs::File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(AppMap::default()),
            Err(source) => return Err(MapError::File { path, source }),
        };
        let mut bytes = Vec::new();
        let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|source| MapError::File { path: path.clone(), source })?;
        if bytes.len() as u64 > MOST_BYTES {
            let reason = format!("it has more than {} MiB", MOST_BYTES >> 20);
            return Err(MapError::Malformed { path, reason });
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| MapError::Malformed { path: path.clone(), reason: error.to_string() })?;
        from_text(&path, text, package)
    }

    /// Like [`MapStore::load`], but a map that cannot be used is told of and begun anew.
    pub fn load_or_begin(&self, package: &str, version: Option<&str>) -> AppMap {
        self.load(package, version).unwrap_or_else(|error| {
            tracing::warn!("{error}");
            AppMap::default()
        })
    }

    /// Adds what was found out to the map's file, and gives the map. The file is read again first, so that what another
    /// run has learned meanwhile stays. No text of `hidden` is written.
    pub fn add(
        &self,
        package: &str,
        version: Option<&str>,
        discoveries: &[Discovery],
        hidden: &[String],
    ) -> Result<AppMap, MapError> {
        let mut map = self.load_or_begin(package, version);
        if discoveries.is_empty() {
            return Ok(map);
        }
        for discovery in discoveries {
            map.discover(discovery);
        }
        let path = self.path(package, version);
        let text = to_text(&map, package, version.unwrap_or_default(), &Hidden::new(hidden))
            .map_err(|error| MapError::File { path: path.clone(), source: error.into() })?;
        write_whole(&path, text.as_bytes()).map_err(|source| MapError::File { path, source })?;
        Ok(map)
    }
}

/// Temporary name in the same folder, fsync, rename: a reader never sees half a map.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().suffix(".partial").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
