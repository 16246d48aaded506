//! The app as the virtual system uses it.

use super::connection::{Answer, Connection, FrameworkError};
use super::message::{Request, Setting, Status, Touch};
use crate::app::{AppContext, KeyPress, Shown, Stage};
use crate::domain::{Point, Screenshot, Size};
use crate::hierarchy::{UiTree, parse};
use crate::recorded::elements;
use crate::{AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings, SystemRequest};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const BACK: u32 = 4;
const ENTER: u32 = 66;
const DEL: u32 = 67;
/// A finger down for so long is a long press: `ViewConfiguration`'s 400 ms and some more.
const LONG_PRESS_MS: u64 = 600;
/// Content changes are told at most every 100 ms (`ViewConfiguration.SEND_RECURRING_ACCESSIBILITY_EVENTS_INTERVAL_MILLIS`);
/// after more than that without one nothing moves.
const QUIET_MS: u64 = 150;

/// A running framework app.
pub(super) struct Process {
    connection: Arc<Mutex<Connection>>,
    package: String,
    stage: Stage,
    status: Status,
    /// The configuration the JVM has, once it was told one.
    told: Option<Setting>,
    now: Duration,
    log: Vec<String>,
    /// Which launch of the connection this is.
    launch: u64,
    /// The JVM does not answer any more: the app counts as crashed.
    lost: bool,
    finished: bool,
}

impl Process {
    /// An app that is not launched yet.
    pub(super) fn start(connection: Arc<Mutex<Connection>>, package: String, context: AppContext) -> Self {
        Self {
            connection,
            package,
            now: context.now,
            stage: Stage::new(context),
            status: Status::default(),
            told: None,
            log: Vec::new(),
            launch: 0,
            lost: false,
            finished: false,
        }
    }

    /// Starts the app's first activity; what went wrong is in its log. Without data of an earlier run the app begins
    /// empty: after its installation and after `pm clear`.
    pub(super) fn launched(mut self, activity: &str, configuration: &Configuration) -> Self {
        self.launch = self.connection.lock().unwrap_or_else(PoisonError::into_inner).launch();
        let kept = self.stage.context().data.is_some();
        self.send(if kept { &Request::Stop } else { &Request::Clear });
        self.configure(configuration);
        self.send(&Request::Launch { activity: activity.to_owned() });
        self.look();
        self
    }

    fn ask(&self, request: &Request) -> Result<Answer, FrameworkError> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner).ask(request)
    }

    /// Asks; a failure goes to the log, and where nobody answers any more the app is lost.
    fn send(&mut self, request: &Request) -> Option<Answer> {
        if self.lost {
            return None;
        }
        match self.ask(request) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.lost = !matches!(error, FrameworkError::Refused(_));
                self.log.push(format!("E FrameworkDevice: {error}"));
                None
            }
        }
    }

    /// Takes the app's state over.
    fn look(&mut self) {
        let Some(status) = self.send(&Request::Status).and_then(|answer| answer.read::<Status>().ok()) else { return };
        if status.crashed && !self.status.crashed {
            let crash = self.send(&Request::Crash).map(|answer| answer.bytes).unwrap_or_default();
            let (lines, pid) = (String::from_utf8_lossy(&crash), self.stage.context().pid);
            self.log.extend(lines.lines().map(|line| format!("E AndroidRuntime: {}", with_pid(line, pid))));
        }
        if status.keyboard {
            self.stage.raise_keyboard(false);
        } else {
            self.stage.hide_keyboard();
        }
        self.status = status;
    }

    /// One finger.
    fn touch(&mut self, from: Point, to: Point, hold_ms: u64, move_ms: u64) {
        self.send(&Request::Touch(Touch { x: from.x, y: from.y, to_x: to.x, to_y: to.y, hold_ms, move_ms }));
        self.look();
    }

    fn press(&mut self, code: u32) {
        self.send(&Request::Key { code });
        self.look();
    }

    fn tap(&mut self, at: Point) {
        match self.stage.press(at) {
            None => self.touch(at, at, 0, 0),
            Some(KeyPress::Type(c)) => self.type_text(&c.to_string()),
            Some(KeyPress::Delete) => self.press(DEL),
            Some(KeyPress::Enter) => self.press(ENTER),
            Some(KeyPress::Nothing) => {}
        }
    }

    fn tree(&mut self) -> UiTree {
        self.send(&Request::Dump).map(|answer| parse(&answer.bytes)).unwrap_or_default()
    }

    fn pixels(&mut self) -> Option<Screenshot> {
        let answer = self.send(&Request::Screenshot)?;
        let size = Size::new(answer.head.width, answer.head.height);
        let picture = Screenshot::new(size, answer.bytes);
        if picture.is_none() {
            self.log.push(format!("E FrameworkDevice: a picture of {}x{} has other bytes", size.width, size.height));
        }
        picture
    }
}

impl AppProcess for Process {
    fn package(&self) -> &str {
        &self.package
    }

    fn activity(&self) -> String {
        self.status.activity.clone()
    }

    fn advance(&mut self, around: &Surroundings) {
        self.now = self.now.max(around.now);
        self.look();
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.stage.configure(configuration);
        let setting = Setting::from(configuration);
        if self.told.as_ref() != Some(&setting) {
            self.send(&Request::Configure(setting.clone()));
            self.told = Some(setting);
        }
    }

    fn gesture(&mut self, gesture: Gesture) {
        let ms = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        match gesture {
            Gesture::Tap(at) => self.tap(at),
            Gesture::LongPress(at) => self.touch(at, at, LONG_PRESS_MS, 0),
            Gesture::Swipe { from, to, duration } => self.touch(from, to, 0, ms(duration)),
            Gesture::Drag { from, to, duration } => self.touch(from, to, LONG_PRESS_MS, ms(duration)),
        }
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        self.press(code);
        if code == BACK && self.status.activity.is_empty() && !self.status.crashed {
            return KeyOutcome::Finish;
        }
        KeyOutcome::Handled
    }

    fn type_text(&mut self, text: &str) {
        // Only these have keys (`input text` takes no others); the rest comes from an input method or the clipboard.
        let keys = text.chars().all(|c| (' '..='~').contains(&c));
        let text = text.to_owned();
        let request = if keys { Request::Text { text } } else { Request::Commit { text } };
        if self.send(&request).is_some_and(|answer| answer.head.typed == Some(false)) {
            let length = request.text().chars().count();
            self.log.push(format!("W FrameworkDevice: a text of {length} characters was lost: no field took it"));
        }
        self.look();
    }

    fn keyboard_shown(&self) -> bool {
        self.status.keyboard
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        elements(&self.tree())
    }

    fn animating(&self) -> bool {
        let status = self.ask(&Request::Status).ok().and_then(|answer| answer.read::<Status>().ok());
        status.is_some_and(|status| status.quiet_ms < QUIET_MS)
    }

    fn render(&mut self) -> Screenshot {
        let picture = self.pixels();
        match picture {
            Some(picture) if self.stage.keyboard_shown() => {
                let tree = UiTree::default();
                let shown = Shown { tree: &tree, photo: Some(&picture), changed: &[], focus: None };
                self.stage.picture(&shown, self.now)
            }
            Some(picture) => picture,
            None => Screenshot::blank(self.display()),
        }
    }

    fn display(&self) -> Size {
        self.stage.context().display
    }

    fn take_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    fn crashed(&self) -> bool {
        self.lost || self.status.crashed
    }

    fn take_requests(&mut self) -> Vec<SystemRequest> {
        let ended = self.status.activity.is_empty() && !self.crashed();
        if ended && !std::mem::replace(&mut self.finished, true) {
            return vec![SystemRequest::Finish];
        }
        Vec::new()
    }

    fn start_activity(&mut self, class: &str) -> bool {
        self.send(&Request::Launch { activity: class.to_owned() });
        self.look();
        self.status.activity == class
    }

    fn resumed(&mut self) {
        if self.status.activity.is_empty() && !self.crashed() {
            self.send(&Request::Launch { activity: String::new() });
            self.finished = false;
        } else {
            self.send(&Request::Resume);
        }
        self.look();
    }

    fn paused(&mut self) {
        self.send(&Request::Pause);
    }

    fn secure(&self) -> bool {
        self.status.secure
    }

    /// The app's files lie in the JVM; this only says that they are to stay.
    fn persisted(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }
}

impl Drop for Process {
    /// A process that is gone takes its activities, timers and toasts along, unless the app was launched anew since.
    fn drop(&mut self) {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody is left to be told of a failure, and the next launch begins with the same request.
        if !self.lost && connection.runs(self.launch) {
            drop(connection.ask(&Request::Stop));
        }
    }
}

/// The line that names the process, with the process id it has on this device; other lines as they are.
fn with_pid(line: &str, pid: u32) -> String {
    match line.rsplit_once(", PID: ") {
        Some((process, _)) if process.starts_with("Process: ") => format!("{process}, PID: {pid}"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
