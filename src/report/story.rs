//! A run's events folded into what a page shows: steps, each with its actions.

use crate::domain::{
    Action, ActionSource, CandidateView, DeviceView, EventKind, ExpectationOutcome, RunEvent, RunResult, ScreenView,
    Verdict,
};

/// A run, as far as its events tell.
#[derive(Debug, Default)]
pub(super) struct Story {
    pub(super) run_id: String,
    pub(super) case_id: String,
    pub(super) title: String,
    pub(super) device: Option<DeviceView>,
    pub(super) seed: u64,
    pub(super) started_at: String,
    pub(super) steps: Vec<StepStory>,
    pub(super) expectations: Vec<ExpectationOutcome>,
    pub(super) last_screen: Option<ScreenView>,
    /// Every screen that was seen, in order, equal ones in a row once; each with the milliseconds since the run began.
    pub(super) screens: Vec<(f64, ScreenView)>,
    pub(super) script: Option<String>,
    pub(super) result: Option<RunResult>,
    /// What is odd about the stream itself.
    pub(super) oddities: Vec<String>,
}

/// One step.
#[derive(Debug, Default)]
pub(super) struct StepStory {
    pub(super) index: usize,
    pub(super) instruction: String,
    pub(super) rewritten: String,
    pub(super) actions: Vec<ActionStory>,
    /// Verdict and reason; `None` when the stream broke off.
    pub(super) end: Option<(Verdict, String)>,
}

/// One action: what was seen, chosen, done.
#[derive(Debug)]
pub(super) struct ActionStory {
    /// The screen it was carried out on.
    pub(super) before: Option<ScreenView>,
    pub(super) action: Action,
    pub(super) choice: Option<Choice>,
    /// From the end of the action before it (or the first screen) to the screen at rest after it.
    pub(super) took_ms: f64,
    /// When it was over, in milliseconds since the run began.
    pub(super) at_ms: f64,
    /// `None` when it was chosen but not carried out.
    pub(super) done: Option<Done>,
}

/// The ranking's answer.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) chosen: CandidateView,
    pub(super) runners_up: Vec<CandidateView>,
    pub(super) decide_ms: f64,
    pub(super) why: String,
    pub(super) expects: String,
}

/// What became of an action.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) score: Option<f32>,
    pub(super) source: ActionSource,
    pub(super) valid: bool,
    pub(super) reason: String,
    pub(super) act_ms: f64,
    pub(super) settle_ms: f64,
    pub(super) adb: Vec<String>,
}

/// Below this distance between the best and the next best score, the choice was a close call.
const CLOSE_CALL: f32 = 0.1;

impl Choice {
    /// The next best was hardly worse. Another field of the same form is no rival: its turn comes.
    pub(super) fn is_close(&self) -> bool {
        close_call(&self.chosen, &self.runners_up)
    }
}

/// The next best was hardly worse than what was chosen.
pub(super) fn close_call(chosen: &CandidateView, runners_up: &[CandidateView]) -> bool {
    let waits = |next: &CandidateView| next.terms.iter().any(|(name, _)| name == "parameter");
    runners_up.first().is_some_and(|next| chosen.score - next.score < CLOSE_CALL && !waits(next))
}

impl ActionStory {
    /// Whether it did more than wait or look further.
    pub(super) const fn touches(&self) -> bool {
        !matches!(self.action, Action::Wait { .. } | Action::Scroll { .. })
    }

    /// Whether another control could have been meant as well.
    pub(super) fn is_unsure(&self) -> bool {
        self.touches() && self.choice.as_ref().is_some_and(Choice::is_close)
    }
}

impl Story {
    /// The last step that was begun.
    pub(super) fn last_step(&self) -> Option<&StepStory> {
        self.steps.last()
    }

    /// Folds a stream. Never fails: a broken stream makes a story with oddities.
    pub(super) fn fold(events: &[RunEvent]) -> Self {
        let mut fold =
            Fold { story: Self::default(), attempts: Vec::new(), choice: None, earlier: None, clock: Clock::default() };
        for (expected, event) in (0..).zip(events) {
            if event.seq != expected {
                fold.story.oddities.push(format!("event {} stands at position {expected} of the stream", event.seq));
            }
            fold.event(event);
        }
        fold.abandon();
        let mut story = fold.story;
        if story.result.is_none() {
            story.oddities.push("the run has no end: its process was stopped".to_owned());
        }
        story
    }
}

struct Fold {
    story: Story,
    /// Steps and expectations of the attempts before the one at work.
    attempts: Vec<(Vec<StepStory>, Vec<ExpectationOutcome>)>,
    choice: Option<Choice>,
    /// The screen seen before the last one. An `acted` event follows the screen its action led to.
    earlier: Option<ScreenView>,
    clock: Clock,
}

/// Tells how long each action of a stream took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clock {
    since_ms: Option<f64>,
}

impl Clock {
    /// To be called with every event, in order: the time of an `acted` event since the action before it.
    pub(super) fn tick(&mut self, event: &RunEvent) -> Option<f64> {
        match &event.kind {
            EventKind::ScreenObserved { .. } if self.since_ms.is_none() => {
                self.since_ms = Some(event.at_ms);
                None
            }
            EventKind::Acted { .. } => {
                let since = self.since_ms.replace(event.at_ms).unwrap_or(event.at_ms);
                Some(event.at_ms - since)
            }
            _ => None,
        }
    }
}

impl Fold {
    fn event(&mut self, event: &RunEvent) {
        let took_ms = self.clock.tick(event).unwrap_or_default();
        match &event.kind {
            EventKind::RunStarted { case_id, title, device, seed, started_at } => {
                self.story.run_id = event.run_id.to_string();
                self.story.case_id = case_id.to_string();
                self.story.title.clone_from(title);
                self.story.device = Some(device.clone());
                self.story.seed = *seed;
                self.story.started_at.clone_from(started_at);
            }
            EventKind::StepStarted { index, instruction, rewritten } => {
                self.abandon();
                let (instruction, rewritten) = (instruction.clone(), rewritten.clone());
                self.story.steps.push(StepStory { index: *index, instruction, rewritten, ..StepStory::default() });
            }
            EventKind::ScreenObserved { screen, .. } => {
                if self.story.screens.last().is_none_or(|(_, known)| known.hierarchy != screen.hierarchy) {
                    self.story.screens.push((event.at_ms, screen.clone()));
                }
                let before = self.story.last_screen.replace(screen.clone());
                if self.choice.is_none() {
                    self.earlier = before;
                }
            }
            EventKind::Decided { chosen, runners_up, decide_ms, why, expects, .. } => {
                self.abandon();
                let (chosen, runners_up) = (chosen.clone(), runners_up.clone());
                let (why, expects) = (why.clone(), expects.clone());
                // What is seen from here on comes after the action.
                self.earlier = self.story.last_screen.clone();
                self.choice = Some(Choice { chosen, runners_up, decide_ms: *decide_ms, why, expects });
            }
            EventKind::Acted { action, score, source, valid, reason, act_ms, settle_ms, adb, .. } => {
                let done = Done {
                    score: *score,
                    source: *source,
                    valid: *valid,
                    reason: reason.clone(),
                    act_ms: *act_ms,
                    settle_ms: *settle_ms,
                    adb: adb.clone(),
                };
                let choice = self.choice.take();
                self.push(action.clone(), choice, Some(done), (took_ms, event.at_ms));
            }
            EventKind::StepFinished { verdict, reason, .. } => {
                self.abandon();
                if let Some(step) = self.story.steps.last_mut() {
                    step.end = Some((*verdict, reason.clone()));
                }
            }
            EventKind::StartedOver { .. } => self.set_aside(),
            EventKind::ExpectationChecked { outcome } => self.story.expectations.push(outcome.clone()),
            EventKind::ScriptWritten { path } => self.story.script = Some(path.clone()),
            EventKind::RunFinished { result } => {
                self.tell(result.told_attempt);
                self.story.result = Some(result.clone());
            }
        }
    }

    /// Sets the attempt aside that came to a dead end: another begins.
    fn set_aside(&mut self) {
        self.abandon();
        let (steps, expectations) =
            (std::mem::take(&mut self.story.steps), std::mem::take(&mut self.story.expectations));
        self.attempts.push((steps, expectations));
    }

    /// Tells this attempt, from 1.
    fn tell(&mut self, attempt: u32) {
        let at = (attempt as usize).saturating_sub(1);
        if at < self.attempts.len() {
            (self.story.steps, self.story.expectations) = self.attempts.swap_remove(at);
        }
    }

    /// A choice that nothing followed is shown as not carried out.
    fn abandon(&mut self) {
        if let Some(choice) = self.choice.take() {
            self.push(choice.chosen.action.clone(), Some(choice), None, (0.0, 0.0));
        }
    }

    fn push(&mut self, action: Action, choice: Option<Choice>, done: Option<Done>, (took_ms, at_ms): (f64, f64)) {
        let before = self.earlier.clone().or_else(|| self.story.last_screen.clone());
        let Some(step) = self.story.steps.last_mut() else {
            self.story.oddities.push(format!("an action outside any step: {action}"));
            return;
        };
        step.actions.push(ActionStory { before, action, choice, took_ms, at_ms, done });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn actions_belong_to_their_step_with_the_screen_before_them() {
        let story = Story::fold(&sample::failed_run());
        assert_eq!(story.steps.iter().map(|step| step.actions.len()).collect::<Vec<_>>(), [2, 1]);
        assert!(!story.steps[0].actions[0].done.as_ref().unwrap().valid);
        assert_eq!(story.steps[1].actions[0].before.as_ref().unwrap().title, "Payment password");
        assert_eq!(story.steps[0].actions[1].before.as_ref().unwrap().title, "Choose bank");
        assert_eq!(story.last_screen.unwrap().title, "Result");
        assert!(story.oddities.is_empty());
    }

    #[test]
    fn of_several_attempts_the_one_is_shown_that_the_result_tells() {
        let story = Story::fold(&sample::run_of_two_attempts());
        assert_eq!(story.steps.iter().map(|step| step.actions.len()).collect::<Vec<_>>(), [2, 1]);
        assert!(story.steps.iter().all(|step| step.instruction != "Again") && !story.expectations.is_empty());
    }

    #[test]
    fn a_replayed_action_is_shown_on_the_screen_it_was_carried_out_on() {
        let story = Story::fold(&sample::replayed_run());
        let titles: Vec<_> =
            story.steps[0].actions.iter().map(|action| action.before.as_ref().unwrap().title.as_str()).collect();
        assert_eq!(titles, ["Home", "Bills"]);
        assert!(story.steps[0].actions.iter().all(|action| action.took_ms > 0.0));
    }

    #[test]
    fn a_stream_that_breaks_off_is_told_as_such() {
        let events = sample::failed_run();
        let story = Story::fold(&events[..4]);
        assert!(story.steps[0].actions[0].done.is_none(), "the last choice was not carried out");
        assert_eq!(story.oddities, ["the run has no end: its process was stopped"]);
        let gap: Vec<_> = events.into_iter().enumerate().filter(|(at, _)| *at != 2).map(|(_, event)| event).collect();
        assert!(!Story::fold(&gap).oddities.is_empty());
        assert!(Story::fold(&[]).steps.is_empty());
    }
}
