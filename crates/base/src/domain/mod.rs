//! The vocabulary every other room shares: ids, geometry, actions, selectors, verdicts and run events.
//!
//! Nothing here does I/O, reads a clock, or knows tokio. Everything here can be serialised, compared and printed
//! without leaking a secret.

mod acquisition;
mod action;
mod bundled_table;
mod diagnosis;
mod event;
mod expectation;
mod geometry;
mod id;
mod lots;
mod place;
mod result;
mod screenshot;
mod secret;
mod secret_mask;
mod selector;
mod verdict;
mod words;

pub use acquisition::{Acquisition, DumpAttempt, PictureAttempt, Rest, RestCounts, Rung, Tries};
pub use action::{Action, ActionSource, Target};
pub use bundled_table::{BundledTable, TableError};
pub use diagnosis::{Diagnosis, DiagnosisCode, DiagnosisCount};
pub use event::{CandidateView, EventKind, EventSink, ExpectationOutcome, RunEvent, ScreenView};
pub use expectation::{Expectation, Trouble};
pub use geometry::{Direction, Point, Rect, Size};
pub use id::{CaseId, DeviceSerial, InvalidCaseId, PackageName, RunId};
pub use lots::Lots;
pub use place::{NoPlace, Place};
pub use result::{
    ActionRecord, AppVersion, Attribution, AttributionSign, Counts, DeviceView, RunResult, StepResult, Timings,
};
pub use screenshot::Screenshot;
pub use secret::{InputText, Secret};
pub use secret_mask::{MASK, SecretMask};
pub use selector::{Locator, Selector};
pub use verdict::Verdict;
pub use words::{
    CueList, CueText, content_words, holds_cue, holds_name, is_stop_word, overlap, same_letters, same_word, spans_cue,
    stem, words, writes_without_spaces,
};
