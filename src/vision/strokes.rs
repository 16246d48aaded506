//! Ink on a photograph, where no colour stands for the background: what is thin and lighter, or darker, than all around.

/// Side of the square that no stroke holds, pixels: of texts up to some 40 pixels high.
const WIDEST: usize = 13;

/// How much lighter each pixel is than the ground around it, 0–255; `darker` for darker ones. A white (or black) top hat:
/// what an opening by a square removes, which is all that is thinner than the square.
pub(super) fn contrast(width: usize, height: usize, luma: &[u8], darker: bool) -> Vec<u8> {
    if width == 0 || luma.len() < width * height {
        return vec![0; width * height];
    }
    let of = |value: u8| if darker { 255 - value } else { value };
    let own: Vec<u8> = luma[..width * height].iter().map(|value| of(*value)).collect();
    let least = |a: u8, b: u8| a.min(b);
    let most = |a: u8, b: u8| a.max(b);
    let eroded = windowed(width, height, &own, 255, least);
    let opened = windowed(width, height, &eroded, 0, most);
    own.iter().zip(opened).map(|(own, ground)| own.saturating_sub(ground)).collect()
}

/// Of every pixel's square, the least or the greatest value. What lies outside counts as `outside`.
fn windowed(width: usize, height: usize, values: &[u8], outside: u8, choose: fn(u8, u8) -> u8) -> Vec<u8> {
    const REACH: usize = WIDEST / 2;
    let mut across = vec![outside; width * height];
    let mut line = vec![outside; width + 2 * REACH];
    for (row, out) in values.chunks_exact(width).zip(across.chunks_exact_mut(width)) {
        line[REACH..REACH + width].copy_from_slice(row);
        for (x, out) in out.iter_mut().enumerate() {
            *out = line[x..x + WIDEST].iter().fold(outside, |a, b| choose(a, *b));
        }
    }
    let mut whole = vec![outside; width * height];
    for (y, out) in whole.chunks_exact_mut(width).enumerate() {
        for from in y.saturating_sub(REACH)..(y + REACH + 1).min(height) {
            for (out, value) in out.iter_mut().zip(&across[from * width..(from + 1) * width]) {
                *out = choose(*out, *value);
            }
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_lines_stand_out_areas_and_edges_do_not() {
        // A dark area on the left, a light one with a dark line of three pixels on the right.
        let (width, height) = (80, 20);
        let luma: Vec<u8> = (0..width * height)
            .map(|at| match at % width {
                0..30 => 50,
                50..53 => 10,
                _ => 210,
            })
            .collect();
        let lit = |values: &[u8]| (0..width).filter(|x| values[10 * width + x] > 40).collect::<Vec<_>>();
        assert_eq!(lit(&contrast(width, height, &luma, true)), [50, 51, 52]);
        assert!(lit(&contrast(width, height, &luma, false)).is_empty());
        assert!(contrast(0, 9, &[], true).is_empty());
    }
}
