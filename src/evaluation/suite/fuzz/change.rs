//! The kinds of change.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What may be changed without changing how a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Resource ids and test tags say nothing.
    Ids,
    /// Rows stand in another order.
    Order,
    /// There are rows nobody asks for.
    Rows,
    /// A window comes that nobody asked for.
    Offer,
    /// What takes time takes more of it.
    Slower,
    /// The display has another size and density.
    Display,
    /// The letters have another size.
    Letters,
    /// The dark theme.
    Dark,
    /// The instructions are said in other words.
    Wording,
}

impl Change {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Ids,
        Self::Order,
        Self::Rows,
        Self::Offer,
        Self::Slower,
        Self::Display,
        Self::Letters,
        Self::Dark,
        Self::Wording,
    ];
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ids => "other ids",
            Self::Order => "rows in another order",
            Self::Rows => "more rows",
            Self::Offer => "a window nobody asked for",
            Self::Slower => "slower answers",
            Self::Display => "another display",
            Self::Letters => "letters of another size",
            Self::Dark => "dark theme",
            Self::Wording => "other words",
        })
    }
}
