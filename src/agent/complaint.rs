//! What a form says is missing: a text that came when the form was sent, right under what was left empty.

use super::memory::StepMemory;
use super::thought::{Moment, Thought};
use crate::domain::Action;
use crate::hierarchy::{Role, Screen, Widget};

/// How far under what it is about such a text stands, in heights of the text; a line of help may stand between.
const BELOW: i32 = 4;
/// Longest such text, in characters.
const LONGEST: usize = 120;

/// The input that a text is about: the nearest one above it, if it was left empty.
fn left_empty<'a>(screen: &'a Screen, text: &Widget) -> Option<&'a Widget> {
    let (own, reach) = (text.bounds, BELOW * text.bounds.height().max(1));
    let above = |input: &&Widget| {
        let gap = own.top - input.bounds.bottom;
        let beside = input.bounds.left < own.right && own.left < input.bounds.right;
        is_input(input) && beside && (-own.height() / 2..=reach).contains(&gap)
    };
    screen.widgets.iter().filter(above).max_by_key(|input| input.bounds.bottom).filter(|input| is_open(input))
}

fn is_input(widget: &Widget) -> bool {
    matches!(widget.role, Role::Field | Role::Dropdown | Role::Checkbox | Role::Radio | Role::Switch)
}

/// Nobody typed into it, or ticked it. What a list has chosen cannot be told from what it says when nothing is.
fn is_open(input: &Widget) -> bool {
    let value = input.value.trim();
    let blank = value.is_empty() || value == input.label.trim() || value == input.hint.trim();
    input.state.enabled
        && match input.role {
            Role::Field => blank,
            Role::Checkbox => input.state.checked == Some(false),
            _ => false,
        }
}

fn says_something(widget: &Widget) -> bool {
    let length = widget.label.chars().count();
    widget.role == Role::Text
        && !widget.clickable
        && (1..=LONGEST).contains(&length)
        && widget.label.chars().any(char::is_alphabetic)
}

/// The first text that came with a touch that led nowhere, under an input that was left empty.
fn complaint<'a>(before: &Screen, after: &'a Screen) -> Option<&'a Widget> {
    let old = |label: &str| before.widgets.iter().any(|widget| widget.label == label);
    // A field that was emptied when it was sent was not left empty.
    let was_open = |input: &Widget| {
        let same = |one: &&Widget| one.role == input.role && one.label == input.label && is_open(one);
        before.widgets.iter().any(|one| same(&one))
    };
    let mut said = after.widgets.iter().filter(|widget| says_something(widget) && !old(&widget.label));
    said.find(|text| left_empty(after, text).is_some_and(was_open)).filter(|_| before.title == after.title)
}

impl StepMemory {
    /// Notes what a form says is missing since it was touched.
    pub(super) fn note_complaint(&mut self, before: &Screen, action: &Action, after: &Screen) {
        if let Action::Click { .. } = action
            && let Some(text) = complaint(before, after)
        {
            self.complaint = Some(text.label.clone());
        }
    }

    /// What the form on the screen says is missing, and what it says it about; `None` once it was given.
    pub(super) fn complained(&self, screen: &Screen) -> Option<(&str, String)> {
        let said = self.complaint.as_deref()?;
        let text = screen.widgets.iter().find(|widget| says_something(widget) && widget.label == said)?;
        Some((said, left_empty(screen, text)?.label.clone()))
    }
}

/// A step that left something empty which the form asks for is not done, unless that is what the case is about.
pub(super) fn heed(thought: Thought, moment: &Moment<'_, '_>, memory: &mut StepMemory) -> Thought {
    let Thought::Done(..) = &thought else { return thought };
    let Some((said, about)) = memory.complained(&moment.seen.screen) else { return thought };
    let (said, own) = (said.to_lowercase(), said.to_owned());
    let follows = moment.next.is_some_and(|next| {
        next.named.iter().any(|name| said.contains(&name.to_lowercase()))
            || next.instruction.to_lowercase().contains(&said)
    });
    if follows || moment.reached == Some(true) {
        return thought;
    }
    // The app is right to ask.
    memory.trouble = None;
    Thought::Stuck(format!("the form asks for {about:?} ({own:?}), and nothing is known to give it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{button, row, screen, text, widget};

    fn form(phone: &str, said: &str) -> Screen {
        let mut field = row(widget(Role::Field, "Phone number"), 0, 0);
        phone.clone_into(&mut field.value);
        let mut widgets = vec![field, row(text("We hardly ever call"), 1, 0)];
        if !said.is_empty() {
            widgets.push(row(text(said), 2, 0));
        }
        widgets.push(row(button("Send"), 4, 0));
        screen(widgets)
    }

    fn noted(before: &Screen, after: &Screen) -> StepMemory {
        let mut memory = StepMemory::default();
        memory.note_complaint(before, &Action::Click { target: button("Send").target() }, after);
        memory
    }

    #[test]
    fn what_is_said_under_an_empty_field_when_the_form_is_sent_is_missing() {
        let after = form("", "Enter a phone number");
        let memory = noted(&form("", ""), &after);
        assert_eq!(memory.complained(&after), Some(("Enter a phone number", "Phone number".to_owned())));
        assert_eq!(memory.complained(&form("020", "Enter a phone number")), None, "it was given meanwhile");
        assert_eq!(memory.complained(&form("", "")), None, "it is not said any more");
    }

    #[test]
    fn what_stood_there_or_is_about_what_was_given_is_no_such_thing() {
        let after = form("", "Enter a phone number");
        assert_eq!(noted(&after, &after).complained(&after), None);
        let wrong = form("020", "The number is too short");
        assert_eq!(noted(&form("020", ""), &wrong).complained(&wrong), None, "the field was filled in");
        let taken = form("", "Voucher applied");
        assert_eq!(noted(&form("SPRING", ""), &taken).complained(&taken), None, "it was emptied when it was sent");
        let mut elsewhere = form("", "Enter a phone number");
        elsewhere.title = "Another page".into();
        assert_eq!(noted(&form("", ""), &elsewhere).complained(&elsewhere), None);
    }
}
