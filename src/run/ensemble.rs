//! A case on several devices: actors in turn, each with an app and a device of their own, within one budget.

use super::agenda::agenda;
use super::executor::{ConnectedDevice, Judgement, Outcome, Run};
use super::expected::{blame_crash, texts_of};
use super::plan::{PlannedActor, PlannedCase, in_own_words};
use super::scribe::{Recorded, trace, with_checked};
use super::start::start;
use crate::app_map::AppMap;
use crate::device::Seen;
use crate::domain::{DeviceSerial, Expectation, ExpectationOutcome, Verdict};
use crate::hierarchy::Screen;
use crate::pipeline::{Agent, AgentError, Assignment, BestScore, Budget, Clause, Journal, Patience, Step, StepOutcome};
use crate::script::{ActionTrace, AppView, DisplayView, ScriptActor};
use crate::witness;
use std::collections::BTreeMap;
use std::time::Duration;

/// An actor on their device.
struct Part<'a> {
    actor: &'a PlannedActor,
    connected: &'a ConnectedDevice,
    agent: Agent<'a>,
    seen: Seen,
    /// Version of the app.
    version: Option<String>,
    /// What they do, in the words of their app.
    clauses: Vec<Clause>,
    /// How many of those were worked on.
    begun: usize,
    /// How many of the agent's valid actions were noted.
    noted: usize,
}

/// Carries the case out.
pub(super) async fn play<'a>(run: &mut Run<'a>, case: &'a PlannedCase, judgement: &'a Judgement) -> Outcome {
    let company = run.context.company;
    if let Err(outcome) = everybody_has_a_device(case.cast.iter().map(|actor| actor.name.as_str()), company) {
        return outcome;
    }
    let mut on_stage = Vec::new();
    for (actor, connected) in case.cast.iter().filter_map(|actor| Some((actor, company.get(&actor.name)?))) {
        match ready(run, judgement, actor, connected).await {
            Ok(ready) => {
                run.early.note(&actor.name, of(case, &actor.name), &case.secrets, &ready.seen);
                on_stage.push((actor, connected, ready));
            }
            Err(outcome) => return outcome,
        }
    }
    let skills = run.context.skills;
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (actor, connected, Ready { seen, map, version }) in on_stage {
        let agent = Agent {
            eyes: run.eyes_on(connected),
            chooser: &BestScore,
            scorer: judgement.scorer(skills),
            skills,
            knowledge: &judgement.knowledge,
            parameters: &case.parameters,
            preferences: &case.preferences,
            package: actor.package.clone(),
            budget: Budget { actions: case.budget.actions, time: case.budget.time },
            patience: Patience::ALONE,
            started: connected.device.now(),
            seed: run.context.seed,
            journal: Journal::default(),
            map,
            cancel: run.context.cancel.clone(),
        };
        let clauses = clauses(case, judgement, actor, connected);
        parts.push(Part { actor, connected, agent, seen, version, clauses, begun: 0, noted: 0 });
    }
    let mut traces = Vec::new();
    let outcome = match steps(run, case, &mut parts, &mut traces).await {
        None => expectations(run, case, &mut parts, &mut traces).await,
        Some(outcome) => outcome,
    };
    let mut blamed = outcome;
    for part in &parts {
        blamed = blame_crash(part.connected.device.as_ref(), blamed, &part.actor.package).await;
    }
    let Some(recorded) = recorded(case, &parts, traces) else { return blamed };
    if blamed.verdict == Verdict::Passed {
        return run.write_script(case, recorded);
    }
    if !recorded.traces.is_empty() {
        let script = run.script_of(case, recorded);
        run.note_failing_script(script);
    }
    blamed
}

/// What was done so far, as a script keeps it: with one of its own for every actor.
fn recorded<'p>(case: &PlannedCase, parts: &'p [Part<'_>], traces: Vec<ActionTrace>) -> Option<Recorded<'p>> {
    let first = parts.first()?;
    let app = |part: &Part<'_>| AppView {
        package: part.actor.package.clone(),
        version: part.version.clone(),
        location: part.actor.location,
    };
    let actor = |part: &Part<'_>| ScriptActor {
        profile: part.connected.profile.clone(),
        app: app(part),
        device: DisplayView::of(&part.connected.info),
        expectations: with_checked(
            of(case, &part.actor.name).cloned(),
            part.agent.journal.pending_checks.iter().cloned(),
        ),
    };
    let cast = parts.iter().map(|part| (part.actor.name.clone(), actor(part))).collect();
    let profiles: Vec<&str> = parts.iter().map(|part| part.connected.profile.as_str()).collect();
    Some(Recorded {
        profile: profiles.join("+"),
        app: app(first),
        connected: first.connected,
        cast,
        expectations: &[],
        traces,
    })
}

/// Notes what an actor did since it was noted last.
fn note(case: &PlannedCase, part: &mut Part<'_>, traces: &mut Vec<ActionTrace>) {
    let new = part.agent.journal.valid().skip(part.noted);
    traces.extend(new.map(|record| trace(case, record, Some(&part.actor.name))));
    part.noted = part.agent.journal.valid().count();
}

/// What an actor does, one after another, in the words of their app, which may be shown in another language.
fn clauses(
    case: &PlannedCase,
    judgement: &Judgement,
    actor: &PlannedActor,
    connected: &ConnectedDevice,
) -> Vec<Clause> {
    let bridge = connected.language.bridge();
    let own = |step: &Step| bridge.as_ref().map_or_else(|| step.clone(), |bridge| in_own_words(step, bridge));
    let read = |step: &Step| Clause::of_case(&own(step), &case.title, case.is_goal, &judgement.knowledge.lexicon);
    agenda(case).iter().filter(|item| item.actor == actor.name).map(|item| read(item.step)).collect()
}

/// An actor's app, started.
struct Ready {
    seen: Seen,
    map: AppMap,
    version: Option<String>,
}

/// Blocked where an actor has no device, or two share one.
pub(super) fn everybody_has_a_device<'a>(
    cast: impl Iterator<Item = &'a str>,
    company: &BTreeMap<String, ConnectedDevice>,
) -> Result<(), Outcome> {
    let cast: Vec<&str> = cast.collect();
    let missing: Vec<&str> = cast.iter().copied().filter(|name| !company.contains_key(*name)).collect();
    if !missing.is_empty() {
        let flags: Vec<String> = cast.iter().map(|name| format!("--actor {name}=SERIAL")).collect();
        let reason = format!(
            "the case has several actors ({}), each with a device of their own, and no device was given for {}; run it with `{}`",
            cast.join(", "),
            missing.join(", "),
            flags.join(" ")
        );
        return Err(Outcome::new(Verdict::Blocked, reason));
    }
    let mut owners: BTreeMap<&DeviceSerial, &str> = BTreeMap::new();
    for name in &cast {
        let serial = company.get(*name).map(|connected| connected.device.serial());
        if let Some(serial) = serial
            && let Some(other) = owners.insert(serial, name)
        {
            let reason =
                format!("{other} and {name} were given the same device, {serial}; each needs one of their own");
            return Err(Outcome::new(Verdict::Blocked, reason));
        }
    }
    Ok(())
}

/// Starts the actor's app on their device; what it shows, and what is known of it.
async fn ready(
    run: &mut Run<'_>,
    judgement: &Judgement,
    actor: &PlannedActor,
    connected: &ConnectedDevice,
) -> Result<Ready, Outcome> {
    let named = |error: &dyn std::fmt::Display| Outcome::new(Verdict::Error, format!("{}: {error}", actor.name));
    let version = start(connected, &actor.package, actor.build().as_ref(), actor.location).await;
    let version = version.map_err(|error| named(&error))?;
    run.note_app(&actor.name, &actor.package, version.clone());
    run.recorder.note(connected.language.take_trouble());
    let seen = run.first_look(connected, &actor.package).await.map_err(|error| named(&error))?;
    let mut map = run.map(&actor.package, version.as_deref());
    map.embed(judgement.embedder.as_ref()).map_err(|error| named(&error))?;
    Ok(Ready { seen, map, version })
}

/// Nothing came of a step on the device of who went on after it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Silence {
    /// The step's number.
    after: usize,
    /// What it says.
    said: String,
    /// How long it was waited for.
    waited: Duration,
}

impl Silence {
    /// Who is left waiting by a step that was surely carried out cannot go on by the app's fault.
    fn blame(&self, ended: Outcome, by: &str) -> Outcome {
        if ended.verdict != Verdict::Blocked {
            return ended;
        }
        let Self { after, said, waited } = self;
        let reason = format!(
            "step {after} {said:?} was carried out, and nothing came of it on the device of {by} within {} s ({})",
            waited.as_secs(),
            ended.reason
        );
        Outcome::new(Verdict::Failed, reason)
    }
}

/// Works on the steps in turn; an outcome only where it ends early.
async fn steps(
    run: &mut Run<'_>,
    case: &PlannedCase,
    parts: &mut [Part<'_>],
    traces: &mut Vec<ActionTrace>,
) -> Option<Outcome> {
    let mut budget = Budget { actions: case.budget.actions, time: case.budget.time };
    let mut silence: Option<Silence> = None;
    for item in agenda(case) {
        let part = parts.iter_mut().find(|part| part.actor.name == item.actor)?;
        run.begin_item(case, &item);
        part.agent.budget = budget;
        // The others have acted meanwhile.
        let before = part.seen.screen.digest;
        let looked = part.agent.eyes.look(&mut run.recorder).await;
        let same = looked.as_ref().is_ok_and(|seen| seen.screen.digest == before);
        part.agent.patience = match (item.handed_over, same && part.agent.journal.valid().next().is_some()) {
            (true, true) => Patience::EXPECTANT,
            (true, false) => Patience::IN_COMPANY,
            (false, _) => Patience::ALONE,
        };
        let worked = match looked.map(|seen| part.seen = seen) {
            Ok(()) => work_on(run, case, part).await,
            Err(error) => Err(error.into()),
        };
        budget = part.agent.budget;
        note(case, part, traces);
        let outcome = worked.unwrap_or_else(|error| StepOutcome::new(Verdict::Error, error.to_string()));
        if let Some(waited) = outcome.unanswered.filter(|_| run.doubts.none_before(item.step.index)) {
            let last = case.steps.iter().rfind(|done| done.index < item.step.index);
            silence = last.map(|last| Silence { after: last.index, said: last.original.clone(), waited });
        }
        let outcome = run.doubts.excuse(outcome);
        if let Some(ended) = run.end_item(&item, outcome) {
            return Some(match silence {
                Some(silence) => silence.blame(ended, item.actor),
                None => ended,
            });
        }
    }
    None
}

/// An actor works on their next clause.
///
/// # Errors
/// The device or the model fails, or the run is cancelled.
async fn work_on(run: &mut Run<'_>, case: &PlannedCase, part: &mut Part<'_>) -> Result<StepOutcome, AgentError> {
    let Part { actor, agent, seen, clauses, begun, .. } = part;
    let wanted: Vec<&Expectation> = of(case, &actor.name).filter(|wanted| wanted.is_told_by_hierarchy()).collect();
    let hold = |seen: &Seen| {
        let held = |wanted: &&Expectation| witness::expect(wanted, &case.secrets, &seen.screen).held;
        (!wanted.is_empty()).then(|| seen.flaw().is_none() && wanted.iter().all(held))
    };
    let expected = texts_of(of(case, &actor.name));
    let at = *begun;
    *begun += 1;
    let Some(clause) = clauses.get(at) else {
        return Ok(StepOutcome::new(Verdict::Error, format!("{} has nothing more to do", actor.name)));
    };
    let assignment = Assignment {
        clause,
        previous: at.checked_sub(1).and_then(|before| clauses.get(before)),
        later: clauses.get(at + 1..).unwrap_or_default(),
        expectations: &hold,
        expected: &expected,
    };
    agent.work_on(assignment, seen, &mut run.recorder).await
}

/// What is expected on the actor's device.
fn of<'a>(case: &'a PlannedCase, actor: &'a str) -> impl Iterator<Item = &'a Expectation> {
    case.expectations
        .iter()
        .zip(&case.witnesses)
        .filter(move |(_, witness)| *witness == actor)
        .map(|(wanted, _)| wanted)
}

/// Checks what is expected, each on the device it is expected on.
async fn expectations(
    run: &mut Run<'_>,
    case: &PlannedCase,
    parts: &mut [Part<'_>],
    traces: &mut Vec<ActionTrace>,
) -> Outcome {
    let mut outcomes: Vec<ExpectationOutcome> = Vec::new();
    for part in parts.iter_mut() {
        let wanted: Vec<Expectation> = of(case, &part.actor.name).cloned().collect();
        if wanted.is_empty() {
            continue;
        }
        let found = witness(run, case, part, &wanted).await;
        note(case, part, traces);
        match found {
            Ok(found) => outcomes.extend(run.early.mark(&part.actor.name, found)),
            Err(error) => return Outcome::new(Verdict::Error, format!("{}: {error}", part.actor.name)),
        }
    }
    let shown: Vec<&Screen> = parts.iter().map(|part| &part.seen.screen).collect();
    run.judge(outcomes, &shown)
}

/// What an actor's device shows in the end, once the windows over it are gone; why it cannot be told otherwise.
async fn witness(
    run: &mut Run<'_>,
    case: &PlannedCase,
    part: &mut Part<'_>,
    wanted: &[Expectation],
) -> Result<Vec<ExpectationOutcome>, String> {
    let Part { agent, seen, connected, actor, .. } = part;
    *seen = agent.eyes.look(&mut run.recorder).await.map_err(|error| error.to_string())?;
    let own = |step: &&Step| case.turns.get(step.index - 1).is_some_and(|turn| *turn == actor.name);
    let last = case.steps.iter().rfind(own);
    if let Some(last) = last {
        let held = |seen: &Seen| wanted.iter().all(|wanted| witness::expect(wanted, &case.secrets, &seen.screen).held);
        agent.uncover(last.index, &held, seen, &mut run.recorder).await.map_err(|error| error.to_string())?;
    }
    let step = last.or(case.steps.last()).map_or(1, |step| step.index);
    run.witness(connected, case, wanted, step, seen).await.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_left_waiting_cannot_go_on_by_the_apps_fault() {
        let silence = Silence { after: 2, said: "Order a soup".into(), waited: Duration::from_secs(180) };
        let blamed = silence.blame(Outcome::new(Verdict::Blocked, "nothing fits"), "cook");
        assert_eq!(blamed.verdict, Verdict::Failed);
        let told = "step 2 \"Order a soup\" was carried out, and nothing came of it on the device of cook within 180 s (nothing fits)";
        assert_eq!(blamed.reason, told);
        assert_eq!(silence.blame(Outcome::new(Verdict::Error, "no device"), "cook").verdict, Verdict::Error);
    }
}
