//! The HTTP client of everything here that asks others: `run --daemon`, notifications.

use tokio_rustls::rustls::crypto::ring::default_provider;

/// A client that can speak TLS; the one way to make one, because rustls must be told which cryptography to use.
pub fn http_client() -> reqwest::ClientBuilder {
    // An error says that somebody was first; there is only one to choose.
    drop(default_provider().install_default());
    reqwest::Client::builder()
}
