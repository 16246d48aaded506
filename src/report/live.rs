//! The line that stands at the end of a console while nothing happens: what is waited for, and how long.

use super::words::deed_words;
use crate::domain::{ActionSource, EventKind, RunEvent};
use std::time::Duration;

/// What takes no longer is not told: a line that comes and goes is hard to read.
const AT_ONCE: Duration = Duration::from_secs(2);
/// A dump that takes longer is told as not answered.
const LATE: Duration = Duration::from_secs(8);

/// What a run is at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Phase {
    /// The device is made ready and the app started.
    #[default]
    Starting,
    /// What comes next is decided, or waited for.
    Deciding(usize),
    /// An action was sent, and the screen after it is looked at.
    Looking(String),
    /// A script waits for the screen of its next action, and looks.
    Following(String),
    /// What the case expects is looked for.
    Expecting,
    /// It has ended.
    Over,
}

/// What is told while nothing happens.
#[derive(Debug, Default)]
pub(super) struct Live {
    phase: Phase,
    /// Time of the last event.
    since: Duration,
    /// Columns of the line that stands there now.
    shown: usize,
}

impl Live {
    /// Takes an event in that came at `now`.
    pub(super) fn note(&mut self, event: &RunEvent, now: Duration) {
        self.since = now;
        self.phase = match &event.kind {
            EventKind::RunStarted { .. } | EventKind::StartedOver { .. } => Phase::Starting,
            EventKind::StepStarted { index, .. } => match std::mem::take(&mut self.phase) {
                // A replay tells of a step when its first action was carried out.
                following @ Phase::Following(_) => following,
                _ => Phase::Deciding(*index),
            },
            EventKind::ScreenObserved { .. } => match std::mem::take(&mut self.phase) {
                Phase::Looking(_) | Phase::Starting => Phase::Deciding(0),
                other => other,
            },
            EventKind::Decided { chosen, .. } => Phase::Looking(deed_words(&chosen.action)),
            EventKind::Acted { source: ActionSource::Script, action, .. } => Phase::Following(deed_words(action)),
            EventKind::Acted { step, .. } => Phase::Deciding(*step),
            EventKind::StepFinished { .. } | EventKind::ExpectationChecked { .. } => Phase::Expecting,
            EventKind::ScriptWritten { .. } | EventKind::RunFinished { .. } => Phase::Over,
        };
    }

    /// What is to stand there at `now`; `None` where nothing was waited for yet.
    pub(super) fn words(&self, now: Duration) -> Option<String> {
        let waited = now.saturating_sub(self.since);
        if waited < AT_ONCE {
            return None;
        }
        let seconds = waited.as_secs();
        let what = match &self.phase {
            Phase::Starting => "waiting for the app to start".to_owned(),
            Phase::Deciding(0) => "deciding what comes next".to_owned(),
            Phase::Deciding(step) => format!("deciding on step {step}"),
            Phase::Looking(deed) if waited >= LATE => {
                return Some(format!("{deed}: dump not answered for {seconds} s"));
            }
            Phase::Looking(deed) => format!("{deed}: waiting for the screen"),
            Phase::Following(deed) => format!("{deed}: waiting for what the script does next"),
            Phase::Expecting => "waiting for what is expected".to_owned(),
            Phase::Over => return None,
        };
        Some(format!("{what}, {seconds} s"))
    }

    /// What is to be written so that the line of `now` stands at the end, at most so many columns wide; empty where nothing
    /// changes.
    pub(super) fn tick(&mut self, now: Duration, width: usize) -> String {
        let Some(words) = self.words(now) else { return String::new() };
        let line = super::words::shortened(&words, width.saturating_sub(1));
        let written = format!("{}{line}", self.erase());
        self.shown = line.chars().count();
        written
    }

    /// What is to be written so that nothing stands there any more.
    pub(super) fn erase(&mut self) -> String {
        match std::mem::take(&mut self.shown) {
            0 => String::new(),
            shown => format!("\r{}\r", " ".repeat(shown)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn what_is_waited_for_is_told_with_how_long_and_a_late_dump_by_name() {
        let mut live = Live::default();
        let mut told = Vec::new();
        for (event, second) in sample::failed_run().iter().zip((0..).step_by(100)) {
            live.note(event, at(second));
            assert_eq!(live.words(at(second + 1)), None, "nothing is told at once");
            told.push(live.words(at(second + 12)).unwrap_or_default());
        }
        for part in [
            "waiting for the app to start, 12 s",
            "deciding on step 1, 12 s",
            "deciding what comes next, 12 s",
            "waiting for what is expected, 12 s",
        ] {
            assert!(told.iter().any(|told| told == part), "{part:?} is not in {told:?}");
        }
        assert!(told.iter().any(|told| told.ends_with(": dump not answered for 12 s")), "{told:?}");
        assert_eq!(told.last().map(String::as_str), Some(""), "a run that has ended waits for nothing");
        let mut live = Live::default();
        let replay = sample::replayed_run();
        let acted = replay.iter().find(|event| matches!(event.kind, EventKind::Acted { .. })).unwrap();
        live.note(acted, at(0));
        assert!(live.words(at(5)).unwrap().ends_with(": waiting for what the script does next, 5 s"));
    }

    #[test]
    fn the_line_takes_the_place_of_the_one_before_and_leaves_nothing_behind() {
        let mut live = Live::default();
        assert_eq!(live.tick(at(1), 80), "");
        assert_eq!(live.tick(at(3), 80), "waiting for the app to start, 3 s");
        assert_eq!(live.tick(at(4), 20), format!("\r{}\rwaiting for the ap…", " ".repeat(33)));
        assert_eq!(live.erase(), format!("\r{}\r", " ".repeat(19)));
        assert_eq!(live.erase(), "");
    }
}
