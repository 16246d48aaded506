//! Aligned columns for people.

use super::terminal;

/// Columns are not made narrower than this.
const NARROWEST: usize = 6;
const GAP: usize = 2;

/// Prints rows to stdout, each column as wide as its widest cell; the last column is not padded.
pub(super) fn print(rows: &[Vec<String>]) {
    for line in lines(rows, None) {
        anstream::println!("{line}");
    }
}

/// The same, but where stdout is a terminal empty columns are left out and
/// the widest ones cut, so that a row keeps to one line.
pub(super) fn print_fitting(rows: &[Vec<String>]) {
    for line in lines(rows, terminal::columns_of_stdout()) {
        anstream::println!("{line}");
    }
}

fn lines(rows: &[Vec<String>], most: Option<usize>) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..columns).map(width).collect();
    if let Some(most) = most {
        let empty = |column: usize| rows.iter().skip(1).all(|row| row.get(column).is_none_or(String::is_empty));
        let kept: Vec<usize> = (0..columns).filter(|&column| !empty(column)).collect();
        if rows.len() > 1 && kept.len() < columns {
            let fuller = |row: &Vec<String>| kept.iter().filter_map(|&column| row.get(column).cloned()).collect();
            return lines(&rows.iter().map(fuller).collect::<Vec<_>>(), Some(most));
        }
        fit(&mut widths, most.saturating_sub(GAP * columns.saturating_sub(1)));
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{:<width$}", cut(cell, width)));
        cells.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Takes room from the widest column until all fit, or none can give any more.
fn fit(widths: &mut [usize], most: usize) {
    while widths.iter().sum::<usize>() > most {
        match widths.iter_mut().max() {
            Some(widest) if *widest > NARROWEST => *widest -= 1,
            _ => return,
        }
    }
}

fn cut(cell: &str, width: usize) -> String {
    if cell.chars().count() <= width {
        return cell.to_owned();
    }
    cell.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        vec![row(["#", "LABEL", "ID"]), row(["0", "A label that is rather long", "com.example:id/label"])]
    }

    #[test]
    fn columns_stand_below_each_other() {
        let lines = lines(&rows(), None);
        assert_eq!(
            lines,
            ["#  LABEL                        ID", "0  A label that is rather long  com.example:id/label"]
        );
    }

    #[test]
    fn the_widest_columns_give_way_on_a_narrow_terminal() {
        let lines = lines(&rows(), Some(40));
        assert!(lines.iter().all(|line| line.chars().count() <= 40), "{lines:?}");
        assert!(lines[1].contains("A label that is r…") && lines[1].starts_with("0  "), "{lines:?}");
        let hollow: Vec<Vec<String>> = rows()
            .into_iter()
            .map(|mut row| {
                row.insert(1, String::new());
                row
            })
            .collect();
        assert_eq!(super::lines(&hollow, Some(40)), lines, "an empty column is left out");
        assert_eq!(super::lines(&rows(), Some(3)).len(), 2, "an impossible width still prints");
    }
}
