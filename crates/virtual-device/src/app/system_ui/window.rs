//! A window of the system as a process.

use super::super::AppContext;
use super::super::canvas::{Canvas, blank};
use super::super::draw::Frame;
use super::super::keyboard::EnterKey;
use super::super::layout::lay_out;
use super::super::palette::Palette;
use super::super::scene::Scene;
use super::super::snapshot::snapshot;
use super::super::target::Target;
use super::page::Page;
use crate::domain::{Screenshot, Size};
use crate::system::system_ui::answer;
use crate::{AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings, SystemRequest};
use std::sync::Arc;
use std::time::Duration;

const KEY_BACK: u32 = 4;

/// What a window shows and what touches do.
pub(super) trait View: Send {
    /// Nothing of what lies below is to be seen.
    const FULL_SCREEN: bool = false;

    /// Package of its nodes.
    fn package(&self) -> &str;

    /// Class of its activity.
    fn activity(&self) -> String;

    /// Its content.
    fn build(&self, page: &mut Page<'_>);

    /// A touch on what answers `command`: what is asked of the system, if that settles it.
    fn touched(&mut self, command: &str) -> Option<SystemRequest>;

    /// A swipe by this many pixels; true when the window changed.
    fn swiped(&mut self, _dx: i32) -> bool {
        false
    }

    /// BACK does nothing where this is false.
    fn dismissible(&self) -> bool {
        true
    }

    /// Pictures drawn over the scene: where and what.
    fn pictures(&self, _scene: &Scene) -> Vec<(crate::domain::Rect, &Screenshot)> {
        Vec::new()
    }
}

/// A window of the system.
pub(super) struct Window<V> {
    context: AppContext,
    view: V,
    scene: Scene,
    now: Duration,
    requests: Vec<SystemRequest>,
}

impl<V: View> Window<V> {
    pub(super) fn new(context: AppContext, view: V) -> Self {
        let scene = Self::scene(&context, &view);
        Self { now: context.now, context, view, scene, requests: Vec::new() }
    }

    fn scene(context: &AppContext, view: &V) -> Scene {
        let mut page = Page::new(context);
        view.build(&mut page);
        lay_out(page.scene, context)
    }

    fn rebuild(&mut self) {
        self.scene = Self::scene(&self.context, &self.view);
    }

    fn draw(&self, below: Option<&Screenshot>) -> Option<Screenshot> {
        let typesetter = Arc::clone(&self.context.typesetter);
        let mut canvas = match below.filter(|below| below.size() == self.context.display) {
            Some(below) => Canvas::over(below, &typesetter)?,
            None => Canvas::new(self.context.display, &typesetter)?,
        };
        let frame = Frame {
            context: &self.context,
            now: self.now,
            scenes: std::slice::from_ref(&self.scene),
            keyboard: None,
            palette: Palette::new(None).in_scheme(self.context.night),
            toast: None,
            enter: EnterKey::default(),
            light_status: true,
            wallpaper: V::FULL_SCREEN,
        };
        frame.draw_windows(&mut canvas);
        for (bounds, picture) in self.view.pictures(&self.scene) {
            canvas.picture(bounds, picture);
        }
        // Below a dialog they are there already, dimmed like the rest.
        if V::FULL_SCREEN {
            frame.system_bars(&mut canvas);
        }
        canvas.finish()
    }
}

impl<V: View> AppProcess for Window<V> {
    fn package(&self) -> &str {
        self.view.package()
    }

    fn activity(&self) -> String {
        self.view.activity()
    }

    fn advance(&mut self, around: &Surroundings) {
        self.now = self.now.max(around.now);
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.context.configure(configuration);
        self.rebuild();
    }

    fn gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(point) | Gesture::LongPress(point) => {
                let node = self.scene.hit(point).and_then(|index| self.scene.nodes.get(index));
                let Some(Target::Launch(command)) = node.and_then(|node| node.target.clone()) else { return };
                self.requests.extend(self.view.touched(&command));
                self.rebuild();
            }
            Gesture::Swipe { from, to, .. } | Gesture::Drag { from, to, .. } => {
                if self.view.swiped(to.x - from.x) {
                    self.rebuild();
                }
            }
        }
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        if code == KEY_BACK && self.view.dismissible() {
            self.requests.push(SystemRequest::Answer(answer::DISMISSED.to_owned()));
        }
        KeyOutcome::Handled
    }

    fn type_text(&mut self, _text: &str) {}

    fn keyboard_shown(&self) -> bool {
        false
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        snapshot(&self.scene, self.view.package())
    }

    fn animating(&self) -> bool {
        false
    }

    fn render(&mut self) -> Screenshot {
        self.draw(None).unwrap_or_else(|| blank(self.context.display))
    }

    fn render_over(&mut self, below: &Screenshot) -> Screenshot {
        self.draw(Some(below)).unwrap_or_else(|| blank(self.context.display))
    }

    fn display(&self) -> Size {
        self.context.display
    }

    fn take_log(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn take_requests(&mut self) -> Vec<SystemRequest> {
        std::mem::take(&mut self.requests)
    }
}
