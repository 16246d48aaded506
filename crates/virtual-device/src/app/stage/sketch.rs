//! A readable drawing of a tree of which no picture was recorded. Every node is drawn within its bounds, so that a touch
//! on what is seen lands where the dump says it does.

use super::super::AppContext;
use super::super::file::{IconName, TextAlign};
use super::super::palette::{CLEAR, INK, Rgba, WHITE, fade, mix};
use super::super::scene::{Content, Draft, Node, Surface, TextBlock};
use super::super::typesetter::Face;
use super::look::{Kind, PRIMARY, icon_for, kind, tint};
use crate::domain::Rect;
use crate::hierarchy::{UiNode, UiTree};

const GROUND: Rgba = [0xf3, 0xf5, 0xf9, 255];
const MUTED: Rgba = [0x5c, 0x5f, 0x66, 255];
const OUTLINE: Rgba = [0x8a, 0x8d, 0x94, 255];
const DIVIDER: Rgba = [0xe1, 0xe3, 0xe8, 255];
const SCRIM: Rgba = [0x00, 0x00, 0x00, 110];

/// Draws the whole tree.
pub(super) fn whole(context: &AppContext, tree: &UiTree, focus: Option<usize>, draft: &mut Draft) {
    let mut sketch = Sketch { context, draft };
    let display = context.display.rect();
    sketch.surface(display, Surface::fill(GROUND));
    let ends = tree.subtree_ends();
    // A window smaller than the display is a dialog or a menu over something else.
    if let Some(root) = tree.nodes.first().filter(|root| is_window(root, display)) {
        sketch.surface(display, Surface::fill(SCRIM));
        let surface = Surface { elevation: context.px(3.0), ..Surface::rounded(WHITE, context.px(16.0)) };
        sketch.surface(root.bounds, surface);
    }
    for (index, node) in tree.nodes.iter().enumerate() {
        let Some(_) = node.bounds.intersection(display).filter(|_| !node.invisible) else { continue };
        let leaf = ends[index] == index + 1;
        sketch.node(node, kind(node, leaf), focus == Some(index), tree, index, ends[index]);
    }
}

/// Draws some fields only, for a picture that shows them as they were.
pub(super) fn fields(context: &AppContext, tree: &UiTree, which: &[usize], focus: Option<usize>, draft: &mut Draft) {
    let mut sketch = Sketch { context, draft };
    for (index, node) in which.iter().filter_map(|&index| Some((index, tree.nodes.get(index)?))) {
        let inset = context.px(1.0) as i32;
        let b = node.bounds;
        let inner = Rect::new(b.left + inset, b.top + inset, b.right - inset, b.bottom - inset);
        sketch.surface(inner, Surface::rounded(WHITE, context.px(4.0)));
        sketch.written(node, inner, focus == Some(index));
    }
}

fn is_window(root: &UiNode, display: Rect) -> bool {
    let area = root.bounds.intersection(display).map_or(0, Rect::area);
    area > 0 && area * 10 < display.area() * 8
}

struct Sketch<'a> {
    context: &'a AppContext,
    draft: &'a mut Draft,
}

impl Sketch<'_> {
    fn px(&self, dp: f32) -> i32 {
        self.context.px(dp).round() as i32
    }

    fn put(&mut self, bounds: Rect, surface: Option<Surface>, content: Content) {
        let visible = bounds.intersection(self.context.display.rect()).unwrap_or_default();
        let parent = (!self.draft.nodes.is_empty()).then_some(0);
        self.draft.add(parent, Node { surface, content, bounds, visible, left_to_right: true, ..Node::default() });
    }

    fn surface(&mut self, bounds: Rect, surface: Surface) {
        self.put(bounds, Some(surface), Content::None);
    }

    fn icon(&mut self, icon: IconName, centre: (i32, i32), dp: f32, color: Rgba) {
        let half = self.px(dp) / 2;
        let bounds = Rect::new(centre.0 - half, centre.1 - half, centre.0 + half, centre.1 + half);
        self.put(bounds, None, Content::Icon(icon, color));
    }

    /// A text in the middle of `bounds`, as large as fits, at most `sp`. Gives its width.
    fn text(&mut self, text: &str, bounds: Rect, sp: f32, color: Rgba, align: TextAlign, medium: bool) -> i32 {
        if bounds.is_empty() || text.trim().is_empty() {
            return 0;
        }
        let (mut size, width) = (self.context.text_px(sp), bounds.width() as f32);
        let most = bounds.height() as f32;
        let smallest = self.context.px(7.0);
        loop {
            let face = Face { size, line_height: (size * 1.3).round(), medium };
            let lines = ((most / face.line_height).floor() as usize).max(1);
            let whole = self.context.typesetter.shape(text, face, Some(width), None);
            if size > smallest && whole.height > most.max(face.line_height) {
                size = (size * 0.9).max(smallest);
                continue;
            }
            let shaped = self.context.typesetter.shape(text, face, Some(width), Some(lines));
            let (height, wide) = (shaped.height.round() as i32, shaped.width.ceil() as i32);
            let top = bounds.top + (bounds.height() - height) / 2;
            let block = TextBlock {
                text: text.to_owned(),
                face,
                color,
                align,
                max_lines: Some(lines),
                links: Vec::new(),
                marks: Vec::new(),
                cursor: None,
                shaped,
            };
            let place = Rect::new(bounds.left, top, bounds.right, top + height);
            self.put(place, None, Content::Text(Box::new(block)));
            return wide;
        }
    }

    /// Title and, from the second line on, what stands below it in smaller letters.
    fn lines(&mut self, text: &str, bounds: Rect, color: Rgba) {
        let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
        if rest.trim().is_empty() {
            self.text(title, bounds, 16.0, color, TextAlign::Start, false);
            return;
        }
        let rows = 1 + rest.lines().count() as i32;
        let row = self.px(20.0).min(bounds.height() / rows.max(1));
        let top = bounds.top + (bounds.height() - row * rows) / 2 - self.px(1.0);
        let upper = Rect::new(bounds.left, top, bounds.right, top + row + self.px(2.0));
        let lower = Rect::new(bounds.left, upper.bottom, bounds.right, upper.bottom + row * (rows - 1));
        self.text(title, upper, 16.0, color, TextAlign::Start, false);
        self.text(rest, lower, 13.0, fade(MUTED, f32::from(color[3]) / 255.0), TextAlign::Start, false);
    }

    fn node(&mut self, node: &UiNode, kind: Kind, focused: bool, tree: &UiTree, index: usize, end: usize) {
        let display = self.context.display.rect();
        let b = node.bounds;
        let wide = b.width() * 10 >= display.width() * 7;
        let ink = if node.enabled { INK } else { fade(INK, 0.4) };
        let said = if node.text.is_empty() { &node.content_desc } else { &node.text };
        match kind {
            Kind::Box => self.ground(node, display, tree, index, end),
            Kind::Field => self.field(node, focused),
            Kind::Checkbox | Kind::Radio | Kind::Switch => self.choice(node, kind, wide),
            Kind::Slider => self.slider(b),
            Kind::Progress => {
                let side = b.width().min(b.height()).min(self.px(48.0));
                let at = b.center();
                let half = side / 2;
                let place = Rect::new(at.x - half, at.y - half, at.x + half, at.y + half);
                self.put(place, None, Content::Spinner(PRIMARY));
            }
            Kind::Dropdown => {
                let inner = self.card(b);
                let arrow = self.px(24.0);
                let shown = if said.is_empty() { String::new() } else { said.clone() };
                self.lines(&shown, Rect { right: inner.right - arrow, ..inner }, ink);
                self.icon(IconName::ChevronDown, (inner.right - arrow / 2, b.center().y), 20.0, MUTED);
            }
            Kind::Button if wide => self.row(node, said),
            Kind::Button => self.button(node, said),
            Kind::Image => self.image(node, said),
            Kind::Text => self.plain(node, wide, ink),
        }
    }

    /// What lies behind other nodes: rows and cards that can be touched are white.
    fn ground(&mut self, node: &UiNode, display: Rect, tree: &UiTree, index: usize, end: usize) {
        let touched = node.clickable || node.long_clickable;
        let bar =
            ["Toolbar", "ActionBar", "BottomNavigation", "TabLayout"].iter().any(|part| node.class.contains(part));
        if bar {
            self.surface(node.bounds, Surface::fill(WHITE));
        } else if touched && end > index + 1 && node.bounds.area() * 2 < display.area() {
            let own = tree.nodes[index + 1..end].iter().all(|child| node.bounds.encloses(child.bounds));
            if own {
                self.card(node.bounds);
            }
        } else if node.class.contains("CardView") {
            self.card(node.bounds);
        } else if node.clickable && node.bounds.area() * 20 < display.area() {
            // A control that says nothing at all.
            let tint = mix(PRIMARY, WHITE, 0.86);
            self.surface(node.bounds, Surface::rounded(tint, self.context.px(8.0)));
        }
    }

    /// A white card just within `bounds`; gives the room for its content.
    fn card(&mut self, bounds: Rect) -> Rect {
        let display = self.context.display.rect();
        let side = if bounds.width() == display.width() { self.px(8.0) } else { 0 };
        let gap = self.px(3.0).min(bounds.height() / 10);
        let card = Rect::new(bounds.left + side, bounds.top + gap, bounds.right - side, bounds.bottom - gap);
        let surface =
            Surface { border: Some((DIVIDER, self.context.px(1.0))), ..Surface::rounded(WHITE, self.context.px(12.0)) };
        self.surface(card, surface);
        let pad = self.px(16.0).min(card.width() / 8);
        Rect::new(card.left + pad, card.top, card.right - pad, card.bottom)
    }

    /// A control as wide as the display: icon or initial on a disc, then what it says.
    fn row(&mut self, node: &UiNode, said: &str) {
        let mut inner = self.card(node.bounds);
        let ink = if node.enabled { INK } else { fade(INK, 0.4) };
        let middle = node.bounds.center().y;
        let disc = self.px(40.0).min(inner.height() * 8 / 10);
        // What is an icon on the real screen has a description and no text.
        let icon = icon_for(said).filter(|_| node.text.is_empty() || said.chars().count() < 24);
        let centre = (inner.left + disc / 2, middle);
        let place = Rect::new(inner.left, middle - disc / 2, inner.left + disc, middle - disc / 2 + disc);
        if let Some(icon) = icon {
            self.surface(place, Surface::rounded(mix(PRIMARY, WHITE, 0.86), disc as f32 / 2.0));
            self.icon(icon, centre, 22.0 * disc as f32 / self.px(40.0) as f32, mix(PRIMARY, [0, 0, 0, 255], 0.25));
            inner.left += disc + self.px(16.0);
        } else if said.contains('\n') || node.text.is_empty() {
            let color = tint(said);
            self.surface(place, Surface::rounded(mix(color, WHITE, 0.82), disc as f32 / 2.0));
            let initial = said.chars().find(|c| c.is_alphanumeric()).map(|c| c.to_uppercase().to_string());
            self.text(&initial.unwrap_or_default(), place, 18.0, color, TextAlign::Center, true);
            inner.left += disc + self.px(16.0);
        }
        self.lines(said, inner, ink);
    }

    /// A button of its own size: filled where it says something, else its icon.
    fn button(&mut self, node: &UiNode, said: &str) {
        let b = node.bounds;
        let light = |color: Rgba| if node.enabled { color } else { fade(color, 0.4) };
        let icon = icon_for(&format!("{said} {}", node.resource_id.rsplit('/').next().unwrap_or_default()));
        let squarish = b.width() < b.height() * 2;
        if node.text.is_empty() || (squarish && icon.is_some()) {
            let icon = icon.unwrap_or(IconName::Chevron);
            let dp = (b.width().min(b.height()) as f32 / self.context.px(1.0) * 0.5).clamp(12.0, 28.0);
            self.icon(icon, (b.center().x, b.center().y), dp, light(MUTED));
            return;
        }
        let gap = (b.height() / 12).min(self.px(6.0));
        let shape = Rect::new(b.left + gap, b.top + gap, b.right - gap, b.bottom - gap);
        let radius = (shape.height() as f32 / 2.0).min(self.context.px(24.0));
        self.surface(shape, Surface::rounded(light(mix(PRIMARY, WHITE, 0.84)), radius));
        let pad = self.px(8.0).min(shape.width() / 10);
        let inner = Rect::new(shape.left + pad, shape.top, shape.right - pad, shape.bottom);
        let ink = light(mix(PRIMARY, [0, 0, 0, 255], 0.3));
        self.text(said, inner, 15.0, ink, TextAlign::Center, true);
    }

    fn image(&mut self, node: &UiNode, said: &str) {
        let b = node.bounds;
        let words = format!("{said} {}", node.resource_id.rsplit('/').next().unwrap_or_default());
        let small = b.width().max(b.height()) <= self.px(72.0);
        match icon_for(&words) {
            Some(icon) => {
                let dp = (b.width().min(b.height()) as f32 / self.context.px(1.0) * 0.6).clamp(10.0, 32.0);
                self.icon(icon, (b.center().x, b.center().y), dp, MUTED);
            }
            None if small && said.is_empty() => {
                let side = b.width().min(b.height()) * 7 / 10;
                let at = b.center();
                let place = Rect::new(at.x - side / 2, at.y - side / 2, at.x + side / 2, at.y + side / 2);
                self.surface(place, Surface::rounded(mix(tint(&words), WHITE, 0.7), side as f32 / 2.0));
            }
            None => {
                self.surface(b, Surface::rounded(mix(tint(&words), WHITE, 0.82), self.context.px(8.0)));
                self.text(said, b, 14.0, MUTED, TextAlign::Center, false);
            }
        }
    }

    /// A text; on a strip of its own it is a heading or a line of a page.
    fn plain(&mut self, node: &UiNode, wide: bool, ink: Rgba) {
        let said = if node.text.is_empty() { &node.content_desc } else { &node.text };
        let b = node.bounds;
        if node.clickable && wide && b.height() > self.px(40.0) {
            self.row(node, said);
            return;
        }
        let pad = if wide && b.left == 0 { self.px(24.0) } else { 0 };
        let inner = Rect::new(b.left + pad, b.top, b.right - pad, b.bottom);
        let short = said.chars().count() < 28 && !said.contains('\n');
        let heading = said.chars().any(char::is_alphabetic) && !said.chars().any(char::is_lowercase);
        if wide && short && heading {
            // SECTION headings of settings pages.
            self.text(said, inner, 13.0, PRIMARY, TextAlign::Start, true);
        } else if wide && short && b.height() >= self.px(28.0) {
            self.text(said, inner, 20.0, ink, TextAlign::Start, true);
        } else if said.contains('\n') {
            self.lines(said, inner, ink);
        } else {
            let sp = (b.height() as f32 / self.context.px(1.35)).clamp(8.0, 16.0);
            let align = if node.clickable { TextAlign::Center } else { TextAlign::Start };
            let color = if node.clickable && !wide { PRIMARY } else { ink };
            self.text(said, inner, sp, color, align, node.selected);
        }
    }

    /// Text and control of a check box, radio button or switch.
    fn choice(&mut self, node: &UiNode, kind: Kind, wide: bool) {
        let ink = if node.enabled { INK } else { fade(INK, 0.4) };
        let said = if node.text.is_empty() { &node.content_desc } else { &node.text };
        let color = if node.enabled { PRIMARY } else { fade(PRIMARY, 0.4) };
        let checked = node.checked;
        let content = match kind {
            Kind::Radio => Content::Radio { checked, color },
            Kind::Switch => Content::Switch { checked, color },
            _ => Content::Checkbox { checked, color },
        };
        let b = node.bounds;
        let width = self.px(if kind == Kind::Switch { 52.0 } else { 32.0 }).min(b.width());
        if said.is_empty() || !wide {
            // The control stands first, its text behind it.
            let control = Rect::new(b.left, b.top, if said.is_empty() { b.right } else { b.left + width }, b.bottom);
            self.put(control, None, content);
            self.lines(said, Rect { left: b.left + width + self.px(8.0), ..b }, ink);
            return;
        }
        let inner = self.card(b);
        let control = Rect::new(inner.right - width, inner.top, inner.right, inner.bottom);
        self.put(control, None, content);
        self.lines(said, Rect { right: control.left - self.px(12.0), ..inner }, ink);
    }

    fn field(&mut self, node: &UiNode, focused: bool) {
        let b = node.bounds;
        let side = if b.left == 0 && b.right == self.context.display.width as i32 { self.px(16.0) } else { 0 };
        let height = b.height().min(self.px(60.0));
        // A field higher than it is wide in letters is a page to write on.
        let page = b.height() > self.px(200.0);
        let gap = if page { self.px(8.0) } else { (b.height() - height) / 2 + self.px(2.0).min(height / 8) };
        let frame = Rect::new(b.left + side, b.top + gap, b.right - side, b.bottom - gap);
        let (color, width) = if focused { (PRIMARY, 2.0) } else { (OUTLINE, 1.0) };
        let width = self.context.px(width);
        self.surface(frame, Surface { border: Some((color, width)), ..Surface::rounded(WHITE, self.context.px(6.0)) });
        self.written(node, frame, focused);
    }

    /// What a field holds, with its cursor.
    fn written(&mut self, node: &UiNode, frame: Rect, focused: bool) {
        let pad = self.px(14.0).min(frame.width() / 10);
        let inner = Rect::new(frame.left + pad, frame.top, frame.right - pad, frame.bottom);
        let said = if node.text.is_empty() { &node.hint } else { &node.text };
        let shown = if node.password && !node.text.is_empty() && !node.showing_hint {
            "•".repeat(node.text.chars().count())
        } else {
            said.clone()
        };
        let hint = node.text.is_empty() || node.showing_hint;
        let mut ink = if hint { MUTED } else { INK };
        if !node.enabled {
            ink = fade(ink, 0.4);
        }
        let width = self.text(&shown, inner, 16.0, ink, TextAlign::Start, false);
        if focused {
            let at = inner.left + if hint { 0 } else { width.min(inner.width()) };
            let middle = frame.center().y;
            let half = self.px(11.0).min(frame.height() / 3);
            let bar = Rect::new(at, middle - half, at + self.px(2.0).max(1), middle + half);
            self.surface(bar, Surface { border: None, ..Surface::fill(PRIMARY) });
        }
    }

    fn slider(&mut self, b: Rect) {
        let middle = b.center().y;
        let (thick, knob) = (self.px(2.0), self.px(9.0).min(b.height() / 2));
        let track = Rect::new(b.left + knob, middle - thick, b.right - knob, middle + thick);
        self.surface(track, Surface::rounded(mix(PRIMARY, WHITE, 0.7), thick as f32));
        let at = b.center().x;
        let done = Rect { right: at, ..track };
        self.surface(done, Surface::rounded(PRIMARY, thick as f32));
        let disc = Rect::new(at - knob, middle - knob, at + knob, middle + knob);
        self.surface(disc, Surface { border: Some((CLEAR, 0.0)), ..Surface::rounded(PRIMARY, knob as f32) });
    }
}
