//! Replaying a script that several actors share: each action on its actor's device, in the recorded order.

use super::build::Build;
use super::ensemble::everybody_has_a_device;
use super::executor::{ConnectedDevice, Outcome, Run, diverged, not_replayed};
use super::expected::blame_crash;
use super::start::start;
use super::step_tracker::StepTracker;
use crate::device::Seen;
use crate::domain::{ActionSource, EventKind, EventSink, ExpectationOutcome, Secret, Verdict};
use crate::script::{Passage, Performance, ReplayError, Replayer, Script, ScriptActor, Stop, Trust};
use crate::witness::Witness;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long what another actor did may take to show, beyond how long it took when it was recorded.
const HANDOVER: Duration = Duration::from_secs(60);

/// An actor on their device.
struct Player<'a> {
    name: &'a str,
    actor: &'a ScriptActor,
    connected: &'a ConnectedDevice,
    replayer: Replayer<'a>,
    seen: Seen,
}

/// Replays the script.
pub(super) async fn play<'a>(
    run: &mut Run<'a>,
    script: &'a Script,
    builds: &BTreeMap<String, Build>,
    secrets: &'a BTreeMap<String, Secret>,
) -> Outcome {
    let company = run.context.company;
    if let Err(outcome) = everybody_has_a_device(script.actors.keys().map(String::as_str), company) {
        return outcome;
    }
    if let Some(name) = script.secrets.iter().find(|name| !secrets.contains_key(*name)) {
        return not_replayed(&ReplayError::MissingSecret(name.clone()));
    }
    let mut players = Vec::new();
    for (name, actor) in &script.actors {
        let Some(connected) = company.get(name) else { continue };
        let named = |error: &dyn std::fmt::Display| Outcome::new(Verdict::Error, format!("{name}: {error}"));
        match start(connected, &actor.app.package, builds.get(name), actor.app.location).await {
            Ok(version) => run.note_app(name, &actor.app.package, version),
            Err(error) => return named(&error),
        }
        let eyes = run.eyes_on(connected);
        let seen = match run.first_look(connected, &actor.app.package).await {
            Ok(seen) => seen,
            Err(error) => return named(&error),
        };
        run.early.note(name, &actor.expectations, secrets, &seen);
        let (skills, patience) = (run.context.skills, connected.patience);
        let replayer = Replayer { eyes, skills, secrets, patience, trust: Trust::Place, from: 0 };
        players.push(Player { name, actor, connected, replayer, seen });
    }
    let mut steps = StepTracker { recorder: &mut run.recorder, script, current: None };
    let played = actions(&mut steps, script, &mut players, &run.context.cancel).await;
    let open = steps.current;
    let (verdict, reason) = match &played {
        Ok(()) => (Verdict::Passed, String::new()),
        Err(outcome) => (outcome.verdict, outcome.reason.clone()),
    };
    if let Some(index) = open {
        run.recorder.emit(EventKind::StepFinished { index, verdict, reason, confidence: None });
    }
    let mut outcome = match played {
        Ok(()) => expectations(run, secrets, &mut players).await,
        Err(outcome) => outcome,
    };
    for player in &players {
        outcome = blame_crash(player.connected.device.as_ref(), outcome, &player.actor.app.package).await;
    }
    outcome
}

async fn actions(
    steps: &mut StepTracker<'_>,
    script: &Script,
    players: &mut [Player<'_>],
    cancel: &tokio_util::sync::CancellationToken,
) -> Result<(), Outcome> {
    let mut last: Option<&str> = None;
    for (index, recorded) in script.actions.iter().enumerate() {
        if cancel.is_cancelled() {
            return Err(not_replayed(&ReplayError::Interrupted));
        }
        let name = recorded.actor.as_deref().unwrap_or_default();
        let player = players.iter_mut().find(|player| player.name == name).ok_or_else(|| {
            let reason = format!("{name:?} does it and is none of the script's actors");
            not_replayed(&ReplayError::Malformed { action: index + 1, reason })
        })?;
        let handed_over = last.is_some_and(|last| last != name);
        last = Some(name);
        if handed_over {
            // The others have acted meanwhile.
            let look = player.replayer.eyes.look(steps).await;
            player.seen = look.map_err(|error| not_replayed(&error.into()))?;
        }
        let next = script.actions.get(index + 1).filter(|next| next.actor == recorded.actor);
        let patience = if handed_over { HANDOVER } else { player.replayer.patience };
        let recorded_on = &player.actor.device;
        let passage = Passage { index, recorded, next, recorded_on, patience, note: "" };
        match player.replayer.perform(&passage, &mut player.seen, steps).await {
            Ok(Performance::Done(_)) => {}
            Ok(Performance::Stopped(Stop::Diverged(mut divergence))) => {
                divergence.reason = format!("{name}: {}", divergence.reason);
                return Err(diverged(&divergence));
            }
            Ok(Performance::Stopped(Stop::Unmet(outcomes))) => return Err(unmet(name, &outcomes)),
            Err(error) => return Err(not_replayed(&error)),
        }
    }
    Ok(())
}

/// What an actor's device was to show on the way, and did not.
fn unmet(name: &str, outcomes: &[ExpectationOutcome]) -> Outcome {
    let first =
        outcomes.first().map(|outcome| format!("{name}: expected {}: {}", outcome.expectation, outcome.evidence));
    Outcome::new(Verdict::Failed, first.unwrap_or_default())
}

async fn expectations(run: &mut Run<'_>, secrets: &BTreeMap<String, Secret>, players: &mut [Player<'_>]) -> Outcome {
    let mut outcomes: Vec<ExpectationOutcome> = Vec::new();
    let step = run.recorder.steps().last().map_or(1, |step| step.index);
    for Player { name, actor, connected, replayer, seen } in players {
        let eyes = &replayer.eyes;
        let looked = eyes.look(&mut run.recorder).await.map(|looked| *seen = looked);
        let found = match looked {
            Ok(()) => {
                let wanted = &actor.expectations;
                let witness = Witness {
                    eyes,
                    skills: replayer.skills,
                    secrets,
                    patience: connected.patience,
                    step,
                    source: ActionSource::Script,
                    alone: false,
                    pictures: seen.screen.screenshot.iter().cloned().collect(),
                };
                witness.await_all(wanted, seen, &mut run.recorder).await
            }
            Err(error) => Err(error.into()),
        };
        match found {
            Ok(found) => outcomes.extend(run.early.mark(name, found)),
            Err(error) => return Outcome::new(Verdict::Error, format!("{name}: {error}")),
        }
    }
    run.judge(outcomes, &[])
}
