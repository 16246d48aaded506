//! A step that checks, judged by the screen alone.

use super::agent::{Agent, AgentError, StepOutcome};
use super::step::Step;
use crate::device::{Recorder, Seen};
use crate::domain::ActionSource;
use crate::ranking::Cues;
use crate::witness::{Answer, Company, Examiner, Question, Witness, secrets};

/// The step checks something and does nothing.
pub(super) fn is_check(step: &Step, cues: &Cues) -> bool {
    !step.claims.is_empty() || cues.is_assertion(&step.instruction)
}

/// What a checking step asks.
fn question<'a>(step: &'a Step, cues: &Cues) -> Question<'a> {
    Question {
        instruction: &step.instruction,
        named: &step.named,
        claims: &step.claims,
        negated: cues.is_negated(&step.instruction),
    }
}

/// Whether the screen says what a checking step wants as far as its words go.
pub(super) fn read(step: &Step, seen: &Seen, cues: &Cues) -> StepOutcome {
    outcome(crate::witness::read(&question(step, cues), &seen.screen))
}

fn outcome(answer: Answer) -> StepOutcome {
    let mut outcome = StepOutcome { unseen: answer.unseen, ..StepOutcome::new(answer.verdict, answer.reason) };
    outcome.trail.found = answer.found;
    outcome
}

impl Agent<'_> {
    /// A step that checks: what it claims must hold, now or soon.
    pub(super) async fn check(
        &mut self,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let secrets = secrets(self.parameters.iter().map(|parameter| &parameter.value));
        let company = if self.patience.in_company { Company::Others } else { Company::Alone };
        let deeds = self.deeds.iter();
        let met = deeds.flat_map(|deed| {
            let label = deed.action.target().map(|target| target.label.clone());
            std::iter::once(deed.screen.clone()).chain(label)
        });
        let examiner = Examiner {
            met: met.collect(),
            witness: Witness {
                eyes: &self.eyes,
                skills: self.skills,
                secrets: &secrets,
                patience: company.patience(),
                step: step.index,
                source: ActionSource::Agent,
                alone: company == Company::Alone,
                pictures: Vec::new(),
            },
        };
        let answer = examiner.check(&question(step, self.scorer.cues), seen, recorder).await?;
        for wanted in &answer.lasting {
            if !self.checked.contains(wanted) {
                self.checked.push(wanted.clone());
            }
        }
        Ok(outcome(answer))
    }
}
