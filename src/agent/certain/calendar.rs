//! Calendars: a month of days to touch, and controls that show the months around it.

use super::{Certain, Doubt, chosen, clicks};
use crate::agent::memory::StepMemory;
use crate::case::blotted;
use crate::form::{WrittenDate, turns};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};

/// Fewest days of a calendar; a February seen without its first and last week has as many.
const FEWEST_DAYS: usize = 14;

/// What stands behind a number that counts, in the languages that write it so.
const ORDINALS: [&str; 10] = ["st", "nd", "rd", "th", "º", "ª", "er", "e", "-го", "-е"];
/// What stands behind the number of a day where words are written without spaces, or with endings.
const DAYS: [&str; 4] = ["日", "号", "號", "일"];

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
        let named = self.step.named.iter().find_map(|name| Some((name.clone(), date(name)?)));
        // "The 9th" is one of the month that is shown.
        let picks = !self.intent.types && (self.intent.touches || self.screen.kind == ScreenKind::Dialog);
        let bare = || day_alone(&blotted(&self.step.instruction)).filter(|_| picks).map(|day| (String::new(), day));
        let (name, wanted) = named.or_else(bare)?;
        let name = &name;
        let calendar = Calendar::find(self.screen)?;
        let wanted = if wanted.month.is_some() { wanted } else { WrittenDate { day: wanted.day, ..calendar.shown } };
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

/// The only day that a text counts in the month, where it names no month: "the 9th", "den 9. des Monats", "1er", "选择9日".
fn day_alone(text: &str) -> Option<WrittenDate> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // The verb stands first, and no verb is a month.
    let tells_month = |part: &[&str]| WrittenDate::read(&part.join(" ")).is_some_and(|date| date.month.is_some());
    let dated = (2..=3).any(|many| words.get(1..).unwrap_or_default().windows(many).any(tells_month));
    let mut found = words.iter().enumerate().filter_map(|(at, word)| {
        let first = word.find(|c: char| c.is_ascii_digit())?;
        let (before, rest) = word.split_at(first);
        let (digits, ending) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
        let spaceless = DAYS.iter().any(|known| ending.starts_with(known)) && !before.ends_with(['月', '월']);
        // A full stop may as well end the sentence.
        let ordinal = ORDINALS.contains(&ending.trim_end_matches(['.', ',', ';', '!', '?']));
        let counts = spaceless || before.is_empty() && (ordinal || ending == "." && at + 1 < words.len());
        counts.then_some(WrittenDate { day: Some(day), ..WrittenDate::default() })
    });
    found.next().filter(|_| found.next().is_none() && !dated)
}

/// A text that names a day of a month.
fn date(text: &str) -> Option<WrittenDate> {
    WrittenDate::read(text).filter(|date| date.day.is_some() && date.month.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, row, screen, step};
    use crate::form::sample::perceived;
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
    fn a_day_that_is_counted_is_one_of_the_month_that_is_shown() {
        let picked = |instruction: &str, page: &Screen| {
            let head = Head::new(&[], "");
            match head.agent().certain(&step(instruction, &[]), None, page, &mut StepMemory::default()) {
                Some(Certain::Do(Ranked { candidate, .. })) => candidate.action.to_string(),
                _ => "open".into(),
            }
        };
        let page = Screen { kind: ScreenKind::Dialog, ..month("", 31, "May 2026") };
        for instruction in [
            "Choose the 9th of the month",
            "Pick the 9th.",
            "Wähle den 9. des Monats",
            "Elige el 9º día",
            "选择9日",
            "9일을 선택하세요",
        ] {
            assert_eq!(picked(instruction, &page), "click \"09 May 2026\"", "{instruction}");
        }
        for instruction in [
            "Choose the 9th or the 10th",
            "Choose room 9",
            "Choose room 9.",
            "Open \"The 9th wave\"",
            "Choose the 9th of June",
            "Choose June 9th",
            "选择6月9日",
        ] {
            assert_ne!(picked(instruction, &page), "click \"09 May 2026\"", "{instruction}");
        }
    }

    #[test]
    fn the_pages_are_turned_towards_the_month() {
        let page = month("May 2026", 31, "");
        assert_eq!(first(&page, "3 June 2026"), "click \"Next month\"");
        assert_eq!(first(&page, "31 December 2025"), "click \"Previous month\"");
        assert_eq!(first(&month("", 31, "mai 2026"), "3 juin 2026"), "click \"Next month\"");
    }

    macro_rules! rendered {
        ($name:literal) => {
            perceived(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/crates/virtual-device/src/framework/differences/framework/",
                $name,
                ".xml"
            )))
        };
    }

    /// Android's own dialog, rendered by the framework device from a page that was written here: it begins with 9 March 2026.
    #[test]
    fn days_of_the_frameworks_own_dialog_are_picked_in_every_language() {
        for (page, named, counted) in [
            (rendered!("dates"), "20 March 2026", "Choose the 20th of the month"),
            (rendered!("dates-german"), "20. März 2026", "Wähle den 20. des Monats"),
            (rendered!("dates-arabic"), "2026-03-20", "Choose the 20th of the month"),
        ] {
            let twentieth = |told: &str| WrittenDate::read(told.trim_start_matches("click ").trim_matches('"'));
            let told = first(&page, named);
            assert_eq!(twentieth(&told).map(|date| date.to_string()).as_deref(), Some("2026-03-20"), "{told}");
            let head = Head::new(&[], "");
            let asked = step(counted, &[]);
            match head.agent().certain(&asked, None, &page, &mut StepMemory::default()) {
                Some(Certain::Do(choice)) => assert_eq!(choice.candidate.action.to_string(), told),
                _ => panic!("{counted}"),
            }
        }
        assert!(first(&rendered!("dates"), "3 April 2026").contains("Next month"));
    }

    #[test]
    fn a_few_numbers_are_no_calendar() {
        assert_ne!(first(&month("May 2026", 9, ""), "2026-05-08"), "click \"8\"");
    }
}
