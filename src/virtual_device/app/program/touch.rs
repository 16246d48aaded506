//! What touches do.

use super::super::file::Axis;
use super::super::focus::Focus;
use super::super::keyboard::{KeyAction, Keyboard};
use super::super::scene::{Content, NodeIndex, Scene};
use super::super::target::{KeypadKey, Target, WheelTarget};
use super::{OverlayKind, Program};
use crate::domain::Point;
use crate::virtual_device::Gesture;
use std::time::Duration;

/// Below this distance a swipe is a touch in place (ViewConfiguration.getScaledTouchSlop), dp.
const TOUCH_SLOP: f32 = 8.0;
/// ViewConfiguration.getLongPressTimeout.
const LONG_PRESS: Duration = Duration::from_millis(500);

impl Program {
    pub(super) fn touch(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(point) => self.tap(point),
            Gesture::LongPress(point) => self.long_press(point),
            Gesture::Swipe { from, to, duration } | Gesture::Drag { from, to, duration } => {
                let (dx, dy) = ((to.x - from.x) as f32, (to.y - from.y) as f32);
                if dx.abs().max(dy.abs()) >= self.context.px(TOUCH_SLOP) {
                    self.swipe(from, dx, dy);
                } else if duration >= LONG_PRESS {
                    self.long_press(from);
                } else {
                    self.tap(from);
                }
            }
        }
    }

    fn on_keyboard(&self, point: Point) -> bool {
        self.keyboard.is_some() && Keyboard::area(&self.context).contains(point)
    }

    fn tap(&mut self, point: Point) {
        if self.on_keyboard(point) {
            self.press_soft_key(point);
            return;
        }
        let Some(scene) = self.top_scene() else { return };
        let Some(index) = scene.hit(point) else { return };
        let Some(node) = scene.nodes.get(index).filter(|node| node.enabled) else { return };
        let Some(target) = node.target.clone() else { return };
        match target {
            Target::Run(script, locals) => self.run(&script, &locals),
            Target::Field(field) => {
                let cursor = scene_cursor(self.scenes.as_ref().and_then(|s| s.last()), index, point);
                self.focus = Some(Focus::new(&field, cursor));
                self.show_keyboard();
            }
            Target::Assign { variable, value, then, locals } => {
                if let Err(message) = self.assign(&variable, value) {
                    self.crash(&message);
                }
                self.run(&then, &locals);
            }
            Target::Keypad { variable, key, length, on_complete, locals } => {
                let before = self.scope.get(&variable).map(ToString::to_string).unwrap_or_default();
                let after = keypad_result(&before, key, length);
                let completed = after != before && after.chars().count() == length;
                self.assign_text(&variable, after);
                if completed {
                    self.run(&on_complete, &locals);
                }
            }
            Target::Links(links, locals) => {
                let script = scene.link_at(index, point).and_then(|at| links.get(at)).map(|(_, script)| script.clone());
                if let Some(script) = script {
                    self.run(&script, &locals);
                }
            }
            Target::Up => self.leave_screen(),
            Target::CloseThen(script) => {
                self.focus = None;
                self.keyboard = None;
                self.overlays.pop();
                self.run(&script, &None);
            }
            Target::SnackbarAction(script, locals) => {
                self.snackbar = None;
                self.run(&script, &locals);
            }
            Target::Outside => self.cancel_overlay(),
            Target::Wheel(_) | Target::Launch(_) | Target::Inert => {}
        }
    }

    /// Closes the topmost dialog or sheet if it lets itself be cancelled.
    pub(super) fn cancel_overlay(&mut self) {
        let document = self.file.document();
        let dismissed = self.overlays.last().and_then(|overlay| match overlay.kind {
            OverlayKind::Dialog(at) => document.dialogs.get(at).filter(|d| d.cancelable).map(|d| &d.on_dismiss),
            OverlayKind::Sheet(at) => document.sheets.get(at).filter(|s| s.cancelable).map(|s| &s.on_dismiss),
        });
        if let Some(script) = dismissed.cloned() {
            self.focus = None;
            self.keyboard = None;
            self.overlays.pop();
            self.run(&script, &None);
        }
    }

    /// A long press on something without a long-press action clicks it when the finger lifts, as View does.
    fn long_press(&mut self, point: Point) {
        if self.on_keyboard(point) {
            self.press_soft_key(point);
            return;
        }
        let Some(scene) = self.top_scene() else { return };
        let pressed = (0..scene.nodes.len())
            .rev()
            .filter_map(|i| scene.nodes.get(i))
            .find(|node| node.visible.contains(point) && (node.on_long_press.is_some() || node.target.is_some()));
        match pressed.and_then(|node| node.on_long_press.clone()) {
            Some((script, locals)) => self.run(&script, &locals),
            None => self.tap(point),
        }
    }

    fn press_soft_key(&mut self, point: Point) {
        let Some(mut keyboard) = self.keyboard else { return };
        let Some(action) = keyboard.key_at(&self.context, point) else { return };
        match action {
            KeyAction::Type(character) => {
                self.insert(&character.to_string());
                keyboard.shift = false;
            }
            KeyAction::Shift => keyboard.shift = !keyboard.shift,
            KeyAction::Turn(page) => keyboard.page = page,
            KeyAction::Delete => self.delete(false),
            KeyAction::Enter => {
                self.enter();
                return;
            }
        }
        if self.keyboard.is_some() {
            self.keyboard = Some(keyboard);
        }
    }

    fn swipe(&mut self, from: Point, dx: f32, dy: f32) {
        // A drag that begins on the keyboard is gesture typing.
        if self.on_keyboard(from) {
            return;
        }
        let slop = self.context.px(TOUCH_SLOP);
        let vertical = dy.abs() >= dx.abs();
        let Some(scene) = self.top_scene() else { return };
        let wheel = scene.nodes.iter().rev().find_map(|node| match &node.target {
            Some(Target::Wheel(wheel)) if node.visible.contains(from) && node.enabled => Some(wheel.clone()),
            _ => None,
        });
        if let Some(wheel) = wheel.filter(|w| (w.axis == Axis::Vertical) == vertical) {
            self.turn(&wheel, if vertical { -dy } else { -dx });
            return;
        }
        if !vertical {
            return;
        }
        // The content follows the finger once the slop is overcome.
        let delta = -(dy - slop.copysign(dy));
        let Some(area) =
            scene.scrollable_at(from, delta).and_then(|i| scene.nodes.get(i)).and_then(|n| n.scroll.clone())
        else {
            return;
        };
        self.scrolls.insert(area.key, (area.offset + delta).clamp(0.0, area.limit));
        self.changed();
    }

    fn turn(&mut self, wheel: &WheelTarget, distance: f32) {
        let steps = (distance / wheel.pitch).round() as i64;
        let last = wheel.items.len().saturating_sub(1) as i64;
        let chosen = (wheel.selected as i64 + steps).clamp(0, last);
        let Some(value) = usize::try_from(chosen).ok().and_then(|at| wheel.items.get(at)).cloned() else { return };
        if let Err(message) = self.assign(&wheel.variable, value) {
            self.crash(&message);
        }
        self.run(&wheel.on_change, &wheel.locals);
    }
}

/// Where in a field's text a tap puts the cursor, in characters.
fn scene_cursor(scene: Option<&Scene>, field: NodeIndex, point: Point) -> usize {
    let Some(scene) = scene else { return 0 };
    let Some(&child) = scene.nodes.get(field).and_then(|n| n.children.first()) else { return 0 };
    let Some(node) = scene.nodes.get(child) else { return 0 };
    let Content::Text(block) = &node.content else { return 0 };
    let byte = block.byte_at(node.bounds, node.style, point.x as f32);
    block.text.char_indices().take_while(|(at, _)| *at < byte).count()
}

/// A keypad's content after a key. Amounts have at most one point and two decimals.
fn keypad_result(before: &str, key: KeypadKey, length: usize) -> String {
    let mut after = before.to_owned();
    match key {
        KeypadKey::Delete => {
            after.pop();
        }
        KeypadKey::Character('.') if before.contains('.') => {}
        KeypadKey::Character('.') if before.is_empty() => after.push_str("0."),
        KeypadKey::Character(character) => {
            let decimals_full = before.split_once('.').is_some_and(|(_, decimals)| decimals.len() >= 2);
            if before.chars().count() < length && !decimals_full {
                after.push(character);
            }
        }
    }
    after
}
