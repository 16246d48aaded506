//! What is asked of the JVM, and what it answers.

use crate::Configuration;
use serde::{Deserialize, Serialize};

/// A request: one line of JSON, its kind under `do`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Request {
    /// The handshake; answered with [`AppInfo`].
    Hello {
        /// From the socket's file.
        token: String,
    },
    /// Starts an activity; an empty name is the launcher's.
    Launch {
        /// Fully qualified class.
        activity: String,
    },
    /// Ends every activity.
    Stop,
    /// Ends every activity and deletes what the app keeps in files.
    Clear,
    /// The app left the front.
    Pause,
    /// The app came to the front.
    Resume,
    /// Answered with [`Status`].
    Status,
    /// The answer's bytes are the lines that `AndroidRuntime` would log of the crash.
    Crash,
    /// Answered with [`Clicks`].
    #[cfg(test)]
    Clicks,
    /// Answered with [`Windows`].
    #[cfg(test)]
    Windows,
    /// The active window's nodes; the answer's bytes are a dump.
    Dump,
    /// The display's pixels; the answer's bytes are RGBA.
    Screenshot,
    /// A finger; answered when it is up again.
    Touch(Touch),
    /// A key is pressed and released.
    Key {
        /// Android's key code.
        code: u32,
    },
    /// `input text`.
    Text {
        /// What is typed.
        text: String,
    },
    /// A text given to the focused field at once, as an input method does.
    Commit {
        /// What is written.
        text: String,
    },
    /// What the app lays itself out for.
    Configure(Setting),
}

impl Request {
    /// What is typed or written; empty for other requests.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text { text } | Self::Commit { text } => text,
            _ => "",
        }
    }
}

/// A finger's way, display pixels and milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Touch {
    pub x: i32,
    pub y: i32,
    pub to_x: i32,
    pub to_y: i32,
    /// Before it moves.
    pub hold_ms: u64,
    /// While it moves.
    pub move_ms: u64,
}

/// The device's configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Setting {
    width: u32,
    height: u32,
    density: u32,
    locale: String,
    font_scale: f32,
    night: bool,
    rotation: u8,
}

impl From<&Configuration> for Setting {
    fn from(configuration: &Configuration) -> Self {
        Self {
            width: configuration.display.width,
            height: configuration.display.height,
            density: configuration.density,
            locale: configuration.locale.clone(),
            font_scale: configuration.font_scale,
            night: configuration.night,
            rotation: configuration.rotation,
        }
    }
}

/// The first line of every answer.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Head {
    /// Why it was not done.
    pub error: Option<String>,
    /// How many bytes follow.
    #[serde(default)]
    pub bytes: usize,
    /// A screenshot's size.
    #[serde(default)]
    pub width: u32,
    /// A screenshot's size.
    #[serde(default)]
    pub height: u32,
    /// Whether a text could be typed, or a field took it.
    pub typed: Option<bool>,
}

/// The app's state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Status {
    /// Class of the activity on top; empty when there is none.
    pub activity: String,
    /// The soft keyboard is up.
    pub keyboard: bool,
    /// An exception ended the app.
    pub crashed: bool,
    /// Since the last accessibility event, ms.
    pub quiet_ms: u64,
    /// `FLAG_SECURE`.
    pub secure: bool,
}

/// Which nodes were clicked since the last time, `[left,top][right,bottom]`.
#[cfg(test)]
#[derive(Debug, Deserialize)]
pub(super) struct Clicks {
    pub clicks: Vec<String>,
}

/// The windows on the display, the lowest first.
#[cfg(test)]
#[derive(Debug, Deserialize)]
pub(super) struct Windows {
    pub windows: Vec<Window>,
}

/// A window.
#[cfg(test)]
#[derive(Debug, Deserialize)]
pub(super) struct Window {
    pub title: String,
    /// `WindowManager.LayoutParams.type`.
    #[serde(rename = "type")]
    pub kind: u32,
    /// `[left,top][right,bottom]`.
    pub bounds: String,
    pub focused: bool,
}

/// What the package manager inside knows of the app.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct AppInfo {
    pub package: String,
    pub label: String,
    pub version_name: String,
    pub version_code: u64,
    pub launcher: String,
    pub width: u32,
    pub height: u32,
    pub density: u32,
    pub activities: Vec<Activity>,
    pub permissions: Vec<String>,
}

/// An activity of the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Activity {
    pub class: String,
    pub exported: bool,
}
