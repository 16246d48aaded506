//! What a node of a dump looks like: its kind by class and flags, its icon by what it says.

use super::super::file::IconName;
use super::super::palette::Rgba;
use crate::hierarchy::{UiNode, holds_field};

/// The accent colour of a drawn tree.
pub(super) const PRIMARY: Rgba = [0x0b, 0x57, 0xd0, 255];

/// How a node is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text field.
    Field,
    /// A check box with its text.
    Checkbox,
    /// A radio button with its text.
    Radio,
    /// A switch with its text.
    Switch,
    /// A slider.
    Slider,
    /// A turning circle, or a bar.
    Progress,
    /// A drop-down with its value.
    Dropdown,
    /// A button.
    Button,
    /// A picture.
    Image,
    /// A text.
    Text,
    /// A box around others.
    Box,
}

/// The kind of a node; `leaf`: it has no children.
pub(super) fn kind(node: &UiNode, leaf: bool) -> Kind {
    let class = node.class_name();
    let has = |part: &str| class.contains(part);
    let says = !node.text.is_empty() || !node.content_desc.is_empty();
    if holds_field(node) {
        Kind::Field
    } else if has("CheckBox") || has("CheckedTextView") {
        Kind::Checkbox
    } else if has("Radio") && leaf {
        Kind::Radio
    } else if has("Switch") || has("ToggleButton") {
        Kind::Switch
    } else if has("SeekBar") || has("Slider") {
        Kind::Slider
    } else if has("ProgressBar") {
        Kind::Progress
    } else if !leaf {
        if has("Spinner") { Kind::Dropdown } else { Kind::Box }
    } else if has("Spinner") {
        Kind::Dropdown
    } else if node.checkable {
        Kind::Checkbox
    } else if has("Button") {
        Kind::Button
    } else if has("Image") {
        Kind::Image
    } else if says {
        if node.clickable && !class.contains("Text") { Kind::Button } else { Kind::Text }
    } else {
        Kind::Box
    }
}

/// The icon a person would expect on a control that says `words`.
pub(super) fn icon_for(words: &str) -> Option<IconName> {
    use IconName as I;
    const MEANT: &[(&str, I)] = &[
        ("search", I::Search),
        ("more options", I::More),
        ("overflow", I::More),
        ("navigation drawer", I::Menu),
        ("menu", I::Menu),
        ("sort", I::Menu),
        ("filter", I::Menu),
        ("navigate up", I::Back),
        ("go back", I::Back),
        ("back", I::Back),
        ("backspace", I::Backspace),
        ("close", I::Close),
        ("cancel", I::Close),
        ("dismiss", I::Close),
        ("clear", I::Close),
        ("delete", I::Trash),
        ("remove", I::Trash),
        ("edit", I::Edit),
        ("rename", I::Edit),
        ("setting", I::Settings),
        ("customize", I::Settings),
        ("create", I::Plus),
        ("new", I::Plus),
        ("add", I::Plus),
        ("compose", I::Edit),
        ("history", I::Clock),
        ("dialpad", I::Phone),
        ("call", I::Phone),
        ("phone", I::Phone),
        ("send", I::Send),
        ("share", I::Send),
        ("group", I::People),
        ("people", I::People),
        ("contact", I::Person),
        ("profile", I::Person),
        ("account", I::Person),
        ("favo", I::Star),
        ("star", I::Star),
        ("recent", I::Clock),
        ("time", I::Clock),
        ("info", I::Info),
        ("about", I::Info),
        ("detail", I::Info),
        ("help", I::Help),
        ("home", I::Home),
        ("date", I::Calendar),
        ("calendar", I::Calendar),
        ("mail", I::Mail),
        ("message", I::Mail),
        ("lock", I::Lock),
        ("save", I::Check),
        ("confirm", I::Check),
        ("done", I::Check),
        ("location", I::Pin),
        ("map", I::Pin),
        ("cart", I::Cart),
        ("notification", I::Bell),
        ("like", I::Heart),
        ("scan", I::Scan),
    ];
    let said = words.to_lowercase();
    MEANT.iter().find(|(part, _)| said.contains(part)).map(|(_, icon)| *icon)
}

/// A colour for the disc of a row, the same for the same text.
pub(super) fn tint(text: &str) -> Rgba {
    const TINTS: [Rgba; 6] = [
        [0x0b, 0x57, 0xd0, 255],
        [0x18, 0x80, 0x38, 255],
        [0xb0, 0x60, 0x00, 255],
        [0x8e, 0x24, 0xaa, 255],
        [0x00, 0x79, 0x6b, 255],
        [0xc2, 0x18, 0x5b, 255],
    ];
    let sum = text.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    TINTS[sum % TINTS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(class: &str, text: &str, clickable: bool) -> UiNode {
        UiNode { class: class.into(), text: text.into(), clickable, enabled: true, ..UiNode::default() }
    }

    #[test]
    fn a_node_is_drawn_by_its_class_and_then_by_what_it_says() {
        for (class, text, clickable, leaf, kind_of) in [
            ("android.widget.EditText", "", true, true, Kind::Field),
            ("androidx.appcompat.widget.SwitchCompat", "", true, true, Kind::Switch),
            ("android.widget.CheckBox", "Vibrate", true, true, Kind::Checkbox),
            ("android.widget.RadioGroup", "", false, false, Kind::Box),
            ("android.widget.RadioButton", "Large", true, true, Kind::Radio),
            ("android.widget.Button", "Save", true, true, Kind::Button),
            ("android.view.View", "Save", true, true, Kind::Button),
            ("android.view.View", "Saved", false, true, Kind::Text),
            ("android.widget.TextView", "Title", true, true, Kind::Text),
            ("android.widget.LinearLayout", "", true, false, Kind::Box),
            ("android.view.View", "", false, true, Kind::Box),
        ] {
            assert_eq!(kind(&node(class, text, clickable), leaf), kind_of, "{class} {text:?}");
        }
    }

    #[test]
    fn an_icon_goes_by_the_words_a_control_says() {
        assert_eq!(icon_for("More options"), Some(IconName::More));
        assert_eq!(icon_for("Create a new note"), Some(IconName::Plus));
        assert_eq!(icon_for("Diary"), None);
    }
}
