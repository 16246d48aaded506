//! What drags do: scrolling with fling, pages, rows swiped aside, sliders, sheets, the drawer, wheels.

use super::super::file::Axis;
use super::super::target::{Drag, PagerTarget, Place, Target};
use super::touch::TOUCH_SLOP;
use super::{OverlayKind, Program};
use crate::domain::Point;
use std::time::Duration;

/// Width of the strip at the left edge from which a drawer is pulled, dp (`DrawerLayout`).
const EDGE: f32 = 24.0;
/// How far a list is pulled down until it refreshes, dp (`SwipeRefreshLayout`).
const REFRESH: f32 = 64.0;
/// Slowest drag that goes on by itself, dp a second (`ViewConfiguration.getScaledMinimumFlingVelocity`).
pub(crate) const SLOWEST_FLING: f32 = 50.0;
/// Fastest fling, dp a second.
pub(crate) const FASTEST_FLING: f32 = 8000.0;

impl Program {
    /// A drag from one point to another.
    pub(super) fn swipe(&mut self, from: Point, to: Point, duration: Duration) {
        // A drag that begins on the keyboard is gesture typing.
        if self.on_keyboard(from) {
            return;
        }
        let (dx, dy) = ((to.x - from.x) as f32, (to.y - from.y) as f32);
        let vertical = dy.abs() >= dx.abs();
        let axis = if vertical { Axis::Vertical } else { Axis::Horizontal };
        let along = if vertical { dy } else { dx };
        let Some(scene) = self.touched_scene(from) else { return };
        let wheel = scene.nodes.iter().rev().find_map(|node| match &node.target {
            Some(Target::Wheel(wheel)) if node.visible.contains(from) && node.enabled => Some(wheel.clone()),
            _ => None,
        });
        if let Some(wheel) = wheel.filter(|w| w.axis == axis) {
            self.turn(&wheel, -along);
            return;
        }
        let Some(scene) = self.touched_scene(from) else { return };
        let drags: Vec<_> = scene
            .nodes
            .iter()
            .rev()
            .filter(|node| node.visible.contains(from) && node.enabled)
            .filter_map(|node| node.extra.drag.clone().map(|drag| (drag, node.bounds)))
            .collect();
        // A bar takes the finger wherever it goes.
        if let Some((Drag::Slide(slide), bounds)) = drags.iter().find(|(drag, _)| matches!(drag, Drag::Slide(_))) {
            self.slide(slide, *bounds, to);
            return;
        }
        if !vertical && dx > 0.0 && (from.x as f32) < self.context.px(EDGE) && self.overlays.is_empty() {
            let has = self.stack.last().and_then(|opened| self.file.document().screens.get(opened.screen));
            if has.is_some_and(|screen| screen.drawer.is_some()) {
                self.set_drawer(true);
                return;
            }
        }
        let slop = self.context.px(TOUCH_SLOP);
        // The content follows the finger once the slop is overcome.
        let delta = -(along - slop.copysign(along));
        if self.scroll(from, delta, axis, duration) {
            return;
        }
        for (drag, bounds) in drags {
            let done = match drag {
                Drag::Pager(pager) if !vertical => self.turn_page(&pager, dx, bounds.width() as f32, duration),
                Drag::Row { key, last, locals } if !vertical => {
                    let whole = -dx > bounds.width() as f32 / 2.0;
                    self.set_view(&key, if dx < 0.0 && !whole { 1.0 } else { 0.0 });
                    if let Some(script) = last.filter(|_| whole) {
                        self.run(&script, &locals);
                    }
                    true
                }
                Drag::Drawer if !vertical && dx < 0.0 => {
                    self.set_drawer(false);
                    true
                }
                Drag::Snackbar if !vertical => {
                    self.snackbar = None;
                    self.changed();
                    true
                }
                Drag::Sheet { key, whole, cancelable } if vertical => {
                    self.drag_sheet(&key, whole, cancelable, dy);
                    true
                }
                _ => false,
            };
            if done {
                return;
            }
        }
        if vertical && dy > 0.0 {
            self.pull(from, dy);
        }
    }

    /// Scrolls the innermost container that can move; false when none can.
    fn scroll(&mut self, from: Point, delta: f32, axis: Axis, duration: Duration) -> bool {
        let fling = self.fling(delta, duration);
        let Some(scene) = self.touched_scene(from) else { return false };
        let node = scene.scrollable_at(from, delta, axis).and_then(|at| scene.nodes.get(at));
        let Some(area) = node.and_then(|node| node.scroll.clone()) else { return false };
        let wanted = area.offset + delta + fling;
        let offset = wanted.clamp(0.0, area.limit);
        self.scrolls.insert(area.key, offset);
        self.changed();
        // What the inner container cannot take moves the one around it (nested scrolling); a fling is not passed on.
        let rest = area.offset + delta - offset;
        if rest.abs() >= 1.0 && (offset <= 0.0 || offset >= area.limit) {
            let Some(scene) = self.touched_scene(from) else { return true };
            let outer = scene.scrollable_at(from, rest, axis).and_then(|at| scene.nodes.get(at));
            if let Some(outer) = outer.and_then(|node| node.scroll.clone()) {
                self.scrolls.insert(outer.key, (outer.offset + rest).clamp(0.0, outer.limit));
                self.changed();
            }
        }
        if let Some((script, locals)) = area.on_end.filter(|_| delta > 0.0 && offset >= area.limit) {
            self.run(&script, &locals);
        }
        true
    }

    /// How far a container goes on after the finger left it (`OverScroller`'s spline).
    fn fling(&self, delta: f32, duration: Duration) -> f32 {
        let seconds = duration.as_secs_f32();
        if seconds <= 0.0 {
            return 0.0;
        }
        let velocity = (delta.abs() / seconds).min(self.context.px(FASTEST_FLING));
        if velocity < self.context.px(SLOWEST_FLING) {
            return 0.0;
        }
        let friction = 0.015 * 9.806_65 * 39.37 * self.context.density as f32 * 0.84;
        let decelerations = 0.78_f32.ln() / 0.9_f32.ln();
        let deceleration = (0.35 * velocity / friction).ln();
        (friction * (decelerations / (decelerations - 1.0) * deceleration).exp()).copysign(delta)
    }

    fn turn_page(&mut self, pager: &PagerTarget, dx: f32, width: f32, duration: Duration) -> bool {
        let fast = dx.abs() / duration.as_secs_f32().max(0.001) > self.context.px(400.0);
        if !fast && dx.abs() < width * 0.4 {
            return true;
        }
        let page =
            if dx < 0.0 { (pager.page + 1).min(pager.count.saturating_sub(1)) } else { pager.page.saturating_sub(1) };
        if page == pager.page {
            return false;
        }
        match &pager.place {
            Place::View(key) => self.set_view(key, page as f32),
            Place::Variable(name) => {
                self.assign_number(name, page as f64);
            }
        }
        self.run(&pager.on_change, &pager.locals);
        true
    }

    fn drag_sheet(&mut self, key: &str, whole: bool, cancelable: bool, dy: f32) {
        if dy < 0.0 {
            self.set_view(key, 1.0);
        } else if whole && self.scrolls.contains_key(key) {
            self.scrolls.remove(key);
            self.changed();
        } else if cancelable && matches!(self.overlays.last().map(|o| &o.kind), Some(OverlayKind::Sheet(_))) {
            self.cancel_overlay();
        }
    }

    /// Pulling down what is at its beginning refreshes it.
    fn pull(&mut self, from: Point, dy: f32) {
        if dy < self.context.px(REFRESH) {
            return;
        }
        let Some(scene) = self.touched_scene(from) else { return };
        let refresh = scene.nodes.iter().rev().find_map(|node| {
            let area = node.scroll.as_ref().filter(|area| area.offset <= 0.0 && node.visible.contains(from))?;
            area.refresh.clone()
        });
        if let Some((script, locals)) = refresh {
            self.run(&script, &locals);
        }
    }
}
