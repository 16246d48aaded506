//! The agent in goal mode.

use super::coverage::Judge;
use super::cues::GoalCues;
use super::decision::{Decision, Stride, decide};
use super::items::Goal;
use super::offers::Offer;
use super::tuning::Tuning;
use crate::agent::agent::{Agent, AgentError, Effect, blocked, held, milliseconds, passed};
use crate::agent::attempt::MOST_INVALID;
use crate::agent::foresight::{Next, Past};
use crate::agent::memory::StepMemory;
use crate::agent::step::Step;
use crate::agent::{Reading, ReadingError, StepOutcome};
use crate::app_map::{AppMap, View};
use crate::device::{Recorder, Seen};
use crate::domain::{Action, EventKind, InputText, Verdict};
use crate::hierarchy::Screen;
use crate::inference::{EmbedError, Embedder};
use crate::ranking::{Candidate, Ranked};
use std::collections::HashSet;
use std::time::Instant;

/// What planning needs beside the agent: a map, words and weights.
pub struct Planning {
    /// What is known of the app; may be empty.
    pub map: AppMap,
    /// The words the planner knows.
    pub cues: GoalCues,
    /// Its weights.
    pub tuning: Tuning,
    /// How a step is read as a course of actions.
    pub reading: Reading,
}

impl Planning {
    /// Planning with the words and weights that ship with Tapwright.
    pub fn bundled(map: AppMap) -> Result<Self, ReadingError> {
        Ok(Self { map, cues: GoalCues::bundled()?, tuning: Tuning::bundled()?, reading: Reading::bundled()? })
    }
}

/// A goal that is worked on.
pub struct Aim<'a> {
    step: &'a Step,
    planning: &'a Planning,
    goal: Goal,
}

impl<'a> Aim<'a> {
    /// Takes a goal apart.
    pub fn new(step: &'a Step, planning: &'a Planning, embedder: &dyn Embedder) -> Result<Self, EmbedError> {
        let goal = Goal::read(&step.instruction, &step.named, &planning.cues, &planning.map, embedder)?;
        Ok(Self { step, planning, goal })
    }

    fn judge<'b>(&'b self, embedder: &'b dyn Embedder) -> Judge<'b> {
        Judge::new(&self.goal, &self.planning.map, embedder, &self.planning.cues, &self.planning.tuning)
    }
}

impl Agent<'_> {
    /// Works towards a goal until it is reached, blocked or failed. `expected` tells whether all expectations hold.
    pub async fn pursue(
        &mut self,
        aim: &Aim<'_>,
        expected: &(dyn Fn(&Seen) -> Option<bool> + Sync),
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let mut past: Vec<Stride> = Vec::new();
        let mut barred: HashSet<(u64, u64)> = HashSet::new();
        loop {
            if self.cancel.is_cancelled() {
                return Err(AgentError::Interrupted);
            }
            self.clear_the_way(aim.step, &mut StepMemory::default(), seen, recorder).await?;
            let thinking = Instant::now();
            let view = View::of(&seen.screen);
            let decision = decide(&mut aim.judge(self.scorer.embedder), &past, &view, &barred)?;
            let choice = match &decision {
                Decision::Do(offer, worth, why) => as_choice(&seen.screen, offer, *worth, why),
                Decision::Back => Some(plain(Action::PressBack)),
                Decision::Done(reason) => return Ok(passed(reason.clone())),
                Decision::Stuck(reason) => return Ok(blocked(reason.clone())),
            };
            let Some(choice) = choice else { return Ok(blocked("the chosen control is gone")) };
            if let Some(reason) = self.spent() {
                return Ok(blocked(reason));
            }
            recorder.emit(EventKind::Decided {
                step: aim.step.index,
                chosen: choice.view(),
                runners_up: Vec::new(),
                decide_ms: milliseconds(thinking),
                why: choice.terms.first().map(|(name, _)| (*name).to_owned()).unwrap_or_default(),
                expects: self.expects(&choice.candidate.action),
            });
            let before = seen.clone();
            let effect = self.act(aim.step, &choice, &before, seen, recorder).await?;
            self.budget.actions = self.budget.actions.saturating_sub(1);
            let mut crash = self.crashed(seen).await?;
            if crash.is_none() {
                crash = self.hung(&before, seen, recorder).await?;
            }
            if let Some(crash) = crash {
                return Ok(StepOutcome::new(Verdict::Failed, crash));
            }
            let action = choice.candidate.action.clone();
            if let Effect::Impossible(reason) = effect {
                return Ok(blocked(reason));
            }
            if effect == Effect::Invalid {
                let bar = match &decision {
                    Decision::Do(offer, ..) => offer.key(&view),
                    _ => 0,
                };
                if !barred.insert((view.digest, bar)) || barred.len() >= MOST_INVALID {
                    return Ok(blocked(format!("{} actions had no effect", barred.len())));
                }
                if !matches!(decision, Decision::Back) {
                    continue;
                }
            } else {
                self.note_deed(aim.step.index, action.clone(), held(&choice, &before), &before, seen);
            }
            past.push(stride(&before.screen, &action));
            if expected(seen) == Some(true) {
                return Ok(passed("everything expected is on the screen"));
            }
        }
    }

    /// What the agent would do first on `seen`, the past being as if the agent itself had made it.
    pub fn next_towards(&self, aim: &Aim<'_>, past: &[Past<'_>], seen: &Seen) -> Result<Next, AgentError> {
        let strides: Vec<Stride> = past.iter().map(|past| stride(&past.before.screen, &past.action)).collect();
        let view = View::of(&seen.screen);
        Ok(match decide(&mut aim.judge(self.scorer.embedder), &strides, &view, &HashSet::new())? {
            Decision::Do(offer, worth, why) => match as_choice(&seen.screen, &offer, worth, why) {
                Some(choice) => Next::Act(choice.candidate.action),
                None => Next::Stuck("the chosen control is gone".into()),
            },
            Decision::Back => Next::Act(Action::PressBack),
            Decision::Done(reason) => Next::Done(reason),
            Decision::Stuck(reason) => Next::Stuck(reason),
        })
    }
}

pub(super) fn as_choice(screen: &Screen, offer: &Offer, worth: f32, why: &'static str) -> Option<Ranked> {
    let widget = screen.widgets.get(offer.control)?;
    let action = match &offer.typed {
        Some((_, text)) => Action::InputText { target: widget.target(), text: InputText::Plain(text.clone()) },
        None => Action::Click { target: widget.target() },
    };
    let candidate = Candidate { action, widget: Some(widget.id), text: widget.label.clone(), offer: None };
    Some(Ranked { candidate, score: worth, terms: vec![(why, worth)] })
}

pub(super) fn plain(action: Action) -> Ranked {
    let candidate = Candidate { action, widget: None, text: String::new(), offer: None };
    Ranked { candidate, score: 0.0, terms: vec![("the keyboard may hide what is left", 0.0)] }
}

/// What was done, as the planner remembers it.
pub(super) fn stride(before: &Screen, action: &Action) -> Stride {
    let on = View::of(before);
    let typed = match action {
        Action::InputText { text, .. } => Some(text.expose().to_owned()),
        _ => None,
    };
    let control = action.target().and_then(|target| {
        let fits = |control: &&crate::app_map::Control| control.clickable || control.is_field();
        let at = on.controls.iter().filter(fits).find(|control| control.bounds == target.bounds);
        at.map(|control| control.widget)
    });
    Stride { on, control, typed, back: matches!(action, Action::PressBack) }
}
