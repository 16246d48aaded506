//! The seam between the virtual system and the apps it runs.

use crate::domain::{Point, Rect, Screenshot, Size};
use std::time::Duration;

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

/// A running app, as the virtual system uses it. Time comes in through [`AppProcess::advance`]; nothing here sleeps.
pub trait AppProcess: Send {
    /// Application id.
    fn package(&self) -> &str;

    /// Fully qualified class of the activity on top.
    fn activity(&self) -> String;

    /// Moves the app's clock on to `now` (since device boot): loading delays end, toasts go.
    fn advance(&mut self, now: Duration);

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

    /// Home screens only: the package whose icon was touched since the last call.
    fn take_launch_request(&mut self) -> Option<String> {
        None
    }

    /// The app's private data as it should survive the process (`pm clear` deletes it); handed back in
    /// `LaunchContext::data` at the next start.
    fn persisted(&self) -> Option<Vec<u8>> {
        None
    }

    /// True once the app closed its last activity on its own (a `finish` action, not BACK), once.
    fn take_finish_request(&mut self) -> bool {
        false
    }
}
