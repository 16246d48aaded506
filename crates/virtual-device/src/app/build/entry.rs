//! Widgets for entering values without a keyboard: keypads, wheels.

use super::super::file::{self, Axis, ColorRole, Common, TextAlign, TextStyle};
use super::super::palette::fade;
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{KeypadKey, Target, WheelTarget};
use super::{Builder, Built, base_style, fixed};
use rhai::Dynamic;
use std::sync::Arc;

impl Builder<'_> {
    pub(super) fn keypad(
        &mut self,
        parent: NodeIndex,
        w: &file::Keypad,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        let mut node = self.node(common, "android.widget.GridLayout", in_row)?;
        if common.padding.is_none() {
            node.style.padding = self.edges(file::Edges::all(6.0));
        }
        node.style.gap = self.gap(6.0);
        node.surface.get_or_insert(Surface::fill(self.palette.keypad()));
        node.left_to_right = true;
        let enabled = node.enabled;
        let grid = self.add(parent, node);
        let rows = ["123", "456", "789", if w.decimal { ".0<" } else { " 0<" }];
        for row in rows {
            let mut style = base_style();
            style.flex_direction = taffy::FlexDirection::Row;
            style.gap = self.gap(6.0);
            let line = self.add(grid, Node { style, ..Node::default() });
            for symbol in row.chars() {
                self.keypad_key(line, w, symbol, enabled);
            }
        }
        Ok(())
    }

    fn keypad_key(&mut self, row: NodeIndex, w: &file::Keypad, symbol: char, enabled: bool) {
        let mut style = fixed(base_style(), None, Some(self.px(52.0)));
        style.flex_grow = 1.0;
        style.flex_basis = taffy::Dimension::length(0.0);
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        if symbol == ' ' {
            self.add(row, Node { style, ..Node::default() });
            return;
        }
        let (key, name, desc, class) = match symbol {
            '<' => (KeypadKey::Delete, "delete".to_owned(), "Delete", "android.widget.ImageButton"),
            '.' => (KeypadKey::Character('.'), "point".to_owned(), "", "android.widget.TextView"),
            digit => (KeypadKey::Character(digit), digit.to_string(), "", "android.widget.TextView"),
        };
        let fill = if key == KeypadKey::Delete { self.palette.function_key() } else { self.palette.key() };
        let index = self.add(
            row,
            Node {
                style,
                surface: Some(Surface { elevation: self.px(0.5), ..Surface::rounded(fill, self.px(6.0)) }),
                access: Some(Access {
                    class,
                    id: if w.key_ids { self.resource_id(&format!("key_{name}")) } else { String::new() },
                    text: if key == KeypadKey::Delete { String::new() } else { symbol.to_string() },
                    desc: desc.to_owned(),
                    clickable: true,
                    focusable: true,
                    ..Access::default()
                }),
                target: Some(Target::Keypad {
                    variable: w.bind.value.clone(),
                    key,
                    length: w.length,
                    on_complete: w.on_complete.clone(),
                    locals: self.locals.clone(),
                }),
                enabled,
                ..Node::default()
            },
        );
        let face = if key == KeypadKey::Delete {
            self.drawn_icon(file::IconName::Backspace, 24.0, self.palette.ink())
        } else {
            self.drawn_text(symbol, TextStyle::Headline, self.palette.ink())
        };
        self.add(index, face);
    }

    pub(super) fn pin_dots(
        &mut self,
        parent: NodeIndex,
        w: &file::PinDots,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        let filled = self.string(&w.bind.value).chars().count();
        let mut node = self.node(common, "android.view.View", in_row)?;
        let size = self.px(48.0);
        let width = size * w.length as f32;
        node.style = fixed(node.style, Some(width), Some(size));
        node.style.align_self = node.style.align_self.or(Some(taffy::AlignItems::CENTER));
        node.content = Content::PinDots { filled, total: w.length };
        if let Some(access) = &mut node.access {
            access.focusable = true;
        }
        self.add(parent, node);
        Ok(())
    }

    pub(super) fn selector(
        &mut self,
        parent: NodeIndex,
        w: &file::Selector,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        let values = self.value(&w.items)?.into_array().unwrap_or_default();
        let current = self.string(&w.bind.value);
        let selected = values.iter().position(|item| item.to_string() == current).unwrap_or(0);
        let vertical = w.axis == Axis::Vertical;
        let class = if vertical { "android.widget.NumberPicker" } else { "android.widget.HorizontalScrollView" };
        let node = self.node(common, class, in_row)?;
        let labels = values.iter().map(ToString::to_string).collect();
        let wheel = Wheel { labels, values, selected, axis: w.axis, variable: &w.bind.value, on_change: &w.on_change };
        self.wheel(parent, node, &wheel);
        Ok(())
    }

    /// A wheel: the chosen value in the middle, two neighbours on either side. The dump shows what Android's
    /// `NumberPicker` does: the value as an `EditText` between two buttons with its neighbours.
    pub(super) fn wheel(&mut self, parent: NodeIndex, mut node: Node, wheel: &Wheel<'_>) {
        let vertical = wheel.axis == Axis::Vertical;
        let pitch = self.px(if vertical { 44.0 } else { 88.0 });
        if vertical {
            node.style.size.height = taffy::Dimension::length(pitch * 5.0);
        } else {
            node.style.flex_direction = taffy::FlexDirection::Row;
            node.style.justify_content = taffy::JustifyContent::CENTER;
            node.style.size.height = taffy::Dimension::length(self.px(56.0));
            node.style.overflow.x = taffy::Overflow::Hidden;
        }
        node.clips = true;
        if let Some(access) = &mut node.access {
            access.scrollable = true;
            // `NumberPicker` leaves the focus to the text within.
            access.focusable = !vertical;
        }
        node.target = Some(Target::Wheel(WheelTarget {
            variable: wheel.variable.to_owned(),
            items: Arc::new(wheel.values.clone()),
            selected: wheel.selected,
            axis: wheel.axis,
            pitch,
            on_change: wheel.on_change.clone(),
            locals: self.locals.clone(),
        }));
        let index = self.add(parent, node);
        for offset in -2_isize..=2 {
            let at = wheel.selected.checked_add_signed(offset);
            let item = at.and_then(|at| Some((wheel.labels.get(at)?, wheel.values.get(at)?)));
            self.wheel_value(index, wheel, item, offset, pitch, vertical);
        }
    }

    fn wheel_value(
        &mut self,
        index: NodeIndex,
        wheel: &Wheel<'_>,
        item: Option<(&String, &Dynamic)>,
        offset: isize,
        pitch: f32,
        vertical: bool,
    ) {
        let mut style =
            if vertical { fixed(base_style(), None, Some(pitch)) } else { fixed(base_style(), Some(pitch), None) };
        style.justify_content = taffy::JustifyContent::CENTER;
        let chosen = offset == 0;
        let near = offset.abs() <= 1;
        let text = item.map(|(label, _)| label.clone()).unwrap_or_default();
        let class = if chosen {
            "android.widget.EditText"
        } else if vertical {
            "android.widget.Button"
        } else {
            "android.widget.TextView"
        };
        let row = self.add(
            index,
            Node {
                style,
                surface: chosen.then(|| {
                    let tint = self.palette.tint(self.palette.role(ColorRole::Primary), 0.12);
                    Surface::rounded(tint, self.px(8.0))
                }),
                access: item.filter(|_| near).map(|_| Access {
                    class,
                    id: if chosen && vertical { "android:id/numberpicker_input".to_owned() } else { String::new() },
                    text: text.clone(),
                    clickable: !chosen,
                    // The neighbours are virtual buttons: they can be touched and held, and never take the focus.
                    focusable: chosen || !vertical,
                    long_clickable: vertical,
                    selected: chosen && !vertical,
                    ..Access::default()
                }),
                target: item.filter(|_| !chosen).map(|(_, value)| Target::Assign {
                    variable: wheel.variable.to_owned(),
                    value: value.clone(),
                    then: wheel.on_change.clone(),
                    locals: self.locals.clone(),
                }),
                ..Node::default()
            },
        );
        let ink = self.palette.role(ColorRole::OnSurface);
        let (style, color) = match offset.abs() {
            0 => (TextStyle::Title, self.palette.role(ColorRole::Primary)),
            1 => (TextStyle::Body, fade(ink, 0.6)),
            _ => (TextStyle::Body, fade(ink, 0.28)),
        };
        let mut label = self.drawn_text(text, style, color);
        if let Content::Text(block) = &mut label.content {
            block.align = TextAlign::Center;
            block.max_lines = Some(1);
        }
        self.add(row, label);
    }
}

/// Values on a wheel.
pub(super) struct Wheel<'a> {
    /// What stands on it.
    pub labels: Vec<String>,
    /// What the variable becomes.
    pub values: Vec<Dynamic>,
    /// Which one is chosen.
    pub selected: usize,
    /// Direction.
    pub axis: Axis,
    /// The variable.
    pub variable: &'a str,
    /// After every change.
    pub on_change: &'a file::Script,
}
