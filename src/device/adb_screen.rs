//! Looking at a device's screen over adb: dump, picture, focus, keyboard, and when it is at rest.

use super::beside::{Pace, beside};
use super::ladder::{Capture, Ladder, Missed, NoDump};
use super::pictures::{Pictures, Taken};
use super::settle::{Agreement, pause};
use super::{Budgets, Component, DeviceError, Observation, Profile, Settle};
use crate::adb::reply::{parse_focus, parse_keyboard_shown, parse_resumed_activity};
use crate::adb::{AdbError, Transport, command};
use crate::domain::{Diagnosis, DiagnosisCode, Rest};
use std::time::Duration;
use tokio::time::Instant;

/// Reads one device's screen.
#[derive(Debug)]
pub(super) struct ScreenReader {
    transport: Transport,
    budgets: Budgets,
    settle: Settle,
    ladder: Ladder,
}

/// Focus and keyboard.
#[derive(Default)]
struct Surroundings {
    foreground: Option<Component>,
    keyboard_shown: bool,
    notes: Vec<Diagnosis>,
}

/// What was looked at beside a dump.
struct Sight {
    taken: Taken,
    surroundings: Surroundings,
}

/// Pictures taken at most before a screen without a hierarchy is taken as it is.
const MOST_PICTURES: usize = 6;

impl ScreenReader {
    pub(super) fn new(transport: Transport, profile: &Profile, budgets: Budgets) -> Self {
        let ladder = Ladder::new(transport.clone(), budgets.dump, profile.dump);
        Self { transport, budgets, settle: profile.settle, ladder }
    }

    /// One dump, nothing else.
    pub(super) async fn glance(&self) -> Result<Observation, DeviceError> {
        let started = Instant::now();
        let capture = self.ladder.climb(self.ladder.first_mode()).await.map_err(|missed| self.error(missed))?;
        Ok(Observation {
            hierarchy: capture.hierarchy,
            screenshot: None,
            foreground: None,
            keyboard_shown: false,
            dumps: capture.dumps,
            pictures: Vec::new(),
            rest: if capture.moving { Rest::Nothing } else { Rest::Dump },
            observe_time: started.elapsed(),
            settle_time: Duration::ZERO,
            notes: capture.notes,
        })
    }

    fn error(&self, missed: Missed) -> DeviceError {
        match missed {
            Missed::Adb(error) => error.into(),
            Missed::NoDump(NoDump { dumps, reason }) => DeviceError::NoHierarchy {
                serial: self.transport.serial().clone(),
                attempts: dumps.len() as u32,
                reason,
            },
        }
    }

    /// Dumps until the screen is at rest, takes a picture and asks for focus and keyboard: beside the dump where that takes long
    /// enough, else after it. Where no dump can be had but a picture can, the observation has an empty hierarchy and says so.
    pub(super) async fn observe(&self) -> Result<Observation, DeviceError> {
        let started = Instant::now();
        let mut pictures = Pictures::new(&self.transport, self.budgets.picture);
        let (climbed, seen) = self.climb_looking(&pictures).await;
        let mut capture = match climbed {
            Ok(capture) => capture,
            Err(Missed::NoDump(missed)) => return self.observe_blindly(missed, started).await,
            Err(error) => return Err(self.error(error)),
        };
        let first_dump = started.elapsed();

        let settling = Instant::now();
        let rest = self.settle(&mut capture, &mut pictures).await?;
        let settle_time = settling.elapsed();

        let looking = Instant::now();
        let surroundings = self.look_around(seen, &mut pictures).await;
        let Capture { hierarchy, dumps, mut notes, .. } = capture;
        let (screenshot, diagnosis, pictures) = pictures.finish();
        notes.extend(diagnosis);
        notes.extend(surroundings.notes);
        Ok(Observation {
            hierarchy,
            screenshot,
            foreground: surroundings.foreground,
            keyboard_shown: surroundings.keyboard_shown,
            dumps,
            pictures,
            rest,
            observe_time: first_dump + looking.elapsed(),
            settle_time,
            notes,
        })
    }

    /// The first dump of a look, and what was looked at beside it: only where one dump that waited for rest tells that the screen
    /// was at rest.
    async fn climb_looking(&self, pictures: &Pictures<'_>) -> (Result<Capture, Missed>, Option<Sight>) {
        let climb = self.ladder.climb(self.ladder.first_mode());
        if self.settle.samples > 1 {
            return (climb.await, None);
        }
        let sound = |climbed: &Result<Capture, Missed>| {
            climbed.as_ref().is_ok_and(|capture| !capture.moving && capture.dumps.len() == 1)
        };
        beside(climb, Pace::of(self.ladder.expected()), sound, || async {
            let (taken, surroundings) = tokio::join!(pictures.one(), self.surroundings());
            Sight { taken, surroundings }
        })
        .await
    }

    /// Focus and keyboard, and a picture where none was taken: as they were `seen` beside the dump, else as they are now. A
    /// picture that could not be taken beside the dump is tried again.
    async fn look_around(&self, seen: Option<Sight>, pictures: &mut Pictures<'_>) -> Surroundings {
        let due = pictures.tried() == 0;
        if let Some(Sight { taken, surroundings }) = seen {
            let shows = taken.shows();
            pictures.add(taken);
            if shows {
                return surroundings;
            }
        }
        let picture = async {
            if due {
                pictures.take().await;
            }
        };
        tokio::join!(picture, self.surroundings()).1
    }

    /// Samples until the screen is at rest, the last sample in `capture`. `uiautomator` waits for rest by itself; where it
    /// could not, two dumps in a row must be equal, or the pictures before and after a dump look the same.
    async fn settle(&self, capture: &mut Capture, pictures: &mut Pictures<'_>) -> Result<Rest, DeviceError> {
        let samples = if capture.moving { self.settle.samples.max(2) } else { self.settle.samples };
        let mut agreement = Agreement::default();
        if agreement.add(&capture.hierarchy) >= samples {
            return Ok(Rest::Dump);
        }
        let settling = Instant::now();
        // Between two equal dumps, this is the picture of their moment.
        pictures.take().await;
        loop {
            if settling.elapsed() >= self.settle.limit() {
                let limit = self.settle.limit_ms;
                let message = format!("the screen was still changing after {limit} ms; this is its last sample");
                capture.notes.push(Diagnosis::new(DiagnosisCode::NotSettled, message));
                return Ok(Rest::Nothing);
            }
            pause(self.settle.pause()).await;
            match self.ladder.climb(self.ladder.last_mode()).await {
                Ok(mut sample) => {
                    capture.hierarchy = sample.hierarchy;
                    capture.dumps.append(&mut sample.dumps);
                    capture.notes.append(&mut sample.notes);
                    if agreement.add(&capture.hierarchy) >= samples {
                        return Ok(Rest::Hierarchy);
                    }
                    if pictures.take().await {
                        return Ok(Rest::Picture);
                    }
                }
                // The sample at hand is better than none.
                Err(Missed::NoDump(mut missed)) => {
                    capture.dumps.append(&mut missed.dumps);
                    if pictures.take().await {
                        return Ok(Rest::Picture);
                    }
                    let message = format!("no second sample: {}", missed.reason);
                    capture.notes.push(Diagnosis::new(DiagnosisCode::NotSettled, message));
                    return Ok(Rest::Nothing);
                }
                Err(error) => return Err(self.error(error)),
            }
        }
    }

    /// What the picture alone shows; settled when two pictures in a row look the same.
    async fn observe_blindly(&self, missed: NoDump, started: Instant) -> Result<Observation, DeviceError> {
        let first_look = started.elapsed();
        let settling = Instant::now();
        let mut pictures = Pictures::new(&self.transport, self.budgets.picture);
        pictures.take().await;
        if pictures.last().is_none() {
            return Err(self.error(Missed::NoDump(missed)));
        }
        let message = format!(
            "no screen hierarchy after {} dumps: {}; only the picture is looked at",
            missed.dumps.len(),
            missed.reason
        );
        let mut notes = vec![Diagnosis::new(DiagnosisCode::NoHierarchy, message)];
        let rest = self.settle_blindly(&mut pictures).await;
        if rest == Rest::Nothing {
            notes.push(Diagnosis::new(DiagnosisCode::NotSettled, "no two pictures in a row looked the same"));
        }
        let settle_time = settling.elapsed();
        let surroundings = self.surroundings().await;
        let (screenshot, diagnosis, pictures) = pictures.finish();
        notes.extend(diagnosis);
        notes.extend(surroundings.notes);
        Ok(Observation {
            hierarchy: Vec::new(),
            screenshot,
            foreground: surroundings.foreground,
            keyboard_shown: surroundings.keyboard_shown,
            dumps: missed.dumps,
            pictures,
            rest,
            observe_time: first_look,
            settle_time,
            notes,
        })
    }

    /// Takes pictures until two look the same. Of a protected screen, or where no more come, there is nothing to wait for.
    async fn settle_blindly(&self, pictures: &mut Pictures<'_>) -> Rest {
        let settling = Instant::now();
        while pictures.last().is_some_and(|picture| !picture.is_black()) {
            if pictures.tried() > MOST_PICTURES || settling.elapsed() >= self.settle.limit() {
                break;
            }
            pause(self.settle.pause()).await;
            if pictures.take().await {
                return Rest::Picture;
            }
        }
        Rest::Nothing
    }

    /// Dumps until one differs from `before`, at least once. A dump begun within `limit` is waited for.
    pub(super) async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError> {
        let started = Instant::now();
        loop {
            let over = started.elapsed() >= limit;
            match self.ladder.climb(self.ladder.last_mode()).await {
                Ok(capture) if capture.hierarchy != before => return Ok(true),
                Ok(_) if over || started.elapsed() >= limit => return Ok(false),
                // Still as blind as before.
                Err(Missed::NoDump(_)) if before.is_empty() && started.elapsed() >= limit => return Ok(false),
                Err(missed @ Missed::NoDump(_)) if started.elapsed() >= limit => return Err(self.error(missed)),
                Ok(_) | Err(Missed::NoDump(_)) => pause(self.settle.pause()).await,
                Err(error) => return Err(self.error(error)),
            }
        }
    }

    async fn surroundings(&self) -> Surroundings {
        let mut found = Surroundings::default();
        let unknown = |message: String| Diagnosis::new(DiagnosisCode::FocusUnknown, message);
        match self.ask(command::focus_and_keyboard()).await {
            Ok(said) => {
                found.foreground = parse_focus(&said).map(component);
                match parse_keyboard_shown(&said) {
                    Some(shown) => found.keyboard_shown = shown,
                    None => found
                        .notes
                        .push(unknown("dumpsys input_method does not say whether a keyboard is shown".to_owned())),
                }
            }
            Err(error) => found.notes.push(unknown(format!("focus and keyboard are unknown: {error}"))),
        }
        if found.foreground.is_none() {
            match self.ask(command::activities()).await {
                Ok(said) => found.foreground = parse_resumed_activity(&said).map(component),
                Err(error) => found.notes.push(unknown(format!("the foreground activity is unknown: {error}"))),
            }
        }
        found
    }

    async fn ask(&self, line: crate::adb::ShellLine) -> Result<String, AdbError> {
        Ok(self.transport.run(&line, self.budgets.query).await?.stdout_text())
    }
}

fn component(found: crate::adb::reply::FocusedActivity) -> Component {
    Component { package: found.package, activity: found.activity }
}
