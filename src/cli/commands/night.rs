//! `tapwright night` and `tapwright schedule`: nights and schedules of a daemon.

use super::remote::{client, failure};
use super::{plural, print_json};
use crate::app::Workspace;
use crate::cli::{Exit, Failure, NightCommand, NightSelection, RemoteArgs, ScheduleCommand, table};
use crate::daemon::{BatchView, NightView};
use crate::domain::CaseId;
use crate::gate::Changes;
use crate::store::{BatchSpec, Quiet, Tally};
use serde_json::{Value, json};

/// Carries a `night` command out.
pub(super) async fn night(command: NightCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        NightCommand::Start { selection, name, commit, changed_since, remote } => {
            let mut spec = spec(selection)?;
            spec.name = name.unwrap_or_default();
            spec.commit = commit;
            if let Some(revision) = changed_since {
                spec.changed = Changes::since(workspace.root(), &revision).map_err(Failure::usage)?.paths;
            }
            let batch: BatchView =
                client(&remote.daemon, workspace)?.post_json(&["batches"], &spec).await.map_err(failure)?;
            anstream::eprintln!("watch it at {}/#night={}", remote.daemon.trim_end_matches('/'), batch.batch_id);
            anstream::println!("{}", batch.batch_id);
            Ok(Exit::Passed)
        }
        NightCommand::List { json, remote } => list(&remote, json, workspace).await,
        NightCommand::Show { id, json, remote } => show(&id, &remote, json, workspace).await,
        NightCommand::Cancel { id, remote } => {
            let path = ["batches", id.as_str(), "cancel"];
            let answer: Value =
                client(&remote.daemon, workspace)?.post_json(&path, &Value::Null).await.map_err(failure)?;
            let runs = answer["runs"].as_u64().unwrap_or_default();
            anstream::eprintln!("{} called off", plural(usize::try_from(runs).unwrap_or_default(), "run"));
            Ok(Exit::Passed)
        }
    }
}

async fn list(remote: &RemoteArgs, as_json: bool, workspace: &Workspace) -> Result<Exit, Failure> {
    let batches: Vec<BatchView> = client(&remote.daemon, workspace)?.get_json(&["batches"]).await.map_err(failure)?;
    if as_json {
        print_json(&batches)?;
        return Ok(Exit::Passed);
    }
    let mut lines = vec![["ID", "NAME", "BEGAN", "TRIGGER", "COMMIT", "RESULT"].map(str::to_owned).to_vec()];
    for batch in batches {
        let result = batch.tally.map_or_else(|| "open".to_owned(), |tally| words(&tally));
        let began = batch.created_at.strftime("%Y-%m-%d %H:%M").to_string();
        let commit = batch.spec.commit.unwrap_or_default();
        lines.push(vec![batch.batch_id, batch.spec.name, began, batch.trigger, commit, result]);
    }
    table::print_fitting(&lines);
    Ok(Exit::Passed)
}

async fn show(id: &str, remote: &RemoteArgs, as_json: bool, workspace: &Workspace) -> Result<Exit, Failure> {
    let night: NightView = client(&remote.daemon, workspace)?.get_json(&["batches", id]).await.map_err(failure)?;
    let tally = night.batch.tally.unwrap_or_default();
    if as_json {
        print_json(&night)?;
    } else {
        anstream::println!("{}: {}", night.batch.spec.name, words(&tally));
        for cause in &night.causes {
            let age = match cause.new {
                Some(true) => "new",
                Some(false) => "known",
                None => "",
            };
            anstream::println!("  {age:<5} {} × {} ({})", cause.runs.len(), cause.reason, cause.cases.join(", "));
        }
    }
    if tally.open > 0 {
        return Ok(Exit::Passed);
    }
    Ok(match (tally.error > 0, tally.failed + tally.blocked > 0) {
        (true, _) => Exit::Infrastructure,
        (false, true) => Exit::Failed,
        (false, false) => Exit::Passed,
    })
}

/// Carries a `schedule` command out.
pub(super) async fn schedule(command: ScheduleCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        ScheduleCommand::Set { name, cron, zone, paused, selection, remote } => {
            let secret = &workspace.environment().webhook_secret;
            let mut body =
                json!({"name": name, "cron": cron, "zone": zone, "enabled": !paused, "spec": spec(selection)?});
            if let (Some(secret), Some(members)) = (secret, body.as_object_mut()) {
                members.insert("webhook_secret".to_owned(), secret.expose().into());
            }
            let set: Value =
                client(&remote.daemon, workspace)?.post_json(&["schedules"], &body).await.map_err(failure)?;
            anstream::eprintln!("{name} fires next at {}", next(&set).first().map_or("a webhook", String::as_str));
            Ok(Exit::Passed)
        }
        ScheduleCommand::List { json, remote } => {
            let all: Vec<Value> = client(&remote.daemon, workspace)?.get_json(&["schedules"]).await.map_err(failure)?;
            if json {
                print_json(&all)?;
                return Ok(Exit::Passed);
            }
            let mut lines = vec![["NAME", "CRON", "ZONE", "NEXT"].map(str::to_owned).to_vec()];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            lines.extend(all.iter().map(|one| {
                let paused = one["enabled"] == json!(false);
                let next = if paused { "paused".to_owned() } else { next(one).first().cloned().unwrap_or_default() };
                vec![text(&one["name"]), text(&one["cron"]), text(&one["zone"]), next]
            }));
            table::print(&lines);
            Ok(Exit::Passed)
        }
        ScheduleCommand::Begin { name, remote } => {
            let path = ["schedules", name.as_str(), "begin"];
            let batch: BatchView =
                client(&remote.daemon, workspace)?.post_json(&path, &Value::Null).await.map_err(failure)?;
            anstream::println!("{}", batch.batch_id);
            Ok(Exit::Passed)
        }
        ScheduleCommand::Remove { name, remote } => {
            client(&remote.daemon, workspace)?.delete(&["schedules", name.as_str()]).await.map_err(failure)?;
            Ok(Exit::Passed)
        }
    }
}

fn next(schedule: &Value) -> Vec<String> {
    schedule["next"].as_array().into_iter().flatten().filter_map(|time| time.as_str().map(str::to_owned)).collect()
}

fn spec(selection: NightSelection) -> Result<BatchSpec, Failure> {
    let NightSelection { cases, tags, suites, profiles, locales, locations, retries, concurrency, quiet, quiet_zone } =
        selection;
    let cases = cases.into_iter().map(CaseId::new).collect::<Result<_, _>>().map_err(Failure::usage)?;
    let quiet = quiet.map(|hours| {
        let wrong = || Failure::usage(format!("--quiet {hours}: expected something like 08:00-18:00"));
        let (from, to) = hours.split_once('-').ok_or_else(wrong)?;
        Ok::<_, Failure>(Quiet { from: from.to_owned(), to: to.to_owned(), zone: quiet_zone })
    });
    Ok(BatchSpec {
        cases,
        tags,
        suites,
        profiles,
        locales,
        locations,
        retries,
        concurrency,
        quiet: quiet.transpose()?,
        ..BatchSpec::default()
    })
}

/// `3 passed, 1 failed`.
fn words(tally: &Tally) -> String {
    let counts = [
        (tally.passed, "passed"),
        (tally.flaky, "flaky"),
        (tally.repaired, "repaired, to review"),
        (tally.failed, "failed"),
        (tally.blocked, "blocked"),
        (tally.error, "errors"),
        (tally.cancelled, "cancelled"),
        (tally.open, "open"),
    ];
    let some = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    some.collect::<Vec<_>>().join(", ")
}
