//! What a control confirms, sends or refuses: the features that tell whether now is the time for it.

use super::context::{Context, label_fit};
use crate::domain::Action;
use crate::hierarchy::{Role, Widget};
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::{Purpose, Region};
use crate::pipeline::task::{BEARS, COMMITTING, Verb, VerbSet, name_fit};

/// Tells what a control of a form or a window confirms, sends or refuses, as `features`.
pub(super) fn commits(context: &Context<'_>, widget: &Widget, features: &mut Features) {
    let clause = context.clause();
    let control = context.model.control(widget.id);
    let own_dialog = context.has_own_dialog();
    let cancels = control.purposes.has_any(&[Purpose::Cancel, Purpose::PutOff, Purpose::Back]);
    let refuses = cancels || submits_not(context, widget);
    if (own_dialog || refuses && !cancels)
        && refuses
        && !clause.verbs.meets(VerbSet::of(&[Verb::Cancel, Verb::Dismiss, Verb::Back]))
    {
        features.set(Feature::LeavesDialog, 1.0);
        return;
    }
    if context.model.is_dialog() && !context.next_commits() && context.affirms_by_elimination(widget) {
        features.set(Feature::Affirms, 1.0);
    }
    if control.purposes.has(Purpose::Advance) && !cancels {
        features.set(Feature::Advances, 1.0);
    }
    let same_verb = clause.verbs.and(COMMITTING).meets(control.verbs);
    let searches = clause.verbs.has(Verb::Search) && control.purposes.has(Purpose::Search);
    // Where one button waited for the page's values, it is the one that sends them, whatever the others say. Several at once are
    // what a switch has set free.
    let mut woken = context.model.touchables().filter(|one| was_awakened(context, one) && !holds_value(context, one));
    let waited = woken.next().filter(|_| woken.next().is_none()).map(|one| one.id);
    let awakened = waited == Some(widget.id);
    let of_another = waited.is_some() && !awakened;
    let says = control.purposes.has(Purpose::Submit) || same_verb;
    let submits = (says && !of_another || awakened) && !cancels && widget.clickable && !holds_value(context, widget);
    let agrees = control.purposes.has(Purpose::Acknowledge) && context.model.is_dialog();
    let must_sign_in = context.must_sign_in();
    let takes = |mentioned: bool| mentioned || clause.is_goal || clause.fills() || must_sign_in;
    let free = |name: &str| context.free_parameters().any(|parameter| parameter.name == name);
    let owes_values = context.bindings.open.iter().any(|binding| takes(binding.mentioned) || free(&binding.parameter));
    // A choice that the instruction says is made before the form is sent.
    let owes_choice = || context.model.touchables().any(|one| one.id != widget.id && context.is_said_choice(one));
    if searches && owes_values {
        features.set(Feature::CommitTooEarly, 0.6);
    } else if owes_values && !submits && acts_on_open_field(context, widget) {
        features.set(Feature::CommitTooEarly, 1.0);
    }
    let confirms = VerbSet::of(&[Verb::Accept, Verb::Save]);
    let settled = clause.leads_with(confirms) || context.owed.is_empty() && !owes_values;
    let answers = clause.verbs.meets(confirms) && settled && context.model.is_dialog();
    let says_yes = || context.affirms_by_elimination(widget) || context.says_opener(widget);
    if answers && !cancels && says_yes() {
        features.set(Feature::CommitAsked, 1.0);
        features.set(Feature::ConfirmsDialog, 1.0);
    }
    // "Extend trip" in the window that "Extend" opened, or its one button that does not say no.
    let answers_own = own_dialog
        && !cancels
        && widget.state.checked.is_none()
        && (context.says_opener(widget) || context.acted_in_dialog() && context.affirms_by_elimination(widget));
    if submits || agrees || answers_own {
        let opens = clause.leads_with(VerbSet::of(&[Verb::Open]));
        let answers = context.acted_in_dialog() || !opens && context.is_question();
        let affirms = answers_own || context.affirms(widget);
        let owes_choice = owes_choice();
        if own_dialog && answers && affirms && !context.next_commits() && !owes_values && !owes_choice {
            features.set(Feature::ConfirmsDialog, 1.0);
        }
        let owes = owes_values
            || owes_choice
            || submits && !control.purposes.has(Purpose::Advance) && owes_name(context, widget);
        if owes || own_dialog && context.is_left_to_later() {
            features.set(Feature::CommitTooEarly, 1.0);
        } else if context.has_committed() && !own_dialog {
            // What was asked for was sent; the next such button belongs to the page that came of it.
            return;
        } else if submits && !in_list(context, widget) && context.form_is_filled() && !context.next_commits() {
            let wanted = clause.commits() || clause.is_goal || context.episode.later.is_empty() || must_sign_in;
            features.set(Feature::CommitsForm, if wanted { 1.0 } else { 0.5 });
        }
        let too_early = features.get(Feature::CommitTooEarly) > 0.0 && own_dialog;
        if submits && clause.commits() && !in_list(context, widget) && !too_early {
            features.set(Feature::CommitAsked, if same_verb { 1.0 } else { 0.6 });
        }
    }
    let accepts = clause.verbs.has(Verb::Accept);
    let box_to_tick = widget.state.checked == Some(false) && control.purposes.has(Purpose::Consent)
        || widget.state.checked == Some(false) && context.episode.scorer.cues.is_consent(&widget.label);
    if box_to_tick
        && (accepts || (context.form_is_filled() && !owes_values || clause.commits()) && !context.next_commits())
    {
        features.set(Feature::Consent, 1.0);
    }
}

/// True for a choice, a box or what counts a value up or down: it sends nothing, whatever it is called.
fn holds_value(context: &Context<'_>, widget: &Widget) -> bool {
    widget.state.checked.is_some()
        || widget.role == Role::Tab
        || context.model.control(widget.id).purposes.has_any(&[Purpose::Increase, Purpose::Decrease])
}

/// True if a name of a clause that sends nothing itself has had no effect, while steps follow that may send: what the clause asks
/// for comes first.
fn owes_name(context: &Context<'_>, widget: &Widget) -> bool {
    let clause = context.clause();
    let met = |name: &String| {
        context.episode.journal.current_deeds().any(|record| {
            let control = record.control.as_ref();
            control.is_some_and(|it| name_fit(&it.label, name).max(name_fit(&it.heading, name)) >= BEARS)
        })
    };
    // "Add" in the row of what is named is that thing's own button.
    let heading = context.model.heading_of(widget.id).unwrap_or_default();
    let bears = |name: &str| label_fit(widget, name).max(name_fit(heading, name)) >= BEARS;
    // A page that says the name is about that thing.
    let says = |name: &str| {
        let mut texts = context.model.screen.widgets.iter().filter(|widget| !widget.clickable);
        texts.any(|text| text.role == Role::Text && label_fit(text, name) >= BEARS)
    };
    let owes = context.owed.iter().any(|name| !bears(name) && !says(name))
        || clause.proper_names.iter().any(|name| !met(name) && !bears(name) && !says(name));
    !clause.is_goal && !clause.commits() && !context.episode.later.is_empty() && !context.is_page_of_thing() && owes
}

/// True for a button of the page under or beside a field that waits for a value: whatever it is called, it uses what the field
/// holds. A field that looks something up uses nothing.
fn acts_on_open_field(context: &Context<'_>, widget: &Widget) -> bool {
    let control = context.model.control(widget.id);
    let of_page = matches!(widget.role, Role::Button)
        && widget.state.checked.is_none()
        && control.row.is_none()
        && !matches!(control.region, Region::TopBar | Region::BottomBar);
    let is_over = |field: &Widget| {
        field.bounds.top <= widget.bounds.bottom && !context.model.control(field.id).purposes.has(Purpose::Search)
    };
    let fields =
        || context.bindings.open.iter().filter_map(|binding| context.model.screen.widgets.get(binding.widget?));
    of_page && !control.purposes.has_any(&[Purpose::Cancel, Purpose::Back, Purpose::Expand]) && fields().any(is_over)
}

/// True for a button that was disabled on this page before something was entered, and is not any more.
fn was_awakened(context: &Context<'_>, widget: &Widget) -> bool {
    let title = &context.model.screen.title;
    let entered = |record: &ActionRecord| {
        matches!(record.action, Action::InputText { .. })
            || record.control.as_ref().is_some_and(|control| control.checked.is_some())
    };
    let slept = |record: &ActionRecord| {
        entered(record) && record.before.title == *title && record.before.disabled.contains(&widget.label)
    };
    widget.state.enabled && !widget.label.is_empty() && context.episode.journal.valid().any(slept)
}

/// Once everything is done that the clause names, only what confirms or sends it is left.
pub(super) fn superfluous(context: &Context<'_>, features: &mut Features) {
    let confirms = [
        Feature::ConfirmsDialog,
        Feature::CommitsForm,
        Feature::CommitAsked,
        Feature::Consent,
        Feature::Toggles,
        Feature::SaidChoice,
    ];
    if context.is_fulfilled() && !confirms.iter().any(|feature| features.get(*feature) > 0.0) {
        features.set(Feature::Superfluous, 1.0);
    }
}

/// True for a button of a window whose other button says what opened it: it says no.
fn submits_not(context: &Context<'_>, widget: &Widget) -> bool {
    let submit = context.model.control(widget.id).purposes.has(Purpose::Submit);
    submit && context.model.is_dialog() && context.other_affirms(widget)
}

/// True for a control of one of several rows: it acts on its row and sends no form.
pub(super) fn in_list(context: &Context<'_>, widget: &Widget) -> bool {
    context.model.row_of(widget.id).is_some_and(|row| row.widgets.len() > 1)
}
