//! Steppers: a value between, over or beside two controls that count it up and down.

use super::amount::{Amount, same_number, written};
use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::layout::{Page, alike, around, level, stacked};
use super::lexicon::{is_one_of, lexicon};
use super::number_wish::number_wish;
use super::past::{Past, same_place};
use super::read::{Reading, TimeOfDay, durations_in, quantities_in, read_time};
use super::wishes::Wishes;
use crate::domain::{Action, InputText, Rect, words};
use crate::form::is_currency;
use crate::hierarchy::{Role, Widget, WidgetId};
use crate::lexicon::{Languages, Purpose, PurposeSet, Verb};

/// Most words of a control that counts: "One adult more".
const MOST_WORDS: usize = 4;
/// How far from its controls a value stands at most, in heights of a control.
const REACH: i32 = 3;
/// Touches without an effect after which a stepper is dead.
const DEAD: usize = 2;
/// From this distance on a value is typed where it can be.
const WORTH_TYPING: f64 = 4.0;

/// What a stepper is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StepperParts {
    pub(super) more: WidgetId,
    pub(super) fewer: WidgetId,
    pub(super) reading: WidgetId,
    /// The words of the controls tell which is which.
    pub(super) told: Told,
}

/// How it is known which control counts up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    ByWords,
    /// The right one, or the upper one.
    ByPlace,
}

/// The way a control counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

/// All steppers of a screen.
pub(super) fn recognise(page: &Page<'_>) -> Vec<ValueControl> {
    let readings: Vec<&Widget> = page.free().filter(|widget| is_reading(widget)).collect();
    let mut found: Vec<(i64, StepperParts)> = readings.iter().filter_map(|reading| pair_for(page, reading)).collect();
    // The nearest value of a pair is its own.
    found.sort_by_key(|(apart, _)| *apart);
    let mut used: Vec<WidgetId> = Vec::new();
    let mut controls = Vec::new();
    for (_, parts) in found {
        let own = [parts.more, parts.fewer, parts.reading];
        if own.iter().any(|id| used.contains(id)) {
            continue;
        }
        used.extend(own);
        controls.extend(control(page, parts));
    }
    controls.sort_by_key(|control| control.widgets.first().copied());
    controls
}

/// True for a text that begins with a number or a currency.
fn is_amount(text: &str) -> bool {
    let begins = text.trim_start().chars().next();
    begins.is_some_and(|c| c.is_ascii_digit() || is_currency(c))
}

fn control(page: &Page<'_>, parts: StepperParts) -> Option<ValueControl> {
    let (more, fewer, reading) = (page.widget(parts.more)?, page.widget(parts.fewer)?, page.widget(parts.reading)?);
    let widgets = vec![reading.id, fewer.id, more.id];
    let place = around([more, fewer, reading].iter().map(|widget| widget.bounds));
    let own = Amount::read(shown_text(reading));
    let field = if reading.role == Role::Field { reading.label.as_str() } else { "" };
    let named = own.as_ref().map(|amount| amount.name.clone()).filter(|name| !name.is_empty());
    let counted = || counted_thing(&more.label).or_else(|| counted_thing(&fewer.label));
    let outer = page.name_of(field, place, &widgets);
    // A price beside it is no name: it belongs to the thing of its row.
    let outer = if is_amount(&outer) && !more.context.is_empty() {
        more.context.split(", ").next().unwrap_or_default().to_owned()
    } else {
        outer
    };
    let name = named.unwrap_or(outer);
    let name = if name.is_empty() { counted().unwrap_or_default() } else { name };
    let mut control = ValueControl::new(ControlKind::Stepper, widgets, name, Parts::Stepper(parts));
    control.shown = Some(shown_text(reading).to_owned());
    control.unit = own.and_then(|amount| amount.unit);
    Some(control)
}

/// What a reading shows: a field its content, everything else its label.
pub(super) fn shown_text(reading: &Widget) -> &str {
    if reading.role == Role::Field { &reading.value } else { &reading.label }
}

/// "adult" of "One adult more".
fn counted_thing(label: &str) -> Option<String> {
    let labels = &lexicon().labels;
    let counts = |word: &String| {
        let one = lexicon().languages.iter().any(|language| language.numbers.articles.contains(word));
        one || labels.more.contains(word) || labels.fewer.contains(word) || labels.parts.hour.contains(word)
    };
    let rest: Vec<String> = words(label).into_iter().filter(|word| !counts(word)).collect();
    (!rest.is_empty()).then(|| rest.join(" "))
}

fn is_reading(widget: &Widget) -> bool {
    let text = shown_text(widget);
    let value = Amount::read(text).is_some() || clock_value(text).is_some();
    let plain = matches!(widget.role, Role::Text | Role::ReadText | Role::Field) || !widget.clickable;
    value && (plain || widget.role == Role::Button && Amount::alone(text).is_some())
}

/// The way a control counts, by its label or its id.
fn way_of(page: &Page<'_>, widget: &Widget) -> Option<Way> {
    let labels = &lexicon().labels;
    let says = |list: &[String], text: &str| {
        let own = words(text);
        let short = own.len() <= MOST_WORDS;
        is_one_of(list, text)
            || short
                && list.iter().any(|known| {
                    let known = words(known);
                    !known.is_empty() && own.windows(known.len()).any(|part| part == known.as_slice())
                })
    };
    let way = |text: &str| match (says(&labels.more, text), says(&labels.fewer, text)) {
        (true, false) => Some(Way::Up),
        (false, true) => Some(Way::Down),
        _ => None,
    };
    let meant = |text: &str, languages: Languages| {
        let purposes = page.lexicon.purposes(text, languages);
        let verbs = page.lexicon.label_verbs(text, languages);
        let up = purposes.has(Purpose::Increase) || verbs.has(Verb::Increase);
        let down = purposes.has(Purpose::Decrease) || verbs.has(Verb::Decrease);
        match (up, down) {
            (true, false) => Some(Way::Up),
            (false, true) => Some(Way::Down),
            _ => None,
        }
    };
    way(&widget.label)
        .or_else(|| way(&widget.id_words))
        .or_else(|| meant(&widget.label, page.languages))
        .or_else(|| meant(&widget.id_words, Languages::ENGLISH))
}

/// The two controls that turn a value, and how far they are from it.
fn pair_for(page: &Page<'_>, reading: &Widget) -> Option<(i64, StepperParts)> {
    let height = |widget: &Widget| widget.bounds.height().max(1);
    let turns = |widget: &&Widget| {
        let touched = widget.clickable && widget.id != reading.id && Amount::read(&widget.label).is_none();
        touched && matches!(widget.role, Role::Button | Role::Image | Role::ListItem)
    };
    let near = |widget: &&Widget| {
        let (own, other) = (widget.bounds, reading.bounds);
        let apart = (other.top - own.bottom).max(own.top - other.bottom);
        apart <= REACH * height(widget).min(2 * height(reading).max(1))
    };
    let all: Vec<&Widget> = page.free().filter(turns).filter(near).collect();
    let mut best: Option<(i64, StepperParts)> = None;
    for (at, one) in all.iter().enumerate() {
        for other in all.iter().skip(at + 1) {
            let Some((more, fewer, told)) = opposed(page, one, other, reading) else { continue };
            let distance = distance(one.bounds, other.bounds, reading.bounds);
            if best.as_ref().is_none_or(|(known, _)| distance < *known) {
                let parts = StepperParts { more: more.id, fewer: fewer.id, reading: reading.id, told };
                best = Some((distance, parts));
            }
        }
    }
    best
}

/// Which of two controls counts up, where they count the same value in opposite ways.
fn opposed<'w>(
    page: &Page<'_>,
    one: &'w Widget,
    other: &'w Widget,
    reading: &Widget,
) -> Option<(&'w Widget, &'w Widget, Told)> {
    let (a, b, value) = (one.bounds, other.bounds, reading.bounds);
    let side_by_side = level(a, b) && !stacked(a, b);
    let upright = stacked(a, b) && !level(a, b);
    if !alike(a, b) || !(side_by_side || upright) {
        return None;
    }
    let pair = around([a, b].into_iter());
    let (first, last) = if side_by_side == (a.left < b.left) { (one, other) } else { (other, one) };
    // Upright pairs count up at the top.
    let (lower, upper) = if side_by_side {
        (first, last)
    } else if a.top < b.top {
        (other, one)
    } else {
        (one, other)
    };
    let between = if side_by_side {
        let middle = value.center().x;
        lower.bounds.center().x < middle && middle < upper.bounds.center().x && value.width() < pair.width()
    } else {
        let middle = value.center().y;
        upper.bounds.center().y < middle && middle < lower.bounds.center().y && stacked(value, pair)
    };
    let over = side_by_side && under(a, b, value);
    // Beside its value the pair stands close together, and the other half need not say what it does.
    let paired = between || level(value, pair) && side_by_side && gap(a, b) <= a.width().max(b.width());
    match (way_of(page, one), way_of(page, other)) {
        (Some(Way::Up), Some(Way::Down)) => Some((one, other, Told::ByWords)),
        (Some(Way::Down), Some(Way::Up)) => Some((other, one, Told::ByWords)),
        (Some(Way::Up), None) | (None, Some(Way::Down)) if paired => Some((one, other, Told::ByWords)),
        (None, Some(Way::Up)) | (Some(Way::Down), None) if paired => Some((other, one, Told::ByWords)),
        (None, None) if (between && centred(a, b, value) || over) && close(a, b, value) => {
            let by_icons = between && centred(a, b, value) && is_icon(one) && is_icon(other);
            // "Darker" and "Brighter" around "60 %": what words say no other thing tells nothing, and the first touch does.
            let by_words = is_bare(reading) && says_nothing(page, one) && says_nothing(page, other);
            (by_icons || by_words).then_some((upper, lower, Told::ByPlace))
        }
        _ => None,
    }
    .filter(|_| level(value, pair) || between && centred(a, b, value) || over)
}

/// A control without words.
fn is_icon(widget: &Widget) -> bool {
    let named = widget.label != widget.id_words && widget.label.chars().any(char::is_alphanumeric);
    !named
}

/// A value that stands alone or with its unit, and is no sum of money: those are told, not set.
fn is_bare(reading: &Widget) -> bool {
    let text = shown_text(reading);
    let money = text.chars().any(is_currency);
    let alone = Amount::read(text).is_some_and(|amount| amount.name.is_empty()) && clock_value(text).is_none();
    alone && !money && !reading.clickable
}

/// One word that neither commands something nor calls a control of another kind.
fn says_nothing(page: &Page<'_>, widget: &Widget) -> bool {
    let says = |text: &str, languages: Languages| {
        page.lexicon.purposes(text, languages) != PurposeSet::default()
            || !page.lexicon.label_verbs(text, languages).is_empty()
    };
    let own = words(&widget.label);
    let short = own.len() == 1 && !widget.label.contains(|c: char| c.is_ascii_digit());
    short && widget.state.checked.is_none() && !widget.state.selected && !says(&widget.label, page.languages)
}

/// The value stands in the middle of both.
fn centred(a: Rect, b: Rect, value: Rect) -> bool {
    let off_x = (i32::midpoint(a.center().x, b.center().x) - value.center().x).abs();
    let off_y = (i32::midpoint(a.center().y, b.center().y) - value.center().y).abs();
    let apart = (a.center().x - b.center().x).abs() + (a.center().y - b.center().y).abs();
    (off_x + off_y) * 5 <= apart
}

/// The value stands over or under the middle of a pair that stands side by side.
fn under(a: Rect, b: Rect, value: Rect) -> bool {
    let off = (i32::midpoint(a.center().x, b.center().x) - value.center().x).abs();
    stacked(value, around([a, b].into_iter())) && off * 5 <= (a.center().x - b.center().x).abs()
}

/// What lies between two places, across or down; 0 where they meet.
fn gap(one: Rect, other: Rect) -> i32 {
    let across = (other.left - one.right).max(one.left - other.right);
    let down = (other.top - one.bottom).max(one.top - other.bottom);
    across.max(down).max(0)
}

/// Controls without words stand close to their value.
fn close(a: Rect, b: Rect, value: Rect) -> bool {
    gap(a, value).max(gap(b, value)) * 2 <= 3 * a.width().max(a.height())
}

fn distance(a: Rect, b: Rect, value: Rect) -> i64 {
    let middle = (i32::midpoint(a.center().x, b.center().x), i32::midpoint(a.center().y, b.center().y));
    let off = (middle.0 - value.center().x).abs() + 2 * (middle.1 - value.center().y).abs();
    let apart = (a.center().x - b.center().x).abs() + (a.center().y - b.center().y).abs();
    i64::from(off) + i64::from(apart)
}

/// Minutes that a text shows as a time of day or a duration: "07:30", "1 h 30 min".
pub(super) fn clock_value(text: &str) -> Option<f64> {
    if let Some(time) = read_time(text).filter(|_| text.contains(':')) {
        return Some(f64::from(time.hour) * 60.0 + f64::from(time.minute));
    }
    let quantities = quantities_in(&Reading::new(text));
    match durations_in(&quantities).as_slice() {
        [only] if quantities.len() > 1 => Some(only.seconds / 60.0),
        _ => None,
    }
}

/// The next touch that brings a stepper to what the request wants.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: &StepperParts,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let reading = page.widget(parts.reading)?;
    let shown = control.shown.as_deref()?;
    let places: Vec<Rect> = control.widgets.iter().filter_map(|id| page.widget(*id)).map(|one| one.bounds).collect();
    if let Some(now) = clock_value(shown) {
        let minutes = |time: TimeOfDay| f64::from(time.hour) * 60.0 + f64::from(time.minute);
        let time = wishes.time_for(&control.name).map(|wish| (minutes(wish.time), wish.time.to_string()));
        let duration =
            wishes.durations.first().map(|seconds| (seconds / 60.0, format!("{} min", written(seconds / 60.0))));
        let (wanted, written) = if shown.contains(':') { time.or(duration) } else { duration }?;
        let step = turn(page, parts, now, wanted, &written, past);
        return Some(Draft { wanted: written, value_fit: 0.95, step });
    }
    let now = Amount::read(shown)?.value;
    let number = number_wish(control, wishes, past, &places)?;
    let wanted = written(number.value);
    let far = (number.value - now).abs() >= WORTH_TYPING;
    let step =
        if reading.role == Role::Field && reading.state.enabled && far && past.at(reading.bounds).next().is_none() {
            let action = Action::InputText { target: reading.target(), text: InputText::Plain(wanted.clone()) };
            Step::Act { action, reason: format!("{wanted} is typed into the stepper's field") }
        } else {
            turn(page, parts, now, number.value, shown, past)
        };
    Some(Draft { wanted, value_fit: number.fit, step })
}

/// One touch towards a number; `shown` is what to report where it is reached.
pub(super) fn turn(page: &Page<'_>, parts: &StepperParts, now: f64, wanted: f64, shown: &str, past: Past<'_>) -> Step {
    if same_number(now, wanted) {
        return Step::reached(shown);
    }
    let (Some(more), Some(fewer)) = (page.widget(parts.more), page.widget(parts.fewer)) else {
        return Step::impossible("a control of the stepper is gone");
    };
    let (more, fewer) = if is_reversed(parts, more, fewer, past) { (fewer, more) } else { (more, fewer) };
    let up = wanted > now;
    let control = if up { more } else { fewer };
    if past.idle_run(&[control.bounds]) >= DEAD {
        return Step::impossible(format!("{:?} changes nothing any more at {}", control.label, written(now)));
    }
    if let Some(step) = passed(more, fewer, now, wanted, past) {
        return Step::impossible(format!("it goes in steps of {} and never shows {}", written(step), written(wanted)));
    }
    if !control.state.enabled {
        let end = if up { "largest" } else { "smallest" };
        return Step::impossible(format!("{} is the {end} value it takes", written(now)));
    }
    Step::click(control, format!("it counts from {} towards {}", written(now), written(wanted)))
}

/// Where no word tells which control counts up, the first touches do.
fn is_reversed(parts: &StepperParts, more: &Widget, fewer: &Widget, past: Past<'_>) -> bool {
    if parts.told == Told::ByWords {
        return false;
    }
    let moved = |control: &Widget| past.at(control.bounds).find_map(moved_by);
    moved(more).is_some_and(|by| by < 0.0) || moved(fewer).is_some_and(|by| by > 0.0)
}

fn moved_by(adjusted: &super::Adjusted) -> Option<f64> {
    let value = |text: &Option<String>| {
        let text = text.as_deref()?;
        clock_value(text).or_else(|| Amount::read(text).map(|amount| amount.value))
    };
    let by = value(&adjusted.shown_after)? - value(&adjusted.shown_before)?;
    (!same_number(by, 0.0)).then_some(by)
}

/// The size of the last step, where it went past the wanted value.
fn passed(more: &Widget, fewer: &Widget, now: f64, wanted: f64, past: Past<'_>) -> Option<f64> {
    let own = |adjusted: &&super::Adjusted| {
        let target = adjusted.action.target();
        target.is_some_and(|target| same_place(target.bounds, more.bounds) || same_place(target.bounds, fewer.bounds))
    };
    let by = past.0.iter().rev().find(own).and_then(moved_by)?;
    let before = now - by;
    ((before - wanted) * (now - wanted) < 0.0).then_some(by.abs())
}
