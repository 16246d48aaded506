//! Room on a disk: asked before something large is written, and named when it runs out.

use super::InferenceError;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Fails where the file system of `folder` (which exists) has less than `needed` bytes left for this user.
pub(super) fn require(folder: &Path, needed: u64) -> Result<(), InferenceError> {
    match free(folder) {
        Some(free) if free < needed => {
            Err(InferenceError::DiskFull { path: folder.to_path_buf(), needed: Some(needed), free })
        }
        _ => Ok(()),
    }
}

/// Bytes left; `None` where the system does not tell.
#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let told = rustix::fs::statvfs(folder).ok()?;
    Some(told.f_bavail.saturating_mul(told.f_frsize))
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}

/// Whether this user may make files in a folder.
#[cfg(unix)]
pub(super) fn is_writable(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
pub(super) fn is_writable(folder: &Path) -> bool {
    std::fs::metadata(folder).is_ok_and(|metadata| !metadata.permissions().readonly())
}

/// Names what was being done to which file; a full disk has an error of its own.
pub(super) fn storage_failed(action: &'static str, path: &Path) -> impl Fn(std::io::Error) -> InferenceError {
    let path: PathBuf = path.to_path_buf();
    move |source| match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            let free = path.parent().and_then(free).unwrap_or_default();
            InferenceError::DiskFull { path: path.clone(), needed: None, free }
        }
        _ => InferenceError::File { action, path: path.clone(), source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_room_is_told_with_both_figures() {
        let folder = tempfile::tempdir().unwrap();
        require(folder.path(), 1).unwrap();
        let told = require(folder.path(), u64::MAX).unwrap_err().to_string();
        assert!(told.contains("18446744073.7 GB are needed") && told.contains("free"), "{told}");
        let full = storage_failed("write", &folder.path().join("x"))(ErrorKind::StorageFull.into());
        assert!(matches!(full, InferenceError::DiskFull { .. }));
        let other = storage_failed("write", folder.path())(ErrorKind::PermissionDenied.into());
        assert!(matches!(other, InferenceError::File { .. }));
    }
}
