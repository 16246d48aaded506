//! Lists that come up, Android's own dialogs for dates and times.

use super::super::calendar;
use super::super::day_halves;
use super::super::expression::{format_date, parse_date};
use super::super::file::{Expression, PickDate};
use super::super::target::{Locals, PickStep, Popup};
use super::super::window::{DateDialog, DatePick, TimeDialog, TimePick};
use super::{Overlay, OverlayKind, Program};
use crate::domain::Rect;
use rhai::Dynamic;
use std::sync::Arc;

impl Program {
    /// The action that asks for a date.
    pub(super) fn ask_date(&mut self, pick: &PickDate, locals: &Locals) -> Result<(), String> {
        let bound = |bound: &Option<Expression>, program: &mut Self| {
            bound.as_ref().map(|e| program.evaluate(e, locals).map(|day| day.to_string())).transpose()
        };
        let (min, max) = (bound(&pick.min, self)?, bound(&pick.max, self)?);
        self.pick_date(DatePick {
            variable: pick.bind.value.clone(),
            min,
            max,
            format: pick.format.as_ref().map(|format| format.value.clone()),
            on_set: pick.on_set.clone(),
            locals: locals.clone(),
        });
        Ok(())
    }

    /// Opens Android's dialog for a date.
    fn pick_date(&mut self, pick: DatePick) {
        let text = self.scope.get(&pick.variable).map(ToString::to_string).unwrap_or_default();
        let today = calendar::day(self.context.around.wall.to_zoned(jiff::tz::TimeZone::UTC).date());
        let bound = |text: &Option<String>| text.as_deref().and_then(calendar::parse);
        let day = match &pick.format {
            Some(format) => parse_date(&text, format).map(calendar::day),
            None => calendar::parse(&text),
        };
        let day = day.unwrap_or(today);
        let day = bound(&pick.min).map_or(day, |min| day.max(min));
        let day = bound(&pick.max).map_or(day, |max| day.min(max));
        let dialog = DateDialog { pick, day, month: calendar::month_number(day), years: false };
        self.push_overlay(OverlayKind::Date(Box::new(dialog)));
    }

    /// Opens Android's dialog for a time.
    pub(super) fn pick_time(&mut self, pick: TimePick) {
        let text = self.scope.get(&pick.variable).map(ToString::to_string).unwrap_or_default();
        let (hour, minute) = calendar::parse_time(&text).unwrap_or((12, 0));
        let halves = day_halves::of(&self.context.locale);
        self.push_overlay(OverlayKind::Time(Box::new(TimeDialog { pick, hour, minute, hours: true, halves })));
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
                    let dialog = dialog.clone();
                    let value = dialog.pick.format.as_ref().map_or_else(
                        || calendar::iso(dialog.day),
                        |format| format_date(calendar::date(dialog.day).at(0, 0, 0, 0), format, &self.context.locale),
                    );
                    self.overlays.pop();
                    self.assign_text(&dialog.pick.variable, value);
                    self.run(&dialog.pick.on_set, &dialog.pick.locals);
                }
                PickStep::Hour(_) | PickStep::Minute(_) | PickStep::Dial(_) => {}
            },
            OverlayKind::Time(dialog) => match *step {
                PickStep::Hour(hour) => {
                    // Only the dial goes on to the minutes; AM and PM do not.
                    let on_dial = dialog.hours && (dialog.halves.is_none() || hour / 12 == dialog.hour / 12);
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
