//! The actions of a walkthrough, one by one.

use super::form::{Direction, Place};
use super::form::{HandAction, Spot, Swiping, Typing, Wheel};
use super::player::{KEY_BACK, Player, Stop};
use super::sight;
use crate::case::parse_duration;
use crate::domain::{Point, Rect};
use crate::hierarchy::Screen;

/// Keys of a walkthrough, by Android's code.
const KEYS: [(&str, u32); 5] = [("back", KEY_BACK), ("home", 3), ("enter", 66), ("tab", 61), ("search", 84)];
const KEY_MOVE_END: u32 = 123;
const KEY_DEL: u32 = 67;
/// Swipes before a wheel counts as one that never shows a value.
const TURNS: usize = 200;
/// The first dp of a movement, which count as touch.
const SLOP: f64 = 8.0;

impl Player<'_> {
    /// Does one action.
    pub(super) fn act(&mut self, action: &HandAction) -> Result<(), Stop> {
        let pause = self.play.pace.pause();
        if pause > 0.0 {
            self.phone().wait(pause);
        }
        match action {
            HandAction::Step(_) => Ok(()),
            HandAction::Tap(place) => {
                let found = self.find(place)?;
                self.tap(found.tap);
                Ok(())
            }
            HandAction::TapIfSeen(place) => self.tap_if_seen(place),
            HandAction::TapId(id) => {
                let found = self.sought(|screen| sight::with_id(screen, id));
                let found = found.ok_or_else(|| self.missing(&format!("the element {id:?}")))?;
                self.tap(found.tap);
                Ok(())
            }
            HandAction::TapAt(spot) => self.tap_at(spot),
            HandAction::TapLink(words) => self.tap_link(words),
            HandAction::LongPress(place) => {
                let found = self.find(place)?;
                self.hold(found.tap);
                Ok(())
            }
            HandAction::Type(typing) => self.type_into(typing),
            HandAction::Keypad(digits) => self.keypad(digits),
            HandAction::Turn(turning) => {
                let to = self.text(&turning.to)?;
                self.turn(&turning.wheel, &to)
            }
            HandAction::Swipe(swiping) => self.swipe(swiping),
            HandAction::ScrollTo(text) => {
                let text = self.text(text)?;
                let found = self.sought(|screen| sight::shows(screen, &text).then_some(()));
                found.ok_or_else(|| self.missing(&format!("{text:?}")))
            }
            HandAction::HideKeyboard(()) => {
                self.hide_keyboard();
                Ok(())
            }
            HandAction::Key(key) => {
                let named = KEYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
                let (_, code) = named.ok_or_else(|| {
                    Stop::Wrong(format!("`key: {key}` is not known; write {}", KEYS.map(|(name, _)| name).join(", ")))
                })?;
                self.press(*code);
                Ok(())
            }
            HandAction::Wait(time) => {
                let time = parse_duration(time).map_err(|error| Stop::Wrong(error.to_string()))?;
                self.phone().wait(time.as_secs_f64());
                Ok(())
            }
            HandAction::WaitFor(text) | HandAction::See(text) => self.see(text),
            HandAction::NotSee(text) => self.see_nothing_of(text),
            HandAction::Actor(actor) => self.hand_over(actor),
            HandAction::Adb(line) => self.adb(line),
            HandAction::Open(package) => self.phone().start(package).map_err(Stop::Blocked),
        }
    }

    fn tap_if_seen(&mut self, place: &Place) -> Result<(), Stop> {
        let text = self.text(place.text())?;
        if let Some(found) = sight::element(&self.look(), &text) {
            self.tap(found.tap);
        }
        Ok(())
    }

    fn tap_at(&mut self, spot: &Spot) -> Result<(), Stop> {
        let name = self.text(&spot.within)?;
        let found = self.sought(|screen| sight::element(screen, &name)).ok_or_else(|| self.missing(&name))?;
        let part = |from: i32, length: i32, share: f64| from + (f64::from(length) * share) as i32;
        let Rect { left, top, .. } = found.bounds;
        self.tap(Point::new(part(left, found.bounds.width(), spot.x), part(top, found.bounds.height(), spot.y)));
        Ok(())
    }

    fn tap_link(&mut self, words: &str) -> Result<(), Stop> {
        let words = self.text(words)?;
        self.sought(|screen| sight::shows(screen, &words).then_some(()));
        let at = sight::link(&self.phone().look_for_links(), &words);
        let at = at.ok_or_else(|| self.missing(&format!("the link {words:?}")))?;
        self.tap(at);
        Ok(())
    }

    fn swipe(&mut self, swiping: &Swiping) -> Result<(), Stop> {
        let screen = self.look();
        let display = self.phone().display().rect();
        let (direction, area) = match swiping {
            Swiping::Over(direction) => (*direction, screen.scroll_areas.first().copied().unwrap_or(display)),
            Swiping::Within { direction, within } => {
                let name = self.text(within)?;
                let found = sight::element(&screen, &name).ok_or_else(|| self.missing(&name))?;
                (*direction, found.bounds)
            }
        };
        self.sweep(area, direction, 0.6);
        Ok(())
    }

    fn see(&mut self, text: &str) -> Result<(), Stop> {
        let text = self.text(text)?;
        let seen = self.awaited(|screen| sight::shows(screen, &text).then_some(()));
        let seen = seen.or_else(|| self.sought(|screen| sight::shows(screen, &text).then_some(())));
        seen.ok_or_else(|| Stop::Failed(format!("{text:?} is not on the screen {}", sight::told(&self.look()))))
    }

    fn see_nothing_of(&self, text: &str) -> Result<(), Stop> {
        let text = self.text(text)?;
        let screen = self.look();
        if sight::shows(&screen, &text) {
            return Err(Stop::Failed(format!("{text:?} is on the screen {}", sight::told(&screen))));
        }
        Ok(())
    }

    fn hand_over(&mut self, actor: &str) -> Result<(), Stop> {
        if !self.phones.contains_key(actor) {
            return Err(Stop::Wrong(format!("the case has no actor {actor:?}")));
        }
        actor.clone_into(&mut self.actor);
        Ok(())
    }

    fn adb(&mut self, line: &str) -> Result<(), Stop> {
        self.about_to_touch();
        match line.split_once(' ') {
            Some(("shell", line)) => {
                self.phone().sh(line);
                Ok(())
            }
            Some(("emu", line)) => self.phone().console(line).map_err(Stop::Wrong),
            _ => Err(Stop::Wrong(format!("`adb: {line}` is not understood; write `shell …` or `emu …`"))),
        }
    }

    fn type_into(&mut self, typing: &Typing) -> Result<(), Stop> {
        let (into, text) = (self.text(&typing.into)?, self.text(&typing.text)?);
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
            self.phone().key(KEY_MOVE_END);
            for _ in content.chars() {
                self.phone().key(KEY_DEL);
            }
        }
        self.actions += 1;
        self.phone().type_text(&text);
        Ok(())
    }

    fn keypad(&mut self, digits: &str) -> Result<(), Stop> {
        let digits = self.text(digits)?;
        let keys = self.awaited(|screen| Some(screen.keypad_keys()).filter(|keys| keys.len() >= 10));
        let keys = keys.ok_or_else(|| self.missing("a numeric keypad"))?;
        self.about_to_touch();
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
        for _ in 0..TURNS {
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
            let slop = SLOP * f64::from(self.play.device.density) / 160.0;
            let length = f64::from(seen.row) * rows as f64 + slop;
            self.sweep(seen.bounds, direction, length / f64::from(seen.bounds.height()));
        }
        Err(Stop::Blocked(format!("the wheel {wheel:?} never showed {to:?}")))
    }
}
