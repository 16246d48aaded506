//! Choices that follow from a seed alone.

/// A stream of choices (`SplitMix64`, Steele and others 2014): the same seed makes the same choices on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `count` - 1; 0 where there is none.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub(crate) fn one<T: Copy>(&mut self, of: [T; 1], more: &[T]) -> T {
        let at = self.below(more.len() + 1);
        more.get(at).copied().unwrap_or(of[0])
    }

    /// One of the texts; nothing where there are none.
    pub(crate) fn text<'t>(&mut self, of: &'t [String]) -> &'t str {
        of.get(self.below(of.len())).map_or("", String::as_str)
    }

    /// In another order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let at = self.below(last + 1);
            items.swap(last, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_choices() {
        let order = |seed| {
            let mut items: Vec<usize> = (0..9).collect();
            Draw::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(order(3), order(3));
        assert_ne!(order(3), order(4));
        assert_eq!(Draw::new(1).below(0), 0);
        assert_eq!(Draw::new(1).text(&[]), "");
    }
}
