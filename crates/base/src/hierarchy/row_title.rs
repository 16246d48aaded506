//! Which words may be a title: of a row, a card or a screen. Times, measures, prices and what a program says in place of
//! nothing never are.

/// True for words that may be a title.
pub(super) fn may_be_title(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let enough = letters >= 2 || text.chars().any(is_ideograph);
    enough && !is_figure(text) && !is_nothing(text) && !is_reference(text)
}

/// True for what programs call things among themselves: a UUID, the query of an address.
pub(super) fn is_reference(text: &str) -> bool {
    let text = text.trim();
    let one_word = !text.contains(char::is_whitespace);
    one_word && (holds_uuid(text) || text.contains('?') && text.contains('=') && text.contains('&'))
}

/// Groups of 8, 4, 4, 4 and 12 hexadecimal digits.
fn holds_uuid(text: &str) -> bool {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let bytes = text.as_bytes();
    let length = GROUPS.iter().sum::<usize>() + GROUPS.len() - 1;
    bytes.windows(length).any(|window| {
        let mut groups = window.split(|byte| *byte == b'-');
        GROUPS.iter().all(|digits| {
            groups.next().is_some_and(|group| group.len() == *digits && group.iter().all(u8::is_ascii_hexdigit))
        })
    })
}

/// True for a figure with at most a unit: `09:00`, `7:36am`, `下午 3:15`, `0.0 dB`, `64kbps`, `Rp5.900`, `12%`.
pub(super) fn is_figure(text: &str) -> bool {
    let text = text.trim();
    if !text.chars().any(|c| c.is_ascii_digit() || c.is_numeric()) {
        return false;
    }
    let runs: Vec<usize> = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|run| !run.is_empty())
        .map(|run| run.chars().count() + run.chars().filter(|c| is_ideograph(*c)).count())
        .collect();
    let letters: usize = runs.iter().sum();
    if letters == 0 {
        return true;
    }
    let first = text.chars().find(|c| c.is_alphabetic() || c.is_numeric());
    let digit_first = first.is_some_and(char::is_numeric);
    let short = |most: usize| runs.len() == 1 && letters <= most;
    holds_clock(text) && letters <= 4
        || digit_first && short(4) && !(letters > 2 && text.contains('%'))
        || !digit_first && short(3) && holds_decimal(text)
}

/// What a program writes where it has nothing to say.
fn is_nothing(text: &str) -> bool {
    const NOTHING: &[&str] = &["null", "undefined", "nan", "nil", "(null)", "[object object]", "n/a"];
    let text = text.trim();
    NOTHING.iter().any(|nothing| text.eq_ignore_ascii_case(nothing))
}

/// One or two digits, a colon and two digits.
fn holds_clock(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: Option<&char>| at.is_some_and(|c| c.is_numeric());
    (1..chars.len()).any(|at| {
        matches!(chars[at], ':' | '：')
            && digit(chars.get(at - 1))
            && digit(chars.get(at + 1))
            && digit(chars.get(at + 2))
    })
}

/// Digits with a point or comma between them.
fn holds_decimal(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(|c| c.is_numeric());
    (1..chars.len()).any(|at| matches!(chars[at], '.' | ',') && digit(at - 1) && digit(at + 1))
}

/// True for letters that are words by themselves.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_nothing_are_no_titles() {
        for text in [
            "09:00",
            "7:36am",
            "10am",
            "9:41",
            "下午 3:15",
            "오후 3:15",
            "0.0 dB",
            "64kbps",
            "6 uds.",
            "45 min",
            "12A",
            "Rp5.900",
            "R$ 250.00",
            "₹ 0-500",
            "12%",
            "4.1",
            "null",
            "NaN",
            "undefined",
            "U",
            "📄",
            "",
            "12月",
            "+",
            "3f9c2b1a-77de-4c50-9a21-0b6f5e8d1c42",
            "step?client=a&number=1",
        ] {
            assert!(!may_be_title(text), "{text}");
        }
        for text in [
            "Unit 1",
            "Day 2",
            "15% off",
            "1Password",
            "Magnesio",
            "文",
            "中国之声",
            "Wheeler Dealers",
            "S6 | E9 Things Left",
            "OK",
            "Über uns",
            "30 days of yoga",
            "الإعدادات",
            "13 Going on 30",
            "Studio 54",
            "backup_2026-11-25_1904.json",
            "What's new? A=B & more",
        ] {
            assert!(may_be_title(text), "{text}");
        }
    }
}
