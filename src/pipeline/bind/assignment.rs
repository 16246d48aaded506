//! The assignment of values to places with the greatest sum of fits.

use pathfinding::matrix::Matrix;
use pathfinding::prelude::kuhn_munkres;

/// Fits are compared in thousandths.
const SCALE: f32 = 1000.0;

/// Pairs (value, place) of the best assignment; `fits[value][place]` is how well they fit, `None` where they must not meet.
pub(super) fn assign(fits: &[Vec<Option<f32>>]) -> Vec<(usize, usize)> {
    let values = fits.len();
    let places = fits.first().map_or(0, Vec::len);
    if values == 0 || places == 0 {
        return Vec::new();
    }
    // A value without a place takes a column of its own that is worth nothing.
    let columns = places + values;
    let weight = |row: usize, column: usize| -> i64 {
        let fit = fits.get(row).and_then(|row| row.get(column)).copied().flatten();
        fit.map_or(0, |fit| (fit * SCALE) as i64).max(0)
    };
    let mut weights = Matrix::new(values, columns, 0_i64);
    for row in 0..values {
        for column in 0..places {
            weights[(row, column)] = weight(row, column);
        }
    }
    let (_, chosen) = kuhn_munkres(&weights);
    chosen.into_iter().enumerate().filter(|(row, column)| *column < places && weight(*row, *column) > 0).collect()
}

/// Pairs (value, place) of the best assignment among the pairs that come first, by value and fit, then of all else to the places
/// that are left.
pub(super) fn assign_first(fits: &[Vec<Option<f32>>], is_first: impl Fn(usize, f32) -> bool) -> Vec<(usize, usize)> {
    let only = |keeps: &dyn Fn(usize, usize, f32) -> bool| -> Vec<Vec<Option<f32>>> {
        let row = |(value, row): (usize, &Vec<Option<f32>>)| {
            row.iter().enumerate().map(|(place, fit)| fit.filter(|fit| keeps(value, place, *fit))).collect()
        };
        fits.iter().enumerate().map(row).collect()
    };
    let mut assigned = assign(&only(&|value, _, fit| is_first(value, fit)));
    let (values, taken): (Vec<usize>, Vec<usize>) = assigned.iter().copied().unzip();
    assigned.extend(assign(&only(&|value, place, _| !values.contains(&value) && !taken.contains(&place))));
    assigned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_counts_not_the_best_pair_alone() {
        let fits = [vec![Some(0.9), Some(0.8)], vec![Some(0.85), Some(0.1)]];
        assert_eq!(assign(&fits), [(0, 1), (1, 0)]);
    }

    #[test]
    fn what_comes_first_takes_its_place_whatever_the_sum() {
        let fits = [vec![Some(0.9), Some(0.8)], vec![Some(0.85), Some(0.1)]];
        assert_eq!(assign_first(&fits, |value, fit| value == 0 && fit >= 0.66), [(0, 0), (1, 1)]);
        assert_eq!(assign_first(&fits, |_, _| false), assign(&fits));
    }

    #[test]
    fn what_must_not_meet_stays_apart() {
        assert_eq!(assign(&[vec![None, Some(0.5)], vec![None, Some(0.6)]]), [(1, 1)]);
        assert_eq!(assign(&[vec![]]), []);
        assert_eq!(assign(&[]), []);
    }
}
