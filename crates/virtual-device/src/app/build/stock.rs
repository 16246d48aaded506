//! Small nodes that several widgets are made of.

use super::super::file::{ColorRole, IconName, TextAlign, TextStyle};
use super::super::palette::Rgba;
use super::super::scene::{Access, Content, Node, Surface, TextBlock};
use super::super::shaped::Shaped;
use super::super::typesetter::Face;
use super::{Builder, base_style, fixed};
use std::sync::Arc;

impl Builder<'_> {
    /// The face of a text style. Text sizes follow the font scale, as sp do.
    pub(super) fn face(&self, style: TextStyle) -> Face {
        let (size, line, medium) = match style {
            TextStyle::Display => (36.0, 44.0, true),
            TextStyle::Headline => (24.0, 32.0, false),
            TextStyle::Title => (20.0, 28.0, true),
            TextStyle::Subtitle => (16.0, 24.0, true),
            TextStyle::Body => (16.0, 24.0, false),
            TextStyle::Small => (14.0, 20.0, false),
            TextStyle::Label => (14.0, 20.0, true),
            TextStyle::Caption => (12.0, 16.0, false),
        };
        let px = self.context.text_px(size);
        // A line grows with its text, not along the curve of its own height.
        Face { size: px, line_height: (line * px / size).round(), medium }
    }

    /// A text to be set.
    pub(super) fn block(&self, text: impl Into<String>, style: TextStyle, color: Rgba) -> TextBlock {
        TextBlock {
            text: text.into(),
            face: self.face(style),
            color,
            align: TextAlign::Start,
            max_lines: None,
            links: Vec::new(),
            marks: Vec::new(),
            cursor: None,
            shaped: Arc::new(Shaped::default()),
        }
    }

    /// A text node that is only drawn.
    pub(super) fn drawn_text(&self, text: impl Into<String>, style: TextStyle, color: Rgba) -> Node {
        Node {
            style: base_style(),
            content: Content::Text(Box::new(self.block(text, style, color))),
            ..Node::default()
        }
    }

    /// A `TextView`.
    pub(super) fn text_view(&self, id: &str, text: &str, style: TextStyle, color: Rgba) -> Node {
        let id = if id.is_empty() { String::new() } else { self.resource_id(id) };
        Node {
            access: Some(Access { class: "android.widget.TextView", id, text: text.to_owned(), ..Access::default() }),
            ..self.drawn_text(text, style, color)
        }
    }

    /// An icon of `size` dp that is only drawn.
    pub(super) fn drawn_icon(&self, icon: IconName, size: f32, color: Rgba) -> Node {
        let size = self.px(size);
        Node {
            style: fixed(base_style(), Some(size), Some(size)),
            content: Content::Icon(icon, color),
            ..Node::default()
        }
    }

    /// A disc of `size` dp that centres its children.
    pub(super) fn disc(&self, size: f32, color: Rgba) -> Node {
        let px = self.px(size);
        let mut style = fixed(base_style(), Some(px), Some(px));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        Node { style, surface: Some(Surface::rounded(color, px / 2.0)), ..Node::default() }
    }

    /// A thin line with a distance from the left edge in dp.
    pub(super) fn line(&self, inset: f32) -> Node {
        let mut style = fixed(base_style(), None, Some(self.px(1.0).max(1.0)));
        style.margin.left = taffy::LengthPercentageAuto::length(self.px(inset));
        Node {
            style,
            surface: Some(Surface::fill(self.palette.role(ColorRole::Divider))),
            access: Some(Access { class: "android.view.View", ..Access::default() }),
            ..Node::default()
        }
    }

    /// A container of the dump without any look of its own.
    pub(super) fn layout_node(class: &'static str, id: &str) -> Node {
        Node {
            style: base_style(),
            access: Some(Access { class, id: id.to_owned(), ..Access::default() }),
            ..Node::default()
        }
    }

    /// Lets a text in a row give way to its siblings.
    pub(super) fn shrinking(mut node: Node) -> Node {
        node.style.flex_shrink = 1.0;
        node.style.min_size.width = taffy::LengthPercentageAuto::length(0.0);
        node
    }
}
