//! What the instruction says of a control by the words of its label.

use super::context::Context;
use crate::domain::{stem, words};
use crate::hierarchy::Widget;
use crate::pipeline::task::{said_fit, title_of};

impl Context<'_> {
    /// True for a box, switch or choice whose whole label the instruction says and that is not as wanted: on, unless its part of
    /// the instruction switches it off.
    pub(crate) fn is_said_choice(&self, widget: &Widget) -> bool {
        let Some(checked) = widget.state.checked else { return false };
        let clause = self.clause();
        let lexicon = &self.episode.knowledge.lexicon;
        let touched = || self.episode.journal.has_touched(&widget.label);
        if self.is_switch_to_set(widget) && !touched() {
            return true;
        }
        let said = said_fit(lexicon, &clause.said, &widget.label) >= 1.0 && !self.is_part_of_said(widget);
        if !widget.state.enabled || !said || touched() {
            return false;
        }
        checked != clause.wants_checked(&widget.label, lexicon)
    }

    /// True if the instruction says a control's label only within a longer label that stands there as well: "E-book" is no "Book".
    pub(crate) fn is_part_of_said(&self, widget: &Widget) -> bool {
        let (clause, lexicon) = (self.clause(), &self.episode.knowledge.lexicon);
        // "Books" is a part of "e-book" as well.
        let stems = |label: &str| words(title_of(label)).iter().map(|word| stem(word)).collect::<Vec<_>>();
        let own = stems(&widget.label);
        let holds = |one: &Widget| {
            let other = stems(&one.label);
            other.len() > own.len() && other.windows(own.len()).any(|part| part == own.as_slice())
        };
        !own.is_empty()
            && self
                .model
                .touchables()
                .any(|one| one.id != widget.id && holds(one) && said_fit(lexicon, &clause.said, &one.label) >= 1.0)
    }
}
