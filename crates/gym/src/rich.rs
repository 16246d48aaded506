//! What apps of a split have beyond those of plain seeds: abilities, a page to sign in, a form in two pages, an offer.

use crate::ability::{Ability, abilities};
use crate::draw::Draw;
use crate::vocabulary::{Subject, Trait};
use serde::Serialize;
use std::collections::BTreeMap;

/// Something that an app has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Extra {
    /// It wants to know who uses it.
    SignIn,
    /// Its form has two pages.
    Wizard,
    /// A window nobody asked for comes up at the first start.
    Offer,
    /// Everything can be thrown away in the settings.
    Reset,
}

/// What such an app can do, and the words it chose.
pub(crate) struct Rich<'l> {
    pub(crate) abilities: Vec<Box<dyn Ability + 'l>>,
    words: BTreeMap<&'l str, &'l str>,
    extras: Vec<Extra>,
}

impl<'l> Rich<'l> {
    pub(crate) fn of(subject: &Subject<'l>, draw: &mut Draw) -> Self {
        let word = |(name, choices): (&'l String, &'l Vec<String>)| (name.as_str(), draw.text(choices));
        let words = subject.book.words.iter().map(word).collect();
        let mut extras = Vec::new();
        if subject.family.traits.contains(&Trait::SignIn) {
            extras.push(Extra::SignIn);
        }
        for (extra, percent) in [(Extra::Wizard, 30), (Extra::Offer, 25), (Extra::Reset, 40)] {
            if draw.chance(percent) {
                extras.push(extra);
            }
        }
        Self { abilities: abilities(subject), words, extras }
    }

    /// The word that this app uses; nothing where the phrase book has none.
    pub(crate) fn word(&self, name: &str) -> &'l str {
        self.words.get(name).copied().unwrap_or_default()
    }

    pub(crate) fn has(&self, extra: Extra) -> bool {
        self.extras.contains(&extra)
    }

    /// What it has, as tags: `extra:wizard`.
    pub(crate) fn tags(&self) -> Vec<String> {
        let named = |extra: &Extra| serde_json::to_value(extra).ok()?.as_str().map(|name| format!("extra:{name}"));
        self.extras.iter().filter_map(named).collect()
    }

    /// Names of what it has, for people.
    pub(crate) fn shown(&self) -> String {
        self.extras.iter().map(|extra| format!(", {extra:?}")).collect()
    }
}
