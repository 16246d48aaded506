//! A virtual device in this process, handled through its shell.

use std::path::PathBuf;
use std::sync::Arc;
use tapwright::domain::{Point, Screenshot, Size};
use tapwright::evaluation::suite::{self, SuiteDevice};
use tapwright::hierarchy::{Screen, ScreenInput};
use tapwright::virtual_device::{AppFiles, Clock, Location};
use tapwright::vision::find_links;

/// A device.
pub(super) struct Phone(suite::Phone);

impl Phone {
    /// A device with apps installed; devices that share `files` and `clock` share their apps' back ends and time.
    pub(super) fn new(
        device: &SuiteDevice,
        seed: u64,
        switches: &[String],
        location: Option<&str>,
        files: &Arc<AppFiles>,
        clock: &Clock,
        apps: &[(PathBuf, String)],
    ) -> Self {
        let phone = suite::Phone::new(device, seed, switches, location, files, clock, apps);
        Self(phone.unwrap_or_else(|error| panic!("{error}")))
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

    /// What a person sees, links within texts only where asked for.
    pub(super) fn look(&self, links: bool) -> Screen {
        // A moving screen may not come to rest at once; Android's dump then says so and writes nothing.
        let mut dump = String::new();
        for _ in 0..8 {
            dump = self
                .sh("rm -f /sdcard/w.xml; uiautomator dump /sdcard/w.xml >/dev/null; cat /sdcard/w.xml 2>/dev/null");
            if dump.contains("<hierarchy") {
                break;
            }
            self.sh("sleep 1");
        }
        let screenshot = links.then(|| self.picture());
        let keyboard_shown = self.keyboard_shown();
        let mut screen = Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot,
            display: self.display(),
            foreground: None,
            keyboard_shown,
        });
        if links {
            find_links(&mut screen, &[], None);
        }
        screen
    }

    /// What the display shows.
    pub(super) fn picture(&self) -> Screenshot {
        self.0.picture()
    }

    pub(super) fn keyboard_shown(&self) -> bool {
        self.sh("dumpsys input_method").contains("mInputShown=true")
    }

    /// Whether the soft keyboard, when it is up, lies over this height of the display.
    pub(super) fn under_keyboard(&self, y: i32) -> bool {
        let keyboard = i32::try_from(300 * self.0.device().density / 160).unwrap();
        y > i32::try_from(self.display().height).unwrap() - keyboard
    }

    pub(super) fn tap(&self, at: Point) {
        self.sh(&format!("input tap {} {}", at.x, at.y));
    }

    pub(super) fn hold(&self, at: Point) {
        self.sh(&format!("input swipe {0} {1} {0} {1} 800", at.x, at.y));
    }

    pub(super) fn swipe(&self, from: Point, to: Point) {
        self.sh(&format!("input swipe {} {} {} {} 300", from.x, from.y, to.x, to.y));
    }

    pub(super) fn wait(&self, seconds: f64) {
        self.sh(&format!("sleep {seconds}"));
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
    pub(super) fn console(&self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (["geo", "fix", longitude, latitude], number) = (words.as_slice(), |text: &str| text.parse().unwrap())
        else {
            panic!("`emu {line}` is not understood; write `emu geo fix LONGITUDE LATITUDE`");
        };
        let here = Location { latitude: number(latitude), longitude: number(longitude) };
        self.0.place(here);
    }

    pub(super) const fn display(&self) -> Size {
        self.0.device().display
    }
}
