//! The nearest names to one that is unknown.

/// Edit distance (Levenshtein) of two texts, ignoring ASCII case.
pub(super) fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &right) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Up to three of `names` that could have been meant, nearest first.
pub(super) fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut ranked: Vec<(usize, &str)> = names
        .into_iter()
        .map(|name| (edit_distance(wanted, name), name))
        .filter(|(distance, name)| *distance <= wanted.chars().count().max(name.chars().count()).div_ceil(2))
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    ranked.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first_and_strangers_not_at_all() {
        let names = ["PAY-0001", "PAY-0010", "RIDE-7", "PAY-0101"];
        assert_eq!(nearest("PAY-001", names), ["PAY-0001", "PAY-0010", "PAY-0101"]);
        assert_eq!(nearest("pay-0001", names)[0], "PAY-0001");
        assert!(nearest("zzz", names).is_empty());
        assert_eq!(edit_distance("", "abc"), 3);
    }
}
