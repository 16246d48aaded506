//! What the agent remembers while it works on one step (XUAT-Copilot's system memory M and invalid history H).

use super::complaint::Complaint;
use super::patience::Waiting;
use crate::domain::{Action, Rect, Target};
use crate::hierarchy::Fingerprint;

/// Memory of one step.
#[derive(Debug, Clone, Default)]
pub(super) struct StepMemory {
    /// Valid actions, in order.
    pub done: Vec<Action>,
    /// Valid actions with the screen they were carried out on.
    valid: Vec<(Fingerprint, Action)>,
    /// Actions that had no effect on the screen they were tried on.
    invalid: Vec<(Fingerprint, Action)>,
    /// Parameters given in this step, with the place they were given to.
    pub given: Vec<(String, Option<String>)>,
    /// Controls that only led on, touched because nothing on the screen fitted the step.
    pub led_on: Vec<Action>,
    /// What left a window that has nothing to do with the step.
    pub dismissed: Vec<Action>,
    /// A number is counted to: the same control is touched again and again.
    pub counting: bool,
    /// What a gauge showed when it was last turned, and by which control.
    pub gauge: Option<(f64, Rect)>,
    /// What turned a gauge and stopped short of the value that is named, though it can be touched.
    pub stopped: Option<Rect>,
    /// Names that were looked up in the app's own search.
    pub sought: Vec<String>,
    /// Names whose own control did what the step says.
    pub met: Vec<String>,
    /// How often the case's title showed a way on.
    pub by_title: usize,
    /// How well what was done fitted.
    pub scores: Vec<(Action, f32)>,
    /// How often the step went back to where it began.
    pub returns: usize,
    /// What left no doubt, whether or not it had an effect, with the title of the window it was touched in.
    pub certain: Vec<(Action, Option<String>)>,
    /// Touches that changed nothing the hierarchy tells, but the picture.
    pub seen_only: Vec<Action>,
    /// A page was left on which something had been filled in and nothing sent.
    pub dropped: bool,
    /// How much better than anything else what was done fitted, at the least.
    pub lead: Option<f32>,
    /// One of several things of a kind was chosen that fitted hardly better than another.
    pub alike: bool,
    /// The tab on which the step began to look on others.
    pub home: Option<String>,
    /// How often waiting was tried.
    pub waits: u32,
    /// How many things were done in the case before this step.
    pub since: usize,
    /// What was waited for.
    pub waiting: Waiting,
    /// Actions tried, valid or not.
    pub tried: u32,
    /// What was done hardly belonged to the step, and it was begun anew.
    astray: bool,
    /// What was done before it was begun anew, and what led nowhere.
    left: Vec<(Fingerprint, Action)>,
    /// What had its effect before it was begun anew.
    earlier: Vec<(Fingerprint, Action)>,
    /// What had no effect was tried again.
    forgiven: bool,
    /// What the app said it could not do.
    pub trouble: Option<String>,
    /// What a form says is missing.
    pub(super) complaint: Option<Complaint>,
    /// A page with an empty field said something new where it was sent, and nothing else came of it.
    pub answered: bool,
    /// What was typed in the case before this step.
    pub typed: Vec<String>,
    /// How often an action was forgotten because a window had swallowed it.
    swallowed: u32,
}

impl StepMemory {
    /// Excludes `action` from the choice on this screen.
    pub(super) fn exclude(&mut self, on: Fingerprint, action: Action) {
        self.invalid.push((on, action));
    }

    /// Notes a valid action; one that was already carried out on the same screen is excluded from now on, so that a
    /// step cannot go round in circles. Scrolling and turning a selector are meant to be repeated.
    pub(super) fn note(&mut self, on: Fingerprint, action: Action) {
        let repeatable =
            matches!(action, Action::Scroll { .. } | Action::SwipeSelector { .. } | Action::InputText { .. })
                || self.counting;
        let again = self.valid.iter().any(|(screen, done)| *screen == on && same_place(done, &action));
        if again && !repeatable {
            self.exclude(on, action.clone());
        }
        self.valid.push((on, action.clone()));
        self.done.push(action);
    }

    /// The same, but for what was done: what is to be done again is not held against it.
    pub(super) fn without_deeds(&self) -> Self {
        Self { done: Vec::new(), ..self.clone() }
    }

    /// Forgets the last touch where the screen is again the one it was made on: a window swallowed it. At most twice in
    /// a step, so that a window that belongs to the touch does not make the step go round in circles.
    pub(super) fn forget_if_undone(&mut self, now: Fingerprint) -> bool {
        let undone = self.swallowed < 2 && matches!(self.valid.last(), Some((on, Action::Click { .. })) if *on == now);
        if undone {
            self.swallowed += 1;
            self.valid.pop();
            self.done.pop();
        }
        undone
    }

    /// Forgets what was done from the last touch that `is` finds: it came to nothing. False where there is none.
    pub(super) fn forget_from(&mut self, is: impl Fn(&Action) -> bool) -> bool {
        let Some(at) = self.done.iter().rposition(is) else { return false };
        self.done.truncate(at);
        self.valid.truncate(at);
        true
    }

    /// What had no effect may be tried again, once.
    pub(super) fn second_chance(&mut self) -> bool {
        let tried = self.invalid.iter().any(|(_, action)| matches!(action, Action::Click { .. }));
        tried && !std::mem::replace(&mut self.forgiven, true) && {
            self.invalid.clear();
            true
        }
    }

    /// Begins anew where what was done hardly belongs to the step; once, and none of it is done again.
    pub(super) fn begin_anew(&mut self) -> bool {
        let first = !std::mem::replace(&mut self.astray, true);
        if first {
            let left = std::mem::take(&mut self.valid);
            let invalid = std::mem::take(&mut self.invalid);
            let earlier = left.clone();
            *self = Self { invalid, left, earlier, ..self.anew() };
        }
        first
    }

    /// Begins anew, but for what was waited for and whether there was a second chance.
    pub(super) fn anew(&self) -> Self {
        Self {
            waiting: self.waiting.clone(),
            forgiven: self.forgiven,
            astray: self.astray,
            counting: self.counting,
            since: self.since,
            trouble: self.trouble.clone(),
            typed: self.typed.clone(),
            ..Self::default()
        }
    }

    /// What had its effect, each with the screen it was done on.
    pub(super) fn way(&self) -> impl Iterator<Item = &(Fingerprint, Action)> {
        self.earlier.iter().chain(&self.valid)
    }

    /// Back where the step began, and its first touch not to be made there again.
    pub(super) fn after_return(&self, begun: Fingerprint, first: Action) -> Self {
        let mut left = self.left.clone();
        left.push((begun, first));
        let invalid = self.invalid.clone();
        let waiting = Waiting::default();
        Self { left, invalid, waiting, returns: self.returns + 1, by_title: self.by_title, ..self.anew() }
    }

    /// True when nothing was done for the step itself yet.
    pub(super) fn only_looked(&self) -> bool {
        self.done.iter().all(|action| self.looked(action))
    }

    /// How much was done for the step itself.
    pub(super) fn deeds(&self) -> usize {
        self.done.iter().filter(|action| !self.looked(action)).count()
    }

    /// True for what was done only to see more.
    pub(super) fn looked(&self, action: &Action) -> bool {
        matches!(action, Action::Scroll { .. } | Action::Wait { .. })
            || self.led_on.contains(action)
            || self.dismissed.contains(action)
    }

    /// True when the action was found invalid, or leads in circles, on this screen.
    pub(super) fn is_excluded(&self, on: Fingerprint, action: &Action) -> bool {
        self.invalid.iter().chain(&self.left).any(|(screen, invalid)| *screen == on && same_place(invalid, action))
    }

    /// True when the parameter was given anywhere in this step.
    pub(super) fn has_given_anywhere(&self, parameter: &str) -> bool {
        self.given.iter().any(|(name, _)| name == parameter)
    }

    /// Touches that had no effect on the screen they were tried on.
    pub(super) fn without_effect(&self, on: Fingerprint) -> impl Iterator<Item = &Target> {
        self.invalid.iter().filter(move |(screen, _)| *screen == on).filter_map(|(_, action)| match action {
            Action::Click { target } => Some(target),
            _ => None,
        })
    }

    /// Touches that had no effect, on whatever screen.
    pub(super) fn vain(&self) -> impl Iterator<Item = &Target> {
        self.invalid.iter().filter_map(|(_, action)| match action {
            Action::Click { target } => Some(target),
            _ => None,
        })
    }

    /// What had no effect was tried a second time.
    pub(super) const fn was_forgiven(&self) -> bool {
        self.forgiven
    }

    /// How many actions were found invalid.
    pub(super) fn invalid_count(&self) -> usize {
        self.invalid.len()
    }

    /// True when the parameter was given to that place in this step.
    pub(super) fn has_given(&self, parameter: &str, place: Option<&str>) -> bool {
        self.given.iter().any(|(name, at)| name == parameter && at.as_deref() == place)
    }
}

/// The same skill on the same widget; labels and states around it may have changed.
fn same_place(one: &Action, other: &Action) -> bool {
    match (one, other) {
        (Action::Click { target: at }, Action::Click { target: there })
        | (Action::LongPress { target: at }, Action::LongPress { target: there }) => at.tap == there.tap,
        (Action::InputText { target: at, text }, Action::InputText { target: there, text: typed }) => {
            at.bounds == there.bounds && text == typed
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::button;

    #[test]
    fn an_action_that_is_repeated_on_the_same_screen_is_excluded() {
        let mut memory = StepMemory::default();
        memory.note(Fingerprint(1), Action::PressBack);
        assert!(!memory.is_excluded(Fingerprint(1), &Action::PressBack));
        memory.note(Fingerprint(1), Action::PressBack);
        assert!(memory.is_excluded(Fingerprint(1), &Action::PressBack));
    }

    #[test]
    fn what_only_led_on_is_no_part_of_the_step() {
        let mut memory = StepMemory::default();
        memory.note(Fingerprint(1), Action::Wait { ms: 1 });
        memory.note(Fingerprint(1), Action::PressBack);
        assert!(!memory.only_looked());
        memory.led_on.push(Action::PressBack);
        assert!(memory.only_looked());
    }

    #[test]
    fn a_window_that_was_only_left_is_no_part_of_the_step() {
        let left = Action::Click { target: button("Not now").target() };
        let mut memory = StepMemory { dismissed: vec![left.clone()], ..StepMemory::default() };
        memory.note(Fingerprint(1), left);
        assert!(memory.only_looked() && memory.deeds() == 0);
        memory.note(Fingerprint(2), Action::Click { target: button("Request").target() });
        assert_eq!((memory.only_looked(), memory.deeds()), (false, 1));
    }

    #[test]
    fn an_action_is_excluded_only_on_the_screen_it_failed_on() {
        let mut memory = StepMemory::default();
        memory.exclude(Fingerprint(1), Action::PressBack);
        assert!(memory.is_excluded(Fingerprint(1), &Action::PressBack));
        assert!(!memory.is_excluded(Fingerprint(2), &Action::PressBack));
    }
}
