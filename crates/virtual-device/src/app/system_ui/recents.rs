//! Recent apps: one card a task, the latest in the middle.

use super::super::AppContext;
use super::super::build::{base_style, fixed};
use super::super::file::TextAlign;
use super::super::palette::{Rgba, WHITE};
use super::super::scene::{Node, Scene, Surface};
use super::super::target::Target;
use super::page::{Page, Words};
use super::window::{View, Window};
use crate::domain::{Rect, Screenshot};
use crate::system::system_ui::{RecentTask, answer};
use crate::{AppProcess, SystemRequest};

const PACKAGE: &str = "com.android.launcher3";
/// Laid over the wallpaper.
const VEIL: Rgba = [0x12, 0x18, 0x24, 150];
/// A card's share of the display.
const SCALE: f32 = 0.66;

/// The recent-apps screen, the latest task first.
pub fn recents(context: AppContext, tasks: Vec<RecentTask>) -> Box<dyn AppProcess> {
    Box::new(Window::new(context, Recents { tasks, shown: 0 }))
}

struct Recents {
    tasks: Vec<RecentTask>,
    /// The task in the middle.
    shown: usize,
}

impl View for Recents {
    const FULL_SCREEN: bool = true;

    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn activity(&self) -> String {
        "com.android.quickstep.RecentsActivity".to_owned()
    }

    fn build(&self, page: &mut Page<'_>) {
        let display = page.context.display;
        let (width, height) = (display.width as f32, display.height as f32);
        let mut root = Page::view("android.widget.FrameLayout", "");
        root.style = fixed(base_style(), Some(width), Some(height));
        root.surface = Some(Surface::fill(VEIL));
        root.target = Some(Target::Launch(answer::DISMISSED.to_owned()));
        let root = page.scene.add(None, root);
        let mut panel = Page::view("android.view.ViewGroup", &format!("{PACKAGE}:id/overview_panel"));
        panel.style = fixed(base_style(), Some(width), Some(height));
        let panel = page.add(root, panel);
        if self.tasks.is_empty() {
            let words = Words { size: 18.0, medium: false, color: WHITE, align: TextAlign::Center };
            let mut none = page.text("", "No recent items", words);
            none.style.margin.top = taffy::LengthPercentageAuto::length(height * 0.45);
            page.add(panel, none);
            return;
        }
        let (card_width, card_height) = ((width * SCALE).round(), (height * SCALE).round());
        let gap = page.px(16.0);
        for (at, task) in self.tasks.iter().enumerate() {
            // The latest is on the right; older ones lie to its left.
            let left = (width - card_width) / 2.0 - (at as f32 - self.shown as f32) * (card_width + gap);
            if left + card_width <= 0.0 || left >= width {
                continue;
            }
            let mut card = Page::touchable(
                "android.widget.FrameLayout",
                &format!("{PACKAGE}:id/task"),
                "",
                &format!("open:{}", task.package),
            );
            if let Some(access) = &mut card.access {
                access.desc.clone_from(&task.label);
            }
            card.style = fixed(base_style(), Some(card_width), Some(card_height));
            card.style.position = taffy::Position::Absolute;
            card.style.inset.left = taffy::LengthPercentageAuto::length(left);
            card.style.inset.top = taffy::LengthPercentageAuto::length((height - card_height) / 2.0 - page.px(24.0));
            let card = page.add(panel, card);
            let mut snapshot = Page::view("android.view.View", &format!("{PACKAGE}:id/snapshot"));
            snapshot.style = fixed(base_style(), Some(card_width), Some(card_height));
            snapshot.surface = Some(Surface::rounded(WHITE, page.px(12.0)));
            page.add(card, snapshot);
        }
        let mut bar = base_style();
        bar.position = taffy::Position::Absolute;
        bar.inset.bottom = taffy::LengthPercentageAuto::length(page.px(48.0));
        bar.inset.left = taffy::LengthPercentageAuto::length(0.0);
        bar.size.width = taffy::Dimension::length(width);
        bar.align_items = taffy::AlignItems::CENTER;
        let bar = page.add(panel, Node { style: bar, ..Node::default() });
        let id = format!("{PACKAGE}:id/clear_all");
        let mut clear = Page::touchable("android.widget.Button", &id, "Clear all", answer::CLEAR_ALL);
        clear.surface = Some(Surface::rounded([255, 255, 255, 40], page.px(20.0)));
        page.pad(&mut clear, 10.0, 24.0);
        let clear = page.add(bar, clear);
        let label = page.drawn("Clear all", Words { size: 14.0, medium: true, color: WHITE, align: TextAlign::Center });
        page.add(clear, label);
    }

    fn touched(&mut self, command: &str) -> Option<SystemRequest> {
        Some(match command.strip_prefix("open:") {
            Some(package) => SystemRequest::Launch(package.to_owned()),
            None => SystemRequest::Answer(command.to_owned()),
        })
    }

    fn swiped(&mut self, dx: i32) -> bool {
        let last = self.tasks.len().saturating_sub(1);
        self.shown = if dx > 0 { (self.shown + 1).min(last) } else { self.shown.saturating_sub(1) };
        true
    }

    fn pictures(&self, scene: &Scene) -> Vec<(Rect, &Screenshot)> {
        let snapshot = format!("{PACKAGE}:id/snapshot");
        let cards = scene.nodes.iter().filter(|node| node.access.as_ref().is_some_and(|access| access.id == snapshot));
        let shown = cards.filter_map(|card| {
            let task = scene.nodes.get(card.parent?)?;
            let Some(Target::Launch(command)) = &task.target else { return None };
            let package = command.strip_prefix("open:")?;
            let found = self.tasks.iter().find(|task| task.package == package)?;
            Some((card.bounds, &found.picture))
        });
        shown.collect()
    }
}
