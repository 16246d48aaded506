//! Looks for a way on where a script does not fit: windows first, then the ranking, then a page that only leads on, then the
//! agent for that step only.

use super::super::executor::{ConnectedDevice, Judgement, ModelUse, RunContext};
use super::Repair;
use super::change::{Change, Pictures, Way};
use super::errand::{Errand, ErrandError, Outcome};
use super::intent::{Choice, Wish};
use super::passing::way_on;
use super::watch::Watch;
use crate::app_map::AppMap;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, ActionSource, EventKind, SecretMask, Verdict};
use crate::hierarchy::{Role, Screen, ScreenKind};
use crate::pipeline::Step;
use crate::ranking::Ranked;
use crate::script::{
    ActionTrace, CarriedOut, Ending, Halt, Mended, Mender, Order, ReplayError, Replayer, Script, ScriptAction, Stop,
};
use crate::skill::Library;
use crate::witness;
use async_trait::async_trait;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Most repairs of one replay: an app that changed more than this needs a new script.
const MOST_REPAIRS: usize = 12;
/// Most ways that are tried for one action.
const MOST_TRIES: usize = 3;

/// The last thing that was done.
struct Last {
    /// Digest of what was visible before it; `None` where the agent did it, who sees to it that it has an effect.
    digest: Option<u64>,
    /// It led to another screen when it was recorded.
    led_on: bool,
    /// It led where it led when it was recorded.
    as_recorded: bool,
    /// In words.
    told: String,
}

/// Repairs the replay of a case's script.
pub(in crate::run) struct CaseMender<'a> {
    pub(super) repair: &'a Repair<'a>,
    connected: &'a ConnectedDevice,
    skills: &'a Library,
    mask: &'a SecretMask,
    seed: u64,
    cancel: CancellationToken,
    pub(super) map: AppMap,
    /// The model, once it was needed, and how many calls it had answered before.
    judgement: Option<(&'a Judgement, u64)>,
    /// All that was done, as a new version keeps it.
    pub(super) traces: Vec<ActionTrace>,
    /// What was done otherwise than the script says.
    pub(super) changes: Vec<Change>,
    last: Option<Last>,
    /// The action that was last mended, and how often.
    tried: (usize, usize),
}

impl<'a> CaseMender<'a> {
    /// A mender for one replay; `map` is what is known of the app.
    pub(in crate::run) fn new(
        repair: &'a Repair<'a>,
        context: &RunContext<'a>,
        mask: &'a SecretMask,
        map: AppMap,
    ) -> Self {
        Self {
            repair,
            connected: context.connected,
            skills: context.skills,
            mask,
            seed: context.seed,
            cancel: context.cancel.clone(),
            map,
            judgement: None,
            traces: Vec::new(),
            changes: Vec::new(),
            last: None,
            tried: (usize::MAX, 0),
        }
    }

    /// The model that repaired, where one was opened.
    pub(in crate::run) fn model_use(&self) -> ModelUse {
        self.judgement.map_or_else(ModelUse::default, |(judgement, before)| ModelUse::since(before, judgement))
    }

    async fn judgement(&mut self) -> Result<&'a Judgement, ReplayError> {
        if let Some((judgement, _)) = self.judgement {
            return Ok(judgement);
        }
        let unusable = |error: &dyn std::fmt::Display| ReplayError::Unreadable(format!("no repair without: {error}"));
        let judgement = self.repair.launcher.judgement().await.map_err(|error| unusable(&error))?;
        let before = judgement.embedder.model_calls();
        self.map.embed(judgement.embedder.as_ref()).map_err(|error| unusable(&error))?;
        self.judgement = Some((judgement, before));
        Ok(judgement)
    }

    fn errand<'s>(&'s self, judgement: &'s Judgement, cancel: CancellationToken) -> Errand<'s> {
        Errand {
            connected: self.connected,
            skills: self.skills,
            judgement,
            case: &self.repair.case,
            mask: self.mask,
            seed: self.seed,
            map: &self.map,
            cancel,
        }
    }

    fn step(&self, index: usize) -> Option<&'a Step> {
        self.repair.case.steps.iter().find(|step| step.index == index)
    }

    /// Why nothing is to be repaired here: an action that had its effect once and has none now is the app's doing, and
    /// repairs have an end.
    fn beyond_repair(&mut self, index: usize, screen: &Screen) -> Option<String> {
        let idle = |last: &&Last| last.led_on && last.digest == Some(screen.digest);
        if let Some(last) = self.last.as_ref().filter(idle) {
            return Some(format!(
                "{} had no effect, although it had when it was recorded: that may be the app's fault",
                last.told
            ));
        }
        self.tried = if self.tried.0 == index { (index, self.tried.1 + 1) } else { (index, 1) };
        if self.tried.1 > MOST_TRIES {
            return Some(format!("{MOST_TRIES} ways did not lead on"));
        }
        let repairs = self.changes.iter().filter(|change| change.is_of_script()).count();
        (repairs >= MOST_REPAIRS).then(|| format!("{MOST_REPAIRS} repairs are enough: record it again"))
    }

    /// Answers a window that the script does not know. True where the way is free then.
    async fn clear_windows(
        &mut self,
        halt: &Halt<'_>,
        judgement: &Judgement,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, ReplayError> {
        if !matches!(seen.screen.kind, ScreenKind::Dialog | ScreenKind::Permission) {
            return Ok(false);
        }
        let Some(recorded) = halt.script.actions.get(halt.index) else { return Ok(false) };
        let window = seen.screen.title.clone();
        if !window.is_empty() && window == recorded.screen {
            // The script knows this window; what stopped it stands in it.
            return Ok(false);
        }
        let fits = |screen: &Screen| halt.replayer.guard(recorded, screen).is_ok();
        let token = self.cancel.child_token();
        let mut watch = Watch::new(recorder, *halt, halt.index + 1, &seen.screen, token.clone());
        let errand = self.errand(judgement, token);
        let held = |seen: &Seen| fits(&seen.screen);
        let done = errand.clear_windows(recorded.step, &held, seen, &mut watch).await.map_err(broken)?;
        if done.is_empty() {
            return Ok(false);
        }
        let free = fits(&seen.screen);
        let reason = format!("the window {window:?} stood in the way");
        self.changes.push(answered(recorded, halt.index + 1, &done, reason));
        Ok(free)
    }

    /// Passes a page that nobody recorded and that only leads on. True where it was passed.
    async fn pass_on(
        &mut self,
        (replayer, script, index): (&Replayer<'_>, &Script, usize),
        judgement: &Judgement,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, ReplayError> {
        let Some(owner) = script.actions.get(index).or(script.actions.last()) else { return Ok(false) };
        let asked = [owner.instruction.as_str(), self.repair.case.title.as_str()];
        let (cues, lexicon) = (&judgement.cues, &judgement.knowledge.lexicon);
        let Some(way) = way_on(&seen.screen, script, cues, lexicon, &asked) else { return Ok(false) };
        let title = seen.screen.title.clone();
        let why = format!("the script knows no page {title:?}, and nothing else leads on from it");
        recorder.emit(EventKind::Decided {
            step: owner.step,
            chosen: way.view(),
            runners_up: Vec::new(),
            decide_ms: 0.0,
            why: format!("repair: {why}"),
            expects: "the page the script goes on with".to_owned(),
        });
        let order = Order {
            index,
            step: owner.step,
            next: None,
            action: way.candidate.action,
            held: 0,
            source: ActionSource::Repair,
            score: None,
            told: "a page the script does not know".to_owned(),
        };
        let before = seen.screen.screenshot.clone();
        let done = replayer.carry_out(order, seen, recorder).await?;
        let pictures = Pictures { before, after: seen.screen.screenshot.clone() };
        self.changes.push(Change {
            action: index + 1,
            step: owner.step,
            instruction: owner.instruction.clone(),
            way: Way::Page,
            was: "nothing".to_owned(),
            now: vec![done.action.to_string()],
            score: None,
            reason: why,
            pictures,
        });
        let own = ScriptAction { checks: Vec::new(), waited_ms: None, pause_ms: None, ..owner.clone() };
        self.note(&own, done);
        self.last = None;
        Ok(true)
    }

    /// Looks for the widget that is meant and does there what the script does. True where it was done.
    async fn by_ranking(
        &mut self,
        halt: &Halt<'_>,
        judgement: &Judgement,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Result<(), String>, ReplayError> {
        let Some(recorded) = halt.script.actions.get(halt.index) else { return Ok(Err(String::new())) };
        let Some(step) = self.step(recorded.step) else {
            return Ok(Err(format!("the case has no step {}", recorded.step)));
        };
        let text = match (&recorded.text, &recorded.secret) {
            (None, None) => None,
            _ => {
                let malformed = |reason| ReplayError::Malformed { action: halt.index + 1, reason };
                Some(halt.replayer.text(recorded).map_err(malformed)?)
            }
        };
        let repair = self.repair;
        let case = &repair.case;
        let scorer = judgement.scorer(self.skills);
        let wish = Wish {
            scorer: &scorer,
            lexicon: &judgement.knowledge.lexicon,
            script: halt.script,
            recorded,
            text,
            step,
            parameters: &case.parameters,
            title: &case.title,
            package: &case.package,
        };
        let thinking = Instant::now();
        let chosen = wish.choose(&seen.screen).map_err(|error| ReplayError::Unreadable(error.to_string()))?;
        let Choice { chosen, others, why } = match chosen {
            Ok(choice) => choice,
            Err(why) => return Ok(Err(why)),
        };
        recorder.emit(EventKind::Decided {
            step: recorded.step,
            chosen: chosen.view(),
            runners_up: others.iter().map(Ranked::view).collect(),
            decide_ms: thinking.elapsed().as_secs_f64() * 1000.0,
            why: format!("repair: {why}"),
            expects: "what the recorded action led to".to_owned(),
        });
        let held = held(&chosen, &seen.screen);
        let order = Order {
            index: halt.index,
            step: recorded.step,
            // The picture of where it led is shown to who decides about the repair.
            next: None,
            action: chosen.candidate.action.clone(),
            held,
            source: ActionSource::Repair,
            score: Some(chosen.score),
            told: format!("in place of {}", recorded.told()),
        };
        let before = seen.screen.screenshot.clone();
        let done = halt.replayer.carry_out(order, seen, recorder).await?;
        let pictures = Pictures { before, after: seen.screen.screenshot.clone() };
        let confirmed = if done.after == recorded.after { "; it led where the recorded action led" } else { "" };
        self.changes.push(Change {
            action: halt.index + 1,
            step: recorded.step,
            instruction: recorded.instruction.clone(),
            way: Way::Ranked,
            was: recorded.told(),
            now: vec![done.action.to_string()],
            score: Some((chosen.score, others.first().map(|next| next.score))),
            reason: format!("{why}{confirmed}"),
            pictures,
        });
        self.note(recorded, done);
        Ok(Ok(()))
    }

    /// Sends the agent out for the step.
    async fn by_agent(
        &mut self,
        halt: &Halt<'_>,
        judgement: &Judgement,
        why: &str,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Mended, ReplayError> {
        let actions = &halt.script.actions;
        let Some(recorded) = actions.get(halt.index) else { return Ok(Mended::Not(String::new())) };
        // Until the next step begins, or something is checked: that is judged where the script judges it.
        let later = |at: &usize| actions.get(*at).is_some_and(|action| action.step != recorded.step);
        let end = (halt.index + 1..actions.len()).find(later).unwrap_or(actions.len());
        let checks = |at: &usize| actions.get(*at).is_some_and(|action| !action.checks.is_empty());
        let checked = (halt.index + 1..end).find(checks);
        let last_place = checked.unwrap_or(end);
        let only_here = matches!(halt.stop, Stop::Unmet(_));
        let places = if only_here { halt.index + 1 } else { last_place + 1 };
        let enough = self.cancel.child_token();
        let before = seen.screen.screenshot.clone();
        let mut watch = Watch::new(recorder, *halt, places, &seen.screen, enough.clone());
        let errand = self.errand(judgement, enough);
        let Outcome { step, done } = errand.carry_out(recorded.step, seen, &mut watch).await.map_err(broken)?;
        let back = watch.back();
        if self.cancel.is_cancelled() {
            return Err(ReplayError::Interrupted);
        }
        let on = match (back, step) {
            (Some(place), _) => place,
            (None, None) => return Err(ReplayError::Interrupted),
            (None, Some((Verdict::Failed, reason))) => return Ok(Mended::Failed(reason)),
            (None, Some((Verdict::Passed, _))) if only_here || checked.is_some() => {
                return Ok(Mended::Not(format!("{why}; what the script checks there cannot be judged on another way")));
            }
            (None, Some((Verdict::Passed, reason))) => {
                let fits = actions.get(end).is_some_and(|next| halt.replayer.guard(next, &seen.screen).is_ok());
                if done.is_empty() && !fits {
                    return Ok(Mended::Not(format!("{why}; the agent found nothing to do: {reason}")));
                }
                end
            }
            (None, Some((_, reason))) => return Ok(Mended::Not(format!("{why}; the agent: {reason}"))),
        };
        let now: Vec<String> = done.iter().map(|trace| trace.action.to_string()).collect();
        let (first, through) = (halt.index + 1, on.max(halt.index + 1));
        let was = if on == halt.index {
            format!("nothing before {}", recorded.told())
        } else {
            actions
                .get(halt.index..on)
                .unwrap_or_default()
                .iter()
                .map(ScriptAction::told)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let until = if on == halt.index { String::new() } else { format!("; stands for actions {first} to {through}") };
        self.changes.push(Change {
            action: first,
            step: recorded.step,
            instruction: recorded.instruction.clone(),
            way: Way::Agent,
            was,
            now: if now.is_empty() { vec!["nothing".to_owned()] } else { now },
            score: None,
            reason: format!("{why}{until}"),
            pictures: Pictures { before, after: seen.screen.screenshot.clone() },
        });
        self.take_over(recorded, on == halt.index, done);
        Ok(Mended::On(on))
    }

    /// Keeps what the agent did. What was checked before the action it stands for is checked before it, too.
    fn take_over(&mut self, recorded: &ScriptAction, goes_on_there: bool, mut done: Vec<ActionTrace>) {
        if let Some(first) = done.first_mut().filter(|_| !goes_on_there) {
            first.checks = recorded.checks.clone();
        }
        if let Some(last) = done.last() {
            let told = last.action.to_string();
            self.last = Some(Last { digest: None, led_on: true, as_recorded: false, told });
        }
        self.traces.extend(done);
    }

    pub(super) fn note(&mut self, recorded: &ScriptAction, deed: CarriedOut) {
        let CarriedOut { action, held, before, screen, after, digest } = deed;
        self.last = Some(Last {
            digest: Some(digest),
            led_on: recorded.before != recorded.after,
            as_recorded: after == recorded.after,
            told: action.to_string(),
        });
        self.traces.push(ActionTrace {
            step: recorded.step,
            instruction: recorded.instruction.clone(),
            action,
            held,
            before,
            screen,
            after,
            actor: None,
            waited: Duration::from_millis(recorded.waited_ms.unwrap_or_default()),
            pause: Duration::from_millis(recorded.pause_ms.unwrap_or_default()),
            checks: recorded.checks.clone(),
        });
    }
}

#[async_trait]
impl Mender for CaseMender<'_> {
    fn keep(&mut self, recorded: &ScriptAction, deed: CarriedOut) {
        self.note(recorded, deed);
    }

    async fn mend(
        &mut self,
        halt: &Halt<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Mended, ReplayError> {
        let fits = halt.script.actions.get(halt.index).map(|recorded| halt.replayer.guard(recorded, &seen.screen));
        if matches!(halt.stop, Stop::Unmet(_)) && fits.as_ref().is_none_or(Result::is_ok) {
            // The screen is the recorded one and does not show what the case checks: nothing to repair.
            return Ok(Mended::Not(String::new()));
        }
        if let Some(why) = self.beyond_repair(halt.index, &seen.screen) {
            return Ok(Mended::Not(why));
        }
        let judgement = self.judgement().await?;
        if self.clear_windows(halt, judgement, seen, recorder).await? {
            return Ok(Mended::On(halt.index));
        }
        let mut why = match halt.stop {
            Stop::Diverged(divergence) => divergence.reason.clone(),
            Stop::Unmet(_) => "the screen is not the recorded one".to_owned(),
        };
        if matches!(halt.stop, Stop::Diverged(_)) {
            if self.on_same_page(halt, seen, recorder).await? {
                return Ok(Mended::On(halt.index + 1));
            }
            match self.by_ranking(halt, judgement, seen, recorder).await? {
                Ok(()) => return Ok(Mended::On(halt.index + 1)),
                Err(reason) => why = format!("{why}; {reason}"),
            }
        }
        if self.pass_on((halt.replayer, halt.script, halt.index), judgement, seen, recorder).await? {
            return Ok(Mended::On(halt.index));
        }
        if matches!(halt.stop, Stop::Diverged(_))
            && let Some(fits) = self.by_map(halt, judgement, seen, recorder).await?
        {
            self.last = None;
            if fits {
                return Ok(Mended::On(halt.index));
            }
        }
        self.by_agent(halt, judgement, &why, seen, recorder).await
    }

    async fn end(
        &mut self,
        replayer: &Replayer<'_>,
        script: &Script,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Ending, ReplayError> {
        let index = script.actions.len();
        let led_elsewhere = self.last.as_ref().is_some_and(|last| !last.as_recorded);
        let Some(recorded) = script.actions.last().filter(|_| led_elsewhere) else { return Ok(Ending::AsItIs) };
        let judgement = self.judgement().await?;
        if !matches!(seen.screen.kind, ScreenKind::Dialog | ScreenKind::Permission) {
            let passed = self.pass_on((replayer, script, index), judgement, seen, recorder).await?;
            return Ok(if passed { Ending::JudgeAgain } else { Ending::AsItIs });
        }
        let title = seen.screen.title.clone();
        let token = self.cancel.child_token();
        let stop = Stop::Unmet(Vec::new());
        let halt = Halt { replayer, script, index, stop: &stop };
        let mut watch = Watch::new(recorder, halt, index, &seen.screen, token.clone());
        let held = |seen: &Seen| {
            let told = script.expectations.iter().filter(|wanted| wanted.is_told_by_hierarchy());
            told.map(|wanted| witness::expect(wanted, replayer.secrets, &seen.screen)).all(|outcome| outcome.held)
        };
        let errand = self.errand(judgement, token);
        let done = errand.clear_windows(recorded.step, &held, seen, &mut watch).await.map_err(broken)?;
        if done.is_empty() {
            return Ok(Ending::AsItIs);
        }
        let reason = format!("the window {title:?} stood over what is expected");
        self.changes.push(answered(recorded, index, &done, reason));
        Ok(Ending::JudgeAgain)
    }
}

/// The change that windows were answered which the script does not know, before the action of that number.
fn answered(recorded: &ScriptAction, action: usize, done: &[ActionTrace], reason: String) -> Change {
    Change {
        action,
        step: recorded.step,
        instruction: recorded.instruction.clone(),
        way: Way::Window,
        was: "nothing".to_owned(),
        now: done.iter().map(|trace| trace.action.to_string()).collect(),
        score: None,
        reason,
        pictures: Pictures::default(),
    }
}

fn broken(error: ErrandError) -> ReplayError {
    match error {
        ErrandError::Device(error) => ReplayError::Device(error),
        ErrandError::Other(reason) => ReplayError::Unreadable(reason),
    }
}

/// Characters the field of an action holds.
fn held(choice: &Ranked, screen: &Screen) -> usize {
    let Action::InputText { .. } = choice.candidate.action else { return 0 };
    let field = choice.candidate.widget.and_then(|id| screen.widgets.get(id));
    field.filter(|widget| widget.role == Role::Field).map_or(0, |widget| widget.value.chars().count())
}
