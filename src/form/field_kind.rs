//! What kind of value a field takes, as the words around it say, and whether a value is of that kind.

use super::date_pattern::DatePattern;
use crate::domain::{BundledTable, CueList, CueText};
use serde::Deserialize;

pub(super) static WORDS: BundledTable<Words> =
    BundledTable::toml("src/form/field_kind.toml", include_str!("field_kind.toml"));

/// Fewest digits of a phone number.
const PHONE_DIGITS: usize = 5;

/// A kind of value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// An address with an @.
    Email,
    /// A telephone number.
    Phone,
    /// A date, in the way the field shows, where it shows one.
    Date(Option<DatePattern>),
    /// A time of day.
    Time,
    /// An address on the web.
    Link,
    /// A person's or a thing's name.
    Name,
    /// A number, or a code that may hold letters.
    Number,
}

/// Whether a value may belong into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suits {
    /// It has the form the field asks for.
    Yes,
    /// It has another form.
    No,
    /// Its form tells nothing.
    Maybe,
}

/// The words; see `field_kind.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    email: CueList,
    phone: CueList,
    date: CueList,
    time: CueList,
    number: CueList,
    person: CueList,
    link: CueList,
}

/// The kinds that the words around a field speak of, the surest first: "e-mail or phone" speaks of two.
pub(crate) fn kinds(text: &str) -> Vec<FieldKind> {
    let words = WORDS.get();
    let pattern = DatePattern::find(text);
    let text = CueText::new(text);
    let date = pattern.is_some() || text.holds(&words.date);
    [
        text.holds(&words.email).then_some(FieldKind::Email),
        text.holds(&words.phone).then_some(FieldKind::Phone),
        date.then_some(FieldKind::Date(pattern)),
        text.holds(&words.time).then_some(FieldKind::Time),
        text.holds(&words.link).then_some(FieldKind::Link),
        text.holds(&words.person).then_some(FieldKind::Name),
        text.holds(&words.number).then_some(FieldKind::Number),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether a value may belong into a field of these kinds.
pub(crate) fn suits(kinds: &[FieldKind], value: &str) -> Suits {
    let each: Vec<Suits> = kinds.iter().map(|kind| kind.suits(value)).collect();
    match () {
        () if each.contains(&Suits::Yes) => Suits::Yes,
        () if each.contains(&Suits::Maybe) || each.is_empty() => Suits::Maybe,
        () => Suits::No,
    }
}

impl FieldKind {
    fn suits(&self, value: &str) -> Suits {
        let value = value.trim();
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let is_email = value.contains('@') && !value.contains(char::is_whitespace);
        let told = |yes: bool| if yes { Suits::Yes } else { Suits::No };
        match self {
            Self::Email => told(is_email),
            Self::Phone => {
                let dials = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '(' | ')' | '.' | '*' | '#' | ' ');
                told(digits >= PHONE_DIGITS && value.chars().all(dials))
            }
            Self::Date(Some(pattern)) => told(pattern.is_kept_by(value) || pattern.written(value).is_some()),
            Self::Name | Self::Number if is_email => Suits::No,
            Self::Date(None) | Self::Time | Self::Link | Self::Name | Self::Number => Suits::Maybe,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(field: &str, value: &str) -> Suits {
        suits(&kinds(field), value)
    }

    #[test]
    fn a_value_of_another_form_does_not_belong() {
        assert_eq!(of("E-mail", "ada@example.com"), Suits::Yes);
        assert_eq!(of("Your e-mail", "Ada Byron"), Suits::No);
        assert_eq!(of("Mobile phone", "+44 20 7946 0000"), Suits::Yes);
        assert_eq!(of("Mobile phone", "ada@example.com"), Suits::No);
        assert_eq!(of("Due date MM/DD/YY", "2031-05-07"), Suits::Yes);
        assert_eq!(of("Due date MM/DD/YY", "05/07/31"), Suits::Yes);
        assert_eq!(of("Due date MM/DD/YY", "Ada"), Suits::No);
        assert_eq!(of("First name", "ada@example.com"), Suits::No);
    }

    #[test]
    fn what_tells_nothing_is_left_to_the_meaning() {
        assert_eq!(of("Comment", "anything at all"), Suits::Maybe);
        assert_eq!(of("Account number", "GB29 NWBK 6016"), Suits::Maybe);
        assert_eq!(of("Due date", "tomorrow"), Suits::Maybe);
        assert_eq!(of("First name", "Ada"), Suits::Maybe);
    }

    #[test]
    fn a_field_may_take_several_kinds() {
        assert_eq!(of("E-mail or phone", "020 7946 0000"), Suits::Yes);
        assert_eq!(of("E-mail or phone", "ada@example.com"), Suits::Yes);
        assert_eq!(of("E-mail or phone", "Ada Byron"), Suits::No);
        assert_eq!(of("邮箱", "ada@example.com"), Suits::Yes);
    }
}
