//! Text fields and search bars.

use super::super::file::{self, ColorRole, Common, IconName, Located, TextStyle};
use super::super::palette::{Rgba, fade};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{FieldTarget, Target};
use super::{Builder, Built, base_style, fixed};
use rhai::Dynamic;

impl Builder<'_> {
    /// A field's key: stable as long as its screen is open.
    fn field_key(&self, bind: &Located<String>) -> String {
        let at = self.locals.as_ref().map_or(0, |l| l.1);
        format!("{}:{}:{at}", self.instance, bind.value)
    }

    #[expect(clippy::too_many_lines, reason = "the parts of one text field, in the order they are drawn")]
    pub(super) fn field(&mut self, parent: NodeIndex, w: &file::Field, common: &Common<'_>, in_row: bool) -> Built<()> {
        let label = self.optional_text(w.label.as_ref())?;
        let hint = self.optional_text(w.hint.as_ref())?;
        let error = self.optional_text(w.error.as_ref())?.filter(|e| !e.is_empty());
        let helper = self.optional_text(w.helper.as_ref())?.filter(|h| !h.is_empty());
        let prefix = self.optional_text(w.prefix.as_ref())?;
        let suffix = self.optional_text(w.suffix.as_ref())?;
        let value = self.string(&w.bind.value);
        let key = self.field_key(&w.bind);
        let reveal_key = format!("{key}:reveal");
        let revealed = w.reveal && self.view(&reveal_key).is_some_and(|on| on > 0.0);
        let hidden = w.input.is_secret() && !revealed;
        let shown = if hidden { "•".repeat(value.chars().count()) } else { value.clone() };
        let focus = self.focus.filter(|f| f.key == key && !w.read_only);
        let focused = focus.is_some();
        let lines = w.lines.unwrap_or(1).max(1);

        // The outer layout carries size and margin, the inner EditText the id and everything else.
        let mut outer = self.node(common, "android.widget.LinearLayout", in_row)?;
        let enabled = outer.enabled;
        let tapped = outer.target.take();
        outer.access = Some(Access { class: "android.widget.LinearLayout", ..Access::default() });
        outer.style.padding.top = taffy::LengthPercentage::length(self.px(if label.is_some() { 8.0 } else { 0.0 }));
        let outer = self.add(parent, outer);

        let floating = focused || !value.is_empty();
        let empty_text = label.clone().filter(|_| !floating).or_else(|| hint.clone()).unwrap_or_default();
        let muted = self.palette.role(ColorRole::Muted);
        let accent = match (&error, focused) {
            (Some(_), _) => self.palette.role(ColorRole::Error),
            (None, true) => self.palette.role(ColorRole::Primary),
            (None, false) => self.palette.role(ColorRole::Outline),
        };
        let accent = if enabled { accent } else { fade(accent, 0.4) };
        let face = self.face(TextStyle::Body);
        let height = self.px(56.0) + face.line_height * (lines - 1) as f32;
        let mut style = fixed(base_style(), None, Some(height));
        style.padding = self.edges(file::Edges::symmetric(0.0, 16.0));
        let end_icons = usize::from(w.clear && !value.is_empty()) + usize::from(w.reveal);
        if w.icon.is_some() {
            style.padding.left = taffy::LengthPercentage::length(self.px(48.0));
        }
        if end_icons > 0 {
            style.padding.right = taffy::LengthPercentage::length(self.px(8.0 + 44.0 * end_icons as f32));
        }
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        if lines > 1 {
            style.align_items = taffy::AlignItems::FLEX_START;
            style.padding.top = taffy::LengthPercentage::length(self.px(16.0));
        }
        style.overflow.x = taffy::Overflow::Hidden;
        let frame = Content::FieldFrame {
            color: accent,
            width: self.px(if focused { 2.0 } else { 1.0 }),
            label: label.as_ref().filter(|_| floating).map(|text| {
                let color = if focused || error.is_some() { accent } else { muted };
                Box::new(self.block(text.clone(), TextStyle::Caption, color))
            }),
        };
        let desc = self.optional_text(common.desc)?.unwrap_or_default();
        let id = common.id.map(|id| self.resource_id(&id.value)).unwrap_or_default();
        let suggests = w.suggestions.is_some();
        let suggestions = self.suggestions(w.suggestions.as_ref(), focused && !value.is_empty())?;
        let target = if w.read_only {
            tapped.or(Some(Target::Inert))
        } else {
            Some(Target::Field(FieldTarget {
                key,
                variable: w.bind.value.clone(),
                input: w.input,
                max_length: w.max_length,
                multiline: lines > 1,
                suggestions,
                on_change: w.on_change.clone(),
                on_submit: w.on_submit.clone(),
                locals: self.locals.clone(),
            }))
        };
        let edit = self.add(
            outer,
            Node {
                style,
                content: frame,
                clips: true,
                enabled,
                access: Some(Access {
                    class: if suggests { "android.widget.AutoCompleteTextView" } else { "android.widget.EditText" },
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
                    focusable: !w.read_only,
                    focused,
                    long_clickable: !w.read_only,
                    // A transformation hides the text; a revealed password is an ordinary text to the dump.
                    password: hidden,
                    ..Access::default()
                }),
                target,
                ..Node::default()
            },
        );
        // The text comes first: where a tap puts the cursor is read from the first child.
        let empty = value.is_empty();
        let color = self.palette.role(if empty { ColorRole::Muted } else { ColorRole::OnSurface });
        let color = if enabled { color } else { fade(color, 0.4) };
        let shown_text = if empty { empty_text } else { shown.clone() };
        let text = self.edited_text(&shown_text, &shown, focus.map(|f| f.cursor), color, lines);
        self.add(edit, text);
        for (at, part) in [(0, prefix), (1, suffix)] {
            let Some(part) = part.filter(|_| floating) else { continue };
            let mut label = self.drawn_text(part, TextStyle::Body, muted);
            if at == 0 {
                label.style.margin.right = taffy::LengthPercentageAuto::length(self.px(4.0));
                // Before the text although it is added after it.
                if let Some(node) = self.scene.nodes.get_mut(edit) {
                    node.style.flex_direction = taffy::FlexDirection::RowReverse;
                    node.style.justify_content = taffy::JustifyContent::FLEX_END;
                }
            }
            if at == 1 {
                label.style.position = taffy::Position::Absolute;
                label.style.inset.right = taffy::LengthPercentageAuto::length(self.px(16.0));
                label.style.inset.top = taffy::LengthPercentageAuto::length(self.px(16.0));
            }
            self.add(edit, label);
        }
        if let Some(icon) = w.icon {
            let style = self.within_field(12.0, true);
            let icon = Node { content: Content::Icon(icon, muted), style, ..Node::default() };
            self.add(edit, icon);
        }
        let mut right = 4.0;
        if w.reveal {
            let (icon, said) =
                if revealed { (IconName::EyeOff, "Hide password") } else { (IconName::Eye, "Show password") };
            let target = Target::View(reveal_key, if revealed { 0.0 } else { 1.0 });
            self.end_icon(outer, icon, said, target, right, height);
            right += 44.0;
        }
        if w.clear && !value.is_empty() {
            let target = self.assign_target(&w.bind, Dynamic::from(String::new()), &w.on_change);
            self.end_icon(outer, IconName::Close, "Clear text", target, right, height);
        }
        let below = error.map(|text| (text, "textinput_error", ColorRole::Error));
        let below = below.or_else(|| helper.map(|text| (text, "textinput_helper_text", ColorRole::Muted)));
        if let Some((text, id, role)) = below {
            let id = self.resource_id(id);
            let mut view = self.text_view(&id, &text, TextStyle::Caption, self.palette.role(role));
            view.style.margin.left = taffy::LengthPercentageAuto::length(self.px(16.0));
            view.style.margin.top = taffy::LengthPercentageAuto::length(self.px(4.0));
            self.add(outer, view);
        }
        Ok(())
    }

    fn suggestions(&mut self, source: Option<&file::Expression>, wanted: bool) -> Built<Vec<String>> {
        let Some(source) = source.filter(|_| wanted) else { return Ok(Vec::new()) };
        let items = self.value(source)?.into_array().unwrap_or_default();
        Ok(items.iter().map(ToString::to_string).collect())
    }

    /// The text of a field with its cursor.
    fn edited_text(&self, text: &str, content: &str, cursor: Option<usize>, color: Rgba, lines: usize) -> Node {
        let mut block = self.block(text, TextStyle::Body, color);
        block.max_lines = (lines == 1).then_some(1);
        block.cursor = cursor.map(|cursor| {
            let at = content.char_indices().nth(cursor).map_or(content.len(), |(byte, _)| byte);
            (at, self.palette.role(ColorRole::Primary))
        });
        let mut style = base_style();
        style.flex_shrink = 1.0;
        style.min_size.width = taffy::LengthPercentageAuto::length(0.0);
        if lines > 1 {
            style.flex_grow = 1.0;
        }
        Node { style, content: Content::Text(Box::new(block)), ..Node::default() }
    }

    /// A place for a 24 dp icon at one end of a field's 56 dp.
    fn within_field(&self, from_edge: f32, left: bool) -> taffy::Style {
        let mut style = fixed(base_style(), Some(self.px(24.0)), Some(self.px(24.0)));
        style.position = taffy::Position::Absolute;
        style.inset.top = taffy::LengthPercentageAuto::length(self.px(16.0));
        let edge = taffy::LengthPercentageAuto::length(self.px(from_edge));
        if left {
            style.inset.left = edge;
        } else {
            style.inset.right = edge;
        }
        style
    }

    /// An icon button at the end of a field.
    fn end_icon(&mut self, outer: NodeIndex, icon: IconName, desc: &str, target: Target, right: f32, height: f32) {
        let mut style = fixed(base_style(), Some(self.px(44.0)), Some(height.min(self.px(56.0))));
        style.position = taffy::Position::Absolute;
        style.inset.right = taffy::LengthPercentageAuto::length(self.px(right));
        let top = self.scene.nodes.get(outer).map_or(0.0, |node| node.style.padding.top.into_raw().value());
        style.inset.top = taffy::LengthPercentageAuto::length(top);
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let button = self.add(
            outer,
            Node {
                style,
                access: Some(Access {
                    id: self.resource_id("text_input_end_icon"),
                    desc: desc.to_owned(),
                    ..Access::touchable("android.widget.ImageButton")
                }),
                target: Some(target),
                ..Node::default()
            },
        );
        let icon = self.drawn_icon(icon, 22.0, self.palette.role(ColorRole::Muted));
        self.add(button, icon);
    }

    /// A search bar: a magnifying glass, the text, a cross.
    pub(super) fn search_bar(
        &mut self,
        parent: NodeIndex,
        w: &file::SearchBar,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        let hint = self.optional_text(w.hint.as_ref())?.unwrap_or_else(|| "Search".to_owned());
        let value = self.string(&w.bind.value);
        let key = self.field_key(&w.bind);
        let focus = self.focus.filter(|f| f.key == key);
        let mut node = self.node(common, "android.widget.LinearLayout", in_row)?;
        let enabled = node.enabled;
        let muted = self.palette.role(ColorRole::Muted);
        node.access = Some(Access { class: "android.widget.LinearLayout", ..Access::default() });
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.align_items = taffy::AlignItems::CENTER;
        node.style.size.height = taffy::Dimension::length(self.px(common.height.unwrap_or(48.0)));
        node.style.padding.left = taffy::LengthPercentage::length(self.px(16.0));
        node.style.gap = self.gap(12.0);
        if node.surface.is_none() {
            let fill = self.palette.role(ColorRole::Divider);
            node.surface = Some(Surface::rounded(fade(fill, 0.75), self.px(24.0)));
        }
        let index = self.add(parent, node);
        let mut glass = self.drawn_icon(IconName::Search, 22.0, muted);
        glass.access = Some(Access {
            class: "android.widget.ImageView",
            id: self.resource_id("search_mag_icon"),
            ..Access::default()
        });
        self.add(index, glass);
        let mut style = base_style();
        style.flex_grow = 1.0;
        style.flex_shrink = 1.0;
        style.flex_basis = taffy::Dimension::length(0.0);
        style.size.height = taffy::Dimension::percent(1.0);
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        style.overflow.x = taffy::Overflow::Hidden;
        let id = common.id.map_or_else(|| self.resource_id("search_src_text"), |id| self.resource_id(&id.value));
        let desc = self.optional_text(common.desc)?.unwrap_or_default();
        let suggestions = self.suggestions(w.suggestions.as_ref(), focus.is_some() && !value.is_empty())?;
        let edit = self.add(
            index,
            Node {
                style,
                clips: true,
                enabled,
                access: Some(Access {
                    class: if w.suggestions.is_some() {
                        "android.widget.AutoCompleteTextView"
                    } else {
                        "android.widget.EditText"
                    },
                    id,
                    text: if value.is_empty() { hint.clone() } else { value.clone() },
                    desc,
                    hint: hint.clone(),
                    clickable: true,
                    focusable: true,
                    focused: focus.is_some(),
                    long_clickable: true,
                    ..Access::default()
                }),
                target: Some(Target::Field(FieldTarget {
                    key,
                    variable: w.bind.value.clone(),
                    input: file::InputType::Text,
                    max_length: None,
                    multiline: false,
                    suggestions,
                    on_change: w.on_change.clone(),
                    on_submit: w.on_submit.clone(),
                    locals: self.locals.clone(),
                })),
                ..Node::default()
            },
        );
        let empty = value.is_empty();
        let color = self.palette.role(if empty { ColorRole::Muted } else { ColorRole::OnSurface });
        let text = self.edited_text(if empty { &hint } else { &value }, &value, focus.map(|f| f.cursor), color, 1);
        self.add(edit, text);
        if !empty {
            let target = self.assign_target(&w.bind, Dynamic::from(String::new()), &w.on_change);
            let mut style = fixed(base_style(), Some(self.px(44.0)), Some(self.px(44.0)));
            style.align_items = taffy::AlignItems::CENTER;
            style.justify_content = taffy::JustifyContent::CENTER;
            let button = self.add(
                index,
                Node {
                    style,
                    access: Some(Access {
                        id: self.resource_id("search_close_btn"),
                        desc: "Clear query".to_owned(),
                        ..Access::touchable("android.widget.ImageView")
                    }),
                    target: Some(target),
                    ..Node::default()
                },
            );
            let icon = self.drawn_icon(IconName::Close, 20.0, muted);
            self.add(button, icon);
        }
        Ok(())
    }
}
