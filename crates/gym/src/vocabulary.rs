//! What families of apps speak of, and how testers phrase what they ask for.

use crate::error::GymError;
use serde::Deserialize;
use std::collections::BTreeMap;

const FAMILIES: &[(&str, &str)] = &[
    ("houseplants", include_str!("../families/houseplants.toml")),
    ("hives", include_str!("../families/hives.toml")),
    ("cellar", include_str!("../families/cellar.toml")),
    ("tools", include_str!("../families/tools.toml")),
    ("choir", include_str!("../families/choir.toml")),
    ("workshop", include_str!("../families/workshop.toml")),
    ("skywatch", include_str!("../families/skywatch.toml")),
    ("records", include_str!("../families/records.toml")),
];

const BOOKS: &[(&str, &str)] = &[
    ("en", include_str!("../books/en.toml")),
    ("de", include_str!("../books/de.toml")),
    ("es", include_str!("../books/es.toml")),
    ("fr", include_str!("../books/fr.toml")),
];

/// A kind of app: what it keeps, in all languages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Family {
    pub(crate) icon: String,
    pub(crate) color: String,
    /// Icon of the action that marks a thing.
    pub(crate) flag_icon: String,
    /// Values of the number that things have.
    pub(crate) numbers: Vec<String>,
    wording: BTreeMap<String, Wording>,
}

/// A family's own words in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wording {
    /// What such an app may be called.
    pub(crate) apps: Vec<String>,
    /// Title of the list of things.
    pub(crate) list: String,
    /// A thing in one word.
    pub(crate) thing: String,
    /// What begins a new thing.
    pub(crate) new: String,
    /// Names of things, some of them much alike.
    pub(crate) names: Vec<String>,
    /// Label of the choice.
    pub(crate) kind: String,
    pub(crate) kinds: Vec<String>,
    /// Label of the text.
    pub(crate) note: String,
    pub(crate) notes: Vec<String>,
    /// Label of the number.
    pub(crate) number: String,
    /// Marks a thing, takes that back, and what is shown of a marked one.
    pub(crate) on: String,
    pub(crate) off: String,
    pub(crate) state: String,
    /// Takes a thing away, and what is asked before that.
    pub(crate) remove: String,
    pub(crate) sure: String,
    /// Settings that are on or off.
    pub(crate) switches: Vec<String>,
    /// A setting with several values.
    pub(crate) choice: String,
    pub(crate) choices: Vec<String>,
    /// How testers ask to mark and to remove.
    pub(crate) flag_asks: Vec<String>,
    pub(crate) remove_asks: Vec<String>,
}

/// What all apps in one language say, and how testers phrase what they ask for in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Book {
    pub(crate) locale: String,
    pub(crate) settings: Vec<String>,
    pub(crate) overview: Vec<String>,
    pub(crate) home: String,
    pub(crate) name: String,
    pub(crate) search: Vec<String>,
    pub(crate) save: Vec<String>,
    pub(crate) edit: Vec<String>,
    pub(crate) cancel: Vec<String>,
    pub(crate) yes: Vec<String>,
    pub(crate) all: String,
    pub(crate) in_all: String,
    /// Frames of a goal.
    pub(crate) goals: Vec<String>,
    /// Frame of the acceptance tests of payment apps.
    pub(crate) template: String,
    /// Frame of two asks in one step.
    pub(crate) joined: String,
    /// Asks for a form to be filled in with the case's parameters.
    pub(crate) data: Vec<String>,
    /// Patterns of single asks.
    pub(crate) asks: BTreeMap<String, Vec<String>>,
    /// Patterns of whole tasks.
    pub(crate) whole: BTreeMap<String, Vec<String>>,
}

/// All families and phrase books.
#[derive(Debug)]
pub struct Library {
    families: Vec<(&'static str, Family)>,
    books: Vec<(&'static str, Book)>,
}

impl Library {
    /// Reads the data built into the gym.
    ///
    /// # Errors
    /// When a file is malformed, or a family lacks a language.
    pub fn load() -> Result<Self, GymError> {
        let library = Self { families: read(FAMILIES)?, books: read(BOOKS)? };
        for (family, data) in &library.families {
            for (language, _) in &library.books {
                if !data.wording.contains_key(*language) {
                    return Err(GymError::Language { family, language });
                }
            }
        }
        Ok(library)
    }

    /// Names of the families.
    pub fn families(&self) -> impl Iterator<Item = &'static str> {
        self.families.iter().map(|(name, _)| *name)
    }

    /// The family and the language of a seed: families take turns, and every other app is in English.
    pub(crate) fn of(&self, seed: u64) -> Option<Subject<'_>> {
        let turn = (seed as usize) / self.families.len().max(1);
        let (family_name, family) = self.families.get(seed as usize % self.families.len().max(1))?;
        let others = self.books.len().saturating_sub(1).max(1);
        let at = if turn.is_multiple_of(2) { 0 } else { 1 + (turn / 2 + seed as usize) % others };
        let (language, book) = self.books.get(at)?;
        let wording = family.wording.get(*language)?;
        Some(Subject { family_name, family, language, wording, book })
    }
}

/// What an app is about, and in which language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'l> {
    pub(crate) family_name: &'static str,
    pub(crate) family: &'l Family,
    pub(crate) language: &'static str,
    pub(crate) wording: &'l Wording,
    pub(crate) book: &'l Book,
}

fn read<T: for<'de> Deserialize<'de>>(
    files: &[(&'static str, &'static str)],
) -> Result<Vec<(&'static str, T)>, GymError> {
    let parse = |&(file, text): &(&'static str, &'static str)| {
        let read = toml::from_str(text).map_err(|error| GymError::Vocabulary { file, reason: error.to_string() })?;
        Ok((file, read))
    };
    files.iter().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_speaks_every_language_with_enough_words() {
        let library = Library::load().unwrap();
        for (name, family) in &library.families {
            assert!(family.numbers.len() >= 4, "{name}");
            for (language, wording) in &family.wording {
                let what = format!("{name} in {language}");
                assert!(wording.names.len() >= 8 && wording.kinds.len() >= 4, "{what}");
                assert!(
                    wording.choices.len() >= 3 && wording.switches.len() >= 2 && wording.notes.len() >= 2,
                    "{what}"
                );
                assert!(
                    wording.flag_asks.iter().chain(&wording.remove_asks).all(|ask| ask.contains("{item}")),
                    "{what}"
                );
            }
        }
    }

    #[test]
    fn every_book_knows_the_asks_that_english_knows() {
        let library = Library::load().unwrap();
        let (_, english) = &library.books[0];
        for (language, book) in &library.books {
            assert!(
                english.asks.keys().eq(book.asks.keys()) && english.whole.keys().eq(book.whole.keys()),
                "{language}"
            );
        }
    }

    #[test]
    fn a_malformed_family_is_named() {
        let error = read::<Family>(&[("odd", "icon = 3")]).unwrap_err();
        assert!(error.to_string().starts_with("odd: "), "{error}");
    }
}
