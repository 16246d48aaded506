//! What forms hold: fields, the kinds of value they take, dates as people write them, and the values that cases give.
//!
//! Pure: text and screens in, findings out.

mod code_boxes;
mod content;
mod date_pattern;
mod field_kind;
mod months;
mod parameter;
mod places;
#[cfg(test)]
pub(crate) mod sample;
mod written_date;

pub(crate) use code_boxes::took;
pub(crate) use content::holds;
pub(crate) use date_pattern::DatePattern;
pub(crate) use field_kind::{FieldKind, kinds};
pub use parameter::Parameter;
pub(crate) use places::{Input, is_currency, is_same, places};
pub(crate) use written_date::{WrittenDate, YEARS};

use crate::domain::TableError;

/// Checks that the bundled words of fields and dates can be read.
pub fn verify_tables() -> Result<(), TableError> {
    field_kind::WORDS.verify()?;
    months::MONTHS.verify()
}
