//! The operation agent (XUAT-Copilot §3.4.4): what to do next, as a ranking of everything that could be done.

use super::agent::Agent;
use super::certain::same_name;
use super::hints;
use super::memory::StepMemory;
use super::parameters::{self, Known, Trust};
use super::step::Step;
use crate::domain::{Action, CueText, PackageName, holds_name};
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::inference::EmbedError;
use crate::ranking::{Offer, Place, Query, Ranked, Scorer, candidates, rank};
use crate::skill::Library;

/// A ranking, and what of the step's form is still open.
pub(super) struct Plan {
    /// Best first, invalid ones left out.
    pub ranked: Vec<Ranked>,
    /// Parameters this step still has to give.
    pub pending: usize,
    /// Set when the widget the step means is already as the step wants it.
    pub satisfied: Option<String>,
}

/// What is known beyond the step and the screen.
pub(super) struct Background<'a> {
    /// The ranking's judgement.
    pub scorer: &'a Scorer<'a>,
    /// The case's parameters.
    pub parameters: &'a [Parameter],
    /// Names of those that earlier steps used up.
    pub used: &'a [String],
    /// The app under test.
    pub package: &'a PackageName,
}

/// How the agent would rank everything that could be done for `step` on `screen`, had it just begun with it.
pub fn consider(
    scorer: &Scorer<'_>,
    parameters: &[Parameter],
    package: &PackageName,
    step: &Step,
    screen: &Screen,
) -> Result<Vec<Ranked>, EmbedError> {
    let background = Background { scorer, parameters, used: &[], package };
    plan(&background, step, screen, &StepMemory::default(), Trust::Mention).map(|plan| plan.ranked)
}

/// Ranks everything that could be done for `step` on `screen`.
pub(super) fn plan(
    background: &Background<'_>,
    step: &Step,
    screen: &Screen,
    memory: &StepMemory,
    trust: Trust,
) -> Result<Plan, EmbedError> {
    let Background { scorer, parameters, used, package } = *background;
    let form = scorer.cues.is_form(&step.instruction);
    let types = |text: &str| scorer.skills.get("input_text").is_some_and(|skill| skill.is_cued(text));
    // A part of a step that has no verb of its own takes the step's: "fill in the name X and the phone number Y".
    let verbless = || scorer.skills.cued(&CueText::new(&step.instruction)).next().is_none();
    let typing = types(&step.instruction) || (verbless() && types(&step.original));
    let searching = scorer.cues.is_search(&step.instruction);
    let naming = scorer.cues.is_naming(&step.instruction);
    let known = Known { parameters, used, form, typing, cues: scorer.cues, searching, naming, trust };
    let mut offers = parameters::offers(scorer.embedder, step, &known, screen, memory)?;
    // What was given already is not looked up as well, unless the step says so.
    let looks_up = |offer: &Offer| {
        let Place::Field(id) = offer.place else { return false };
        let field = screen.widgets.get(id);
        field.is_some_and(|field| [&field.label, &field.hint].into_iter().any(|text| scorer.cues.is_search(text)))
    };
    offers.retain(|offer| searching || !memory.has_given_anywhere(&offer.parameter) || !looks_up(offer));
    let pending = pending(scorer, step, &offers);
    // A value that is typed is not also looked for on a label, nor is one that was touched.
    let touched = |name: &str| {
        let name = name.to_lowercase();
        let mut targets = memory.done.iter().filter_map(Action::target);
        targets.any(|target| target.label.to_lowercase().contains(&name))
    };
    // A window that is called like what is named is about it: what is done to it there need not say its name again.
    let titled = |name: &str| {
        let bears = |widget: &Widget| widget.clickable && holds_name(&widget.label, name);
        screen.kind == ScreenKind::Dialog && same_name(&screen.title, name) && !screen.widgets.iter().any(bears)
    };
    let named: Vec<String> = step
        .named
        .iter()
        .filter(|name| !titled(name))
        .filter(|name| {
            let typed = |offer: &Offer| {
                !offer.tentative
                    && matches!(offer.place, Place::Field(_) | Place::Keypad)
                    && offer.text.expose() == name.as_str()
            };
            !touched(name)
                && !offers.iter().any(typed)
                && !memory.given.iter().any(|(parameter, _)| value_of(parameters, parameter) == Some(name))
        })
        .cloned()
        .collect();
    let query = Query {
        instruction: &step.instruction,
        sentence: &step.sentence,
        whole: if step.original.is_empty() { &step.instruction } else { &step.original },
        named: &named,
        done: &memory.done,
        form_filled: pending == 0 && !memory.given.is_empty(),
    };
    let mut ranked = rank(scorer, screen, &query, candidates(screen, &offers, package))?;
    hints::apply(scorer.embedder, step, &memory.done, &mut ranked)?;
    ranked.retain(|ranked| !memory.is_excluded(screen.fingerprint, &ranked.candidate.action));
    let satisfied = satisfied(scorer, step, screen, &ranked);
    Ok(Plan { ranked, pending, satisfied })
}

/// A choice that is made, or a switch that is as wanted, needs no action. Steps that also send a form go on.
fn satisfied(scorer: &Scorer<'_>, step: &Step, screen: &Screen, ranked: &[Ranked]) -> Option<String> {
    if scorer.cues.is_submit(&step.instruction) {
        return None;
    }
    let meant = ranked
        .iter()
        .max_by(|a, b| a.meant().total_cmp(&b.meant()))
        .filter(|candidate| candidate.meant() >= scorer.weights.clearly_meant)?;
    let widget = meant.candidate.widget.and_then(|id| screen.widgets.get(id))?;
    if widget.role == Role::Selector {
        return step.named.contains(&widget.value).then(|| format!("the selector shows {:?}", widget.value));
    }
    let checked = widget.state.checked?;
    let wanted = match scorer.cues.wanted_state(&step.instruction) {
        Some(wanted) => wanted,
        // A radio button can only be chosen.
        None if widget.role == Role::Radio => true,
        None => return None,
    };
    let state = if checked { "on" } else { "off" };
    (checked == wanted).then(|| format!("{:?} is {state}", widget.label))
}

fn value_of<'a>(parameters: &'a [Parameter], name: &str) -> Option<&'a str> {
    parameters.iter().find(|parameter| parameter.name == name).map(|parameter| parameter.value.expose())
}

/// Offers that belong to this step: those it mentions, or, where it mentions none and is about a form, all.
fn pending(scorer: &Scorer<'_>, step: &Step, offers: &[Offer]) -> usize {
    let form = scorer.cues.is_form(&step.instruction);
    let own = |offer: &&Offer| offer.mentioned || (form && !offer.others_mentioned);
    offers.iter().filter(|offer| !offer.tentative).filter(own).count()
}

/// The first text the step names that it has not met yet: neither on a widget it touched, nor typed, nor on the screen.
/// A step that names something is not done before it has met it.
pub(super) fn unmet<'a>(
    step: &'a Step,
    parameters: &[Parameter],
    screen: &Screen,
    memory: &StepMemory,
) -> Option<&'a str> {
    // What a step touches is not met by what was typed into a field for want of it.
    let typed = |name: &str| {
        memory.done.iter().any(|action| matches!(action, Action::InputText { text, .. } if text.expose() == name))
    };
    let touches = Agent::touches(step);
    let met = |name: &str| {
        let shown = |widget: &&Widget| !(touches && widget.role == Role::Field && typed(name));
        let shows = |label: &str| holds_name(label, name) || same_name(label, name);
        memory.done.iter().filter_map(Action::target).any(|target| shows(&target.label))
            || memory.given.iter().any(|(parameter, _)| {
                parameter == name || value_of(parameters, parameter).is_some_and(|value| value == name)
            })
            || screen
                .widgets
                .iter()
                .filter(shown)
                .any(|widget| holds_name(&widget.label, name) || holds_name(&widget.value, name))
    };
    step.named.iter().map(String::as_str).find(|name| !met(name))
}

/// True when the step itself asks for this kind of looking: "scroll down", "wait".
pub(super) fn asked_for(skills: &Library, step: &Step, action: &Action) -> bool {
    looks_further(action) && skills.get(action.skill()).is_some_and(|skill| skill.is_cued(&step.instruction))
}

/// True for actions that only look further.
pub(super) fn looks_further(action: &Action) -> bool {
    matches!(action, Action::Scroll { .. } | Action::Wait { .. })
}
