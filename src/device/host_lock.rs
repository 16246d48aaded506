//! Exclusive use of a device on this host, whoever asks: a daemon, the command line, another workspace.
//!
//! Each serial has a file in a folder that all share; it is locked as long as its holder lives, and says who that is.

use crate::domain::DeviceSerial;
use sha2::{Digest as _, Sha256};
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Most bytes of a lock file that are read: who holds it fits on a line.
const MOST_TOLD: usize = 200;

/// Why a device cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// Somebody else on this host has it.
    #[error("{serial}: the device is in use by {holder}; wait for it to end, or choose another device")]
    InUse {
        /// The device.
        serial: DeviceSerial,
        /// Who says to have it.
        holder: String,
    },
    /// The workspace does not allow it.
    #[error("{serial}: the device is not among those this workspace may use (`[devices] allow` in tapwright.toml)")]
    NotAllowed {
        /// The device.
        serial: DeviceSerial,
    },
    /// The lock file cannot be used.
    #[error(
        "{serial}: whether the device is free is not known: {path}: {source}; check that the folder may be written"
    )]
    File {
        /// The device.
        serial: DeviceSerial,
        /// Its lock file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Which devices may be used, and who uses them on this host.
#[derive(Debug, Clone, Default)]
pub struct DeviceRules {
    /// Only these; all where it is empty.
    pub allow: Vec<DeviceSerial>,
    /// Where the host's locks are; `None` for a process that is alone.
    pub locks: Option<PathBuf>,
    /// What others are told of the holder: `tapwright serve`.
    pub holder: String,
}

/// The right to use a device, until dropped.
#[derive(Debug)]
pub struct HostLock {
    _file: File,
}

impl DeviceRules {
    /// True for a device that may be used at all.
    pub fn allows(&self, serial: &DeviceSerial) -> bool {
        self.allow.is_empty() || self.allow.contains(serial)
    }

    /// Takes devices, all or none.
    pub fn hold<'s>(&self, serials: impl IntoIterator<Item = &'s DeviceSerial>) -> Result<Vec<HostLock>, HoldError> {
        let mut held = Vec::new();
        for serial in serials {
            if !self.allows(serial) {
                return Err(HoldError::NotAllowed { serial: serial.clone() });
            }
            if let Some(folder) = &self.locks {
                held.push(self.lock(folder, serial)?);
            }
        }
        Ok(held)
    }

    fn lock(&self, folder: &Path, serial: &DeviceSerial) -> Result<HostLock, HoldError> {
        let path = folder.join(file_name(serial));
        let failed = |source| HoldError::File { serial: serial.clone(), path: path.clone(), source };
        let mut file = open(folder, &path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let told = std::fs::read(&path).unwrap_or_default();
                let told = String::from_utf8_lossy(told.get(..MOST_TOLD).unwrap_or(&told)).trim().to_owned();
                let holder = if told.is_empty() { "another process".to_owned() } else { told };
                return Err(HoldError::InUse { serial: serial.clone(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let told = format!("{} (process {})\n", self.holder, std::process::id());
        // The lock counts; who holds it is for people.
        if let Err(error) = file.set_len(0).and_then(|()| file.write_all(told.as_bytes())) {
            tracing::debug!(%serial, %error, "others will not read who holds the device");
        }
        Ok(HostLock { _file: file })
    }
}

/// Opens a lock file; one of another user is opened to be read, which is enough to lock it. A link is not followed: the
/// folder is open to all.
fn open(folder: &Path, path: &Path) -> std::io::Result<File> {
    if !folder.is_dir() {
        std::fs::create_dir_all(folder)?;
        share(folder)?;
    }
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(std::io::Error::other("it is no plain file"));
    }
    let opened = File::options().create(true).truncate(false).write(true).open(path);
    opened.or_else(|error| File::open(path).map_err(|_| error))
}

/// Lets every user of the host put files there, and only its owner remove one.
#[cfg(unix)]
fn share(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o1777))
}

#[cfg(not(unix))]
fn share(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

/// A plain name for any serial, different for different ones.
fn file_name(serial: &DeviceSerial) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let name: String = serial.as_str().chars().take(60).map(plain).collect();
    let sum =
        Sha256::digest(serial.as_str().as_bytes()).iter().take(6).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{name}-{sum:012x}.lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(folder: &Path, holder: &str) -> DeviceRules {
        DeviceRules { allow: Vec::new(), locks: Some(folder.join("locks")), holder: holder.to_owned() }
    }

    #[test]
    fn a_device_is_one_holders_on_the_whole_host() {
        let folder = tempfile::tempdir().unwrap();
        let (daemon, person) = (rules(folder.path(), "tapwright serve"), rules(folder.path(), "tapwright run"));
        let [a, b] = ["127.0.0.1:5555", "emulator-5554"].map(DeviceSerial::from);
        let held = daemon.hold([&a]).unwrap();
        let error = person.hold([&b, &a]).unwrap_err().to_string();
        let process = std::process::id();
        assert!(error.contains(&format!("in use by tapwright serve (process {process})")), "{error}");
        drop(person.hold([&b]).unwrap());
        drop(held);
        assert_eq!(person.hold([&a, &b]).unwrap().len(), 2);
    }

    #[test]
    fn only_devices_that_are_allowed_are_used() {
        let rules = DeviceRules { allow: vec!["a".into()], ..DeviceRules::default() };
        assert!(rules.hold([&"a".into()]).is_ok());
        let error = rules.hold([&"b".into()]).unwrap_err().to_string();
        assert!(error.contains("[devices] allow"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_in_the_shared_folder_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let rules = rules(folder.path(), "x");
        let serial = DeviceSerial::from("../odd/ serial");
        drop(rules.hold([&serial]).unwrap());
        let (victim, lock) = (folder.path().join("victim"), folder.path().join("locks").join(file_name(&serial)));
        std::fs::write(&victim, "precious").unwrap();
        std::fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink(&victim, &lock).unwrap();
        assert!(matches!(rules.hold([&serial]), Err(HoldError::File { .. })));
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    }
}
