//! The operation agent (XUAT-Copilot §3.4.4): what to do next, as a ranking of everything that could be done.

use super::memory::StepMemory;
use super::parameters;
use super::step::{Parameter, Step};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::inference::EmbedError;
use crate::ranking::{Offer, Query, Ranked, Scorer, candidates, rank};

/// A ranking, and what of the step's form is still open.
pub struct Plan {
    /// Best first, invalid ones left out.
    pub ranked: Vec<Ranked>,
    /// Fields this step still has to fill.
    pub pending: usize,
}

/// Ranks everything that could be done for `step` on `screen`.
pub fn plan(
    scorer: &Scorer<'_>,
    step: &Step,
    parameters: &[Parameter],
    screen: &Screen,
    memory: &StepMemory,
) -> Result<Plan, EmbedError> {
    let offers = parameters::offers(scorer.embedder, step, parameters, screen, memory)?;
    let pending = pending(scorer, step, &offers);
    // A value that is typed is not also looked for on a label.
    let named: Vec<String> = step
        .named
        .iter()
        .filter(|name| {
            let typed = |offer: &Offer| offer.text.expose() == name.as_str();
            !offers.iter().any(typed)
                && !memory.typed.iter().any(|(parameter, _)| value_of(parameters, parameter) == Some(name))
        })
        .cloned()
        .collect();
    let query = Query {
        instruction: &step.instruction,
        named: &named,
        done: &memory.done,
        form_filled: pending == 0 && !memory.typed.is_empty(),
    };
    let mut ranked = rank(scorer, screen, &query, candidates(screen, &offers))?;
    ranked.retain(|ranked| !memory.is_excluded(screen.fingerprint, &ranked.candidate.action));
    Ok(Plan { ranked, pending })
}

fn value_of<'a>(parameters: &'a [Parameter], name: &str) -> Option<&'a str> {
    parameters.iter().find(|parameter| parameter.name == name).map(|parameter| parameter.value.expose())
}

/// Offers that belong to this step: those it mentions, or, where it mentions none and is about a form, all.
fn pending(scorer: &Scorer<'_>, step: &Step, offers: &[Offer]) -> usize {
    let form = scorer.cues.is_form(&step.instruction);
    offers.iter().filter(|offer| offer.mentioned || (form && !offer.others_mentioned)).count()
}

/// True for actions that only look further.
pub fn looks_further(action: &Action) -> bool {
    matches!(action, Action::Scroll { .. } | Action::Wait { .. })
}
