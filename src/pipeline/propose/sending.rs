//! What was entered on a page and whether it was sent.

use super::Source;
use super::context::Context;
use crate::domain::Action;
use crate::pipeline::journal::{ActionRecord, ControlMark};
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{COMMITTING, Verb, VerbSet};

impl Context<'_> {
    /// True if the clause sent or confirmed something.
    pub(crate) fn has_committed(&self) -> bool {
        let verbs = self.clause().verbs.and(COMMITTING);
        if self.is_gone() {
            return true;
        }
        if self.must_sign_in() {
            return false;
        }
        self.episode.journal.current_deeds().any(|record| {
            if matches!(record.action, Action::InputByNumericKeyboard { .. }) && record.moved() {
                return true;
            }
            // What leads on to a page that asks for more has sent nothing yet.
            let leads_on = |it: &ControlMark| it.purposes.has(Purpose::Advance) && self.model.fields().next().is_some();
            // Nothing is ordered or paid for by going on, nor by what says another verb.
            let other = |it: &ControlMark| {
                verbs.meets(VerbSet::of(&[Verb::Order, Verb::Pay]))
                    && (it.purposes.has(Purpose::Advance) || !it.verbs.is_empty() && !it.verbs.meets(COMMITTING))
            };
            let submits = |it: &ControlMark| it.purposes.has(Purpose::Submit) && !leads_on(it) && !other(it);
            let sends = |it: &ControlMark| submits(it) || it.verbs.meets(verbs);
            // "Apply" and its like may send a part of the page that stays.
            let says = record.control.as_ref().is_some_and(|it| it.verbs.meets(verbs)) && record.worked();
            (record.moved() || says)
                && record.control.as_ref().is_some_and(sends)
                && !self.episode.journal.sets_value(record)
        })
    }

    /// True if the clause is to send or confirm something, and what was entered for it on the page in front was not sent.
    pub(crate) fn leaves_unsent(&self) -> bool {
        let here = |record: &ActionRecord| record.after.title == self.model.screen.title;
        let sends = self.clause().leads_with(COMMITTING);
        sends
            && !self.has_committed()
            && self.episode.journal.current_deeds().any(|record| record.worked() && record.enters() && here(record))
    }

    /// True if something was entered or set on the form in front of the person and not sent since.
    pub(crate) fn form_is_filled(&self) -> bool {
        for record in self.episode.journal.records().iter().rev().filter(|record| record.worked()) {
            let commits = record.control.as_ref().is_some_and(|control| control.purposes.has(Purpose::Submit));
            let keyed = matches!(record.action, Action::InputByNumericKeyboard { .. });
            if (commits || keyed) && record.moved() {
                return false;
            }
            let search = record.control.as_ref().is_some_and(|control| {
                control.purposes.has(Purpose::Search) || self.episode.scorer.cues.is_search(&control.label)
            });
            let fills = !search
                && matches!(record.action, Action::InputText { .. } | Action::InputByNumericKeyboard { .. })
                || record.source == Source::Value
                || record.control.as_ref().is_some_and(|control| control.checked.is_some());
            if fills {
                return true;
            }
        }
        false
    }

    /// True if an earlier clause entered something on the page in front.
    pub(super) fn was_entered_before(&self) -> bool {
        let journal = self.episode.journal;
        let title = &self.model.screen.title;
        journal
            .valid()
            .any(|record| record.clause < journal.clause() && record.enters() && record.after.title == *title)
    }
}
