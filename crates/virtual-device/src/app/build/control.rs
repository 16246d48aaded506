//! Texts, buttons, check boxes, list rows: widgets without text entry.

use super::super::expression::ExpressionError;
use super::super::file::{self, ButtonStyle, ColorRole, Common, IconName, Located, Script, Text, TextStyle, Widget};
use super::super::palette::{CLEAR, fade};
use super::super::scene::{Access, Content, LinkRange, MarkRange, Node, NodeIndex, Surface};
use super::super::target::Target;
use super::{Builder, Built, fixed};
use rhai::Dynamic;

/// A button that can be on or off.
#[derive(Clone, Copy)]
enum Toggle {
    Checkbox,
    Switch,
    Radio,
}

impl Builder<'_> {
    /// Texts, buttons, rows and pictures of icons.
    pub(super) fn leaf(&mut self, parent: NodeIndex, widget: &Widget, common: &Common<'_>, in_row: bool) -> Built<()> {
        match widget {
            Widget::TextView(w) => self.text_widget(parent, w, common, in_row),
            Widget::Button(w) => self.button(parent, w, common, in_row),
            Widget::IconButton(w) => self.icon_button(parent, w, common, in_row),
            Widget::Checkbox(w) => {
                self.two_state(parent, common, in_row, Toggle::Checkbox, &w.bind, w.text.as_ref(), &w.on_change)
            }
            Widget::Switch(w) => {
                self.two_state(parent, common, in_row, Toggle::Switch, &w.bind, w.text.as_ref(), &w.on_change)
            }
            Widget::Radio(w) => self.radio(parent, w, common, in_row),
            Widget::ListItem(w) => self.list_item(parent, w, common, in_row),
            Widget::Image(w) => self.image(parent, w, common, in_row),
            Widget::Divider(w) => {
                let line = self.line(w.inset);
                self.add(parent, line);
                Ok(())
            }
            Widget::Spacer(_) => {
                let mut node = self.node(common, "android.widget.Space", in_row)?;
                if common.height.is_none() && common.width.is_none() && common.grow.is_none() {
                    node.style.flex_grow = 1.0;
                }
                node.access = None;
                self.add(parent, node);
                Ok(())
            }
            Widget::Paragraph(w) => self.paragraph(parent, w, common, in_row),
            Widget::Field(w) => self.field(parent, w, common, in_row),
            Widget::SearchBar(w) => self.search_bar(parent, w, common, in_row),
            Widget::Keypad(w) => self.keypad(parent, w, common, in_row),
            Widget::PinDots(w) => self.pin_dots(parent, w, common, in_row),
            Widget::Selector(w) => self.selector(parent, w, common, in_row),
            other => self.option(parent, other, common, in_row),
        }
    }

    fn text_widget(&mut self, parent: NodeIndex, w: &file::TextView, common: &Common<'_>, in_row: bool) -> Built<()> {
        let text = self.text(&w.text)?;
        let mut node = self.node(common, "android.widget.TextView", in_row)?;
        let mut block = self.block(text.clone(), w.style, self.color(w.color, self.palette.ink()));
        block.align = w.align;
        block.max_lines = w.max_lines;
        if !node.enabled {
            block.color = fade(block.color, 0.4);
        }
        if w.strike {
            block.marks.push(MarkRange { bytes: 0..text.len(), color: block.color, strike: true });
        }
        node.content = Content::Text(Box::new(block));
        if let Some(access) = &mut node.access {
            access.text = text;
        }
        if in_row {
            node = Self::shrinking(node);
        }
        self.add(parent, node);
        Ok(())
    }

    fn button(&mut self, parent: NodeIndex, w: &file::Button, common: &Common<'_>, in_row: bool) -> Built<()> {
        let text = self.text(&w.text)?;
        let mut node = self.node(common, "android.widget.Button", in_row)?;
        let primary = self.palette.role(ColorRole::Primary);
        let (mut fill, mut ink) = match w.style {
            ButtonStyle::Filled => (primary, self.palette.role(ColorRole::OnPrimary)),
            ButtonStyle::Tonal => (self.palette.role(ColorRole::Container), self.palette.role(ColorRole::OnContainer)),
            ButtonStyle::Outlined | ButtonStyle::Text => (CLEAR, primary),
        };
        if let Some(color) = common.background {
            fill = self.palette.fill(color);
        }
        if let Some(color) = w.color {
            ink = self.palette.color(color);
        }
        if !node.enabled {
            fill = if fill == CLEAR { CLEAR } else { fade(self.palette.ink(), 0.12) };
            ink = fade(self.palette.ink(), 0.38);
        }
        let border = (w.style == ButtonStyle::Outlined).then(|| (self.palette.role(ColorRole::Outline), self.px(1.0)));
        let text_only = w.style == ButtonStyle::Text;
        if common.height.is_none() {
            let height = if text_only { 40.0 } else { 48.0 };
            node.style.size.height = taffy::Dimension::length(self.px(height));
        }
        if common.padding.is_none() {
            let side = if text_only { 12.0 } else { 24.0 };
            node.style.padding = self.edges(file::Edges::symmetric(0.0, side));
        }
        if let Some(access) = &mut node.access {
            access.text.clone_from(&text);
            access.clickable = true;
            access.focusable = true;
        }
        if node.target.is_none() {
            node.target = Some(Target::Inert);
        }
        node.surface = Some(Surface { border, ..Surface::rounded(fill, self.px(common.radius.unwrap_or(24.0))) });
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.align_items = taffy::AlignItems::CENTER;
        node.style.justify_content = taffy::JustifyContent::CENTER;
        node.style.gap = self.gap(8.0);
        let index = self.add(parent, node);
        if let Some(icon) = w.icon {
            let icon = self.drawn_icon(icon, 18.0, ink);
            self.add(index, icon);
        }
        let mut label = Self::shrinking(self.drawn_text(text, TextStyle::Label, ink));
        if let Content::Text(block) = &mut label.content {
            block.max_lines = Some(1);
            block.face.size = (block.face.size * 15.0 / 14.0).round();
        }
        self.add(index, label);
        Ok(())
    }

    fn icon_button(&mut self, parent: NodeIndex, w: &file::IconButton, common: &Common<'_>, in_row: bool) -> Built<()> {
        let mut node = self.node(common, "android.widget.ImageButton", in_row)?;
        let size = self.px(48.0);
        node.style = fixed(
            node.style,
            Some(common.width.map_or(size, |w| self.px(w))),
            Some(common.height.map_or(size, |h| self.px(h))),
        );
        node.style.align_items = taffy::AlignItems::CENTER;
        node.style.justify_content = taffy::JustifyContent::CENTER;
        if let Some(access) = &mut node.access {
            access.clickable = true;
            access.focusable = true;
        }
        if node.target.is_none() {
            node.target = Some(Target::Inert);
        }
        let enabled = node.enabled;
        let index = self.add(parent, node);
        let color = self.color(w.color, self.palette.role(ColorRole::Muted));
        let color = if enabled { color } else { fade(color, 0.38) };
        let icon = self.drawn_icon(w.icon, w.size.unwrap_or(24.0), color);
        self.add(index, icon);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts that check box and switch share")]
    fn two_state(
        &mut self,
        parent: NodeIndex,
        common: &Common<'_>,
        in_row: bool,
        toggle: Toggle,
        bind: &Located<String>,
        text: Option<&Text>,
        on_change: &Script,
    ) -> Built<()> {
        let checked = self.flag(&bind.value);
        let text = self.optional_text(text)?;
        let target = Target::Assign {
            variable: bind.value.clone(),
            value: Dynamic::from(!checked),
            then: on_change.clone(),
            locals: self.locals.clone(),
        };
        self.toggle(parent, common, in_row, toggle, checked, text, target)
    }

    fn radio(&mut self, parent: NodeIndex, w: &file::Radio, common: &Common<'_>, in_row: bool) -> Built<()> {
        let value = self.value(&w.value)?;
        let text = self.optional_text(w.text.as_ref())?;
        // Compared as text: state variables and literals are plain values.
        let checked = self.string(&w.bind.value) == value.to_string();
        let target = Target::Assign {
            variable: w.bind.value.clone(),
            value,
            then: w.on_change.clone(),
            locals: self.locals.clone(),
        };
        self.toggle(parent, common, in_row, Toggle::Radio, checked, text, target)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts that the three two-state buttons share")]
    fn toggle(
        &mut self,
        parent: NodeIndex,
        common: &Common<'_>,
        in_row: bool,
        toggle: Toggle,
        checked: bool,
        text: Option<String>,
        target: Target,
    ) -> Result<(), ExpressionError> {
        let class = match toggle {
            Toggle::Checkbox => "android.widget.CheckBox",
            Toggle::Switch => "android.widget.Switch",
            Toggle::Radio => "android.widget.RadioButton",
        };
        let mut node = self.node(common, class, in_row)?;
        let color = if node.enabled { self.palette.role(ColorRole::Primary) } else { fade(self.palette.ink(), 0.38) };
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.align_items = taffy::AlignItems::CENTER;
        node.style.min_size.height = taffy::LengthPercentageAuto::length(self.px(48.0));
        if let Some(access) = &mut node.access {
            access.text = text.clone().unwrap_or_default();
            access.checkable = true;
            access.checked = checked;
            access.clickable = true;
            access.focusable = true;
        }
        node.target = Some(target);
        let index = self.add(parent, node);
        let mark = self.mark(toggle, checked, color);
        let label = text.map(|text| Self::shrinking(self.drawn_text(text, TextStyle::Body, self.palette.ink())));
        if matches!(toggle, Toggle::Switch) {
            if let Some(mut label) = label {
                label.style.flex_grow = 1.0;
                self.add(index, label);
            }
            self.add(index, mark);
        } else {
            self.add(index, mark);
            if let Some(label) = label {
                self.add(index, label);
            }
        }
        Ok(())
    }

    fn mark(&self, toggle: Toggle, checked: bool, color: super::super::palette::Rgba) -> Node {
        let (width, content) = match toggle {
            Toggle::Checkbox => (48.0, Content::Checkbox { checked, color }),
            Toggle::Radio => (48.0, Content::Radio { checked, color }),
            Toggle::Switch => (52.0, Content::Switch { checked, color }),
        };
        let style = fixed(super::base_style(), Some(self.px(width)), Some(self.px(48.0)));
        Node { style, content, ..Node::default() }
    }

    fn list_item(&mut self, parent: NodeIndex, w: &file::ListItem, common: &Common<'_>, in_row: bool) -> Built<()> {
        let title = self.text(&w.title)?;
        let subtitle = self.optional_text(w.subtitle.as_ref())?;
        let trailing = self.optional_text(w.trailing.as_ref())?;
        let avatar = self.optional_text(w.avatar.as_ref())?;
        let mut node = self.node(common, "android.view.ViewGroup", in_row)?;
        let enabled = node.enabled;
        let dim = |color| if enabled { color } else { fade(color, 0.4) };
        let height = if subtitle.is_some() { 72.0 } else { 56.0 };
        node.style.min_size.height = taffy::LengthPercentageAuto::length(self.px(height));
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.align_items = taffy::AlignItems::CENTER;
        node.style.gap = self.gap(16.0);
        if common.padding.is_none() {
            node.style.padding = self.edges(file::Edges::symmetric(8.0, 16.0));
        }
        let bound = w.switch.as_ref().or(w.checkbox.as_ref());
        let checked = bound.map(|name| self.flag(&name.value));
        if let (Some(name), Some(checked)) = (bound, checked) {
            node.target = Some(Target::Assign {
                variable: name.value.clone(),
                value: Dynamic::from(!checked),
                then: w.on_change.clone(),
                locals: self.locals.clone(),
            });
            if let Some(access) = &mut node.access {
                access.clickable = true;
                access.focusable = true;
            }
        }
        let index = self.add(parent, node);
        self.list_item_lead(index, w, avatar, enabled);
        let mut texts = Node { style: super::base_style(), ..Node::default() };
        texts.style.flex_grow = 1.0;
        texts.style.flex_basis = taffy::Dimension::length(0.0);
        texts = Self::shrinking(texts);
        let texts = self.add(index, texts);
        let view = self.text_view("", &title, TextStyle::Body, dim(self.palette.ink()));
        self.add(texts, view);
        if let Some(subtitle) = subtitle.filter(|s| !s.is_empty()) {
            let view = self.text_view("", &subtitle, TextStyle::Small, dim(self.palette.role(ColorRole::Muted)));
            self.add(texts, view);
        }
        if let Some(trailing) = trailing.filter(|t| !t.is_empty()) {
            let view = self.text_view("", &trailing, TextStyle::Small, dim(self.palette.role(ColorRole::Muted)));
            self.add(index, view);
        }
        self.list_item_trail(index, w, checked);
        Ok(())
    }

    /// What stands before the texts of a list entry: a letter in a disc, or an icon.
    fn list_item_lead(&mut self, index: NodeIndex, w: &file::ListItem, avatar: Option<String>, enabled: bool) {
        let dim = |color| if enabled { color } else { fade(color, 0.4) };
        let primary = self.palette.role(ColorRole::Primary);
        if let Some(text) = avatar {
            let color = self.color(w.icon_color, primary);
            let disc = self.disc(40.0, self.palette.tint(color, 0.18));
            let disc = self.add(index, disc);
            let initial = text.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            let letter = self.drawn_text(initial, TextStyle::Subtitle, color);
            self.add(disc, letter);
        } else if let Some(icon) = w.icon.filter(|_| w.plain_icon) {
            let color = self.color(w.icon_color, self.palette.role(ColorRole::Muted));
            let mut icon = self.drawn_icon(icon, 24.0, dim(color));
            icon.access = Some(Access { class: "android.widget.ImageView", ..Access::default() });
            self.add(index, icon);
        } else if let Some(icon) = w.icon {
            let color = self.color(w.icon_color, primary);
            let mut disc = self.disc(40.0, self.palette.tint(color, 0.14));
            disc.access = Some(Access { class: "android.widget.ImageView", ..Access::default() });
            let disc = self.add(index, disc);
            let icon = self.drawn_icon(icon, 22.0, dim(color));
            self.add(disc, icon);
        }
    }

    /// What stands behind the texts of a list entry: a switch or box, an icon, a chevron.
    fn list_item_trail(&mut self, index: NodeIndex, w: &file::ListItem, checked: Option<bool>) {
        let primary = self.palette.role(ColorRole::Primary);
        if let Some(checked) = checked {
            let toggle = if w.switch.is_some() { Toggle::Switch } else { Toggle::Checkbox };
            let mut mark = self.mark(toggle, checked, primary);
            let (class, id) = match toggle {
                Toggle::Switch => ("android.widget.Switch", "android:id/switch_widget"),
                _ => ("android.widget.CheckBox", "android:id/checkbox"),
            };
            mark.access = Some(Access { class, id: id.to_owned(), checkable: true, checked, ..Access::default() });
            self.add(index, mark);
        }
        if let Some(icon) = w.trailing_icon {
            let mut icon = self.drawn_icon(icon, 22.0, self.palette.role(ColorRole::Muted));
            icon.access = Some(Access { class: "android.widget.ImageView", ..Access::default() });
            self.add(index, icon);
        }
        if w.chevron {
            let icon = self.drawn_icon(IconName::Chevron, 20.0, self.palette.role(ColorRole::Outline));
            self.add(index, icon);
        }
    }

    fn image(&mut self, parent: NodeIndex, w: &file::Image, common: &Common<'_>, in_row: bool) -> Built<()> {
        let size = w.size.unwrap_or(24.0);
        let mut node = self.node(common, "android.widget.ImageView", in_row)?;
        let color = self.color(w.color, self.palette.role(ColorRole::Primary));
        let px = self.px(size);
        node.style = fixed(node.style, Some(px), Some(px));
        match w.disc {
            None => node.content = Content::Icon(w.icon, color),
            Some(disc) => {
                node.style.align_items = taffy::AlignItems::CENTER;
                node.style.justify_content = taffy::JustifyContent::CENTER;
                node.surface = Some(Surface::rounded(self.palette.fill(disc), px / 2.0));
                let index = self.add(parent, node);
                let icon = self.drawn_icon(w.icon, size * 0.56, color);
                self.add(index, icon);
                return Ok(());
            }
        }
        self.add(parent, node);
        Ok(())
    }

    fn paragraph(&mut self, parent: NodeIndex, w: &file::Paragraph, common: &Common<'_>, in_row: bool) -> Built<()> {
        let mut node = self.node(common, "android.widget.TextView", in_row)?;
        let link_color = self.color(w.link_color, self.palette.role(ColorRole::Link));
        let mut text = String::new();
        let mut links = Vec::new();
        let mut scripts = Vec::new();
        let mut marks = Vec::new();
        for span in &w.spans {
            let start = text.len();
            text.push_str(&self.text(&span.text)?);
            if let Some(color) = span.color.filter(|_| span.link.is_none()) {
                marks.push(MarkRange { bytes: start..text.len(), color: self.palette.color(color), strike: false });
            }
            if let Some(script) = &span.link {
                let color = span.color.map_or(link_color, |color| self.palette.color(color));
                links.push(LinkRange { bytes: start..text.len(), color, underline: w.underline });
                scripts.push((start..text.len(), script.clone()));
            }
        }
        let mut block = self.block(text.clone(), w.style, self.color(w.color, self.palette.ink()));
        block.align = w.align;
        block.links = links;
        block.marks = marks;
        block.max_lines = w.truncate;
        node.content = Content::Text(Box::new(block));
        if !scripts.is_empty() {
            node.target = Some(Target::Links(scripts, self.locals.clone()));
        }
        if let Some(access) = &mut node.access {
            access.text = text;
            // LinkMovementMethod makes a text focusable, not clickable.
            access.clickable = false;
            access.focusable = true;
        }
        if in_row {
            node = Self::shrinking(node);
        }
        self.add(parent, node);
        Ok(())
    }
}
