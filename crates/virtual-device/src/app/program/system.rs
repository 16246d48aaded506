//! What an app asks of the system, and what the system tells it: permissions, sharing, links, focus.

use super::super::file::{KeyboardWish, PermissionRequest, Script, ScrollEnd};
use super::super::focus::Focus;
use super::super::link::LinkPattern;
use super::super::target::{FieldTarget, Locals, Target};
use super::{FocusWish, Program, TOAST, Toast};
use crate::{SystemAnswer, SystemRequest};
use rhai::Dynamic;
use std::sync::Arc;

/// A request for permissions that waits for answers.
pub(super) struct PermissionWait {
    open: Vec<String>,
    refused: bool,
    granted: Script,
    denied: Script,
    locals: Locals,
}

impl Program {
    /// Asks for permissions. What is granted already is not asked; what is not declared is refused at once, as Android
    /// does.
    pub(super) fn request_permissions(&mut self, request: &PermissionRequest, locals: &Locals) {
        let held = Arc::clone(&self.context.around.granted);
        let declared = |name: &str| self.file.document().permissions.iter().any(|p| p.value == name);
        let missing: Vec<String> =
            request.all().map(|name| name.value.clone()).filter(|name| !held.contains(name)).collect();
        let (asked, undeclared): (Vec<String>, Vec<String>) = missing.into_iter().partition(|name| declared(name));
        let wait = PermissionWait {
            open: asked.clone(),
            refused: !undeclared.is_empty(),
            granted: request.granted.clone(),
            denied: request.denied.clone(),
            locals: locals.clone(),
        };
        if asked.is_empty() {
            self.permissions_settled(&wait);
        } else {
            self.permission_waits.push(wait);
            self.requests.push(SystemRequest::Permission(asked));
        }
    }

    fn permissions_settled(&mut self, wait: &PermissionWait) {
        let script = if wait.refused { &wait.denied } else { &wait.granted };
        self.run(script, &wait.locals);
    }

    /// Takes note of an answer of the system.
    pub(super) fn take_answer(&mut self, answer: &SystemAnswer) {
        match answer {
            SystemAnswer::Permission { name, granted } => {
                let mut held = (*self.context.around.granted).clone();
                if *granted {
                    held.insert(name.clone());
                } else {
                    held.remove(name);
                }
                self.context.around.granted = Arc::new(held);
                self.look_around();
                for wait in &mut self.permission_waits {
                    let before = wait.open.len();
                    wait.open.retain(|open| open != name);
                    wait.refused |= !granted && wait.open.len() < before;
                }
                let waits = std::mem::take(&mut self.permission_waits);
                let (settled, open): (Vec<_>, Vec<_>) = waits.into_iter().partition(|wait| wait.open.is_empty());
                self.permission_waits = open;
                for wait in &settled {
                    self.permissions_settled(wait);
                }
                self.changed();
            }
            SystemAnswer::Unopened { .. } => {
                self.toast = Some(Toast { text: "No app can open this".to_owned(), until: self.now + TOAST });
            }
            SystemAnswer::Shared { .. } => {}
        }
    }

    /// Opens the screen a deep link leads to; false when there is no link for the URI.
    pub(super) fn follow(&mut self, uri: &str) -> bool {
        let file = Arc::clone(&self.file);
        let found = file.document().links.iter().find_map(|link| {
            let values = LinkPattern::parse(&link.uri.value).ok()?.values(uri)?;
            Some((link, values))
        });
        let Some((link, values)) = found else { return false };
        let names = link.set.keys().map(String::as_str);
        let set = self.set_all(names, |program| {
            let depth = program.scope.len();
            for (name, value) in &values {
                program.scope.push_dynamic(name.clone(), Dynamic::from(value.clone()));
            }
            let computed = link.set.iter().map(|(name, expression)| {
                let value = program.expressions.value(&expression.value.0, &mut program.scope);
                value.map(|value| (name.clone(), value)).map_err(|error| error.to_string())
            });
            let computed = computed.collect();
            program.scope.rewind(depth);
            computed
        });
        let opened = set.and_then(|()| self.screen_index(&link.goto.value));
        match opened {
            Ok(screen) => self.open_screen(screen, 0),
            Err(message) => self.crash(&message),
        }
        true
    }

    /// The topmost screen came back to the front.
    pub(super) fn resume_screen(&mut self) {
        let script = self.top_screen().map(|screen| screen.on_resume.clone());
        if let Some(script) = script.filter(|script| !script.is_empty()) {
            self.run(&script, &None);
        }
    }

    /// Gives the field that a `focus` action named the focus, now that it can be built.
    pub(super) fn apply_focus_wish(&mut self) {
        let variable = match self.focus_wish.take() {
            None => return,
            Some(FocusWish::Only) => return self.focus_the_only_field(),
            Some(FocusWish::Named(variable)) => variable,
        };
        let field = self.fields().into_iter().find(|field| field.variable == variable);
        let Some(field) = field else {
            self.crash(&format!("focus: no field for {variable:?} is on the screen"));
            return;
        };
        self.focus_field(&field);
    }

    pub(super) fn wish_keyboard(&mut self, wish: KeyboardWish) {
        match wish {
            KeyboardWish::Hide => {
                self.keyboard = None;
                self.changed();
            }
            KeyboardWish::Show if self.focus.is_some() => self.show_keyboard(),
            KeyboardWish::Show => {
                if let Some(field) = self.fields().into_iter().next() {
                    self.focus_field(&field);
                }
            }
        }
    }

    fn focus_the_only_field(&mut self) {
        if let [field] = self.fields().as_slice() {
            let content = self.scope.get(&field.variable).map(ToString::to_string).unwrap_or_default();
            self.focus = Some(Focus::new(field, content.chars().count()));
            self.changed();
        }
    }

    fn focus_field(&mut self, field: &FieldTarget) {
        let content = self.scope.get(&field.variable).map(ToString::to_string).unwrap_or_default();
        self.focus = Some(Focus::new(field, content.chars().count()));
        self.show_keyboard();
    }

    /// The fields of the topmost window that take input.
    fn fields(&mut self) -> Vec<FieldTarget> {
        let Some(scene) = self.top_scene() else { return Vec::new() };
        let fields = scene.nodes.iter().filter(|n| n.enabled).filter_map(|n| match &n.target {
            Some(Target::Field(field)) => Some(field.clone()),
            _ => None,
        });
        fields.collect()
    }

    /// Scrolls what scrolls first in the topmost window to one of its ends.
    pub(super) fn scroll_to(&mut self, end: ScrollEnd) {
        let Some(scene) = self.top_scene() else { return };
        let area = scene.nodes.iter().filter_map(|n| n.scroll.as_ref()).find(|area| area.limit > 0.0).cloned();
        if let Some(area) = area {
            let offset = if end == ScrollEnd::Top { 0.0 } else { area.limit };
            self.scrolls.insert(area.key, offset);
            self.changed();
        }
    }
}
