//! Made-up screens, told by the toolkit of one's choice.

use crate::domain::{Rect, Size};
use crate::hierarchy::{Screen, ScreenInput};
use std::fmt::Write as _;

/// A toolkit, by how it fills the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Android views: class names, texts, and often ids.
    Views,
    /// Compose: views without ids, texts and roles in nodes of their own.
    Compose,
    /// Flutter: descriptions only.
    Flutter,
    /// React Native: groups whose description repeats their texts.
    ReactNative,
}

impl Dialect {
    pub(super) const ALL: [Self; 4] = [Self::Views, Self::Compose, Self::Flutter, Self::ReactNative];
}

pub(super) const DISPLAY: Size = Size::new(1080, 2400);

/// A screen that is being written.
pub(super) struct Sketch {
    dialect: Dialect,
    nodes: String,
    window: [i32; 4],
}

impl Sketch {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, nodes: String::new(), window: [0, 0, 1080, 2400] }
    }

    /// A dialog of its own window.
    pub(super) fn window(dialect: Dialect, window: [i32; 4]) -> Self {
        Self { dialect, nodes: String::new(), window }
    }

    /// A node without children.
    pub(super) fn node(&mut self, class: &str, attributes: &str, bounds: [i32; 4]) {
        self.open(class, attributes, bounds);
        self.close();
    }

    pub(super) fn open(&mut self, class: &str, attributes: &str, bounds: [i32; 4]) {
        let bounds = Rect::from(bounds);
        let _ = write!(self.nodes, r#"<node class="{class}" package="org.example" {attributes} bounds="{bounds}">"#);
    }

    pub(super) fn close(&mut self) {
        self.nodes.push_str("</node>");
    }

    pub(super) fn text(&mut self, label: &str, bounds: [i32; 4]) {
        match self.dialect {
            Dialect::Flutter => self.node("android.view.View", &format!(r#"content-desc="{label}""#), bounds),
            _ => self.node("android.widget.TextView", &format!(r#"text="{label}""#), bounds),
        }
    }

    /// A control that shows an icon and is described by a label.
    pub(super) fn icon(&mut self, label: &str, bounds: [i32; 4]) {
        self.icon_that_is(label, "", bounds);
    }

    /// An icon with further attributes: `enabled="false"`, `selected="true"`.
    pub(super) fn icon_that_is(&mut self, label: &str, state: &str, bounds: [i32; 4]) {
        let description = format!(r#"content-desc="{label}" clickable="true" {state}"#);
        match self.dialect {
            Dialect::Views => self.node("android.widget.ImageButton", &description, bounds),
            Dialect::Compose => {
                self.open("android.view.View", &format!(r#"clickable="true" {state}"#), bounds);
                self.node("android.view.View", &format!(r#"content-desc="{label}""#), bounds);
                self.node("android.widget.Button", "", bounds);
                self.close();
            }
            Dialect::Flutter => self.node("android.widget.Button", &description, bounds),
            Dialect::ReactNative => self.node("android.view.ViewGroup", &description, bounds),
        }
    }

    /// A control that shows its label.
    pub(super) fn button(&mut self, label: &str, bounds: [i32; 4]) {
        self.button_that_is(label, "", bounds);
    }

    /// A button with further attributes.
    pub(super) fn button_that_is(&mut self, label: &str, state: &str, bounds: [i32; 4]) {
        match self.dialect {
            Dialect::Views => {
                self.node("android.widget.Button", &format!(r#"text="{label}" clickable="true" {state}"#), bounds);
            }
            Dialect::Compose => {
                self.open("android.view.View", &format!(r#"clickable="true" {state}"#), bounds);
                self.node("android.widget.TextView", &format!(r#"text="{label}""#), bounds);
                self.node("android.widget.Button", "", bounds);
                self.close();
            }
            Dialect::Flutter => {
                self.node(
                    "android.widget.Button",
                    &format!(r#"content-desc="{label}" clickable="true" {state}"#),
                    bounds,
                );
            }
            Dialect::ReactNative => {
                let group = format!(r#"content-desc="{label}" clickable="true" {state}"#);
                self.open("android.view.ViewGroup", &group, bounds);
                self.node("android.widget.TextView", &format!(r#"text="{label}""#), bounds);
                self.close();
            }
        }
    }

    /// One of several choices.
    pub(super) fn choice(&mut self, label: &str, on: bool, bounds: [i32; 4]) {
        match self.dialect {
            Dialect::Views => {
                let state = format!(r#"text="{label}" clickable="true" checkable="true" checked="{on}""#);
                self.node("android.widget.RadioButton", &state, bounds);
            }
            Dialect::Compose => {
                let state = format!(r#"clickable="true" checkable="true" checked="{on}""#);
                self.open("android.view.View", &state, bounds);
                self.node("android.widget.TextView", &format!(r#"text="{label}""#), bounds);
                self.node("android.widget.RadioButton", "", bounds);
                self.close();
            }
            Dialect::Flutter => {
                let state = format!(r#"content-desc="{label}" clickable="true" checkable="true" checked="{on}""#);
                self.node("android.widget.RadioButton", &state, bounds);
            }
            Dialect::ReactNative => self.button_that_is(label, &format!(r#"selected="{on}""#), bounds),
        }
    }

    /// A bar with a thumb; `value` is what the toolkit tells of it.
    pub(super) fn bar(&mut self, value: &str, bounds: [i32; 4]) {
        let value = match self.dialect {
            Dialect::Flutter => format!(r#"content-desc="{value}""#),
            _ => format!(r#"text="{value}""#),
        };
        self.node("android.widget.SeekBar", &format!(r#"focusable="true" {value}"#), bounds);
    }

    pub(super) fn screen(&self) -> Screen {
        let window = Rect::from(self.window);
        let hierarchy = format!(
            r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="org.example" bounds="{window}">{}</node></hierarchy>"#,
            self.nodes
        );
        Screen::perceive(ScreenInput {
            hierarchy: hierarchy.as_bytes(),
            screenshot: None,
            display: DISPLAY,
            foreground: None,
            keyboard_shown: false,
        })
    }
}
