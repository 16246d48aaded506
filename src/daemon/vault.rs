//! Values of parameters, sealed for the database: they survive a restart, and whoever reads the database alone learns
//! nothing of them.
//!
//! Which of them are secrets only the case knows, and it may be changed while the run waits; so all are sealed. The key is a
//! file of its own beside the database (ADR 0023).

use crate::domain::{RunId, Secret};
use chacha20poly1305::aead::{Aead, Generate, Key, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What a sealed value begins with: the form of the rest.
const FORM: u8 = 1;
/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// Bytes of a nonce.
const NONCE_BYTES: usize = 24;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The file system refused.
    #[error("the key of the daemon's parameters, {path}: {source}; check that its folder exists and is writable")]
    File {
        /// The key file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Others may read it.
    #[error("the key of the daemon's parameters, {path}, can be read by other users: chmod 600 it, or move it away")]
    Open {
        /// The key file.
        path: PathBuf,
    },
    /// It holds no key.
    #[error(
        "{path} holds no key (64 hexadecimal digits): move it away; waiting runs with parameters end as error then"
    )]
    Malformed {
        /// The key file.
        path: PathBuf,
    },
}

/// Why sealed values cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parameters of this run cannot be read: the daemon's key is not the one they were sealed with; submit again"
)]
pub(super) struct Unreadable;

/// Seals and opens.
#[derive(Clone)]
pub struct Vault {
    cipher: XChaCha20Poly1305,
}

impl std::fmt::Debug for Vault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vault(…)")
    }
}

impl Default for Vault {
    /// A vault whose key dies with it: what it sealed is lost at a restart.
    fn default() -> Self {
        Self { cipher: XChaCha20Poly1305::new(&Key::<XChaCha20Poly1305>::generate()) }
    }
}

impl Vault {
    /// The vault whose key is in this file, which only its owner may read; made where it is missing.
    pub fn open(path: &Path) -> Result<Self, VaultError> {
        let failed = |source| VaultError::File { path: path.to_owned(), source };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => Secret::new(text),
            Err(error) if error.kind() == ErrorKind::NotFound => return Self::make(path).map_err(failed),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(VaultError::Malformed { path: path.to_owned() });
            }
            Err(source) => return Err(failed(source)),
        };
        if is_open_to_others(path).map_err(failed)? {
            return Err(VaultError::Open { path: path.to_owned() });
        }
        let key = parse_key(text.expose()).ok_or_else(|| VaultError::Malformed { path: path.to_owned() })?;
        Ok(Self { cipher: XChaCha20Poly1305::new(&key) })
    }

    fn make(path: &Path) -> std::io::Result<Self> {
        let key = Key::<XChaCha20Poly1305>::generate();
        let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
        let text: String = key.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        // Whole or not at all: half a key would make everything sealed with it unreadable.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map_err(|error| error.error)?;
        File::open(folder)?.sync_all()?;
        Ok(Self { cipher: XChaCha20Poly1305::new(&key) })
    }

    /// Seals a run's parameters. They can be opened for the same run only.
    pub(super) fn seal(&self, run_id: &RunId, params: &BTreeMap<String, String>) -> Result<Vec<u8>, Unreadable> {
        let plain = Secret::new(serde_json::to_string(params).map_err(|_| Unreadable)?);
        let nonce = XNonce::generate();
        let payload = Payload { msg: plain.expose().as_bytes(), aad: run_id.as_str().as_bytes() };
        let sealed = self.cipher.encrypt(&nonce, payload).map_err(|_| Unreadable)?;
        Ok([&[FORM][..], nonce.as_slice(), &sealed].concat())
    }

    /// Opens a run's parameters.
    pub(super) fn unseal(&self, run_id: &RunId, sealed: &[u8]) -> Result<BTreeMap<String, String>, Unreadable> {
        let (form, rest) = sealed.split_first().ok_or(Unreadable)?;
        let (nonce, text) = rest.split_at_checked(NONCE_BYTES).filter(|_| *form == FORM).ok_or(Unreadable)?;
        let nonce = XNonce::try_from(nonce).map_err(|_| Unreadable)?;
        let payload = Payload { msg: text, aad: run_id.as_str().as_bytes() };
        let plain = self.cipher.decrypt(&nonce, payload).map_err(|_| Unreadable)?;
        serde_json::from_slice(&plain).map_err(|_| Unreadable)
    }
}

fn parse_key(text: &str) -> Option<Key<XChaCha20Poly1305>> {
    let digits = text.trim();
    if digits.len() != 2 * KEY_BYTES || !digits.is_ascii() {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
    let bytes: Vec<u8> = (0..KEY_BYTES).map(byte).collect::<Option<_>>()?;
    Key::<XChaCha20Poly1305>::try_from(bytes.as_slice()).ok()
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_path: &Path) -> std::io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> BTreeMap<String, String> {
        [("pin".to_owned(), "135790".to_owned()), ("name".to_owned(), "Zoë \u{1F600}".to_owned())].into()
    }

    #[test]
    fn sealed_parameters_are_opened_with_the_same_key_for_the_same_run_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db.key");
        let (run, other) = (RunId::from("r-1"), RunId::from("r-2"));
        let sealed = Vault::open(&path).unwrap().seal(&run, &params()).unwrap();
        let shown = String::from_utf8_lossy(&sealed);
        assert!(!shown.contains("135790") && !shown.contains("pin"), "{shown}");
        // The next daemon.
        let vault = Vault::open(&path).unwrap();
        assert_eq!(vault.unseal(&run, &sealed), Ok(params()));
        assert_ne!(vault.seal(&run, &params()).unwrap(), sealed, "a nonce is used once");
        assert_eq!(vault.unseal(&other, &sealed), Err(Unreadable));
        assert_eq!(Vault::default().unseal(&run, &sealed), Err(Unreadable));
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            assert_eq!(vault.unseal(&run, &damaged), Err(Unreadable), "byte {at}");
            assert_eq!(vault.unseal(&run, &sealed[..at]), Err(Unreadable), "{at} bytes");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_or_that_is_none_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        drop(Vault::open(&path).unwrap());
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(Vault::open(&path), Err(VaultError::Open { .. })));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        for text in ["", "00", &"0g".repeat(32), &"é".repeat(32)] {
            std::fs::write(&path, text).unwrap();
            assert!(matches!(Vault::open(&path), Err(VaultError::Malformed { .. })), "{text:?}");
        }
        let lost = folder.path().join("no/folder/key");
        assert!(matches!(Vault::open(&lost), Err(VaultError::File { .. })));
    }
}
