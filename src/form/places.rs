//! Where something can be entered: fields, rows of boxes for a code, the app's own keypad.

use super::code_boxes::{CodeBoxes, code_boxes};
use super::field_kind::{FieldKind, Suits, kinds, suits};
use super::parameter::Parameter;
use crate::domain::InputText;
use crate::hierarchy::{Role, Screen, Widget};
use crate::ranking::{Cues, Place};

/// What a value of the form that a field asks for fits it more.
const RIGHT_FORM: f32 = 0.10;
/// What a value of another form fits it less.
const OTHER_FORM: f32 = 0.30;
/// Keys of a keypad.
const KEYS: usize = 10;

/// Where something can be entered.
pub(crate) struct Input {
    pub(crate) place: Place,
    /// Its name across observations.
    pub(crate) key: Option<String>,
    /// What it is for, in words.
    pub(crate) text: String,
    /// What it says itself, without what stands around it.
    pub(crate) own: String,
    /// What it holds.
    pub(crate) value: String,
    /// What kinds of value it takes, as far as it says.
    pub(crate) kinds: Vec<FieldKind>,
    pub(crate) password: bool,
    keys: Vec<char>,
    /// So many characters it takes, no more and no fewer, where it is a row of boxes.
    boxes: Option<usize>,
    /// A dump is wrong about it now and then: what is off is offered tentatively.
    pub(crate) enabled: bool,
}

impl Input {
    pub(crate) fn takes(&self, text: &InputText) -> bool {
        let text = text.expose();
        let keyed = || !text.is_empty() && text.chars().all(|c| self.keys.contains(&c));
        (self.place != Place::Keypad || keyed())
            && self.boxes.is_none_or(|boxes| text.chars().count() == boxes && text.chars().all(char::is_alphanumeric))
    }

    /// True if it holds what belongs to another parameter.
    pub(crate) fn is_taken(&self, parameter: &Parameter, all: &[Parameter]) -> bool {
        let Place::Field(_) = self.place else { return false };
        let other = |one: &Parameter| one.name != parameter.name && one.value != parameter.value;
        let held = !self.password && !self.value.is_empty();
        held && all.iter().filter(|one| other(one)).any(|one| is_same(&self.value, one.value.expose()))
    }

    /// What a value's form adds to its fit.
    pub(crate) fn form(&self, text: &InputText) -> f32 {
        match suits(&self.kinds, text.expose()) {
            _ if self.password || text.is_secret() => 0.0,
            Suits::Yes => RIGHT_FORM,
            Suits::No => -OTHER_FORM,
            Suits::Maybe => 0.0,
        }
    }

    /// A value as the field says it is written.
    pub(crate) fn written(&self, text: &InputText) -> InputText {
        let mut patterns = self.kinds.iter().filter_map(|kind| match kind {
            FieldKind::Date(pattern) => pattern.as_ref(),
            _ => None,
        });
        match text {
            InputText::Plain(value) => {
                let written = patterns.find_map(|pattern| pattern.written(value));
                written.map_or_else(|| text.clone(), InputText::Plain)
            }
            InputText::Secret { .. } => text.clone(),
        }
    }

    pub(crate) fn holds(&self, text: &InputText) -> bool {
        let text = &self.written(text);
        if self.password {
            !self.value.is_empty() && self.value.chars().count() == text.expose().chars().count()
        } else {
            is_same(&self.value, text.expose())
        }
    }

    /// What is left to be typed of a value: a row of boxes may have taken the beginning of it.
    pub(crate) fn rest(&self, text: &InputText) -> InputText {
        match text {
            InputText::Plain(value) if self.boxes.is_some() && !self.password => {
                InputText::Plain(value.strip_prefix(self.value.as_str()).unwrap_or(value).to_owned())
            }
            _ => self.written(text),
        }
    }
}

/// True for the sign of a currency.
pub(crate) fn is_currency(c: char) -> bool {
    "$€£¥₹₽₩₺₫₴₦฿₪".contains(c)
}

/// A field shows a value, or the value with the separators and the currency that fields put around numbers: "4111 1111", "1,000",
/// "€ 88.50".
pub(crate) fn is_same(shown: &str, value: &str) -> bool {
    if shown == value {
        return true;
    }
    let number = !value.is_empty() && value.chars().all(|c| c.is_ascii_digit());
    let amount = value.starts_with(|c: char| c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let inner = shown.trim_matches(|c: char| is_currency(c) || c.is_whitespace());
    let apart = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '-' | '(' | ')' | '/');
    let groups: Vec<&str> = inner.split(',').collect();
    let thousands = groups.len() > 1
        && groups.iter().all(|group| group.chars().all(|c| c.is_ascii_digit()))
        && groups.iter().skip(1).all(|group| group.len() == 3);
    let bare: String = inner.chars().filter(|c| !apart(*c) && !(thousands && *c == ',')).collect();
    let is_priced = inner.len() < shown.len();
    let whole = || bare.strip_suffix(".00").or_else(|| bare.strip_suffix(",00"));
    number && bare == value || amount && is_priced && (bare == value || whole() == Some(value))
}

/// The places on a screen.
pub(crate) fn places(screen: &Screen, parameters: &[Parameter], cues: &Cues) -> Vec<Input> {
    let is_value = |text: &str| parameters.iter().any(|parameter| is_same(text, parameter.value.expose()));
    let rows = code_boxes(screen);
    let field = |widget: &Widget| Input {
        place: Place::Field(widget.id),
        key: Some(widget.resource_id.clone()),
        text: {
            let (label, hint) = (cues.without_manner(&widget.label), cues.without_manner(&widget.hint));
            let parts = [label, hint, &widget.context, &widget.id_words];
            let joined = |parts: &mut dyn Iterator<Item = &&str>| {
                parts.filter(|part| !part.is_empty()).fold(String::new(), |mut text, part| {
                    if !text.to_lowercase().contains(&part.to_lowercase()) {
                        if !text.is_empty() {
                            text.push(' ');
                        }
                        text.push_str(part);
                    }
                    text
                })
            };
            let own = joined(&mut parts.iter().filter(|part| ***part != widget.value));
            // Before API 36 an empty field shows its hint as its text: what nobody typed says what it is for.
            let hint = widget.state.password || is_value(&widget.value);
            if hint { own } else { joined(&mut parts.iter()) }
        },
        own: [cues.without_manner(&widget.label), cues.without_manner(&widget.hint)].join(" "),
        value: widget.value.clone(),
        boxes: None,
        kinds: {
            let shown = if is_value(&widget.value) { "" } else { widget.value.as_str() };
            kinds(&[widget.label.as_str(), &widget.hint, &widget.id_words, shown].join(" "))
        },
        password: widget.state.password,
        keys: Vec::new(),
        enabled: widget.state.enabled,
    };
    let boxed = |widget: &Widget| rows.iter().any(|row| row.has(widget.id));
    let fields = screen.widgets.iter().filter(|widget| widget.role == Role::Field && !boxed(widget));
    let mut places: Vec<Input> = fields.map(field).collect();
    places.extend(rows.iter().filter_map(|row| code(screen, row)));

    let keys: Vec<char> = screen.keypad_keys().into_keys().collect();
    if keys.len() >= KEYS {
        places.push(Input {
            place: Place::Keypad,
            key: None,
            text: around(screen),
            own: String::new(),
            value: String::new(),
            boxes: None,
            kinds: Vec::new(),
            password: false,
            keys,
            enabled: true,
        });
    }
    places
}

/// A row of boxes for a code: what is typed goes into the first empty one, and on from there.
fn code(screen: &Screen, row: &CodeBoxes<'_>) -> Option<Input> {
    let (first, next) = (row.first()?, row.next()?);
    Some(Input {
        place: Place::Field(next.id),
        key: Some(first.resource_id.clone()),
        text: [first.label.as_str(), &first.hint, &around(screen)].join(" "),
        own: String::new(),
        value: row.value(),
        boxes: Some(row.len()),
        kinds: Vec::new(),
        password: first.state.password,
        keys: Vec::new(),
        enabled: next.state.enabled,
    })
}

/// What says nothing about itself is told about by the texts around it.
fn around(screen: &Screen) -> String {
    let texts = screen.widgets.iter().filter(|widget| widget.role == Role::Text).take(4);
    let all: Vec<&str> =
        std::iter::once(screen.title.as_str()).chain(texts.map(|widget| widget.label.as_str())).collect();
    all.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_that_a_field_puts_in_change_no_number() {
        assert!(is_same("4111 1111 1111 1111", "4111111111111111") && is_same("(020) 79-46", "0207946"));
        assert!(is_same("1,000", "1000") && is_same("05/29", "0529") && is_same("Ada", "Ada"));
        assert!(is_same("€ 88.50", "88.50") && is_same("¥88.00", "88") && is_same("1,000 €", "1000"));
        assert!(!is_same("$12.50", "1250") && !is_same("5 km", "5"));
        assert!(!is_same("12.50", "1250") && !is_same("10,00", "1000") && !is_same("A B", "AB"));
    }
}
