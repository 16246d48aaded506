//! Everything that could be done for a step on a screen, ranked by meaning: what the labels of the ranking are measured against.

use super::bind::bind;
use super::journal::Journal;
use super::task::{Clause, Lexicon, Parameter, Step};
use crate::domain::PackageName;
use crate::hierarchy::{Role, Screen, WidgetId};
use crate::inference::EmbedError;
use crate::ranking::{Offer, Place, Query, Ranked, Scorer, candidates, rank};

/// Ranks everything that could be done for `step` on `screen` where nothing was done yet, best first. A value is offered to the
/// place it is bound to; one that the step mentions also, tentatively, to every other field.
///
/// # Errors
/// The model fails.
pub fn consider(
    scorer: &Scorer<'_>,
    lexicon: &Lexicon,
    parameters: &[Parameter],
    package: &PackageName,
    step: &Step,
    screen: &Screen,
) -> Result<Vec<Ranked>, EmbedError> {
    let clause = Clause::read(step, "", lexicon);
    let mut journal = Journal::default();
    journal.begin_clause();
    let bound = bind(scorer.embedder, scorer.cues, &clause, parameters, &journal, screen, lexicon)?;
    let mentions_some = !step.mentions.is_empty() || !step.quoted.is_empty();
    let mut offers: Vec<Offer> = Vec::new();
    for binding in bound.open {
        let others_mentioned = !binding.mentioned && mentions_some;
        offers.push(Offer {
            place: binding.place,
            parameter: binding.parameter,
            text: binding.text,
            fit: binding.fit,
            mentioned: binding.mentioned,
            others_mentioned,
            tentative: false,
        });
    }
    let taken: Vec<WidgetId> = offers.iter().filter_map(|offer| offer.place.widget()).collect();
    let free = || screen.widgets.iter().filter(|widget| widget.role == Role::Field && !taken.contains(&widget.id));
    for parameter in parameters.iter().filter(|parameter| step.mentions.contains(&parameter.name)) {
        offers.extend(free().map(|widget| Offer {
            place: Place::Field(widget.id),
            parameter: parameter.name.clone(),
            text: parameter.value.clone(),
            fit: 0.0,
            mentioned: true,
            others_mentioned: false,
            tentative: true,
        }));
    }
    let query = Query {
        instruction: &step.instruction,
        sentence: if step.sentence.is_empty() { &step.instruction } else { &step.sentence },
        whole: if step.original.is_empty() { &step.instruction } else { &step.original },
        named: &step.named,
        done: &[],
        form_filled: false,
    };
    rank(scorer, screen, &query, candidates(screen, &offers, package))
}
