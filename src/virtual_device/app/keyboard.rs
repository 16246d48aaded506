//! The soft keyboard: drawn over the lower display, never in the dump.

use super::AppContext;
use super::build::GESTURE_BAR;
use crate::domain::{Point, Rect};

/// Height without the gesture bar, dp.
const HEIGHT: f32 = 240.0;
/// Distance between keys, dp.
const GAP: f32 = 5.0;

/// What the keyboard shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    /// Letters.
    Letters,
    /// Digits and signs.
    Symbols,
    /// A telephone's keypad.
    Digits,
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyAction {
    /// Types a character.
    Type(char),
    /// Upper case for one letter.
    Shift,
    /// Deletes a character.
    Delete,
    /// ENTER, or the next field.
    Enter,
    /// Shows another page.
    Turn(Page),
}

/// A key at its place.
#[derive(Debug, Clone)]
pub(super) struct Key {
    /// Its face.
    pub bounds: Rect,
    /// What stands on it; empty for those with an icon.
    pub label: String,
    /// What it does.
    pub action: KeyAction,
}

/// The keyboard's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keyboard {
    /// What it shows.
    pub page: Page,
    /// Upper case.
    pub shift: bool,
}

impl Keyboard {
    /// Where it lies.
    pub(super) fn area(context: &AppContext) -> Rect {
        let height = context.px(HEIGHT + GESTURE_BAR).round() as i32;
        let display = context.display.rect();
        Rect::new(0, display.bottom - height, display.right, display.bottom)
    }

    /// Its keys.
    pub(super) fn keys(self, context: &AppContext) -> Vec<Key> {
        let rows: &[&str] = match self.page {
            // `^` shift, `<` delete, `_` space, `~` enter, `?` symbols, `@` letters.
            Page::Letters => &["qwertyuiop", "asdfghjkl", "^zxcvbnm<", "?,_.~"],
            Page::Symbols => &["1234567890", "@#$%&-+()", "*\"':;!/<", "=,_.~"],
            Page::Digits => &["123-", "456 ", "789<", ",0.~"],
        };
        let area = Self::area(context);
        let gap = context.px(GAP);
        let row_height = (context.px(HEIGHT) - gap) / 4.0;
        let mut keys = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let actions: Vec<(KeyAction, f32)> = row.chars().map(|symbol| self.action(symbol, at)).collect();
            let columns = if self.page == Page::Digits { 4.0 } else { 10.0 };
            let unit = (area.width() as f32 - gap) / columns;
            let used: f32 = actions.iter().map(|(_, share)| share * unit).sum();
            let mut left = gap + (area.width() as f32 - gap - used) / 2.0;
            let top = area.top as f32 + gap + at as f32 * row_height;
            for (action, share) in actions {
                let right = left + share * unit - gap;
                let bounds = Rect::new(
                    left.round() as i32,
                    top.round() as i32,
                    right.round() as i32,
                    (top + row_height - gap).round() as i32,
                );
                keys.push(Key { bounds, label: self.label(action), action });
                left += share * unit;
            }
        }
        keys
    }

    /// The key under a point, gaps given to the nearest key.
    pub(super) fn key_at(self, context: &AppContext, point: Point) -> Option<KeyAction> {
        let half = (context.px(GAP) / 2.0).ceil() as i32;
        let grown = |r: Rect| Rect::new(r.left - half, r.top - half, r.right + half, r.bottom + half);
        self.keys(context).into_iter().find(|key| grown(key.bounds).contains(point)).map(|key| key.action)
    }

    fn action(self, symbol: char, row: usize) -> (KeyAction, f32) {
        let digits = self.page == Page::Digits;
        match symbol {
            '<' => (KeyAction::Delete, if digits { 1.0 } else { 1.5 }),
            '~' => (KeyAction::Enter, if digits { 1.0 } else { 1.5 }),
            '^' => (KeyAction::Shift, 1.5),
            '_' => (KeyAction::Type(' '), 5.0),
            '?' => (KeyAction::Turn(Page::Symbols), 1.5),
            '=' if row == 3 => (KeyAction::Turn(Page::Letters), 1.5),
            letter if self.shift => (KeyAction::Type(letter.to_ascii_uppercase()), 1.0),
            letter => (KeyAction::Type(letter), 1.0),
        }
    }

    fn label(self, action: KeyAction) -> String {
        match action {
            KeyAction::Type(' ') if self.page == Page::Digits => "space".to_owned(),
            KeyAction::Type(' ') => "English".to_owned(),
            KeyAction::Type(character) => character.to_string(),
            KeyAction::Turn(Page::Symbols) => "?123".to_owned(),
            KeyAction::Turn(_) => "ABC".to_owned(),
            KeyAction::Shift | KeyAction::Delete | KeyAction::Enter => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_at_its_centre_and_none_overlap() {
        let context = AppContext::phone();
        for page in [Page::Letters, Page::Symbols, Page::Digits] {
            let keyboard = Keyboard { page, shift: false };
            let keys = keyboard.keys(&context);
            for (at, key) in keys.iter().enumerate() {
                assert_eq!(keyboard.key_at(&context, key.bounds.center()), Some(key.action));
                assert!(Keyboard::area(&context).encloses(key.bounds), "{key:?}");
                assert!(keys[at + 1..].iter().all(|other| other.bounds.intersection(key.bounds).is_none()));
            }
        }
    }
}
