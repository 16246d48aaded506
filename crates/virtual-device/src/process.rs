//! The seam between the virtual system and the apps it runs.

use crate::domain::{Point, Rect, Screenshot, Size};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Android's `Configuration`: what an app lays itself out for. It changes while apps run.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// Display in pixels, as it is rotated now.
    pub display: Size,
    /// Density in dpi (160 is scale 1).
    pub density: u32,
    /// BCP 47 tag, `en-US`; the app's own where one was set (`cmd locale set-app-locales`).
    pub locale: String,
    /// Factor on text sizes (`settings put system font_scale`).
    pub font_scale: f32,
    /// Dark theme (`cmd uimode night yes`).
    pub night: bool,
    /// Quarter turns of the display, 0 to 3.
    pub rotation: u8,
}

impl Default for Configuration {
    fn default() -> Self {
        Self {
            display: Size::new(1080, 2400),
            density: 420,
            locale: "en-US".to_owned(),
            font_scale: 1.0,
            night: false,
            rotation: 0,
        }
    }
}

/// Where the device is, in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Location {
    /// North is positive.
    pub latitude: f64,
    /// East is positive.
    pub longitude: f64,
}

/// What an app can see of the device and that changes while it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Surroundings {
    /// Time since boot.
    pub now: Duration,
    /// Date and time, UTC; the device's time zone is GMT.
    pub wall: jiff::Timestamp,
    /// Where the device is, once it knows (`geo fix`).
    pub location: Option<Location>,
    /// True while some network works.
    pub online: bool,
    /// Permissions the app holds now.
    pub granted: Arc<BTreeSet<String>>,
}

impl Surroundings {
    /// A device without a location, online, nothing granted; half past nine at boot.
    pub fn at(now: Duration) -> Self {
        let boot = jiff::Timestamp::constant(1_767_605_400, 0);
        Self { now, wall: boot.checked_add(now).unwrap_or(boot), location: None, online: true, granted: Arc::default() }
    }
}

/// Which way up an app wants the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// Higher than wide.
    Portrait,
    /// Wider than high.
    Landscape,
}

/// What a process asks of the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemRequest {
    /// Start the app with this package.
    Launch(String),
    /// The last activity closed itself (a `finish` action, not BACK).
    Finish,
    /// End the process without a crash; its data is kept.
    Kill,
    /// Open a URI in the app that has a link for it.
    Open(String),
    /// Ask the user for permissions, one dialog each; the answers come through [`AppProcess::answered`].
    Permission(Vec<String>),
    /// Show the share sheet.
    Share {
        /// What is shared.
        text: String,
        /// The sheet's title.
        title: Option<String>,
    },
    /// Put text on the clipboard.
    Copy(String),
    /// Lock the display's orientation while the app is in front; `None` lets it turn again.
    Orientation(Option<Orientation>),
    /// System windows only: what the user chose, see [`super::SystemUi`].
    Answer(String),
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemAnswer {
    /// The user (or an earlier decision) answered for one permission.
    Permission {
        /// `android.permission.CAMERA`.
        name: String,
        /// Granted.
        granted: bool,
    },
    /// The share sheet closed.
    Shared {
        /// Package of the chosen app; none when it was dismissed.
        target: Option<String>,
    },
    /// No installed app opens this URI.
    Unopened {
        /// The URI.
        uri: String,
    },
}

/// What a finger did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gesture {
    /// Down and up at one point.
    Tap(Point),
    /// Down and up at one point, held beyond the long-press timeout.
    LongPress(Point),
    /// A drag from one point to another.
    Swipe {
        /// Finger down.
        from: Point,
        /// Finger up.
        to: Point,
        /// How long it took.
        duration: Duration,
    },
    /// Held beyond the long-press timeout where it began, then dragged (`input draganddrop`).
    Drag {
        /// Finger down.
        from: Point,
        /// Finger up.
        to: Point,
        /// How long it took.
        duration: Duration,
    },
}

/// What became of a key event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyOutcome {
    /// The app took it (or ignored it).
    Handled,
    /// Back on the app's first screen: the system shows what lies below.
    Finish,
}

/// One element of the accessibility tree, as `uiautomator` would see it. Elements not visible to the user are left out
/// by the app; `index` keeps the original child number, so gaps occur.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "mirrors AccessibilityNodeInfo")]
pub struct ElementSnapshot {
    /// Child number within its parent, invisible siblings counted.
    pub index: usize,
    /// `text`.
    pub text: String,
    /// Full `resource-id`, `com.example.pay:id/next`, or empty.
    pub resource_id: String,
    /// Class name, `android.widget.Button`.
    pub class: String,
    /// Package that owns the element.
    pub package: String,
    /// `content-desc`.
    pub content_desc: String,
    /// Hint of an empty field (dumped as an attribute from API 36 on).
    pub hint: String,
    /// Can be checked.
    pub checkable: bool,
    /// Is checked.
    pub checked: bool,
    /// Has a click listener.
    pub clickable: bool,
    /// Is enabled.
    pub enabled: bool,
    /// Can take the focus.
    pub focusable: bool,
    /// Has the focus.
    pub focused: bool,
    /// Can scroll.
    pub scrollable: bool,
    /// Has a long-click listener.
    pub long_clickable: bool,
    /// Hides its text.
    pub password: bool,
    /// Is selected (tabs).
    pub selected: bool,
    /// Position on the display, clipped to it.
    pub bounds: Rect,
    /// Drawing order within the parent.
    pub drawing_order: usize,
    /// Visible children.
    pub children: Vec<ElementSnapshot>,
}

/// What is true inside an app, whatever it shows. An examiner judges by it; nothing on the device can read it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AppState {
    /// Every state variable, the shared ones included.
    pub variables: BTreeMap<String, serde_json::Value>,
    /// Id of the topmost screen.
    pub screen: String,
    /// Windows over it, the topmost last: ids of dialogs and sheets, `list`, `date`, `time`, `drawer`.
    pub windows: Vec<String>,
    /// What the file's consequences look at, in the file's order.
    pub consequences: Vec<ConsequenceState>,
}

/// What one consequence looks at, and how it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsequenceState {
    /// What a change means.
    pub effect: ConsequenceEffect,
    /// Which change counts.
    pub change: ConsequenceChange,
    /// Why it matters, for people.
    pub reason: String,
    /// The value looked at; null where it cannot be told now.
    pub value: serde_json::Value,
}

/// Which change of a value is a consequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsequenceChange {
    /// A new element, or another value.
    Added,
    /// An element that is gone.
    Removed,
    /// Any.
    Changed,
}

/// What a change means outside of the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConsequenceEffect {
    /// A message or a request went to somebody.
    Sent,
    /// Something was ordered or booked.
    Ordered,
    /// Money was spent or moved.
    Paid,
    /// Something is gone.
    Deleted,
    /// Somebody or something is blocked or frozen.
    Blocked,
    /// Others can see it now.
    Published,
    /// A door or a lock was opened.
    Opened,
    /// Somebody was called.
    Called,
    /// Somebody or something was reported.
    Reported,
    /// A group or a membership was left, an order or booking cancelled.
    Left,
    /// Something was set back to how it was at first.
    Reset,
    /// The user is signed out.
    SignedOut,
}

/// A running app, as the virtual system uses it. Time comes in through [`AppProcess::advance`]; nothing here sleeps.
pub trait AppProcess: Send {
    /// Application id.
    fn package(&self) -> &str;

    /// Fully qualified class of the activity on top.
    fn activity(&self) -> String;

    /// Moves the app on to the present: loading delays end, toasts go.
    fn advance(&mut self, around: &Surroundings);

    /// The display turned, its size, density, language, theme or font scale changed while the app runs.
    fn configure(&mut self, configuration: &Configuration);

    /// A touch at display coordinates. Touches on the soft keyboard are the app's too: it draws it.
    fn gesture(&mut self, gesture: Gesture);

    /// A key event with an Android key code (4 is BACK, 66 ENTER, 67 DEL…).
    fn key(&mut self, code: u32) -> KeyOutcome;

    /// Text typed by `input text`; goes to the focused field, if any.
    fn type_text(&mut self, text: &str);

    /// True while the soft keyboard is up.
    fn keyboard_shown(&self) -> bool;

    /// The accessibility tree's root (a full-display `FrameLayout` of the app's window).
    fn snapshot(&mut self) -> ElementSnapshot;

    /// True when something moves on its own (a spinner): `uiautomator dump` never finds this app idle.
    fn animating(&self) -> bool;

    /// The whole display, status bar and keyboard included.
    fn render(&mut self) -> Screenshot;

    /// Display size in pixels.
    fn display(&self) -> Size;

    /// Crash and ANR reports not yet taken, as `logcat` lines without their time stamps.
    fn take_log(&mut self) -> Vec<String>;

    /// True once the app has crashed: the system takes its log, removes the process and shows what lies below (the
    /// first crash shows no dialog, AOSP `AppErrors`).
    fn crashed(&self) -> bool {
        false
    }

    /// What the process asks of the system since the last call.
    fn take_requests(&mut self) -> Vec<SystemRequest> {
        Vec::new()
    }

    /// What became of a request.
    fn answered(&mut self, _answer: &SystemAnswer) {}

    /// A deep link into the running app (`onNewIntent`); false when it has no link for it.
    fn open(&mut self, _uri: &str) -> bool {
        false
    }

    /// Starts another of the app's activities, by its fully qualified class; false when it has none of that name.
    fn start_activity(&mut self, _class: &str) -> bool {
        false
    }

    /// The app came to the front, at its start and each time it comes back.
    fn resumed(&mut self) {}

    /// The app left the front, or a dialog of the system came over it.
    fn paused(&mut self) {}

    /// True while what is shown must not be pictured (`FLAG_SECURE`): screencap is black, the dump still works.
    fn secure(&self) -> bool {
        false
    }

    /// True once the main thread is blocked: input after that ends in an ANR after five seconds.
    fn hung(&self) -> bool {
        false
    }

    /// System windows only: the whole display with this window over `below`.
    fn render_over(&mut self, _below: &Screenshot) -> Screenshot {
        self.render()
    }

    /// What is true inside the app; none where it is no declarative app.
    fn state(&mut self) -> Option<AppState> {
        None
    }

    /// The app's private data as it should survive the process (`pm clear` deletes it); handed back in
    /// `LaunchContext::data` at the next start.
    fn persisted(&self) -> Option<Vec<u8>> {
        None
    }
}
