//! Guards: proposals that must not be carried out, with the reason. A guard is certain; everything else is a feature.

use crate::domain::{Action, Direction, words};
use crate::hierarchy::{Role, Widget};
use crate::pipeline::journal::{ActionRecord, Journal};
use crate::pipeline::policy::Feature;
use crate::pipeline::propose::{Context, Move, Proposal, Source, may_show_more};
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{
    COMMITTING, CONSEQUENTIAL, FORM_SENDING, HARMLESS, IS_CALLED, Verb, VerbSet, asked_fit, name_fit, only_holds,
    said_fit,
};

/// Why a proposal is not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Veto {
    /// It had no effect on this screen before.
    Ineffective,
    /// It would send, pay, delete, … and the task does not ask for that.
    Unasked,
    /// It would undo what is as wanted.
    AlreadySo,
    /// It was done as often as makes sense.
    Repeated,
    /// Everything that the step asks for was done.
    Fulfilled,
    /// A part of the goal, or the form that was filled in, is left.
    Unfinished,
    /// It is hidden by the keyboard or a window.
    Covered,
    /// It only holds the words of a quoted name, and what is called so may be further down.
    OnlyHolds,
}

impl Veto {
    /// The reason in words.
    pub const fn told(self) -> &'static str {
        match self {
            Self::Ineffective => "it had no effect before",
            Self::Unasked => "it has consequences that the case does not ask for",
            Self::AlreadySo => "it is as wanted already",
            Self::Repeated => "it was done before",
            Self::Fulfilled => "everything that the step asks for was done",
            Self::Unfinished => "a part of it is left",
            Self::Covered => "something lies over it",
            Self::OnlyHolds => "it only holds the quoted name, and its list was not looked through",
        }
    }
}

/// Most times the same control is touched on the same screen in one clause.
const MAX_REPEATS: usize = 2;
/// Most scrolls down a list in search of what is called by a quoted name.
const MAX_SCROLLS: usize = 8;
/// Most times a control that counts is.
const MAX_COUNTS: usize = 20;

/// Why a proposal must not be carried out; `None` if nothing forbids it.
pub(super) fn veto(context: &Context<'_>, proposal: &Proposal) -> Option<Veto> {
    let Move::Act(action) = &proposal.action else { return None };
    let journal = context.episode.journal;
    let screen = context.model.screen;
    if journal.was_ineffective(screen.fingerprint, action) && !matches!(action, Action::Wait { .. }) {
        return Some(Veto::Ineffective);
    }
    // Where what is expected does not come after that, the app is at fault, and nothing else is tried until it comes.
    let searches =
        matches!(proposal.source, Source::Explore | Source::Back) && !matches!(action, Action::OpenApp { .. });
    if searches && !context.clause().is_goal && context.is_fulfilled() {
        return Some(Veto::Fulfilled);
    }
    if !context.clause().is_goal && context.is_fulfilled() && is_only_alike(proposal) {
        return Some(Veto::Fulfilled);
    }
    // A value control is several widgets: what counts is the one that is touched.
    let touched = action.target().filter(|_| proposal.source == Source::Value);
    let touched = touched.and_then(|target| screen.widgets.iter().find(|widget| widget.bounds == target.bounds));
    let widget = touched.or_else(|| proposal.widget.and_then(|id| screen.widgets.get(id)));
    if let Some(widget) = widget {
        if is_unasked(context, proposal, widget) {
            return Some(Veto::Unasked);
        }
        // The yes to a window that the clause asks to confirm is no guess.
        let clause = context.clause();
        let confirms = clause.leads_with(CONSEQUENTIAL) || clause.verbs.meets(VerbSet::of(&[Verb::Save, Verb::Accept]));
        let answers = proposal.features.get(Feature::Affirms) > 0.0 && confirms;
        let daring = proposal.source == Source::Explore
            && proposal.features.get(Feature::RiskyGuess) > 0.0
            && !answers
            && !is_choice_of_form(context, widget)
            && changes_much(context, widget);
        let strange = acts_on_another(context, widget) && proposal.features.get(Feature::NamedRow) <= 0.0;
        let toggles = toggles_in_search(proposal, widget) && !is_likeliest(context, widget);
        if daring || strange || toggles || answers_in_doubt(context, widget) {
            return Some(Veto::Unasked);
        }
        if proposal.source != Source::Value && its_own_may_follow(context, widget) {
            return Some(Veto::OnlyHolds);
        }
        if proposal.source != Source::Value && is_already_so(context, widget, action) {
            return Some(Veto::AlreadySo);
        }
    }
    if is_repeated(journal, context, proposal, action) {
        return Some(Veto::Repeated);
    }
    None
}

/// A touch of what only means something like the clause: it is called by nothing that the clause names, sends, confirms, answers and
/// counts nothing.
fn is_only_alike(proposal: &Proposal) -> bool {
    const GROUNDS: [Feature; 13] = [
        Feature::Named,
        Feature::NamedRow,
        Feature::Said,
        Feature::CommitsForm,
        Feature::CommitAsked,
        Feature::ConfirmsDialog,
        Feature::LeavesDialog,
        Feature::Affirms,
        Feature::Advances,
        Feature::Consent,
        Feature::CountOwed,
        Feature::SaidChoice,
        Feature::SignInWay,
    ];
    proposal.source == Source::Touch && !GROUNDS.iter().any(|feature| proposal.features.get(*feature) > 0.0)
}

/// The control stands in a list of which more may be shown and only holds a quoted name among other words: what is called so may
/// be further down.
fn its_own_may_follow(context: &Context<'_>, widget: &Widget) -> bool {
    let quoted = |name: &&&str| context.clause().step.quoted.iter().any(|quoted| quoted == **name);
    let listed = context.model.screen.scroll_areas.iter().any(|area| area.contains(widget.bounds.center()));
    let down = |record: &&ActionRecord| record.action.direction() == Some(Direction::Down);
    let called = |name: &&str| name_fit(&widget.label, name) >= IS_CALLED;
    listed
        && context
            .owed
            .iter()
            .filter(quoted)
            .any(|name| only_holds(&widget.label, widget.state.checked.is_some(), name))
        && !context.owed.iter().any(called)
        && context.episode.journal.current().filter(down).count() < MAX_SCROLLS
        && may_show_more(context)
}

/// From this fit on what was touched is surely enough what the clause asks for, so that a question about it is answered with yes.
const SURE_ENOUGH: f32 = 0.6;

/// The control says yes to a question that a touch of this clause raised which hardly fits it, where nothing with consequences is
/// asked for: whatever the words mean, the app asks because it cannot be taken back.
fn answers_in_doubt(context: &Context<'_>, widget: &Widget) -> bool {
    const REFUSING: [Purpose; 4] = [Purpose::Cancel, Purpose::PutOff, Purpose::Back, Purpose::Acknowledge];
    let refuses = context.model.control(widget.id).purposes.has_any(&REFUSING);
    let opener = context.dialog_opener().filter(|record| record.clause == context.episode.journal.clause());
    let clause = context.clause();
    let asked = clause.asked.meets(CONSEQUENTIAL.or(VerbSet::of(&[Verb::Cancel])));
    // What the clause calls by its name is chosen, not answered: "Name" where it sorts by name.
    let named = clause.names.iter().chain(&clause.proper_names).any(|name| name_fit(&widget.label, name) >= IS_CALLED);
    context.is_question() && !refuses && !asked && !named && opener.is_some_and(|record| record.meaning < SURE_ENOUGH)
}

/// The control acts on the thing of its row, one of several, and the clause speaks of another thing: no text of the row shares a
/// word with it. A clause that speaks of nothing, or of a place in the list, may mean any row.
fn acts_on_another(context: &Context<'_>, widget: &Widget) -> bool {
    let clause = context.clause();
    let model = context.model;
    let Some(row) = model.row_of(widget.id) else { return false };
    let acts = widget.clickable && row.opener.is_some_and(|opener| opener != widget.id) && row.widgets.len() > 1;
    let speaks = !clause.topic.is_empty() || !clause.names.is_empty() || !clause.proper_names.is_empty();
    if !acts || !speaks || clause.ordinal.is_some() || clause.superlative.is_some() || model.rows.len() < 2 {
        return false;
    }
    let shares = |text: &str| {
        asked_fit(&clause.topic, text, clause.inflection) > 0.0
            || clause.names.iter().chain(&clause.proper_names).any(|name| name_fit(text, name) > 0.0)
    };
    !shares(&row.heading) && !model.texts_of_row(row).any(shares)
}

/// The control sends, makes, deletes or shares something, or acts on one of several things.
fn changes_much(context: &Context<'_>, widget: &Widget) -> bool {
    let control = context.model.control(widget.id);
    control.rates
        || context.model.acts_on_row(widget.id)
        || control.verbs.meets(CONSEQUENTIAL.or(COMMITTING).or(VerbSet::of(&[Verb::Create, Verb::Edit, Verb::Move])))
        || control.purposes.has_any(&[
            Purpose::Submit,
            Purpose::Add,
            Purpose::Increase,
            Purpose::Decrease,
            Purpose::Delete,
            Purpose::Cancel,
            Purpose::Clear,
            Purpose::Share,
            Purpose::Call,
        ])
}

/// True for a choice of a form that a button sends: nothing comes of it before.
fn is_choice_of_form(context: &Context<'_>, widget: &Widget) -> bool {
    let other = |one: &Widget| one.id != widget.id && one.state.checked.is_none();
    widget.state.checked.is_some() && context.model.commits().any(other)
}

/// From this meaning on the likeliest control of a page may be switched though little speaks for it.
const MAY_BE_SWITCHED: f32 = 0.33;

/// The control fits the clause better than all others of the page.
fn is_likeliest(context: &Context<'_>, widget: &Widget) -> bool {
    let touches = || context.ranked.iter().filter(|ranked| matches!(ranked.candidate.action, Action::Click { .. }));
    touches().next().is_some_and(|best| best.candidate.widget == Some(widget.id) && best.score >= MAY_BE_SWITCHED)
}

/// The control holds a state and is not what the clause speaks of: touched in search of something else it only changes something.
fn toggles_in_search(proposal: &Proposal, widget: &Widget) -> bool {
    const LOOKS: [Feature; 4] = [Feature::Container, Feature::Menu, Feature::Route, Feature::PreviousMeaning];
    let leads = widget.role == Role::Tab || LOOKS.iter().any(|feature| proposal.features.get(*feature) > 0.0);
    let changes = matches!(widget.role, Role::Checkbox | Role::Switch | Role::ListItem);
    changes && widget.state.checked.is_some() && proposal.source == Source::Explore && !leads
}

/// The control's own verb has consequences, and neither the step nor the case's title asks for them.
fn is_unasked(context: &Context<'_>, proposal: &Proposal, widget: &Widget) -> bool {
    let control = context.model.control(widget.id);
    let mut own = control.verbs.and(CONSEQUENTIAL);
    for (purpose, verb) in [(Purpose::Delete, Verb::Delete), (Purpose::Call, Verb::Call), (Purpose::Share, Verb::Share)]
    {
        if control.purposes.has(purpose) {
            own.insert(verb);
        }
    }
    if own.is_empty() || widget.state.checked.is_some() {
        return false;
    }
    // The heading of an entry may say a verb and mean a thing.
    let entry =
        context.model.row_of(widget.id).is_some_and(|row| row.opener == Some(widget.id) && row.widgets.len() > 1);
    let long = words(&widget.label).len() > 5;
    if entry || long || matches!(widget.role, Role::Field | Role::Tab) {
        return false;
    }
    let chosen = || {
        let names = context.clause().names.iter();
        proposal.source == Source::Value && names.map(|name| name_fit(&widget.label, name)).any(|fit| fit >= 0.9)
    };
    let named = proposal.features.get(Feature::Named) >= 0.9 || proposal.features.get(Feature::Said) >= 1.0 || chosen();
    if named {
        return false;
    }
    // A word of several meanings has the one that is asked for: who takes a report back withdraws it and pays nobody.
    let granted = granted(context);
    let asked_otherwise = words(&widget.label).len() == 1 && control.verbs.without(HARMLESS).meets(granted);
    !own.meets(granted) && !asked_otherwise
}

/// The verbs whose consequences the task asks for, with those that amount to the same.
fn granted(context: &Context<'_>) -> VerbSet {
    let clause = context.clause();
    let mut asked = clause.asked;
    // "Confirm it" confirms what was asked for before.
    const CONFIRMING: VerbSet = VerbSet::of(&[Verb::Save, Verb::Accept]);
    if clause.verbs.meets(CONFIRMING) {
        asked = asked.or(context.episode.previous.map_or(VerbSet::EMPTY, |previous| previous.asked));
        // The window that is confirmed came up because the case had its opener touched.
        let opener = context.dialog_opener().and_then(|record| record.control.as_ref());
        asked = asked.or(opener.map_or(VerbSet::EMPTY, |opener| opener.verbs));
    }
    // Who is given a password may sign in with it.
    if context.has_unused_secret() {
        asked = asked.or(VerbSet::of(&[Verb::SignIn]));
    }
    let same: [&[Verb]; 6] = [
        &[Verb::Order, Verb::Pay],
        &[Verb::Send, Verb::Share, Verb::Publish],
        &[Verb::Pay, Verb::Send],
        &[Verb::Publish, Verb::Send],
        &[Verb::Cancel, Verb::Delete],
        &[Verb::Leave, Verb::Delete],
    ];
    for group in same {
        if group.first().is_some_and(|first| asked.has(*first)) {
            asked = asked.or(VerbSet::of(group));
        }
    }
    // A search is sent, a filter is reset, a form that is to be submitted may call that sending.
    if clause.verbs.meets(FORM_SENDING) && context.form_is_filled() {
        asked = asked.or(VerbSet::of(&[Verb::Send]));
    }
    asked
}

fn is_already_so(context: &Context<'_>, widget: &Widget, action: &Action) -> bool {
    let Some(checked) = widget.state.checked else { return false };
    if !matches!(action, Action::Click { .. }) {
        return false;
    }
    let clause = context.clause();
    let lexicon = &context.episode.knowledge.lexicon;
    if said_fit(lexicon, &clause.said, &widget.label) >= 1.0 {
        let wanted = clause.wants_checked(&widget.label, lexicon);
        return wanted == checked;
    }
    let wanted = clause.wanted_state.or_else(|| {
        let marks = clause.verbs.meets(VerbSet::of(&[Verb::Choose, Verb::Mark, Verb::Accept]));
        (marks && !clause.verbs.has(Verb::Unmark)).then_some(true)
    });
    wanted == Some(checked) && (checked || clause.wanted_state.is_some())
}

/// Most times the same text is typed into the same field in one clause: a field may show it in another form, or not at all.
const MAX_TYPED: usize = 2;

fn is_repeated(journal: &Journal, context: &Context<'_>, proposal: &Proposal, action: &Action) -> bool {
    if let Action::InputText { target, text } = action {
        let same = |record: &&ActionRecord| match &record.action {
            Action::InputText { target: other, text: typed } => other.bounds == target.bounds && typed == text,
            _ => false,
        };
        return journal.current().filter(same).count() >= MAX_TYPED;
    }
    if matches!(proposal.source, Source::Value | Source::Input)
        || matches!(action, Action::Scroll { .. } | Action::PressBack)
    {
        return false;
    }
    let times = journal.times_done(context.model.screen.fingerprint, action);
    let counts = proposal.features.get(Feature::CountOwed) > 0.0
        || proposal
            .widget
            .is_some_and(|id| context.model.control(id).purposes.has_any(&[Purpose::Increase, Purpose::Decrease]));
    times
        >= match (counts, proposal.source) {
            (true, _) => MAX_COUNTS,
            (false, Source::Explore) => 1,
            (false, _) => MAX_REPEATS,
        }
}
