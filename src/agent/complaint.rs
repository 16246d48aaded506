//! What a form says is missing: a text that came when the form was sent, right under what was left empty.

use super::agent::{Agent, AgentError};
use super::memory::StepMemory;
use super::operation::plan;
use super::parameters::Trust;
use super::popups;
use super::step::Step;
use super::thought::{Moment, Resolve, Thought};
use crate::domain::{Action, InputText, Target, content_words, same_word};
use crate::hierarchy::{Role, Screen, Widget};
use crate::ranking::Ranked;

/// How far under what it is about such a text stands, in heights of the text; a line of help may stand between.
const BELOW: i32 = 4;
/// Longest such text, in characters.
const LONGEST: usize = 120;
/// Most texts that answer a touch.
const MOST_ANSWERS: usize = 2;
/// Words that a step shares with what a form demands, from which on the step is about it.
const ABOUT_IT: usize = 2;

/// What a form says is missing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Complaint {
    /// Its words.
    said: String,
    /// What sent the form.
    sent: Action,
    /// What it demanded and was ticked for it.
    ticked: Option<Action>,
}

fn is_input(widget: &Widget) -> bool {
    matches!(widget.role, Role::Field | Role::Dropdown | Role::Checkbox | Role::Radio | Role::Switch)
}

fn says_something(widget: &Widget) -> bool {
    let length = widget.label.chars().count();
    widget.role == Role::Text
        && !widget.clickable
        && (1..=LONGEST).contains(&length)
        && widget.label.chars().any(char::is_alphabetic)
}

impl StepMemory {
    /// Nobody typed into it, or ticked it. What a list has chosen cannot be told from what it says when nothing is; and a field
    /// that has no other name is called what was typed into it.
    pub(super) fn is_open(&self, input: &Widget) -> bool {
        let value = input.value.trim();
        let own = self.done.iter().filter_map(|action| match action {
            Action::InputText { text: InputText::Plain(text), .. } => Some(text),
            _ => None,
        });
        let typed = own.chain(&self.typed).any(|text| text.trim() == value);
        let blank = value.is_empty() || !typed && (value == input.label.trim() || value == input.hint.trim());
        input.state.enabled
            && match input.role {
                Role::Field => blank,
                Role::Checkbox => input.state.checked == Some(false),
                _ => false,
            }
    }

    /// The input that a text is about: the nearest one above it, if it was left empty.
    fn left_empty<'a>(&self, screen: &'a Screen, text: &Widget) -> Option<&'a Widget> {
        let (own, reach) = (text.bounds, BELOW * text.bounds.height().max(1));
        let above = |input: &&Widget| {
            let gap = own.top - input.bounds.bottom;
            let beside = input.bounds.left < own.right && own.left < input.bounds.right;
            is_input(input) && beside && (-own.height() / 2..=reach).contains(&gap)
        };
        screen.widgets.iter().filter(above).max_by_key(|input| input.bounds.bottom).filter(|input| self.is_open(input))
    }

    /// The first text that came with a touch that led nowhere, under an input that was left empty.
    fn complaint_on<'a>(&self, before: &Screen, after: &'a Screen) -> Option<&'a Widget> {
        let old = |label: &str| before.widgets.iter().any(|widget| widget.label == label);
        // A field that was emptied when it was sent was not left empty.
        let was_open = |input: &Widget| {
            let same = |one: &&Widget| one.role == input.role && one.label == input.label && self.is_open(one);
            before.widgets.iter().any(|one| same(&one))
        };
        let mut said = after.widgets.iter().filter(|widget| says_something(widget) && !old(&widget.label));
        said.find(|text| self.left_empty(after, text).is_some_and(was_open)).filter(|_| before.title == after.title)
    }

    /// Notes what a form says is missing since it was touched.
    pub(super) fn note_complaint(&mut self, before: &Screen, action: &Action, after: &Screen) {
        let Action::Click { .. } = action else { return };
        let demanded = self.missing(before).is_some_and(|(_, input)| {
            input.role == Role::Checkbox && action.target().is_some_and(|target| target.bounds == input.bounds)
        });
        if let Some(complaint) = self.complaint.as_mut().filter(|_| demanded) {
            complaint.ticked = Some(action.clone());
        }
        self.answered = self.only_answers(before, action, after);
        if let Some(text) = self.complaint_on(before, after) {
            let said = text.label.clone();
            self.complaint = Some(Complaint { said, sent: action.clone(), ticked: None });
        }
    }

    /// The control stands below a field that was left empty.
    pub(super) fn is_below_a_gap(&self, control: &Target, screen: &Screen) -> bool {
        let left = |widget: &Widget| {
            widget.role == Role::Field && widget.bounds.bottom <= control.bounds.top && self.is_open(widget)
        };
        screen.widgets.iter().any(left)
    }

    /// The page is the same but for a text or two that came, and a field above what sent it is empty: it may have taken what it was given,
    /// or refused it.
    fn only_answers(&self, before: &Screen, sent: &Action, after: &Screen) -> bool {
        let there = |screen: &Screen, one: &Widget| {
            let same = |other: &Widget| other.role == one.role && other.label == one.label && other.value == one.value;
            screen.widgets.iter().any(same)
        };
        let came: Vec<&Widget> = after.widgets.iter().filter(|widget| !there(before, widget)).collect();
        before.title == after.title
            && (1..=MOST_ANSWERS).contains(&came.len())
            && came.iter().all(|widget| says_something(widget))
            && before.widgets.iter().all(|widget| there(after, widget))
            && sent.target().is_some_and(|target| self.is_below_a_gap(target, after))
    }

    /// What the form on the screen says is missing, and what it says it about; `None` once it was given.
    pub(super) fn complained(&self, screen: &Screen) -> Option<(&str, String)> {
        let (said, about) = self.missing(screen)?;
        Some((said, about.label.clone()))
    }

    /// The same, with the input that was left empty.
    fn missing<'a>(&self, screen: &'a Screen) -> Option<(&str, &'a Widget)> {
        let said = self.complaint.as_ref()?.said.as_str();
        let text = screen.widgets.iter().find(|widget| says_something(widget) && widget.label == said)?;
        Some((said, self.left_empty(screen, text)?))
    }

    /// What the form demands before it lets a step go on that sent it: a box to be ticked, and then to be sent again.
    fn demanded(&self, moment: &Moment<'_, '_>) -> Option<Ranked> {
        let &Moment { step, next, seen, reached, .. } = moment;
        let Complaint { sent, ticked, .. } = self.complaint.as_ref()?;
        let open =
            |choice: Ranked| (!self.is_excluded(seen.screen.fingerprint, &choice.candidate.action)).then_some(choice);
        if ticked.is_some() && self.done.last() == ticked.as_ref() {
            let again = |widget: &&Widget| {
                widget.clickable && widget.state.enabled && sent.target().is_some_and(|one| one.label == widget.label)
            };
            let control = seen.screen.widgets.iter().find(again)?;
            return open(popups::touching(control, "what the form asked for was given"));
        }
        let (said, input) = self.missing(&seen.screen)?;
        let own = sent.target().is_some_and(|target| shared(&target.label, &step.instruction) > 0);
        let left = next.is_some_and(|next| is_about(next, said, &input.label));
        if input.role != Role::Checkbox || !input.clickable || !own || left || reached == Some(true) {
            return None;
        }
        open(popups::touching(input, "the form asks for it"))
    }
}

/// How many telling words two texts share.
fn shared(one: &str, other: &str) -> usize {
    let other = content_words(other);
    content_words(one).iter().filter(|word| other.iter().any(|known| same_word(word, known))).count()
}

/// The step speaks of what the form says, or of what it says it about.
fn is_about(step: &Step, said: &str, label: &str) -> bool {
    let lower = said.to_lowercase();
    step.named.iter().any(|name| lower.contains(&name.to_lowercase()))
        || step.instruction.to_lowercase().contains(&lower)
        || shared(label, &step.instruction) >= ABOUT_IT
}

impl Agent<'_> {
    /// What a form demands of the step that sent it, and that a person gives without being told: the box that must be ticked.
    pub(super) fn give_in(&self, moment: &Moment<'_, '_>, memory: &StepMemory) -> Result<Option<Thought>, AgentError> {
        let Some(choice) = memory.demanded(moment) else { return Ok(None) };
        let &Moment { step, course, seen, .. } = moment;
        let plan = plan(&self.background(), step, &seen.screen, memory, Trust::Mention)?;
        let outlook = course.look(&self.background(), &plan, &seen.screen, memory)?;
        Ok(Some(Thought::Do(Box::new(Resolve { choice, plan, outlook }))))
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
    use crate::agent::sample::{Head, button, row, screen, step, text, widget};
    use crate::device::Seen;

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

    #[test]
    fn a_field_that_is_called_what_was_typed_into_it_is_not_empty() {
        let mut note = widget(Role::Field, "Ada");
        note.value = "Ada".into();
        let mut memory = StepMemory::default();
        assert!(memory.is_open(&note), "its hint may be dumped as its text");
        memory.typed.push("Ada".into());
        assert!(!memory.is_open(&note));
    }

    fn consent(ticked: bool, said: bool) -> Screen {
        let mut tick = row(widget(Role::Checkbox, "I agree that my data is stored"), 0, 0);
        tick.state.checked = Some(ticked);
        let mut widgets = vec![tick];
        if said {
            widgets.push(row(text("We cannot book without your consent"), 1, 0));
        }
        widgets.push(row(button("Book appointment"), 3, 0));
        screen(widgets)
    }

    fn click(screen: &Screen, label: &str) -> Action {
        let found = screen.widgets.iter().find(|widget| widget.label == label).unwrap();
        Action::Click { target: found.target() }
    }

    /// What a form demands of a step after it was sent, and after that was given.
    fn demanded(instruction: &str, next: Option<&str>, ticked: bool) -> Option<String> {
        let (head, step) = (Head::new(&[], ""), step(instruction, &[]));
        let next = next.map(|text| crate::agent::sample::step(text, &[]));
        let agent = head.agent();
        let seen = Seen { screen: consent(ticked, true), hierarchy: Vec::new() };
        let course = agent.course(&step, next.as_ref(), &seen).unwrap();
        let mut memory = StepMemory::default();
        let (before, open) = (consent(false, false), consent(false, true));
        memory.note_complaint(&before, &click(&before, "Book appointment"), &open);
        if ticked {
            let tick = click(&open, "I agree that my data is stored");
            memory.note_complaint(&open, &tick, &seen.screen);
            memory.note(open.fingerprint, tick);
        }
        let moment =
            Moment { step: &step, next: next.as_ref(), course: &course, last: None, seen: &seen, reached: None };
        memory.demanded(&moment).map(|choice| choice.candidate.action.to_string())
    }

    #[test]
    fn a_box_that_the_form_demands_is_ticked_by_the_step_that_sends_it_and_it_is_sent_again() {
        let tick = Some("click \"I agree that my data is stored\"".to_owned());
        assert_eq!(demanded("Book the visit", None, false), tick);
        assert_eq!(demanded("Book the visit", None, true).as_deref(), Some("click \"Book appointment\""));
        assert_eq!(demanded("Choose a reason", None, false), None, "it does not send the form");
        assert_eq!(
            demanded("Book the visit", Some("Agree that the data is stored"), false),
            None,
            "the next step does"
        );
    }

    #[test]
    fn a_page_that_stays_and_says_something_may_have_refused() {
        let (before, mut after) = (form("", ""), form("", ""));
        let mut memory = StepMemory::default();
        let mut sent = |after: &Screen| {
            memory.note_complaint(&before, &click(&before, "Send"), after);
            memory.answered
        };
        assert!(!sent(&after), "nothing came of it");
        after.widgets.push(row(text("Who was paid?"), 5, 0));
        assert!(sent(&after));
        after.title = "Thanks".into();
        assert!(!sent(&after), "it went on");
        let (before, mut after) = (form("020", ""), form("020", ""));
        after.widgets.push(row(text("Saved"), 5, 0));
        memory.note_complaint(&before, &click(&before, "Send"), &after);
        assert!(!memory.answered, "every field is filled in");
    }
}
