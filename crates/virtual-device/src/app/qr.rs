//! QR codes (ISO/IEC 18004): byte mode, versions 1 to 6, error correction L, mask 0.

/// Data bytes, error-correction bytes a block, blocks: versions 1 to 6 at level L.
const VERSIONS: [(usize, usize, usize); 6] =
    [(19, 7, 1), (34, 10, 1), (55, 15, 1), (80, 20, 1), (108, 26, 1), (136, 18, 2)];
/// Format bits of level L with mask 0, its own error correction included.
const FORMAT: u16 = 0b111_0111_1100_0100;

/// The modules of a code, row by row, true where dark. Empty when the text is longer than 134 bytes.
pub(super) fn encode(text: &str) -> Vec<Vec<bool>> {
    let bytes = text.as_bytes();
    let Some((at, &(capacity, correction, blocks))) =
        VERSIONS.iter().enumerate().find(|(_, (capacity, ..))| bytes.len() + 2 <= *capacity)
    else {
        return Vec::new();
    };
    let data = data_bytes(bytes, capacity);
    let per_block = capacity / blocks;
    let parts: Vec<&[u8]> = data.chunks(per_block).collect();
    let checks: Vec<Vec<u8>> = parts.iter().map(|part| check_bytes(part, correction)).collect();
    let mut stream = Vec::with_capacity(capacity + correction * blocks);
    for column in 0..per_block {
        stream.extend(parts.iter().filter_map(|part| part.get(column)));
    }
    for column in 0..correction {
        stream.extend(checks.iter().filter_map(|check| check.get(column)));
    }
    Grid::new(17 + 4 * (at + 1)).filled(&stream)
}

/// Mode, length, bytes, end, padding.
fn data_bytes(bytes: &[u8], capacity: usize) -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::new();
    let mut push = |value: u16, count: u32| bits.extend((0..count).rev().map(|bit| value >> bit & 1 == 1));
    push(0b0100, 4);
    push(u16::try_from(bytes.len()).unwrap_or(0), 8);
    for &byte in bytes {
        push(u16::from(byte), 8);
    }
    push(0, 4);
    let mut data: Vec<u8> = bits
        .chunks(8)
        .map(|bits| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit)) << (8 - bits.len()))
        .collect();
    data.truncate(capacity);
    let pads = [0xec, 0x11];
    let first = data.len();
    data.extend((first..capacity).map(|at| pads[(at - first) % 2]));
    data
}

/// Product in GF(256) with the polynomial 0x11d.
fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b > 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        let carry = a & 0x80 > 0;
        a <<= 1;
        if carry {
            a ^= 0x1d;
        }
        b >>= 1;
    }
    product
}

/// Reed–Solomon: the remainder of the data by the generator polynomial.
fn check_bytes(data: &[u8], count: usize) -> Vec<u8> {
    let mut generator = vec![1_u8];
    let mut root = 1;
    for _ in 0..count {
        let mut next = generator.clone();
        next.push(0);
        for (at, &factor) in generator.iter().enumerate() {
            next[at + 1] ^= times(factor, root);
        }
        generator = next;
        root = times(root, 2);
    }
    let mut rest = data.to_vec();
    rest.resize(data.len() + count, 0);
    for at in 0..data.len() {
        let lead = rest[at];
        for (offset, &factor) in generator.iter().enumerate() {
            rest[at + offset] ^= times(factor, lead);
        }
    }
    rest.split_off(data.len())
}

/// The square of modules; `None` where data goes.
struct Grid {
    size: usize,
    modules: Vec<Vec<Option<bool>>>,
}

impl Grid {
    /// A square with everything that is not data.
    fn new(size: usize) -> Self {
        let mut grid = Self { size, modules: vec![vec![None; size]; size] };
        for (row, column) in [(0, 0), (0, size - 7), (size - 7, 0)] {
            grid.finder(row, column);
        }
        if size > 21 {
            let middle = size - 7;
            for row in 0..5 {
                for column in 0..5 {
                    let edge = row == 0 || row == 4 || column == 0 || column == 4;
                    grid.set(middle - 2 + row, middle - 2 + column, edge || (row == 2 && column == 2));
                }
            }
        }
        for at in 8..size - 8 {
            grid.set(6, at, at % 2 == 0);
            grid.set(at, 6, at % 2 == 0);
        }
        grid.format();
        grid
    }

    fn set(&mut self, row: usize, column: usize, dark: bool) {
        if let Some(module) = self.modules.get_mut(row).and_then(|row| row.get_mut(column)) {
            *module = Some(dark);
        }
    }

    /// A corner's square with the light border around it.
    fn finder(&mut self, row: usize, column: usize) {
        for dr in 0..9 {
            for dc in 0..9 {
                let (Some(r), Some(c)) = ((row + dr).checked_sub(1), (column + dc).checked_sub(1)) else { continue };
                let inside = (1..=7).contains(&dr) && (1..=7).contains(&dc);
                let ring = dr == 1 || dr == 7 || dc == 1 || dc == 7;
                let core = (3..=5).contains(&dr) && (3..=5).contains(&dc);
                self.set(r, c, inside && (ring || core));
            }
        }
    }

    fn format(&mut self) {
        let size = self.size;
        for bit in 0..15 {
            let dark = FORMAT >> (14 - bit) & 1 == 1;
            let (row, column) = match bit {
                0..=5 => (8, bit),
                6 => (8, 7),
                7 => (8, 8),
                8 => (7, 8),
                _ => (14 - bit, 8),
            };
            self.set(row, column, dark);
            let (row, column) = if bit < 7 { (size - 1 - bit, 8) } else { (8, size - 15 + bit) };
            self.set(row, column, dark);
        }
        self.set(size - 8, 8, true);
    }

    /// The bytes in columns of two from the right, up and down in turn.
    fn filled(mut self, stream: &[u8]) -> Vec<Vec<bool>> {
        let mut bits = stream.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1));
        let mut upward = true;
        let mut right = self.size - 1;
        loop {
            // The column of the timing pattern is left out.
            if right == 6 {
                right = 5;
            }
            for step in 0..self.size {
                let row = if upward { self.size - 1 - step } else { step };
                for column in [right, right - 1] {
                    if self.modules[row][column].is_none() {
                        let masked = bits.next().unwrap_or(false) ^ ((row + column) % 2 == 0);
                        self.set(row, column, masked);
                    }
                }
            }
            upward = !upward;
            if right < 2 {
                break;
            }
            right -= 2;
        }
        self.modules.into_iter().map(|row| row.into_iter().map(|module| module == Some(true)).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_correction_is_that_of_the_standards_example() {
        // ISO/IEC 18004, annex I: "01234567", version 1-M, ten check bytes.
        let data = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
        assert_eq!(check_bytes(&data, 10), [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55]);
    }

    #[test]
    fn longer_texts_need_larger_codes_and_too_long_ones_none() {
        assert_eq!(encode("A").len(), 21);
        assert_eq!(encode(&"x".repeat(100)).len(), 37);
        assert_eq!(encode(&"x".repeat(134)).len(), 41);
        assert!(encode(&"x".repeat(135)).is_empty());
    }

    #[test]
    fn a_code_is_that_of_another_encoder_module_by_module() {
        // python-qrcode 8: bytes, version 1, level L, mask 0. (segno adds a zero byte before the padding, which readers
        // skip but ISO/IEC 18004 does not ask for: with it half of the modules after the text differ.)
        let expected = [
            "#######..#.##.#######",
            "#.....#..###..#.....#",
            "#.###.#.##.##.#.###.#",
            "#.###.#..#.#..#.###.#",
            "#.###.#...#.#.#.###.#",
            "#.....#.....#.#.....#",
            "#######.#.#.#.#######",
            "........##.##........",
            "###.########.##...#..",
            "..####..#.#..#####.##",
            "#.#..##.###.#.#######",
            "#.#.##.#.##.....#..#.",
            "#.#..##.....##.###.##",
            "........##.#...###...",
            "#######.#..#..###.###",
            "#.....#.######.......",
            "#.###.#.#..#..#..#...",
            "#.###.#.......###..#.",
            "#.###.#.#.#.#..###..#",
            "#.....#.#.#...###..#.",
            "#######.#.#.#.#.##.##",
        ];
        let drawn: Vec<String> = encode("Tapwright")
            .iter()
            .map(|row| row.iter().map(|&dark| if dark { '#' } else { '.' }).collect())
            .collect();
        assert_eq!(drawn, expected);
    }
}
