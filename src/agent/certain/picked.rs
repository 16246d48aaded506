//! Values that are picked from a list instead of typed, and fields for which the case has no value.

use super::sight::{Sight, shows};
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::{InputText, content_words, same_word};
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen, Widget};

/// Fewest words of a field's name that a step must say to ask for it.
const FEWEST_WORDS: usize = 2;

impl Doubt<'_> {
    /// What the step mentions is picked from the list that is called like it, where no field is.
    pub(super) fn picked(&self, memory: &mut StepMemory) -> Option<Certain> {
        let open = |parameter: &&Parameter| {
            self.step.mentions.contains(&parameter.name)
                && matches!(parameter.value, InputText::Plain(_))
                && !memory.has_given_anywhere(&parameter.name)
                && !self.is_picked(&parameter.name, memory)
        };
        let open: Vec<&Parameter> = self.agent.parameters.iter().filter(open).collect();
        for parameter in open {
            let value = parameter.value.expose();
            let sight = Sight { screen: self.screen, intent: self.intent };
            if memory.met.contains(&parameter.name)
                && let Some((widget, _)) = sight.named(value)
            {
                return self.touch(widget, "it is picked from the list", memory);
            }
            let name = content_words(&parameter.words());
            let called = |text: &str| !name.is_empty() && said(&name, text) == name.len();
            let field = |widget: &&Widget| widget.role == Role::Field && called(&widget.label);
            let list = |widget: &&Widget| {
                widget.role == Role::Dropdown
                    && widget.state.enabled
                    && shows(&widget.label, value) == 0
                    && (called(&widget.label) || caption(self.screen, widget).is_some_and(called))
            };
            if self.screen.widgets.iter().any(|widget| field(&widget)) {
                continue;
            }
            if let Some(list) = self.screen.widgets.iter().find(list) {
                memory.met.push(parameter.name.clone());
                return self.touch(list, "it is the list of what the step mentions", memory);
            }
        }
        None
    }

    /// The value was picked in this step.
    pub(super) fn is_picked(&self, name: &str, memory: &StepMemory) -> bool {
        let value = self.agent.parameters.iter().find(|parameter| parameter.name == name);
        memory.met.iter().any(|met| met == name)
            && value.is_some_and(|value| clicks(memory).any(|label| shows(label, value.value.expose()) > 1))
    }

    /// An empty field whose whole name the step says, and no parameter is called anything like it.
    pub(super) fn lacking(&self, memory: &StepMemory) -> Option<String> {
        let cues = self.agent.scorer.cues;
        let mut text = self.step.instruction.clone();
        for name in self.step.named.iter().chain(&self.step.quoted) {
            text = text.replace(name.as_str(), " ");
        }
        let asked = content_words(&text);
        let names = self.agent.parameters.iter().map(Parameter::words);
        let known: Vec<String> = cues.kinds(names.flat_map(|name| content_words(&name)).collect());
        let lacks = |field: &&Widget| {
            let own = content_words(&field.label);
            let has = |list: &[String], word: &String| list.iter().any(|other| same_word(word, other));
            let given = memory.given.iter().any(|(_, at)| at.as_deref() == Some(field.resource_id.as_str()));
            field.role == Role::Field
                && field.state.enabled
                && is_empty(field)
                && own.len() >= FEWEST_WORDS
                && own.iter().all(|word| has(&asked, word))
                && !cues.kinds(own.clone()).iter().any(|word| has(&known, word))
                && !given
        };
        let field = self.screen.widgets.iter().find(lacks)?;
        Some(format!("the case has no value for {:?}", field.label))
    }
}

/// Nobody typed into it; an empty field may show its name or hint as its text.
fn is_empty(field: &Widget) -> bool {
    let value = field.value.trim();
    value.is_empty() || value == field.label.trim() || value == field.hint.trim()
}

/// The text right above a control, which says what it is for.
pub(super) fn caption<'a>(screen: &'a Screen, widget: &Widget) -> Option<&'a str> {
    let above = |text: &&Widget| {
        let gap = widget.bounds.top - text.bounds.bottom;
        text.role == Role::Text
            && (0..widget.bounds.height().max(1)).contains(&gap)
            && text.bounds.left < widget.bounds.right
            && widget.bounds.left < text.bounds.right
    };
    let nearest = screen.widgets.iter().filter(above).max_by_key(|text| text.bounds.bottom)?;
    Some(&nearest.label)
}
