//! What went wrong in a night, by cause: runs that ended for the same reason are one thing to look at.

use super::cell::{Cell, Outcome};
use crate::store::RunRecord;
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Of what kind a cause is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CauseKind {
    /// The app crashed or hung.
    Crash,
    /// Something expected was not there.
    Expectation,
    /// A step could not be carried out.
    Step,
    /// Infrastructure failed.
    Device,
}

/// What tells causes apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CauseKey {
    pub(super) kind: CauseKind,
    /// The reason without what differs from run to run.
    pub(super) text: String,
}

/// Runs of one cause.
#[derive(Debug)]
pub(super) struct Cause<'a> {
    pub(super) key: CauseKey,
    /// The reason as the first run tells it.
    pub(super) reason: String,
    pub(super) cells: Vec<&'a Cell<'a>>,
}

/// What differs from run to run: ids, durations, counts of bytes, attempts, ports.
static CHANCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x) [0-9a-f]{8}-[0-9a-f-]{27} | \b\d+(?:\.\d+)?\s?(?:ms|s|KiB|MiB|bytes)\b | \b(?:attempt|pid|process)\s\d+ | 0x[0-9a-f]+ ",
    )
    .ok()
});

/// The causes of a night's bad cells: crashes first, then by kind, those of most cells first.
pub(super) fn causes<'a>(cells: &'a [Cell<'a>]) -> Vec<Cause<'a>> {
    let mut found: BTreeMap<CauseKey, Cause<'a>> = BTreeMap::new();
    for cell in cells {
        let Some(last) = cell.last().filter(|_| is_bad(cell.outcome())) else { continue };
        let key = key_of(last, cell.outcome());
        let cause = found.entry(key.clone());
        let new = || Cause { key, reason: last.reason.clone(), cells: Vec::new() };
        cause.or_insert_with(new).cells.push(cell);
    }
    let mut causes: Vec<Cause<'_>> = found.into_values().collect();
    causes.sort_by_key(|cause| (cause.key.kind, std::cmp::Reverse(cause.cells.len())));
    causes
}

const fn is_bad(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Failed | Outcome::Blocked | Outcome::Error)
}

fn key_of(run: &RunRecord, outcome: Outcome) -> CauseKey {
    let mut text = run.reason.clone();
    if let Some(device) = &run.device {
        text = text.replace(device.as_str(), "the device");
    }
    if let Some(chance) = CHANCE.as_ref() {
        text = chance.replace_all(&text, "…").into_owned();
    }
    let lower = text.to_lowercase();
    let crash = ["crash", "exception", "not responding", "anr "].iter().any(|word| lower.contains(word));
    let kind = match outcome {
        Outcome::Error => CauseKind::Device,
        _ if crash => CauseKind::Crash,
        Outcome::Failed => CauseKind::Expectation,
        _ => CauseKind::Step,
    };
    CauseKey { kind, text }
}

#[cfg(test)]
mod tests {
    use super::super::cell::cells;
    use super::super::cell::tests::tried;
    use super::*;
    use crate::domain::Verdict;

    #[test]
    fn runs_that_ended_for_the_same_reason_are_one_cause() {
        let end = |verdict, reason| Some((verdict, reason));
        let runs = [
            tried("A", "p", 1, end(Verdict::Failed, "expected visible: 20 points: not on the screen after 3.2 s")),
            tried("B", "p", 1, end(Verdict::Failed, "expected visible: 20 points: not on the screen after 4 s")),
            tried("C", "p", 1, end(Verdict::Failed, "the app crashed: IllegalStateException at Main:42")),
            tried("D", "p", 1, end(Verdict::Blocked, "step 2 found nothing to touch")),
            tried("E", "p", 1, end(Verdict::Error, "d1: storage full (12 bytes left)")),
            tried("E", "q", 1, end(Verdict::Error, "d1: storage full (70 bytes left)")),
            tried("F", "p", 1, end(Verdict::Passed, "")),
        ];
        let cells = cells(&runs);
        let causes = causes(&cells);
        let told: Vec<_> = causes.iter().map(|cause| (cause.key.kind, cause.cells.len())).collect();
        let expected =
            [(CauseKind::Crash, 1), (CauseKind::Expectation, 2), (CauseKind::Step, 1), (CauseKind::Device, 2)];
        assert_eq!(told, expected);
        assert_eq!(causes[3].key.text, "the device: storage full (… left)");
    }
}
