//! A person at work on a case: looks, waits, scrolls, answers what pops up, and touches.

use super::form::{Direction, Place};
use super::handset::Handset;
use super::play::{Moment, Play};
use super::sight;
use super::wording::Wording;
use crate::domain::{Point, Rect};
use crate::evaluation::suite::truth::Snapshot;
use crate::evaluation::suite::{Phone, SuiteError, morning};
use crate::hierarchy::Screen;
use crate::virtual_device::{AppFiles, Clock};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why an action did not work.
pub(super) enum Stop {
    /// It could not be done.
    Blocked(String),
    /// What should be seen is not there, or what should not is.
    Failed(String),
    /// The walkthrough makes no sense.
    Wrong(String),
}

/// How often a person looks again, half a second apart, before looking elsewhere.
pub(super) const LOOKS: usize = 12;
/// BACK.
pub(super) const KEY_BACK: u32 = 4;
/// How often a person scrolls on.
const SCROLLS: usize = 40;

/// A person, their devices, and what was true on the way.
pub(super) struct Player<'a> {
    pub(super) play: &'a Play<'a>,
    pub(super) phones: BTreeMap<String, Handset>,
    packages: BTreeMap<String, String>,
    pub(super) wording: Wording<'a>,
    /// Whose device is in use.
    pub(super) actor: String,
    pub(super) actions: usize,
    pub(super) moments: Vec<Moment>,
    /// Actions of the walkthrough that were done.
    pub(super) finished: usize,
    /// Nothing was touched since the last action was done: what it brought may still come.
    settling: bool,
}

impl<'a> Player<'a> {
    pub(super) fn ready(play: &'a Play<'a>) -> Result<Self, SuiteError> {
        let files = Arc::new(AppFiles::default());
        let clock = Clock::virtual_at(morning().wall() + play.pace.delay());
        let phone = |location: Option<&str>| {
            let location = location.or(play.run.location.as_deref());
            let phone = Phone::new(play.device, play.seed, &play.run.switches, location, &files, &clock, play.apps);
            phone.map(Handset::new)
        };
        let case = play.case;
        let (mut phones, mut packages) = (BTreeMap::new(), BTreeMap::new());
        if case.actors.is_empty() {
            phones.insert(String::new(), phone(None)?);
            packages.insert(String::new(), case.app.package.to_string());
        }
        for (name, actor) in &case.actors {
            phones.insert(name.clone(), phone(actor.location.as_deref())?);
            packages.insert(name.clone(), actor.app.package.to_string());
        }
        let wording = Wording::of(play.suite, case, play.run, play.device)?;
        let first = case.aim.instructions().first().and_then(|step| step.actor.clone());
        Ok(Self {
            play,
            phones,
            packages,
            wording,
            actor: first.unwrap_or_default(),
            actions: 0,
            moments: Vec::new(),
            finished: 0,
            settling: false,
        })
    }

    /// Starts the app of each actor.
    pub(super) fn start(&mut self) -> Result<(), Stop> {
        for (actor, phone) in &self.phones {
            phone.start(&self.packages[actor]).map_err(Stop::Blocked)?;
        }
        Ok(())
    }

    /// Notes what is true now.
    pub(super) fn note(&mut self) {
        let truth = Snapshot::of(self.phones.iter().map(|(actor, phone)| (actor.as_str(), phone.phone())));
        let moment = Moment { done: self.finished, truth };
        if self.moments.last() != Some(&moment) {
            self.moments.push(moment);
        }
        self.settling = true;
    }

    /// Notes what has come of the action before, as something is about to be touched.
    pub(super) fn about_to_touch(&mut self) {
        if self.settling {
            self.note();
            self.settling = false;
        }
    }

    pub(super) fn phone(&self) -> &Handset {
        &self.phones[&self.actor]
    }

    pub(super) fn look(&self) -> Screen {
        self.phone().look()
    }

    pub(super) fn trouble(&self) -> Option<String> {
        self.phones.iter().find_map(|(actor, phone)| phone.trouble(&self.packages[actor]))
    }

    /// A text of the walkthrough as the device shows it.
    pub(super) fn text(&self, text: &str) -> Result<String, Stop> {
        self.wording.text(text)
    }

    /// Looks until `find` finds something or it has been long enough; answers what pops up in between.
    pub(super) fn awaited<T>(&mut self, find: impl Fn(&Screen) -> Option<T>) -> Option<T> {
        for look in 0..LOOKS {
            let screen = self.look();
            if let Some(found) = find(&screen) {
                return Some(found);
            }
            if self.answered(&screen) {
                continue;
            }
            // An app that is gone shows nothing more.
            if look > 2 && self.trouble().is_some() {
                return None;
            }
            self.phone().wait(0.5);
        }
        None
    }

    /// Looks, and scrolls the largest list down to its end, then up to its beginning, until `find` finds something.
    pub(super) fn sought<T>(&mut self, find: impl Fn(&Screen) -> Option<T>) -> Option<T> {
        let first = self.look();
        if let Some(found) = find(&first) {
            return Some(found);
        }
        if let Some(found) = self.awaited(&find) {
            return Some(found);
        }
        for direction in [Direction::Up, Direction::Down] {
            let mut before = self.look();
            for _ in 0..SCROLLS {
                let area = before.scroll_areas.first().copied()?;
                self.hide_keyboard();
                self.sweep(area, direction, 0.55);
                let after = self.look();
                if let Some(found) = find(&after) {
                    return Some(found);
                }
                if after.digest == before.digest {
                    break;
                }
                before = after;
            }
        }
        None
    }

    /// Touches the answer to a question that no step speaks of, as the case's preferences have it.
    fn answered(&mut self, screen: &Screen) -> bool {
        let preferences = &self.play.case.preferences;
        let mut answers = preferences.decline.iter().chain(&preferences.accept);
        let Some(answer) = answers.find_map(|text| sight::button(screen, text)) else { return false };
        self.tap(answer.tap);
        true
    }

    pub(super) fn hide_keyboard(&mut self) {
        if self.phone().keyboard_shown() {
            self.press(KEY_BACK);
        }
    }

    /// Presses a key, by Android's code.
    pub(super) fn press(&mut self, code: u32) {
        self.about_to_touch();
        self.actions += 1;
        self.phone().key(code);
    }

    pub(super) fn tap(&mut self, at: Point) {
        self.about_to_touch();
        self.actions += 1;
        self.phone().tap(at);
    }

    pub(super) fn hold(&mut self, at: Point) {
        self.about_to_touch();
        self.actions += 1;
        self.phone().hold(at);
    }

    /// Moves the finger over the middle of an area, by a share of it.
    pub(super) fn sweep(&mut self, area: Rect, direction: Direction, share: f64) {
        self.about_to_touch();
        self.actions += 1;
        let center = area.center();
        let part = |length: i32| (f64::from(length) * share / 2.0) as i32;
        let (x, y) = (part(area.width()), part(area.height()));
        let (from, to) = match direction {
            Direction::Up => (Point::new(center.x, center.y + y), Point::new(center.x, center.y - y)),
            Direction::Down => (Point::new(center.x, center.y - y), Point::new(center.x, center.y + y)),
            Direction::Left => (Point::new(center.x + x, center.y), Point::new(center.x - x, center.y)),
            Direction::Right => (Point::new(center.x - x, center.y), Point::new(center.x + x, center.y)),
        };
        self.phone().swipe(from, to);
    }

    pub(super) fn missing(&self, what: &str) -> Stop {
        Stop::Blocked(format!("{what} is not on the screen {}", sight::told(&self.look())))
    }

    /// What a text means on the screen, once it can be touched.
    pub(super) fn find(&mut self, place: &Place) -> Result<sight::Found, Stop> {
        let text = self.text(place.text())?;
        let (beside, nth) = match place {
            Place::Text(_) => (None, None),
            Place::Detailed(place) => (place.beside.as_deref().map(|text| self.text(text)).transpose()?, place.nth),
        };
        let at = |screen: &Screen| sight::place(screen, &text, beside.as_deref(), nth);
        // A heading that says the same is not what a person means, nor what shows while the rest still loads.
        let found = self.sought(|screen| at(screen).filter(|found| found.touchable)).or_else(|| at(&self.look()));
        let found = match found {
            Some(found) => found,
            None => self.sought(at).ok_or_else(|| self.missing(&format!("{text:?}")))?,
        };
        let found = if self.phone().keyboard_shown() && !found.is_field() && self.phone().under_keyboard(found.tap.y) {
            self.hide_keyboard();
            at(&self.look()).ok_or_else(|| self.missing(&format!("{text:?}")))?
        } else {
            found
        };
        if found.enabled {
            return Ok(found);
        }
        self.awaited(|screen| at(screen).filter(|found| found.enabled))
            .ok_or_else(|| Stop::Blocked(format!("{text:?} is disabled on {}", sight::told(&self.look()))))
    }
}
