//! What a case's walkthrough leaves behind, and how a run is judged by it.

use super::face::{ViewVariables, difference, without};
use super::snapshot::AppKey;
use super::subject::{State, Subject, changed_by, told};
use super::tally::Tally;
use super::unasked::{Unasked, asked, unasked};
use super::watch::Sampled;
use crate::domain::Verdict;
use crate::evaluation::suite::walkthrough::{Attribution, Moment, Played};

/// What a walkthrough leaves behind, step by step.
pub(in crate::evaluation::suite) struct Yardstick {
    moments: Vec<Moment>,
    /// Actions done at the end of each step; before the first, none.
    ends: Vec<usize>,
    subject: Subject,
    views: ViewVariables,
    asked: Tally,
}

/// How a step is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evaluation::suite) struct StepJudgement {
    /// The state is as the walkthrough leaves it, and the screen where the state says nothing.
    pub(in crate::evaluation::suite) right: bool,
    /// The first thing that is not; empty where it is right.
    pub(in crate::evaluation::suite) differs: String,
}

impl Yardstick {
    /// From two plays of the walkthrough at different paces: what differs between them depends on time and is not
    /// compared. Variables that are `free` may hold anything, those that only say how things are shown included; so may those
    /// that one of the `answers` changes: actions, by their number from 0, that answer a window which nobody asked for, as the
    /// case prefers. Whoever leaves a page before its offer has come does nothing wrong.
    pub(in crate::evaluation::suite) fn of(
        play: Played,
        later: &Played,
        attribution: &Attribution,
        views: ViewVariables,
        (free, answers): (&[String], &[usize]),
    ) -> Self {
        let offered = answers.iter().flat_map(|at| changed_by(&play.moments, *at));
        let free: Vec<String> = free.iter().cloned().chain(offered).collect();
        let free = free.as_slice();
        let (moments, views) = (play.moments, without(views, free));
        let subject = Subject::of(&moments, &later.moments, &views, free);
        let end = |step: usize| attribution.of.iter().take_while(|of| **of <= step).count();
        let ends = std::iter::once(0).chain((1..=attribution.steps).map(end)).collect();
        let asked = asked(moments.iter().map(|moment| &moment.truth));
        Self { moments, ends, subject, views, asked }
    }

    /// Changes with consequences that the walkthrough does not make.
    pub(in crate::evaluation::suite) fn unasked(&self, samples: &[Sampled]) -> Vec<Unasked> {
        unasked(samples, &self.asked)
    }

    /// Judges a step, from 1, by what was true after it. `verdict` is the agent's own word; it counts only where the
    /// walkthrough changes neither state nor screen: a step that checks is answered, not done.
    pub(in crate::evaluation::suite) fn step(
        &self,
        step: usize,
        samples: &[Sampled],
        verdict: Option<Verdict>,
    ) -> Option<StepJudgement> {
        let (begin, end) = (*self.ends.get(step.checked_sub(1)?)?, *self.ends.get(step)?);
        let (before, after) = (self.settled(begin)?, self.settled(end)?);
        let sampled: Vec<&Sampled> = samples.iter().filter(|sample| sample.after.contains(&step)).collect();
        let Some(last) = sampled.last() else {
            return Some(StepJudgement { right: false, differs: "it was not reached".to_owned() });
        };
        let by_state = self.subject.state(&before.truth, end) != self.wanted(after);
        let faces = if by_state { Vec::new() } else { self.faces_changed(before, after) };
        let right =
            sampled.iter().any(|sample| self.window(step).any(|moment| self.differs(sample, moment, &faces).is_none()));
        let answered = by_state || !faces.is_empty() || verdict == Some(Verdict::Passed);
        let differs = match (right, answered) {
            (true, true) => String::new(),
            (true, false) => "it checks something that holds, and was not passed".to_owned(),
            (false, _) => self.differs(last, after, &faces).unwrap_or_default(),
        };
        Some(StepJudgement { right: right && answered, differs })
    }

    /// Judges the end by what was true after the last step.
    pub(in crate::evaluation::suite) fn end(&self, samples: &[Sampled]) -> StepJudgement {
        let Some((wanted, last)) = self.moments.last().zip(samples.last()) else {
            return StepJudgement { right: false, differs: "nothing is known of the end".to_owned() };
        };
        let after = samples.iter().filter(|sample| !sample.after.is_empty() && sample.after == last.after);
        let right = after.chain([last]).any(|sample| self.differs(sample, wanted, &[]).is_none());
        let differs = if right { None } else { self.differs(last, wanted, &[]) };
        StepJudgement { right, differs: differs.unwrap_or_default() }
    }

    /// The moments a run may be in after a step: part of the next may be done already, since where one ends and the other
    /// begins is not always said.
    fn window(&self, step: usize) -> impl Iterator<Item = &Moment> {
        let end = self.ends.get(step).copied().unwrap_or_default();
        let next = self.ends.get(step + 1).copied().unwrap_or(usize::MAX).max(end + 1);
        self.moments.iter().filter(move |moment| (end..next).contains(&moment.done))
    }

    /// The last moment at which so many actions were done.
    fn settled(&self, done: usize) -> Option<&Moment> {
        self.moments.iter().rfind(|moment| moment.done == done)
    }

    fn wanted(&self, moment: &Moment) -> State {
        self.subject.state(&moment.truth, moment.done)
    }

    /// The first thing that is not as at a moment of the walkthrough, in words; `None` where all is.
    fn differs(&self, sample: &Sampled, moment: &Moment, faces: &[AppKey]) -> Option<String> {
        let state = told(&self.wanted(moment), &self.subject.state(&sample.truth, moment.done));
        let face = || faces.iter().find_map(|app| difference(app, &moment.truth, &sample.truth, &self.views));
        state.or_else(face)
    }

    /// The apps that show something else after than before.
    fn faces_changed(&self, before: &Moment, after: &Moment) -> Vec<AppKey> {
        let changed = |app: &AppKey| difference(app, &before.truth, &after.truth, &self.views).is_some();
        after.truth.apps().map(|(app, _)| app).filter(changed).collect()
    }
}
