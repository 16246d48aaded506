//! How much what pages of a kind usually hold is like what a clause asks for.

use crate::hierarchy::Widget;
use crate::inference::cosine;
use crate::lexicon::PageKind;
use crate::pipeline::episode::Episode;
use crate::pipeline::screen_model::{Purpose, PurposeSet};
use crate::pipeline::task::parts;
use std::cell::OnceCell;

/// How much what one hub usually holds speaks for another one.
const ELSEWHERE: f32 = 0.7;
/// Cosine of two texts that have nothing to do with each other, at most.
const UNRELATED: f32 = 0.3;
/// Cosine of two texts that say the same.
const ALIKE: f32 = 0.7;

/// How alike two texts are by their cosine, 0 to 1.
pub(super) fn likeness(cosine: f32) -> f32 {
    ((cosine - UNRELATED) / (ALIKE - UNRELATED)).clamp(0.0, 1.0)
}

/// The likeness of each kind of page to one clause, worked out when it is asked for first.
#[derive(Debug, Default)]
pub(super) struct UsualContent(OnceCell<Vec<f32>>);

impl UsualContent {
    /// Of the pages that a control with these purposes may open, 0 to 1. A menu may lead to any.
    pub(super) fn of(&self, episode: &Episode<'_>, widget: &Widget, purposes: PurposeSet) -> f32 {
        let kinds = &episode.knowledge.page_kinds;
        let leads_on = purposes.has_any(&[Purpose::Drawer, Purpose::Overflow]);
        // What one app keeps in its settings another keeps in the account.
        let is_hub = purposes.has_any(&[Purpose::Settings, Purpose::Account]);
        let share = |kind: &PageKind| match () {
            () if leads_on || kind.is_opened_by(widget.shown_label(), purposes) => 1.0,
            () if is_hub => ELSEWHERE,
            () => 0.0,
        };
        let shares: Vec<f32> = kinds.iter().map(share).collect();
        if shares.iter().all(|share| *share <= 0.0) {
            return 0.0;
        }
        let likeness = self.0.get_or_init(|| likeness_of_kinds(episode));
        shares.iter().zip(likeness).map(|(share, likeness)| share * likeness).fold(0.0, f32::max)
    }
}

/// The likeness of each kind to the clause, or to the most alike of its parts. Without vectors nothing is alike; the same failure
/// ends the decision where controls are ranked.
fn likeness_of_kinds(episode: &Episode<'_>) -> Vec<f32> {
    let clause = episode.clause;
    let instruction = clause.step.instruction.as_str();
    let parts = parts(instruction, &clause.names, &episode.knowledge.lexicon);
    let asked: Vec<&str> = std::iter::once(instruction).chain(parts.iter().map(String::as_str)).collect();
    let embed = |texts: &[&str]| episode.scorer.embedder.embed(texts).unwrap_or_default();
    let asked = embed(&asked);
    let of_kind = |kind: &PageKind| {
        let held = embed(&kind.holds.iter().map(String::as_str).collect::<Vec<_>>());
        let best = held.iter().flat_map(|held| asked.iter().map(move |asked| cosine(asked, held))).fold(0.0, f32::max);
        likeness(best)
    };
    episode.knowledge.page_kinds.iter().map(of_kind).collect()
}
