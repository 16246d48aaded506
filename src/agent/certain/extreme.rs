//! The one of several alike things that is the most or the least of its kind: "the cheapest car", "what leaves now".

use super::sight::{name_of, shows};
use super::words::Words;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::{CueList, holds_cue, words};
use crate::hierarchy::{Role, Widget};
use serde::Deserialize;

/// Fewest things that are compared.
const FEWEST: usize = 2;

/// Which of several things a step means; see `certain.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Extremes {
    /// The one that takes the least time.
    soonest: CueList,
    /// The one that takes the most time.
    longest: CueList,
    /// The one that costs least.
    cheapest: CueList,
    /// The one that costs most.
    dearest: CueList,
    /// Units of time, each with its seconds.
    times: Vec<(f64, Vec<String>)>,
    /// Signs and codes of currencies.
    currencies: Vec<String>,
}

/// What is compared, and whether the least is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Time { least: bool },
    Price { least: bool },
}

impl Extremes {
    fn asked(&self, text: &str) -> Option<Measure> {
        let all = [
            (&self.soonest, Measure::Time { least: true }),
            (&self.longest, Measure::Time { least: false }),
            (&self.cheapest, Measure::Price { least: true }),
            (&self.dearest, Measure::Price { least: false }),
        ];
        all.into_iter().find(|(cues, _)| holds_cue(cues, text)).map(|(_, measure)| measure)
    }

    /// How much of it a row tells; `None` where it tells nothing of the kind.
    fn amount(&self, measure: Measure, label: &str) -> Option<f64> {
        numbers(label).into_iter().find_map(|Number { value, before, after }| match measure {
            Measure::Time { .. } => {
                let unit = words(after).into_iter().next()?;
                let known = |units: &Vec<String>| units.contains(&unit) || units.iter().any(|one| starts(after, one));
                self.times.iter().find(|(_, units)| known(units)).map(|(seconds, _)| value * seconds)
            }
            Measure::Price { .. } => {
                let sign = |sign: &String| {
                    before.trim_end().ends_with(sign.as_str()) || after.trim_start().starts_with(sign.as_str())
                };
                self.currencies.iter().any(sign).then_some(value)
            }
        })
    }
}

/// A unit written without spaces stands right behind its number.
fn starts(after: &str, unit: &str) -> bool {
    !unit.is_ascii() && after.trim_start().starts_with(unit)
}

/// A number with the text on both sides of it.
struct Number<'a> {
    value: f64,
    before: &'a str,
    after: &'a str,
}

/// The numbers of a text. The last separator is the decimal one where one or two digits follow it.
fn numbers(text: &str) -> Vec<Number<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        let inner = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}');
        let end = text[start..].find(|c| !inner(c)).map_or(text.len(), |at| start + at);
        let written = text[start..end].trim_end_matches(['.', ',', '\u{a0}', '\u{202f}']);
        let end = start + written.len();
        let decimals = written.rfind(['.', ',']).filter(|at| (1..=2).contains(&(written.len() - at - 1)));
        let digits: String = written
            .char_indices()
            .filter_map(|(at, c)| if Some(at) == decimals { Some('.') } else { c.is_ascii_digit().then_some(c) })
            .collect();
        if let Ok(value) = digits.parse() {
            found.push(Number { value, before: &text[..start], after: &text[end..] });
        }
        from = end.max(start + 1);
    }
    found
}

impl Doubt<'_> {
    /// Chooses the one the step means, and carries the choice out where a control says what was chosen.
    pub(super) fn most_or_least(&self, memory: &mut StepMemory) -> Option<Certain> {
        let Words { extremes, .. } = self.words;
        let measure = extremes.asked(&self.step.instruction)?;
        if !self.step.named.iter().all(|name| clicks(memory).any(|label| shows(label, name) > 0)) {
            return None;
        }
        // An errand is not done with the choice.
        let errand = self.words.is_errand(&self.step.instruction);
        let Some(row) = self.extreme(extremes, measure) else {
            if errand {
                return None;
            }
            // Nothing is left to be compared where one of them was taken.
            let taken = clicks(memory).any(|label| memory.met.iter().any(|name| shows(label, name) > 0));
            return taken.then(|| Certain::Done("the one it means was taken".to_owned()));
        };
        let name = name_of(&row.label).to_owned();
        if !memory.met.contains(&name) {
            memory.met.push(name.clone());
        }
        let carries_out = |widget: &&Widget| {
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && widget.id != row.id
                && shows(&widget.label, &name) > 0
                && self.words.commits(&widget.label)
        };
        let touched = clicks(memory).any(|label| label == row.label);
        let chosen = touched || row.state.selected || row.state.checked == Some(true);
        if errand {
            return if chosen { None } else { self.touch(row, "it is the one the step means", memory) };
        }
        // A page that holds nothing but choices takes the one that is touched, even the one that is chosen.
        let cues = &self.agent.scorer.cues;
        let is_choice = |widget: &Widget| {
            !widget.clickable
                || widget.state.checked.is_some()
                || extremes.amount(measure, &widget.label).is_some()
                || cues.leads_back(&widget.label)
        };
        if !touched && self.screen.widgets.iter().all(is_choice) {
            return self.touch(row, "it is the one the step means", memory);
        }
        if chosen {
            return match self.screen.widgets.iter().find(carries_out) {
                Some(button) if !self.next.is_some_and(|next| next.instruction.contains(&button.label)) => {
                    self.touch(button, "it takes the one the step means", memory)
                }
                _ => (self.step.named.is_empty()).then(|| Certain::Done("the one it means is chosen".to_owned())),
            };
        }
        self.touch(row, "it is the one the step means", memory)
    }

    /// The row with the most or the least; `None` where too few tell how much, or two tell the same.
    fn extreme(&self, extremes: &Extremes, measure: Measure) -> Option<&Widget> {
        let (Measure::Time { least } | Measure::Price { least }) = measure;
        let usable = |widget: &&Widget| {
            widget.clickable && widget.state.enabled && !matches!(widget.role, Role::Field | Role::KeypadKey)
        };
        let told = self.screen.widgets.iter().filter(usable);
        let mut rows: Vec<(f64, &Widget)> =
            told.filter_map(|widget| Some((extremes.amount(measure, &widget.label)?, widget))).collect();
        if rows.len() < FEWEST {
            return None;
        }
        rows.sort_by(|a, b| if least { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
        let [first, second, ..] = rows.as_slice() else { return None };
        (first.0.total_cmp(&second.0).is_ne()).then_some(first.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extremes() -> Extremes {
        super::super::WORDS.get().extremes.clone()
    }

    #[test]
    fn a_step_says_what_is_compared() {
        let asked = |text: &str| extremes().asked(text);
        assert_eq!(asked("Choose the product that leaves now"), Some(Measure::Time { least: true }));
        assert_eq!(asked("Book the cheapest room"), Some(Measure::Price { least: true }));
        assert_eq!(asked("Order the most expensive one"), Some(Measure::Price { least: false }));
        assert_eq!(asked("Choose the red one now"), None);
    }

    #[test]
    fn times_and_prices_are_read_from_rows() {
        let time = |label: &str| extremes().amount(Measure::Time { least: true }, label);
        assert_eq!(time("Van, 6, 7 min away, $29.66"), Some(420.0));
        assert_eq!(time("Bus, 2 h"), Some(7200.0));
        assert_eq!(time("徒歩 5分"), Some(300.0));
        assert_eq!(time("Room 12, $90"), None);
        let price = |label: &str| extremes().amount(Measure::Price { least: true }, label);
        assert_eq!(price("Van, 6, 7 min away, $29.66"), Some(29.66));
        assert_eq!(price("Suite 2, 1.250,00 €"), Some(1250.0));
        assert_eq!(price("Bus, R$ 1,250"), Some(1250.0));
        assert_eq!(price("Bus, 3 min"), None);
    }
}
