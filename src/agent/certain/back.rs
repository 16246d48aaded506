//! Steps that lead back: to the screen before, or on to where what they name is.

use super::coverage::Coverage;
use super::seek::plain;
use super::sight::shows;
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::Action;
use crate::hierarchy::{Role, Widget};

/// Most screens left in one step.
const MOST_BACK: usize = 4;

impl Doubt<'_> {
    /// Goes back until the place that is named is reached or what the next step wants is there; without either, once.
    pub(super) fn returned(&self, memory: &StepMemory) -> Option<Certain> {
        let cues = self.agent.scorer.cues;
        let backs = memory.done.iter().filter(|action| matches!(action, Action::PressBack)).count()
            + clicks(memory).filter(|label| cues.leads_back(label)).count();
        let root = self.agent.deeds.first().is_some_and(|deed| deed.before == self.screen.fingerprint);
        if backs > 0
            && (root || backs >= MOST_BACK || self.intent.words.is_empty() || self.is_there() || self.leads_on())
        {
            return Some(Certain::Done("it went back".to_owned()));
        }
        // The key was tried here, and led nowhere within the app.
        if memory.is_excluded(self.screen.fingerprint, &Action::PressBack) {
            return Some(Certain::Done("nothing is further back".to_owned()));
        }
        self.back(memory)
    }

    /// The arrow on the screen, else the system's key.
    pub(super) fn back(&self, memory: &StepMemory) -> Option<Certain> {
        let cues = self.agent.scorer.cues;
        let key = plain(Action::PressBack, "the step goes back");
        let asked = cues.is_system_back(&crate::domain::CueText::new(&self.step.instruction));
        let arrow = |widget: &&Widget| widget.clickable && widget.state.enabled && cues.leads_back(&widget.label);
        match self.screen.widgets.iter().find(arrow).filter(|_| !asked) {
            Some(arrow) => self.touch(arrow, "the step goes back", memory).or_else(|| self.offer(key, memory)),
            None => self.offer(key, memory),
        }
    }

    /// The screen's title says all the words of the place.
    fn is_there(&self) -> bool {
        said(&self.intent.words, &self.screen.title) == self.intent.words.len()
    }

    /// What the next step wants is in sight.
    fn leads_on(&self) -> bool {
        let Some(next) = self.next else { return true };
        if self.words.searches(&next.instruction) {
            return self.search_field().is_some();
        }
        let intent = self.words.read(next);
        let names = |name: &String| self.screen.widgets.iter().any(|widget| shows(&widget.label, name) > 0);
        if next.named.iter().any(names) {
            return true;
        }
        let fresh = StepMemory::default();
        let covering = Coverage::of_step(self.screen, next, &intent, &fresh).best(&fresh, None);
        covering.is_some_and(|covering| covering.surely)
            || (intent.types && self.screen.widgets.iter().any(|widget| widget.role == Role::Field))
    }
}
