//! What the next-action model reads, and what it answers.

use serde::{Deserialize, Serialize};

/// An instruction on a screen, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reading {
    /// What is asked for.
    pub instruction: String,
    /// What was asked for before it; empty for the first instruction.
    pub before: String,
    /// What is asked for next; empty for the last instruction.
    pub after: String,
    /// What was done for the instruction and had an effect, oldest first: `click Save`, `input_text Amount = 20`, `scroll`.
    pub past: Vec<String>,
    /// Title of the screen.
    pub title: String,
    /// Every widget of the screen, in words.
    pub widgets: Vec<String>,
}

/// What can be done next beside touching a widget, in the order of the model's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextMove {
    /// The instruction is carried out.
    Done,
    /// Go back.
    Back,
    /// Scroll.
    Scroll,
    /// Press enter.
    Enter,
    /// Wait.
    Wait,
}

impl NextMove {
    /// How many there are.
    pub const COUNT: usize = 5;
}

/// How likely each thing is to be the next one, as logarithms of chances; together the chances are 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NextScores {
    /// Of touching each widget; the last ones of a very full screen have none.
    pub widgets: Vec<f32>,
    /// Of everything else, by [`NextMove`].
    pub moves: [f32; NextMove::COUNT],
}

impl NextScores {
    /// From the model's scores: their softmax.
    pub(super) fn of(mut widgets: Vec<f32>, mut moves: [f32; NextMove::COUNT]) -> Self {
        let all = || widgets.iter().chain(&moves).copied();
        let most = all().fold(f32::NEG_INFINITY, f32::max);
        let sum = all().map(|score| (score - most).exp()).sum::<f32>().ln();
        widgets.iter_mut().chain(&mut moves).for_each(|score| *score = *score - most - sum);
        Self { widgets, moves }
    }

    /// The logarithm of a move's chance.
    pub const fn of_move(&self, one: NextMove) -> f32 {
        self.moves[one as usize]
    }

    /// The logarithm of the greatest chance beside the end of the instruction.
    pub fn best_open(&self) -> f32 {
        let moves = [NextMove::Back, NextMove::Scroll, NextMove::Enter, NextMove::Wait].map(|one| self.of_move(one));
        self.widgets.iter().chain(&moves).copied().fold(f32::NEG_INFINITY, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_to_one() {
        let scores = NextScores::of(vec![3.0, -2.0, 900.0], [0.5, 1.0, 2.0, 899.0, -4.0]);
        let sum: f32 = scores.widgets.iter().chain(&scores.moves).map(|score| score.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        assert_eq!(scores.best_open(), scores.widgets[2]);
        assert!(scores.of_move(NextMove::Enter) > scores.of_move(NextMove::Done));
    }
}
