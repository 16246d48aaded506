//! Tells followers of a run that there is something new to read.
//!
//! Only the news travels here, never the event: a follower reads events from the store at its own pace. So replayed and
//! live events take one path, none is lost or doubled between the two, and a follower that is slow or gone costs a run
//! nothing.

use crate::domain::RunId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Who follows which run.
#[derive(Debug, Default)]
pub(super) struct EventNews {
    followed: Mutex<HashMap<RunId, watch::Sender<()>>>,
}

impl EventNews {
    /// Hears of everything that happens to the run from now on. Subscribe first, then read the store.
    pub(super) fn follow(&self, run_id: &RunId) -> watch::Receiver<()> {
        self.followed().entry(run_id.clone()).or_insert_with(|| watch::Sender::new(())).subscribe()
    }

    /// Something new about the run is in the store.
    pub(super) fn announce(&self, run_id: &RunId) {
        let mut followed = self.followed();
        if followed.get(run_id).is_some_and(|sender| sender.send(()).is_err()) {
            followed.remove(run_id);
        }
    }

    fn followed(&self) -> MutexGuard<'_, HashMap<RunId, watch::Sender<()>>> {
        // The map is whole after every statement, so a panic elsewhere does not spoil it.
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn news_between_subscribing_and_waiting_are_not_missed() {
        let news = EventNews::default();
        let (here, other) = (RunId::from("here"), RunId::from("other"));
        let mut follower = news.follow(&here);
        news.announce(&other);
        assert!(!follower.has_changed().unwrap());
        news.announce(&here);
        follower.changed().await.unwrap();
    }

    #[test]
    fn runs_nobody_follows_any_more_are_forgotten() {
        let news = EventNews::default();
        let run = RunId::from("r");
        drop(news.follow(&run));
        news.announce(&run);
        assert!(news.followed().is_empty());
        let _again = news.follow(&run);
        assert_eq!(news.followed().len(), 1);
    }
}
