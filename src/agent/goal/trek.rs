//! What is remembered on the way to a goal: what was done, what was in vain, and where one has been.

use super::decision::Stride;
use super::offers::rough_key;
use super::route::done_key;
use crate::agent::Deed;
use crate::app_map::{Control, View};
use crate::domain::Action;
use crate::hierarchy::{Fingerprint, Role, Screen, Widget};
use std::collections::{HashMap, HashSet};

/// How often a place is scrolled on in search of something.
const MOST_SCROLLS: u32 = 5;

/// How often one goes back from a place.
const MOST_BACKS: u32 = 3;

/// A place of the app: pages of one structure are one place, but for the page of what the goal names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Spot(Fingerprint, bool);

/// The memory of a goal.
#[derive(Debug, Default)]
pub(super) struct Trek {
    /// What the goal names, in small letters.
    pub named: Vec<String>,
    /// What was done that still stands: what was gone back from does not.
    pub past: Vec<Stride>,
    /// Touches and texts that had no effect.
    pub barred: HashSet<(u64, u64)>,
    /// Touches made, whether for the goal or in search of a way.
    touched: HashMap<(Spot, u64), u32>,
    scrolled: HashMap<Spot, u32>,
    /// Places from which going back was tried, and how often.
    left: HashMap<Spot, u32>,
    /// Places, and how often each was come to.
    been: HashMap<Spot, u32>,
    /// What the screen showed before each deed that still stands, and where the deed is.
    before: Vec<(u64, usize)>,
    /// Waits in a row.
    pub waits: u32,
    /// Actions without effect in a row.
    pub vain: u32,
    /// How often the app was brought to the front again.
    pub outside: u32,
    /// The screen it began on.
    home: Option<Spot>,
    /// Actions made only in search of a way.
    pub searched: u32,
    /// What is likely was tried everywhere: now the rest is.
    pub thorough: bool,
}

impl Trek {
    /// Begins; `named` is what the goal names, in small letters.
    pub(super) fn new(named: Vec<String>) -> Self {
        Self { named, ..Self::default() }
    }

    fn spot(&self, screen: &Screen) -> Spot {
        let title = screen.title.trim().to_lowercase();
        Spot(screen.fingerprint, self.named.iter().any(|name| title.contains(name.as_str())))
    }

    /// A screen was come to.
    pub(super) fn arrive(&mut self, screen: &Screen) {
        let spot = self.spot(screen);
        self.home.get_or_insert(spot);
        *self.been.entry(spot).or_default() += 1;
    }

    /// How many different places were seen.
    pub(super) fn places(&self) -> usize {
        self.been.len()
    }

    /// The search is away from where it began, and only looks for what is likely yet.
    pub(super) fn is_passing(&self, on: &Screen) -> bool {
        !self.thorough && self.home != Some(self.spot(on))
    }

    pub(super) fn times_touched(&self, on: &Screen, widget: &Widget) -> u32 {
        self.touched.get(&(self.spot(on), rough_key(&Control::of(widget), None))).copied().unwrap_or_default()
    }

    pub(super) fn may_scroll(&self, on: &Screen) -> bool {
        self.scrolled.get(&self.spot(on)).is_none_or(|times| *times < MOST_SCROLLS)
    }

    pub(super) fn may_leave(&self, from: &Screen) -> bool {
        let spot = self.spot(from);
        self.left.get(&spot).is_none_or(|times| *times < MOST_BACKS) && self.home != Some(spot)
    }

    /// Something was typed on this screen, and not sent yet.
    pub(super) fn typed_on(&self, screen: &Screen) -> bool {
        let here = View::of(screen);
        let pressed = |stride: &Stride| {
            let control = stride.control.filter(|_| stride.typed.is_none()).and_then(|at| stride.on.controls.get(at));
            control.is_some_and(|control| control.role == Role::Button && control.checked.is_none())
        };
        let mut since = self.past.iter().rev().take_while(|stride| !pressed(stride));
        since.any(|stride| stride.typed.is_some() && stride.on.title == here.title)
    }

    /// The label of what was touched last.
    pub(super) fn last_label(&self) -> Option<&str> {
        let last = self.past.last().filter(|last| last.typed.is_none())?;
        last.control.and_then(|at| last.on.controls.get(at)).map(|control| control.label.as_str())
    }

    /// Something was done on this page last.
    pub(super) fn has_begun(&self, screen: &Screen) -> bool {
        self.past.last().is_some_and(|last| !last.back && last.on.title == screen.title)
    }

    /// An action was chosen.
    pub(super) fn choose(&mut self, screen: &Screen, action: &Action) {
        let spot = self.spot(screen);
        match action {
            Action::Scroll { .. } => *self.scrolled.entry(spot).or_default() += 1,
            Action::PressBack => *self.left.entry(spot).or_default() += 1,
            Action::Click { target } | Action::LongPress { target } => {
                let touched =
                    screen.widgets.iter().find(|widget| widget.bounds == target.bounds && widget.label == target.label);
                if let Some(widget) = touched {
                    *self.touched.entry((spot, rough_key(&Control::of(widget), None))).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    /// Going back from here left the app.
    pub(super) fn stay(&mut self, on: &Screen) {
        self.left.insert(self.spot(on), MOST_BACKS);
    }

    /// A scroll showed nothing new: there is no more.
    pub(super) fn exhaust(&mut self, on: &Screen) {
        self.scrolled.insert(self.spot(on), MOST_SCROLLS);
    }

    /// A deed was done on `before` that led to `after`. One that went back to what was seen before undoes what lies
    /// between, unless something was typed or held there.
    pub(super) fn note(
        &mut self,
        before: &Screen,
        action: &Action,
        stride: Stride,
        after: &Screen,
        deeds: &mut Vec<Deed>,
    ) {
        self.before.push((before.digest, deeds.len().saturating_sub(1)));
        self.past.push(stride);
        if *action != Action::PressBack {
            return;
        }
        let harmless =
            |action: &Action| matches!(action, Action::Click { .. } | Action::PressBack | Action::Scroll { .. });
        let there = View::of(after);
        if let Some(at) = self.past.iter().position(|stride| !stride.back && !stride.on.differs(&there)) {
            let typed = self.past[at..].iter().any(|stride| stride.typed.is_some());
            if !typed {
                // What was in vain is not tried again where it began.
                let undone: Vec<Stride> = self.past.drain(at..).collect();
                let keys = undone.iter().filter_map(|stride| done_key(&stride.on, stride.control, None));
                self.barred.extend(keys.map(|(digest, key, ..)| (digest, key)));
            }
        }
        // The script goes without the detour when the screen is exactly as it was.
        let known = self.before.iter().position(|(digest, _)| *digest == after.digest);
        if let Some((at, first)) = known.and_then(|at| Some((at, self.before.get(at)?.1)))
            && deeds.get(first..).is_some_and(|undone| undone.iter().all(|deed| harmless(&deed.action)))
        {
            deeds.truncate(first);
            self.before.truncate(at);
        }
    }
}
