//! Waiting for what only time or others bring. A still screen that nothing announces is not waited on for long.

use super::perform::milliseconds;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, ActionSource, EventKind};
use crate::hierarchy::{Screen, ScreenKind, new_error, says_trouble};
use crate::pipeline::agent::Agent;
use crate::pipeline::outcome::AgentError;
use std::time::{Duration, Instant};

/// How long a step may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// In front of a screen that says nothing of going on.
    pub quiet: Duration,
    /// While the screen says that it is busy.
    pub busy: Duration,
    /// What the step needs may be the doing of somebody else, who acts on a device of their own.
    pub in_company: bool,
    /// How long what is meant may take to come before something that may be meant is touched.
    pub doubt: Duration,
}

impl Patience {
    /// Of somebody who is alone with the app.
    pub const ALONE: Self =
        Self { quiet: Duration::from_secs(6), busy: Duration::from_secs(90), in_company: false, doubt: MAX_DOUBT };
    /// Of somebody who waits for what another does, and something has come already.
    pub const IN_COMPANY: Self =
        Self { quiet: Duration::from_secs(180), busy: Duration::from_secs(180), in_company: true, doubt: MAX_DOUBT };
    /// The same where nothing has come yet: the screen is as it was before the other acted.
    pub const EXPECTANT: Self = Self { doubt: Duration::from_secs(180), ..Self::IN_COMPANY };
}

/// How long what is meant may take to come, where something has come, before something that may be meant is touched.
const MAX_DOUBT: Duration = Duration::from_secs(30);
/// The first pause; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// What a step has waited for so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Waited {
    /// In all.
    pub total: Duration,
    /// How often.
    pub times: u32,
    /// The screen changed meanwhile.
    pub changed: bool,
    /// How often, since the last search was sent, for what it finds.
    pub searches: u32,
    /// The screen (by digest) on which something better was given a moment to come.
    pub on: Option<u64>,
}

impl Waited {
    fn pause(self) -> Duration {
        FIRST_PAUSE.saturating_mul(1 << self.times.min(5)).min(MAX_PAUSE)
    }

    /// How long nothing at all came of what another did; `None` unless that was all the time that it is given.
    pub(in crate::pipeline) fn unanswered(self, patience: Patience) -> Option<Duration> {
        let all = patience == Patience::EXPECTANT && !self.changed && self.total >= patience.doubt;
        all.then_some(self.total)
    }

    /// True while what is meant may still come, so that what only may be meant is left alone.
    pub(in crate::pipeline) fn may_doubt(self, patience: Patience) -> bool {
        self.total < if self.changed { MAX_DOUBT.min(patience.doubt) } else { patience.doubt }
    }
}

/// True if something on the screen spins or fills up.
pub(crate) fn is_busy(screen: &Screen) -> bool {
    let waits = |class: &str| class.ends_with("ProgressBar") || class.ends_with("ProgressIndicator");
    screen.kind == ScreenKind::Loading
        || screen.tree.nodes.iter().any(|node| waits(&node.class) && !node.bounds.is_empty())
}

/// True if the app says that something does not work now and may work later.
pub(super) fn is_in_trouble(screen: &Screen) -> bool {
    screen.widgets.iter().any(|widget| !widget.clickable && says_trouble(&widget.label))
}

impl Agent<'_> {
    /// Waits once if there is reason to and patience left. True if it waited.
    pub(in crate::pipeline) async fn wait_once(
        &mut self,
        step: usize,
        waited: &mut Waited,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        let busy = is_busy(&seen.screen) || is_in_trouble(&seen.screen);
        let most = if busy { self.patience.busy } else { self.patience.quiet };
        let left = most.saturating_sub(waited.total).min(self.time_left());
        // Who is told that something is wrong, in reply to what was done, waits for nothing.
        let before_deed = recorder.errors_before().filter(|_| !self.patience.in_company);
        let answered = before_deed.is_some_and(|before| new_error(before, &seen.screen).is_some());
        if left.is_zero() || answered {
            return Ok(false);
        }
        let before = seen.screen.digest;
        let passed = self.let_pass(step, waited.pause().min(left), seen, recorder).await?;
        waited.total += passed.max(Duration::from_millis(200));
        waited.times += 1;
        if seen.screen.digest != before {
            waited.changed = true;
            waited.times = 0;
        }
        Ok(true)
    }

    /// Lets time pass until the screen changes, at most `limit`, and looks. Returns how much passed.
    pub(in crate::pipeline) async fn let_pass(
        &mut self,
        step: usize,
        limit: Duration,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Duration, AgentError> {
        let device = self.eyes.device;
        let (asked, begun) = (Instant::now(), device.now());
        let changed = device.wait_for_change(&seen.hierarchy, limit).await?;
        let passed = device.now().saturating_sub(begun);
        *seen = self.eyes.look(recorder).await?;
        recorder.emit(EventKind::Acted {
            step,
            action: Action::Wait { ms: u64::try_from(passed.as_millis()).unwrap_or(u64::MAX) },
            score: None,
            source: ActionSource::Agent,
            valid: true,
            reason: if changed { "the screen changed" } else { "the screen stayed as it was" }.to_owned(),
            act_ms: milliseconds(asked),
            settle_ms: 0.0,
            adb: Vec::new(),
        });
        self.journal.pending_wait.waited += passed;
        Ok(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waited(seconds: u64, changed: bool) -> Waited {
        Waited { total: Duration::from_secs(seconds), changed, ..Waited::default() }
    }

    #[test]
    fn pauses_grow_to_half_a_minute() {
        let pause = |times| Waited { times, ..Waited::default() }.pause().as_secs();
        assert_eq!([0, 1, 2, 3, 4, 5, 60].map(pause), [1, 2, 4, 8, 16, 30, 30]);
    }

    #[test]
    fn nothing_came_of_what_another_did_only_where_the_screen_stayed_for_all_the_time_it_is_given() {
        let unanswered = |seconds, changed, patience| waited(seconds, changed).unanswered(patience);
        assert_eq!(unanswered(180, false, Patience::EXPECTANT), Some(Duration::from_secs(180)));
        assert_eq!(unanswered(179, false, Patience::EXPECTANT), None, "there was time left");
        assert_eq!(unanswered(300, true, Patience::EXPECTANT), None, "something came");
        assert_eq!(unanswered(300, false, Patience::IN_COMPANY), None, "something had come before");
        assert_eq!(unanswered(300, false, Patience::ALONE), None, "nobody else was to do anything");
    }

    #[test]
    fn what_may_be_meant_is_left_alone_for_longer_while_nothing_has_come() {
        assert!(waited(100, false).may_doubt(Patience::EXPECTANT) && !waited(100, true).may_doubt(Patience::EXPECTANT));
        assert!(
            waited(20, false).may_doubt(Patience::IN_COMPANY) && !waited(30, false).may_doubt(Patience::IN_COMPANY)
        );
    }
}
