//! A recording as an installed app.

use super::player::Player;
use crate::host::{app_context, version_code};
use crate::system::{DeclaredActivity, InstalledApp, full_class};
use std::sync::{Arc, Mutex, PoisonError};
use tapwright_base::recorded::{Did, RecordedApp, StateId, Task, Transition};

/// One thing that was done to a played app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The state it was done in.
    pub state: StateId,
    /// What was done.
    pub did: Did,
    /// The transition it took; `None`: the state stayed.
    pub way: Option<Transition>,
}

/// Where the player writes down what was done, and the state it is in.
#[derive(Debug, Clone, Default)]
pub struct Journal(Arc<Mutex<(Vec<Played>, Option<StateId>)>>);

impl Journal {
    /// What was done since the last call.
    pub fn take(&self) -> Vec<Played> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// The state the player is in; `None` before the app has started.
    pub fn state(&self) -> Option<StateId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    pub(super) fn enter(&self, state: &StateId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(state.clone());
    }

    pub(super) fn add(&self, played: Played) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.push(played);
    }
}

/// How a recording is played.
#[derive(Debug, Clone, Default)]
pub struct Performance {
    /// The task whose own path is preferred and whose start is the first state; without one the app starts in its
    /// initial state.
    pub task: Option<Task>,
    /// Where it is written down.
    pub journal: Journal,
}

/// A recording as the package manager knows it.
pub(crate) fn installed(app: &Arc<RecordedApp>, performance: Performance) -> InstalledApp {
    let info = &app.info;
    let version = info.version.clone().unwrap_or_else(|| "1.0".to_owned());
    let activity = full_class(&info.package, &info.activity);
    let played = Arc::clone(app);
    InstalledApp {
        package: info.package.clone(),
        label: info.name.clone(),
        version_code: version_code(&version),
        version_name: version,
        launcher_activity: activity.clone(),
        permissions: Vec::new(),
        activities: vec![DeclaredActivity { class: activity, exported: true }],
        links: Vec::new(),
        versions: Vec::new(),
        launch: Arc::new(move |context| {
            Box::new(Player::new(Arc::clone(&played), performance.clone(), app_context(&context)))
        }),
    }
}
