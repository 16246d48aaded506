//! The actions already carried out in a step, asked for one control.

use super::control::Adjusted;
use crate::domain::{Action, Rect};

/// The actions already carried out, oldest first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Past<'h>(pub(super) &'h [Adjusted]);

impl<'h> Past<'h> {
    /// Those aimed at something at this place.
    pub(super) fn at(self, place: Rect) -> impl DoubleEndedIterator<Item = &'h Adjusted> {
        let aimed =
            move |adjusted: &&Adjusted| adjusted.action.target().is_some_and(|target| same_place(target.bounds, place));
        self.0.iter().filter(aimed)
    }

    /// How often something at this place was touched.
    pub(super) fn touches(self, place: Rect) -> usize {
        self.at(place).filter(|adjusted| matches!(adjusted.action, Action::Click { .. })).count()
    }

    /// The last touches at these places, as long as none of them changed what the control showed.
    pub(super) fn idle_run(self, places: &[Rect]) -> usize {
        let of_control = |adjusted: &&Adjusted| {
            let target = adjusted.action.target();
            target.is_some_and(|target| places.iter().any(|place| same_place(target.bounds, *place)))
        };
        let idle =
            |adjusted: &&Adjusted| adjusted.shown_before.is_some() && adjusted.shown_before == adjusted.shown_after;
        self.0.iter().rev().filter(of_control).take_while(idle).count()
    }

    /// What the control at these places showed before the first action on it.
    pub(super) fn first_shown(self, places: &[Rect]) -> Option<&'h str> {
        let on = |adjusted: &&Adjusted| {
            let target = adjusted.action.target();
            target.is_some_and(|target| places.iter().any(|place| same_place(target.bounds, *place)))
        };
        self.0.iter().find(on).and_then(|adjusted| adjusted.shown_before.as_deref())
    }
}

/// True if two rectangles cover mostly the same place: a label that grew moves its button a little.
pub(super) fn same_place(one: Rect, other: Rect) -> bool {
    let shared = one.intersection(other).map_or(0, Rect::area);
    2 * shared > one.area().max(other.area())
}
