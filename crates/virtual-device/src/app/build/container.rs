//! Widgets that hold others: lists, pages, rows that open or are swiped aside.

use super::super::file::{self, Axis, ColorRole, Common, Dialect, IconName, Located, TextStyle, Widget};
use super::super::palette::{WHITE, mix};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{Drag, PagerTarget, Place, Target};
use super::{Builder, Built, align, base_style, fixed, justify};
use rhai::Dynamic;
use std::sync::Arc;

impl Builder<'_> {
    /// A widget that holds others, of the kinds that are more than a box.
    pub(super) fn container(
        &mut self,
        parent: NodeIndex,
        widget: &Widget,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        match widget {
            Widget::Stack(w) => self.stack(parent, w, common, in_row),
            Widget::Wrap(w) => {
                let mut node = self.node(common, "android.view.ViewGroup", in_row)?;
                node.style.flex_direction = taffy::FlexDirection::Row;
                node.style.flex_wrap = taffy::FlexWrap::Wrap;
                node.style.align_items = taffy::AlignItems::CENTER;
                node.style.gap = self.gap(w.gap);
                let index = self.add(parent, node);
                self.widgets(index, &w.children, true)
            }
            Widget::Scroll(w) => self.scroll(parent, w, common, in_row),
            Widget::List(w) => self.list(parent, w, common, in_row),
            Widget::Pager(w) => self.pager(parent, w, common, in_row),
            Widget::Expandable(w) => self.expandable(parent, w, common, in_row),
            Widget::SwipeRow(w) => self.swipe_row(parent, w, common, in_row),
            Widget::Banner(w) => self.banner(parent, w, common, in_row),
            Widget::Table(w) => self.table(parent, w, common, in_row),
            Widget::Foreign(w) => {
                let mut node = self.node(common, "android.widget.FrameLayout", in_row)?;
                node.style.gap = self.gap(w.gap);
                node.extra.dialect = Some(w.kind);
                if let (Dialect::Web, Some(title), Some(access)) = (w.kind, &w.title, &mut node.access) {
                    access.desc = self.text(title)?;
                }
                let index = self.add(parent, node);
                self.widgets(index, &w.children, false)
            }
            other => self.leaf(parent, other, common, in_row),
        }
    }

    fn stack(&mut self, parent: NodeIndex, w: &file::Stack, common: &Common<'_>, in_row: bool) -> Built<()> {
        let mut node = self.node(common, "android.widget.FrameLayout", in_row)?;
        node.style.justify_content = justify(w.justify);
        node.style.align_items = w.align.map_or(taffy::AlignItems::FLEX_START, align);
        let index = self.add(parent, node);
        self.widgets(index, &w.children, false)?;
        let children = self.scene.nodes.get(index).map(|node| node.children.clone()).unwrap_or_default();
        for (at, child) in children.into_iter().enumerate() {
            let Some(node) = self.scene.nodes.get_mut(child) else { continue };
            if at == 0 {
                node.style.align_self = node.style.align_self.or(Some(taffy::AlignItems::STRETCH));
                continue;
            }
            node.style.position = taffy::Position::Absolute;
            if node.style.align_self == Some(taffy::AlignItems::STRETCH) {
                node.style.inset.left = taffy::LengthPercentageAuto::length(0.0);
                node.style.inset.right = taffy::LengthPercentageAuto::length(0.0);
            }
        }
        Ok(())
    }

    fn scroll(&mut self, parent: NodeIndex, w: &file::Scroll, common: &Common<'_>, in_row: bool) -> Built<()> {
        let vertical = w.axis == Axis::Vertical;
        let class = if vertical { "android.widget.ScrollView" } else { "android.widget.HorizontalScrollView" };
        let mut node = self.node(common, class, in_row)?;
        let mut inner = Self::layout_node("android.widget.LinearLayout", "");
        inner.style.gap = self.gap(w.gap);
        inner.style.padding = std::mem::replace(&mut node.style.padding, taffy::Rect::zero());
        if vertical {
            self.make_scrolling(&mut node);
        } else {
            self.make_scrolling_sideways(&mut node);
            inner.style.flex_direction = taffy::FlexDirection::Row;
            inner.style.align_items = taffy::AlignItems::CENTER;
        }
        let index = self.add(parent, node);
        let inner = self.add(index, inner);
        self.widgets(inner, &w.children, !vertical)
    }

    fn list(&mut self, parent: NodeIndex, w: &file::List, common: &Common<'_>, in_row: bool) -> Built<()> {
        let items = self.value(&w.items)?.into_array().unwrap_or_default();
        let sideways = w.axis == Axis::Horizontal;
        let scrolls = w.scroll || sideways;
        let class = if scrolls { "androidx.recyclerview.widget.RecyclerView" } else { "android.widget.LinearLayout" };
        let mut node = self.node(common, class, in_row)?;
        node.style.gap = self.gap(w.gap);
        node.extra.recycles = scrolls;
        if sideways {
            self.make_scrolling_sideways(&mut node);
            node.style.align_items = taffy::AlignItems::STRETCH;
        } else if w.scroll {
            self.make_scrolling(&mut node);
        }
        if let Some(area) = &mut node.scroll {
            area.on_end = (!w.on_end.is_empty()).then(|| (w.on_end.clone(), self.locals.clone()));
            area.refresh = (!w.refresh.is_empty()).then(|| (w.refresh.clone(), self.locals.clone()));
        }
        let index = self.add(parent, node);
        let columns = w.columns.filter(|&n| n > 1 && !sideways);
        let outer = self.locals.take();
        let depth = self.scope.len();
        let mut result = Ok(());
        let mut row = index;
        let count = items.len();
        for (at, item) in items.into_iter().enumerate() {
            if w.dividers && at > 0 && columns.is_none() && !sideways {
                let line = self.line(0.0);
                self.add(index, Node { access: None, ..line });
            }
            let mut place = index;
            if let Some(columns) = columns {
                if at % columns == 0 {
                    row = self.plain_row(index, w.gap);
                }
                place = self.cell(row);
            }
            self.scope.push_dynamic("item", item.clone());
            self.scope.push("index", at as i64);
            self.locals = Some(Arc::new((item, at as i64)));
            result = self.widgets(place, &w.item, sideways);
            self.scope.rewind(depth);
            if result.is_err() {
                break;
            }
        }
        self.locals = outer;
        // The last row is filled up, so that its cells are as wide as the others.
        if let Some(columns) = columns {
            for _ in 0..(columns - count % columns) % columns {
                self.cell(row);
            }
        }
        result
    }

    fn plain_row(&mut self, parent: NodeIndex, gap: f32) -> NodeIndex {
        let mut style = base_style();
        style.flex_direction = taffy::FlexDirection::Row;
        style.gap = self.gap(gap);
        self.add(parent, Node { style, ..Node::default() })
    }

    /// An equal share of a row.
    pub(super) fn cell(&mut self, row: NodeIndex) -> NodeIndex {
        let mut style = base_style();
        style.flex_grow = 1.0;
        style.flex_shrink = 1.0;
        style.flex_basis = taffy::Dimension::length(0.0);
        style.min_size.width = taffy::LengthPercentageAuto::length(0.0);
        self.add(row, Node { style, ..Node::default() })
    }

    fn pager(&mut self, parent: NodeIndex, w: &file::Pager, common: &Common<'_>, in_row: bool) -> Built<()> {
        let count = w.pages.len();
        let key = self.view_key("page");
        let (place, page) = if let Some(bind) = &w.bind {
            let page = self.scope.get_value::<i64>(&bind.value).unwrap_or(0);
            (Place::Variable(bind.value.clone()), usize::try_from(page).unwrap_or(0))
        } else {
            let page = self.view(&key).unwrap_or(0.0) as usize;
            (Place::View(key), page)
        };
        let page = page.min(count.saturating_sub(1));
        let mut node = self.node(common, "androidx.viewpager.widget.ViewPager", in_row)?;
        node.extra.drag = Some(Drag::Pager(PagerTarget {
            place,
            page,
            count,
            on_change: w.on_change.clone(),
            locals: self.locals.clone(),
        }));
        if let Some(access) = &mut node.access {
            access.scrollable = count > 1;
            access.focusable = true;
        }
        let index = self.add(parent, node);
        let mut sheet = Self::layout_node("android.widget.LinearLayout", "");
        sheet.style.flex_grow = 1.0;
        let sheet = self.add(index, sheet);
        if let Some(widgets) = w.pages.get(page) {
            self.widgets(sheet, widgets, false)?;
        }
        if w.dots {
            self.dots(index, page, count);
        }
        Ok(())
    }

    fn dots(&mut self, parent: NodeIndex, page: usize, count: usize) {
        let mut style = fixed(base_style(), None, Some(self.px(24.0)));
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        style.gap = self.gap(8.0);
        let row = self.add(parent, Node { style, ..Node::default() });
        for at in 0..count {
            let color = self.palette.role(if at == page { ColorRole::Primary } else { ColorRole::Divider });
            let dot = self.disc(8.0, color);
            self.add(row, dot);
        }
    }

    fn expandable(&mut self, parent: NodeIndex, w: &file::Expandable, common: &Common<'_>, in_row: bool) -> Built<()> {
        let key = self.view_key("open");
        let (open, target) = if let Some(bind) = &w.bind {
            let open = self.flag(&bind.value);
            (open, self.assign_target(bind, Dynamic::from(!open), common.on_tap))
        } else {
            let open = self.view(&key).is_some_and(|open| open > 0.0);
            (open, Target::View(key, if open { 0.0 } else { 1.0 }))
        };
        let mut node = self.node(common, "android.widget.LinearLayout", in_row)?;
        node.target = None;
        let enabled = node.enabled;
        let index = self.add(parent, node);
        let mut header = Self::layout_node("android.view.ViewGroup", "");
        header.style.flex_direction = taffy::FlexDirection::Row;
        header.style.align_items = taffy::AlignItems::CENTER;
        header.style.gap = self.gap(16.0);
        header.style.padding = self.edges(file::Edges::symmetric(8.0, 16.0));
        header.style.min_size.height = taffy::LengthPercentageAuto::length(self.px(56.0));
        header.target = Some(target);
        header.enabled = enabled;
        if let Some(access) = &mut header.access {
            access.clickable = true;
            access.focusable = true;
        }
        let header = self.add(index, header);
        if let Some(icon) = w.icon {
            let icon = self.drawn_icon(icon, 24.0, self.palette.role(ColorRole::Muted));
            self.add(header, icon);
        }
        let texts = self.cell(header);
        let title = self.text(&w.title)?;
        let ink = self.palette.role(ColorRole::OnSurface);
        let view = self.text_view("", &title, TextStyle::Body, ink);
        self.add(texts, view);
        if let Some(subtitle) = self.optional_text(w.subtitle.as_ref())?.filter(|s| !s.is_empty()) {
            let view = self.text_view("", &subtitle, TextStyle::Small, self.palette.role(ColorRole::Muted));
            self.add(texts, view);
        }
        let arrow = if open { IconName::ChevronUp } else { IconName::ChevronDown };
        let mut arrow = self.drawn_icon(arrow, 24.0, self.palette.role(ColorRole::Muted));
        arrow.access = Some(Access {
            class: "android.widget.ImageView",
            desc: if open { "Collapse" } else { "Expand" }.to_owned(),
            ..Access::default()
        });
        self.add(header, arrow);
        if open { self.widgets(index, &w.children, false) } else { Ok(()) }
    }

    fn swipe_row(&mut self, parent: NodeIndex, w: &file::SwipeRow, common: &Common<'_>, in_row: bool) -> Built<()> {
        let at = self.locals.as_ref().map_or(0, |locals| locals.1);
        let key = format!("{}:row{at}:{}", self.instance, w.actions.first().map_or("", |a| a.text.value.as_str()));
        let shown = self.view(&key).is_some_and(|shown| shown > 0.0);
        let mut node = self.node(common, "android.widget.FrameLayout", in_row)?;
        node.clips = true;
        node.style.overflow.x = taffy::Overflow::Hidden;
        node.extra.drag = Some(Drag::Row {
            key: key.clone(),
            last: w.actions.last().map(|action| action.on_tap.clone()),
            locals: self.locals.clone(),
        });
        let index = self.add(parent, node);
        let width = 80.0;
        if shown {
            let mut style = base_style();
            style.flex_direction = taffy::FlexDirection::Row;
            style.position = taffy::Position::Absolute;
            style.inset.top = taffy::LengthPercentageAuto::length(0.0);
            style.inset.bottom = taffy::LengthPercentageAuto::length(0.0);
            style.inset.right = taffy::LengthPercentageAuto::length(0.0);
            let behind = self.add(index, Node { style, ..Node::default() });
            for action in &w.actions {
                self.row_action(behind, action, width, &key)?;
            }
        }
        let mut content = Self::layout_node("android.widget.LinearLayout", "");
        content.surface = Some(Surface::fill(self.palette.role(ColorRole::Surface)));
        if shown {
            let shift = self.px(width) * w.actions.len() as f32;
            content.style.inset.left = taffy::LengthPercentageAuto::length(-shift);
            content.target = Some(Target::View(key, 0.0));
        }
        let content = self.add(index, content);
        self.widgets(content, &w.children, false)
    }

    fn row_action(&mut self, parent: NodeIndex, action: &file::RowAction, width: f32, key: &str) -> Built<()> {
        let text = self.text(&action.text)?;
        let fill = self.color(action.color, self.palette.role(ColorRole::Error));
        let mut style = fixed(base_style(), Some(self.px(width)), None);
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        style.gap = self.gap(2.0);
        let class = if action.icon.is_some() { "android.widget.ImageButton" } else { "android.widget.Button" };
        let said = if action.icon.is_some() { (String::new(), text.clone()) } else { (text.clone(), String::new()) };
        let button = self.add(
            parent,
            Node {
                style,
                surface: Some(Surface::fill(fill)),
                access: Some(Access {
                    class,
                    id: action.id.as_ref().map(|id| self.resource_id(&id.value)).unwrap_or_default(),
                    text: said.0,
                    desc: said.1,
                    clickable: true,
                    focusable: true,
                    ..Access::default()
                }),
                // The row closes before its action runs, as the rows after a deleted one move up.
                target: Some(Target::ViewThen(key.to_owned(), 0.0, action.on_tap.clone(), self.locals.clone())),
                ..Node::default()
            },
        );
        if let Some(icon) = action.icon {
            let icon = self.drawn_icon(icon, 24.0, WHITE);
            self.add(button, icon);
        }
        let label = self.drawn_text(text, TextStyle::Caption, WHITE);
        self.add(button, label);
        Ok(())
    }

    fn banner(&mut self, parent: NodeIndex, w: &file::Banner, common: &Common<'_>, in_row: bool) -> Built<()> {
        let mut node = self.node(common, "android.widget.LinearLayout", in_row)?;
        let primary = self.palette.role(ColorRole::Primary);
        let base = self.color(w.color, primary);
        let surface = self.palette.role(ColorRole::Surface);
        let fill = common.background.map_or_else(|| mix(base, surface, 0.88), |c| self.palette.color(c));
        node.surface = Some(Surface::rounded(fill, self.px(common.radius.unwrap_or(12.0))));
        if common.padding.is_none() {
            node.style.padding = self.edges(file::Edges { top: 12.0, right: 16.0, bottom: 12.0, left: 16.0 });
        }
        let index = self.add(parent, node);
        let line = self.plain_row(index, 16.0);
        if let Some(node) = self.scene.nodes.get_mut(line) {
            node.style.align_items = taffy::AlignItems::CENTER;
        }
        if let Some(icon) = w.icon {
            let mut icon = self.drawn_icon(icon, 24.0, base);
            icon.access = Some(Access { class: "android.widget.ImageView", ..Access::default() });
            self.add(line, icon);
        }
        let text = self.text(&w.text)?;
        let cell = self.cell(line);
        let view = self.text_view("", &text, TextStyle::Small, self.palette.role(ColorRole::OnSurface));
        self.add(cell, view);
        if w.actions.is_empty() {
            return Ok(());
        }
        let buttons = self.plain_row(index, 8.0);
        if let Some(node) = self.scene.nodes.get_mut(buttons) {
            node.style.justify_content = taffy::JustifyContent::FLEX_END;
            node.style.padding.top = taffy::LengthPercentage::length(self.context.px(4.0).round());
        }
        for action in &w.actions {
            let text = self.text(&action.text)?;
            let id = action.id.as_ref().map(|id| self.resource_id(&id.value)).unwrap_or_default();
            let target = Target::Run(action.on_tap.clone(), self.locals.clone());
            let color = self.color(action.color, primary);
            self.text_button(buttons, &id, &text, target, color);
        }
        Ok(())
    }

    fn table(&mut self, parent: NodeIndex, w: &file::Table, common: &Common<'_>, in_row: bool) -> Built<()> {
        let node = self.node(common, "android.widget.TableLayout", in_row)?;
        let index = self.add(parent, node);
        for (at, row) in w.rows.iter().enumerate() {
            if at > 0 {
                let line = self.line(0.0);
                self.add(index, Node { access: None, ..line });
            }
            let mut line = Self::layout_node("android.widget.TableRow", "");
            line.style.flex_direction = taffy::FlexDirection::Row;
            line.style.gap = self.gap(8.0);
            line.style.padding = self.edges(file::Edges::symmetric(10.0, 0.0));
            let line = self.add(index, line);
            for text in row {
                let text = self.text(text)?;
                let heading = w.header && at == 0;
                let (style, role) = if heading {
                    (TextStyle::Label, ColorRole::Muted)
                } else {
                    (TextStyle::Small, ColorRole::OnSurface)
                };
                let cell = self.cell(line);
                let mut view = self.text_view("", &text, style, self.palette.role(role));
                if let (Content::Text(block), Some(align)) = (&mut view.content, common.align_text) {
                    block.align = align;
                }
                self.add(cell, view);
            }
        }
        Ok(())
    }

    /// The place of a widget's own state: a variable, or the view.
    pub(super) fn bound_key(&self, kind: &str, bind: &Located<String>) -> String {
        let at = self.locals.as_ref().map_or(0, |locals| locals.1);
        format!("{}:{kind}:{}:{at}", self.instance, bind.value)
    }
}
