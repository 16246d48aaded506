//! Which of thousands of texts with arguments a shown text may be, without trying them all.

use super::fold::Folded;
use super::template::Matcher;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How many letters of a beginning or an end are looked up, longest first.
const ENDS: [usize; 4] = [32, 16, 8, 4];
/// Letters in the middle that a pattern without a beginning and an end of its own is found by.
const MOST_MIDDLE: usize = 3;

/// Where a pattern's letters stand.
#[derive(Debug, Clone, Copy)]
enum Place {
    Start,
    End,
    Middle,
}

/// Keys are hashes already.
#[derive(Debug, Clone, Copy, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = self.0.rotate_left(5) ^ key;
    }
}

/// FNV-1a over letters; what collides is told apart when it is compared.
fn key(place: Place, letters: impl Iterator<Item = char>) -> u64 {
    let mix = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x0100_0000_01b3);
    let hash = letters.fold(mix(0xcbf2_9ce4_8422_2325, place as u64), |hash, letter| mix(hash, u64::from(letter)));
    hash ^ hash >> 29
}

/// Patterns by letters that each of them holds: its beginning or its end, else a few in the middle that few others hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Patterns {
    all: Vec<(Matcher, usize)>,
    by_key: HashMap<u64, Vec<usize>, BuildHasherDefault<AsItIs>>,
    /// Which lengths in the middle some pattern is found by.
    middles: [bool; MOST_MIDDLE],
}

/// A literal without the spaces at its ends, which a shown text may lack.
fn inner(literal: &[char]) -> &[char] {
    let start = literal.iter().position(|c| *c != ' ').unwrap_or(literal.len());
    let end = literal.iter().rposition(|c| *c != ' ').map_or(start, |end| end + 1);
    &literal[start..end]
}

fn longest_end(letters: &[char]) -> Option<usize> {
    ENDS.into_iter().find(|length| letters.len() >= *length)
}

impl Patterns {
    /// Patterns, each with the entry it stands for.
    pub(super) fn new(patterns: Vec<(Matcher, usize)>) -> Self {
        let mut counts: HashMap<&[char], usize> = HashMap::new();
        for (pattern, _) in &patterns {
            for middle in pattern.literals().flat_map(middles) {
                *counts.entry(middle).or_default() += 1;
            }
        }
        let mut found = Self::default();
        for (at, (pattern, _)) in patterns.iter().enumerate() {
            let start = pattern.start().and_then(|letters| Some((longest_end(letters)?, letters)));
            let end = pattern.end().and_then(|letters| Some((longest_end(letters)?, letters)));
            let key = match (start, end) {
                (Some((length, letters)), other) if other.is_none_or(|(other, _)| other <= length) => {
                    key(Place::Start, letters[..length].iter().copied())
                }
                (_, Some((length, letters))) => key(Place::End, letters[letters.len() - length..].iter().copied()),
                _ => {
                    let rarest = |middle: &&[char]| (MOST_MIDDLE - middle.len(), counts.get(*middle).copied());
                    let Some(letters) = pattern.literals().flat_map(middles).min_by_key(rarest) else { continue };
                    found.middles[letters.len() - 1] = true;
                    key(Place::Middle, letters.iter().copied())
                }
            };
            found.by_key.entry(key).or_default().push(at);
        }
        Self { all: patterns, ..found }
    }

    /// The entries whose pattern the text fits, with their arguments; of several those that say most themselves.
    pub(super) fn fitting(&self, folded: &[Folded], text: &str) -> Vec<(usize, Vec<(String, String)>)> {
        let mut best = 0;
        let mut found: Vec<(usize, Vec<(String, String)>)> = Vec::new();
        let mut tried: Vec<usize> = Vec::new();
        let mut attempt = |key: u64| {
            for &candidate in self.by_key.get(&key).into_iter().flatten() {
                let (pattern, entry) = &self.all[candidate];
                if pattern.letters < best || tried.contains(&candidate) {
                    continue;
                }
                let Some(arguments) = pattern.arguments(folded, text) else { continue };
                tried.push(candidate);
                if pattern.letters > best {
                    best = pattern.letters;
                    found.clear();
                }
                found.push((*entry, arguments));
            }
        };
        let letters = |part: &[Folded], place: Place| key(place, part.iter().map(|folded| folded.is));
        for length in ENDS.into_iter().filter(|length| folded.len() >= *length) {
            attempt(letters(&folded[..length], Place::Start));
            attempt(letters(&folded[folded.len() - length..], Place::End));
        }
        for length in (1..=MOST_MIDDLE).filter(|length| self.middles[length - 1]) {
            folded.windows(length).for_each(|part| attempt(letters(part, Place::Middle)));
        }
        found
    }
}

/// What stands in a literal, three letters at a time; all of a shorter one.
fn middles(literal: &[char]) -> Vec<&[char]> {
    let inner = inner(literal);
    match inner.len() {
        0 => Vec::new(),
        1..=MOST_MIDDLE => vec![inner],
        _ => inner.windows(MOST_MIDDLE).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fold::folded;
    use super::super::template::Template;
    use super::*;

    fn fitting(patterns: &[&str], text: &str) -> Vec<usize> {
        let made = patterns.iter().enumerate().map(|(at, text)| (Template::parse(text).matcher().unwrap(), at));
        Patterns::new(made.collect()).fitting(&folded(text), text).into_iter().map(|(entry, _)| entry).collect()
    }

    #[test]
    fn a_pattern_is_found_by_its_beginning_its_end_or_what_is_between() {
        let patterns = ["Fahrt nach %s", "%s wartet auf dich", "%1$s und %2$s fahren mit %3$s", "%d分"];
        assert_eq!(fitting(&patterns, "Fahrt nach Bern"), [0]);
        assert_eq!(fitting(&patterns, "Zoë wartet auf dich"), [1]);
        assert_eq!(fitting(&patterns, "A und B fahren mit C"), [2]);
        assert_eq!(fitting(&patterns, "12分"), [3]);
        assert!(fitting(&patterns, "Fahrt").is_empty());
    }

    #[test]
    fn of_several_that_fit_those_count_that_say_most() {
        let patterns = ["Elegir %s", "Elegir %s ahora", "Elegir %s hoy"];
        assert_eq!(fitting(&patterns, "Elegir XL ahora"), [1]);
        assert_eq!(fitting(&patterns, "Elegir XL"), [0]);
        assert_eq!(fitting(&["%s nach Haus", "%s nach haus"], "A nach Haus"), [0, 1]);
    }
}
