//! Widgets for choosing among options: drop-down lists, chips, joined buttons, tabs.

use super::super::file::{
    self, Choice, Choices, ColorRole, Common, Expression, IconName, Located, Script, Source, SpinnerMode, TextAlign,
    TextStyle, Widget,
};
use super::super::palette::{CLEAR, fade};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{Popup, PopupKind, PopupRow, Target};
use super::{Builder, Built, base_style, fixed};
use rhai::Dynamic;
use std::sync::Arc;

/// A choice with its expressions evaluated.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    pub text: String,
    pub icon: Option<IconName>,
    pub value: Dynamic,
    pub id: String,
    pub desc: Option<String>,
    pub badge: String,
}

impl Builder<'_> {
    pub(super) fn option(
        &mut self,
        parent: NodeIndex,
        widget: &Widget,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        match widget {
            Widget::Spinner(w) => self.spinner(parent, w, common, in_row),
            Widget::Chips(w) => self.chips(parent, w, common, in_row),
            Widget::Segmented(w) => self.segmented(parent, w, common, in_row),
            Widget::Tabs(w) => {
                let node = self.node(common, "android.widget.HorizontalScrollView", in_row)?;
                self.tab_bar(parent, node, &w.bind, &w.items, w.scrollable, &w.on_change)
            }
            other => self.range(parent, other, common, in_row),
        }
    }

    /// The choices of a list for a variable.
    pub(super) fn choices(&mut self, choices: &Located<Choices>, bind: &Located<String>) -> Built<Vec<Resolved>> {
        let numbered = self.scope.get(&bind.value).is_some_and(Dynamic::is_int);
        match &choices.value {
            Choices::Expression(Source(source)) => {
                let expression =
                    Expression { value: Source(source.clone()), line: choices.line, column: choices.column };
                let items = self.value(&expression)?.into_array().unwrap_or_default();
                Ok(items.into_iter().map(from_value).collect())
            }
            Choices::List(list) => {
                let mut resolved = Vec::with_capacity(list.len());
                for choice in list {
                    if self.condition(choice.visible.as_ref())? {
                        let at = resolved.len();
                        resolved.push(self.resolve(choice, numbered.then_some(at))?);
                    }
                }
                Ok(resolved)
            }
        }
    }

    fn resolve(&mut self, choice: &Choice, number: Option<usize>) -> Built<Resolved> {
        let text = self.optional_text(choice.text.as_ref())?.unwrap_or_default();
        let value = match (&choice.value, number) {
            (Some(value), _) => self.value(value)?,
            (None, Some(at)) => Dynamic::from(at as i64),
            (None, None) => Dynamic::from(text.clone()),
        };
        Ok(Resolved {
            icon: choice.icon,
            value,
            id: choice.id.as_ref().map(|id| self.resource_id(&id.value)).unwrap_or_default(),
            desc: self.optional_text(choice.desc.as_ref())?,
            badge: self.optional_text(choice.badge.as_ref())?.unwrap_or_default(),
            text,
        })
    }

    /// Chooses a value.
    pub(super) fn assign_target(&self, bind: &Located<String>, value: Dynamic, then: &Script) -> Target {
        Target::Assign { variable: bind.value.clone(), value, then: then.clone(), locals: self.locals.clone() }
    }

    fn spinner(&mut self, parent: NodeIndex, w: &file::Spinner, common: &Common<'_>, in_row: bool) -> Built<()> {
        let choices = self.choices(&w.items, &w.bind)?;
        let label = self.optional_text(w.label.as_ref())?;
        let hint = self.optional_text(w.hint.as_ref())?;
        let current = self.string(&w.bind.value);
        let chosen = choices.iter().find(|choice| choice.value.to_string() == current).map(|c| c.text.clone());
        let rows = choices.into_iter().map(|choice| PopupRow {
            checked: choice.value.to_string() == current,
            enabled: true,
            target: self.assign_target(&w.bind, choice.value, &w.on_change),
            text: choice.text,
        });
        let (kind, title) = match w.mode {
            SpinnerMode::Dropdown => (PopupKind::Dropdown, String::new()),
            SpinnerMode::Dialog => (PopupKind::Dialog, label.clone().or_else(|| hint.clone()).unwrap_or_default()),
            SpinnerMode::Exposed => (PopupKind::Exposed, String::new()),
        };
        let rows: Vec<PopupRow> = rows.collect();
        let several = rows.len() > 1;
        let popup = Target::Popup(Arc::new(Popup { kind, title, rows }));
        let exposed = w.mode == SpinnerMode::Exposed;
        let mut node = self.node(common, "android.widget.Spinner", in_row)?;
        let enabled = node.enabled;
        node.target = Some(popup);
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.align_items = taffy::AlignItems::CENTER;
        node.style.justify_content = taffy::JustifyContent::SPACE_BETWEEN;
        if common.height.is_none() {
            node.style.size.height = taffy::Dimension::length(self.px(if exposed { 56.0 } else { 48.0 }));
        }
        let muted = self.palette.role(ColorRole::Muted);
        let ink = self.palette.role(ColorRole::OnSurface);
        let shown = chosen.clone().or(hint).unwrap_or_default();
        if let Some(access) = &mut node.access {
            access.clickable = true;
            access.focusable = true;
            // `AdapterView`: the chosen item is the only one in sight, so all others lie beyond an edge.
            access.long_clickable = !exposed;
            access.scrollable = !exposed && several;
            if exposed {
                access.text.clone_from(&shown);
            }
        }
        if exposed {
            let floating = label.filter(|_| chosen.is_some());
            node.content = Content::FieldFrame {
                color: self.palette.role(ColorRole::Outline),
                width: self.px(1.0),
                label: floating.map(|text| Box::new(self.block(text, TextStyle::Caption, muted))),
            };
            node.style.padding = self.edges(file::Edges::symmetric(0.0, 16.0));
            node.style.margin.top = taffy::LengthPercentageAuto::length(self.px(8.0));
        } else if common.padding.is_none() {
            node.style.padding = self.edges(file::Edges::symmetric(0.0, 8.0));
        }
        let color = if chosen.is_some() { ink } else { muted };
        let color = if enabled { color } else { fade(color, 0.4) };
        let index = self.add(parent, node);
        let mut view = Self::shrinking(self.text_view("android:id/text1", &shown, TextStyle::Body, color));
        // `Spinner.setUpChild` hands its state on to the item that it shows.
        view.enabled = enabled;
        if exposed {
            view.access = None;
        }
        if let Content::Text(block) = &mut view.content {
            block.max_lines = Some(1);
        }
        self.add(index, view);
        let arrow = self.drawn_icon(IconName::ChevronDown, 20.0, muted);
        self.add(index, arrow);
        Ok(())
    }

    fn chips(&mut self, parent: NodeIndex, w: &file::Chips, common: &Common<'_>, in_row: bool) -> Built<()> {
        let choices = self.choices(&w.items, &w.bind)?;
        let chosen = self.scope.get(&w.bind.value).cloned().unwrap_or_default();
        let several = chosen.clone().into_array().unwrap_or_default();
        let single = chosen.to_string();
        let class = if w.scrollable { "android.widget.HorizontalScrollView" } else { "android.view.ViewGroup" };
        let mut node = self.node(common, class, in_row)?;
        let enabled = node.enabled;
        let mut group = node.style.gap;
        group.width = taffy::LengthPercentage::length(self.px(8.0));
        node.style.gap = group;
        node.style.flex_direction = taffy::FlexDirection::Row;
        if w.scrollable {
            self.make_scrolling_sideways(&mut node);
        } else {
            node.style.flex_wrap = taffy::FlexWrap::Wrap;
        }
        let mut index = self.add(parent, node);
        if w.scrollable {
            let mut inner = Self::layout_node("android.view.ViewGroup", "");
            inner.style.flex_direction = taffy::FlexDirection::Row;
            inner.style.gap = self.gap(8.0);
            index = self.add(index, inner);
        }
        for choice in choices {
            let same = |value: &Dynamic| value.to_string() == choice.value.to_string();
            let on = if w.multiple { several.iter().any(same) } else { single == choice.value.to_string() };
            let value = if w.multiple {
                let mut next: Vec<Dynamic> = several.iter().filter(|value| !same(value)).cloned().collect();
                if !on {
                    next.push(choice.value.clone());
                }
                Dynamic::from_array(next)
            } else {
                choice.value.clone()
            };
            let target = self.assign_target(&w.bind, value, &w.on_change);
            self.chip(index, &choice, on, w.multiple, enabled, target);
        }
        Ok(())
    }

    fn chip(&mut self, parent: NodeIndex, choice: &Resolved, on: bool, several: bool, enabled: bool, target: Target) {
        // A chip is 32 dp high and 48 dp to touch.
        let mut style = fixed(base_style(), None, Some(self.px(48.0)));
        style.justify_content = taffy::JustifyContent::CENTER;
        let index = self.add(
            parent,
            Node {
                style,
                enabled,
                access: Some(Access {
                    class: if several { "android.widget.CompoundButton" } else { "android.widget.RadioButton" },
                    id: choice.id.clone(),
                    text: choice.text.clone(),
                    desc: choice.desc.clone().unwrap_or_default(),
                    checkable: true,
                    checked: on,
                    clickable: true,
                    focusable: true,
                    ..Access::default()
                }),
                target: Some(target),
                ..Node::default()
            },
        );
        let (fill, ink) = if on {
            (self.palette.role(ColorRole::Container), self.palette.role(ColorRole::OnContainer))
        } else {
            (CLEAR, self.palette.role(ColorRole::Muted))
        };
        let ink = if enabled { ink } else { fade(ink, 0.4) };
        let border = (!on).then(|| (self.palette.role(ColorRole::Outline), self.px(1.0)));
        let mut style = fixed(base_style(), None, Some(self.px(32.0)));
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        style.padding = self.edges(file::Edges::symmetric(0.0, 12.0));
        style.gap = self.gap(6.0);
        let surface = Some(Surface { border, ..Surface::rounded(fill, self.px(8.0)) });
        let pill = self.add(index, Node { style, surface, ..Node::default() });
        let icon = if on { Some(IconName::Check) } else { choice.icon };
        if let Some(icon) = icon {
            let icon = self.drawn_icon(icon, 16.0, ink);
            self.add(pill, icon);
        }
        let label = self.drawn_text(choice.text.clone(), TextStyle::Label, ink);
        self.add(pill, label);
    }

    fn segmented(&mut self, parent: NodeIndex, w: &file::Segmented, common: &Common<'_>, in_row: bool) -> Built<()> {
        let choices = self.choices(&w.items, &w.bind)?;
        let current = self.string(&w.bind.value);
        let mut node = self.node(common, "android.widget.LinearLayout", in_row)?;
        let enabled = node.enabled;
        let outline = self.palette.role(ColorRole::Outline);
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.size.height = taffy::Dimension::length(self.px(common.height.unwrap_or(40.0)));
        node.style.padding = self.edges(file::Edges::all(1.0));
        node.surface =
            Some(Surface { border: Some((outline, self.px(1.0))), ..Surface::rounded(CLEAR, self.px(20.0)) });
        let index = self.add(parent, node);
        let last = choices.len().saturating_sub(1);
        for (at, choice) in choices.into_iter().enumerate() {
            let on = choice.value.to_string() == current;
            let (fill, ink) = if on {
                (self.palette.role(ColorRole::Container), self.palette.role(ColorRole::OnContainer))
            } else {
                (CLEAR, self.palette.role(ColorRole::OnSurface))
            };
            let mut style = base_style();
            style.flex_direction = taffy::FlexDirection::Row;
            style.flex_grow = 1.0;
            style.flex_basis = taffy::Dimension::length(0.0);
            style.align_items = taffy::AlignItems::CENTER;
            style.justify_content = taffy::JustifyContent::CENTER;
            style.gap = self.gap(6.0);
            let target = self.assign_target(&w.bind, choice.value.clone(), &w.on_change);
            let button = self.add(
                index,
                Node {
                    style,
                    enabled,
                    surface: (fill != CLEAR).then(|| Surface::rounded(fill, self.px(19.0))),
                    access: Some(Access {
                        id: choice.id.clone(),
                        text: choice.text.clone(),
                        desc: choice.desc.clone().unwrap_or_default(),
                        checkable: true,
                        checked: on,
                        ..Access::touchable("android.widget.RadioButton")
                    }),
                    target: Some(target),
                    ..Node::default()
                },
            );
            let icon = if on { Some(IconName::Check) } else { choice.icon };
            if let Some(icon) = icon {
                let icon = self.drawn_icon(icon, 18.0, ink);
                self.add(button, icon);
            }
            let label = Self::shrinking(self.drawn_text(choice.text, TextStyle::Label, ink));
            self.add(button, label);
            if at < last {
                let style = fixed(base_style(), Some(self.px(1.0)), None);
                let surface = Some(Surface::fill(self.palette.role(ColorRole::Divider)));
                self.add(index, Node { style, surface, ..Node::default() });
            }
        }
        Ok(())
    }

    /// A small text on a disc at a node's upper right corner.
    pub(super) fn badge(&mut self, index: NodeIndex, text: &str) {
        let mut style = fixed(base_style(), None, Some(self.px(16.0)));
        style.position = taffy::Position::Absolute;
        style.inset.top = taffy::LengthPercentageAuto::length(self.px(4.0));
        style.inset.right = taffy::LengthPercentageAuto::length(self.px(4.0));
        style.min_size.width = taffy::LengthPercentageAuto::length(self.px(16.0));
        style.padding = self.edges(file::Edges::symmetric(0.0, 4.0));
        style.justify_content = taffy::JustifyContent::CENTER;
        let fill = self.palette.role(ColorRole::Error);
        let disc = self.add(
            index,
            Node {
                style,
                surface: Some(Surface::rounded(fill, self.px(8.0))),
                access: Some(Access { class: "android.widget.TextView", text: text.to_owned(), ..Access::default() }),
                ..Node::default()
            },
        );
        let mut label = self.drawn_text(text, TextStyle::Caption, super::super::palette::readable_on(fill));
        if let Content::Text(block) = &mut label.content {
            block.align = TextAlign::Center;
            block.face.size = (block.face.size * 0.9).round();
            block.max_lines = Some(1);
        }
        self.add(disc, label);
    }
}

/// A choice from an element of an array.
fn from_value(value: Dynamic) -> Resolved {
    let plain = |value: Dynamic| Resolved {
        text: value.to_string(),
        icon: None,
        value,
        id: String::new(),
        desc: None,
        badge: String::new(),
    };
    let Some(map) = value.read_lock::<rhai::Map>().map(|map| map.clone()) else { return plain(value) };
    let field = |name: &str| map.get(name).map(ToString::to_string);
    let text = field("text").or_else(|| field("name")).or_else(|| field("title")).unwrap_or_default();
    let icon = field("icon").and_then(|name| serde_json::from_value::<IconName>(serde_json::Value::String(name)).ok());
    let value = map.get("value").or_else(|| map.get("id")).cloned().unwrap_or_else(|| Dynamic::from(text.clone()));
    Resolved { text, icon, value, id: String::new(), desc: field("desc"), badge: field("badge").unwrap_or_default() }
}
