//! What families of apps speak of, and how testers phrase what they ask for.

use crate::ability::Words;
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
    ("accounts", include_str!("../families/accounts.toml")),
    ("chat", include_str!("../families/chat.toml")),
    ("feed", include_str!("../families/feed.toml")),
    ("drive", include_str!("../families/drive.toml")),
    ("podcasts", include_str!("../families/podcasts.toml")),
    ("recipes", include_str!("../families/recipes.toml")),
    ("workouts", include_str!("../families/workouts.toml")),
    ("clinic", include_str!("../families/clinic.toml")),
    ("tickets", include_str!("../families/tickets.toml")),
    ("jobs", include_str!("../families/jobs.toml")),
    ("shop", include_str!("../families/shop.toml")),
    ("switchboard", include_str!("../families/switchboard.toml")),
    ("transport", include_str!("../families/transport.toml")),
    ("school", include_str!("../families/school.toml")),
    ("cars", include_str!("../families/cars.toml")),
    ("news", include_str!("../families/news.toml")),
    ("wallet", include_str!("../families/wallet.toml")),
    ("hotel", include_str!("../families/hotel.toml")),
    ("dates", include_str!("../families/dates.toml")),
    ("permits", include_str!("../families/permits.toml")),
    ("parcels", include_str!("../families/parcels.toml")),
    ("films", include_str!("../families/films.toml")),
];
/// The families that seeds without a split took turns in from the beginning: their apps stay what they were.
const FIRST: usize = 8;

const SPLITS: &str = include_str!("../families.toml");

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
    /// What their pictures show, where things have some.
    #[serde(default)]
    pub(crate) photos: Option<String>,
    /// What such apps can do beyond keeping things, where it takes no words of their own.
    #[serde(default)]
    pub(crate) traits: Vec<Trait>,
    wording: BTreeMap<String, Wording>,
}

/// What an app can do without words of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Trait {
    /// Its list can be put in order.
    Sort,
    /// It wants to know who uses it.
    SignIn,
    /// Its settings have pages of their own with all kinds of controls.
    Controls,
    /// Things are rated with stars.
    Rating,
}

/// What a family is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// To learn from.
    Train,
    /// To choose between what was learned.
    Choose,
    /// To tell how good the choice is; nobody looks at what goes wrong there.
    HeldOut,
}

impl Split {
    /// All of them, by the names they have in files and on the command line.
    pub const ALL: [(&'static str, Self); 3] =
        [("train", Self::Train), ("choose", Self::Choose), ("held-out", Self::HeldOut)];

    /// What its suites are in `suite.yaml`: weights are fitted on nothing but apps to learn from.
    pub(crate) const fn status(self) -> &'static str {
        match self {
            Self::Train => "development",
            Self::Choose | Self::HeldOut => "held_out",
        }
    }
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
    /// What such an app can do beyond keeping things.
    #[serde(default)]
    pub(crate) can: Words,
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
    /// What apps say that can do more than keep things; an app draws one of each.
    pub(crate) words: BTreeMap<String, Vec<String>>,
    /// Pages of settings with all kinds of controls.
    pub(crate) controls: Vec<ControlPage>,
}

/// A page of settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ControlPage {
    pub(crate) title: String,
    pub(crate) switch: String,
    pub(crate) check: String,
    /// A number that is counted up.
    pub(crate) count: String,
    /// A share of a hundred.
    pub(crate) level: String,
    pub(crate) list: String,
    pub(crate) items: Vec<String>,
    pub(crate) text: String,
    pub(crate) texts: Vec<String>,
}

/// All families and phrase books.
#[derive(Debug)]
pub struct Library {
    families: Vec<(&'static str, Family)>,
    books: Vec<(&'static str, Book)>,
    splits: BTreeMap<Split, Vec<String>>,
}

impl Library {
    /// Reads the data built into the gym.
    ///
    /// # Errors
    /// When a file is malformed, or a family lacks a language.
    pub fn load() -> Result<Self, GymError> {
        let file = "families.toml";
        let splits =
            toml::from_str(SPLITS).map_err(|error| GymError::Vocabulary { file, reason: error.to_string() })?;
        let library = Self { families: read(FAMILIES)?, books: read(BOOKS)?, splits };
        for (family, data) in &library.families {
            // Everything is written in the first language; others may follow.
            let first = library.books.first().map_or("en", |(language, _)| *language);
            if !data.wording.contains_key(first) {
                return Err(GymError::Language { family, language: first });
            }
            let named = library.splits.values().flatten().filter(|named| named.as_str() == *family).count();
            if named != 1 {
                return Err(GymError::Split { family, named });
            }
        }
        Ok(library)
    }

    /// Names of the families, or of those in a split.
    pub fn families(&self, split: Option<Split>) -> Vec<&'static str> {
        let among = |name: &str| {
            split.is_none_or(|split| {
                self.splits.get(&split).is_some_and(|names| names.iter().any(|known| known == name))
            })
        };
        self.families.iter().map(|(name, _)| *name).filter(|name| among(name)).collect()
    }

    /// What a family is for; every known family is in one split.
    pub(crate) fn split_of(&self, family: &str) -> Option<Split> {
        let named = |(_, names): &(&Split, &Vec<String>)| names.iter().any(|name| name == family);
        self.splits.iter().find(named).map(|(split, _)| *split)
    }

    /// The family and the language of a seed without a split: the first families take turns, and every other app is in
    /// English.
    pub(crate) fn of(&self, seed: u64) -> Option<Subject<'_>> {
        let families = FIRST.min(self.families.len()).max(1);
        let turn = (seed as usize) / families;
        let (family_name, family) = self.families.get(seed as usize % families)?;
        let others = self.books.len().saturating_sub(1).max(1);
        let at = if turn.is_multiple_of(2) { 0 } else { 1 + (turn / 2 + seed as usize) % others };
        let (language, book) = self.books.get(at)?;
        let wording = family.wording.get(*language)?;
        Some(Subject { family_name, family, language, wording, book })
    }

    /// A family by its name, in one of its languages: every other seed in English.
    pub(crate) fn of_family(&self, name: &str, seed: u64) -> Option<Subject<'_>> {
        let (family_name, family) = self.families.iter().find(|(known, _)| *known == name)?;
        let spoken: Vec<&(&str, Book)> =
            self.books.iter().filter(|(language, _)| family.wording.contains_key(*language)).collect();
        let others = spoken.len().saturating_sub(1);
        let at = if seed.is_multiple_of(2) || others == 0 { 0 } else { 1 + (seed as usize / 2) % others };
        let (language, book) = spoken.get(at)?;
        Some(Subject { family_name, family, language, wording: family.wording.get(*language)?, book })
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
                // A name within another one would be seen where it is gone.
                let within = |name: &String| {
                    let mut others = wording.names.iter().filter(|other| *other != name);
                    others.any(|other| other.to_lowercase().contains(&name.to_lowercase()))
                };
                assert!(!wording.names.iter().any(within), "{what}");
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
            assert!(english.words.keys().eq(book.words.keys()), "{language}");
            let empty = |texts: &BTreeMap<String, Vec<String>>| texts.values().any(Vec::is_empty);
            assert!(!empty(&book.words) && !empty(&book.asks) && !book.controls.is_empty(), "{language}");
        }
    }

    #[test]
    fn a_malformed_family_is_named() {
        let error = read::<Family>(&[("odd", "icon = 3")]).unwrap_err();
        assert!(error.to_string().starts_with("odd: "), "{error}");
    }

    #[test]
    fn every_family_is_in_one_split_and_every_split_has_some() {
        let library = Library::load().unwrap();
        let of = |split| library.families(Some(split)).len();
        let [train, choose, held_out] = Split::ALL.map(|(_, split)| of(split));
        assert_eq!(train + choose + held_out, library.families(None).len());
        assert!(library.families(None).len() >= 24 && train >= 16 && choose >= 4 && held_out >= 4);
    }
}
