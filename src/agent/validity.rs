//! Was the action possible, and did it do something? (Algorithm 1, lines 12–20.)

use super::code_boxes::took;
use crate::device::Seen;
use crate::domain::{Action, InputText, Screenshot};
use crate::hierarchy::{MASK, Widget};
use crate::skill::Validity;

/// Fewest digits of a telephone number without its country's code.
const LEAST_DIGITS: usize = 6;
/// Most digits of a country's code.
const LONGEST_CODE: usize = 3;

/// Valid or not, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The action had its effect.
    pub valid: bool,
    /// What shows it.
    pub reason: String,
}

impl Finding {
    fn new(valid: bool, reason: impl Into<String>) -> Self {
        Self { valid, reason: reason.into() }
    }
}

/// Judges `action` by what was seen before and after it. `package` is the app under test.
pub(super) fn judge(rule: Validity, action: &Action, before: &Seen, after: &Seen, package: &str) -> Finding {
    match rule {
        Validity::Always => Finding::new(true, "needs no effect"),
        Validity::ScreenChanges if before.screen.fingerprint != after.screen.fingerprint => {
            Finding::new(true, format!("led to \"{}\"", after.screen.title))
        }
        Validity::ScreenChanges if before.screen.digest != after.screen.digest => {
            Finding::new(true, "the screen's content changed")
        }
        Validity::ScreenChanges => Finding::new(false, "nothing on the screen changed"),
        Validity::AppInFront => {
            let in_front = after.screen.foreground.as_deref().is_some_and(|name| name.starts_with(package));
            Finding::new(in_front, if in_front { "the app is in front" } else { "the app is not in front" })
        }
        Validity::FieldHoldsText => match action {
            Action::InputText { target, text } => match after.screen.resolve(&target.selector) {
                Some((field, _)) if holds(field, text) => Finding::new(true, "the field holds the text"),
                Some((field, _)) if took(&after.screen, field, text) == Some(true) => {
                    Finding::new(true, "the boxes took what was typed")
                }
                Some((field, _)) if field.state.password => {
                    Finding::new(false, "the field does not hold as many characters as were typed")
                }
                Some((field, _)) => Finding::new(false, format!("the field holds {:?} instead", field.value)),
                None if before.screen.fingerprint != after.screen.fingerprint => {
                    Finding::new(true, "the screen moved on while typing")
                }
                None => Finding::new(false, "the field is gone"),
            },
            _ => Finding::new(true, "no field to check"),
        },
    }
}

/// Share of the pixels that change where something is drawn; a blinking cursor and a clock change less.
const DRAWN: f64 = 0.0015;

/// The picture changed where the hierarchy did not: a colour, a drawing, a passing message.
pub(super) fn pictures_differ(before: &Seen, after: &Seen) -> bool {
    let (before, after) = (before.screen.screenshot.as_ref(), after.screen.screenshot.as_ref());
    let shown = |picture: &&Screenshot| !picture.is_black();
    let both = before.filter(shown).zip(after.filter(shown));
    both.is_some_and(|(before, after)| before.changed_share(after) > DRAWN)
}

/// A field holds a text when it is equal, or equal but for separators the field adds (phone and card numbers). A
/// password field can only be counted.
fn holds(field: &Widget, text: &InputText) -> bool {
    let typed = text.expose();
    // A secret is masked wherever it is seen, so it can only be counted too.
    if field.state.password || (text.is_secret() && field.value.chars().all(|c| c == MASK)) {
        return field.value.chars().count() == typed.chars().count();
    }
    let bare = |s: &str| s.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    field.value == typed
        || (!bare(typed).is_empty() && bare(&field.value) == bare(typed))
        || is_with_prefix(&field.value, typed)
}

/// A telephone number behind the country's code that the field keeps: "+44 20 7946 0000".
fn is_with_prefix(shown: &str, typed: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (own, wanted) = (digits(shown), digits(typed));
    let code = own.len().saturating_sub(wanted.len());
    shown.trim_start().starts_with('+')
        && !typed.contains('+')
        && wanted.len() >= LEAST_DIGITS
        && wanted.chars().count() == typed.chars().filter(|c| c.is_alphanumeric()).count()
        && (1..=LONGEST_CODE).contains(&code)
        && own.ends_with(&wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_behind_its_countrys_code_is_there() {
        assert!(is_with_prefix("+44 20 7946 0000", "2079460000") && is_with_prefix("+1 (555) 010-2030", "5550102030"));
        assert!(!is_with_prefix("+44 20 7946 0000", "7946") && !is_with_prefix("44 20 7946 0000", "2079460000"));
        assert!(!is_with_prefix("+4420794600001", "2079460000") && !is_with_prefix("+442079460000", "79460000"));
    }
}
