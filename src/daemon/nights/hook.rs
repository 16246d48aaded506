//! Webhooks: who knows the secret begins a night, as GitHub, Gitea and GitLab's proxies sign what they send.

use crate::domain::Secret;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;

/// What stands before the digits.
const FORM: &str = "sha256=";

/// Why a webhook is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(in crate::daemon) enum HookError {
    /// There is no such schedule, or it has no webhook; which of them is not told to strangers.
    #[error("no schedule of this name can be begun by a webhook")]
    Unknown,
    /// The signature is missing or wrong.
    #[error(
        "the signature is missing or wrong: send x-hub-signature-256: sha256=<HMAC-SHA256 of the body in hexadecimal digits>"
    )]
    Unsigned,
}

/// True when this is the body's signature. Takes the same time whatever is wrong.
pub(in crate::daemon) fn is_signed(secret: &Secret, body: &[u8], signature: &str) -> bool {
    let Some(digits) = signature.strip_prefix(FORM) else { return false };
    let Some(bytes) = from_hex(digits) else { return false };
    // Any length of key is one.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else { return false };
    mac.update(body);
    mac.verify_slice(&bytes).is_ok()
}

/// The revision that a body names, as the usual senders do.
pub(in crate::daemon) fn commit_of(body: &[u8]) -> Option<String> {
    let json: Value = serde_json::from_slice(body).ok()?;
    let places = ["/after", "/checkout_sha", "/commit", "/head_commit/id", "/workflow_run/head_sha", "/sha"];
    let found = places.iter().find_map(|place| json.pointer(place)?.as_str())?;
    let is_revision = (7..=64).contains(&found.len()) && found.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_revision.then(|| found.to_owned())
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.is_ascii() || digits.len() % 2 != 0 {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_signature_is_one() {
        // The example of GitHub's documentation.
        let secret = Secret::new("It's a Secret to Everybody");
        let good = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        let check = |body: &str, signature: &str, expected: bool| {
            assert_eq!(is_signed(&secret, body.as_bytes(), signature), expected, "{body} {signature}");
        };
        check("Hello, World!", good, true);
        check("Hello, World?", good, false);
        check("Hello, World!", &good.replace("757", "758"), false);
        check("Hello, World!", good.trim_start_matches("sha256="), false);
        check("Hello, World!", "sha256=", false);
        check("Hello, World!", "sha256=zz", false);
        assert!(!is_signed(&Secret::new("other"), b"Hello, World!", good));
    }

    #[test]
    fn the_revision_is_found_where_senders_put_it() {
        let check = |body: &str, expected: Option<&str>| {
            assert_eq!(commit_of(body.as_bytes()).as_deref(), expected, "{body}");
        };
        check(r#"{"after": "3f9c1e2aa", "before": "1234567"}"#, Some("3f9c1e2aa"));
        check(r#"{"workflow_run": {"head_sha": "abcdef1"}}"#, Some("abcdef1"));
        check(r#"{"after": "<script>"}"#, None);
        check("{}", None);
        check("no json", None);
    }
}
