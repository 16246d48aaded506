//! Values the agent makes up where the case says that any will do: drawn from the run's seed, so that the same seed gives
//! the same, and seen in the run's events like every other.

use crate::domain::{CueList, CueText, content_words, overlap};
use crate::hierarchy::{Role, Screen, Widget};
use serde::Deserialize;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The words; see `any.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnyValue {
    says: CueList,
    email: CueList,
    phone: CueList,
    date: CueList,
    time: CueList,
    number: CueList,
    person: CueList,
    link: CueList,
    people: Vec<String>,
    words: Vec<String>,
}

impl AnyValue {
    pub(super) fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("any.toml"))
    }

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
        let hint = |widget: &Widget| {
            widget.value == widget.label && (self.says_what_it_takes(&widget.value) || own_name(widget))
        };
        let open = |widget: &&Widget| {
            let field = widget.role == Role::Field && widget.state.enabled && !widget.state.password;
            field && (widget.value.is_empty() || hint(widget)) && !is_search(widget)
        };
        let field = screen.widgets.iter().find(open)?;
        let said = [&field.label, &field.hint, &field.context, &field.id_words];
        let said = said.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        Some((field, self.draw(&said, goal, seed)))
    }

    fn says_what_it_takes(&self, text: &str) -> bool {
        let text = CueText::new(text);
        let kinds = [&self.email, &self.phone, &self.date, &self.time, &self.number, &self.person, &self.link];
        kinds.into_iter().any(|kind| text.holds(kind))
    }

    /// One of `count`, drawn from the seed for this screen.
    pub(super) fn one_of(count: usize, screen: &str, seed: u64) -> usize {
        (Draw::new(seed, screen).next() % count.max(1) as u64) as usize
    }

    fn draw(&self, field: &str, goal: &str, seed: u64) -> String {
        let mut draw = Draw::new(seed, field);
        let text = CueText::new(field);
        let number = |draw: &mut Draw, digits: u32| {
            let least = 10_u64.pow(digits - 1);
            (least + draw.next() % (9 * least)).to_string()
        };
        let word = |draw: &mut Draw| pick(&self.words, draw);
        if text.holds(&self.email) {
            format!("{}.{}@example.com", word(&mut draw), number(&mut draw, 3))
        } else if text.holds(&self.phone) {
            format!("202555{}", number(&mut draw, 4))
        } else if let Some(pattern) = pattern(field).or_else(|| pattern(goal).filter(|_| text.holds(&self.date))) {
            date(&pattern, &mut draw)
        } else if text.holds(&self.date) {
            date("YYYY-MM-DD", &mut draw)
        } else if text.holds(&self.time) {
            format!("{:02}:{:02}", 8 + draw.next() % 10, draw.next() % 60)
        } else if text.holds(&self.link) {
            format!("https://example.com/{}", word(&mut draw))
        } else if text.holds(&self.person) {
            pick(&self.people, &mut draw)
        } else if text.holds(&self.number) {
            number(&mut draw, 2)
        } else {
            let first = word(&mut draw);
            let second = word(&mut draw);
            let capital = first.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            format!("{capital}{} {second}", first.get(1..).unwrap_or_default())
        }
    }
}

/// The name an app gives a widget, without its package.
fn id_of(widget: &Widget) -> &str {
    widget.resource_id.rsplit('/').next().unwrap_or_default()
}

fn pick(list: &[String], draw: &mut Draw) -> String {
    let at = draw.next() % (list.len().max(1) as u64);
    list.get(at as usize).cloned().unwrap_or_default()
}

/// How a text says a date is written: `MM/DD/YY`.
fn pattern(text: &str) -> Option<String> {
    let piece = |word: &&str| {
        let word = word.to_uppercase();
        let parts: Vec<&str> = word.split(['/', '.', '-']).collect();
        let of = |letter: char, parts: &[&str]| {
            parts.iter().filter(|part| !part.is_empty() && part.chars().all(|c| c == letter)).count()
        };
        parts.len() == 3 && of('M', &parts) == 1 && of('D', &parts) == 1 && of('Y', &parts) == 1
    };
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"' | ':'));
    words.map(|word| word.trim_end_matches('.')).find(piece).map(str::to_uppercase)
}

/// A day to come, so that forms that want one take it.
fn date(pattern: &str, draw: &mut Draw) -> String {
    let (year, month, day) = (2030 + draw.next() % 5, 1 + draw.next() % 12, 1 + draw.next() % 28);
    let mut written = String::new();
    let mut rest = pattern;
    while let Some(letter) = rest.chars().next() {
        let length = rest.chars().take_while(|c| *c == letter).count();
        let value = match letter {
            'Y' if length <= 2 => Some(year % 100),
            'Y' => Some(year),
            'M' => Some(month),
            'D' => Some(day),
            _ => None,
        };
        match value {
            Some(value) => written.extend(format!("{value:0length$}").chars()),
            None => written.extend(std::iter::repeat_n(letter, length)),
        }
        rest = rest.get(length * letter.len_utf8()..).unwrap_or_default();
    }
    written
}

/// `SplitMix64` on the seed and what is drawn for.
struct Draw(u64);

impl Draw {
    fn new(seed: u64, purpose: &str) -> Self {
        let mut hash = DefaultHasher::new();
        (seed, purpose).hash(&mut hash);
        Self(hash.finish())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_suits_its_field_and_follows_from_the_seed() {
        let any = AnyValue::bundled().unwrap();
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
        let any = AnyValue::bundled().unwrap();
        assert!(
            any.is_meant("Just provide random information") && any.is_meant("随便填写") && any.is_meant("Any title")
        );
        assert!(!any.is_meant("Create a note called Many things"));
    }

    #[test]
    fn a_secret_is_not_made_up() {
        let any = AnyValue::bundled().unwrap();
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
