//! What was done in a run that did not pass, as a script that does it again: whoever looks into a failure gets there without a
//! model.

use super::executor::Run;
use super::plan::PlannedCase;
use crate::domain::Verdict;
use crate::pipeline::Journal;
use crate::script::Script;

/// Name of the file in the folder of a run that did not pass.
pub const FAILING_FILE: &str = "failing.toml";

impl Run<'_> {
    /// Notes what an attempt on one device did that did not pass.
    pub(super) fn note_failing(&mut self, case: &PlannedCase, journal: &Journal) {
        if journal.valid().next().is_none() || self.context.places.output.is_none() {
            return;
        }
        let script = self.script_of_one(case, journal);
        self.note_failing_script(script);
    }

    /// The same of a replay: the actions that were carried out, and the one at which it stopped. Without an action there is nothing
    /// to do again.
    pub(super) fn note_failing_replay(&mut self, script: &Script, performed: usize) {
        let actions: Vec<_> = script.actions.iter().take(performed + 1).cloned().collect();
        if !actions.is_empty() {
            let as_far = Script { actions, ..script.clone() };
            self.note_failing_script(Ok(as_far.sealed_as(script.seal.as_ref())));
        }
    }

    /// Notes the script of the attempt at work. Where none can be made the verdict stands without it.
    pub(super) fn note_failing_script(&mut self, script: Result<Script, String>) {
        match script.and_then(|script| script.to_toml().map_err(|error| error.to_string())) {
            Ok(text) => drop(self.failing.insert(self.tries.attempts, text)),
            Err(reason) => tracing::warn!("what was done is not kept as a script: {reason}"),
        }
    }

    /// Keeps the script of the attempt that is told, where the app or the case is to be looked into.
    pub(super) fn keep_failing(&mut self, verdict: Verdict) {
        let told = self.failing.remove(&self.tries.told);
        if let Some(text) = told.filter(|_| matches!(verdict, Verdict::Failed | Verdict::Blocked)) {
            self.recorder.keep_file(FAILING_FILE, text);
        }
    }
}
