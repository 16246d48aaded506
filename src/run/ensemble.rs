//! A case on several devices: actors in turn, each with an app and a device of their own, within one budget.

use super::executor::{ConnectedDevice, Judgement, Outcome, Run, blame_crash};
use super::plan::{PlannedActor, PlannedCase};
use super::start::start;
use crate::agent::{Agent, AgentError, Budget, Planning, Step, StepOutcome, consider};
use crate::device::Seen;
use crate::domain::{EventKind, EventSink, Expectation, ExpectationOutcome, Verdict};
use crate::ranking::Ranked;
use crate::script;
use std::time::{Duration, Instant};

/// How long an actor waits until the others' doings show on their own device, before the step counts as one that
/// nothing fits.
const HANDOVER: Duration = Duration::from_secs(60);
/// How long one look at a device that is waited for may take.
const LOOK: Duration = Duration::from_secs(5);

/// An actor on their device.
struct Part<'a> {
    actor: &'a PlannedActor,
    connected: &'a ConnectedDevice,
    agent: Agent<'a>,
    seen: Seen,
}

/// Carries the case out.
pub(super) async fn play<'a>(run: &mut Run<'a>, case: &'a PlannedCase, judgement: &'a Judgement) -> Outcome {
    let company = run.context.company;
    let missing: Vec<&str> =
        case.cast.iter().map(|actor| actor.name.as_str()).filter(|name| !company.contains_key(*name)).collect();
    if !missing.is_empty() {
        return Outcome::new(Verdict::Blocked, without_devices(case, &missing));
    }
    let mut on_stage = Vec::new();
    for (actor, connected) in case.cast.iter().filter_map(|actor| Some((actor, company.get(&actor.name)?))) {
        match ready(run, judgement, actor, connected).await {
            Ok((seen, planning)) => on_stage.push((actor, connected, seen, planning)),
            Err(outcome) => return outcome,
        }
    }
    let skills = run.context.skills;
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (actor, connected, seen, planning) in &on_stage {
        let agent = Agent {
            eyes: run.eyes_on(connected),
            scorer: judgement.scorer(skills),
            skills,
            planning,
            parameters: &case.parameters,
            title: &case.title,
            preferences: &case.preferences,
            package: actor.package.clone(),
            budget: Budget { actions: case.budget.actions, time: case.budget.time },
            started: run.recorder.started(),
            deeds: Vec::new(),
            used: Vec::new(),
            cancel: run.context.cancel.clone(),
        };
        parts.push(Part { actor, connected, agent, seen: seen.clone() });
    }
    let outcome = match steps(run, case, &mut parts).await {
        None => expectations(run, case, &mut parts).await,
        Some(outcome) => outcome,
    };
    let mut blamed = outcome;
    for part in &parts {
        blamed = blame_crash(part.connected.device.as_ref(), blamed, &part.actor.package).await;
    }
    if blamed.verdict == Verdict::Passed && blamed.reason.is_empty() {
        blamed.reason = "passed; a case on several devices leaves no script yet".into();
    }
    blamed
}

fn without_devices(case: &PlannedCase, missing: &[&str]) -> String {
    let all: Vec<&str> = case.cast.iter().map(|actor| actor.name.as_str()).collect();
    let flags: Vec<String> = all.iter().map(|name| format!("--actor {name}=SERIAL")).collect();
    format!(
        "the case has several actors ({}), each with a device of their own, and no device was given for {}; run it with `{}`",
        all.join(", "),
        missing.join(", "),
        flags.join(" ")
    )
}

/// Starts the actor's app on their device; what it shows, and what is known of it.
async fn ready(
    run: &mut Run<'_>,
    judgement: &Judgement,
    actor: &PlannedActor,
    connected: &ConnectedDevice,
) -> Result<(Seen, Planning), Outcome> {
    let named = |error: &dyn std::fmt::Display| Outcome::new(Verdict::Error, format!("{}: {error}", actor.name));
    let version = start(connected.device.as_ref(), &actor.package, actor.apk.as_deref()).await;
    let version = version.map_err(|error| named(&error))?;
    let seen = run.eyes_on(connected).look(&mut run.recorder).await.map_err(|error| named(&error))?;
    let mut map = run.map(&actor.package, version.as_deref());
    map.embed(judgement.embedder.as_ref()).map_err(|error| named(&error))?;
    Ok((seen, Planning::bundled(map).map_err(|error| named(&error))?))
}

/// Works on the steps in turn; an outcome only where it ends early.
async fn steps(run: &mut Run<'_>, case: &PlannedCase, parts: &mut [Part<'_>]) -> Option<Outcome> {
    let mut budget = Budget { actions: case.budget.actions, time: case.budget.time };
    let mut last = None;
    for (position, (step, turn)) in case.steps.iter().zip(&case.turns).enumerate() {
        let part = parts.iter_mut().find(|part| part.actor.name == *turn)?;
        run.recorder.emit(EventKind::StepStarted {
            index: step.index,
            instruction: format!("{turn}: {}", step.original),
            rewritten: step.instruction.clone(),
        });
        // What another does next, elsewhere, tells nothing about this actor's screen.
        let next = case.steps.get(position + 1).filter(|_| case.turns.get(position + 1) == Some(turn));
        let is_last = !case.turns.iter().skip(position + 1).any(|other| other == turn);
        let expected: Vec<&Expectation> = of(case, turn).collect();
        let goal = |seen: &Seen| {
            let held = |wanted: &&Expectation| script::expect(wanted, &case.secrets, &seen.screen).held;
            (is_last && !expected.is_empty()).then(|| expected.iter().all(held))
        };
        part.agent.budget = budget;
        let handed_over = last.is_some_and(|other| other != turn);
        let worked = match take_over(run, part, step, handed_over).await {
            Ok(()) => part.agent.work_on(step, next, &goal, &mut part.seen, &mut run.recorder).await,
            Err(error) => Err(error),
        };
        budget = part.agent.budget;
        last = Some(turn);
        let outcome =
            worked.unwrap_or_else(|error| StepOutcome { verdict: Verdict::Error, reason: format!("{turn}: {error}") });
        let StepOutcome { verdict, reason } = outcome;
        run.recorder.emit(EventKind::StepFinished { index: step.index, verdict, reason: reason.clone() });
        if verdict != Verdict::Passed {
            return Some(Outcome::new(verdict, format!("step {} ({turn}): {reason}", step.index)));
        }
    }
    None
}

/// Looks again, for the others have acted meanwhile; where their doings do not show yet, waits for them.
async fn take_over(run: &mut Run<'_>, part: &mut Part<'_>, step: &Step, handed_over: bool) -> Result<(), AgentError> {
    let (begun, skipped) = (Instant::now(), part.connected.device.skipped());
    loop {
        part.seen = part.agent.eyes.look(&mut run.recorder).await?;
        let agent = &part.agent;
        let passed = begun.elapsed() + part.connected.device.skipped().saturating_sub(skipped);
        if !handed_over || passed >= HANDOVER || agent.cancel.is_cancelled() {
            return Ok(());
        }
        let ranked = consider(&agent.scorer, agent.parameters, &agent.package, step, &part.seen.screen)?;
        let fits =
            |ranked: &&Ranked| ranked.candidate.widget.is_some() && ranked.score >= agent.scorer.weights.nothing_fits;
        if ranked.iter().any(|ranked| fits(&ranked)) {
            return Ok(());
        }
        part.connected.device.wait_for_change(&part.seen.hierarchy, LOOK).await?;
    }
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
async fn expectations(run: &mut Run<'_>, case: &PlannedCase, parts: &mut [Part<'_>]) -> Outcome {
    let mut outcomes: Vec<ExpectationOutcome> = Vec::new();
    for part in parts {
        let wanted: Vec<Expectation> = of(case, &part.actor.name).cloned().collect();
        if wanted.is_empty() {
            continue;
        }
        let eyes = run.eyes_on(part.connected);
        let look = eyes.look(&mut run.recorder).await;
        let Ok(seen) = look.map(|seen| part.seen = seen).map(|()| &mut part.seen) else {
            return Outcome::new(Verdict::Error, format!("{}: the device cannot be seen any more", part.actor.name));
        };
        let patience = part.connected.patience;
        match script::await_expectations(&eyes, &wanted, &case.secrets, patience, seen, &mut run.recorder).await {
            Ok(found) => outcomes.extend(found),
            Err(error) => return Outcome::error(&error),
        }
    }
    run.judge(outcomes)
}
