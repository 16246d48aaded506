//! Inspection (XUAT-Copilot §3.4.6): is the step done? Judged from what is left to do, and from how well the next step
//! fits the screen compared with the current one.

use crate::device::Seen;
use crate::domain::Action;
use crate::ranking::{Ranked, Weights};

/// What the inspection looks at.
pub(super) struct Evidence<'a> {
    /// The screen the action was chosen on.
    pub before: &'a Seen,
    /// The screen it led to.
    pub after: &'a Seen,
    /// The action.
    pub action: &'a Action,
    /// Fields of this step that are still to be filled.
    pub pending: usize,
    /// Set when the screen shows the state the step asks for.
    pub satisfied: Option<String>,
    /// The current step's ranking on the new screen.
    pub current: &'a [Ranked],
    /// The next step's ranking on the new screen; `None` for the last step.
    pub next: Option<&'a [Ranked]>,
    /// All expectations of the case hold on the new screen; `None` when it has none, or more steps follow.
    pub goal: Option<bool>,
}

/// Done or not, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inspection {
    /// The step is done.
    pub done: bool,
    /// What shows it.
    pub reason: String,
}

/// A current step that fits the new screen this well has something left to do there.
const CLEARLY_MORE: f32 = 0.78;

/// Judges the step.
pub(super) fn inspect(evidence: &Evidence<'_>, weights: &Weights) -> Inspection {
    let verdict = |done, reason: String| Inspection { done, reason };
    if evidence.pending > 0 {
        return verdict(false, format!("{} to be filled in", fields(evidence.pending)));
    }
    if matches!(evidence.action, Action::Scroll { .. } | Action::Wait { .. }) {
        return verdict(false, "looked further".into());
    }
    if let Some(reason) = &evidence.satisfied {
        return verdict(true, reason.clone());
    }
    if evidence.goal == Some(true) {
        return verdict(true, "everything expected is on the screen".into());
    }
    let moved = evidence.before.screen.fingerprint != evidence.after.screen.fingerprint;
    let current = best(evidence.current);
    let Some(next) = evidence.next else {
        return if current >= CLEARLY_MORE {
            verdict(false, format!("the step still fits the screen ({current:.2})"))
        } else {
            verdict(true, format!("nothing on the screen fits the step any more ({current:.2})"))
        };
    };
    let next = best(next);
    if next >= current {
        return verdict(true, format!("the next step fits the screen better ({next:.2} against {current:.2})"));
    }
    if current < weights.nothing_fits {
        return verdict(true, format!("nothing on the screen fits the step any more ({current:.2})"));
    }
    if moved && current < CLEARLY_MORE && next >= weights.nothing_fits {
        return verdict(true, format!("the screen moved on and the next step fits it ({next:.2})"));
    }
    verdict(false, format!("the step still fits the screen better than the next ({current:.2} against {next:.2})"))
}

fn fields(n: usize) -> String {
    if n == 1 { "a field is left".into() } else { format!("{n} fields are left") }
}

/// Score of the best candidate that is about something on the screen; scrolling and going back are always possible and
/// tell nothing.
fn best(ranked: &[Ranked]) -> f32 {
    ranked
        .iter()
        .find(|ranked| !matches!(ranked.candidate.action, Action::Scroll { .. } | Action::PressBack))
        .map_or(f32::NEG_INFINITY, |ranked| ranked.score)
}
