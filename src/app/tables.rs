//! The tables that the program carries, read at its start.

use crate::domain::TableError;
use crate::{case, form, hierarchy, pipeline, ranking};

/// Checks all of them, so that a broken one ends the program before anything is done to a device.
///
/// The error names the file and what is wrong in it.
pub(super) fn verify() -> Result<(), TableError> {
    hierarchy::verify_tables()?;
    case::verify_tables()?;
    form::verify_tables()?;
    ranking::verify_tables()?;
    pipeline::verify_tables()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_table_can_be_read() {
        assert_eq!(super::verify(), Ok(()));
    }
}
