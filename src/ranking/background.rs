//! How much an instruction resembles any widget whatever: general words ("open it") lie near to everything, rare ones
//! ("bougainvillea") near to nothing. What is above this background tells whether something fits.

use crate::inference::{Embedding, cosine};

/// Widgets as they are on most screens.
static LINES: &str = include_str!("background.txt");

/// The texts to be embedded.
pub(super) fn texts<'a>() -> impl Iterator<Item = &'a str> {
    LINES.lines().filter(|line| !line.is_empty())
}

/// Mean cosine of an instruction with the background's vectors; zero without any.
pub(super) fn resemblance(asked: &Embedding, background: &[Embedding]) -> f32 {
    let sum: f32 = background.iter().map(|vector| cosine(asked, vector)).sum();
    sum / background.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_is_there_and_has_no_text_twice() {
        let all: std::collections::BTreeSet<&str> = texts().collect();
        assert!(all.len() >= 30 && all.len() == texts().count());
    }

    #[test]
    fn no_background_tells_nothing() {
        assert!(resemblance(&[1.0, 0.0].into(), &[]).abs() < f32::EPSILON);
    }
}
