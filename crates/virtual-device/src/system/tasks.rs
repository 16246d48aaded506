//! The activity stack: what lies in front, and what shows when it goes.

use super::system_ui::{AppErrorPrompt, PermissionPrompt, ShareSheet};
use crate::{AppProcess, Configuration, Orientation};
use std::collections::VecDeque;
use std::time::Duration;

/// A running app, or a window of the system's own.
pub struct Running {
    /// Process id.
    pub pid: u32,
    /// Task id, as `dumpsys activity` prints it (`t12`).
    pub task: u32,
    /// Which way up it wants the display.
    pub orientation: Option<Orientation>,
    /// The window's title where that is not `package/activity`: `Application Error: com.example.pay`.
    pub title: Option<String>,
    /// The app.
    pub process: Box<dyn AppProcess>,
    /// The system's windows in this task, over the app: permission dialogs, the share sheet.
    pub(super) windows: Vec<SystemWindow>,
    /// Permissions it waits to hear about.
    pub(super) asking: Option<Asking>,
    /// Input it has not taken because its main thread is blocked: since when, and of what kind.
    pub(super) waiting_input: Option<(Duration, &'static str)>,
    /// When it started, since boot.
    pub(super) started: Duration,
    /// What it was last told to lay itself out for.
    pub(super) configured: Configuration,
}

impl Running {
    /// A process without windows of the system.
    pub(super) fn new(
        pid: u32,
        task: u32,
        process: Box<dyn AppProcess>,
        started: Duration,
        configured: Configuration,
    ) -> Self {
        Self {
            pid,
            task,
            orientation: None,
            title: None,
            process,
            windows: Vec::new(),
            asking: None,
            waiting_input: None,
            started,
            configured,
        }
    }

    /// What of this task is on top: a window of the system or the app.
    pub fn top(&self) -> &Self {
        self.windows.last().map_or(self, |window| &window.running)
    }

    fn top_mut(&mut self) -> &mut Self {
        if self.windows.is_empty() {
            return self;
        }
        let last = self.windows.len() - 1;
        &mut self.windows[last].running
    }
}

/// Permissions an app has asked for.
pub(super) struct Asking {
    /// All of them, in its order.
    pub names: Vec<String>,
    /// Dialogs still to come.
    pub prompts: VecDeque<PermissionPrompt>,
}

/// A window of the system's own.
pub(super) struct SystemWindow {
    /// Which one.
    pub id: u64,
    /// What for.
    pub purpose: Purpose,
    /// Its process.
    pub running: Running,
}

/// What a window of the system is for.
pub(super) enum Purpose {
    Permission(PermissionPrompt),
    Share(ShareSheet),
    Error(AppErrorPrompt),
    Recents,
}

/// Who asks the system for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Home,
    App(String),
    Window(u64),
}

/// All tasks, the one in front last. The home screen is always somewhere in it.
pub struct TaskStack {
    home: Running,
    /// Apps below the home screen, then those above it.
    below: Vec<Running>,
    above: Vec<Running>,
    /// Over everything: recent apps, then dialogs about apps in trouble.
    overlays: Vec<SystemWindow>,
}

impl TaskStack {
    /// A stack with nothing but the home screen.
    pub(super) const fn new(home: Running) -> Self {
        Self { home, below: Vec::new(), above: Vec::new(), overlays: Vec::new() }
    }

    /// What has the focus.
    pub fn front(&self) -> &Running {
        self.overlays.last().map_or_else(|| self.front_task().top(), |overlay| &overlay.running)
    }

    /// What has the focus.
    pub(super) fn front_mut(&mut self) -> &mut Running {
        match self.overlays.last_mut() {
            Some(overlay) => &mut overlay.running,
            None => self.above.last_mut().unwrap_or(&mut self.home).top_mut(),
        }
    }

    /// The resumed activity: dialogs about apps in trouble are no activities.
    pub fn front_activity(&self) -> &Running {
        let recents = self.overlays.iter().rev().find(|overlay| matches!(overlay.purpose, Purpose::Recents));
        recents.map_or_else(|| self.front_task().top(), |overlay| &overlay.running)
    }

    /// The task in front, windows over it left aside.
    pub fn front_task(&self) -> &Running {
        self.above.last().unwrap_or(&self.home)
    }

    /// The task in front, windows over it left aside.
    pub(super) fn front_task_mut(&mut self) -> &mut Running {
        self.above.last_mut().unwrap_or(&mut self.home)
    }

    /// Windows over everything.
    pub(super) const fn overlays_mut(&mut self) -> &mut Vec<SystemWindow> {
        &mut self.overlays
    }

    /// True while recent apps are shown.
    pub(super) fn shows_recents(&self) -> bool {
        self.overlays.iter().any(|overlay| matches!(overlay.purpose, Purpose::Recents))
    }

    /// Takes the recent-apps screen away.
    pub(super) fn close_recents(&mut self) {
        self.overlays.retain(|overlay| !matches!(overlay.purpose, Purpose::Recents));
    }

    /// True when the home screen is in front.
    pub fn home_in_front(&self) -> bool {
        self.above.is_empty()
    }

    /// The home screen, wherever it is.
    pub const fn home(&self) -> &Running {
        &self.home
    }

    /// Brings the home screen to the front.
    pub(super) fn show_home(&mut self) {
        self.close_recents();
        self.below.append(&mut self.above);
    }

    /// Puts another home screen in the old one's place.
    pub(super) fn replace_home(&mut self, home: Box<dyn AppProcess>, configured: Configuration) {
        self.home.process = home;
        self.home.configured = configured;
    }

    /// Puts a new task in front.
    pub(super) fn push(&mut self, running: Running) {
        self.close_recents();
        self.above.push(running);
    }

    /// Brings an app's task to the front; false when it is not running.
    pub(super) fn bring_to_front(&mut self, package: &str) -> bool {
        match self.remove(package) {
            Some(running) => {
                self.push(running);
                true
            }
            None => false,
        }
    }

    /// Puts the task in front behind the home screen.
    pub(super) fn send_front_to_back(&mut self) {
        if let Some(running) = self.above.pop() {
            self.below.insert(0, running);
        }
    }

    /// Takes an app out of the stack.
    pub(super) fn remove(&mut self, package: &str) -> Option<Running> {
        let find = |tasks: &mut Vec<Running>| {
            tasks.iter().position(|running| running.process.package() == package).map(|at| tasks.remove(at))
        };
        find(&mut self.above).or_else(|| find(&mut self.below))
    }

    /// Finishes the app in front; `None` when that is the home screen, which stays.
    pub(super) fn finish_front(&mut self) -> Option<Running> {
        self.above.pop()
    }

    /// Takes a window of the system away.
    pub(super) fn close_window(&mut self, id: u64) -> Option<(SystemWindow, Option<String>)> {
        if let Some(at) = self.overlays.iter().position(|overlay| overlay.id == id) {
            return Some((self.overlays.remove(at), None));
        }
        for task in self.below.iter_mut().chain(&mut self.above) {
            if let Some(at) = task.windows.iter().position(|window| window.id == id) {
                let package = task.process.package().to_owned();
                return Some((task.windows.remove(at), Some(package)));
            }
        }
        None
    }

    /// A running app by package.
    pub fn app(&self, package: &str) -> Option<&Running> {
        self.apps().find(|running| running.process.package() == package)
    }

    /// A running app by package.
    pub(super) fn app_mut(&mut self, package: &str) -> Option<&mut Running> {
        self.below.iter_mut().chain(&mut self.above).find(|running| running.process.package() == package)
    }

    /// Running apps, the home screen left out, the one in front last.
    pub fn apps(&self) -> impl DoubleEndedIterator<Item = &Running> {
        self.below.iter().chain(&self.above)
    }

    /// The home screen and every app; the windows over them come with [`Self::windows_mut`].
    pub(super) fn all_mut(&mut self) -> Vec<(Source, &mut Running)> {
        let mut all = vec![(Source::Home, &mut self.home)];
        for task in self.below.iter_mut().chain(&mut self.above) {
            all.push((Source::App(task.process.package().to_owned()), task));
        }
        all
    }

    /// Every window of the system.
    pub(super) fn windows_mut(&mut self) -> impl Iterator<Item = &mut SystemWindow> {
        let tasks = self.below.iter_mut().chain(&mut self.above);
        tasks.flat_map(|task| task.windows.iter_mut()).chain(&mut self.overlays)
    }
}
