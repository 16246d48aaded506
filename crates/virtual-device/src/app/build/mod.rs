//! From the app file and the app's state to a scene.

mod calendar;
mod chrome;
mod clock;
mod container;
mod control;
mod entry;
mod field;
mod navigation;
mod option;
mod picture;
mod popup;
mod range;
mod snackbar;
mod stock;

use super::AppContext;
use super::expression::{ExpressionError, Expressions};
use super::file::{Align, AppFile, Axis, Common, Edges, Expression, Justify, Text, Widget};
use super::focus::Focus;
use super::palette::{Palette, Rgba};
use super::program::SnackbarState;
use super::scene::{Access, Content, Draft, Node, NodeIndex, ScrollArea, Surface};
use super::target::{Locals, Target};
use rhai::{Dynamic, Scope};
use std::collections::BTreeMap;
use taffy::prelude::{FromLength, TaffyAuto, length};

/// Height of the status bar, dp.
pub(super) const STATUS_BAR: f32 = 24.0;
/// Height of the gesture bar at the bottom, dp.
pub(super) const GESTURE_BAR: f32 = 24.0;

/// Everything a scene is made from.
pub(super) struct Builder<'a> {
    pub(super) file: &'a AppFile,
    pub(super) context: &'a AppContext,
    pub(super) palette: Palette,
    pub(super) expressions: &'a mut Expressions,
    pub(super) scope: &'a mut Scope<'static>,
    /// Which opening of a screen or dialog this is; keys of fields and scrolling containers begin with it.
    pub(super) instance: u64,
    pub(super) focus: Option<&'a Focus>,
    pub(super) scrolls: &'a BTreeMap<String, f32>,
    /// Height of the soft keyboard, pixels; 0 while hidden.
    pub(super) keyboard: f32,
    pub(super) scene: Draft,
    pub(super) locals: Locals,
    /// The navigation drawer is open.
    pub(super) drawer: bool,
    /// The message at the bottom, for the window of a screen.
    pub(super) snackbar: Option<&'a SnackbarState>,
    scroll_count: usize,
}

type Built<T> = Result<T, ExpressionError>;

impl<'a> Builder<'a> {
    #[expect(clippy::too_many_arguments, reason = "the parts of a running app, borrowed one by one")]
    pub(super) fn new(
        file: &'a AppFile,
        context: &'a AppContext,
        palette: Palette,
        expressions: &'a mut Expressions,
        scope: &'a mut Scope<'static>,
        instance: u64,
        focus: Option<&'a Focus>,
        scrolls: &'a BTreeMap<String, f32>,
        keyboard: f32,
    ) -> Self {
        Self {
            file,
            context,
            palette,
            expressions,
            scope,
            instance,
            focus,
            scrolls,
            keyboard,
            scene: Draft::default(),
            locals: None,
            drawer: false,
            snackbar: None,
            scroll_count: 0,
        }
    }

    /// dp in whole pixels.
    fn px(&self, dp: f32) -> f32 {
        self.context.px(dp).round()
    }

    /// A text of the file: string resource looked up, expressions filled in.
    fn text(&mut self, text: &Text) -> Built<String> {
        let source = self.context.wording.text(self.file, &self.context.locale, &text.value);
        self.expressions.text(source, self.scope)
    }

    fn optional_text(&mut self, text: Option<&Text>) -> Built<Option<String>> {
        text.map(|t| self.text(t)).transpose()
    }

    fn value(&mut self, expression: &Expression) -> Built<Dynamic> {
        self.expressions.value(&expression.value.0, self.scope)
    }

    fn condition(&mut self, expression: Option<&Expression>) -> Built<bool> {
        expression.map_or(Ok(true), |e| self.expressions.condition(&e.value.0, self.scope))
    }

    fn flag(&self, variable: &str) -> bool {
        self.scope.get_value::<bool>(variable).unwrap_or(false)
    }

    fn string(&self, variable: &str) -> String {
        self.scope.get(variable).map(ToString::to_string).unwrap_or_default()
    }

    fn resource_id(&self, name: &str) -> String {
        if name.contains(':') {
            name.to_owned()
        } else {
            format!("{}:id/{}", self.file.package(), self.context.wording.id(name))
        }
    }

    /// Adds a node below `parent`.
    fn add(&mut self, parent: NodeIndex, node: Node) -> NodeIndex {
        self.scene.add(Some(parent), node)
    }

    /// All widgets of a list, in order.
    fn widgets(&mut self, parent: NodeIndex, widgets: &[Widget], in_row: bool) -> Built<()> {
        widgets.iter().try_for_each(|widget| self.widget(parent, widget, in_row))
    }

    fn widget(&mut self, parent: NodeIndex, widget: &Widget, in_row: bool) -> Built<()> {
        let common = widget.common();
        if !self.condition(common.visible)? {
            return Ok(());
        }
        let first = self.scene.nodes.len();
        self.kind(parent, widget, &common, in_row)?;
        self.finish(first, widget, &common)
    }

    fn kind(&mut self, parent: NodeIndex, widget: &Widget, common: &Common<'_>, in_row: bool) -> Built<()> {
        match widget {
            Widget::Column(w) => {
                let mut node = self.node(common, "android.widget.LinearLayout", in_row)?;
                node.style.gap = self.gap(w.gap);
                node.style.justify_content = justify(w.justify);
                node.style.align_items = align(w.align.unwrap_or(Align::Stretch));
                let index = self.add(parent, node);
                self.widgets(index, &w.children, false)
            }
            Widget::Row(w) => {
                let mut node = self.node(common, "android.widget.LinearLayout", in_row)?;
                node.style.flex_direction = taffy::FlexDirection::Row;
                node.style.gap = self.gap(w.gap);
                node.style.justify_content = justify(w.justify);
                node.style.align_items = align(w.align.unwrap_or(Align::Center));
                let index = self.add(parent, node);
                self.widgets(index, &w.children, true)
            }
            Widget::Card(w) => {
                let mut node = self.node(common, "androidx.cardview.widget.CardView", in_row)?;
                let fill = common.background.map_or(self.palette.surface(), |c| self.palette.fill(c));
                let radius = self.px(common.radius.unwrap_or(12.0));
                let flat = Surface::rounded(fill, radius);
                node.surface = Some(if w.outlined {
                    Surface { border: Some((self.palette.role(super::file::ColorRole::Outline), self.px(1.0))), ..flat }
                } else {
                    Surface { elevation: self.px(2.0), ..flat }
                });
                if common.padding.is_none() {
                    node.style.padding = self.edges(Edges::all(16.0));
                }
                node.style.gap = self.gap(w.gap);
                let index = self.add(parent, node);
                self.widgets(index, &w.children, false)
            }
            Widget::Canvas(w) => {
                let mut node = self.node(common, "android.view.View", in_row)?;
                node.style.gap = self.gap(w.gap);
                node.opaque = true;
                let index = self.add(parent, node);
                self.widgets(index, &w.children, false)
            }
            other => self.container(parent, other, common, in_row),
        }
    }

    /// A node with what all widgets share.
    fn node(&mut self, common: &Common<'_>, class: &'static str, in_row: bool) -> Built<Node> {
        let desc = self.optional_text(common.desc)?.unwrap_or_default();
        let enabled = self.condition(common.enabled)?;
        let clickable = !common.on_tap.is_empty();
        let mut style = base_style();
        if let Some(grow) = common.grow {
            style.flex_grow = grow;
            style.flex_shrink = 1.0;
            style.flex_basis = taffy::Dimension::length(0.0);
            let zero = taffy::LengthPercentageAuto::from_length(0.0);
            if in_row {
                style.min_size.width = zero;
            } else {
                style.min_size.height = zero;
            }
        }
        if let Some(width) = common.width {
            style.size.width = taffy::Dimension::length(self.px(width));
        }
        if let Some(height) = common.height {
            style.size.height = taffy::Dimension::length(self.px(height));
        }
        if let Some(padding) = common.padding {
            style.padding = self.edges(padding);
        }
        if let Some(margin) = common.margin {
            let auto = |dp: f32| taffy::LengthPercentageAuto::from_length(self.px(dp));
            style.margin = taffy::Rect {
                left: auto(margin.left),
                right: auto(margin.right),
                top: auto(margin.top),
                bottom: auto(margin.bottom),
            };
        }
        style.align_self = common.align_self.map(align);
        let radius = self.px(common.radius.unwrap_or(0.0));
        Ok(Node {
            style,
            surface: common.background.map(|c| Surface::rounded(self.palette.fill(c), radius)),
            access: Some(Access {
                class,
                id: common.id.map(|id| self.resource_id(&id.value)).unwrap_or_default(),
                desc,
                clickable,
                focusable: clickable,
                long_clickable: !common.on_long_press.is_empty(),
                ..Access::default()
            }),
            target: clickable.then(|| Target::Run(common.on_tap.clone(), self.locals.clone())),
            on_long_press: (!common.on_long_press.is_empty())
                .then(|| (common.on_long_press.clone(), self.locals.clone())),
            enabled,
            ..Node::default()
        })
    }

    /// What any widget can have and no widget's own code needs to know.
    fn finish(&mut self, first: NodeIndex, widget: &Widget, common: &Common<'_>) -> Built<()> {
        let selected = common.selected.map(|e| self.condition(Some(e))).transpose()?;
        let badge = self.optional_text(common.badge)?.filter(|text| !text.is_empty());
        let max_width = common.max_width.map(|dp| self.px(dp));
        // A field's outer layout comes before the text box that it is known by.
        let speaking = match widget {
            Widget::Field(_) => first + 1,
            Widget::SearchBar(_) => first + 2,
            _ => first,
        };
        if let Some(align) = common.align_text {
            for node in self.scene.nodes.iter_mut().skip(first) {
                if let Content::Text(block) = &mut node.content {
                    block.align = align;
                }
            }
        }
        let Some(node) = self.scene.nodes.get_mut(first) else { return Ok(()) };
        node.extra.opacity = common.opacity.map(|opacity| opacity.clamp(0.0, 1.0));
        if let Some(width) = max_width {
            node.style.max_size.width = taffy::LengthPercentageAuto::from_length(width);
        }
        let Some(node) = self.scene.nodes.get_mut(speaking) else { return Ok(()) };
        node.extra.quirk = common.quirk;
        common.testtag.unwrap_or_default().clone_into(&mut node.extra.testtag);
        if let Some(access) = &mut node.access {
            access.clickable = common.clickable.unwrap_or(access.clickable);
            access.focusable = common.focusable.unwrap_or(access.focusable);
            access.selected = selected.unwrap_or(access.selected);
        }
        if common.important == Some(false) {
            node.access = None;
        }
        if let Some(text) = badge {
            self.badge(first, &text);
        }
        Ok(())
    }

    /// Makes a node fill what is free and scroll its children.
    fn make_scrolling(&mut self, node: &mut Node) {
        if node.style.size.height == taffy::Dimension::AUTO {
            node.style.flex_grow = node.style.flex_grow.max(1.0);
            node.style.flex_shrink = 1.0;
            node.style.flex_basis = taffy::Dimension::length(0.0);
        }
        node.style.min_size.height = taffy::LengthPercentageAuto::from_length(0.0);
        node.style.overflow.y = taffy::Overflow::Hidden;
        self.scroll_area(node, Axis::Vertical);
    }

    /// Makes a node scroll its children sideways.
    fn make_scrolling_sideways(&mut self, node: &mut Node) {
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.min_size.width = taffy::LengthPercentageAuto::from_length(0.0);
        node.style.overflow.x = taffy::Overflow::Hidden;
        self.scroll_area(node, Axis::Horizontal);
    }

    fn scroll_area(&mut self, node: &mut Node, axis: Axis) {
        let key = self.view_key("scroll");
        node.clips = true;
        let offset = self.view(&key).unwrap_or(0.0);
        node.scroll = Some(ScrollArea { key, offset, axis, ..ScrollArea::default() });
    }

    /// A key for what a view keeps itself: the same one each time its screen is built.
    fn view_key(&mut self, kind: &str) -> String {
        let key = format!("{}:{kind}{}", self.instance, self.scroll_count);
        self.scroll_count += 1;
        key
    }

    /// What a view keeps under a key.
    fn view(&self, key: &str) -> Option<f32> {
        self.scrolls.get(key).copied()
    }

    fn gap(&self, dp: f32) -> taffy::Size<taffy::LengthPercentage> {
        let gap = taffy::LengthPercentage::length(self.px(dp));
        taffy::Size { width: gap, height: gap }
    }

    fn edges(&self, edges: Edges) -> taffy::Rect<taffy::LengthPercentage> {
        let side = |dp: f32| taffy::LengthPercentage::length(self.px(dp));
        taffy::Rect {
            left: side(edges.left),
            right: side(edges.right),
            top: side(edges.top),
            bottom: side(edges.bottom),
        }
    }

    /// A colour for text or an icon.
    fn color(&self, color: Option<super::file::Color>, otherwise: Rgba) -> Rgba {
        color.map_or(otherwise, |c| self.palette.color(c))
    }

    /// A colour for an area.
    fn fill(&self, color: Option<super::file::Color>, otherwise: Rgba) -> Rgba {
        color.map_or(otherwise, |c| self.palette.fill(c))
    }
}

/// A flex container from top to bottom that keeps its size.
pub(super) fn base_style() -> taffy::Style {
    taffy::Style {
        display: taffy::Display::Flex,
        // What floats stands relative to its parent, not to the window.
        position: taffy::Position::Relative,
        flex_direction: taffy::FlexDirection::Column,
        flex_shrink: 0.0,
        align_items: taffy::AlignItems::STRETCH,
        size: taffy::Size { width: taffy::Dimension::auto(), height: taffy::Dimension::auto() },
        ..taffy::Style::default()
    }
}

/// Fixed size in pixels.
pub(super) fn fixed(mut style: taffy::Style, width: Option<f32>, height: Option<f32>) -> taffy::Style {
    let side = |s: Option<f32>| s.map_or(taffy::Dimension::AUTO, length::<f32, taffy::Dimension>);
    style.size = taffy::Size { width: side(width), height: side(height) };
    style
}

pub(super) fn align(align: Align) -> taffy::AlignItems {
    match align {
        Align::Start => taffy::AlignItems::FLEX_START,
        Align::Center => taffy::AlignItems::CENTER,
        Align::End => taffy::AlignItems::FLEX_END,
        Align::Stretch => taffy::AlignItems::STRETCH,
    }
}

pub(super) fn justify(justify: Justify) -> taffy::JustifyContent {
    match justify {
        Justify::Start => taffy::JustifyContent::FLEX_START,
        Justify::Center => taffy::JustifyContent::CENTER,
        Justify::End => taffy::JustifyContent::FLEX_END,
        Justify::Between => taffy::JustifyContent::SPACE_BETWEEN,
    }
}

/// A string resource in the locale's own form, its language's, English, or any; other texts as they are.
pub(super) fn string_resource<'f>(file: &'f AppFile, locale: &str, text: &'f str) -> &'f str {
    let Some(name) = text.strip_prefix('@') else { return text };
    let strings = &file.document().strings;
    let language = locale.split(['-', '_']).next().unwrap_or(locale);
    [locale, language, "en"]
        .iter()
        .filter_map(|locale| strings.get(*locale))
        .chain(strings.values())
        .find_map(|names| names.get(name))
        .map_or(text, String::as_str)
}
