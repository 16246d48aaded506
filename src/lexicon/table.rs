//! The table of phrases and what they stand for.

use super::inflection::Inflection;
use super::leading::{ACTING, LEADING};
use super::purpose::{Purpose, PurposeSet};
use super::verb::{Verb, VerbSet};
use super::word_class::{Grammar, Ordinal, StateWord, Superlative};
use crate::domain::{stem, words, writes_without_spaces};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// Longest phrase of the lexicon that is looked for, in words.
pub(super) const MAX_WORDS: usize = 5;
/// Longest phrase that is looked for in a script without spaces, in characters.
const MAX_CHARACTERS: usize = 8;

const FILES: &[(&str, &str)] = &[
    ("en", include_str!("languages/en.toml")),
    ("ar", include_str!("languages/ar.toml")),
    ("bn", include_str!("languages/bn.toml")),
    ("cs", include_str!("languages/cs.toml")),
    ("de", include_str!("languages/de.toml")),
    ("el", include_str!("languages/el.toml")),
    ("es", include_str!("languages/es.toml")),
    ("fa", include_str!("languages/fa.toml")),
    ("fr", include_str!("languages/fr.toml")),
    ("he", include_str!("languages/he.toml")),
    ("hi", include_str!("languages/hi.toml")),
    ("hu", include_str!("languages/hu.toml")),
    ("id", include_str!("languages/id.toml")),
    ("it", include_str!("languages/it.toml")),
    ("ja", include_str!("languages/ja.toml")),
    ("ko", include_str!("languages/ko.toml")),
    ("nl", include_str!("languages/nl.toml")),
    ("pl", include_str!("languages/pl.toml")),
    ("pt", include_str!("languages/pt.toml")),
    ("ro", include_str!("languages/ro.toml")),
    ("ru", include_str!("languages/ru.toml")),
    ("sv", include_str!("languages/sv.toml")),
    ("th", include_str!("languages/th.toml")),
    ("tr", include_str!("languages/tr.toml")),
    ("uk", include_str!("languages/uk.toml")),
    ("vi", include_str!("languages/vi.toml")),
    ("zh", include_str!("languages/zh.toml")),
    ("zh-hant", include_str!("languages/zh-hant.toml")),
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageFile {
    #[serde(default)]
    verb: BTreeMap<Verb, Vec<String>>,
    #[serde(default)]
    purpose: BTreeMap<Purpose, Vec<String>>,
    #[serde(default)]
    order: BTreeMap<Ordinal, Vec<String>>,
    #[serde(default)]
    superlative: BTreeMap<Superlative, Vec<String>>,
    #[serde(default)]
    state: BTreeMap<StateWord, Vec<String>>,
    #[serde(default)]
    words: BTreeMap<Grammar, Vec<String>>,
}

/// A lexicon file is broken.
#[derive(Debug, thiserror::Error)]
#[error("lexicon/{language}.toml: {reason}")]
pub struct LexiconError {
    /// The file's language.
    pub language: String,
    /// Line, column and what was expected.
    pub reason: String,
}

/// What an entry of the lexicon stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    Verb(Verb),
    Purpose(Purpose),
    Ordinal(Ordinal),
    Superlative(Superlative),
    State(StateWord),
    Grammar(Grammar),
}

/// A verb found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundVerb {
    /// Its class.
    pub verb: Verb,
    /// Position of its first word.
    pub at: usize,
    /// How many words it has.
    pub length: usize,
    /// It is a word of another language than English.
    pub foreign: bool,
}

/// Words by which developers begin or end the ids of controls.
const TECHNICAL: [&str; 16] = [
    "action", "btn", "button", "fab", "ib", "ic", "icn", "icon", "image", "img", "iv", "layout", "menu", "nav", "tv",
    "view",
];

/// Languages beside English, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Languages(u32);

impl Languages {
    /// No other language than English.
    pub const ENGLISH: Self = Self(0);
    /// Every language.
    pub const ALL: Self = Self(u32::MAX);

    /// Languages of either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Phrases → senses.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// English phrases, by stems.
    phrases: HashMap<String, Vec<Sense>>,
    /// Senses of English words that are written with another ending than their stem: "paste", whose stem "past" is another word.
    longer_forms: HashMap<String, Vec<Sense>>,
    /// Phrases of other languages, as they are written, with the languages that know them.
    foreign: HashMap<String, Vec<(Sense, Languages)>>,
    /// Stop words with the languages that know them; English is no bit of its own here.
    stop_words: HashMap<String, Languages>,
    /// Verbs whose words stand apart, by their first word: "turn … off", "melde … an".
    split: HashMap<String, Vec<(Vec<String>, Verb)>>,
    languages: Vec<String>,
}

impl Lexicon {
    /// Reads the bundled files. A broken file is an error with file, line and column.
    pub fn bundled() -> Result<Self, LexiconError> {
        let mut lexicon = Self::default();
        for (language, text) in FILES {
            lexicon.add(language, text)?;
        }
        Ok(lexicon)
    }

    /// Adds one language's file.
    pub fn add(&mut self, language: &str, text: &str) -> Result<(), LexiconError> {
        let wrong = |error: toml::de::Error| LexiconError { language: language.to_owned(), reason: error.to_string() };
        let file: LanguageFile = toml::from_str(text).map_err(wrong)?;
        let english = language == "en";
        for (verb, phrases) in file.verb {
            for phrase in &phrases {
                let own = if english { words(phrase).iter().map(|word| stem(word)).collect() } else { words(phrase) };
                if let [first, rest @ ..] = own.as_slice()
                    && (1..=2).contains(&rest.len())
                {
                    self.split.entry(first.clone()).or_default().push((rest.to_vec(), verb));
                }
            }
            self.note(english, Sense::Verb(verb), &phrases);
        }
        for (purpose, phrases) in file.purpose {
            self.note(english, Sense::Purpose(purpose), &phrases);
        }
        for (ordinal, phrases) in file.order {
            self.note(english, Sense::Ordinal(ordinal), &phrases);
        }
        for (superlative, phrases) in file.superlative {
            self.note(english, Sense::Superlative(superlative), &phrases);
        }
        for (state, phrases) in file.state {
            self.note(english, Sense::State(state), &phrases);
        }
        for (grammar, phrases) in file.words {
            self.note(english, Sense::Grammar(grammar), &phrases);
        }
        self.languages.push(language.to_owned());
        Ok(())
    }

    fn note(&mut self, english: bool, sense: Sense, phrases: &[String]) {
        for phrase in phrases {
            let key = if english { normalised(phrase) } else { plain(phrase) };
            if key.is_empty() {
                continue;
            }
            if english {
                let longer = phrase.trim().to_lowercase() == format!("{key}e");
                let known = self.phrases.get(&key).is_some_and(|senses| senses.contains(&sense));
                if longer && !known {
                    self.longer_forms.entry(key.clone()).or_default().push(sense);
                } else if !longer && let Some(senses) = self.longer_forms.get_mut(&key) {
                    senses.retain(|other| *other != sense);
                }
                if !known {
                    self.phrases.entry(key).or_default().push(sense);
                }
                continue;
            }
            let language = Languages(1 << self.languages.len());
            if sense == Sense::Grammar(Grammar::Stop) {
                self.stop_words.entry(key.clone()).or_default().0 |= language.0;
            }
            let senses = self.foreign.entry(key).or_default();
            match senses.iter_mut().find(|(known, _)| *known == sense) {
                Some((_, languages)) => languages.0 |= language.0,
                None => senses.push((sense, language)),
            }
        }
    }

    /// Senses of a run of words. Where English knows the phrase, other languages are not asked.
    pub(super) fn senses(&self, words: &[Word], languages: Languages) -> Vec<Sense> {
        let stems: Vec<&str> = words.iter().map(|word| word.stem.as_str()).collect();
        if let Some(senses) = self.phrases.get(&stems.join(" ")) {
            let mut senses = senses.clone();
            // No form of "paste" is "past".
            if let [word] = words
                && word.plain == word.stem
                && let Some(others) = self.longer_forms.get(&word.stem)
            {
                senses.retain(|sense| !others.contains(sense));
            }
            return senses;
        }
        let plain: Vec<&str> = words.iter().map(|word| word.plain.as_str()).collect();
        self.foreign_senses(&plain.join(" "), languages)
    }

    fn foreign_senses(&self, phrase: &str, languages: Languages) -> Vec<Sense> {
        let known = self.foreign.get(phrase).into_iter().flatten();
        // Letters of other scripts tell the language by themselves.
        let own = phrase.chars().any(|c| c.is_alphabetic() && c > '\u{24f}');
        known.filter(|(_, by)| own || by.0 & languages.0 != 0).map(|(sense, _)| *sense).collect()
    }

    /// Languages that texts may be written in, beside English, by their stop words and by the phrases that they begin with.
    pub fn languages_of<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Languages {
        let mut counts = vec![0_usize; self.languages.len() + 1];
        let mut english = 0;
        let mut count_in = |known: Languages| {
            for (at, count) in counts.iter_mut().enumerate() {
                *count += usize::from(known.0 & (1 << at) != 0);
            }
        };
        for text in texts {
            let own = read_words(text);
            match self.languages_of_beginning(&own) {
                Some(known) if known == Languages::ENGLISH => english += 1,
                Some(known) => count_in(known),
                None => {}
            }
            for word in &own {
                let known = self.phrases.get(&word.stem);
                english += usize::from(known.is_some_and(|senses| senses.contains(&Sense::Grammar(Grammar::Stop))));
                if let Some(known) = self.stop_words.get(&word.plain) {
                    count_in(*known);
                }
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        // A word or two that other languages share with English are no sign of them.
        let spoken = |count: usize| count >= english && 2 * count >= most && (count >= 2 || count == 1 && english == 0);
        let bits =
            counts.iter().enumerate().filter(|(_, count)| spoken(**count)).fold(0, |bits, (at, _)| bits | 1 << at);
        Languages(bits)
    }

    /// Languages of the longest phrase that a text begins with and that is more than a stop word; English where it knows the phrase.
    fn languages_of_beginning(&self, words: &[Word]) -> Option<Languages> {
        let tells = |sense: &Sense| !matches!(sense, Sense::Grammar(Grammar::Stop));
        (1..=MAX_WORDS.min(words.len())).rev().find_map(|length| {
            let part = words.get(..length)?;
            let stems: Vec<&str> = part.iter().map(|word| word.stem.as_str()).collect();
            if self.phrases.get(&stems.join(" ")).is_some_and(|senses| senses.iter().any(tells)) {
                return Some(Languages::ENGLISH);
            }
            let plain: Vec<&str> = part.iter().map(|word| word.plain.as_str()).collect();
            let known = self.foreign.get(&plain.join(" ")).into_iter().flatten().filter(|(sense, _)| tells(sense));
            let bits = known.fold(0, |bits, (_, by)| bits | by.0);
            (bits != 0).then_some(Languages(bits))
        })
    }

    fn is_foreign(&self, words: &[Word]) -> bool {
        let stems: Vec<&str> = words.iter().map(|word| word.stem.as_str()).collect();
        !self.phrases.contains_key(&stems.join(" "))
    }

    /// Senses of a text in a script without spaces, or of a symbol.
    fn senses_of_letters(&self, text: &str) -> Vec<Sense> {
        self.phrases.get(text).cloned().unwrap_or_else(|| self.foreign_senses(text, Languages::ALL))
    }

    /// Verbs of a text in the order of their positions. The longest phrase at a position wins.
    pub fn verbs(&self, text: &str) -> Vec<FoundVerb> {
        self.verbs_in(text, self.languages_of(std::iter::once(text)))
    }

    fn verbs_in(&self, text: &str, languages: Languages) -> Vec<FoundVerb> {
        if text.chars().any(writes_without_spaces) {
            return self.verbs_without_spaces(text);
        }
        let stems = read_words(text);
        let mut found = Vec::new();
        let mut at = 0;
        while at < stems.len() {
            let longest = (1..=MAX_WORDS.min(stems.len() - at)).rev().find_map(|length| {
                let senses = self.senses(&stems[at..at + length], languages);
                let verbs: Vec<Verb> = senses.iter().filter_map(|sense| as_verb(*sense)).collect();
                let foreign = self.is_foreign(&stems[at..at + length]);
                (!verbs.is_empty()).then_some((length, verbs, foreign))
            });
            let split = self.split_verb(&stems, at);
            match (split, longest) {
                (Some(verb), longest) if longest.as_ref().is_none_or(|(length, ..)| *length < 2) => {
                    found.push(FoundVerb { verb, at, length: 1, foreign: false });
                    at += 1;
                }
                (_, Some((length, verbs, foreign))) => {
                    found.extend(verbs.into_iter().map(|verb| FoundVerb { verb, at, length, foreign }));
                    at += length;
                }
                (_, None) => at += 1,
            }
        }
        found
    }

    /// The verb that begins here and whose other words stand further on, in their order and not right behind it.
    fn split_verb(&self, text: &[Word], at: usize) -> Option<Verb> {
        let first = text.get(at)?;
        let known = [&first.stem, &first.plain].into_iter().filter_map(|word| self.split.get(word)).flatten();
        let later = text.get(at + 1..)?;
        let follows = |rest: &[String]| {
            let mut from = 0;
            let mut last = 0;
            for wanted in rest {
                let is = |word: &Word| word.stem == *wanted || word.plain == *wanted;
                let Some(found) = later.get(from..).and_then(|words| words.iter().position(is)) else { return false };
                last = from + found;
                from = last + 1;
            }
            // The particle ends the sentence or its first part; a preposition in the middle is none.
            last >= rest.len()
                && (last + 1 == later.len() || last + 1 < later.len() && is_joint(&later[last + 1].plain))
        };
        known.filter(|(rest, _)| follows(rest)).max_by_key(|(rest, _)| rest.len()).map(|(_, verb)| *verb)
    }

    fn verbs_without_spaces(&self, text: &str) -> Vec<FoundVerb> {
        let letters: Vec<char> = text.to_lowercase().chars().collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            let longest = (1..=MAX_CHARACTERS.min(letters.len() - at)).rev().find_map(|length| {
                let phrase: String = letters[at..at + length].iter().collect();
                let verbs: Vec<Verb> =
                    self.senses_of_letters(&phrase).iter().filter_map(|sense| as_verb(*sense)).collect();
                (!verbs.is_empty()).then_some((length, verbs))
            });
            match longest {
                Some((length, verbs)) => {
                    found.extend(verbs.into_iter().map(|verb| FoundVerb { verb, at, length, foreign: true }));
                    at += length;
                }
                None => at += 1,
            }
        }
        found
    }

    /// Classes of the verb of a label: what touching the control does. An English verb leads its label; in other languages it
    /// may end it ("Störung melden").
    pub fn label_verbs(&self, label: &str, languages: Languages) -> VerbSet {
        let all = read_words(label);
        // "Continue without signing in" signs nobody in.
        let refused = |at: usize| {
            let before = all.get(at.saturating_sub(2)..at).unwrap_or_default();
            before.iter().any(|word| self.is_word(Grammar::Negation, &word.plain))
        };
        self.verbs_in(label, languages).into_iter().fold(VerbSet::EMPTY, |mut set, found| {
            if found.at == 0 || found.foreign && !refused(found.at) {
                set.insert(found.verb);
            }
            set
        })
    }

    /// Classes of all verbs of a text.
    pub fn verb_set(&self, text: &str) -> VerbSet {
        self.verbs(text).into_iter().fold(VerbSet::EMPTY, |mut set, found| {
            set.insert(found.verb);
            set
        })
    }

    /// Purposes that a whole label says. `Save changes` holds `save`: a label of at most three words may hold more words
    /// than the lexicon's phrase, if the phrase comes first.
    pub fn purposes(&self, label: &str, languages: Languages) -> PurposeSet {
        let mut set = PurposeSet::default();
        let lower = label.trim().to_lowercase();
        let own = read_words(label);
        if own.is_empty() || lower.chars().any(writes_without_spaces) {
            insert_all(&mut set, &self.senses_of_letters(&lower));
            return set;
        }
        insert_all(&mut set, &self.senses(&own, languages));
        if set.is_empty() {
            // An icon named after its id: "action filter", "ic menu share".
            let named = own.iter().skip_while(|word| TECHNICAL.contains(&word.plain.as_str())).cloned();
            let mut named: Vec<Word> = named.collect();
            while named.last().is_some_and(|word| TECHNICAL.contains(&word.plain.as_str())) {
                named.pop();
            }
            if !named.is_empty() && named.len() < own.len() {
                insert_all(&mut set, &self.senses(&named, languages));
            }
        }
        if (2..=4).contains(&own.len()) {
            let verbs = |length: usize| -> Vec<Verb> {
                self.senses(&own[..length], languages).into_iter().filter_map(as_verb).collect()
            };
            let longest =
                (1..=own.len()).rev().map(|length| (length, verbs(length))).find(|(_, verbs)| !verbs.is_empty());
            for length in 1..own.len() {
                let senses = self.senses(&own[..length], languages);
                let shorter = verbs(length);
                let other = |(end, all): &(usize, Vec<Verb>)| {
                    length < *end && !shorter.is_empty() && !all.iter().any(|verb| shorter.contains(verb))
                };
                let is_other = longest.as_ref().is_some_and(other);
                // "Next month" is the month after this one, and sends nothing as "Next" does.
                let counts = senses.contains(&Sense::Ordinal(Ordinal::Next));
                for sense in &senses {
                    if let Sense::Purpose(purpose) = *sense
                        && LEADING.contains(&purpose)
                        && !(counts && purpose == Purpose::Submit)
                        && !(is_other && ACTING.contains(&purpose))
                    {
                        set.insert(purpose);
                    }
                }
                // "Keep the ticket" says no as "Keep" does; "Cancel the trip" is what the trip's own button says.
                if senses.contains(&Sense::Purpose(Purpose::Cancel))
                    && !senses.iter().any(|sense| as_verb(*sense).is_some())
                {
                    set.insert(Purpose::Cancel);
                }
            }
        }
        set
    }

    /// The inflections of the languages that a text may be written in.
    pub fn inflection(&self, text: &str) -> Inflection {
        let Languages(bits) = self.languages_of(std::iter::once(text));
        let spoken = self.languages.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0);
        Inflection::of(spoken.map(|(_, code)| code.as_str()))
    }

    /// The ordinal a text names, if any.
    pub fn ordinal(&self, text: &str) -> Option<Ordinal> {
        self.first_sense(text, |sense| match sense {
            Sense::Ordinal(ordinal) => Some(ordinal),
            _ => None,
        })
    }

    /// The superlative a text names, if any.
    pub fn superlative(&self, text: &str) -> Option<Superlative> {
        self.first_sense(text, |sense| match sense {
            Sense::Superlative(superlative) => Some(superlative),
            _ => None,
        })
    }

    /// The state that a text names last, if any: "is on".
    pub fn state(&self, text: &str) -> Option<StateWord> {
        self.first_sense(text, |sense| match sense {
            Sense::State(state) => Some(state),
            _ => None,
        })
    }

    /// True if the text holds a word of this group.
    pub fn holds(&self, group: Grammar, text: &str) -> bool {
        self.first_sense(text, |sense| (sense == Sense::Grammar(group)).then_some(())).is_some()
    }

    /// True if a text begins with a verb of one of these languages, and not of English.
    pub fn begins_with_verb(&self, text: &str, languages: Languages) -> bool {
        languages != Languages::ENGLISH
            && self.verbs_in(text, languages).first().is_some_and(|found| found.at == 0)
            && read_words(text).first().is_some_and(|word| self.is_foreign(std::slice::from_ref(word)))
    }

    /// True if an English text begins with a verb of several words, which no noun is written like: "get rid of".
    pub fn begins_with_verb_phrase(&self, text: &str) -> bool {
        self.verbs_in(text, Languages::ENGLISH).first().is_some_and(|found| found.at == 0 && found.length > 1)
    }

    /// True if a single word belongs to this group, in any language: one word does not tell its language.
    pub fn is_word(&self, group: Grammar, word: &str) -> bool {
        self.senses(&read_words(word), Languages::ALL).contains(&Sense::Grammar(group))
    }

    /// Whether a text switches something on or off, by its last such verb; `None` if it says neither.
    pub fn turned(&self, text: &str) -> Option<bool> {
        let all = self.verbs(text);
        let last = all.iter().rfind(|found| matches!(found.verb, Verb::TurnOn | Verb::TurnOff));
        last.map(|found| found.verb == Verb::TurnOn)
    }

    /// How many words the longest phrase has that says the verb, in any language, and that the text begins with; `None` if it
    /// begins with none. A text of few words does not tell its language.
    pub fn leading_verb(&self, verb: Verb, text: &str) -> Option<usize> {
        self.leading_sense(text, |sense| as_verb(sense) == Some(verb))
    }

    /// How many words the longest phrase of a class has that the text begins with; `None` if it begins with none.
    pub fn leading(&self, group: Grammar, text: &str) -> Option<usize> {
        self.leading_sense(text, |sense| sense == Sense::Grammar(group))
    }

    fn leading_sense(&self, text: &str, is: impl Fn(Sense) -> bool) -> Option<usize> {
        let own = read_words(text);
        let says = |length: &usize| self.senses(&own[..*length], Languages::ALL).iter().any(|sense| is(*sense));
        (1..=MAX_WORDS.min(own.len())).rev().find(says)
    }

    /// True if the word says nothing of what a text is about.
    pub fn is_stop_word(&self, word: &str) -> bool {
        self.is_word(Grammar::Stop, word)
    }

    fn first_sense<T>(&self, text: &str, wanted: impl Fn(Sense) -> Option<T>) -> Option<T> {
        if text.chars().any(writes_without_spaces) {
            let letters: Vec<char> = text.to_lowercase().chars().collect();
            return (0..letters.len()).find_map(|at| {
                (1..=MAX_CHARACTERS.min(letters.len() - at)).rev().find_map(|length| {
                    let phrase: String = letters[at..at + length].iter().collect();
                    self.senses_of_letters(&phrase).iter().find_map(|sense| wanted(*sense))
                })
            });
        }
        let stems = read_words(text);
        let languages = self.languages_of(std::iter::once(text));
        (0..stems.len()).find_map(|at| {
            (1..=MAX_WORDS.min(stems.len() - at)).rev().find_map(|length| {
                self.senses(&stems[at..at + length], languages).iter().find_map(|sense| wanted(*sense))
            })
        })
    }
}

/// Adds the purposes among senses.
fn insert_all(set: &mut PurposeSet, senses: &[Sense]) {
    for sense in senses {
        if let Sense::Purpose(purpose) = sense {
            set.insert(*purpose);
        }
    }
}

pub(super) const fn as_verb(sense: Sense) -> Option<Verb> {
    match sense {
        Sense::Verb(verb) => Some(verb),
        _ => None,
    }
}

/// True for a word that joins two parts of an instruction.
fn is_joint(word: &str) -> bool {
    ["and", "then", "or", "und", "dann", "y", "et", "puis", "e", "en", "och", "og", "i", "a", "и", "ve", "dan"]
        .contains(&word)
}

/// A word as it is written, and its English stem.
#[derive(Clone)]
pub(super) struct Word {
    pub(super) plain: String,
    pub(super) stem: String,
}

pub(super) fn read_words(text: &str) -> Vec<Word> {
    words(text).into_iter().map(|plain| Word { stem: stem(&plain), plain }).collect()
}

/// The form under which a phrase of another language than English is looked up: its words in lower case.
fn plain(phrase: &str) -> String {
    let lower = phrase.trim().to_lowercase();
    if lower.chars().any(writes_without_spaces) {
        return lower;
    }
    let own = words(&lower);
    if own.is_empty() { lower } else { own.join(" ") }
}

/// The form under which an English phrase is looked up: stems in lower case; symbols and scripts without spaces as they are.
fn normalised(phrase: &str) -> String {
    let lower = phrase.trim().to_lowercase();
    if lower.chars().any(writes_without_spaces) {
        return lower;
    }
    let stems: Vec<String> = words(&lower).iter().map(|word| stem(word)).collect();
    if stems.is_empty() { lower } else { stems.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<Verb> {
        Lexicon::bundled().unwrap().verbs(text).into_iter().map(|found| found.verb).collect()
    }

    #[test]
    fn verbs_are_found_in_their_order() {
        assert!(classes("Delete the note").contains(&Verb::Delete));
        let off = classes("Turn the lamp off");
        assert!(off.contains(&Verb::TurnOff), "{off:?}");
        assert!(classes("Sign out").contains(&Verb::SignOut));
    }

    #[test]
    fn a_broken_file_is_named_with_its_line() {
        let error = Lexicon::default().add("xx", "[verb]\nopen = [\"a\"]\nfly = [\"b\"]\n").unwrap_err().to_string();
        assert!(error.starts_with("lexicon/xx.toml") && error.contains("fly"), "{error}");
    }

    #[test]
    fn words_of_other_languages_count_where_they_are_spoken() {
        let lexicon = Lexicon::bundled().unwrap();
        let german = lexicon.languages_of(["Melde dich mit der Nummer an und warte auf den Code"].into_iter());
        assert!(lexicon.label_verbs("Abmelden", german).has(Verb::SignOut));
        assert!(lexicon.label_verbs("Bind a bank card", Languages::ENGLISH).is_empty());
        assert!(!lexicon.label_verbs("Weiter ohne Anmeldung", german).has(Verb::SignIn));
        assert!(lexicon.label_verbs("Anmelden", german).has(Verb::SignIn));
        let english = lexicon.languages_of(["Open the menu of the card and read it"].into_iter());
        assert_eq!(english, Languages::ENGLISH);
    }

    #[test]
    fn purposes_are_read_off_whole_labels() {
        let lexicon = Lexicon::bundled().unwrap();
        assert!(lexicon.purposes("Save", Languages::ENGLISH).has(Purpose::Submit));
        assert!(lexicon.purposes("More options", Languages::ENGLISH).has(Purpose::Overflow));
        assert!(lexicon.purposes("Navigate up", Languages::ENGLISH).has(Purpose::Back));
        assert!(lexicon.purposes("+", Languages::ENGLISH).has(Purpose::Add));
        assert!(lexicon.purposes("Next", Languages::ENGLISH).has(Purpose::Submit));
        assert!(!lexicon.purposes("Next month", Languages::ENGLISH).has(Purpose::Submit));
        assert!(lexicon.purposes("Call Ann", Languages::ENGLISH).has(Purpose::Call));
        assert!(!lexicon.purposes("Call off", Languages::ENGLISH).has(Purpose::Call));
        assert!(lexicon.purposes("Add to claim", Languages::ENGLISH).has(Purpose::Add));
    }
}
