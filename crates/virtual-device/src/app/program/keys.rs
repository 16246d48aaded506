//! What keys and typed text do.

use super::super::focus::Focus;
use super::super::target::{FieldTarget, Target};
use super::{OverlayKind, Program};
use crate::KeyOutcome;
use std::sync::Arc;

/// The first API level on which `Dialog.onKeyUp` takes ESCAPE.
const ESCAPE_CLOSES_DIALOGS: u32 = 28;

/// Key codes of android.view.KeyEvent.
mod code {
    pub(super) const BACK: u32 = 4;
    pub(super) const DIGIT_0: u32 = 7;
    pub(super) const DIGIT_9: u32 = 16;
    pub(super) const LEFT: u32 = 21;
    pub(super) const RIGHT: u32 = 22;
    pub(super) const A: u32 = 29;
    pub(super) const Z: u32 = 54;
    pub(super) const COMMA: u32 = 55;
    pub(super) const PERIOD: u32 = 56;
    pub(super) const TAB: u32 = 61;
    pub(super) const SPACE: u32 = 62;
    pub(super) const ENTER: u32 = 66;
    pub(super) const DEL: u32 = 67;
    pub(super) const MINUS: u32 = 69;
    pub(super) const AT: u32 = 77;
    pub(super) const ESCAPE: u32 = 111;
    pub(super) const FORWARD_DEL: u32 = 112;
    pub(super) const MOVE_HOME: u32 = 122;
    pub(super) const MOVE_END: u32 = 123;
    pub(super) const NUMPAD_ENTER: u32 = 160;
}

impl Program {
    pub(super) fn press(&mut self, key: u32) -> KeyOutcome {
        match key {
            code::BACK => return self.back(),
            code::ESCAPE => self.escape(),
            code::ENTER | code::NUMPAD_ENTER => self.enter(),
            code::TAB => {
                self.focus_next();
            }
            code::DEL => self.delete(false),
            code::FORWARD_DEL => self.delete(true),
            code::MOVE_HOME => self.move_cursor(|_, _| 0),
            code::MOVE_END => self.move_cursor(|_, length| length),
            code::LEFT => self.move_cursor(|cursor, _| cursor.saturating_sub(1)),
            code::RIGHT => self.move_cursor(|cursor, length| (cursor + 1).min(length)),
            other => {
                if let Some(character) = character(other) {
                    self.insert(&character.to_string());
                }
            }
        }
        KeyOutcome::Handled
    }

    /// The keyboard takes it, and goes. Without one a dialog is closed as by BACK; nothing else of an app listens.
    fn escape(&mut self) {
        if self.keyboard.take().is_some() {
            self.changed();
            return;
        }
        // A list that drops down is a PopupWindow and no Dialog.
        let dialog = self.overlays.last().is_some_and(|overlay| !matches!(overlay.kind, OverlayKind::Popup(..)));
        if dialog && self.context.api >= ESCAPE_CLOSES_DIALOGS {
            self.cancel_overlay();
        }
    }

    fn back(&mut self) -> KeyOutcome {
        if self.keyboard.take().is_some() {
            self.changed();
            return KeyOutcome::Handled;
        }
        if self.drawer {
            self.set_drawer(false);
            return KeyOutcome::Handled;
        }
        if !self.overlays.is_empty() {
            self.cancel_overlay();
            return KeyOutcome::Handled;
        }
        let file = Arc::clone(&self.file);
        let screen = self.stack.last().and_then(|o| file.document().screens.get(o.screen));
        if let Some(selection) = screen.and_then(|screen| screen.selection.as_ref()) {
            match self.expressions.condition(&selection.when.value.0, &mut self.scope) {
                Ok(false) => {}
                Ok(true) => {
                    self.run(&selection.on_close, &None);
                    return KeyOutcome::Handled;
                }
                Err(error) => {
                    self.crash(&error.to_string());
                    return KeyOutcome::Handled;
                }
            }
        }
        if let Some(script) = screen.and_then(|s| s.on_back.as_ref()) {
            self.run(script, &None);
        } else if self.stack.len() <= 1 {
            return KeyOutcome::Finish;
        } else {
            self.leave_screen();
        }
        if self.finish_requested {
            self.finish_requested = false;
            return KeyOutcome::Finish;
        }
        KeyOutcome::Handled
    }

    fn content(&self, focus: &Focus) -> String {
        self.scope.get(&focus.variable).map(ToString::to_string).unwrap_or_default()
    }

    /// Types into the focused field.
    pub(super) fn insert(&mut self, typed: &str) {
        let Some(mut focus) = self.focus.take() else { return };
        let before = self.content(&focus);
        let after = focus.insert(&before, typed);
        self.edited(focus, &before, after);
    }

    /// Deletes beside the cursor.
    pub(super) fn delete(&mut self, forward: bool) {
        let Some(mut focus) = self.focus.take() else { return };
        let before = self.content(&focus);
        let after = focus.delete(&before, forward);
        self.edited(focus, &before, after);
    }

    fn edited(&mut self, focus: Focus, before: &str, after: String) {
        let (variable, script, locals) = (focus.variable.clone(), focus.on_change.clone(), focus.locals.clone());
        self.focus = Some(focus);
        self.changed();
        if after != before {
            self.assign_text(&variable, after);
            self.run(&script, &locals);
        }
    }

    fn move_cursor(&mut self, to: impl FnOnce(usize, usize) -> usize) {
        let Some(focus) = &self.focus else { return };
        let length = self.content(focus).chars().count();
        if let Some(focus) = &mut self.focus {
            focus.cursor = to(focus.cursor, length);
        }
        self.changed();
    }

    /// ENTER: the next field, or the end of input on the last one.
    pub(super) fn enter(&mut self) {
        if self.focus.as_ref().is_some_and(Focus::is_multiline) {
            self.insert("\n");
            return;
        }
        if self.focus.is_none() || self.focus_next() {
            return;
        }
        self.keyboard = None;
        self.changed();
        if let Some((script, locals)) = self.focus.as_ref().map(|f| (f.on_submit.clone(), f.locals.clone())) {
            self.run(&script, &locals);
        }
    }

    /// Focuses the field after the focused one; false when there is none.
    fn focus_next(&mut self) -> bool {
        let current = self.focus.as_ref().map(|focus| focus.key.clone());
        let Some(scene) = self.focused_scene() else { return false };
        let mut fields = scene.nodes.iter().filter(|n| n.enabled).filter_map(|n| match &n.target {
            Some(Target::Field(field)) => Some(field),
            _ => None,
        });
        let next: Option<FieldTarget> = match current {
            None => fields.next().cloned(),
            Some(key) => fields.skip_while(|f| f.key != key).nth(1).cloned(),
        };
        let Some(field) = next else { return false };
        let mut focus = Focus::new(&field, 0);
        focus.cursor = self.content(&focus).chars().count();
        self.focus = Some(focus);
        self.show_keyboard();
        true
    }
}

/// What a key types, without modifiers.
fn character(key: u32) -> Option<char> {
    let from = |base: u8, first: u32| u8::try_from(key - first).ok().map(|offset| char::from(base + offset));
    match key {
        code::DIGIT_0..=code::DIGIT_9 => from(b'0', code::DIGIT_0),
        code::A..=code::Z => from(b'a', code::A),
        code::COMMA => Some(','),
        code::PERIOD => Some('.'),
        code::SPACE => Some(' '),
        code::MINUS => Some('-'),
        code::AT => Some('@'),
        _ => None,
    }
}
