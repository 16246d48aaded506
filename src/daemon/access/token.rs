//! Tokens: made, told once, and known again by their Argon2 hash.

use crate::domain::Secret;
use crate::store::{Scope, TokenRecord};
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use jiff::Timestamp;

/// What every token begins with, so that one that was left somewhere can be found by its form.
const MARK: &str = "tapw";
/// Random bytes of the part that may be shown.
const ID_BYTES: usize = 6;
/// Random bytes of the secret part.
const SECRET_BYTES: usize = 32;

/// Why a token could not be made.
#[derive(Debug, thiserror::Error)]
#[error("a token could not be made: {0}")]
pub struct TokenError(String);

/// A new token: what is kept of it, and what its owner gets to see once.
#[derive(Debug)]
pub struct MintedToken {
    /// What the store keeps.
    pub record: TokenRecord,
    /// `tapw_<id>_<secret>`, for its owner.
    pub text: Secret,
}

impl MintedToken {
    /// A token of 256 random bits for `name`, worth something from `now` until `expires_at`.
    pub fn new(name: &str, scope: Scope, now: Timestamp, expires_at: Option<Timestamp>) -> Result<Self, TokenError> {
        let failed = |error: &dyn std::fmt::Display| TokenError(error.to_string());
        let id = random_hex::<ID_BYTES>().map_err(|error| failed(&error))?;
        let secret = random_hex::<SECRET_BYTES>().map_err(|error| failed(&error))?;
        let hash = Argon2::default().hash_password(secret.expose().as_bytes());
        let hash = hash.map_err(|error| failed(&error))?.to_string();
        let text = Secret::new(format!("{MARK}_{}_{}", id.expose(), secret.expose()));
        let id = id.expose().to_owned();
        let record =
            TokenRecord { id, name: name.to_owned(), scope, hash, created_at: now, expires_at, revoked_at: None };
        Ok(Self { record, text })
    }
}

/// Its two parts: id and secret; `None` for what has not the form of a token.
pub(super) fn parts(text: &str) -> Option<(&str, Secret)> {
    let (id, secret) = text.strip_prefix(MARK)?.strip_prefix('_')?.split_once('_')?;
    let hex = |part: &str, bytes: usize| part.len() == 2 * bytes && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    (hex(id, ID_BYTES) && hex(secret, SECRET_BYTES)).then(|| (id, Secret::new(secret)))
}

/// True when this is the secret of the hash. Takes tens of milliseconds by design.
pub(super) fn is_secret_of(hash: &str, secret: &Secret) -> bool {
    let Ok(parsed) = PasswordHash::new(hash) else { return false };
    Argon2::default().verify_password(secret.expose().as_bytes(), &parsed).is_ok()
}

/// So many random bytes, in hexadecimal digits.
pub(super) fn random_hex<const BYTES: usize>() -> Result<Secret, getrandom::Error> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes)?;
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    Ok(Secret::new(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_again_and_its_neighbour_is_not() {
        let [one, other] =
            ["a", "b"].map(|name| MintedToken::new(name, Scope::Run, Timestamp::UNIX_EPOCH, None).unwrap());
        let (id, secret) = parts(one.text.expose()).unwrap();
        assert_eq!(id, one.record.id);
        assert!(is_secret_of(&one.record.hash, &secret) && !is_secret_of(&other.record.hash, &secret));
        assert!(!is_secret_of("no hash", &secret));
        assert!(!format!("{one:?}").contains(secret.expose()), "a token is printed");
        assert!(!one.record.hash.contains(secret.expose()) && one.record.hash.starts_with("$argon2id$"));
    }

    #[test]
    fn what_has_not_the_form_of_a_token_is_none() {
        let check = |text: &str| assert!(parts(text).is_none(), "{text}");
        for text in ["", "tapw", "tapw_", "tapw__", "tapw_0123456789ab_", "0123456789ab_00", "tapw_0123456789ab_zz"] {
            check(text);
        }
        check(&format!("tapw_0123456789ab_{}", "g".repeat(64)));
        check(&format!("tapw_0123456789ab_{}0", "0".repeat(64)));
        assert!(parts(&format!("tapw_0123456789ab_{}", "0".repeat(64))).is_some());
    }
}
