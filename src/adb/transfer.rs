//! Files and port forwards, by the `adb_client` crate: its sync protocol v1 and `forward` are right. It is synchronous
//! and has no time limits, so each call runs on a blocking thread with a budget; a thread whose budget is over lives on
//! until its socket closes. See `docs/adr/0001-adb-client.md` for what the crate is not used for.

use super::{AdbError, Transport};
use adb_client::server_device::ADBServerDevice;
use adb_client::{ADBListItemType, RustADBError};
use std::fs::File;
use std::net::{SocketAddr, SocketAddrV4};
use std::path::Path;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// A file on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFile {
    /// Name without its folder; the asked-for path for [`Transport::stat`].
    pub name: String,
    /// Type and permission bits (`st_mode`); of a listing only the permission bits.
    pub mode: u32,
    /// Bytes; sync protocol v1 gives them modulo 4 GiB.
    pub size: u32,
    /// Seconds since 1970.
    pub modified: u32,
    /// True for a folder.
    pub folder: bool,
}

/// `S_IFMT` and `S_IFDIR` of `st_mode`.
const FILE_TYPE: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;

impl Transport {
    /// Copies a local file to the device; its mode there is 0777.
    pub async fn push(&self, local: &Path, remote: &str, budget: Duration) -> Result<(), AdbError> {
        let what = format!("push of {} to {remote}", local.display());
        let (local, remote) = (local.to_owned(), remote.to_owned());
        self.blocking(what, budget, move |device| device.push(&mut File::open(local)?, &remote)).await
    }

    /// The bytes of a file on the device.
    pub async fn pull(&self, remote: &str, budget: Duration) -> Result<Vec<u8>, AdbError> {
        let what = format!("pull of {remote}");
        let remote = remote.to_owned();
        self.blocking(what, budget, move |device| {
            let mut bytes = Vec::new();
            device.pull(&remote, &mut bytes)?;
            Ok(bytes)
        })
        .await
    }

    /// What a path on the device is; `None` when there is nothing.
    pub async fn stat(&self, remote: &str, budget: Duration) -> Result<Option<RemoteFile>, AdbError> {
        let what = format!("stat of {remote}");
        let path = remote.to_owned();
        let stat = self.blocking(what, budget, move |device| device.stat(path)).await?;
        // STAT v1 has no error code: a missing path is all zeros (AOSP `file_sync_service.cpp`).
        let missing = stat.file_perm == 0 && stat.file_size == 0 && stat.mod_time == 0;
        Ok((!missing).then(|| RemoteFile {
            name: remote.to_owned(),
            mode: stat.file_perm,
            size: stat.file_size,
            modified: stat.mod_time,
            folder: stat.file_perm & FILE_TYPE == FOLDER,
        }))
    }

    /// The entries of a folder on the device, `.` and `..` left out; empty for a missing folder.
    pub async fn list(&self, remote: &str, budget: Duration) -> Result<Vec<RemoteFile>, AdbError> {
        let what = format!("listing of {remote}");
        let remote = remote.to_owned();
        let entries = self.blocking(what, budget, move |device| device.list(remote)).await?;
        Ok(entries.into_iter().map(remote_file).filter(|file| file.name != "." && file.name != "..").collect())
    }

    /// Forwards a local socket to one on the device: `tcp:6100` to `tcp:8080` or `localabstract:name`. Choose the local
    /// port yourself: `tcp:0` is refused because the crate loses the port the server picks.
    pub async fn forward(&self, local: &str, remote: &str, budget: Duration) -> Result<(), AdbError> {
        let what = format!("forward of {local} to {remote}");
        if local == "tcp:0" {
            let reason = "the port chosen for tcp:0 cannot be read back; name a port".to_owned();
            return Err(AdbError::File { serial: self.serial().clone(), what, reason });
        }
        let (local, remote) = (local.to_owned(), remote.to_owned());
        self.blocking(what, budget, move |device| device.forward(remote, local)).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        what: String,
        budget: Duration,
        call: impl FnOnce(&mut ADBServerDevice) -> adb_client::Result<T> + Send + 'static,
    ) -> Result<T, AdbError> {
        let failed =
            |reason: String| AdbError::File { serial: self.serial().clone(), what: what.clone(), reason };
        let conversation = async {
            let address = self.ipv4().await.map_err(&failed)?;
            let serial = self.serial().as_str().to_owned();
            spawn_blocking(move || call(&mut ADBServerDevice::new(serial, Some(address))))
                .await
                .map_err(|error| failed(error.to_string()))?
                .map_err(|error| self.classify(&what, &error))
        };
        timeout(budget, conversation).await.unwrap_or_else(|_| {
            Err(AdbError::Timeout { serial: self.serial().clone(), command: what.clone(), budget })
        })
    }

    /// `adb_client` knows IPv4 only.
    async fn ipv4(&self) -> Result<SocketAddrV4, String> {
        let address = self.server().address();
        tokio::net::lookup_host((address.host(), address.port()))
            .await
            .map_err(|error| format!("{address}: {error}"))?
            .find_map(|found| match found {
                SocketAddr::V4(v4) => Some(v4),
                SocketAddr::V6(_) => None,
            })
            .ok_or_else(|| format!("{address} has no IPv4 address, which file transfers need"))
    }

    fn classify(&self, what: &str, error: &RustADBError) -> AdbError {
        let file = |reason: String| AdbError::File { serial: self.serial().clone(), what: what.to_owned(), reason };
        match error {
            RustADBError::ADBRequestFailed(reason) => {
                match AdbError::from_fail(self.server().address(), what, Some(self.serial()), reason) {
                    AdbError::Refused { reason, .. } => file(reason),
                    known => known,
                }
            }
            RustADBError::IOError(source) if source.kind() == std::io::ErrorKind::ConnectionRefused => {
                AdbError::ServerUnreachable {
                    address: self.server().address().clone(),
                    source: std::io::Error::from(source.kind()),
                }
            }
            other => file(other.to_string()),
        }
    }
}

fn remote_file(entry: ADBListItemType) -> RemoteFile {
    let folder = matches!(entry, ADBListItemType::Directory(_));
    let (ADBListItemType::Fifo(item)
    | ADBListItemType::CharacterDevice(item)
    | ADBListItemType::Directory(item)
    | ADBListItemType::BlockDevice(item)
    | ADBListItemType::File(item)
    | ADBListItemType::Symlink(item)
    | ADBListItemType::Socket(item)
    | ADBListItemType::Other(item)) = entry;
    RemoteFile { name: item.name, mode: item.permissions, size: item.size, modified: item.time, folder }
}
