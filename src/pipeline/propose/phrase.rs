//! The phrases of an instruction that says several things: which of them nothing that was done is about, and what in sight is.

use super::context::Context;
use super::{Move, Proposal};
use crate::domain::{Action, InputText};
use crate::inference::{EmbedError, Embedding, cosine};
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::policy::Feature;
use crate::pipeline::task::{name_fit, phrases, title_of};

/// Likeness below which a control is about something else than a phrase.
const MIN_LIKENESS: f32 = 0.3;

/// From this surplus on a control is not far from what the clause asks for, however little it is like the whole of it.
const NEAR: f32 = 0.2;

/// The phrases of a clause, each with how much what was done is like it.
pub(crate) struct Phrases {
    open: Vec<Phrase>,
}

struct Phrase {
    text: String,
    vector: Embedding,
    /// How much what was done is like it.
    dealt: f32,
}

impl Phrases {
    /// The phrases of the clause at work that are not surely dealt with; none where it is one phrase.
    ///
    /// # Errors
    /// When the model fails.
    pub(crate) fn of(context: &Context<'_>) -> Result<Self, EmbedError> {
        let clause = context.clause();
        let embedder = context.episode.scorer.embedder;
        let names: Vec<String> = clause.names.iter().chain(&clause.proper_names).cloned().collect();
        let all = phrases(&clause.step.instruction, &names, &context.episode.knowledge.lexicon);
        if all.len() < 2 {
            return Ok(Self { open: Vec::new() });
        }
        let is_open = |phrase: &&String| {
            let mut own = clause.names.iter().filter(|name| phrase.contains(name.as_str())).peekable();
            own.peek().is_none() || own.any(|name| context.owed.contains(&name.as_str()))
        };
        let texts: Vec<String> = all.iter().filter(is_open).cloned().collect();
        let vectors = embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>())?;
        let deeds: Vec<&ActionRecord> = context.episode.journal.current_touches().collect();
        let told: Vec<String> = deeds.iter().copied().map(told).collect();
        let done = embedder.embed(&told.iter().map(String::as_str).collect::<Vec<_>>())?;
        let open = texts.into_iter().zip(vectors).map(|(text, vector)| {
            let likeness = deeds.iter().zip(&done).map(|(deed, own)| likeness((&text, &vector), deed.label(), own));
            Phrase { dealt: likeness.fold(0.0, f32::max), text, vector }
        });
        Ok(Self { open: open.collect() })
    }

    /// Tells for every touch how much more it is like a phrase than all that was done.
    ///
    /// # Errors
    /// When the model fails.
    pub(crate) fn mark(&self, context: &Context<'_>, proposals: &mut [Proposal]) -> Result<(), EmbedError> {
        if self.open.is_empty() {
            return Ok(());
        }
        let touch = |proposal: &&mut Proposal| {
            matches!(proposal.action, Move::Act(Action::Click { .. })) && !proposal.text.is_empty()
        };
        let mut touches: Vec<&mut Proposal> = proposals.iter_mut().filter(touch).collect();
        let texts: Vec<&str> = touches.iter().map(|proposal| proposal.text.as_str()).collect();
        let vectors = context.episode.scorer.embedder.embed(&texts)?;
        for (proposal, vector) in touches.iter_mut().zip(&vectors) {
            let label = proposal.widget.and_then(|id| context.model.screen.widgets.get(id)).map_or("", |it| &it.label);
            let more = |phrase: &Phrase| {
                likeness((&phrase.text, &phrase.vector), label, vector) - phrase.dealt.max(MIN_LIKENESS)
            };
            let most = self.open.iter().map(more).fold(0.0, f32::max);
            proposal.features.set(Feature::PhraseFit, most);
            if most >= NEAR {
                proposal.features.set(Feature::FarGuess, 0.0);
            }
        }
        Ok(())
    }
}

/// How much a control is like a phrase: by meaning, or because its title is called so.
fn likeness((text, vector): (&str, &Embedding), label: &str, own: &Embedding) -> f32 {
    cosine(vector, own).max(name_fit(title_of(label), text))
}

/// What was touched and typed, in the words that the model read.
fn told(record: &ActionRecord) -> String {
    match &record.action {
        Action::InputText { text: InputText::Plain(text), .. } => format!("{} {text}", record.text),
        _ => record.text.clone(),
    }
}
