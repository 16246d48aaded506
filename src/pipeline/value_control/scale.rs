//! Choices by their place on a scale: "one size smaller", "the second largest".

use super::amount::Amount;
use super::control::ValueControl;
use super::lexicon::lexicon;
use super::past::Past;
use super::state::plain_label;
use super::wishes::Wishes;
use crate::domain::words;
use crate::hierarchy::Widget;

/// Fewest choices of a scale.
const FEWEST: usize = 3;
/// Most words between a number and what it counts: "one font size smaller".
const MOST_BETWEEN: usize = 3;
/// How surely a place on a scale is meant.
const FIT: f32 = 0.8;

/// A place on a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScaleWish {
    /// So many above the present choice, or below it.
    Off(isize),
    /// So many above the lowest one.
    FromLeast(usize),
    /// So many below the highest one.
    FromMost(usize),
}

impl ScaleWish {
    /// Reads what a request says of a scale.
    pub(super) fn read(wishes: &Wishes<'_>) -> Option<Self> {
        let scale = &lexicon().scale;
        let all = &wishes.words;
        let place = |lists: &[Vec<String>], word: &String| lists.iter().position(|list| list.contains(word));
        for (at, word) in all.iter().enumerate() {
            let before =
                at.checked_sub(1).and_then(|before| place(&scale.orders, &all[before])).map_or(0, |order| order + 1);
            if scale.least.contains(word) {
                return Some(Self::FromLeast(before));
            }
            if scale.most.contains(word) {
                return Some(Self::FromMost(before));
            }
            let way: isize = match (scale.down.contains(word), scale.up.contains(word)) {
                (true, false) => -1,
                (false, true) => 1,
                _ => continue,
            };
            let near = &all[at.saturating_sub(MOST_BETWEEN)..at];
            if let Some(count) = near.iter().rev().find_map(|word| place(&scale.counts, word)) {
                return Some(Self::Off(way * (count as isize + 1)));
            }
        }
        None
    }

    /// The choice at this place, where the choices go up in steps.
    pub(super) fn choose<'p>(
        self,
        control: &ValueControl,
        items: &[&'p Widget],
        past: Past<'_>,
    ) -> Option<(f32, &'p Widget)> {
        let rungs = rungs(items);
        let at = match self {
            Self::FromLeast(from) => from,
            Self::FromMost(from) => rungs.len().checked_sub(from + 1)?,
            Self::Off(by) => {
                let first = past.first_shown(&items.iter().map(|item| item.bounds).collect::<Vec<_>>());
                let shown = first.or(control.shown.as_deref())?;
                rungs.iter().position(|rung| plain_label(rung) == shown)?.checked_add_signed(by)?
            }
        };
        rungs.get(at).map(|rung| (FIT, *rung))
    }
}

/// The choices that go up in steps, lowest first; none where two stand alike.
fn rungs<'p>(items: &[&'p Widget]) -> Vec<&'p Widget> {
    let mut rungs: Vec<(Height, &Widget)> =
        items.iter().filter_map(|item| Some((Height::of(plain_label(item))?, *item))).collect();
    let Some(kind) = rungs.first().map(|(height, _)| height.clone()) else { return Vec::new() };
    if rungs.len() < FEWEST || rungs.iter().any(|(height, _)| height.value(&kind).is_none()) {
        return Vec::new();
    }
    let value = |height: &Height| height.value(&kind).unwrap_or_default();
    rungs.sort_by(|a, b| value(&a.0).total_cmp(&value(&b.0)));
    let alike = rungs.windows(2).any(|two| value(&two[0].0).total_cmp(&value(&two[1].0)).is_eq());
    if alike { Vec::new() } else { rungs.into_iter().map(|(_, item)| item).collect() }
}

/// How high a choice stands: by its number, else by its words.
#[derive(Debug, Clone, PartialEq)]
enum Height {
    Word(usize),
    Number(f64, Option<String>),
}

impl Height {
    fn of(label: &str) -> Option<Self> {
        let own = words(label);
        let word = lexicon().scale.rungs.iter().position(|rung| rung.iter().any(|name| words(name) == own));
        word.map(Self::Word).or_else(|| Amount::alone(label).map(|amount| Self::Number(amount.value, amount.unit)))
    }

    /// Heights of the same kind can be compared.
    fn value(&self, other: &Self) -> Option<f64> {
        match (self, other) {
            (Self::Word(own), Self::Word(_)) => Some(*own as f64),
            (Self::Number(own, unit), Self::Number(_, kind)) if unit == kind => Some(*own),
            _ => None,
        }
    }
}
