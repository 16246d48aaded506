//! The home screen: wallpaper, and an icon with a label for each installed app.

use super::AppContext;
use super::build::{GESTURE_BAR, STATUS_BAR, base_style, fixed};
use super::draw::Frame;
use super::file::{AppFile, Color, ColorRole, IconName, TextAlign};
use super::keyboard::EnterKey;
use super::layout::lay_out;
use super::palette::{Palette, WHITE, readable_on};
use super::scene::{Access, Content, Draft, Node, NodeIndex, Scene, ScrollArea, Surface, TextBlock};
use super::shaped::Shaped;
use super::snapshot::snapshot;
use super::target::Target;
use super::typesetter::Face;
use crate::domain::{Point, Screenshot, Size};
use crate::{AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings, SystemRequest};
use std::sync::Arc;
use std::time::Duration;

const PACKAGE: &str = "com.android.launcher3";
/// A display lower than this has no date and less air, dp.
const LOW: f32 = 500.0;

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
    /// How far the icons are scrolled, pixels.
    scrolled: f32,
    request: Option<String>,
    now: Duration,
}

impl Launcher {
    /// A home screen with these apps, in this order.
    pub fn new(context: AppContext, apps: Vec<LauncherEntry>) -> Self {
        let scene = Self::scene(&context, &apps, 0.0);
        Self { now: context.now, scene, scrolled: 0.0, request: None, context, apps }
    }

    fn scene(context: &AppContext, apps: &[LauncherEntry], scrolled: f32) -> Scene {
        let mut page = HomePage { context, scrolled, scene: Draft::default() };
        page.build(apps);
        lay_out(page.scene, context)
    }

    fn rebuild(&mut self) {
        self.scene = Self::scene(&self.context, &self.apps, self.scrolled);
    }

    fn tap(&mut self, point: Point) {
        let node = self.scene.hit(point).and_then(|index| self.scene.nodes.get(index));
        if let Some(Target::Launch(package)) = node.and_then(|node| node.target.as_ref()) {
            self.request = Some(package.clone());
        }
    }
}

/// Today, as the home screen writes it.
fn date(context: &AppContext) -> String {
    let form = match context.locale.split(['-', '_']).next() {
        Some("en") => "%a, %b %-d",
        Some("zh" | "ja") => "%-m月%-d日",
        Some("ko") => "%-m월 %-d일",
        Some("de" | "cs" | "pl" | "ru" | "uk" | "tr" | "ro") => "%-d.%-m.%Y",
        Some("hu" | "sv") => "%Y-%m-%d",
        _ => "%-d/%-m/%Y",
    };
    context.around.wall.strftime(form).to_string()
}

/// The home screen while it is built.
struct HomePage<'a> {
    context: &'a AppContext,
    scrolled: f32,
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
        let low = (display.height as f32) < self.px(LOW);
        root.style.padding.top = taffy::LengthPercentage::length(self.px(STATUS_BAR + if low { 4.0 } else { 40.0 }));
        root.style.padding.bottom = taffy::LengthPercentage::length(self.px(GESTURE_BAR));
        let root = self.scene.add(None, root);
        let mut workspace = Self::layout("android.view.ViewGroup", "workspace");
        let side = taffy::LengthPercentage::length(self.px(12.0));
        workspace.style.padding.left = side;
        workspace.style.padding.right = side;
        workspace.style.gap.height = taffy::LengthPercentage::length(self.px(if low { 4.0 } else { 18.0 }));
        workspace.style.flex_grow = 1.0;
        workspace.style.flex_shrink = 1.0;
        workspace.style.flex_basis = taffy::Dimension::length(0.0);
        workspace.style.min_size.height = taffy::LengthPercentageAuto::length(0.0);
        workspace.style.overflow.y = taffy::Overflow::Hidden;
        workspace.clips = true;
        workspace.scroll =
            Some(ScrollArea { key: "workspace".to_owned(), offset: self.scrolled, ..ScrollArea::default() });
        let workspace = self.scene.add(Some(root), workspace);
        if !low {
            self.date(workspace);
        }
        for row in apps.chunks(self.columns()) {
            let mut style = base_style();
            style.flex_direction = taffy::FlexDirection::Row;
            let line = self.scene.add(Some(workspace), Node { style, ..Node::default() });
            for entry in row {
                self.app(line, entry);
            }
        }
        self.search_bar(root, low);
    }

    /// Icons in a row: four on a phone, more where there is room.
    fn columns(&self) -> usize {
        ((self.context.display.width as f32 / self.px(96.0)) as usize).clamp(4, 8)
    }

    /// The date, "at a glance".
    fn date(&mut self, workspace: NodeIndex) {
        let date = date(self.context);
        let mut text = self.text(date.clone(), 22.0);
        if let Content::Text(block) = &mut text.content {
            block.align = TextAlign::Start;
        }
        let side = taffy::LengthPercentage::length(self.px(12.0));
        text.style.padding.left = side;
        text.style.padding.right = side;
        text.style.margin.bottom = taffy::LengthPercentageAuto::length(self.px(24.0));
        text.access = Some(Access {
            class: "android.widget.TextView",
            id: format!("{PACKAGE}:id/clock"),
            text: date,
            ..Access::default()
        });
        self.scene.add(Some(workspace), text);
    }

    /// The search bar below the icons; there is nothing it could search.
    fn search_bar(&mut self, root: NodeIndex, low: bool) {
        let mut bar = Self::layout("android.widget.FrameLayout", "search_container_hotseat");
        bar.style.size.height = taffy::Dimension::length(self.px(if low { 44.0 } else { 52.0 }));
        let length = |dp: f32| taffy::LengthPercentageAuto::length(self.px(dp));
        let free = (self.context.display.width as f32 - self.px(600.0)).max(0.0) / 2.0;
        let side = taffy::LengthPercentageAuto::length(self.px(24.0).max(free));
        let (above, below) = if low { (2.0, 4.0) } else { (16.0, 20.0) };
        bar.style.margin = taffy::Rect { left: side, right: side, top: length(above), bottom: length(below) };
        bar.style.flex_direction = taffy::FlexDirection::Row;
        bar.style.align_items = taffy::AlignItems::CENTER;
        bar.style.padding.left = taffy::LengthPercentage::length(self.px(16.0));
        let fill = if self.context.night { [0x2b, 0x2d, 0x32, 235] } else { [0xff, 0xff, 0xff, 225] };
        bar.surface = Some(Surface::rounded(fill, self.px(26.0)));
        let bar = self.scene.add(Some(root), bar);
        let size = self.px(22.0);
        let color = Palette::new(None).in_scheme(self.context.night).role(ColorRole::Muted);
        let style = fixed(base_style(), Some(size), Some(size));
        self.scene.add(Some(bar), Node { style, content: Content::Icon(IconName::Search, color), ..Node::default() });
    }

    fn app(&mut self, line: NodeIndex, entry: &LauncherEntry) {
        let mut cell = Self::layout("android.widget.TextView", "");
        cell.style.size.width = taffy::Dimension::percent(1.0 / self.columns() as f32);
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
        let fill = Palette::new(entry.color).role(ColorRole::Primary);
        let size = self.px(60.0);
        let mut style = fixed(base_style(), Some(size), Some(size));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let disc = Node { style, surface: Some(Surface::rounded(fill, size / 2.0)), ..Node::default() };
        let disc = self.scene.add(Some(cell), disc);
        let inner = if let Some(glyph) = entry.glyph {
            let size = self.px(32.0);
            let style = fixed(base_style(), Some(size), Some(size));
            Node { style, content: Content::Icon(glyph, readable_on(fill)), ..Node::default() }
        } else {
            let letter = entry.label.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            let mut text = self.text(letter, 28.0);
            if let Content::Text(block) = &mut text.content {
                block.color = readable_on(fill);
            }
            text
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
            marks: Vec::new(),
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
        let before = date(&self.context);
        self.context.around.clone_from(around);
        if date(&self.context) != before {
            self.rebuild();
        }
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.context.configure(configuration);
        self.scrolled = 0.0;
        self.rebuild();
    }

    fn gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(point) => self.tap(point),
            Gesture::Swipe { from, to, .. } => {
                let delta = (from.y - to.y) as f32;
                let area = self
                    .scene
                    .scrollable_at(from, delta, super::file::Axis::Vertical)
                    .and_then(|at| self.scene.nodes.get(at)?.scroll.clone());
                if let Some(area) = area {
                    self.scrolled = (area.offset + delta).clamp(0.0, area.limit);
                    self.rebuild();
                }
            }
            _ => {}
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
            enter: EnterKey::default(),
            palette: Palette::new(None).in_scheme(self.context.night),
            toast: None,
            light_status: true,
            wallpaper: true,
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
        let icons: Vec<ElementSnapshot> = root.children[0].children.iter().filter(|e| e.clickable).cloned().collect();
        assert_eq!(icons.len(), 5);
        assert_eq!(icons[4].text, "Mail");
        launcher.gesture(Gesture::Tap(icons[4].bounds.center()));
        assert_eq!(launcher.take_requests(), [SystemRequest::Launch("com.example.mail".to_owned())]);
        assert_eq!(launcher.take_requests(), []);
    }

    #[test]
    fn every_app_can_be_reached_on_every_display() {
        let entries: Vec<LauncherEntry> = (0..60)
            .map(|at| LauncherEntry {
                package: format!("com.example.app{at}"),
                label: format!("App {at}"),
                color: None,
                glyph: None,
            })
            .collect();
        for (width, height, density, locale) in [
            (1080, 2400, 420, "en-US"),
            (2400, 1080, 420, "ar-EG"),
            (720, 1280, 320, "ja-JP"),
            (2560, 1600, 320, "de-DE"),
        ] {
            let mut context = AppContext { density, locale: locale.to_owned(), ..AppContext::phone() };
            context.display = Size::new(width, height);
            let mut launcher = Launcher::new(context, entries.clone());
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..40 {
                let workspace = launcher.snapshot().children.remove(0);
                assert!(launcher.context.display.rect().encloses(workspace.bounds));
                let whole =
                    workspace.children.iter().filter(|e| e.clickable && e.bounds.height() > e.bounds.width() / 2);
                seen.extend(whole.map(|e| e.text.clone()));
                let (middle, step) = (workspace.bounds.center(), workspace.bounds.height() / 4);
                launcher.gesture(Gesture::Swipe {
                    from: middle,
                    to: Point::new(middle.x, middle.y - step),
                    duration: Duration::from_millis(300),
                });
            }
            assert_eq!(seen.len(), 60, "{width}×{height}");
        }
    }

    #[test]
    fn the_date_follows_the_clock() {
        let mut launcher = Launcher::new(AppContext::phone(), Vec::new());
        let shown = |launcher: &mut Launcher| launcher.snapshot().children[0].children[0].text.clone();
        assert_eq!(shown(&mut launcher), "Mon, Jan 5");
        launcher.advance(&Surroundings::at(Duration::from_secs(20 * 3600)));
        assert_eq!(shown(&mut launcher), "Tue, Jan 6");
    }
}
