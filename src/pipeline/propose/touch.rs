//! Proposals to touch or hold a control.

use super::commit::{commits, in_list, superfluous};
use super::context::{Context, label_fit};
use super::guess::guess;
use super::input::{is_given_to_new, sought};
use super::key::looks_up_elsewhere;
use super::verb::AFFORDING;
use super::{Move, Proposal, Source};
use crate::domain::{Action, stem, words};
use crate::hierarchy::{Role, Widget};
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::{Purpose, Region};
use crate::pipeline::task::{
    BEARS, COMMITTING, CONSEQUENTIAL, IS_CALLED, PLAIN, Verb, VerbSet, asked_fit, said_fit, title_of,
};
use crate::pipeline::value_control::read_date;
use crate::ranking::Ranked;

/// From this meaning on a control may be meant without anything else that speaks for it.
pub(super) const MAY_BE_MEANT: f32 = 0.42;
/// From this likeness to the action of the clause on a control of its thing may be meant: a cosine of 0.46.
const MAY_BE_THE_ACTION: f32 = 0.4;
/// Below this meaning a control is about something else than the name that is not in sight.
const ABOUT_THE_NAME: f32 = 0.55;
/// What a control with the clause's verb is still worth once the verb was carried out.
const VERB_IS_OVER: f32 = 0.2;
/// How alike a search behind an icon is to what is to be looked up: nothing tells.
const UNKNOWN_SEARCH: f32 = 0.5;
/// Meaning that is clearly enough.
const CLEAR: f32 = 0.5;
/// Verbs that change something, so that a label which says another one is another control.
pub(super) const CHANGING: VerbSet = VerbSet::of(&[
    Verb::Create,
    Verb::Delete,
    Verb::Edit,
    Verb::Send,
    Verb::Share,
    Verb::Publish,
    Verb::Pay,
    Verb::Order,
    Verb::Call,
    Verb::Block,
    Verb::Report,
    Verb::Leave,
    Verb::SignIn,
    Verb::SignUp,
    Verb::SignOut,
    Verb::Cancel,
    Verb::Reset,
    Verb::Search,
    Verb::Filter,
    Verb::Sort,
    Verb::Mark,
    Verb::Unmark,
    Verb::Mute,
    Verb::Archive,
    Verb::Move,
    Verb::Copy,
    Verb::Download,
    Verb::Install,
    Verb::Undo,
    Verb::Rate,
]);

/// All touches and holds that a screen offers.
pub(crate) fn touches(context: &Context<'_>) -> Vec<Proposal> {
    context.ranked.iter().filter_map(|ranked| touch(context, ranked)).collect()
}

fn touch(context: &Context<'_>, ranked: &Ranked) -> Option<Proposal> {
    let candidate = &ranked.candidate;
    let widget = candidate.widget.and_then(|id| context.model.screen.widgets.get(id))?;
    let holds = match &candidate.action {
        Action::Click { .. } => false,
        Action::LongPress { .. } => true,
        _ => return None,
    };
    // Values are set by those who know the control, and typed by those who know the field.
    if matches!(widget.role, Role::KeypadKey | Role::List) {
        return None;
    }
    // A field that takes a value is typed into: that touches it.
    let typed = context.bindings.open.iter().any(|binding| binding.widget == Some(widget.id));
    if widget.role == Role::Field && typed || was_filled(context, widget) || is_other_day(context, widget) {
        return None;
    }
    let mut features = Features::default();
    meaning(context, widget, ranked.score, &mut features);
    names(context, widget, &mut features);
    verbs(context, widget, &mut features);
    if features.get(Feature::VerbMatch) <= 0.0 {
        features.set(Feature::PageAction, context.page_action(widget));
    }
    state(context, widget, &mut features);
    if context.is_said_choice(widget) {
        features.set(Feature::SaidChoice, 1.0);
    }
    if context.undoes_choice(widget) {
        features.set(Feature::UndoesChoice, 1.0);
    }
    commits(context, widget, &mut features);
    superfluous(context, &mut features);
    history(context, widget, &candidate.action, &mut features);
    count(context, widget, &mut features);
    if context.is_behind(widget) {
        features.set(Feature::Behind, 1.0);
    }
    features.set(Feature::Expected, expected(context, widget));
    if holds {
        hold(context, widget, &mut features);
    }
    if widget.role == Role::Field {
        // A field is entered, not touched, unless touching is all that is asked.
        features.set(Feature::ContentGuess, 1.0);
    }
    if let Some(previous) = context.previous_meaning(widget.id) {
        features.set(Feature::PreviousMeaning, previous);
    }
    if comes_later(context, widget) || leads_on_instead(context, widget) {
        [Feature::Meaning, Feature::Said, Feature::Asked, Feature::NewWords]
            .into_iter()
            .for_each(|feature| features.set(feature, 0.5 * features.get(feature)));
        features.set(Feature::PreviousMeaning, 0.0);
    }
    let source = source(context, widget, &mut features);
    Some(Proposal {
        action: Move::Act(candidate.action.clone()),
        widget: Some(widget.id),
        source,
        reason: reason(&features),
        features,
        parameter: None,
        shown: None,
        text: candidate.text.clone(),
    })
}

/// True for what the clause only calls as the place where a thing goes, while the thing is not in sight and may be looked up:
/// "Add the bread to the cart" begins with the bread.
fn comes_later(context: &Context<'_>, widget: &Widget) -> bool {
    let clause = context.clause();
    let adds = clause.leads_with(VerbSet::of(&[Verb::Create, Verb::Move]));
    let to_be_found = || !any_shows_owed(context) && sought(context).is_some_and(|name| context.owed.contains(&name));
    adds && clause.goes_to(&widget.label, &context.episode.knowledge.lexicon)
        && to_be_found()
        && can_be_looked_up(context)
}

/// True if the app has a field in which something can be looked up, here or on a page of the way.
fn can_be_looked_up(context: &Context<'_>) -> bool {
    let here = |widget: &Widget| context.model.control(widget.id).purposes.has(Purpose::Search);
    context.model.fields().chain(context.model.touchables()).any(here) || looks_up_elsewhere(context)
}

/// True for what leads on, where the clause goes back: what it is called says at most where back is.
fn leads_on_instead(context: &Context<'_>, widget: &Widget) -> bool {
    let control = context.model.control(widget.id);
    let returns = control.purposes.has_any(&[Purpose::Back, Purpose::Cancel, Purpose::Drawer, Purpose::Home])
        || widget.role == Role::Tab
        || control.region == Region::BottomBar;
    context.clause().leads_with(VerbSet::of(&[Verb::Back])) && !returns && context.episode.journal.depth() > 0
}

/// True for a day, where the clause names other days.
fn is_other_day(context: &Context<'_>, widget: &Widget) -> bool {
    let named: Vec<_> = context.clause().names.iter().filter_map(|name| read_date(name)).collect();
    // A row that tells a day among other things is no day.
    let row = context.model.control(widget.id).row.is_some();
    !named.is_empty() && !row && read_date(&widget.label).is_some_and(|day| !named.contains(&day))
}

/// True for a field into which a value was typed for the clause, and that holds it.
fn was_filled(context: &Context<'_>, widget: &Widget) -> bool {
    let typed = |record: &ActionRecord| match &record.action {
        Action::InputText { text, .. } => crate::form::is_same(&widget.value, text.expose()),
        _ => false,
    };
    widget.role == Role::Field && context.episode.journal.current_deeds().any(typed)
}

fn meaning(context: &Context<'_>, widget: &Widget, score: f32, features: &mut Features) {
    let clause = context.clause();
    let lexicon = &context.episode.knowledge.lexicon;
    let score = score.clamp(-0.5, 1.5);
    features.set(Feature::Meaning, score);
    features.set(Feature::WeakMeaning, (CLEAR - score).clamp(0.0, 0.5));
    let asked = asked_fit(&clause.topic, &format!("{} {}", widget.label, widget.id_words), clause.inflection);
    // A label that is only a part of what is asked for says little.
    let share = if clause.topic.is_empty() { 1.0 } else { asked / (1.0 + 0.5 * clause.names.len() as f32) };
    let said = said_fit(lexicon, &clause.said, &widget.label) * share.min(1.0);
    features.set(Feature::Said, if said >= 1.0 && context.is_part_of_said(widget) { 0.5 } else { said });
    features.set(Feature::Asked, asked);
    features.set(Feature::NewWords, context.new_words(widget));
    if context.model.primary().is_some_and(|primary| primary.id == widget.id) {
        features.set(Feature::Primary, 1.0);
    }
    features.set(Feature::ActionMeaning, context.action_meaning(widget));
    if !widget.clickable && !matches!(widget.role, Role::Field | Role::Link) {
        features.set(Feature::NotClickable, 1.0);
    }
    if !widget.state.enabled {
        features.set(Feature::Disabled, 1.0);
    }
}

/// How surely a control bears a text that the case expects at its end, 0 to 1.
fn expected(context: &Context<'_>, widget: &Widget) -> f32 {
    let fits = context.episode.expected.iter().map(|text| label_fit(widget, text));
    fits.filter(|fit| *fit >= BEARS).fold(0.0, f32::max)
}

fn names(context: &Context<'_>, widget: &Widget, features: &mut Features) {
    let fit = context.owed_fit(widget).max(context.free_fit(widget)).max(context.proper_fit(widget));
    let fit = if context.reopens(widget) { fit.max(IS_CALLED) } else { fit };
    let row = context.model.control(widget.id).row;
    let in_named_row = row.is_some_and(|row| context.named_rows.contains(&row));
    let opener = context.model.row_of(widget.id).is_some_and(|row| row.opener == Some(widget.id));
    // A card without a label of its own is called by what stands on it.
    let fit = if in_named_row && opener && widget.label.is_empty() { fit.max(IS_CALLED) } else { fit };
    let is_ordered = row.is_some() && row == context.ordered_row;
    let alone = || row.and_then(|row| context.model.rows.get(row)).is_some_and(|row| row.controls.len() == 1);
    if is_ordered && (opener || alone()) {
        features.set(Feature::OrderedEntry, 1.0);
    }
    let before = previous_fit(context, widget);
    let fit = fit.max(before);
    let acts = !context.clause().verbs.without(PLAIN).is_empty();
    if fit >= BEARS || before > 0.0 {
        // What is done to a thing is done by the thing's own control, where its row has one.
        let passed_over = !context.is_affordance(widget) && row.is_some_and(|row| context.row_has_affordance(row));
        features.set(Feature::Named, if passed_over { 0.35 * fit } else { fit });
    } else if !context.owed.is_empty() && !in_named_row && any_shows_owed(context) {
        features.set(Feature::NotNamed, 1.0);
    }
    let other_name = clause_names_another(context, widget);
    if other_name && fit < BEARS {
        features.set(Feature::NotNamed, 1.0);
    }
    if in_named_row && !opener && widget.clickable {
        if context.is_affordance(widget) {
            features.set(Feature::NamedRow, 1.0);
        } else if fit < BEARS {
            features.set(Feature::NamedRow, 0.2);
        }
        let menu = context.model.control(widget.id).purposes.has(Purpose::Overflow);
        if menu && acts && row.is_some_and(|row| !context.row_has_affordance(row)) {
            features.set(Feature::RowMenu, 1.0);
            features.set(Feature::NamedRow, 1.0);
        }
    } else if !in_named_row && row.is_some() && !context.named_rows.is_empty() && !context.model.is_dialog() {
        features.set(Feature::OtherRow, 1.0);
    }
}

/// How surely a control bears a name of the clause before, in the same step, where this clause opens or does something and names
/// nothing itself: "Look for the record, open its page".
fn previous_fit(context: &Context<'_>, widget: &Widget) -> f32 {
    const MEANT_AGAIN: f32 = 0.6;
    let clause = context.clause();
    let speaks = !clause.names.is_empty() || !clause.proper_names.is_empty() || clause.is_goal;
    let opens = clause.lead.is_none_or(|lead| AFFORDING.has(lead) || matches!(lead, Verb::Open | Verb::Choose));
    let previous = context.episode.previous.filter(|previous| previous.step.index == clause.step.index);
    let begun = context.episode.journal.current_deeds().next().is_some();
    let Some(previous) = previous.filter(|_| opens && !speaks && !begun) else { return 0.0 };
    if widget.role == Role::Field || !widget.clickable {
        return 0.0;
    }
    let fits = previous.names.iter().chain(&previous.proper_names).map(|name| label_fit(widget, name));
    MEANT_AGAIN * fits.filter(|fit| *fit >= BEARS).fold(0.0, f32::max)
}

/// True for an entry of a list that bears none of the names by which the clause calls a thing.
fn clause_names_another(context: &Context<'_>, widget: &Widget) -> bool {
    let clause = context.clause();
    let is_entry = context.model.row_of(widget.id).is_some_and(|row| row.opener == Some(widget.id));
    let bears = |name: &String| label_fit(widget, name) > 0.0;
    is_entry && !clause.proper_names.is_empty() && !clause.proper_names.iter().any(bears) && !context.is_page_of_thing()
}

/// True if a name that is owed stands on something that can be touched, or heads a row.
pub(super) fn any_shows_owed(context: &Context<'_>) -> bool {
    !context.named_rows.is_empty()
        || context.model.touchables().any(|widget| context.owed.iter().any(|name| label_fit(widget, name) >= IS_CALLED))
}

fn verbs(context: &Context<'_>, widget: &Widget, features: &mut Features) {
    let control = context.model.control(widget.id);
    if context.verb_matches(widget) {
        // The same control stands in every row: only the one of a thing that is spoken of does what is asked.
        let heading = context.model.heading_of(widget.id).unwrap_or_default();
        let of_another = in_list(context, widget)
            && context.model.row_of(widget.id).is_some_and(|row| row.opener != Some(widget.id))
            && !(context.clause().topic.is_empty() && context.clause().names.is_empty())
            && features.get(Feature::NamedRow) < 1.0
            && asked_fit(&context.clause().topic, heading, context.clause().inflection) <= 0.0;
        if of_another {
            features.set(Feature::OtherRow, 1.0);
        } else {
            // Once the verb was carried out, its control is one like others.
            let lead = context.clause().lead.is_some_and(|lead| AFFORDING.has(lead));
            let is_over = lead && !context.verb_owed && context.episode.journal.current_deeds().next().is_some();
            features.set(Feature::VerbMatch, if is_over { VERB_IS_OVER } else { 1.0 });
            let touched = |record: &ActionRecord| record.label() == widget.label;
            if context.is_spoken_control(widget) && !context.episode.journal.current_deeds().any(touched) {
                features.set(Feature::SpokenControl, 1.0);
            }
        }
        return;
    }
    let named = features.get(Feature::Named) >= IS_CALLED || features.get(Feature::Said) >= 1.0;
    let mut wanted = context.clause().verbs.or(context.clause().asked);
    // What is added is put somewhere.
    if wanted.has(Verb::Create) {
        wanted.insert(Verb::Move);
    }
    if context.has_unused_secret() {
        wanted.insert(Verb::SignIn);
    }
    let other = control.verbs.and(CHANGING).without(wanted);
    let entry =
        context.model.row_of(widget.id).is_some_and(|row| row.opener == Some(widget.id) && row.widgets.len() > 1);
    // "Send the report" reports, "Send invitation" invites: the button of what is asked for may say another verb.
    let sends = control.purposes.has(Purpose::Submit) && context.clause().asked.meets(CONSEQUENTIAL.or(COMMITTING));
    // Several words that the clause says as they stand are its own, whatever else they may mean.
    let title = title_of(&widget.label);
    let whole = said_fit(&context.episode.knowledge.lexicon, &context.clause().said, title) >= 1.0;
    let touched = || context.episode.journal.has_touched(&widget.label);
    let repeated = words(title).len() > 1 && whole && !touched();
    if !other.is_empty() && !named && !entry && !sends && !repeated {
        features.set(Feature::VerbConflict, 1.0);
    }
}

fn state(context: &Context<'_>, widget: &Widget, features: &mut Features) {
    let Some(checked) = widget.state.checked else { return };
    // What is one of several is chosen, not switched: only what is clearly meant.
    let switches = matches!(widget.role, Role::Switch | Role::Checkbox) || features.get(Feature::Meaning) >= CLEAR;
    if switches && context.clause().wanted_state.is_some_and(|wanted| wanted != checked) {
        features.set(Feature::Toggles, 1.0);
    }
}

fn history(context: &Context<'_>, widget: &Widget, action: &Action, features: &mut Features) {
    let journal = context.episode.journal;
    let times = journal.times_done(context.model.screen.fingerprint, action);
    if times > 0 {
        features.set(Feature::DoneBefore, times.min(3) as f32);
    } else {
        let same = |record: &&ActionRecord| {
            record.control.as_ref().is_some_and(|control| {
                // "House rules, Expand" is "House rules, Collapse" once it is open.
                title_of(&control.label) == title_of(&widget.label)
                    && control.resource_id == widget.resource_id
                    && control.role == widget.role
            })
        };
        if journal.current().any(|record| is_same_place(record, context, widget, action)) {
            features.set(Feature::DoneBefore, 1.0);
        } else if journal.current().filter(|record| record.source == Source::Explore).any(|record| same(&record)) {
            features.set(Feature::TriedElsewhere, 1.0);
        } else if journal.current().any(|record| same(&record)) {
            features.set(Feature::DoneBefore, 0.6);
        }
    }
}

/// True if the control was touched before in the same place and is called otherwise since: "Milk, to buy" is "Milk, bought", "Like"
/// is "Unlike".
fn is_same_place(record: &ActionRecord, context: &Context<'_>, widget: &Widget, action: &Action) -> bool {
    let place = record.action.target().is_some_and(|target| target.bounds == widget.bounds);
    let own: Vec<String> = words(&widget.label).iter().map(|word| stem(word)).collect();
    // The button of a page that changes what it says, not the next entry of a list that has moved up.
    let same_button = record.control.as_ref().is_some_and(|control| {
        let named = !widget.resource_id.is_empty() && control.resource_id == widget.resource_id;
        named && control.role == widget.role && !record.moved() && context.model.control(widget.id).row.is_none()
    });
    place
        && record.worked()
        && record.action.skill() == action.skill()
        && record.before.title == context.model.screen.title
        && record.label() != widget.label
        && (same_button || 2.0 * asked_fit(&own, record.label(), context.clause().inflection) >= 1.0)
}

/// What adds or counts up is touched again as long as some are missing.
fn count(context: &Context<'_>, widget: &Widget, features: &mut Features) {
    let is_short = context.count.is_some_and(|count| count.added > 0 && count.left() > 0);
    if is_short && context.model.control(widget.id).purposes.has_any(&[Purpose::Add, Purpose::Increase]) {
        features.set(Feature::CountOwed, 1.0);
        features.set(Feature::DoneBefore, 0.0);
        features.set(Feature::VerbConflict, 0.0);
    }
}

fn hold(context: &Context<'_>, widget: &Widget, features: &mut Features) {
    if context.clause().verbs.has(Verb::Hold) {
        features.set(Feature::HoldAsked, 1.0);
        return;
    }
    features.set(Feature::RareSkill, 1.0);
    // Where a thing's row has no control of its own and no menu, its actions may come when it is held.
    let row = context.model.control(widget.id).row;
    let named = row.is_some_and(|row| context.named_rows.contains(&row) && !context.row_has_affordance(row));
    let acts = context.clause().verbs.meets(CONSEQUENTIAL.or(VerbSet::of(&[
        Verb::Edit,
        Verb::Mark,
        Verb::Unmark,
        Verb::Archive,
        Verb::Move,
        Verb::Copy,
    ])));
    if named && acts {
        features.set(Feature::RowMenu, 0.5);
    }
}

/// Who proposes it: what may be meant is touched, what may hold it is explored.
fn source(context: &Context<'_>, widget: &Widget, features: &mut Features) -> Source {
    let speaks = [
        Feature::Named,
        Feature::NamedRow,
        Feature::Toggles,
        Feature::CommitsForm,
        Feature::CommitAsked,
        Feature::ConfirmsDialog,
        Feature::Consent,
        Feature::RowMenu,
        Feature::HoldAsked,
        Feature::PreviousMeaning,
        Feature::SaidChoice,
        Feature::PageAction,
        Feature::SpokenControl,
        Feature::OrderedEntry,
    ];
    if features.get(Feature::ConfirmsDialog) > 0.0 || features.get(Feature::CommitsForm) > 0.0 {
        return Source::Commit;
    }
    // Where the name is not in sight, what is only somewhat alike may lead there at most.
    let absent = !context.owed.is_empty() && !any_shows_owed(context);
    let least = if absent { ABOUT_THE_NAME } else { MAY_BE_MEANT };
    let control = context.model.control(widget.id);
    // A menu is opened on the way, unless the clause speaks of the menu itself.
    let leads = control.purposes.has_any(&[Purpose::Drawer, Purpose::Overflow]);
    let meant = features.get(Feature::Meaning) >= least && !leads
        || features.get(Feature::VerbMatch) > 0.0 && features.get(Feature::Meaning) >= 0.2
        || features.get(Feature::Said) >= 1.0 && !absent
        || features.get(Feature::ActionMeaning) >= MAY_BE_THE_ACTION
        || speaks.iter().any(|feature| features.get(*feature) > 0.0);
    if meant {
        return Source::Touch;
    }
    let sought = || {
        !any_shows_owed(context)
            && !is_given_to_new(context)
            && sought(context).is_some_and(|name| context.owed.contains(&name))
    };
    if control.purposes.has(Purpose::Search) && widget.clickable && sought() && widget.role != Role::Field {
        features.set(Feature::SearchFor, 0.8);
        features.set(Feature::SearchAlike, UNKNOWN_SEARCH);
    } else if control.purposes.has_any(&[Purpose::Drawer, Purpose::Overflow]) && !is_title(widget) {
        features.set(Feature::Menu, 1.0);
    } else if is_container(context, widget) {
        features.set(Feature::Container, 1.0);
    } else if widget.role != Role::Field {
        features.set(Feature::ContentGuess, 1.0);
    }
    if context.leads_to_sign_in(widget) {
        features.set(Feature::SignInWay, 1.0);
    }
    const HUBS: [Purpose; 4] = [Purpose::Settings, Purpose::Account, Purpose::Container, Purpose::Drawer];
    if control.purposes.has_any(&HUBS) && !is_title(widget) && !any_shows_owed(context) {
        features.set(Feature::Hub, 1.0);
    }
    features.set(Feature::WeakMeaning, 0.0);
    features.set(Feature::Look, 1.0);
    features.set(Feature::Holds, context.holds(widget));
    guess(context, widget, features);
    features.set(Feature::LookMeaning, features.get(Feature::Meaning));
    features.set(Feature::Meaning, 0.0);
    Source::Explore
}

/// True for a text that only tells where one is: the page that is called "Options" is entered already.
fn is_title(widget: &Widget) -> bool {
    matches!(widget.role, Role::Text | Role::ReadText) && !widget.clickable
}

/// True if the entries on the screen came from a menu, or from a page of pages that was entered on the way.
fn is_in_menu(context: &Context<'_>) -> bool {
    let journal = context.episode.journal;
    let Some(last) = journal.current().rfind(|record| record.moved()) else { return false };
    let Some(control) = &last.control else { return false };
    const LEADING: [Purpose; 6] =
        [Purpose::Drawer, Purpose::Overflow, Purpose::Settings, Purpose::Account, Purpose::Container, Purpose::Expand];
    last.after.fingerprint == context.model.screen.fingerprint && control.purposes.has_any(&LEADING)
}

/// True if a control opens a page that holds other pages: a tab, an entry of the bottom bar or of a menu, settings, account.
fn is_container(context: &Context<'_>, widget: &Widget) -> bool {
    let control = context.model.control(widget.id);
    let named = control.purposes.has_any(&[
        Purpose::Container,
        Purpose::Settings,
        Purpose::Account,
        Purpose::Home,
        Purpose::Expand,
    ]);
    // Choices over a list that sends nothing show another part of it: "Upcoming | Past".
    let part = widget.role == Role::Radio
        && context.model.fields().next().is_none()
        && context.model.commits().next().is_none()
        && !context.model.is_dialog();
    let bar = part || widget.role == Role::Tab || control.region == Region::BottomBar && !widget.label.is_empty();
    let entry = widget.role != Role::Field && widget.state.checked.is_none() && !widget.label.is_empty();
    let leads = named || bar || entry && is_in_menu(context) && !context.is_behind(widget);
    leads && widget.clickable && !widget.state.selected && widget.state.checked != Some(true)
}

fn reason(features: &Features) -> String {
    let told = [
        (Feature::ConfirmsDialog, "it confirms the dialog that the step opened"),
        (Feature::CommitsForm, "it sends the form that was filled in"),
        (Feature::Consent, "it must be ticked before the form is sent"),
        (Feature::NamedRow, "it belongs to the row that the step names"),
        (Feature::Named, "it bears a name of the step"),
        (Feature::Toggles, "it switches to the wanted state"),
        (Feature::SaidChoice, "the step says its label, and it is not as wanted yet"),
        (Feature::VerbMatch, "its label says what the step does"),
        (Feature::Said, "the step says its label"),
        (Feature::Container, "what the step asks for may lie behind it"),
        (Feature::Menu, "what the step asks for may stand in the menu"),
    ];
    let found = told.iter().find(|(feature, _)| features.get(*feature) >= 0.5);
    found.map_or("its meaning is nearest to the step", |(_, why)| why).to_owned()
}
