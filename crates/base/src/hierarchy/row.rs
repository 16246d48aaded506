//! A row: one block of several alike (an entry of a list, a card, a cell, a line of a form), with what it is called and
//! what can be done in it.

use super::{Screen, WidgetId};
use crate::domain::Rect;
use serde::Serialize;

/// One block and what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its title, in the language the screen is read in.
    pub heading: String,
    /// Bounds of the text that is the title.
    pub heading_bounds: Rect,
    /// Bounds of all that belongs to it.
    pub bounds: Rect,
    /// All widgets within it, in the order of the screen.
    pub widgets: Vec<WidgetId>,
    /// Its texts, as positions in [`super::ScreenTexts::shown`].
    pub texts: Vec<usize>,
    /// The widget that opens the row as a whole, where there is one.
    pub opener: Option<WidgetId>,
    /// What can be used within it, besides the opener.
    pub controls: Vec<WidgetId>,
}

impl Screen {
    /// The rows, outer ones before those within them.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The smallest row a widget stands in.
    pub fn row_of(&self, widget: WidgetId) -> Option<&Row> {
        smallest(self.rows.iter().filter(|row| row.widgets.contains(&widget)))
    }

    /// The smallest row that a widget acts on: one it opens stands for itself only where it is in no other.
    pub fn row_acted_on(&self, widget: WidgetId) -> Option<&Row> {
        smallest(self.rows.iter().filter(|row| row.controls.contains(&widget))).or_else(|| self.row_of(widget))
    }
}

fn smallest<'r>(rows: impl Iterator<Item = &'r Row>) -> Option<&'r Row> {
    rows.min_by_key(|row| (row.widgets.len(), row.bounds.area()))
}
