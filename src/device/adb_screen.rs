//! Looking at a device's screen over adb: dump, picture, focus, keyboard.

use super::dump::{DumpFailure, DumpMode, Route, take_dump};
use super::profile::DumpSettings;
use super::settle::{Agreement, pause};
use super::{Budgets, Component, DeviceError, Observation, Profile, Settle};
use crate::adb::reply::{PictureError, parse_focus, parse_keyboard_shown, parse_picture, parse_resumed_activity};
use crate::adb::{AdbError, Transport, command};
use crate::domain::{Diagnosis, DiagnosisCode, DumpAttempt, Screenshot};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
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
    dumping: Arc<Mutex<()>>,
    /// Whether the last good dump was compressed; only dumps of the same mode can be compared.
    compressed: AtomicBool,
    /// Whether the last good dump came by the terminal; where no file can be written once, none can later.
    terminal: AtomicBool,
}

/// The turnstile of each device this process dumps, by server and serial, so that two runs or a run and a glance never
/// dump one device at the same time.
fn turnstile(transport: &Transport) -> Arc<Mutex<()>> {
    static TURNSTILES: std::sync::Mutex<BTreeMap<String, Weak<Mutex<()>>>> = std::sync::Mutex::new(BTreeMap::new());
    let key = format!("{:?} {}", transport.server().address(), transport.serial());
    let mut turnstiles = TURNSTILES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    turnstiles.retain(|_, turnstile| turnstile.strong_count() > 0);
    if let Some(known) = turnstiles.get(&key).and_then(Weak::upgrade) {
        return known;
    }
    let turnstile = Arc::default();
    turnstiles.insert(key, Arc::downgrade(&turnstile));
    turnstile
}

/// A dump and how it came about.
#[derive(Default)]
struct Capture {
    hierarchy: Vec<u8>,
    dumps: Vec<DumpAttempt>,
    notes: Vec<Diagnosis>,
    /// An attempt found the screen moving: this dump is of no settled moment by itself.
    moving: bool,
}

/// A ladder of attempts that ended without a hierarchy.
struct NoDump {
    dumps: Vec<DumpAttempt>,
    reason: String,
}

/// Why there is no capture.
enum Missed {
    Adb(AdbError),
    NoDump(NoDump),
}

impl From<AdbError> for Missed {
    fn from(error: AdbError) -> Self {
        Self::Adb(error)
    }
}

/// Focus and keyboard.
#[derive(Default)]
struct Surroundings {
    foreground: Option<Component>,
    keyboard_shown: bool,
    notes: Vec<Diagnosis>,
}

/// Pictures taken at most before a screen without a hierarchy is taken as it is.
const MOST_PICTURES: u32 = 6;
/// Bits of the perceptual hash in which two pictures of a screen at rest may differ.
const SAME_PICTURE_BITS: u32 = 2;

impl ScreenReader {
    pub(super) fn new(transport: Transport, profile: &Profile, budgets: Budgets) -> Self {
        let compressed = AtomicBool::new(profile.dump.mode == DumpMode::Compressed);
        let dumping = turnstile(&transport);
        let terminal = AtomicBool::new(false);
        Self { transport, budgets, dump: profile.dump, settle: profile.settle, dumping, compressed, terminal }
    }

    /// One dump, nothing else.
    pub(super) async fn glance(&self) -> Result<Observation, DeviceError> {
        let started = Instant::now();
        let capture = self.capture(self.dump.mode).await.map_err(|missed| self.error(missed))?;
        Ok(Observation {
            hierarchy: capture.hierarchy,
            screenshot: None,
            foreground: None,
            keyboard_shown: false,
            dumps: capture.dumps,
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

    /// Dumps until enough samples agree, then takes the picture and asks for focus and keyboard side by side. Where no
    /// dump can be had but a picture can, the observation has an empty hierarchy and says so.
    pub(super) async fn observe(&self) -> Result<Observation, DeviceError> {
        let started = Instant::now();
        let Capture { mut hierarchy, mut dumps, mut notes, moving } = match self.capture(self.dump.mode).await {
            Ok(capture) => capture,
            Err(Missed::NoDump(missed)) => return self.observe_blindly(missed, started).await,
            Err(error) => return Err(self.error(error)),
        };
        let first_dump = started.elapsed();

        // `uiautomator` waits for rest by itself; where it could not, two samples must agree.
        let samples = if moving { self.settle.samples.max(2) } else { self.settle.samples };
        let settling = Instant::now();
        let mut agreement = Agreement::default();
        while agreement.add(&hierarchy) < samples {
            if settling.elapsed() >= self.settle.limit() {
                let limit = self.settle.limit_ms;
                let message = format!("the screen was still changing after {limit} ms; this is its last sample");
                notes.push(Diagnosis::new(DiagnosisCode::NotSettled, message));
                break;
            }
            pause(self.settle.pause()).await;
            match self.capture(self.last_mode()).await {
                Ok(mut sample) => {
                    hierarchy = sample.hierarchy;
                    dumps.append(&mut sample.dumps);
                    notes.append(&mut sample.notes);
                }
                // The sample at hand is better than none.
                Err(Missed::NoDump(mut missed)) => {
                    dumps.append(&mut missed.dumps);
                    let message = format!("no second sample: {}", missed.reason);
                    notes.push(Diagnosis::new(DiagnosisCode::NotSettled, message));
                    break;
                }
                Err(error) => return Err(self.error(error)),
            }
        }
        let settle_time = settling.elapsed();

        let looking = Instant::now();
        let (picture, surroundings) = tokio::join!(self.picture(), self.surroundings());
        let screenshot = match picture {
            Ok(picture) => Some(picture),
            Err(diagnosis) => {
                notes.push(diagnosis);
                None
            }
        };
        notes.extend(screenshot.as_ref().and_then(blackness));
        notes.extend(surroundings.notes);
        Ok(Observation {
            hierarchy,
            screenshot,
            foreground: surroundings.foreground,
            keyboard_shown: surroundings.keyboard_shown,
            dumps,
            observe_time: first_dump + looking.elapsed(),
            settle_time,
            notes,
        })
    }

    /// What the picture alone shows; settled when two pictures in a row look the same.
    async fn observe_blindly(&self, missed: NoDump, started: Instant) -> Result<Observation, DeviceError> {
        let first_look = started.elapsed();
        let settling = Instant::now();
        let Ok(mut screenshot) = self.picture().await else {
            return Err(self.error(Missed::NoDump(missed)));
        };
        let message = format!(
            "no screen hierarchy after {} dumps: {}; only the picture is looked at",
            missed.dumps.len(),
            missed.reason
        );
        let mut notes = vec![Diagnosis::new(DiagnosisCode::NoHierarchy, message)];
        for taken in 1.. {
            pause(self.settle.pause()).await;
            let Ok(next) = self.picture().await else { break };
            let differs = (screenshot.difference_hash() ^ next.difference_hash()).count_ones() > SAME_PICTURE_BITS;
            screenshot = next;
            if !differs {
                break;
            }
            if taken >= MOST_PICTURES || settling.elapsed() >= self.settle.limit() {
                let message = "the picture was still changing; this is the last one";
                notes.push(Diagnosis::new(DiagnosisCode::NotSettled, message));
                break;
            }
        }
        let settle_time = settling.elapsed();
        let surroundings = self.surroundings().await;
        notes.extend(blackness(&screenshot));
        notes.extend(surroundings.notes);
        Ok(Observation {
            hierarchy: Vec::new(),
            screenshot: Some(screenshot),
            foreground: surroundings.foreground,
            keyboard_shown: surroundings.keyboard_shown,
            dumps: missed.dumps,
            observe_time: first_look,
            settle_time,
            notes,
        })
    }

    /// Dumps until one differs from `before`, at least once. A dump begun within `limit` is waited for.
    pub(super) async fn wait_for_change(&self, before: &[u8], limit: Duration) -> Result<bool, DeviceError> {
        let started = Instant::now();
        loop {
            let over = started.elapsed() >= limit;
            match self.capture(self.last_mode()).await {
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

    fn last_mode(&self) -> DumpMode {
        if self.compressed.load(Ordering::Relaxed) { DumpMode::Compressed } else { DumpMode::Full }
    }

    /// One good dump, tried as often as the profile says. After "never idle" the next attempt is compressed, since views
    /// unimportant for accessibility do not disturb it; so is the last attempt, whatever went wrong before. Where no file
    /// came about, the next attempt goes by the terminal. Where every attempt was cut off, the longest piece is used.
    async fn capture(&self, first_mode: DumpMode) -> Result<Capture, Missed> {
        let _one_at_a_time = self.dumping.lock().await;
        let mut mode = first_mode;
        let mut route = if self.terminal.load(Ordering::Relaxed) { Route::Terminal } else { Route::File };
        let mut capture = Capture::default();
        let mut piece: Vec<u8> = Vec::new();
        loop {
            let begun = Instant::now();
            let outcome = take_dump(&self.transport, mode, route, self.budgets.dump).await?;
            capture.dumps.push(attempt(mode, route, outcome.as_ref().err(), begun.elapsed()));
            let attempts = capture.dumps.len() as u32;
            let failure = match outcome {
                Ok(hierarchy) => {
                    self.compressed.store(mode == DumpMode::Compressed, Ordering::Relaxed);
                    self.terminal.store(route == Route::Terminal, Ordering::Relaxed);
                    if mode != first_mode {
                        let message = "this dump is compressed: unimportant views are left out";
                        capture.notes.push(Diagnosis::new(DiagnosisCode::DumpCompressed, message));
                    }
                    return Ok(Capture { hierarchy, ..capture });
                }
                Err(failure) => failure,
            };
            let reason = failure.to_string();
            if let DumpFailure::CutOff(bytes) = &failure
                && bytes.len() > piece.len()
            {
                piece.clone_from(bytes);
            }
            if attempts >= self.dump.attempts {
                if piece.windows(5).any(|window| window == b"<node") {
                    let message = format!("every dump was cut off; the longest piece ({} bytes) is used", piece.len());
                    capture.notes.push(Diagnosis::new(DiagnosisCode::DumpCutOff, message));
                    return Ok(Capture { hierarchy: piece, ..capture });
                }
                return Err(Missed::NoDump(NoDump { dumps: capture.dumps, reason }));
            }
            capture.notes.push(Diagnosis::new(DiagnosisCode::DumpFailed, format!("dump {attempts} failed: {reason}")));
            match failure {
                DumpFailure::NeverIdle => {
                    capture.moving = true;
                    mode = DumpMode::Compressed;
                }
                DumpFailure::NoFile(_) if route == Route::File => route = Route::Terminal,
                // The terminal was no better: a device whose `exec:` has none prints nothing.
                _ => route = Route::File,
            }
            if attempts + 1 == self.dump.attempts {
                mode = DumpMode::Compressed;
            }
            pause(Duration::from_millis(self.dump.pause_ms)).await;
        }
    }

    /// A raw picture. Shell v2 rather than `exec:`, whose merged streams put warnings before the pixels and which has no
    /// exit code.
    async fn picture(&self) -> Result<Screenshot, Diagnosis> {
        let none = |reason: String| Diagnosis::new(DiagnosisCode::NoPicture, format!("no picture: {reason}"));
        let output =
            self.transport.run(&command::screencap(), self.budgets.picture).await.map_err(|e| none(e.to_string()))?;
        // Decoding touches some ten million bytes.
        let parsed = tokio::task::spawn_blocking(move || parse_picture(&output.stdout)).await;
        parsed.map_err(|error| none(error.to_string()))?.map_err(|error| {
            let code = match &error {
                PictureError::Empty => DiagnosisCode::NoPicture,
                PictureError::TooLarge { .. } => DiagnosisCode::PictureTooLarge,
                _ => DiagnosisCode::PictureDamaged,
            };
            Diagnosis::new(code, format!("no picture: {error}"))
        })
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

fn attempt(mode: DumpMode, route: Route, failure: Option<&DumpFailure>, took: Duration) -> DumpAttempt {
    let mode = if mode == DumpMode::Full { "full" } else { "compressed" };
    let route = if route == Route::File { "file" } else { "terminal" };
    DumpAttempt {
        mode: mode.to_owned(),
        route: route.to_owned(),
        failure: failure.map(ToString::to_string),
        ms: took.as_secs_f64() * 1000.0,
    }
}

/// A window with `FLAG_SECURE` gives a picture of the full size, all black.
fn blackness(picture: &Screenshot) -> Option<Diagnosis> {
    let message = "the picture is all black: the app protects this screen; nothing is looked for in it";
    picture.is_black().then(|| Diagnosis::new(DiagnosisCode::PictureBlack, message))
}
