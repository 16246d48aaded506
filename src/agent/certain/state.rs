//! Steps that want something on or off, and the controls that are: switches, boxes, and what says it in words, "Lamp is on".

use super::words::said;
use super::{Certain, Doubt};
use crate::agent::memory::StepMemory;
use crate::domain::{content_words, same_word, words};
use crate::hierarchy::{Role, Widget};

impl Doubt<'_> {
    /// What the step wants on or off is switched where it is not so; done where the step says nothing else.
    pub(super) fn switched(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.step.named.is_empty() || !self.step.quoted.is_empty() {
            return None;
        }
        let wanted = self.agent.scorer.cues.wanted_state(&self.step.instruction)?;
        let all = words(&self.step.instruction);
        let says = |own: &[String]| own.iter().all(|word| all.iter().any(|other| same_word(word, other)));
        let open: Vec<String> = self.intent.words.iter().filter(|word| !self.words.is_state(word)).cloned().collect();
        let states = |widget: &Widget| self.state_of(widget).filter(|(_, own)| !own.is_empty() && says(own));
        let known = self.screen.widgets.iter().filter_map(|widget| Some((widget, states(widget)?)));
        let (so, other): (Vec<_>, Vec<_>) = known.partition(|(_, (is, _))| *is == wanted);
        let most = other.iter().map(|(_, (_, own))| own.len()).max();
        let mut best = other.iter().filter(|(_, (_, own))| Some(own.len()) == most);
        match (best.next(), best.next()) {
            (Some((widget, _)), None) => self.touch(widget, "it is to be switched", memory),
            (None, _) => {
                let whole = |own: &Vec<String>| !open.is_empty() && said(&open, &own.join(" ")) == open.len();
                let (widget, _) = so.iter().find(|(_, (_, own))| whole(own))?;
                Some(Certain::Done(format!("{:?} is as the step says", widget.label)))
            }
            _ => None,
        }
    }

    /// Whether a control is on, and what it is about.
    fn state_of(&self, widget: &Widget) -> Option<(bool, Vec<String>)> {
        let usable = widget.clickable && widget.state.enabled && widget.role != Role::Radio;
        match widget.state.checked.filter(|_| usable) {
            Some(checked) => Some((checked, content_words(super::sight::name_of(&widget.label)))),
            None => self.words.state_told(&widget.label).filter(|_| usable),
        }
    }
}
