//! A text with places for arguments: `%1$s rides`, `{count} rides`, `{{ count }} rides`.

use super::fold::{Folded, fold};
use std::fmt;

/// Longest text with arguments that is looked at, in bytes: a longer one is an article.
const LONGEST: usize = 600;
/// Most arguments of a text.
const MOST_ARGUMENTS: usize = 12;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// By its number or name; `numeric` for `%d`.
    Argument {
        name: String,
        numeric: bool,
    },
}

/// A text with arguments, or one without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
}

impl Template {
    /// Takes a resource's text apart. Markup goes, as it goes on the display.
    pub(super) fn parse(text: &str) -> Self {
        let text = without_markup(text);
        let (mut pieces, mut literal) = (Vec::new(), String::new());
        let (mut rest, mut unnumbered) = (text.as_str(), 0);
        while let Some(c) = rest.chars().next() {
            if let Some((name, numeric, length)) = argument(rest) {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                let name = if name.is_empty() {
                    unnumbered += 1;
                    unnumbered.to_string()
                } else {
                    name
                };
                pieces.push(Piece::Argument { name, numeric });
                rest = &rest[length..];
            } else {
                literal.push(c);
                rest = &rest[if rest.starts_with("%%") { 2 } else { c.len_utf8() }..];
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        Self { pieces }
    }

    fn literals(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Literal(text) => Some(text.as_str()),
            Piece::Argument { .. } => None,
        })
    }

    pub(super) fn has_arguments(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Argument { .. }))
    }

    /// As a text of its own, with `argument` wherever one belongs.
    pub(super) fn plain(&self, argument: &str) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Argument { .. } => argument.to_owned(),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// What must stand in a text for it to be this one, made ready; `None` where that says nothing (`%s`, `%1$s: %2$s`).
    pub(super) fn matcher(&self) -> Option<Matcher> {
        let arguments = self.pieces.len() - self.literals().count();
        let literals: Vec<String> = self.literals().map(fold_within).collect();
        let length: usize = literals.iter().map(String::len).sum();
        if arguments == 0 || arguments > MOST_ARGUMENTS || length > LONGEST {
            return None;
        }
        let letters: usize = literals.iter().flat_map(|text| text.chars()).map(weight).sum();
        let numbers_only = self.pieces.iter().all(|piece| !matches!(piece, Piece::Argument { numeric: false, .. }));
        // One short syllable tells what a number is of, and nothing about words.
        if letters == 0 || letters < 3 && !numbers_only {
            return None;
        }
        let mut parts = Vec::new();
        let mut folded = literals.into_iter();
        for piece in &self.pieces {
            parts.push(match piece {
                Piece::Literal(_) => Part::Literal(folded.next().unwrap_or_default().chars().collect()),
                Piece::Argument { name, numeric } => Part::Argument { name: name.clone(), numeric: *numeric },
            });
        }
        // What folding left nothing of separates nothing.
        parts.retain(|part| !matches!(part, Part::Literal(text) if text.is_empty()));
        let touching = parts.windows(2).any(|pair| pair.iter().all(|part| matches!(part, Part::Argument { .. })));
        (!touching).then_some(Matcher { parts, letters })
    }

    /// The text with arguments put in; what has no value is `…`.
    pub(super) fn filled(&self, arguments: &[(String, String)], change: &dyn Fn(&str) -> String) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.push_str(text),
                Piece::Argument { name, .. } => match arguments.iter().find(|(known, _)| known == name) {
                    Some((_, value)) => out.push_str(&change(value)),
                    None => out.push('…'),
                },
            }
        }
        out
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plain("…"))
    }
}

/// A letter of a script that writes words counts once; a sign that is a word or syllable of its own, two times.
fn weight(c: char) -> usize {
    let syllable = matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    if syllable { 2 } else { usize::from(c.is_alphabetic()) }
}

/// Folded, with the spaces at its ends kept: they separate it from arguments.
fn fold_within(text: &str) -> String {
    let inner = fold(text);
    let space = |is: bool| if is { " " } else { "" };
    let head = text.starts_with(char::is_whitespace) && !inner.is_empty();
    let tail = text.ends_with(char::is_whitespace);
    format!("{}{inner}{}", space(head), space(tail))
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(Vec<char>),
    Argument { name: String, numeric: bool },
}

/// Finds a template's arguments in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matcher {
    parts: Vec<Part>,
    /// How much of it is said by the text itself.
    pub(super) letters: usize,
}

impl Matcher {
    /// The literals, folded.
    pub(super) fn literals(&self) -> impl Iterator<Item = &[char]> {
        self.parts.iter().filter_map(|part| match part {
            Part::Literal(text) => Some(text.as_slice()),
            Part::Argument { .. } => None,
        })
    }

    /// The letters that every text begins with.
    pub(super) fn start(&self) -> Option<&[char]> {
        match self.parts.first()? {
            Part::Literal(text) => Some(trimmed_start(text)),
            Part::Argument { .. } => None,
        }
    }

    /// The letters that every text ends in.
    pub(super) fn end(&self) -> Option<&[char]> {
        match self.parts.last()? {
            Part::Literal(text) => Some(trimmed_end(text)),
            Part::Argument { .. } => None,
        }
    }

    /// The arguments as they stand in `text`, whose folded form is given; each is something.
    pub(super) fn arguments(&self, folded: &[Folded], text: &str) -> Option<Vec<(String, String)>> {
        // The ends of a shown text are trimmed, so a literal's are there too.
        let (mut at, last) = (0, self.parts.len().checked_sub(1)?);
        let mut found: Vec<(String, String)> = Vec::new();
        let mut open: Option<(&str, bool, usize)> = None;
        for (position, part) in self.parts.iter().enumerate() {
            match part {
                Part::Argument { name, numeric } => open = Some((name, *numeric, at)),
                Part::Literal(literal) => {
                    let literal = match (position == 0, position == last) {
                        (true, _) => trimmed_start(literal),
                        (_, true) => trimmed_end(literal),
                        _ => literal,
                    };
                    let place = match open {
                        None => starts(folded, at, literal).then_some(at)?,
                        Some(_) if position == last => {
                            let place = folded.len().checked_sub(literal.len())?;
                            (place > at && starts(folded, place, literal)).then_some(place)?
                        }
                        Some(_) => (at + 1..=folded.len()).find(|place| starts(folded, *place, literal))?,
                    };
                    if let Some((name, numeric, begun)) = open.take() {
                        found.push((name.to_owned(), captured(folded.get(begun..place)?, text, numeric)?));
                    }
                    at = place + literal.len();
                }
            }
        }
        match open {
            Some((name, numeric, begun)) => {
                found.push((name.to_owned(), captured(folded.get(begun..)?, text, numeric)?));
            }
            None if at != folded.len() => return None,
            None => {}
        }
        Some(found)
    }
}

fn trimmed_start(literal: &[char]) -> &[char] {
    literal.strip_prefix(&[' ']).unwrap_or(literal)
}

fn trimmed_end(literal: &[char]) -> &[char] {
    literal.strip_suffix(&[' ']).unwrap_or(literal)
}

fn starts(folded: &[Folded], at: usize, literal: &[char]) -> bool {
    folded
        .get(at..at + literal.len())
        .is_some_and(|here| here.iter().zip(literal).all(|(own, wanted)| own.is == *wanted))
}

fn captured(folded: &[Folded], text: &str, numeric: bool) -> Option<String> {
    let (first, last) = (folded.first()?, folded.last()?);
    let number =
        |folded: &Folded| folded.is.is_ascii_digit() || matches!(folded.is, '.' | ',' | ' ' | '-' | '\'' | '٫' | '٬');
    if numeric && !(folded.iter().all(number) && folded.iter().any(|folded| folded.is.is_ascii_digit())) {
        return None;
    }
    let found = text.get(first.from..last.to)?.trim();
    (!found.is_empty()).then(|| found.to_owned())
}

/// The argument a text begins with: its name (none for the next in turn), whether it is a number, and its length.
fn argument(text: &str) -> Option<(String, bool, usize)> {
    if let Some(inner) = text.strip_prefix("{{") {
        let end = inner.find("}}")?;
        return Some((inner[..end].trim().to_owned(), false, end + 4));
    }
    if let Some(inner) = text.strip_prefix('{') {
        let end = inner.find(['{', '}']).filter(|end| inner[*end..].starts_with('}'))?;
        let name = inner[..end].split(',').next().unwrap_or_default().trim();
        return (!name.is_empty()).then(|| (name.to_owned(), false, end + 2));
    }
    let format = text.strip_prefix('%')?;
    let digits = format.len() - format.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (name, rest) = match format[digits..].strip_prefix('$') {
        Some(rest) if digits > 0 => (&format[..digits], rest),
        _ => ("", format),
    };
    let conversion =
        rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+' | '#' | '('));
    let kind = conversion.chars().next()?;
    let numeric = matches!(kind, 'd' | 'f' | 'i' | 'u' | 'x' | 'o' | 'e' | 'g');
    // `100% sure` is a text: a flag that is a space is used by nobody.
    (numeric || matches!(kind, 's' | 'S' | 'c' | '@'))
        .then(|| (name.to_owned(), numeric, text.len() - conversion.len() + 1))
}

/// A text as a display shows it: without tags, with its entities read.
fn without_markup(text: &str) -> String {
    if !text.contains(['<', '&', '\\']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (shown, length) = tag(rest).or_else(|| entity(rest)).or_else(|| escape(rest)).unwrap_or((&rest[..1], 1));
        out.push_str(shown);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

fn tag(text: &str) -> Option<(&'static str, usize)> {
    let name = text.strip_prefix('<')?.trim_start_matches('/');
    let end = text.find('>').filter(|end| *end < 200)?;
    let breaks = name.starts_with("br") || name.starts_with("p>") || name.starts_with("li");
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some((if breaks { "\n" } else { "" }, end + 1))
}

fn entity(text: &str) -> Option<(&'static str, usize)> {
    const KNOWN: [(&str, &str); 8] = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&nbsp;", "\u{a0}"),
        ("&#160;", "\u{a0}"),
    ];
    KNOWN.iter().find(|(written, _)| text.starts_with(written)).map(|(written, shown)| (*shown, written.len()))
}

fn escape(text: &str) -> Option<(&'static str, usize)> {
    const KNOWN: [(&str, &str); 4] = [("\\n", "\n"), ("\\'", "'"), ("\\\"", "\""), ("\\t", " ")];
    KNOWN.iter().find(|(written, _)| text.starts_with(written)).map(|(written, shown)| (*shown, written.len()))
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
