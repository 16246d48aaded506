//! Proposals to press a key of the device.

use super::context::{Context, label_fit};
use super::touch::any_shows_owed;
use super::{Move, Proposal, Source};
use crate::domain::{Action, InputText};
use crate::hierarchy::{Role, ScreenKind};
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{BEARS, IS_CALLED, Verb, VerbSet, name_fit, said_fit};

/// What going back is worth to where the missing name can be looked up.
const CAN_BE_LOOKED_UP: f32 = 0.85;
/// What going back is worth at least: pages that were never looked at closely lie there.
const LEAST_LEFT: f32 = 0.25;
/// What is left behind is worth on a page that was opened because the clause means it: what is asked for may be done there.
const ON_THE_WAY: f32 = 0.4;

/// The keys: back where the clause asks for it or where nothing fits, enter where a search waits to be sent.
pub(crate) fn keys(context: &Context<'_>) -> Vec<Proposal> {
    let clause = context.clause();
    let journal = context.episode.journal;
    let mut found = Vec::new();
    let key = |action: Action, source, features: Features, reason: &str| Proposal {
        text: action.to_string(),
        action: Move::Act(action),
        widget: None,
        source,
        features,
        parameter: None,
        shown: None,
        reason: reason.to_owned(),
    };
    let mut back = Features::default();
    let went_back = |record: &&super::super::journal::ActionRecord| {
        record.action == Action::PressBack
            || record.control.as_ref().is_some_and(|control| control.purposes.has(Purpose::Back))
    };
    let already = journal.current_deeds().filter(went_back).count();
    let cues = &context.episode.scorer.cues;
    let back_asked = clause.leads_with(VerbSet::of(&[Verb::Back])) && !context.is_reopening()
        || cues.is_system_back(&crate::domain::CueText::new(&clause.step.instruction));
    let returned = already > 0 || has_returned(context);
    let went_on =
        journal.current_deeds().next_back().is_some_and(|last| already > 0 && !went_back(&last) && last.moved());
    let is_over = went_on || returned && (is_at_place(context) || leaves_the_app(context));
    if back_asked && !is_over {
        back.set(Feature::SkillAsked, 1.0);
        if returned && !is_short_of_place(context) {
            back.set(Feature::DoneBefore, 1.0);
        }
        found.push(key(Action::PressBack, Source::Key, back, "the step asks to go back"));
    } else if !back_asked && went_deeper(context) {
        let left = journal.best_left_behind(context.model.screen.fingerprint).unwrap_or_default();
        // What is not here may be looked up where something was looked up before.
        let left = if looks_up_elsewhere(context) { left.max(CAN_BE_LOOKED_UP) } else { left };
        let left = if leads_on(context) { LEAST_LEFT } else { left };
        let left = if was_meant(context) { ON_THE_WAY * left } else { left };
        back.set(Feature::WayBack, left.clamp(LEAST_LEFT, 1.0));
        back.set(Feature::BackCost, 1.0);
        if super::scroll::may_show_more(context) {
            back.set(Feature::UnseenBelow, 1.0);
        }
        found.push(key(
            Action::PressBack,
            Source::Back,
            back,
            "what fits may be on the page before, since nothing on this one does",
        ));
    }
    if is_outside(context) {
        let outside = Features::default().with(Feature::Outside, 1.0);
        let package = context.episode.package.clone();
        found.push(key(Action::OpenApp { package }, Source::Back, outside, "another app is in front"));
    }
    if waits_for_enter(context) {
        let enter = Features::default().with(Feature::SubmitsSearch, 1.0);
        found.push(key(Action::PressEnter, Source::Key, enter, "what was typed is looked for"));
    }
    found
}

/// True if the page in front was opened by what the clause means, not in search of something.
fn was_meant(context: &Context<'_>) -> bool {
    let here = context.model.screen.fingerprint;
    let title = &context.model.screen.title;
    let last = context.episode.journal.current().rfind(|record| record.moved());
    last.is_some_and(|record| {
        let led_here = record.after.fingerprint == here || record.after.title == *title;
        led_here && record.source.carries_out() && record.action != Action::PressBack
    })
}

/// True if a button that leads on was not touched yet: what comes behind it was never seen.
fn leads_on(context: &Context<'_>) -> bool {
    let touched = |label: &str| context.episode.journal.current().any(|record| record.label() == label);
    // A page that was opened in search of something leads on to nothing that is meant.
    let title = &context.model.screen.title;
    let came = context.episode.journal.valid().filter(|record| record.moved() && record.after.title == *title).last();
    came.is_some_and(|record| record.source.carries_out())
        && context.model.touchables().any(|widget| {
            let control = context.model.control(widget.id);
            let advances = control.purposes.has(Purpose::Advance) && control.row.is_none();
            advances && widget.state.enabled && !touched(&widget.label)
        })
}

/// True if something done for the clause led to a page on which the run was before: whatever was touched, that is back.
fn has_returned(context: &Context<'_>) -> bool {
    let journal = context.episode.journal;
    let here = context.model.screen.fingerprint;
    let touched = journal.current_touches().next_back().is_some_and(|record| record.moved());
    touched && journal.records().iter().any(|record| record.before.fingerprint == here && record.moved())
}

/// True if the clause goes back to a page on which the run was, and another one is in front: "Return to the calendar" from two
/// pages below.
fn is_short_of_place(context: &Context<'_>) -> bool {
    let records = context.episode.journal.records();
    let known = records.iter().any(|record| is_meant(context, &record.before.title));
    known && !is_at_place(context) && context.episode.journal.depth() > 0
}

/// True if the page that the clause goes back to is in front.
fn is_at_place(context: &Context<'_>) -> bool {
    is_meant(context, &context.model.screen.title)
}

/// True if the clause says the title of a page or names it.
fn is_meant(context: &Context<'_>, title: &str) -> bool {
    let clause = context.clause();
    let named = || clause.names.iter().chain(&clause.proper_names).any(|name| name_fit(title, name) >= IS_CALLED);
    !title.is_empty() && (named() || said_fit(&context.episode.knowledge.lexicon, &clause.said, title) >= 1.0)
}

/// True if going back from this page has led out of the app before, or no page lies behind it.
fn leaves_the_app(context: &Context<'_>) -> bool {
    let journal = context.episode.journal;
    let screen = context.model.screen;
    let left = |record: &super::super::journal::ActionRecord| {
        record.action == Action::PressBack
            && matches!(record.effect, super::super::execute::Effect::Left(_))
            && (record.before.fingerprint == screen.fingerprint || record.before.title == screen.title)
    };
    journal.records().iter().any(left) || journal.depth() == 0 && !context.model.is_dialog()
}

/// True if another app is in front, and nothing of the system asks something.
fn is_outside(context: &Context<'_>) -> bool {
    let screen = context.model.screen;
    let front = screen.foreground.as_deref().unwrap_or_default();
    let own = front.is_empty() || super::super::execute::is_of_package(front, context.episode.package.as_str());
    !own && screen.kind == ScreenKind::Ordinary
}

/// True if the clause owes a name that is nowhere in sight, and an earlier page has a field in which something was looked up.
pub(super) fn looks_up_elsewhere(context: &Context<'_>) -> bool {
    let here = context.model.screen.fingerprint;
    let searched = |record: &super::super::journal::ActionRecord| {
        let field = record.control.as_ref().is_some_and(|control| {
            control.purposes.has(Purpose::Search) || context.episode.scorer.cues.is_search(&control.label)
        });
        matches!(record.action, Action::InputText { .. }) && field && record.before.fingerprint != here
    };
    !context.owed.is_empty() && !any_shows_owed(context) && context.episode.journal.valid().any(searched)
}

/// True if a page lies behind this one that the run has seen, and leaving this one loses nothing.
fn went_deeper(context: &Context<'_>) -> bool {
    let journal = context.episode.journal;
    let left = journal.current().filter(|record| record.action == Action::PressBack).count();
    !leaves_the_app(context)
        && left < 4
        && !(context.form_is_filled() && context.model.commits().next().is_some())
        && context.model.screen.kind != ScreenKind::Permission
}

/// True if the last thing done was to type into a search field, and nothing came of it yet.
pub(super) fn waits_for_enter(context: &Context<'_>) -> bool {
    let journal = context.episode.journal;
    let Some(last) = journal.current().next_back().filter(|record| record.worked()) else { return false };
    let Action::InputText { .. } = &last.action else { return false };
    let Some(control) = &last.control else { return false };
    let cues = context.episode.scorer.cues;
    // The one field of a page that sends nothing looks up what the clause searches for, whatever it is called.
    let only = context.clause().verbs.has(Verb::Search)
        && context.model.fields().count() == 1
        && context.model.commits().next().is_none();
    let search = only
        || [&control.label, &control.value].into_iter().any(|text| cues.is_search(text))
        || control.purposes.has(Purpose::Search)
        || cues.is_search(&control.resource_id.replace(['_', '/', ':'], " "));
    // On a page that was opened for it the value is chosen, also where it stood there before.
    let title = &context.model.screen.title;
    let chooses = journal.current().any(|record| record.moved() && record.after.title == *title);
    // Results that have come need no key: what the clause names, or what was typed.
    let typed = match &last.action {
        Action::InputText { text: InputText::Plain(text), .. } => Some(text),
        _ => None,
    };
    let shown = context.model.touchables().any(|widget| {
        let mut names = context.clause().names.iter().chain(typed);
        let came = chooses || !last.before.labels.contains(&widget.label);
        widget.role != Role::Field && came && names.any(|name| label_fit(widget, name) >= BEARS)
    });
    search && !shown
}
