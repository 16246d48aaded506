//! Windows with a list: menus, drop-down lists, suggestions.

use super::super::file::{ColorRole, Edges, TextStyle};
use super::super::palette::fade;
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{Popup, PopupKind, Target};
use super::{Builder, STATUS_BAR, base_style, fixed};
use crate::domain::Rect;

impl Builder<'_> {
    /// A list that came up over or below `anchor`.
    pub(in super::super) fn popup(&mut self, popup: &Popup, anchor: Rect) {
        if popup.kind == PopupKind::Dialog {
            self.choice_dialog(popup);
            return;
        }
        let display = self.context.display;
        self.scene.passive = popup.kind == PopupKind::Exposed;
        let root =
            self.scene.add(None, Node { style: self.full_display(), target: Some(Target::Outside), ..Node::default() });
        let row_height = self.px(48.0);
        let pad = self.px(8.0);
        let height = row_height * popup.rows.len() as f32 + 2.0 * pad;
        let (top_edge, bottom_edge) = (self.px(STATUS_BAR), display.height as f32 - self.px(24.0).max(self.keyboard));
        let height = height.min(bottom_edge - top_edge);
        let (left, top, width) = match popup.kind {
            PopupKind::Menu => {
                let width = self.px(196.0);
                (anchor.right as f32 - width - self.px(4.0), anchor.top as f32 + self.px(4.0), width)
            }
            PopupKind::Exposed => (anchor.left as f32, anchor.bottom as f32, anchor.width() as f32),
            _ => (anchor.left as f32, anchor.top as f32, (anchor.width() as f32).max(self.px(160.0))),
        };
        // Where there is no room below, the list stands above.
        let top = if top + height > bottom_edge {
            (if popup.kind == PopupKind::Exposed { anchor.top as f32 - height } else { bottom_edge - height })
                .max(top_edge)
        } else {
            top
        };
        let mut window = Self::layout_node("android.widget.FrameLayout", "");
        window.style = fixed(base_style(), Some(width), Some(height));
        window.style.position = taffy::Position::Absolute;
        window.style.inset.left = taffy::LengthPercentageAuto::length(left.max(0.0));
        window.style.inset.top = taffy::LengthPercentageAuto::length(top);
        let fill = self.palette.role(ColorRole::Surface);
        window.surface = Some(Surface { elevation: self.px(6.0), ..Surface::rounded(fill, self.px(4.0)) });
        window.target = Some(Target::Inert);
        let window = self.add(root, window);
        let list = self.list_view(window, "");
        if let Some(node) = self.scene.nodes.get_mut(list) {
            node.style.padding.top = taffy::LengthPercentage::length(pad);
            node.style.padding.bottom = taffy::LengthPercentage::length(pad);
        }
        for row in 0..popup.rows.len() {
            match popup.kind {
                PopupKind::Menu => self.menu_row(list, popup, row),
                _ => self.check_row(list, popup, row, false),
            }
        }
    }

    fn list_view(&mut self, parent: NodeIndex, id: &str) -> NodeIndex {
        let mut list = Self::layout_node("android.widget.ListView", id);
        list.extra.recycles = true;
        self.make_scrolling(&mut list);
        // In a window of its own the list takes the focus; its rows never do.
        if let Some(access) = &mut list.access {
            access.focusable = true;
            access.focused = true;
        }
        self.add(parent, list)
    }

    /// `ListMenuItemView`: three layouts around the title.
    fn menu_row(&mut self, list: NodeIndex, popup: &Popup, at: usize) {
        let Some(row) = popup.rows.get(at) else { return };
        let mut outer = Self::layout_node("android.widget.LinearLayout", "");
        outer.style = fixed(outer.style, None, Some(self.px(48.0)));
        outer.style.padding = self.edges(Edges::symmetric(0.0, 16.0));
        outer.style.justify_content = taffy::JustifyContent::CENTER;
        outer.enabled = row.enabled;
        outer.target = Some(Target::CloseAnd(Box::new(row.target.clone())));
        if let Some(access) = &mut outer.access {
            access.clickable = true;
        }
        let outer = self.add(list, outer);
        let id = self.resource_id("content");
        let content = self.add(outer, Self::layout_node("android.widget.LinearLayout", &id));
        let inner = self.add(content, Self::layout_node("android.widget.RelativeLayout", ""));
        let ink = self.palette.role(ColorRole::OnSurface);
        let ink = if row.enabled { ink } else { fade(ink, 0.38) };
        let mut title = self.text_view("title", &row.text, TextStyle::Body, ink);
        title.enabled = row.enabled;
        if let Content::Text(block) = &mut title.content {
            block.max_lines = Some(1);
        }
        self.add(inner, title);
    }

    /// `CheckedTextView` with `text1`.
    fn check_row(&mut self, list: NodeIndex, popup: &Popup, at: usize, mark: bool) {
        let Some(row) = popup.rows.get(at) else { return };
        let primary = self.palette.role(ColorRole::Primary);
        let fill = self.palette.role(ColorRole::Container);
        let mut style = fixed(base_style(), None, Some(self.px(48.0)));
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        style.gap = self.gap(8.0);
        style.padding = self.edges(Edges::symmetric(0.0, 16.0));
        let checked = row.checked && popup.kind != PopupKind::Exposed;
        let node = self.add(
            list,
            Node {
                style,
                surface: (checked && !mark).then(|| Surface::fill(fill)),
                access: Some(Access {
                    id: "android:id/text1".to_owned(),
                    text: row.text.clone(),
                    checkable: true,
                    checked,
                    focusable: false,
                    ..Access::touchable("android.widget.CheckedTextView")
                }),
                enabled: row.enabled,
                target: Some(Target::CloseAnd(Box::new(row.target.clone()))),
                ..Node::default()
            },
        );
        if mark {
            let style = fixed(base_style(), Some(self.px(24.0)), Some(self.px(24.0)));
            let content = Content::Radio { checked, color: primary };
            self.add(node, Node { style, content, ..Node::default() });
        }
        let mut label = Self::shrinking(self.drawn_text(
            row.text.clone(),
            TextStyle::Body,
            self.palette.role(ColorRole::OnSurface),
        ));
        if let Content::Text(block) = &mut label.content {
            block.max_lines = Some(1);
        }
        self.add(node, label);
    }

    fn choice_dialog(&mut self, popup: &Popup) {
        let panel = self.dialog_panel(320.0);
        if !popup.title.is_empty() {
            let ink = self.palette.role(ColorRole::OnSurface);
            let mut title = self.text_view("alertTitle", &popup.title, TextStyle::Title, ink);
            title.style.margin = taffy::Rect {
                left: taffy::LengthPercentageAuto::length(self.px(24.0)),
                right: taffy::LengthPercentageAuto::length(self.px(24.0)),
                top: taffy::LengthPercentageAuto::length(self.px(20.0)),
                bottom: taffy::LengthPercentageAuto::length(self.px(8.0)),
            };
            self.add(panel, title);
        }
        let id = self.resource_id("select_dialog_listview");
        let most = self.context.display.height as f32 * 0.6;
        let height = (self.px(48.0) * popup.rows.len() as f32).min(most);
        let list = self.list_view(panel, &id);
        if let Some(node) = self.scene.nodes.get_mut(list) {
            node.style.flex_basis = taffy::Dimension::auto();
            node.style.flex_grow = 0.0;
            node.style.size.height = taffy::Dimension::length(height);
            node.style.margin.bottom = taffy::LengthPercentageAuto::length(self.context.px(12.0).round());
        }
        for row in 0..popup.rows.len() {
            self.check_row(list, popup, row, true);
        }
    }
}
