//! Building blocks of the system's windows.

use super::super::AppContext;
use super::super::build::{base_style, fixed};
use super::super::file::{ColorRole, IconName, TextAlign};
use super::super::palette::{Palette, Rgba};
use super::super::scene::{Access, Content, Draft, Node, NodeIndex, Surface, TextBlock};
use super::super::shaped::Shaped;
use super::super::target::Target;
use super::super::typesetter::Face;
use super::wording::in_language;
use std::sync::Arc;

/// How dark a dialog makes what lies below (`backgroundDimAmount` 0.6).
const DIM: Rgba = [0, 0, 0, 153];

/// Where a window stands on the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the middle.
    Center,
    /// At the bottom.
    Bottom,
}

/// A text's look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    pub size: f32,
    pub medium: bool,
    pub color: Rgba,
    pub align: TextAlign,
}

/// A window in the making.
pub(super) struct Page<'a> {
    pub context: &'a AppContext,
    pub palette: Palette,
    pub scene: Draft,
}

impl<'a> Page<'a> {
    pub(super) fn new(context: &'a AppContext) -> Self {
        let palette = Palette::new(None).in_scheme(context.night);
        Self { context, palette, scene: Draft::default() }
    }

    /// A text of the system in the device's language.
    pub(super) fn say(&self, english: &str) -> String {
        in_language(&self.context.locale, english)
    }

    pub(super) fn px(&self, dp: f32) -> f32 {
        self.context.px(dp).round()
    }

    pub(super) fn length(&self, dp: f32) -> taffy::LengthPercentage {
        taffy::LengthPercentage::length(self.px(dp))
    }

    pub(super) fn pad(&self, node: &mut Node, vertical: f32, horizontal: f32) {
        let (v, h) = (self.length(vertical), self.length(horizontal));
        node.style.padding = taffy::Rect { left: h, right: h, top: v, bottom: v };
    }

    pub(super) fn gap(&self, node: &mut Node, dp: f32) {
        node.style.gap = taffy::Size { width: self.length(dp), height: self.length(dp) };
    }

    pub(super) fn accent(&self) -> Rgba {
        self.palette.role(ColorRole::Primary)
    }

    pub(super) fn ink(&self) -> Rgba {
        self.palette.ink()
    }

    pub(super) fn muted(&self) -> Rgba {
        self.palette.role(ColorRole::Muted)
    }

    /// The whole display, dimmed; a touch beside the window is `outside`.
    pub(super) fn dimmed(&mut self, place: Place, outside: Option<&str>) -> NodeIndex {
        let display = self.context.display;
        let mut style = fixed(base_style(), Some(display.width as f32), Some(display.height as f32));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = match place {
            Place::Center => taffy::JustifyContent::CENTER,
            Place::Bottom => taffy::JustifyContent::FLEX_END,
        };
        let target = outside.map_or(Target::Inert, |command| Target::Launch(command.to_owned()));
        self.scene.add(None, Node { style, surface: Some(Surface::fill(DIM)), target: Some(target), ..Node::default() })
    }

    /// The window itself: a raised rounded box, not wider than a phone's.
    pub(super) fn card(&mut self, root: NodeIndex, margin: f32, radius: f32) -> NodeIndex {
        let mut window = Self::view("android.widget.FrameLayout", "");
        let width = (self.context.display.width as f32 - 2.0 * self.px(margin)).min(self.px(440.0));
        window.style = fixed(base_style(), Some(width), None);
        window.surface =
            Some(Surface { elevation: self.px(6.0), ..Surface::rounded(self.palette.surface(), self.px(radius)) });
        window.target = Some(Target::Inert);
        self.add(root, window)
    }

    pub(super) fn view(class: &'static str, id: &str) -> Node {
        let access = Access { class, id: id.to_owned(), ..Access::default() };
        Node { style: base_style(), access: Some(access), ..Node::default() }
    }

    pub(super) fn add(&mut self, parent: NodeIndex, node: Node) -> NodeIndex {
        self.scene.add(Some(parent), node)
    }

    /// A layout of the dump below `parent`.
    pub(super) fn layout(&mut self, parent: NodeIndex, class: &'static str, id: &str) -> NodeIndex {
        self.add(parent, Self::view(class, id))
    }

    /// A text that is only drawn.
    pub(super) fn drawn(&self, text: impl Into<String>, words: Words) -> Node {
        let size = self.context.text_px(words.size);
        let block = TextBlock {
            text: text.into(),
            face: Face { size, line_height: (size * 1.35).round(), medium: words.medium },
            color: words.color,
            align: words.align,
            max_lines: None,
            links: Vec::new(),
            marks: Vec::new(),
            cursor: None,
            shaped: Arc::new(Shaped::default()),
        };
        Node { style: base_style(), content: Content::Text(Box::new(block)), ..Node::default() }
    }

    /// A `TextView`.
    pub(super) fn text(&self, id: &str, text: &str, words: Words) -> Node {
        let access =
            Access { class: "android.widget.TextView", id: id.to_owned(), text: text.to_owned(), ..Access::default() };
        Node { access: Some(access), ..self.drawn(text, words) }
    }

    /// An icon that is only drawn.
    pub(super) fn icon(&self, icon: IconName, size: f32, color: Rgba) -> Node {
        let style = fixed(base_style(), Some(self.px(size)), Some(self.px(size)));
        Node { style, content: Content::Icon(icon, color), ..Node::default() }
    }

    /// What can be touched and answers `command`.
    pub(super) fn touchable(class: &'static str, id: &str, text: &str, command: &str) -> Node {
        let mut node = Self::view(class, id);
        if let Some(access) = &mut node.access {
            text.clone_into(&mut access.text);
            access.clickable = true;
            access.focusable = true;
        }
        node.target = Some(Target::Launch(command.to_owned()));
        node
    }

    pub(super) fn row(mut node: Node) -> Node {
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.align_items = taffy::AlignItems::CENTER;
        node
    }
}
