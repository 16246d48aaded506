//! Performing actions: navigation, state, dialogs, timers.

use super::super::build::string_resource;
use super::super::file::{Action, Expression, Script};
use super::super::target::Locals;
use super::{Opened, Overlay, OverlayKind, Program, TOAST, Timer, Toast};
use rhai::Dynamic;
use std::time::Duration;

/// Scripts that open screens whose scripts open screens…: an endless chain is the app's own bug, and crashes it.
const DEEPEST: u32 = 64;
/// Timers that may fire in one step of the clock.
const MOST_TIMERS: usize = 10_000;

impl Program {
    /// Performs a script.
    pub(super) fn run(&mut self, script: &Script, locals: &Locals) {
        self.perform(script, locals, 0);
        self.changed();
    }

    fn perform(&mut self, script: &[Action], locals: &Locals, depth: u32) {
        if depth > DEEPEST {
            self.crash("stack overflow: actions start one another without end");
        }
        for action in script {
            if self.crashed || self.finish_requested {
                return;
            }
            if let Err(message) = self.act(action, locals, depth) {
                self.crash(&message);
            }
        }
    }

    fn act(&mut self, action: &Action, locals: &Locals, depth: u32) -> Result<(), String> {
        match action {
            Action::Goto(to) => {
                let screen = self.screen_index(&to.value)?;
                self.open(screen, depth + 1);
            }
            Action::Replace(to) => {
                let screen = self.screen_index(&to.value)?;
                self.stack.pop();
                self.open(screen, depth + 1);
            }
            Action::Restart(to) => {
                let screen = self.screen_index(&to.value)?;
                self.stack.clear();
                self.open(screen, depth + 1);
            }
            Action::Back => self.leave_screen(),
            Action::Finish => self.finish_requested = true,
            Action::Set(values) => {
                let computed: Vec<(&String, Dynamic)> = values
                    .iter()
                    .map(|(name, expression)| self.evaluate(expression, locals).map(|value| (name, value)))
                    .collect::<Result<_, _>>()?;
                for (name, value) in computed {
                    self.assign(name, value)?;
                }
            }
            Action::Show(id) => {
                let document = self.file.document();
                let dialog = document.dialogs.iter().position(|d| d.id.value == id.value).map(OverlayKind::Dialog);
                let sheet = || document.sheets.iter().position(|s| s.id.value == id.value).map(OverlayKind::Sheet);
                let kind = dialog.or_else(sheet).ok_or_else(|| format!("no dialog or sheet {:?}", id.value))?;
                self.focus = None;
                self.keyboard = None;
                let instance = self.next();
                self.overlays.push(Overlay { kind, instance });
            }
            Action::Close => {
                self.focus = None;
                self.keyboard = None;
                self.overlays.pop();
            }
            Action::Toast(text) => {
                let source = string_resource(&self.file, &self.context.locale, &text.value).to_owned();
                let text = self.with_locals(locals, |p| p.expressions.text(&source, &mut p.scope))?;
                self.toast = Some(Toast { text, until: self.now + TOAST });
            }
            Action::Delay(delay) => {
                let instance = self.stack.last().map_or(0, |opened| opened.instance);
                let order = self.next();
                self.timers.push(Timer {
                    due: self.now + Duration::from_millis(delay.ms),
                    order,
                    instance,
                    script: delay.then.clone(),
                    locals: locals.clone(),
                });
            }
            Action::If(branch) => {
                let source = &branch.when.value.0;
                let holds = self.with_locals(locals, |p| p.expressions.condition(source, &mut p.scope))?;
                self.perform(if holds { &branch.then } else { &branch.otherwise }, locals, depth + 1);
            }
            Action::Crash(text) => {
                let source = string_resource(&self.file, &self.context.locale, &text.value).to_owned();
                return Err(self.with_locals(locals, |p| p.expressions.text(&source, &mut p.scope))?);
            }
        }
        Ok(())
    }

    /// Runs `work` with `item` and `index` in scope.
    fn with_locals<T>(
        &mut self,
        locals: &Locals,
        work: impl FnOnce(&mut Self) -> Result<T, super::super::expression::ExpressionError>,
    ) -> Result<T, String> {
        let depth = self.scope.len();
        if let Some(locals) = locals {
            self.scope.push_dynamic("item", locals.0.clone());
            self.scope.push("index", locals.1);
        }
        let result = work(self);
        self.scope.rewind(depth);
        result.map_err(|error| error.to_string())
    }

    fn evaluate(&mut self, expression: &Expression, locals: &Locals) -> Result<Dynamic, String> {
        let source = &expression.value.0;
        self.with_locals(locals, |p| p.expressions.value(source, &mut p.scope))
    }

    /// Sets a state variable; it keeps its type.
    pub(super) fn assign(&mut self, name: &str, value: Dynamic) -> Result<(), String> {
        let value = value.as_char().map_or(value, |character| Dynamic::from(character.to_string()));
        let Some(old) = self.scope.get(name) else { return Err(format!("no state variable {name:?}")) };
        if !old.is_unit() && old.type_name() != value.type_name() {
            return Err(format!("{name} holds a value of type {}, not {}", old.type_name(), value.type_name()));
        }
        self.scope.set_value(name.to_owned(), value);
        self.changed();
        Ok(())
    }

    /// Sets a text variable on the user's behalf (typing).
    pub(super) fn assign_text(&mut self, name: &str, text: String) {
        // A number typed into a field that is bound to a number stays one.
        let value = match self.scope.get(name) {
            Some(old) if old.is_int() => text.parse::<i64>().map_or(Dynamic::from(0_i64), Dynamic::from),
            _ => Dynamic::from(text),
        };
        if let Err(message) = self.assign(name, value) {
            self.crash(&message);
        }
    }

    fn screen_index(&self, id: &str) -> Result<usize, String> {
        let screens = &self.file.document().screens;
        screens.iter().position(|s| s.id.value == id).ok_or_else(|| format!("no screen {id:?}"))
    }

    /// Opens a screen on top.
    pub(super) fn open(&mut self, screen: usize, depth: u32) {
        self.focus = None;
        self.keyboard = None;
        self.overlays.clear();
        self.forget_window();
        let instance = self.next();
        self.stack.push(Opened { screen, instance });
        self.forget_closed_screens();
        let file = std::sync::Arc::clone(&self.file);
        if let Some(screen) = file.document().screens.get(screen) {
            self.perform(&screen.on_open, &None, depth);
        }
        self.changed();
    }

    /// Leaves the topmost screen; the first one closes the app.
    pub(super) fn leave_screen(&mut self) {
        if self.stack.len() <= 1 {
            self.finish_requested = true;
            return;
        }
        self.focus = None;
        self.keyboard = None;
        self.overlays.clear();
        self.forget_window();
        self.stack.pop();
        self.forget_closed_screens();
        self.changed();
    }

    /// Scroll positions and timers of screens that are no longer open are forgotten.
    fn forget_closed_screens(&mut self) {
        let open: Vec<u64> = self.stack.iter().map(|o| o.instance).collect();
        self.timers.retain(|timer| open.contains(&timer.instance));
        self.scrolls.retain(|key, _| {
            key.split(':').next().and_then(|i| i.parse().ok()).is_some_and(|instance: u64| open.contains(&instance))
        });
    }

    /// Fires what is due until `now`, each at its own time, in order.
    pub(super) fn run_timers(&mut self, now: Duration) {
        for _ in 0..MOST_TIMERS {
            let due = self.timers.iter().enumerate().filter(|(_, t)| t.due <= now);
            let Some(at) = due.min_by_key(|(_, t)| (t.due, t.order)).map(|(at, _)| at) else { return };
            let timer = self.timers.remove(at);
            self.now = self.now.max(timer.due);
            self.run(&timer.script, &timer.locals);
        }
    }
}
