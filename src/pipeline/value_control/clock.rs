//! Clocks: hours and minutes over a dial of numbers, halves of the day beside them; or fields for the keyboard.

use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::layout::{Page, around, level};
use super::lexicon::{holds_one_of, is_one_of, lexicon};
use super::past::Past;
use super::read::{HalfOfDay, TimeOfDay};
use super::wishes::Wishes;
use crate::domain::{Action, InputText, Point, Rect};
use crate::hierarchy::{Role, Widget, WidgetId};

/// Numbers of a dial.
const NUMBERS: usize = 12;
/// Most numbers beside the dial.
const MOST_HEADS: usize = 3;
/// Numbers of a dial with an inner ring.
const MOST_NUMBERS: usize = 24;
/// Touches without an effect after which a part is given up.
const DEAD: usize = 2;
/// How much the largest distance from the middle of a ring may exceed the smallest one.
const ROUND: f64 = 1.3;

/// The part of a time that a dial shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DialOf {
    Hours,
    Minutes,
}

/// What a clock is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClockParts {
    hour: WidgetId,
    minute: WidgetId,
    /// Before and after noon, where the clock tells halves of the day.
    halves: Option<(WidgetId, WidgetId)>,
    /// The numbers of the dial; empty for fields.
    dial: Vec<(WidgetId, u8)>,
    dial_of: DialOf,
    to_keyboard: Option<WidgetId>,
}

/// The clock of a screen.
pub(super) fn recognise(page: &Page<'_>) -> Option<ValueControl> {
    let parts = with_dial(page).or_else(|| with_fields(page))?;
    let mut widgets = vec![parts.hour, parts.minute];
    widgets.extend(parts.halves.into_iter().flat_map(|(early, late)| [early, late]));
    widgets.extend(parts.dial.iter().map(|(id, _)| *id));
    widgets.extend(parts.to_keyboard);
    let place = around(widgets.iter().filter_map(|id| page.widget(*id)).map(|widget| widget.bounds));
    let name = page.name_of("", place, &widgets);
    let shown =
        shown(page, &parts).map(|time| if parts.halves.is_some() { time.twelve_hours() } else { time.to_string() });
    let mut control = ValueControl::new(ControlKind::ClockFace, widgets, name, Parts::Clock(parts));
    control.shown = shown;
    Some(control)
}

/// Numbers in a ring, and two more that stand level beside or over it.
fn with_dial(page: &Page<'_>) -> Option<ClockParts> {
    let numbers: Vec<(&Widget, u8)> = page
        .free()
        .filter(|widget| widget.role != Role::Field)
        .filter_map(|widget| Some((widget, number(&widget.label)?)))
        .collect();
    let dial = ring(&numbers)?;
    let place = around(dial.iter().map(|(widget, _)| widget.bounds));
    let outside = |widget: &Widget| !place.contains(widget.bounds.center());
    let heads: Vec<&(&Widget, u8)> = numbers.iter().filter(|(widget, _)| outside(widget)).collect();
    let (hour, minute) = heads.iter().enumerate().find_map(|(at, one)| {
        let other = heads.iter().skip(at + 1).find(|other| level(one.0.bounds, other.0.bounds))?;
        Some(if one.0.bounds.left <= other.0.bounds.left { (one.0, other.0) } else { (other.0, one.0) })
    })?;
    let minutes = dial.iter().any(|(_, number)| *number > 23);
    let ids = dial.into_iter().map(|(widget, number)| (widget.id, number)).collect();
    let dial_of = if minutes { DialOf::Minutes } else { DialOf::Hours };
    Some(ClockParts {
        hour: hour.id,
        minute: minute.id,
        halves: halves(page),
        dial: ids,
        dial_of,
        to_keyboard: to_keyboard(page),
    })
}

/// The numbers that stand in a ring, or in two rings around one middle.
fn ring<'p>(numbers: &[(&'p Widget, u8)]) -> Option<Vec<(&'p Widget, u8)>> {
    for (sample, _) in numbers {
        let size = sample.bounds.height();
        let same = numbers.iter().filter(|(widget, _)| (widget.bounds.height() - size).abs() * 8 <= size);
        let mut same: Vec<(&Widget, u8)> = same.copied().collect();
        // What shows the time stands over the dial, or left of it, and may be as large as its numbers.
        same.sort_by_key(|(widget, _)| widget.bounds.top);
        let upright = without_heads(&same);
        same.sort_by_key(|(widget, _)| widget.bounds.left);
        if let Some(found) = upright.or_else(|| without_heads(&same)) {
            return Some(found);
        }
    }
    None
}

/// All numbers but the first few, where they are round.
fn without_heads<'p>(numbers: &[(&'p Widget, u8)]) -> Option<Vec<(&'p Widget, u8)>> {
    let rest = (0..=MOST_HEADS).filter_map(|heads| numbers.get(heads..));
    let mut rest = rest.filter(|rest| matches!(rest.len(), NUMBERS | MOST_NUMBERS) && is_round(rest));
    rest.next().map(<[_]>::to_vec)
}

fn is_round(numbers: &[(&Widget, u8)]) -> bool {
    let place = around(numbers.iter().map(|(widget, _)| widget.bounds));
    let middle = place.center();
    let distance = |widget: &Widget| {
        let at = widget.bounds.center();
        f64::from(at.x - middle.x).hypot(f64::from(at.y - middle.y))
    };
    let mut distances: Vec<f64> = numbers.iter().map(|(widget, _)| distance(widget)).collect();
    distances.sort_by(f64::total_cmp);
    let even =
        |part: &[f64]| part.first().zip(part.last()).is_some_and(|(least, most)| *least > 0.0 && most / least < ROUND);
    even(&distances) || distances.len() == MOST_NUMBERS && even(&distances[..NUMBERS]) && even(&distances[NUMBERS..])
}

/// Fields called hour and minute that stand level.
fn with_fields(page: &Page<'_>) -> Option<ClockParts> {
    let words = &lexicon().labels.parts;
    let field = |list: &[String]| {
        let called = |widget: &&Widget| {
            let names = [&widget.label, &widget.hint, &widget.id_words];
            widget.role == Role::Field
                && names.into_iter().any(|name| is_one_of(list, name) || holds_one_of(list, name))
        };
        page.free().find(called)
    };
    let (hour, minute) = (field(&words.hour)?, field(&words.minute)?);
    (hour.id != minute.id && level(hour.bounds, minute.bounds)).then(|| ClockParts {
        hour: hour.id,
        minute: minute.id,
        halves: halves(page),
        dial: Vec::new(),
        dial_of: DialOf::Hours,
        to_keyboard: None,
    })
}

fn halves(page: &Page<'_>) -> Option<(WidgetId, WidgetId)> {
    let labels = &lexicon().labels;
    let find = |list: &[String]| page.free().find(|widget| widget.clickable && is_one_of(list, &widget.label));
    Some((find(&labels.am)?.id, find(&labels.pm)?.id))
}

fn to_keyboard(page: &Page<'_>) -> Option<WidgetId> {
    let list = &lexicon().labels.to_keyboard;
    let leads = |widget: &&Widget| {
        widget.clickable && (holds_one_of(list, &widget.label) || holds_one_of(list, &widget.id_words))
    };
    page.free().find(leads).map(|widget| widget.id)
}

/// The number of a label: "7", "07", "7 o'clock", "35 minutes".
fn number(label: &str) -> Option<u8> {
    let mut runs = label.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let (first, None) = (runs.next()?, runs.next()) else { return None };
    let short = label.chars().count() <= 20 && !label.contains([':', '.', '%', '+', '-']);
    first.parse().ok().filter(|number| short && first.len() <= 2 && *number < 60)
}

fn is_on(widget: &Widget) -> bool {
    widget.state.checked == Some(true) || widget.state.selected
}

fn part_shown(page: &Page<'_>, id: WidgetId) -> Option<u8> {
    let widget = page.widget(id)?;
    number(if widget.role == Role::Field { &widget.value } else { &widget.label })
}

/// The time that a clock shows.
fn shown(page: &Page<'_>, parts: &ClockParts) -> Option<TimeOfDay> {
    let (hour, minute) = (part_shown(page, parts.hour)?, part_shown(page, parts.minute)?);
    let Some((early, late)) = parts.halves else { return Some(TimeOfDay::of(hour % 24, minute)) };
    let half = match (page.widget(early).is_some_and(is_on), page.widget(late).is_some_and(is_on)) {
        (true, _) => Some(HalfOfDay::BeforeNoon),
        (false, true) => Some(HalfOfDay::AfterNoon),
        (false, false) => None,
    };
    let open = TimeOfDay { hour, minute, half: None };
    Some(half.map_or(open, |half| open.in_half(half)))
}

/// The next touch that brings a clock to the time the request wants: hour, minute, half of the day.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: &ClockParts,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let (time, value_fit) = wanted_time(&control.name, wishes)?;
    let now = shown(page, parts);
    let wanted = if parts.halves.is_some() { time.twelve_hours() } else { time.to_string() };
    let hour = if parts.halves.is_some() { time.hour_of_twelve() } else { time.hour };
    let same_hour = part_shown(page, parts.hour)
        .is_some_and(|own| if parts.halves.is_some() { own % 12 == hour % 12 } else { own % 24 == hour });
    let same_minute = part_shown(page, parts.minute) == Some(time.minute);
    let (early, late) = parts.halves.unzip();
    let half = match time.half {
        Some(half) if now.is_none_or(|now| now.half != Some(half)) => {
            if half == HalfOfDay::BeforeNoon {
                early
            } else {
                late
            }
        }
        _ => None,
    };
    let step = if !same_hour {
        set(page, parts, parts.hour, (DialOf::Hours, hour), past)
    } else if !same_minute {
        set(page, parts, parts.minute, (DialOf::Minutes, time.minute), past)
    } else if let Some(half) = half.and_then(|id| page.widget(id)) {
        if past.idle_run(&[half.bounds]) < DEAD {
            Step::click(half, "it is the wanted half of the day")
        } else {
            Step::impossible(format!("{:?} cannot be chosen", half.label))
        }
    } else {
        Step::reached(wanted.clone())
    };
    Some(Draft { wanted, value_fit, step })
}

/// The wanted time; a lone number is an hour.
fn wanted_time(name: &str, wishes: &Wishes<'_>) -> Option<(TimeOfDay, f32)> {
    if let Some(wish) = wishes.time_for(name) {
        return Some((wish.time, if wish.sure { 1.0 } else { 0.9 }));
    }
    let plain = |value: f64| value.fract().abs() < 1e-9 && (0.0..24.0).contains(&value);
    let lone = wishes.amounts.iter().find(|amount| amount.unit.is_none() && plain(amount.value))?;
    let hour = lone.value as u8;
    let half = (hour == 0 || hour > 12).then_some(if hour == 0 { HalfOfDay::BeforeNoon } else { HalfOfDay::AfterNoon });
    Some((TimeOfDay { hour, minute: 0, half }, 0.5))
}

/// The touch that sets one part: its number on the dial, the part itself where the dial shows the other one, its field.
fn set(page: &Page<'_>, parts: &ClockParts, part: WidgetId, wanted: (DialOf, u8), past: Past<'_>) -> Step {
    let (of, value) = wanted;
    let Some(head) = page.widget(part) else { return Step::impossible("the clock is gone") };
    if head.role == Role::Field {
        if past.at(head.bounds).count() > DEAD {
            return Step::impossible(format!("the field does not take {value:02}"));
        }
        let action = Action::InputText { target: head.target(), text: InputText::Plain(format!("{value:02}")) };
        return Step::Act { action, reason: "the time is typed into the clock's fields".to_owned() };
    }
    let keyboard = parts.to_keyboard.and_then(|id| page.widget(id));
    if parts.dial_of != of {
        if past.idle_run(&[head.bounds]) < DEAD {
            return Step::click(
                head,
                format!("the dial shows the {}", if of == DialOf::Hours { "minutes" } else { "hours" }),
            );
        }
        return keyboard.map_or_else(
            || Step::impossible("the dial does not change"),
            |toggle| Step::click(toggle, "the dial does not change; the keyboard sets the time"),
        );
    }
    let number =
        parts.dial.iter().find(|(_, number)| *number == value || of == DialOf::Hours && value == 0 && *number == 24);
    if let Some(number) = number.and_then(|(id, _)| page.widget(*id)) {
        if past.idle_run(&[number.bounds]) < DEAD {
            return Step::click(number, format!("it is the wanted number of the dial, {value}"));
        }
        return Step::impossible(format!("{value} cannot be chosen on the dial"));
    }
    if let Some(toggle) = keyboard.filter(|toggle| past.touches(toggle.bounds) == 0) {
        return Step::click(toggle, format!("{value} is between the numbers of the dial; the keyboard sets it"));
    }
    between(page, parts, value)
}

/// A touch between the numbers of a dial, where the hand of a value points.
fn between(page: &Page<'_>, parts: &ClockParts, value: u8) -> Step {
    let numbers: Vec<(&Widget, u8)> =
        parts.dial.iter().filter_map(|(id, number)| Some((page.widget(*id)?, *number))).collect();
    let place: Rect = around(numbers.iter().map(|(widget, _)| widget.bounds));
    let cell = numbers.first().map_or(0, |(widget, _)| widget.bounds.height());
    let (middle, reach) = (place.center(), f64::from(place.height() - cell) / 2.0);
    let angle = f64::from(value) / 60.0 * std::f64::consts::TAU;
    let point =
        Point::new(middle.x + (reach * angle.sin()).round() as i32, middle.y - (reach * angle.cos()).round() as i32);
    let nearest = numbers.iter().min_by_key(|(widget, _)| {
        let at = widget.bounds.center();
        (at.x - point.x).abs() + (at.y - point.y).abs()
    });
    let Some((nearest, _)) = nearest else { return Step::impossible("the dial has no numbers") };
    let mut target = nearest.target();
    target.tap = point;
    Step::Act { action: Action::Click { target }, reason: format!("the hand points there at {value}") }
}
