//! What a step asks for outright and what came to nothing: a control whose whole label the step says, touched, and touched
//! in vain. Whatever else was done for it since, that such a step is done does not follow from what fits best.

use super::confidence::Ground;
use super::memory::StepMemory;
use super::popups::declines;
use super::step::Step;
use super::thought::Thought;
use crate::domain::{Action, Target, content_words, words};
use crate::hierarchy::{Role, Screen, Widget};
use crate::ranking::{Candidate, Cues};

/// What is made of a thought where the step's own control was touched in vain: the step is not done, and the screen on
/// which it stands is not turned down.
pub(super) fn heed(thought: Thought, step: &Step, screen: &Screen, memory: &StepMemory, cues: &Cues) -> Thought {
    let ends = match &thought {
        Thought::Done(ground, _) => matches!(ground, Ground::Weighed(_) | Ground::Exhausted),
        Thought::Do(resolve) => {
            let label =
                resolve.choice.candidate.action.target().map(|target| target.label.as_str()).unwrap_or_default();
            declines(label, cues) || cues.refuses(label)
        }
        Thought::Unmet(_) => true,
        Thought::Stuck(_) | Thought::Astray(_) => false,
    };
    match in_vain(step, screen, memory).filter(|_| ends) {
        Some(target) => Thought::Stuck(format!("{:?} was touched and nothing happened", target.label)),
        None => thought,
    }
}

/// A control that the step says wholly, that had no effect wherever it was touched.
pub(super) fn in_vain<'a>(step: &Step, screen: &Screen, memory: &'a StepMemory) -> Option<&'a Target> {
    let said = words(&step.instruction);
    let whole = |target: &&Target| {
        let own = words(&target.label);
        !content_words(&target.label).is_empty() && said.windows(own.len()).any(|part| part == own.as_slice())
    };
    // What is called the same and had its effect, or was filled in, was meant.
    let met = |target: &&Target| {
        memory
            .done
            .iter()
            .filter_map(Action::target)
            .any(|done| done.bounds == target.bounds || words(&done.label) == words(&target.label))
    };
    // A choice that is made already has no effect.
    let made = |target: &&Target| {
        let there = |widget: &&Widget| widget.bounds == target.bounds && widget.label == target.label;
        let made = |widget: &Widget| widget.state.checked.is_some() || widget.state.selected;
        screen.widgets.iter().find(there).is_some_and(made)
    };
    memory.vain().filter(whole).find(|target| !met(target) && !made(target))
}

/// A touch of a choice that is made already, one of several of which just one can be: a box would be unticked by it.
pub(super) fn is_made(screen: &Screen, action: &Action) -> bool {
    let Action::Click { target } = action else { return false };
    let there = screen.widgets.iter().find(|one| one.bounds == target.bounds && one.label == target.label);
    there.is_some_and(|one| one.role == Role::Radio && one.state.checked == Some(true))
}

/// A touch on a field that holds what this step typed. It is called after what stands around it once its hint is gone, and
/// may so look like the control that goes on; but nothing comes of touching it again.
pub(super) fn touches_filled(candidate: &Candidate, screen: &Screen, memory: &StepMemory) -> bool {
    let touch = matches!(candidate.action, Action::Click { .. } | Action::LongPress { .. });
    let field = candidate.widget.and_then(|id| screen.widgets.get(id)).filter(|widget| widget.role == Role::Field);
    let Some(field) = field.filter(|_| touch) else { return false };
    let typed = |action: &Action| matches!(action, Action::InputText { text, .. } if text.expose() == field.value);
    !field.value.is_empty() && memory.done.iter().any(typed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, row, screen, step, widget};
    use crate::domain::InputText;

    fn page() -> Screen {
        screen(vec![row(button("Submit"), 1, 0), row(button("Not now"), 2, 0)])
    }

    fn touch(page: &Screen, label: &str) -> Action {
        let widget = page.widgets.iter().find(|widget| widget.label == label).unwrap();
        Action::Click { target: widget.target() }
    }

    fn becomes(instruction: &str, ground: Ground, done: &[&str], vain: &[&str]) -> bool {
        let (page, head) = (page(), Head::new(&[], ""));
        let mut memory = StepMemory::default();
        for label in done {
            memory.note(page.fingerprint, touch(&page, label));
        }
        for label in vain {
            memory.exclude(page.fingerprint, touch(&page, label));
        }
        let thought = Thought::Done(ground, String::new());
        matches!(heed(thought, &step(instruction, &[]), &page, &memory, head.agent().scorer.cues), Thought::Done(..))
    }

    #[test]
    fn a_choice_that_is_made_has_nothing_to_do() {
        let made = |role, checked| {
            let mut choice = widget(role, "Red");
            choice.state.checked = Some(checked);
            let page = screen(vec![choice]);
            is_made(&page, &touch(&page, "Red"))
        };
        assert!(made(Role::Radio, true) && !made(Role::Radio, false));
        assert!(!made(Role::Checkbox, true), "it should have been unticked");
    }

    #[test]
    fn a_step_whose_own_control_did_nothing_is_not_done() {
        assert!(!becomes("Submit it", Ground::Weighed(-0.1), &["Not now"], &["Submit"]));
        assert!(!becomes("Submit it", Ground::Exhausted, &["Not now"], &["Submit"]));
    }

    #[test]
    fn what_had_its_effect_or_is_not_the_steps_own_holds_nothing_up() {
        assert!(becomes("Submit it", Ground::Weighed(-0.1), &["Submit"], &["Submit"]), "touched twice");
        assert!(becomes("Submit it", Ground::Weighed(-0.1), &["Submit"], &["Not now"]));
        assert!(becomes("Send the form", Ground::Weighed(-0.1), &["Not now"], &["Submit"]), "it says another word");
        assert!(becomes("Submit it", Ground::Plain, &["Not now"], &["Submit"]), "it is so already");
    }

    #[test]
    fn a_field_that_was_filled_in_is_not_touched_any_more() {
        let mut page = screen(vec![widget(Role::Field, "Return"), button("Give it back")]);
        "Too small".clone_into(&mut page.widgets[0].value);
        let touch = |at: usize| Candidate {
            action: Action::Click { target: page.widgets[at].target() },
            widget: Some(at),
            text: page.widgets[at].label.clone(),
            offer: None,
        };
        let mut memory = StepMemory::default();
        assert!(!touches_filled(&touch(0), &page, &memory), "nobody typed it");
        let target = page.widgets[0].target();
        memory.done.push(Action::InputText { target, text: InputText::Plain("Too small".into()) });
        assert!(touches_filled(&touch(0), &page, &memory));
        assert!(!touches_filled(&touch(1), &page, &memory), "it is a control of its own");
    }
}
