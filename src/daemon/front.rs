//! How the daemon is reached: by this machine alone, or by others with tokens and TLS.

use super::access::Access;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// Why the daemon cannot be reached as somebody wished.
#[derive(Debug, thiserror::Error)]
pub enum FrontError {
    /// Others could reach it, and it would not ask who they are.
    #[error(
        "{address} can be reached from other machines: that needs tokens (--tokens) and TLS (--tls-certificate FILE \
         --tls-key FILE); without them use 127.0.0.1 or [::1], with a proxy of your own in front of it"
    )]
    Unguarded {
        /// Where it was to listen.
        address: SocketAddr,
    },
    /// A file of certificates or a key cannot be used.
    #[error("{path}: {reason}; expected PEM, as `openssl req -x509` or an ACME client writes it")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Certificate and key do not belong together, or are of a kind that is not known.
    #[error("the certificate in {certificate} cannot be used with its key: {source}")]
    Pair {
        /// The file.
        certificate: PathBuf,
        /// What rustls said.
        source: rustls::Error,
    },
}

/// How callers come in.
#[derive(Clone, Default)]
pub struct Front {
    access: Access,
    tls: Option<TlsAcceptor>,
}

impl std::fmt::Debug for Front {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Front({:?}, tls: {})", self.access, self.tls.is_some())
    }
}

impl Front {
    /// Asks every caller for a token, those of this machine too.
    #[must_use]
    pub fn with_tokens(self) -> Self {
        Self { access: Access::Tokens, ..self }
    }

    /// Speaks TLS with the certificate chain and the key in these PEM files.
    pub fn with_tls(self, certificate: &Path, key: &Path) -> Result<Self, FrontError> {
        let wrong = |path: &Path, reason: &dyn std::fmt::Display| FrontError::File {
            path: path.to_owned(),
            reason: reason.to_string(),
        };
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect)
            .map_err(|error| wrong(certificate, &error))?;
        if chain.is_empty() {
            return Err(wrong(certificate, &"it holds no certificate"));
        }
        let key = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, &error))?;
        let pair = |source| FrontError::Pair { certificate: certificate.to_owned(), source };
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(pair)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(pair)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { tls: Some(TlsAcceptor::from(Arc::new(config))), ..self })
    }

    /// Refuses an address that others can reach unless all of them are asked who they are, and nobody can listen in.
    pub fn check(&self, address: SocketAddr) -> Result<(), FrontError> {
        if address.ip().is_loopback() || (self.access == Access::Tokens && self.tls.is_some()) {
            return Ok(());
        }
        Err(FrontError::Unguarded { address })
    }

    /// `http` or `https`.
    pub const fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// True when every caller needs a token.
    pub fn asks_for_tokens(&self) -> bool {
        self.access == Access::Tokens
    }

    pub(super) const fn access(&self) -> Access {
        self.access
    }

    pub(super) fn into_tls(self) -> Option<TlsAcceptor> {
        self.tls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_come_in_only_by_token_and_tls() {
        let folder = tempfile::tempdir().unwrap();
        let [certificate, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
        let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
        std::fs::write(&certificate, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        let tls = Front::default().with_tls(&certificate, &key).unwrap();
        let check = |front: &Front, address: &str, expected: bool| {
            assert_eq!(front.check(address.parse().unwrap()).is_ok(), expected, "{front:?} at {address}");
        };
        for address in ["127.0.0.1:1", "[::1]:1"] {
            check(&Front::default(), address, true);
        }
        for address in ["0.0.0.0:1", "10.0.0.1:1", "[::]:1"] {
            check(&Front::default(), address, false);
            check(&Front::default().with_tokens(), address, false);
            check(&tls, address, false);
            check(&tls.clone().with_tokens(), address, true);
        }
    }

    #[test]
    fn a_file_that_is_no_certificate_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let [empty, missing] = ["empty.pem", "missing.pem"].map(|name| folder.path().join(name));
        std::fs::write(&empty, "").unwrap();
        for (certificate, expected) in [(&empty, "no certificate"), (&missing, "missing.pem")] {
            let error = Front::default().with_tls(certificate, &empty).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
