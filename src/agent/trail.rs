//! What a step leaves behind by which others are borne out: a control that a later step leaves no doubt about, and that no screen
//! had before, shows that the steps in between led where they should.

use super::agent::{Agent, Deed};
use super::memory::StepMemory;
use super::step::Step;
use crate::device::Seen;
use crate::domain::{Action, InputText};
use crate::hierarchy::{Role, Screen};
use crate::ranking::Ranked;
use std::collections::HashSet;

/// Scores of things of a kind that differ by less leave it open which of them is meant.
const HARDLY: f32 = 0.12;

/// What a step began with and what it found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail {
    /// What stood on the screen when the step began.
    pub shown: HashSet<String>,
    /// What the step touched without a doubt.
    pub found: Vec<String>,
    /// What the step names and what was typed for it: seeing that again bears nothing out.
    pub given: Vec<String>,
}

impl Trail {
    /// A step begins on this screen.
    pub(super) fn begin(step: &Step, screen: &Screen) -> Self {
        let shown = screen.widgets.iter().flat_map(|widget| [widget.label.clone(), widget.value.clone()]);
        let shown = shown.chain([screen.title.clone()]).filter(|text| !text.is_empty()).collect();
        Self { shown, found: Vec::new(), given: step.named.clone() }
    }

    /// It ends with this memory.
    pub(super) fn end(&mut self, memory: &StepMemory) {
        let touched = |action: &Action| matches!(action, Action::Click { .. }) && memory.done.contains(action);
        let found = memory.certain.iter().filter(|(action, _)| touched(action)).filter_map(|(action, window)| {
            // A window may ask with the words that opened it: it is the window that was found.
            let title = window.clone().filter(|title| !title.is_empty());
            title.or_else(|| action.target().map(|target| target.label.clone()))
        });
        self.found.extend(found.filter(|text| !text.is_empty()));
        self.given.extend(memory.done.iter().filter_map(|action| match action {
            // No secret is kept where it could be printed, and none is expected to be seen.
            Action::InputText { text: InputText::Plain(text), .. } => Some(text.clone()),
            _ => None,
        }));
    }

    /// The text, or one that holds it, stood on the screen when the step began.
    pub fn showed(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.shown.iter().any(|shown| shown.to_lowercase().contains(&text))
    }
}

impl Agent<'_> {
    /// The back key left a page on which something had been filled in and after which nothing was sent.
    pub(super) fn drops_a_form(&self, action: &Action, before: &Seen, after: &Seen) -> bool {
        let left = *action == Action::PressBack && before.screen.title != after.screen.title;
        let filled = |deed: &Deed| {
            matches!(deed.action, Action::InputText { .. } | Action::InputByNumericKeyboard { .. })
                && deed.screen == before.screen.title
        };
        let sent = |deed: &Deed| deed.action.target().is_some_and(|target| self.scorer.cues.is_submit(&target.label));
        left && self.deeds.iter().rev().take_while(|deed| !sent(deed)).any(filled)
            && before.screen.widgets.iter().any(|widget| widget.role == Role::Field && !widget.value.is_empty())
    }
}

/// The choice was not weighed: its one reason leaves no doubt.
pub(super) fn leaves_no_doubt(choice: &Ranked) -> bool {
    matches!(choice.terms.as_slice(), [(_, value)] if *value >= 1.0)
}

/// How much better the choice fits than anything else; 1 where it was not weighed.
pub(super) fn lead(choice: &Ranked, ranked: &[Ranked]) -> f32 {
    if leaves_no_doubt(choice) {
        return 1.0;
    }
    let others = ranked.iter().filter(|other| other.candidate.action != choice.candidate.action);
    others.map(|other| choice.score - other.score).fold(1.0, f32::min)
}

/// The choice is one of several things of a kind (rows of one list) and was only weighed, another being hardly worse.
pub(super) fn is_one_of_a_kind(choice: &Ranked, ranked: &[Ranked], screen: &Screen) -> bool {
    let widget = |ranked: &Ranked| {
        let click = matches!(ranked.candidate.action, Action::Click { .. });
        ranked.candidate.widget.filter(|_| click).and_then(|id| screen.widgets.get(id))
    };
    let Some(own) = widget(choice).filter(|own| own.role == Role::ListItem && !leaves_no_doubt(choice)) else {
        return false;
    };
    ranked.iter().any(|other| {
        widget(other).is_some_and(|row| {
            let stacked = row.bounds.left == own.bounds.left && row.bounds.width() == own.bounds.width();
            row.id != own.id && row.role == own.role && row.class == own.class && stacked
        }) && other.score > choice.score - HARDLY
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{button, screen, step, widget};
    use crate::ranking::Candidate;

    fn weighed(screen: &Screen, at: usize, terms: Vec<(&'static str, f32)>) -> Ranked {
        let widget = &screen.widgets[at];
        let action = Action::Click { target: widget.target() };
        let candidate = Candidate { action, widget: Some(widget.id), text: widget.label.clone(), offer: None };
        Ranked { candidate, score: terms.iter().map(|(_, value)| value).sum(), terms }
    }

    #[test]
    fn a_row_hardly_better_than_another_is_a_guess_and_a_certain_one_is_not() {
        let item = |label: &str| widget(Role::ListItem, label);
        let page = screen(vec![item("Garden, Book"), item("Garden, Film")]);
        let (best, next) = (weighed(&page, 1, vec![("meaning", 0.46)]), weighed(&page, 0, vec![("meaning", 0.36)]));
        let far = weighed(&page, 0, vec![("meaning", 0.2)]);
        assert!(is_one_of_a_kind(&best, &[best.clone(), next.clone()], &page));
        assert!(!is_one_of_a_kind(&best, &[best.clone(), far], &page), "it is clearly better");
        let certain = weighed(&page, 1, vec![("it shows what the step names", 1.0)]);
        assert!(!is_one_of_a_kind(&certain, &[certain.clone(), next], &page));
    }

    #[test]
    fn a_trail_keeps_what_was_shown_found_and_given() {
        let page = screen(vec![button("Limits, none"), button("Accounts")]);
        let mut trail = Trail::begin(&step("Open Ada", &["Ada"]), &page);
        assert!(trail.showed("limits") && !trail.showed("Savings"));
        let touch = Action::Click { target: page.widgets[1].target() };
        let mut memory = StepMemory::default();
        memory.certain.push((touch.clone(), None));
        trail.end(&memory);
        assert!(trail.found.is_empty(), "it had no effect");
        memory.note(page.fingerprint, touch);
        trail.end(&memory);
        assert_eq!(
            (trail.found.as_slice(), trail.given.as_slice()),
            (&["Accounts".to_owned()][..], &["Ada".to_owned()][..])
        );
        memory.certain[0].1 = Some("Close the account?".to_owned());
        trail.end(&memory);
        assert_eq!(trail.found.last().map(String::as_str), Some("Close the account?"), "the window was found");
    }
}
