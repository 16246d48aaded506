//! The activity stack: what lies in front, and what shows when it goes.

use crate::virtual_device::{AppProcess, Orientation};

/// A running app.
pub struct Running {
    /// Process id.
    pub pid: u32,
    /// Task id, as `dumpsys activity` prints it (`t12`).
    pub task: u32,
    /// Which way up it wants the display.
    pub orientation: Option<Orientation>,
    /// The app.
    pub process: Box<dyn AppProcess>,
}

/// All tasks, the one in front last. The home screen is always somewhere in it.
pub struct TaskStack {
    home: Running,
    /// Apps below the home screen, then those above it.
    below: Vec<Running>,
    above: Vec<Running>,
}

impl TaskStack {
    /// A stack with nothing but the home screen.
    pub const fn new(home: Running) -> Self {
        Self { home, below: Vec::new(), above: Vec::new() }
    }

    /// The task in front.
    pub fn front(&self) -> &Running {
        self.above.last().unwrap_or(&self.home)
    }

    /// The task in front.
    pub fn front_mut(&mut self) -> &mut Running {
        self.above.last_mut().unwrap_or(&mut self.home)
    }

    /// True when the home screen is in front.
    pub fn home_in_front(&self) -> bool {
        self.above.is_empty()
    }

    /// The home screen, wherever it is.
    pub fn home_mut(&mut self) -> &mut Running {
        &mut self.home
    }

    /// Brings the home screen to the front.
    pub fn show_home(&mut self) {
        self.below.append(&mut self.above);
    }

    /// Puts another home screen in the old one's place.
    pub fn replace_home(&mut self, home: Box<dyn AppProcess>) {
        self.home.process = home;
    }

    /// Puts a new task in front.
    pub fn push(&mut self, running: Running) {
        self.above.push(running);
    }

    /// Brings an app's task to the front; false when it is not running.
    pub fn bring_to_front(&mut self, package: &str) -> bool {
        match self.remove(package) {
            Some(running) => {
                self.above.push(running);
                true
            }
            None => false,
        }
    }

    /// Takes an app out of the stack.
    pub fn remove(&mut self, package: &str) -> Option<Running> {
        let find = |tasks: &mut Vec<Running>| {
            tasks.iter().position(|running| running.process.package() == package).map(|at| tasks.remove(at))
        };
        find(&mut self.above).or_else(|| find(&mut self.below))
    }

    /// Finishes the app in front; `None` when that is the home screen, which stays.
    pub fn finish_front(&mut self) -> Option<Running> {
        self.above.pop()
    }

    /// A running app by package.
    pub fn app(&self, package: &str) -> Option<&Running> {
        self.apps().find(|running| running.process.package() == package)
    }

    /// A running app by package.
    pub fn app_mut(&mut self, package: &str) -> Option<&mut Running> {
        self.below.iter_mut().chain(&mut self.above).find(|running| running.process.package() == package)
    }

    /// Running apps, the home screen left out, the one in front last.
    pub fn apps(&self) -> impl DoubleEndedIterator<Item = &Running> {
        self.below.iter().chain(&self.above)
    }

    /// Every process.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Running> {
        self.below.iter_mut().chain(&mut self.above).chain([&mut self.home])
    }
}
