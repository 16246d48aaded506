//! Where adbd's user may read and write: the shell user, or root after `adb root`.

use super::FsError;

/// Uid of `shell`.
pub(super) const SHELL_UID: u32 = 2000;

/// As whom adbd and its children run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rights {
    /// The shell user.
    #[default]
    Shell,
    /// Root: every file, but `/system` is mounted read-only.
    Root,
    /// Root after `adb remount`.
    Remounted,
}

impl Rights {
    /// The uid.
    pub const fn uid(self) -> u32 {
        match self {
            Self::Shell => SHELL_UID,
            Self::Root | Self::Remounted => 0,
        }
    }
}

const WRITABLE: [&str; 2] = ["/data/local/tmp", "/storage/emulated/0"];

/// Whether `path` (resolved, absolute) may be created, changed or deleted.
pub(super) fn check_write(path: &str, rights: Rights) -> Result<(), FsError> {
    if rights == Rights::Remounted || WRITABLE.iter().any(|root| is_below(path, root)) {
        return Ok(());
    }
    // `/` and `/system` are mounted read-only; the rest is a matter of modes and SELinux.
    let read_only = !["/data", "/storage", "/dev", "/proc", "/sys", "/mnt"]
        .iter()
        .any(|root| path == *root || is_below(path, root));
    if rights == Rights::Root && !read_only {
        return Ok(());
    }
    Err(if read_only { FsError::ReadOnly } else { FsError::PermissionDenied })
}

/// Whether the file `path` (resolved, absolute) may be read, or the directory listed.
pub(super) fn check_read(path: &str, rights: Rights) -> Result<(), FsError> {
    let private = path == "/data" || is_below(path, "/data/data") || path == "/data/data" || path == "/data/app";
    if private && rights == Rights::Shell { Err(FsError::PermissionDenied) } else { Ok(()) }
}

fn is_below(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_user_writes_only_to_tmp_and_shared_storage() {
        assert_eq!(check_write("/data/local/tmp/x", Rights::Shell), Ok(()));
        assert_eq!(check_write("/storage/emulated/0/a/b", Rights::Shell), Ok(()));
        assert_eq!(check_write("/data/local/tmp", Rights::Shell), Err(FsError::PermissionDenied));
        assert_eq!(check_write("/data/app/x", Rights::Shell), Err(FsError::PermissionDenied));
        assert_eq!(check_write("/window_dump.xml", Rights::Shell), Err(FsError::ReadOnly));
        assert_eq!(check_write("/system/bin/x", Rights::Shell), Err(FsError::ReadOnly));
    }

    #[test]
    fn root_writes_everywhere_but_to_the_system_unless_it_is_remounted() {
        assert_eq!(check_write("/data/app/x", Rights::Root), Ok(()));
        assert_eq!(check_write("/system/bin/x", Rights::Root), Err(FsError::ReadOnly));
        assert_eq!(check_write("/system/bin/x", Rights::Remounted), Ok(()));
        assert_eq!(check_read("/data", Rights::Shell), Err(FsError::PermissionDenied));
        assert_eq!(check_read("/data", Rights::Root), Ok(()));
    }
}
