//! Ways to what a goal speaks of: over known pages and one control beyond them, by the share of the goal that they deal with.

use super::Proposal;
use super::context::Context;
use super::wanted::{Dealt, Wanted};
use crate::app_map::{Lead, View};
use crate::domain::{Action, InputText};
use crate::hierarchy::WidgetId;
use crate::inference::EmbedError;
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::Purpose;
use std::collections::BTreeMap;

/// Longest way that is thought out, in touches.
const MAX_TOUCHES: usize = 6;
/// Ways that are followed at once.
const BREADTH: usize = 40;
/// What each touch of a way takes off its worth.
const PER_TOUCH: f32 = 0.04;
/// What a touch takes off that was never tried on this very page, first and further on.
const GUESSED: [f32; 2] = [0.02, 0.15];
/// Below this worth a way is none.
const MIN_WORTH: f32 = 0.05;

/// What the ways from a screen are worth to a goal.
pub(crate) struct Ways {
    /// What the best way is worth that begins with a control.
    by_widget: BTreeMap<WidgetId, f32>,
    /// How far the part of the goal that is dealt with least is from all that was done.
    part_left: f32,
    /// The share of the goal's parts for which too few things were done.
    parts_short: f32,
    /// The last thing that was done came to an end: it led back to a page of the way here, or changed something on its page.
    settled: bool,
}

/// A way in the making.
#[derive(Clone)]
struct Trail {
    cost: f32,
    dealt: Dealt,
    /// The page on the map it has led to; `None` is the one that is seen.
    at: Option<usize>,
    first: Option<WidgetId>,
    seen: Vec<u64>,
}

/// The ways from the screen of a goal; `None` for a step, whose next control is on its screen or on one known way.
///
/// # Errors
/// When the model fails.
pub(crate) fn ways(context: &Context<'_>) -> Result<Option<Ways>, EmbedError> {
    if !context.clause().is_goal {
        return Ok(None);
    }
    let screen = context.model.screen;
    let here = View::of(screen);
    let labels = screen.widgets.iter().map(|widget| widget.label.as_str());
    let mut wanted = Wanted::of(context.episode, labels)?;
    let dealt = dealt_so_far(context, &wanted)?;
    let deeds = context.episode.journal.current_touches().count();
    let mut ways = Ways {
        by_widget: BTreeMap::new(),
        part_left: wanted.farthest(&dealt),
        parts_short: wanted.parts().saturating_sub(deeds) as f32 / wanted.parts().max(1) as f32,
        settled: is_settled(context),
    };
    follow(context, &mut wanted, &here, dealt, &mut ways);
    Ok(Some(ways))
}

/// What was touched, typed and entered for the goal has dealt with.
fn dealt_so_far(context: &Context<'_>, wanted: &Wanted<'_>) -> Result<Dealt, EmbedError> {
    let mut dealt = wanted.none();
    for record in context.episode.journal.current().filter(|record| record.worked()) {
        let heading = record.control.as_ref().map_or("", |control| control.heading.as_str());
        let typed = match &record.action {
            Action::InputText { text: InputText::Plain(text), .. } => text.as_str(),
            _ => "",
        };
        for text in [record.label(), heading, typed] {
            dealt = dealt.with(&wanted.said(text)?);
        }
        dealt = dealt.with(&wanted.titled(&record.after.title));
    }
    Ok(dealt.with(&wanted.titled(&context.model.screen.title)))
}

/// True if the last thing done for the goal led back to a page of the way, or changed what its own control holds.
fn is_settled(context: &Context<'_>) -> bool {
    let journal = context.episode.journal;
    let Some(last) = journal.current_touches().next_back() else { return false };
    let returned = |record: &ActionRecord| {
        record.before.fingerprint == last.after.fingerprint && record.before.title == last.after.title
    };
    let holds = last.control.as_ref().is_some_and(|control| control.checked.is_some());
    let stays = !last.moved();
    let cancels =
        last.control.as_ref().is_some_and(|control| control.purposes.has_any(&[Purpose::Cancel, Purpose::Back]));
    !cancels && (last.moved() && journal.current().any(returned) || stays && holds)
}

fn follow(context: &Context<'_>, wanted: &mut Wanted<'_>, here: &View, dealt: Dealt, ways: &mut Ways) {
    let map = context.episode.map;
    let base = wanted.worth(&dealt);
    let touches = context.ranked.iter().filter(|one| matches!(one.candidate.action, Action::Click { .. }));
    let meanings: BTreeMap<WidgetId, f32> =
        touches.filter_map(|one| Some((one.candidate.widget?, one.score))).collect();
    let mut trails = vec![Trail { cost: 0.0, dealt, at: None, first: None, seen: vec![here.digest] }];
    for depth in 0..MAX_TOUCHES {
        let mut next: Vec<(f32, Trail)> = Vec::new();
        for trail in &trails {
            let view = trail.at.and_then(|at| map.view(at)).unwrap_or(here);
            for (number, control) in view.controls.iter().enumerate() {
                let touchable = control.enabled && (control.clickable || control.is_field());
                if !touchable || control.label.is_empty() {
                    continue;
                }
                let lead = map.lead(view, number).filter(|_| !control.is_field());
                let cost = trail.cost + cost_of(lead, depth);
                let seen = meanings.get(&control.widget).copied().filter(|_| trail.at.is_none());
                let after = trail.dealt.with(&wanted.touched(control, map, seen));
                let first = trail.first.unwrap_or(control.widget);
                let worth = wanted.worth(&after) - base - cost;
                let best = ways.by_widget.entry(first).or_insert(worth);
                *best = best.max(worth);
                let Some(onward) = lead.and_then(|lead| trail.onward(wanted, map.view(lead.to)?, lead, after)) else {
                    continue;
                };
                next.push((wanted.worth(&onward.dealt) - cost, Trail { cost, first: Some(first), ..onward }));
            }
        }
        next.sort_by(|one, other| other.0.total_cmp(&one.0));
        next.truncate(BREADTH);
        trails = next.into_iter().map(|(_, trail)| trail).collect();
    }
}

fn cost_of(lead: Option<Lead>, depth: usize) -> f32 {
    let [first, further] = GUESSED;
    let guessed = lead.is_some_and(|lead| lead.guessed);
    PER_TOUCH
        + if !guessed {
            0.0
        } else if depth == 0 {
            first
        } else {
            further
        }
}

impl Trail {
    /// The way after a touch that leads to another page; `None` where it has been there.
    fn onward(&self, wanted: &Wanted<'_>, there: &View, lead: Lead, dealt: Dealt) -> Option<Self> {
        if self.seen.contains(&there.digest) {
            return None;
        }
        let mut seen = self.seen.clone();
        seen.push(there.digest);
        let dealt = dealt.with(&wanted.titled(&there.title));
        Some(Self { dealt, at: Some(lead.to), seen, ..self.clone() })
    }
}

impl Ways {
    /// Tells each touch what the best way is worth that begins with it. A touch that leads on is no guess.
    pub(crate) fn mark(&self, proposals: &mut [Proposal]) {
        for proposal in proposals.iter_mut().filter(|one| matches!(one.action(), Some(Action::Click { .. }))) {
            let Some(worth) = proposal.widget.and_then(|id| self.by_widget.get(&id)) else { continue };
            if *worth < MIN_WORTH {
                continue;
            }
            proposal.features.set(Feature::Way, worth.min(1.5));
            for guess in [Feature::FarGuess, Feature::ContentGuess] {
                proposal.features.set(guess, 0.0);
            }
        }
    }

    /// Tells the end of the goal what is left of it.
    pub(crate) fn conclude(&self, done: &mut Features) {
        done.set(Feature::GoalDone, 1.0);
        done.set(Feature::PartLeft, self.part_left);
        done.set(Feature::PartsShort, self.parts_short);
        if self.settled {
            done.set(Feature::GoalSettled, 1.0);
        }
    }
}
