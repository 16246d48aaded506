//! Replaying a script: guard, find, act — no model.

use super::again::{NOTE, is_harmless};
use super::format::{DisplayView, Script, ScriptAction, ScriptTarget};
use super::locate::{Located, locate};
use super::mend::{Ending, Halt, Mended, Mender};
use super::performance::{CarriedOut, Order, Performance};
use crate::device::{DeviceError, Eyes, Recorder, Seen};
use crate::domain::{
    Action, ActionSource, EventKind, ExpectationOutcome, InputText, Point, Rect, Secret, Selector, Size, Target, words,
};
use crate::hierarchy::{LINK_CLASS, Role, Screen, Widget, new_error};
use crate::skill::{Library, PerformError};
use crate::witness::{Witness, WitnessError};
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
    /// What is enough to take a widget for the recorded one.
    pub trust: Trust,
    /// The action it begins with, from 0: what is before it was done earlier.
    pub from: usize,
}

/// What is enough to take a widget for the recorded one where no name of it is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// That it stands in the recorded place of a screen of the recorded structure.
    Place,
    /// The same, and that it is still called much the same; else somebody who can judge is asked.
    Name,
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

/// Why a replay stops at an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Its guard does not hold.
    Diverged(Divergence),
    /// What the case checks before it does not hold.
    Unmet(Vec<ExpectationOutcome>),
}

/// An action of a script, and what it is replayed with.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// Its place in the script, from 0.
    pub index: usize,
    /// The action.
    pub recorded: &'a ScriptAction,
    /// What follows it on the same device.
    pub next: Option<&'a ScriptAction>,
    /// The display it was recorded on.
    pub recorded_on: &'a DisplayView,
    /// How long its guard may take to hold, beyond what was waited for when it was recorded.
    pub patience: Duration,
    /// What is to be told of it besides; empty where there is nothing.
    pub note: &'a str,
}

/// How a replay went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Set when it could not go on.
    pub divergence: Option<Divergence>,
    /// Set when the app turned out to be at fault while a way on was looked for.
    pub failure: Option<String>,
    /// What the case checked on the way and did not hold, else the expectations at the end; empty when it diverged.
    pub expectations: Vec<ExpectationOutcome>,
    /// Actions that were carried out or left out, counted from the script's first.
    pub performed: usize,
}

/// The last action of a replay.
struct Last {
    /// Its place in the script, from 0.
    index: usize,
    /// Digest of what was visible before it.
    digest: u64,
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
    /// What is expected cannot be checked here.
    #[error("{0}")]
    Unreadable(String),
    /// The run was cancelled.
    #[error("interrupted")]
    Interrupted,
}

impl From<WitnessError> for ReplayError {
    fn from(error: WitnessError) -> Self {
        match error {
            WitnessError::Device(error) => Self::Device(error),
            error @ WitnessError::Unreadable { .. } => Self::Unreadable(error.to_string()),
        }
    }
}

impl Replayer<'_> {
    /// Replays `script` from the screen in `seen` (the app just started). Where it cannot go on, `mender` is asked for a way.
    pub async fn replay(
        &self,
        script: &Script,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
        cancel: &tokio_util::sync::CancellationToken,
        mender: &mut dyn Mender,
    ) -> Result<Replayed, ReplayError> {
        if let Some(name) = script.secrets.iter().find(|name| !self.secrets.contains_key(*name)) {
            return Err(ReplayError::MissingSecret(name.clone()));
        }
        let mut index = self.from;
        let (mut last, mut repeated): (Option<Last>, Option<usize>) = (None, None);
        while let Some(recorded) = script.actions.get(index) {
            if cancel.is_cancelled() {
                return Err(ReplayError::Interrupted);
            }
            if recorded.optional && self.is_left_out(script, index, seen, recorder).await? {
                tracing::info!(action = index + 1, step = recorded.step, "an optional action is left out");
                index += 1;
                continue;
            }
            let (next, again) = (script.actions.get(index + 1), repeated == Some(index));
            let note = if again { NOTE } else { "" };
            let place = Passage { index, recorded, next, recorded_on: &script.device, patience: self.patience, note };
            let stop = match self.perform(&place, seen, recorder).await? {
                Performance::Done(deed) => {
                    last = Some(Last { index, digest: deed.digest });
                    if !again {
                        mender.keep(recorded, *deed);
                    }
                    index += 1;
                    continue;
                }
                Performance::Stopped(stop) => stop,
            };
            let harmless = last.take().filter(|last| repeated != Some(last.index));
            if let Some(at) = harmless.and_then(|last| self.to_repeat(script, index, &last, seen)) {
                (repeated, index) = (Some(at), at);
                continue;
            }
            let halt = Halt { replayer: self, script, index, stop: &stop };
            let nothing = Replayed { divergence: None, failure: None, expectations: Vec::new(), performed: index };
            match (mender.mend(&halt, seen, recorder).await?, stop) {
                (Mended::On(at), _) => index = at,
                (Mended::Failed(reason), _) => return Ok(Replayed { failure: Some(reason), ..nothing }),
                (Mended::Not(_), Stop::Unmet(expectations)) => return Ok(Replayed { expectations, ..nothing }),
                (Mended::Not(why), Stop::Diverged(mut divergence)) => {
                    if !why.is_empty() {
                        divergence.reason = format!("{}; not repaired: {why}", divergence.reason);
                    }
                    return Ok(Replayed { divergence: Some(divergence), ..nothing });
                }
            }
        }
        let step = script.actions.last().map_or(1, |action| action.step);
        let mut expectations = self.witness(step, seen).await_all(&script.expectations, seen, recorder).await?;
        if expectations.iter().any(|outcome| !outcome.held)
            && mender.end(self, script, seen, recorder).await? == Ending::JudgeAgain
        {
            expectations = self.witness(step, seen).await_all(&script.expectations, seen, recorder).await?;
        }
        Ok(Replayed { divergence: None, failure: None, expectations, performed: script.actions.len() })
    }

    /// The action to be done again: the one before, where it had no effect at all, its own guard still holds, and doing it
    /// twice is the same as doing it once.
    fn to_repeat(&self, script: &Script, index: usize, last: &Last, seen: &Seen) -> Option<usize> {
        let recorded = script.actions.get(last.index)?;
        let idle = last.index + 1 == index && last.digest == seen.screen.digest && recorded.before != recorded.after;
        let fits = idle && self.guard(recorded, &seen.screen).is_ok() && is_harmless(recorded, &seen.screen);
        fits.then_some(last.index)
    }

    /// Whether an optional action has nothing to do here: waits until its own guard holds, or that of the next action that
    /// is not optional. Where neither comes it is left out, and the next one tells what is missing.
    async fn is_left_out(
        &self,
        script: &Script,
        index: usize,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, DeviceError> {
        let (Some(own), needed) =
            (script.actions.get(index), script.actions.iter().skip(index + 1).find(|action| !action.optional))
        else {
            return Ok(false);
        };
        let device = self.eyes.device;
        let begun = device.now();
        loop {
            if self.guard(own, &seen.screen).is_ok() {
                return Ok(false);
            }
            if needed.is_none_or(|needed| self.guard(needed, &seen.screen).is_ok()) {
                return Ok(true);
            }
            let left = self.patience.saturating_sub(device.now().saturating_sub(begun));
            if left.is_zero() || !device.wait_for_change(&seen.hierarchy, left).await? {
                return Ok(true);
            }
            *seen = self.see(Some(own), recorder).await?;
        }
    }

    fn witness(&self, step: usize, seen: &Seen) -> Witness<'_> {
        Witness {
            eyes: &self.eyes,
            skills: self.skills,
            secrets: self.secrets,
            patience: self.patience,
            step,
            source: ActionSource::Script,
            alone: true,
            pictures: seen.screen.screenshot.iter().cloned().collect(),
        }
    }

    /// Replays one action, once what the case checks before it and its guard hold; why it stops where they do not.
    pub async fn perform(
        &self,
        passage: &Passage<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Performance, ReplayError> {
        let Passage { index, recorded, next, recorded_on, patience, note } = *passage;
        if !recorded.checks.is_empty() {
            // A glance does not tell what is in front, by which a page is known again while it is scrolled.
            *seen = self.eyes.look(recorder).await?;
            let checked = self.witness(recorded.step, seen).await_all(&recorded.checks, seen, recorder).await?;
            let unmet: Vec<ExpectationOutcome> = checked.into_iter().filter(|outcome| !outcome.held).collect();
            if !unmet.is_empty() {
                return Ok(Performance::Stopped(Stop::Unmet(unmet)));
            }
        }
        let recorded_on = Size::new(recorded_on.width, recorded_on.height);
        self.put_off(recorded, seen, recorder).await?;
        let patience = patience + Duration::from_millis(recorded.waited_ms.unwrap_or_default()).mul_f32(1.5);
        if let Some(reason) = self.await_guard(recorded, patience, seen, recorder).await? {
            let divergence = Divergence { action: index + 1, step: recorded.step, reason };
            return Ok(Performance::Stopped(Stop::Diverged(divergence)));
        }
        let malformed = |reason| ReplayError::Malformed { action: index + 1, reason };
        let (action, held, found) = self.action(recorded, recorded_on, &seen.screen).map_err(malformed)?;
        let told = [note, &found].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
        let order =
            Order { index, step: recorded.step, next, action, held, source: ActionSource::Script, score: None, told };
        let deed = self.carry_out(order, seen, recorder).await?;
        Ok(Performance::Done(Box::new(deed)))
    }

    /// Carries an action out, whoever chose it, and tells what it led to.
    pub async fn carry_out(
        &self,
        order: Order<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<CarriedOut, ReplayError> {
        let Order { index, step, next, action, held, source, score, told } = order;
        let malformed = |reason| ReplayError::Malformed { action: index + 1, reason };
        let (before, screen, digest) = (seen.screen.fingerprint, seen.screen.title.clone(), seen.screen.digest);
        recorder.about_to_act(&seen.screen);
        let acting = Instant::now();
        let performed = self.skills.perform(self.eyes.device, &action, held, &seen.hierarchy).await;
        let adb = performed.map_err(|error| match error {
            PerformError::Device(error) => ReplayError::Device(error),
            PerformError::Expand(error) => malformed(error.to_string()),
        })?;
        let act_ms = acting.elapsed().as_secs_f64() * 1000.0;
        let settling = Instant::now();
        *seen = self.see(next, recorder).await?;
        let told = if told.is_empty() { told } else { format!("; {told}") };
        recorder.emit(EventKind::Acted {
            step,
            action: action.clone(),
            score,
            source,
            valid: true,
            reason: format!("led to \"{}\"{told}", seen.screen.title),
            act_ms,
            settle_ms: settling.elapsed().as_secs_f64() * 1000.0,
            adb,
        });
        let after = seen.screen.fingerprint;
        Ok(CarriedOut { action, held, before, screen, after, digest })
    }

    /// Whether the guard of an action holds on a screen; why not. Nothing is waited for.
    pub fn guard(&self, recorded: &ScriptAction, screen: &Screen) -> Result<(), String> {
        guard(recorded, screen, Awaited::Nothing, self.trust)
    }

    /// Lets the time pass that was let pass before the recorded action.
    async fn put_off(
        &self,
        recorded: &ScriptAction,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), DeviceError> {
        let Some(pause) = recorded.pause_ms.map(Duration::from_millis) else { return Ok(()) };
        let device = self.eyes.device;
        let begun = device.now();
        let left = || pause.saturating_sub(device.now().saturating_sub(begun));
        while !left().is_zero() && device.wait_for_change(&seen.hierarchy, left()).await? {
            *seen = self.see(Some(recorded), recorder).await?;
        }
        *seen = self.see(Some(recorded), recorder).await?;
        Ok(())
    }

    /// Waits until the guard holds; the reason when it does not in time. Where the app said that something is wrong in reply to
    /// the action before, what comes next is not waited for, unless it was when the script was recorded.
    async fn await_guard(
        &self,
        recorded: &ScriptAction,
        patience: Duration,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<String>, DeviceError> {
        // What is waited for must be told from what is there already: the same id, or the same place on a screen of the same
        // structure, may be another thing.
        let waits = recorded.waited_ms.is_some() || patience > self.patience;
        let reply = |seen: &Seen, recorder: &dyn Recorder| {
            let before = recorder.errors_before().filter(|_| !waits);
            before.and_then(|before| new_error(before, &seen.screen).map(str::to_owned))
        };
        let awaited = if waits { Awaited::Widget } else { Awaited::Nothing };
        let device = self.eyes.device;
        let begun = device.now();
        loop {
            let Err(reason) = guard(recorded, &seen.screen, awaited, self.trust) else {
                return Ok(None);
            };
            let left = patience.saturating_sub(device.now().saturating_sub(begun));
            let said = reply(seen, &*recorder);
            if said.is_some() || left.is_zero() || !self.eyes.device.wait_for_change(&seen.hierarchy, left).await? {
                // The picture of the screen it stopped at is the evidence.
                *seen = self.eyes.look(recorder).await?;
                let reason = match said {
                    Some(said) => format!("{reason}; the app said {said:?}"),
                    None => reason,
                };
                return Ok(guard(recorded, &seen.screen, awaited, self.trust).err().map(|_| reason));
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

    /// The action on the live screen, how many characters its field holds, and what is to be told of how it was found.
    fn action(
        &self,
        recorded: &ScriptAction,
        recorded_on: Size,
        screen: &Screen,
    ) -> Result<(Action, usize, String), String> {
        let found = recorded.target.as_ref().and_then(|target| Some((locate(target, screen)?, target)));
        let told = found.map(|(located, target)| located.told(target)).unwrap_or_default();
        let (action, held) = self.live_action(recorded, recorded_on, screen)?;
        Ok((action, held, told))
    }

    /// The recorded action on a live screen that it may fit: with the widget, keys or area where they are now, and the number of
    /// characters its field holds.
    ///
    /// # Errors
    /// What the action needs is not on the screen or not in the script.
    pub fn live_action(
        &self,
        recorded: &ScriptAction,
        recorded_on: Size,
        screen: &Screen,
    ) -> Result<(Action, usize), String> {
        let text = || self.text(recorded);
        let live = |target: &ScriptTarget| -> Result<(Target, usize), String> {
            let widget =
                locate(target, screen).ok_or_else(|| format!("{:?} is not on the screen", target.label))?.widget;
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
            "press_enter" => (Action::PressEnter, 0),
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

    /// What an action types, secrets with their values.
    pub fn text(&self, recorded: &ScriptAction) -> Result<InputText, String> {
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

/// What a guard waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// Nothing: what is there counts.
    Nothing,
    /// The widget: what is there already may be another one in its place.
    Widget,
}

/// The guard: an action with a target needs its widget, found by more than its place unless the screen is the recorded
/// one; an action without a target needs the recorded screen (or, for a keypad, its keys).
fn guard(recorded: &ScriptAction, screen: &Screen, awaited: Awaited, trust: Trust) -> Result<(), String> {
    let same = screen.fingerprint == recorded.before;
    // What is missing comes first: two screens may well have the same title.
    let seen = || match recorded.screen == screen.title {
        true => format!(" (on the screen \"{}\")", screen.title),
        false => format!("; expected the screen \"{}\", saw \"{}\"", recorded.screen, screen.title),
    };
    if let Some(target) = &recorded.target {
        let Some(located) = locate(target, screen) else {
            return Err(format!("{:?} is not there{}", target.label, seen()));
        };
        if is_neighbour(target, &located, screen) {
            let there = located.widget.shown_label();
            return Err(format!("{:?} is not there, {there:?} is in its place{}", target.label, seen()));
        }
        if !located.widget.state.enabled {
            return Err(format!("{:?} is disabled", target.label));
        }
        return match is_the_recorded(&located, target, same, awaited, trust) {
            true => Ok(()),
            false => Err(format!("{:?} is not there{}", target.label, seen())),
        };
    }
    if !recorded.keys.is_empty() {
        let keys = screen.keypad_keys();
        let missing = recorded.keys.keys().filter_map(|key| key.chars().next()).find(|key| !keys.contains_key(key));
        return missing.map_or(Ok(()), |key| Err(format!("the keypad has no key {key:?}{}", seen())));
    }
    let other = || format!("the screen is not the one that {} was recorded on{}", recorded.skill, seen());
    if same || recorded.skill == "open_app" { Ok(()) } else { Err(other()) }
}

/// Whether what was found may be taken for what was recorded.
fn is_the_recorded(located: &Located<'_>, target: &ScriptTarget, same: bool, awaited: Awaited, trust: Trust) -> bool {
    let label = &located.widget.label;
    if awaited == Awaited::Widget && *label != target.label {
        return false;
    }
    if !located.is_by_place(target) {
        return true;
    }
    same && (trust == Trust::Place || is_called_alike(located.widget.shown_label(), &target.label))
}

/// The widget is another one than was recorded: what stands where that stood, or the one that is left of several that are
/// called alike, or another row of a list.
fn is_neighbour(target: &ScriptTarget, located: &Located<'_>, screen: &Screen) -> bool {
    let widget = located.widget;
    let other = widget.label != target.label && widget.shown_label() != target.label;
    if located.is_by_place(target) {
        return other;
    }
    let first = Selector { nth: 0, ..target.selector.clone() };
    let left_over = target.selector.nth > 0 && screen.resolve(&first).is_some_and(|(only, _)| only.id == widget.id);
    left_over || other && screen.is_in_list(widget)
}

/// Texts that share at least half of the shorter one's words; numbers come and go.
fn is_called_alike(now: &str, was: &str) -> bool {
    let said = |text: &str| -> Vec<String> {
        words(text).into_iter().filter(|word| word.chars().any(char::is_alphabetic)).collect()
    };
    let (now, was) = (said(now), said(was));
    let shared = now.iter().filter(|word| was.contains(word)).count();
    2 * shared >= now.len().min(was.len())
}

fn aims_at_link(action: &ScriptAction) -> bool {
    action.target.as_ref().is_some_and(|target| target.selector.class == LINK_CLASS)
}

/// The recorded target where the widget is now. The touch keeps its place within the bounds: a link stays off-centre.
fn moved(recorded: &ScriptTarget, widget: &Widget) -> Target {
    let centred = recorded.tap == recorded.bounds.center();
    Target {
        label: widget.label.clone(),
        shown: widget.shown.clone(),
        selector: widget.selector.clone(),
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
    use crate::hierarchy::ScreenInput;

    /// A screen with a button beneath a list; a row is `id text`.
    fn screen(rows: &[&str], cart: &str) -> Screen {
        let node = |index: usize, class: &str, id: &str, text: &str, top: usize, rest: &str| {
            format!(
                "<node index=\"{index}\" text=\"{text}\" resource-id=\"{id}\" class=\"android.widget.{class}\" package=\"com.a\" \
                 clickable=\"true\" enabled=\"true\" bounds=\"[0,{top}][1000,{}]\" {rest}",
                top + 100
            )
        };
        let row = |(index, row): (usize, &&str)| {
            let (id, text) = row.split_once(' ').unwrap();
            node(index, "TextView", &format!("com.a:id/{id}"), text, 100 + 100 * index, "/>")
        };
        let rows: String = rows.iter().enumerate().map(row).collect();
        let cart = node(1, "Button", "com.a:id/cart", cart, 1800, "/>");
        let list = "<node index=\"0\" class=\"androidx.recyclerview.widget.RecyclerView\" package=\"com.a\" enabled=\"true\" \
                    scrollable=\"true\" bounds=\"[0,100][1000,1700]\"";
        let dump = format!(
            "<hierarchy rotation=\"0\"><node index=\"0\" class=\"android.widget.FrameLayout\" package=\"com.a\" \
             bounds=\"[0,0][1000,2000]\">{list}>{rows}</node>{cart}</node></hierarchy>"
        );
        let input = ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        };
        Screen::perceive(input)
    }

    #[test]
    fn a_neighbour_is_never_taken_for_what_has_vanished() {
        let check = |label: &str, nth: usize, before: &Screen, after: &Screen, expected: &str| {
            let recorded = before.widgets.iter().filter(|widget| widget.label == label).nth(nth).unwrap().target();
            let Target { label, selector, bounds, tap, .. } = recorded;
            let target = ScriptTarget { label, bounds, tap, selector };
            let found = match locate(&target, after) {
                Some(located) if is_neighbour(&target, &located, after) => "neighbour",
                Some(_) => "found",
                None => "nothing",
            };
            assert_eq!(found, expected, "{target:?}");
        };
        let before = screen(&["row Anna", "row Bob", "row Cem"], "Cart (2)");
        check("Bob", 0, &before, &before, "found");
        check("Bob", 0, &before, &screen(&["row Anna", "row Cem"], "Cart (2)"), "neighbour");
        check("Bob", 0, &before, &screen(&["row Bob"], "Cart (2)"), "found");
        // What it says may change where nothing else can stand in its place.
        check("Cart (2)", 0, &before, &screen(&["row Anna"], "Cart (3)"), "found");
        // The id of the only row of a list is unique, and tells nothing.
        check("Bob", 0, &screen(&["row Bob"], "Cart"), &screen(&["row Cem"], "Cart"), "neighbour");
        let before = screen(&["delete Delete", "delete Delete"], "Cart");
        check("Delete", 1, &before, &before, "found");
        check("Delete", 1, &before, &screen(&["delete Delete"], "Cart"), "neighbour");
    }

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
