//! Made-up pages for the tests of repairs.

use crate::domain::Size;
use crate::hierarchy::{Screen, ScreenInput};

/// The screen that a dump shows on a display of 1080 × 2400 pixels.
pub(super) fn perceived(dump: &str) -> Screen {
    Screen::perceive(ScreenInput {
        hierarchy: dump.as_bytes(),
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    })
}
