//! Drawer, snackbar, lists that come up, Android's own dialogs for dates and times.

use super::super::calendar;
use super::super::file::Axis;
use super::super::target::{PickStep, Popup, Target};
use super::super::window::{DateDialog, DatePick, Snack, TimeDialog, TimePick};
use super::{Overlay, OverlayKind, Program};
use crate::domain::Rect;
use rhai::Dynamic;
use std::sync::Arc;
use std::time::Duration;

impl Program {
    /// Shows a message at the lower edge in place of the one that may be there.
    pub(super) fn show_snackbar(&mut self, snack: Snack) {
        let until = self.now + Duration::from_millis(snack.ms);
        self.window.snack = Some((snack, until));
        self.changed();
    }

    /// Takes the snackbar away once its time is over.
    pub(super) fn expire_snackbar(&mut self) {
        if self.window.snack.as_ref().is_some_and(|(_, until)| *until <= self.now) {
            self.window.snack = None;
            self.changed();
        }
    }

    /// Opens or closes the navigation drawer; a screen without one stays as it is.
    pub(super) fn set_drawer(&mut self, open: bool) {
        let has = self.front_screen().is_some_and(|screen| screen.drawer.is_some());
        self.window.drawer = open && has;
        if open {
            self.focus = None;
            self.keyboard = None;
        }
        self.changed();
    }

    fn front_screen(&self) -> Option<&super::super::file::Screen> {
        self.stack.last().and_then(|opened| self.file.document().screens.get(opened.screen))
    }

    /// What belongs to the window of a screen that is left.
    pub(super) fn forget_window(&mut self) {
        self.window = Default::default();
    }

    /// Opens Android's dialog for a date.
    pub(super) fn pick_date(&mut self, pick: DatePick) {
        let text = self.scope.get(&pick.variable).map(ToString::to_string).unwrap_or_default();
        let today = calendar::day(self.context.around.wall.to_zoned(jiff::tz::TimeZone::UTC).date());
        let bound = |text: &Option<String>| text.as_deref().and_then(calendar::parse);
        let day = calendar::parse(&text).unwrap_or(today);
        let day = bound(&pick.min).map_or(day, |min| day.max(min));
        let day = bound(&pick.max).map_or(day, |max| day.min(max));
        let dialog = DateDialog { pick, day, month: calendar::month_number(day), years: false };
        self.push_overlay(OverlayKind::Date(Box::new(dialog)));
    }

    /// Opens Android's dialog for a time.
    pub(super) fn pick_time(&mut self, pick: TimePick) {
        let text = self.scope.get(&pick.variable).map(ToString::to_string).unwrap_or_default();
        let (hour, minute) = calendar::parse_time(&text).unwrap_or((12, 0));
        self.push_overlay(OverlayKind::Time(Box::new(TimeDialog { pick, hour, minute, hours: true })));
    }

    /// Opens a list over what was touched.
    pub(super) fn open_popup(&mut self, popup: Arc<Popup>, anchor: Rect) {
        self.push_overlay(OverlayKind::Popup(popup, anchor));
    }

    fn push_overlay(&mut self, kind: OverlayKind) {
        self.focus = None;
        self.keyboard = None;
        let instance = self.next();
        self.overlays.push(Overlay { kind, instance });
        self.changed();
    }

    /// A touch in a date or time dialog.
    pub(super) fn pick_step(&mut self, step: &PickStep) {
        let Some(overlay) = self.overlays.last_mut() else { return };
        match &mut overlay.kind {
            OverlayKind::Date(dialog) => match *step {
                PickStep::Month(by) => dialog.month += by,
                PickStep::Day(day) => dialog.day = day,
                PickStep::Years => dialog.years = !dialog.years,
                PickStep::Year(year) => {
                    let date = calendar::date(dialog.day);
                    dialog.day = calendar::clamped(year, date.month(), date.day());
                    dialog.month = calendar::month_number(dialog.day);
                    dialog.years = false;
                }
                PickStep::Accept => {
                    let (dialog, value) = (dialog.clone(), calendar::iso(dialog.day));
                    self.overlays.pop();
                    self.assign_text(&dialog.pick.variable, value);
                    self.run(&dialog.pick.on_set, &dialog.pick.locals);
                }
                PickStep::Hour(_) | PickStep::Minute(_) | PickStep::Dial(_) => {}
            },
            OverlayKind::Time(dialog) => match *step {
                PickStep::Hour(hour) => {
                    // Only the dial goes on to the minutes; AM and PM do not.
                    let on_dial = dialog.hours && hour / 12 == dialog.hour / 12;
                    dialog.hour = hour;
                    dialog.hours &= !on_dial;
                }
                PickStep::Minute(minute) => dialog.minute = minute,
                PickStep::Dial(hours) => dialog.hours = hours,
                PickStep::Accept => {
                    let (dialog, value) = (dialog.clone(), format!("{:02}:{:02}", dialog.hour, dialog.minute));
                    self.overlays.pop();
                    self.assign_text(&dialog.pick.variable, value);
                    self.run(&dialog.pick.on_set, &dialog.pick.locals);
                }
                _ => {}
            },
            OverlayKind::Dialog(_) | OverlayKind::Sheet(_) | OverlayKind::Popup(..) => {}
        }
        self.changed();
    }

    /// Scrolls the largest scrolling part of the screen to its beginning or end.
    pub(super) fn scroll_page(&mut self, to_end: bool) {
        let areas = self.scenes().first().into_iter().flat_map(|scene| &scene.nodes);
        let areas = areas.filter_map(|node| node.scroll.as_ref().map(|area| (node.visible.area(), area.clone())));
        let largest = areas.filter(|(_, area)| area.axis == Axis::Vertical).max_by_key(|(size, _)| *size);
        if let Some((_, area)) = largest {
            self.scrolls.insert(area.key, if to_end { f32::MAX } else { 0.0 });
            self.changed();
        }
    }

    /// Puts the cursor into the field of a variable and raises the keyboard.
    pub(super) fn focus_variable(&mut self, variable: &str) {
        let field = self.top_scene().into_iter().flat_map(|scene| &scene.nodes).find_map(|node| match &node.target {
            Some(Target::Field(field)) if field.variable == variable && node.enabled => Some(field.clone()),
            _ => None,
        });
        if let Some(field) = field {
            let length = self.scope.get(variable).map(|value| value.to_string().chars().count()).unwrap_or(0);
            self.focus = Some(super::Focus::new(&field, length));
            self.show_keyboard();
        }
    }

    /// Sets a value that a view keeps itself.
    pub(super) fn set_view(&mut self, key: &str, value: f32) {
        self.scrolls.insert(key.to_owned(), value);
        self.changed();
    }

    /// Sets a number variable, whole when it holds whole numbers.
    pub(super) fn assign_number(&mut self, variable: &str, value: f64) -> bool {
        let old = self.scope.get(variable).cloned().unwrap_or_default();
        let new = if old.is_int() { Dynamic::from(value.round() as i64) } else { Dynamic::from(value) };
        if old.to_string() == new.to_string() {
            return false;
        }
        if let Err(message) = self.assign(variable, new) {
            self.crash(&message);
        }
        true
    }
}
