//! Names of months.

use crate::domain::BundledTable;
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
