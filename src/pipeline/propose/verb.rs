//! The clause's verb: whether something that was done has carried it out.

use super::coverage::uncovered;
use crate::domain::Action;
use crate::hierarchy::{Role, Widget};
use crate::pipeline::episode::Episode;
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::screen_model::{Purpose, Region, ScreenModel};
use crate::pipeline::task::{BEARS, COMMITTING, CONSEQUENTIAL, IS_CALLED, Verb, VerbSet, name_fit, said_fit};

/// From this meaning on what was touched carries the verb out whatever its label says.
const CLEAR_MEANING: f32 = 0.98;

/// Verbs that only a control of their own carries out.
pub(super) const AFFORDING: VerbSet = VerbSet::of(&[
    Verb::Delete,
    Verb::Share,
    Verb::Send,
    Verb::Publish,
    Verb::Pay,
    Verb::Order,
    Verb::Call,
    Verb::Block,
    Verb::Report,
    Verb::Leave,
    Verb::SignOut,
    Verb::Cancel,
    Verb::Reset,
    Verb::Mark,
    Verb::Unmark,
    Verb::Mute,
    Verb::Archive,
    Verb::Copy,
    Verb::Download,
    Verb::Install,
    Verb::Play,
    Verb::Pause,
    Verb::Undo,
    Verb::Refresh,
    Verb::Search,
    Verb::Sort,
    Verb::Filter,
    Verb::Accept,
    Verb::Back,
    Verb::Create,
    Verb::Move,
]);

/// Verbs that take something away from where it stands.
const TAKING_AWAY: VerbSet =
    VerbSet::of(&[Verb::Delete, Verb::Cancel, Verb::Leave, Verb::Archive, Verb::Move, Verb::Dismiss, Verb::Block]);

/// True if the clause takes something away, and what it speaks of is gone from the page where it stood.
pub(super) fn is_gone(episode: &Episode<'_>, model: &ScreenModel<'_>) -> bool {
    let clause = episode.clause;
    let scrolled =
        episode.journal.current().next_back().is_some_and(|last| matches!(last.action, Action::Scroll { .. }));
    if !clause.verbs.meets(TAKING_AWAY) || scrolled || model.is_dialog() {
        return false;
    }
    let lexicon = &episode.knowledge.lexicon;
    let spoken_of = |heading: &str| {
        let called = clause.names.iter().chain(&clause.proper_names).map(|name| name_fit(heading, name));
        called.fold(0.0, f32::max) >= IS_CALLED || said_fit(lexicon, &clause.step.instruction, heading) >= 1.0
    };
    let here: Vec<&str> = model.screen.rows().iter().map(|row| row.heading.as_str()).collect();
    episode.journal.gone(&model.screen.title, &here).any(spoken_of)
}

/// True if the clause's verb names an affordance of its own, and nothing that carries it out was done in this clause.
pub(super) fn verb_owed(episode: &Episode<'_>, model: &ScreenModel<'_>) -> bool {
    let mut verbs = episode.clause.verbs.and(AFFORDING);
    if verbs.has(Verb::Move) {
        verbs.insert(Verb::Create);
    }
    if verbs.is_empty() || !episode.clause.lead.is_some_and(|lead| AFFORDING.has(lead)) {
        return false;
    }
    if is_gone(episode, model) {
        return false;
    }
    if episode.clause.lead == Some(Verb::Search) {
        if search_is_left(episode, model) {
            return true;
        }
        if is_found(episode, model) {
            return false;
        }
    }
    if episode.clause.is_goal && order_is_left(episode, model) {
        return true;
    }
    let commits = verbs.meets(COMMITTING.or(VerbSet::of(&[Verb::Create])));
    // What is typed into "Add something" is added by the button beside it.
    let says_here = |widget: &Widget| {
        widget.state.enabled && widget.role != Role::List && verbs.meets(model.control(widget.id).verbs)
    };
    let left = model.fields().next().is_some() && model.touchables().any(says_here);
    // Touching the thing does not do to it what the verb says: "Order the lamp" is not done by the lamp.
    let is_thing = |record: &ActionRecord| {
        let consequential = episode.clause.lead.is_some_and(|lead| CONSEQUENTIAL.has(lead));
        let names = || episode.clause.names.iter().chain(&episode.clause.proper_names);
        consequential
            && record.control.as_ref().is_some_and(|it| names().any(|name| name_fit(&it.label, name) >= BEARS))
    };
    !episode.journal.current_deeds().any(|record| {
        record.meaning >= CLEAR_MEANING && (record.understood >= CLEAR_MEANING || !is_thing(record))
            || record.control.as_ref().is_some_and(|control| {
                let typed = left && matches!(record.action, Action::InputText { .. });
                let is_for = |verb| purpose_of(verb).is_some_and(|purpose| control.purposes.has(purpose));
                let says = !typed && (verbs.meets(control.verbs) || verbs.iter().any(is_for));
                // An entry that is called otherwise once it was touched shows its own state.
                let renamed = record.worked()
                    && record.before.title == record.after.title
                    && !control.label.is_empty()
                    && !record.after.labels.contains(&control.label);
                let ticks = (control.checked.is_some() || renamed)
                    && verbs.meets(VerbSet::of(&[Verb::Mark, Verb::Unmark, Verb::Accept]));
                // "Add to cart" orders nothing.
                let other = !control.verbs.is_empty() && !control.verbs.meets(COMMITTING);
                let sends = commits && control.purposes.has(Purpose::Submit) && record.moved() && !other;
                // What brings up a form to fill in makes something new, whatever its label says.
                let makes = verbs.has(Verb::Create) && record.moved() && record.after.fields > record.before.fields;
                says || ticks || sends || makes
            })
            || matches!(record.action, Action::InputText { .. } | Action::PressEnter) && verbs.has(Verb::Search)
            || record.action == Action::PressBack && verbs.has(Verb::Back)
    })
}

/// True if a button that starts the search is in sight, can be touched and was not touched for the clause.
fn search_is_left(episode: &Episode<'_>, model: &ScreenModel<'_>) -> bool {
    let touched = |widget: &Widget| episode.journal.has_touched(&widget.label);
    let sent = episode.journal.current_deeds().any(|record| record.action == Action::PressEnter);
    let starts = |widget: &Widget| {
        let control = model.control(widget.id);
        widget.role == Role::Button
            && widget.state.enabled
            && !widget.state.selected
            && control.region == Region::Content
            && control.verbs.has(Verb::Search)
    };
    !sent && model.touchables().any(|widget| starts(widget) && !touched(widget))
}

/// True if the page is in front that the clause asks to find: a touch led to it, the instruction says its title, and nothing else that
/// it speaks of is left: "Find the sounds in the settings".
fn is_found(episode: &Episode<'_>, model: &ScreenModel<'_>) -> bool {
    let title = &model.screen.title;
    let led_here = |record: &ActionRecord| {
        record.moved() && record.after.title == *title && matches!(record.action, Action::Click { .. })
    };
    episode.clause.names.is_empty()
        && episode.journal.current_deeds().any(led_here)
        && said_fit(&episode.knowledge.lexicon, &episode.clause.step.instruction, title) >= 1.0
        && uncovered(episode).is_empty()
}

/// True if a goal orders or pays for something, and a button of the page that does so was not touched: "Check out" leads to "Place
/// order".
fn order_is_left(episode: &Episode<'_>, model: &ScreenModel<'_>) -> bool {
    let wanted = episode.clause.verbs.and(VerbSet::of(&[Verb::Order, Verb::Pay]));
    let touched = |widget: &Widget| episode.journal.has_touched(&widget.label);
    let orders = |widget: &Widget| {
        let control = model.control(widget.id);
        widget.role == Role::Button && widget.state.enabled && control.row.is_none() && control.verbs.meets(wanted)
    };
    model.touchables().any(|widget| orders(widget) && !touched(widget))
}

/// The purpose of controls that carry a verb out.
pub(super) const fn purpose_of(verb: Verb) -> Option<Purpose> {
    match verb {
        Verb::Delete => Some(Purpose::Delete),
        Verb::Create => Some(Purpose::Add),
        Verb::Edit => Some(Purpose::Edit),
        Verb::Search => Some(Purpose::Search),
        Verb::Filter => Some(Purpose::Filter),
        Verb::Sort => Some(Purpose::Sort),
        Verb::Share => Some(Purpose::Share),
        Verb::Call => Some(Purpose::Call),
        Verb::Mark | Verb::Unmark => Some(Purpose::Favourite),
        Verb::Increase => Some(Purpose::Increase),
        Verb::Decrease => Some(Purpose::Decrease),
        Verb::Back => Some(Purpose::Back),
        _ => None,
    }
}
