//! What of a clause nothing that was done has shown.

use crate::domain::{Action, InputText};
use crate::pipeline::episode::Episode;
use crate::pipeline::task::asked_fit;

/// Telling words of the clause that stand neither on what was touched or typed for it, nor on the pages that came of it.
pub(super) fn uncovered(episode: &Episode<'_>) -> Vec<String> {
    let mut shown = String::new();
    for record in episode.journal.current().filter(|record| record.worked()) {
        let heading = record.control.as_ref().map_or("", |control| control.heading.as_str());
        let typed = match &record.action {
            Action::InputText { text: InputText::Plain(text), .. } => text.as_str(),
            _ => "",
        };
        for text in [record.label(), heading, typed, record.after.title.as_str()] {
            shown.push_str(text);
            shown.push(' ');
        }
    }
    let left = |word: &&String| asked_fit(std::slice::from_ref(*word), &shown, episode.clause.inflection) < 1.0;
    episode.clause.topic.iter().filter(left).cloned().collect()
}
