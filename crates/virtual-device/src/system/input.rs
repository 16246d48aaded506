//! Touches, keys and typed text: what takes them.

use super::VirtualSystem;
use super::requests::RECENTS_PID;
use super::system_ui::RecentTask;
use super::tasks::{Purpose, Running, SystemWindow};
use crate::domain::Screenshot;
use crate::{Gesture, KeyOutcome};

const KEY_HOME: u32 = 3;
const KEY_BACK: u32 = 4;
const KEY_APP_SWITCH: u32 = 187;
const KEY_PASTE: u32 = 279;

impl VirtualSystem {
    /// Routes a touch to what is in front.
    pub fn gesture(&mut self, gesture: Gesture) {
        if !self.is_stuck("MotionEvent") {
            self.front_process().gesture(gesture);
        }
        self.catch_up();
    }

    /// Routes a key event; `HOME` and `APP_SWITCH` are the system's, the rest goes to what is in front.
    pub fn key(&mut self, code: u32) {
        match code {
            KEY_HOME => self.tasks.show_home(),
            KEY_APP_SWITCH => self.switch_apps(),
            KEY_PASTE => {
                if let Some(text) = self.clipboard.clone() {
                    self.type_text(&text);
                }
            }
            _ if self.is_stuck("KeyEvent") => {}
            _ => {
                let outcome = self.front_process().key(code);
                if outcome == KeyOutcome::Finish && code == KEY_BACK {
                    self.leave_front();
                }
            }
        }
        self.catch_up();
    }

    /// BACK on the app's first screen. Since Android 12 the task only goes to the back; before, its activity is
    /// destroyed and its process stays for a while.
    fn leave_front(&mut self) {
        if self.tasks.shows_recents() || self.tasks.home_in_front() {
            return;
        }
        if self.config().api.since(31) {
            self.tasks.send_front_to_back();
        } else if let Some(finished) = self.tasks.finish_front() {
            self.keep_data(&finished);
            self.cached.insert(finished.process.package().to_owned(), finished.pid);
        }
    }

    /// Types text into what is in front.
    pub fn type_text(&mut self, text: &str) {
        if !self.is_stuck("KeyEvent") {
            self.front_process().type_text(text);
        }
        self.catch_up();
    }

    /// True when what is in front cannot take input; the time until it counts as not responding begins.
    fn is_stuck(&mut self, kind: &'static str) -> bool {
        let now = self.uptime();
        let front = self.tasks.front_mut();
        if !front.process.hung() {
            return false;
        }
        front.waiting_input.get_or_insert((now, kind));
        true
    }

    /// `APP_SWITCH`: recent apps; pressed there, the app before this one.
    fn switch_apps(&mut self) {
        if self.tasks.shows_recents() {
            let above: Vec<String> = self.tasks.apps().map(|app| app.process.package().to_owned()).collect();
            self.tasks.close_recents();
            let at = if self.tasks.home_in_front() { 1 } else { 2 };
            if let Some(package) = above.len().checked_sub(at).and_then(|at| above.get(at)) {
                self.tasks.bring_to_front(package);
            }
            return;
        }
        let mut recent = Vec::new();
        let packages: Vec<String> = self.tasks.apps().rev().map(|app| app.process.package().to_owned()).collect();
        for package in packages {
            let label = self.packages.get(&package).map(|found| found.app.label.clone()).unwrap_or_default();
            let Some(running) = self.tasks.app_mut(&package) else { continue };
            let picture = if running.process.secure() {
                Screenshot::blank(running.process.display())
            } else {
                running.process.render()
            };
            recent.push(RecentTask { package, label, picture: half(&picture) });
        }
        let context = self.launch_context("", RECENTS_PID);
        let configured = context.configuration.clone();
        let process = self.ui.recents(context, recent);
        let started = self.uptime();
        let running = Running::new(RECENTS_PID, 1, process, started, configured);
        let id = self.next_window();
        self.tasks.overlays_mut().insert(0, SystemWindow { id, purpose: Purpose::Recents, running });
    }
}

/// Every other pixel of every other row.
fn half(picture: &Screenshot) -> Screenshot {
    let size = picture.size();
    let (width, height) = (size.width / 2, size.height / 2);
    let row_bytes = size.width as usize * 4;
    let rows = picture.rgba().chunks_exact(row_bytes.max(4)).step_by(2).take(height as usize);
    let pixels: Vec<u8> =
        rows.flat_map(|row| row.chunks_exact(4).step_by(2).take(width as usize).flatten().copied()).collect();
    let small = crate::domain::Size::new(width, height);
    Screenshot::new(small, pixels).unwrap_or_else(|| Screenshot::blank(small))
}
