//! May a model take another one's place? Both answer the same labels, so only those count where they differ.

use serde::Serialize;

/// A loss this unlikely by chance, were both models equally good, is no chance.
const SIGNIFICANT: f64 = 0.05;

/// One model against the one it would replace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gate {
    /// The model.
    pub model: String,
    /// The one it must be as good as.
    pub reference: String,
    /// Labels both were asked.
    pub n: usize,
    /// Right with the model only.
    pub won: usize,
    /// Right with the reference only.
    pub lost: usize,
    /// How likely a model that is as good loses at least so many of the labels on which they differ.
    pub p: f64,
    /// It is as good, as far as these labels can tell.
    pub passed: bool,
}

impl Gate {
    /// Compares first choices, label by label: the one-sided sign test, which is the exact form of `McNemar`'s.
    pub fn new(model: &str, answers: &[bool], reference: &str, others: &[bool]) -> Self {
        let pairs = || answers.iter().zip(others);
        let won = pairs().filter(|(own, other)| **own && !**other).count();
        let lost = pairs().filter(|(own, other)| !**own && **other).count();
        let p = at_least(lost, won + lost);
        Self {
            model: model.to_owned(),
            reference: reference.to_owned(),
            n: pairs().count(),
            won,
            lost,
            p,
            passed: p > SIGNIFICANT,
        }
    }
}

/// The probability of `k` heads or more in `n` tosses.
fn at_least(k: usize, n: usize) -> f64 {
    // By logarithms: 2^-n is no number any more from some thousand tosses on.
    let mut chance = -(n as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for heads in 0..=n {
        if heads >= k {
            sum += chance.exp();
        }
        chance += ((n - heads) as f64).ln() - ((heads + 1) as f64).ln();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many labels that both get right, that only the model does, that only the reference does.
    fn gate(both: usize, won: usize, lost: usize) -> Gate {
        let answers = |own: bool, other: bool, count| std::iter::repeat_n((own, other), count);
        let pairs: Vec<(bool, bool)> =
            answers(true, true, both).chain(answers(true, false, won)).chain(answers(false, true, lost)).collect();
        let (own, other): (Vec<bool>, Vec<bool>) = pairs.into_iter().unzip();
        Gate::new("new", &own, "old", &other)
    }

    #[test]
    fn chances_are_those_of_a_coin() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(at_least(0, 0), 1.0) && near(at_least(0, 7), 1.0));
        assert!(near(at_least(5, 5), 1.0 / 32.0));
        assert!(near(at_least(9, 10), 11.0 / 1024.0));
        assert!((at_least(2_500, 5_000) - 0.5056).abs() < 1e-3, "{}", at_least(2_500, 5_000));
    }

    #[test]
    fn equal_models_and_better_ones_pass() {
        for gate in [gate(100, 0, 0), gate(0, 0, 0), gate(50, 9, 9), gate(50, 30, 4)] {
            assert!(gate.passed, "{gate:?}");
        }
    }

    #[test]
    fn a_loss_within_the_noise_passes_and_one_beyond_it_does_not() {
        // 4 of 4 happens to an equal model in 1 of 16 cases, 5 of 5 in 1 of 32.
        assert!(gate(100, 0, 4).passed);
        assert!(!gate(100, 0, 5).passed);
        assert!(gate(800, 20, 30).passed);
        assert!(!gate(800, 20, 36).passed);
    }

    #[test]
    fn only_labels_that_differ_count() {
        let (few, many) = (gate(10, 3, 9), gate(10_000, 3, 9));
        assert_eq!((few.won, few.lost, few.p), (many.won, many.lost, many.p));
        assert_eq!((few.n, many.n), (22, 10_012));
    }
}
