//! FNV-1a, 64 bits: a hash that is the same on every machine and in every release, unlike `DefaultHasher`.

#[derive(Debug, Clone, Copy)]
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a text and a separator.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for byte in text.bytes() {
            self.byte(byte);
        }
        self.byte(0xff)
    }

    pub(super) fn number(&mut self, number: i64) -> &mut Self {
        for byte in number.to_le_bytes() {
            self.byte(byte);
        }
        self
    }

    fn byte(&mut self, byte: u8) -> &mut Self {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        let mut fnv = Fnv::default();
        for byte in *b"foobar" {
            fnv.byte(byte);
        }
        assert_eq!(fnv.value(), 0x8594_4171_f739_67e8);
    }
}
