//! Labels in other words; see `repairs.toml`.

use serde::Deserialize;
use serde_json::Value;

/// Keys whose values are shown to people.
const SHOWN: [&str; 4] = ["text", "title", "label", "hint"];

/// The words, and the page that nobody knew.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wording {
    labels: Vec<(String, String)>,
    openings: Vec<(String, String)>,
    words: Vec<(String, String)>,
    pub(super) page: NewPage,
}

/// The page that nobody knew.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPage {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) button: String,
}

impl Wording {
    /// What ships with Tapwright.
    pub(super) fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("repairs.toml"))
    }

    /// Says the labels of an app otherwise, but for texts that hold one of `kept`. True if some are said otherwise.
    pub(super) fn reword(&self, app: &mut Value, kept: &[String]) -> bool {
        let mut changed = false;
        let Some(app) = app.as_object_mut() else { return false };
        for part in ["screens", "dialogs", "sheets"] {
            if let Some(windows) = app.get_mut(part) {
                changed |= self.reword_below(windows, kept);
            }
        }
        // By locale, by name. Others than the first language stay: a translation follows later.
        let english = app.get_mut("strings").and_then(|strings| strings.get_mut("en")).and_then(Value::as_object_mut);
        for text in english.into_iter().flat_map(serde_json::Map::values_mut) {
            changed |= self.reword_text(text, kept);
        }
        changed
    }

    fn reword_below(&self, value: &mut Value, kept: &[String]) -> bool {
        match value {
            Value::Array(items) => {
                items.iter_mut().fold(false, |changed, item| self.reword_below(item, kept) || changed)
            }
            Value::Object(fields) => fields.iter_mut().fold(false, |changed, (key, inner)| {
                // What is chosen becomes the value of a variable, and what a touch sets is no label.
                let is_value = ["items", "set", "send", "notify"].contains(&key.as_str());
                let now = match inner {
                    _ if is_value => false,
                    Value::String(_) if SHOWN.contains(&key.as_str()) => self.reword_text(inner, kept),
                    _ => self.reword_below(inner, kept),
                };
                changed || now
            }),
            _ => false,
        }
    }

    fn reword_text(&self, value: &mut Value, kept: &[String]) -> bool {
        let Some(text) = value.as_str() else { return false };
        // An expression, another name, or what is expected.
        let stays = text.contains(['{', '@', '%']) || kept.iter().any(|kept| text.contains(kept.as_str()));
        match self.otherwise(text).filter(|now| !stays && now != text) {
            Some(now) => {
                *value = Value::String(now);
                true
            }
            None => false,
        }
    }

    /// The label in other words, where some are known.
    fn otherwise(&self, text: &str) -> Option<String> {
        let known = |table: &[(String, String)], word: &str| {
            table.iter().find(|(was, _)| was == word).map(|(_, now)| now.clone())
        };
        if let Some(now) = known(&self.labels, text) {
            return Some(now);
        }
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        if words.len() < 2 {
            return None;
        }
        if let Some(now) = words.first().and_then(|first| known(&self.openings, first)) {
            words[0] = now;
        }
        for word in words.iter_mut().skip(1) {
            if let Some(now) = known(&self.words, word) {
                *word = now;
            }
        }
        Some(words.join(" "))
    }
}
