//! What a run finds out about an app: the screens it saw, and what led from one to another.

use super::{AppMap, MOST_ALIKE, MOST_SCREENS, View};
use crate::domain::{Action, Rect};
use crate::hierarchy::{Screen, ScreenKind};
use std::sync::Arc;

/// Something that was found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Discovery {
    /// The screen.
    pub from: Arc<View>,
    /// Where it was touched, and the screen this led to; `None` where it was only seen.
    pub way: Option<(Rect, Arc<View>)>,
}

impl AppMap {
    /// Adds what was found out, unless the map is full. The last outcome of a touch counts.
    pub fn discover(&mut self, discovery: &Discovery) {
        let Some(from) = self.admit(&discovery.from) else { return };
        if let Some((bounds, there)) = &discovery.way
            && let Some(to) = self.admit(there)
        {
            self.reconnect(from, *bounds, to);
        }
    }

    /// The screen's number; `None` where it is new and there is no room for it.
    fn admit(&mut self, view: &View) -> Option<usize> {
        if let Some(known) = self.number_of(view.digest) {
            return Some(known);
        }
        if self.alike(view.fingerprint) >= MOST_ALIKE || self.size().0 >= MOST_SCREENS {
            return None;
        }
        Some(self.note(view.clone()))
    }
}

/// Follows a run and notes what it finds out about one app.
#[derive(Debug)]
pub struct Learner {
    package: String,
    /// The screen seen last, and the one before it; `None` for what is not the app's.
    last: Option<Arc<View>>,
    before_last: Option<Arc<View>>,
    /// The screen the action under way was chosen on; outer `None` where nothing was chosen.
    #[expect(clippy::option_option, reason = "nothing chosen, and chosen on a screen that is not the app's")]
    chosen_on: Option<Option<Arc<View>>>,
    /// A touch that led to a screen which only waits: what comes next is where it leads.
    waiting: Option<(Arc<View>, Rect)>,
    last_waits: bool,
    found: Vec<Discovery>,
    typed: Vec<String>,
}

impl Learner {
    /// Follows a run on the app of this package.
    pub fn new(package: impl Into<String>) -> Self {
        Self {
            package: package.into(),
            last: None,
            before_last: None,
            chosen_on: None,
            waiting: None,
            last_waits: false,
            found: Vec::new(),
            typed: Vec::new(),
        }
    }

    /// A screen was seen.
    pub fn screen(&mut self, screen: &Screen) {
        self.last_waits = screen.kind == ScreenKind::Loading;
        let view = self.owns(screen).then(|| Arc::new(View::of(screen)));
        if let Some(view) = &view
            && self.found.is_empty()
        {
            self.found.push(Discovery { from: Arc::clone(view), way: None });
        }
        self.before_last = std::mem::replace(&mut self.last, view);
    }

    /// An action was chosen on the last screen.
    pub fn decided(&mut self) {
        self.chosen_on = Some(self.last.clone());
    }

    /// An action was carried out. A replay chooses nothing and looks once after each action.
    pub fn acted(&mut self, action: &Action, valid: bool) {
        if let Action::InputText { text, .. } = action {
            self.typed.push(text.expose().to_owned());
        }
        let from = self.chosen_on.take().unwrap_or_else(|| self.before_last.clone());
        let touch = match (action, self.waiting.take()) {
            (Action::Click { target }, _) if valid => from.map(|from| (from, target.bounds)),
            (Action::Wait { .. }, waiting) => waiting,
            _ => None,
        };
        let Some((from, bounds)) = touch else { return };
        match &self.last {
            _ if self.last_waits => self.waiting = Some((from, bounds)),
            Some(to) if to.digest != from.digest => {
                self.found.push(Discovery { from, way: Some((bounds, Arc::clone(to))) });
            }
            _ => {}
        }
    }

    /// The app.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// What was found out.
    pub fn found(&self) -> &[Discovery] {
        &self.found
    }

    /// Texts that were typed: they belong to the run and not to the map.
    pub fn typed(&self) -> &[String] {
        &self.typed
    }

    /// True for a screen of the app that says something; the system's own windows are no part of it.
    fn owns(&self, screen: &Screen) -> bool {
        let foreign = matches!(
            screen.kind,
            ScreenKind::Crash
                | ScreenKind::NotResponding
                | ScreenKind::Permission
                | ScreenKind::Loading
                | ScreenKind::Empty
        );
        let in_front = match &screen.foreground {
            Some(name) => name.split('/').next() == Some(self.package.as_str()),
            None => screen.widgets.first().is_some_and(|widget| widget.package == self.package),
        };
        !foreign && in_front
    }
}
