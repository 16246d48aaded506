//! Something on a screen that can be touched, filled in or read.

use crate::domain::Rect;
use crate::hierarchy::{Role, Widget, WidgetId};

/// A widget as the map keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    /// Position among the widgets of its screen.
    pub widget: WidgetId,
    /// What it is called, with everything a row says beside its name.
    pub label: String,
    /// Its own name: a row's first line that says something, without the value below it.
    pub name: String,
    /// What it shows or holds.
    pub value: String,
    /// A field's hint and the words of its id.
    pub hint: String,
    /// What kind of widget it is.
    pub role: Role,
    /// Ticked or not, for what can be ticked.
    pub checked: Option<bool>,
    /// Can be touched.
    pub clickable: bool,
    /// Can be used.
    pub enabled: bool,
    /// Where it is.
    pub bounds: Rect,
}

impl Control {
    /// A widget as the map keeps it.
    pub fn of(widget: &Widget) -> Self {
        let field = widget.role == Role::Field;
        Self {
            widget: widget.id,
            label: widget.label.clone(),
            name: if field { field_name(widget) } else { own_name(widget) },
            value: widget.value.clone(),
            hint: [widget.hint.as_str(), widget.id_words.as_str()].join(" "),
            role: widget.role,
            checked: widget.state.checked,
            clickable: widget.clickable,
            enabled: widget.state.enabled,
            bounds: widget.bounds,
        }
    }

    /// A text field.
    pub fn is_field(&self) -> bool {
        self.role == Role::Field
    }

    /// Everything it shows.
    pub fn shown(&self) -> &str {
        if self.value.is_empty() { &self.label } else { &self.value }
    }
}

/// A row shows its name first and its value below: "Font size" over "Large". Lines of digits are counters or times.
fn own_name(widget: &Widget) -> String {
    let lines: Vec<&str> = widget.value.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.len() > 1 {
        let says = |line: &&&str| line.chars().filter(|c| c.is_alphabetic()).count() >= 2;
        let line = lines.iter().find(says).or(lines.first());
        return line.map(|line| (*line).to_owned()).unwrap_or_default();
    }
    widget.label.split(", ").next().unwrap_or_default().to_owned()
}

fn field_name(widget: &Widget) -> String {
    let mut name = widget.label.clone();
    for part in [&widget.hint, &widget.value] {
        if !part.is_empty() && *part != widget.label {
            name.push(' ');
            name.push_str(part);
        }
    }
    name
}
