//! Ratings: a bar of stars, or a row of icons.

use super::amount::Amount;
use super::control::{ControlKind, Draft, NumberRange, Parts, Step, ValueControl};
use super::layout::{Page, alike, around, level};
use super::lexicon::{holds_one_of, lexicon};
use super::past::Past;
use super::read::{Quantity, Reading, quantities_in};
use super::slider::along;
use super::wishes::{PlaceOnScale, Wishes};
use crate::domain::{Action, Rect, words};
use crate::hierarchy::{Role, Widget, WidgetId};

/// Stars a rating may have.
const STARS: std::ops::RangeInclusive<usize> = 3..=10;
/// Stars of a bar whose shape does not tell.
const USUAL: usize = 5;

/// What a rating is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RatingParts {
    /// One bar, with how many stars it has.
    Bar { bar: WidgetId, place: Rect, stars: usize },
    /// An icon a star, the first one first.
    Icons(Vec<WidgetId>),
}

/// All ratings of a screen that can be given.
pub(super) fn recognise(page: &Page<'_>) -> Vec<ValueControl> {
    let mut found: Vec<ValueControl> =
        page.free().filter(|widget| is_bar(page, widget)).map(|bar| of_bar(page, bar)).collect();
    let mut left: Vec<&Widget> = page.free().filter(|widget| is_icon(widget)).collect();
    while let Some(first) = left.first().copied() {
        let mut row: Vec<&Widget> = left
            .iter()
            .copied()
            .filter(|other| {
                other.id == first.id || level(first.bounds, other.bounds) && alike(first.bounds, other.bounds)
            })
            .collect();
        left.retain(|widget| row.iter().all(|own| own.id != widget.id));
        row.sort_by_key(|icon| icon.bounds.left);
        if is_row_of_stars(&row) {
            found.push(of_icons(page, &row));
        }
    }
    found
}

/// A bar that takes touches; one that only shows an average does not.
fn is_bar(page: &Page<'_>, widget: &Widget) -> bool {
    let node = page.screen.tree.nodes.get(widget.node);
    let takes = widget.clickable || node.is_some_and(|node| node.focusable) || place_of(page, widget) != widget.bounds;
    let stars = out_of(&widget.label).is_some() && widget.role == Role::Slider;
    takes && (widget.class.ends_with("RatingBar") || stars || is_bare_bar(widget))
}

/// A toolkit without a class for ratings tells only the number of stars: "3.0", on a place as wide as its stars.
fn is_bare_bar(widget: &Widget) -> bool {
    let decimal = widget.label.strip_suffix(".0").or_else(|| widget.label.strip_suffix(".5"));
    let number = decimal.is_some_and(|whole| whole.parse::<usize>().is_ok_and(|stars| stars <= *STARS.end()));
    let (width, height) = (widget.bounds.width(), widget.bounds.height().max(1));
    let stars = usize::try_from((width + height / 2) / height).unwrap_or_default();
    let whole = (width - stars as i32 * height).abs() * 10 <= height;
    matches!(widget.role, Role::Text | Role::Button) && number && STARS.contains(&stars) && whole
}

/// Where the stars are: around a text that is all its focusable parent holds.
fn place_of(page: &Page<'_>, bar: &Widget) -> Rect {
    let nodes = &page.screen.tree.nodes;
    let own = nodes.get(bar.node).is_some_and(|node| node.focusable);
    let parent =
        page.ancestors(bar.node).next().filter(|parent| !own && page.ends.get(*parent) == Some(&(bar.node + 1)));
    let parent = parent.and_then(|parent| nodes.get(parent)).filter(|parent| parent.focusable && !parent.clickable);
    parent.map_or(bar.bounds, |parent| parent.bounds)
}

fn of_bar(page: &Page<'_>, bar: &Widget) -> ValueControl {
    let told = out_of(&bar.label).or_else(|| out_of(&bar.value));
    let place = place_of(page, bar);
    let shape = place.width() + place.height() / 2;
    let shape = usize::try_from(shape / place.height().max(1)).unwrap_or(USUAL);
    let shape = if STARS.contains(&shape) { shape } else { USUAL };
    let stars = told.map_or(shape, |(_, of)| of);
    let own = if told.is_some() || bar.label == bar.id_words || is_bare_bar(bar) { "" } else { bar.label.as_str() };
    let name = page.name_of(own, place, &[bar.id]);
    let name = if name.is_empty() { bar.id_words.clone() } else { name };
    let shown = told
        .map(|(now, _)| now)
        .or_else(|| [&bar.value, &bar.label].into_iter().find_map(|text| text.trim().replace(',', ".").parse().ok()));
    let parts = Parts::Rating(RatingParts::Bar { bar: bar.id, place, stars });
    let mut control = ValueControl::new(ControlKind::Rating, vec![bar.id], name, parts);
    control.shown = shown.map(super::amount::written);
    control.range = Some(NumberRange { min: 0.0, max: stars as f64 });
    control.unit = Some("star".to_owned());
    control
}

fn is_icon(widget: &Widget) -> bool {
    let square = 2 * widget.bounds.width() <= 3 * widget.bounds.height();
    widget.clickable && square && widget.role != Role::Field && widget.role != Role::KeypadKey
}

/// Icons that count from one on, that speak of stars, or five without a word.
fn is_row_of_stars(row: &[&Widget]) -> bool {
    if !STARS.contains(&row.len()) {
        return false;
    }
    let rates = &lexicon().labels.rates;
    let speaks = |icon: &&Widget| holds_one_of(rates, &icon.label) || holds_one_of(rates, &icon.id_words);
    let wordless = |icon: &&Widget| icon.label.is_empty();
    let even = row.windows(2).map(|two| two[1].bounds.left - two[0].bounds.left).collect::<Vec<_>>();
    let pitch = even.first().copied().unwrap_or_default();
    let close = pitch <= 2 * row.first().map_or(0, |first| first.bounds.width());
    let even = even.iter().all(|gap| (gap - pitch).abs() * 4 <= pitch);
    even && close && (row.iter().all(speaks) || row.len() == USUAL && row.iter().all(wordless))
}

fn of_icons(page: &Page<'_>, row: &[&Widget]) -> ValueControl {
    let ids: Vec<WidgetId> = row.iter().map(|icon| icon.id).collect();
    let place = around(row.iter().map(|icon| icon.bounds));
    let mut control = ValueControl::new(
        ControlKind::Rating,
        ids.clone(),
        page.name_of("", place, &ids),
        Parts::Rating(RatingParts::Icons(ids)),
    );
    control.shown = filled(row).map(|stars| stars.to_string());
    control.range = Some(NumberRange { min: 0.0, max: row.len() as f64 });
    control.unit = Some("star".to_owned());
    control
}

/// How many icons are marked: by their state, else by descriptions that change along the row ("filled", "empty").
fn filled(row: &[&Widget]) -> Option<usize> {
    let on = |icon: &&&Widget| icon.state.checked == Some(true) || icon.state.selected;
    if row.iter().any(|icon| icon.state.checked.is_some() || icon.state.selected) {
        // Either all up to the chosen one are marked, or it alone.
        return Some(row.iter().rposition(|icon| on(&icon)).map_or(0, |last| last + 1));
    }
    let plain = |icon: &&Widget| {
        words(&icon.label).into_iter().filter(|word| !word.chars().all(|c| c.is_ascii_digit())).collect::<Vec<_>>()
    };
    let first = row.first().map(plain).filter(|words| !words.is_empty())?;
    let same = row.iter().take_while(|icon| plain(icon) == first).count();
    (same < row.len()).then_some(same)
}

/// "4 of 5", "4 out of 5 stars", "4/5": what is shown, and of how many.
fn out_of(label: &str) -> Option<(f64, usize)> {
    let quantities = quantities_in(&Reading::new(label));
    let [now, of] = quantities.as_slice() else { return None };
    let whole = of.value.fract().abs() < 1e-9 && STARS.contains(&(of.value as usize)) && now.value <= of.value;
    whole.then_some((now.value, of.value as usize))
}

/// The next touch that gives the wanted number of stars.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: &RatingParts,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let total = match parts {
        RatingParts::Bar { stars, .. } => *stars,
        RatingParts::Icons(icons) => icons.len(),
    };
    let rates = wishes.says_one_of(&lexicon().labels.rates);
    let is_stars = |amount: &&Quantity| amount.unit.as_deref() == Some("star");
    let counted = wishes.amounts.iter().find(is_stars).map(|amount| (amount.value, 1.0));
    let plain = || {
        wishes
            .amounts
            .iter()
            .find(|amount| amount.unit.is_none())
            .map(|amount| (amount.value, if rates { 0.9 } else { 0.4 }))
    };
    let top = || (wishes.place == Some(PlaceOnScale::Most) && rates).then_some((total as f64, 0.8));
    let (value, value_fit) = counted.or_else(plain).or_else(top)?;
    let wanted = super::amount::written(value);
    let done = |step| Some(Draft { wanted: wanted.clone(), value_fit, step });
    if value.fract().abs() > 1e-9 && matches!(parts, RatingParts::Icons(_)) || value < 1.0 || value > total as f64 {
        return done(Step::impossible(format!("it takes 1 to {total} stars")));
    }
    let star = value.ceil() as usize;
    let shown = control.shown.as_deref().and_then(Amount::read).map(|amount| amount.value);
    let (widget, touched) = match parts {
        RatingParts::Bar { bar, .. } => {
            let bar = page.widget(*bar)?;
            (bar, past.touches(bar.bounds))
        }
        RatingParts::Icons(icons) => {
            let icon = page.widget(*icons.get(star - 1)?)?;
            (icon, past.touches(icon.bounds))
        }
    };
    if shown.is_some_and(|shown| (shown - value).abs() < 0.01) || shown.is_none() && touched > 0 {
        return done(Step::reached(control.shown.clone().unwrap_or_else(|| wanted.clone())));
    }
    if touched > 1 {
        return done(Step::impossible(format!("star {star} was touched and is not set")));
    }
    let mut target = widget.target();
    if let RatingParts::Bar { place, .. } = parts {
        // The middle of a whole star; just within the half of one.
        let share = if value.fract() < 1e-9 { value - 0.5 } else { value - 0.1 };
        target.tap = along(*place, share / total as f64);
    }
    done(Step::Act { action: Action::Click { target }, reason: format!("it is star {star} of {total}") })
}
