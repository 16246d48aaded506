//! Steps that an expectation contradicts: "Turn Wi-Fi on", and expected is that it is off.

use super::mention::{quotations, quoted_text};
use crate::domain::{BundledTable, Expectation};
use serde::Deserialize;

pub(super) static WORDS: BundledTable<Words> =
    BundledTable::toml("src/case/contrary.toml", include_str!("contrary.toml"));

/// What steps say; see `contrary.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    on: Vec<String>,
    off: Vec<String>,
    opens: Vec<String>,
    removes: Vec<String>,
}

/// The step whose outcome an expectation contradicts, by its place among `steps`, and why. Only the last step that speaks of
/// the same thing counts: what an earlier one did may have been undone.
pub(super) fn contrary(steps: &[String], expected: &Expectation) -> Option<(usize, &'static str)> {
    let words = WORDS.get();
    let about = |text: &str| steps.iter().rposition(|step| speaks_of(step, text));
    match expected {
        Expectation::Checked { widget, is } => {
            let at = about(widget)?;
            let said = without(&steps[at], widget);
            let says = |list: &[String]| list.iter().any(|known| holds(&said, known));
            match (says(&words.on), says(&words.off)) {
                (true, false) if !is => Some((at, "the step turns it on, and it is expected to be off")),
                (false, true) if *is => Some((at, "the step turns it off, and it is expected to be on")),
                _ => None,
            }
        }
        Expectation::Absent(text) => {
            let at = steps.len().checked_sub(1)?;
            let opened = names(&steps[at], text) && begins(&steps[at], &words.opens);
            opened.then_some((at, "the last step opens what is expected to be absent"))
        }
        Expectation::Visible(text) => {
            let at = about(text)?;
            let removed = names(&steps[at], text) && begins(&steps[at], &words.removes);
            removed.then_some((at, "the step removes what is expected to be visible"))
        }
        _ => None,
    }
}

/// The step holds the text, word by word.
fn speaks_of(step: &str, text: &str) -> bool {
    !text.trim().is_empty() && holds(&flat(step), &flat(text))
}

/// The text is all that the step names in quotation marks, or all that it says behind its verb.
fn names(step: &str, text: &str) -> bool {
    let quoted: Vec<String> = quotations(step).iter().map(|range| flat(&quoted_text(step, range))).collect();
    match quoted.as_slice() {
        [] => flat(step).split_once(' ').is_some_and(|(_, rest)| rest == flat(text)),
        [only] => *only == flat(text),
        _ => false,
    }
}

fn without(step: &str, text: &str) -> String {
    flat(step).replace(&flat(text), " ")
}

fn begins(step: &str, verbs: &[String]) -> bool {
    let step = flat(step);
    verbs.iter().any(|verb| {
        let rest = step.strip_prefix(verb.as_str());
        rest.is_some_and(|rest| !verb.is_ascii() || !rest.starts_with(char::is_alphanumeric))
    })
}

/// A phrase within a text, where its words begin and end; of scripts without spaces anywhere. "Turn Wi-Fi on" holds "turn
/// on" as well: its words come in this order.
fn holds(text: &str, phrase: &str) -> bool {
    if !phrase.is_ascii() {
        return text.contains(phrase);
    }
    let said: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut wanted = phrase.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    for word in said {
        if wanted.peek() == Some(&word) {
            wanted.next();
        }
    }
    wanted.peek().is_none()
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(steps: &[&str], expected: &Expectation) -> Option<usize> {
        let steps: Vec<String> = steps.iter().map(|step| (*step).to_owned()).collect();
        contrary(&steps, expected).map(|(at, _)| at)
    }

    fn checked(widget: &str, is: bool) -> Expectation {
        Expectation::Checked { widget: widget.to_owned(), is }
    }

    #[test]
    fn what_is_turned_on_last_is_not_expected_to_be_off() {
        let steps = ["Open the settings", "Turn \"Dark theme\" on", "Go back"];
        assert_eq!(found(&steps, &checked("Dark theme", false)), Some(1));
        assert_eq!(found(&steps, &checked("Dark theme", true)), None);
        assert_eq!(found(&steps, &checked("Sounds", false)), None);
        assert_eq!(
            found(&["Turn on Sounds", "Turn off Sounds"], &checked("Sounds", false)),
            None,
            "the last one counts"
        );
        assert_eq!(found(&["Turn on Sounds", "Turn off Sounds"], &checked("Sounds", true)), Some(1));
        assert_eq!(found(&["关闭夜间模式"], &checked("夜间模式", true)), Some(0));
    }

    #[test]
    fn what_is_opened_last_is_not_absent_and_what_was_removed_is_not_seen() {
        let absent = Expectation::Absent("Letters".into());
        assert_eq!(found(&["Open \"Letters\""], &absent), Some(0));
        assert_eq!(found(&["Open letters"], &absent), Some(0));
        assert_eq!(found(&["Open \"Letters\"", "Go back"], &absent), None);
        assert_eq!(found(&["Open the page of letters from Ada"], &absent), None);
        let seen = Expectation::Visible("Milk".into());
        assert_eq!(found(&["Delete \"Milk\"", "Open the list"], &seen), Some(0));
        assert_eq!(found(&["Delete \"Milk\"", "Add \"Milk\" again"], &seen), None);
    }
}
