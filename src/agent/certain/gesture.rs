//! Steps that say how they are done: a finger that rests, or that sweeps a row aside.
//!
//! Where a step asks for one of these, a touch is no substitute: it opens what was to be marked, named or removed.

use super::seek::plain;
use super::sight::{name_of, shows};
use super::words::said;
use super::{Certain, Doubt};
use crate::agent::memory::StepMemory;
use crate::domain::{Action, Direction, Rect, content_words, words};
use crate::hierarchy::{Role, Widget};
use crate::ranking::{Candidate, Ranked};

impl Doubt<'_> {
    /// What a step that says how it is done asks for.
    pub(super) fn by_gesture(&self, memory: &StepMemory) -> Option<Certain> {
        if self.words.holds_down(&self.step.instruction) {
            return self.held(memory);
        }
        if self.words.sweeps(&self.step.instruction) {
            return self.swept(memory);
        }
        None
    }

    /// The finger rests on what the step speaks of, once.
    fn held(&self, memory: &StepMemory) -> Option<Certain> {
        if memory.done.iter().any(|action| matches!(action, Action::LongPress { .. })) {
            let last = matches!(memory.done.last(), Some(Action::LongPress { .. }));
            return last.then(|| Certain::Done("what the step names was held down".to_owned()));
        }
        match self.meant(|widget| widget.long_clickable).or_else(|| self.meant(|widget| widget.clickable)) {
            Some(widget) => {
                let action = Action::LongPress { target: widget.target() };
                let candidate = Candidate { action, widget: Some(widget.id), text: widget.label.clone(), offer: None };
                let terms = vec![("the step says to hold it down", 1.0)];
                let lacking = || Certain::Lacking(format!("{:?} was held down and nothing happened", widget.label));
                self.offer(Ranked { candidate, score: 1.0, terms }, memory).or_else(|| Some(lacking()))
            }
            None => self.further(memory),
        }
    }

    /// The row of what the step speaks of is swept aside; what that uncovers is touched where the step wants it gone.
    fn swept(&self, memory: &StepMemory) -> Option<Certain> {
        let row = |action: &&Action| match action {
            Action::Scroll { direction, area } => {
                matches!(direction, Direction::Left | Direction::Right) && !self.screen.scroll_areas.contains(area)
            }
            _ => false,
        };
        let swept = memory.done.iter().rfind(row);
        let meant = self.meant(|widget| widget.role != Role::Selector);
        let Some(Action::Scroll { area, .. }) = swept else {
            let Some(widget) = meant else { return self.further(memory) };
            let area = self.row_of(widget);
            // The finger goes the other way than what comes into sight.
            let right = words(&self.step.instruction).iter().any(|word| word == "right");
            let way = if right { Direction::Left } else { Direction::Right };
            return self
                .offer(plain(Action::Scroll { direction: way, area }, "the step says to sweep it aside"), memory);
        };
        if matches!(memory.done.last(), Some(Action::Click { .. })) {
            return Some(Certain::Done("what was swept aside was dealt with".to_owned()));
        }
        let uncovered = self.meant(|_| true).and_then(|widget| self.uncovered(widget, *area));
        match uncovered {
            Some(button) => self.touch(button, "sweeping the row uncovered it", memory),
            None => Some(Certain::Done("it was swept aside".to_owned())),
        }
    }

    /// What is named and not in sight is scrolled to.
    fn further(&self, memory: &StepMemory) -> Option<Certain> {
        self.scroll(memory).filter(|_| !self.step.named.is_empty()).map(Certain::Do)
    }

    /// What the step speaks of, among the controls that `may`: the one that shows what is named, else the only one whose
    /// whole name the step says.
    fn meant(&self, may: impl Fn(&Widget) -> bool) -> Option<&Widget> {
        let usable = |widget: &&Widget| may(widget) && widget.state.enabled && widget.role != Role::Field;
        if let Some(name) = self.step.named.first() {
            let shown = self.screen.widgets.iter().filter(usable).filter(|widget| shows(&widget.label, name) > 0);
            return shown.max_by_key(|widget| (shows(&widget.label, name), std::cmp::Reverse(widget.id)));
        }
        let says = |widget: &&Widget| {
            let own = content_words(name_of(&widget.label));
            !own.is_empty() && said(&own, &self.step.instruction) == own.len()
        };
        let length = |widget: &Widget| content_words(name_of(&widget.label)).len();
        let found: Vec<&Widget> = self.screen.widgets.iter().filter(usable).filter(says).collect();
        let most = found.iter().map(|widget| length(widget)).max()?;
        let mut best = found.into_iter().filter(|widget| length(widget) == most);
        best.next().filter(|_| best.next().is_none())
    }

    /// The stripe of the list, as wide as the list, that a widget stands in.
    fn row_of(&self, widget: &Widget) -> Rect {
        let middle = widget.bounds.center();
        let list = self.screen.scroll_areas.iter().find(|area| area.contains(middle));
        let (left, right) = list.map_or((widget.bounds.left, widget.bounds.right), |area| (area.left, area.right));
        Rect::new(left, widget.bounds.top, right, widget.bounds.bottom)
    }

    /// The one button in a row that is not the row itself, where the step wants rid of what is named.
    fn uncovered(&self, widget: &Widget, row: Rect) -> Option<&Widget> {
        let asked = !self.intent.deed.is_empty() || self.words.rids(&self.step.instruction);
        let beside = |other: &&Widget| {
            other.clickable
                && other.state.enabled
                && other.id != widget.id
                && other.bounds.width() < row.width()
                && (row.top..row.bottom).contains(&other.bounds.center().y)
        };
        let mut found = self.screen.widgets.iter().filter(beside);
        let only = found.next().filter(|_| asked && found.next().is_none())?;
        // A button that was there before is not uncovered by the sweep.
        (only.bounds.left >= widget.bounds.right
            || only.bounds.right <= widget.bounds.left
            || said(&self.intent.deed, &only.label) > 0)
            .then_some(only)
    }
}
