//! Which cryptography TLS uses: rustls must be told before anything speaks it.

/// Chooses `ring` for the whole process. What was chosen before stays; there is only one to choose.
pub fn choose_cryptography() {
    drop(rustls::crypto::ring::default_provider().install_default());
}
