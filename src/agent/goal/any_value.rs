//! Values the agent makes up where the case says that any will do: drawn from the run's seed, so that the same seed gives
//! the same, and seen in the run's events like every other.

use crate::domain::{BundledTable, CueList, CueText, Lots, content_words, overlap};
use crate::form::{DatePattern, FieldKind, kinds};
use crate::hierarchy::{Role, Screen, Widget};
use jiff::civil::Date;
use serde::Deserialize;

pub(in crate::agent) static ANY_VALUE: BundledTable<AnyValue> =
    BundledTable::toml("src/agent/goal/any.toml", include_str!("any.toml"));

/// The words; see `any.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::agent) struct AnyValue {
    says: CueList,
    people: Vec<String>,
    words: Vec<String>,
}

impl AnyValue {
    /// The goal says that any value will do.
    pub(super) fn is_meant(&self, goal: &str) -> bool {
        CueText::new(goal).holds(&self.says)
    }

    /// The first empty field of a screen with a value for it. A field for a password gets none: a secret is not made up.
    /// What is looked up is not either. `goal` may tell how dates are written.
    pub(super) fn for_field<'s>(
        &self,
        screen: &'s Screen,
        is_search: impl Fn(&Widget) -> bool,
        goal: &str,
        seed: u64,
    ) -> Option<(&'s Widget, String)> {
        // A hint that the dump does not tell from a text says what the field takes.
        let own_name = |widget: &Widget| {
            let (label, id) = (content_words(&widget.label), content_words(id_of(widget)));
            !label.is_empty() && overlap(&label, &id) >= 0.5
        };
        let hint =
            |widget: &Widget| widget.value == widget.label && (!kinds(&widget.value).is_empty() || own_name(widget));
        let open = |widget: &&Widget| {
            let field = widget.role == Role::Field && widget.state.enabled && !widget.state.password;
            field && (widget.value.is_empty() || hint(widget)) && !is_search(widget)
        };
        let field = screen.widgets.iter().find(open)?;
        let said = [&field.label, &field.hint, &field.context, &field.id_words];
        let said = said.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        Some((field, self.draw(&said, goal, seed)))
    }

    /// One of `count`, drawn from the seed for this screen.
    pub(super) fn one_of(count: usize, screen: &str, seed: u64) -> usize {
        (Lots::new(seed, screen).next() % count.max(1) as u64) as usize
    }

    fn draw(&self, field: &str, goal: &str, seed: u64) -> String {
        let mut draw = Lots::new(seed, field);
        let number = |draw: &mut Lots, digits: u32| {
            let least = 10_u64.pow(digits - 1);
            (least + draw.next() % (9 * least)).to_string()
        };
        let word = |draw: &mut Lots| pick(&self.words, draw);
        match kinds(field).into_iter().next() {
            Some(FieldKind::Email) => format!("{}.{}@example.com", word(&mut draw), number(&mut draw, 3)),
            Some(FieldKind::Phone) => format!("202555{}", number(&mut draw, 4)),
            Some(FieldKind::Date(own)) => {
                let pattern = own.or_else(|| DatePattern::find(goal)).unwrap_or_else(DatePattern::iso);
                pattern.write(day_to_come(&mut draw))
            }
            Some(FieldKind::Time) => format!("{:02}:{:02}", 8 + draw.next() % 10, draw.next() % 60),
            Some(FieldKind::Link) => format!("https://example.com/{}", word(&mut draw)),
            Some(FieldKind::Name) => pick(&self.people, &mut draw),
            Some(FieldKind::Number) => number(&mut draw, 2),
            None => {
                let first = word(&mut draw);
                let second = word(&mut draw);
                let capital = first.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
                format!("{capital}{} {second}", first.get(1..).unwrap_or_default())
            }
        }
    }
}

/// The name an app gives a widget, without its package.
fn id_of(widget: &Widget) -> &str {
    widget.resource_id.rsplit('/').next().unwrap_or_default()
}

fn pick(list: &[String], draw: &mut Lots) -> String {
    let at = draw.next() % (list.len().max(1) as u64);
    list.get(at as usize).cloned().unwrap_or_default()
}

/// A day to come, so that forms that want one take it.
fn day_to_come(draw: &mut Lots) -> Date {
    let mut part = |from: i16, count: u64| from + (draw.next() % count) as i16;
    let (year, month, day) = (part(2030, 5), part(1, 12), part(1, 28));
    // Every month has so many days.
    Date::new(year, month as i8, day as i8).unwrap_or(Date::constant(2030, 1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_suits_its_field_and_follows_from_the_seed() {
        let any = ANY_VALUE.get();
        let drawn = |field: &str, seed| any.draw(field, "Dates as MM/DD/YY.", seed);
        assert_eq!(drawn("Title", 4), drawn("Title", 4));
        assert!((0..20).any(|seed| drawn("Title", seed) != drawn("Title", 4)));
        assert!(drawn("Email address", 1).ends_with("@example.com"));
        assert!(drawn("Mobile", 1).chars().all(|c| c.is_ascii_digit()));
        let due = drawn("Due date", 3);
        assert!(due.len() == 8 && due.matches('/').count() == 2, "{due}");
        assert_eq!(any.draw("Start DD.MM.YYYY", "", 3).len(), 10);
        assert_eq!(any.draw("Date", "", 3).len(), 10);
        assert!(any.draw("Description", "", 3).contains(' '));
    }

    #[test]
    fn the_goal_must_say_that_any_will_do() {
        let any = ANY_VALUE.get();
        assert!(
            any.is_meant("Just provide random information") && any.is_meant("随便填写") && any.is_meant("Any title")
        );
        assert!(!any.is_meant("Create a note called Many things"));
    }

    #[test]
    fn a_secret_is_not_made_up() {
        let any = ANY_VALUE.get();
        let mut screen = crate::recorded::sample::screen(&["EditText Password", "EditText Title"]);
        let fields: Vec<usize> =
            screen.widgets.iter().filter(|widget| widget.role == Role::Field).map(|widget| widget.id).collect();
        for (at, id) in fields.iter().enumerate() {
            screen.widgets[*id].value = String::new();
            screen.widgets[*id].state.password = at == 0;
        }
        let (field, _) = any.for_field(&screen, |_| false, "", 0).unwrap();
        assert_eq!(field.id, fields[1]);
    }
}
