//! Several things counted at once: "two adults and one child".

use super::counter;
use super::{Certain, Doubt, chosen, clicks};
use crate::agent::memory::StepMemory;
use crate::case::blotted;
use crate::domain::{is_stop_word, same_word, words};
use crate::hierarchy::{Role, ScreenKind, Widget};

impl Doubt<'_> {
    /// Counts each thing to its number on its own counter, behind the control that says how many of each there are.
    pub(super) fn tallied(&self, memory: &mut StepMemory) -> Option<Certain> {
        if self.step.quantity.is_some() || !(self.intent.touches || self.intent.types) {
            return None;
        }
        // "Open "2. Inline"" names a row and counts nothing.
        let wanted = self.amounts(&blotted(&self.step.instruction));
        if wanted.is_empty() {
            return None;
        }
        let counters: Vec<_> = wanted
            .iter()
            .filter_map(|(count, what)| {
                Some((*count, counter::find(self.screen, self.words, Some(what)).filter(|found| found.named)?))
            })
            .collect();
        if let Some((count, off)) = counters.iter().find(|(count, counter)| counter.value != *count) {
            let control = if off.value < *count { off.more } else { off.fewer };
            let choice = chosen(self.screen.widgets.get(control?)?, "it counts towards the number");
            if memory.is_excluded(self.screen.fingerprint, &choice.candidate.action) {
                return None;
            }
            memory.counting = true;
            return Some(Certain::Do(choice));
        }
        if counters.len() == wanted.len() {
            let opened =
                clicks(memory).any(|label| !self.amounts(label).is_empty() && self.words.counts(label).is_none());
            return match self.closes().filter(|_| opened || self.screen.kind == ScreenKind::Dialog) {
                Some(button) => self.touch(button, "the numbers are as the step says", memory),
                None => Some(Certain::Done("the numbers are as the step says".to_owned())),
            };
        }
        let tells = |widget: &Widget| {
            let shown = self.amounts(&widget.label);
            let own = |(count, what): &(u32, String)| {
                let one = shown.iter().find(|(_, other)| same_word(what, other));
                one.map(|(shown, _)| shown == count)
            };
            let all: Option<Vec<bool>> = wanted.iter().map(own).collect();
            all.map(|all| all.into_iter().all(|same| same))
        };
        let touchable = |widget: &&Widget| widget.clickable && widget.state.enabled && widget.role != Role::Field;
        let (widget, same) =
            self.screen.widgets.iter().filter(touchable).find_map(|widget| Some((widget, tells(widget)?)))?;
        if same {
            return Some(Certain::Done(format!("it shows {:?}", widget.label)));
        }
        self.touch(widget, "it tells how many there are", memory)
    }

    /// What takes over the numbers of a window.
    fn closes(&self) -> Option<&Widget> {
        let cues = self.agent.scorer.cues;
        let takes = |widget: &&Widget| {
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && (cues.is_submit(&widget.label) || cues.acknowledges(&widget.label))
        };
        self.screen.widgets.iter().find(takes)
    }

    /// Numbers, each with the word behind it.
    fn amounts(&self, text: &str) -> Vec<(u32, String)> {
        let all = words(text);
        let pair = |pair: &[String]| {
            let [number, what] = pair else { return None };
            let counts = what.chars().all(char::is_alphabetic) && !is_stop_word(what) && what.chars().count() > 2;
            let number = self.words.number(number).filter(|_| counts && self.words.number(what).is_none())?;
            Some((number, what.clone()))
        };
        all.windows(2).filter_map(pair).collect()
    }
}
