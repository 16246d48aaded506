//! Windows: a screen with its app bar, a dialog, a bottom sheet.

use super::super::file::{
    AppBar, ColorRole, Dialog, DialogStyle, Edges, IconName, KeyboardMode, Screen, SelectionBar, Sheet, TextAlign,
    TextStyle, Widget,
};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::stock_words::in_language;
use super::super::target::{Drag, Target};
use super::{Builder, Built, GESTURE_BAR, STATUS_BAR, base_style, fixed};

/// Content on a wide display is no wider than this, dp.
const WIDEST: f32 = 840.0;
/// What a scrim adds to what lies below.
const SCRIM: [u8; 4] = [0, 0, 0, 92];

impl Builder<'_> {
    pub(super) fn full_display(&self) -> taffy::Style {
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
        let mut layout = content;
        if screen.drawer.is_some() {
            let mut node = Self::layout_node("androidx.drawerlayout.widget.DrawerLayout", "");
            node.style.flex_grow = 1.0;
            node.style.flex_shrink = 1.0;
            node.style.min_size.height = taffy::LengthPercentageAuto::length(0.0);
            layout = self.add(content, node);
        }
        let page = self.add(layout, page);
        let has_bar = screen.app_bar != AppBar::None
            && (screen.title.is_some() || screen.search.is_some() || screen.app_bar == AppBar::Search);
        if has_bar {
            self.app_bar(page, screen, first)?;
        }
        if let Some(tabs) = &screen.tabs {
            self.screen_tabs(page, tabs)?;
        }
        let body = self.body_parent(page, screen);
        let padding = screen.padding.unwrap_or_default();
        let mut column = Self::layout_node("android.widget.LinearLayout", "");
        if screen.scroll {
            let mut scroll = Self::layout_node("android.widget.ScrollView", "");
            self.make_scrolling(&mut scroll);
            if let Some(area) = &mut scroll.scroll {
                area.refresh = (!screen.refresh.is_empty()).then(|| (screen.refresh.clone(), None));
            }
            let scroll = self.add(body, scroll);
            column.style.min_size.height = taffy::LengthPercentageAuto::percent(1.0);
            self.fill_body(&mut column, padding, screen.gap);
            column.extra.dialect = screen.dialect;
            let column = self.add(scroll, column);
            self.widgets(column, &screen.body, false)?;
        } else {
            column.style.flex_grow = 1.0;
            column.style.flex_shrink = 1.0;
            column.style.flex_basis = taffy::Dimension::length(0.0);
            column.style.min_size.height = taffy::LengthPercentageAuto::length(0.0);
            self.fill_body(&mut column, padding, screen.gap);
            column.extra.dialect = screen.dialect;
            let column = self.add(body, column);
            self.widgets(column, &screen.body, false)?;
        }
        if let Some(fab) = &screen.fab {
            self.fab(body, fab)?;
        }
        self.snackbar(body);
        let mut bottom = Self::layout_node("android.widget.LinearLayout", "");
        let resized = screen.keyboard == KeyboardMode::Resize && self.keyboard > 0.0;
        let below = if resized { self.keyboard } else { self.px(GESTURE_BAR) };
        bottom.style.padding.bottom = taffy::LengthPercentage::length(below);
        match screen.bottom.last() {
            None if screen.bottom_nav.is_none() => bottom.access = None,
            // The gesture bar continues what stands above it.
            Some(Widget::Keypad(_)) => bottom.surface = Some(Surface::fill(self.palette.keypad())),
            Some(_) | None => {}
        }
        if screen.bottom_nav.is_some() {
            bottom.surface = Some(Surface::fill(self.palette.role(ColorRole::Surface)));
        }
        let bottom = self.add(page, bottom);
        self.widgets(bottom, &screen.bottom, false)?;
        if let Some(nav) = &screen.bottom_nav {
            self.bottom_nav(bottom, nav)?;
        }
        if let Some(drawer) = screen.drawer.as_ref().filter(|_| self.drawer) {
            self.drawer(layout, drawer)?;
        }
        Ok(())
    }

    /// What holds the body: a layout of its own where something floats over it.
    fn body_parent(&mut self, page: NodeIndex, screen: &Screen) -> NodeIndex {
        let snack = self.snackbar.is_some();
        if screen.fab.is_none() && screen.refresh.is_empty() && !snack {
            return page;
        }
        let class = if screen.refresh.is_empty() {
            "android.view.ViewGroup"
        } else {
            "androidx.swiperefreshlayout.widget.SwipeRefreshLayout"
        };
        let mut over = Self::layout_node(class, "");
        // Only a floating button has a layout of its own in the dump; a snackbar comes and goes without one.
        if screen.fab.is_none() && screen.refresh.is_empty() {
            over.access = None;
        }
        over.style.flex_grow = 1.0;
        over.style.flex_shrink = 1.0;
        over.style.flex_basis = taffy::Dimension::length(0.0);
        over.style.min_size.height = taffy::LengthPercentageAuto::length(0.0);
        self.add(page, over)
    }

    fn fill_body(&self, column: &mut Node, padding: Edges, gap: f32) {
        // On wide displays content keeps to the middle (Material's expanded window class).
        let free = (self.context.display.width as f32 - self.px(WIDEST)).max(0.0) / 2.0;
        let side = |dp: f32| taffy::LengthPercentage::length(self.px(dp) + free.round());
        column.style.padding =
            taffy::Rect { left: side(padding.left), right: side(padding.right), ..self.edges(padding) };
        column.style.gap = self.gap(gap);
    }

    fn app_bar(&mut self, page: NodeIndex, screen: &Screen, first: bool) -> Built<()> {
        if let Some(selection) = &screen.selection
            && self.condition(Some(&selection.when))?
        {
            return self.selection_bar(page, selection);
        }
        let id = self.resource_id("toolbar");
        let surface = self.palette.role(ColorRole::Surface);
        let mut bar = Self::layout_node("android.view.ViewGroup", &id);
        let searching = screen.app_bar == AppBar::Search;
        bar.style = fixed(base_style(), None, Some(self.px(if searching { 64.0 } else { 56.0 })));
        bar.style.flex_direction = taffy::FlexDirection::Row;
        bar.style.align_items = taffy::AlignItems::CENTER;
        bar.style.padding.left = taffy::LengthPercentage::length(self.px(4.0));
        bar.style.padding.right = taffy::LengthPercentage::length(self.px(4.0));
        bar.surface = Some(Surface::fill(surface));
        let bar = self.add(page, bar);
        let ink = self.palette.role(ColorRole::OnSurface);
        let leading = self.leading_button(bar, screen, first);
        let title = self.optional_text(screen.title.as_ref())?;
        let subtitle = self.optional_text(screen.subtitle.as_ref())?.filter(|text| !text.is_empty());
        let large = screen.app_bar == AppBar::Large;
        if let Some(search) = screen.search.as_ref().filter(|_| searching) {
            if !leading {
                let style = fixed(base_style(), Some(self.px(8.0)), None);
                self.add(bar, Node { style, ..Node::default() });
            }
            self.bar_search(bar, search)?;
        } else if large || title.is_none() {
            self.cell(bar);
        } else if let Some(title) = &title {
            let margin = taffy::LengthPercentageAuto::length(self.px(if leading { 4.0 } else { 12.0 }));
            self.bar_title(bar, title, subtitle.as_deref(), margin);
        }
        if screen.menu.is_empty() {
            self.widgets(bar, &screen.actions, true)?;
        } else {
            let mut actions = Self::layout_node("androidx.appcompat.widget.LinearLayoutCompat", "");
            actions.style.flex_direction = taffy::FlexDirection::Row;
            actions.style.align_items = taffy::AlignItems::CENTER;
            let actions = self.add(bar, actions);
            self.widgets(actions, &screen.actions, true)?;
            self.overflow(actions, &screen.menu)?;
        }
        if let Some(title) = title.filter(|_| large) {
            let mut below = self.text_view("", &title, TextStyle::Headline, ink);
            below.style.padding = self.edges(Edges { top: 12.0, right: 16.0, bottom: 20.0, left: 16.0 });
            below.surface = Some(Surface::fill(surface));
            if let Content::Text(block) = &mut below.content {
                block.face.size *= 28.0 / 24.0;
                block.face.line_height *= 36.0 / 32.0;
            }
            self.add(page, below);
        }
        Ok(())
    }

    /// The button before the title, if there is one: true where one was added.
    fn leading_button(&mut self, bar: NodeIndex, screen: &Screen, first: bool) -> bool {
        if screen.drawer.is_some() && !screen.up.unwrap_or(false) && first {
            self.bar_button(bar, IconName::Menu, "Open navigation drawer", Target::OpenDrawer);
        } else if screen.up.unwrap_or(!first) {
            let up = in_language(&self.context.locale, "Navigate up");
            self.bar_button(bar, IconName::Back, up, Target::Up);
        } else {
            return false;
        }
        true
    }

    /// The title in the bar, and a subtitle beneath it.
    fn bar_title(&mut self, bar: NodeIndex, title: &str, subtitle: Option<&str>, margin: taffy::LengthPercentageAuto) {
        let ink = self.palette.role(ColorRole::OnSurface);
        let mut view = Self::shrinking(self.text_view("", title, TextStyle::Title, ink));
        if let Content::Text(block) = &mut view.content {
            block.max_lines = Some(1);
        }
        let Some(subtitle) = subtitle else {
            view.style.flex_grow = 1.0;
            view.style.margin.left = margin;
            self.add(bar, view);
            return;
        };
        let texts = self.cell(bar);
        if let Some(node) = self.scene.nodes.get_mut(texts) {
            node.style.margin.left = margin;
        }
        self.add(texts, view);
        let muted = self.palette.role(ColorRole::Muted);
        let mut view = self.text_view("", subtitle, TextStyle::Caption, muted);
        if let Content::Text(block) = &mut view.content {
            block.max_lines = Some(1);
        }
        self.add(texts, view);
    }

    /// What stands there while something is selected, as `ActionBarContextView` of `AppCompat` says it.
    fn selection_bar(&mut self, page: NodeIndex, selection: &SelectionBar) -> Built<()> {
        let id = self.resource_id("action_mode_bar");
        let mut bar = Self::layout_node("android.view.ViewGroup", &id);
        bar.style = fixed(base_style(), None, Some(self.px(56.0)));
        bar.style.flex_direction = taffy::FlexDirection::Row;
        bar.style.align_items = taffy::AlignItems::CENTER;
        bar.style.padding.left = taffy::LengthPercentage::length(self.px(4.0));
        bar.style.padding.right = taffy::LengthPercentage::length(self.px(4.0));
        bar.surface = Some(Surface::fill(self.palette.role(ColorRole::Container)));
        let bar = self.add(page, bar);
        let close = self.scene.nodes.len();
        self.bar_button(bar, IconName::Close, "Done", Target::Run(selection.on_close.clone(), None));
        let id = self.resource_id("action_mode_close_button");
        if let Some(access) = self.scene.nodes.get_mut(close).and_then(|node| node.access.as_mut()) {
            access.class = "android.widget.ImageView";
            access.id = id;
        }
        let title = self.text(&selection.title)?;
        let id = self.resource_id("action_bar_title");
        let mut view =
            Self::shrinking(self.text_view(&id, &title, TextStyle::Title, self.palette.role(ColorRole::OnSurface)));
        view.style.flex_grow = 1.0;
        view.style.margin.left = taffy::LengthPercentageAuto::length(self.px(4.0));
        if let Content::Text(block) = &mut view.content {
            block.max_lines = Some(1);
        }
        self.add(bar, view);
        self.widgets(bar, &selection.actions, true)
    }

    /// The window of a dialog, over a scrim.
    pub(in super::super) fn dialog(&mut self, dialog: &Dialog) -> Built<()> {
        if dialog.style == DialogStyle::Fullscreen {
            return self.fullscreen_dialog(dialog);
        }
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
        let ink = self.palette.role(ColorRole::OnSurface);
        if let Some(icon) = dialog.icon {
            let mut icon = self.drawn_icon(icon, 28.0, self.palette.role(ColorRole::Primary));
            icon.style.align_self = Some(taffy::AlignItems::CENTER);
            icon.access = Some(Access {
                class: "android.widget.ImageView",
                id: "android:id/icon".to_owned(),
                ..Access::default()
            });
            self.add(panel, icon);
        }
        if let Some(title) = self.optional_text(dialog.title.as_ref())? {
            let mut view = self.text_view("alertTitle", &title, TextStyle::Title, ink);
            if let Content::Text(block) = &mut view.content
                && dialog.icon.is_some()
            {
                block.align = TextAlign::Center;
            }
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
        if dialog.style == DialogStyle::List {
            return self.dialog_rows(panel, dialog);
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
                    access: Some(Access { id, text: text.clone(), ..Access::touchable("android.widget.Button") }),
                    target: Some(Target::CloseThen(button.on_tap.clone())),
                    ..Node::default()
                },
            );
            let label = self.drawn_text(text, TextStyle::Label, self.palette.role(ColorRole::Primary));
            self.add(index, label);
        }
        Ok(())
    }

    /// The buttons of a dialog as rows of a list.
    fn dialog_rows(&mut self, panel: NodeIndex, dialog: &Dialog) -> Built<()> {
        let id = self.resource_id("select_dialog_listview");
        let mut list = Self::layout_node("android.widget.ListView", &id);
        list.style.margin.left = taffy::LengthPercentageAuto::length(-self.px(24.0));
        list.style.margin.right = taffy::LengthPercentageAuto::length(-self.px(24.0));
        if let Some(access) = &mut list.access {
            access.focusable = true;
            access.focused = true;
        }
        let list = self.add(panel, list);
        for button in &dialog.buttons {
            let text = self.text(&button.text)?;
            let id = button.id.as_ref().map_or_else(|| "android:id/text1".to_owned(), |id| self.resource_id(&id.value));
            let mut row = self.text_view(&id, &text, TextStyle::Body, self.palette.role(ColorRole::OnSurface));
            row.style.padding = self.edges(Edges::symmetric(12.0, 24.0));
            row.target = Some(Target::CloseThen(button.on_tap.clone()));
            if let Some(access) = &mut row.access {
                access.clickable = true;
            }
            self.add(list, row);
        }
        Ok(())
    }

    /// A dialog over the whole display: a cross, the title and its last button on top.
    fn fullscreen_dialog(&mut self, dialog: &Dialog) -> Built<()> {
        let surface = self.palette.role(ColorRole::Surface);
        let ink = self.palette.role(ColorRole::OnSurface);
        let mut root = Self::layout_node("android.widget.FrameLayout", "");
        root.style = self.full_display();
        root.style.padding.top = taffy::LengthPercentage::length(self.px(STATUS_BAR));
        root.surface = Some(Surface::fill(surface));
        root.target = Some(Target::Inert);
        let root = self.scene.add(None, root);
        let id = self.resource_id("toolbar");
        let mut bar = Self::layout_node("android.view.ViewGroup", &id);
        bar.style = fixed(base_style(), None, Some(self.px(56.0)));
        bar.style.flex_direction = taffy::FlexDirection::Row;
        bar.style.align_items = taffy::AlignItems::CENTER;
        bar.style.padding = self.edges(Edges::symmetric(0.0, 4.0));
        let bar = self.add(root, bar);
        if dialog.cancelable {
            self.bar_button(bar, IconName::Close, "Close", Target::Outside);
        }
        let title = self.optional_text(dialog.title.as_ref())?.unwrap_or_default();
        let mut view = Self::shrinking(self.text_view("", &title, TextStyle::Title, ink));
        view.style.flex_grow = 1.0;
        view.style.margin.left = taffy::LengthPercentageAuto::length(self.px(8.0));
        self.add(bar, view);
        let color = self.palette.role(ColorRole::Primary);
        for (at, button) in dialog.buttons.iter().enumerate() {
            let text = self.text(&button.text)?;
            let id = button.id.as_ref().map_or_else(
                || format!("android:id/button{}", dialog.buttons.len() - at),
                |id| self.resource_id(&id.value),
            );
            self.text_button(bar, &id, &text, Target::CloseThen(button.on_tap.clone()), color);
        }
        let mut scroll = Self::layout_node("android.widget.ScrollView", "");
        self.make_scrolling(&mut scroll);
        let scroll = self.add(root, scroll);
        let mut column = Self::layout_node("android.widget.LinearLayout", "");
        column.style.padding = self.edges(Edges { top: 8.0, right: 24.0, bottom: GESTURE_BAR + 16.0, left: 24.0 });
        column.style.gap = self.gap(12.0);
        let column = self.add(scroll, column);
        if let Some(message) = self.optional_text(dialog.message.as_ref())? {
            let color = self.palette.role(ColorRole::Muted);
            let view = self.text_view("android:id/message", &message, TextStyle::Small, color);
            self.add(column, view);
        }
        self.widgets(column, &dialog.body, false)
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
        let fill = self.palette.role(ColorRole::Surface);
        panel.surface = Some(Surface { top_only: true, ..Surface::rounded(fill, self.px(20.0)) });
        panel.target = Some(Target::Inert);
        let key = format!("{}:sheet", self.instance);
        let open = self.view(&key).is_some_and(|open| open > 0.0);
        panel.extra.drag = Some(Drag::Sheet { key, whole: open || sheet.peek.is_none(), cancelable: sheet.cancelable });
        if let Some(peek) = sheet.peek.filter(|_| !open) {
            panel.style.max_size.height = taffy::LengthPercentageAuto::length(self.px(peek));
            panel.style.overflow.y = taffy::Overflow::Hidden;
            panel.clips = true;
        }
        let most = self.context.display.height as f32 - self.px(STATUS_BAR + 24.0);
        if open || sheet.peek.is_none() {
            panel.style.max_size.height = taffy::LengthPercentageAuto::length(most);
        }
        let bottom = self.px(GESTURE_BAR).max(self.keyboard);
        panel.style.padding.bottom = taffy::LengthPercentage::length(bottom);
        panel.style.padding.top = taffy::LengthPercentage::length(self.px(8.0));
        let panel = self.add(root, panel);
        let mut handle = fixed(base_style(), Some(self.px(32.0)), Some(self.px(4.0)));
        handle.align_self = Some(taffy::AlignItems::CENTER);
        handle.margin.bottom = taffy::LengthPercentageAuto::length(self.px(4.0));
        let grip = self.palette.role(ColorRole::Outline);
        let surface = Some(Surface::rounded(super::super::palette::fade(grip, 0.5), self.px(2.0)));
        self.add(panel, Node { style: handle, surface, ..Node::default() });
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
