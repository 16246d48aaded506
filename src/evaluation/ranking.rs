//! The ranking against labelled instructions: is what a person would touch on top?

use super::agent_port::{Parameter, Step, rank};
use super::ranking_labels::{Label, LabelledScreen};
use super::ranking_score::{RankingReport, Tally};
use super::ranking_texts::place;
use crate::case::{Case, Rewriter};
use crate::domain::Rect;
use crate::pipeline::Knowledge;
use crate::ranking::{Candidate, Ranked, Scorer};
use crate::run::PlannedCase;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// A label that could not be put to the ranking.
#[derive(Debug, thiserror::Error)]
#[error("label {id}: {reason}")]
pub struct RankingEvaluationError {
    /// The label.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// A label as the agent reads it.
pub(super) struct Question {
    /// The step.
    pub step: Step,
    /// What there is to type.
    pub parameters: Vec<Parameter>,
}

/// Puts every label to the ranking, as the agent would: the instruction is rewritten like a case's step, a text to type is
/// a parameter of the case, named `text`, and where the instruction says the text, it mentions the parameter. Screens
/// that `is_apart` picks are also counted on their own.
///
/// # Errors
/// A label cannot be read as a step, or the model fails.
pub fn evaluate_ranking(
    model: &str,
    (scorer, knowledge): (&Scorer<'_>, &Knowledge),
    rewriter: &Rewriter,
    screens: &[LabelledScreen],
    is_apart: &dyn Fn(&LabelledScreen) -> bool,
    heard: &mut dyn FnMut(&LabelledScreen, &Label, &[Ranked]),
) -> Result<RankingReport, RankingEvaluationError> {
    let mut tally = Tally::default();
    for labelled in sample(screens) {
        scorer.embedder.forget();
        if let Some(label) = labelled.labels.first() {
            let question = question(label, rewriter)?;
            let asked = Instant::now();
            drop(ranked_on((scorer, knowledge), &question, label, labelled)?);
            tally.cold(asked.elapsed());
        }
    }
    scorer.embedder.forget();
    for labelled in screens {
        for label in &labelled.labels {
            let question = question(label, rewriter)?;
            let asked = Instant::now();
            let ranked = ranked_on((scorer, knowledge), &question, label, labelled)?;
            let first = asked.elapsed();
            let asked = Instant::now();
            drop(ranked_on((scorer, knowledge), &question, label, labelled)?);
            tally.time(first, asked.elapsed());
            tally.label(label, is_apart(labelled), &ranked);
            heard(labelled, label, &ranked);
        }
    }
    // The same instructions where they make no sense: on screens of other apps.
    for (at, labelled) in screens.iter().enumerate() {
        for (number, label) in labelled.labels.iter().enumerate() {
            if let Some(foreign) = foreign(screens, at, number) {
                tally.foreign(&ranked_on((scorer, knowledge), &question(label, rewriter)?, label, foreign)?);
            }
        }
    }
    Ok(tally.finish(model, scorer.weights))
}

/// Screens on which a first decision is timed.
const MOST_COLD: usize = 40;

/// Screens evenly spread over all of them.
fn sample(screens: &[LabelledScreen]) -> impl Iterator<Item = &LabelledScreen> {
    screens.iter().step_by(screens.len().div_ceil(MOST_COLD).max(1))
}

/// A screen of another app, each label of a screen another one.
pub(super) fn foreign(screens: &[LabelledScreen], at: usize, number: usize) -> Option<&LabelledScreen> {
    let own = screens.get(at)?;
    // Far apart, so that screens of one app that stand together are not met again and again.
    let start = at + screens.len() / 2 + 7 * number;
    (0..screens.len()).map(|step| &screens[(start + step) % screens.len()]).find(|other| other.package != own.package)
}

/// The label as a step of a case.
pub(super) fn question(label: &Label, rewriter: &Rewriter) -> Result<Question, RankingEvaluationError> {
    let failed = |reason: String| RankingEvaluationError { id: label.id.clone(), reason };
    let mut instruction = label.instruction.replace("${", "$ {");
    let mut form = json!({ "id": "LABEL", "title": "Label", "app": {"package": "com.example.label"} });
    if let Some(text) = label.text.as_ref().filter(|text| !text.is_empty()) {
        form["params"] = json!({ "text": text });
        instruction = instruction.replacen(text.as_str(), "${text}", 1);
    }
    form["steps"] = json!([instruction]);
    // JSON is YAML.
    let case = Case::parse(Path::new("labels.jsonl"), &form.to_string()).map_err(|error| failed(error.to_string()))?;
    let case = PlannedCase::new(&case, rewriter, &BTreeMap::new()).map_err(|error| failed(error.to_string()))?;
    let step = case.steps.into_iter().next().ok_or_else(|| failed("it gives no step".into()))?;
    Ok(Question { step, parameters: case.parameters })
}

pub(super) fn ranked_on(
    (scorer, knowledge): (&Scorer<'_>, &Knowledge),
    question: &Question,
    label: &Label,
    labelled: &LabelledScreen,
) -> Result<Vec<Ranked>, RankingEvaluationError> {
    rank(scorer, knowledge, &question.parameters, &labelled.package, &question.step, &labelled.screen)
        .map_err(|reason| RankingEvaluationError { id: label.id.clone(), reason })
}

/// True when the candidate is what the label asks for: the same skill, and its bounds are one of the right places or its
/// tap point lies in one. What is not about a place needs the skill only.
pub fn is_hit(label: &Label, candidate: &Candidate) -> bool {
    if candidate.action.skill() != label.skill {
        return false;
    }
    if label.bounds.is_none() && label.also_ok.is_empty() {
        return true;
    }
    let (bounds, tap) = place(candidate);
    let right = |at: Rect| bounds == Some(at) || tap.is_some_and(|tap| at.contains(tap));
    label.places().any(right)
}
