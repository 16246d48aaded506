//! The one loop: observe, answer windows, decide, carry out, record, until the clause is done or nothing is left to try.

use super::episode::{Episode, Knowledge};
use super::execute::{Effect, Order, Patience, Waited, is_busy};
use super::journal::{ActionRecord, Journal};
use super::outcome::{AgentError, StepOutcome};
use super::policy::{Chooser, Decision, Feature, Veto, Weighed, weigh};
use super::propose::Source;
use super::screen_model::ScreenModel;
use super::task::{Clause, Parameter, Step};
use super::verdict::{self, is_check};
use crate::app_map::AppMap;
use crate::case::Preferences;
use crate::device::{Eyes, Recorder, Seen};
use crate::domain::PackageName;
use crate::ranking::Scorer;
use crate::skill::Library;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Most actions that one clause may take.
const MAX_ACTIONS: usize = 45;
/// Most actions that only look for something, in one clause.
const MAX_LOOKS: usize = 16;
/// Actions without effect in a row after which a clause counts as blocked.
const MAX_INEFFECTIVE: usize = 6;
/// How long an app may be busy with what was touched before the clause goes on beside it.
const MAX_BUSY: Duration = Duration::from_secs(10);
/// How long what fits may take to come before something else is looked for.
const LATE_CONTENT: Duration = Duration::from_secs(2);
/// How often what was looked up is waited for, each time for late content or until the screen changes.
const MAX_SEARCH_WAITS: u32 = 3;
/// Below this score what fits better is given a moment to come.
const WORTH_WAITING: f32 = 0.6;
/// From this score on a control that had no effect is touched once more.
const WORTH_RETRYING: f32 = 0.8;

/// How much a case may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Actions, ineffective ones included.
    pub actions: u32,
    /// Wall time.
    pub time: Duration,
}

/// One clause of a case, with what surrounds it.
#[derive(Clone, Copy)]
pub struct Assignment<'t> {
    /// What is to be done.
    pub clause: &'t Clause,
    /// What came before it on the same device.
    pub previous: Option<&'t Clause>,
    /// What comes after it on the same device, in its order.
    pub later: &'t [Clause],
    /// Whether all expectations hold on a screen; asked for the last clause only.
    pub expectations: &'t (dyn Fn(&Seen) -> Option<bool> + Sync),
    /// Texts that the case expects at its end.
    pub expected: &'t [String],
}

/// Works on the clauses of one case on one device.
pub struct Agent<'a> {
    /// Reads the device's screen.
    pub eyes: Eyes<'a>,
    /// Picks among what could be done.
    pub chooser: &'a dyn Chooser,
    /// The ranking.
    pub scorer: Scorer<'a>,
    /// The skills.
    pub skills: &'a Library,
    /// Language and policy.
    pub knowledge: &'a Knowledge,
    /// The case's parameters.
    pub parameters: &'a [Parameter],
    /// What to answer to questions that no step speaks of.
    pub preferences: &'a Preferences,
    /// The app under test.
    pub package: PackageName,
    /// What is left of the case's budget.
    pub budget: Budget,
    /// How long it waits for what only time or others bring.
    pub patience: Patience,
    /// When the case began.
    pub started: Duration,
    /// Seed of choices that may be any.
    pub seed: u64,
    /// What was done so far.
    pub journal: Journal,
    /// Screens known of the app; learns from every action.
    pub map: AppMap,
    /// Fires when the run should end.
    pub cancel: CancellationToken,
}

/// What one turn of the loop came to.
enum Turn {
    /// The clause goes on.
    Next,
    /// The clause ends.
    End(StepOutcome),
}

impl Agent<'_> {
    /// Works on a clause until it is done, blocked or failed.
    pub async fn work_on(
        &mut self,
        assignment: Assignment<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        self.journal.begin_clause();
        let clause = assignment.clause;
        if !clause.is_goal && is_check(&clause.step, self.scorer.cues) {
            self.clear_windows(clause.step.index, Some(clause), seen, recorder).await?;
            return self.check(&clause.step, seen, recorder).await;
        }
        let begun = seen.clone();
        let mut waited = Waited::default();
        let mut outcome = loop {
            match self.turn(assignment, &mut waited, seen, recorder).await? {
                Turn::Next => {}
                Turn::End(outcome) => break outcome,
            }
        };
        outcome.unanswered = waited.unanswered(self.patience);
        outcome.corroboration = verdict::corroboration(clause, &begun.screen, &self.journal);
        Ok(verdict::attribute(outcome, &self.journal, &begun.screen, &seen.screen))
    }

    async fn turn(
        &mut self,
        assignment: Assignment<'_>,
        waited: &mut Waited,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Turn, AgentError> {
        if self.cancel.is_cancelled() {
            return Err(AgentError::Interrupted);
        }
        let clause = assignment.clause;
        let step = clause.step.index;
        if let Some(reason) = self.exhausted(clause, waited, seen) {
            return Ok(Turn::End(StepOutcome::blocked(reason)));
        }
        self.clear_windows(step, Some(clause), seen, recorder).await?;
        self.outlast_busy(step, seen, recorder).await?;
        let since = Instant::now();
        let acted = self.journal.current_deeds().next().is_some();
        let expectations_hold =
            if assignment.later.is_empty() && acted { (assignment.expectations)(seen) } else { None };
        let screen = seen.clone();
        let model = ScreenModel::recognise(&screen.screen, &self.knowledge.lexicon);
        let episode = self.episode(assignment, expectations_hold);
        let options = weigh(&episode, &model)?;
        let end = verdict::clause_end(clause, &options);
        let decision = self.chooser.choose(&episode, &model, options);
        if let Some(end) = end {
            self.journal.weigh_end(end);
        }
        let instruction = &clause.step.instruction;
        tracing::debug!(step, screen = model.screen.title, instruction, "{}", decision.told(self.knowledge));
        match decision {
            Decision::Done(chosen, _) => {
                let mut outcome = StepOutcome::passed(chosen.proposal.reason.clone());
                outcome.confidence = Some(verdict::confidence(&chosen.proposal.features, clause));
                Ok(Turn::End(outcome))
            }
            Decision::Act(chosen, others) => {
                if self.hesitates(&chosen, waited, seen, step, recorder).await? {
                    return Ok(Turn::Next);
                }
                self.tell_decision((step, &seen.screen), &chosen, &others, since, recorder);
                self.act(assignment, &chosen, &others, seen, recorder).await
            }
            Decision::GiveUp(reason, weighed) => {
                self.give_up(assignment, reason, &weighed, waited, seen, recorder).await
            }
        }
    }

    fn episode<'e>(&'e self, assignment: Assignment<'e>, expectations_hold: Option<bool>) -> Episode<'e> {
        Episode {
            clause: assignment.clause,
            previous: assignment.previous,
            later: assignment.later,
            journal: &self.journal,
            parameters: self.parameters,
            package: &self.package,
            knowledge: self.knowledge,
            scorer: &self.scorer,
            map: &self.map,
            expectations_hold,
            expected: if assignment.later.is_empty() { assignment.expected } else { &[] },
            seed: self.seed,
        }
    }

    /// Carries the chosen proposal out and looks for a crash.
    async fn act(
        &mut self,
        assignment: Assignment<'_>,
        chosen: &Weighed,
        others: &[Weighed],
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Turn, AgentError> {
        let Some(order) = Order::of(chosen, others) else { return Ok(Turn::Next) };
        let readable = !seen.hierarchy.is_empty();
        let step = assignment.clause.step.index;
        let effect = self.perform(step, order, seen, recorder).await?;
        let mut crash = self.crashed(seen).await?;
        if crash.is_none() {
            crash = self.hung(readable, seen, recorder).await?;
        }
        if let Some(crash) = crash {
            return Ok(Turn::End(StepOutcome::failed(crash)));
        }
        if let Effect::Impossible(reason) = effect {
            return Ok(Turn::End(StepOutcome::blocked(reason)));
        }
        Ok(Turn::Next)
    }

    /// Nothing is worth doing: waits if there is reason to, tries what had no effect once more, else ends the clause.
    async fn give_up(
        &mut self,
        assignment: Assignment<'_>,
        reason: String,
        weighed: &[Weighed],
        waited: &mut Waited,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Turn, AgentError> {
        let step = assignment.clause.step.index;
        if self.wait_once(step, waited, seen, recorder).await? {
            return Ok(Turn::Next);
        }
        let again = |one: &&Weighed| one.veto == Some(Veto::Ineffective) && one.score >= WORTH_RETRYING;
        if let Some(dead) = weighed.iter().find(again) {
            let tried = |record: &&ActionRecord| !record.worked() && Some(&record.action) == dead.proposal.action();
            if self.journal.current().filter(tried).count() < 2 {
                self.tell_decision((step, &seen.screen), dead, &[], Instant::now(), recorder);
                return self.act(assignment, dead, weighed, seen, recorder).await;
            }
        }
        let told = match waited.total.as_secs() {
            0 => String::new(),
            seconds => format!("; {seconds} s were waited for {:?}", assignment.clause.step.instruction),
        };
        Ok(Turn::End(StepOutcome::blocked(format!("{reason}{told}"))))
    }

    /// What fits may come a moment after the page: before something else is looked for, it is given that moment. Where
    /// others act, what is not clearly meant waits for what they bring.
    async fn hesitates(
        &mut self,
        chosen: &Weighed,
        waited: &mut Waited,
        seen: &mut Seen,
        step: usize,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        // What was looked up takes its time to be found.
        let searched = |record: &ActionRecord| {
            record.action == crate::domain::Action::PressEnter
                || matches!(record.action, crate::domain::Action::InputText { .. }) && record.source == Source::Explore
        };
        let features = &chosen.proposal.features;
        let found =
            [Feature::Named, Feature::NamedRow, Feature::SubmitsSearch].iter().any(|one| features.get(*one) > 0.0);
        if !found && waited.searches < MAX_SEARCH_WAITS && self.journal.current().next_back().is_some_and(searched) {
            waited.searches += 1;
            self.let_pass(step, LATE_CONTENT, seen, recorder).await?;
            return Ok(true);
        }
        if !found || !self.journal.current().next_back().is_some_and(searched) {
            waited.searches = 0;
        }
        let clear = chosen.proposal.source.carries_out() && chosen.score >= WORTH_WAITING;
        if clear && (!self.patience.in_company || chosen.score >= WORTH_RETRYING) {
            return Ok(false);
        }
        if self.patience.in_company {
            let carried_out = self.journal.current_deeds().next().is_some();
            return Ok(!carried_out
                && waited.may_doubt(self.patience)
                && self.wait_once(step, waited, seen, recorder).await?);
        }
        // What was entered brings nothing that is waited for.
        let came = self.journal.last().filter(|record| !record.enters()).map(|record| record.after.digest);
        if came != Some(seen.screen.digest) || waited.on == came {
            return Ok(false);
        }
        waited.on = came;
        let passed = self.let_pass(step, LATE_CONTENT, seen, recorder).await?;
        waited.total += passed.max(LATE_CONTENT);
        Ok(true)
    }

    /// Waits while the app is busy with what was touched last.
    async fn outlast_busy(
        &mut self,
        step: usize,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        let mut busy = Duration::ZERO;
        while is_busy(&seen.screen) && busy < MAX_BUSY && self.spent().is_none() && !self.cancel.is_cancelled() {
            let digest = seen.screen.digest;
            let passed = self.let_pass(step, MAX_BUSY.saturating_sub(busy), seen, recorder).await?;
            busy += passed.max(Duration::from_millis(100));
            if seen.screen.digest == digest {
                break;
            }
        }
        Ok(())
    }

    /// Why a clause cannot go on: the case's budget is used up, or the clause's own bounds are.
    fn exhausted(&self, clause: &Clause, waited: &Waited, seen: &Seen) -> Option<String> {
        let current = || self.journal.current().filter(|record| record.source != Source::Interruption);
        let looks = current().filter(|record| !record.source.carries_out()).count();
        let reason = if let Some(reason) = self.spent() {
            reason
        } else if current().count() >= MAX_ACTIONS {
            format!("{MAX_ACTIONS} actions did not carry the step out")
        } else if looks >= MAX_LOOKS {
            format!("it was looked for in {MAX_LOOKS} places")
        } else if self.journal.ineffective_in_a_row() >= MAX_INEFFECTIVE {
            format!("{MAX_INEFFECTIVE} actions in a row had no effect")
        } else {
            return None;
        };
        let told = match waited.total.as_secs() {
            0 => String::new(),
            seconds if self.patience.in_company => format!("; {seconds} s were waited for what others bring"),
            seconds => format!("; {seconds} s were waited for what fits"),
        };
        Some(format!("{reason}; now on \"{}\", {:?} was worked on{told}", seen.screen.title, clause.step.instruction))
    }

    /// Why the case's budget is used up; `None` while it is not.
    pub(super) fn spent(&self) -> Option<String> {
        if self.budget.actions == 0 {
            return Some("the case's budget of actions is used up".into());
        }
        self.time_left().is_zero().then(|| format!("the case's budget of {} s is used up", self.budget.time.as_secs()))
    }

    /// What is left of the case's time.
    pub(super) fn time_left(&self) -> Duration {
        let passed = self.eyes.device.now().saturating_sub(self.started);
        self.budget.time.saturating_sub(passed)
    }

    /// Reads a step as a clause.
    pub fn clause(&self, step: &Step, title: &str) -> Clause {
        Clause::read(step, title, &self.knowledge.lexicon)
    }
}
