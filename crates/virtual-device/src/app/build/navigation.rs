//! What a screen has around its content: tabs, bottom navigation, drawer, floating button, snackbar, menu.

use super::super::file::{
    self, Choices, ColorRole, Drawer, Edges, Fab, IconName, Located, MenuEntry, Navigation, Script, TextAlign,
    TextStyle,
};
use super::super::palette::CLEAR;
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::stock_words::in_language;
use super::super::target::{Drag, Popup, PopupKind, PopupRow, Target};
use super::option::Resolved;
use super::{Builder, Built, GESTURE_BAR, STATUS_BAR, base_style, fixed};
use std::sync::Arc;

/// What the scrim beside an open drawer adds.
const SCRIM: [u8; 4] = [0, 0, 0, 92];

/// What a tab needs beside its choice.
struct Tab {
    /// It is the chosen one.
    on: bool,
    enabled: bool,
    /// The bar scrolls sideways.
    scrollable: bool,
    /// Some tab of the bar has an icon and a text.
    tall: bool,
    target: Target,
}

impl Builder<'_> {
    /// Tabs within `node`, as a `TabLayout` says them.
    pub(super) fn tab_bar(
        &mut self,
        parent: NodeIndex,
        mut node: Node,
        bind: &Located<String>,
        items: &Located<Choices>,
        scrollable: bool,
        on_change: &Script,
    ) -> Built<()> {
        let choices = self.choices(items, bind)?;
        let current = self.string(&bind.value);
        let tall = choices.iter().any(|c| c.icon.is_some() && !c.text.is_empty());
        let height = self.px(if tall { 72.0 } else { 48.0 });
        node.style.size.height = taffy::Dimension::length(height);
        node.style.flex_direction = taffy::FlexDirection::Row;
        let enabled = node.enabled;
        if scrollable {
            self.make_scrolling_sideways(&mut node);
        }
        let index = self.add(parent, node);
        let mut strip = Self::layout_node("android.widget.LinearLayout", "");
        strip.style.flex_direction = taffy::FlexDirection::Row;
        strip.style.flex_grow = 1.0;
        let strip = self.add(index, strip);
        for choice in choices {
            let on = choice.value.to_string() == current;
            let target = self.assign_target(bind, choice.value.clone(), on_change);
            let tab = Tab { on, enabled, scrollable, tall, target };
            self.tab(strip, &choice, tab);
        }
        Ok(())
    }

    /// One tab of a bar.
    fn tab(&mut self, strip: NodeIndex, choice: &Resolved, tab: Tab) {
        let Tab { on, enabled, scrollable, tall, target } = tab;
        let height = self.px(if tall { 72.0 } else { 48.0 });
        let ink = self.palette.role(if on { ColorRole::Primary } else { ColorRole::Muted });
        let mut style = fixed(base_style(), None, Some(height));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        style.gap = self.gap(4.0);
        style.padding = self.edges(Edges::symmetric(0.0, if scrollable { 16.0 } else { 4.0 }));
        if scrollable {
            style.min_size.width = taffy::LengthPercentageAuto::length(self.px(90.0));
        } else {
            style.flex_grow = 1.0;
            style.flex_shrink = 1.0;
            style.flex_basis = taffy::Dimension::length(0.0);
            style.min_size.width = taffy::LengthPercentageAuto::length(0.0);
        }
        let desc = choice.desc.clone().unwrap_or_else(|| choice.text.clone());
        let desc = if choice.badge.is_empty() { desc } else { format!("{desc}, {} new notifications", choice.badge) };
        let tab = self.add(
            strip,
            Node {
                style,
                enabled,
                access: Some(Access {
                    class: "android.widget.LinearLayout",
                    id: choice.id.clone(),
                    desc,
                    // TabLayout takes the click away from the chosen tab.
                    clickable: !on,
                    focusable: true,
                    selected: on,
                    tab: true,
                    ..Access::default()
                }),
                target: Some(target),
                ..Node::default()
            },
        );
        if let Some(icon) = choice.icon {
            let mut icon = self.drawn_icon(icon, 24.0, ink);
            icon.access = Some(Access { class: "android.widget.ImageView", selected: on, ..Access::default() });
            self.add(tab, icon);
        }
        if !choice.text.is_empty() {
            let mut label = Self::shrinking(self.text_view("", &choice.text, TextStyle::Label, ink));
            if let Content::Text(block) = &mut label.content {
                block.align = TextAlign::Center;
                block.max_lines = Some(if tall { 1 } else { 2 });
            }
            if let Some(access) = &mut label.access {
                access.selected = on;
            }
            self.add(tab, label);
        }
        if !choice.badge.is_empty() {
            self.badge(tab, &choice.badge);
            self.unsay_last_badge();
        }
        if on {
            self.indicator(tab);
        }
    }

    /// A badge that its owner's description tells about is not a node of its own.
    fn unsay_last_badge(&mut self) {
        let disc = self.scene.nodes.iter().rposition(|node| node.access.as_ref().is_some_and(|a| !a.text.is_empty()));
        if let Some(node) = disc.and_then(|at| self.scene.nodes.get_mut(at)) {
            node.access = None;
        }
    }

    fn indicator(&mut self, tab: NodeIndex) {
        let mut style = fixed(base_style(), None, Some(self.px(3.0)));
        style.position = taffy::Position::Absolute;
        style.inset.bottom = taffy::LengthPercentageAuto::length(0.0);
        style.inset.left = taffy::LengthPercentageAuto::length(self.px(12.0));
        style.inset.right = taffy::LengthPercentageAuto::length(self.px(12.0));
        let fill = self.palette.role(ColorRole::Primary);
        let surface = Some(Surface { top_only: true, ..Surface::rounded(fill, self.px(3.0)) });
        self.add(tab, Node { style, surface, ..Node::default() });
    }

    /// A screen's tabs below its app bar.
    pub(super) fn screen_tabs(&mut self, page: NodeIndex, tabs: &Navigation) -> Built<()> {
        let id = tabs.id.as_ref().map_or("tabs", |id| id.value.as_str());
        let id = self.resource_id(id);
        let mut node = Self::layout_node("android.widget.HorizontalScrollView", &id);
        node.surface = Some(Surface::fill(self.palette.role(ColorRole::Surface)));
        self.tab_bar(page, node, &tabs.bind, &tabs.items, tabs.scrollable, &tabs.on_change)?;
        let line = self.line(0.0);
        self.add(page, Node { access: None, ..line });
        Ok(())
    }

    /// A screen's destinations, as a `BottomNavigationView` says them.
    pub(super) fn bottom_nav(&mut self, bottom: NodeIndex, nav: &Navigation) -> Built<()> {
        let choices = self.choices(&nav.items, &nav.bind)?;
        let current = self.string(&nav.bind.value);
        let id = self.resource_id(nav.id.as_ref().map_or("bottom_navigation", |id| id.value.as_str()));
        let surface = self.palette.role(ColorRole::Surface);
        let mut outer = Self::layout_node("android.widget.FrameLayout", &id);
        outer.style.size.height = taffy::Dimension::length(self.px(72.0));
        outer.surface = Some(Surface { elevation: self.px(3.0), ..Surface::fill(surface) });
        let outer = self.add(bottom, outer);
        let mut menu = Self::layout_node("android.view.ViewGroup", "");
        menu.style.flex_direction = taffy::FlexDirection::Row;
        menu.style.flex_grow = 1.0;
        let menu = self.add(outer, menu);
        for choice in choices {
            let on = choice.value.to_string() == current;
            let desc = choice.desc.clone().unwrap_or_else(|| choice.text.clone());
            let desc =
                if choice.badge.is_empty() { desc } else { format!("{desc}, {} new notifications", choice.badge) };
            let target = self.assign_target(&nav.bind, choice.value.clone(), &nav.on_change);
            let mut style = base_style();
            style.flex_grow = 1.0;
            style.flex_shrink = 1.0;
            style.flex_basis = taffy::Dimension::length(0.0);
            style.align_items = taffy::AlignItems::CENTER;
            style.justify_content = taffy::JustifyContent::CENTER;
            style.gap = self.gap(4.0);
            let item = self.add(
                menu,
                Node {
                    style,
                    access: Some(Access {
                        class: "android.widget.FrameLayout",
                        id: choice.id.clone(),
                        desc,
                        clickable: !on,
                        focusable: true,
                        selected: on,
                        tab: true,
                        ..Access::default()
                    }),
                    target: Some(target),
                    ..Node::default()
                },
            );
            self.destination(item, &choice, on);
        }
        Ok(())
    }

    fn destination(&mut self, item: NodeIndex, choice: &super::option::Resolved, on: bool) {
        let (pill, ink) = if on {
            (self.palette.role(ColorRole::Container), self.palette.role(ColorRole::OnContainer))
        } else {
            (CLEAR, self.palette.role(ColorRole::Muted))
        };
        let id = self.resource_id("navigation_bar_item_icon_container");
        let mut holder = Self::layout_node("android.widget.FrameLayout", &id);
        holder.style = fixed(holder.style, Some(self.px(60.0)), Some(self.px(32.0)));
        holder.style.align_items = taffy::AlignItems::CENTER;
        holder.style.justify_content = taffy::JustifyContent::CENTER;
        holder.surface = Some(Surface::rounded(pill, self.px(16.0)));
        let holder = self.add(item, holder);
        if let Some(icon) = choice.icon {
            let mut icon = self.drawn_icon(icon, 24.0, ink);
            icon.access = Some(Access {
                class: "android.widget.ImageView",
                id: self.resource_id("navigation_bar_item_icon_view"),
                selected: on,
                ..Access::default()
            });
            self.add(holder, icon);
        }
        if !choice.badge.is_empty() {
            self.badge(holder, &choice.badge);
            self.unsay_last_badge();
        }
        let id = self.resource_id("navigation_bar_item_labels_group");
        let group = self.add(item, Self::layout_node("android.view.ViewGroup", &id));
        let name = if on { "navigation_bar_item_large_label_view" } else { "navigation_bar_item_small_label_view" };
        let ink = self.palette.role(if on { ColorRole::OnSurface } else { ColorRole::Muted });
        let mut label = self.text_view(name, &choice.text, TextStyle::Caption, ink);
        if let Content::Text(block) = &mut label.content {
            block.face.medium = on;
            block.max_lines = Some(1);
        }
        if let Some(access) = &mut label.access {
            access.selected = on;
        }
        self.add(group, label);
    }

    /// A button of an app bar with an icon.
    pub(super) fn bar_button(&mut self, bar: NodeIndex, icon: IconName, desc: &str, target: Target) {
        let mut style = fixed(base_style(), Some(self.px(48.0)), Some(self.px(48.0)));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let button = self.add(
            bar,
            Node {
                style,
                access: Some(Access { desc: desc.to_owned(), ..Access::touchable("android.widget.ImageButton") }),
                target: Some(target),
                ..Node::default()
            },
        );
        let icon = self.drawn_icon(icon, 24.0, self.palette.role(ColorRole::OnSurface));
        self.add(button, icon);
    }

    /// The button that opens a screen's menu.
    pub(super) fn overflow(&mut self, bar: NodeIndex, entries: &[MenuEntry]) -> Built<()> {
        let mut rows = Vec::new();
        for entry in entries {
            if self.condition(entry.visible.as_ref())? {
                rows.push(PopupRow {
                    text: self.text(&entry.text)?,
                    checked: false,
                    enabled: self.condition(entry.enabled.as_ref())?,
                    target: Target::Run(entry.on_tap.clone(), None),
                });
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        let popup = Popup { kind: PopupKind::Menu, title: String::new(), rows };
        let first = self.scene.nodes.len();
        let more = in_language(&self.context.locale, "More options");
        self.bar_button(bar, IconName::More, more, Target::Popup(Arc::new(popup)));
        if let Some(access) = self.scene.nodes.get_mut(first).and_then(|node| node.access.as_mut()) {
            access.class = "android.widget.ImageView";
        }
        if let Some(node) = self.scene.nodes.get_mut(first) {
            node.style.size.width = taffy::Dimension::length(self.context.px(40.0).round());
        }
        Ok(())
    }

    /// The floating button over a screen's content.
    pub(super) fn fab(&mut self, parent: NodeIndex, fab: &Fab) -> Built<()> {
        if !self.condition(fab.visible.as_ref())? {
            return Ok(());
        }
        let text = self.optional_text(fab.text.as_ref())?.filter(|t| !t.is_empty());
        let desc = self.optional_text(fab.desc.as_ref())?.unwrap_or_default();
        let size = self.px(56.0);
        let mut style = fixed(base_style(), text.is_none().then_some(size), Some(size));
        style.position = taffy::Position::Absolute;
        style.inset.right = taffy::LengthPercentageAuto::length(self.px(16.0));
        // A snackbar pushes it up.
        let below = if self.snackbar.is_some() { 72.0 } else { 16.0 };
        style.inset.bottom = taffy::LengthPercentageAuto::length(self.px(below));
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        style.gap = self.gap(12.0);
        if text.is_some() {
            style.padding = self.edges(Edges { top: 0.0, right: 20.0, bottom: 0.0, left: 16.0 });
        }
        let fill = self.palette.role(ColorRole::Container);
        let ink = self.palette.role(ColorRole::OnContainer);
        let class = if text.is_some() { "android.widget.Button" } else { "android.widget.ImageButton" };
        let index = self.add(
            parent,
            Node {
                style,
                surface: Some(Surface { elevation: self.px(5.0), ..Surface::rounded(fill, self.px(16.0)) }),
                access: Some(Access {
                    class,
                    id: fab.id.as_ref().map(|id| self.resource_id(&id.value)).unwrap_or_default(),
                    text: text.clone().unwrap_or_default(),
                    desc,
                    clickable: true,
                    focusable: true,
                    ..Access::default()
                }),
                target: Some(Target::Run(fab.on_tap.clone(), None)),
                ..Node::default()
            },
        );
        let icon = self.drawn_icon(fab.icon, 24.0, ink);
        self.add(index, icon);
        if let Some(text) = text {
            let label = self.drawn_text(text, TextStyle::Label, ink);
            self.add(index, label);
        }
        Ok(())
    }

    /// The open drawer over everything of its screen.
    pub(super) fn drawer(&mut self, parent: NodeIndex, drawer: &Drawer) -> Built<()> {
        let mut style = base_style();
        style.position = taffy::Position::Absolute;
        style.inset = taffy::Rect::length(0.0);
        let scrim = self.add(
            parent,
            Node { style, surface: Some(Surface::fill(SCRIM)), target: Some(Target::CloseDrawer), ..Node::default() },
        );
        if let Some(node) = self.scene.nodes.get_mut(scrim) {
            node.extra.drag = Some(Drag::Drawer);
        }
        let id = self.resource_id("nav_view");
        let mut panel = Self::layout_node("android.widget.FrameLayout", &id);
        let width = (self.context.display.width as f32 - self.px(56.0)).min(self.px(320.0));
        panel.style.position = taffy::Position::Absolute;
        panel.style.inset.top = taffy::LengthPercentageAuto::length(0.0);
        panel.style.inset.bottom = taffy::LengthPercentageAuto::length(0.0);
        panel.style.inset.left = taffy::LengthPercentageAuto::length(0.0);
        panel.style.size.width = taffy::Dimension::length(width);
        panel.surface =
            Some(Surface { elevation: self.px(4.0), ..Surface::fill(self.palette.role(ColorRole::Surface)) });
        panel.target = Some(Target::Inert);
        panel.extra.drag = Some(Drag::Drawer);
        let panel = self.add(parent, panel);
        let id = self.resource_id("design_navigation_view");
        let mut list = Self::layout_node("androidx.recyclerview.widget.RecyclerView", &id);
        list.extra.recycles = true;
        if drawer.header.is_empty() {
            list.style.padding.top = taffy::LengthPercentage::length(self.px(STATUS_BAR + 8.0));
        }
        list.style.padding.bottom = taffy::LengthPercentage::length(self.px(GESTURE_BAR));
        self.make_scrolling(&mut list);
        let list = self.add(panel, list);
        if !drawer.header.is_empty() {
            let mut header = Self::layout_node("android.widget.LinearLayout", "");
            header.style.padding = self.edges(Edges { top: STATUS_BAR + 20.0, right: 16.0, bottom: 16.0, left: 16.0 });
            header.style.gap = self.gap(8.0);
            header.style.margin.bottom = taffy::LengthPercentageAuto::length(self.px(8.0));
            header.surface = Some(Surface::fill(self.palette.role(ColorRole::Container)));
            let header = self.add(list, header);
            self.widgets(header, &drawer.header, false)?;
        }
        self.widgets(list, &drawer.body, false)
    }

    /// The search field in place of an app bar's title.
    pub(super) fn bar_search(&mut self, bar: NodeIndex, search: &file::SearchBar) -> Built<()> {
        let mut common = search.common();
        common.grow = Some(1.0);
        self.search_bar(bar, search, &common, true)
    }

    /// A button of text alone.
    pub(super) fn text_button(
        &mut self,
        parent: NodeIndex,
        id: &str,
        text: &str,
        target: Target,
        color: super::super::palette::Rgba,
    ) {
        let mut style = fixed(base_style(), None, Some(self.px(40.0)));
        style.padding = self.edges(Edges::symmetric(0.0, 12.0));
        style.min_size.width = taffy::LengthPercentageAuto::length(self.px(48.0));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let index = self.add(
            parent,
            Node {
                style,
                access: Some(Access {
                    id: id.to_owned(),
                    text: text.to_owned(),
                    ..Access::touchable("android.widget.Button")
                }),
                target: Some(target),
                ..Node::default()
            },
        );
        let label = self.drawn_text(text, TextStyle::Label, color);
        self.add(index, label);
    }
}
