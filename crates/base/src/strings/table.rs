//! An app's texts: by resource, by language, by form.

use super::Locale;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes of text a table holds; an app with more is no app. Keeps hostile files from taking the memory.
const MOST_BYTES: usize = 48 << 20;
/// Longest text, in bytes: a longer one is a licence, and nobody touches it.
const LONGEST: usize = 4 << 10;

/// One form of a resource in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Form {
    /// Nothing for a plain text, `one`, `few`, `other` for plurals, the position in an array.
    pub(super) kind: String,
    pub(super) text: String,
}

pub(super) type Languages = BTreeMap<Locale, Vec<Form>>;

/// The texts of an app in all its languages.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StringTable {
    resources: BTreeMap<String, Languages>,
    locales: BTreeSet<Locale>,
    /// The language the app falls back to.
    own: Locale,
    bytes: usize,
    /// There were more or longer texts than are kept.
    #[serde(default)]
    cut: bool,
}

impl StringTable {
    /// A table whose app falls back to `own`; the nameless locale for an APK, which does not say what it speaks.
    pub fn new(own: Locale) -> Self {
        Self { own, ..Self::default() }
    }

    /// Adds a plain text, or another wording of one.
    pub fn add(&mut self, name: &str, locale: &Locale, text: &str) {
        self.add_form(name, locale, "", text);
    }

    /// Adds one form: `one`, `few`, `other` of a plural, the position in an array.
    pub fn add_form(&mut self, name: &str, locale: &Locale, kind: &str, text: &str) {
        let bytes = self.bytes.saturating_add(name.len() + kind.len() + text.len());
        self.cut |= bytes > MOST_BYTES || text.len() > LONGEST;
        if text.is_empty() || text.len() > LONGEST || bytes > MOST_BYTES {
            return;
        }
        let forms = self.resources.entry(name.to_owned()).or_default().entry(locale.clone()).or_default();
        if forms.iter().any(|form| form.kind == kind && form.text == text) {
            return;
        }
        self.bytes = bytes;
        self.locales.insert(locale.clone());
        forms.push(Form { kind: kind.to_owned(), text: text.to_owned() });
    }

    /// True if the app has more or longer texts than are kept, so that some are missing.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// Notes that texts are missing.
    pub(super) const fn cut(&mut self) {
        self.cut = true;
    }

    /// Adds what a split of the same app holds.
    pub fn merge(&mut self, other: &Self) {
        self.cut |= other.cut;
        for (name, languages) in &other.resources {
            for (locale, forms) in languages {
                for form in forms {
                    self.add_form(name, locale, &form.kind, &form.text);
                }
            }
        }
    }

    /// How many resources there are.
    pub fn len(&self) -> usize {
        self.resources.len()
    }

    /// How many bytes its names and texts take.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// True where the app has no texts.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// The languages it speaks, the app's own first.
    pub fn locales(&self) -> Vec<&Locale> {
        let others = self.locales.iter().filter(|locale| **locale != self.own);
        self.locales.get(&self.own).into_iter().chain(others).collect()
    }

    /// The language texts are bridged to: English where the app falls back to something else and has it, for that is
    /// what cases and cue words are mostly written in; else the app's own.
    pub fn goal(&self) -> &Locale {
        if self.own.language() == "en" {
            return &self.own;
        }
        let english = |tag: &&Locale| tag.language() == "en" && (tag.to_string() == "en" || tag.to_string() == "en-US");
        self.locales.iter().find(english).unwrap_or(&self.own)
    }

    /// The language the app falls back to.
    pub const fn own(&self) -> &Locale {
        &self.own
    }

    /// Every text: resource, form, language, text.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str, &Locale, &str)> {
        self.resources.iter().flat_map(|(name, languages)| {
            languages.iter().flat_map(move |(locale, forms)| {
                forms.iter().map(move |form| (name.as_str(), form.kind.as_str(), locale, form.text.as_str()))
            })
        })
    }

    pub(super) fn resources(&self) -> impl Iterator<Item = (&str, &Languages)> {
        self.resources.iter().map(|(name, languages)| (name.as_str(), languages))
    }

    /// What a resource is called in the goal's language.
    pub(super) fn goal_forms<'t>(&self, languages: &'t Languages) -> Option<&'t [Form]> {
        languages.get(self.goal()).or_else(|| languages.get(&self.own)).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(own: &str, tags: &[&str]) -> StringTable {
        let mut table = StringTable::new(Locale::parse(own));
        for tag in tags {
            table.add("ok", &Locale::parse(tag), tag);
        }
        table
    }

    #[test]
    fn the_goal_is_the_apps_own_language_unless_it_has_english_beside_another() {
        assert_eq!(table("en", &["en", "fr"]).goal().to_string(), "en");
        assert_eq!(table("", &["", "fr"]).goal().to_string(), "default");
        assert_eq!(table("", &["", "en-GB", "fr"]).goal().to_string(), "default", "a British wording is a variant");
        assert_eq!(table("zh", &["zh", "en", "fr"]).goal().to_string(), "en");
        assert_eq!(table("zh", &["zh", "fr"]).goal().to_string(), "zh");
    }

    #[test]
    fn a_table_takes_bounded_memory() {
        let mut table = StringTable::default();
        table.add("long", &Locale::default(), &"x".repeat(LONGEST + 1));
        assert!(table.is_empty() && table.is_cut(), "a text that is left out is noted");
        let mut table = StringTable::default();
        table.add("longest", &Locale::default(), &"x".repeat(LONGEST));
        assert!(!table.is_cut());
        let text = "y".repeat(LONGEST);
        for number in 0..2 * MOST_BYTES / LONGEST {
            table.add(&format!("n{number}"), &Locale::default(), &text);
        }
        assert!(table.bytes <= MOST_BYTES && table.len() > 1000 && table.is_cut());
    }
}
