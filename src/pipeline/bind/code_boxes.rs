//! Boxes that take one character of a code each: "[ ][ ][ ][ ]".

use crate::domain::InputText;
use crate::hierarchy::{Role, Screen, Widget, WidgetId};

/// Lengths of codes that apps send or ask for.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=8;
/// A box for one character is at most so many times as wide as it is high.
const WIDEST: i32 = 2;

/// A row of such boxes, from left to right.
pub(in crate::pipeline) struct CodeBoxes<'a>(Vec<&'a Widget>);

impl<'a> CodeBoxes<'a> {
    /// One of them.
    pub(in crate::pipeline) fn has(&self, id: WidgetId) -> bool {
        self.0.iter().any(|own| own.id == id)
    }

    /// How many characters they take.
    pub(in crate::pipeline) fn len(&self) -> usize {
        self.0.len()
    }

    pub(in crate::pipeline) fn first(&self) -> Option<&'a Widget> {
        self.0.first().copied()
    }

    /// Where typing goes on: the first empty box, or the first of all where none is.
    pub(in crate::pipeline) fn next(&self) -> Option<&'a Widget> {
        self.0.iter().find(|own| own.value.is_empty()).copied().or_else(|| self.first())
    }

    /// What they hold together.
    pub(in crate::pipeline) fn value(&self) -> String {
        self.0.iter().map(|own| own.value.as_str()).collect()
    }

    /// What was typed into one of them is there: spread over it and those behind it, or its first character in it.
    fn took(&self, into: WidgetId, typed: &str) -> bool {
        let from: String = self.0.iter().skip_while(|own| own.id != into).map(|own| own.value.as_str()).collect();
        let masked = self.0.iter().all(|own| own.state.password);
        let same = if masked { from.chars().count() == typed.chars().count() } else { from == typed };
        let own = self.0.iter().find(|own| own.id == into).map(|own| own.value.as_str()).unwrap_or_default();
        same || from == own && own.chars().count() == 1 && (masked || typed.starts_with(own))
    }
}

/// The rows of boxes on a screen: fields of one size side by side that hold a character each at most.
pub(in crate::pipeline) fn code_boxes(screen: &Screen) -> Vec<CodeBoxes<'_>> {
    let single = |widget: &&Widget| {
        let (width, height) = (widget.bounds.width(), widget.bounds.height());
        widget.role == Role::Field && widget.value.chars().count() <= 1 && width > 0 && width <= WIDEST * height
    };
    let mut rows: Vec<Vec<&Widget>> = Vec::new();
    for widget in screen.widgets.iter().filter(single) {
        let beside = |row: &&mut Vec<&Widget>| {
            row.last().is_some_and(|last| {
                let (own, other) = (widget.bounds, last.bounds);
                let alike = |a: i32, b: i32| (a - b).abs() * 5 <= a.max(b);
                let gap = own.left - other.right;
                alike(own.width(), other.width())
                    && alike(own.height(), other.height())
                    && (own.center().y - other.center().y).abs() * 4 <= own.height()
                    && (0..=own.width() * 3 / 2).contains(&gap)
            })
        };
        match rows.iter_mut().find(beside) {
            Some(row) => row.push(widget),
            None => rows.push(vec![widget]),
        }
    }
    rows.into_iter().filter(|row| LENGTHS.contains(&row.len())).map(CodeBoxes).collect()
}

/// What was typed into a box is there, as far as boxes take it; `None` where the field is none of a row.
pub(in crate::pipeline) fn took(screen: &Screen, field: &Widget, text: &InputText) -> Option<bool> {
    let rows = code_boxes(screen);
    let row = rows.iter().find(|row| row.has(field.id))?;
    Some(row.took(field.id, text.expose()))
}
