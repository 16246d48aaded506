//! Paths over the map, best first: which ones cover most of what the goal still wants, for the fewest steps.

use super::coverage::{Coverage, Judge, MET};
use super::items::ItemKind;
use super::offers::{Offer, fit, is_refusal, is_search, key, offers, rough_key};
use crate::app_map::{Control, View};
use crate::hierarchy::Fingerprint;
use crate::inference::EmbedError;
use std::collections::HashSet;

/// Longest path that is thought out.
const LONGEST: usize = 7;
/// Paths that are followed at once.
const BREADTH: usize = 60;

/// A path from the screen that is seen.
#[derive(Debug, Clone)]
pub(super) struct Route {
    /// What it is worth beyond what is covered already.
    pub worth: f32,
    /// Its first step, a position among [`Routes::offers`].
    pub first: usize,
    /// Steps.
    pub length: usize,
    /// What would be covered at its end.
    pub covered: Coverage,
    /// It passes the control that carries out what was begun here.
    pub confirms: bool,
}

/// Everything found out from one screen.
pub(super) struct Routes {
    /// What could be done on the screen.
    pub offers: Vec<Offer>,
    /// Best first.
    pub routes: Vec<Route>,
}

/// Where one is, and what was done before.
pub(super) struct Standing<'a> {
    /// The screen.
    pub view: &'a View,
    /// What is covered on it.
    pub covered: &'a Coverage,
    /// Texts typed so far.
    pub typed: &'a [String],
    /// Touches done on this very screen.
    pub done: &'a HashSet<(u64, u64)>,
    /// Touches done on a screen like it.
    pub tried: &'a HashSet<(Fingerprint, u64)>,
    /// The control that carries out what was begun.
    pub confirmation: Option<usize>,
}

/// A path in the making.
#[derive(Clone)]
struct Trail {
    cost: f32,
    covered: Coverage,
    /// The screen on the map it has led to; `None` is the one that is seen.
    at: Option<usize>,
    first: Option<usize>,
    keys: Vec<u64>,
    typed: Vec<String>,
    seen: Vec<u64>,
    has_typed: bool,
    confirms: bool,
}

/// Thinks out the paths from where one stands.
pub(super) fn routes(judge: &mut Judge<'_>, standing: &Standing<'_>) -> Result<Routes, EmbedError> {
    let (goal, tuning, map) = (judge.goal, judge.tuning, judge.map);
    let base = standing.covered.score(goal, tuning);
    let open = goal.items.iter().zip(&standing.covered.items).filter(|(_, share)| **share < MET);
    let rest = open.map(|(item, _)| item.text.as_str()).collect::<Vec<_>>().join(" ");
    let here = offers(judge, standing.view, standing.covered, standing.typed);
    let mut trails = vec![Trail {
        cost: 0.0,
        covered: standing.covered.clone(),
        at: None,
        first: None,
        keys: Vec::new(),
        typed: standing.typed.to_vec(),
        seen: vec![standing.view.digest],
        has_typed: false,
        confirms: false,
    }];
    let mut found: Vec<Route> = Vec::new();
    for depth in 0..LONGEST {
        let mut next: Vec<(f32, Trail)> = Vec::new();
        for trail in &trails {
            let view = trail.at.and_then(|at| map.view(at)).unwrap_or(standing.view);
            let list = if depth == 0 { here.clone() } else { offers(judge, view, &trail.covered, &trail.typed) };
            for (number, offer) in list.iter().enumerate() {
                let Some(control) = view.controls.get(offer.control) else { continue };
                let key = offer.key(view);
                if standing.done.contains(&(view.digest, key)) || trail.keys.contains(&key) {
                    continue;
                }
                let Some((cost, covered)) = step(judge, standing, trail, view, offer, depth)? else { continue };
                let gain = covered.score(goal, tuning) - base;
                let left = tuning.rest * (judge.likeness(&rest, &control.name)?.max(0.0) - tuning.rest_floor);
                let confirms = trail.confirms
                    || (trail.at.is_none() && standing.confirmation == Some(offer.control) && offer.typed.is_none());
                found.push(Route {
                    worth: gain - trail.cost - cost + left,
                    first: trail.first.unwrap_or(number),
                    length: depth + 1,
                    covered: covered.clone(),
                    confirms,
                });
                if let Some(mut onward) = onward(judge, trail, view, offer, &covered) {
                    onward.cost = trail.cost + cost;
                    onward.first = trail.first.or(Some(number));
                    onward.keys.push(key);
                    onward.confirms = confirms;
                    next.push((covered.score(goal, tuning) - onward.cost, onward));
                }
            }
        }
        next.sort_by(|a, b| b.0.total_cmp(&a.0));
        next.truncate(BREADTH);
        trails = next.into_iter().map(|(_, trail)| trail).collect();
    }
    found.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    Ok(Routes { offers: here, routes: found })
}

/// What a step costs and what is covered after it; `None` where it is out of the question.
fn step(
    judge: &mut Judge<'_>,
    standing: &Standing<'_>,
    trail: &Trail,
    view: &View,
    offer: &Offer,
    depth: usize,
) -> Result<Option<(f32, Coverage)>, EmbedError> {
    let (goal, tuning, cues) = (judge.goal, judge.tuning, judge.cues);
    let Some(control) = view.controls.get(offer.control) else { return Ok(None) };
    let mut cost = tuning.step;
    let mut covered = trail.covered.clone();
    let traits = judge.traits(control, offer.typed.is_some())?;
    if let Some((item, text)) = &offer.typed {
        let Some(fit) = fit(judge, view, offer)? else { return Ok(None) };
        cost -= fit;
        covered.type_in(goal, &traits, Some(*item), text, is_search(control, cues));
        if !gained(&covered, &trail.covered) {
            return Ok(None);
        }
    } else {
        if is_refusal(control, cues) {
            return Ok(None);
        }
        if traits.unasked {
            cost += tuning.unasked;
        } else {
            covered.touch(&traits);
        }
        if offer.lead.is_some() && trail.has_typed {
            cost += tuning.away;
        }
        if offer.lead.is_some_and(|lead| lead.guessed) {
            cost += if depth == 0 { tuning.guess } else { tuning.far_guess };
        }
        if depth == 0 && standing.tried.contains(&(view.fingerprint, rough_key(control, None))) {
            cost += tuning.again;
        }
    }
    let met = |at: usize| covered.items[at] >= MET && trail.covered.items[at] < MET;
    let earliest = goal.items.iter().enumerate().filter(|(at, _)| met(*at)).map(|(_, item)| item.clause).min();
    if let Some(earliest) = earliest {
        let passed_over = goal
            .items
            .iter()
            .zip(&covered.items)
            .filter(|(item, share)| item.kind != ItemKind::Word && item.clause < earliest && **share < MET);
        cost += tuning.order * passed_over.count().min(2) as f32;
    }
    Ok(Some((cost, covered)))
}

fn gained(after: &Coverage, before: &Coverage) -> bool {
    after.items.iter().zip(&before.items).any(|(after, before)| after > before)
}

/// The path after a step: on the screen it leads to, or on the same one after typing or ticking.
fn onward(judge: &Judge<'_>, trail: &Trail, view: &View, offer: &Offer, covered: &Coverage) -> Option<Trail> {
    let (goal, tuning) = (judge.goal, judge.tuning);
    let control: &Control = view.controls.get(offer.control)?;
    let mut onward = Trail { covered: covered.clone(), ..trail.clone() };
    if let Some((_, text)) = &offer.typed {
        onward.typed.push(text.clone());
        onward.has_typed = true;
        return Some(onward);
    }
    match offer.lead {
        None => {
            let ticked = control.checked.is_some() && covered.strong(goal) > trail.covered.strong(goal) + 0.03;
            ticked.then_some(onward)
        }
        Some(lead) => {
            let there = judge.map.view(lead.to)?;
            if onward.seen.contains(&there.digest) {
                return None;
            }
            onward.seen.push(there.digest);
            onward.at = Some(lead.to);
            onward.covered.titled(goal, judge.cues, &there.title, tuning.title);
            Some(onward)
        }
    }
}

/// A touch or text that was done on a screen, to be known again.
pub(super) fn done_key(
    view: &View,
    control: Option<usize>,
    typed: Option<&str>,
) -> Option<(u64, u64, Fingerprint, u64)> {
    let control = view.controls.get(control?)?;
    Some((view.digest, key(control, typed), view.fingerprint, rough_key(control, typed)))
}
