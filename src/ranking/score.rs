//! Scoring: embedding similarity plus what an embedding cannot know, as named terms.

use super::background;
use super::candidate::Candidate;
use super::cues::Cues;
use super::question::Question;
use super::weights::Weights;
use crate::domain::{Action, CandidateView};
use crate::hierarchy::Screen;
use crate::inference::{EmbedError, Embedder, cosine};
use crate::skill::Library;

/// Name of the term for a switch that already is as wanted.
pub(super) const ALREADY_SO: &str = "state";
/// Name of the term for an action that was carried out in this step before.
pub(super) const DONE_BEFORE: &str = "done_before";

/// Name of the term for a label that means the same in other words.
pub const KINDRED: &str = "kindred";
/// Name of the term for a control that sends a form, or a box that must be ticked before.
pub const FORM: &str = "form";
/// Name of the term for a control that only leads on.
pub const ADVANCE: &str = "advance";

/// What the step wants, as far as the ranking needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The instruction, parameters filled in (secrets by name).
    pub instruction: &'a str,
    /// What the model compares with the candidates, and whose words are looked for on them: the instruction, or more.
    pub sentence: &'a str,
    /// The step as a whole, where the instruction is a part of it: what it says is not meant counts for all its parts.
    pub whole: &'a str,
    /// Texts the target's label should hold: quoted texts and values of mentioned parameters.
    pub named: &'a [String],
    /// Actions already carried out in this step.
    pub done: &'a [Action],
    /// Something was filled in during this step and nothing is left to fill in.
    pub form_filled: bool,
}

/// A candidate with its score and what the score is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The candidate.
    pub candidate: Candidate,
    /// Sum of the terms.
    pub score: f32,
    /// Weighted terms by the name of their weight; zero terms are left out.
    pub terms: Vec<(&'static str, f32)>,
}

impl Ranked {
    /// The score without the terms for what is already so or was done before: how much the step means this candidate.
    pub fn meant(&self) -> f32 {
        let history = |name: &str| name == ALREADY_SO || name == DONE_BEFORE;
        self.terms.iter().filter(|(name, _)| !history(name)).map(|(_, value)| value).sum()
    }

    /// As events show it.
    pub fn view(&self) -> CandidateView {
        CandidateView {
            action: self.candidate.action.clone(),
            text: self.candidate.text.clone(),
            score: self.score,
            terms: self.terms.iter().map(|(name, value)| (name.replace('_', " "), *value)).collect(),
        }
    }
}

/// Everything the scoring reads besides screen, query and candidates.
pub struct Scorer<'a> {
    /// The model.
    pub embedder: &'a dyn Embedder,
    /// Weights of the terms.
    pub weights: &'a Weights,
    /// Cue words.
    pub cues: &'a Cues,
    /// Skills with their own cue words.
    pub skills: &'a Library,
}

/// Most characters of an instruction that are read; the rest is left out, as the model leaves it out.
const MOST_CHARACTERS: usize = 1_000;

/// Ranks `candidates`, best first. Equal scores keep the order of the screen, so that the ranking is deterministic.
pub fn rank(
    scorer: &Scorer<'_>,
    screen: &Screen,
    query: &Query<'_>,
    candidates: Vec<Candidate>,
) -> Result<Vec<Ranked>, EmbedError> {
    let query = &Query {
        instruction: head(query.instruction),
        sentence: head(query.sentence),
        whole: head(query.whole),
        ..*query
    };
    let mut texts: Vec<&str> = vec![query.sentence];
    texts.extend(candidates.iter().map(|candidate| candidate.text.as_str()));
    texts.extend(background::texts());
    let vectors = scorer.embedder.embed(&texts)?;
    let (asked, vectors) = vectors.split_first().ok_or_else(|| EmbedError("no vectors came back".into()))?;
    let (vectors, general) = vectors.split_at_checked(candidates.len()).unwrap_or((vectors, &[]));
    let question = Question::new(scorer, screen, query, background::resemblance(asked, general));
    let mut ranked: Vec<Ranked> = candidates
        .into_iter()
        .zip(vectors)
        .map(|(candidate, vector)| {
            let meaning = if candidate.text.is_empty() { None } else { Some(cosine(asked, vector)) };
            let terms = question.terms(&candidate, meaning);
            Ranked { score: terms.iter().map(|(_, value)| value).sum(), candidate, terms }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(ranked)
}

fn head(text: &str) -> &str {
    text.char_indices().nth(MOST_CHARACTERS).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
