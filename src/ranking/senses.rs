//! Words of like meaning and words that exclude each other: what a label means in other words than the step's, and what it
//! says against it.

use crate::domain::{BundledTable, content_words, same_word, stem, words};
use serde::Deserialize;
use std::collections::HashMap;

/// Most other words between two of a phrase.
const MOST_WITHIN: usize = 2;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    alike: Vec<Vec<String>>,
    opposite: Vec<[String; 2]>,
    deeds: Vec<Vec<String>>,
    contrasts: Vec<String>,
}

/// A phrase and what it belongs to.
#[derive(Debug)]
struct Phrase {
    /// Its words without inflection, or as they are.
    words: Vec<String>,
    exact: bool,
    line: usize,
}

/// Phrases by their first word.
#[derive(Debug, Default)]
struct Lines(HashMap<String, Vec<Phrase>>);

/// The words; see `senses.toml`.
#[derive(Debug, Default)]
pub(super) struct Senses {
    alike: Lines,
    opposite: Lines,
    deeds: Lines,
    contrasts: Vec<Vec<String>>,
}

pub(super) static SENSES: BundledTable<Senses> =
    BundledTable::new("src/ranking/senses.toml", include_str!("senses.toml"), |text| Ok(Senses::parse(text)?));

impl Senses {
    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let File { alike, opposite, deeds, contrasts } = toml::from_str(text)?;
        // Two neighbouring lines are a pair.
        let sides: Vec<Vec<String>> = opposite.into_iter().flatten().map(|side| within(&alike, side)).collect();
        Ok(Self {
            alike: Lines::of(&alike),
            opposite: Lines::of(&sides),
            deeds: Lines::of(&deeds),
            contrasts: contrasts.iter().map(|phrase| words(phrase)).collect(),
        })
    }
}

/// Everything that says the same as a word.
fn within(alike: &[Vec<String>], word: String) -> Vec<String> {
    alike.iter().find(|line| line.contains(&word)).cloned().unwrap_or_else(|| vec![word])
}

impl Lines {
    fn of(lines: &[Vec<String>]) -> Self {
        let mut all: HashMap<String, Vec<Phrase>> = HashMap::new();
        for (line, phrases) in lines.iter().enumerate() {
            for phrase in phrases {
                let exact = phrase.strip_prefix('=');
                let own = words(exact.unwrap_or(phrase));
                let stems: Vec<String> = own.iter().map(|word| stem(word)).collect();
                let Some(first) = stems.first().cloned() else { continue };
                let exact = exact.is_some();
                all.entry(first).or_default().push(Phrase { words: if exact { own } else { stems }, exact, line });
            }
        }
        Self(all)
    }

    /// Lines that a text speaks of, each with the places of its first and behind its last word.
    fn spoken(&self, text: &Said) -> Vec<(usize, usize, usize)> {
        let mut found = Vec::new();
        for (at, first) in text.stems.iter().enumerate() {
            for phrase in self.0.get(first).into_iter().flatten() {
                if let Some(end) = text.holds(phrase, at) {
                    found.push((phrase.line, at, end));
                }
            }
        }
        found
    }

    /// The line that a text begins with: that of the longest phrase.
    fn begun(&self, text: &Said) -> Option<usize> {
        self.longest(text).map(|(line, ..)| line)
    }

    /// The same, with its place.
    fn longest(&self, text: &Said) -> Option<(usize, usize, usize)> {
        let mut begun: Vec<(usize, usize, usize)> = self.spoken(text);
        begun.retain(|(_, at, _)| *at == 0);
        begun.into_iter().max_by_key(|(_, _, end)| *end)
    }
}

/// A text, word by word.
#[derive(Debug, Clone, Default)]
struct Said {
    words: Vec<String>,
    stems: Vec<String>,
}

impl Said {
    fn new(text: &str) -> Self {
        let words = words(text);
        Self { stems: words.iter().map(|word| stem(word)).collect(), words }
    }

    /// Where a phrase ends that begins at a word.
    fn holds(&self, phrase: &Phrase, at: usize) -> Option<usize> {
        let own = if phrase.exact { &self.words } else { &self.stems };
        let mut from = at;
        for (number, word) in phrase.words.iter().enumerate() {
            let most = if number == 0 { 0 } else { MOST_WITHIN };
            let near = own.get(from..)?.iter().take(most + 1).position(|other| other == word)?;
            from += near + 1;
        }
        Some(from)
    }
}

/// What a step says, ready to be compared with labels.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meant {
    said: Vec<String>,
    /// What it says in words that labels may have others for: the line, and the words.
    lines: Vec<(usize, Vec<String>)>,
    sides: Vec<usize>,
    deed: Option<usize>,
    deeds: Vec<usize>,
    against: Vec<String>,
}

impl Meant {
    /// Of a step, or of a part of one; `whole` is all of the step.
    pub(crate) fn new(text: &str, whole: &str) -> Self {
        let senses = SENSES.get();
        let against = contrasted(whole, senses);
        let text = &without(text, senses);
        let all = Said::new(text);
        let lines = |lines: &Lines| lines.spoken(&all).into_iter().map(|(line, ..)| line).collect::<Vec<_>>();
        let own = |(line, at, end): (usize, usize, usize)| (line, all.stems[at..end].to_vec());
        Self {
            said: content_words(text),
            lines: senses.alike.spoken(&all).into_iter().map(own).collect(),
            sides: lines(&senses.opposite),
            deed: senses.deeds.begun(&all),
            deeds: lines(&senses.deeds),
            against,
        }
    }

    /// What some label says in the step's own words, and more of the step with it, needs no other words.
    pub(crate) fn among<'a>(mut self, labels: impl Iterator<Item = &'a str>) -> Self {
        if self.lines.is_empty() {
            return self;
        }
        let all: Vec<Vec<String>> =
            labels.map(|label| content_words(label).iter().map(|word| stem(word)).collect()).collect();
        let said: Vec<String> = self.said.iter().map(|word| stem(word)).collect();
        self.lines.retain(|(_, own)| {
            let tells: Vec<&String> = own.iter().filter(|word| said.contains(word)).collect();
            let has = |label: &&Vec<String>| !tells.is_empty() && tells.iter().all(|word| label.contains(word));
            let more = |label: &Vec<String>| label.iter().any(|word| said.contains(word) && !tells.contains(&word));
            !all.iter().filter(has).any(more)
        });
        self
    }

    /// 1 where every word of a label is meant and not all of them are said; else 0.
    pub(crate) fn kindred(&self, label: &str) -> f32 {
        if self.lines.is_empty() && self.deeds.is_empty() {
            return 0.0;
        }
        let senses = SENSES.get();
        let said = |word: &String| self.said.iter().any(|other| same_word(word, other));
        let own = content_words(label);
        if own.is_empty() || own.iter().all(said) {
            return 0.0;
        }
        let label = Said::new(label);
        // The same deed by another verb, to the very thing: "New note" for "Add a note".
        if let Some((line, _, end)) = senses.deeds.longest(&label)
            && self.deed == Some(line)
            && own.len() > 1
            && label.words.iter().skip(end).filter(|word| own.contains(word)).all(said)
        {
            return 1.0;
        }
        let mut spoken = senses.alike.spoken(&label);
        spoken.retain(|(line, ..)| self.lines.iter().any(|(own, _)| own == line));
        let meant = |at: usize| spoken.iter().any(|(_, from, to)| (*from..*to).contains(&at));
        let tells = |word: &String| own.contains(word);
        let all =
            label.words.iter().enumerate().filter(|(_, word)| tells(word)).all(|(at, word)| said(word) || meant(at));
        f32::from(u8::from(all))
    }

    /// The text says what the step sets itself off from.
    pub(crate) fn is_set_off(&self, text: &str) -> bool {
        let has = |list: &[String], word: &String| list.iter().any(|other| same_word(word, other));
        content_words(text).iter().any(|word| has(&self.against, word) && !has(&self.said, word))
    }

    /// 1 where a label says what the step does not mean: the opposite, what it sets itself off from, or another deed to the
    /// same thing; else 0.
    pub(crate) fn contrary(&self, label: &str) -> f32 {
        let senses = SENSES.get();
        let own = content_words(label);
        let has = |list: &[String], word: &String| list.iter().any(|other| same_word(word, other));
        if self.is_set_off(label) {
            return 1.0;
        }
        let label = Said::new(label);
        let other = |side: usize| side ^ 1;
        let sides: Vec<usize> = senses.opposite.spoken(&label).into_iter().map(|(side, ..)| side).collect();
        if sides.iter().any(|side| {
            self.sides.contains(&other(*side)) && !self.sides.contains(side) && !sides.contains(&other(*side))
        }) {
            return 1.0;
        }
        let deed = senses.deeds.begun(&label);
        let another = deed.zip(self.deed).is_some_and(|(its, own)| its != own && !self.deeds.contains(&its));
        let shares = own.iter().skip(1).any(|word| has(&self.said, word));
        f32::from(u8::from(another && shares))
    }
}

/// What a text says of what is not meant: from a word of contrast to the end of its clause.
fn contrasted(text: &str, senses: &Senses) -> Vec<String> {
    let mut against = Vec::new();
    for clause in text.split([',', ';', '.', '，', '。']) {
        if let Some((_, not)) = parted(clause, senses) {
            against.extend(content_words(&not));
        }
    }
    against
}

/// The text without what it says is not meant.
fn without(text: &str, senses: &Senses) -> String {
    let clauses = text.split_inclusive([',', ';', '.', '，', '。']);
    clauses.map(|clause| parted(clause, senses).map_or_else(|| clause.to_owned(), |(so, _)| so)).collect()
}

/// A clause before and behind its first word of contrast, which ends where another deed begins.
fn parted(clause: &str, senses: &Senses) -> Option<(String, String)> {
    let all = words(clause);
    let begins = |at: usize| {
        senses
            .contrasts
            .iter()
            .filter(|phrase| all.get(at..).is_some_and(|rest| rest.starts_with(phrase)))
            .map(Vec::len)
            .max()
    };
    let (at, length) = (0..all.len()).find_map(|at| Some((at, begins(at)?)))?;
    let not = &all[at + length..];
    let end = not.iter().position(|word| word == "and").unwrap_or(not.len());
    let rest: Vec<&str> = all[..at].iter().chain(&not[end..]).map(String::as_str).collect();
    Some((format!("{} ", rest.join(" ")), not[..end].join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(text: &str) -> Meant {
        Meant::new(text, text)
    }

    fn kindred(text: &str, label: &str) -> bool {
        meant(text).kindred(label) > 0.0
    }

    fn contrary(text: &str, label: &str) -> bool {
        meant(text).contrary(label) > 0.0
    }

    #[test]
    fn the_bundled_words_are_read() {
        assert!(SENSES.verify().is_ok());
    }

    #[test]
    fn a_label_may_be_meant_in_other_words() {
        assert!(kindred("Visit the page with the app's options", "Settings"));
        assert!(kindred("Change how the list is ordered", "Sort by"));
        assert!(kindred("Let the newest ones come first", "Descending"));
        assert!(!kindred("Order the cheapest pizza", "Sort by"), "it is bought");
        assert!(!kindred("Open the settings", "Settings"), "it is said");
        assert!(!kindred("Open the settings", "More options"), "not all of it is meant");
        assert!(kindred("Add a heating plan", "New plan") && !kindred("Add a heating plan", "New"));
        assert!(!kindred("Add a heating plan", "New room") && !kindred("Open the plan", "New plan"));
        assert!(!kindred("Open the garden", "Sort by") && !kindred("Open the garden", ""));
    }

    #[test]
    fn what_a_label_says_in_the_steps_own_words_needs_no_others() {
        let login = |labels: &[&str]| meant("Sign in with Pear").among(labels.iter().copied()).kindred("Log in") > 0.0;
        assert!(login(&["Log in", "Help"]));
        assert!(!login(&["Log in", "Sign in with Pear"]));
        let settings = meant("Open the options of the app").among(["More options", "Settings"].into_iter());
        assert!(settings.kindred("Settings") > 0.0, "the other says no more of the step");
    }

    #[test]
    fn a_label_may_say_the_opposite() {
        assert!(contrary("Have it run from A to Z", "Descending") && !contrary("Have it run from A to Z", "Ascending"));
        assert!(contrary("Use the dark theme", "Light") && !contrary("Use the dark theme", "Dark"));
        assert!(!contrary("Use the dark theme", "Light or dark"), "it says both");
        assert!(!contrary("Open the garden", "Light"));
    }

    #[test]
    fn what_a_step_sets_itself_off_from_is_not_meant() {
        let text = "Open the page for its own colours, not the widget's";
        assert!(contrary(text, "Customize widget colors") && !contrary(text, "Customize colours"));
        assert!(contrary("Take the plain one rather than the automatic one and save it", "Automatic"));
        assert!(!contrary("Take the plain one rather than the automatic one and save it", "Save"));
        assert!(!contrary("Take the plain one, not the plain red one", "Plain"), "it is said as well");
    }

    #[test]
    fn another_deed_to_the_same_thing_is_not_meant() {
        assert!(contrary("Pick up the guest", "Call guest") && !contrary("Pick up the guest", "Meet guest"));
        assert!(!contrary("Pick up the guest", "Call a taxi"), "it is another thing");
        assert!(!contrary("Open the guest", "Call guest"), "opening may mean anything");
        assert!(!contrary("Pick up the guest by a call", "Call guest"), "it is said");
    }
}
