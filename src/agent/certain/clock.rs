//! Android's own clock: hours and minutes over a dial of twelve numbers, and halves of the day beside them.

use super::{Certain, Doubt};
use crate::agent::memory::StepMemory;
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};

/// Numbers of a dial.
const NUMBERS: usize = 12;
/// Hours of half a day.
const HALF: u32 = 12;

/// A clock as the screen shows it.
struct Clock<'a> {
    hours: &'a Widget,
    minutes: &'a Widget,
    /// Before and after noon, where the clock tells halves of the day.
    halves: Option<(&'a Widget, &'a Widget)>,
    dial: Vec<&'a Widget>,
}

impl Doubt<'_> {
    /// The clock is set to the time the step names: the hour on the dial, then the minute, then the half of the day.
    pub(super) fn on_clock(&self, memory: &mut StepMemory) -> Option<Certain> {
        let (hour, minute) = self.step.named.iter().find_map(|name| time(name))?;
        let clock = Clock::find(self.screen)?;
        let (shown, passed) = (number(clock.hours)?, number(clock.minutes)?);
        let late = clock.halves.is_some_and(|(_, late)| is_on(late));
        // 12 is the first hour of a half.
        let shown = if clock.halves.is_some() { shown % HALF } else { shown };
        let wanted = if clock.halves.is_some() { hour % HALF } else { hour };
        let widget = if shown != wanted {
            let face = if clock.halves.is_some() && wanted == 0 { HALF } else { wanted };
            clock.turned(clock.hours, face)?
        } else if passed != minute {
            clock.turned(clock.minutes, minute)?
        } else if let Some((early, later)) = clock.halves.filter(|_| late != (hour >= HALF)) {
            if late { early } else { later }
        } else {
            return self.closes_clock(memory);
        };
        memory.counting = true;
        self.touch(widget, "the clock is set to the time the step names", memory)
    }

    fn closes_clock(&self, memory: &StepMemory) -> Option<Certain> {
        let cues = self.agent.scorer.cues;
        let takes = |widget: &&Widget| {
            let usable = widget.role == Role::Button && widget.clickable && widget.state.enabled;
            usable && (cues.is_submit(&widget.label) || cues.acknowledges(&widget.label))
        };
        let button = self.screen.widgets.iter().find(takes)?;
        self.touch(button, "the clock shows the time the step names", memory)
    }
}

impl<'a> Clock<'a> {
    fn find(screen: &'a Screen) -> Option<Self> {
        if screen.kind != ScreenKind::Dialog {
            return None;
        }
        let numbers: Vec<&Widget> =
            screen.widgets.iter().filter(|widget| widget.clickable && number(widget).is_some()).collect();
        let mut above: Vec<&Widget> = numbers.iter().copied().filter(|widget| widget.state.checked.is_some()).collect();
        above.sort_by_key(|widget| (widget.bounds.top, widget.bounds.left));
        let level = |one: &Widget, other: &Widget| {
            let middle = other.bounds.center().y;
            one.bounds.top <= middle && middle <= one.bounds.bottom
        };
        let (hours, minutes) = (*above.first()?, *above.get(1)?);
        let (hours, minutes) =
            if hours.bounds.left <= minutes.bounds.left { (hours, minutes) } else { (minutes, hours) };
        let dial: Vec<&Widget> = numbers.into_iter().filter(|one| one.bounds.top > hours.bounds.bottom).collect();
        if dial.len() < NUMBERS || !level(hours, minutes) {
            return None;
        }
        let beside = |widget: &&Widget| {
            let half = widget.clickable && widget.state.checked.is_some() && number(widget).is_none();
            half && widget.bounds.top < dial.iter().map(|one| one.bounds.top).min().unwrap_or_default()
        };
        let mut halves: Vec<&Widget> = screen.widgets.iter().filter(beside).collect();
        halves.sort_by_key(|widget| (widget.bounds.top, widget.bounds.left));
        let halves = match halves.as_slice() {
            [early, late] => Some((*early, *late)),
            [] => None,
            _ => return None,
        };
        Some(Self { hours, minutes, halves, dial })
    }

    /// What brings a part of the time to a number: the number on the dial, or first the part itself.
    fn turned(&self, part: &'a Widget, wanted: u32) -> Option<&'a Widget> {
        if !is_on(part) {
            return Some(part);
        }
        self.dial.iter().copied().find(|widget| number(widget) == Some(wanted) && widget.state.enabled)
    }
}

fn is_on(widget: &Widget) -> bool {
    widget.state.checked == Some(true) || widget.state.selected
}

fn number(widget: &Widget) -> Option<u32> {
    let text = widget.label.trim();
    (text.len() <= 2).then(|| text.parse().ok()).flatten()
}

/// "05:30", "5:30 PM".
fn time(text: &str) -> Option<(u32, u32)> {
    let text = text.trim().to_lowercase();
    let (digits, half) = text.split_once(' ').unwrap_or((text.as_str(), ""));
    let (hour, minute) = digits.split_once(':')?;
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.get(..2)?.parse().ok()?);
    let hour = match half.replace('.', "").as_str() {
        "" if minute_only(digits) => hour,
        "am" => hour % HALF,
        "pm" => hour % HALF + HALF,
        _ => return None,
    };
    (hour < 24 && minute < 60).then_some((hour, minute))
}

fn minute_only(digits: &str) -> bool {
    digits.split(':').nth(1).is_some_and(|minutes| minutes.len() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, row, screen, step, widget};
    use crate::ranking::Ranked;

    /// A clock that shows a time, with its dial on hours or on minutes.
    fn clock(hour: &str, minute: &str, late: bool, on_hours: bool) -> Screen {
        let radio = |label: &str, on: bool| {
            let mut radio = widget(Role::Radio, label);
            radio.state.checked = Some(on);
            radio
        };
        let mut widgets = vec![
            row(radio(hour, on_hours), 0, 0),
            row(radio(minute, !on_hours), 0, 200),
            row(radio("AM", !late), 0, 400),
            row(radio("PM", late), 0, 600),
        ];
        for at in 0..12 {
            let label = if on_hours { (if at == 0 { 12 } else { at }).to_string() } else { format!("{:02}", at * 5) };
            widgets.push(row(button(&label), 2 + at, 0));
        }
        widgets.extend([row(button("CANCEL"), 20, 0), row(button("OK"), 20, 200)]);
        Screen { kind: ScreenKind::Dialog, ..screen(widgets) }
    }

    fn sure(page: &Screen, name: &str) -> String {
        let head = Head::new(&[], "");
        match head.agent().certain(&step(&format!("Set it to {name}"), &[name]), None, page, &mut StepMemory::default())
        {
            Some(Certain::Do(Ranked { candidate, .. })) => candidate.action.to_string(),
            _ => "open".into(),
        }
    }

    #[test]
    fn the_hour_comes_first_then_the_minute_then_the_half_of_the_day() {
        assert_eq!(sure(&clock("7", "00", false, true), "05:30"), "click \"5\"");
        assert_eq!(sure(&clock("5", "00", false, true), "05:30"), "click \"00\"");
        assert_eq!(sure(&clock("5", "00", false, false), "05:30"), "click \"30\"");
        assert_eq!(sure(&clock("5", "30", false, false), "17:30"), "click \"PM\"");
        assert_eq!(sure(&clock("5", "30", true, false), "17:30"), "click \"OK\"");
        assert_eq!(sure(&clock("12", "30", false, false), "0:30"), "click \"OK\"");
    }

    #[test]
    fn a_minute_that_the_dial_does_not_show_is_not_certain() {
        assert_ne!(sure(&clock("5", "00", false, false), "05:32"), "click \"30\"");
    }
}
