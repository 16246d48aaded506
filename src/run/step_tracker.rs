//! The step events around the actions of a script that is replayed.

use super::recorder::RunRecorder;
use crate::device::Recorder;
use crate::domain::{EventKind, EventSink, Verdict};
use crate::hierarchy::{ErrorsShown, Screen};
use crate::script::Script;

/// Adds the step events around the actions of a script.
pub(super) struct StepTracker<'a> {
    pub(super) recorder: &'a mut RunRecorder,
    pub(super) script: &'a Script,
    pub(super) current: Option<usize>,
}

impl StepTracker<'_> {
    fn enter(&mut self, index: usize) {
        if self.current == Some(index) {
            return;
        }
        if let Some(done) = self.current.replace(index) {
            self.recorder.emit(EventKind::StepFinished {
                index: done,
                verdict: Verdict::Passed,
                reason: "replayed".into(),
                confidence: None,
            });
        }
        let instruction = self
            .script
            .actions
            .iter()
            .find(|action| action.step == index)
            .map(|action| action.instruction.clone())
            .unwrap_or_default();
        self.recorder.emit(EventKind::StepStarted { index, rewritten: instruction.clone(), instruction });
    }
}

impl EventSink for StepTracker<'_> {
    fn emit(&mut self, kind: EventKind) {
        if let EventKind::Acted { step, .. } | EventKind::Decided { step, .. } = &kind {
            self.enter(*step);
        }
        self.recorder.emit(kind);
    }
}

impl Recorder for StepTracker<'_> {
    fn screen(&mut self, screen: &Screen, observation: &crate::device::Observation, observe_ms: f64) {
        self.recorder.screen(screen, observation, observe_ms);
    }

    fn about_to_act(&mut self, screen: &Screen) {
        self.recorder.about_to_act(screen);
    }

    fn errors_before(&self) -> Option<&ErrorsShown> {
        self.recorder.errors_before()
    }
}
