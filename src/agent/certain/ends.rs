//! Both ends of a way: "from A to B", where two controls "From" and "To" open the choice of each.

use super::sight::{Sight, name_of, shows};
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::words;
use crate::form::WrittenDate;
use crate::hierarchy::{Role, Widget};

/// A day, a time or a number, which a way neither begins nor ends at: "Set the day to 18 May".
fn is_measure(name: &str) -> bool {
    let counted = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '%' | ' ' | '-' | '+' | '−');
    WrittenDate::read(name).is_some() || name.chars().all(counted)
}

impl Doubt<'_> {
    /// Chooses the ends the step names, one after another; then looks up the way where the step says so.
    pub(super) fn between(&self, memory: &StepMemory) -> Option<Certain> {
        let named = self.ends_named();
        if named.is_empty() {
            return None;
        }
        let openers: Option<Vec<(&Widget, &str)>> =
            named.iter().map(|(end, name)| Some((self.end_shown(*end)?, *name))).collect();
        let Some(openers) = openers else { return self.end_chosen(&named, memory) };
        if let Some((opener, _)) = openers.iter().find(|(opener, name)| shows(&opener.label, name) == 0) {
            return self.touch(opener, "it holds the end the step names", memory);
        }
        let goes = |widget: &&Widget| {
            let own = name_of(&widget.label);
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && (self.words.searches(own) || said(&self.intent.words, own) > 0)
        };
        if !self.words.searches(&self.step.instruction) {
            return Some(Certain::Done("both ends are as the step says".to_owned()));
        }
        self.touch(self.screen.widgets.iter().find(goes)?, "the way is looked up", memory)
    }

    /// On the page that a control for an end opened: the end itself, or the field that finds it.
    fn end_chosen(&self, named: &[(usize, &str)], memory: &StepMemory) -> Option<Certain> {
        let last = clicks(memory).last()?;
        let Some(end) = self.words.end_of_way(name_of(last)) else {
            let opened = clicks(memory).any(|label| self.words.end_of_way(name_of(label)).is_some());
            let sent = opened && named.iter().all(|(_, name)| shows(last, name) == 0);
            return sent.then(|| Certain::Done("the way was looked up".to_owned()));
        };
        let (_, name) = named.iter().find(|(known, _)| *known == end)?;
        let sight = Sight { screen: self.screen, intent: self.intent };
        if let Some((widget, _)) = sight.named(name) {
            return self.touch(widget, "it is the end the step names", memory);
        }
        let mut fields = self.screen.widgets.iter().filter(|widget| widget.role == Role::Field);
        let field = fields.next().filter(|field| field.state.enabled && field.value != *name)?;
        if fields.next().is_some() {
            return None;
        }
        self.type_into(field, name, "the end is looked for", memory)
    }

    /// The ends the step names, each by the word before it.
    fn ends_named(&self) -> Vec<(usize, &str)> {
        let text = self.step.instruction.as_str();
        let end = |name: &'_ str| {
            let at = text.find(name)?;
            let before = text[..at].trim_end_matches(['"', '“', '\'', ' ']);
            self.words.end_of_way(words(before).last()?)
        };
        let place = |name: &&String| !is_measure(name);
        self.step.named.iter().filter(place).filter_map(|name| Some((end(name)?, name.as_str()))).collect()
    }

    /// The control that is called like an end and holds it.
    fn end_shown(&self, end: usize) -> Option<&Widget> {
        let is = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && !matches!(widget.role, Role::Field | Role::Selector | Role::KeypadKey)
                && name_of(&widget.label).len() < widget.label.len()
                && self.words.end_of_way(name_of(&widget.label)) == Some(end)
        };
        self.screen.widgets.iter().find(is)
    }
}
