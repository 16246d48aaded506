//! Aligned columns for people.

/// Prints rows to stdout, each column as wide as its widest cell; the last column is not padded.
pub(super) fn print(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            line.push_str(cell);
            if column + 1 < row.len() {
                let padding = widths[column].saturating_sub(cell.chars().count()) + 2;
                line.extend(std::iter::repeat_n(' ', padding));
            }
        }
        anstream::println!("{}", line.trim_end());
    }
}
