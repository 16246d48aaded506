//! What undoes something for good is only done where the step says so: a ride is not cancelled, nor a note deleted, in
//! search of a way.

use super::step::Step;
use crate::domain::{Action, BundledTable, CueList, holds_cue, same_word, words};
use serde::Deserialize;

/// Words of undoing; see `undoing.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Undoing {
    undoes: Vec<String>,
    asks: CueList,
}

pub(super) static UNDOING: BundledTable<Undoing> =
    BundledTable::toml("src/agent/undoing.toml", include_str!("undoing.toml"));

/// The action undoes something for good, and the step does not ask for that.
pub(super) fn is_unasked(step: &Step, action: &Action) -> bool {
    let (Action::Click { target } | Action::LongPress { target }) = action else { return false };
    let known = UNDOING.get();
    let said = [&step.instruction, &step.sentence, &step.original];
    let own = words(&target.label);
    let label = target.label.trim().to_lowercase();
    let begins = |known: &String| {
        let cue = words(known);
        if cue.is_empty() || !known.is_ascii() { label.starts_with(known.as_str()) } else { own.starts_with(&cue) }
    };
    known.undoes.iter().any(begins)
        && !said.iter().any(|text| {
            let asked = words(text);
            holds_cue(&known.asks, text)
                || own.first().is_some_and(|first| asked.iter().any(|word| same_word(word, first)))
                || step.named.iter().chain(&step.quoted).any(|name| words(name) == own)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{button, step};

    fn unasked(asked: &str, label: &str) -> bool {
        is_unasked(&step(asked, &[]), &Action::Click { target: button(label).target() })
    }

    #[test]
    fn what_undoes_something_is_held_back_unless_the_step_says_so() {
        assert!(unasked("Finish the trip", "Cancel trip"));
        assert!(unasked("Open the visit again", "Call off"));
        assert!(!unasked("Cancel the trip", "Cancel trip") && !unasked("Get rid of the note", "Delete note"));
        assert!(!unasked("Leave the form", "Cancel"), "what only drops what was begun undoes nothing");
        assert!(!unasked("Open the deleted notes", "Notes"));
    }

    #[test]
    fn other_scripts_and_what_the_step_names_are_understood() {
        assert!(unasked("打开笔记", "删除笔记") && !unasked("删除笔记", "删除笔记"));
        let named = step("Tap \"Sign out\"", &["Sign out"]);
        assert!(!is_unasked(&named, &Action::Click { target: button("Sign out").target() }));
    }
}
