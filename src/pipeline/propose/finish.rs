//! The proposal that the clause is done: earned by effects, never because something else fits better.

use super::context::{Context, by_meaning, label_fit, shows_what_was_looked_up};
use super::value::Values;
use super::{Move, Proposal, Source};
use crate::domain::{Action, words};
use crate::hierarchy::{Role, ScreenKind, Widget, says_complaint};
use crate::inference::EmbedError;
use crate::pipeline::bind::{Binding, bind};
use crate::pipeline::journal::{ActionRecord, ControlMark};
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{
    BEARS, CONSEQUENTIAL, Clause, IS_CALLED, PLAIN, Verb, VerbSet, asked_fit, name_fit, said_fit,
};
use crate::pipeline::value_control::read_date;

/// Meaning from which on a switch is the one that the clause speaks of.
const CLEARLY_MEANT: f32 = 0.5;

/// What is left to do beside the end of the clause.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Left {
    /// The score of the best proposal that carries something out.
    pub score: f32,
    /// The best meaning of a control that was not touched for the clause.
    pub meaning: f32,
    /// The greatest share of new words that such a control shows.
    pub new_words: f32,
    /// How much more such a control is at most like a phrase of the instruction than all that was done.
    pub phrase: f32,
}

/// The end of the clause, with all that speaks for and against it. `values` tells what the screen's value controls hold and take.
pub(crate) fn finish(context: &Context<'_>, left: Left, values: &Values) -> Result<Proposal, EmbedError> {
    let mut features = Features::default().with(Feature::Done, 1.0);
    what_was_done(context, values, &mut features);
    what_is_owed(context, values, &mut features);
    what_fits_better(context, left, &mut features)?;
    leave_open(context, &mut features);
    what_came_of_it(context, &mut features);
    Ok(Proposal {
        action: Move::Done,
        widget: None,
        source: Source::Touch,
        reason: reason(&features),
        features,
        parameter: None,
        shown: None,
        text: String::new(),
    })
}

/// What was done for the clause, and how surely that is what it asks for.
fn what_was_done(context: &Context<'_>, values: &Values, features: &mut Features) {
    let clause = context.clause();
    let deeds: Vec<&ActionRecord> = context.episode.journal.current_touches().collect();
    if !deeds.is_empty() {
        features.set(Feature::Acted, 1.0);
        let fit = deeds.iter().map(|record| record.meaning).fold(0.0, f32::max);
        features.set(Feature::ActedFit, fit.clamp(0.0, 1.0));
    } else if already_so(context, &values.reached) {
        features.set(Feature::AlreadySo, 1.0);
    }
    let open = page_is_open(context);
    if clause.lead == Some(Verb::Open) && !open && !deeds.iter().any(|record| record.moved()) {
        features.set(Feature::NotOpened, 1.0);
    }
    if open {
        // "The bank cards of the wallet" are not open where the wallet is.
        let all = clause.topic.len().max(1) as f32;
        features.set(Feature::PageOpen, 1.0 - context.unsaid_here() / all);
    }
    if only_opened(context, &deeds) {
        features.set(Feature::OnlyOpened, 1.0);
    }
    if context.is_fulfilled() {
        features.set(Feature::Fulfilled, 1.0);
    }
    if context.is_carried_out() {
        features.set(Feature::CarriedOut, 1.0);
    } else if !deeds.is_empty() && said_left(context) {
        features.set(Feature::SaidLeft, 1.0);
    }
    if context.is_gone() {
        features.set(Feature::Gone, 1.0);
    }
}

/// What the clause names, counts, sets or sends and what has not had its effect.
fn what_is_owed(context: &Context<'_>, values: &Values, features: &mut Features) {
    let clause = context.clause();
    let reached = values.reached.as_slice();
    if context.verb_owed {
        features.set(Feature::VerbOwed, 1.0);
    }
    if !clause.topic.is_empty() {
        features.set(Feature::Uncovered, context.uncovered.len() as f32 / clause.topic.len() as f32);
    }
    if let Some(count) = context.count {
        features.set(Feature::CountLeft, count.left() as f32 / count.wanted.max(1) as f32);
    }
    if super::key::waits_for_enter(context) {
        features.set(Feature::SearchPending, 1.0);
    }
    if context.model.touchables().any(|widget| context.is_said_choice(widget)) {
        features.set(Feature::ChoiceLeft, 1.0);
    }
    // A goal is not reached while a field in sight waits for one of its values, or a choice that it says is not made.
    let waits = !context.bindings.open.is_empty() || features.get(Feature::ChoiceLeft) > 0.0;
    // Nor is a form filled in while a field takes a value that no other step claims.
    let names_none = clause.names.is_empty() && clause.step.mentions.is_empty();
    let not_given = |open: &Binding| !context.episode.journal.has_given_now(&open.parameter);
    let fills = names_none
        && clause.leads_with(VerbSet::of(&[Verb::Enter, Verb::Edit]))
        && context.bindings.open.iter().any(not_given);
    // Nor is a value entered that the clause gives while its field waits for it.
    let fills = fills || clause.fills() && context.bindings.open.iter().any(|one| one.mentioned && not_given(one));
    features.set(Feature::ValueLeft, if clause.is_goal && waits || fills { 1.0 } else { values.left });
    features.set(Feature::Owed, owed_share(context, reached, values.free));
    if things_owed(context, reached) {
        features.set(Feature::ThingsOwed, 1.0);
    }
    let proper = clause.proper_names.len();
    if proper > 0 && !clause.is_goal {
        features.set(Feature::ProperLeft, context.proper_names_left().count() as f32 / proper as f32);
    }
    if context.model.commits().any(|widget| widget.state.enabled) {
        features.set(Feature::CommitInSight, 1.0);
    }
    if commit_left(context) && !context.is_left_to_later() {
        features.set(Feature::CommitLeft, 1.0);
    }
    if clause.commits() {
        features.set(if context.has_committed() { Feature::Committed } else { Feature::NotCommitted }, 1.0);
    }
}

/// What else fits: a control that was not touched for the clause, or the clause after it.
fn what_fits_better(context: &Context<'_>, left: Left, features: &mut Features) -> Result<(), EmbedError> {
    let deeds: Vec<&ActionRecord> = context.episode.journal.current_touches().collect();
    features.set(Feature::Remaining, left.score.clamp(-0.5, 1.5));
    let acted = deeds.iter().map(|record| record.understood).fold(0.0, f32::max);
    features.set(Feature::BetterLeft, (left.meaning - acted).clamp(0.0, 1.0));
    features.set(Feature::PhraseLeft, left.phrase);
    features.set(Feature::NewLeft, if context.is_carried_out() { 0.0 } else { left.new_words });
    if let Some(next) = context.episode.next() {
        let fit = next_fit(context, next)?;
        features.set(Feature::NextFits, fit.best);
        if deeds.is_empty() && fit.fresh >= LEADS_ON {
            features.set(Feature::LedToNext, 1.0);
        }
    }
    Ok(())
}

/// What the app and the case say to it: the expectations, a complaint, a look that is not over.
fn what_came_of_it(context: &Context<'_>, features: &mut Features) {
    let journal = context.episode.journal;
    let acted = journal.current_touches().next().is_some();
    match context.episode.expectations_hold {
        // On a form that was not sent an expected text may be the one that was typed: it proves nothing.
        Some(true) if acted && !is_unsent(context) && !is_only_typed(context) => {
            features.set(Feature::ExpectationsHold, 1.0)
        }
        Some(false) => features.set(Feature::ExpectationsOpen, 1.0),
        _ => {}
    }
    let looked = |record: &ActionRecord| !record.source.carries_out();
    if journal.current().next_back().is_some_and(looked) {
        features.set(Feature::OnlyLooked, 1.0);
    }
    if complained(context) {
        features.set(Feature::Complained, 1.0);
    }
}

/// True if something was typed for the clause into the form in front, and a button that sends it is in sight.
fn is_unsent(context: &Context<'_>) -> bool {
    let typed = |record: &ActionRecord| matches!(record.action, Action::InputText { .. });
    context.form_is_filled()
        && context.model.commits().next().is_some()
        && context.episode.journal.current_deeds().any(typed)
}

/// True if a text that is expected is seen nowhere but in a field into which it was typed: that proves nothing.
fn is_only_typed(context: &Context<'_>) -> bool {
    let typed: Vec<&str> = context.episode.journal.typed().collect();
    let bears = |widget: &Widget, text: &str| {
        widget.value.contains(text) || widget.label.contains(text) || label_fit(widget, text) >= IS_CALLED
    };
    let only_typed = |text: &&String| {
        let mut shown = context.model.screen.widgets.iter().filter(|widget| bears(widget, text)).peekable();
        let own = |one: &&&str| one.contains(text.as_str());
        let is_typed =
            |widget: &Widget| widget.role == Role::Field && typed.iter().filter(own).any(|one| widget.value == *one);
        shown.peek().is_some() && shown.all(is_typed)
    };
    context.episode.expected.iter().any(|text| only_typed(&text))
}

/// True if a control in sight was not touched whose whole label the instruction says, in words that nothing done has shown.
fn said_left(context: &Context<'_>) -> bool {
    let clause = context.clause();
    let lexicon = &context.episode.knowledge.lexicon;
    let touched = |label: &str| context.episode.journal.has_touched(label);
    context.model.touchables().any(|widget| {
        let on = widget.state.selected || widget.state.checked == Some(true) || !widget.state.enabled;
        // The page that it leads to is open.
        let here = on || name_fit(&context.model.screen.title, &widget.label) >= IS_CALLED;
        !here
            && context.new_words(widget) > 0.0
            && said_fit(lexicon, &clause.said, &widget.label) >= 1.0
            && !touched(&widget.label)
    })
}

/// True if all that was done is that the thing the clause names was opened, where the clause asks for more than that.
fn only_opened(context: &Context<'_>, deeds: &[&ActionRecord]) -> bool {
    const OPENING: VerbSet = VerbSet::of(&[Verb::Open, Verb::Choose, Verb::Check, Verb::Search, Verb::Hold]);
    let clause = context.clause();
    let names = || clause.names.iter().chain(&clause.proper_names);
    let opens = |record: &&ActionRecord| {
        let bears = |control: &ControlMark| {
            names().any(|name| name_fit(&control.label, name).max(name_fit(&control.heading, name)) >= BEARS)
                && !control.verbs.meets(clause.verbs.without(PLAIN))
        };
        record.moved() && record.control.as_ref().is_some_and(bears)
    };
    !clause.leads_with(OPENING) && !context.uncovered.is_empty() && !deeds.is_empty() && deeds.iter().all(opens)
}

/// True if a control is in sight that carries out a consequence which the clause asks for, and was not touched for it.
fn commit_left(context: &Context<'_>) -> bool {
    let asked = context.clause().verbs.and(CONSEQUENTIAL);
    let journal = context.episode.journal;
    let touched = |label: &str| journal.has_touched(label);
    !asked.is_empty()
        && context.model.touchables().any(|widget| {
            let control = context.model.control(widget.id);
            let row = context.model.row_of(widget.id).is_some();
            !row && widget.state.enabled && control.verbs.meets(asked) && !touched(&widget.label)
        })
}

/// What would be left open: a dialog that the clause did not ask for, a form that is filled in and not sent.
fn leave_open(context: &Context<'_>, features: &mut Features) {
    let asked_for = context.clause().leads_with(VerbSet::of(&[Verb::Open])) && !context.acted_in_dialog();
    if context.has_own_dialog() && !asked_for && !context.is_left_to_later() {
        features.set(Feature::DialogOpen, 1.0);
    }
    if !context.next_commits() && context.form_is_filled() && context.model.commits().next().is_some() {
        features.set(Feature::FormOpen, 1.0);
    }
    if (!context.next_commits() || !context.bindings.open.is_empty()) && context.must_sign_in() {
        features.set(Feature::SignInOpen, 1.0);
    }
}

/// True if the clause calls things by name and nothing was done to any of them.
fn things_owed(context: &Context<'_>, reached: &[String]) -> bool {
    let is_thing = |name: &&str| name.chars().any(char::is_alphabetic) && read_date(name).is_none();
    let all = context.clause().names.iter().map(String::as_str).filter(is_thing).count();
    let shown = |name: &str| reached.iter().any(|shown| shown.contains(name));
    let owed = context.owed.iter().copied().filter(is_thing).filter(|name| !shown(name)).count();
    all > 0 && owed == all
}

/// The share of names and values that have not had their effect.
fn owed_share(context: &Context<'_>, reached: &[String], free: usize) -> f32 {
    let clause = context.clause();
    let says = |shown: &str, name: &str| name_fit(shown, name) >= IS_CALLED || shown.contains(name);
    let shown = |name: &str| reached.iter().any(|shown| says(shown, name));
    // A value may be shown in other words than it is asked for: each control that has reached its value stands for one.
    let in_other_words = reached.iter().filter(|shown| !clause.names.iter().any(|name| says(shown, name))).count();
    let names = context.owed.iter().filter(|name| !shown(name)).count().saturating_sub(in_other_words);
    // What a control shows that took it is typed nowhere else.
    let taken = |binding: &&Binding| !binding.text.is_secret() && shown(binding.text.expose());
    let open = context.bindings.open.iter().filter(|binding| binding.mentioned || clause.fills());
    let values = open.filter(|binding| !taken(binding)).count() + free;
    let all = clause.names.len().max(1).max(names + values);
    (names.max(values) as f32 / all as f32).min(1.0)
}

/// True if nothing need be done: the switch is as wanted, the choice is made, the value stands there.
fn already_so(context: &Context<'_>, reached: &[String]) -> bool {
    let clause = context.clause();
    if !reached.is_empty() && context.bindings.open.is_empty() {
        return true;
    }
    // "Open the app", "Launch it": the app is in front.
    if clause.lead == Some(Verb::Open) && clause.names.is_empty() && speaks_of_the_app(context) {
        return true;
    }
    if clause.leaves_alone {
        return true;
    }
    if is_answered(context) || was_done_before(context) || was_filled_before(context) {
        return true;
    }
    // "Turn it on": the one switch of the page is on.
    if context.switch_of_page().is_some_and(|switch| switch.state.checked == clause.wanted_state) {
        return true;
    }
    let best = context.ranked.iter().find(|ranked| matches!(ranked.candidate.action, Action::Click { .. }));
    let widget = best.and_then(|ranked| {
        let widget = context.model.screen.widgets.get(ranked.candidate.widget?)?;
        (ranked.score >= CLEARLY_MEANT).then_some(widget)
    });
    let switched = widget.is_some_and(|widget| {
        widget.state.checked.is_some() && clause.wanted_state.is_some_and(|wanted| widget.state.checked == Some(wanted))
    });
    let chosen = clause.leads_with(VerbSet::of(&[Verb::Choose, Verb::Mark]))
        && !clause.names.is_empty()
        && clause.names.iter().all(|name| {
            context.model.screen.widgets.iter().any(|widget| {
                (widget.state.checked == Some(true) || widget.state.selected) && label_fit(widget, name) >= IS_CALLED
            })
        });
    let entered = clause.fills()
        && !clause.step.mentions.is_empty()
        && clause.step.mentions.iter().all(|name| context.bindings.held.contains(name));
    switched || chosen || entered
}

/// True if the clause only agrees to a question, and the clause before it has answered one already.
fn is_answered(context: &Context<'_>) -> bool {
    let clause = context.clause();
    let speaks_of = |widget: &Widget| asked_fit(&clause.topic, &widget.label, clause.inflection) > 0.0;
    let agrees = clause.leads_with(VerbSet::of(&[Verb::Accept, Verb::Save]))
        && clause.names.is_empty()
        && !context.model.touchables().any(speaks_of)
        && !context.model.commits().any(|widget| widget.state.enabled);
    let last = context.episode.journal.valid().last();
    agrees
        && !context.model.is_dialog()
        && last.is_some_and(|record| {
            let asked = record.before.kind == ScreenKind::Dialog && record.after.kind != ScreenKind::Dialog;
            asked && record.clause + 1 == context.episode.journal.clause() && record.source.carries_out()
        })
}

/// True if the clause only opens or chooses what the clause before it has just touched or entered: "Open the booking", "the one in
/// Dunmore".
fn was_done_before(context: &Context<'_>) -> bool {
    let clause = context.clause();
    let journal = context.episode.journal;
    let chooses = clause.lead.is_none() || clause.leads_with(VerbSet::of(&[Verb::Open, Verb::Choose]));
    let names: Vec<&String> = clause.names.iter().chain(&clause.proper_names).collect();
    let before =
        || journal.valid().filter(|record| record.clause + 1 == journal.clause() && record.source.carries_out());
    let bears = |record: &ActionRecord, name: &str| {
        let control = record.control.as_ref();
        let called = control.map_or(0.0, |it| name_fit(&it.label, name).max(name_fit(&it.heading, name)));
        let title = name_fit(&record.after.title, name);
        let typed = matches!(&record.action, Action::InputText { text, .. } if text.expose() == name);
        typed || called.max(title) >= BEARS
    };
    chooses
        && !context.verb_owed
        && !names.is_empty()
        && names.iter().all(|name| before().any(|record| bears(record, name)))
}

/// True if the clause only says once more that values are entered, and nothing is left to enter on the page into which the clause
/// before has typed: "Create the note Milk, enter its text".
fn was_filled_before(context: &Context<'_>) -> bool {
    let clause = context.clause();
    let gives_none = clause.names.is_empty() && clause.proper_names.is_empty() && clause.step.mentions.is_empty();
    clause.leads_with(VerbSet::of(&[Verb::Enter]))
        && gives_none
        && context.was_entered_before()
        && context.bindings.open.is_empty()
        && context.free_parameters().next().is_none()
}

/// True if the instruction speaks of the app as a whole, or of nothing but "it".
fn speaks_of_the_app(context: &Context<'_>) -> bool {
    const APP: [&str; 9] =
        ["app", "application", "anwendung", "aplicación", "aplicativo", "aplicação", "приложение", "应用", "アプリ"];
    let clause = context.clause();
    let said = words(&clause.step.instruction);
    clause.topic.is_empty()
        && (said.len() <= 2 && clause.proper_names.is_empty() && said.iter().any(|word| word == "it"))
        || clause.topic.is_empty() && said.iter().any(|word| APP.contains(&word.as_str()))
}

/// True if the page that an opening clause speaks of is in front.
fn page_is_open(context: &Context<'_>) -> bool {
    let clause = context.clause();
    if !clause.leads_with(VerbSet::of(&[Verb::Open, Verb::Back])) {
        return false;
    }
    let title = &context.model.screen.title;
    // A list that is called like what was looked up is not the page of the thing that it lists.
    let lists = |name: &String| {
        context.model.touchables().any(|widget| {
            let entry = context.model.row_of(widget.id).is_some() && !widget.state.selected;
            entry && label_fit(widget, name) >= IS_CALLED
        })
    };
    if title.is_empty() || clause.names.iter().any(lists) || shows_what_was_looked_up(context.episode, context.model) {
        return false;
    }
    let named = !clause.names.is_empty() && clause.names.iter().any(|name| name_fit(title, name) >= IS_CALLED);
    let said = said_fit(&context.episode.knowledge.lexicon, &clause.step.instruction, title) >= 1.0;
    let tab = context.model.screen.widgets.iter().any(|widget| {
        widget.state.selected
            && said_fit(&context.episode.knowledge.lexicon, &clause.step.instruction, &widget.label) >= 1.0
    });
    named || clause.names.is_empty() && (said || tab)
}

/// How well the next clause fits a screen, −0.5 to 1.5 each.
struct NextFit {
    /// By all that is there.
    best: f32,
    /// By what came with the last page; 0 where no page came.
    fresh: f32,
}

/// From this fit on the page that came lets the next clause be carried out.
const LEADS_ON: f32 = 0.8;

/// How well the next clause fits this screen.
fn next_fit(context: &Context<'_>, next: &Clause) -> Result<NextFit, EmbedError> {
    let episode = context.episode;
    let screen = context.model.screen;
    let came = episode.journal.current().rfind(|record| record.moved());
    let came = came.filter(|record| record.after.fingerprint == screen.fingerprint && !is_way(record));
    let is_fresh = |widget: &Widget| came.is_some_and(|record| !record.before.labels.contains(&widget.label));
    let mut fit = NextFit { best: 0.0, fresh: 0.0 };
    let mut take = |value: f32, widget: Option<&Widget>| {
        fit.best = fit.best.max(value);
        if widget.is_some_and(is_fresh) {
            fit.fresh = fit.fresh.max(value);
        }
    };
    let ranked = by_meaning(episode, next, context.model)?;
    let clicks = ranked.iter().filter(|ranked| matches!(ranked.candidate.action, Action::Click { .. }));
    let mut touches = clicks.filter_map(|ranked| Some((ranked.score, screen.widgets.get(ranked.candidate.widget?)?)));
    let checks = next.lead == Some(Verb::Check) || !next.step.claims.is_empty();
    if checks {
        let shown = |name: &String| screen.widgets.iter().any(|widget| label_fit(widget, name) >= IS_CALLED);
        take(if !next.names.is_empty() && next.names.iter().all(shown) { 1.5 } else { 0.4 }, None);
    } else if let Some((score, widget)) = touches.find(|(_, widget)| widget.clickable) {
        take(score, Some(widget));
    }
    for name in &next.names {
        for widget in context.model.touchables() {
            let shown = label_fit(widget, name);
            if shown >= IS_CALLED {
                take(0.8 + 0.2 * shown, Some(widget));
            }
        }
    }
    let scorer = episode.scorer;
    let bound = bind(
        scorer.embedder,
        scorer.cues,
        next,
        episode.parameters,
        episode.journal,
        screen,
        &episode.knowledge.lexicon,
    )?;
    for binding in bound.open.iter().filter(|binding| binding.mentioned || next.fills()) {
        take(binding.fit + 0.2, binding.widget.and_then(|id| screen.widgets.get(id)));
    }
    Ok(NextFit { best: fit.best.clamp(-0.5, 1.5), fresh: fit.fresh })
}

/// True for a step on a way back or through menus: what it brings was there before.
fn is_way(record: &ActionRecord) -> bool {
    const LEADING: [Purpose; 3] = [Purpose::Drawer, Purpose::Overflow, Purpose::Back];
    record.action.target().is_none()
        || record.source == Source::Interruption
        || record.control.as_ref().is_some_and(|control| control.purposes.has_any(&LEADING))
}

/// True if the app says, since the last action, that something entered is wrong or missing.
fn complained(context: &Context<'_>) -> bool {
    let Some(last) = context.episode.journal.current().next_back() else { return false };
    let stays = last.before.fingerprint == last.after.fingerprint || last.before.title == last.after.title;
    stays
        && last.control.as_ref().is_some_and(|control| control.purposes.has(Purpose::Submit))
        && context.model.screen.widgets.iter().any(|widget| !widget.clickable && says_complaint(&widget.label))
}

fn reason(features: &Features) -> String {
    let told = [
        (Feature::ExpectationsHold, "everything the case expects is there"),
        (Feature::AlreadySo, "the screen is as the step wants it"),
        (Feature::Committed, "it was sent or confirmed"),
        (Feature::PageOpen, "the page that the step speaks of is open"),
    ];
    let found = told.iter().find(|(feature, _)| features.get(*feature) > 0.0);
    found.map_or("what the step asks for was carried out", |(_, why)| why).to_owned()
}
