//! The home screen: wallpaper, and an icon with a label for each installed app.

use super::AppContext;
use super::build::{GESTURE_BAR, STATUS_BAR, base_style, fixed};
use super::draw::Frame;
use super::file::{AppFile, Color, IconName, TextAlign};
use super::layout::lay_out;
use super::palette::{Palette, Rgba, WHITE};
use super::scene::{Access, Content, Draft, Node, NodeIndex, Scene, Surface, TextBlock};
use super::shaped::Shaped;
use super::snapshot::snapshot;
use super::target::Target;
use super::typesetter::Face;
use crate::domain::{Point, Screenshot, Size};
use crate::virtual_device::{
    AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings, SystemRequest,
};
use std::sync::Arc;
use std::time::Duration;

const PACKAGE: &str = "com.android.launcher3";
const WALLPAPER: Rgba = [0x2b, 0x3a, 0x55, 255];
/// Icons in a row.
const COLUMNS: usize = 4;

/// An installed app as the home screen shows it.
#[derive(Debug, Clone)]
pub struct LauncherEntry {
    /// Application id.
    pub package: String,
    /// Label.
    pub label: String,
    /// Colour of the icon's disc.
    pub color: Option<Color>,
    /// The icon's glyph; the label's first letter when there is none.
    pub glyph: Option<IconName>,
}

impl LauncherEntry {
    /// The entry of an app file.
    pub fn of(file: &AppFile) -> Self {
        let document = file.document();
        Self {
            package: file.package().to_owned(),
            label: file.label().to_owned(),
            color: document.icon.color.or(document.primary),
            glyph: document.icon.glyph,
        }
    }
}

/// The home screen as an app process.
pub struct Launcher {
    context: AppContext,
    apps: Vec<LauncherEntry>,
    scene: Scene,
    request: Option<String>,
    now: Duration,
}

impl Launcher {
    /// A home screen with these apps, in this order.
    pub fn new(context: AppContext, apps: Vec<LauncherEntry>) -> Self {
        let scene = Self::scene(&context, &apps);
        Self { now: context.now, scene, request: None, context, apps }
    }

    fn scene(context: &AppContext, apps: &[LauncherEntry]) -> Scene {
        let mut page = HomePage { context, scene: Draft::default() };
        page.build(apps);
        lay_out(page.scene, context)
    }

    fn tap(&mut self, point: Point) {
        let node = self.scene.hit(point).and_then(|index| self.scene.nodes.get(index));
        if let Some(Target::Launch(package)) = node.and_then(|node| node.target.as_ref()) {
            self.request = Some(package.clone());
        }
    }
}

/// The home screen while it is built.
struct HomePage<'a> {
    context: &'a AppContext,
    scene: Draft,
}

impl HomePage<'_> {
    fn px(&self, dp: f32) -> f32 {
        self.context.px(dp).round()
    }

    fn layout(class: &'static str, id: &str) -> Node {
        let id = if id.is_empty() { String::new() } else { format!("{PACKAGE}:id/{id}") };
        Node { style: base_style(), access: Some(Access { class, id, ..Access::default() }), ..Node::default() }
    }

    fn build(&mut self, apps: &[LauncherEntry]) {
        let mut root = Self::layout("android.widget.FrameLayout", "");
        let display = self.context.display;
        root.style = fixed(base_style(), Some(display.width as f32), Some(display.height as f32));
        root.surface = Some(Surface::fill(WALLPAPER));
        let root = self.scene.add(None, root);
        let mut workspace = Self::layout("android.view.ViewGroup", "workspace");
        let (top, side, bottom) = (self.px(STATUS_BAR + 72.0), self.px(12.0), self.px(GESTURE_BAR + 16.0));
        workspace.style.padding = taffy::Rect {
            left: taffy::LengthPercentage::length(side),
            right: taffy::LengthPercentage::length(side),
            top: taffy::LengthPercentage::length(top),
            bottom: taffy::LengthPercentage::length(bottom),
        };
        workspace.style.gap.height = taffy::LengthPercentage::length(self.px(20.0));
        let workspace = self.scene.add(Some(root), workspace);
        for row in apps.chunks(COLUMNS) {
            let mut style = base_style();
            style.flex_direction = taffy::FlexDirection::Row;
            let line = self.scene.add(Some(workspace), Node { style, ..Node::default() });
            for entry in row {
                self.app(line, entry);
            }
        }
    }

    fn app(&mut self, line: NodeIndex, entry: &LauncherEntry) {
        let mut cell = Self::layout("android.widget.TextView", "");
        cell.style.size.width = taffy::Dimension::percent(1.0 / COLUMNS as f32);
        cell.style.align_items = taffy::AlignItems::CENTER;
        cell.style.gap.height = taffy::LengthPercentage::length(self.px(6.0));
        let pad = taffy::LengthPercentage::length(self.px(6.0));
        cell.style.padding.top = pad;
        cell.style.padding.bottom = pad;
        if let Some(access) = &mut cell.access {
            access.text.clone_from(&entry.label);
            access.desc.clone_from(&entry.label);
            access.clickable = true;
            access.long_clickable = true;
            access.focusable = true;
        }
        cell.target = Some(Target::Launch(entry.package.clone()));
        let cell = self.scene.add(Some(line), cell);
        let fill = Palette::new(entry.color).role(super::file::ColorRole::Primary);
        let size = self.px(60.0);
        let mut style = fixed(base_style(), Some(size), Some(size));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let disc = Node { style, surface: Some(Surface::rounded(fill, size / 2.0)), ..Node::default() };
        let disc = self.scene.add(Some(cell), disc);
        let inner = if let Some(glyph) = entry.glyph {
            let size = self.px(32.0);
            let style = fixed(base_style(), Some(size), Some(size));
            Node { style, content: Content::Icon(glyph, WHITE), ..Node::default() }
        } else {
            let letter = entry.label.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            self.text(letter, 28.0)
        };
        self.scene.add(Some(disc), inner);
        let label = self.text(entry.label.clone(), 13.0);
        self.scene.add(Some(cell), label);
    }

    fn text(&self, text: String, sp: f32) -> Node {
        let size = self.context.px(sp);
        let block = TextBlock {
            text,
            face: Face { size, line_height: (size * 1.3).round(), medium: false },
            color: WHITE,
            align: TextAlign::Center,
            max_lines: Some(1),
            links: Vec::new(),
            cursor: None,
            shaped: Arc::new(Shaped::default()),
        };
        Node { style: base_style(), content: Content::Text(Box::new(block)), ..Node::default() }
    }
}

impl AppProcess for Launcher {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn activity(&self) -> String {
        format!("{PACKAGE}.uioverrides.QuickstepLauncher")
    }

    fn advance(&mut self, around: &Surroundings) {
        self.now = self.now.max(around.now);
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.context.configure(configuration);
        self.scene = Self::scene(&self.context, &self.apps);
    }

    fn gesture(&mut self, gesture: Gesture) {
        if let Gesture::Tap(point) = gesture {
            self.tap(point);
        }
    }

    fn key(&mut self, _code: u32) -> KeyOutcome {
        KeyOutcome::Handled
    }

    fn type_text(&mut self, _text: &str) {}

    fn keyboard_shown(&self) -> bool {
        false
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        snapshot(&self.scene, PACKAGE)
    }

    fn animating(&self) -> bool {
        false
    }

    fn render(&mut self) -> Screenshot {
        let frame = Frame {
            context: &self.context,
            now: self.now,
            scenes: std::slice::from_ref(&self.scene),
            keyboard: None,
            palette: Palette::new(None),
            toast: None,
            light_status: true,
        };
        frame.draw().unwrap_or_else(|| super::canvas::blank(self.context.display))
    }

    fn display(&self) -> Size {
        self.context.display
    }

    fn take_log(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn take_requests(&mut self) -> Vec<SystemRequest> {
        self.request.take().map(SystemRequest::Launch).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tapped_icon_asks_for_its_package_once() {
        let entries: Vec<LauncherEntry> = ["Pay", "Shop", "Ride", "Notes", "Mail"]
            .iter()
            .map(|label| LauncherEntry {
                package: format!("com.example.{}", label.to_lowercase()),
                label: (*label).to_owned(),
                color: None,
                glyph: None,
            })
            .collect();
        let mut launcher = Launcher::new(AppContext::phone(), entries);
        let root = launcher.snapshot();
        let icons = &root.children[0].children;
        assert_eq!(icons.len(), 5);
        assert_eq!(icons[4].text, "Mail");
        launcher.gesture(Gesture::Tap(icons[4].bounds.center()));
        assert_eq!(launcher.take_requests(), [SystemRequest::Launch("com.example.mail".to_owned())]);
        assert_eq!(launcher.take_requests(), []);
    }
}
