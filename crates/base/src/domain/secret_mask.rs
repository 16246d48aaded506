//! Finding the values of secrets in texts, in whatever form they come, and hiding them.

use super::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Stands for one character of a secret, as a password field shows it.
pub const MASK: char = '•';

/// Shorter values are hidden only where they are a whole text: "12" stands in too many other texts.
const SHORTEST_PART: usize = 4;
/// Shorter values are hidden in another form only where that stands by itself: "pass" is no part of "Password".
const SHORTEST_LOOSE_PART: usize = 6;
/// Shorter pieces of Base64 stand in too many other texts.
const SHORTEST_ENCODED: usize = 5;
/// Characters between two groups: "1357 - 90".
const MOST_BETWEEN: usize = 3;

/// Hides the values of secrets in texts: as they are, in other case, with their characters in groups (`135 790`,
/// `1357-90`), percent-encoded as in URLs, and in Base64 at any of its three offsets.
///
/// Every form of a value becomes as many [`MASK`]s as the value has characters; Base64 as many as were hidden.
#[derive(Clone, Default)]
pub struct SecretMask {
    values: Vec<Value>,
}

/// A secret's value, as it is looked for.
#[derive(Clone)]
struct Value {
    plain: String,
    length: usize,
    /// In lower case.
    folded: Vec<char>,
    /// The same as it may be grouped: without what stands between the groups. `None` for a value that has no digit, or more
    /// than letters and digits.
    core: Option<Vec<char>>,
    /// What Base64 makes of it, whatever comes before and after.
    encoded: Vec<Vec<char>>,
}

impl fmt::Debug for SecretMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretMask({} values)", self.values.len())
    }
}

impl SecretMask {
    /// A mask for these values. Empty ones are nobody's secret.
    pub fn new<'s>(secrets: impl IntoIterator<Item = &'s Secret>) -> Self {
        Self::of_texts(secrets.into_iter().map(Secret::expose))
    }

    /// A mask for texts that belong to a run and to nobody else.
    pub fn of_texts<'s>(texts: impl IntoIterator<Item = &'s str>) -> Self {
        Self { values: texts.into_iter().filter(|text| !text.is_empty()).map(Value::new).collect() }
    }

    /// The mask of whoever has no secrets.
    pub fn none() -> &'static Self {
        static NONE: SecretMask = SecretMask { values: Vec::new() };
        &NONE
    }

    /// True where there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Characters of the shortest value; 0 where there is nothing to hide.
    pub fn shortest(&self) -> usize {
        self.values.iter().map(|value| value.length).min().unwrap_or_default()
    }

    /// True for a text that shows a value in any form.
    pub fn shows_in(&self, text: &str) -> bool {
        !self.found(text, fold).is_empty()
    }

    /// The text with every form of every value hidden.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        hidden(text, self.found(text, fold))
    }

    /// Like [`SecretMask::hide`] for a text that was read off a picture, where an O may be a zero.
    pub fn hide_read<'t>(&self, text: &'t str) -> Cow<'t, str> {
        hidden(text, self.found(text, look))
    }

    /// Where values are, in bytes of the text, in order and apart, with the characters that each has.
    fn found(&self, text: &str, fold: Fold) -> Vec<(Range<usize>, usize)> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        if self.values.is_empty() || text.is_empty() {
            return found;
        }
        let letters = Letters { text, all: text.char_indices().collect(), fold };
        for value in &self.values {
            value.find(&letters, &mut found);
        }
        found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut apart: Vec<(Range<usize>, usize)> = Vec::new();
        for (range, length) in found {
            match apart.last_mut() {
                Some((last, _)) if range.end <= last.end => {}
                // Two values that overlap are hidden as one.
                Some((last, own)) if range.start < last.end => {
                    last.end = range.end;
                    *own = text[last.clone()].chars().count();
                }
                _ => apart.push((range, length)),
            }
        }
        apart
    }
}

/// The text with what was found hidden.
fn hidden(text: &str, found: Vec<(Range<usize>, usize)>) -> Cow<'_, str> {
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (range, length) in found {
        kept.push_str(&text[from..range.start]);
        kept.extend(std::iter::repeat_n(MASK, length));
        from = range.end;
    }
    kept.push_str(&text[from..]);
    Cow::Owned(kept)
}

/// How characters are compared.
type Fold = fn(char) -> char;

/// Without regard to case.
fn fold(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Without regard to what a reader of pictures confuses.
fn look(c: char) -> char {
    match fold(c) {
        'o' | 'q' => '0',
        'i' | 'l' | '|' | '!' => '1',
        'z' => '2',
        's' | '$' => '5',
        'b' => '8',
        other => other,
    }
}

/// What stands between groups of digits.
fn parts(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2009}' | '\u{202f}' | '_')
}

/// What stands between groups of longer numbers besides; between a few digits it makes an amount or a date.
fn parts_long(c: char) -> bool {
    parts(c) || matches!(c, '.' | ',' | '\'' | '\u{2019}' | '\u{b7}')
}

impl Value {
    fn new(plain: &str) -> Self {
        let folded: Vec<char> = plain.chars().map(fold).collect();
        let core: Vec<char> = folded.iter().copied().filter(|c| !parts_long(*c)).collect();
        let grouped = core.len() >= SHORTEST_PART
            && core.iter().any(char::is_ascii_digit)
            && core.iter().all(|c| c.is_alphanumeric());
        Self {
            length: folded.len(),
            folded,
            core: grouped.then_some(core),
            encoded: encoded(plain.as_bytes()),
            plain: plain.to_owned(),
        }
    }

    fn find(&self, letters: &Letters<'_>, found: &mut Vec<(Range<usize>, usize)>) {
        let text = letters.text;
        if self.length < SHORTEST_PART {
            if text == self.plain {
                found.push((0..text.len(), self.length));
            }
            return;
        }
        found.extend(text.match_indices(self.plain.as_str()).map(|(at, same)| (at..at + same.len(), self.length)));
        let begins = |pattern: &[char], c: char| pattern.first().is_some_and(|first| (letters.fold)(*first) == c);
        for (at, (_, c)) in letters.all.iter().enumerate() {
            let folded = (letters.fold)(*c);
            let coded = matches!(c, '%' | '+');
            if coded || begins(&self.folded, folded) {
                let end = letters.follow(at, &self.folded, None);
                let end = end.filter(|end| self.length >= SHORTEST_LOOSE_PART || letters.stands_alone(at, *end));
                found.extend(end.map(|end| (letters.bytes(at, end), self.length)));
            }
            if let Some(core) = self.core.as_ref().filter(|core| coded || begins(core, folded)) {
                let long = core.len() >= SHORTEST_LOOSE_PART;
                let end = letters.follow(at, core, Some(if long { parts_long } else { parts }));
                let end = end.filter(|end| long || letters.stands_alone(at, *end));
                found.extend(end.map(|end| (letters.bytes(at, end), self.length)));
            }
            for piece in self.encoded.iter().filter(|piece| piece.first().is_some_and(|first| same_code(*first, *c))) {
                if let Some((from, end)) = letters.encoded(at, piece) {
                    found.push((letters.bytes(from, end), end - from));
                }
            }
        }
    }
}

/// What Base64 makes of the bytes behind none, one and two others: the characters that do not depend on what is around.
fn encoded(bytes: &[u8]) -> Vec<Vec<char>> {
    let piece = |before: usize| {
        let mut whole = vec![0; before];
        whole.extend_from_slice(bytes);
        let text: Vec<char> = STANDARD_NO_PAD.encode(&whole).chars().collect();
        let (from, to) = ((8 * before).div_ceil(6), 8 * whole.len() / 6);
        text.get(from..to).map(<[char]>::to_vec)
    };
    (0..3).filter_map(piece).filter(|piece| piece.len() >= SHORTEST_ENCODED).collect()
}

/// Base64 has another alphabet in URLs.
fn same_code(a: char, b: char) -> bool {
    let plain = |c| match c {
        '-' => '+',
        '_' => '/',
        other => other,
    };
    plain(a) == plain(b)
}

fn is_code(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_')
}

/// A text, character by character.
struct Letters<'t> {
    text: &'t str,
    all: Vec<(usize, char)>,
    fold: Fold,
}

impl Letters<'_> {
    fn at(&self, at: usize) -> Option<char> {
        self.all.get(at).map(|(_, c)| *c)
    }

    fn bytes(&self, from: usize, to: usize) -> Range<usize> {
        let place = |at: usize| self.all.get(at).map_or(self.text.len(), |(place, _)| *place);
        place(from)..place(to)
    }

    /// Behind the pattern that begins there, with characters between as `between` allows.
    fn follow(&self, from: usize, pattern: &[char], between: Option<fn(char) -> bool>) -> Option<usize> {
        let mut at = from;
        for (nth, wanted) in pattern.iter().enumerate() {
            let mut next = self.step(at, *wanted);
            if let Some(between) = between.filter(|_| nth > 0) {
                for _ in 0..MOST_BETWEEN {
                    if next.is_some() {
                        break;
                    }
                    at = self.over(at, between)?;
                    next = self.step(at, *wanted);
                }
            }
            at = next?;
        }
        Some(at)
    }

    /// Behind the wanted character, as it is or percent-encoded.
    fn step(&self, at: usize, wanted: char) -> Option<usize> {
        let c = self.at(at)?;
        if (self.fold)(c) == (self.fold)(wanted) || c == '+' && wanted == ' ' {
            return Some(at + 1);
        }
        let (decoded, next) = self.decoded(at)?;
        ((self.fold)(decoded) == (self.fold)(wanted)).then_some(next)
    }

    /// Behind a character that may stand between groups.
    fn over(&self, at: usize, between: fn(char) -> bool) -> Option<usize> {
        let c = self.at(at)?;
        if between(c) || c == '+' {
            return Some(at + 1);
        }
        self.decoded(at).filter(|(decoded, _)| between(*decoded)).map(|(_, next)| next)
    }

    /// The percent-encoded character that begins there, and where the next begins.
    fn decoded(&self, at: usize) -> Option<(char, usize)> {
        let byte = |at: usize| {
            let digit = |at: usize| self.at(at)?.to_digit(16);
            (self.at(at)? == '%').then_some(())?;
            u8::try_from(digit(at + 1)? * 16 + digit(at + 2)?).ok()
        };
        let first = byte(at)?;
        let length = if first < 0x80 { 1 } else { first.leading_ones() as usize };
        let bytes: Option<Vec<u8>> = (0..length.min(4)).map(|nth| byte(at + 3 * nth)).collect();
        let bytes = bytes?;
        let decoded = std::str::from_utf8(&bytes).ok()?.chars().next()?;
        Some((decoded, at + 3 * bytes.len()))
    }

    /// True where neither letter nor digit is next to it.
    fn stands_alone(&self, from: usize, to: usize) -> bool {
        let before = from.checked_sub(1).and_then(|at| self.at(at));
        ![before, self.at(to)].into_iter().flatten().any(char::is_alphanumeric)
    }

    /// The piece of Base64 that begins there, with the characters on both sides that still hold a part of it.
    fn encoded(&self, at: usize, piece: &[char]) -> Option<(usize, usize)> {
        let whole = piece.iter().enumerate().all(|(nth, code)| self.at(at + nth).is_some_and(|c| same_code(*code, c)));
        let code = |at: usize| self.at(at).is_some_and(is_code);
        let from = if at > 0 && code(at - 1) { at - 1 } else { at };
        let to = at + piece.len();
        whole.then_some((from, if code(to) { to + 1 } else { to }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden_in(text: &str, secret: &str) -> String {
        let mask = SecretMask::new(&[Secret::new(secret)]);
        let kept = mask.hide(text).into_owned();
        assert_eq!(mask.shows_in(text), kept != text, "{text}");
        kept
    }

    #[test]
    fn a_secret_is_hidden_in_every_form() {
        for (text, secret, expected) in [
            ("Your code: 135790.", "135790", "Your code: ••••••."),
            ("Your code: 135 790.", "135790", "Your code: ••••••."),
            ("Your code: 1357-90.", "135790", "Your code: ••••••."),
            ("Your code: 13.57.90.", "135790", "Your code: ••••••."),
            ("1 3 5 7 9 0", "135790", "••••••"),
            ("1357 - 90", "135790", "••••••"),
            ("card 4111111111111111", "4111 1111 1111 1111", "card •••••••••••••••••••"),
            ("card 4111-1111 11111111", "4111 1111 1111 1111", "card •••••••••••••••••••"),
            ("IBAN DE89 3704 0044", "de8937040044", "IBAN ••••••••••••"),
            ("typed LUNCHWITH007!", "Lunchwith007", "typed ••••••••••••!"),
            ("STRASSE", "Straße 7", "STRASSE"),
            ("ÄPFEL und mehr", "äpfel", "••••• und mehr"),
            ("?q=correct%20horse&x", "correct horse", "?q=•••••••••••••&x"),
            ("?q=correct+horse&x", "correct horse", "?q=•••••••••••••&x"),
            ("?q=p%26ss%3Dw%C3%B6rd", "p&ss=wörd", "?q=•••••••••"),
            ("?q=P%26SS%3dw%c3%b6rd", "p&ss=wörd", "?q=•••••••••"),
            ("?pin=%31%33%35%37%39%30", "135790", "?pin=••••••"),
            ("?pin=135%20790", "135790", "?pin=••••••"),
        ] {
            assert_eq!(hidden_in(text, secret), expected, "{secret} in {text}");
        }
    }

    #[test]
    fn base64_hides_nothing_at_any_offset() {
        for secret in ["135790", "correct horse", "Lunchwith007", "geheim-ß"] {
            for before in ["", "u", "me", "ann:"] {
                for after in ["", ".", "&x", " and more"] {
                    let text = STANDARD_NO_PAD.encode(format!("{before}{secret}{after}"));
                    let kept = hidden_in(&format!("Basic {text}="), secret);
                    let mut left = kept.clone();
                    left.retain(|c| c != MASK);
                    // Neither side holds a whole byte of it any more.
                    let rest = left.trim_start_matches("Basic ").trim_end_matches('=').chars().count();
                    assert!(rest * 6 <= (before.len() + after.len()) * 8 + 4, "{secret} in {text}: {kept}");
                }
            }
            let url = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(format!("a:{secret}"));
            assert!(hidden_in(&url, secret).contains(MASK), "{url}");
        }
    }

    #[test]
    fn what_only_resembles_a_secret_stays() {
        for (text, secret) in [
            ("12 Nov", "12"),
            ("anything", ""),
            ("Password", "pass"),
            ("€ 12.34", "1234"),
            ("12 345", "1234"),
            ("13 57 91", "135790"),
            ("correct house", "correct horse"),
            ("100 %", "100%25"),
            ("%zz%3", "zz%3x"),
        ] {
            assert_eq!(hidden_in(text, secret), text, "{secret} in {text}");
        }
        assert_eq!(hidden_in("PASS", "pass"), "••••");
        assert_eq!(hidden_in("12-34", "1234"), "••••");
        assert_eq!(hidden_in("12", "12"), "••");
    }

    #[test]
    fn values_that_overlap_are_hidden_whole() {
        let mask = SecretMask::new(&[Secret::new("abcd7"), Secret::new("cd7efgh")]);
        assert_eq!(mask.hide("xabcd7efghx"), "x•••••••••x");
        assert_eq!(format!("{mask:?}"), "SecretMask(2 values)");
    }

    #[test]
    fn what_a_reader_of_pictures_confuses_is_the_same() {
        let mask = SecretMask::new(&[Secret::new("135790")]);
        assert_eq!(mask.hide_read("Code I3S 79O"), "Code ••••••");
        assert_eq!(mask.hide("Code I3S 79O"), "Code I3S 79O");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken_and_no_value_is_left(text in "\\PC{0,40}", secret in "\\PC{4,12}", tail in "\\PC{0,9}") {
            let mask = SecretMask::new(&[Secret::new(secret.as_str())]);
            let kept = mask.hide(&format!("{text}{secret}{tail}")).into_owned();
            proptest::prop_assert!(!kept.contains(&secret) || secret.chars().all(|c| c == MASK), "{kept}");
        }
    }
}
