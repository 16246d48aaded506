//! Recorded apps: those of the crate `tapwright-base`, and in tests its made-up samples.

pub use tapwright_base::recorded::*;

// The samples build on public items only, so each crate's tests compile their own: a cargo feature for them would build
// everything twice, once for the product and once for its tests.
#[cfg(test)]
#[path = "../crates/base/src/recorded/sample.rs"]
pub(crate) mod sample;
