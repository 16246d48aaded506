//! Values with a place of their own: what the goal's words say of where they belong, and what sets those that are not typed.

use super::cues::GoalCues;
use super::outcome::counts_things;
use super::placing;
use super::quest::Quest;
use crate::agent::agent::Agent;
use crate::agent::step::Step;
use crate::domain::Action;
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen, Widget};
use crate::ranking::{Candidate, Ranked};

/// How well what the goal's own words say fits.
const SAID: f32 = 0.9;

impl Quest<'_, '_> {
    /// The value that the goal's own words give a place on this screen: typed there, or what opens its choice is touched.
    pub(super) fn placed(&self, parameters: &[Parameter], screen: &Screen) -> Option<Ranked> {
        let touched = |value: &str| {
            let labels = self.trek.past.iter().filter_map(|stride| {
                let at = stride.control.filter(|_| stride.typed.is_none())?;
                stride.on.controls.get(at).map(|control| control.label.to_lowercase())
            });
            labels.into_iter().any(|label| label == value.to_lowercase())
        };
        let open = |one: &Parameter| !self.memory.has_given_anywhere(&one.name) && !touched(one.value.expose());
        let fresh = |widget: &Widget| self.trek.times_touched(screen, widget) == 0;
        let found = placing::placed(self.step, parameters, open, screen, self.trek.last_label(), fresh)?;
        tracing::debug!("{} belongs to {:?}", found.parameter.name, found.place.label);
        let place = found.place;
        let action = if place.role == Role::Field {
            if self.refusals.refuses(place, found.parameter.value.expose()) {
                return None;
            }
            Action::InputText { target: place.target(), text: found.parameter.value.clone() }
        } else {
            Action::Click { target: place.target() }
        };
        if self.memory.is_excluded(screen.fingerprint, &action) {
            return None;
        }
        let candidate = Candidate { action, widget: Some(place.id), text: place.label.clone(), offer: None };
        Some(Ranked { candidate, score: SAID, terms: vec![("said place", SAID)] })
    }

    /// A value that is set on a calendar, a clock, a gauge, a counter or a list instead of being typed: what brings it nearer.
    pub(super) fn set(&mut self, agent: &Agent<'_>, screen: &Screen, cues: &GoalCues) -> Option<Ranked> {
        let given = |name: &String| self.memory.has_given_anywhere(name);
        let shown = |one: &&Parameter| self.step.mentions.contains(&one.name) && !one.value.is_secret();
        let mut values: Vec<(String, Vec<String>)> = agent
            .parameters
            .iter()
            .filter(shown)
            .filter(|one| !given(&one.name))
            .map(|one| (one.value.expose().to_owned(), vec![one.name.clone()]))
            .collect();
        if counts_things(&self.step.instruction, &self.step.named, cues) {
            values.push((String::new(), Vec::new()));
        }
        for (value, mentions) in values {
            let own = if value.is_empty() { without(&self.step.instruction, &self.step.named) } else { value.clone() };
            let said = format!("{} {own}", cues.set_to);
            let step = Step {
                index: self.step.index,
                original: said.clone(),
                instruction: said.clone(),
                sentence: said,
                mentions,
                named: if value.is_empty() { Vec::new() } else { vec![value.clone()] },
                ..Step::default()
            };
            let memory = self.setting.entry(value.clone()).or_default();
            let Some((choice, settles)) = agent.certain_value(&step, screen, memory) else { continue };
            if !self.memory.is_excluded(screen.fingerprint, &choice.candidate.action) || memory.counting {
                memory.note(screen.fingerprint, choice.candidate.action.clone());
                if settles {
                    self.settled.insert(value);
                }
                return Some(choice);
            }
        }
        None
    }
}

/// A text without what it names.
fn without(text: &str, named: &[String]) -> String {
    let named = named.iter().filter(|name| !name.is_empty());
    named.fold(text.to_owned(), |text, name| text.replace(name.as_str(), ", "))
}
