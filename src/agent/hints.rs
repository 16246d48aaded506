//! Hints: plain sentences about an app, followed where they fit ("To change the theme, open Customize colors").
//!
//! A hint fits a step when what it is about means what the step says. What it advises then counts for the candidates it
//! names, and for goals it is read with the goal.

use super::step::Step;
use crate::domain::{Action, content_words, overlap, same_word};
use crate::inference::{EmbedError, Embedder, cosine};
use crate::ranking::Ranked;

/// Name of the term.
const TERM: &str = "hint";
/// From this likeness on a hint is about what a step says.
const FITS: f32 = 0.55;
/// From this share of words on it is.
const SHARES: f32 = 0.5;
/// What a candidate is worth more that a fitting hint names.
const NAMED: f32 = 0.45;
/// What the likeness of a candidate and the advice is worth beyond the usual.
const ALIKE: f32 = 0.4;
/// Likeness of an advice and a candidate that tells nothing.
const USUAL: f32 = 0.5;

/// What a hint is about, and what it advises.
fn parts(hint: &str) -> (&str, &str) {
    let cut = [", ", "，", "、", ": ", "：", " – ", "; "].iter().filter_map(|joint| {
        let at = hint.find(joint)?;
        Some((at, at + joint.len()))
    });
    match cut.min() {
        Some((end, start)) => (&hint[..end], &hint[start..]),
        None => (hint, hint),
    }
}

/// What the hints advise that fit a step.
fn advice<'s>(embedder: &dyn Embedder, step: &'s Step) -> Result<Vec<&'s str>, EmbedError> {
    if step.hints.is_empty() {
        return Ok(Vec::new());
    }
    let mut texts: Vec<&str> = vec![step.instruction.as_str()];
    texts.extend(step.hints.iter().map(|hint| parts(hint).0));
    let vectors = embedder.embed(&texts)?;
    let Some((asked, about)) = vectors.split_first() else { return Ok(Vec::new()) };
    let words = content_words(&step.instruction);
    let fitting = step.hints.iter().zip(about).filter(|(hint, vector)| {
        cosine(asked, vector) >= FITS || overlap(&words, &content_words(parts(hint).0)) >= SHARES
    });
    Ok(fitting.map(|(hint, _)| parts(hint).1).collect())
}

/// The instruction with what the fitting hints advise.
pub(super) fn with_advice(embedder: &dyn Embedder, step: &Step) -> Result<String, EmbedError> {
    let mut said = step.instruction.clone();
    for advice in advice(embedder, step)? {
        said.push_str(", ");
        said.push_str(advice);
    }
    Ok(said)
}

/// Lets the fitting hints count. What a hint advises is done once.
pub(super) fn apply(
    embedder: &dyn Embedder,
    step: &Step,
    done: &[Action],
    ranked: &mut [Ranked],
) -> Result<(), EmbedError> {
    let advice = advice(embedder, step)?;
    if advice.is_empty() || ranked.is_empty() {
        return Ok(());
    }
    let mut texts = advice.clone();
    texts.extend(ranked.iter().map(|ranked| ranked.candidate.text.as_str()));
    let vectors = embedder.embed(&texts)?;
    let (advised, own) = vectors.split_at(advice.len());
    let said: Vec<Vec<String>> = advice.iter().map(|advice| content_words(advice)).collect();
    for (ranked, vector) in ranked.iter_mut().zip(own) {
        let Action::Click { target } = &ranked.candidate.action else { continue };
        if done.iter().any(|done| done.target().is_some_and(|at| at.label == target.label)) {
            continue;
        }
        let name = content_words(target.label.split(", ").next().unwrap_or_default());
        let names = |said: &Vec<String>| {
            !name.is_empty() && name.iter().all(|word| said.iter().any(|other| same_word(word, other)))
        };
        let like = advised.iter().map(|advice| cosine(advice, vector)).fold(0.0, f32::max);
        let worth = if said.iter().any(names) { NAMED } else { ALIKE * (like - USUAL).max(0.0) };
        if worth > 0.0 {
            ranked.score += worth;
            ranked.terms.push((TERM, worth));
        }
    }
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_about_something_and_advises_something() {
        assert_eq!(
            parts("To change the theme, open Customize colors"),
            ("To change the theme", "open Customize colors")
        );
        assert_eq!(parts("更换主题：打开自定义颜色"), ("更换主题", "打开自定义颜色"));
        assert_eq!(parts("The menu is at the top"), ("The menu is at the top", "The menu is at the top"));
    }
}
