//! What a step says and nothing that was touched has said yet.
//!
//! "Open the bank cards of the wallet": after "Wallet" the step still says "bank cards". Where a control is called so, the
//! step is not done.

use super::sight::name_of;
use super::words::{Intent, said};
use crate::agent::memory::StepMemory;
use crate::agent::step::Step;
use crate::domain::{Action, content_words, same_word, words};
use crate::hierarchy::{Role, Screen, Widget};
use std::cmp::Reverse;

/// The words of a step that are still to be found, on a screen.
pub(super) struct Coverage<'a> {
    screen: &'a Screen,
    /// Everything the text says.
    all: Vec<String>,
    /// What of it tells something and was not touched yet.
    open: Vec<String>,
}

/// A control all of whose words the step says.
pub(super) struct Covering<'a> {
    pub(super) widget: &'a Widget,
    /// Nothing the step says would be left, or the control says several of its words: there is no doubt.
    pub(super) surely: bool,
}

impl<'a> Coverage<'a> {
    /// What is open of the step itself.
    pub(super) fn of_step(screen: &'a Screen, step: &Step, intent: &Intent, memory: &StepMemory) -> Self {
        let touched = touched(memory);
        let open = intent.words.iter().filter(|word| said(&[(*word).clone()], &touched) == 0).cloned().collect();
        let mut text = step.instruction.clone();
        // What is named is looked for as a whole.
        for name in step.named.iter().chain(&step.quoted) {
            text = text.replace(name.as_str(), " ");
        }
        Self { screen, all: words(&text), open }
    }

    /// What a text beside it says.
    pub(super) fn of_text(screen: &'a Screen, text: &str, telling: Vec<String>) -> Self {
        Self { screen, all: words(text), open: telling }
    }

    /// The only control that says most of what is open, and nothing that is not said.
    pub(super) fn best(&self, memory: &StepMemory, next: Option<&Step>) -> Option<Covering<'a>> {
        let next = next.map(|next| words(&next.instruction)).unwrap_or_default();
        let has = |said: &[String], word: &String| said.iter().any(|other| same_word(word, other));
        // Words covered, words of its own, and how few words it has.
        type Worth = (usize, usize, Reverse<usize>);
        let mut found: Vec<(Worth, &Widget)> = Vec::new();
        for widget in self.screen.widgets.iter().filter(|widget| is_open(widget, self.screen, memory)) {
            let own = content_words(name_of(&widget.label));
            let covered = self.open.iter().filter(|word| has(&own, word)).count();
            // What the next step says as well is the next one's.
            // A control that shows what was chosen is not what is left to be chosen.
            if covered == 0
                || 2 * covered <= own.len()
                || !own.iter().all(|word| has(&self.all, word))
                || own.iter().all(|word| has(&next, word))
            {
                continue;
            }
            let length = Reverse(words(name_of(&widget.label)).len());
            found.push(((covered, own.len(), length), widget));
        }
        let (worth, widget) = found.iter().copied().max_by_key(|(worth, _)| *worth)?;
        let rivals = found.iter().filter(|(other, _)| *other == worth).count();
        let covered = worth.0;
        let surely = covered == self.open.len() || (covered > 1 && self.in_order(widget));
        (rivals == 1).then_some(Covering { widget, surely })
    }

    /// The control says what is open in the step's own order: "a note that is open" does not mean "Open note".
    fn in_order(&self, widget: &Widget) -> bool {
        let own = content_words(name_of(&widget.label));
        let has = |said: &[String], word: &String| said.iter().any(|other| same_word(word, other));
        let step: Vec<&String> = self.open.iter().filter(|word| has(&own, word)).collect();
        let label: Vec<&String> = own.iter().filter(|word| has(&self.open, word)).collect();
        step.len() == label.len() && step.iter().zip(&label).all(|(one, other)| same_word(one, other))
    }
}

/// The labels that were touched in this step.
fn touched(memory: &StepMemory) -> String {
    super::clicks(memory).collect::<Vec<_>>().join(" ")
}

/// It can be touched, is not chosen already and was not touched in this step.
fn is_open(widget: &Widget, screen: &Screen, memory: &StepMemory) -> bool {
    let action = Action::Click { target: widget.target() };
    widget.clickable
        && widget.state.enabled
        && widget.state.checked != Some(true)
        && !widget.state.selected
        && !matches!(widget.role, Role::Field | Role::KeypadKey | Role::Selector)
        && !super::clicks(memory).any(|label| label == widget.label)
        && !memory.is_excluded(screen.fingerprint, &action)
}
