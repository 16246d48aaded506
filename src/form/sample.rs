//! Made-up screens, for tests.

use crate::domain::{Rect, Selector, Size};
use crate::hierarchy::{
    Fingerprint, Role, Screen, ScreenInput, ScreenKind, ScreenText, ScreenTexts, TextSource, UiTree, Widget,
    WidgetState,
};

/// What is seen of a dump on a screen of 1080 × 2400.
pub(crate) fn perceived(dump: &str) -> Screen {
    Screen::perceive(ScreenInput {
        hierarchy: dump.as_bytes(),
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    })
}

/// A widget without a place.
pub(crate) fn widget(role: Role, label: &str) -> Widget {
    Widget {
        id: 0,
        node: 0,
        role,
        label: label.into(),
        shown: None,
        context: String::new(),
        value: String::new(),
        hint: String::new(),
        resource_id: String::new(),
        id_words: String::new(),
        class: "android.view.View".into(),
        package: "app".into(),
        state: WidgetState { enabled: true, ..WidgetState::default() },
        clickable: role != Role::Text,
        long_clickable: false,
        scrollable: false,
        bounds: Rect::new(0, 0, 0, 0),
        tap: Rect::new(0, 0, 0, 0).center(),
        links: Vec::new(),
        selector: Selector::default(),
    }
}

pub(crate) fn button(label: &str) -> Widget {
    widget(Role::Button, label)
}

pub(crate) fn text(label: &str) -> Widget {
    widget(Role::Text, label)
}

/// The widget in a row, counted from 0, that far from the left.
pub(crate) fn row(mut widget: Widget, row: i32, left: i32) -> Widget {
    widget.bounds = Rect::new(left, 100 * row, left + 100, 100 * row + 100);
    widget
}

/// A screen of them; those without a place stand below each other.
pub(crate) fn screen(mut widgets: Vec<Widget>) -> Screen {
    for (id, widget) in widgets.iter_mut().enumerate() {
        if widget.bounds.height() == 0 {
            *widget = row(widget.clone(), id as i32, 0);
        }
        (widget.id, widget.node, widget.tap) = (id, id, widget.bounds.center());
    }
    let told = |widget: &Widget| {
        let bounds = widget.bounds;
        let (node, widget_id) = (widget.node, Some(widget.id));
        let texts = [(TextSource::Text, widget.label.clone()), (TextSource::Text, widget.value.clone())];
        texts.into_iter().filter(|(_, text)| !text.is_empty()).map(move |(source, text)| ScreenText {
            text,
            shown: None,
            source,
            node,
            widget: widget_id,
            bounds,
        })
    };
    let texts = ScreenTexts { shown: widgets.iter().flat_map(told).collect(), covered: Vec::new() };
    Screen {
        tree: UiTree::default(),
        widgets,
        texts,
        screenshot: None,
        display: Size::new(1000, 2000),
        foreground: None,
        keyboard_shown: false,
        masked: Vec::new(),
        title: "Screen".into(),
        shown_title: None,
        kind: ScreenKind::Ordinary,
        fingerprint: Fingerprint(1),
        digest: 1,
        scroll_areas: Vec::new(),
        rows: Vec::new(),
    }
}
