//! The window in front: what opened it, what it asks, and which of its controls say yes or no.

use super::Source;
use super::context::Context;
use crate::hierarchy::{Role, ScreenKind, Widget, WidgetId};
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{BEARS, COMMITTING, Clause, IS_CALLED, Verb, VerbSet, name_fit, said_fit};

/// Fewest new entries of a menu that stands beside what was there before.
const MIN_MENU: usize = 2;

/// Verbs of what confirms or sends.
const CONFIRMING: VerbSet = VerbSet::of(&[Verb::Save, Verb::Accept]).or(COMMITTING);

impl<'a> Context<'a> {
    /// True for a control that stood there before the last touch, where that touch brought up a menu or drawer beside it: most of
    /// what could be touched is still there, and new things came.
    pub(crate) fn is_behind(&self, widget: &Widget) -> bool {
        const LEADING: [Purpose; 3] = [Purpose::Drawer, Purpose::Overflow, Purpose::Expand];
        let here = self.model.screen.fingerprint;
        let Some(last) = self.episode.journal.records().iter().rfind(|record| record.moved()) else { return false };
        let leads = last.control.as_ref().is_some_and(|control| control.purposes.has_any(&LEADING));
        if !leads || last.after.fingerprint != here || !last.before.labels.contains(&widget.label) {
            return false;
        }
        let (old, new): (Vec<&Widget>, Vec<&Widget>) = self
            .model
            .touchables()
            .filter(|one| !one.label.is_empty())
            .partition(|one| last.before.labels.contains(&one.label));
        new.len() >= MIN_MENU && 2 * old.len() >= last.before.labels.len()
    }

    /// True if something was done in the window in front since it opened.
    pub(crate) fn acted_in_dialog(&self) -> bool {
        let records = self.episode.journal.records().iter().rev().filter(|record| record.worked());
        let since = records.take_while(|record| !record.opened_dialog());
        since.into_iter().any(|record| record.source.carries_out() && record.after.kind == ScreenKind::Dialog)
    }

    /// The record that opened the window in front; for a window that an entry of a menu opened, that entry.
    pub(crate) fn dialog_opener(&self) -> Option<&'a ActionRecord> {
        let journal = self.episode.journal;
        let worked = || journal.records().iter().filter(|record| record.worked() && record.moved());
        let opened_menu = |record: &ActionRecord| {
            worked().any(|other| other.after.fingerprint == record.before.fingerprint && lists(other))
        };
        let opens = |record: &&ActionRecord| {
            record.opened_dialog() || record.after.kind == ScreenKind::Dialog && opened_menu(record)
        };
        worked().filter(opens).next_back().filter(|_| self.model.is_dialog())
    }

    /// True for a control that says yes to the window in front: it says what opened the window, else it sends or agrees.
    pub(crate) fn affirms(&self, widget: &Widget) -> bool {
        let control = self.model.control(widget.id);
        if let Some(opener) = self.dialog_opener().and_then(|record| record.control.as_ref()) {
            let says = |id: WidgetId, label: &str| {
                name_fit(label, &opener.label) >= IS_CALLED
                    || self.model.control(id).verbs.meets(opener.verbs) && !self.refuses(id)
            };
            let answers =
                || self.model.touchables().filter(|other| other.role == Role::Button || other.role == Role::Text);
            if answers().any(|other| says(other.id, &other.label)) {
                return says(widget.id, &widget.label);
            }
        }
        !control.purposes.has_any(&[Purpose::Cancel, Purpose::PutOff, Purpose::Back])
            && control.purposes.has_any(&[Purpose::Submit, Purpose::Acknowledge])
    }

    /// True if the window in front only asks for a yes: it holds no field, choice or list.
    pub(crate) fn is_question(&self) -> bool {
        let holds = |widget: &Widget| {
            matches!(widget.role, Role::Field | Role::Slider | Role::Selector | Role::Dropdown)
                || widget.state.checked.is_some()
        };
        // Entries to choose from are no answers: a question is answered by buttons.
        let answers = |widget: &Widget| widget.role == Role::Button || self.refuses(widget.id);
        self.model.is_dialog()
            && !self.dialog_opener().is_some_and(lists)
            && self.model.touchables().any(answers)
            && !self.model.screen.widgets.iter().any(holds)
            && self.model.touchables().filter(|widget| !widget.label.is_empty()).count() <= 3
    }

    /// True if a control of the window in front says at least what opened the window: "Extend trip" after "Extend".
    pub(crate) fn says_opener(&self, widget: &Widget) -> bool {
        let opener = self.dialog_opener().and_then(|record| record.control.as_ref());
        widget.role == Role::Button
            && opener.is_some_and(|opener| !opener.label.is_empty() && name_fit(&widget.label, &opener.label) >= BEARS)
    }

    /// True for a control that says no to a window: its verb may be that of what opened the window, "Not now" after "Refuse".
    fn refuses(&self, id: WidgetId) -> bool {
        self.model.control(id).purposes.has_any(&[Purpose::Cancel, Purpose::PutOff, Purpose::Back])
    }

    /// True for the one button of a question that does not say no, where another says it.
    pub(crate) fn affirms_by_elimination(&self, widget: &Widget) -> bool {
        let refuses = |one: &Widget| self.refuses(one.id);
        let answers = || {
            self.model.touchables().filter(|one| {
                !one.label.is_empty() && one.state.checked.is_none() && matches!(one.role, Role::Button | Role::Text)
            })
        };
        let left = answers().filter(|one| !refuses(one)).count();
        left == 1 && answers().any(refuses) && answers().any(|one| one.id == widget.id) && !refuses(widget)
    }

    /// True if another button of the window in front says what opened it, and this one does not.
    pub(crate) fn other_affirms(&self, widget: &Widget) -> bool {
        let Some(opener) = self.dialog_opener().and_then(|record| record.control.as_ref()) else { return false };
        let says = |other: &Widget| {
            name_fit(&other.label, &opener.label) >= IS_CALLED
                || self.model.control(other.id).verbs.meets(opener.verbs) && !self.refuses(other.id)
        };
        let mut others = self.model.touchables().filter(|other| other.id != widget.id && other.role == Role::Button);
        !says(widget) && others.any(says)
    }

    /// True if a window stands on the screen that this clause opened, or in which it has chosen something.
    pub(crate) fn has_own_dialog(&self) -> bool {
        if !self.model.is_dialog() {
            return false;
        }
        let set = |record: &ActionRecord| {
            let stays = record.before.kind == ScreenKind::Dialog && record.after.kind == ScreenKind::Dialog;
            let chose = record.source == Source::Value || record.source.carries_out() && stays;
            chose && record.before.kind == ScreenKind::Dialog && !record.opened_dialog()
        };
        let mut deeds = self.episode.journal.current().filter(|record| record.worked());
        deeds.any(|record| record.opened_dialog() || set(record))
    }

    /// True if the clause after this one is the one that sends or confirms.
    pub(crate) fn next_commits(&self) -> bool {
        let Some(next) = self.episode.next() else { return false };
        // "Submit the form", then "Submit the code": each sends its own.
        if self.clause().leads_with(COMMITTING) && !self.has_committed() {
            return false;
        }
        next.leads_with(CONFIRMING) || self.is_left_to_later()
    }

    /// True if the case says later what confirms the window in front, or sends the page.
    pub(super) fn is_left_to_later(&self) -> bool {
        let Some(next) = self.episode.next() else { return false };
        // "Tap OK" confirms where OK does.
        let lexicon = &self.episode.knowledge.lexicon;
        let says = |clause: &Clause, widget: &Widget| said_fit(lexicon, &clause.said, &widget.label) >= 1.0;
        let of_dialog = || self.model.is_dialog() && self.model.commits().any(|widget| says(next, widget));
        // "Pay now" after two more steps pays then, not now; and so does what confirms this very window.
        let title = &self.model.screen.title;
        let of_window = |clause: &Clause| {
            self.model.is_dialog() && said_fit(lexicon, &clause.said, title) >= 1.0 && self.is_literal()
        };
        let of_later = |clause: &Clause| {
            let own = self.model.commits().any(|widget| says(clause, widget))
                && (!self.clause().commits() || self.is_literal());
            clause.leads_with(CONFIRMING) && (own || of_window(clause))
        };
        of_dialog() || self.episode.later.iter().skip(1).any(of_later)
    }

    /// True if the clause is no more than the label of a control that was touched for it: "Recharge now".
    fn is_literal(&self) -> bool {
        let clause = self.clause();
        self.episode
            .journal
            .current_deeds()
            .any(|record| name_fit(&clause.step.instruction, record.label()) >= IS_CALLED)
    }
}

/// True for what opens a menu, a drawer or a list to choose from.
fn lists(record: &ActionRecord) -> bool {
    const LISTING: [Purpose; 5] = [Purpose::Drawer, Purpose::Overflow, Purpose::Expand, Purpose::Sort, Purpose::Filter];
    record.control.as_ref().is_some_and(|control| control.purposes.has_any(&LISTING))
}
