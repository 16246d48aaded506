//! Noting what is true while the agent works.

use super::snapshot::Snapshot;
use crate::domain::{EventKind, RunEvent};
use crate::evaluation::suite::Phone;
use crate::evaluation::watched_device::{Call, Watcher};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc::UnboundedReceiver;

/// What was true at one moment of a run.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::evaluation::suite) struct Sampled {
    /// What was true.
    pub(in crate::evaluation::suite) truth: Snapshot,
    /// Times that the case had started over.
    pub(in crate::evaluation::suite) attempt: usize,
    /// The step under way, from 1; 0 before the first.
    pub(in crate::evaluation::suite) step: usize,
    /// The action chosen last, in words; secrets by name only.
    pub(in crate::evaluation::suite) action: String,
    /// The steps that ended last, where nothing was done since.
    pub(in crate::evaluation::suite) after: Vec<usize>,
}

/// Follows a run on its devices.
pub(in crate::evaluation::suite) struct Watch {
    phones: BTreeMap<String, Arc<Phone>>,
    notes: Mutex<Notes>,
}

struct Notes {
    coming: UnboundedReceiver<RunEvent>,
    events: Vec<RunEvent>,
    samples: Vec<Sampled>,
    step: usize,
    action: String,
    after: Vec<usize>,
    /// Times that the case started over.
    attempt: usize,
    /// The next step has begun: what is done now belongs to it.
    next_begun: bool,
}

impl Watch {
    /// Follows the run whose events come from `coming`.
    pub(in crate::evaluation::suite) fn new(
        phones: BTreeMap<String, Arc<Phone>>,
        coming: UnboundedReceiver<RunEvent>,
    ) -> Self {
        let notes = Notes {
            coming,
            events: Vec::new(),
            samples: Vec::new(),
            step: 0,
            action: String::new(),
            after: Vec::new(),
            attempt: 0,
            next_begun: false,
        };
        Self { phones, notes: Mutex::new(notes) }
    }

    /// The run has ended: its events, and what was true on the way.
    pub(in crate::evaluation::suite) fn end(&self) -> (Vec<RunEvent>, Vec<Sampled>) {
        self.look(Call::Looks);
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        (std::mem::take(&mut notes.events), std::mem::take(&mut notes.samples))
    }

    fn look(&self, call: Call) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.hear();
        let truth = Snapshot::of(self.phones.iter().map(|(actor, phone)| (actor.as_str(), phone.as_ref())));
        let (attempt, step, action, after) = (notes.attempt, notes.step, notes.action.clone(), notes.after.clone());
        let sample = Sampled { truth, attempt, step, action, after };
        let same =
            |last: &Sampled| last.truth == sample.truth && last.after == sample.after && last.attempt == sample.attempt;
        let known = notes.samples.last().is_some_and(same);
        if !known {
            notes.samples.push(sample);
        }
        if call == Call::Acts && notes.next_begun {
            notes.after.clear();
        }
    }
}

impl Watcher for Watch {
    fn before(&self, call: Call) {
        match self.phones.values().next() {
            // Examining is no part of what the agent takes.
            Some(phone) => phone.timed(|| self.look(call)),
            None => self.look(call),
        }
    }
}

impl Notes {
    fn hear(&mut self) {
        while let Ok(event) = self.coming.try_recv() {
            match &event.kind {
                EventKind::StepStarted { index, .. } => {
                    self.next_begun = !self.after.contains(index);
                    self.step = *index;
                }
                EventKind::Decided { chosen, .. } => self.action = chosen.action.to_string(),
                EventKind::Acted { action, .. } => self.action = action.to_string(),
                EventKind::StartedOver { .. } => {
                    self.step = 0;
                    self.after.clear();
                    self.next_begun = false;
                    self.attempt += 1;
                }
                EventKind::StepFinished { index, .. } => {
                    self.after.push(*index);
                    self.next_begun = false;
                }
                _ => {}
            }
            self.events.push(event);
        }
    }
}
