//! A running app.

mod ending;
mod keys;
mod launch;
mod script;
mod shared;
mod shown_links;
mod state;
mod swipe;
mod system;
mod timer;
mod touch;
mod watch;
mod windows;

#[cfg(test)]
mod look_tests;
#[cfg(test)]
mod tests;

use super::AppContext;
use super::build::Builder;
use super::draw::Frame;
use super::expression::{ExpressionError, Expressions};
use super::file::{AppFile, Screen, ScreenOrientation, Script};
use super::focus::Focus;
use super::keyboard::{EnterKey, Keyboard, Page};
use super::layout::lay_out;
use super::palette::Palette;
use super::scene::Scene;
use super::snapshot::snapshot;
use super::target::{Locals, Popup, PopupKind, PopupRow, Target};
use super::window::{DateDialog, TimeDialog};
use crate::domain::{Rect, Screenshot, Size};
use crate::{
    AppProcess, AppState, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings, SystemAnswer,
    SystemRequest,
};
use launch::persisted;
use rhai::Scope;
use shared::Membership;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use system::PermissionWait;
use timer::Timer;

pub use launch::{LaunchError, launch};
pub use shown_links::{ShownLink, shown_links};
#[cfg(test)]
pub(crate) use swipe::{FASTEST_FLING, SLOWEST_FLING};
#[cfg(test)]
pub(crate) use touch::{LONG_PRESS, TOUCH_SLOP};

/// An open screen.
#[derive(Debug, Clone, Copy)]
struct Opened {
    screen: usize,
    instance: u64,
}

/// Which field is to have the focus.
#[derive(Debug, PartialEq, Eq)]
enum FocusWish {
    /// The one that edits this variable; the keyboard comes up with it.
    Named(String),
    /// A dialog's only one, once it stands; a dialog of several or of none gives none the focus, and no keyboard comes up.
    Only,
}

/// A window over the screen.
#[derive(Debug, Clone)]
struct Overlay {
    kind: OverlayKind,
    instance: u64,
}

#[derive(Debug, Clone)]
enum OverlayKind {
    Dialog(usize),
    Sheet(usize),
    /// A list over what was touched, which stood there.
    Popup(Arc<Popup>, Rect),
    Date(Box<DateDialog>),
    Time(Box<TimeDialog>),
}

struct Toast {
    text: String,
    until: Duration,
}

/// A message at the bottom of the window.
#[derive(Debug, Clone)]
pub(super) struct SnackbarState {
    pub(super) text: String,
    pub(super) action: Option<String>,
    pub(super) on_action: Script,
    pub(super) locals: Locals,
    until: Duration,
}

/// How long a toast stays (`Toast.LENGTH_SHORT`).
const TOAST: Duration = Duration::from_secs(2);

#[expect(clippy::struct_excessive_bools, reason = "independent facts of a process")]
struct Program {
    file: Arc<AppFile>,
    context: AppContext,
    palette: Palette,
    expressions: Expressions,
    scope: Scope<'static>,
    stack: Vec<Opened>,
    overlays: Vec<Overlay>,
    /// Numbers screens, overlays and timers in the order they came up.
    counter: u64,
    scrolls: BTreeMap<String, f32>,
    focus: Option<Focus>,
    keyboard: Option<Keyboard>,
    toast: Option<Toast>,
    timers: Vec<Timer>,
    /// The screen's opening that new timers belong to, where it is not the one on top.
    timer_owner: Option<u64>,
    now: Duration,
    log: Vec<String>,
    crashed: bool,
    /// The main thread is blocked for good.
    hung: bool,
    finish_requested: bool,
    requests: Vec<SystemRequest>,
    snackbar: Option<SnackbarState>,
    /// A navigation drawer is open.
    drawer: bool,
    /// Permission requests whose answers are not all there.
    permission_waits: Vec<PermissionWait>,
    /// What it shares with others.
    shared: Option<Membership>,
    /// Conditions that held when last looked at: the app's own (instance 0) and those of open screens.
    held: BTreeSet<(u64, usize)>,
    /// A field that is to have the focus once the window is built.
    focus_wish: Option<FocusWish>,
    /// What is wanted of the display.
    orientation: Option<ScreenOrientation>,
    /// The windows as last built; none after a change.
    scenes: Option<Vec<Scene>>,
}

impl Program {
    /// The topmost screen.
    fn top_screen(&self) -> Option<&Screen> {
        self.stack.last().and_then(|opened| self.file.document().screens.get(opened.screen))
    }

    /// Whether it still takes part in what happens.
    const fn lives(&self) -> bool {
        !self.crashed && !self.hung
    }

    fn next(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    fn changed(&mut self) {
        self.scenes = None;
    }

    /// The windows, built and laid out if anything changed; every event ends with it, so that what is asked without
    /// being able to build (is something moving?) is answered for the present state. An expression that fails crashes the app, as an
    /// exception in its code would.
    fn scenes(&mut self) -> &[Scene] {
        if self.scenes.is_none() {
            self.draw_begins();
            let built = if self.crashed { Vec::new() } else { self.build() };
            self.draw_ends();
            self.scenes = Some(built);
        }
        self.scenes.as_deref().unwrap_or_default()
    }

    /// The theme in the scheme of the moment.
    fn palette(&self) -> Palette {
        self.palette.in_scheme(self.is_dark())
    }

    /// The window that gets touches.
    fn top_scene(&mut self) -> Option<&Scene> {
        self.scenes().last()
    }

    /// The window that has the input focus: the one a dump shows and a key goes to.
    fn focused_scene(&mut self) -> Option<&Scene> {
        self.scenes().iter().rev().find(|scene| !scene.passive)
    }

    fn build(&mut self) -> Vec<Scene> {
        // A focused field that is gone takes the keyboard with it.
        for _ in 0..2 {
            let scenes = match self.build_once() {
                Ok(scenes) => scenes,
                Err(error) => {
                    self.crash(&error.to_string());
                    return Vec::new();
                }
            };
            let focused = self.focus.as_ref().is_none_or(|focus| {
                scenes.iter().rev().find(|scene| !scene.passive).is_some_and(|scene| {
                    scene.nodes.iter().any(|n| matches!(&n.target, Some(Target::Field(f)) if f.key == focus.key))
                })
            });
            if focused {
                return scenes;
            }
            self.focus = None;
            self.keyboard = None;
        }
        Vec::new()
    }

    fn build_once(&mut self) -> Result<Vec<Scene>, ExpressionError> {
        let keyboard = self.keyboard.map(|_| Keyboard::area(&self.context));
        let mut scenes = Vec::with_capacity(1 + self.overlays.len());
        let file = Arc::clone(&self.file);
        let document = file.document();
        let palette = self.palette();
        let windows =
            self.stack.last().map(|opened| opened.instance).into_iter().chain(self.overlays.iter().map(|o| o.instance));
        for (at, instance) in windows.enumerate() {
            let mut builder = Builder::new(
                &file,
                &self.context,
                palette,
                &mut self.expressions,
                &mut self.scope,
                instance,
                self.focus.as_ref(),
                &self.scrolls,
                keyboard.map_or(0.0, |area| area.height() as f32),
            );
            match at.checked_sub(1).and_then(|at| self.overlays.get(at)).map(|o| &o.kind) {
                None => {
                    let Some(screen) = self.stack.last().and_then(|o| document.screens.get(o.screen)) else { break };
                    builder.drawer = self.drawer;
                    builder.snackbar = self.snackbar.as_ref();
                    builder.screen(screen, self.stack.len() <= 1)?;
                }
                Some(OverlayKind::Dialog(index)) => {
                    let Some(dialog) = document.dialogs.get(*index) else { break };
                    builder.dialog(dialog)?;
                }
                Some(OverlayKind::Sheet(index)) => {
                    let Some(sheet) = document.sheets.get(*index) else { break };
                    builder.sheet(sheet)?;
                }
                Some(OverlayKind::Popup(popup, anchor)) => builder.popup(popup, *anchor),
                Some(OverlayKind::Date(dialog)) => builder.date_dialog(dialog),
                Some(OverlayKind::Time(dialog)) => builder.time_dialog(dialog),
            }
            let display = self.context.display;
            let mut scene = lay_out(builder.scene, &self.context);
            if let (Some(area), Some(focus)) = (keyboard, &self.focus) {
                // Android pans the window just far enough to keep the focused field above the keyboard.
                let margin = self.context.px(12.0).round() as i32;
                let bottom = scene.nodes.iter().find_map(|n| match &n.target {
                    Some(Target::Field(field)) if field.key == focus.key => Some(n.bounds.bottom),
                    _ => None,
                });
                let pan = bottom.map_or(0, |bottom| (bottom + margin - area.top).max(0));
                scene.pan(pan, display);
            }
            for area in scene.nodes.iter().filter_map(|n| n.scroll.as_ref()) {
                self.scrolls.insert(area.key.clone(), area.offset);
            }
            scenes.push(scene);
        }
        if let Some((popup, anchor)) = scenes.last().and_then(|scene| self.suggested(scene)) {
            let mut builder = Builder::new(
                &file,
                &self.context,
                self.palette,
                &mut self.expressions,
                &mut self.scope,
                0,
                None,
                &self.scrolls,
                keyboard.map_or(0.0, |area| area.height() as f32),
            );
            builder.popup(&popup, anchor);
            scenes.push(lay_out(builder.scene, &self.context));
        }
        Ok(scenes)
    }

    /// What the focused field offers below itself.
    fn suggested(&self, scene: &Scene) -> Option<(Popup, Rect)> {
        let focus = self.focus.as_ref().filter(|_| self.keyboard.is_some())?;
        let (field, bounds) = scene.nodes.iter().find_map(|node| match &node.target {
            Some(Target::Field(field)) if field.key == focus.key => Some((field, node.bounds)),
            _ => None,
        })?;
        let content = self.scope.get(&field.variable).map(ToString::to_string).unwrap_or_default();
        let rows = field.suggestions.iter().filter(|text| **text != content).take(5).map(|text| PopupRow {
            text: text.clone(),
            checked: false,
            enabled: true,
            target: Target::Assign {
                variable: field.variable.clone(),
                value: text.clone().into(),
                then: field.on_change.clone(),
                locals: field.locals.clone(),
            },
        });
        let rows: Vec<_> = rows.collect();
        (!rows.is_empty()).then(|| (Popup { kind: PopupKind::Exposed, title: String::new(), rows }, bounds))
    }

    fn show_keyboard(&mut self) {
        let page = if self.focus.as_ref().is_some_and(Focus::wants_digits) { Page::Digits } else { Page::Letters };
        self.keyboard = Some(Keyboard { page, shift: false });
        self.changed();
    }

    /// What the keyboard's ENTER key does in the focused field.
    fn enter_key(&self) -> EnterKey {
        let (Some(focus), Some(scene)) = (&self.focus, self.scenes.as_ref().and_then(|scenes| scenes.last())) else {
            return EnterKey::Done;
        };
        let fields = scene.nodes.iter().filter(|node| node.enabled).filter_map(|node| match &node.target {
            Some(Target::Field(field)) => Some(&field.key),
            _ => None,
        });
        if fields.skip_while(|key| **key != focus.key).nth(1).is_some() {
            EnterKey::Next
        } else if focus.on_submit.is_empty() {
            EnterKey::Done
        } else {
            EnterKey::Search
        }
    }
}

impl AppProcess for Program {
    fn package(&self) -> &str {
        self.file.package()
    }

    fn activity(&self) -> String {
        self.top_screen().map_or_else(|| self.file.main_activity(), |screen| self.file.activity_class(screen))
    }

    fn advance(&mut self, around: &Surroundings) {
        let now = self.now.max(around.now);
        let before = &self.context.around;
        let moved = before.location != around.location
            || before.online != around.online
            || before.granted != around.granted
            || (now > self.now && self.expressions.world().facts().clock_read);
        self.context.around.clone_from(around);
        if moved {
            self.changed();
        }
        if !self.lives() {
            self.now = now;
            return;
        }
        self.look_around();
        self.run_timers(now);
        self.now = now;
        self.look_around();
        if self.toast.as_ref().is_some_and(|toast| toast.until <= self.now) {
            self.toast = None;
        }
        if self.snackbar.as_ref().is_some_and(|snackbar| snackbar.until <= self.now) {
            self.snackbar = None;
            self.changed();
        }
        self.settle();
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.context.configure(configuration);
        if self.lives() {
            self.look_around();
            self.changed();
            self.settle();
        }
    }

    fn gesture(&mut self, gesture: Gesture) {
        if self.lives() {
            self.pull_shared();
            self.touch(gesture);
            self.settle();
        }
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        if !self.lives() {
            return KeyOutcome::Handled;
        }
        self.pull_shared();
        let outcome = self.press(code);
        self.settle();
        outcome
    }

    fn type_text(&mut self, text: &str) {
        if self.lives() {
            self.pull_shared();
            self.insert(text);
            self.settle();
        }
    }

    fn keyboard_shown(&self) -> bool {
        self.keyboard.is_some()
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        let package = self.file.package().to_owned();
        self.focused_scene().map(|scene| snapshot(scene, &package)).unwrap_or_default()
    }

    fn animating(&self) -> bool {
        !self.hung && self.scenes.as_ref().and_then(|scenes| scenes.last()).is_some_and(Scene::animates)
    }

    fn render(&mut self) -> Screenshot {
        self.scenes();
        let scenes = self.scenes.as_deref().unwrap_or_default();
        let frame = Frame {
            context: &self.context,
            now: self.now,
            scenes,
            keyboard: self.keyboard,
            enter: self.enter_key(),
            palette: self.palette(),
            toast: self.toast.as_ref().map(|toast| toast.text.as_str()),
            light_status: false,
            wallpaper: false,
        };
        frame.draw().unwrap_or_else(|| super::canvas::blank(self.context.display))
    }

    fn display(&self) -> Size {
        self.context.display
    }

    fn take_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    fn crashed(&self) -> bool {
        self.crashed
    }

    fn take_requests(&mut self) -> Vec<SystemRequest> {
        let mut requests = std::mem::take(&mut self.requests);
        if std::mem::take(&mut self.finish_requested) {
            requests.push(SystemRequest::Finish);
        }
        requests
    }

    fn answered(&mut self, answer: &SystemAnswer) {
        if self.lives() {
            self.take_answer(answer);
            self.settle();
        }
    }

    fn open(&mut self, uri: &str) -> bool {
        if !self.lives() {
            return false;
        }
        let opened = self.follow(uri);
        self.settle();
        opened
    }

    fn start_activity(&mut self, class: &str) -> bool {
        let file = Arc::clone(&self.file);
        let found = file.document().screens.iter().position(|screen| file.activity_class(screen) == class);
        let Some(screen) = found.filter(|_| self.lives()) else { return false };
        self.open_screen(screen, 0);
        self.settle();
        true
    }

    fn resumed(&mut self) {
        // Its start is what `on_open` is for.
        if self.lives() && self.now > self.context.now {
            self.pull_shared();
            self.resume_screen();
            self.settle();
        }
    }

    fn secure(&self) -> bool {
        self.top_screen().is_some_and(|screen| screen.secure)
    }

    fn hung(&self) -> bool {
        self.hung
    }

    fn state(&mut self) -> Option<AppState> {
        Some(self.inner_state())
    }

    fn persisted(&self) -> Option<Vec<u8>> {
        persisted(self.file.document(), &self.scope)
    }
}
