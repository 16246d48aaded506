//! A package's page in a package index: the files it offers, in the index's JSON form (PEP 691) or its HTML form (PEP 503).
//!
//! Pure: nothing is fetched here.

use regex::Regex;
use reqwest::Url;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A file of a package, as the index offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfferedFile {
    /// Its name.
    pub(super) name: String,
    /// Where it is.
    pub(super) url: Url,
    /// Its sha256 where the index tells it, lower-case hex.
    pub(super) sha256: Option<String>,
    /// Its length in bytes where the index tells it.
    pub(super) bytes: Option<u64>,
}

#[derive(Deserialize)]
struct Page {
    files: Vec<PageFile>,
}

#[derive(Deserialize)]
struct PageFile {
    filename: String,
    url: String,
    #[serde(default)]
    hashes: BTreeMap<String, String>,
    #[serde(default)]
    size: Option<u64>,
}

/// A link of an index's HTML: where it leads, and its text. Whatever encloses it is of no interest.
static LINK: LazyLock<Result<Regex, regex::Error>> =
    LazyLock::new(|| Regex::new(r#"(?is)<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>\s*([^<]+?)\s*</a>"#));

/// The files of a page in JSON; `page` is where it was.
pub(super) fn parse_json(page: &Url, body: &[u8]) -> Result<Vec<OfferedFile>, String> {
    let listed: Page = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let offered = |file: PageFile| {
        let url = page.join(&file.url).map_err(|error| format!("{:?}: {error}", file.url))?;
        let sha256 = file.hashes.get("sha256").map(|sum| sum.to_ascii_lowercase());
        Ok(OfferedFile { name: file.filename, url, sha256, bytes: file.size })
    };
    listed.files.into_iter().map(offered).collect()
}

/// The files of a page in HTML; `page` is where it was.
pub(super) fn parse_html(page: &Url, body: &str) -> Result<Vec<OfferedFile>, String> {
    let links = LINK.as_ref().map_err(ToString::to_string)?;
    let offered = |link: regex::Captures<'_>| {
        let href = link.get(1).or_else(|| link.get(2)).map_or("", |href| href.as_str()).replace("&amp;", "&");
        let mut url = page.join(&href).map_err(|error| format!("{href:?}: {error}"))?;
        let sha256 = url.fragment().and_then(|part| part.strip_prefix("sha256=")).map(str::to_ascii_lowercase);
        url.set_fragment(None);
        Ok(OfferedFile { name: link[3].to_owned(), url, sha256, bytes: None })
    };
    links.captures_iter(body).map(offered).collect()
}

/// Whether a wheel's name says that it is made for pip's platform tag (`manylinux_2_28_x86_64`), and for no other Python
/// than the one whose hashes are pinned.
pub(super) fn is_for(name: &str, version: &str, tag: &str) -> bool {
    let Some(stem) = name.strip_suffix(".whl") else { return false };
    let mut parts = stem.split('-').rev();
    let (Some(platforms), Some(_abi), Some(pythons)) = (parts.next(), parts.next(), parts.next()) else { return false };
    platforms.split('.').any(|platform| platform == tag)
        && pythons.split('.').any(|python| matches!(python, "cp311" | "py3"))
        && stem.split('-').nth(1) == Some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Url {
        Url::parse("https://index.example/simple/onnxruntime/").unwrap()
    }

    fn file(name: &str, url: &str, sha256: Option<&str>, bytes: Option<u64>) -> OfferedFile {
        OfferedFile { name: name.into(), url: Url::parse(url).unwrap(), sha256: sha256.map(Into::into), bytes }
    }

    #[test]
    fn json_and_html_tell_the_same_files() {
        let json = br#"{"meta": {"api-version": "1.1"}, "name": "x", "files": [
            {"filename": "a-1-py3-none-any.whl", "url": "https://files.example/a.whl", "hashes": {"sha256": "AB"}, "size": 7, "yanked": false},
            {"filename": "b.tar.gz", "url": "../../files/b.tar.gz", "hashes": {}}]}"#;
        let a = file("a-1-py3-none-any.whl", "https://files.example/a.whl", Some("ab"), Some(7));
        let b = file("b.tar.gz", "https://index.example/files/b.tar.gz", None, None);
        assert_eq!(parse_json(&page(), json).unwrap(), [a.clone(), b.clone()]);
        let html = "<!DOCTYPE html><html><body><h1>Links</h1>\n\
                    <a href=\"https://files.example/a.whl#sha256=AB\" data-requires-python=\"&gt;=3\">a-1-py3-none-any.whl</a><br/>\n\
                    <A class='x' HREF='../../files/b.tar.gz'>\n b.tar.gz </A></body></html>";
        assert_eq!(parse_html(&page(), html).unwrap(), [OfferedFile { bytes: None, ..a }, b]);
        assert!(parse_json(&page(), b"<html>").is_err());
        assert_eq!(parse_html(&page(), "nothing here").unwrap(), []);
    }

    #[test]
    fn a_wheel_is_told_by_its_name() {
        let check = |name: &str, version: &str, tag: &str, expected: bool| {
            assert_eq!(is_for(name, version, tag), expected, "{name} {version} {tag}");
        };
        let name = "onnxruntime-1.31.1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl";
        check(name, "1.31.1", "manylinux_2_28_x86_64", true);
        check(name, "1.31.1", "manylinux_2_28_aarch64", false);
        check(name, "1.31.0", "manylinux_2_28_x86_64", false);
        check("onnxruntime-1.31.1-cp312-cp312-manylinux_2_28_x86_64.whl", "1.31.1", "manylinux_2_28_x86_64", false);
        check("rapidocr-3.10.0-py3-none-any.whl", "3.10.0", "any", true);
        check("rapidocr-3.10.0.tar.gz", "3.10.0", "any", false);
        check("x.whl", "1", "any", false);
    }
}
