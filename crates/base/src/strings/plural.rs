//! Which form of a plural a number takes in a language: the Unicode Consortium's rules, by ICU4X.

use super::Locale;
use super::fold::fold;
use icu_locale_core::Locale as Tag;
use icu_plurals::{PluralCategory, PluralRules};

/// The rules of one language.
#[derive(Debug, Clone)]
pub(super) struct Plurals {
    tag: Tag,
}

impl Plurals {
    /// The rules of `locale`; for an app that does not say what it speaks those of English, whose *one* and *other*
    /// nearly every language with plurals has.
    pub(super) fn of(locale: &Locale) -> Self {
        let tag = if locale.is_unnamed() { "en" } else { locale.language() };
        Self { tag: tag.parse().unwrap_or(Tag::UNKNOWN) }
    }

    /// The name of the form for a number as it is shown, in any digits; `None` for what is no whole number.
    pub(super) fn form(&self, shown: &str) -> Option<&'static str> {
        let folded = fold(shown);
        let separates = |c: char| matches!(c, '.' | ',' | ' ' | '\'' | '٬' | '\u{a0}' | '\u{202f}');
        let digits: String = folded.chars().filter(|c| !separates(*c)).collect();
        // A separator followed by three digits groups them; one followed by others begins a fraction.
        let whole = folded.split(separates).skip(1).all(|group| group.len() == 3);
        let number: u64 = digits.parse().ok().filter(|_| whole)?;
        // The rules are tables of the program: they are looked up, not read.
        let rules = PluralRules::try_new_cardinal((&self.tag).into()).ok()?;
        Some(match rules.category_for(number) {
            PluralCategory::Zero => "zero",
            PluralCategory::One => "one",
            PluralCategory::Two => "two",
            PluralCategory::Few => "few",
            PluralCategory::Many => "many",
            PluralCategory::Other => "other",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_takes_the_form_of_its_language() {
        let check = |language: &str, shown: &str, expected: Option<&str>| {
            assert_eq!(Plurals::of(&Locale::parse(language)).form(shown), expected, "{language} {shown}");
        };
        check("en", "1", Some("one"));
        check("en", "0", Some("other"));
        check("en", "٢١", Some("other"));
        check("", "1", Some("one"));
        check("ru", "21", Some("one"));
        check("ru", "1.002", Some("few"));
        check("ar", "2", Some("two"));
        check("fr", "0", Some("one"));
        check("ja", "1", Some("other"));
        check("en", "1,5", None);
        check("en", "one", None);
    }
}
