//! How likely the next-action model finds each proposal.

use super::context::Context;
use super::proposal::{Move, Proposal};
use crate::domain::Action;
use crate::inference::{EmbedError, NextMove, NextScores, Reading};
use crate::pipeline::policy::{Feature, Features};

/// What is e^6 times less likely than the likeliest thing is as unlikely as anything.
const SPAN: f32 = 6.0;

/// What the model says to a decision.
pub(crate) struct Likely(NextScores);

impl Likely {
    /// Asks the model; `None` where there is none.
    pub(crate) fn of(context: &Context<'_>, reading: &Reading) -> Result<Option<Self>, EmbedError> {
        Ok(context.episode.scorer.embedder.next_scores(reading)?.map(Self))
    }

    /// Marks what the model can tell of proposals.
    pub(crate) fn mark(&self, proposals: &mut [Proposal]) {
        let best = self.0.best_open();
        for proposal in proposals {
            // What the model has no answer for is not unlikely.
            let unlikely = self.of_proposal(proposal).map_or(0.0, |score| ((best - score) / SPAN).clamp(0.0, 1.0));
            proposal.features.set(Feature::Unlikely, unlikely);
        }
    }

    /// Marks how sure the model is that the clause is carried out.
    pub(crate) fn conclude(&self, done: &mut Features) {
        let done_score = self.0.of_move(NextMove::Done);
        let open = (1.0 - done_score.exp()).max(f32::MIN_POSITIVE).ln();
        done.set(Feature::LikelyDone, ((done_score - open) / SPAN).clamp(-1.0, 1.0));
    }

    fn of_proposal(&self, proposal: &Proposal) -> Option<f32> {
        if let Some(widget) = proposal.widget {
            return self.0.widgets.get(widget).copied();
        }
        let known = match &proposal.action {
            Move::Act(Action::PressBack) => NextMove::Back,
            Move::Act(Action::Scroll { .. }) => NextMove::Scroll,
            Move::Act(Action::PressEnter) => NextMove::Enter,
            Move::Act(Action::Wait { .. }) => NextMove::Wait,
            Move::Act(_) | Move::Done => return None,
        };
        Some(self.0.of_move(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::InputText;
    use crate::pipeline::propose::Source;
    use std::collections::BTreeMap;

    fn proposal(action: Action, widget: Option<usize>) -> Proposal {
        Proposal {
            action: Move::Act(action),
            widget,
            source: Source::Touch,
            features: Features::default(),
            parameter: None,
            shown: None,
            reason: String::new(),
            text: String::new(),
        }
    }

    /// How unlikely proposals are by chances of two widgets and of the moves in their order.
    fn marked(chances: [f32; 7]) -> (Vec<f32>, f32) {
        let [first, second, moves @ ..] = chances.map(f32::ln);
        let likely = Likely(NextScores { widgets: vec![first, second], moves });
        let key = Action::InputByNumericKeyboard { digits: InputText::Plain("1".into()), keys: BTreeMap::new() };
        let back = || Action::PressBack;
        let mut proposals =
            [proposal(back(), Some(0)), proposal(back(), Some(1)), proposal(back(), None), proposal(key, None)];
        likely.mark(&mut proposals);
        let mut done = Features::default();
        likely.conclude(&mut done);
        (proposals.iter().map(|one| one.features.get(Feature::Unlikely)).collect(), done.get(Feature::LikelyDone))
    }

    #[test]
    fn the_likeliest_thing_beside_the_end_is_not_unlikely() {
        let (unlikely, done) = marked([0.05, 0.01, 0.9, 0.01, 0.01, 0.01, 0.01]);
        assert!(unlikely[0] == 0.0 && unlikely[1] > 0.2 && unlikely[1] < 0.5, "{unlikely:?}");
        assert_eq!(unlikely[3], 0.0, "the model knows no keypad");
        assert!(done > 0.3 && done < 0.4, "{done}");
    }

    #[test]
    fn the_end_is_unlikely_while_something_else_is_likely() {
        let (unlikely, done) = marked([0.98, 0.000_001, 0.001, 0.018, 0.000_3, 0.000_3, 0.000_3]);
        assert_eq!((unlikely[0], unlikely[1]), (0.0, 1.0));
        assert!(unlikely[2] > 0.5 && unlikely[2] < 1.0, "{unlikely:?}");
        assert_eq!(done, -1.0);
    }
}
