//! Replaying a script: guard, find, act — no model.

use super::format::{Script, ScriptAction, ScriptTarget};
use crate::device::{DeviceError, Eyes, Recorder, Seen};
use crate::domain::{
    Action, ActionSource, EventKind, Expectation, ExpectationOutcome, InputText, Locator, Point, Rect, Secret, Size,
    Target,
};
use crate::hierarchy::{LINK_CLASS, MASK, Role, Screen, Widget, check};
use crate::skill::{Library, PerformError};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Replays scripts on one device.
pub struct Replayer<'a> {
    /// Its eyes.
    pub eyes: Eyes<'a>,
    /// The skills.
    pub skills: &'a Library,
    /// Values of the secrets the script needs.
    pub secrets: &'a BTreeMap<String, Secret>,
    /// How long a guard may take to hold.
    pub patience: Duration,
}

/// The screen is not the one the script was recorded on, and the widget is not there either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The action, from 1.
    pub action: usize,
    /// The case's step, from 1.
    pub step: usize,
    /// What was expected and what was seen.
    pub reason: String,
}

/// How a replay went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Set when it could not go on.
    pub divergence: Option<Divergence>,
    /// The expectations at the end; empty when it diverged.
    pub expectations: Vec<ExpectationOutcome>,
}

/// Why a script could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A secret was not given.
    #[error("the script needs the secret {0:?}: give it with --param {0}=… or in the case file")]
    MissingSecret(String),
    /// The script asks for something this build cannot do.
    #[error("action {action}: {reason}")]
    Malformed {
        /// The action, from 1.
        action: usize,
        /// What is wrong.
        reason: String,
    },
    /// The run was cancelled.
    #[error("interrupted")]
    Interrupted,
}

impl Replayer<'_> {
    /// Replays `script` from the screen in `seen` (the app just started).
    pub async fn replay(
        &self,
        script: &Script,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
        cancel: &tokio_util::sync::CancellationToken,
    ) -> Result<Replayed, ReplayError> {
        if let Some(name) = script.secrets.iter().find(|name| !self.secrets.contains_key(*name)) {
            return Err(ReplayError::MissingSecret(name.clone()));
        }
        let recorded_on = Size::new(script.device.width, script.device.height);
        for (index, recorded) in script.actions.iter().enumerate() {
            if cancel.is_cancelled() {
                return Err(ReplayError::Interrupted);
            }
            if let Some(reason) = self.await_guard(recorded, seen, recorder).await? {
                let divergence = Divergence { action: index + 1, step: recorded.step, reason };
                return Ok(Replayed { divergence: Some(divergence), expectations: Vec::new() });
            }
            let malformed = |reason| ReplayError::Malformed { action: index + 1, reason };
            let (action, held) = self.action(recorded, recorded_on, &seen.screen).map_err(malformed)?;
            let acting = Instant::now();
            self.skills.perform(self.eyes.device, &action, held, &seen.hierarchy).await.map_err(
                |error| match error {
                    PerformError::Device(error) => ReplayError::Device(error),
                    PerformError::Expand(error) => malformed(error.to_string()),
                },
            )?;
            let act_ms = acting.elapsed().as_secs_f64() * 1000.0;
            let settling = Instant::now();
            *seen = self.see(script.actions.get(index + 1), recorder).await?;
            recorder.emit(EventKind::Acted {
                step: recorded.step,
                action,
                score: None,
                source: ActionSource::Script,
                valid: true,
                reason: format!("led to \"{}\"", seen.screen.title),
                act_ms,
                settle_ms: settling.elapsed().as_secs_f64() * 1000.0,
            });
        }
        let expectations =
            await_expectations(&self.eyes, &script.expectations, self.secrets, self.patience, seen, recorder).await?;
        Ok(Replayed { divergence: None, expectations })
    }

    /// Waits until the guard holds; the reason when it does not in time.
    async fn await_guard(
        &self,
        recorded: &ScriptAction,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<String>, DeviceError> {
        let deadline = Instant::now() + self.patience;
        loop {
            let Err(reason) = guard(recorded, &seen.screen) else {
                return Ok(None);
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.eyes.device.wait_for_change(&seen.hierarchy, left).await? {
                // The picture of the screen it stopped at is the evidence.
                *seen = self.eyes.look(recorder).await?;
                return Ok(guard(recorded, &seen.screen).err().map(|_| reason));
            }
            *seen = self.see(Some(recorded), recorder).await?;
        }
    }

    /// Looks at the screen as far as the next action needs: links are found in the picture, the end of a script is
    /// kept as evidence, everything else is in the hierarchy.
    async fn see(&self, next: Option<&ScriptAction>, recorder: &mut dyn Recorder) -> Result<Seen, DeviceError> {
        match next {
            Some(next) if !aims_at_link(next) => self.eyes.glance(recorder).await,
            _ => self.eyes.look(recorder).await,
        }
    }

    /// The action on the live screen, and how many characters its field holds.
    fn action(&self, recorded: &ScriptAction, recorded_on: Size, screen: &Screen) -> Result<(Action, usize), String> {
        let text = || self.text(recorded);
        let live = |target: &ScriptTarget| -> Result<(Target, usize), String> {
            let (widget, _) =
                screen.resolve(&target.selector).ok_or_else(|| format!("{:?} is not on the screen", target.label))?;
            let held = if widget.role == Role::Field { widget.value.chars().count() } else { 0 };
            Ok((moved(target, widget), held))
        };
        let target = || recorded.target.as_ref().ok_or("the script names no target").map_err(str::to_owned);
        let direction = || recorded.direction.ok_or("the script names no direction").map_err(str::to_owned);
        Ok(match recorded.skill.as_str() {
            "click" => (Action::Click { target: live(target()?)?.0 }, 0),
            "long_press" => (Action::LongPress { target: live(target()?)?.0 }, 0),
            "input_text" => {
                let (target, held) = live(target()?)?;
                (Action::InputText { target, text: text()? }, held)
            }
            "input_by_numeric_keyboard" => {
                (Action::InputByNumericKeyboard { digits: text()?, keys: screen.keypad_keys() }, 0)
            }
            "press_back" => (Action::PressBack, 0),
            "scroll" => {
                let area = recorded.area.ok_or("the script names no area")?;
                let area = live_area(transferred(area, recorded_on.rect(), screen.display.rect()), screen);
                (Action::Scroll { direction: direction()?, area }, 0)
            }
            "swipe_selector" => (Action::SwipeSelector { target: live(target()?)?.0, direction: direction()? }, 0),
            "open_app" => {
                let package = recorded.package.clone().ok_or("the script names no package")?;
                (Action::OpenApp { package }, 0)
            }
            other => return Err(format!("unknown skill {other:?}")),
        })
    }

    fn text(&self, recorded: &ScriptAction) -> Result<InputText, String> {
        match (&recorded.text, &recorded.secret) {
            (Some(text), None) => Ok(InputText::Plain(text.clone())),
            (None, Some(name)) => {
                let value = self.secrets.get(name).ok_or_else(|| format!("the secret {name:?} is missing"))?;
                Ok(InputText::Secret { name: name.clone(), value: value.clone() })
            }
            _ => Err("the script must name either a text or a secret".into()),
        }
    }
}

/// Checks an expectation whose texts may name secrets as `${name}`; the outcome never shows their values.
pub fn expect(expectation: &Expectation, secrets: &BTreeMap<String, Secret>, screen: &Screen) -> ExpectationOutcome {
    // On the screen a secret is masked character by character.
    let masked = |text: &str| {
        secrets.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("${{{name}}}"), &MASK.to_string().repeat(value.expose().chars().count()))
        })
    };
    ExpectationOutcome { expectation: expectation.to_string(), ..check(&expectation.map_texts(masked), screen) }
}

/// Checks the expectations until all hold or `patience` ends; what was found last.
pub async fn await_expectations(
    eyes: &Eyes<'_>,
    expectations: &[Expectation],
    secrets: &BTreeMap<String, Secret>,
    patience: Duration,
    seen: &mut Seen,
    recorder: &mut dyn Recorder,
) -> Result<Vec<ExpectationOutcome>, DeviceError> {
    let (begun, skipped) = (Instant::now(), eyes.device.skipped());
    loop {
        let outcomes: Vec<_> = expectations.iter().map(|wanted| expect(wanted, secrets, &seen.screen)).collect();
        let passed = begun.elapsed() + eyes.device.skipped().saturating_sub(skipped);
        let left = patience.saturating_sub(passed);
        if outcomes.iter().all(|outcome| outcome.held)
            || left.is_zero()
            || !eyes.device.wait_for_change(&seen.hierarchy, left).await?
        {
            return Ok(outcomes);
        }
        *seen = eyes.look(recorder).await?;
    }
}

/// The guard: an action with a target needs its widget, found by more than its place unless the screen is the recorded
/// one; an action without a target needs the recorded screen (or, for a keypad, its keys).
fn guard(recorded: &ScriptAction, screen: &Screen) -> Result<(), String> {
    let same = screen.fingerprint == recorded.before;
    let seen = || format!("expected the screen \"{}\", saw \"{}\"", recorded.screen, screen.title);
    if let Some(target) = &recorded.target {
        return match screen.resolve(&target.selector) {
            Some((widget, _)) if !widget.state.enabled => Err(format!("{:?} is disabled", target.label)),
            Some(_) if same => Ok(()),
            Some((_, at)) if !is_place(target.selector.chain.get(at)) => Ok(()),
            _ => Err(format!("{}; {:?} is not there", seen(), target.label)),
        };
    }
    if !recorded.keys.is_empty() {
        let keys = screen.keypad_keys();
        let missing = recorded.keys.keys().filter_map(|key| key.chars().next()).find(|key| !keys.contains_key(key));
        return missing.map_or(Ok(()), |key| Err(format!("{}; the keypad has no key {key:?}", seen())));
    }
    if same || recorded.skill == "open_app" { Ok(()) } else { Err(seen()) }
}

fn aims_at_link(action: &ScriptAction) -> bool {
    action.target.as_ref().is_some_and(|target| target.selector.class == LINK_CLASS)
}

fn is_place(locator: Option<&Locator>) -> bool {
    matches!(locator, None | Some(Locator::Path(_) | Locator::Bounds(_)))
}

/// The recorded target where the widget is now. The touch keeps its place within the bounds: a link stays off-centre.
fn moved(recorded: &ScriptTarget, widget: &Widget) -> Target {
    let centred = recorded.tap == recorded.bounds.center();
    Target {
        label: widget.label.clone(),
        selector: recorded.selector.clone(),
        bounds: widget.bounds,
        tap: if centred { widget.tap } else { transfer(recorded.tap, recorded.bounds, widget.bounds) },
    }
}

/// The rectangle on another display, in proportion.
fn transferred(area: Rect, from: Rect, to: Rect) -> Rect {
    let corner = |x, y| transfer(Point::new(x, y), from, to);
    let (start, end) = (corner(area.left, area.top), corner(area.right, area.bottom));
    Rect::new(start.x, start.y, end.x, end.y)
}

/// The scrollable area of the live screen that lies where the recorded one lay; the recorded place itself where there
/// is none.
fn live_area(recorded: Rect, screen: &Screen) -> Rect {
    let shared = |area: &Rect| area.intersection(recorded).map_or(0, Rect::area);
    screen.scroll_areas.iter().copied().max_by_key(shared).filter(|area| shared(area) > 0).unwrap_or(recorded)
}

fn transfer(point: Point, from: Rect, to: Rect) -> Point {
    let scale = |at: i32, start: i32, length: i32, to_start: i32, to_length: i32| {
        if length == 0 { to_start } else { to_start + (at - start) * to_length / length }
    };
    Point::new(
        scale(point.x, from.left, from.width(), to.left, to.width()),
        scale(point.y, from.top, from.height(), to.top, to.height()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_in_proportion_on_another_display() {
        let (phone, small) = (Rect::new(0, 0, 1080, 2400), Rect::new(0, 0, 720, 1600));
        assert_eq!(transferred(Rect::new(0, 210, 1080, 2340), phone, small), Rect::new(0, 140, 720, 1560));
    }

    #[test]
    fn a_touch_keeps_its_place_when_the_widget_moves_or_grows() {
        let from = Rect::new(0, 100, 200, 200);
        assert_eq!(transfer(Point::new(150, 110), from, Rect::new(0, 300, 200, 400)), Point::new(150, 310));
        assert_eq!(transfer(Point::new(150, 110), from, Rect::new(0, 100, 400, 200)), Point::new(300, 110));
    }
}
