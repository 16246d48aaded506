//! Drawing lots: every random choice follows from a seed, on every machine and with every compiler.

/// A small generator (`SplitMix64`): the same seed gives the same values everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lots(u64);

impl Lots {
    /// What is drawn from `seed` for a purpose, such as a field's name: other purposes draw other lots.
    pub fn new(seed: u64, purpose: &str) -> Self {
        // FNV-1a; the standard library's hash may change with the compiler.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in purpose.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ hash)
    }

    /// The same, apart for every `turn`.
    #[must_use]
    pub fn for_turn(self, turn: u32) -> Self {
        Self(self.0 ^ u64::from(turn).rotate_left(32))
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "lots never end, so there is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_the_same_on_every_machine() {
        let mut lots = Lots::new(7, "Due date");
        let drawn = [lots.next(), lots.next()];
        assert_eq!(drawn, {
            let mut again = Lots::new(7, "Due date");
            [again.next(), again.next()]
        });
        // SplitMix64's published first value for the state 0.
        assert_eq!(Lots::default().next(), 0xe220_a839_7b1d_cdaf);
        assert_ne!(Lots::new(7, "Start date").next(), drawn[0]);
        assert_ne!(Lots::new(7, "Due date").for_turn(1).next(), drawn[0]);
    }
}
