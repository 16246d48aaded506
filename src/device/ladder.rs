//! The ladder of attempts at one good dump: full or compressed, by a file or the terminal, bounded and recorded.

use super::beside::USUAL_DUMP;
use super::dump::{DumpFailure, DumpMode, Route, take_dump};
use super::profile::DumpSettings;
use super::settle::pause;
use crate::adb::{AdbError, Transport};
use crate::domain::{Diagnosis, DiagnosisCode, DumpAttempt};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Dumps one device.
#[derive(Debug)]
pub(super) struct Ladder {
    transport: Transport,
    budget: Duration,
    dump: DumpSettings,
    /// One dump at a time: a second `uiautomator` on the device is killed (exit 137).
    dumping: Arc<Mutex<()>>,
    /// Whether the last good dump was compressed; only dumps of the same mode can be compared.
    compressed: AtomicBool,
    /// Whether the last good dump came by the terminal; where no file can be written once, none can later.
    terminal: AtomicBool,
    /// Milliseconds that the last good dump took.
    took: AtomicU64,
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
pub(super) struct Capture {
    pub(super) hierarchy: Vec<u8>,
    pub(super) dumps: Vec<DumpAttempt>,
    pub(super) notes: Vec<Diagnosis>,
    /// An attempt found the screen moving: this dump is of no settled moment by itself.
    pub(super) moving: bool,
}

/// A ladder of attempts that ended without a hierarchy.
pub(super) struct NoDump {
    pub(super) dumps: Vec<DumpAttempt>,
    pub(super) reason: String,
}

/// Why there is no capture.
pub(super) enum Missed {
    Adb(AdbError),
    NoDump(NoDump),
}

impl From<AdbError> for Missed {
    fn from(error: AdbError) -> Self {
        Self::Adb(error)
    }
}

impl Ladder {
    pub(super) fn new(transport: Transport, budget: Duration, dump: DumpSettings) -> Self {
        let compressed = AtomicBool::new(dump.mode == DumpMode::Compressed);
        let dumping = turnstile(&transport);
        let took = AtomicU64::new(USUAL_DUMP.as_millis() as u64);
        Self { transport, budget, dump, dumping, compressed, terminal: AtomicBool::new(false), took }
    }

    /// How long a dump likely takes.
    pub(super) fn expected(&self) -> Duration {
        Duration::from_millis(self.took.load(Ordering::Relaxed))
    }

    /// The mode a look begins with.
    pub(super) fn first_mode(&self) -> DumpMode {
        self.dump.mode
    }

    /// The mode of the last good dump.
    pub(super) fn last_mode(&self) -> DumpMode {
        if self.compressed.load(Ordering::Relaxed) { DumpMode::Compressed } else { DumpMode::Full }
    }

    /// One good dump, tried as often as the profile says. After "never idle" the next attempt is compressed, since views
    /// unimportant for accessibility do not disturb it; so is the last attempt, whatever went wrong before. Where no file
    /// came about, the next attempt goes by the terminal. Where every attempt was cut off, the longest piece is used.
    pub(super) async fn climb(&self, first_mode: DumpMode) -> Result<Capture, Missed> {
        let _one_at_a_time = self.dumping.lock().await;
        let mut mode = first_mode;
        let mut route = if self.terminal.load(Ordering::Relaxed) { Route::Terminal } else { Route::File };
        let mut capture = Capture::default();
        let mut piece: Vec<u8> = Vec::new();
        loop {
            let begun = Instant::now();
            let outcome = take_dump(&self.transport, mode, route, self.budget).await?;
            capture.dumps.push(attempt(mode, route, outcome.as_ref().err(), begun.elapsed()));
            let attempts = capture.dumps.len() as u32;
            let failure = match outcome {
                Ok(hierarchy) => {
                    self.compressed.store(mode == DumpMode::Compressed, Ordering::Relaxed);
                    self.terminal.store(route == Route::Terminal, Ordering::Relaxed);
                    self.took.store(begun.elapsed().as_millis() as u64, Ordering::Relaxed);
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
