//! Which of several rows a step means that says which of them it does not: "the printed book, not the audiobook".

use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::content_words;
use crate::hierarchy::{Role, Widget};
use crate::ranking::Meant;

impl Doubt<'_> {
    /// Of rows of one kind, the only one that says words of the step, and nothing that the step sets itself off from,
    /// where another does.
    pub(super) fn set_apart(&self, memory: &StepMemory) -> Option<Certain> {
        let meant = Meant::new(&self.step.instruction, &self.step.original);
        if !meant.sets_off() || clicks(memory).next().is_some() {
            return None;
        }
        let row = |widget: &&Widget| {
            widget.clickable && widget.state.enabled && matches!(widget.role, Role::ListItem | Role::Radio)
        };
        let (out, left): (Vec<&Widget>, Vec<&Widget>) =
            self.screen.widgets.iter().filter(row).partition(|widget| meant.is_set_off(&widget.label));
        let alike = |one: &Widget| out.iter().any(|other| other.class == one.class && other.role == one.role);
        let asked: Vec<String> =
            content_words(&self.step.instruction).into_iter().filter(|word| !meant.is_set_off(word)).collect();
        let worth = |widget: &&Widget| said(&asked, &widget.label);
        let left: Vec<&Widget> = left.into_iter().filter(|widget| alike(widget)).collect();
        let most = left.iter().map(worth).max().filter(|most| *most > 0)?;
        let mut best = left.into_iter().filter(|widget| worth(widget) == most);
        let only = best.next().filter(|_| best.next().is_none())?;
        self.touch(only, "it is what the step means, and not what it sets it off from", memory)
    }
}

#[cfg(test)]
mod tests {
    use crate::agent::certain::Certain;
    use crate::agent::memory::StepMemory;
    use crate::agent::sample::{Head, screen, step, widget};
    use crate::hierarchy::Role;

    fn meant(instruction: &str, rows: &[&str]) -> Option<String> {
        let page = screen(rows.iter().map(|label| widget(Role::ListItem, label)).collect());
        let head = Head::new(&[], "");
        match head.agent().certain(&step(instruction, &[]), None, &page, &mut StepMemory::default()) {
            Some(Certain::Do(choice)) => Some(choice.candidate.action.to_string()),
            _ => None,
        }
    }

    #[test]
    fn a_step_that_says_what_it_does_not_mean_means_the_other() {
        let asked = "Open the printed book, not the audiobook";
        let rows = ["Night, Ada Park, 2016, Audiobook, Out", "Night, Ada Park, 2015, Book, In"];
        assert_eq!(meant(asked, &rows).as_deref(), Some("click \"Night, Ada Park, 2015, Book, In\""));
        assert_eq!(meant("Open the printed book", &rows), None, "it sets itself off from nothing");
        let two = ["Night, Audiobook", "Night, Book", "Day, Book"];
        assert_eq!(meant(asked, &two), None, "either book may be meant");
        assert_eq!(meant(asked, &["Night, Film", "Night, Book"]), None, "nothing is set off");
    }
}
