//! Wheels or steppers that hold one value together: hours and minutes, day, month and year.

use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::date_wish::wanted_day;
use super::layout::{Page, around, level};
use super::lexicon::{is_one_of, lexicon};
use super::past::Past;
use super::read::{HalfOfDay, TimeOfDay, WrittenDate};
use super::stepper::{self, StepperParts, shown_text};
use super::wheel::{self, WheelParts};
use super::wishes::Wishes;
use crate::hierarchy::{Role, Widget, WidgetId};

/// Minutes of an hour.
const HOUR: u32 = 60;
/// Years that a wheel may show.
const YEARS: std::ops::RangeInclusive<f64> = 1900.0..=2199.0;

/// The part of a time or a date that one wheel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartOf {
    Hour,
    Minute,
    Second,
    HalfOfDay,
    Day,
    Month,
    Year,
}

/// What turns one part.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Turner {
    Wheel(WheelParts),
    Stepper(StepperParts),
}

/// What such a control is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CompoundParts {
    pub(super) turners: Vec<(PartOf, Turner)>,
    /// What each part shows, in the same order.
    pub(super) values: Vec<String>,
}

/// Groups wheels that stand side by side; the rest are controls of their own.
pub(super) fn of_wheels(page: &Page<'_>, wheels: Vec<WheelParts>) -> Vec<ValueControl> {
    let mut groups: Vec<Vec<WheelParts>> = Vec::new();
    for wheel in wheels {
        let place = page.widget(wheel.wheel).map(|widget| widget.bounds).unwrap_or_default();
        let beside = |group: &Vec<WheelParts>| {
            let last = group.last().and_then(|last| page.widget(last.wheel)).map(|widget| widget.bounds);
            last.is_some_and(|last| level(last, place) && place.left - last.right <= last.width().max(place.width()))
        };
        match groups.iter_mut().find(|group| beside(group)) {
            Some(group) => group.push(wheel),
            None => groups.push(vec![wheel]),
        }
    }
    let controls = groups.into_iter().flat_map(|group| {
        let parts = wheel_parts(page, &group);
        match parts {
            Some(parts) => {
                let values = group.iter().map(|wheel| wheel.value.clone()).collect();
                let turners = parts.into_iter().zip(group.into_iter().map(Turner::Wheel)).collect();
                control(page, CompoundParts { turners, values }).into_iter().collect()
            }
            None => group.into_iter().filter_map(|wheel| wheel::control(page, wheel)).collect::<Vec<_>>(),
        }
    });
    controls.collect()
}

/// Joins steppers for hours and minutes that stand side by side or under each other.
pub(super) fn of_steppers(page: &Page<'_>, steppers: Vec<ValueControl>) -> Vec<ValueControl> {
    let own = |control: &ValueControl| {
        let Parts::Stepper(parts) = &control.parts else { return None };
        let reading = page.widget(parts.reading)?;
        let names = [control.name.as_str(), reading.label.as_str(), reading.id_words.as_str()];
        names.into_iter().find_map(part_by_name).filter(|part| matches!(part, PartOf::Hour | PartOf::Minute))
    };
    let parts: Vec<Option<PartOf>> = steppers.iter().map(own).collect();
    let named = |part: PartOf| {
        let mut found = (0..steppers.len()).filter(|at| parts.get(*at) == Some(&Some(part)));
        found.next().filter(|_| found.next().is_none())
    };
    let pair = named(PartOf::Hour).zip(named(PartOf::Minute)).or_else(|| upright_pair(page, &steppers));
    let Some((hour, minute)) = pair else { return steppers };
    let mut turners = Vec::new();
    let mut values = Vec::new();
    for (part, at) in [(PartOf::Hour, hour), (PartOf::Minute, minute)] {
        let Some(Parts::Stepper(parts)) = steppers.get(at).map(|control| control.parts.clone()) else {
            return steppers;
        };
        values.extend(page.widget(parts.reading).map(|reading| shown_text(reading).to_owned()));
        turners.push((part, Turner::Stepper(parts)));
    }
    let joined = control(page, CompoundParts { turners, values });
    let rest =
        steppers.into_iter().enumerate().filter(|(at, _)| *at != hour && *at != minute).map(|(_, control)| control);
    joined.into_iter().chain(rest).collect()
}

/// Two upright steppers side by side without names, with a colon between or with two digits each.
fn upright_pair(page: &Page<'_>, steppers: &[ValueControl]) -> Option<(usize, usize)> {
    let [one, other] = steppers else { return None };
    let reading = |control: &ValueControl| match &control.parts {
        Parts::Stepper(parts) => page.widget(parts.reading).zip(page.widget(parts.more)),
        _ => None,
    };
    let ((a, more_a), (b, more_b)) = (reading(one)?, reading(other)?);
    let upright = |value: &Widget, more: &Widget| !level(value.bounds, more.bounds);
    let two_digits = |value: &Widget| shown_text(value).trim().len() == 2;
    let fits = level(a.bounds, b.bounds) && upright(a, more_a) && upright(b, more_b) && two_digits(a) && two_digits(b);
    fits.then_some(if a.bounds.left < b.bounds.left { (0, 1) } else { (1, 0) })
}

fn control(page: &Page<'_>, parts: CompoundParts) -> Option<ValueControl> {
    let mut widgets: Vec<WidgetId> = Vec::new();
    for (_, turner) in &parts.turners {
        match turner {
            Turner::Wheel(wheel) => {
                let widget = page.widget(wheel.wheel)?;
                widgets.push(widget.id);
                widgets.extend(page.inside(widget).map(|inner| inner.id));
            }
            Turner::Stepper(stepper) => widgets.extend([stepper.reading, stepper.fewer, stepper.more]),
        }
    }
    let place = around(widgets.iter().filter_map(|id| page.widget(*id)).map(|widget| widget.bounds));
    let is_date = parts.turners.iter().any(|(part, _)| matches!(part, PartOf::Day | PartOf::Month | PartOf::Year));
    let kind = if is_date { ControlKind::Wheel } else { ControlKind::TimeWheels };
    let joint = if is_date { " " } else { ":" };
    let name = page.name_of("", place, &widgets);
    let name = if part_by_name(&name).is_some() { String::new() } else { name };
    let shown = parts.values.join(joint);
    let mut control = ValueControl::new(kind, widgets, name, Parts::Compound(parts));
    control.shown = Some(shown);
    Some(control)
}

/// The part that a wheel is named after.
fn part_by_name(name: &str) -> Option<PartOf> {
    let words = &lexicon().labels.parts;
    let lists = [
        (PartOf::Hour, &words.hour),
        (PartOf::Minute, &words.minute),
        (PartOf::Second, &words.second),
        (PartOf::HalfOfDay, &words.half_of_day),
        (PartOf::Day, &words.day),
        (PartOf::Month, &words.month),
        (PartOf::Year, &words.year),
    ];
    lists.into_iter().find(|(_, list)| is_one_of(list, name)).map(|(part, _)| part)
}

/// The parts of a group of wheels, by their names and their values; `None` where they hold no time and no date.
fn wheel_parts(page: &Page<'_>, group: &[WheelParts]) -> Option<Vec<PartOf>> {
    if group.len() < 2 {
        return None;
    }
    let behind: Option<Vec<PartOf>> = group.iter().map(|wheel| part_behind(page, wheel)).collect();
    let known: Vec<Option<PartOf>> = match behind {
        Some(all) => all.into_iter().map(Some).collect(),
        None => group.iter().map(|wheel| own_part(page, wheel)).collect(),
    };
    if let Some(all) = known.iter().copied().collect::<Option<Vec<PartOf>>>() {
        return is_whole(&all).then_some(all);
    }
    let has = |part: PartOf| known.contains(&Some(part));
    // Two numbers beside the half of the day are a time; two numbers in a picker of times as well.
    let times = known.iter().flatten().all(|part| matches!(part, PartOf::Hour | PartOf::Minute | PartOf::HalfOfDay));
    let numbers = group.iter().filter(|wheel| wheel::number(&wheel.value).is_some()).count();
    let two_digits = group.len() == 2 && group.iter().all(has_two_digits);
    if times && numbers == 2 && (has(PartOf::HalfOfDay) || two_digits || in_time_picker(page, group)) {
        let mut left = [PartOf::Hour, PartOf::Minute].into_iter();
        let filled = known.iter().map(|part| match part {
            Some(PartOf::HalfOfDay) => Some(PartOf::HalfOfDay),
            _ => left.next(),
        });
        return filled.collect();
    }
    // A month by its name and a year leave the day.
    let dates = has(PartOf::Month) || has(PartOf::Year);
    if dates && known.iter().filter(|part| part.is_none()).count() == 1 {
        let missing = [PartOf::Day, PartOf::Month, PartOf::Year].into_iter().find(|part| !has(*part))?;
        let missing =
            if has(PartOf::Year) && !has(PartOf::Month) && group.len() == 2 { PartOf::Month } else { missing };
        return Some(known.into_iter().map(|part| part.unwrap_or(missing)).collect());
    }
    None
}

/// The wheel writes its numbers with two digits.
fn has_two_digits(wheel: &WheelParts) -> bool {
    let mut plain = wheel.seen.iter().filter(|seen| seen.trim().chars().all(|c| c.is_ascii_digit())).peekable();
    plain.peek().is_some() && plain.all(|seen| seen.trim().len() == 2)
}

/// Each part once, and enough of them to be a time or a date.
fn is_whole(parts: &[PartOf]) -> bool {
    let once = parts.iter().enumerate().all(|(at, part)| !parts[..at].contains(part));
    let has = |part: PartOf| parts.contains(&part);
    once && (has(PartOf::Hour) && has(PartOf::Minute)
        || has(PartOf::Minute) && has(PartOf::Second)
        || has(PartOf::Month))
}

/// The part that the text right behind a wheel tells, where it is a unit: "10 min 00 s".
fn part_behind(page: &Page<'_>, wheel: &WheelParts) -> Option<PartOf> {
    let wheel = page.widget(wheel.wheel)?;
    let behind = |widget: &&Widget| {
        let gap = widget.bounds.left - wheel.bounds.right;
        matches!(widget.role, Role::Text | Role::ReadText)
            && level(widget.bounds, wheel.bounds)
            && (0..=wheel.bounds.width() / 2).contains(&gap)
    };
    let nearest = page.screen.widgets.iter().filter(behind).min_by_key(|widget| widget.bounds.left)?;
    part_by_name(&nearest.label)
}

/// What a wheel tells of itself: its name, the text over it, its unit, its values.
fn own_part(page: &Page<'_>, wheel: &WheelParts) -> Option<PartOf> {
    let widget = page.widget(wheel.wheel)?;
    let unit = super::amount::Amount::read(&wheel.value).and_then(|amount| amount.unit);
    let inside: Vec<WidgetId> = page.inside(widget).map(|inner| inner.id).collect();
    let over = page.name_of("", widget.bounds, &inside);
    let names = [widget.label.as_str(), widget.id_words.as_str(), over.as_str(), unit.as_deref().unwrap_or_default()];
    if let Some(part) = names.into_iter().find_map(part_by_name) {
        return Some(part);
    }
    let labels = &lexicon().labels;
    if is_one_of(&labels.am, &wheel.value) || is_one_of(&labels.pm, &wheel.value) {
        return Some(PartOf::HalfOfDay);
    }
    match wheel::number(&wheel.value) {
        Some(year) if YEARS.contains(&year) => Some(PartOf::Year),
        Some(_) => None,
        None => lexicon().month(&wheel.value).map(|_| PartOf::Month),
    }
}

/// The wheels stand in a picker of times by its class or id, or have a colon between them.
fn in_time_picker(page: &Page<'_>, group: &[WheelParts]) -> bool {
    let Some(first) = group.first().and_then(|wheel| page.widget(wheel.wheel)) else { return false };
    let nodes = &page.screen.tree.nodes;
    let named = page.ancestors(first.node).filter_map(|node| nodes.get(node)).any(|node| {
        let text = format!("{} {}", node.class_name(), node.resource_id).to_lowercase();
        text.contains("timepicker") || text.contains("time_picker") || text.contains("duration")
    });
    let colon = |widget: &Widget| widget.label.trim() == ":" && level(widget.bounds, first.bounds);
    named || page.screen.widgets.iter().any(colon)
}

/// The next turn of the first part that does not show what the request wants.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: &CompoundParts,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let goal = if control.kind == ControlKind::TimeWheels {
        Goal::of_time(&control.name, parts, wishes)?
    } else {
        Goal::of_date(parts, wishes, past, control)?
    };
    let mut step = Step::reached(control.shown.clone().unwrap_or_default());
    for (part, wanted) in &goal.values {
        let Some(at) = parts.turners.iter().position(|(own, _)| own == part) else { continue };
        let (Some((_, turner)), Some(shown)) = (parts.turners.get(at), parts.values.get(at)) else { continue };
        let next = turn(page, *part, turner, shown, wanted, past);
        if !matches!(next, Step::Reached { .. }) {
            step = next;
            break;
        }
    }
    Some(Draft { wanted: goal.wanted, value_fit: goal.fit, step })
}

/// A value of one part.
#[derive(Debug, Clone, PartialEq)]
enum PartValue {
    Number(u32),
    Month(u32),
    Half(HalfOfDay),
}

/// The value of each part.
struct Goal {
    values: Vec<(PartOf, PartValue)>,
    wanted: String,
    fit: f32,
}

impl Goal {
    /// A time of day where the words surely tell one or the wheels have halves of the day; else a duration.
    fn of_time(name: &str, parts: &CompoundParts, wishes: &Wishes<'_>) -> Option<Self> {
        let halves = parts.turners.iter().any(|(part, _)| *part == PartOf::HalfOfDay);
        let clock = parts.turners.iter().any(|(part, _)| *part == PartOf::Hour);
        let own = wishes.time_for(name);
        let sure = own.filter(|wish| wish.sure || halves);
        let time = sure.filter(|_| clock).map(|wish| Self::of_clock(wish.time, halves, parts));
        let duration =
            || wishes.durations.first().filter(|_| !halves).map(|seconds| Self::of_duration(*seconds, parts));
        let unsure = || own.filter(|_| clock).map(|wish| Self::of_clock(wish.time, halves, parts));
        time.or_else(duration).or_else(unsure)
    }

    fn of_clock(time: TimeOfDay, halves: bool, parts: &CompoundParts) -> Self {
        let hour = if halves { time.hour_of_twelve() } else { time.hour };
        let mut values = vec![
            (PartOf::Hour, PartValue::Number(u32::from(hour))),
            (PartOf::Minute, PartValue::Number(u32::from(time.minute))),
        ];
        values.extend(time.half.map(|half| (PartOf::HalfOfDay, PartValue::Half(half))));
        let wanted = if halves { time.twelve_hours() } else { time.to_string() };
        let known = parts.turners.iter().any(|(part, _)| *part == PartOf::Minute);
        Self { values, wanted, fit: if known { 1.0 } else { 0.8 } }
    }

    fn of_duration(seconds: f64, parts: &CompoundParts) -> Self {
        let total = seconds.round().max(0.0) as u32;
        let has = |part: PartOf| parts.turners.iter().any(|(own, _)| *own == part);
        let minutes = total / HOUR;
        let (hours, minutes) = if has(PartOf::Hour) { (minutes / HOUR, minutes % HOUR) } else { (0, minutes) };
        let values = vec![
            (PartOf::Hour, PartValue::Number(hours)),
            (PartOf::Minute, PartValue::Number(minutes)),
            (PartOf::Second, PartValue::Number(total % HOUR)),
        ];
        let wanted = if has(PartOf::Second) {
            format!("{hours}:{minutes:02}:{:02}", total % HOUR)
        } else {
            format!("{hours} h {minutes} min")
        };
        Self { values, wanted, fit: 1.0 }
    }

    fn of_date(parts: &CompoundParts, wishes: &Wishes<'_>, past: Past<'_>, control: &ValueControl) -> Option<Self> {
        let has = |part: PartOf| parts.turners.iter().any(|(own, _)| *own == part);
        let date = wanted_day(wishes, &control.name, Some(shown_date(parts)), None, past).or_else(|| {
            let month_only = |value: &&str| WrittenDate::read(value).is_some_and(|date| date.month.is_some());
            wishes.values.iter().find(|value| month_only(value)).and_then(|value| WrittenDate::read(value))
        })?;
        if has(PartOf::Day) != date.day.is_some() || !has(PartOf::Month) {
            return None;
        }
        let mut values = Vec::new();
        // The year and the month come first: the days of a wheel depend on them.
        values.extend(date.year.map(|year| (PartOf::Year, PartValue::Number(year))));
        values.extend(date.month.map(|month| (PartOf::Month, PartValue::Month(month))));
        values.extend(date.day.map(|day| (PartOf::Day, PartValue::Number(day))));
        Some(Self { values, wanted: date.to_string(), fit: 1.0 })
    }
}

/// The date that the wheels show.
fn shown_date(parts: &CompoundParts) -> WrittenDate {
    let value = |part: PartOf| {
        let at = parts.turners.iter().position(|(own, _)| *own == part)?;
        parts.values.get(at)
    };
    let number = |part: PartOf| value(part).and_then(|text| wheel::number(text)).map(|number| number as u32);
    let month = value(PartOf::Month).and_then(|text| lexicon().month(text)).or_else(|| number(PartOf::Month));
    WrittenDate { year: number(PartOf::Year), month, day: number(PartOf::Day) }
}

fn turn(page: &Page<'_>, part: PartOf, turner: &Turner, shown: &str, wanted: &PartValue, past: Past<'_>) -> Step {
    let labels = &lexicon().labels;
    match (turner, wanted) {
        (Turner::Wheel(wheel), PartValue::Number(number)) => {
            wheel::turn_to_number(page, wheel, f64::from(*number), past)
        }
        (Turner::Wheel(wheel), PartValue::Month(month)) if wheel::number(shown).is_some() => {
            wheel::turn_to_number(page, wheel, f64::from(*month), past)
        }
        (Turner::Wheel(wheel), PartValue::Month(month)) => {
            if lexicon().month(shown) == Some(*month) {
                return Step::reached(shown);
            }
            let seen = wheel.seen.iter().find(|seen| lexicon().month(seen) == Some(*month));
            let named = lexicon().languages.first().and_then(|english| english.days.months.get(*month as usize - 1));
            let wanted = seen.or(named).cloned().unwrap_or_default();
            wheel::turn_to_text(page, wheel, &wanted, past)
        }
        (Turner::Wheel(wheel), PartValue::Half(half)) => {
            let list = if *half == HalfOfDay::BeforeNoon { &labels.am } else { &labels.pm };
            if is_one_of(list, shown) {
                return Step::reached(shown);
            }
            let seen = wheel.seen.iter().find(|seen| is_one_of(list, seen)).cloned();
            let down = *half == HalfOfDay::AfterNoon;
            let fallback = if down { "PM" } else { "AM" };
            wheel::turn_to_text(page, wheel, &seen.unwrap_or_else(|| fallback.to_owned()), past)
        }
        (Turner::Stepper(stepper), PartValue::Number(number) | PartValue::Month(number)) => {
            match wheel::number(shown) {
                Some(now) => stepper::turn(page, stepper, now, f64::from(*number), shown, past),
                None => Step::impossible(format!("the stepper for {part:?} shows no number")),
            }
        }
        (Turner::Stepper(_), PartValue::Half(_)) => Step::reached(shown),
    }
}
