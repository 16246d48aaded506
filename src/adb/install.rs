//! Streamed installation, as `adb install` does it: `exec:cmd package 'install' '-r' '-S' SIZE`, then the file's bytes,
//! then one status line.

use super::reply::{InstallStatus, parse_install_status};
use super::{AdbError, Transport, command};
use std::path::Path;
use std::time::Duration;

impl Transport {
    /// Installs or replaces an app from a file (API 24 and later). The device's own answer is a value, not an error.
    pub async fn install(&self, file: &Path, budget: Duration) -> Result<InstallStatus, AdbError> {
        let unreadable = |reason: String| AdbError::File {
            serial: self.serial().clone(),
            what: format!("reading {}", file.display()),
            reason,
        };
        let metadata = tokio::fs::metadata(file).await.map_err(|error| unreadable(error.to_string()))?;
        if !metadata.is_file() {
            return Err(unreadable("not a file".to_owned()));
        }
        let line = command::install(metadata.len());
        let answer = self.feed(&line, file, budget).await?;
        Ok(parse_install_status(&String::from_utf8_lossy(&answer)))
    }
}
