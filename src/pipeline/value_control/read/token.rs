//! Words, numbers and signs of a text, each with where it stands.

use std::ops::Range;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Lower case.
    pub(super) text: String,
    /// Bytes of the text.
    pub(super) span: Range<usize>,
}

/// The kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Word,
    /// Digits, with their value. `whole` tells that there is neither a separator nor a fraction in them.
    Number {
        value: f64,
        whole: bool,
    },
    Sign,
}

impl Token {
    pub(super) const fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Number { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The value of plain digits.
    pub(super) const fn whole(&self) -> Option<u32> {
        match self.kind {
            Kind::Number { value, whole: true } if value < 1e9 => Some(value as u32),
            _ => None,
        }
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }

    pub(super) fn is_word_of(&self, list: &[String]) -> bool {
        self.kind == Kind::Word && list.contains(&self.text)
    }
}

/// How the digits of a text are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separators {
    /// "1,000.5".
    DecimalPoint,
    /// "1.000,5" and "1 000,5".
    DecimalComma,
}

/// Splits a text. A number takes in its separators; letters and digits that touch are two pieces ("7pm").
pub(super) fn tokens(text: &str, separators: Separators) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let end = if c.is_ascii_digit() {
            number_end(text, at, separators)
        } else if c.is_alphabetic() {
            word_end(text, at)
        } else {
            at + c.len_utf8()
        };
        let piece = &text[at..end];
        let kind = if c.is_ascii_digit() {
            let (value, whole) = value(piece, separators);
            Some(Kind::Number { value, whole })
        } else if c.is_alphabetic() {
            Some(Kind::Word)
        } else if c.is_whitespace() {
            None
        } else {
            Some(Kind::Sign)
        };
        if let Some(kind) = kind {
            found.push(Token { kind, text: spelling(piece, kind), span: at..end });
        }
        at = end;
    }
    found
}

/// "A.M." is "am", "o’clock" is "oclock".
fn spelling(piece: &str, kind: Kind) -> String {
    let lower = piece.to_lowercase();
    if kind == Kind::Word { lower.replace(['.', '\'', '’'], "") } else { lower }
}

fn word_end(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let lower = rest.get(..4).unwrap_or_default().to_ascii_lowercase();
    if matches!(lower.as_str(), "a.m." | "p.m.") {
        return start + 4;
    }
    let clock =
        rest.get(..2).is_some_and(|head| head.eq_ignore_ascii_case("o'")) || rest.to_lowercase().starts_with("o’clock");
    let within = |c: char| c.is_alphabetic() || clock && matches!(c, '\'' | '’');
    start + rest.find(|c| !within(c)).unwrap_or(rest.len())
}

/// A separator counts where digits follow; as thousands where exactly three do.
fn number_end(text: &str, start: usize, separators: Separators) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = start + digits(start);
    while let Some(sign) = text[end..].chars().next() {
        let next = end + sign.len_utf8();
        let follow = digits(next);
        let takes = match sign {
            '.' | ',' => follow > 0,
            '\u{a0}' | '\u{202f}' | '\'' | '’' => follow == 3,
            ' ' => follow == 3 && end - start <= 3 && separators == Separators::DecimalComma,
            _ => false,
        };
        // A second point or comma after two digits is a date or a version: "13.05.2026" is three numbers.
        let dated = sign == '.' && follow > 0 && follow != 3 && {
            let after = next + follow;
            let before = text[..start].strip_suffix('.');
            text[after..].starts_with('.') && digits(after + 1) > 0
                || before.is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()))
        };
        let parted = text[start..end].contains(sign) && follow != 3;
        if !takes || dated || parted {
            break;
        }
        end = next + follow;
    }
    end
}

/// The value of digits with separators, and whether there are none in them.
fn value(piece: &str, separators: Separators) -> (f64, bool) {
    if piece.bytes().all(|byte| byte.is_ascii_digit()) {
        return (piece.parse().unwrap_or_default(), true);
    }
    let decimal = decimal_sign(piece, separators);
    let plain: String = piece
        .char_indices()
        .filter_map(|(at, c)| if Some(at) == decimal { Some('.') } else { c.is_ascii_digit().then_some(c) })
        .collect();
    (plain.parse().unwrap_or_default(), false)
}

/// Where the fraction begins. What parts three digits from at most three others is a thousands separator unless it is the
/// language's own decimal sign.
fn decimal_sign(piece: &str, separators: Separators) -> Option<usize> {
    let last = piece.rfind(['.', ','])?;
    let sign = &piece[last..=last];
    let fraction = piece.len() - last - 1;
    let again = piece.matches(sign).count() > 1;
    let mixed = piece.contains('.') && piece.contains(',');
    let own = if separators == Separators::DecimalComma { "," } else { "." };
    let thousands = fraction == 3 && (1..=3).contains(&last) && sign != own && !piece.starts_with('0');
    (!again && (mixed || !thousands)).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_their_separators() {
        for (text, point, comma) in [
            ("1,000", 1000.0, 1.0),
            ("1.000", 1.0, 1000.0),
            ("21.5", 21.5, 21.5),
            ("21,5", 21.5, 21.5),
            ("1,234,567", 1_234_567.0, 1_234_567.0),
            ("1.234.567", 1_234_567.0, 1_234_567.0),
            ("1,234.50", 1234.5, 1234.5),
            ("1.234,50", 1234.5, 1234.5),
            ("1\u{a0}500", 1500.0, 1500.0),
            ("1'500", 1500.0, 1500.0),
            ("0.125", 0.125, 0.125),
        ] {
            for (separators, expected) in [(Separators::DecimalPoint, point), (Separators::DecimalComma, comma)] {
                let all = tokens(text, separators);
                assert_eq!(all.len(), 1, "{text}: {all:?}");
                assert!(all[0].number().is_some_and(|value| (value - expected).abs() < 1e-9), "{text}: {all:?}");
            }
        }
    }

    #[test]
    fn words_numbers_and_signs_are_parted() {
        let texts = |text: &str| -> Vec<String> {
            tokens(text, Separators::DecimalComma).into_iter().map(|token| token.text).collect()
        };
        assert_eq!(texts("19h20, 7pm"), ["19", "h", "20", ",", "7", "pm"]);
        assert_eq!(texts("7:20 a.m. — 8 o’clock"), ["7", ":", "20", "am", "—", "8", "oclock"]);
        assert_eq!(texts("13.05.2026"), ["13", ".", "05", ".", "2026"]);
        assert_eq!(texts("1 500 € am 9."), ["1 500", "€", "am", "9", "."]);
    }
}
