//! A running app.

mod keys;
mod script;
mod touch;

#[cfg(test)]
mod look_tests;
#[cfg(test)]
mod tests;

use super::AppContext;
use super::build::Builder;
use super::draw::Frame;
use super::expression::{ExpressionError, Expressions, dynamic};
use super::file::{AppFile, Script};
use super::focus::Focus;
use super::keyboard::{Keyboard, Page};
use super::layout::lay_out;
use super::palette::Palette;
use super::scene::Scene;
use super::snapshot::snapshot;
use super::target::{Locals, Target};
use crate::domain::{Screenshot, Size};
use crate::virtual_device::{
    AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings, SystemRequest,
};
use rhai::Scope;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Why an app cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The file has no screens.
    #[error("{file}: the app has no screens; add at least one under `screens:`")]
    NoScreens {
        /// The app file.
        file: String,
    },
    /// A first value was given for a variable that the app does not have.
    #[error("{file}: the app has no state variable {name:?}; it has: {known}")]
    UnknownVariable {
        /// The app file.
        file: String,
        /// The variable.
        name: String,
        /// Those that exist.
        known: String,
    },
}

/// Starts an app.
///
/// # Errors
/// When it has no screens or `context.state` names a variable it does not have.
#[expect(clippy::needless_pass_by_value, reason = "the app keeps the file")]
pub fn launch(file: Arc<AppFile>, context: AppContext) -> Result<Box<dyn AppProcess>, LaunchError> {
    Ok(Box::new(Program::new(&file, context)?))
}

/// An open screen.
#[derive(Debug, Clone, Copy)]
struct Opened {
    screen: usize,
    instance: u64,
}

/// An open dialog or sheet.
#[derive(Debug, Clone, Copy)]
struct Overlay {
    kind: OverlayKind,
    instance: u64,
}

#[derive(Debug, Clone, Copy)]
enum OverlayKind {
    Dialog(usize),
    Sheet(usize),
}

struct Timer {
    due: Duration,
    order: u64,
    instance: u64,
    script: Script,
    locals: Locals,
}

struct Toast {
    text: String,
    until: Duration,
}

/// How long a toast stays (`Toast.LENGTH_SHORT`).
const TOAST: Duration = Duration::from_secs(2);

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
    now: Duration,
    log: Vec<String>,
    crashed: bool,
    finish_requested: bool,
    requests: Vec<SystemRequest>,
    /// The windows as last built; none after a change.
    scenes: Option<Vec<Scene>>,
}

impl Program {
    fn new(file: &Arc<AppFile>, context: AppContext) -> Result<Self, LaunchError> {
        let document = file.document();
        if document.screens.is_empty() {
            return Err(LaunchError::NoScreens { file: file.name().to_owned() });
        }
        if let Some(name) = context.state.keys().find(|name| !document.state.contains_key(*name)) {
            return Err(LaunchError::UnknownVariable {
                file: file.name().to_owned(),
                name: name.clone(),
                known: document.state.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
            });
        }
        let mut scope = Scope::new();
        for (name, value) in &document.state {
            scope.push_dynamic(name.clone(), dynamic(context.state.get(name).unwrap_or(value)));
        }
        let palette = Palette::new(document.primary);
        let now = context.now;
        let mut program = Self {
            file: Arc::clone(file),
            context,
            palette,
            expressions: Expressions::new(),
            scope,
            stack: Vec::new(),
            overlays: Vec::new(),
            counter: 0,
            scrolls: BTreeMap::new(),
            focus: None,
            keyboard: None,
            toast: None,
            timers: Vec::new(),
            now,
            log: Vec::new(),
            crashed: false,
            finish_requested: false,
            requests: Vec::new(),
            scenes: None,
        };
        program.open(0, 0);
        program.scenes();
        Ok(program)
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
            let built = if self.crashed { Vec::new() } else { self.build() };
            self.scenes = Some(built);
        }
        self.scenes.as_deref().unwrap_or_default()
    }

    /// The theme in the scheme of the moment.
    fn palette(&self) -> Palette {
        self.palette.in_scheme(self.context.night)
    }

    /// The window that gets touches.
    fn top_scene(&mut self) -> Option<&Scene> {
        self.scenes().last()
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
                scenes.last().is_some_and(|scene| {
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
            match at.checked_sub(1).and_then(|at| self.overlays.get(at)).map(|o| o.kind) {
                None => {
                    let Some(screen) = self.stack.last().and_then(|o| document.screens.get(o.screen)) else { break };
                    builder.screen(screen, self.stack.len() <= 1)?;
                }
                Some(OverlayKind::Dialog(index)) => {
                    let Some(dialog) = document.dialogs.get(index) else { break };
                    builder.dialog(dialog)?;
                }
                Some(OverlayKind::Sheet(index)) => {
                    let Some(sheet) = document.sheets.get(index) else { break };
                    builder.sheet(sheet)?;
                }
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
        Ok(scenes)
    }

    fn show_keyboard(&mut self) {
        let page = if self.focus.as_ref().is_some_and(Focus::wants_digits) { Page::Digits } else { Page::Letters };
        self.keyboard = Some(Keyboard { page, shift: false });
        self.changed();
    }

    /// Ends the app the way an uncaught exception does; the report goes to the log in logcat's form.
    fn crash(&mut self, message: &str) {
        if self.crashed {
            return;
        }
        self.crashed = true;
        let package = self.file.package().to_owned();
        let activity = self.activity();
        let simple = activity.rsplit('.').next().unwrap_or_default().to_owned();
        self.log.extend([
            "E AndroidRuntime: FATAL EXCEPTION: main".to_owned(),
            format!("E AndroidRuntime: Process: {package}, PID: {}", self.context.pid),
            format!("E AndroidRuntime: java.lang.IllegalStateException: {message}"),
            format!("E AndroidRuntime: \tat {activity}.onUserAction({simple}.java:42)"),
            "E AndroidRuntime: \tat android.os.Handler.handleCallback(Handler.java:959)".to_owned(),
            "E AndroidRuntime: \tat android.os.Looper.loop(Looper.java:317)".to_owned(),
            "E AndroidRuntime: \tat android.app.ActivityThread.main(ActivityThread.java:8705)".to_owned(),
        ]);
        self.focus = None;
        self.keyboard = None;
        self.timers.clear();
        self.changed();
    }
}

impl AppProcess for Program {
    fn package(&self) -> &str {
        self.file.package()
    }

    fn activity(&self) -> String {
        let screen = self.stack.last().and_then(|o| self.file.document().screens.get(o.screen));
        screen.map_or_else(|| self.file.main_activity(), |screen| self.file.activity_class(screen))
    }

    fn advance(&mut self, around: &Surroundings) {
        self.run_timers(around.now);
        self.now = self.now.max(around.now);
        self.context.around.clone_from(around);
        if self.toast.as_ref().is_some_and(|toast| toast.until <= self.now) {
            self.toast = None;
        }
        self.scenes();
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.context.configure(configuration);
        self.changed();
        self.scenes();
    }

    fn gesture(&mut self, gesture: Gesture) {
        if !self.crashed {
            self.touch(gesture);
            self.scenes();
        }
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        if self.crashed {
            return KeyOutcome::Handled;
        }
        let outcome = self.press(code);
        self.scenes();
        outcome
    }

    fn type_text(&mut self, text: &str) {
        if !self.crashed {
            self.insert(text);
            self.scenes();
        }
    }

    fn keyboard_shown(&self) -> bool {
        self.keyboard.is_some()
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        let package = self.file.package().to_owned();
        self.top_scene().map(|scene| snapshot(scene, &package)).unwrap_or_default()
    }

    fn animating(&self) -> bool {
        self.scenes.as_ref().and_then(|scenes| scenes.last()).is_some_and(Scene::animates)
    }

    fn render(&mut self) -> Screenshot {
        self.scenes();
        let scenes = self.scenes.as_deref().unwrap_or_default();
        let frame = Frame {
            context: &self.context,
            now: self.now,
            scenes,
            keyboard: self.keyboard,
            palette: self.palette(),
            toast: self.toast.as_ref().map(|toast| toast.text.as_str()),
            light_status: false,
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
}
