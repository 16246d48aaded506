//! Proposals to scroll.

use super::context::Context;
use super::{Move, Proposal, Source};
use crate::domain::{Action, Direction, Rect};
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::task::{Verb, VerbSet};

/// Scrolls that show more of the screen, with how much they may bring.
pub(crate) fn scrolls(context: &Context<'_>) -> Vec<Proposal> {
    let clause = context.clause();
    let asked = clause.verbs.meets(VerbSet::of(&[Verb::Scroll, Verb::Swipe]));
    let mut found = Vec::new();
    for ranked in &context.ranked {
        let Action::Scroll { direction, area } = &ranked.candidate.action else { continue };
        let mut features = Features::default();
        let towards = context.episode.scorer.cues.directions(&crate::domain::CueText::new(&clause.step.instruction));
        if asked && (towards.is_empty() && *direction == Direction::Down || towards.contains(direction)) {
            features.set(Feature::SkillAsked, 1.0);
            if context.episode.journal.current_deeds().any(|record| matches!(record.action, Action::Scroll { .. })) {
                features.set(Feature::DoneBefore, 1.0);
            }
        }
        let ends = context.episode.journal.was_ineffective(context.model.screen.fingerprint, &ranked.candidate.action)
            || end_was_reached(context, *direction);
        let tall = is_tall(context, area);
        if !ends && (tall || matches!(direction, Direction::Left | Direction::Right)) {
            let value = match direction {
                Direction::Down => 1.0,
                Direction::Right if tall => 0.0,
                Direction::Right => 0.6,
                Direction::Up
                    if scrolled(context, Direction::Down) || context.episode.journal.was_scrolled_by_check() =>
                {
                    0.7
                }
                Direction::Left if scrolled(context, Direction::Right) => 0.3,
                Direction::Up | Direction::Left => 0.0,
            };
            features.set(Feature::MoreBelow, value);
        }
        if features == Features::default() {
            continue;
        }
        found.push(Proposal {
            action: Move::Act(ranked.candidate.action.clone()),
            widget: None,
            source: if asked { Source::Touch } else { Source::Explore },
            features,
            parameter: None,
            shown: None,
            reason: format!("there may be more {direction}"),
            text: ranked.candidate.text.clone(),
        });
    }
    found
}

/// True for a part of the screen whose scrolling shows other things: a third of the display, or a list in a window.
fn is_tall(context: &Context<'_>, area: &Rect) -> bool {
    area.height() * 3 > context.model.screen.display.height as i32 || context.model.is_dialog()
}

/// True if scrolling down may show what was not seen of the page yet.
pub(crate) fn may_show_more(context: &Context<'_>) -> bool {
    let down = |action: &Action| matches!(action, Action::Scroll { direction: Direction::Down, area, .. } if is_tall(context, area));
    let offered = context.ranked.iter().map(|ranked| &ranked.candidate.action).find(|action| down(action));
    offered.is_some_and(|action| {
        !context.episode.journal.was_ineffective(context.model.screen.fingerprint, action)
            && !end_was_reached(context, Direction::Down)
    })
}

/// A scroll this way showed nothing new since the page was opened.
fn end_was_reached(context: &Context<'_>, wanted: Direction) -> bool {
    let title = &context.model.screen.title;
    for record in context.episode.journal.current().rev() {
        match &record.action {
            Action::Scroll { direction, .. } if *direction == wanted && !record.worked() => return true,
            Action::Scroll { .. } => {}
            _ if record.moved() || record.after.title != *title => return false,
            _ => {}
        }
    }
    false
}

fn scrolled(context: &Context<'_>, wanted: Direction) -> bool {
    let mut records = context.episode.journal.records().iter().rev();
    let scrolls =
        records.by_ref().take_while(|record| !record.moved() || matches!(record.action, Action::Scroll { .. }));
    scrolls
        .filter(|record| record.worked())
        .any(|record| matches!(&record.action, Action::Scroll { direction, .. } if *direction == wanted))
}
