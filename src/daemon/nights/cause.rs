//! What went wrong in a night, by cause: runs that ended for the same reason are one thing to look at.

use super::cell::{Cell, Outcome};
use crate::store::RunRecord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// Words behind a number that make it one of this run only.
const UNITS: [&str; 9] = ["ms", "s", "seconds", "bytes", "KiB", "MiB", "KB", "MB", "times"];
/// Words before such a number.
const COUNTED: [&str; 3] = ["attempt", "pid", "process"];
/// Shortest row of hexadecimal digits that is an id.
const ID: usize = 12;

/// A reason without what differs from run to run: ids, durations, counts of bytes, attempts.
fn without_chance(reason: &str) -> String {
    let words: Vec<&str> = reason.split(' ').collect();
    let bare =
        |at: usize| words.get(at).map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).unwrap_or_default();
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let is_chance = |at: usize| {
        let word = bare(at);
        let before = at.checked_sub(1).map(bare).unwrap_or_default();
        let glued = UNITS.iter().any(|unit| word.strip_suffix(unit).is_some_and(is_number));
        let id = word.len() >= ID && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        glued || id || is_number(word) && (UNITS.contains(&bare(at + 1)) || COUNTED.contains(&before))
    };
    let told = words.iter().enumerate().map(|(at, word)| {
        let bare = bare(at);
        if is_chance(at) { word.replacen(bare, "…", 1) } else { (*word).to_owned() }
    });
    told.collect::<Vec<_>>().join(" ")
}

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
    text = without_chance(&text);
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
    fn what_differs_by_chance_is_left_out_and_what_the_app_shows_is_not() {
        let check = |reason: &str, expected: &str| assert_eq!(without_chance(reason), expected);
        check("not there after 3.2 s, in attempt 2", "not there after … s, in attempt …");
        check("took 45ms; run 0199aa3e-1c2d-7000-8000-000000000000 ended", "took …; run … ended");
        check("expected visible: 20 points", "expected visible: 20 points");
        check("IllegalStateException at Main:42", "IllegalStateException at Main:42");
        check("", "");
    }

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
        assert_eq!(causes[3].key.text, "the device: storage full (… bytes left)");
    }
}
