//! Calendars: a month of days to touch, controls that show the months around it, and lists of years.

use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::date_wish::wanted_days;
use super::layout::{Page, around, level, stacked};
use super::lexicon::{Lexicon, holds_one_of, is_one_of, lexicon};
use super::past::{Past, same_place};
use super::read::WrittenDate;
use super::wishes::Wishes;
use crate::domain::{Action, Direction, Rect};
use crate::hierarchy::{Role, ScreenKind, Widget, WidgetId};

/// Fewest days of a calendar; a February seen without its first and last week has as many.
const FEWEST_DAYS: usize = 14;
/// Fewest years of a list of years.
const FEWEST_YEARS: usize = 5;
/// Years further away than this are looked up in the list of years.
const MOST_TURNS: u32 = 18;
/// Most pages that are turned one after the other.
const MOST_PAGES: usize = 240;
/// Touches of one day, or turns without an effect, after which it is given up.
const DEAD: usize = 2;
/// The line of a heading, in heights of a day over the first week.
const HEAD: i32 = 4;

/// A day as a calendar shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    widget: WidgetId,
    date: WrittenDate,
}

/// What a calendar is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CalendarParts {
    days: Vec<Day>,
    /// The month in the middle of the calendar.
    month: Option<WrittenDate>,
    previous: Option<WidgetId>,
    next: Option<WidgetId>,
    /// What opens the list of years.
    to_years: Option<WidgetId>,
    years: Vec<(WidgetId, u32)>,
    today: Option<WrittenDate>,
    /// The page that moves with the months.
    scroll: Option<Rect>,
}

/// The calendar of a screen.
pub(super) fn recognise(page: &Page<'_>) -> Option<ValueControl> {
    let days = days(page);
    let years = if days.is_empty() { years(page) } else { Vec::new() };
    if days.is_empty() && years.is_empty() {
        return None;
    }
    let month = days.get(days.len() / 2).map(|day| WrittenDate { day: None, ..day.date });
    let grid = around(days.iter().filter_map(|day| page.widget(day.widget)).map(|widget| widget.bounds));
    let cell = days.first().and_then(|day| page.widget(day.widget)).map_or(1, |widget| widget.bounds.height().max(1));
    let head = Rect::new(grid.left, grid.top - HEAD * cell, grid.right, grid.top);
    let (previous, next) = if days.is_empty() { (None, None) } else { arrows(page, head) };
    let parts = CalendarParts {
        month,
        previous,
        next,
        to_years: year_opener(page, &days),
        today: today(page, &days),
        scroll: page
            .screen
            .scroll_areas
            .iter()
            .copied()
            .filter(|area| area.contains(grid.center()))
            .min_by_key(|area| area.area()),
        days,
        years,
    };
    let mut widgets: Vec<WidgetId> = parts.days.iter().map(|day| day.widget).collect();
    widgets.extend([parts.previous, parts.next, parts.to_years].into_iter().flatten());
    widgets.extend(parts.years.iter().map(|(id, _)| *id));
    let places = widgets.iter().filter_map(|id| page.widget(*id)).map(|widget| widget.bounds);
    let heads = headings(page).into_iter().map(|(place, _)| place).filter(|place| head.contains(place.center()));
    let name = page.name_of("", around(places.chain(heads)), &widgets);
    let titled =
        page.screen.kind == ScreenKind::Dialog && name.is_empty() && WrittenDate::read(&page.screen.title).is_none();
    let name = if titled { page.screen.title.clone() } else { name };
    let shown: Vec<String> = parts.selected(page).map(|date| date.to_string()).collect();
    let mut control = ValueControl::new(ControlKind::Calendar, widgets, name, Parts::Calendar(parts));
    control.shown = match shown.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        [first, .., last] => Some(format!("{first} to {last}")),
    };
    Some(control)
}

/// The days of a screen, each with its month and year as far as they are told.
fn days(page: &Page<'_>) -> Vec<Day> {
    let day = |widget: &'_ Widget| {
        let date = told(page, widget).filter(|date| date.day.is_some())?;
        (widget.role != Role::Field && widget.role != Role::KeypadKey).then_some((widget.id, date))
    };
    let mut found: Vec<(WidgetId, WrittenDate)> = page.free().filter_map(day).collect();
    let place = |id: WidgetId| page.widget(id).map(|widget| widget.bounds).unwrap_or_default();
    // A number elsewhere on the page is no day: days are of one height.
    let mut heights: Vec<i32> = found.iter().map(|(id, _)| place(*id).height()).collect();
    heights.sort_unstable();
    let usual = heights.get(heights.len() / 2).copied().unwrap_or_default();
    found.retain(|(id, _)| (place(*id).height() - usual).abs() * 2 <= usual);
    if found.len() < FEWEST_DAYS || !is_grid(&found.iter().map(|(id, _)| place(*id)).collect::<Vec<_>>()) {
        return Vec::new();
    }
    let headings = headings(page);
    let own = found.get(found.len() / 2).map(|(_, date)| *date).filter(|date| date.month.is_some());
    let last = found.iter().filter_map(|(_, date)| date.day).max().unwrap_or_default();
    let complete = |(id, date): (WidgetId, WrittenDate)| {
        let at = place(id);
        let over = headings
            .iter()
            .filter(|(head, _)| head.bottom <= at.top + at.height() / 2)
            .max_by_key(|(head, _)| head.bottom);
        let month = over.or(headings.first()).map(|(_, date)| *date).or(own);
        let from = month.unwrap_or_default();
        let date = WrittenDate { year: date.year.or(from.year), month: date.month.or(from.month), day: date.day };
        Day { widget: id, date }
    };
    let bare: Vec<bool> = found.iter().map(|(_, date)| date.month.is_none()).collect();
    let mut days: Vec<Day> = found.into_iter().map(complete).collect();
    if headings.len() <= 1 && bare.iter().all(|bare| *bare) {
        place_outer_days(&mut days, last);
    }
    days
}

/// Bare numbers at the edges of a month may belong to the months around it: a late day before the first, an early one behind
/// the last.
fn place_outer_days(days: &mut [Day], last: u32) {
    let first = days.iter().position(|day| day.date.day == Some(1)).unwrap_or_default();
    for day in days.iter_mut().take(first).filter(|day| day.date.day > Some(15)) {
        day.date = turned(day.date, -1);
    }
    let end = days.iter().rposition(|day| day.date.day == Some(last)).filter(|end| *end > first);
    let Some(end) = end else { return };
    for day in days.iter_mut().skip(end + 1).filter(|day| day.date.day < Some(15)) {
        day.date = turned(day.date, 1);
    }
}

/// The same day of another month.
fn turned(date: WrittenDate, by: i32) -> WrittenDate {
    let Some(month) = date.month else { return date };
    let of_year = month as i32 - 1 + by;
    let year = date.year.and_then(|year| year.checked_add_signed(of_year.div_euclid(12)));
    WrittenDate { year, month: Some(of_year.rem_euclid(12) as u32 + 1), day: date.day }
}

/// Days stand in weeks: most of them have others in their line.
fn is_grid(places: &[Rect]) -> bool {
    let in_line = |place: &&Rect| places.iter().filter(|other| level(**place, **other)).count() >= 3;
    2 * places.iter().filter(in_line).count() >= places.len()
}

/// Texts that tell a month and no day, with their place, the topmost first.
fn headings(page: &Page<'_>) -> Vec<(Rect, WrittenDate)> {
    let month = |widget: &Widget| {
        told(page, widget).filter(|date| date.day.is_none() && date.month.is_some()).map(|date| (widget.bounds, date))
    };
    let mut found: Vec<(Rect, WrittenDate)> = page.screen.widgets.iter().filter_map(month).collect();
    found.sort_by_key(|(place, _)| place.top);
    let year = found.iter().find_map(|(_, date)| date.year);
    for (_, date) in &mut found {
        date.year = date.year.or(year);
    }
    found
}

/// What a widget tells of a date: its description before its text, for a cell that shows "13" is described in full.
fn told(page: &Page<'_>, widget: &Widget) -> Option<WrittenDate> {
    let described = page.screen.tree.nodes.get(widget.node).map_or("", |node| node.content_desc.as_str());
    // "9, €45": a day with what it costs.
    let first = widget.label.split([',', '\n']).next().unwrap_or_default();
    let bare = WrittenDate::read(first).filter(|date| date.day.is_some() && date.month.is_none());
    let dates = [described, widget.label.as_str()].map(WrittenDate::read);
    dates.into_iter().flatten().max_by_key(|date| (date.month.is_some(), date.year.is_some())).or(bare)
}

/// A list of years, where it hides the days.
fn years(page: &Page<'_>) -> Vec<(WidgetId, u32)> {
    let year = |widget: &Widget| {
        let text = widget.label.trim();
        let year: u32 = text.parse().ok()?;
        (widget.clickable && text.len() == 4 && (1900..=2199).contains(&year)).then_some((widget.id, year))
    };
    let found: Vec<(WidgetId, u32)> = page.free().filter_map(year).collect();
    let follow = found.windows(2).filter(|two| two[0].1.abs_diff(two[1].1) == 1).count();
    if found.len() >= FEWEST_YEARS && follow + 2 >= found.len() { found } else { Vec::new() }
}

/// What shows the month before and the one after: by its words anywhere, by signs and place in the line of the heading.
fn arrows(page: &Page<'_>, head: Rect) -> (Option<WidgetId>, Option<WidgetId>) {
    let labels = &lexicon().labels;
    let touchable: Vec<&Widget> = page.free().filter(|widget| widget.clickable && widget.role != Role::Field).collect();
    let by_words = |list: &[String], not: &[String]| {
        let says = |widget: &&&Widget| holds_one_of(list, &widget.label) && !holds_one_of(not, &widget.label);
        touchable.iter().find(says).map(|widget| widget.id)
    };
    let (next, previous) =
        (by_words(&labels.next_page, &labels.previous_page), by_words(&labels.previous_page, &labels.next_page));
    if next.is_some() || previous.is_some() {
        return (previous, next);
    }
    let in_head: Vec<&&Widget> = touchable.iter().filter(|widget| head.contains(widget.bounds.center())).collect();
    let by_sign = |list: &[String]| {
        let is = |widget: &&&&Widget| is_one_of(list, &widget.label) || holds_one_of(list, &widget.id_words);
        in_head.iter().find(is).map(|widget| widget.id)
    };
    let (next, previous) = (by_sign(&labels.next_signs), by_sign(&labels.previous_signs));
    if next.is_some() || previous.is_some() {
        return (previous, next);
    }
    let mut icons: Vec<&&&Widget> =
        in_head.iter().filter(|widget| widget.label == widget.id_words || widget.label.is_empty()).collect();
    icons.sort_by_key(|icon| icon.bounds.left);
    match icons.as_slice() {
        [left, right] if level(left.bounds, right.bounds) => (Some(left.id), Some(right.id)),
        _ => (None, None),
    }
}

/// What opens the list of years: a year alone, or a heading that can be touched.
fn year_opener(page: &Page<'_>, days: &[Day]) -> Option<WidgetId> {
    let labels = &lexicon().labels;
    let is_day = |widget: &Widget| days.iter().any(|day| day.widget == widget.id);
    let opens = |widget: &&Widget| {
        let alone = widget.label.trim().len() == 4 && widget.label.trim().parse::<u32>().is_ok_and(|year| year > 1899);
        let month = || told(page, widget).is_some_and(|date| date.day.is_none() && date.month.is_some());
        let says = || widget.label.chars().any(|c| c.is_ascii_digit()) && holds_one_of(&labels.to_years, &widget.label);
        widget.clickable && !is_day(widget) && (alone || month() || says())
    };
    page.free().find(opens).map(|widget| widget.id)
}

/// The day that a description calls today.
fn today(page: &Page<'_>, days: &[Day]) -> Option<WrittenDate> {
    let lexicon: &Lexicon = lexicon();
    let is_today = |day: &&Day| {
        let Some(widget) = page.widget(day.widget) else { return false };
        let described = page.screen.tree.nodes.get(widget.node).map_or("", |node| node.content_desc.as_str());
        lexicon.languages.iter().any(|language| {
            holds_one_of(&language.days.today, &widget.label) || holds_one_of(&language.days.today, described)
        })
    };
    days.iter().find(is_today).map(|day| day.date)
}

fn is_chosen(widget: &Widget) -> bool {
    widget.state.selected || widget.state.checked == Some(true)
}

impl CalendarParts {
    fn selected<'p>(&'p self, page: &'p Page<'_>) -> impl Iterator<Item = WrittenDate> + 'p {
        self.days.iter().filter(|day| page.widget(day.widget).is_some_and(is_chosen)).map(|day| day.date)
    }

    /// The day's own control; a text elsewhere that shows the same date is none.
    fn day<'s>(&self, page: &Page<'s>, wanted: &WrittenDate) -> Option<&'s Widget> {
        let of_day = || self.days.iter().filter(|day| day.date.is(wanted)).filter_map(|day| page.widget(day.widget));
        of_day().find(|day| day.clickable).or_else(|| of_day().next())
    }
}

/// The next touch that chooses the days the request wants: the first one, and then the other end of a range.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: &CalendarParts,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let shown = control.shown.as_deref().and_then(WrittenDate::read);
    let mut days = wanted_days(wishes, shown, parts.today, past);
    days.retain(|day| day.day.is_some());
    // A calendar for one end of a range takes that end.
    let naming = &lexicon().labels.naming;
    if days.len() > 1 && holds_one_of(&naming.ends, &control.name) && !holds_one_of(&naming.begins, &control.name) {
        days.drain(..days.len() - 1);
    }
    let year = parts.month.and_then(|month| month.year);
    for day in &mut days {
        day.year = day.year.or(year);
    }
    let wanted = days.iter().map(ToString::to_string).collect::<Vec<_>>().join(" to ");
    let value_fit = if wishes.dates.is_empty() { 0.0 } else { 1.0 };
    let draft = |step| Some(Draft { wanted: wanted.clone(), value_fit, step });
    let goal = days.get(touched_days(&days, past)).copied();
    let all_chosen = || {
        let chosen: Vec<WrittenDate> = parts.selected(page).collect();
        !days.is_empty() && days.iter().all(|day| chosen.iter().any(|own| own.is(day)))
    };
    days.first()?;
    if all_chosen() && (days.len() > 1 || goal.is_none() || parts.selected(page).count() == 1) {
        return draft(Step::reached(wanted.clone()));
    }
    let Some(goal) = goal else { return draft(after_touch(page, parts, &days, past)) };
    draft(toward(page, parts, goal, past))
}

/// How many of the days were touched already, in their order.
fn touched_days(days: &[WrittenDate], past: Past<'_>) -> usize {
    let mut count = 0;
    for adjusted in past.0 {
        let Action::Click { target } = &adjusted.action else { continue };
        let first = target.label.split(',').next().unwrap_or_default();
        let touched = WrittenDate::read(&target.label).or_else(|| WrittenDate::read(first)).and_then(|date| date.day);
        if touched.is_some() && touched == days.get(count).and_then(|day| day.day) {
            count += 1;
        }
    }
    count
}

/// All days were touched: done, unless the calendar says that another one is chosen.
fn after_touch(page: &Page<'_>, parts: &CalendarParts, days: &[WrittenDate], past: Past<'_>) -> Step {
    let tells = parts.selected(page).next().is_some();
    let wanted = days.iter().map(ToString::to_string).collect::<Vec<_>>().join(" to ");
    let Some(last) = days.last() else { return Step::impossible("the request names no day") };
    let Some(widget) = parts.day(page, last) else { return Step::reached(wanted) };
    if !tells || is_chosen(widget) {
        return Step::reached(wanted);
    }
    if past.touches(widget.bounds) >= DEAD {
        return Step::impossible(format!("{last} was touched and is not chosen"));
    }
    Step::click(widget, "the day is not chosen yet")
}

/// The touch that chooses a day, or brings it into sight.
fn toward(page: &Page<'_>, parts: &CalendarParts, goal: WrittenDate, past: Past<'_>) -> Step {
    if let Some(widget) = parts.day(page, &goal) {
        return if widget.state.enabled {
            Step::click(widget, format!("it is {goal}"))
        } else {
            Step::impossible(format!("{goal} cannot be chosen"))
        };
    }
    if !parts.years.is_empty() {
        return toward_year(page, parts, goal, past);
    }
    let months = parts.month.and_then(|month| {
        let year = month.year.or(goal.year)?;
        Some((month.months(year)?, goal.months(year)?))
    });
    let Some((now, there)) = months else { return Step::impossible("the calendar does not tell its month") };
    let far = now.abs_diff(there) > MOST_TURNS;
    if let Some(opener) =
        parts.to_years.and_then(|id| page.widget(id)).filter(|opener| far && past.touches(opener.bounds) < DEAD)
    {
        return Step::click(opener, "the year is chosen from a list");
    }
    let forth = match there.cmp(&now) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => return edge(parts, goal),
    };
    let arrow = if forth { parts.next } else { parts.previous };
    if let Some(arrow) = arrow.and_then(|id| page.widget(id)) {
        if !arrow.state.enabled || past.touches(arrow.bounds) > MOST_PAGES {
            return Step::impossible(format!("the calendar does not turn to {goal}"));
        }
        return Step::click(arrow, format!("{goal} is in another month"));
    }
    let Some(area) = parts.scroll else { return Step::impossible("nothing turns the calendar's pages") };
    let direction = if forth { Direction::Down } else { Direction::Up };
    Step::Act { action: Action::Scroll { direction, area }, reason: format!("{goal} is in another month") }
}

/// The month is in sight and its day is not: the page moves on where it can.
fn edge(parts: &CalendarParts, goal: WrittenDate) -> Step {
    let Some(area) = parts.scroll.filter(|_| parts.next.is_none()) else {
        return Step::impossible(format!("the month has no {goal}"));
    };
    let direction = if goal.day > Some(15) { Direction::Down } else { Direction::Up };
    Step::Act { action: Action::Scroll { direction, area }, reason: format!("{goal} is further on") }
}

fn toward_year(page: &Page<'_>, parts: &CalendarParts, goal: WrittenDate, past: Past<'_>) -> Step {
    let Some(wanted) = goal.year else { return Step::impossible("the request tells no year") };
    if let Some((id, _)) = parts.years.iter().find(|(_, year)| *year == wanted) {
        let Some(widget) = page.widget(*id) else { return Step::impossible("the year is gone") };
        return Step::click(widget, format!("{goal} is in this year"));
    }
    let place = around(parts.years.iter().filter_map(|(id, _)| page.widget(*id)).map(|widget| widget.bounds));
    let area =
        page.screen.scroll_areas.iter().copied().filter(|area| stacked(*area, place) && area.contains(place.center()));
    let Some(area) = area.min_by_key(|area| area.area()) else {
        return Step::impossible(format!("{wanted} is not among the years"));
    };
    let scrolled =
        past.0.iter().filter(|one| matches!(&one.action, Action::Scroll { area: own, .. } if same_place(*own, area)));
    if scrolled.count() > 3 * MOST_TURNS as usize {
        return Step::impossible(format!("{wanted} is not among the years"));
    }
    let later = parts.years.iter().all(|(_, year)| *year < wanted);
    let rising = parts.years.first().zip(parts.years.last()).is_none_or(|(first, last)| first.1 <= last.1);
    let direction = if later == rising { Direction::Down } else { Direction::Up };
    Step::Act { action: Action::Scroll { direction, area }, reason: format!("{wanted} is further on") }
}
