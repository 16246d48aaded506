//! A widget in words, as the model reads it.
//!
//! Every text the model compares with an instruction is made here, whatever it is for: choosing on a device, the texts
//! a model is tuned on (`train texts`) and its measurement (`eval ranking`). A model is tuned on this form, so a change
//! of it asks for a new model.

use crate::domain::{Rect, Size, words};
use crate::hierarchy::{Role, Screen, Widget};
use std::collections::{BTreeSet, HashMap};

/// Stands between two parts.
const BETWEEN: &str = " | ";
/// Longest label, context and hint, in characters; a longer one is cut behind a word.
const LONGEST: (usize, usize) = (160, 80);

/// Every word [`role_word`] gives.
pub(super) const ROLES: [&str; 16] = [
    "icon",
    "button",
    "field",
    "checkbox",
    "radio button",
    "switch",
    "list item",
    "tab",
    "dropdown",
    "slider",
    "wheel",
    "list",
    "link",
    "image",
    "key",
    "text",
];

/// The parts of a widget's text: `label | context | hint | id words | role, state | position`.
///
/// Any part may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WidgetText {
    /// What a person would call it.
    pub label: String,
    /// The row or section it stands in, where the label does not tell it from others.
    pub context: String,
    /// A field's hint.
    pub hint: String,
    /// What its id says: `confirm payment`.
    pub id_words: String,
    /// What kind of thing it is, as a person says it: `button`, `icon`, `switch`.
    pub role: &'static str,
    /// `on`, `off`, `selected`, `disabled`, several with commas.
    pub state: String,
    /// Where it stands, and which of several alike it is: `top right`, `middle, 2nd of 3`.
    pub position: String,
}

impl WidgetText {
    /// The parts as one text. A part that is empty, or says nothing that an earlier one has not said, is left out.
    pub fn joined(&self) -> String {
        let kind = match (self.role, self.state.as_str()) {
            (role, "") => role.to_owned(),
            (role, state) => format!("{role}, {state}"),
        };
        let mut said: BTreeSet<String> = BTreeSet::new();
        let mut out = String::new();
        let parts = [&self.label, &self.context, &self.hint, &self.id_words, &kind, &self.position];
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let own = words(part);
            if !own.is_empty() && own.iter().all(|word| said.contains(word)) {
                continue;
            }
            said.extend(own);
            if !out.is_empty() {
                out.push_str(BETWEEN);
            }
            out.push_str(part);
        }
        out
    }
}

/// The texts of all widgets of a screen, by widget id.
pub fn widget_texts(screen: &Screen) -> Vec<WidgetText> {
    let mut texts: Vec<WidgetText> = screen.widgets.iter().map(|widget| text_of(widget, screen.display)).collect();
    let mut alike: HashMap<(String, &'static str), Vec<usize>> = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        alike.entry((text.label.to_lowercase(), text.role)).or_default().push(at);
    }
    for members in alike.values().filter(|members| members.len() > 1) {
        for (number, &at) in members.iter().enumerate() {
            let place = format!("{} of {}", ordinal(number + 1), members.len());
            let position = &mut texts[at].position;
            *position = if position.is_empty() { place } else { format!("{position}, {place}") };
        }
    }
    texts
}

fn text_of(widget: &Widget, display: Size) -> WidgetText {
    let (label, other) = LONGEST;
    WidgetText {
        label: cut(&widget.label, label),
        // A link's context is the whole paragraph, which is about everything else too.
        context: if widget.role == Role::Link { String::new() } else { cut(&widget.context, other) },
        hint: cut(&widget.hint, other),
        id_words: cut(&widget.id_words, other),
        role: role_word(widget, display),
        state: state_words(widget),
        position: place(widget.bounds, display).to_owned(),
    }
}

/// What a person would call this kind of thing.
pub fn role_word(widget: &Widget, display: Size) -> &'static str {
    match widget.role {
        Role::Button if is_icon(widget, display) => "icon",
        Role::Button => "button",
        Role::Field => "field",
        Role::Checkbox => "checkbox",
        Role::Radio => "radio button",
        Role::Switch => "switch",
        Role::ListItem => "list item",
        Role::Tab => "tab",
        Role::Dropdown => "dropdown",
        Role::Slider => "slider",
        Role::Selector => "wheel",
        Role::List => "list",
        Role::Link => "link",
        Role::Image => "image",
        Role::KeypadKey => "key",
        Role::Text | Role::ReadText => "text",
    }
}

/// A button that shows a picture instead of words: by its class, without a name, or small and nearly square without a
/// text of its own.
fn is_icon(widget: &Widget, display: Size) -> bool {
    let (width, height) = (widget.bounds.width(), widget.bounds.height());
    let side = display.width.min(display.height) as i32;
    let small = 6 * width.max(height) <= side && 10 * width <= 16 * height && 10 * height <= 16 * width;
    widget.class.contains("Image") || widget.label.is_empty() || small && widget.value.is_empty()
}

fn state_words(widget: &Widget) -> String {
    let state = &widget.state;
    let mut words = Vec::new();
    match state.checked {
        Some(true) => words.push("on"),
        Some(false) => words.push("off"),
        None => {}
    }
    if state.selected && state.checked.is_none() {
        words.push("selected");
    }
    if !state.enabled {
        words.push("disabled");
    }
    words.join(", ")
}

const NAMES: [[&str; 3]; 3] =
    [["top left", "top", "top right"], ["left", "middle", "right"], ["bottom left", "bottom", "bottom right"]];

/// The part of the display a thing stands in; none for what fills it.
pub fn place(bounds: Rect, display: Size) -> &'static str {
    let (width, height) = (display.width.max(1) as i32, display.height.max(1) as i32);
    if 10 * bounds.height() > 6 * height {
        return "";
    }
    let middle = bounds.center();
    let across = if 10 * bounds.width() > 6 * width {
        1
    } else {
        match 3 * middle.x / width {
            i32::MIN..=0 => 0,
            1 => 1,
            _ => 2,
        }
    };
    let down = match 4 * middle.y / height {
        i32::MIN..=0 => 0,
        1 | 2 => 1,
        _ => 2,
    };
    NAMES[down][across]
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// At most `most` characters, cut behind a word where there is one.
fn cut(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let head = &text[..end];
    head.rsplit_once(' ').map_or(head, |(whole, _)| whole).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> WidgetText {
        WidgetText { label: "Dark mode".into(), role: "switch", state: "off".into(), ..WidgetText::default() }
    }

    #[test]
    fn what_was_said_already_is_left_out() {
        let text = WidgetText {
            context: "Display".into(),
            hint: "dark".into(),
            id_words: "dark mode toggle".into(),
            position: "top right".into(),
            ..text()
        };
        assert_eq!(text.joined(), "Dark mode | Display | dark mode toggle | switch, off | top right");
        assert_eq!(self::text().joined(), "Dark mode | switch, off");
        assert_eq!(WidgetText { role: "icon", ..WidgetText::default() }.joined(), "icon");
    }

    #[test]
    fn signs_are_kept_though_they_are_no_words() {
        assert_eq!(WidgetText { label: "+".into(), role: "button", ..WidgetText::default() }.joined(), "+ | button");
    }

    #[test]
    fn a_place_is_coarse_and_what_is_wide_has_no_side() {
        let display = Size::new(1000, 2000);
        assert_eq!(place(Rect::new(900, 0, 1000, 100), display), "top right");
        assert_eq!(place(Rect::new(0, 1900, 1000, 2000), display), "bottom");
        assert_eq!(place(Rect::new(0, 900, 200, 1000), display), "left");
        assert_eq!(place(Rect::new(0, 0, 1000, 2000), display), "");
        assert_eq!(place(Rect::new(-50, -50, -10, -10), Size::new(0, 0)), "");
    }

    #[test]
    fn ordinals_are_english() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 22, 103, 111].map(ordinal),
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "22nd", "103rd", "111th"]
        );
    }

    #[test]
    fn a_long_label_is_cut_behind_a_word() {
        assert_eq!(cut("one two three", 9), "one two");
        assert_eq!(cut("设置设置设置", 3), "设置设");
        assert_eq!(cut("short", 9), "short");
    }
}
