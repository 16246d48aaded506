//! The best path through the parts: from what was done, over the screen that is seen, on over the map.

use super::outlook::{Chart, Outlook, stays};
use super::parts::{Part, PartKind};
use super::reading::Costs;
use crate::app_map::{AppMap, Lead, View};
use crate::domain::Action;
use std::collections::HashMap;

/// Longest path that is thought out.
const LONGEST: usize = 5;
/// Paths that are followed at once.
const BREADTH: usize = 60;
/// Moves on the screen that is seen that are followed up for a part.
const BRANCHES: usize = 8;

/// Where a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    /// On the screen that is seen.
    Here,
    /// On a screen of the map.
    There(usize),
    /// Beyond the map.
    Beyond,
}

/// How a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Begins {
    /// Nothing was done on it yet.
    Open,
    /// With a move.
    Move(usize),
    /// The step is declared done.
    Done,
}

#[derive(Debug, Clone, Copy)]
struct Path {
    at: At,
    /// Parts that were dealt with.
    part: usize,
    worth: f32,
    begins: Begins,
}

/// Everything a search looks at.
pub(super) struct Terrain<'a> {
    pub map: &'a AppMap,
    pub view: &'a View,
    pub outlook: &'a Outlook,
    /// The parts of the step and, behind them, of the next one.
    pub parts: &'a [&'a Part],
    /// How many belong to the step.
    pub own: usize,
    pub costs: &'a Costs,
    /// How well what was done is explained with as many parts dealt with.
    pub so_far: &'a [f32],
    /// The best score that each part gave to something that was done.
    pub met: &'a [f32],
    /// Screens on which something was done.
    pub left: &'a [u64],
    /// What declaring the step done costs now.
    pub done: f32,
}

/// What the best path with each beginning is worth, best first.
pub(super) fn search(terrain: &Terrain<'_>, chart: &mut Chart<'_>) -> Vec<(Begins, f32)> {
    let mut best: HashMap<Begins, f32> = HashMap::new();
    let mut front: Vec<Path> = terrain
        .so_far
        .iter()
        .enumerate()
        .filter(|(_, worth)| worth.is_finite())
        .map(|(part, worth)| Path { at: At::Here, part, worth: *worth, begins: Begins::Open })
        .collect();
    for _ in 0..LONGEST {
        let reached = terrain.with_omissions(front);
        for path in &reached {
            terrain.finish(*path, &mut best);
        }
        let mut next: HashMap<(At, usize, Begins), f32> = HashMap::new();
        for path in reached.into_iter().filter(|path| path.at != At::Beyond) {
            for onward in terrain.onward(path, chart) {
                let worth = next.entry((onward.at, onward.part, onward.begins)).or_insert(f32::NEG_INFINITY);
                *worth = worth.max(onward.worth);
            }
        }
        front = next.into_iter().map(|((at, part, begins), worth)| Path { at, part, worth, begins }).collect();
        // Ties are settled by where a path is, so that the same screens always give the same decision.
        front.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| order(a).cmp(&order(b))));
        front.truncate(BREADTH);
    }
    for path in terrain.with_omissions(front) {
        terrain.finish(path, &mut best);
    }
    let mut found: Vec<(Begins, f32)> = best.into_iter().collect();
    let place = |begins: &Begins| match begins {
        Begins::Done => 0,
        Begins::Open => 1,
        Begins::Move(at) => at + 2,
    };
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| place(&a.0).cmp(&place(&b.0))));
    found
}

fn order(path: &Path) -> (usize, usize, usize) {
    let at = match path.at {
        At::Here => 0,
        At::Beyond => 1,
        At::There(view) => view + 2,
    };
    let begins = match path.begins {
        Begins::Open => 0,
        Begins::Done => 1,
        Begins::Move(number) => number + 2,
    };
    (path.part, at, begins)
}

pub(super) fn skipping(part: &Part, costs: &Costs) -> f32 {
    match part.kind {
        PartKind::Deed => costs.skip,
        PartKind::Means => costs.skip_means,
        PartKind::Choice => costs.skip_choice,
    }
}

impl Terrain<'_> {
    /// The paths, and the same with parts left out.
    fn with_omissions(&self, paths: Vec<Path>) -> Vec<Path> {
        let mut all = paths;
        let mut at = 0;
        while at < all.len() {
            let path = all[at];
            at += 1;
            if path.at == At::Beyond || path.part >= self.parts.len() {
                continue;
            }
            let own = path.part < self.own;
            let satisfied =
                own && path.at == At::Here && self.outlook.satisfied.get(path.part).is_some_and(Option::is_some);
            let cost = if satisfied { 0.0 } else { skipping(self.parts[path.part], self.costs) };
            let left_out = Path { part: path.part + 1, worth: path.worth - cost, ..path };
            match all
                .iter_mut()
                .find(|other| (other.at, other.part, other.begins) == (left_out.at, left_out.part, left_out.begins))
            {
                Some(other) if other.worth >= left_out.worth => {}
                _ => all.push(left_out),
            }
        }
        all
    }

    /// What a path is worth that ends here.
    fn finish(&self, path: Path, best: &mut HashMap<Begins, f32>) {
        let left = self.parts.len().saturating_sub(path.part);
        let mut worth = path.worth;
        let mut begins = path.begins;
        if path.at == At::Beyond {
            worth -= self.costs.unknown * left as f32;
        } else if left > 0 {
            return;
        }
        if begins == Begins::Open {
            begins = Begins::Done;
            worth -= self.done;
        }
        let known = best.entry(begins).or_insert(f32::NEG_INFINITY);
        *known = known.max(worth);
    }

    fn onward(&self, path: Path, chart: &mut Chart<'_>) -> Vec<Path> {
        let mut found = Vec::new();
        let next = (path.part < self.parts.len()).then_some((path.part, path.part + 1, 0.0));
        let again = (path.part > 0 && (path.part < self.own || (path.part == self.own && path.begins != Begins::Done)))
            .then_some((path.part.wrapping_sub(1), path.part, self.costs.again));
        for (part, then, cost) in [next, again].into_iter().flatten() {
            match path.at {
                At::Here => self.moves_here(path, part, then, cost, &mut found),
                At::There(view) => {
                    for (control, fit) in chart.fits(view, part).iter() {
                        let worth = path.worth - cost + fit;
                        let (at, guess) = self.lead(view, *control);
                        found.push(Path { at, part: then, worth: worth - guess, begins: path.begins });
                    }
                }
                At::Beyond => {}
            }
        }
        self.ways(path, &mut found);
        found
    }

    fn moves_here(&self, path: Path, part: usize, then: usize, cost: f32, found: &mut Vec<Path>) {
        let Some(fits) = self.outlook.fits.get(part) else { return };
        let mut likely: Vec<(usize, f32)> = fits.iter().copied().enumerate().collect();
        likely.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (number, fit) in likely.into_iter().take(BRANCHES) {
            let Some(ranked) = self.outlook.moves.get(number) else { continue };
            let (at, guess) = self.after(&ranked.candidate.action, ranked.candidate.widget);
            // Filling in several fields is one thing.
            let cost = if ranked.candidate.offer.is_some() || cost == 0.0 { 0.0 } else { self.once_more(part, number) };
            let mut worth = path.worth - cost - guess + fit;
            let begins = match path.begins {
                Begins::Open if part >= self.own => {
                    worth -= self.done;
                    Begins::Done
                }
                Begins::Open => Begins::Move(number),
                begins => begins,
            };
            found.push(Path { at, part: then, worth, begins });
        }
    }

    /// What another action for the same part costs: less where it fits the part better than what was done, which then
    /// was only the way there; more where it fits worse.
    fn once_more(&self, part: usize, number: usize) -> f32 {
        let score = self.outlook.scores.get(part).and_then(|scores| scores.get(number).copied().flatten());
        let met = self.met.get(part).copied().filter(|met| met.is_finite());
        let gain = score.zip(met).map_or(0.0, |(score, met)| score - met);
        (self.costs.again - self.costs.gain * gain).clamp(self.costs.least, 2.0 * self.costs.again)
    }

    /// Where an action on the screen that is seen leads, and what is to be paid for not being sure.
    fn after(&self, action: &Action, widget: Option<usize>) -> (At, f32) {
        if stays(action) {
            return (At::Here, 0.0);
        }
        let (Action::Click { .. }, Some(control)) = (action, widget) else { return (At::Beyond, 0.0) };
        match self.map.lead(self.view, control) {
            Some(lead) if self.map.view(lead.to).is_some_and(|there| there.digest == self.view.digest) => {
                (At::Here, 0.0)
            }
            Some(lead) => (At::There(lead.to), self.doubts(lead)),
            None if self.view.controls.get(control).is_some_and(|control| control.checked.is_some()) => (At::Here, 0.0),
            None => (At::Beyond, 0.0),
        }
    }

    fn lead(&self, view: usize, control: usize) -> (At, f32) {
        let Some(there) = self.map.view(view) else { return (At::Beyond, 0.0) };
        let Some(touched) = there.controls.get(control) else { return (At::Beyond, 0.0) };
        match self.map.lead(there, control) {
            _ if touched.is_field() => (At::There(view), 0.0),
            Some(lead) => (At::There(lead.to), self.doubts(lead)),
            None if touched.checked.is_some() => (At::There(view), 0.0),
            None => (At::Beyond, 0.0),
        }
    }

    /// What speaks against taking a way: nobody has tried it from there, or it leads back.
    fn doubts(&self, lead: Lead) -> f32 {
        let back = self.map.view(lead.to).is_some_and(|there| self.left.contains(&there.digest));
        (if lead.guessed { self.costs.guess } else { 0.0 }) + if back { self.costs.back } else { 0.0 }
    }

    /// What only leads on.
    fn ways(&self, path: Path, found: &mut Vec<Path>) {
        if path.part >= self.parts.len() {
            return;
        }
        match path.at {
            At::Here => {
                for (number, ranked) in self.outlook.moves.iter().enumerate() {
                    let (Action::Click { .. }, Some(control)) = (&ranked.candidate.action, ranked.candidate.widget)
                    else {
                        continue;
                    };
                    let Some(lead) = self.map.lead(self.view, control) else { continue };
                    let mut worth = path.worth - self.costs.way - self.doubts(lead);
                    let begins = match path.begins {
                        // What leads to the next step is the next step's.
                        Begins::Open if path.part >= self.own => {
                            worth -= self.done;
                            Begins::Done
                        }
                        Begins::Open => Begins::Move(number),
                        begins => begins,
                    };
                    found.push(Path { at: At::There(lead.to), part: path.part, worth, begins });
                }
            }
            At::There(view) => {
                let Some(there) = self.map.view(view) else { return };
                for control in 0..there.controls.len() {
                    let Some(lead) = self.map.lead(there, control).filter(|lead| !lead.guessed) else { continue };
                    let worth = path.worth - self.costs.way;
                    found.push(Path { at: At::There(lead.to), part: path.part, worth, begins: path.begins });
                }
            }
            At::Beyond => {}
        }
    }
}
