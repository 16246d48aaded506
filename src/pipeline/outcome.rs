//! How a step ended, and how sure that is.

use crate::device::DeviceError;
use crate::domain::{Attribution, Verdict};
use crate::inference::EmbedError;
use std::collections::HashSet;
use std::time::Duration;

/// Above this probability a step counts as surely carried out.
const SURE: f32 = 0.925;
/// Up to this probability nothing that came later bears a step out.
const LIKELY: f32 = 0.6;

/// True if a clause that is so sure, 0 to 1, stands by itself.
pub(super) fn is_sure(value: f32) -> bool {
    value > SURE
}

/// How sure it is that a step that passed was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    /// Probability, 0 to 1.
    pub value: f32,
    /// What speaks against it, in words.
    pub doubt: String,
    /// Nothing was done to what the clause names: another thing may have been taken.
    pub unmet: bool,
}

impl Confidence {
    /// True if the step stands by itself.
    pub fn is_sure(&self) -> bool {
        is_sure(self.value)
    }

    /// True if what comes later may bear the step out.
    pub fn is_likely(&self) -> bool {
        self.value > LIKELY
    }
}

/// What a step began with and what it found: by this later steps bear out earlier ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corroboration {
    /// Texts on the screen when the step began.
    pub shown: HashSet<String>,
    /// Texts of the controls that the step touched without doubt.
    pub found: Vec<String>,
    /// Texts that the step names or typed: seeing them again proves nothing.
    pub given: Vec<String>,
}

impl Corroboration {
    /// True if the text, or one that holds it, stood on the screen when the step began.
    pub fn showed(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.shown.iter().any(|shown| shown.to_lowercase().contains(&text))
    }
}

/// How a step ended, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutcome {
    /// Passed, failed or blocked.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// How sure it is that a step that passed was carried out; `None` where that is no question.
    pub confidence: Option<Confidence>,
    /// What the app itself said that it could not do, although the step passed.
    pub app_error: Option<String>,
    /// It failed for what was not to be seen, which may be for want of what was to be done before.
    pub unseen: bool,
    /// How long nothing came of what another actor had done, if the step waited as long as it may.
    pub unanswered: Option<Duration>,
    /// What bears other steps out.
    pub corroboration: Corroboration,
    /// Whose fault it is that it did not pass, where that was judged.
    pub attribution: Option<Attribution>,
}

impl StepOutcome {
    /// This verdict, for this reason.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            verdict,
            reason: reason.into(),
            confidence: None,
            app_error: None,
            unseen: false,
            unanswered: None,
            corroboration: Corroboration::default(),
            attribution: None,
        }
    }

    /// Passed, for this reason.
    pub fn passed(reason: impl Into<String>) -> Self {
        Self::new(Verdict::Passed, reason)
    }

    /// Failed, for this reason.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self::new(Verdict::Failed, reason)
    }

    /// Blocked, for this reason.
    pub fn blocked(reason: impl Into<String>) -> Self {
        Self::new(Verdict::Blocked, reason)
    }
}

/// Infrastructure failed while the agent worked.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The device or adb.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The model.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The run was cancelled.
    #[error("interrupted")]
    Interrupted,
}
