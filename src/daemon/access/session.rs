//! Sessions of browsers: a cookie in place of the token, and a second value that only the page itself can know.

use super::token::random_hex;
use crate::domain::Secret;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hours until somebody has to sign in again.
const HOURS: i64 = 12;
/// Sessions at once; the oldest goes.
const MOST: usize = 1_000;
/// Random bytes of a session's name and of its second value.
const BYTES: usize = 32;

/// The digest under which a secret is looked up: what is in memory opens nothing.
pub(super) type Print = [u8; 32];

/// The digest of a secret.
pub(super) fn print_of(secret: &str) -> Print {
    Sha256::digest(secret.as_bytes()).into()
}

/// A session as its browser gets it.
#[derive(Debug)]
pub(in crate::daemon) struct NewSession {
    /// The cookie's value.
    pub(in crate::daemon) cookie: Secret,
    /// Seconds until it ends.
    pub(in crate::daemon) seconds: i64,
}

struct Session {
    token_id: String,
    csrf: Secret,
    until: Timestamp,
}

/// All sessions; they end with the process.
#[derive(Default)]
pub(super) struct Sessions {
    open: Mutex<HashMap<Print, Session>>,
}

impl Sessions {
    /// A session for a token.
    pub(super) fn begin(&self, token_id: &str, now: Timestamp) -> Result<NewSession, getrandom::Error> {
        let (cookie, csrf) = (random_hex::<BYTES>()?, random_hex::<BYTES>()?);
        let until = now + SignedDuration::from_hours(HOURS);
        let mut open = self.open();
        open.retain(|_, session| now < session.until);
        if open.len() >= MOST
            && let Some(oldest) = open.iter().min_by_key(|(_, session)| session.until).map(|(print, _)| *print)
        {
            open.remove(&oldest);
        }
        let session = Session { token_id: token_id.to_owned(), csrf, until };
        open.insert(print_of(cookie.expose()), session);
        Ok(NewSession { cookie, seconds: HOURS * 3600 })
    }

    /// The token and the second value of the session with this cookie.
    pub(super) fn of(&self, cookie: &str, now: Timestamp) -> Option<(String, Secret)> {
        let open = self.open();
        let session = open.get(&print_of(cookie)).filter(|session| now < session.until)?;
        Some((session.token_id.clone(), session.csrf.clone()))
    }

    /// Ends a session.
    pub(super) fn end(&self, cookie: &str) {
        self.open().remove(&print_of(cookie));
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Print, Session>> {
        // The map is whole after every statement.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_lasts_its_time_and_ends_when_told() {
        let sessions = Sessions::default();
        let begun = Timestamp::UNIX_EPOCH;
        let session = sessions.begin("t1", begun).unwrap();
        let cookie = session.cookie.expose();
        assert!(sessions.of(cookie, begun).is_some_and(|(id, csrf)| id == "t1" && csrf.expose() != cookie));
        assert_eq!(sessions.of("other", begun), None);
        assert_eq!(sessions.of(cookie, begun + SignedDuration::from_secs(session.seconds)), None);
        sessions.end(cookie);
        assert_eq!(sessions.of(cookie, begun), None);
    }

    #[test]
    fn there_are_only_so_many_sessions() {
        let sessions = Sessions::default();
        let first = sessions.begin("t", Timestamp::UNIX_EPOCH).unwrap();
        for second in 0..1_000 {
            sessions.begin("t", Timestamp::from_second(second + 1).unwrap()).unwrap();
        }
        assert_eq!(sessions.open().len(), MOST);
        assert_eq!(sessions.of(first.cookie.expose(), Timestamp::UNIX_EPOCH), None);
    }
}
