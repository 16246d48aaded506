//! Variants of a suite's runs that must not change how they end: the same app with other ids, rows in another order, rows
//! and windows nobody asks for, slower answers; the same device with another display, letters or colours; the same case in
//! other words.
//!
//! `variant` draws what is changed from a seed, `reshape` changes app files, `wording` cases, `report` sums up. A variant
//! follows from its seed and its case alone: `--case ID --fuzz 1 --seed N` makes it again.

mod change;
mod material;
mod report;
mod reshape;
mod variant;
mod wording;

pub use change::Change;
pub(super) use material::Material;
pub use report::{ChangeReport, FuzzReport, VariantReport};
pub(super) use reshape::renamed;
pub(super) use variant::Variant;
