//! Back into the app: who goes back further than its first page leaves it, and hardly a step means that.

use super::agent::{Agent, AgentError};
use super::step::Step;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, ActionSource, CueText, EventKind};
use crate::hierarchy::{Screen, ScreenKind};
use std::time::Instant;

impl Agent<'_> {
    /// Opens the app again where the back key has left it, unless the step asks for the key itself. True where it did.
    pub(super) async fn come_back(
        &mut self,
        step: &Step,
        action: &Action,
        before: &Seen,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        let own = |screen: &Screen| is_of(screen, self.package.as_str());
        let left = matches!(action, Action::PressBack) && own(&before.screen) == Some(true);
        let outside = own(&seen.screen) == Some(false) && seen.screen.kind == ScreenKind::Ordinary;
        if !left || !outside || self.scorer.cues.is_system_back(&CueText::new(&step.instruction)) {
            return Ok(false);
        }
        let begun = Instant::now();
        let outside = seen.clone();
        self.eyes.device.open(&self.package).await?;
        *seen = self.eyes.look(recorder).await?;
        let open = Action::OpenApp { package: self.package.clone() };
        recorder.emit(EventKind::Acted {
            step: step.index,
            action: open.clone(),
            score: None,
            source: ActionSource::Agent,
            valid: own(&seen.screen) == Some(true),
            reason: "going back has left the app, so it was opened again".to_owned(),
            act_ms: begun.elapsed().as_secs_f64() * 1000.0,
            settle_ms: 0.0,
            adb: Vec::new(),
        });
        for (action, from, to) in [(action.clone(), before, &outside), (open, &outside, &*seen)] {
            self.note_deed(step.index, action, 0, from, to);
        }
        Ok(true)
    }
}

/// Whether a screen is of an app; `None` where nothing tells.
fn is_of(screen: &Screen, package: &str) -> Option<bool> {
    screen.foreground.as_deref().and_then(|name| name.split('/').next()).map(|front| front == package)
}
