//! Sliders: a bar with a thumb, touched at the share of its range that a value has.

use super::amount::{Amount, same_number, written};
use super::control::{ControlKind, Draft, NumberRange, Parts, Step, ValueControl};
use super::layout::{Page, level, stacked};
use super::number_wish::number_wish;
use super::past::Past;
use super::wishes::{PlaceOnScale, Wishes};
use crate::domain::{Action, Point, Rect};
use crate::hierarchy::{Role, Widget, WidgetId};

/// Most touches on one bar.
const MOST_TOUCHES: usize = 8;
/// Numbers of a bar that tells nothing of its range.
const USUAL: NumberRange = NumberRange { min: 0.0, max: 100.0 };

/// All sliders of a screen.
pub(super) fn recognise(page: &Page<'_>) -> Vec<ValueControl> {
    let is_bar = |widget: &&Widget| widget.role == Role::Slider && !widget.class.ends_with("RatingBar");
    page.free().filter(is_bar).map(|bar| control(page, bar)).collect()
}

fn control(page: &Page<'_>, bar: &Widget) -> ValueControl {
    let reading = reading_near(page, bar);
    let ends = end_labels(page, bar);
    let mut widgets = vec![bar.id];
    widgets.extend(reading.as_ref().map(|(id, _)| *id));
    let own = [bar.value.as_str(), bar.label.as_str()].into_iter().find_map(Amount::read);
    let shown = reading.as_ref().map(|(id, amount)| (page.widget(*id).map(|text| text.label.clone()), amount.clone()));
    let shown = shown.and_then(|(label, amount)| Some((label?, amount)));
    let own_label = if bar.value.is_empty() { &bar.label } else { &bar.value };
    let shown = shown.or_else(|| own.map(|amount| (own_label.clone(), amount)));
    let own_name = if bar.label == bar.id_words { "" } else { bar.label.as_str() };
    let mut parts = widgets.clone();
    parts.extend(ends.iter().map(|(id, _)| *id));
    let name = page.name_of(own_name, bar.bounds, &parts);
    let named = reading.and_then(|(_, amount)| (!amount.name.is_empty()).then_some(amount.name));
    let name = if name.is_empty() { named.unwrap_or_else(|| bar.id_words.clone()) } else { name };
    let mut control = ValueControl::new(ControlKind::Slider, widgets, name, Parts::Slider(bar.id));
    control.unit = shown.as_ref().and_then(|(_, amount)| amount.unit.clone());
    control.range = match ends.as_slice() {
        [(_, min), (_, max)] => Some(NumberRange { min: min.value, max: max.value }),
        _ if control.unit.as_deref() == Some("percent") => Some(USUAL),
        _ => None,
    };
    control.shown = shown.map(|(label, _)| label);
    control
}

/// The text that shows the bar's value: over it, or in its line.
fn reading_near(page: &Page<'_>, bar: &Widget) -> Option<(WidgetId, Amount)> {
    let reach = bar.bounds.height().max(1) * 2;
    let ends: Vec<WidgetId> = end_labels(page, bar).into_iter().map(|(id, _)| id).collect();
    let near = |text: &&Widget| {
        let over = bar.bounds.top - text.bounds.bottom;
        let under = text.bounds.top - bar.bounds.bottom;
        let aside = (-text.bounds.height()..reach).contains(&over) || (0..reach).contains(&under);
        let side_by_side = level(text.bounds, bar.bounds) && !stacked(text.bounds, bar.bounds);
        text.role == Role::Text
            && !ends.contains(&text.id)
            && (aside && stacked(text.bounds, bar.bounds) || side_by_side)
    };
    // What stands over another bar belongs to that one.
    let of_other = |text: &Widget| {
        page.screen.widgets.iter().filter(|other| other.role == Role::Slider && other.id != bar.id).any(|other| {
            let over = other.bounds.top - text.bounds.bottom;
            let side_by_side = level(text.bounds, other.bounds);
            let nearer = distance(text, other) < distance(text, bar) || text.bounds.top >= bar.bounds.center().y;
            (side_by_side || stacked(text.bounds, other.bounds) && over >= -text.bounds.height())
                && nearer
                && over < reach
        })
    };
    // A sentence over the bar may hold its value; what stands under it only where it is nothing else.
    let read = |text: &Widget| {
        let over = text.bounds.bottom <= bar.bounds.center().y;
        let amount = Amount::read(&text.label).or_else(|| Amount::within(&text.label).filter(|_| over))?;
        Some((distance(text, bar), text.id, amount))
    };
    let found = page
        .free()
        .filter(near)
        .filter(|text| !of_other(text) && !is_between_controls(page, text))
        .filter_map(read)
        .min_by_key(|(distance, ..)| *distance)?;
    Some((found.1, found.2))
}

/// True for a text with a control right before and right behind it in its line: it belongs to these.
fn is_between_controls(page: &Page<'_>, text: &Widget) -> bool {
    let reach = text.bounds.height().max(1);
    let touches = |by: &&Widget| by.clickable && level(by.bounds, text.bounds);
    let mut beside = page.screen.widgets.iter().filter(touches);
    let before = beside.clone().any(|by| (-reach..=reach).contains(&(text.bounds.left - by.bounds.right)));
    before && beside.any(|by| (-reach..=reach).contains(&(by.bounds.left - text.bounds.right)))
}

fn distance(text: &Widget, bar: &Widget) -> i32 {
    (text.bounds.center().y - bar.bounds.center().y).abs()
}

/// The numbers under both ends of a bar.
fn end_labels(page: &Page<'_>, bar: &Widget) -> Vec<(WidgetId, Amount)> {
    let rect = bar.bounds;
    let reach = rect.height().max(1) * 2;
    let under = |text: &&Widget| {
        text.role == Role::Text && (0..reach).contains(&(text.bounds.top - rect.bottom + text.bounds.height()))
    };
    let mut found: Vec<(i32, WidgetId, Amount)> = page
        .free()
        .filter(under)
        .filter_map(|text| Some((text.bounds.center().x, text.id, Amount::alone(&text.label)?)))
        .collect();
    found.sort_by_key(|(x, ..)| *x);
    match found.as_slice() {
        [first, .., last]
            if first.0 < rect.left + rect.width() / 4
                && last.0 > rect.right - rect.width() / 4
                && first.2.value < last.2.value =>
        {
            [first, last].map(|(_, id, amount)| (*id, amount.clone())).to_vec()
        }
        _ => Vec::new(),
    }
}

/// The next touch that brings a slider to what the request wants.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    bar: WidgetId,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let bar = page.widget(bar)?;
    if let Some(draft) = on_label(page, bar, wishes, past) {
        return Some(draft);
    }
    let number = number_wish(control, wishes, past, &[bar.bounds]);
    let range = control.range.unwrap_or(USUAL);
    let Some(number) = number else {
        let share = match wishes.place? {
            PlaceOnScale::Least => 0.0,
            PlaceOnScale::Middle => 0.5,
            PlaceOnScale::Most => 1.0,
        };
        let wanted = written(range.min + share * (range.max - range.min));
        return Some(at_share(bar, share, wanted, past));
    };
    let shown = control.shown.as_deref().and_then(Amount::read);
    let wanted = with_unit(number.value, control);
    let done = |step| Some(Draft { wanted: wanted.clone(), value_fit: number.fit, step });
    if let Some(shown) = shown.as_ref().filter(|shown| same_number(shown.value, number.value)) {
        return done(Step::reached(control.shown.clone().unwrap_or_else(|| written(shown.value))));
    }
    if let Some(range) = control.range.filter(|range| !(range.min..=range.max).contains(&number.value)) {
        return done(Step::impossible(format!("it goes from {} to {}", written(range.min), written(range.max))));
    }
    if !bar.state.enabled {
        return done(Step::impossible("the slider is disabled"));
    }
    let touches = past.touches(bar.bounds);
    if shown.is_none() && touches > 0 {
        return done(Step::reached(wanted.clone()));
    }
    if touches >= MOST_TOUCHES {
        return done(Step::impossible(format!("it did not come to {wanted} in {touches} touches")));
    }
    let axis = Axis::of(bar);
    let place = match aim(&axis, control.range, number.value, &measured(bar, &axis, past)) {
        Aim::At(place) => place,
        Aim::TooFine => return done(Step::impossible(format!("it cannot be set as finely as {wanted}"))),
    };
    done(Step::Act { action: touch(bar, &axis, place), reason: format!("{wanted} lies there on the slider") })
}

/// A word under or over the bar that the request says: the touch goes to its place.
fn on_label(page: &Page<'_>, bar: &Widget, wishes: &Wishes<'_>, past: Past<'_>) -> Option<Draft> {
    let reach = bar.bounds.height().max(1) * 2;
    let near = |text: &&Widget| {
        let (over, under) = (bar.bounds.top - text.bounds.bottom, text.bounds.top - bar.bounds.bottom);
        // Marks of a scale are texts; choices under a slider are controls of their own.
        let mark = !text.clickable && text.state.checked.is_none() && text.id != bar.id;
        mark && stacked(text.bounds, bar.bounds) && (-reach / 4..reach).contains(&over.max(under))
    };
    let labels: Vec<&Widget> = page.screen.widgets.iter().filter(near).collect();
    let mut lines = labels
        .iter()
        .map(|one| labels.iter().filter(|other| level(one.bounds, other.bounds)).copied().collect::<Vec<_>>());
    let marks = lines.find(|line| line.len() >= 3 && line.iter().all(|mark| Amount::read(&mark.label).is_none()))?;
    let said = marks.iter().find(|mark| super::choice::is_said(&mark.label, wishes).is_some())?;
    let axis = Axis::of(bar);
    let place = said.bounds.center().x.clamp(axis.start, axis.end);
    let step = if past.touches(bar.bounds) > 0 {
        Step::reached(said.label.clone())
    } else {
        Step::Act {
            action: touch(bar, &axis, place),
            reason: format!("{:?} stands there along the slider", said.label),
        }
    };
    Some(Draft { wanted: said.label.clone(), value_fit: 0.8, step })
}

/// A place on the scale that is no number.
fn at_share(bar: &Widget, share: f64, wanted: String, past: Past<'_>) -> Draft {
    let axis = Axis::of(bar);
    let step = if past.touches(bar.bounds) > 0 {
        Step::reached(wanted.clone())
    } else {
        Step::Act { action: touch(bar, &axis, axis.place(share)), reason: "it is that far along the slider".to_owned() }
    };
    Draft { wanted, value_fit: 0.8, step }
}

fn with_unit(value: f64, control: &ValueControl) -> String {
    match control.unit.as_deref() {
        Some("percent") => format!("{} %", written(value)),
        Some(unit) => format!("{} {unit}", written(value)),
        None => written(value),
    }
}

/// The line along which a thumb moves, from the least value to the most.
struct Axis {
    upright: bool,
    start: i32,
    end: i32,
}

impl Axis {
    /// The thumb's half width keeps both ends off the edges of the bar.
    fn of(bar: &Widget) -> Self {
        let rect = bar.bounds;
        let upright = rect.height() > 2 * rect.width();
        let (length, breadth) = if upright { (rect.height(), rect.width()) } else { (rect.width(), rect.height()) };
        let inset = (breadth / 3).min(length / 10);
        if upright {
            Self { upright, start: rect.bottom - inset, end: rect.top + inset }
        } else {
            Self { upright, start: rect.left + inset, end: rect.right - inset }
        }
    }

    fn place(&self, share: f64) -> i32 {
        self.start + (share * f64::from(self.end - self.start)).round() as i32
    }
}

fn touch(bar: &Widget, axis: &Axis, place: i32) -> Action {
    let mut target = bar.target();
    let center = bar.bounds.center();
    target.tap = if axis.upright { Point::new(center.x, place) } else { Point::new(place, center.y) };
    Action::Click { target }
}

/// What the bar showed after it was touched at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measure {
    place: i32,
    value: f64,
}

fn measured(bar: &Widget, axis: &Axis, past: Past<'_>) -> Vec<Measure> {
    let measure = |adjusted: &super::Adjusted| {
        let Action::Click { target } = &adjusted.action else { return None };
        let place = if axis.upright { target.tap.y } else { target.tap.x };
        let value = adjusted.shown_after.as_deref().and_then(Amount::read)?.value;
        Some(Measure { place, value })
    };
    past.at(bar.bounds).filter_map(measure).collect()
}

enum Aim {
    At(i32),
    TooFine,
}

/// Where a value lies: between the nearest measured places, else in proportion to what is known of the range.
fn aim(axis: &Axis, range: Option<NumberRange>, wanted: f64, measured: &[Measure]) -> Aim {
    let known = |below: bool| {
        let side =
            measured.iter().filter(|measure| if below { measure.value < wanted } else { measure.value > wanted });
        side.copied().min_by(|one, other| (one.value - wanted).abs().total_cmp(&(other.value - wanted).abs()))
    };
    let (below, above) = (known(true), known(false));
    // A single measure tells the whole range, as long as it begins where it seems to.
    let from = range.unwrap_or(USUAL);
    let start = Measure { place: axis.start, value: from.min.min(wanted) };
    let stretched =
        below.filter(|below| range.is_none() && below.value > from.min && below.place != axis.start).map(|below| {
            let per_value = f64::from(below.place - axis.start) / (below.value - from.min);
            axis.start + (per_value * (wanted - from.min)).round() as i32
        });
    let place = match (below, above) {
        (Some(below), Some(above)) => between(below, above, wanted),
        (None, Some(above)) => between(start, above, wanted),
        (Some(below), None) => match (stretched, range) {
            (Some(place), _) => clamp(place, below.place, axis.end),
            (None, _) => between(below, Measure { place: axis.end, value: from.max.max(wanted) }, wanted),
        },
        (None, None) if range.is_none() && wanted > from.max => axis.place(0.5),
        (None, None) => axis.place(((wanted - from.min) / (from.max - from.min)).clamp(0.0, 1.0)),
    };
    if measured.iter().all(|measure| measure.place != place) {
        return Aim::At(place);
    }
    // The computed place was tried: halve the gap instead.
    let low = below.map_or(axis.start, |below| below.place);
    let high = above.map_or(axis.end, |above| above.place);
    let middle = i32::midpoint(low, high);
    let tried = measured.iter().any(|measure| measure.place == middle);
    if tried { Aim::TooFine } else { Aim::At(middle) }
}

fn between(low: Measure, high: Measure, wanted: f64) -> i32 {
    let span = high.value - low.value;
    if same_number(span, 0.0) {
        return i32::midpoint(low.place, high.place);
    }
    low.place + (f64::from(high.place - low.place) * (wanted - low.value) / span).round() as i32
}

fn clamp(place: i32, one: i32, other: i32) -> i32 {
    place.clamp(one.min(other), one.max(other))
}

/// The place of a rectangle that is touched at a share of its width.
pub(super) fn along(rect: Rect, share: f64) -> Point {
    Point::new(rect.left + (share * f64::from(rect.width())).round() as i32, rect.center().y)
}
