//! Boxes that take one character of a code each: "[ ][ ][ ][ ]".

use crate::domain::InputText;
use crate::hierarchy::{Role, Screen, Widget, WidgetId};

/// Lengths of codes that apps send or ask for.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=8;
/// A box for one character is at most so many times as wide as it is high.
const WIDEST: i32 = 2;

/// A row of such boxes, from left to right.
pub(crate) struct CodeBoxes<'a>(Vec<&'a Widget>);

impl<'a> CodeBoxes<'a> {
    /// One of them.
    pub(crate) fn has(&self, id: WidgetId) -> bool {
        self.0.iter().any(|own| own.id == id)
    }

    /// How many characters they take.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn first(&self) -> Option<&'a Widget> {
        self.0.first().copied()
    }

    /// Where typing goes on: the first empty box, or the first of all where none is.
    pub(crate) fn next(&self) -> Option<&'a Widget> {
        self.0.iter().find(|own| own.value.is_empty()).copied().or_else(|| self.first())
    }

    /// What they hold together.
    pub(crate) fn value(&self) -> String {
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
pub(crate) fn code_boxes(screen: &Screen) -> Vec<CodeBoxes<'_>> {
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
pub(crate) fn took(screen: &Screen, field: &Widget, text: &InputText) -> Option<bool> {
    let rows = code_boxes(screen);
    let row = rows.iter().find(|row| row.has(field.id))?;
    Some(row.took(field.id, text.expose()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rect;
    use crate::form::sample::{button, screen, widget};

    fn page(values: &[&str]) -> Screen {
        let mut widgets: Vec<Widget> = values
            .iter()
            .enumerate()
            .map(|(at, value)| {
                let mut field = widget(Role::Field, "");
                field.bounds = Rect::new(100 + 130 * at as i32, 500, 210 + 130 * at as i32, 620);
                (*value).clone_into(&mut field.value);
                field
            })
            .collect();
        widgets.push(button("Verify"));
        screen(widgets)
    }

    fn plain(text: &str) -> InputText {
        InputText::Plain(text.into())
    }

    #[test]
    fn fields_of_one_character_side_by_side_are_a_row() {
        let empty = page(&["", "", "", "", "", ""]);
        let rows = code_boxes(&empty);
        assert_eq!((rows.len(), rows[0].len(), rows[0].next().map(|own| own.id)), (1, 6, Some(0)));
        assert_eq!(code_boxes(&page(&["2", "4", "", ""]))[0].next().map(|own| own.id), Some(2));
        assert!(code_boxes(&page(&["", "", ""])).is_empty(), "too few");
        assert!(code_boxes(&page(&["Ada", "", "", ""])).is_empty(), "one holds more, and three are too few");
    }

    #[test]
    fn a_code_is_there_when_the_boxes_hold_it_one_by_one() {
        let took = |values: &[&str], at: usize, text: &str| {
            let page = page(values);
            super::took(&page, &page.widgets[at], &plain(text))
        };
        assert_eq!(took(&["2", "4", "6", "8"], 0, "2468"), Some(true), "the focus went on by itself");
        assert_eq!(took(&["2", "", "", ""], 0, "2468"), Some(true), "it did not");
        assert_eq!(took(&["2", "4", "", ""], 0, "2468"), Some(false), "what was typed got lost");
        assert_eq!(took(&["9", "", "", ""], 0, "2468"), Some(false));
        let form = screen(vec![widget(Role::Field, "Name")]);
        assert_eq!(super::took(&form, &form.widgets[0], &plain("Ada")), None);
    }
}
