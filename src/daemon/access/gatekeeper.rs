//! Lets callers in, or says why not.

use super::rate::{Rate, per_minute, per_second};
use super::session::{NewSession, Print, Sessions, print_of};
use super::token::{is_secret_of, parts};
use crate::daemon::desk::now;
use crate::domain::Secret;
use crate::store::{Scope, Store, StoreError, TokenRecord};
use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// At least one.
const fn times(number: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(number.saturating_sub(1))
}

/// Requests a second of one token in the long run, and at once.
const OF_TOKEN: (NonZeroU32, NonZeroU32) = (times(50), times(400));
/// Requests a second without a token from one address, and at once.
const OF_STRANGER: (NonZeroU32, NonZeroU32) = (times(10), times(60));
/// Tokens and cookies that open nothing, a minute from one address.
const MISSES: NonZeroU32 = times(10);
/// Argon2 at once: each takes 19 MiB.
const HASHING: usize = 2;
/// Secrets that were found right and are remembered by their digest.
const REMEMBERED: usize = 1_000;

/// What a daemon asks of its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::daemon) enum Access {
    /// Nothing: only this machine reaches it.
    #[default]
    Local,
    /// A token.
    Tokens,
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::daemon) struct Caller {
    /// The token's name, `local` without tokens.
    pub(in crate::daemon) name: String,
    /// What they may do.
    pub(in crate::daemon) scope: Scope,
}

/// What a request brings along to be let in.
#[derive(Debug, Default)]
pub(in crate::daemon) struct Credentials {
    /// Of `Authorization: Bearer`.
    pub(in crate::daemon) bearer: Option<Secret>,
    /// The session's cookie.
    pub(in crate::daemon) cookie: Option<Secret>,
    /// What shows that the page itself asks; needed beside a cookie where something is changed.
    pub(in crate::daemon) csrf: Option<Secret>,
}

/// Why a request is not let in.
#[derive(Debug, thiserror::Error)]
pub(in crate::daemon) enum Refusal {
    /// It brought nothing along.
    #[error(
        "this daemon asks for a token: send `Authorization: Bearer tapw_…`, or sign in at / (an administrator makes one with `tapwright token create`)"
    )]
    NoToken,
    /// What it brought along opens nothing.
    #[error(
        "the token is unknown, has ended or was taken back: ask an administrator for a new one (`tapwright token create`)"
    )]
    WrongToken,
    /// The cookie came without what shows that the page itself asks.
    #[error(
        "a request with a session's cookie that changes something must carry the header x-tapwright-csrf of that session"
    )]
    NoCsrf,
    /// Too often.
    #[error("too many requests; try again in {} s", .0.as_secs() + 1)]
    TooOften(Duration),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system gave no random bytes, or a task fell over.
    #[error("callers cannot be told apart now: {0}")]
    Broken(String),
}

/// Knows who may come in.
pub(in crate::daemon) struct Gatekeeper {
    access: Access,
    store: Arc<dyn Store>,
    sessions: Sessions,
    /// Digests of secrets that were found right, with their token's id: Argon2 is for the first time only.
    known: Mutex<HashMap<Print, String>>,
    of_token: Rate<String>,
    of_stranger: Rate<IpAddr>,
    misses: Rate<IpAddr>,
    hashing: Semaphore,
}

impl Gatekeeper {
    pub(in crate::daemon) fn new(access: Access, store: Arc<dyn Store>) -> Self {
        Self {
            access,
            store,
            sessions: Sessions::default(),
            known: Mutex::default(),
            of_token: Rate::new(per_second(OF_TOKEN.0, OF_TOKEN.1)),
            of_stranger: Rate::new(per_second(OF_STRANGER.0, OF_STRANGER.1)),
            misses: Rate::new(per_minute(MISSES)),
            hashing: Semaphore::new(HASHING),
        }
    }

    pub(in crate::daemon) const fn access(&self) -> Access {
        self.access
    }

    /// Counts a request that needs no token.
    pub(in crate::daemon) fn admit_stranger(&self, peer: IpAddr) -> Result<(), Refusal> {
        match self.access {
            Access::Local => Ok(()),
            Access::Tokens => self.of_stranger.count(&peer).map_err(Refusal::TooOften),
        }
    }

    /// Who asks. `changes`: whether the request is one that changes something.
    pub(in crate::daemon) async fn admit(
        &self,
        credentials: &Credentials,
        peer: IpAddr,
        changes: Changes,
    ) -> Result<Caller, Refusal> {
        if self.access == Access::Local {
            return Ok(Caller { name: "local".to_owned(), scope: Scope::Admin });
        }
        let token = if let Some(bearer) = &credentials.bearer {
            self.of_bearer(bearer, peer).await?
        } else if let Some(cookie) = &credentials.cookie {
            let Some((id, csrf)) = self.sessions.of(cookie.expose(), now()) else { return Err(self.missed(peer)) };
            // Compared by digest: the time it takes tells nothing.
            let shown = credentials.csrf.as_ref().map(|shown| print_of(shown.expose()));
            if changes == Changes::Something && shown != Some(print_of(csrf.expose())) {
                return Err(Refusal::NoCsrf);
            }
            self.valid(&id).await?.ok_or_else(|| self.missed(peer))?
        } else {
            self.admit_stranger(peer)?;
            return Err(Refusal::NoToken);
        };
        self.of_token.count(&token.id).map_err(Refusal::TooOften)?;
        Ok(Caller { name: token.name, scope: token.scope })
    }

    /// Signs a browser in.
    pub(in crate::daemon) async fn begin(&self, text: &Secret, peer: IpAddr) -> Result<NewSession, Refusal> {
        let token = self.of_bearer(text, peer).await?;
        self.sessions.begin(&token.id, now()).map_err(|error| Refusal::Broken(error.to_string()))
    }

    /// Signs a browser out.
    pub(in crate::daemon) fn end(&self, cookie: &Secret) {
        self.sessions.end(cookie.expose());
    }

    /// The second value of the session with this cookie.
    pub(in crate::daemon) fn csrf_of(&self, cookie: &Secret) -> Option<Secret> {
        self.sessions.of(cookie.expose(), now()).map(|(_, csrf)| csrf)
    }

    async fn of_bearer(&self, bearer: &Secret, peer: IpAddr) -> Result<TokenRecord, Refusal> {
        let Some((id, secret)) = parts(bearer.expose()) else { return Err(self.missed(peer)) };
        // Whoever guesses is slowed down before Argon2 is.
        let Some(token) = self.valid(id).await? else { return Err(self.missed(peer)) };
        let print = print_of(bearer.expose());
        if self.known().get(&print) == Some(&token.id) {
            return Ok(token);
        }
        // Argon2 is dear: a secret seen for the first time counts as a miss, right or wrong.
        self.misses.count(&peer).map_err(Refusal::TooOften)?;
        let broken = |error: &dyn std::fmt::Display| Refusal::Broken(error.to_string());
        let turn = self.hashing.acquire().await.map_err(|error| broken(&error))?;
        let hash = token.hash.clone();
        let checked = tokio::task::spawn_blocking(move || is_secret_of(&hash, &secret)).await;
        drop(turn);
        if !checked.map_err(|error| broken(&error))? {
            return Err(Refusal::WrongToken);
        }
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(print, token.id.clone());
        Ok(token)
    }

    /// The token, while it opens anything; read each time, so that one taken back ends at once.
    async fn valid(&self, id: &str) -> Result<Option<TokenRecord>, StoreError> {
        Ok(self.store.token(id).await?.filter(|token| token.is_valid(now())))
    }

    /// A token that opens nothing; too many from one address are not even looked at.
    fn missed(&self, peer: IpAddr) -> Refusal {
        match self.misses.count(&peer) {
            Ok(()) => Refusal::WrongToken,
            Err(wait) => Refusal::TooOften(wait),
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Print, String>> {
        // The map is whole after every statement.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a request changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::daemon) enum Changes {
    Something,
    Nothing,
}
