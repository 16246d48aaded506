//! Who may use the daemon, and who did what: tokens and the audit log.

use super::StoreError;
use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a token allows; each allows what those before it allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Look at everything.
    Read,
    /// Hand in runs and nights, call them off, judge proposals.
    Run,
    /// Change schedules, release devices, read the audit log.
    Admin,
}

impl Scope {
    /// Every scope, the least first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Run, Self::Admin];

    /// As it is written in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Run => "run",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no scope: expected read, run or admin")]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == word).ok_or_else(|| UnknownScope(word.to_owned()))
    }
}

/// A token as the store keeps it: never the secret itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    /// The part of it that may be shown.
    pub id: String,
    /// Whose it is, in a person's words; several may have one name, as while one is replaced.
    pub name: String,
    /// What it allows.
    pub scope: Scope,
    /// The secret's Argon2 hash, in PHC form.
    pub hash: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Option<Timestamp>,
    /// When somebody took it back.
    pub revoked_at: Option<Timestamp>,
}

impl TokenRecord {
    /// True while it opens anything.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// One line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEntry {
    /// Its number, from 1; 0 before it is stored.
    pub number: i64,
    /// When, in UTC.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The token's name, `local` on loopback without tokens, `nobody` where the token opened nothing.
    pub actor: String,
    /// The address it came from.
    pub peer: String,
    /// Method and path.
    pub action: String,
    /// HTTP status of the answer.
    pub status: u16,
    /// Why it was refused; empty where it was not.
    pub detail: String,
}

/// Tokens and the audit log.
#[async_trait]
pub trait AccessStore: Send + Sync {
    /// Keeps a new token.
    async fn add_token(&self, token: TokenRecord) -> Result<(), StoreError>;

    /// All tokens, the oldest first, those that are worth nothing too.
    async fn tokens(&self) -> Result<Vec<TokenRecord>, StoreError>;

    /// The token with this id.
    async fn token(&self, id: &str) -> Result<Option<TokenRecord>, StoreError>;

    /// The token ends at `at`, unless it ends before; false where there is none.
    async fn expire_token(&self, id: &str, at: Timestamp) -> Result<bool, StoreError>;

    /// Takes a token back; false where there is none or it was taken back before.
    async fn revoke_token(&self, id: &str, at: Timestamp) -> Result<bool, StoreError>;

    /// Adds a line to the audit log.
    async fn append_audit(&self, entry: AuditEntry) -> Result<(), StoreError>;

    /// At most `limit` lines before the one with number `before`, the latest first.
    async fn audit(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>, StoreError>;

    /// Removes all but the latest `keep` lines, and gives how many went.
    async fn trim_audit(&self, keep: u32) -> Result<u64, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_in_order_and_read_back_from_their_words() {
        assert!(Scope::Read < Scope::Run && Scope::Run < Scope::Admin);
        for scope in Scope::ALL {
            assert_eq!(scope.as_str().parse(), Ok(scope));
        }
        assert!("root".parse::<Scope>().is_err());
    }
}
