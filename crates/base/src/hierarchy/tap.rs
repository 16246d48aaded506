//! Where to touch a widget so that nothing lying on it is hit instead.

use crate::domain::{Point, Rect};

/// The point of a 5 × 5 grid nearest the middle of `bounds` that no `obstacle` holds; the middle when all are held.
pub(super) fn tap_point(bounds: Rect, obstacles: &[Rect]) -> Point {
    let center = bounds.center();
    if !obstacles.iter().any(|obstacle| obstacle.contains(center)) {
        return center;
    }
    let steps = [1, 3, 5, 7, 9];
    let mut points: Vec<Point> = steps
        .into_iter()
        .flat_map(|x| {
            steps.map(|y| Point::new(bounds.left + bounds.width() * x / 10, bounds.top + bounds.height() * y / 10))
        })
        .collect();
    points.sort_by_key(|point| i64::from(point.x - center.x).pow(2) + i64::from(point.y - center.y).pow(2));
    points.into_iter().find(|point| !obstacles.iter().any(|obstacle| obstacle.contains(*point))).unwrap_or(center)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_touched_unless_something_lies_on_it() {
        let row = Rect::new(0, 0, 1000, 100);
        assert_eq!(tap_point(row, &[]), Point::new(500, 50));
        let on_it = Rect::new(400, 0, 1000, 100);
        let point = tap_point(row, &[on_it]);
        assert!(row.contains(point) && !on_it.contains(point), "{point}");
        assert_eq!(tap_point(row, &[row]), Point::new(500, 50));
    }
}
