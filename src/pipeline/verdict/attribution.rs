//! Whose fault it is that a step could not be done: the app's, if screen or log show it; else nobody's that is known, and the
//! step stays *blocked*.

use crate::domain::{Action, InputText, Verdict};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget, says_complaint, says_trouble};
use crate::pipeline::journal::{ActionRecord, Journal};
use crate::pipeline::outcome::{Corroboration, StepOutcome};
use crate::pipeline::task::Clause;

/// From this fit on a control is the one that the step names.
const OWN: f32 = 0.8;

/// The outcome with the app's fault told, if there is one: an error the app shows, or a control that is dead.
pub(crate) fn attribute(mut outcome: StepOutcome, journal: &Journal, begun: &Screen, now: &Screen) -> StepOutcome {
    let error = new_trouble(begun, now).filter(|said| !journal.has_seen(said));
    match outcome.verdict {
        Verdict::Passed => {
            outcome.app_error = error.map(|said| format!("the app said {said:?}"));
            outcome
        }
        Verdict::Blocked => {
            let fault = error.map(|said| format!("the app said {said:?}")).or_else(|| dead_control(journal, now));
            match fault {
                Some(fault) => {
                    StepOutcome { verdict: Verdict::Failed, reason: format!("{fault} ({})", outcome.reason), ..outcome }
                }
                None => outcome,
            }
        }
        Verdict::Failed | Verdict::Error => outcome,
    }
}

/// A text that says the app could not do something, and was not there when the step began.
fn new_trouble<'a>(before: &Screen, after: &'a Screen) -> Option<&'a str> {
    let says = |widget: &&Widget| {
        matches!(widget.role, Role::Text | Role::ReadText) && !widget.clickable && says_trouble(&widget.label)
    };
    let old = |label: &str| before.widgets.iter().any(|widget| widget.label == label);
    after.widgets.iter().filter(says).map(|widget| widget.label.as_str()).find(|label| !old(label))
}

/// True if a field in sight is empty or a box is not ticked: a button may wait for that without a word.
fn wants_more(screen: &Screen) -> bool {
    screen.widgets.iter().filter(|widget| widget.state.enabled).any(|widget| match widget.role {
        Role::Field => widget.value.is_empty(),
        Role::Checkbox => widget.state.checked == Some(false),
        _ => false,
    })
}

/// The control that the step names was touched twice, and nothing happened.
fn dead_control(journal: &Journal, screen: &Screen) -> Option<String> {
    let complains = screen.widgets.iter().any(|widget| !widget.clickable && says_complaint(&widget.label));
    if complains || screen.kind == ScreenKind::Dialog || wants_more(screen) {
        return None;
    }
    let touches = |record: &&ActionRecord| matches!(record.action, Action::Click { .. }) && record.meaning >= OWN;
    let last = journal.current().rfind(touches).filter(|record| !record.worked())?;
    let same = |record: &&ActionRecord| record.action == last.action && !record.worked();
    if journal.current().filter(same).count() < 2 {
        return None;
    }
    let there = screen.widgets.iter().any(|widget| {
        let made = widget.state.checked == Some(true) || widget.state.selected;
        Some(widget.bounds) == last.action.target().map(|target| target.bounds)
            && widget.state.enabled
            && widget.clickable
            && !made
            && widget.label != screen.title
    });
    there.then(|| format!("{:?} on \"{}\" was touched twice and nothing happened", last.label(), screen.title))
}

/// What bears other steps out: the texts that were there when the clause began, and what it touched without doubt.
pub(crate) fn corroboration(clause: &Clause, begun: &Screen, journal: &Journal) -> Corroboration {
    let texts = begun.widgets.iter().flat_map(|widget| [widget.label.clone(), widget.value.clone()]);
    let shown = texts.chain([begun.title.clone()]).filter(|text| !text.is_empty()).collect();
    let sure = |record: &&ActionRecord| matches!(record.action, Action::Click { .. }) && record.meaning >= OWN;
    let found = journal.current_deeds().filter(sure).map(|record| record.label().to_owned());
    let typed = journal.current_deeds().filter_map(|record| match &record.action {
        Action::InputText { text: InputText::Plain(text), .. } => Some(text.clone()),
        _ => None,
    });
    Corroboration {
        shown,
        found: found.filter(|text| !text.is_empty()).collect(),
        given: clause.names.iter().cloned().chain(typed).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::sample::{button, screen, text, widget};
    use crate::pipeline::propose::Source;
    use crate::pipeline::sample::{Desk, page};

    #[test]
    fn a_button_that_may_wait_for_something_is_not_dead() {
        let check = |more: Option<Widget>, expected: Verdict| {
            let mut desk = Desk::new(&[("Book now", &[])], &[]);
            let widgets = [Some(text("Pay")), Some(button("Book now")), more];
            let pay = page("Pay", 1, screen(widgets.into_iter().flatten().collect()));
            desk.touched("Book now", &pay, &pay, Source::Touch);
            desk.touched("Book now", &pay, &pay, Source::Touch);
            let blocked = StepOutcome::new(Verdict::Blocked, "nothing fits");
            assert_eq!(attribute(blocked, &desk.journal, &pay, &pay).verdict, expected);
        };
        let ticked = |on: bool| {
            let mut rules = widget(Role::Checkbox, "I accept the terms");
            rules.state.checked = Some(on);
            rules
        };
        let mut filled = widget(Role::Field, "Card number");
        filled.value = "4111".to_owned();
        check(None, Verdict::Failed);
        check(Some(ticked(true)), Verdict::Failed);
        check(Some(filled), Verdict::Failed);
        check(Some(ticked(false)), Verdict::Blocked);
        check(Some(widget(Role::Field, "Card number")), Verdict::Blocked);
    }

    #[test]
    fn a_title_that_was_touched_is_no_complaint() {
        let mut desk = Desk::new(&[("Play it", &[])], &[]);
        let list = page("Listen", 1, screen(vec![button("Engine failure, The Long Road, 25 min"), button("Discover")]));
        let player = page("The Long Road", 2, screen(vec![text("Engine failure"), button("Pause")]));
        let said = |desk: &Desk| {
            let passed = StepOutcome::new(Verdict::Passed, "");
            attribute(passed, &desk.journal, &list, &player).app_error
        };
        assert!(said(&desk).is_some(), "it reads like one");
        desk.touched("Engine failure, The Long Road, 25 min", &list, &player, Source::Touch);
        assert_eq!(said(&desk), None);
    }
}
