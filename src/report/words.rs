//! How numbers, actions and device texts are written for people.

use crate::domain::{Action, InputText, Target};

/// Milliseconds as `87 ms`, `3.4 s` or `2 min 05 s`.
pub fn duration(ms: f64) -> String {
    if ms < 999.5 {
        format!("{ms:.0} ms")
    } else if ms < 59_950.0 {
        format!("{:.1} s", ms / 1000.0)
    } else {
        let seconds = (ms / 1000.0).round() as u64;
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// `1 action`, `2 actions`.
pub(super) fn count(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

/// A text in one line without control characters: what an app shows must not steer a terminal.
pub fn plain_line(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() || is_format(c) { ' ' } else { c }).collect::<String>();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters that reorder or hide their neighbours (bidirectional controls, byte order mark).
const fn is_format(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// At most `width` characters, the end replaced by `…` where it is longer.
pub(super) fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// `text` broken between words into lines of at most `width` characters; a longer word stands alone.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The first of the texts a list item's label is made of: `Bind a bank card` of `Bind a bank card, No cards yet`. A
/// sentence with commas stays whole.
pub(super) fn first_part(label: &str) -> &str {
    let cut = label.match_indices(", ").find(|(at, comma)| {
        let next = label[at + comma.len()..].chars().next();
        next.is_some_and(|c| !c.is_lowercase() && !c.is_whitespace())
    });
    match cut {
        Some((at, _)) if at > 0 && !label.ends_with('.') => &label[..at],
        _ => label,
    }
}

/// What was done, in a tester's words: `tapped Log in`, `typed ann@example.com into E-mail`.
pub(super) fn deed_words(action: &Action) -> String {
    said(action, 1)
}

/// What could be done: `tap Log in`, `type ann@example.com into E-mail`.
pub(super) fn wish_words(action: &Action) -> String {
    said(action, 0)
}

/// `form` 0 is the command, 1 the past.
fn said(action: &Action, form: usize) -> String {
    let verb = |forms: [&'static str; 2]| forms[form.min(1)];
    let text = |text: &InputText| match text {
        InputText::Plain(text) => text.clone(),
        secret @ InputText::Secret { .. } => secret.to_string(),
    };
    let name = |target: &Target| first_part(&target.label).to_owned();
    plain_line(&match action {
        Action::Click { target } => format!("{} {}", verb(["tap", "tapped"]), name(target)),
        Action::LongPress { target } => format!("{} {}", verb(["touch and hold", "touched and held"]), name(target)),
        Action::InputText { target, text: typed } => {
            format!("{} {} into {}", verb(["type", "typed"]), text(typed), name(target))
        }
        Action::InputByNumericKeyboard { digits, .. } => {
            format!("{} {} on the keypad", verb(["type", "typed"]), text(digits))
        }
        Action::PressBack => format!("{} Back", verb(["press", "pressed"])),
        Action::PressEnter => format!("{} Enter", verb(["press", "pressed"])),
        Action::Scroll { direction, .. } => format!("{} {direction}", verb(["scroll", "scrolled"])),
        Action::SwipeSelector { target, direction } => {
            format!("{} {} {direction}", verb(["turn", "turned"]), name(target))
        }
        // How long it took in the end stands beside it.
        Action::Wait { .. } if form > 0 => "waited".to_owned(),
        Action::Wait { ms } => format!("wait {}", duration(*ms as f64)),
        Action::OpenApp { package } => format!("{} {package}", verb(["open", "opened"])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_the_unit_that_reads_best() {
        for (ms, text) in
            [(0.2, "0 ms"), (999.6, "1.0 s"), (3_449.0, "3.4 s"), (59_960.0, "1 min 00 s"), (125_000.0, "2 min 05 s")]
        {
            assert_eq!(duration(ms), text);
        }
    }

    #[test]
    fn a_device_text_cannot_steer_a_terminal() {
        assert_eq!(plain_line("a\u{1b}[2J\nb\u{202e}c"), "a [2J b c");
        assert_eq!(shortened("Agreement of card", 10), "Agreement…");
    }

    #[test]
    fn a_list_item_is_named_by_its_first_text_and_a_sentence_by_all_of_it() {
        for (label, short) in [
            ("Bind a bank card, No cards yet", "Bind a bank card"),
            ("Elena Rossi, +44 7700 900 555", "Elena Rossi"),
            ("Yes, continue", "Yes, continue"),
            ("I have read, Alex, and agree.", "I have read, Alex, and agree."),
            (", ", ", "),
            ("Öffnen, Übersicht", "Öffnen"),
        ] {
            assert_eq!(first_part(label), short);
        }
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable a", 5), ["unbreakable", "a"]);
        assert!(wrapped("", 5).is_empty());
    }
}
