//! Tells people and programs that a night has ended: a webhook with a body that Slack takes, or a command.

use crate::daemon::web::http_client;
use crate::store::{BatchEnd, BatchRecord, Tally};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// Tries of a webhook.
const TRIES: u32 = 3;
/// A try, or a command, may take so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest reason that is told.
const LONGEST: usize = 200;

/// Where a notice goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeTarget {
    /// A URL that takes `{"text": …}`, as Slack, Mattermost and Rocket.Chat do.
    Webhook(String),
    /// A program and its arguments; it gets the night as JSON on its standard input. No shell reads it.
    Command(Vec<String>),
}

/// Of which nights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoticeWhen {
    /// Every one.
    #[default]
    Always,
    /// Those in which something failed, was blocked or ended as an error.
    Broken,
}

/// Whom to tell what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Where it goes.
    pub target: NoticeTarget,
    /// Of which nights.
    pub when: NoticeWhen,
}

/// What is told.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) batch: BatchRecord,
    pub(super) end: BatchEnd,
    /// Reasons with the cells of each, the worst first.
    pub(super) causes: Vec<(String, usize)>,
}

/// Tells it, as often as it takes within bounds. That nobody could be told ends no night.
pub(super) async fn deliver(notice: Notice, report: Report) {
    if notice.when == NoticeWhen::Broken && !is_broken(&report.end.tally) {
        return;
    }
    let told = match &notice.target {
        NoticeTarget::Webhook(url) => post(url, &report).await,
        NoticeTarget::Command(argv) => run(argv, &report).await,
    };
    if let Err(reason) = told {
        tracing::error!(batch_id = report.batch.batch_id, reason, "nobody could be told that a night has ended");
    }
}

const fn is_broken(tally: &Tally) -> bool {
    tally.failed + tally.blocked + tally.error > 0
}

async fn post(url: &str, report: &Report) -> Result<(), String> {
    let http = http_client().timeout(PATIENCE).build().map_err(|error| error.to_string())?;
    let mut reason = String::new();
    for number in 0..TRIES {
        if number > 0 {
            // Over when the pause is.
            let pause = Duration::from_secs(1 << number);
            let _paused = tokio::time::timeout(pause, std::future::pending::<()>()).await;
        }
        match http.post(url).json(&json!({"text": text(report)})).send().await {
            Ok(answer) if answer.status().is_success() => return Ok(()),
            // The URL may be a secret: it is in no message.
            Ok(answer) => reason = format!("the webhook answered {}", answer.status()),
            Err(error) => reason = format!("the webhook could not be reached: {}", error.without_url()),
        }
    }
    Err(reason)
}

async fn run(argv: &[String], report: &Report) -> Result<(), String> {
    let Some((program, arguments)) = argv.split_first() else { return Err("the command is empty".to_owned()) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let input = child.stdin.take();
    let work = async {
        if let Some(mut input) = input {
            // One that reads nothing may be content with being started.
            if let Err(error) = input.write_all(body(report).to_string().as_bytes()).await {
                tracing::debug!(%error, program, "a command did not read what it was told");
            }
        }
        child.wait_with_output().await
    };
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(Ok(output)) if output.status.success() => Ok(()),
        Ok(Ok(output)) => {
            Err(format!("{program} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
        }
        Ok(Err(error)) => Err(format!("{program}: {error}")),
        Err(_elapsed) => Err(format!("{program} took longer than {PATIENCE:?} and was ended")),
    }
}

/// The night in a few lines.
fn text(report: &Report) -> String {
    let Report { batch, end, causes } = report;
    let tally = &end.tally;
    let counts = [
        (tally.passed, "passed"),
        (tally.flaky, "flaky"),
        (tally.repaired, "repaired, to review"),
        (tally.failed, "failed"),
        (tally.blocked, "blocked"),
        (tally.error, "device errors"),
        (tally.cancelled, "cancelled"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let counts = if counts.is_empty() { "nothing was run".to_owned() } else { counts.join(", ") };
    let commit = batch.spec.commit.as_ref().map(|commit| format!(" @ {commit}")).unwrap_or_default();
    let app = match (&batch.app_before, &end.app_after) {
        (Some(before), Some(after)) if before != after => format!(", app {after} (was {before})"),
        (_, Some(after)) => format!(", app {after}"),
        _ => String::new(),
    };
    let mut lines = vec![format!("{}{commit}: {counts}{app}", escaped(&batch.spec.name))];
    lines.extend(causes.iter().map(|(reason, cells)| {
        let short: String = reason.chars().take(LONGEST).collect();
        format!("• {cells} × {}", escaped(&short))
    }));
    lines.join("\n")
}

/// Text for Slack: what it reads as markup of its own (mentions, links) stays text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(char::is_control, " ")
}

fn body(report: &Report) -> Value {
    json!({
        "batch_id": report.batch.batch_id,
        "name": report.batch.spec.name,
        "schedule": report.batch.schedule,
        "trigger": report.batch.trigger,
        "commit": report.batch.spec.commit,
        "app_before": report.batch.app_before,
        "app_after": report.end.app_after,
        "tally": report.end.tally,
        "causes": report.causes.iter().map(|(reason, cells)| json!({"reason": reason, "cells": cells})).collect::<Vec<_>>(),
        "text": text(report),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::BatchSpec;
    use jiff::Timestamp;

    fn report(tally: Tally, reason: &str) -> Report {
        let batch = BatchRecord {
            batch_id: "n".into(),
            spec: BatchSpec { name: "nightly".into(), commit: Some("3f9c1e2".into()), ..BatchSpec::default() },
            schedule: None,
            trigger: "schedule".into(),
            app_before: Some("2.3.0".into()),
            app_after: None,
            tally: None,
            created_at: Timestamp::UNIX_EPOCH,
            finished_at: None,
            idempotency_key: None,
        };
        Report { batch, end: BatchEnd { tally, app_after: Some("2.3.1".into()) }, causes: vec![(reason.into(), 2)] }
    }

    #[test]
    fn a_night_is_told_in_a_few_lines_that_mention_nobody() {
        let tally = Tally { passed: 464, failed: 2, ..Tally::default() };
        assert_eq!(
            text(&report(tally, "<!channel> & \"20 points\"\nmissing")),
            "nightly @ 3f9c1e2: 464 passed, 2 failed, app 2.3.1 (was 2.3.0)\n\
             • 2 × &lt;!channel&gt; &amp; \"20 points\" missing"
        );
        assert!(text(&report(Tally::default(), "x")).starts_with("nightly @ 3f9c1e2: nothing was run"));
    }

    #[test]
    fn a_night_is_broken_by_what_did_not_pass_in_the_end() {
        let check = |tally: Tally, expected: bool| assert_eq!(is_broken(&tally), expected, "{tally:?}");
        check(Tally { passed: 3, flaky: 2, repaired: 1, cancelled: 1, ..Tally::default() }, false);
        check(Tally { failed: 1, ..Tally::default() }, true);
        check(Tally { blocked: 1, ..Tally::default() }, true);
        check(Tally { error: 1, ..Tally::default() }, true);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_command_gets_the_night_on_its_standard_input() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("told");
        let tee = vec!["tee".to_owned(), file.to_str().unwrap().to_owned()];
        run(&tee, &report(Tally { failed: 1, ..Tally::default() }, "x; rm -rf $HOME")).await.unwrap();
        let told: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!((&told["tally"]["failed"], &told["causes"][0]["reason"]), (&json!(1), &json!("x; rm -rf $HOME")));
        let error = run(&["false".to_owned()], &report(Tally::default(), "")).await.unwrap_err();
        assert!(error.starts_with("false ended with exit status: 1"), "{error}");
        assert!(run(&["no-such-program".to_owned()], &report(Tally::default(), "")).await.is_err());
    }
}
