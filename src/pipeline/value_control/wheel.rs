//! Wheels: a value in the middle, its neighbours over and under it, turned by swiping.

use super::amount::{Amount, same_number};
use super::choice::option_fit;
use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::layout::{Page, alike, level, stacked};
use super::lexicon::lexicon;
use super::number_wish::number_wish;
use super::past::Past;
use super::wishes::Wishes;
use crate::domain::{Action, Direction, Rect, words};
use crate::hierarchy::{Role, Widget, WidgetId};

/// Most turns of one wheel.
const MOST_TURNS: usize = 150;
/// Turns one way in search of a value without an order, before the other way is tried.
const MOST_SEARCH: usize = 24;
/// Turns without an effect after which a wheel is at its end.
const DEAD: usize = 2;
/// Fewest values in sight of a wheel that is only a list to the accessibility service.
const FEWEST_VALUES: usize = 3;
/// Longest value of such a wheel, in characters.
const LONGEST_VALUE: usize = 12;

/// What a wheel is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WheelParts {
    pub(super) wheel: WidgetId,
    /// The value in the middle.
    pub(super) value: String,
    /// The neighbours that can be touched, nearest first, over and under the middle.
    pub(super) over: Vec<WidgetId>,
    pub(super) under: Vec<WidgetId>,
    /// Values in sight, from top to bottom.
    pub(super) seen: Vec<String>,
}

/// All wheels of a screen, from left to right within a line.
pub(super) fn wheels(page: &Page<'_>) -> Vec<WheelParts> {
    let mut found: Vec<(Rect, WheelParts)> = Vec::new();
    let mut short: Vec<(Rect, WheelParts)> = Vec::new();
    for widget in page.free() {
        if let Some(wheel) = picker(page, widget) {
            found.push((widget.bounds, wheel));
        } else if let Some((wheel, length)) = list(page, widget) {
            if length == Length::Full { &mut found } else { &mut short }.push((widget.bounds, wheel));
        }
    }
    // At its end a wheel shows two values; another one beside it tells that it is one.
    let beside = |place: Rect| found.iter().any(|(other, _)| level(*other, place) && alike(*other, place));
    let ends: Vec<(Rect, WheelParts)> = short.into_iter().filter(|(place, _)| beside(*place)).collect();
    found.extend(ends);
    found.sort_by_key(|(place, _)| (place.center().y / place.height().max(1), place.left));
    found.into_iter().map(|(_, wheel)| wheel).collect()
}

/// Whether a list of values shows enough of them to be a wheel by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Full,
    Short,
}

/// A wheel by its class, which tells its value.
fn picker(page: &Page<'_>, widget: &Widget) -> Option<WheelParts> {
    let upright =
        widget.role == Role::Selector && !widget.class.contains("Horizontal") && !widget.class.contains("Pager");
    if !upright || widget.value.is_empty() {
        return None;
    }
    Some(parts(page, widget, widget.value.clone()))
}

/// A short list of even values that scrolls: how other toolkits draw a wheel.
fn list(page: &Page<'_>, widget: &Widget) -> Option<(WheelParts, Length)> {
    let scrolls = widget.scrollable && matches!(widget.role, Role::List | Role::Selector);
    if !scrolls || 2 * widget.bounds.height() > page.screen.display.height as i32 {
        return None;
    }
    let mut values: Vec<&Widget> = page.inside(widget).filter(|value| !value_of(value).is_empty()).collect();
    values.sort_by_key(|value| value.bounds.center().y);
    let in_column = values.windows(2).all(|two| {
        let (one, next) = (two[0].bounds, two[1].bounds);
        let centred = (one.center().x - next.center().x).abs() * 4 <= widget.bounds.width().max(1);
        centred && next.top >= one.top && !level(one, next)
    });
    let short = values.iter().all(|value| value_of(value).chars().count() <= LONGEST_VALUE);
    let field = values.iter().copied().find(|value| value.role == Role::Field);
    if values.len() < 2 || !in_column || !short || !is_sequence(&values) && field.is_none() {
        return None;
    }
    let middle = widget.bounds.center().y;
    let chosen = values.iter().copied().find(|value| value.state.selected || value.state.checked == Some(true));
    let nearest = values.iter().copied().min_by_key(|value| (value.bounds.center().y - middle).abs());
    let value = value_of(field.or(chosen).or(nearest)?).to_owned();
    let length = if values.len() >= FEWEST_VALUES || field.is_some() { Length::Full } else { Length::Short };
    Some((parts(page, widget, value), length))
}

/// What a value of a wheel shows: a field its content, everything else its label.
fn value_of(value: &Widget) -> &str {
    if value.role == Role::Field && !value.value.is_empty() { &value.value } else { &value.label }
}

/// Values that follow each other: numbers in even steps, with one break where a wheel begins anew, or months.
fn is_sequence(values: &[&Widget]) -> bool {
    let months = values.iter().all(|value| lexicon().month(value_of(value)).is_some());
    let numbers: Option<Vec<f64>> = values.iter().map(|value| Some(Amount::read(value_of(value))?.value)).collect();
    let Some(numbers) = numbers else { return months };
    let steps: Vec<f64> = numbers.windows(2).map(|two| two[1] - two[0]).collect();
    let Some(step) = steps.iter().copied().find(|step| *step > 0.0) else { return months };
    months || steps.iter().filter(|other| !same_number(**other, step)).count() <= 1 && step > 0.0
}

fn parts(page: &Page<'_>, wheel: &Widget, value: String) -> WheelParts {
    let middle = wheel.bounds.center().y;
    let inner = |widget: &&Widget| {
        wheel.bounds.encloses(widget.bounds) && stacked(widget.bounds, wheel.bounds) && !widget.label.is_empty()
    };
    let mut values: Vec<&Widget> = page.inside(wheel).filter(inner).collect();
    values.sort_by_key(|value| value.bounds.center().y);
    let touchable = |over: bool| {
        let mut found: Vec<&Widget> = values
            .iter()
            .copied()
            .filter(|value| {
                value.clickable && if over { value.bounds.bottom <= middle } else { value.bounds.top >= middle }
            })
            .collect();
        found.sort_by_key(|value| (value.bounds.center().y - middle).abs());
        found.into_iter().map(|value| value.id).collect()
    };
    WheelParts {
        wheel: wheel.id,
        value,
        over: touchable(true),
        under: touchable(false),
        seen: values.iter().map(|value| value_of(value).to_owned()).collect(),
    }
}

/// A single wheel as a control.
pub(super) fn control(page: &Page<'_>, parts: WheelParts) -> Option<ValueControl> {
    let wheel = page.widget(parts.wheel)?;
    let mut widgets = vec![wheel.id];
    widgets.extend(page.inside(wheel).map(|inner| inner.id));
    let own = if wheel.label == wheel.id_words
        || same_value(&wheel.label, &parts.value)
        || parts.seen.iter().any(|seen| wheel.label.contains(seen.as_str()))
    {
        String::new()
    } else {
        wheel.label.clone()
    };
    let name = page.name_of(&own, wheel.bounds, &widgets);
    let name = if name.is_empty() { wheel.id_words.clone() } else { name };
    let mut control = ValueControl::new(ControlKind::Wheel, widgets, name, Parts::Wheel(parts.clone()));
    control.unit = Amount::read(&parts.value).and_then(|amount| amount.unit);
    control.shown = Some(parts.value);
    control.options = parts.seen;
    Some(control)
}

/// The next turn of a single wheel.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: &WheelParts,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let wheel = page.widget(parts.wheel)?;
    let text = parts
        .seen
        .iter()
        .filter(|seen| Amount::alone(seen).is_none_or(|amount| amount.unit.is_some()))
        .filter_map(|seen| Some((option_fit(seen, wishes)?, seen.clone())))
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let explicit =
        || wishes.values.iter().find(|value| Amount::read(value).is_none()).map(|value| (0.6, (*value).to_owned()));
    let number = number_wish(control, wishes, past, &[wheel.bounds]).filter(|_| Amount::read(&parts.value).is_some());
    if let Some(number) = number {
        let wanted = super::amount::written(number.value);
        let step = turn_to_number(page, parts, number.value, past);
        return Some(Draft { wanted, value_fit: number.fit, step });
    }
    let numeric = Amount::read(&parts.value).is_some();
    let (value_fit, wanted) = text.or_else(|| explicit().filter(|_| !numeric))?;
    Some(Draft { step: turn_to_text(page, parts, &wanted, past), wanted, value_fit })
}

/// One turn towards a number.
pub(super) fn turn_to_number(page: &Page<'_>, parts: &WheelParts, wanted: f64, past: Past<'_>) -> Step {
    let Some(now) = number(&parts.value) else { return Step::impossible("the wheel shows no number") };
    if same_number(now, wanted) {
        return Step::reached(parts.value.clone());
    }
    let way = match (circles(parts), wanted > now) {
        (true, _) => shorter_way(parts, now, wanted),
        (false, true) => Direction::Down,
        (false, false) => Direction::Up,
    };
    // Between the value in the middle and its neighbour there is none.
    let next = neighbour(page, parts, way).and_then(|value| number(&value.label));
    // A step over the end of a wheel that begins anew skips nothing.
    let onward = |next: f64| (next > now) == (way == Direction::Down) && (wanted > now) == (next > now);
    let skips = next.is_some_and(|next| (next - wanted) * (now - wanted) < 0.0 && onward(next));
    if skips {
        return Step::impossible(format!(
            "{} follows {} on the wheel",
            super::amount::written(next.unwrap_or(now)),
            super::amount::written(now)
        ));
    }
    turn(page, parts, way, &super::amount::written(wanted), past)
}

/// One turn towards a text: where it is in sight towards it, in the order of months, else down and then up.
pub(super) fn turn_to_text(page: &Page<'_>, parts: &WheelParts, wanted: &str, past: Past<'_>) -> Step {
    if same_value(&parts.value, wanted) {
        return Step::reached(parts.value.clone());
    }
    let Some(wheel) = page.widget(parts.wheel) else { return Step::impossible("the wheel is gone") };
    let place = |text: &str| parts.seen.iter().position(|seen| same_value(seen, text));
    if let (Some(now), Some(there)) = (place(&parts.value), place(wanted)) {
        let way = if there > now { Direction::Down } else { Direction::Up };
        return turn(page, parts, way, wanted, past);
    }
    if let (Some(now), Some(there)) = (lexicon().month(&parts.value), lexicon().month(wanted)) {
        let way = if there > now { Direction::Down } else { Direction::Up };
        return turn(page, parts, way, wanted, past);
    }
    let turned =
        |way: Direction| past.at(wheel.bounds).filter(|adjusted| adjusted.action.direction() == Some(way)).count();
    let down =
        turned(Direction::Up) == 0 && turned(Direction::Down) < MOST_SEARCH && past.idle_run(&[wheel.bounds]) < DEAD;
    if turned(Direction::Up) > 2 * MOST_SEARCH || turned(Direction::Up) > 0 && past.idle_run(&[wheel.bounds]) >= DEAD {
        return Step::impossible(format!("{wanted:?} is not on the wheel"));
    }
    swipe(wheel, if down { Direction::Down } else { Direction::Up }, wanted)
}

/// Touches the neighbour where it is the wanted value, else turns the wheel.
fn turn(page: &Page<'_>, parts: &WheelParts, way: Direction, wanted: &str, past: Past<'_>) -> Step {
    let Some(wheel) = page.widget(parts.wheel) else { return Step::impossible("the wheel is gone") };
    let turned = past.at(wheel.bounds).count();
    if past.idle_run(&[wheel.bounds]) >= DEAD || turned > MOST_TURNS {
        return Step::impossible(format!("the wheel does not turn to {wanted}"));
    }
    let list = if way == Direction::Down { &parts.under } else { &parts.over };
    let shown = list.iter().filter_map(|id| page.widget(*id)).find(|value| same_value(&value.label, wanted));
    match shown {
        Some(value) => Step::click(value, format!("{wanted} stands beside the middle of the wheel")),
        None => swipe(wheel, way, wanted),
    }
}

fn swipe(wheel: &Widget, way: Direction, wanted: &str) -> Step {
    let action = Action::SwipeSelector { target: wheel.target(), direction: way };
    Step::Act { action, reason: format!("the wheel turns towards {wanted}") }
}

fn neighbour<'s>(page: &Page<'s>, parts: &WheelParts, way: Direction) -> Option<&'s Widget> {
    let list = if way == Direction::Down { &parts.under } else { &parts.over };
    list.first().and_then(|id| page.widget(*id))
}

/// The wheel begins anew behind its last value.
fn circles(parts: &WheelParts) -> bool {
    let numbers: Vec<f64> = parts.seen.iter().filter_map(|seen| number(seen)).collect();
    numbers.windows(2).any(|two| two[1] < two[0])
}

/// The shorter way round on a wheel that begins anew, as far as its end is in sight.
fn shorter_way(parts: &WheelParts, now: f64, wanted: f64) -> Direction {
    let numbers: Vec<f64> = parts.seen.iter().filter_map(|seen| number(seen)).collect();
    let most = numbers.iter().copied().fold(now, f64::max);
    let least = numbers.iter().copied().fold(now, f64::min);
    let size = most - least + 1.0;
    let down = (wanted - now).rem_euclid(size);
    if 2.0 * down <= size { Direction::Down } else { Direction::Up }
}

/// The number that a value of a wheel shows.
pub(super) fn number(text: &str) -> Option<f64> {
    Amount::read(text).map(|amount| amount.value)
}

/// True if two values of a wheel are the same to a person.
pub(super) fn same_value(one: &str, other: &str) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => same_number(one, other),
        _ => words(one) == words(other) && !words(one).is_empty() || one.trim() == other.trim(),
    }
}
