//! Performing actions: navigation, state, dialogs, messages.

use super::super::expression::ExpressionError;
use super::super::file::{Action, Expression, ForEach, LogLine, Script, Share, Snackbar, Text};
use super::super::target::Locals;
use super::super::window::TimePick;
use super::{FocusWish, Opened, Overlay, OverlayKind, Program, SnackbarState, TOAST, Toast};
use crate::SystemRequest;
use rhai::Dynamic;
use std::sync::Arc;
use std::time::Duration;

/// Scripts that open screens whose scripts open screens…: an endless chain is the app's own bug, and crashes it.
const DEEPEST: u32 = 64;
/// Rounds of one `for_each`.
const MOST_ITEMS: usize = 4096;

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
            if !self.lives() || self.finish_requested {
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
                self.open_screen(screen, depth + 1);
            }
            Action::Replace(to) => {
                let screen = self.screen_index(&to.value)?;
                self.stack.pop();
                self.open_screen(screen, depth + 1);
            }
            Action::Restart(to) => {
                let screen = self.screen_index(&to.value)?;
                self.stack.clear();
                self.open_screen(screen, depth + 1);
            }
            Action::Back => self.leave_screen(),
            Action::Finish => self.finish_requested = true,
            Action::BackTo(to) => self.back_to(&to.value, depth)?,
            Action::Set(values) => self.set_all(values.keys().map(String::as_str), |program| {
                let computed = values
                    .iter()
                    .map(|(name, expression)| program.evaluate(expression, locals).map(|value| (name.clone(), value)));
                computed.collect()
            })?,
            Action::Show(id) => self.show_window(&id.value)?,
            Action::Close => {
                self.focus = None;
                self.keyboard = None;
                self.overlays.pop();
            }
            Action::Toast(text) => {
                let text = self.fill(text, locals)?;
                self.toast = Some(Toast { text, until: self.now + TOAST });
            }
            Action::Snackbar(snackbar) => self.show_snackbar(&snackbar.value, locals)?,
            Action::OpenDrawer => self.set_drawer(true),
            Action::CloseDrawer => self.set_drawer(false),
            Action::RequestPermission(request) => self.request_permissions(request, locals),
            Action::Share(share) => self.share(share, locals)?,
            Action::OpenUrl(uri) => {
                let uri = self.fill(uri, locals)?;
                self.requests.push(SystemRequest::Open(uri));
            }
            Action::Launch(package) => self.requests.push(SystemRequest::Launch(package.value.clone())),
            Action::Copy(text) => {
                let text = self.fill(text, locals)?;
                self.requests.push(SystemRequest::Copy(text));
            }
            Action::PickDate(pick) => self.ask_date(pick, locals)?,
            Action::PickTime(pick) => self.pick_time(TimePick {
                variable: pick.bind.value.clone(),
                on_set: pick.on_set.clone(),
                locals: locals.clone(),
            }),
            Action::Log(line) => self.write_log(line, locals)?,
            Action::Keyboard(wish) => self.wish_keyboard(*wish),
            Action::Focus(variable) => {
                self.focus_wish = Some(FocusWish::Named(variable.value.clone()));
                self.changed();
            }
            Action::ScrollTo(end) => self.scroll_to(*end),
            Action::Delay(delay) => self.postpone(delay.ms, &delay.then, locals),
            Action::Repeat(repeat) => self.repeat(repeat, locals),
            Action::ForEach(each) => self.for_each(each, locals, depth)?,
            Action::If(branch) => {
                let source = &branch.when.value.0;
                let holds = self.with_locals(locals, |p| p.expressions.condition(source, &mut p.scope))?;
                self.perform(if holds { &branch.then } else { &branch.otherwise }, locals, depth + 1);
            }
            Action::Crash(_) | Action::Anr | Action::Kill => self.break_down(action, locals)?,
        }
        Ok(())
    }

    /// Ends or hangs the app, as an action says; every other action is nothing.
    fn break_down(&mut self, action: &Action, locals: &Locals) -> Result<(), String> {
        match action {
            Action::Crash(crash) => {
                let text = Text { value: crash.value.message.clone(), line: crash.line, column: crash.column };
                let message = self.fill(&text, locals)?;
                if crash.value.native { self.crash_natively(&message) } else { self.crash(&message) }
            }
            Action::Anr => {
                self.hung = true;
                self.timers.clear();
            }
            Action::Kill => {
                self.requests.push(SystemRequest::Kill);
                self.hung = true;
            }
            _ => {}
        }
        Ok(())
    }

    /// Opens a dialog or a sheet over what is there.
    fn show_window(&mut self, id: &str) -> Result<(), String> {
        let document = self.file.document();
        let dialog = document.dialogs.iter().position(|dialog| dialog.id.value == id).map(OverlayKind::Dialog);
        let sheet = || document.sheets.iter().position(|sheet| sheet.id.value == id).map(OverlayKind::Sheet);
        let kind = dialog.or_else(sheet).ok_or_else(|| format!("no dialog or sheet {id:?}"))?;
        self.focus = None;
        self.keyboard = None;
        if matches!(kind, OverlayKind::Dialog(_)) && self.focus_wish.is_none() {
            self.focus_wish = Some(FocusWish::Only);
        }
        let instance = self.next();
        self.overlays.push(Overlay { kind, instance });
        Ok(())
    }

    fn share(&mut self, share: &Share, locals: &Locals) -> Result<(), String> {
        let text = self.fill(&share.text, locals)?;
        let title = share.title.as_ref().map(|title| self.fill(title, locals)).transpose()?;
        self.requests.push(SystemRequest::Share { text, title });
        Ok(())
    }

    fn write_log(&mut self, line: &LogLine, locals: &Locals) -> Result<(), String> {
        let text = self.fill(&line.text, locals)?;
        let tag = line.tag.as_deref().unwrap_or_else(|| self.file.label());
        // logcat pads a tag to eight characters.
        let first = format!("{} {tag:<8}: ", line.level.letter());
        self.log.extend(text.lines().map(|line| format!("{first}{line}")));
        Ok(())
    }

    fn for_each(&mut self, each: &ForEach, locals: &Locals, depth: u32) -> Result<(), String> {
        let items = self.evaluate(&each.items, locals)?;
        let items = items.into_array().map_err(|found| format!("for_each: a {found} is no array"))?;
        for (index, item) in items.into_iter().take(MOST_ITEMS).enumerate() {
            self.perform(&each.then, &Some(Arc::new((item, index as i64))), depth + 1);
        }
        Ok(())
    }

    fn back_to(&mut self, id: &str, depth: u32) -> Result<(), String> {
        let screen = self.screen_index(id)?;
        if self.stack.iter().any(|opened| opened.screen == screen) {
            while self.stack.last().is_some_and(|opened| opened.screen != screen) {
                self.leave_screen();
            }
        } else {
            self.open_screen(screen, depth + 1);
        }
        Ok(())
    }

    fn show_snackbar(&mut self, snackbar: &Snackbar, locals: &Locals) -> Result<(), String> {
        let text = self.fill(&snackbar.text, locals)?;
        let action = snackbar.action.as_ref().map(|action| self.fill(action, locals)).transpose()?;
        self.snackbar = Some(SnackbarState {
            text,
            action,
            on_action: snackbar.on_action.clone(),
            locals: locals.clone(),
            // `LENGTH_INDEFINITE`.
            until: if snackbar.ms == 0 { Duration::MAX } else { self.now + Duration::from_millis(snackbar.ms) },
        });
        Ok(())
    }

    /// Opens or closes the navigation drawer.
    pub(super) fn set_drawer(&mut self, open: bool) {
        self.drawer = open && self.top_screen().is_some_and(|screen| screen.drawer.is_some());
        self.focus = None;
        self.keyboard = None;
        self.changed();
    }

    /// A text of the file with what it says now.
    pub(super) fn fill(&mut self, text: &Text, locals: &Locals) -> Result<String, String> {
        let source = self.context.wording.text(&self.file, &self.context.locale, &text.value).to_owned();
        self.with_locals(locals, |p| p.expressions.text(&source, &mut p.scope))
    }

    /// Runs `work` with `item` and `index` in scope.
    pub(super) fn with_locals<T>(
        &mut self,
        locals: &Locals,
        work: impl FnOnce(&mut Self) -> Result<T, ExpressionError>,
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

    pub(super) fn evaluate(&mut self, expression: &Expression, locals: &Locals) -> Result<Dynamic, String> {
        let source = &expression.value.0;
        self.with_locals(locals, |p| p.expressions.value(source, &mut p.scope))
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

    pub(super) fn screen_index(&self, id: &str) -> Result<usize, String> {
        let screens = &self.file.document().screens;
        screens.iter().position(|s| s.id.value == id).ok_or_else(|| format!("no screen {id:?}"))
    }

    /// Opens a screen on top.
    pub(super) fn open_screen(&mut self, screen: usize, depth: u32) {
        self.focus = None;
        self.keyboard = None;
        self.overlays.clear();
        self.snackbar = None;
        self.drawer = false;
        self.focus_wish = None;
        let instance = self.next();
        self.stack.push(Opened { screen, instance });
        self.forget_closed_screens();
        let file = Arc::clone(&self.file);
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
        self.snackbar = None;
        self.drawer = false;
        self.focus_wish = None;
        self.stack.pop();
        self.forget_closed_screens();
        self.changed();
        self.resume_screen();
    }

    /// Scroll positions and timers of screens that are no longer open are forgotten.
    fn forget_closed_screens(&mut self) {
        let open: Vec<u64> = self.stack.iter().map(|o| o.instance).collect();
        self.timers.retain(|timer| timer.instance == 0 || open.contains(&timer.instance));
        self.held.retain(|(instance, _)| *instance == 0 || open.contains(instance));
        self.scrolls.retain(|key, _| {
            key.split(':').next().and_then(|i| i.parse().ok()).is_some_and(|instance: u64| open.contains(&instance))
        });
    }
}
