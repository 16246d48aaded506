//! Proposals to enter a value.

use super::context::{Context, label_fit};
use super::{Move, Proposal, Source};
use crate::domain::{Action, InputText};
use crate::hierarchy::{Role, Widget};
use crate::inference::cosine;
use crate::lexicon::Grammar;
use crate::pipeline::bind::Binding;
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{BEARS, Parameter, Verb, VerbSet};
use crate::pipeline::value_control::read_date;
use crate::ranking::Place;

/// The name of a thing that the clause owes and the screen does not show: a number or a date is none.
pub(super) fn sought<'c>(context: &Context<'c>) -> Option<&'c str> {
    let shown = |name: &str| {
        context.model.touchables().any(|widget| widget.role != Role::Field && label_fit(widget, name) >= BEARS)
    };
    // Where one thing that is called by its name is in sight, a word with a capital letter need not be looked up.
    let in_sight = context.clause().proper_names.iter().any(|name| shown(name));
    let proper = context.clause().proper_names.iter().map(String::as_str).filter(|_| !in_sight);
    let mut names = context.owed.iter().copied().chain(proper);
    names.find(|name| !shown(name) && name.chars().any(char::is_alphabetic) && read_date(name).is_none())
}

/// True if the clause makes a new thing and gives it its name: what is not there yet cannot be found.
pub(super) fn is_given_to_new(context: &Context<'_>) -> bool {
    let clause = context.clause();
    let lexicon = &context.episode.knowledge.lexicon;
    let instruction = clause.step.instruction.as_str();
    let names = lexicon.holds(Grammar::New, instruction) || lexicon.holds(Grammar::Naming, instruction);
    clause.leads_with(VerbSet::of(&[Verb::Create])) && names
}

/// Names that the clause owes and the screen does not show, for the search field: what is not in sight may be found.
pub(crate) fn searches(context: &Context<'_>) -> Vec<Proposal> {
    let clause = context.clause();
    let cues = context.episode.scorer.cues;
    let journal = context.episode.journal;
    let Some(name) = sought(context) else { return Vec::new() };
    let looked_up = journal
        .current()
        .any(|record| matches!(&record.action, Action::InputText { text, .. } if text.expose() == name));
    // "Sort by name" orders the list that is there.
    let orders = clause.verbs.has(Verb::Sort) && !clause.verbs.has(Verb::Search) && !clause.is_goal;
    if looked_up || orders || clause.fills() && !clause.verbs.has(Verb::Create) || is_given_to_new(context) {
        return Vec::new();
    }
    let is_search = |widget: &&Widget| {
        [&widget.label, &widget.hint, &widget.id_words].into_iter().any(|text| cues.is_search(text))
            || context.model.control(widget.id).purposes.has(Purpose::Search)
    };
    // A field alone above a list that nothing sends narrows the list down.
    let alone = context.model.fields().count() == 1
        && context.model.commits().next().is_none()
        && context.model.rows.len() >= 3;
    let fields =
        context.model.fields().filter(|widget| widget.state.enabled).filter(|widget| alone || is_search(widget));
    let features = |field: &Widget| {
        Features::default().with(Feature::SearchFor, 1.0).with(Feature::SearchAlike, search_alike(context, field, name))
    };
    fields
        .map(|field| Proposal {
            action: Move::Act(Action::InputText { target: field.target(), text: InputText::Plain(name.to_owned()) }),
            widget: Some(field.id),
            source: Source::Explore,
            features: features(field),
            parameter: None,
            shown: None,
            reason: format!("{name:?} is not in sight and may be found"),
            text: field.label.clone(),
        })
        .collect()
}

/// How much what a search field asks for is like what is to be looked up, 0 to 1: a town is looked up where towns are. 1 where
/// the clause says that something is to be looked up.
fn search_alike(context: &Context<'_>, field: &Widget, name: &str) -> f32 {
    let clause = context.clause();
    if clause.verbs.has(Verb::Search) {
        return 1.0;
    }
    let parameter = context.episode.parameters.iter().find(|one| one.value.expose() == name);
    let sought = parameter.map_or_else(|| clause.topic.join(" "), Parameter::words);
    let asks = format!("{} {}", field.label, field.hint);
    // Without vectors nothing is known of it; the same failure ends the decision where controls are ranked.
    let vectors = context.episode.scorer.embedder.embed(&[sought.as_str(), asks.as_str()]).unwrap_or_default();
    match vectors.as_slice() {
        [sought, asks] => cosine(sought, asks).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

/// Fits that differ by less are equal.
const HARDLY: f32 = 0.0005;

/// Which other values were in question for a place, by name; empty where there is no doubt. Values stay unsaid.
fn in_question(binding: &Binding) -> String {
    let told = |(name, less): &(String, f32)| match less {
        less if *less < HARDLY => format!("${{{name}}} fits here equally and comes later by its name"),
        less => format!("${{{name}}} fits here only {less:.3} less"),
    };
    let rivals: Vec<String> = binding.rivals.iter().map(told).collect();
    match rivals.as_slice() {
        [] => String::new(),
        rivals => format!("; ${{{}}} was in question with others: {}", binding.parameter, rivals.join(", ")),
    }
}

/// Values for the fields of the screen and for its keypad.
pub(crate) fn inputs(context: &Context<'_>) -> Vec<Proposal> {
    let screen = context.model.screen;
    let height = screen.display.height.max(1) as f32;
    let mut found = Vec::new();
    for binding in &context.bindings.open {
        let widget = binding.widget.and_then(|id| screen.widgets.get(id));
        let (action, text) = match (binding.place, widget) {
            (Place::Field(_), Some(field)) if field.role == Role::Field => {
                (Action::InputText { target: field.target(), text: binding.text.clone() }, field.label.clone())
            }
            (Place::Keypad, _) => (
                Action::InputByNumericKeyboard { digits: binding.text.clone(), keys: screen.keypad_keys() },
                "numeric keypad".to_owned(),
            ),
            _ => continue,
        };
        let mut features = Features::default().with(Feature::Binding, binding.fit);
        if binding.mentioned {
            features.set(Feature::BindingMentioned, 1.0);
        }
        if let Some(widget) = widget {
            features.set(Feature::Above, 1.0 - (widget.bounds.top as f32 / height).clamp(0.0, 1.0));
        }
        if context.clause().verbs.has(Verb::Search) {
            features.set(Feature::SearchFor, 1.0);
            features.set(Feature::SearchAlike, 1.0);
        }
        if context.episode.journal.times_done(screen.fingerprint, &action) > 0 {
            features.set(Feature::DoneBefore, 1.0);
        }
        found.push(Proposal {
            action: Move::Act(action),
            widget: binding.widget,
            source: Source::Input,
            features,
            parameter: Some(binding.parameter.clone()),
            shown: None,
            reason: format!("{:?} belongs there{}", binding.parameter, in_question(binding)),
            text,
        });
    }
    found
}
