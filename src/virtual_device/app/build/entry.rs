//! Widgets for entering values: text fields, keypads, wheels.

use super::super::file::{self, Axis, ColorRole, Common, InputType, TextAlign, TextStyle};
use super::super::palette::fade;
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{FieldTarget, KeypadKey, Target, WheelTarget};
use super::{Builder, Built, base_style, fixed};
use rhai::Dynamic;
use std::sync::Arc;

impl Builder<'_> {
    pub(super) fn field(&mut self, parent: NodeIndex, w: &file::Field, common: &Common<'_>, in_row: bool) -> Built<()> {
        let label = self.optional_text(w.label.as_ref())?;
        let hint = self.optional_text(w.hint.as_ref())?;
        let error = self.optional_text(w.error.as_ref())?.filter(|e| !e.is_empty());
        let value = self.string(&w.bind.value);
        let shown = if w.input == InputType::Password { "•".repeat(value.chars().count()) } else { value.clone() };
        let at = self.locals.as_ref().map_or(0, |l| l.1);
        let key = format!("{}:{}:{at}", self.instance, w.bind.value);
        let focus = self.focus.filter(|f| f.key == key);
        let focused = focus.is_some();

        // The outer layout carries size and margin, the inner EditText the id and everything else.
        let mut outer = self.node(common, "android.widget.LinearLayout", in_row)?;
        let enabled = outer.enabled;
        outer.access = Some(Access { class: "android.widget.LinearLayout", ..Access::default() });
        outer.target = None;
        outer.style.padding.top = taffy::LengthPercentage::length(self.px(if label.is_some() { 8.0 } else { 0.0 }));
        let outer = self.add(parent, outer);

        let floating = focused || !value.is_empty();
        let empty_text = label.clone().filter(|_| !floating).or_else(|| hint.clone()).unwrap_or_default();
        let accent = match (&error, focused) {
            (Some(_), _) => self.palette.role(ColorRole::Error),
            (None, true) => self.palette.role(ColorRole::Primary),
            (None, false) => self.palette.role(ColorRole::Outline),
        };
        let accent = if enabled { accent } else { fade(accent, 0.4) };
        let mut style = fixed(base_style(), None, Some(self.px(56.0)));
        style.padding = self.edges(file::Edges::symmetric(0.0, 16.0));
        style.justify_content = taffy::JustifyContent::CENTER;
        style.overflow.x = taffy::Overflow::Hidden;
        let frame = Content::FieldFrame {
            color: accent,
            width: self.px(if focused { 2.0 } else { 1.0 }),
            label: label.as_ref().filter(|_| floating).map(|text| {
                let color = if focused || error.is_some() { accent } else { self.palette.role(ColorRole::Muted) };
                Box::new(self.block(text.clone(), TextStyle::Caption, color))
            }),
        };
        let desc = self.optional_text(common.desc)?.unwrap_or_default();
        let id = common.id.map(|id| self.resource_id(&id.value)).unwrap_or_default();
        let edit = self.add(
            outer,
            Node {
                style,
                content: frame,
                clips: true,
                enabled,
                access: Some(Access {
                    class: "android.widget.EditText",
                    id,
                    // An empty TextView reports its hint as its text (TextView.getTextForAccessibility).
                    text: if value.is_empty() {
                        label.clone().or_else(|| hint.clone()).unwrap_or_default()
                    } else {
                        shown.clone()
                    },
                    desc,
                    hint: hint.or(label).unwrap_or_default(),
                    clickable: true,
                    focusable: true,
                    focused,
                    long_clickable: true,
                    password: w.input == InputType::Password,
                    ..Access::default()
                }),
                target: Some(Target::Field(FieldTarget {
                    key,
                    variable: w.bind.value.clone(),
                    input: w.input,
                    max_length: w.max_length,
                    on_change: w.on_change.clone(),
                    on_submit: w.on_submit.clone(),
                    locals: self.locals.clone(),
                })),
                ..Node::default()
            },
        );
        let color = if value.is_empty() { self.palette.role(ColorRole::Muted) } else { self.palette.ink() };
        let mut text = self.block(
            if value.is_empty() { empty_text } else { shown.clone() },
            TextStyle::Body,
            if enabled { color } else { fade(color, 0.4) },
        );
        text.max_lines = Some(1);
        text.cursor = focus.map(|focus| {
            let at = shown.char_indices().nth(focus.cursor).map_or(shown.len(), |(byte, _)| byte);
            (at, self.palette.role(ColorRole::Primary))
        });
        self.add(edit, Node { style: base_style(), content: Content::Text(Box::new(text)), ..Node::default() });
        if let Some(error) = error {
            let id = self.resource_id("textinput_error");
            let mut view = self.text_view(&id, &error, TextStyle::Caption, self.palette.role(ColorRole::Error));
            view.style.margin.left = taffy::LengthPercentageAuto::length(self.px(16.0));
            view.style.margin.top = taffy::LengthPercentageAuto::length(self.px(4.0));
            self.add(outer, view);
        }
        Ok(())
    }

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

    /// A wheel: the chosen value in the middle, two neighbours on either side. The dump shows what Android's
    /// `NumberPicker` does: the value as an `EditText` between two buttons with its neighbours.
    pub(super) fn selector(
        &mut self,
        parent: NodeIndex,
        w: &file::Selector,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        let items = Arc::new(self.value(&w.items)?.into_array().unwrap_or_default());
        let current = self.string(&w.bind.value);
        let selected = items.iter().position(|item| item.to_string() == current).unwrap_or(0);
        let vertical = w.axis == Axis::Vertical;
        let class = if vertical { "android.widget.NumberPicker" } else { "android.widget.HorizontalScrollView" };
        let mut node = self.node(common, class, in_row)?;
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
            access.focusable = true;
        }
        node.target = Some(Target::Wheel(WheelTarget {
            variable: w.bind.value.clone(),
            items: Arc::clone(&items),
            selected,
            axis: w.axis,
            pitch,
            on_change: w.on_change.clone(),
            locals: self.locals.clone(),
        }));
        let wheel = self.add(parent, node);
        for offset in -2_isize..=2 {
            let at = selected.checked_add_signed(offset).filter(|&at| at < items.len());
            self.wheel_value(wheel, w, at.and_then(|at| items.get(at)), offset, pitch, vertical);
        }
        Ok(())
    }

    fn wheel_value(
        &mut self,
        wheel: NodeIndex,
        w: &file::Selector,
        item: Option<&Dynamic>,
        offset: isize,
        pitch: f32,
        vertical: bool,
    ) {
        let mut style =
            if vertical { fixed(base_style(), None, Some(pitch)) } else { fixed(base_style(), Some(pitch), None) };
        style.justify_content = taffy::JustifyContent::CENTER;
        let chosen = offset == 0;
        let near = offset.abs() <= 1;
        let text = item.map(ToString::to_string).unwrap_or_default();
        let class = if chosen {
            "android.widget.EditText"
        } else if vertical {
            "android.widget.Button"
        } else {
            "android.widget.TextView"
        };
        let row = self.add(
            wheel,
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
                    focusable: true,
                    selected: chosen && !vertical,
                    ..Access::default()
                }),
                target: item.filter(|_| !chosen).map(|item| Target::Assign {
                    variable: w.bind.value.clone(),
                    value: item.clone(),
                    then: w.on_change.clone(),
                    locals: self.locals.clone(),
                }),
                ..Node::default()
            },
        );
        let (style, color) = match offset.abs() {
            0 => (TextStyle::Title, self.palette.role(ColorRole::Primary)),
            1 => (TextStyle::Body, fade(self.palette.ink(), 0.6)),
            _ => (TextStyle::Body, fade(self.palette.ink(), 0.28)),
        };
        let mut label = self.drawn_text(text, style, color);
        if let Content::Text(block) = &mut label.content {
            block.align = TextAlign::Center;
            block.max_lines = Some(1);
        }
        self.add(row, label);
    }
}
