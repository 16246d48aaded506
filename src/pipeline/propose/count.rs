//! How many of a thing a clause asks for: "put 4 of it into the cart".

use crate::case::Quantity;
use crate::domain::Action;
use crate::pipeline::episode::Episode;
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{Clause, Verb, VerbSet};
use crate::pipeline::value_control::read_quantities;

/// Greatest number that is reached by touching again and again.
const MAX_COUNT: f64 = 20.0;

/// How many of a thing are wanted, and how many were added in this clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    /// As many as the clause asks for.
    pub(super) wanted: u32,
    /// Touches on what adds or counts up, less those that count down.
    pub(super) added: u32,
}

impl Count {
    /// The count of a clause at work; `None` where it names no number of one thing that is added.
    pub(super) fn of(episode: &Episode<'_>) -> Option<Self> {
        let wanted = wanted(episode.clause)?;
        let touched = |record: &&ActionRecord, purposes: &[Purpose]| {
            matches!(record.action, Action::Click { .. })
                && record.control.as_ref().is_some_and(|control| control.purposes.has_any(purposes))
        };
        let count = |purposes: &[Purpose]| {
            episode.journal.current_touches().filter(|record| touched(record, purposes)).count() as u32
        };
        let added = count(&[Purpose::Add, Purpose::Increase]).saturating_sub(count(&[Purpose::Decrease]));
        Some(Self { wanted, added })
    }

    /// How many are missing.
    pub(super) const fn left(self) -> u32 {
        self.wanted.saturating_sub(self.added)
    }
}

/// The number of things that a clause adds; `None` for clauses that add nothing or name several things.
fn wanted(clause: &Clause) -> Option<u32> {
    const ADDING: VerbSet = VerbSet::of(&[Verb::Create, Verb::Order, Verb::Increase]);
    if let Some(Quantity::Add(number)) = clause.step.quantity {
        return (number > 1).then_some(number);
    }
    if !clause.verbs.meets(ADDING) || clause.names.len() + clause.proper_names.len() > 1 {
        return None;
    }
    let mut plain = clause.step.instruction.clone();
    for name in &clause.names {
        plain = plain.replace(name.as_str(), " ");
    }
    let quantities = read_quantities(&plain);
    let whole = |value: f64| value.fract() == 0.0 && (2.0..=MAX_COUNT).contains(&value);
    quantities.iter().map(|one| one.value).find(|value| whole(*value)).map(|value| value as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::task::Step;

    #[test]
    fn a_number_of_one_thing_is_a_count() {
        let lexicon = crate::lexicon::Lexicon::bundled().unwrap();
        let check = |instruction: &str, named: &[&str], expected: Option<u32>| {
            let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
            let step = Step {
                index: 1,
                instruction: instruction.into(),
                original: instruction.into(),
                named,
                ..Step::default()
            };
            assert_eq!(wanted(&Clause::read(&step, "", &lexicon)), expected, "{instruction}");
        };
        check("Add 4 of it to the cart", &[], Some(4));
        check("Add two jars of honey", &["honey"], Some(2));
        check("Add the honey", &["honey"], None);
        check("Open the 3 messages", &[], None);
    }
}
