//! A virtual device in a person's hand: what they see on it, and what they do to it through its shell.

use crate::domain::{Point, Screenshot, Size};
use crate::evaluation::suite::Phone;
use crate::hierarchy::{Screen, ScreenInput};
use crate::virtual_device::{Gesture, Location};
use crate::vision::find_links;
use std::time::Duration;

/// Height of the soft keyboard in dp.
const KEYBOARD: i64 = 300;
/// How often a dump is tried, a second apart: a screen that moves may not come to rest at once.
const DUMPS: usize = 8;

/// How long a finger takes to move.
const SWIPE: Duration = Duration::from_millis(300);

/// A device in somebody's hand.
pub(super) struct Handset(Phone);

impl Handset {
    pub(super) const fn new(phone: Phone) -> Self {
        Self(phone)
    }

    pub(super) const fn phone(&self) -> &Phone {
        &self.0
    }

    /// Stdout of a command line, stderr behind it.
    pub(super) fn sh(&self, line: &str) -> String {
        self.0.sh(line)
    }

    /// Starts an app as its launcher icon does; says what went wrong.
    pub(super) fn start(&self, package: &str) -> Result<(), String> {
        let resolved = self.sh(&format!("cmd package resolve-activity --brief {package}"));
        let component = resolved.lines().last().unwrap_or_default().trim();
        let said = self.sh(&format!("am start -n {component}"));
        if said.contains("Error") { Err(format!("{package} did not start: {said}")) } else { Ok(()) }
    }

    /// What a person sees, without links within texts.
    pub(super) fn look(&self) -> Screen {
        self.perceived(None)
    }

    /// What a person sees, links within texts included.
    pub(super) fn look_for_links(&self) -> Screen {
        let mut screen = self.perceived(Some(self.0.picture()));
        find_links(&mut screen, &[], None);
        screen
    }

    fn perceived(&self, screenshot: Option<Screenshot>) -> Screen {
        let mut dump = self.0.dump();
        for _ in 1..DUMPS {
            if dump.is_ok() {
                break;
            }
            self.wait(1.0);
            dump = self.0.dump();
        }
        Screen::perceive(ScreenInput {
            hierarchy: &dump.unwrap_or_default(),
            screenshot,
            display: self.display(),
            foreground: None,
            keyboard_shown: self.keyboard_shown(),
        })
    }

    pub(super) fn keyboard_shown(&self) -> bool {
        self.0.keyboard_shown()
    }

    /// Whether the soft keyboard, when it is up, lies over this height of the display.
    pub(super) fn under_keyboard(&self, y: i32) -> bool {
        let keyboard = KEYBOARD * i64::from(self.0.device().density) / 160;
        i64::from(y) > i64::from(self.display().height) - keyboard
    }

    pub(super) fn tap(&self, at: Point) {
        self.0.gesture(Gesture::Tap(at));
    }

    pub(super) fn hold(&self, at: Point) {
        self.0.gesture(Gesture::LongPress(at));
    }

    pub(super) fn swipe(&self, from: Point, to: Point) {
        self.0.gesture(Gesture::Swipe { from, to, duration: SWIPE });
    }

    pub(super) fn key(&self, code: u32) {
        self.0.key(code);
    }

    pub(super) fn type_text(&self, text: &str) {
        self.0.type_text(text);
    }

    pub(super) fn wait(&self, seconds: f64) {
        self.0.pass(Duration::from_secs_f64(seconds));
    }

    /// Crashes and hangs of an app that the device's log tells of.
    pub(super) fn trouble(&self, package: &str) -> Option<String> {
        let log = self.sh("logcat -d -b crash -b main -b system");
        let crash = log.lines().position(|line| line.contains(&format!("Process: {package},")));
        if let Some(at) = crash {
            return Some(format!("crashed: {}", log.lines().nth(at + 1).unwrap_or_default()));
        }
        log.lines().find(|line| line.contains(&format!("ANR in {package}"))).map(|line| format!("hangs: {line}"))
    }

    /// A line for the emulator's console; of its commands a person in motion needs `geo fix LONGITUDE LATITUDE`.
    pub(super) fn console(&self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |text: &str| text.parse::<f64>().ok();
        let here = match words.as_slice() {
            ["geo", "fix", longitude, latitude] => number(latitude).zip(number(longitude)),
            _ => None,
        };
        let (latitude, longitude) =
            here.ok_or_else(|| format!("`emu {line}` is not understood; write `emu geo fix LONGITUDE LATITUDE`"))?;
        self.0.place(Location { latitude, longitude });
        Ok(())
    }

    pub(super) const fn display(&self) -> Size {
        self.0.device().display
    }
}
