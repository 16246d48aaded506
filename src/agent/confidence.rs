//! How sure it is that a step that was declared done was carried out: from how it came to be declared, and from what was
//! done for it.

use super::agent::Agent;
use super::memory::StepMemory;
use super::operation::unmet;
use super::step::Step;
use crate::device::Seen;
use crate::domain::{Action, BundledTable, content_words, same_word};
use crate::form::Parameter;
use serde::{Deserialize, Serialize};

/// The course's worth counts from here.
const LEAST_WORTH: f32 = -6.0;

pub(super) static CALIBRATION: BundledTable<Calibration> =
    BundledTable::toml("src/agent/confidence.toml", include_str!("confidence.toml"));

/// What a step was declared done for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// The step's own words and the screen's left no doubt.
    Certain,
    /// What it wants is already so, or everything expected is on the screen.
    Plain,
    /// What follows fits better than anything of the step; the course's worth of being done, 0 at best.
    Weighed(f32),
    /// Nothing on the screen fits the step any more.
    Exhausted,
}

/// What is known of a step when it is declared done.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Signs {
    /// What it was declared done for.
    pub ground: Ground,
    /// The least score of what was done for the step; 1 where nothing needed doing.
    pub least: f32,
    /// Share of its words that were touched or typed; 1 where it has none.
    pub said: f32,
    /// Something it names was not met.
    pub unmet: bool,
    /// What leads on was touched for want of anything that fits.
    pub led: bool,
    /// A page was left on which something had been filled in and nothing sent.
    pub dropped: bool,
    /// A page with an empty field said something when it was sent, and stayed: it may have refused what it was given.
    pub answered: bool,
    /// How much better than anything else what was done fitted, at the least; 1 where nothing was weighed.
    pub lead: f32,
    /// One of several things of a kind was chosen that fitted hardly better than another.
    pub alike: bool,
}

/// How sure it is that a step was carried out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Confidence {
    /// From 0 to 1.
    pub value: f32,
    /// What speaks most against it, in words.
    pub doubt: String,
    /// What it was made from; `None` for a goal.
    pub signs: Option<Signs>,
}

impl Confidence {
    /// Not grossly doubtful: sure enough where what came after it bears it out.
    pub fn is_likely(&self) -> bool {
        self.value > CALIBRATION.get().likely
    }

    /// Sure enough by itself that what does not come of the step is the app's fault.
    pub fn is_sure(&self) -> bool {
        let calibration = CALIBRATION.get();
        let certain = |signs: &Signs| matches!(signs.ground, Ground::Certain | Ground::Plain);
        let ahead = |signs: &Signs| {
            matches!(signs.ground, Ground::Weighed(_))
                && (self.value > calibration.clear || signs.least >= calibration.meant)
                && signs.lead >= calibration.ahead
        };
        // That nothing fits any more is no sign that the step was carried out.
        let exhausted = self.signs.is_some_and(|signs| signs.ground == Ground::Exhausted);
        self.is_likely()
            && !self.is_guess()
            && !exhausted
            && (self.value > calibration.sure
                || self.signs.as_ref().is_some_and(|signs| certain(signs) || ahead(signs)))
    }

    /// One of several things of a kind was chosen for want of a better reason, or what was filled in was given up: whatever comes
    /// after it would look the same.
    pub fn is_guess(&self) -> bool {
        self.signs.is_some_and(|signs| signs.alike || signs.dropped || signs.answered)
    }
}

/// The weights; see `confidence.toml`.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Calibration {
    bias: f32,
    certain: f32,
    plain: f32,
    exhausted: f32,
    worth: f32,
    least: f32,
    said: f32,
    unmet: f32,
    led: f32,
    likely: f32,
    sure: f32,
    clear: f32,
    ahead: f32,
    meant: f32,
}

impl Calibration {
    fn of(&self, signs: &Signs) -> f32 {
        let ground = match signs.ground {
            Ground::Certain => self.certain,
            Ground::Plain => self.plain,
            Ground::Weighed(worth) => self.worth * worth.clamp(LEAST_WORTH, 0.0),
            Ground::Exhausted => self.exhausted,
        };
        let flag = |is: bool, weight: f32| if is { weight } else { 0.0 };
        let sum = self.bias
            + ground
            + self.least * signs.least.clamp(0.0, 1.0)
            + self.said * signs.said
            + flag(signs.unmet, self.unmet)
            + flag(signs.led, self.led);
        1.0 / (1.0 + (-sum).exp())
    }
}

impl Signs {
    /// How sure it is, by the bundled weights.
    pub fn confidence(self) -> Confidence {
        let value = CALIBRATION.get().of(&self);
        Confidence { value, doubt: self.doubt(), signs: Some(self) }
    }

    fn doubt(&self) -> String {
        let said = || format!("{:.0} % of its words were touched or typed", self.said * 100.0);
        match self.ground {
            _ if self.unmet => "something it names was not met".to_owned(),
            _ if self.dropped => "a page was left on which something had been filled in and nothing sent".to_owned(),
            _ if self.answered => "the page was sent, said something and stayed, and a field on it is empty".to_owned(),
            _ if self.alike => {
                "one of several things of a kind was chosen that fitted hardly better than another".to_owned()
            }
            _ if self.led => "nothing fitted on the way, and what leads on was touched".to_owned(),
            Ground::Exhausted => format!("nothing on the screen fitted it any more; {}", said()),
            Ground::Weighed(_) => format!("what was done fits it by {:.2} at worst; {}", self.least, said()),
            Ground::Certain | Ground::Plain => said(),
        }
    }
}

impl Agent<'_> {
    /// What is known of a step that is declared done on this screen.
    pub(super) fn signs(&self, ground: Ground, step: &Step, memory: &StepMemory, seen: &Seen) -> Signs {
        let own = memory.done.iter().filter(|action| !memory.looked(action));
        let score = |action: &Action| memory.scores.iter().rfind(|(done, _)| done == action).map(|(_, score)| *score);
        Signs {
            ground,
            least: own.filter_map(score).fold(1.0, f32::min),
            said: said(step, self.parameters, memory),
            unmet: unmet(step, self.parameters, &seen.screen, memory).is_some()
                || self.untyped(step, &seen.screen, memory).is_some(),
            led: !memory.led_on.is_empty(),
            dropped: memory.dropped,
            answered: memory.answered,
            lead: memory.lead.unwrap_or(1.0),
            alike: memory.alike,
        }
    }
}

/// Share of the step's words that what was touched or typed for it says.
pub(super) fn said(step: &Step, parameters: &[Parameter], memory: &StepMemory) -> f32 {
    let asked = content_words(&step.instruction);
    if asked.is_empty() {
        return 1.0;
    }
    let mut done: Vec<String> = Vec::new();
    for action in &memory.done {
        done.extend(action.target().iter().flat_map(|target| content_words(&target.label)));
        if let Action::InputText { text, .. } = action {
            done.extend(content_words(text.expose()));
        }
    }
    for parameter in parameters.iter().filter(|one| memory.has_given_anywhere(&one.name)) {
        done.extend(content_words(parameter.value.expose()).into_iter().chain(content_words(&parameter.words())));
    }
    let met = asked.iter().filter(|word| done.iter().any(|other| same_word(word, other))).count();
    met as f32 / asked.len() as f32
}

#[cfg(test)]
#[path = "confidence_tests.rs"]
mod tests;
