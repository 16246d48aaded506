//! What a case expects, as the run sees it: what is still missing on a screen, what came of it in the end, and whether a
//! crash stands behind the ending.

use super::executor::{ConnectedDevice, Outcome, Run};
use super::plan::PlannedCase;
use crate::device::{Device, Seen, crash_reason};
use crate::domain::{ActionSource, Expectation, ExpectationOutcome, PackageName, Verdict};
use crate::witness::{self, Witness, WitnessError};

/// Looks for a crash behind an ending: an app that crashed on the way has failed, whatever its last screen shows.
pub(super) async fn blame_crash(device: &dyn Device, outcome: Outcome, package: &PackageName) -> Outcome {
    if outcome.verdict == Verdict::Error {
        return outcome;
    }
    match device.crashes(package).await {
        Ok(crashes) => match crashes.last().map(|report| crash_reason(report)) {
            Some(crash) if !outcome.reason.contains(&crash) => {
                let besides = if outcome.reason.is_empty() { "and went on" } else { &outcome.reason };
                Outcome::new(Verdict::Failed, format!("{crash} ({besides})"))
            }
            _ => outcome,
        },
        // A device that is well and keeps no such log says nothing; one that fails may hide a crash.
        Err(error) if outcome.verdict == Verdict::Passed && !error.is_refusal() => {
            Outcome::new(Verdict::Error, format!("whether the app crashed on the way is not known: {error}"))
        }
        Err(error) => {
            tracing::warn!(%error, "whether the app crashed is not known");
            outcome
        }
    }
}

/// Whether all that the case expects, as far as one look at a hierarchy tells it, holds on a screen; `None` where it expects
/// nothing of that kind. On a screen that was seen in part nothing is known to hold.
pub fn all_expected_holds(case: &PlannedCase, seen: &Seen) -> Option<bool> {
    let mut told = told(case).peekable();
    told.peek()?;
    Some(seen.flaw().is_none() && told.all(|wanted| witness::expect(wanted, &case.secrets, &seen.screen).held))
}

/// What is expected and can be told by looking at one screen.
pub(super) fn told(case: &PlannedCase) -> impl Iterator<Item = &Expectation> {
    case.expectations.iter().filter(|wanted| wanted.is_told_by_hierarchy())
}

/// What the case expects to see, as far as no secret is in it.
pub fn expected_texts(case: &PlannedCase) -> Vec<String> {
    texts_of(case.expectations.iter())
}

/// The texts that expectations wait to see, as far as no secret is in them.
pub(super) fn texts_of<'e>(expectations: impl Iterator<Item = &'e Expectation>) -> Vec<String> {
    let shown = expectations.filter_map(|wanted| wanted.text_to_see().map(str::to_owned));
    shown.filter(|text| !text.contains("${")).collect()
}

impl Run<'_> {
    /// What became of the expectations on one device, with what is scrolled out of sight.
    pub(super) async fn witness(
        &mut self,
        connected: &ConnectedDevice,
        case: &PlannedCase,
        expectations: &[Expectation],
        step: usize,
        seen: &mut Seen,
    ) -> Result<Vec<ExpectationOutcome>, WitnessError> {
        let eyes = connected.eyes(self.mask);
        let witness = Witness {
            eyes: &eyes,
            skills: self.context.skills,
            secrets: &case.secrets,
            patience: connected.patience,
            step,
            source: ActionSource::Agent,
            alone: case.cast.is_empty(),
            pictures: self.recorder.moments(),
        };
        witness.await_all(expectations, seen, &mut self.recorder).await
    }
}
