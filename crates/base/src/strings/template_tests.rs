//! Texts with arguments, and what they are found in.

use super::super::fold::folded;
use super::*;
use proptest::prelude::*;

fn found(template: &str, text: &str) -> Option<Vec<(String, String)>> {
    Template::parse(template).matcher()?.arguments(&folded(text), text)
}

fn values(template: &str, text: &str) -> Option<Vec<String>> {
    found(template, text).map(|found| found.into_iter().map(|(_, value)| value).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what may be nothing")]
fn some(values: &[&str]) -> Option<Vec<String>> {
    Some(values.iter().map(|&value| value.to_owned()).collect())
}

#[test]
fn arguments_of_every_notation_are_found_where_they_stand() {
    assert_eq!(values("Elegir %s", "Elegir SkiffX"), some(&["SkiffX"]));
    assert_eq!(values("A {{ item.eta }} min", "A 3 min"), some(&["3"]));
    assert_eq!(values("{name} wartet", "Zoë wartet"), some(&["Zoë"]));
    assert_eq!(values("%d分", "12分"), some(&["12"]));
    assert_eq!(values("%1$s على بعد %2$d كم", "\u{200f}Robin على بعد ٣ كم"), some(&["Robin", "٣"]));
    assert_eq!(values("von %s nach %s", "VON Bern NACH Basel"), some(&["Bern", "Basel"]));
    assert_eq!(found("%2$s von %1$s", "3 von 7").unwrap()[1], ("1".to_owned(), "7".to_owned()));
}

#[test]
fn what_does_not_fit_is_not_found() {
    assert_eq!(values("Elegir %s", "Elegir"), None);
    assert_eq!(values("Elegir %s", "Voy a elegir uno"), None);
    assert_eq!(values("%d min", "keine min"), None);
    assert_eq!(values("%s wartet", "Robin wartet nicht"), None);
}

#[test]
fn a_text_that_is_only_its_arguments_matches_nothing() {
    for template in ["%s", "%1$s: %2$s", "{{ name }}", "%s%s Fahrten", "{a} · {b}", "%s €", "%s a"] {
        assert_eq!(Template::parse(template).matcher(), None, "{template}");
    }
    assert!(Template::parse("%d €").matcher().is_none(), "a currency sign is no word");
}

#[test]
fn signs_that_are_no_arguments_stay() {
    assert_eq!(Template::parse("100% sure").plain("…"), "100% sure");
    assert_eq!(Template::parse("20%% off, %s").plain("…"), "20% off, …");
    assert_eq!(Template::parse("{} and { }").plain("…"), "{} and { }");
    assert_eq!(Template::parse("{count, plural, one {x} other {y}}").plain("…"), "{count, plural, one … other …}");
}

#[test]
fn markup_is_not_shown() {
    assert_eq!(Template::parse("I <b>agree</b> to A &amp; B").plain("…"), "I agree to A & B");
    assert_eq!(Template::parse("It\\'s 3 < 4 & 5").plain("…"), "It's 3 < 4 & 5");
}

proptest! {
    #[test]
    fn no_text_is_too_odd(template in any::<String>(), text in any::<String>()) {
        let parsed = Template::parse(&template);
        if let Some(matcher) = parsed.matcher() {
            matcher.arguments(&folded(&text), &text);
        }
        parsed.plain("…");
    }

    #[test]
    fn odd_notation_is_read_to_its_end(template in "[%{}<>&;0-9$sd a]{0,40}", text in "[ a0-9%{}]{0,20}") {
        if let Some(matcher) = Template::parse(&template).matcher() {
            matcher.arguments(&folded(&text), &text);
        }
    }

    #[test]
    fn what_was_put_in_is_found_again(name in "[A-Z][a-z]{1,8}") {
        let template = Template::parse("Fahrt mit {who} beginnen");
        let shown = template.filled(&[("who".to_owned(), name.clone())], &|text| text.to_owned());
        prop_assert_eq!(values("Fahrt mit {who} beginnen", &shown), Some(vec![name]));
    }
}
