//! Names of months and the words of controls that turn a calendar's pages.

use crate::domain::{BundledTable, CueList, holds_cue};
use serde::Deserialize;

pub(super) static MONTHS: BundledTable<Months> =
    BundledTable::toml("src/form/months.toml", include_str!("months.toml"));

/// Shortest abbreviation of a month's name.
const SHORTEST: usize = 3;

/// The words; see `months.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Months {
    names: Vec<Vec<String>>,
    next: CueList,
    previous: CueList,
}

/// The month that a word names, or begins.
pub(crate) fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let word = word.trim_end_matches('.');
    let names = &MONTHS.get().names;
    let place = |is: &dyn Fn(&String) -> bool| names.iter().find_map(|names| names.iter().position(is));
    let long = word.chars().count() >= SHORTEST;
    let found = place(&|name| name == word).or_else(|| place(&|name| name.starts_with(word)).filter(|_| long));
    found.map(|at| at as u32 + 1)
}

/// The control shows the next month (`true`) or the one before.
pub(crate) fn turns(label: &str) -> Option<bool> {
    let months = MONTHS.get();
    match (holds_cue(&months.next, label), holds_cue(&months.previous, label)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_controls_that_turn_the_pages_are_told_apart() {
        assert_eq!((turns("Next month"), turns("Mois précédent"), turns("Next")), (Some(true), Some(false), None));
    }
}
