//! Looking at a device's screen over adb: dump, picture, focus, keyboard.

use super::dump::{DumpFailure, DumpMode, take_dump};
use super::profile::DumpSettings;
use super::settle::{Agreement, pause};
use super::{Budgets, Component, DeviceError, Observation, Profile, Settle};
use crate::adb::reply::{parse_focus, parse_keyboard_shown, parse_picture, parse_resumed_activity};
use crate::adb::{AdbError, Transport, command};
use crate::domain::Screenshot;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Reads one device's screen.
#[derive(Debug)]
pub(super) struct ScreenReader {
    transport: Transport,
    budgets: Budgets,
    dump: DumpSettings,
    settle: Settle,
    /// One dump at a time: a second `uiautomator` on the device is killed (exit 137).
    dumping: Mutex<()>,
    /// Whether the last good dump was compressed; only dumps of the same mode can be compared.
    compressed: AtomicBool,
}

/// A dump and how it came about.
struct Capture {
    hierarchy: Vec<u8>,
    attempts: u32,
    notes: Vec<String>,
}

/// Focus and keyboard.
#[derive(Default)]
struct Surroundings {
    foreground: Option<Component>,
    keyboard_shown: bool,
    notes: Vec<String>,
}

impl ScreenReader {
    pub(super) fn new(transport: Transport, profile: &Profile, budgets: Budgets) -> Self {
        let compressed = AtomicBool::new(profile.dump.mode == DumpMode::Compressed);
        Self { transport, budgets, dump: profile.dump, settle: profile.settle, dumping: Mutex::default(), compressed }
    }

    /// One dump, nothing else.
    pub(super) async fn glance(&self) -> Result<Observation, DeviceError> {
        let started = Instant::now();
        let capture = self.capture(self.dump.mode).await?;
        Ok(Observation {
            hierarchy: capture.hierarchy,
            screenshot: None,
            foreground: None,
            keyboard_shown: false,
            dumps: u64::from(capture.attempts),
            observe_time: started.elapsed(),
            settle_time: Duration::ZERO,
            notes: capture.notes,
        })
    }

    /// Dumps until enough samples agree, then takes the picture and asks for focus and keyboard side by side.
    pub(super) async fn observe(&self) -> Result<Observation, DeviceError> {
        let started = Instant::now();
        let mut capture = self.capture(self.dump.mode).await?;
        let mut dumps = u64::from(capture.attempts);
        let mut notes = std::mem::take(&mut capture.notes);
        let first_dump = started.elapsed();

        let settling = Instant::now();
        let mut agreement = Agreement::default();
        while agreement.add(&capture.hierarchy) < self.settle.samples {
            if settling.elapsed() >= self.settle.limit() {
                notes.push(format!(
                    "the screen was still changing after {} ms; this is its last sample",
                    self.settle.limit_ms
                ));
                break;
            }
            pause(self.settle.pause()).await;
            capture = self.capture(self.last_mode()).await?;
            dumps += u64::from(capture.attempts);
            notes.append(&mut capture.notes);
        }
        let settle_time = settling.elapsed();

        let looking = Instant::now();
        let (picture, surroundings) = tokio::join!(self.picture(), self.surroundings());
        let (screenshot, picture_note) = match picture {
            Ok(picture) => {
                let black = is_black(&picture);
                (Some(picture), black.then(|| "the picture is all black: the app protects this screen".to_owned()))
            }
            Err(reason) => (None, Some(format!("no picture: {reason}"))),
        };
        notes.extend(picture_note);
        notes.extend(surroundings.notes);
        Ok(Observation {
            hierarchy: capture.hierarchy,
            screenshot,
            foreground: surroundings.foreground,
            keyboard_shown: surroundings.keyboard_shown,
            dumps,
            observe_time: first_dump + looking.elapsed(),
            settle_time,
            notes,
        })
    }

    /// Dumps until one differs from `before`, at least once. A dump begun within `limit` is waited for.
    pub(super) async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError> {
        let started = Instant::now();
        loop {
            match self.capture(self.last_mode()).await {
                Ok(capture) if capture.hierarchy != before => return Ok(true),
                Ok(_) if started.elapsed() >= limit => return Ok(false),
                Err(error @ DeviceError::NoHierarchy { .. }) if started.elapsed() >= limit => return Err(error),
                Ok(_) | Err(DeviceError::NoHierarchy { .. }) => pause(self.settle.pause()).await,
                Err(error) => return Err(error),
            }
        }
    }

    fn last_mode(&self) -> DumpMode {
        if self.compressed.load(Ordering::Relaxed) { DumpMode::Compressed } else { DumpMode::Full }
    }

    /// One good dump, tried as often as the profile says. After "never idle" the next attempt is compressed, since views
    /// unimportant for accessibility do not disturb it; so is the last attempt, whatever went wrong before.
    async fn capture(&self, first_mode: DumpMode) -> Result<Capture, DeviceError> {
        let _one_at_a_time = self.dumping.lock().await;
        let mut mode = first_mode;
        let mut notes = Vec::new();
        let mut attempts = 0;
        loop {
            attempts += 1;
            let failure = match take_dump(&self.transport, mode, self.budgets.dump).await? {
                Ok(hierarchy) => {
                    self.compressed.store(mode == DumpMode::Compressed, Ordering::Relaxed);
                    if mode != first_mode {
                        notes.push("this dump is compressed: unimportant views are left out".to_owned());
                    }
                    return Ok(Capture { hierarchy, attempts, notes });
                }
                Err(failure) => failure,
            };
            if attempts >= self.dump.attempts {
                return Err(DeviceError::NoHierarchy {
                    serial: self.transport.serial().clone(),
                    attempts,
                    reason: failure.to_string(),
                });
            }
            notes.push(format!("dump {attempts} failed: {failure}"));
            if failure == DumpFailure::NeverIdle || attempts + 1 == self.dump.attempts {
                mode = DumpMode::Compressed;
            }
            pause(Duration::from_millis(self.dump.pause_ms)).await;
        }
    }

    /// A raw picture. Shell v2 rather than `exec:`, whose merged streams put warnings before the pixels and which has no
    /// exit code.
    async fn picture(&self) -> Result<Screenshot, String> {
        let output =
            self.transport.run(&command::screencap(), self.budgets.picture).await.map_err(|error| error.to_string())?;
        // Decoding touches some ten million bytes.
        tokio::task::spawn_blocking(move || parse_picture(&output.stdout))
            .await
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())
    }

    async fn surroundings(&self) -> Surroundings {
        let mut found = Surroundings::default();
        match self.ask(command::focus_and_keyboard()).await {
            Ok(said) => {
                found.foreground = parse_focus(&said).map(component);
                match parse_keyboard_shown(&said) {
                    Some(shown) => found.keyboard_shown = shown,
                    None => {
                        found.notes.push("dumpsys input_method does not say whether a keyboard is shown".to_owned());
                    }
                }
            }
            Err(error) => found.notes.push(format!("focus and keyboard are unknown: {error}")),
        }
        if found.foreground.is_none() {
            match self.ask(command::activities()).await {
                Ok(said) => found.foreground = parse_resumed_activity(&said).map(component),
                Err(error) => found.notes.push(format!("the foreground activity is unknown: {error}")),
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

/// A window with `FLAG_SECURE` gives a picture of the full size, all black.
fn is_black(picture: &Screenshot) -> bool {
    picture.rgba().chunks_exact(4).all(|pixel| matches!(pixel, [0, 0, 0, _]))
}
