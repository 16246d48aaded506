//! Whether what a case expects is there in the end, looked at independently of the run.

use super::phone::Phone;
use crate::device::Device;
use crate::domain::{Action, Direction, Expectation, Size};
use crate::hierarchy::{Screen, ScreenInput, ScreenKind, Widget, check, check_all};
use crate::skill::Library;
use std::time::Duration;

/// How often the outcome is looked at before it counts as not held, half a second apart.
const LOOKS: usize = 12;
/// How far a screen is followed down, and up again.
const SWIPES: usize = 12;

/// Whether an expectation holds, as the device itself shows in the end: given time, then further down, then further up.
pub(super) async fn shows(
    phone: &Phone,
    wanted: &Expectation,
    display: Size,
    skills: &Library,
    declined: &[String],
) -> bool {
    // A message that was there for a moment is gone, and pictures are not read here.
    if !wanted.is_told_by_hierarchy() {
        return true;
    }
    let mut looks: Vec<Screen> = Vec::new();
    for _ in 0..LOOKS {
        let Some(screen) = sight(phone, display).await else { return false };
        let held = check(wanted, &screen).held;
        looks = vec![screen];
        if held {
            break;
        }
        if let Some(leaving) = looks.first().and_then(|look| leaving(look, declined)) {
            let _ = skills.perform(phone, &leaving, 0, &[]).await;
        }
        phone.pass(Duration::from_millis(500));
    }
    for direction in [Direction::Down, Direction::Up] {
        for _ in 0..SWIPES {
            if check_all(wanted, &looks).held != wanted.is_of_whole_screen() {
                return check_all(wanted, &looks).held;
            }
            let area = looks.last().and_then(|last| last.scroll_areas.first().copied());
            let Some(area) = area else { return check_all(wanted, &looks).held };
            if skills.perform(phone, &Action::Scroll { direction, area }, 0, &[]).await.is_err() {
                return false;
            }
            let Some(screen) = sight(phone, display).await else { return false };
            if looks.last().is_some_and(|last| last.digest == screen.digest) {
                break;
            }
            looks.push(screen);
        }
    }
    check_all(wanted, &looks).held
}

/// A window that came up after the verdict hides what is to be seen: it is turned down as the case prefers, else left.
fn leaving(screen: &Screen, declined: &[String]) -> Option<Action> {
    if screen.kind != ScreenKind::Dialog {
        return None;
    }
    let declines = |widget: &&Widget| widget.clickable && declined.contains(&widget.label);
    let no = screen.widgets.iter().find(declines).map(|widget| Action::Click { target: widget.target() });
    Some(no.unwrap_or(Action::PressBack))
}

async fn sight(phone: &Phone, display: Size) -> Option<Screen> {
    let observation = phone.glance().await.ok()?;
    Some(Screen::perceive(ScreenInput {
        hierarchy: &observation.hierarchy,
        screenshot: None,
        display,
        foreground: observation.foreground.as_ref().map(ToString::to_string),
        keyboard_shown: observation.keyboard_shown,
    }))
}
