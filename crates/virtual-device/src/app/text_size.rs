//! What the device makes of a text's size: sp in dp.
//!
//! Since Android 14 large texts grow less than small ones (`FontScaleConverterFactory`, `FontScaleConverter`); before, and
//! for scales below 1.03, all grow by the same factor.

/// Sizes for which the tables say what becomes of them, sp.
const SIZES: [f32; 9] = [8.0, 10.0, 12.0, 14.0, 18.0, 20.0, 24.0, 30.0, 100.0];

/// Scale, and each of [`SIZES`] under it, dp.
const TABLES: [(f32, [f32; 9]); 5] = [
    (1.15, [9.2, 11.5, 13.8, 16.4, 19.8, 21.8, 25.2, 30.0, 100.0]),
    (1.3, [10.4, 13.0, 15.6, 18.8, 21.6, 23.6, 26.4, 30.0, 100.0]),
    (1.5, [12.0, 15.0, 18.0, 22.0, 24.0, 26.0, 28.0, 30.0, 100.0]),
    (1.8, [14.4, 18.0, 21.6, 24.4, 27.6, 30.8, 32.8, 34.8, 100.0]),
    (2.0, [16.0, 20.0, 24.0, 26.0, 30.0, 34.0, 36.0, 38.0, 100.0]),
];

/// From this scale on texts grow along the tables.
const CURVED: f32 = 1.03;
/// The first API level with the tables.
const CURVED_SINCE: u32 = 34;

/// A text of `sp` in dp, at a font scale.
pub(super) fn dp(sp: f32, scale: f32, api: u32) -> f32 {
    if api < CURVED_SINCE || scale < CURVED {
        return sp * scale;
    }
    let above = TABLES.iter().position(|(known, _)| *known >= scale);
    match above.map(|at| (at.checked_sub(1).and_then(|before| TABLES.get(before)), TABLES.get(at))) {
        Some((_, Some((known, sizes)))) if (known - scale).abs() < 0.005 => along(sizes, sp),
        Some((Some((from, lower)), Some((to, upper)))) => {
            let share = (scale - from) / (to - from);
            let (lower, upper) = (along(lower, sp), along(upper, sp));
            lower + (upper - lower) * share
        }
        // Beyond the tables there is nothing to go between.
        _ => sp * scale,
    }
}

/// `sp` in a table, between its sizes in proportion.
fn along(sizes: &[f32; 9], sp: f32) -> f32 {
    let pairs = SIZES.iter().zip(sizes);
    let mut before = (0.0, 0.0);
    for (&from, &to) in pairs {
        if sp <= from {
            return before.1 + (to - before.1) * (sp - before.0) / (from - before.0);
        }
        before = (from, to);
    }
    sp * before.1 / before.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_android_14_and_near_one_all_texts_grow_alike() {
        for (scale, api) in [(1.3, 33), (1.02, 34), (0.85, 34)] {
            for sp in [12.0, 30.0] {
                assert!((dp(sp, scale, api) - sp * scale).abs() < 0.001, "{sp} sp at {scale}");
            }
        }
    }

    #[test]
    fn large_texts_grow_less_and_the_order_of_sizes_stays() {
        for scale in [1.15, 1.3, 1.5, 1.8, 2.0] {
            assert!((dp(10.0, scale, 34) - 10.0 * scale).abs() < 0.001, "small texts grow in full at {scale}");
            assert!(dp(36.0, scale, 34) < 36.0 * scale, "large ones do not at {scale}");
            let sizes: Vec<f32> = (8..60).map(|sp| dp(sp as f32, scale, 34)).collect();
            assert!(sizes.is_sorted(), "{scale}: {sizes:?}");
        }
    }
}
