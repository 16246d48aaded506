//! What to do next for a goal: go on, confirm, or declare it reached.

use super::coverage::{Coverage, Judge, holds};
use super::items::{Item, ItemKind};
use super::offers::{Offer, confirmation, is_search, wants_choice};
use super::route::{Route, Routes, Standing, done_key, routes};
use crate::app_map::View;
use crate::inference::EmbedError;
use std::collections::HashSet;

/// How much the title of a screen covers on which one has been.
const BEEN_THERE: f32 = 0.95;
/// A value that is covered less has never been dealt with.
const DEALT_WITH: f32 = 0.3;
/// Share of the goal that must be met beyond the thing itself, to go on where it was reached.
const MORE_THERE: f32 = 0.15;
/// Share of the goal that, still open after typing, is looked for behind the keyboard.
const BEHIND_KEYBOARD: f32 = 0.15;

/// Something that was done for the goal.
#[derive(Debug, Clone)]
pub(super) struct Stride {
    /// Where.
    pub on: View,
    /// To which control.
    pub control: Option<usize>,
    /// What was typed.
    pub typed: Option<String>,
    /// The back key was pressed.
    pub back: bool,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// This, and why; its worth.
    Do(Offer, f32, &'static str),
    /// Press the back key.
    Back,
    /// Nothing: the goal is reached.
    Done(String),
    /// Nothing: there is no way on.
    Stuck(String),
}

/// The next thing to do on `view`, after `past`. `barred` are touches and texts that had no effect.
pub(super) fn decide(
    judge: &mut Judge<'_>,
    past: &[Stride],
    view: &View,
    barred: &HashSet<(u64, u64)>,
) -> Result<Decision, EmbedError> {
    let goal = judge.goal;
    judge.read(view)?;
    let before = covered_by(judge, past)?;
    let confirmation = confirmation(judge, view)?;
    let mut covered = before.clone();
    covered.see(goal, view);
    if confirmation.is_some() && !goal.off {
        for control in view.controls.iter().filter(|control| control.checked == Some(true)) {
            covered.chosen(&*judge.traits(control, false)?);
        }
    }
    covered.titled(goal, judge.cues, &view.title, BEEN_THERE);
    let typed: Vec<String> = past.iter().filter_map(|stride| stride.typed.clone()).collect();
    let mut done = barred.clone();
    let mut tried = HashSet::new();
    for stride in past {
        if let Some((digest, key, fingerprint, rough)) = done_key(&stride.on, stride.control, stride.typed.as_deref()) {
            done.insert((digest, key));
            tried.insert((fingerprint, rough));
        }
    }
    let standing = Standing { view, covered: &covered, typed: &typed, done: &done, tried: &tried, confirmation };
    let found = routes(judge, &standing)?;
    let thought = Thought { past, view, before: &before, covered: &covered, done: &done, confirmation, found: &found };
    thought.conclude(judge)
}

/// What has been dealt with so far.
pub(super) fn covered_by(judge: &mut Judge<'_>, past: &[Stride]) -> Result<Coverage, EmbedError> {
    let goal = judge.goal;
    let mut covered = Coverage::none(goal);
    for stride in past {
        covered.titled(goal, judge.cues, &stride.on.title, BEEN_THERE);
        covered.see(goal, &stride.on);
        covered.titled(goal, judge.cues, &stride.on.title, BEEN_THERE);
        let Some(control) = stride.control.and_then(|at| stride.on.controls.get(at)) else { continue };
        let traits = judge.traits(control, stride.typed.is_some())?;
        match &stride.typed {
            Some(text) => {
                let item = goal.items.iter().position(|item| {
                    item.kind != ItemKind::Word && (item.text == *text || item.text.split(' ').any(|part| part == text))
                });
                covered.type_in(goal, &traits, item, text, is_search(control, judge.cues));
            }
            None => covered.touch(&traits),
        }
    }
    Ok(covered)
}

/// Everything that is weighed for a decision.
struct Thought<'a> {
    past: &'a [Stride],
    view: &'a View,
    before: &'a Coverage,
    covered: &'a Coverage,
    done: &'a HashSet<(u64, u64)>,
    confirmation: Option<usize>,
    found: &'a Routes,
}

impl Thought<'_> {
    fn conclude(&self, judge: &mut Judge<'_>) -> Result<Decision, EmbedError> {
        let tuning = judge.tuning;
        let best = self.found.routes.first();
        let Some(last) = self.past.last() else {
            return Ok(match best {
                Some(best) => self.take(judge, best, "the path covers most of the goal"),
                None => Decision::Stuck("nothing on the screen can be touched".into()),
            });
        };
        let moved = last.on.differs(self.view);
        if let Some(confirmation) = self.confirmation {
            let offer = Offer { control: confirmation, typed: None, lead: judge.map.lead(self.view, confirmation) };
            if !self.done.contains(&(self.view.digest, offer.key(self.view))) {
                let within = self.found.routes.iter().find(|route| !route.confirms);
                return Ok(match within.filter(|route| is_worth(judge, route) && self.is_clear(judge, route)) {
                    Some(route) => self.take(judge, route, "this comes before the confirmation"),
                    None => Decision::Do(offer, tuning.enough, "what was begun is to be confirmed"),
                });
            }
        }
        if self.is_committed(judge, last, moved)? {
            let open = self.found.routes.iter().find(|route| is_worth(judge, route) && self.is_left(judge, route));
            return Ok(match open {
                Some(route) => self.take(judge, route, "a part of the goal is still open"),
                None => self.declare(judge, "what was begun is carried out"),
            });
        }
        let arrived = moved && self.has_arrived(judge, last);
        if let Some(best) =
            best.filter(|best| is_worth(judge, best) && (!arrived || self.gain(judge, best) >= MORE_THERE))
        {
            return Ok(self.take(judge, best, "the path covers most of what is open"));
        }
        if moved
            && wants_choice(self.view, judge.cues)
            && let Some(nearest) = self.found.routes.iter().find(|route| route.length == 1)
        {
            return Ok(self.take(judge, nearest, "something is to be chosen here"));
        }
        let hidden = last.typed.is_some() && moved && self.covered.open(judge.goal) >= BEHIND_KEYBOARD;
        if hidden && !self.past.iter().any(|stride| stride.back) {
            return Ok(Decision::Back);
        }
        Ok(self.declare(judge, "nothing on the screen brings the goal nearer"))
    }

    /// It covers clearly more than is covered now.
    fn is_clear(&self, judge: &Judge<'_>, route: &Route) -> bool {
        self.gain(judge, route) >= judge.tuning.clear
    }

    fn gain(&self, judge: &Judge<'_>, route: &Route) -> f32 {
        route.covered.strong(judge.goal) - self.covered.strong(judge.goal)
    }

    /// What was touched last bears the name of what the goal is about, and every value and name is met: only what the
    /// goal clearly asks for beyond that is done on the screen it led to.
    fn has_arrived(&self, judge: &Judge<'_>, last: &Stride) -> bool {
        let goal = judge.goal;
        let mut named = goal.items.iter().zip(&self.covered.items).filter(|(item, _)| item.kind != ItemKind::Word);
        let control = last.control.filter(|_| last.typed.is_none()).and_then(|at| last.on.controls.get(at));
        let bears = |item: &Item| control.is_some_and(|control| holds(item, &control.label, judge.cues));
        let touched = goal.items.iter().any(|item| item.kind != ItemKind::Word && bears(item));
        touched && named.all(|(_, share)| *share >= 0.9) && !wants_choice(self.view, judge.cues)
    }

    /// It covers what the part of the goal that was carried out has left open: values, and other parts.
    fn is_left(&self, judge: &Judge<'_>, route: &Route) -> bool {
        let goal = judge.goal;
        let shares = |covered: &Coverage, at: usize| covered.items.get(at).copied().unwrap_or_default();
        let touched: HashSet<usize> = (0..goal.items.len())
            .filter(|&at| shares(self.before, at) >= 0.8)
            .map(|at| goal.items[at].clause)
            .collect();
        let left = goal.items.iter().enumerate().filter(|(at, item)| {
            let (then, now) = (shares(&route.covered, *at), shares(self.covered, *at));
            let other_part = then >= 0.8 && now < 0.8 && !touched.contains(&item.clause);
            other_part || (item.kind != ItemKind::Word && then >= DEALT_WITH && now < DEALT_WITH)
        });
        left.map(|(_, item)| item.weight).sum::<f32>() / goal.total >= judge.tuning.clear
    }

    /// The last thing done carried something out: it was confirmed, it led back to where one was, or it changed something
    /// on the same screen.
    fn is_committed(&self, judge: &mut Judge<'_>, last: &Stride, moved: bool) -> Result<bool, EmbedError> {
        let Some(control) = last.control.filter(|_| last.typed.is_none()) else { return Ok(false) };
        let confirmed = confirmation(judge, &last.on)? == Some(control);
        let earlier = &self.past[..self.past.len() - 1];
        let returned = moved && earlier.iter().any(|stride| !stride.on.differs(self.view));
        let asks = moved && wants_choice(self.view, judge.cues);
        let changed = !moved && self.confirmation.is_none();
        let ticked = last.on.controls.get(control).is_some_and(|control| control.checked.is_some());
        let chosen = ticked && self.confirmation.is_none() && wants_choice(&last.on, judge.cues);
        Ok(((confirmed || returned) && !asks) || changed || chosen)
    }

    /// Done, unless something the goal names was never dealt with.
    fn declare(&self, judge: &Judge<'_>, reason: &str) -> Decision {
        let goal = judge.goal;
        let forgotten = goal
            .items
            .iter()
            .zip(&self.covered.items)
            .find(|(item, share)| item.kind == ItemKind::Value && **share < DEALT_WITH);
        match forgotten {
            Some((item, _)) => Decision::Stuck(format!(
                "{:?} was never dealt with, and nothing on the screen \"{}\" leads to it",
                item.text, self.view.title
            )),
            None => Decision::Done(reason.to_owned()),
        }
    }

    /// The first step of a path; in a form, what lies above it comes first.
    fn take(&self, judge: &Judge<'_>, route: &Route, why: &'static str) -> Decision {
        let Some(first) = self.found.offers.get(route.first) else { return Decision::Stuck(why.to_owned()) };
        let placed = |offer: &Offer| self.view.controls.get(offer.control);
        let (Some(control), Some(_), false) = (placed(first), self.confirmation, judge.goal.off) else {
            return Decision::Do(first.clone(), route.worth, why);
        };
        let ticks = control.checked.is_some();
        if first.typed.is_none() && first.lead.is_some() && !ticks && Some(first.control) != self.confirmation {
            return Decision::Do(first.clone(), route.worth, why);
        }
        let strong = self.covered.strong(judge.goal);
        let mut above: Option<(i32, &Route, &Offer)> = None;
        for other in self.found.routes.iter().filter(|other| other.length == 1 && is_worth(judge, other)) {
            let Some(offer) = self.found.offers.get(other.first) else { continue };
            let Some(place) = placed(offer) else { continue };
            let of_form = offer.typed.is_some() || (ticks && place.checked.is_some());
            let higher = place.bounds.top < above.map_or(control.bounds.top, |(top, ..)| top);
            if of_form && higher && other.covered.strong(judge.goal) - strong >= 0.03 {
                above = Some((place.bounds.top, other, offer));
            }
        }
        match above {
            Some((_, route, offer)) => {
                Decision::Do(offer.clone(), route.worth, "a form is filled in from top to bottom")
            }
            None => Decision::Do(first.clone(), route.worth, why),
        }
    }
}

fn is_worth(judge: &Judge<'_>, route: &Route) -> bool {
    route.worth >= judge.tuning.enough
}
