//! Crashes and hangs of the app under test, with the device's log as evidence.

use super::effect::is_of_package;
use crate::adb::command;
use crate::device::{Recorder, Seen, crash_reason};
use crate::hierarchy::ScreenKind;
use crate::pipeline::agent::Agent;
use crate::pipeline::outcome::AgentError;
use std::time::Duration;

/// How long an app may leave a key unanswered before the system calls it not responding, and some more.
const MAX_SILENCE: Duration = Duration::from_secs(8);
/// How often the log is read while waiting for that.
const POLL: Duration = Duration::from_secs(1);

impl Agent<'_> {
    /// The crash of the app: its log is read once the app is not in front any more or the system says so.
    pub(in crate::pipeline) async fn crashed(&self, seen: &Seen) -> Result<Option<String>, AgentError> {
        let says = matches!(seen.screen.kind, ScreenKind::Crash | ScreenKind::NotResponding);
        let in_app = seen.screen.foreground.as_deref().is_some_and(|name| is_of_package(name, self.package.as_str()));
        if in_app && !says {
            return Ok(None);
        }
        let crashes = self.eyes.device.crashes(&self.package).await?;
        Ok(crashes.last().map(|crash| crash_reason(crash)))
    }

    /// The hang of the app, if its window could be read before it was touched and cannot be read any more: a key is sent, and
    /// the system's word is waited for.
    pub(in crate::pipeline) async fn hung(
        &self,
        readable_before: bool,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<String>, AgentError> {
        let device = self.eyes.device;
        if !seen.hierarchy.is_empty() || !readable_before || self.time_left() < MAX_SILENCE {
            return Ok(None);
        }
        device.run(&command::nudge()).await?;
        let mut left = MAX_SILENCE;
        while device.crashes(&self.package).await?.is_empty() {
            if left.is_zero() || self.cancel.is_cancelled() {
                return Ok(None);
            }
            device.let_pass(POLL).await;
            left = left.saturating_sub(POLL);
        }
        *seen = self.eyes.look(recorder).await?;
        self.crashed(seen).await
    }
}
