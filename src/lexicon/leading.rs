//! Purposes that the first words of a longer label may tell.

use super::purpose::Purpose;

/// Those that a label's first words tell: "Save changes" saves. "Cancel trip" is no "Cancel".
pub(super) const LEADING: [Purpose; 8] = [
    Purpose::Submit,
    Purpose::Add,
    Purpose::Edit,
    Purpose::Delete,
    Purpose::Search,
    Purpose::Filter,
    Purpose::Share,
    Purpose::Call,
];

/// Those of what has consequences: the first word of a longer verb does not tell them, "call off" calls nobody.
pub(super) const ACTING: [Purpose; 3] = [Purpose::Delete, Purpose::Share, Purpose::Call];
