//! One run is one append-only stream of events; everything else (console, HTTP, report, recording, store) consumes it.

use super::{
    Action, ActionSource, CaseId, DeviceView, Diagnosis, DumpAttempt, PictureAttempt, Rest, RunId, RunResult, Verdict,
};
use serde::Serialize;

/// One thing that happened in a run.
#[derive(Debug, Clone, Serialize)]
pub struct RunEvent {
    /// The run it belongs to.
    pub run_id: RunId,
    /// Position in the stream, from 0, without gaps.
    pub seq: u64,
    /// Milliseconds since the run started.
    pub at_ms: f64,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What can happen in a run.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// First event of every stream.
    RunStarted {
        /// The case.
        case_id: CaseId,
        /// Its title.
        title: String,
        /// The device.
        device: DeviceView,
        /// Seed of every random choice.
        seed: u64,
        /// RFC 3339, UTC.
        started_at: String,
    },
    /// A step begins.
    StepStarted {
        /// Counted from 1.
        index: usize,
        /// As the case has it.
        instruction: String,
        /// As the agent reads it.
        rewritten: String,
    },
    /// A screen was seen.
    ScreenObserved {
        /// What was seen.
        screen: ScreenView,
        /// Milliseconds for dump, screenshot and parsing.
        observe_ms: f64,
        /// Every dump that was tried, in order.
        dumps: Vec<DumpAttempt>,
        /// Every picture that was tried, in order.
        #[serde(default)]
        pictures: Vec<PictureAttempt>,
        /// What told that the screen was at rest.
        #[serde(default)]
        rest: Rest,
        /// What was wrong with this look.
        diagnostics: Vec<Diagnosis>,
    },
    /// An action was chosen.
    Decided {
        /// The step, from 1.
        step: usize,
        /// The choice.
        chosen: CandidateView,
        /// The next best, best first.
        runners_up: Vec<CandidateView>,
        /// Milliseconds to choose.
        decide_ms: f64,
        /// Why this, in words.
        #[serde(default)]
        why: String,
        /// What it is expected to do, in words.
        #[serde(default)]
        expects: String,
    },
    /// An action was carried out.
    Acted {
        /// The step, from 1.
        step: usize,
        /// The action; secrets only by name.
        action: Action,
        /// The ranking's score, for actions of the agent.
        score: Option<f32>,
        /// Who chose it.
        source: ActionSource,
        /// False when the screen shows that it had no effect or the wrong one; such an action is excluded next time.
        valid: bool,
        /// What made it valid or invalid.
        reason: String,
        /// Milliseconds to send it.
        act_ms: f64,
        /// Milliseconds until the screen was at rest.
        settle_ms: f64,
        /// The lines that the device's shell was given, secrets masked; empty where none was, and in older recordings.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        adb: Vec<String>,
    },
    /// A step ended.
    StepFinished {
        /// Counted from 1.
        index: usize,
        /// Its verdict.
        verdict: Verdict,
        /// Why.
        reason: String,
        /// How sure it is that a step that passed was carried out, from 0 to 1; absent where that is no question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f32>,
    },
    /// The case starts over with clean data, because the attempt before came to a dead end.
    StartedOver {
        /// The attempt that begins, from 2.
        attempt: u32,
        /// What it does otherwise, in words.
        otherwise: String,
    },
    /// An expectation of the case was checked.
    ExpectationChecked {
        /// What was found.
        outcome: ExpectationOutcome,
    },
    /// A script was recorded.
    ScriptWritten {
        /// Its path.
        path: String,
    },
    /// Last event of every stream.
    RunFinished {
        /// The summary.
        result: RunResult,
    },
}

/// A screen as events show it.
#[derive(Debug, Clone, Serialize)]
pub struct ScreenView {
    /// Structural fingerprint.
    pub fingerprint: String,
    /// `package/activity` in the foreground, where known.
    pub foreground: Option<String>,
    /// A short title a person would give it.
    pub title: String,
    /// `dialog`, `permission`, `crash`, `not_responding`, `loading`, `empty`, `web`, `keyboard` or `ordinary`.
    pub kind: String,
    /// Perceptual hash of the picture, sixteen hexadecimal digits; close pictures differ in few bits.
    pub picture_hash: Option<String>,
    /// Number of widgets that can be acted on or read.
    pub widgets: usize,
    /// Artifact path of the dump, relative to the run's folder.
    pub hierarchy: Option<String>,
    /// Artifact path of the PNG, relative to the run's folder.
    pub screenshot: Option<String>,
}

/// A candidate action as events show it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateView {
    /// The action; secrets only by name.
    pub action: Action,
    /// The text the model compared.
    pub text: String,
    /// Final score.
    pub score: f32,
    /// Named terms that add up to the score.
    pub terms: Vec<(String, f32)>,
}

/// How one expectation turned out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpectationOutcome {
    /// The expectation in words: `visible: Card added`.
    pub expectation: String,
    /// Whether it held.
    pub held: bool,
    /// What the screen showed.
    pub evidence: String,
    /// What is spoken of was found, and is not as it should be; else it was not found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contradicted: bool,
}

impl ExpectationOutcome {
    /// The text that was expected to be seen, and was; `None` for every other expectation.
    pub fn text_seen(&self) -> Option<&str> {
        let told = self.expectation.strip_prefix("visible: ").or_else(|| self.expectation.strip_prefix("screen: "));
        told.filter(|_| self.held)
    }

    /// The first of these texts that is what was expected to be seen but for its numbers: "paid $ 5" for "paid $ 7". A text that
    /// is hardly more than a number has no counterpart.
    pub fn counterpart<'t>(&self, shown: impl Iterator<Item = &'t str>) -> Option<&'t str> {
        let told = self.expectation.strip_prefix("visible: ").filter(|_| !self.held)?;
        let shape = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let number = |word: &str| word.chars().any(|c| c.is_ascii_digit());
            let mut shape: Vec<String> =
                words.map(|word| if number(word) { "#".to_owned() } else { word.to_lowercase() }).collect();
            shape.dedup_by(|one, other| one == "#" && other == "#");
            shape
        };
        let wanted = shape(told);
        let says = wanted.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2);
        let alike = |text: &&str| {
            let own = shape(text);
            own.windows(wanted.len().max(1)).any(|part| part == wanted.as_slice())
        };
        let mut shown = shown;
        if says && wanted.iter().any(|word| word == "#") { shown.find(alike) } else { None }
    }
}

/// Takes the events of a run, in order.
pub trait EventSink: Send {
    /// Takes one event.
    fn emit(&mut self, kind: EventKind);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counterpart_differs_in_its_numbers_only() {
        let wanted = |text: &str| ExpectationOutcome {
            expectation: format!("visible: {text}"),
            held: false,
            evidence: String::new(),
            contradicted: false,
        };
        let shown = ["Ticket", "No. 7, paid € 43.00", "Seat 2B"];
        let near = |text: &str| wanted(text).counterpart(shown.into_iter());
        assert_eq!(near("paid € 38.50"), Some("No. 7, paid € 43.00"));
        assert_eq!(near("Seat 2A"), Some("Seat 2B"));
        assert_eq!(near("€ 38.50"), None, "hardly more than a number");
        assert_eq!(near("Given back"), None, "no number at all");
        assert_eq!(ExpectationOutcome { held: true, ..wanted("Seat 2A") }.counterpart(shown.into_iter()), None);
        assert_eq!(ExpectationOutcome { held: true, ..wanted("Ticket") }.text_seen(), Some("Ticket"));
        assert_eq!(wanted("Ticket").text_seen(), None);
    }
}
