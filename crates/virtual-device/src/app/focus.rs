//! The focused text field and editing in it.

use super::file::{InputType, Script};
use super::target::{FieldTarget, Locals};

/// The field that typed text goes to.
#[derive(Debug, Clone)]
pub(super) struct Focus {
    /// The field's key in the scene.
    pub key: String,
    /// The variable it edits.
    pub variable: String,
    /// Cursor, in characters from the beginning.
    pub cursor: usize,
    input: InputType,
    multiline: bool,
    max_length: Option<usize>,
    /// After every change.
    pub on_change: Script,
    /// ENTER on the last field.
    pub on_submit: Script,
    /// Variables where the field stands.
    pub locals: Locals,
}

impl Focus {
    /// Focuses a field with the cursor at `cursor` characters.
    pub(super) fn new(field: &FieldTarget, cursor: usize) -> Self {
        Self {
            key: field.key.clone(),
            variable: field.variable.clone(),
            cursor,
            input: field.input,
            multiline: field.multiline,
            max_length: field.max_length,
            on_change: field.on_change.clone(),
            on_submit: field.on_submit.clone(),
            locals: field.locals.clone(),
        }
    }

    /// Whether the keyboard shows digits.
    pub(super) const fn wants_digits(&self) -> bool {
        matches!(
            self.input,
            InputType::Number | InputType::Phone | InputType::Decimal | InputType::Date | InputType::Pin
        )
    }

    /// Whether ENTER begins a new line.
    pub(super) const fn is_multiline(&self) -> bool {
        self.multiline
    }

    /// The content after typing `typed` at the cursor; what the field does not take is dropped.
    pub(super) fn insert(&mut self, content: &str, typed: &str) -> String {
        let mut characters: Vec<char> = content.chars().collect();
        self.cursor = self.cursor.min(characters.len());
        let input = self.input;
        let multiline = self.multiline;
        for character in typed.chars().filter(|c| takes(input, *c) || (multiline && *c == '\n')) {
            if self.max_length.is_some_and(|most| characters.len() >= most) {
                break;
            }
            characters.insert(self.cursor, character);
            self.cursor += 1;
        }
        characters.into_iter().collect()
    }

    /// The content after deleting the character before the cursor (DEL) or behind it (`FORWARD_DEL`).
    pub(super) fn delete(&mut self, content: &str, forward: bool) -> String {
        let mut characters: Vec<char> = content.chars().collect();
        self.cursor = self.cursor.min(characters.len());
        if forward {
            if self.cursor < characters.len() {
                characters.remove(self.cursor);
            }
        } else if self.cursor > 0 {
            self.cursor -= 1;
            characters.remove(self.cursor);
        }
        characters.into_iter().collect()
    }
}

/// Whether a field takes a character.
fn takes(input: InputType, character: char) -> bool {
    match input {
        // The variation only chooses a keyboard (`TYPE_TEXT_VARIATION_EMAIL_ADDRESS`, `_URI`): no filter is set.
        InputType::Text | InputType::Password | InputType::Email | InputType::Url => !character.is_control(),
        InputType::Decimal => character.is_ascii_digit() || matches!(character, '.' | ','),
        InputType::Date => character.is_ascii_digit() || matches!(character, '/' | '-' | '.'),
        InputType::Pin => character.is_ascii_digit(),
        InputType::Number => character.is_ascii_digit() || matches!(character, '.' | '-'),
        InputType::Phone => character.is_ascii_digit() || matches!(character, '+' | '*' | '#' | ' ' | '-'),
    }
}
