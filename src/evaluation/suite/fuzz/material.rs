//! What variants are made of; see `fuzz.toml`.

use crate::domain::Lots;
use serde::Deserialize;

/// The words and windows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::evaluation::suite) struct Material {
    pub(super) openings: Vec<Vec<String>>,
    pub(super) prefaces: Vec<String>,
    pub(super) ordinals: Vec<String>,
    pub(super) names: Vec<String>,
    pub(super) offers: Vec<OfferWindow>,
}

/// A window that nobody asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfferWindow {
    pub(super) title: String,
    pub(super) message: String,
    pub(super) refuse: String,
    pub(super) accept: String,
}

impl Material {
    /// What ships with Tapwright.
    pub(in crate::evaluation::suite) fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("fuzz.toml"))
    }
}

/// A number below `limit`; 0 where there is none.
pub(super) fn below(lots: &mut Lots, limit: usize) -> usize {
    let limit = u64::try_from(limit.max(1)).unwrap_or(u64::MAX);
    usize::try_from(lots.next() % limit).unwrap_or_default()
}

/// One of these.
pub(super) fn one_of<'a, T>(lots: &mut Lots, all: &'a [T]) -> Option<&'a T> {
    all.get(below(lots, all.len()))
}

/// Puts what is in a list into another order (Fisher and Yates).
pub(super) fn shuffle<T>(lots: &mut Lots, all: &mut [T]) {
    for at in (1..all.len()).rev() {
        all.swap(at, below(lots, at + 1));
    }
}
