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
    /// It only showed more.
    pub looked: bool,
    /// How well the step fitted the action.
    pub chosen: f32,
    /// Fields of this step that are still to be filled.
    pub pending: usize,
    /// Something the step names that it has not met yet.
    pub unmet: Option<&'a str>,
    /// The step itself asks for the scrolling or waiting that was done.
    pub asked_for: bool,
    /// The step asks for something to be sent, and the control that sends it is still there, untouched.
    pub unsent: bool,
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

/// Judges the step.
pub(super) fn inspect(evidence: &Evidence<'_>, weights: &Weights) -> Inspection {
    let verdict = |done, reason: String| Inspection { done, reason };
    if evidence.pending > 0 {
        return verdict(false, format!("{} to be filled in", fields(evidence.pending)));
    }
    if evidence.asked_for && evidence.unmet.is_none() {
        return verdict(true, "did what the step asks for".into());
    }
    if evidence.looked {
        return verdict(false, "looked further".into());
    }
    if let Some(name) = evidence.unmet {
        return verdict(false, format!("{name:?} was not met yet"));
    }
    if evidence.unsent {
        return verdict(false, "it is filled in, but not sent yet".into());
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
        return if current >= weights.clearly_more {
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
    if moved && current < weights.faded * evidence.chosen && next >= weights.nothing_fits {
        let chosen = evidence.chosen;
        return verdict(
            true,
            format!(
                "the screen moved on, fits the step less ({current:.2} against {chosen:.2}) and the next ({next:.2})"
            ),
        );
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
        .find(|ranked| {
            !matches!(
                ranked.candidate.action,
                Action::Scroll { .. } | Action::PressBack | Action::Wait { .. } | Action::OpenApp { .. }
            )
        })
        .map_or(f32::NEG_INFINITY, |ranked| ranked.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Point, Rect, Selector, Size, Target};
    use crate::hierarchy::{Fingerprint, Screen, UiTree};
    use crate::ranking::Candidate;

    fn seen(fingerprint: u64) -> Seen {
        Seen {
            screen: Screen {
                tree: UiTree::default(),
                widgets: Vec::new(),
                screenshot: None,
                display: Size::new(100, 100),
                foreground: None,
                keyboard_shown: false,
                masked: Vec::new(),
                title: String::new(),
                kind: crate::hierarchy::ScreenKind::Ordinary,
                fingerprint: Fingerprint(fingerprint),
                digest: fingerprint,
                scroll_areas: Vec::new(),
            },
            hierarchy: Vec::new(),
        }
    }

    fn ranking(score: f32) -> Vec<Ranked> {
        let target = Target {
            label: "Pay".into(),
            selector: Selector::default(),
            bounds: Rect::default(),
            tap: Point::new(1, 1),
        };
        let action = Action::Click { target };
        vec![Ranked {
            candidate: Candidate { action, widget: None, text: String::new(), offer: None },
            score,
            terms: vec![("meaning", score)],
        }]
    }

    /// A step whose action led from screen 1 to screen 2; current and next step fit the latter as given.
    fn judged(current: f32, next: Option<f32>, change: impl FnOnce(&mut Evidence<'_>)) -> Inspection {
        let (before, after) = (seen(1), seen(2));
        let (current, next) = (ranking(current), next.map(ranking));
        let mut evidence = Evidence {
            before: &before,
            after: &after,
            chosen: 0.8,
            looked: false,
            pending: 0,
            unmet: None,
            asked_for: false,
            unsent: false,
            satisfied: None,
            current: &current,
            next: next.as_deref(),
            goal: None,
        };
        change(&mut evidence);
        inspect(&evidence, &Weights::bundled().unwrap())
    }

    #[test]
    fn a_step_is_done_when_the_next_one_fits_the_screen_better() {
        assert!(judged(0.5, Some(0.9), |_| {}).done);
        assert!(!judged(0.9, Some(0.5), |_| {}).done);
    }

    #[test]
    fn a_step_is_done_when_it_fits_the_new_screen_much_less_than_what_was_done() {
        assert!(judged(0.5, Some(0.4), |_| {}).done);
        assert!(!judged(0.7, Some(0.4), |_| {}).done);
        assert!(!judged(0.5, Some(0.1), |_| {}).done, "the next step does not fit");
    }

    #[test]
    fn a_step_is_not_done_while_fields_are_open_or_nothing_was_sent_or_its_text_was_not_met() {
        assert!(!judged(0.1, Some(0.9), |evidence| evidence.pending = 2).done);
        assert!(!judged(0.1, Some(0.9), |evidence| evidence.unsent = true).done);
        assert!(!judged(0.1, Some(0.9), |evidence| evidence.unmet = Some("Evergreen")).done);
    }

    #[test]
    fn looking_further_is_never_the_end_of_a_step() {
        assert!(!judged(0.1, Some(0.9), |evidence| evidence.looked = true).done);
    }

    #[test]
    fn the_last_step_is_done_when_the_goal_is_reached_or_nothing_is_left_to_do() {
        assert!(judged(0.99, None, |evidence| evidence.goal = Some(true)).done);
        assert!(judged(0.3, None, |evidence| evidence.goal = Some(false)).done);
        assert!(!judged(0.99, None, |evidence| evidence.goal = Some(false)).done);
    }

    #[test]
    fn a_state_that_is_as_wanted_ends_the_step() {
        assert!(judged(0.9, Some(0.1), |evidence| evidence.satisfied = Some("it is on".into())).done);
    }
}
