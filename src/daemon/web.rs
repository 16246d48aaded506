//! The HTTP client of everything here that asks others: `run --daemon`, notifications.

use crate::tls::choose_cryptography;

/// A client that can speak TLS; the one way to make one, because rustls must be told which cryptography to use.
pub fn http_client() -> reqwest::ClientBuilder {
    choose_cryptography();
    reqwest::Client::builder()
}
