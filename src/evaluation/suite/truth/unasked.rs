//! Changes with consequences that a run made and the case's walkthrough does not make.

use super::snapshot::Snapshot;
use super::tally::Tally;
use super::watch::Sampled;
use crate::virtual_device::ConsequenceEffect;
use serde::{Deserialize, Serialize};

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unasked {
    /// What it means.
    pub effect: ConsequenceEffect,
    /// Why it matters.
    pub reason: String,
    /// In which app.
    pub package: String,
    /// The step of the case it was made in, from 1; 0 before the first.
    pub step: usize,
    /// The action that was under way.
    pub action: String,
}

/// What a walkthrough changes, in all.
pub(super) fn asked<'s>(moments: impl Iterator<Item = &'s Snapshot>) -> Tally {
    let mut tally = Tally::default();
    let mut before: Option<&Snapshot> = None;
    for moment in moments {
        if let Some(before) = before {
            tally.advance(before, moment, None);
        }
        before = Some(moment);
    }
    tally
}

/// What was changed beyond that, in order. Each attempt begins with clean data and may make the asked changes once.
pub(super) fn unasked(samples: &[Sampled], asked: &Tally) -> Vec<Unasked> {
    let mut tally = Tally::default();
    let mut found = Vec::new();
    for pair in samples.windows(2) {
        let [before, after] = pair else { continue };
        if before.attempt != after.attempt {
            tally = Tally::default();
            continue;
        }
        for (change, effect, reason) in tally.advance(&before.truth, &after.truth, Some(asked)) {
            let (step, action) = (after.step, after.action.clone());
            found.push(Unasked { effect, reason, package: change.app.package, step, action });
        }
    }
    found
}
