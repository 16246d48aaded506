//! Where a text of the goal is not to be typed: into a field that took none like it, that asks for another kind of value, or
//! that none of the case's own values belongs into.

use crate::domain::Action;
use crate::form::{FieldKind, Suits, kinds, suits};
use crate::hierarchy::{Role, Screen, Widget};

/// Fields that took nothing of a text, and whether the text had letters.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    fields: Vec<(String, bool)>,
}

impl Refusals {
    /// Notes a text that did not arrive: the field shows nothing, or what it showed before.
    pub(super) fn note(&mut self, before: &Screen, action: &Action, after: &Screen) {
        let Action::InputText { target, text } = action else { return };
        let typed = |widget: &&Widget| widget.role == Role::Field && widget.bounds == target.bounds;
        let Some(field) = before.widgets.iter().find(typed) else { return };
        let same = |widget: &&Widget| widget.role == Role::Field && widget.resource_id == field.resource_id;
        let Some(now) = after.widgets.iter().find(same) else { return };
        if now.value.is_empty() || now.value == field.value || now.value == now.hint {
            self.fields.push((field.resource_id.clone(), has_letters(text.expose())));
        }
    }

    /// The field took no text like this one, or says that it takes another kind.
    pub(super) fn refuses(&self, field: &Widget, text: &str) -> bool {
        let shown = if field.value == field.label { "" } else { field.hint.as_str() };
        let mut kinds = kinds(&[field.label.as_str(), shown, &field.id_words].join(" "));
        // "Mobile number" is no place for any number.
        let told = |kind: &FieldKind| matches!(kind, FieldKind::Email | FieldKind::Phone | FieldKind::Date(Some(_)));
        if kinds.iter().any(told) {
            kinds.retain(told);
        }
        let nameless = kinds.contains(&FieldKind::Name) && !has_letters(text);
        self.refuses_again(field, text) || nameless || suits(&kinds, text) == Suits::No
    }

    /// The field took no text like this one.
    pub(super) fn refuses_again(&self, field: &Widget, text: &str) -> bool {
        let letters = has_letters(text);
        self.fields.iter().any(|(id, had)| *id == field.resource_id && *had == letters)
    }
}

fn has_letters(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{screen, widget};
    use crate::domain::InputText;

    fn field(id: &str, value: &str) -> Widget {
        let mut field = widget(Role::Field, id);
        field.resource_id = id.to_owned();
        field.value = value.to_owned();
        field
    }

    fn typing(into: &Widget, text: &str) -> Action {
        Action::InputText { target: into.target(), text: InputText::Plain(text.to_owned()) }
    }

    #[test]
    fn what_a_field_took_none_of_is_not_typed_there_again_in_other_words() {
        let (before, after) = (screen(vec![field("day", "1")]), screen(vec![field("day", "")]));
        let mut refusals = Refusals::default();
        refusals.note(&before, &typing(&before.widgets[0], "Gifts"), &after);
        assert!(refusals.refuses(&after.widgets[0], "Presents"));
        assert!(!refusals.refuses(&after.widgets[0], "25"), "digits were not tried");
        assert!(!refusals.refuses(&field("purpose", ""), "Presents"), "another field was not tried");
    }

    #[test]
    fn what_arrived_in_another_form_was_taken() {
        let (before, after) = (screen(vec![field("code", "")]), screen(vec![field("code", "GIFTS")]));
        let mut refusals = Refusals::default();
        refusals.note(&before, &typing(&before.widgets[0], "gifts"), &after);
        assert!(!refusals.refuses(&after.widgets[0], "gifts"));
    }

    #[test]
    fn a_field_that_says_its_kind_takes_no_other() {
        let refusals = Refusals::default();
        assert!(refusals.refuses(&field("Mobile number", ""), "100"), "so short no telephone number is");
        assert!(!refusals.refuses(&field("Mobile number", ""), "07905550199"));
        assert!(refusals.refuses(&field("Name of the station", ""), "18:40"));
        assert!(!refusals.refuses(&field("Name of the station", ""), "Elm"));
    }
}
