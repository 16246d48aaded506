//! Wheels that ask for parameters the step does not name: year, month and day of a date, province and city of a region.

use super::{Certain, Doubt, chosen, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::{Action, Direction, content_words, same_word, words};
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen, Widget};
use crate::ranking::{Candidate, Ranked};

/// Most turns of a wheel one way while its value is looked for.
const MOST_TURNS: usize = 24;

impl Doubt<'_> {
    /// Turns the wheels that parameters belong to, then confirms them.
    pub(super) fn turned(&self, memory: &StepMemory) -> Option<Certain> {
        let wheels: Vec<&Widget> = wheels(self.screen).collect();
        let turned = |action: &Action| matches!(action, Action::SwipeSelector { .. });
        // A step that sends what was set turns nothing.
        if self.agent.scorer.cues.is_submit(&self.step.instruction) && memory.done.is_empty() {
            return None;
        }
        if wheels.is_empty() {
            let confirmed = memory.done.iter().any(turned)
                && matches!(memory.done.last(), Some(Action::Click { target }) if self.agent.scorer.cues.is_submit(&target.label));
            return confirmed.then(|| Certain::Done("the wheels are set and confirmed".to_owned()));
        }
        let mut met = 0;
        for wheel in &wheels {
            let Some(parameter) = self.meant_by(wheel) else { continue };
            let wanted = parameter.value.expose();
            if same_value(&wheel.value, wanted) {
                met += 1;
                continue;
            }
            let way = self.way(wheel, wanted, memory)?;
            let action = Action::SwipeSelector { target: wheel.target(), direction: way };
            let candidate = Candidate { action, widget: Some(wheel.id), text: wheel.label.clone(), offer: None };
            return Some(Certain::Do(Ranked { candidate, score: 1.0, terms: vec![("towards the parameter", 1.0)] }));
        }
        if met == 0 || clicks(memory).next().is_none() && memory.done.is_empty() {
            return None;
        }
        let cues = self.agent.scorer.cues;
        let confirms = |widget: &&Widget| {
            widget.role == Role::Button && widget.clickable && widget.state.enabled && cues.is_submit(&widget.label)
        };
        let button = self.screen.widgets.iter().rfind(confirms)?;
        let choice = chosen(button, "the wheels are as wanted");
        (!memory.is_excluded(self.screen.fingerprint, &choice.candidate.action)).then_some(Certain::Do(choice))
    }

    /// The parameter a wheel asks for: one whose name has a word of the wheel's, the more of the step's the better.
    fn meant_by(&self, wheel: &Widget) -> Option<&Parameter> {
        let own = content_words(&format!("{} {} {}", wheel.label, wheel.id_words, wheel.context));
        let shared = |parameter: &Parameter| {
            let name = content_words(&parameter.words());
            let count =
                |with: &[String]| name.iter().filter(|word| with.iter().any(|other| same_word(word, other))).count();
            (count(&own), count(&self.intent.words))
        };
        let plain = || self.agent.parameters.iter().filter(|parameter| !parameter.value.is_secret());
        let reserved = |parameter: &&Parameter| self.step.reserved.contains(&parameter.name);
        let best = plain()
            .filter(|parameter| shared(parameter).0 > 0 && !reserved(parameter))
            .max_by_key(|parameter| shared(parameter))?;
        // A wheel that another step's parameter fits as well is that step's, and one that shows such a parameter was set,
        // unless this step speaks of it.
        let taken = |parameter: &Parameter| reserved(&parameter) || same_value(&wheel.value, parameter.value.expose());
        let of_other = plain()
            .any(|parameter| parameter.name != best.name && taken(parameter) && shared(parameter).0 >= shared(best).0);
        (!of_other || shared(best).1 > 0).then_some(best)
    }

    /// Numbers are turned towards; anything else is looked for down to the end, then up.
    fn way(&self, wheel: &Widget, wanted: &str, memory: &StepMemory) -> Option<Direction> {
        if let (Some(now), Some(wanted)) = (number(&wheel.value), number(wanted)) {
            return Some(if wanted > now { Direction::Down } else { Direction::Up });
        }
        let excluded = |direction| {
            let action = Action::SwipeSelector { target: wheel.target(), direction };
            memory.is_excluded(self.screen.fingerprint, &action)
        };
        let turns = |way: Direction| {
            let this = |action: &&Action| matches!(action, Action::SwipeSelector { target, direction } if *direction == way && target.bounds == wheel.bounds);
            memory.done.iter().filter(this).count()
        };
        let up = turns(Direction::Up);
        match () {
            () if up == 0 && turns(Direction::Down) < MOST_TURNS && !excluded(Direction::Down) => Some(Direction::Down),
            () if up < 2 * MOST_TURNS && !excluded(Direction::Up) => Some(Direction::Up),
            () => None,
        }
    }
}

fn wheels(screen: &Screen) -> impl Iterator<Item = &Widget> {
    screen.widgets.iter().filter(|widget| widget.role == Role::Selector && !widget.value.is_empty())
}

fn number(text: &str) -> Option<i64> {
    text.replace(',', "").trim().parse().ok()
}

fn same_value(shown: &str, wanted: &str) -> bool {
    match (number(shown), number(wanted)) {
        (Some(shown), Some(wanted)) => shown == wanted,
        _ => words(shown) == words(wanted),
    }
}
