//! Where the shell user may read and write.

use super::FsError;

/// Uid of `shell`.
pub(super) const SHELL_UID: u32 = 2000;

const WRITABLE: [&str; 2] = ["/data/local/tmp", "/storage/emulated/0"];

/// Whether the shell user may create, change or delete `path` (resolved, absolute).
pub(super) fn check_write(path: &str) -> Result<(), FsError> {
    if WRITABLE.iter().any(|root| is_below(path, root)) {
        return Ok(());
    }
    // `/` and `/system` are mounted read-only; the rest is a matter of modes and SELinux.
    let read_only =
        !["/data", "/storage", "/dev", "/proc", "/mnt"].iter().any(|root| path == *root || is_below(path, root));
    Err(if read_only { FsError::ReadOnly } else { FsError::PermissionDenied })
}

/// Whether the shell user may read the file or list the directory `path` (resolved, absolute).
pub(super) fn check_read(path: &str) -> Result<(), FsError> {
    let private = path == "/data" || is_below(path, "/data/data") || path == "/data/data" || path == "/data/app";
    if private { Err(FsError::PermissionDenied) } else { Ok(()) }
}

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_user_writes_only_to_tmp_and_shared_storage() {
        assert_eq!(check_write("/data/local/tmp/x"), Ok(()));
        assert_eq!(check_write("/storage/emulated/0/a/b"), Ok(()));
        assert_eq!(check_write("/data/local/tmp"), Err(FsError::PermissionDenied));
        assert_eq!(check_write("/data/app/x"), Err(FsError::PermissionDenied));
        assert_eq!(check_write("/window_dump.xml"), Err(FsError::ReadOnly));
        assert_eq!(check_write("/system/bin/x"), Err(FsError::ReadOnly));
    }
}
