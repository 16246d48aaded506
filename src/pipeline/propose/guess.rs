//! How daring it is to touch something in search of something else.

use super::context::{Context, is_picker};
use crate::hierarchy::{Role, Widget};
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::{Purpose, Region};
use crate::pipeline::task::{COMMITTING, CONSEQUENTIAL, HARMLESS, Verb, VerbSet};

/// An entry whose meaning is farther than this from the clause is far from it.
const MIN_NEARNESS: f32 = 0.2;

/// From this meaning on what can be done to the thing at hand may be what is asked for.
const MAY_BE_DONE: f32 = 0.35;

/// Sets how daring a touch is that only looks for something.
pub(super) fn guess(context: &Context<'_>, widget: &Widget, features: &mut Features) {
    if !is_safe_to_explore(context, widget) && !is_asked_for(context, widget) && !may_be_done(context, widget, features)
    {
        features.set(Feature::RiskyGuess, 1.0);
    }
    const LEADING: [Feature; 5] =
        [Feature::Container, Feature::Menu, Feature::MoreBelow, Feature::Route, Feature::SearchFor];
    let leads = LEADING.iter().any(|feature| features.get(*feature) > 0.0);
    let near = features.get(Feature::Meaning) >= MIN_NEARNESS && features.get(Feature::NotClickable) < 1.0;
    // A form's own rows lead to lists to choose from.
    let chooses = context.clause().leads_with(VerbSet::of(&[Verb::Choose]));
    if !leads && !is_asked_for(context, widget) && (!near || context.form_is_filled() && !chooses) {
        features.set(Feature::FarGuess, 1.0);
    }
}

/// True for what can be done to the thing whose page is in front, where it is like what the clause asks for and has no consequences.
fn may_be_done(context: &Context<'_>, widget: &Widget, features: &Features) -> bool {
    let control = context.model.control(widget.id);
    let consequential = control.verbs.meets(CONSEQUENTIAL)
        || control.purposes.has_any(&[Purpose::Delete, Purpose::Call, Purpose::Share]);
    let acts = !context.clause().verbs.without(HARMLESS).is_empty() || context.clause().is_goal;
    acts && !consequential && context.is_page_of_thing() && features.get(Feature::Meaning) >= MAY_BE_DONE
}

/// True for a control that may be touched on the way to something else.
pub(super) fn may_be_passed(context: &Context<'_>, widget: &Widget) -> bool {
    let leads = context.model.control(widget.id).purposes.has(Purpose::Advance) || context.leads_to_sign_in(widget);
    leads || is_safe_to_explore(context, widget)
}

/// True for what does what the task asks for as a whole, or leads on to where it is done.
fn is_asked_for(context: &Context<'_>, widget: &Widget) -> bool {
    let control = context.model.control(widget.id);
    // What the case asks for as a whole, each of its steps asks for in its place.
    let clause = context.clause();
    let asked = if clause.is_goal { clause.asked } else { clause.verbs };
    let asked = asked.and(COMMITTING.or(CONSEQUENTIAL));
    let sends = control.purposes.has(Purpose::Submit) && asked.meets(COMMITTING);
    control.purposes.has(Purpose::Advance) || context.leads_to_sign_in(widget) || sends || asked.meets(control.verbs)
}

/// Exploring changes nothing: no control of a row, none that adds, saves or changes something, none that holds a value.
fn is_safe_to_explore(context: &Context<'_>, widget: &Widget) -> bool {
    let control = context.model.control(widget.id);
    // What is touched where a value is picked is the value.
    let picks = is_picker(context.episode, context.model) && widget.clickable && control.purposes.is_empty();
    let of_row = context.model.acts_on_row(widget.id) || picks || control.rates;
    let changes = control
        .verbs
        .meets(VerbSet::of(&Verb::ALL).without(HARMLESS).without(VerbSet::of(&[Verb::Choose, Verb::Check])));
    let sends = control.purposes.has_any(&[
        Purpose::Submit,
        Purpose::Add,
        Purpose::Favourite,
        Purpose::Increase,
        Purpose::Decrease,
        Purpose::Delete,
        Purpose::Cancel,
        Purpose::Back,
        Purpose::Clear,
        Purpose::Share,
        Purpose::Call,
        Purpose::Edit,
    ]);
    let leads = control.purposes.has_any(&[
        Purpose::Settings,
        Purpose::Account,
        Purpose::Drawer,
        Purpose::Overflow,
        Purpose::Home,
        Purpose::Container,
        Purpose::Search,
    ]) || widget.role == Role::Tab
        || control.region == Region::BottomBar && !widget.label.is_empty();
    !of_row && widget.state.checked.is_none() && (leads || !changes && !sends)
}
