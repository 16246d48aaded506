//! Windows: a screen with its app bar, a dialog, a bottom sheet.

use super::super::file::{ColorRole, Dialog, Edges, IconName, Screen, Sheet, TextStyle, Widget};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::Target;
use super::{Builder, Built, GESTURE_BAR, STATUS_BAR, base_style, fixed};

/// What a scrim adds to what lies below.
const SCRIM: [u8; 4] = [0, 0, 0, 92];

impl Builder<'_> {
    fn full_display(&self) -> taffy::Style {
        fixed(base_style(), Some(self.context.display.width as f32), Some(self.context.display.height as f32))
    }

    /// The window of a screen.
    pub(in super::super) fn screen(&mut self, screen: &Screen, first: bool) -> Built<()> {
        let background = self.fill(screen.background, self.palette.role(ColorRole::Background));
        let bar_color = if screen.title.is_some() { self.palette.surface() } else { background };
        let mut root = Self::layout_node("android.widget.FrameLayout", "");
        root.style = self.full_display();
        root.surface = Some(Surface::fill(bar_color));
        let root = self.scene.add(None, root);
        let mut decor = Self::layout_node("android.widget.LinearLayout", "");
        decor.style.size.height = taffy::Dimension::percent(1.0);
        let decor = self.add(root, decor);
        let mut content = Self::layout_node("android.widget.FrameLayout", "android:id/content");
        content.style.padding.top = taffy::LengthPercentage::length(self.px(STATUS_BAR));
        content.style.flex_grow = 1.0;
        content.style.flex_shrink = 1.0;
        content.style.min_size.height = taffy::LengthPercentageAuto::length(0.0);
        let content = self.add(decor, content);
        let mut page = Self::layout_node("android.widget.LinearLayout", "");
        page.style.flex_grow = 1.0;
        page.style.flex_shrink = 1.0;
        page.style.min_size.height = taffy::LengthPercentageAuto::length(0.0);
        page.surface = Some(Surface::fill(background));
        let page = self.add(content, page);
        if screen.title.is_some() {
            self.app_bar(page, screen, first)?;
        }
        let padding = screen.padding.unwrap_or_default();
        if screen.scroll {
            let mut scroll = Self::layout_node("android.widget.ScrollView", "");
            self.make_scrolling(&mut scroll);
            let scroll = self.add(page, scroll);
            let mut column = Self::layout_node("android.widget.LinearLayout", "");
            column.style.min_size.height = taffy::LengthPercentageAuto::percent(1.0);
            self.fill_body(&mut column, padding, screen.gap);
            let column = self.add(scroll, column);
            self.widgets(column, &screen.body, false)?;
        } else {
            let mut column = Self::layout_node("android.widget.LinearLayout", "");
            column.style.flex_grow = 1.0;
            column.style.flex_shrink = 1.0;
            column.style.flex_basis = taffy::Dimension::length(0.0);
            column.style.min_size.height = taffy::LengthPercentageAuto::length(0.0);
            self.fill_body(&mut column, padding, screen.gap);
            let column = self.add(page, column);
            self.widgets(column, &screen.body, false)?;
        }
        let mut bottom = Self::layout_node("android.widget.LinearLayout", "");
        let gesture_bar = self.px(GESTURE_BAR);
        bottom.style.padding.bottom = taffy::LengthPercentage::length(gesture_bar);
        match screen.bottom.last() {
            None => bottom.access = None,
            // The gesture bar continues what stands above it.
            Some(Widget::Keypad(_)) => bottom.surface = Some(Surface::fill(self.palette.keypad())),
            Some(_) => {}
        }
        let bottom = self.add(page, bottom);
        self.widgets(bottom, &screen.bottom, false)?;
        self.snackbar(root);
        Ok(())
    }

    fn fill_body(&self, column: &mut Node, padding: Edges, gap: f32) {
        column.style.padding = self.edges(padding);
        column.style.gap = self.gap(gap);
    }

    fn app_bar(&mut self, page: NodeIndex, screen: &Screen, first: bool) -> Built<()> {
        let id = self.resource_id("toolbar");
        let mut bar = Self::layout_node("android.view.ViewGroup", &id);
        bar.style = fixed(base_style(), None, Some(self.px(56.0)));
        bar.style.flex_direction = taffy::FlexDirection::Row;
        bar.style.align_items = taffy::AlignItems::CENTER;
        bar.style.padding.left = taffy::LengthPercentage::length(self.px(4.0));
        bar.style.padding.right = taffy::LengthPercentage::length(self.px(4.0));
        bar.surface = Some(Surface::fill(self.palette.surface()));
        let bar = self.add(page, bar);
        let up = screen.up.unwrap_or(!first);
        if up {
            let mut style = fixed(base_style(), Some(self.px(48.0)), Some(self.px(48.0)));
            style.align_items = taffy::AlignItems::CENTER;
            style.justify_content = taffy::JustifyContent::CENTER;
            let button = self.add(
                bar,
                Node {
                    style,
                    access: Some(Access {
                        class: "android.widget.ImageButton",
                        desc: "Navigate up".to_owned(),
                        clickable: true,
                        focusable: true,
                        ..Access::default()
                    }),
                    target: Some(Target::Up),
                    ..Node::default()
                },
            );
            let arrow = self.drawn_icon(IconName::Back, 24.0, self.palette.ink());
            self.add(button, arrow);
        }
        if let Some(title) = &screen.title {
            let title = self.text(title)?;
            let mut view = Self::shrinking(self.text_view("", &title, TextStyle::Title, self.palette.ink()));
            view.style.flex_grow = 1.0;
            view.style.margin.left = taffy::LengthPercentageAuto::length(self.px(if up { 4.0 } else { 12.0 }));
            if let Content::Text(block) = &mut view.content {
                block.max_lines = Some(1);
            }
            self.add(bar, view);
        }
        self.widgets(bar, &screen.actions, true)
    }

    /// The window of a dialog, over a scrim.
    pub(in super::super) fn dialog(&mut self, dialog: &Dialog) -> Built<()> {
        let mut style = self.full_display();
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        style.padding.bottom = taffy::LengthPercentage::length(self.keyboard);
        let root = self.scene.add(
            None,
            Node { style, surface: Some(Surface::fill(SCRIM)), target: Some(Target::Outside), ..Node::default() },
        );
        let mut window = Self::layout_node("android.widget.FrameLayout", "");
        let width = (self.context.display.width as f32 - 2.0 * self.px(28.0)).min(self.px(420.0));
        window.style = fixed(base_style(), Some(width), None);
        window.surface =
            Some(Surface { elevation: self.px(6.0), ..Surface::rounded(self.palette.surface(), self.px(24.0)) });
        window.target = Some(Target::Inert);
        let window = self.add(root, window);
        let id = self.resource_id("parentPanel");
        let mut panel = Self::layout_node("android.widget.LinearLayout", &id);
        panel.style.padding = self.edges(Edges { top: 24.0, right: 24.0, bottom: 16.0, left: 24.0 });
        panel.style.gap = self.gap(12.0);
        let panel = self.add(window, panel);
        if let Some(title) = self.optional_text(dialog.title.as_ref())? {
            let view = self.text_view("alertTitle", &title, TextStyle::Title, self.palette.ink());
            self.add(panel, view);
        }
        if let Some(message) = self.optional_text(dialog.message.as_ref())? {
            let color = self.palette.role(ColorRole::Muted);
            let view = self.text_view("android:id/message", &message, TextStyle::Small, color);
            self.add(panel, view);
        }
        self.widgets(panel, &dialog.body, false)?;
        if dialog.buttons.is_empty() {
            return Ok(());
        }
        let id = self.resource_id("buttonPanel");
        let mut bar = Self::layout_node("android.widget.ScrollView", &id);
        bar.style.flex_direction = taffy::FlexDirection::Row;
        bar.style.justify_content = taffy::JustifyContent::FLEX_END;
        bar.style.gap = self.gap(8.0);
        let bar = self.add(panel, bar);
        for (at, button) in dialog.buttons.iter().enumerate() {
            let text = self.text(&button.text)?;
            let id = button.id.as_ref().map_or_else(
                || format!("android:id/button{}", dialog.buttons.len() - at),
                |id| self.resource_id(&id.value),
            );
            let mut style = fixed(base_style(), None, Some(self.px(44.0)));
            style.padding = self.edges(Edges::symmetric(0.0, 12.0));
            style.justify_content = taffy::JustifyContent::CENTER;
            let index = self.add(
                bar,
                Node {
                    style,
                    access: Some(Access {
                        class: "android.widget.Button",
                        id,
                        text: text.clone(),
                        clickable: true,
                        focusable: true,
                        ..Access::default()
                    }),
                    target: Some(Target::CloseThen(button.on_tap.clone())),
                    ..Node::default()
                },
            );
            let label = self.drawn_text(text, TextStyle::Label, self.palette.role(ColorRole::Primary));
            self.add(index, label);
        }
        Ok(())
    }

    /// The window of a bottom sheet, over a scrim.
    pub(in super::super) fn sheet(&mut self, sheet: &Sheet) -> Built<()> {
        let mut root = Self::layout_node("android.widget.FrameLayout", "");
        root.style = self.full_display();
        root.surface = Some(Surface::fill(SCRIM));
        let root = self.scene.add(None, root);
        let mut outside = Self::layout_node("android.view.View", "");
        let id = self.resource_id("touch_outside");
        outside.access =
            Some(Access { class: "android.view.View", id, clickable: sheet.cancelable, ..Access::default() });
        outside.style.flex_grow = 1.0;
        outside.style.flex_shrink = 1.0;
        outside.target = Some(Target::Outside);
        self.add(root, outside);
        let id = self.resource_id("design_bottom_sheet");
        let mut panel = Self::layout_node("android.widget.FrameLayout", &id);
        panel.surface = Some(Surface { top_only: true, ..Surface::rounded(self.palette.surface(), self.px(20.0)) });
        panel.target = Some(Target::Inert);
        let bottom = self.px(GESTURE_BAR).max(self.keyboard);
        panel.style.padding.bottom = taffy::LengthPercentage::length(bottom);
        panel.style.padding.top = taffy::LengthPercentage::length(self.px(8.0));
        let panel = self.add(root, panel);
        if let Some(title) = self.optional_text(sheet.title.as_ref())? {
            let mut view = self.text_view("", &title, TextStyle::Subtitle, self.palette.ink());
            view.style.margin = taffy::Rect {
                left: taffy::LengthPercentageAuto::length(self.px(16.0)),
                right: taffy::LengthPercentageAuto::length(self.px(16.0)),
                top: taffy::LengthPercentageAuto::length(self.px(8.0)),
                bottom: taffy::LengthPercentageAuto::length(self.px(8.0)),
            };
            self.add(panel, view);
        }
        self.widgets(panel, &sheet.body, false)
    }
}
