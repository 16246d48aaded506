//! Inspection (XUAT-Copilot §3.4.6): what speaks against a step's being done. What speaks for it is that the next step's
//! words, or none at all, explain best what could be done now; that is weighed by `course`.

use super::course::Costs;

/// What the inspection looks at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Evidence {
    /// Nothing was done for the step yet but looking around.
    pub looked: bool,
    /// Fields of this step that are still to be filled.
    pub pending: usize,
    /// Something the step names was not met yet.
    pub unmet: bool,
    /// The step asks for something to be sent, and the control that sends it is still there, untouched.
    pub unsent: bool,
    /// Something that the case expects at its end is not there.
    pub unexpected: bool,
    /// What was done last opened something that asks for an answer, and no step follows that could give it.
    pub asks: bool,
}

impl Evidence {
    /// What declaring the step done costs, as the course counts.
    pub(super) fn against_done(self, costs: &Costs) -> f32 {
        if self.looked {
            return f32::INFINITY;
        }
        let owed = [self.pending > 0, self.unmet, self.unsent, self.unexpected];
        let owed = owed.into_iter().filter(|owed| *owed).count() as f32;
        costs.owed * owed + if self.asks { costs.asked } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::course::Reading;

    fn against(evidence: Evidence) -> f32 {
        evidence.against_done(&Reading::bundled().unwrap().costs)
    }

    #[test]
    fn looking_further_is_never_the_end_of_a_step() {
        assert!(against(Evidence { looked: true, ..Evidence::default() }).is_infinite());
    }

    #[test]
    fn a_step_owes_what_it_names_and_what_it_has_not_filled_in_or_sent() {
        assert!(against(Evidence::default()).abs() < f32::EPSILON);
        let pending = against(Evidence { pending: 2, ..Evidence::default() });
        let unmet = against(Evidence { unmet: true, ..Evidence::default() });
        let both = against(Evidence { unmet: true, unsent: true, ..Evidence::default() });
        assert!(pending > 0.0 && unmet > 0.0 && both > unmet);
    }

    #[test]
    fn a_question_that_nobody_answers_is_no_end() {
        assert!(against(Evidence { asks: true, ..Evidence::default() }) > 0.0);
    }
}
