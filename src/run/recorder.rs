//! The run's event stream: numbers the events, hands them to every consumer, and keeps what the summary needs.

use super::looks::Looks;
use super::masking::{hide, hide_note};
use super::recording::RecordingWriter;
use crate::app_map::Learner;
use crate::device::{Observation, Recorder};
use crate::domain::{
    Acquisition, ActionRecord, Counts, Diagnosis, DiagnosisCode, DiagnosisCount, EventKind, EventSink, PackageName,
    RunEvent, RunId, ScreenView, Screenshot, SecretMask, StepResult, Timings, Verdict,
};
use crate::hierarchy::{ErrorsShown, Screen};
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

/// Turns what happens into events and sums.
pub(super) struct RunRecorder {
    run_id: RunId,
    started: Instant,
    events: Vec<RunEvent>,
    live: UnboundedSender<RunEvent>,
    recording: Option<RecordingWriter>,
    steps: Vec<StepResult>,
    counts: Counts,
    timings: Timings,
    diagnostics: Vec<DiagnosisCount>,
    acquisition: Acquisition,
    /// Why nothing may be judged by the last look.
    flaw: Option<String>,
    /// Notes what the run finds out about the app.
    learner: Option<Learner>,
    /// The first pictures after the last decision, where they are wanted: what is shown only for a moment is on them.
    moments: Option<Vec<Screenshot>>,
    /// Files that are kept beside the events.
    kept: Vec<String>,
    /// Hides secrets in all that is told.
    mask: SecretMask,
    /// What was wrong on the screen before the last action.
    errors_before: Option<ErrorsShown>,
    /// What was in sight when.
    looks: Looks,
}

/// Pictures that are kept of what followed an action.
const MOST_MOMENTS: usize = 3;

impl RunRecorder {
    /// A recorder that starts now.
    pub(super) fn new(
        run_id: RunId,
        live: UnboundedSender<RunEvent>,
        recording: Option<RecordingWriter>,
        mask: SecretMask,
    ) -> Self {
        Self {
            run_id,
            started: Instant::now(),
            events: Vec::new(),
            live,
            recording,
            steps: Vec::new(),
            counts: Counts::default(),
            timings: Timings::default(),
            diagnostics: Vec::new(),
            acquisition: Acquisition::default(),
            flaw: None,
            learner: None,
            moments: None,
            kept: Vec::new(),
            mask,
            errors_before: None,
            looks: Looks::default(),
        }
    }

    /// Notes from now on what the run finds out about an app.
    pub(super) fn learn_of(&mut self, package: &PackageName) {
        self.learner = Some(Learner::new(package.as_str()));
    }

    /// What the run found out about the app.
    pub(super) const fn learner(&self) -> Option<&Learner> {
        self.learner.as_ref()
    }

    /// Keeps from now on the pictures that follow an action.
    pub(super) fn keep_moments(&mut self) {
        self.moments.get_or_insert_default();
    }

    /// The pictures that followed the last action, oldest first; none where they are not kept.
    pub(super) fn moments(&self) -> Vec<Screenshot> {
        self.moments.clone().unwrap_or_default()
    }

    /// What was in sight when.
    pub(super) const fn looks(&self) -> &Looks {
        &self.looks
    }

    /// All events so far.
    pub(super) fn events(&self) -> &[RunEvent] {
        &self.events
    }

    /// Steps so far.
    pub(super) fn steps(&self) -> &[StepResult] {
        &self.steps
    }

    /// Tells these steps, those of an earlier attempt, in the summary.
    pub(super) fn tell_steps(&mut self, steps: Vec<StepResult>) {
        self.steps = steps;
    }

    /// Counts so far; model calls are the caller's to add.
    pub(super) const fn counts(&self) -> Counts {
        self.counts
    }

    /// What was wrong with the screens so far, by kind.
    pub(super) fn diagnostics(&self) -> &[DiagnosisCount] {
        &self.diagnostics
    }

    /// Counts a trouble that no look at the screen is to blame for.
    pub(super) fn note(&mut self, trouble: Option<Diagnosis>) {
        let Some(mut trouble) = trouble else { return };
        hide_note(&self.mask, &mut trouble);
        tracing::info!(run = %self.run_id, "{trouble}");
        self.count(&trouble);
    }

    fn count(&mut self, trouble: &Diagnosis) {
        if let Some(known) = self.diagnostics.iter_mut().find(|known| known.code == trouble.code) {
            known.count += 1;
        } else {
            let Diagnosis { code, message } = trouble.clone();
            self.diagnostics.push(DiagnosisCount { code, count: 1, message });
        }
    }

    /// How the looks so far came about.
    pub(super) const fn acquisition(&self) -> &Acquisition {
        &self.acquisition
    }

    /// Why nothing may be judged by the last look; `None` where it showed the whole screen.
    pub(super) fn flaw(&self) -> Option<&str> {
        self.flaw.as_deref()
    }

    /// Times so far, the total up to now.
    pub(super) fn timings(&self) -> Timings {
        Timings { total: self.started.elapsed().as_secs_f64() * 1000.0, ..self.timings }
    }

    /// Keeps a file beside the events of a run that is recorded.
    pub(super) fn keep_file(&mut self, name: &str, text: String) {
        if let Some(recording) = &mut self.recording {
            recording.file(name, text.into_bytes());
            self.kept.push(name.to_owned());
        }
    }

    /// Files that are kept beside the events.
    pub(super) fn kept(&self) -> &[String] {
        &self.kept
    }

    /// Hands over the recording to be finished.
    pub(super) fn take_recording(&mut self) -> Option<RecordingWriter> {
        self.recording.take()
    }

    fn sum_up(&mut self, kind: &EventKind) {
        match kind {
            EventKind::StepStarted { index, instruction, rewritten } => self.steps.push(StepResult {
                index: *index,
                instruction: instruction.clone(),
                rewritten: rewritten.clone(),
                verdict: Verdict::Error,
                actions: Vec::new(),
                reason: "not finished".into(),
                confidence: None,
            }),
            EventKind::Decided { decide_ms, .. } => {
                self.timings.decide += decide_ms;
                if let Some(moments) = &mut self.moments {
                    moments.clear();
                }
                if let Some(learner) = &mut self.learner {
                    learner.decided();
                }
            }
            EventKind::Acted { step, action, score, source, act_ms, valid, .. } => {
                if let Some(learner) = &mut self.learner {
                    learner.acted(action, *valid);
                }
                self.counts.actions += 1;
                self.timings.act += act_ms;
                let record = ActionRecord {
                    skill: action.skill().to_owned(),
                    args: arguments(action),
                    target: action.target().map(|target| target.shown_label().to_owned()),
                    score: *score,
                    source: *source,
                };
                if let Some(result) = self.steps.iter_mut().find(|result| result.index == *step) {
                    result.actions.push(record);
                }
            }
            EventKind::StepFinished { index, verdict, reason, confidence } => {
                if let Some(result) = self.steps.iter_mut().find(|result| result.index == *index) {
                    result.verdict = *verdict;
                    result.reason.clone_from(reason);
                    result.confidence = *confidence;
                }
            }
            EventKind::StartedOver { .. } => {
                self.steps.clear();
                self.looks.clear();
            }
            EventKind::RunStarted { .. }
            | EventKind::ScreenObserved { .. }
            | EventKind::ExpectationChecked { .. }
            | EventKind::ScriptWritten { .. }
            | EventKind::RunFinished { .. } => {}
        }
    }
}

/// An action's arguments without the widget's geometry; secrets only by name.
fn arguments(action: &crate::domain::Action) -> serde_json::Value {
    let mut value = serde_json::to_value(action).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.remove("skill");
        object.remove("keys");
        if let Some(target) = object.remove("target") {
            object.insert("bounds".into(), target["bounds"].clone());
            object.insert("tap".into(), target["tap"].clone());
        }
    }
    value
}

impl EventSink for RunRecorder {
    fn emit(&mut self, mut kind: EventKind) {
        hide(&self.mask, &mut kind);
        self.sum_up(&kind);
        let event = RunEvent {
            run_id: self.run_id.clone(),
            seq: self.events.len() as u64,
            at_ms: self.started.elapsed().as_secs_f64() * 1000.0,
            kind,
        };
        if let Some(recording) = &mut self.recording {
            recording.event(&event);
        }
        // Nobody need be listening.
        drop(self.live.send(event.clone()));
        self.events.push(event);
    }
}

impl Recorder for RunRecorder {
    fn screen(&mut self, screen: &Screen, observation: &Observation, observe_ms: f64) {
        self.counts.dumps += observation.dumps.len() as u64;
        self.counts.failed_dumps += observation.dumps.iter().filter(|dump| dump.failure.is_some()).count() as u64;
        let mut notes = observation.notes.clone();
        notes.iter_mut().for_each(|note| hide_note(&self.mask, note));
        self.flaw = observation.flaw().map(|flaw| {
            let tells = |note: &&Diagnosis| matches!(note.code, DiagnosisCode::NoHierarchy | DiagnosisCode::DumpCutOff);
            notes.iter().find(tells).map_or_else(|| flaw.to_string(), |note| note.message.clone())
        });
        let blind = observation.hierarchy.is_empty();
        self.acquisition.add(&observation.dumps, &observation.pictures, observation.rest, blind);
        for note in &notes {
            self.count(note);
        }
        if let Some(learner) = &mut self.learner {
            learner.screen(screen);
        }
        if let (Some(moments), Some(picture)) = (&mut self.moments, &observation.screenshot)
            && moments.len() < MOST_MOMENTS
        {
            moments.push(picture.clone());
        }
        let settle = observation.settle_time.as_secs_f64() * 1000.0;
        self.timings.settle += settle;
        self.timings.observe += (observe_ms - settle).max(0.0);
        let hierarchy = self.recording.as_mut().map(|recording| recording.hierarchy(&observation.hierarchy));
        let screenshot = match (&observation.screenshot, self.recording.as_mut()) {
            (Some(picture), Some(recording)) => Some(recording.picture(picture)),
            _ => None,
        };
        for note in &notes {
            tracing::info!(run = %self.run_id, "{note}");
        }
        self.emit(EventKind::ScreenObserved {
            screen: ScreenView {
                fingerprint: screen.fingerprint.to_string(),
                foreground: screen.foreground.clone(),
                title: screen.shown_title.as_ref().unwrap_or(&screen.title).clone(),
                kind: screen.kind.to_string(),
                picture_hash: screen.picture_hash().map(|hash| format!("{hash:016x}")),
                widgets: screen.widgets.len(),
                hierarchy,
                screenshot,
            },
            observe_ms,
            dumps: observation.dumps.clone(),
            pictures: observation.pictures.clone(),
            rest: observation.rest,
            diagnostics: notes,
        });
        // The time the recording gives it: the page and the reason say the same.
        if let Some(event) = self.events.last() {
            self.looks.note(event.at_ms, screen);
        }
    }

    fn about_to_act(&mut self, screen: &Screen) {
        self.errors_before = Some(ErrorsShown::on(screen));
    }

    fn errors_before(&self) -> Option<&ErrorsShown> {
        self.errors_before.as_ref()
    }
}
