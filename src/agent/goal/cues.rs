//! The words the planner knows; see `cues.toml`.

use crate::domain::{CueList, content_words, same_word, words};
use serde::Deserialize;

/// Words by purpose.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each list is explained in cues.toml")]
pub struct GoalCues {
    pub idle: Vec<String>,
    pub generic: Vec<String>,
    pub families: Vec<Vec<String>>,
    pub deeds: Vec<String>,
    pub numbers: Vec<String>,
    pub naming: Vec<String>,
    pub name_of: String,
    pub off: Vec<String>,
    pub pronouns: Vec<String>,
    pub search: Vec<String>,
    pub makes: Vec<String>,
    pub confirm: Vec<String>,
    pub refuse: Vec<String>,
    pub back: Vec<String>,
    pub first_name: Vec<String>,
    pub last_name: Vec<String>,
    pub digits: Vec<String>,
    pub dates: Vec<String>,
    pub at_sign: Vec<String>,
    pub letters: Vec<String>,
    pub app: Vec<String>,
    pub within: Vec<String>,
    pub then: Vec<String>,
    pub gathers: Vec<String>,
    pub acquires: Vec<String>,
    pub gather_with: String,
    pub gather_into: String,
    pub carry_out: String,
    pub set_to: String,
    pub joints: Vec<String>,
    pub whither: Vec<String>,
    pub with: Vec<String>,
    pub opens: CueList,
    pub sends: CueList,
    pub completes: CueList,
    pub destroys: CueList,
}

impl GoalCues {
    /// The words that ship with Tapwright.
    pub fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("cues.toml"))
    }

    /// The words of a text, small numbers as digits.
    pub(super) fn words(&self, text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| self.number(word)).collect()
    }

    /// A number in words as digits.
    pub(super) fn number(&self, word: String) -> String {
        self.numbers.iter().position(|name| *name == word).map_or(word, |at| (at + 1).to_string())
    }

    /// The word says nothing about the target.
    pub(super) fn is_idle(&self, word: &str) -> bool {
        among(&self.idle, word) || content_words(word).is_empty()
    }

    /// Two words mean the same in the mouth of an app.
    pub(super) fn are_kin(&self, one: &str, other: &str) -> bool {
        self.families.iter().any(|family| among(family, one) && among(family, other))
    }

    /// The goal wants something off.
    pub(super) fn wants_off(&self, text: &str) -> bool {
        // Exactly: an ending would make a note of "not".
        let said = words(text);
        self.off.iter().map(|cue| words(cue)).any(|cue| said.windows(cue.len().max(1)).any(|part| part == cue))
    }

    /// The label is exactly one of these.
    pub(super) fn is(list: &[String], label: &str) -> bool {
        among(list, &label.trim().to_lowercase())
    }
}

/// The word is in the list.
pub(super) fn among(list: &[String], word: &str) -> bool {
    list.iter().any(|other| other == word)
}

/// How much two words are the same: 1 but for an inflection, a little less where one continues the other.
pub(super) fn alike(one: &str, other: &str) -> f32 {
    if same_word(one, other) {
        return 1.0;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.chars().count() >= 4 && long.starts_with(short) && long.len() - short.len() <= 3 { 0.9 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_alike_in_any_ending_and_numbers_are_read() {
        let cues = GoalCues::bundled().unwrap();
        assert!((alike("customize", "customizing") - 1.0).abs() < 1e-6 || alike("customize", "customizing") > 0.8);
        assert!(alike("alarm", "alarms") > 0.8);
        assert!(alike("light", "lamp") < 0.1);
        assert_eq!(cues.words("Five columns"), ["5", "columns"]);
        assert!(cues.are_kin("modify", "edit") && !cues.are_kin("modify", "delete"));
        assert!(cues.wants_off("Do not show pictures") && !cues.wants_off("Show pictures of my note"));
    }
}
