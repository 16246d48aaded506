//! Hints: plain sentences about an app, followed where they fit: "To change the theme, open Customize colors".
//!
//! A hint fits a clause when what it is about means what the clause says. What it advises then counts for the controls it names.

use super::context::Context;
use super::{Move, Proposal};
use crate::domain::{Action, content_words, overlap, same_word};
use crate::inference::{EmbedError, cosine};
use crate::pipeline::policy::Feature;

/// From this likeness on a hint is about what a clause says.
const FITS: f32 = 0.55;
/// From this share of words on it is.
const SHARES: f32 = 0.5;
/// Likeness of an advice and a control that tells nothing.
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

/// What the hints advise that fit the clause.
fn advice<'s>(context: &Context<'s>) -> Result<Vec<&'s str>, EmbedError> {
    let step = &context.episode.clause.step;
    if step.hints.is_empty() {
        return Ok(Vec::new());
    }
    let mut texts: Vec<&str> = vec![step.instruction.as_str()];
    texts.extend(step.hints.iter().map(|hint| parts(hint).0));
    let vectors = context.episode.scorer.embedder.embed(&texts)?;
    let Some((asked, about)) = vectors.split_first() else { return Ok(Vec::new()) };
    let words = content_words(&step.instruction);
    let fitting = step.hints.iter().zip(about).filter(|(hint, vector)| {
        cosine(asked, vector) >= FITS || overlap(&words, &content_words(parts(hint).0)) >= SHARES
    });
    Ok(fitting.map(|(hint, _)| parts(hint).1).collect())
}

/// Lets the fitting hints count. What a hint advises is done once.
///
/// # Errors
/// The model fails.
pub(in crate::pipeline) fn follow_hints(context: &Context<'_>, proposals: &mut [Proposal]) -> Result<(), EmbedError> {
    let advice = advice(context)?;
    if advice.is_empty() || proposals.is_empty() {
        return Ok(());
    }
    let mut texts = advice.clone();
    texts.extend(proposals.iter().map(|proposal| proposal.text.as_str()));
    let vectors = context.episode.scorer.embedder.embed(&texts)?;
    let (advised, own) = vectors.split_at(advice.len());
    let said: Vec<Vec<String>> = advice.iter().map(|advice| content_words(advice)).collect();
    for (proposal, vector) in proposals.iter_mut().zip(own) {
        let Move::Act(Action::Click { target }) = &proposal.action else { continue };
        if context.episode.journal.has_touched(&target.label) {
            continue;
        }
        let name = content_words(target.label.split(", ").next().unwrap_or_default());
        let names = |said: &Vec<String>| {
            !name.is_empty() && name.iter().all(|word| said.iter().any(|other| same_word(word, other)))
        };
        let like = advised.iter().map(|advice| cosine(advice, vector)).fold(0.0, f32::max);
        let worth = if said.iter().any(names) { 1.0 } else { (like - USUAL).max(0.0) };
        proposal.features.set(Feature::Hinted, worth);
    }
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
