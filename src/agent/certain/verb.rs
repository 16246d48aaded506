//! The deed a step begins with, where the page of what it names has one control for it, whatever verb that bears.

use super::sight::{Sight, shows};
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::{Action, words};
use crate::hierarchy::{Role, ScreenKind, Widget};
use crate::ranking::Meant;

impl Doubt<'_> {
    /// "Edit the red jacket": on the jacket's own page, "Change" is what does it. A page that can be filled in is being edited
    /// already, and what merely drops a window's question does nothing to the thing.
    pub(super) fn done_here(&self, memory: &mut StepMemory) -> Option<Certain> {
        if self.step.named.is_empty() {
            return self.done_in_menu(memory);
        }
        let sight = Sight { screen: self.screen, intent: self.intent };
        let meant = Meant::new(&self.step.instruction, &self.step.original);
        if let Some(Action::Click { target }) = memory.done.last()
            && meant.is_deed(&target.label)
            && self.step.named.iter().all(|name| memory.met.contains(name))
            && self.screen.kind == ScreenKind::Ordinary
            && !self.has_fields()
        {
            return Some(Certain::Done("what the step says was done to what it names".to_owned()));
        }
        let name = self.step.named.iter().find(|name| sight.is_about(name) && sight.named(name).is_none())?;
        if self.has_fields() || clicks(memory).any(|label| meant.is_deed(label)) {
            return None;
        }
        let verb = self.verb(&meant)?;
        // In a list it may be another thing's control.
        let own = shows(&self.screen.title, name) == 3 || verb.context.is_empty() || shows(&verb.context, name) > 0;
        let found = self.touch(verb, "it does what the step says to what is open", memory).filter(|_| own)?;
        memory.met.push(name.clone());
        Some(found)
    }

    /// "Withdraw the claim from the menu": the page's menu is opened, and what in it bears the step's verb does it.
    fn done_in_menu(&self, memory: &StepMemory) -> Option<Certain> {
        let meant = Meant::new(&self.step.instruction, &self.step.original);
        let speaks = || words(&self.step.instruction).iter().any(|word| self.words.is_overflow(word));
        let looks = self.words.searches(&self.step.instruction);
        if !meant.does() || looks || !self.step.mentions.is_empty() || !speaks() {
            return None;
        }
        let mut deeds = self.agent.deeds.iter().rev();
        match memory.done.last() {
            None => self.more(memory),
            Some(Action::Click { target }) if self.words.is_overflow(&target.label) => {
                self.touch(self.verb(&meant)?, "it does what the step says", memory)
            }
            // The menu is closed again, and no window asks anything.
            Some(Action::Click { target }) if meant.is_deed(&target.label) => {
                let opened =
                    deeds.find(|deed| deed.action.target().is_some_and(|one| self.words.is_overflow(&one.label)));
                let back = self.screen.kind == ScreenKind::Ordinary
                    && opened.is_some_and(|deed| deed.screen == self.screen.title)
                    && !self.has_fields();
                back.then(|| Certain::Done("what the step says was done".to_owned()))
            }
            Some(_) => None,
        }
    }

    /// The only control that is called like the step's deed.
    fn verb(&self, meant: &Meant) -> Option<&Widget> {
        let asks = self.screen.kind == ScreenKind::Dialog;
        let mut controls = self.screen.widgets.iter().filter(|widget| {
            widget.clickable
                && widget.state.enabled
                && matches!(widget.role, Role::Button | Role::ListItem)
                && meant.is_deed(&widget.label)
                && !(asks && self.agent.scorer.cues.refuses(&widget.label))
        });
        controls.next().filter(|_| controls.next().is_none())
    }

    /// A step that moves about what is there, and names nothing: the only control that is called so. Where it does nothing,
    /// nothing else does it.
    pub(super) fn swapped(&self, memory: &StepMemory) -> Option<Certain> {
        let step = self.step;
        if !self.words.swaps(&step.instruction) || !step.named.is_empty() || !step.mentions.is_empty() {
            return None;
        }
        if clicks(memory).next().is_some() {
            return Some(Certain::Done("it was done with one touch".to_owned()));
        }
        let swaps = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && widget.role != Role::Field
                && self.words.is_swapper(&widget.label)
        };
        let mut controls = self.screen.widgets.iter().filter(swaps);
        let only = controls.next().filter(|_| controls.next().is_none())?;
        let touch = self.touch(only, "it moves about what is there", memory);
        touch.or_else(|| Some(Certain::Lacking(format!("{:?} was touched and nothing happened", only.label))))
    }
}

#[cfg(test)]
mod tests {
    use crate::agent::certain::Certain;
    use crate::agent::memory::StepMemory;
    use crate::agent::sample::{Head, button, screen, step, text, widget};
    use crate::agent::{Deed, Lull};
    use crate::domain::Action;
    use crate::hierarchy::{Fingerprint, Role, Screen, ScreenKind};

    fn does(instruction: &str, page: &Screen) -> Option<String> {
        let head = Head::new(&[], "");
        match head.agent().certain(&step(instruction, &["Red jacket"]), None, page, &mut StepMemory::default()) {
            Some(Certain::Do(choice)) => Some(choice.candidate.action.to_string()),
            _ => None,
        }
    }

    #[test]
    fn the_page_of_a_thing_has_its_own_verb_for_what_is_done_to_it() {
        let page = |labels: &[&str]| {
            let mut all = vec![text("Red jacket"), text("79.90")];
            all.extend(labels.iter().map(|label| button(label)));
            screen(all)
        };
        let edit = "Edit Red jacket so that it costs 69.90";
        assert_eq!(does(edit, &page(&["Change", "Throw away"])).as_deref(), Some("click \"Change\""));
        assert_ne!(
            does(edit, &page(&["Change", "Modify"])).as_deref(),
            Some("click \"Change\""),
            "either may be meant"
        );
        let mut list = page(&["Change"]);
        list.widgets[2].context = "Blue jacket".into();
        assert_ne!(does(edit, &list).as_deref(), Some("click \"Change\""), "it is another thing's");
        let mut filled = page(&["Change"]);
        filled.widgets.push(widget(Role::Field, "Price"));
        assert_ne!(does(edit, &filled).as_deref(), Some("click \"Change\""), "it is being edited");
    }

    #[test]
    fn what_drops_a_windows_question_does_nothing_to_the_thing() {
        let mut window = screen(vec![text("Red jacket"), button("Cancel"), button("Withdraw")]);
        window.kind = ScreenKind::Dialog;
        assert_eq!(does("Cancel the order of Red jacket", &window).as_deref(), Some("click \"Withdraw\""));
    }

    /// What is certain after these touches, each on the page it is given with.
    fn after(instruction: &str, named: &[&str], page: &Screen, touched: &[&str]) -> String {
        let (head, mut memory) = (Head::new(&[], ""), StepMemory::default());
        let mut agent = head.agent();
        for label in touched {
            let action = Action::Click { target: button(label).target() };
            memory.note(Fingerprint(9), action.clone());
            agent.deeds.push(Deed {
                step: 1,
                action,
                held: 0,
                checks: Vec::new(),
                before: Fingerprint(9),
                screen: page.title.clone(),
                after: page.fingerprint,
                lull: Lull::default(),
            });
        }
        memory.met.extend(named.iter().map(|name| (*name).to_owned()));
        match agent.certain(&step(instruction, named), None, page, &mut memory) {
            Some(Certain::Do(choice)) => choice.candidate.action.to_string(),
            Some(Certain::Done(_)) => "done".into(),
            _ => "open".into(),
        }
    }

    #[test]
    fn a_deed_that_was_done_to_what_is_named_is_done_unless_something_is_asked() {
        let (asked, named) = ("Cancel the order of Red jacket", &["Red jacket"][..]);
        let mut list = screen(vec![button("Blue jacket")]);
        assert_eq!(after(asked, named, &list, &["More", "Withdraw"]), "done");
        list.kind = ScreenKind::Dialog;
        assert_ne!(after(asked, named, &list, &["More", "Withdraw"]), "done", "a window asks");
        let form = screen(vec![widget(Role::Field, "Why?"), button("Send")]);
        assert_ne!(after(asked, named, &form, &["More", "Withdraw"]), "done", "a form asks");
    }

    #[test]
    fn a_step_of_a_menu_opens_it_and_does_its_deed() {
        let asked = "Withdraw the claim from the menu";
        let page = screen(vec![button("More options"), button("Send")]);
        assert_eq!(after(asked, &[], &page, &[]), "click \"More options\"");
        let menu = screen(vec![widget(Role::ListItem, "Withdraw"), widget(Role::ListItem, "Delete claim")]);
        assert_eq!(after(asked, &[], &menu, &["More options"]), "click \"Withdraw\"");
        assert_eq!(after(asked, &[], &page, &["More options", "Withdraw"]), "done");
        assert_eq!(after("Taste the soup from the menu", &[], &page, &[]), "open", "it is another menu");
        let found = screen(vec![widget(Role::ListItem, "Search"), widget(Role::ListItem, "Sleep timer")]);
        assert_eq!(after("Find the timer in the menu", &[], &found, &["More options"]), "open", "to look is no deed");
    }

    #[test]
    fn what_moves_about_what_is_there_is_touched_and_nothing_else() {
        let page = screen(vec![button("From, A"), button("Other direction"), button("To, B")]);
        let asked = step("Swap start and destination", &[]);
        let head = Head::new(&[], "");
        let mut memory = StepMemory::default();
        let now = |memory: &mut StepMemory| head.agent().certain(&asked, None, &page, memory);
        let Some(Certain::Do(choice)) = now(&mut memory) else { panic!("it is certain") };
        assert_eq!(choice.candidate.action.to_string(), "click \"Other direction\"");
        memory.exclude(page.fingerprint, choice.candidate.action);
        assert!(matches!(now(&mut memory), Some(Certain::Lacking(_))), "it did nothing");
    }
}
