//! Calendars: a month of days to touch, and controls that show the months around it.

use super::{Certain, Doubt, chosen, clicks};
use crate::agent::memory::StepMemory;
use crate::form::{WrittenDate, turns};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};

/// Fewest days of a calendar; a February seen without its first and last week has as many.
const FEWEST_DAYS: usize = 14;

/// A month as the screen shows it.
struct Calendar<'a> {
    /// Its days, each with what it tells of its date.
    days: Vec<(&'a Widget, WrittenDate)>,
    /// Which month it is.
    shown: WrittenDate,
}

impl Doubt<'_> {
    /// The day the step names is touched; where another month is shown, the pages are turned.
    pub(super) fn on_calendar(&self, memory: &mut StepMemory) -> Option<Certain> {
        let (name, wanted) = self.step.named.iter().find_map(|name| Some((name, date(name)?)))?;
        let calendar = Calendar::find(self.screen)?;
        let day = calendar.day(&wanted);
        if memory.met.contains(name) || day.is_some_and(|day| day.state.selected || day.state.checked == Some(true)) {
            let rest = self.step.named.iter().all(|other| other == name || clicks(memory).any(|label| label == other));
            return if rest { self.confirmed_choice(memory) } else { None };
        }
        if let Some(day) = day.filter(|day| day.state.enabled) {
            let found = self.touch(day, "it is the day the step names", memory)?;
            memory.met.push(name.clone());
            return Some(found);
        }
        let year = wanted.year.or(calendar.shown.year).unwrap_or_default();
        let (shown, wanted) = (calendar.shown.months(year)?, wanted.months(year)?);
        let forth = match wanted.cmp(&shown) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => return None,
        };
        let turn = |widget: &&Widget| widget.clickable && turns(&widget.label) == Some(forth);
        let control = self.screen.widgets.iter().filter(turn).find(|widget| widget.state.enabled)?;
        // Each page is another screen to the eye, though not always to the fingerprint.
        let choice = chosen(control, "the month is further on");
        (!memory.is_excluded(self.screen.fingerprint, &choice.candidate.action)).then(|| {
            memory.counting = true;
            Certain::Do(choice)
        })
    }

    /// A choice that stands in a window of its own is confirmed there.
    fn confirmed_choice(&self, memory: &StepMemory) -> Option<Certain> {
        let cues = self.agent.scorer.cues;
        let confirms = |widget: &&Widget| {
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && cues.is_submit(&widget.label)
                && turns(&widget.label).is_none()
        };
        // The next step may speak of it itself.
        let left = |widget: &&Widget| self.next.is_none_or(|next| !next.instruction.contains(widget.label.as_str()));
        let window = self.screen.kind == ScreenKind::Dialog;
        match self.screen.widgets.iter().filter(confirms).find(left).filter(|_| window) {
            Some(button) => self.touch(button, "the choice is confirmed", memory),
            None => Some(Certain::Done("the day the step names is chosen".to_owned())),
        }
    }
}

impl<'a> Calendar<'a> {
    fn find(screen: &'a Screen) -> Option<Self> {
        let day = |widget: &'a Widget| {
            let date = told(screen, widget)?;
            (widget.clickable && widget.role != Role::Field && date.day.is_some()).then_some((widget, date))
        };
        let days: Vec<(&Widget, WrittenDate)> = screen.widgets.iter().filter_map(day).collect();
        if days.len() < FEWEST_DAYS {
            return None;
        }
        // Most days belong to the month that is shown; bare numbers to the one the heading tells.
        let heading = || {
            let month =
                |widget: &Widget| told(screen, widget).filter(|date| date.day.is_none() && date.month.is_some());
            screen.widgets.iter().find_map(month)
        };
        let middle = days.get(days.len() / 2).map(|(_, date)| *date).filter(|date| date.month.is_some());
        let own = middle.or_else(heading)?;
        let year = own.year.or_else(|| heading().and_then(|heading| heading.year));
        Some(Self { days, shown: WrittenDate { year, month: own.month, day: None } })
    }

    fn day(&self, wanted: &WrittenDate) -> Option<&'a Widget> {
        let whole = |date: &WrittenDate| WrittenDate {
            year: date.year.or(self.shown.year),
            month: date.month.or(self.shown.month),
            day: date.day,
        };
        let mut found = self.days.iter().filter(|(_, date)| whole(date).is(wanted)).map(|(widget, _)| *widget);
        // Days of the months around stand at the edges and may bear the same bare number.
        let first = found.next()?;
        match wanted.day {
            Some(day) if day > 15 => found.next_back().or(Some(first)),
            _ => Some(first),
        }
    }
}

/// What a widget tells of a date: its description before its text, for a cell that shows "13" is described in full.
fn told(screen: &Screen, widget: &Widget) -> Option<WrittenDate> {
    let described = screen.tree.nodes.get(widget.node).map_or("", |node| node.content_desc.as_str());
    let dates = [described, widget.label.as_str()].map(WrittenDate::read);
    dates.into_iter().flatten().max_by_key(|date| (date.month.is_some(), date.year.is_some()))
}

/// A text that names a day of a month.
fn date(text: &str) -> Option<WrittenDate> {
    WrittenDate::read(text).filter(|date| date.day.is_some() && date.month.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, row, screen, step};
    use crate::ranking::Ranked;

    /// A month of bare numbers under its heading, or of days told in full.
    fn month(heading: &str, days: u32, full: &str) -> Screen {
        let mut widgets = vec![button("Previous month"), crate::agent::sample::text(heading), button("Next month")];
        for day in 1..=days {
            let label = if full.is_empty() { day.to_string() } else { format!("{day:02} {full}") };
            widgets.push(row(button(&label), 1 + day as i32 / 7, 100 * (day as i32 % 7)));
        }
        screen(widgets)
    }

    fn sure(page: &Screen, name: &str, memory: &mut StepMemory) -> String {
        let head = Head::new(&[], "");
        match head.agent().certain(&step(&format!("Pick {name}"), &[name]), None, page, memory) {
            Some(Certain::Do(Ranked { candidate, .. })) => candidate.action.to_string(),
            Some(Certain::Done(_)) => "done".into(),
            _ => "open".into(),
        }
    }

    fn first(page: &Screen, name: &str) -> String {
        sure(page, name, &mut StepMemory::default())
    }

    #[test]
    fn the_day_is_touched_and_then_the_step_is_done() {
        let page = month("", 31, "May 2026");
        let mut memory = StepMemory::default();
        assert_eq!(sure(&page, "13 May 2026", &mut memory), "click \"13 May 2026\"");
        assert_eq!(sure(&page, "13 May 2026", &mut memory), "done");
        assert_eq!(first(&month("May 2026", 31, ""), "2026-05-13"), "click \"13\"");
    }

    #[test]
    fn the_pages_are_turned_towards_the_month() {
        let page = month("May 2026", 31, "");
        assert_eq!(first(&page, "3 June 2026"), "click \"Next month\"");
        assert_eq!(first(&page, "31 December 2025"), "click \"Previous month\"");
        assert_eq!(first(&month("", 31, "mai 2026"), "3 juin 2026"), "click \"Next month\"");
    }

    #[test]
    fn a_few_numbers_are_no_calendar() {
        assert_ne!(first(&month("May 2026", 9, ""), "2026-05-08"), "click \"8\"");
    }
}
