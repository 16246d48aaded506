//! What touches do.

use super::super::file::Script;
use super::super::focus::Focus;
use super::super::keyboard::{KeyAction, Keyboard};
use super::super::scene::{Content, NodeIndex, Scene};
use super::super::target::{KeypadKey, PopupKind, SlideTarget, Target, WheelTarget};
use super::{OverlayKind, Program};
use crate::Gesture;
use crate::domain::{Point, Rect};
use std::time::Duration;

/// Below this distance a swipe is a touch in place (ViewConfiguration.getScaledTouchSlop), dp.
pub(crate) const TOUCH_SLOP: f32 = 8.0;
/// ViewConfiguration.getLongPressTimeout.
pub(crate) const LONG_PRESS: Duration = Duration::from_millis(400);

impl Program {
    pub(super) fn touch(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(point) => self.tap(point),
            Gesture::LongPress(point) => self.long_press(point),
            Gesture::Swipe { from, to, duration } | Gesture::Drag { from, to, duration } => {
                let (dx, dy) = ((to.x - from.x) as f32, (to.y - from.y) as f32);
                if dx.abs().max(dy.abs()) >= self.context.px(TOUCH_SLOP) {
                    self.swipe(from, to, duration);
                } else if duration >= LONG_PRESS {
                    self.long_press(from);
                } else {
                    self.tap(from);
                }
            }
        }
    }

    pub(super) fn on_keyboard(&self, point: Point) -> bool {
        self.keyboard.is_some() && Keyboard::area(&self.context).contains(point)
    }

    fn tap(&mut self, point: Point) {
        if self.on_keyboard(point) {
            self.press_soft_key(point);
            return;
        }
        self.pass_by_lists(point);
        let Some(scene) = self.touched_scene(point) else { return };
        let Some(index) = scene.hit(point) else { return };
        let Some(node) = scene.nodes.get(index).filter(|node| node.enabled) else { return };
        let Some(target) = node.target.clone() else { return };
        let (bounds, link) = (node.bounds, scene.link_at(index, point));
        let cursor = scene_cursor(scene, index, point);
        self.act_on(target, Touched { point, bounds, link, cursor });
    }

    /// A touch beside a list that has no input focus closes it and goes on to what lies below.
    fn pass_by_lists(&mut self, point: Point) {
        let beside = self.top_scene().is_some_and(|scene| scene.passive && scene.hit(point) == Some(0));
        let exposed = matches!(self.overlays.last().map(|o| &o.kind), Some(OverlayKind::Popup(popup, _)) if popup.kind == PopupKind::Exposed);
        if beside && exposed {
            self.overlays.pop();
            self.changed();
        }
    }

    /// The window that a touch goes to: lists without input focus take only what lies on them.
    pub(super) fn touched_scene(&mut self, point: Point) -> Option<&Scene> {
        self.scenes().iter().rev().find(|scene| !scene.passive || scene.hit(point).is_some_and(|hit| hit > 0))
    }

    fn act_on(&mut self, target: Target, touched: Touched) {
        match target {
            Target::Run(script, locals) => self.run(&script, &locals),
            Target::Field(field) => {
                self.focus = Some(Focus::new(&field, touched.cursor));
                self.show_keyboard();
            }
            Target::Assign { variable, value, then, locals } => {
                if let Err(message) = self.assign(&variable, value) {
                    self.crash(&message);
                }
                self.cursor_to_end(&variable);
                self.run(&then, &locals);
            }
            Target::Range { from, until, then, locals } => {
                for (variable, value) in [from, until] {
                    self.assign_text(&variable, value);
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
                if let Some((_, script)) = touched.link.and_then(|at| links.get(at)) {
                    self.run(script, &locals);
                }
            }
            Target::Up => self.leave_screen(),
            Target::CloseThen(script) => {
                self.focus = None;
                self.keyboard = None;
                self.overlays.pop();
                self.run(&script, &None);
            }
            Target::CloseAnd(target) => {
                // A list of suggestions is no window of its own.
                if matches!(self.overlays.last().map(|o| &o.kind), Some(OverlayKind::Popup(..))) {
                    self.overlays.pop();
                    self.changed();
                }
                self.act_on(*target, touched);
            }
            Target::View(key, value) => self.set_view(&key, value),
            Target::ViewThen(key, value, script, locals) => {
                self.set_view(&key, value);
                self.run(&script, &locals);
            }
            Target::Slide(slide) => self.slide(&slide, touched.bounds, touched.point),
            Target::Popup(popup) => self.open_popup(popup, touched.bounds),
            Target::OpenDrawer => self.set_drawer(true),
            Target::CloseDrawer => self.set_drawer(false),
            Target::Pick(step) => self.pick_step(&step),
            Target::SnackbarAction(script, locals) => {
                self.snackbar = None;
                self.run(&script, &locals);
            }
            Target::Outside => self.cancel_overlay(),
            Target::Wheel(_) | Target::Launch(_) | Target::Inert => {}
        }
    }

    /// A text chosen for the focused field leaves the cursor behind it.
    fn cursor_to_end(&mut self, variable: &str) {
        let length = self.scope.get(variable).map_or(0, |value| value.to_string().chars().count());
        if let Some(focus) = self.focus.as_mut().filter(|focus| focus.variable == variable) {
            focus.cursor = length;
        }
    }

    /// Sets a bar's value by where the finger is.
    pub(super) fn slide(&mut self, slide: &SlideTarget, bounds: Rect, point: Point) {
        let width = (bounds.width() as f32 - 2.0 * slide.inset).max(1.0);
        let share = f64::from(((point.x - bounds.left) as f32 - slide.inset) / width).clamp(0.0, 1.0);
        let share = if self.context.rtl() { 1.0 - share } else { share };
        let raw = slide.min + (slide.max - slide.min) * share;
        let value = if slide.step > 0.0 {
            let steps = (raw - slide.min) / slide.step;
            let steps = if slide.up { steps.ceil().max(1.0) } else { steps.round() };
            (slide.min + steps * slide.step).min(slide.max)
        } else {
            raw
        };
        if self.assign_number(&slide.variable, value) {
            self.run(&slide.on_change, &slide.locals);
        }
    }

    /// Closes the topmost window if it lets itself be cancelled.
    pub(super) fn cancel_overlay(&mut self) {
        let document = self.file.document();
        let nothing = Script::default();
        let dismissed = self.overlays.last().and_then(|overlay| match overlay.kind {
            OverlayKind::Dialog(at) => document.dialogs.get(at).filter(|d| d.cancelable).map(|d| &d.on_dismiss),
            OverlayKind::Sheet(at) => document.sheets.get(at).filter(|s| s.cancelable).map(|s| &s.on_dismiss),
            OverlayKind::Popup(..) | OverlayKind::Date(_) | OverlayKind::Time(_) => Some(&nothing),
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
        let Some(scene) = self.touched_scene(point) else { return };
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

    pub(super) fn turn(&mut self, wheel: &WheelTarget, distance: f32) {
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

/// What was touched, and where.
#[derive(Clone, Copy)]
struct Touched {
    point: Point,
    bounds: Rect,
    /// Which link of a paragraph.
    link: Option<usize>,
    /// Where a cursor would stand, in characters.
    cursor: usize,
}

/// Where in a field's text a tap puts the cursor, in characters.
fn scene_cursor(scene: &Scene, field: NodeIndex, point: Point) -> usize {
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
