//! What a version of an app calls things: renamed ids and reworded texts.

use super::build::string_resource;
use super::expression::version_parts;
use super::file::{AppFile, Document};
use std::collections::BTreeMap;

/// Names of one version that differ from the file's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wording {
    ids: BTreeMap<String, String>,
    texts: BTreeMap<String, String>,
}

impl Wording {
    /// Those of `version`: what every version between the file's own and this one changed, later ones last.
    pub(super) fn of(document: &Document, version: &str) -> Self {
        let mut wording = Self::default();
        for (_, edition) in editions(document, version) {
            wording.ids.extend(edition.ids.clone());
            wording.texts.extend(edition.texts.clone());
        }
        wording
    }

    /// A resource id's present name.
    pub(super) fn id<'n>(&'n self, id: &'n str) -> &'n str {
        self.ids.get(id).map_or(id, String::as_str)
    }

    /// A text's present wording: as this version rewords what the file writes (also `@name`), else the string resource
    /// of the locale, as this version rewords that.
    pub(super) fn text<'n>(&'n self, file: &'n AppFile, locale: &str, text: &'n str) -> &'n str {
        let reworded = |text: &'n str| self.texts.get(text).map(String::as_str);
        let resource = string_resource(file, locale, reworded(text).unwrap_or(text));
        reworded(resource).filter(|_| text.starts_with('@')).unwrap_or(resource)
    }
}

/// The versions that lead from the file's own to `version`, in order; an older one stands alone.
pub(super) fn editions<'d>(document: &'d Document, version: &str) -> Vec<(&'d str, &'d super::file::Edition)> {
    let (own, wanted) = (version_parts(&document.version), version_parts(version));
    let mut editions: Vec<_> = document
        .versions
        .iter()
        .filter(|(name, _)| {
            let parts = version_parts(name);
            name.as_str() == version || (parts > own && parts <= wanted)
        })
        .map(|(name, edition)| (name.as_str(), edition))
        .collect();
    editions.sort_by_key(|(name, _)| version_parts(name));
    editions
}
