//! In what order cases are begun: so that all devices end at about the same time, or so that a failure is known soon.

use crate::domain::Verdict;
use crate::run::PastRun;

/// What earlier runs of a case say.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Past {
    /// How many runs are known.
    pub runs: usize,
    /// Share of them that did not pass, from 0 to 1.
    pub failure_rate: f64,
    /// How long one takes, the middle one of them.
    pub seconds: f64,
}

impl Past {
    /// Sums runs up. Trouble of the infrastructure says nothing of the case.
    pub fn of(runs: &[PastRun]) -> Option<Self> {
        let told: Vec<&PastRun> = runs.iter().filter(|run| run.verdict != Verdict::Error).collect();
        let mut times: Vec<f64> = told.iter().map(|run| run.seconds).filter(|seconds| seconds.is_finite()).collect();
        times.sort_by(f64::total_cmp);
        let seconds = *times.get(times.len() / 2)?;
        let bad = told.iter().filter(|run| run.verdict != Verdict::Passed).count();
        Some(Self { runs: told.len(), failure_rate: bad as f64 / told.len() as f64, seconds })
    }
}

/// What is known of a case before it is begun.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outlook {
    /// What earlier runs say; `None` where there was none.
    pub past: Option<Past>,
    /// Actions of its script; `None` where it has none, so that the agent decides, which takes longer.
    pub actions: Option<usize>,
}

/// What the order is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordering {
    /// The whole selection in the shortest time: what takes long begins first, and what failed lately takes longer, for it
    /// may be tried again.
    ShortestTime,
    /// The first failure soon: what failed most often begins first, the short ones of them before the long ones.
    EarlyFailure,
}

/// The order of cases by their places in `outlooks`. What is new is begun first: nobody knows how long it takes, and it has
/// never passed. Of what is new, that without a script comes first, then the longest scripts.
pub fn order(outlooks: &[Outlook], ordering: Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..outlooks.len()).collect();
    let key = |place: &usize| {
        let Outlook { past, actions } = outlooks.get(*place).copied().unwrap_or_default();
        match (past, ordering) {
            (None, _) => (f64::INFINITY, actions.map_or(f64::INFINITY, |actions| actions as f64)),
            (Some(past), Ordering::ShortestTime) => (past.seconds * (1.0 + past.failure_rate), 0.0),
            (Some(past), Ordering::EarlyFailure) => (past.failure_rate, -past.seconds),
        }
    };
    places.sort_by(|one, other| {
        let (one, other) = (key(one), key(other));
        other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(told: &[(Verdict, f64)]) -> Vec<PastRun> {
        told.iter().map(|(verdict, seconds)| PastRun { verdict: *verdict, seconds: *seconds }).collect()
    }

    #[test]
    fn the_past_is_the_middle_time_and_the_share_that_did_not_pass() {
        use Verdict::{Blocked, Error, Failed, Passed};
        for (told, expected) in [
            (runs(&[]), None),
            (runs(&[(Error, 90.0)]), None),
            (runs(&[(Passed, 4.0)]), Some((1, 0.0, 4.0))),
            (runs(&[(Passed, 4.0), (Failed, 60.0), (Blocked, 5.0), (Error, 1.0), (Passed, 6.0)]), Some((4, 0.5, 6.0))),
            (runs(&[(Passed, f64::NAN)]), None),
        ] {
            let past = Past::of(&told).map(|past| (past.runs, past.failure_rate, past.seconds));
            assert_eq!(past, expected, "{told:?}");
        }
    }

    #[test]
    fn long_ones_come_first_for_the_whole_and_failing_ones_for_the_first_failure() {
        let past = |failure_rate: f64, seconds: f64| Outlook {
            past: Some(Past { runs: 4, failure_rate, seconds }),
            actions: Some(3),
        };
        let new = |actions: Option<usize>| Outlook { past: None, actions };
        let outlooks = [past(0.0, 10.0), past(0.0, 30.0), past(1.0, 20.0), new(None), past(0.5, 4.0), past(1.0, 5.0)];
        assert_eq!(order(&outlooks, Ordering::ShortestTime), [3, 2, 1, 0, 5, 4]);
        assert_eq!(order(&outlooks, Ordering::EarlyFailure), [3, 5, 2, 4, 0, 1]);
        let fresh = [new(None), new(None)];
        assert_eq!(order(&fresh, Ordering::EarlyFailure), [0, 1], "the order asked for where nothing is known");
        let scripted = [new(Some(2)), new(Some(9)), new(None), past(0.0, 90.0)];
        for ordering in [Ordering::ShortestTime, Ordering::EarlyFailure] {
            assert_eq!(
                order(&scripted, ordering),
                [2, 1, 0, 3],
                "{ordering:?}: no script, the longer script, the shorter"
            );
        }
    }
}
