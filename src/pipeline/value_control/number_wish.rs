//! The number that a request wants on one control.

use super::amount::Amount;
use super::control::{ControlKind, ValueControl};
use super::lexicon::lexicon;
use super::naming::{alike, telling_words};
use super::past::Past;
use super::read::Quantity;
use super::wishes::{Change, Wishes};
use crate::domain::{Rect, words};

/// From this fit on an amount belongs to a control, and to no other.
const CLAIMED: f32 = 0.95;

/// Fits that differ by less are equal.
const TIE: f32 = 0.01;
/// How surely an article is a number.
const SINGLE: f32 = 0.8;

/// The amounts of a request, by position, that clearly belong to one of these controls.
pub(super) fn claimed(controls: &[ValueControl], wishes: &Wishes<'_>) -> Vec<usize> {
    let belongs = |amount: &Quantity| {
        let counts = |control: &&ValueControl| {
            matches!(
                control.kind,
                ControlKind::Slider | ControlKind::Stepper | ControlKind::Wheel | ControlKind::Rating
            )
        };
        let fits = |control: &ValueControl| fit(control, amount, &telling_words(&control.name), wishes);
        controls.iter().filter(counts).filter_map(fits).any(|fit| fit >= CLAIMED)
    };
    (0..wishes.amounts.len()).filter(|at| wishes.amounts.get(*at).is_some_and(belongs)).collect()
}

/// A wanted number, in the control's own unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NumberWish {
    pub(super) value: f64,
    /// How surely the number is meant for a control of this kind, 0 to 1.
    pub(super) fit: f32,
}

/// The number that fits a control best; `None` where no number of the request can be meant for it.
pub(super) fn number_wish(
    control: &ValueControl,
    wishes: &Wishes<'_>,
    past: Past<'_>,
    places: &[Rect],
) -> Option<NumberWish> {
    let own = telling_words(&control.name);
    let free = |(at, fit): (usize, f32)| fit >= CLAIMED || !wishes.claimed.contains(&at);
    let fits = wishes.amounts.iter().enumerate().filter_map(|(at, amount)| {
        let fit = fit(control, amount, &own, wishes)?;
        free((at, fit)).then_some((fit, amount))
    });
    // Of several that fit as well, the one next to the control's name.
    let distance = |amount: &Quantity| wishes.distance_to(&control.name, amount.span.start);
    let nearer = |one: &Quantity, other: &Quantity| distance(one) < distance(other);
    let better = |best: (f32, &'_ Quantity), next: (f32, &'_ Quantity)| {
        next.0 > best.0 + TIE || next.0 > best.0 - TIE && nearer(next.1, best.1)
    };
    let best = fits.reduce(|best, next| if better(best, next) { next } else { best });
    let single = single(&own, wishes).map(|value| NumberWish { value, fit: SINGLE });
    let Some((fit, amount)) = best.filter(|(fit, _)| *fit >= CLAIMED || single.is_none()) else { return single };
    let value = in_unit(amount, control.unit.as_deref());
    let value = match wishes.change {
        None => value,
        Some(change) => {
            let first = past.first_shown(places).or(control.shown.as_deref()).and_then(Amount::read)?;
            first.value + if change == Change::More { value } else { -value }
        }
    };
    Some(NumberWish { value, fit })
}

/// One or none of what a control counts: "a child", "no children".
fn single(own: &[String], wishes: &Wishes<'_>) -> Option<f64> {
    let numbers = &wishes.language.numbers;
    wishes.words.windows(2).find_map(|two| {
        let [before, noun] = two else { return None };
        let value = if numbers.none.contains(before) {
            0.0
        } else if numbers.articles.contains(before) {
            1.0
        } else {
            return None;
        };
        own.iter().any(|word| alike(word, noun)).then_some(value)
    })
}

/// How surely an amount is meant for a control, 0 to 1.
fn fit(control: &ValueControl, amount: &Quantity, own: &[String], wishes: &Wishes<'_>) -> Option<f32> {
    let Some(unit) = amount.unit.as_deref() else {
        return Some(if control.unit.is_some() { 0.6 } else { 0.7 });
    };
    let known = lexicon().unit(unit).is_some();
    if known && same_unit(control.unit.as_deref(), Some(unit)) {
        return Some(1.0);
    }
    let of_name = own.iter().any(|word| words(unit).iter().any(|noun| alike(noun, word)));
    if of_name {
        return Some(1.0);
    }
    let shown = control.unit.as_deref().is_some_and(|own| alike(own, unit));
    if shown {
        return Some(0.95);
    }
    if !known {
        // "2 nights" on a control for guests: the noun is another one's, unless nothing else says so.
        let named = own.iter().any(|word| wishes.says(word));
        return Some(if named { 0.6 } else { 0.5 });
    }
    // A share belongs on a slider, whatever it shows; a unit the control does not show may be in its name or left out.
    match (control.kind, unit) {
        (ControlKind::Slider, "percent") if control.unit.is_none() => Some(0.9),
        _ if control.unit.is_none() => Some(0.6),
        _ => None,
    }
}

/// True if two canonical units are the same or lengths of time.
pub(super) fn same_unit(one: Option<&str>, other: Option<&str>) -> bool {
    let seconds = |unit: &str| lexicon().unit(unit).and_then(|unit| unit.seconds);
    match (one, other) {
        (Some(one), Some(other)) => one == other || seconds(one).is_some() && seconds(other).is_some(),
        (None, None) => true,
        _ => false,
    }
}

/// The amount's number in another unit of time.
fn in_unit(amount: &Quantity, unit: Option<&str>) -> f64 {
    let seconds = |unit: Option<&str>| unit.and_then(|unit| lexicon().unit(unit)).and_then(|unit| unit.seconds);
    match (seconds(amount.unit.as_deref()), seconds(unit)) {
        (Some(from), Some(to)) if from != to => amount.value * f64::from(from) / f64::from(to),
        _ => amount.value,
    }
}
