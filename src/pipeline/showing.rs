//! The end of a goal: the page on which its effect shows is looked for, and nothing is changed on the way.

use super::agent::{Agent, Assignment};
use super::execute::Waited;
use super::outcome::{AgentError, Confidence, StepOutcome};
use super::task::{Clause, Step};
use crate::device::{Recorder, Seen};
use crate::domain::Verdict;

/// How sure a goal is that nothing but what is expected tells to be reached.
const TOLD_BY_EXPECTATIONS: f32 = 0.5;

impl Agent<'_> {
    /// Looks for the page that shows what the case expects, where a goal was worked on and the page in front does not show it.
    /// Returns the outcome of the goal: passed where the page was found, else as it was.
    ///
    /// # Errors
    /// When the device or the model fails, or the run is interrupted.
    pub(super) async fn show(
        &mut self,
        assignment: Assignment<'_>,
        outcome: StepOutcome,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let ended = matches!(outcome.verdict, Verdict::Passed | Verdict::Blocked);
        let acted = self.journal.current_deeds().next().is_some();
        let missing: Vec<String> = assignment.expected.iter().filter(|text| !is_shown(seen, text)).cloned().collect();
        let is_over = !assignment.clause.is_goal
            || !assignment.later.is_empty()
            || !ended
            || !acted
            || missing.is_empty()
            || (assignment.expectations)(seen) != Some(false);
        if is_over {
            return Ok(outcome);
        }
        let step = looking_for(&assignment.clause.step, &missing);
        let clause = Clause { only_looks: true, ..Clause::read(&step, "", &self.knowledge.lexicon) };
        let looking = Assignment { clause: &clause, previous: Some(assignment.clause), ..assignment };
        self.journal.begin_clause();
        self.pursue(looking, &mut Waited::default(), seen, recorder).await?;
        // What else is expected may be scrolled out of sight: the end of the case looks for it there.
        let is_there = (assignment.expectations)(seen) == Some(true) || missing.iter().any(|text| is_shown(seen, text));
        if !is_there || outcome.verdict == Verdict::Passed {
            return Ok(outcome);
        }
        let told = format!("what the case expects shows on \"{}\"", seen.screen.title);
        let confidence = Some(Confidence {
            value: TOLD_BY_EXPECTATIONS,
            doubt: "only what is expected tells that the goal was reached".to_owned(),
            unmet: false,
        });
        Ok(StepOutcome { confidence, corroboration: outcome.corroboration, ..StepOutcome::passed(told) })
    }
}

/// True if the page shows the text, alone or within another.
fn is_shown(seen: &Seen, text: &str) -> bool {
    seen.screen.texts.shown.iter().any(|shown| shown.text.contains(text))
}

/// The step that opens what shows these texts.
fn looking_for(step: &Step, texts: &[String]) -> Step {
    let quoted: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
    let instruction = format!("Open {}", quoted.join(", "));
    Step {
        index: step.index,
        original: instruction.clone(),
        sentence: instruction.clone(),
        instruction,
        context: String::new(),
        mentions: Vec::new(),
        reserved: step.reserved.clone(),
        quoted: texts.to_vec(),
        named: Vec::new(),
        claims: Vec::new(),
        quantity: None,
        hints: step.hints.clone(),
    }
}
