//! "Leave the page and open it again": the page that was just left is opened by what opened it before.

use super::context::Context;
use crate::domain::Action;
use crate::hierarchy::Widget;
use crate::lexicon::Grammar;
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{Verb, VerbSet};

/// Most words that say that something is done again.
const AGAIN_WORDS: usize = 2;

impl Context<'_> {
    /// True if the clause before went back, and this one opens what was left and names nothing else.
    pub(super) fn is_reopening(&self) -> bool {
        let clause = self.clause();
        // "Once more" tells nothing of what is opened.
        let again = self.episode.knowledge.lexicon.holds(Grammar::Again, &clause.step.instruction);
        let most = if again { AGAIN_WORDS } else { 0 };
        let speaks = !clause.names.is_empty() || !clause.proper_names.is_empty() || clause.topic.len() > most;
        let opens = clause.lead.is_none_or(|lead| matches!(lead, Verb::Open | Verb::Back | Verb::Check));
        let left = VerbSet::of(&[Verb::Back, Verb::Leave, Verb::Dismiss]);
        let previous = self.episode.previous.is_some_and(|previous| previous.verbs.meets(left));
        previous && opens && !speaks && !clause.is_goal && self.left_by().is_some()
    }

    /// True for what opened, from the page in front, the page that the clause before has left.
    pub(super) fn reopens(&self, widget: &Widget) -> bool {
        if widget.label.is_empty() || !widget.clickable || !self.is_reopening() {
            return false;
        }
        let here = self.model.screen.fingerprint;
        let Some(left) = self.left_by() else { return false };
        let led_there = |record: &&ActionRecord| {
            let same = record.after.fingerprint == left.before.fingerprint || record.after.title == left.before.title;
            record.moved() && record.before.fingerprint == here && same
        };
        let mut records = self.episode.journal.records().iter();
        let opener = records.rfind(led_there);
        self.episode.journal.current_deeds().next().is_none() && opener.is_some_and(|it| it.label() == widget.label)
    }

    /// The way back that the clause before has taken, where it was its last.
    fn left_by(&self) -> Option<&ActionRecord> {
        let journal = self.episode.journal;
        let before = journal.records().iter().rfind(|record| record.clause < journal.clause() && record.moved())?;
        let returns = |record: &ActionRecord| {
            let back = record.control.as_ref().is_some_and(|it| it.purposes.has_any(&[Purpose::Back, Purpose::Cancel]));
            record.action == Action::PressBack || back
        };
        returns(before).then_some(before)
    }
}
