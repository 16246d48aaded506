//! Proposals to set a picker, slider, stepper or another control that holds a value.

use super::context::{Context, is_picker};
use super::touch::MAY_BE_MEANT;
use super::{Move, Proposal, Source};
use crate::domain::{InputText, stem, words};
use crate::hierarchy::{Role, WidgetId};
use crate::lexicon::Inflection;
use crate::pipeline::journal::{ActionRecord, Journal};
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::Region;
use crate::pipeline::task::{Parameter, asked_fit};
use crate::pipeline::value_control::{self, Adjusted, ControlKind, Plan, Step, ValueRequest};

/// Below this a control is not the one that is meant.
const MIN_NAME_FIT: f32 = 0.3;
/// From these fits on a value that stands there is the one that is wanted.
const SURE: f32 = 0.6;
/// From this fit on a field is called after a value, or has its form.
const TYPED: f32 = 0.6;
/// From this fit on an option in sight is the value.
const EXACT: f32 = 0.75;
/// Below this a value is not meant for the control.
const MIN_VALUE_FIT: f32 = 0.4;

/// What the value controls of a screen say to a clause.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// What would bring a control nearer to its value.
    pub proposals: Vec<Proposal>,
    /// Controls that hold what the clause wants: what they show.
    pub reached: Vec<String>,
    /// How surely a control in sight is to take a value that it does not hold, 0 to 1.
    pub left: f32,
    /// How many values that the form needs and no clause names are not set.
    pub free: usize,
    /// Why a control cannot take its value, where that is certain.
    pub impossible: Option<String>,
}

/// Plans for the value controls.
pub(crate) fn values(context: &Context<'_>) -> Values {
    let clause = context.clause();
    let journal = context.episode.journal;
    let history = history(journal);
    let settled: Vec<String> = journal.typed().map(str::to_owned).collect();
    let mut wanted = clause.names.clone();
    wanted.extend(context.spoken_values());
    // "Put 6 of them into the cart": the number may be a parameter that the sentence leaves out.
    wanted.extend(context.count.map(|count| count.wanted.to_string()));
    let request = ValueRequest { text: &clause.step.instruction, values: &wanted, settled: &settled };
    let mut found = Values::default();
    free_values(context, &settled, &history, &mut found);
    if context.is_fulfilled() && !clause.is_goal {
        return found;
    }
    for plan in value_control::plan(context.model.screen, &context.episode.knowledge.lexicon, &request, &history) {
        tracing::debug!(name = plan.control.name, wanted = plan.wanted, plan.name_fit, plan.value_fit, step = ?plan.step, "value");
        let unfit = plan.name_fit < MIN_NAME_FIT || plan.value_fit < MIN_VALUE_FIT;
        // On a page that was opened in search of something, a control that nothing names is hardly the one that is meant.
        let unfit = unfit || plan.control.name.is_empty() && journal.is_exploring();
        if unfit || !is_asked(context, &plan) || is_option(context, &plan) || is_of_another(context, &plan) {
            continue;
        }
        match &plan.step {
            Step::Reached { shown } if plan.name_fit >= SURE && plan.value_fit >= SURE => {
                found.reached.push(shown.clone())
            }
            Step::Reached { .. } => {}
            Step::Impossible { reason } => {
                found.impossible.get_or_insert_with(|| reason.clone());
            }
            // What has had its effect is not set a second time.
            Step::Act { .. }
                if clause.names.contains(&plan.wanted) && !context.owed.contains(&plan.wanted.as_str()) => {}
            // A list that was opened and did not offer the value is not opened again.
            Step::Act { action, .. }
                if plan.control.kind == ControlKind::Dropdown
                    && journal.times_done(context.model.screen.fingerprint, action) > 0 => {}
            Step::Act { action, reason } => {
                let (action, reason) = (action.clone(), reason.clone());
                let owed = context.owed.iter().any(|name| name.contains(plan.wanted.as_str()));
                let sure = if owed { 1.0 } else { plan.name_fit };
                found.left = found.left.max(if plan.value_fit >= SURE || owed { sure } else { 0.0 });
                found.proposals.push(proposal(&plan, action, reason));
            }
        }
    }
    found
}

/// Plans for the values that the form needs and no clause names: "Fill in the form" sets what the parameters hold.
fn free_values(context: &Context<'_>, settled: &[String], history: &[Adjusted], found: &mut Values) {
    let (mut proposals, mut set): (Vec<Proposal>, Vec<WidgetId>) = (Vec::new(), Vec::new());
    // A value that a field is called after is typed there.
    let typed = |parameter: &&Parameter| {
        context.bindings.open.iter().any(|open| open.parameter == parameter.name && open.fit >= TYPED)
    };
    let mut free: Vec<&Parameter> = context.free_parameters().filter(|parameter| !typed(parameter)).collect();
    let akin: Vec<&Parameter> = context.akin_parameters().collect();
    free.extend(&akin);
    for parameter in &free {
        let InputText::Plain(value) = &parameter.value else { continue };
        let text = format!("{}: {value}", parameter.words());
        let values = [value.clone()];
        let request = ValueRequest { text: &text, values: &values, settled };
        for plan in value_control::plan(context.model.screen, &context.episode.knowledge.lexicon, &request, history) {
            // What shows the very value holds it, whatever it is called.
            if matches!(plan.step, Step::Reached { .. }) && plan.value_fit >= EXACT {
                set.extend(&plan.control.widgets);
                continue;
            }
            if plan.name_fit < SURE || plan.value_fit < MIN_VALUE_FIT || is_option(context, &plan) {
                continue;
            }
            // What is called by the value is about the thing that is called so, and does not take it.
            if is_called_by(&plan, value) && !is_called_after(&plan, parameter) {
                continue;
            }
            if akin.iter().any(|one| one.name == parameter.name) && !is_called_after(&plan, parameter) {
                continue;
            }
            // What the values are for is not known: a closed list is opened for one that it is called after, or the last.
            let closed = plan.control.kind == ControlKind::Dropdown && plan.value_fit < EXACT;
            if closed && free.len() > 1 && !is_called_after(&plan, parameter) {
                continue;
            }
            if let Step::Reached { .. } = &plan.step {
                set.extend(&plan.control.widgets);
            }
            if let Step::Act { action, reason } = &plan.step {
                let mut proposal = proposal(&plan, action.clone(), reason.clone());
                // What takes several touches has not taken the value after the first.
                if takes_at_once(plan.control.kind) {
                    proposal.parameter = Some(parameter.name.clone());
                }
                proposals.push(proposal);
            }
        }
    }
    // What holds one of the values is not set to another.
    proposals.retain(|proposal| proposal.widget.is_none_or(|id| !set.contains(&id)));
    found.free = proposals.len();
    if found.free > 0 {
        found.left = 1.0;
    }
    found.proposals.append(&mut proposals);
}

/// True for a control that holds a value after one touch.
const fn takes_at_once(kind: ControlKind) -> bool {
    matches!(kind, ControlKind::Segmented | ControlKind::ChipGroup | ControlKind::RadioGroup | ControlKind::Rating)
}

/// True if a control's name and a parameter's share a word.
fn is_called_after(plan: &Plan, parameter: &Parameter) -> bool {
    let own: Vec<String> = words(&plan.control.name).iter().map(|word| stem(word)).collect();
    asked_fit(&own, &parameter.words(), Inflection::ENGLISH) > 0.0
}

/// True if all words of a control's name are words of the value.
fn is_called_by(plan: &Plan, value: &str) -> bool {
    let own: Vec<String> = words(&plan.control.name).iter().map(|word| stem(word)).collect();
    asked_fit(&own, value, Inflection::ENGLISH) >= 1.0
}

/// From this fit on the form of a value tells which control takes it.
const FORMED: f32 = 0.9;

/// True for a bar that is called otherwise than anything that the clause is about, in words and in meaning, where the form of the value
/// does not tell that it goes there. A number alone may be meant for a stepper, whatever it counts.
fn is_of_another(context: &Context<'_>, plan: &Plan) -> bool {
    let clause = context.clause();
    let name = &plan.control.name;
    let says = asked_fit(&clause.topic, name, clause.inflection) > 0.0 || name.is_empty() || clause.topic.is_empty();
    let of_control = |id: &WidgetId| context.ranked.iter().find(|one| one.candidate.widget == Some(*id));
    let meaning = plan.control.widgets.iter().filter_map(of_control).map(|one| one.score).fold(0.0, f32::max);
    plan.control.kind == ControlKind::Slider && !says && plan.value_fit < FORMED && meaning < MAY_BE_MEANT
}

/// True for a row of a page on which a value is picked: it is one of the options, and opens none.
fn is_option(context: &Context<'_>, plan: &Plan) -> bool {
    let row = plan.control.widgets.last().and_then(|id| context.model.screen.widgets.get(*id));
    let plain = row.is_some_and(|row| matches!(row.role, Role::Button | Role::ListItem | Role::Text));
    plan.control.kind == ControlKind::Dropdown && plain && is_picker(context.episode, context.model)
}

/// True if the clause may mean a choice of this kind: what opens, sends or deletes something chooses no chip.
fn is_asked(context: &Context<'_>, plan: &Plan) -> bool {
    use crate::pipeline::task::{Verb, VerbSet};
    const CHOOSING: VerbSet = VerbSet::of(&[
        Verb::Choose,
        Verb::Edit,
        Verb::Filter,
        Verb::Sort,
        Verb::Enter,
        Verb::Rate,
        Verb::Create,
        Verb::Search,
        Verb::Order,
        Verb::Mark,
        Verb::TurnOn,
        Verb::TurnOff,
        Verb::Increase,
        Verb::Decrease,
    ]);
    let choice = matches!(
        plan.control.kind,
        ControlKind::Segmented | ControlKind::ChipGroup | ControlKind::RadioGroup | ControlKind::Dropdown
    );
    let clause = context.clause();
    // What is turned on or off is no list to choose from, unless one of its values is named.
    let turns = clause.leads_with(VerbSet::of(&[Verb::TurnOn, Verb::TurnOff])) && !clause.names.contains(&plan.wanted);
    if turns && plan.control.kind == ControlKind::Dropdown {
        return false;
    }
    let bar = plan.control.widgets.first().is_some_and(|id| context.model.control(*id).region == Region::BottomBar);
    !choice || !bar && plan.value_fit >= SURE && (clause.lead.is_none() || clause.verbs.meets(CHOOSING))
}

/// What was done in the clause, with what value controls showed before and after it.
fn history(journal: &Journal) -> Vec<Adjusted> {
    let shown = |record: &ActionRecord| record.control.as_ref().map(|control| control.value.clone());
    let records: Vec<&ActionRecord> = journal.current().collect();
    let after = |at: usize| {
        let same = |other: &&&ActionRecord| other.source == Source::Value;
        records.get(at + 1..).and_then(|later| later.iter().find(same)).and_then(|record| shown(record))
    };
    let adjusted = |(at, record): (usize, &&ActionRecord)| Adjusted {
        action: record.action.clone(),
        shown_before: shown(record).filter(|value| !value.is_empty()),
        shown_after: if record.source == Source::Value { after(at) } else { None },
    };
    records.iter().enumerate().map(adjusted).collect()
}

fn proposal(plan: &Plan, action: crate::domain::Action, reason: String) -> Proposal {
    let widget: Option<WidgetId> = plan.control.widgets.first().copied();
    let features = Features::default().with(Feature::ValueName, plan.name_fit).with(Feature::ValueFit, plan.value_fit);
    Proposal {
        action: Move::Act(action),
        widget,
        source: Source::Value,
        features,
        parameter: None,
        shown: plan.control.shown.clone(),
        reason,
        text: format!("{} | {}", plan.control.name, plan.wanted),
    }
}
