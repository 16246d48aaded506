//! A step that checks, judged by the screen alone.

use crate::device::{Recorder, Seen};
use crate::domain::ActionSource;
use crate::pipeline::agent::Agent;
use crate::pipeline::outcome::{AgentError, StepOutcome};
use crate::pipeline::task::Step;
use crate::ranking::Cues;
use crate::witness::{Answer, Company, Examiner, Question, Witness, secrets};

/// The step checks something and does nothing.
pub(in crate::pipeline) fn is_check(step: &Step, cues: &Cues) -> bool {
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

fn outcome(answer: Answer) -> StepOutcome {
    let mut outcome = StepOutcome { unseen: answer.unseen, ..StepOutcome::new(answer.verdict, answer.reason) };
    outcome.corroboration.found = answer.found;
    outcome
}

impl Agent<'_> {
    /// A step that checks: what it claims must hold, now or soon.
    pub(in crate::pipeline) async fn check(
        &mut self,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let secrets = secrets(self.parameters.iter().map(|parameter| &parameter.value));
        let company = if self.patience.in_company { Company::Others } else { Company::Alone };
        let met = self.journal.valid().flat_map(|record| {
            let label = record.action.target().map(|target| target.label.clone());
            std::iter::once(record.before.title.clone()).chain(label)
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
        let begun = seen.screen.digest;
        let answer = examiner.check(&question(step, self.scorer.cues), seen, recorder).await?;
        if seen.screen.digest != begun {
            self.journal.note_check_scrolled();
        }
        for wanted in &answer.lasting {
            if !self.journal.pending_checks.contains(wanted) {
                self.journal.pending_checks.push(wanted.clone());
            }
        }
        Ok(outcome(answer))
    }
}
