//! Text fields and search bars.

use super::super::file::{self, ColorRole, Common, IconName, Located, TextStyle};
use super::super::palette::{Rgba, fade};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{FieldTarget, Target};
use super::{Builder, Built, base_style, fixed};
use rhai::Dynamic;

/// What a field holds and how it stands.
struct FieldState {
    label: Option<String>,
    hint: Option<String>,
    /// An error is shown beneath it.
    wrong: bool,
    value: String,
    /// The value as it is drawn: dots where it is hidden.
    shown: String,
    key: String,
    reveal_key: String,
    /// Its eye is open.
    revealed: bool,
    /// It is a password whose eye is closed.
    hidden: bool,
    /// The cursor's place, where it has the focus.
    cursor: Option<usize>,
    lines: usize,
}

impl FieldState {
    const fn is_focused(&self) -> bool {
        self.cursor.is_some()
    }

    /// Its label stands on its frame.
    const fn is_floating(&self) -> bool {
        self.is_focused() || !self.value.is_empty()
    }
}

impl Builder<'_> {
    /// A field's key: stable as long as its screen is open.
    fn field_key(&self, bind: &Located<String>) -> String {
        let at = self.locals.as_ref().map_or(0, |l| l.1);
        format!("{}:{}:{at}", self.instance, bind.value)
    }

    /// A text field with its frame, label, icons and the line beneath it.
    pub(super) fn field(&mut self, parent: NodeIndex, w: &file::Field, common: &Common<'_>, in_row: bool) -> Built<()> {
        let state = self.field_state(w)?;
        // The outer layout carries size and margin, the inner EditText the id and everything else.
        let mut outer = self.node(common, "android.widget.LinearLayout", in_row)?;
        let enabled = outer.enabled;
        let tapped = outer.target.take();
        outer.access = Some(Access { class: "android.widget.LinearLayout", ..Access::default() });
        let above = if state.label.is_some() { 8.0 } else { 0.0 };
        outer.style.padding.top = taffy::LengthPercentage::length(self.px(above));
        let outer = self.add(parent, outer);

        let edit = self.field_edit(w, common, &state, enabled, tapped)?;
        let height = self.px(56.0) + self.face(TextStyle::Body).line_height * (state.lines - 1) as f32;
        let edit = self.add(outer, Node { style: self.field_style(w, &state, height), ..edit });
        self.field_content(edit, w, &state, enabled)?;
        self.field_end_icons(outer, w, &state, height);
        self.field_below(outer, w)
    }

    /// What a field holds and how it stands.
    fn field_state(&mut self, w: &file::Field) -> Built<FieldState> {
        let value = self.string(&w.bind.value);
        let key = self.field_key(&w.bind);
        let reveal_key = format!("{key}:reveal");
        let revealed = w.reveal && self.view(&reveal_key).is_some_and(|on| on > 0.0);
        let hidden = w.input.is_secret() && !revealed;
        Ok(FieldState {
            label: self.optional_text(w.label.as_ref())?,
            hint: self.optional_text(w.hint.as_ref())?,
            wrong: self.optional_text(w.error.as_ref())?.is_some_and(|error| !error.is_empty()),
            shown: if hidden { "•".repeat(value.chars().count()) } else { value.clone() },
            cursor: self.focus.filter(|focus| focus.key == key && !w.read_only).map(|focus| focus.cursor),
            lines: w.lines.unwrap_or(1).max(1),
            value,
            key,
            reveal_key,
            revealed,
            hidden,
        })
    }

    /// Size and inner margins of a field's frame.
    fn field_style(&self, w: &file::Field, state: &FieldState, height: f32) -> taffy::Style {
        let mut style = fixed(base_style(), None, Some(height));
        style.padding = self.edges(file::Edges::symmetric(0.0, 16.0));
        let end_icons = usize::from(w.clear && !state.value.is_empty()) + usize::from(w.reveal);
        if w.icon.is_some() {
            style.padding.left = taffy::LengthPercentage::length(self.px(48.0));
        }
        if end_icons > 0 {
            style.padding.right = taffy::LengthPercentage::length(self.px(8.0 + 44.0 * end_icons as f32));
        }
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        if state.lines > 1 {
            style.align_items = taffy::AlignItems::FLEX_START;
            style.padding.top = taffy::LengthPercentage::length(self.px(16.0));
        }
        style.overflow.x = taffy::Overflow::Hidden;
        style
    }

    /// The frame of a field, its outline label in it where something is typed or about to be.
    fn field_frame(&self, state: &FieldState, enabled: bool) -> Content {
        let role = match (state.wrong, state.is_focused()) {
            (true, _) => ColorRole::Error,
            (false, true) => ColorRole::Primary,
            (false, false) => ColorRole::Outline,
        };
        let accent = self.palette.role(role);
        let accent = if enabled { accent } else { fade(accent, 0.4) };
        Content::FieldFrame {
            color: accent,
            width: self.px(if state.is_focused() { 2.0 } else { 1.0 }),
            label: state.label.as_ref().filter(|_| state.is_floating()).map(|text| {
                let emphasised = state.is_focused() || state.wrong;
                let color = if emphasised { accent } else { self.palette.role(ColorRole::Muted) };
                Box::new(self.block(text.clone(), TextStyle::Caption, color))
            }),
        }
    }

    /// The `EditText` itself: what the dump says of it and what a touch does.
    fn field_edit(
        &mut self,
        w: &file::Field,
        common: &Common<'_>,
        state: &FieldState,
        enabled: bool,
        tapped: Option<Target>,
    ) -> Built<Node> {
        let content = self.field_frame(state, enabled);
        let desc = self.optional_text(common.desc)?.unwrap_or_default();
        let id = common.id.map(|id| self.resource_id(&id.value)).unwrap_or_default();
        let suggestions = self.suggestions(w.suggestions.as_ref(), state.is_focused() && !state.value.is_empty())?;
        let target = if w.read_only {
            tapped.or(Some(Target::Inert))
        } else {
            Some(Target::Field(FieldTarget {
                key: state.key.clone(),
                variable: w.bind.value.clone(),
                input: w.input,
                max_length: w.max_length,
                multiline: state.lines > 1,
                suggestions,
                on_change: w.on_change.clone(),
                on_submit: w.on_submit.clone(),
                locals: self.locals.clone(),
            }))
        };
        let (label, hint) = (state.label.clone(), state.hint.clone());
        Ok(Node {
            content,
            clips: true,
            enabled,
            access: Some(Access {
                class: if w.suggestions.is_some() {
                    "android.widget.AutoCompleteTextView"
                } else {
                    "android.widget.EditText"
                },
                id,
                // An empty TextView reports its hint as its text (TextView.getTextForAccessibility).
                text: if state.value.is_empty() {
                    label.clone().or_else(|| hint.clone()).unwrap_or_default()
                } else {
                    state.shown.clone()
                },
                desc,
                hint: hint.or(label).unwrap_or_default(),
                clickable: true,
                focusable: !w.read_only,
                focused: state.is_focused(),
                long_clickable: !w.read_only,
                // A transformation hides the text; a revealed password is an ordinary text to the dump.
                password: state.hidden,
                ..Access::default()
            }),
            target,
            ..Node::default()
        })
    }

    /// The typed text, prefix and suffix, and the icon before them.
    fn field_content(&mut self, edit: NodeIndex, w: &file::Field, state: &FieldState, enabled: bool) -> Built<()> {
        let muted = self.palette.role(ColorRole::Muted);
        // The text comes first: where a tap puts the cursor is read from the first child.
        let empty = state.value.is_empty();
        let color = if empty { muted } else { self.palette.role(ColorRole::OnSurface) };
        let color = if enabled { color } else { fade(color, 0.4) };
        let placeholder = state.label.as_ref().filter(|_| !state.is_floating()).or(state.hint.as_ref());
        let text = if empty { placeholder.cloned().unwrap_or_default() } else { state.shown.clone() };
        let text = self.edited_text(&text, &state.shown, state.cursor, color, state.lines);
        self.add(edit, text);
        if let Some(prefix) = self.optional_text(w.prefix.as_ref())?.filter(|_| state.is_floating()) {
            let mut label = self.drawn_text(prefix, TextStyle::Body, muted);
            label.style.margin.right = taffy::LengthPercentageAuto::length(self.px(4.0));
            // Before the text although it is added after it.
            if let Some(node) = self.scene.nodes.get_mut(edit) {
                node.style.flex_direction = taffy::FlexDirection::RowReverse;
                node.style.justify_content = taffy::JustifyContent::FLEX_END;
            }
            self.add(edit, label);
        }
        if let Some(suffix) = self.optional_text(w.suffix.as_ref())?.filter(|_| state.is_floating()) {
            let mut label = self.drawn_text(suffix, TextStyle::Body, muted);
            label.style.position = taffy::Position::Absolute;
            label.style.inset.right = taffy::LengthPercentageAuto::length(self.px(16.0));
            label.style.inset.top = taffy::LengthPercentageAuto::length(self.px(16.0));
            self.add(edit, label);
        }
        if let Some(icon) = w.icon {
            let style = self.within_field(12.0, true);
            let icon = Node { content: Content::Icon(icon, muted), style, ..Node::default() };
            self.add(edit, icon);
        }
        Ok(())
    }

    /// The buttons at a field's end: the eye of a password, the cross that empties it.
    fn field_end_icons(&mut self, outer: NodeIndex, w: &file::Field, state: &FieldState, height: f32) {
        let mut right = 4.0;
        if w.reveal {
            let (icon, said) =
                if state.revealed { (IconName::EyeOff, "Hide password") } else { (IconName::Eye, "Show password") };
            let target = Target::View(state.reveal_key.clone(), if state.revealed { 0.0 } else { 1.0 });
            self.end_icon(outer, icon, said, target, right, height);
            right += 44.0;
        }
        if w.clear && !state.value.is_empty() {
            let target = self.assign_target(&w.bind, Dynamic::from(String::new()), &w.on_change);
            self.end_icon(outer, IconName::Close, "Clear text", target, right, height);
        }
    }

    /// The error beneath a field, else its helper text.
    fn field_below(&mut self, outer: NodeIndex, w: &file::Field) -> Built<()> {
        let said = |text: Option<String>| text.filter(|text| !text.is_empty());
        let error = said(self.optional_text(w.error.as_ref())?);
        let helper = said(self.optional_text(w.helper.as_ref())?);
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
        let bar = self.add(parent, node);
        let mut glass = self.drawn_icon(IconName::Search, 22.0, muted);
        glass.access = Some(Access {
            class: "android.widget.ImageView",
            id: self.resource_id("search_mag_icon"),
            ..Access::default()
        });
        self.add(bar, glass);
        let edit = self.search_edit(w, common, &hint, &value)?;
        let cursor = edit.1;
        let edit = self.add(bar, Node { enabled, ..edit.0 });
        let empty = value.is_empty();
        let color = self.palette.role(if empty { ColorRole::Muted } else { ColorRole::OnSurface });
        let text = self.edited_text(if empty { &hint } else { &value }, &value, cursor, color, 1);
        self.add(edit, text);
        if !empty {
            self.search_cross(bar, w);
        }
        Ok(())
    }

    /// The `EditText` of a search bar, and the cursor's place where it has the focus.
    fn search_edit(
        &mut self,
        w: &file::SearchBar,
        common: &Common<'_>,
        hint: &str,
        value: &str,
    ) -> Built<(Node, Option<usize>)> {
        let key = self.field_key(&w.bind);
        let cursor = self.focus.filter(|focus| focus.key == key).map(|focus| focus.cursor);
        let mut style = base_style();
        style.flex_grow = 1.0;
        style.flex_shrink = 1.0;
        style.flex_basis = taffy::Dimension::length(0.0);
        style.size.height = taffy::Dimension::percent(1.0);
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        style.overflow.x = taffy::Overflow::Hidden;
        let id = common.id.map_or_else(|| self.resource_id("search_src_text"), |id| self.resource_id(&id.value));
        let access = Access {
            class: if w.suggestions.is_some() {
                "android.widget.AutoCompleteTextView"
            } else {
                "android.widget.EditText"
            },
            id,
            text: if value.is_empty() { hint.to_owned() } else { value.to_owned() },
            desc: self.optional_text(common.desc)?.unwrap_or_default(),
            hint: hint.to_owned(),
            clickable: true,
            focusable: true,
            focused: cursor.is_some(),
            long_clickable: true,
            ..Access::default()
        };
        let target = Target::Field(FieldTarget {
            key,
            variable: w.bind.value.clone(),
            input: file::InputType::Text,
            max_length: None,
            multiline: false,
            suggestions: self.suggestions(w.suggestions.as_ref(), cursor.is_some() && !value.is_empty())?,
            on_change: w.on_change.clone(),
            on_submit: w.on_submit.clone(),
            locals: self.locals.clone(),
        });
        let node = Node { style, clips: true, access: Some(access), target: Some(target), ..Node::default() };
        Ok((node, cursor))
    }

    /// The cross that empties a search bar.
    fn search_cross(&mut self, bar: NodeIndex, w: &file::SearchBar) {
        let target = self.assign_target(&w.bind, Dynamic::from(String::new()), &w.on_change);
        let mut style = fixed(base_style(), Some(self.px(44.0)), Some(self.px(44.0)));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let button = self.add(
            bar,
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
        let icon = self.drawn_icon(IconName::Close, 20.0, self.palette.role(ColorRole::Muted));
        self.add(button, icon);
    }
}
