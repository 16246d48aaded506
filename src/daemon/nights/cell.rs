//! A night's cells: each case on each profile in each language, with all its tries.

use crate::domain::Verdict;
use crate::store::{RunRecord, RunState, Tally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Failed in the last try.
    Failed,
    /// Blocked in the last try.
    Blocked,
    /// Ended as an error in the last try.
    Error,
    /// Passed, and not at the first try.
    Flaky,
    /// Passed at the first try, after its script was repaired: somebody reviews the proposal.
    Repaired,
    /// Not ended.
    Open,
    /// Called off.
    Cancelled,
    /// Passed at the first try.
    Passed,
}

/// Where a cell is in the night.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellKey {
    pub(super) case_id: String,
    pub(super) profile: Option<String>,
    pub(super) locale: Option<String>,
    pub(super) location: Option<String>,
}

/// A cell with its tries, the first one first.
#[derive(Debug)]
pub(super) struct Cell<'a> {
    pub(super) key: CellKey,
    pub(super) tries: Vec<&'a RunRecord>,
}

impl Cell<'_> {
    /// The latest try.
    pub(super) fn last(&self) -> Option<&RunRecord> {
        self.tries.last().copied()
    }

    pub(super) fn outcome(&self) -> Outcome {
        let Some(last) = self.last() else { return Outcome::Open };
        match (last.state, last.verdict) {
            (RunState::Cancelled, _) => Outcome::Cancelled,
            (RunState::Finished, Some(Verdict::Passed)) if self.tries.len() > 1 => Outcome::Flaky,
            (RunState::Finished, Some(Verdict::Passed)) if is_repaired(last) => Outcome::Repaired,
            (RunState::Finished, Some(Verdict::Passed)) => Outcome::Passed,
            (RunState::Finished, Some(Verdict::Failed)) => Outcome::Failed,
            (RunState::Finished, Some(Verdict::Blocked)) => Outcome::Blocked,
            (RunState::Finished, _) => Outcome::Error,
            _ => Outcome::Open,
        }
    }

    /// True when it is to be tried once more.
    pub(super) fn wants_another(&self, retries: u32) -> bool {
        let bad = matches!(self.outcome(), Outcome::Failed | Outcome::Blocked | Outcome::Error);
        bad && self.tries.len() <= retries as usize
    }
}

/// The cells of a night's runs, by case, profile, language and place.
pub(super) fn cells(runs: &[RunRecord]) -> Vec<Cell<'_>> {
    let mut by_key: BTreeMap<CellKey, Vec<&RunRecord>> = BTreeMap::new();
    for run in runs {
        by_key.entry(key_of(run)).or_default().push(run);
    }
    let tried = |run: &&RunRecord| run.place.as_ref().map_or(1, |place| place.tried);
    let cell = |(key, mut tries): (CellKey, Vec<_>)| {
        tries.sort_by_key(tried);
        Cell { key, tries }
    };
    by_key.into_iter().map(cell).collect()
}

pub(super) fn key_of(run: &RunRecord) -> CellKey {
    let place = run.place.as_ref();
    CellKey {
        case_id: run.case_id().as_str().to_owned(),
        profile: place.and_then(|place| place.profile.clone()),
        locale: place.and_then(|place| place.locale.clone()),
        location: place.and_then(|place| place.location.clone()),
    }
}

fn is_repaired(run: &RunRecord) -> bool {
    run.result.as_ref().is_some_and(|result| result.repaired)
}

/// How many cells stand how.
pub(super) fn tally(cells: &[Cell<'_>]) -> Tally {
    let count = |wanted: Outcome| {
        u32::try_from(cells.iter().filter(|cell| cell.outcome() == wanted).count()).unwrap_or(u32::MAX)
    };
    Tally {
        passed: count(Outcome::Passed),
        flaky: count(Outcome::Flaky),
        repaired: count(Outcome::Repaired),
        failed: count(Outcome::Failed),
        blocked: count(Outcome::Blocked),
        error: count(Outcome::Error),
        cancelled: count(Outcome::Cancelled),
        open: count(Outcome::Open),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::{CaseId, RunId, RunResult};
    use crate::run::RunRequest;
    use crate::store::{Place, sample_result};
    use jiff::Timestamp;

    /// A try of a cell of the profile, with its end; `None` for one that waits.
    pub(in super::super) fn tried(case_id: &str, profile: &str, tried: u32, end: Option<(Verdict, &str)>) -> RunRecord {
        let request = RunRequest {
            case_id: CaseId::new(case_id).unwrap(),
            device: None,
            actors: [].into(),
            params: [].into(),
            seed: 0,
            location: None,
        };
        let place = Place {
            batch_id: "n".into(),
            profile: Some(profile.into()),
            locale: None,
            location: None,
            tried,
            at_most: None,
            quiet: None,
            give_up_at: Timestamp::UNIX_EPOCH,
        };
        RunRecord {
            run_id: RunId::new(format!("{case_id}-{profile}-{tried}")),
            state: if end.is_some() { RunState::Finished } else { RunState::Queued },
            request,
            params_withheld: false,
            priority: 0,
            attempts: 1,
            interruptions: 0,
            device: Some("d1".into()),
            verdict: end.map(|(verdict, _)| verdict),
            reason: end.map(|(_, reason)| reason.to_owned()).unwrap_or_default(),
            result: None,
            created_at: Timestamp::UNIX_EPOCH,
            started_at: Some(Timestamp::UNIX_EPOCH),
            finished_at: end.map(|_| Timestamp::from_second(3).unwrap()),
            place: Some(place),
            host: None,
            cancel_requested: false,
            damage: None,
        }
    }

    #[test]
    fn a_cell_stands_as_its_last_try_and_is_flaky_where_that_is_not_its_first() {
        let [passed, failed] = [Some((Verdict::Passed, "")), Some((Verdict::Failed, "x"))];
        let check = |ends: &[Option<(Verdict, &str)>], expected: Outcome, again: bool| {
            let tries = ends.iter().zip(1..).map(|(end, number)| tried("A", "p", number, *end));
            let mut runs: Vec<RunRecord> = tries.collect();
            runs.reverse();
            let cells = cells(&runs);
            assert_eq!((cells.len(), cells[0].outcome()), (1, expected), "{ends:?}");
            assert_eq!(cells[0].wants_another(1), again, "{ends:?}");
        };
        check(&[passed], Outcome::Passed, false);
        check(&[failed], Outcome::Failed, true);
        check(&[failed, passed], Outcome::Flaky, false);
        check(&[failed, failed], Outcome::Failed, false);
        check(&[failed, None], Outcome::Open, false);
        check(&[Some((Verdict::Blocked, ""))], Outcome::Blocked, true);
        check(&[Some((Verdict::Error, ""))], Outcome::Error, true);
    }

    #[test]
    fn what_passes_after_a_repair_is_to_be_reviewed_and_nothing_is_broken() {
        for (repaired, expected) in [(true, Outcome::Repaired), (false, Outcome::Passed)] {
            let mut run = tried("A", "p", 1, Some((Verdict::Passed, "")));
            run.result = Some(RunResult { repaired, ..sample_result(run.run_id.as_str(), Verdict::Passed) });
            let runs = [run];
            let cells = cells(&runs);
            assert_eq!((cells[0].outcome(), cells[0].wants_another(3)), (expected, false));
            assert_eq!(tally(&cells).repaired, u32::from(repaired));
        }
    }

    #[test]
    fn each_profile_is_a_cell_of_its_own() {
        let passed = Some((Verdict::Passed, ""));
        let runs = [tried("A", "p", 1, passed), tried("A", "q", 1, None), tried("B", "p", 1, passed)];
        let tally = tally(&cells(&runs));
        assert_eq!((tally.passed, tally.open), (2, 1));
    }
}
