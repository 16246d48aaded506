//! A control that shows a value and stands alone under what it is called: a heading "Delivery address" over a row that reads
//! "4 Harbour Steps".

use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::content_words;
use crate::hierarchy::{Role, Widget};

/// Fewest words of a heading that a step must say.
const FEWEST: usize = 2;

impl Doubt<'_> {
    /// A step that says a whole heading, and nothing else, means the only control under it.
    pub(super) fn captioned(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.intent.touches || self.intent.types || !self.intent.deed.is_empty() || clicks(memory).next().is_some()
        {
            return None;
        }
        let widgets = &self.screen.widgets;
        let heads = |widget: &&Widget| {
            let own = content_words(&widget.label);
            widget.role == Role::Text
                && !widget.clickable
                && widget.label != self.screen.title
                && own.len() >= FEWEST
                && said(&self.intent.words, &widget.label) == self.intent.words.len()
                && said(&own, &self.step.instruction) == own.len()
        };
        let mut headings = widgets.iter().filter(heads);
        let heading = headings.next().filter(|_| headings.next().is_none())?;
        let below = |widget: &&Widget| {
            widget.bounds.top >= heading.bounds.bottom
                && widget.bounds.left < heading.bounds.right.max(heading.bounds.left + 1)
                && heading.bounds.left < widget.bounds.right.max(widget.bounds.left + 1)
        };
        let end = widgets
            .iter()
            .filter(below)
            .filter(|widget| widget.role == Role::Text && !widget.clickable)
            .map(|widget| widget.bounds.top)
            .min()
            .unwrap_or(i32::MAX);
        let own = |widget: &&Widget| {
            widget.clickable && widget.role != Role::Field && widget.bounds.top < end && below(widget)
        };
        let mut own = widgets.iter().filter(own);
        let only = own.next().filter(|only| only.state.enabled && own.next().is_none())?;
        self.touch(only, "it stands alone under what the step says", memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, row, screen, step, text};

    fn touched(asked: &str, rows: Vec<Widget>) -> String {
        let page = screen(rows);
        match Head::new(&[], "").agent().certain(&step(asked, &[]), None, &page, &mut StepMemory::default()) {
            Some(Certain::Do(choice)) => choice.candidate.action.to_string(),
            _ => "open".to_owned(),
        }
    }

    #[test]
    fn a_heading_names_the_only_control_under_it() {
        let rows = |others: &[&str]| {
            let mut rows = vec![row(text("Delivery address"), 1, 0), row(button("4 Harbour Steps"), 2, 0)];
            rows.extend(others.iter().map(|label| row(button(label), 3, 0)));
            rows.extend([row(text("Ways to pay"), 4, 0), row(button("Card"), 5, 0)]);
            rows
        };
        let asked = "Change the present delivery address";
        assert_eq!(touched(asked, rows(&[])), "click \"4 Harbour Steps\"");
        assert_eq!(touched(asked, rows(&["7 Mill Lane"])), "open", "either may be meant");
        assert_eq!(touched("Change the delivery time", rows(&[])), "open", "it is called otherwise");
    }
}
