//! Streamed installation. One file as `adb install` sends it: `exec:cmd package 'install' '-r' '-S' SIZE`, then the file's
//! bytes, then one status line. A bundle as `adb install-multiple` does: a session, a file each, and the commit.

use super::bundle::Bundle;
use super::reply::{InstallStatus, parse_install_session, parse_install_status, parse_streamed};
use super::{AdbError, Transport, command};
use std::path::Path;
use std::time::Duration;

impl Transport {
    /// Installs or replaces an app (API 24 and later) from a file, or from a bundle of files (`.apks`, `.xapk`). The
    /// device's own answer is a value, not an error. The budget is for each of the commands.
    pub async fn install(&self, file: &Path, budget: Duration) -> Result<InstallStatus, AdbError> {
        let size = self.size(file).await?;
        let packed = file.to_owned();
        let opened = tokio::task::spawn_blocking(move || Bundle::open(&packed)).await;
        let opened = opened.map_err(|error| self.unreadable(file, error.to_string()))?;
        match opened.map_err(|reason| self.unreadable(file, reason))? {
            Some(bundle) => self.install_parts(&bundle, budget).await,
            None => {
                let answer = self.feed(&command::install(size), file, budget).await?;
                Ok(parse_install_status(&String::from_utf8_lossy(&answer)))
            }
        }
    }

    /// What does not end in a commit is abandoned, so that nothing of it stays on the device.
    async fn install_parts(&self, bundle: &Bundle, budget: Duration) -> Result<InstallStatus, AdbError> {
        let mut sizes = Vec::new();
        for file in &bundle.files {
            sizes.push(self.size(file).await?);
        }
        let created = self.shell(&command::install_create(sizes.iter().sum()), budget).await?;
        let said = format!("{}{}", created.stdout_text(), created.stderr_text());
        let Some(session) = parse_install_session(&said) else { return Ok(parse_install_status(&said)) };
        for (file, size) in bundle.files.iter().zip(sizes) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let answer = self.feed(&command::install_write(session, &name, size), file, budget).await;
            let refused = match answer {
                Ok(answer) => match String::from_utf8_lossy(&answer) {
                    said if parse_streamed(&said) => continue,
                    said => Ok(parse_install_status(&said)),
                },
                Err(error) => Err(error),
            };
            self.shell(&command::install_abandon(session), budget).await?;
            return refused;
        }
        let committed = self.shell(&command::install_commit(session), budget).await?;
        Ok(parse_install_status(&format!("{}{}", committed.stdout_text(), committed.stderr_text())))
    }

    async fn size(&self, file: &Path) -> Result<u64, AdbError> {
        let metadata = tokio::fs::metadata(file).await.map_err(|error| self.unreadable(file, error.to_string()))?;
        if !metadata.is_file() {
            return Err(self.unreadable(file, "not a file".to_owned()));
        }
        Ok(metadata.len())
    }

    fn unreadable(&self, file: &Path, reason: String) -> AdbError {
        AdbError::File { serial: self.serial().clone(), what: format!("reading {}", file.display()), reason }
    }
}
