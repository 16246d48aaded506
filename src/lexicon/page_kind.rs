//! Kinds of pages that most apps have, and what these usually hold.

use super::purpose::{Purpose, PurposeSet};
use serde::Deserialize;

/// A kind of page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageKind {
    /// Its name, for explanations.
    pub name: String,
    /// What the control that opens such a page is for.
    #[serde(default)]
    purpose: Option<Purpose>,
    /// Further labels of such controls, in lower case.
    #[serde(default)]
    called: Vec<String>,
    /// What such pages hold, in English.
    pub holds: Vec<String>,
}

/// The file of page kinds is broken.
#[derive(Debug, thiserror::Error)]
#[error("page_kinds.toml: {0}")]
pub struct PageKindsError(#[from] toml::de::Error);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageKindsFile {
    kind: Vec<PageKind>,
}

impl PageKind {
    /// The kinds that ship.
    pub fn bundled() -> Result<Vec<Self>, PageKindsError> {
        Ok(toml::from_str::<PageKindsFile>(include_str!("page_kinds.toml"))?.kind)
    }

    /// True if a control with this label and these purposes opens a page of this kind.
    pub fn is_opened_by(&self, label: &str, purposes: PurposeSet) -> bool {
        let own = label.split([',', '\n']).next().unwrap_or_default().trim().to_lowercase();
        self.purpose.is_some_and(|purpose| purposes.has(purpose)) || self.called.contains(&own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_by_purpose_or_label() {
        let kinds = PageKind::bundled().unwrap();
        let check = |label: &str, purpose: Option<Purpose>, expected: &[&str]| {
            let mut purposes = PurposeSet::default();
            purpose.into_iter().for_each(|purpose| purposes.insert(purpose));
            let found = kinds.iter().filter(|kind| kind.is_opened_by(label, purposes));
            assert_eq!(found.map(|kind| kind.name.as_str()).collect::<Vec<_>>(), expected, "{label}");
        };
        check("Whatever", Some(Purpose::Settings), &["settings"]);
        check("My orders, 3 new", None, &["history"]);
        check("Buchungen", None, &["history"]);
        check("Order now", None, &[]);
    }
}
