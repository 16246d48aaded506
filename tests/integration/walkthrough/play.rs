//! Playing one case by its walkthrough, and judging how it ended.

use super::phone::Phone;
use super::sight;
use super::step::{Direction, Place, Step, Swiping, Typing, Wheel};
use super::suite::walkthrough;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tapwright::case::{Case, Parameters, parse_duration};
use tapwright::domain::{Expectation, Point, Rect};
use tapwright::evaluation::suite::{Expected, Suite, SuiteDevice, SuiteRun, morning};
use tapwright::hierarchy::{Screen, check};
use tapwright::virtual_device::AppFiles;
use tapwright::vision::encode_png;

/// One case on one device with the switches of one run.
pub(super) struct Play<'a> {
    pub(super) suite: &'a Suite,
    pub(super) case: &'a Case,
    pub(super) run: &'a SuiteRun,
    pub(super) device: &'a SuiteDevice,
    pub(super) seed: u64,
    /// Where a picture of the screen after each step goes.
    pub(super) album: Option<PathBuf>,
}

/// How a play ended.
pub(super) struct Ending {
    pub(super) verdict: Expected,
    pub(super) reason: String,
    /// What a person did, one entry a step.
    pub(super) done: Vec<String>,
    /// The last screen's texts.
    pub(super) screen: String,
    /// Touches, swipes, keys and texts; a whole text or number counts once.
    pub(super) actions: usize,
}

/// Why a step did not work.
enum Stop {
    /// It could not be done.
    Blocked(String),
    /// What should be seen is not there, or what should not is.
    Failed(String),
}

/// How often a person looks again, half a second apart, before looking elsewhere.
const LOOKS: usize = 12;
/// How often a person scrolls on.
const SCROLLS: usize = 40;

struct Player<'a> {
    play: &'a Play<'a>,
    phones: BTreeMap<String, Phone>,
    packages: BTreeMap<String, String>,
    params: Parameters,
    actor: String,
    actions: usize,
}

impl Play<'_> {
    /// Starts the devices, does the steps, checks the expectations.
    pub(super) fn to_the_end(&self) -> Ending {
        let walkthrough = walkthrough(self.suite, self.case).unwrap_or_else(|error| panic!("{error}"));
        let mut player = Player::ready(self);
        let mut done = Vec::new();
        let mut stopped = player.start().err();
        for step in &walkthrough.steps {
            if stopped.is_some() {
                break;
            }
            done.push(format!("{step:?}"));
            stopped = player.act(step).err();
            if let Some(album) = &self.album {
                player.look();
                let picture = player.phone().picture();
                let png = encode_png(&picture).unwrap();
                std::fs::write(album.join(format!("{}-{:02}.png", self.case.id, done.len())), png).unwrap();
            }
        }
        let screen = player.look();
        if stopped.is_some() && screen.widgets.is_empty() {
            // A person touches once more what does not react; Android then finds the app hung.
            player.tap(self.device.display.rect().center());
            player.phone().wait(8.0);
        }
        let (verdict, reason) = match (player.trouble(), stopped) {
            (Some(trouble), _) => (Expected::Failed, trouble),
            (None, Some(Stop::Failed(reason))) => (Expected::Failed, reason),
            (None, Some(Stop::Blocked(reason))) => (Expected::Blocked, reason),
            (None, None) => player.judged(),
        };
        Ending { verdict, reason, done, screen: sight::told(&screen), actions: player.actions }
    }
}

impl<'a> Player<'a> {
    fn ready(play: &'a Play<'a>) -> Self {
        let files = Arc::new(AppFiles::default());
        let clock = morning();
        let phone = |location: Option<&str>| {
            let location = location.or(play.run.location.as_deref());
            Phone::new(play.device, play.seed, &play.run.switches, location, &files, &clock, &play.suite.apps)
        };
        let case = play.case;
        let (mut phones, mut packages) = (BTreeMap::new(), BTreeMap::new());
        if case.actors.is_empty() {
            phones.insert(String::new(), phone(None));
            packages.insert(String::new(), case.app.package.to_string());
        }
        for (name, actor) in &case.actors {
            phones.insert(name.clone(), phone(actor.location.as_deref()));
            packages.insert(name.clone(), actor.app.package.to_string());
        }
        let params = case
            .params
            .overridden(&play.suite.params_of(play.run, play.device))
            .unwrap_or_else(|error| panic!("{}/suite.yaml, {}: {error}", play.suite.name, case.id));
        let first = case.aim.instructions().first().and_then(|step| step.actor.clone());
        Self { play, phones, packages, params, actor: first.unwrap_or_default(), actions: 0 }
    }

    /// Starts the app of each actor.
    fn start(&mut self) -> Result<(), Stop> {
        for (actor, phone) in &self.phones {
            phone.start(&self.packages[actor]).map_err(Stop::Blocked)?;
        }
        Ok(())
    }

    fn phone(&self) -> &Phone {
        &self.phones[&self.actor]
    }

    fn look(&self) -> Screen {
        self.phone().look(false)
    }

    fn trouble(&self) -> Option<String> {
        self.phones.iter().find_map(|(actor, phone)| phone.trouble(&self.packages[actor]))
    }

    /// A text of the walkthrough with parameters put in, and `@name` replaced by the app's text.
    fn text(&self, text: &str) -> String {
        let Play { suite, device, run, .. } = self.play;
        let named = text.strip_prefix('@').and_then(|name| suite.string(name, &device.locale, &run.switches));
        let text = named.as_deref().unwrap_or(text);
        match self.params.input(text) {
            Ok(text) => text.expose().to_owned(),
            Err(error) => panic!("{}: {error}", self.play.case.id),
        }
    }

    /// Looks until `find` finds something or it has been long enough; answers what pops up in between.
    fn awaited<T>(&mut self, find: impl Fn(&Screen) -> Option<T>) -> Option<T> {
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
    fn sought<T>(&mut self, find: impl Fn(&Screen) -> Option<T>) -> Option<T> {
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

    fn hide_keyboard(&mut self) {
        if self.phone().keyboard_shown() {
            self.press("BACK");
        }
    }

    fn press(&mut self, key: &str) {
        self.actions += 1;
        self.phone().sh(&format!("input keyevent KEYCODE_{key}"));
    }

    /// Moves the finger over the middle of an area, by a share of it.
    fn sweep(&mut self, area: Rect, direction: Direction, share: f64) {
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

    fn missing(&self, what: &str) -> Stop {
        Stop::Blocked(format!("{what} is not on the screen {}", sight::told(&self.look())))
    }

    /// What a text means on the screen, once it can be touched.
    fn find(&mut self, place: &Place) -> Result<sight::Found, Stop> {
        let text = self.text(place.text());
        let (beside, nth) = match place {
            Place::Text(_) => (None, None),
            Place::Detailed(place) => (place.beside.as_deref().map(|text| self.text(text)), place.nth),
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

    fn tap(&mut self, at: Point) {
        self.actions += 1;
        self.phone().tap(at);
    }

    fn act(&mut self, step: &Step) -> Result<(), Stop> {
        match step {
            Step::Tap(place) => {
                let found = self.find(place)?;
                self.tap(found.tap);
            }
            Step::TapIfSeen(place) => {
                let text = self.text(place.text());
                if let Some(found) = sight::element(&self.look(), &text) {
                    self.tap(found.tap);
                }
            }
            Step::TapId(id) => {
                let found = self.sought(|screen| sight::with_id(screen, id));
                let found = found.ok_or_else(|| self.missing(&format!("the element {id:?}")))?;
                self.tap(found.tap);
            }
            Step::TapAt(spot) => {
                let name = self.text(&spot.within);
                let found = self.sought(|screen| sight::element(screen, &name)).ok_or_else(|| self.missing(&name))?;
                let part = |from: i32, length: i32, share: f64| from + (f64::from(length) * share) as i32;
                let Rect { left, top, .. } = found.bounds;
                self.tap(Point::new(
                    part(left, found.bounds.width(), spot.x),
                    part(top, found.bounds.height(), spot.y),
                ));
            }
            Step::TapLink(words) => {
                let words = self.text(words);
                self.sought(|screen| sight::shows(screen, &words).then_some(()));
                let at = sight::link(&self.phone().look(true), &words);
                let at = at.ok_or_else(|| self.missing(&format!("the link {words:?}")))?;
                self.tap(at);
            }
            Step::LongPress(place) => {
                let found = self.find(place)?;
                self.actions += 1;
                self.phone().hold(found.tap);
            }
            Step::Type(typing) => self.type_into(typing)?,
            Step::Keypad(digits) => self.keypad(digits)?,
            Step::Turn(turning) => {
                let to = self.text(&turning.to);
                self.turn(&turning.wheel, &to)?;
            }
            Step::Swipe(swiping) => {
                let screen = self.look();
                let display = self.phone().display().rect();
                let (direction, area) = match swiping {
                    Swiping::Over(direction) => (*direction, screen.scroll_areas.first().copied().unwrap_or(display)),
                    Swiping::Within { direction, within } => {
                        let name = self.text(within);
                        let found = sight::element(&screen, &name).ok_or_else(|| self.missing(&name))?;
                        (*direction, found.bounds)
                    }
                };
                self.sweep(area, direction, 0.6);
            }
            Step::ScrollTo(text) => {
                let text = self.text(text);
                self.sought(|screen| sight::shows(screen, &text).then_some(()))
                    .ok_or_else(|| self.missing(&format!("{text:?}")))?;
            }
            Step::HideKeyboard(()) => self.hide_keyboard(),
            Step::Key(key) => self.press(&key.to_uppercase()),
            Step::Wait(time) => {
                let time = parse_duration(time).unwrap_or_else(|error| panic!("{}: {error}", self.play.case.id));
                self.phone().wait(time.as_secs_f64());
            }
            Step::WaitFor(text) | Step::See(text) => {
                let text = self.text(text);
                let seen = self.awaited(|screen| sight::shows(screen, &text).then_some(()));
                let seen = seen.or_else(|| self.sought(|screen| sight::shows(screen, &text).then_some(())));
                seen.ok_or_else(|| {
                    Stop::Failed(format!("{text:?} is not on the screen {}", sight::told(&self.look())))
                })?;
            }
            Step::NotSee(text) => {
                let text = self.text(text);
                let screen = self.look();
                if sight::shows(&screen, &text) {
                    return Err(Stop::Failed(format!("{text:?} is on the screen {}", sight::told(&screen))));
                }
            }
            Step::Actor(actor) => {
                assert!(self.phones.contains_key(actor), "{}: no actor {actor:?}", self.play.case.id);
                self.actor.clone_from(actor);
            }
            Step::Adb(line) => match line.split_once(' ') {
                Some(("shell", line)) => {
                    self.phone().sh(line);
                }
                Some(("emu", line)) => self.phone().console(line),
                _ => panic!("{}: `adb: {line}` is not understood; write `shell …` or `emu …`", self.play.case.id),
            },
            Step::Open(package) => self.phone().start(package).map_err(Stop::Blocked)?,
        }
        Ok(())
    }

    fn type_into(&mut self, typing: &Typing) -> Result<(), Stop> {
        let (into, text) = (self.text(&typing.into), self.text(&typing.text));
        let at = |screen: &Screen| sight::field(screen, &into);
        let mut found = self.sought(at).ok_or_else(|| self.missing(&format!("the field {into:?}")))?;
        if self.phone().keyboard_shown() && self.phone().under_keyboard(found.tap.y) {
            self.hide_keyboard();
            found = at(&self.look()).ok_or_else(|| self.missing(&format!("the field {into:?}")))?;
        }
        self.tap(found.tap);
        let focused = self.look();
        let content = at(&focused).map(|field| field.label).unwrap_or_default();
        if !content.is_empty() {
            self.phone().sh("input keyevent KEYCODE_MOVE_END");
            let delete = vec!["KEYCODE_DEL"; content.chars().count()].join(" ");
            self.phone().sh(&format!("input keyevent {delete}"));
        }
        self.actions += 1;
        let quoted = text.replace('\'', r"'\''").replace(' ', "%s");
        let said = self.phone().sh(&format!("input text '{quoted}'"));
        if said.is_empty() { Ok(()) } else { Err(Stop::Blocked(format!("typing {text:?} failed: {said}"))) }
    }

    fn keypad(&mut self, digits: &str) -> Result<(), Stop> {
        let digits = self.text(digits);
        let keys = self.awaited(|screen| Some(screen.keypad_keys()).filter(|keys| keys.len() >= 10));
        let keys = keys.ok_or_else(|| self.missing("a numeric keypad"))?;
        self.actions += 1;
        for digit in digits.chars() {
            let at = keys.get(&digit).ok_or_else(|| Stop::Blocked(format!("the keypad has no key {digit:?}")))?;
            self.phone().tap(*at);
        }
        Ok(())
    }

    fn turn(&mut self, wheel: &Wheel, to: &str) -> Result<(), Stop> {
        let view = |screen: &Screen| match wheel {
            Wheel::Number(number) => sight::wheel(screen, None, *number),
            Wheel::Id(id) => sight::wheel(screen, Some(id), 1),
        };
        let (mut direction, mut before) = (Direction::Up, String::new());
        for _ in 0..200 {
            let Some(seen) = self.awaited(view) else { return Err(self.missing(&format!("the wheel {wheel:?}"))) };
            if sight::flat(&seen.value) == sight::flat(to) {
                return Ok(());
            }
            let number = |text: &str| text.replace(',', "").parse::<i64>().ok();
            let mut rows = 1;
            if let (Some(now), Some(wanted)) = (number(&seen.value), number(to)) {
                direction = if wanted > now { Direction::Up } else { Direction::Down };
                let steps = seen.beside.iter().filter_map(|text| number(text)).map(|beside| (beside - now).abs());
                let step = steps.filter(|step| *step > 0).max().unwrap_or(1);
                rows = ((wanted - now).abs() / step).clamp(1, 3);
            } else if seen.value == before {
                direction = Direction::Down;
            }
            before.clone_from(&seen.value);
            // The first few pixels of a movement count as touch.
            let slop = 8.0 * f64::from(self.play.device.density) / 160.0;
            let length = f64::from(seen.row) * rows as f64 + slop;
            self.sweep(seen.bounds, direction, length / f64::from(seen.bounds.height()));
        }
        Err(Stop::Blocked(format!("the wheel {wheel:?} never showed {to:?}")))
    }

    /// Whether the case's expectations hold, as the product itself judges, in the end; each on the device of its actor.
    fn judged(&self) -> (Expected, String) {
        let case = self.play.case;
        let expected: Vec<(&String, Expectation)> = case
            .expect
            .iter()
            .map(|outcome| {
                let expectation = outcome.expectation.shown(&self.params).unwrap_or_else(|error| panic!("{error}"));
                let Play { suite, device, run, .. } = self.play;
                let expectation = expectation.map_texts(|text| suite.in_language(text, &device.locale, &run.switches));
                (outcome.actor.as_ref().unwrap_or(&self.actor), expectation)
            })
            .collect();
        let mut broken: Vec<String> = Vec::new();
        for _ in 0..LOOKS {
            let screens: BTreeMap<&String, Screen> =
                self.phones.iter().map(|(actor, phone)| (actor, phone.look(false))).collect();
            let outcomes = expected.iter().map(|(actor, expectation)| check(expectation, &screens[actor]));
            broken = outcomes
                .filter(|outcome| !outcome.held)
                .map(|outcome| format!("{}: {}", outcome.expectation, outcome.evidence))
                .collect();
            if broken.is_empty() {
                return (Expected::Passed, "all expectations hold".to_owned());
            }
            self.phone().wait(0.5);
        }
        (Expected::Failed, broken.join("; "))
    }
}
