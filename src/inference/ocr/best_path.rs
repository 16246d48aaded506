//! Connectionist temporal classification: the best path through a recognizer's characters.

use super::ReadText;

/// Reads one line: at every step the likeliest character, repetitions and blanks (class 0) removed. `probabilities` has
/// `characters.len()` values a step.
pub(super) fn best_path(probabilities: &[f32], characters: &[String]) -> ReadText {
    let classes = characters.len();
    let mut read = ReadText { text: String::new(), confidence: 0.0, positions: Vec::new() };
    if classes == 0 {
        return read;
    }
    let steps = probabilities.len() / classes;
    let (mut previous, mut sum, mut kept) = (0, 0.0, 0_usize);
    for (step, row) in probabilities.chunks_exact(classes).enumerate() {
        let mut best = 0;
        for (class, probability) in row.iter().enumerate() {
            if *probability > row[best] {
                best = class;
            }
        }
        if best != 0 && best != previous {
            let position = (step as f32 + 0.5) / steps as f32;
            read.positions.extend(characters[best].chars().map(|_| position));
            read.text.push_str(&characters[best]);
            sum += row[best];
            kept += 1;
        }
        previous = best;
    }
    read.confidence = if kept == 0 { 0.0 } else { sum / kept as f32 };
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    fn characters() -> Vec<String> {
        ["", "a", "b", " "].map(str::to_owned).to_vec()
    }

    /// One row a step with the given class at the given probability.
    fn steps(best: &[(usize, f32)]) -> Vec<f32> {
        best.iter()
            .flat_map(|(class, probability)| {
                let rest = (1.0 - probability) / 3.0;
                (0..4).map(move |at| if at == *class { *probability } else { rest })
            })
            .collect()
    }

    #[test]
    fn repetitions_are_one_character_unless_a_blank_stands_between() {
        let read = best_path(&steps(&[(1, 0.9), (1, 0.9), (0, 0.9), (1, 0.7), (3, 0.8), (2, 0.8)]), &characters());
        assert_eq!(read.text, "aa b");
        assert!((read.confidence - 0.8).abs() < 1e-6);
        assert_eq!(read.positions.len(), 4);
        assert!(read.positions.is_sorted());
    }

    #[test]
    fn nothing_but_blanks_is_no_text() {
        let read = best_path(&steps(&[(0, 0.9), (0, 0.9)]), &characters());
        assert_eq!((read.text.as_str(), read.confidence), ("", 0.0));
        assert_eq!(best_path(&[], &[]).text, "");
    }
}
