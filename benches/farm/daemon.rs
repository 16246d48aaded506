//! `tapwright serve` as a process of its own.

use super::Outcome;
use super::fleet::Fleet;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tapwright::daemon::http_client;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// What a daemon does at once takes no longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A daemon under way.
pub(super) struct Daemon {
    child: Child,
    url: String,
    http: reqwest::Client,
    log: UnboundedReceiver<String>,
    /// From its start until it said that it is ready.
    pub(super) ready_after: Duration,
}

impl Daemon {
    /// Starts one on the fleet's database, and waits until it is ready.
    pub(super) async fn start(fleet: &Fleet) -> Outcome<Self> {
        let begun = Instant::now();
        let database = fleet.folder().join("runs.db");
        let mut command = fleet.command(&["serve", "--listen", "127.0.0.1:0", "--database"]);
        command.arg(database).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("no stderr")?).lines();
        let (tell, mut log) = unbounded_channel();
        // Read on whatever happens: a daemon whose messages nobody takes would wait for that.
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                drop(tell.send(line));
            }
        });
        let mut said = String::new();
        let url = loop {
            let line = timeout(PATIENCE, log.recv()).await?.ok_or_else(|| format!("it ended early: {said}"))?;
            if let Some(url) = line.split_whitespace().find(|word| word.starts_with("http://")) {
                break url.trim_end_matches('/').to_owned();
            }
            said.push_str(&line);
        };
        let http = http_client().no_proxy().timeout(PATIENCE).build()?;
        while !http.get(format!("{url}/readyz")).send().await.is_ok_and(|answer| answer.status().is_success()) {
            if begun.elapsed() > PATIENCE {
                return Err("it was not ready within a minute".into());
            }
        }
        Ok(Self { child, url, http, log, ready_after: begun.elapsed() })
    }

    pub(super) async fn get(&self, path: &str) -> Outcome<Value> {
        let answer = self.http.get(format!("{}{path}", self.url)).send().await?.error_for_status()?;
        Ok(serde_json::from_slice(&answer.bytes().await?)?)
    }

    /// An answer that need not be JSON.
    pub(super) async fn text(&self, path: &str) -> Outcome<String> {
        Ok(self.http.get(format!("{}{path}", self.url)).send().await?.error_for_status()?.text().await?)
    }

    /// Descriptors that are open.
    pub(super) fn descriptors(&self) -> Outcome<usize> {
        let id = self.child.id().ok_or("it has ended")?;
        Ok(std::fs::read_dir(format!("/proc/{id}/fd"))?.count())
    }

    /// Hands a case in; gives the run's id.
    pub(super) async fn submit(&self, case_id: &str) -> Outcome<String> {
        let post = self.http.post(format!("{}/api/v1/runs", self.url)).json(&json!({"case_id": case_id}));
        let ticket: Value = post.send().await?.error_for_status()?.json().await?;
        Ok(ticket["run_id"].as_str().ok_or("a ticket without a run")?.to_owned())
    }

    /// How many runs wait, and how many are under way.
    pub(super) async fn open(&self) -> Outcome<(usize, usize)> {
        let health = self.get("/api/v1/health").await?;
        let count = |name: &str| health[name].as_u64().map_or(0, |count| count as usize);
        Ok((count("queue_length"), count("devices_busy")))
    }

    /// Those of the runs that have ended, each whole; nothing is asked of single runs before all have.
    pub(super) async fn ended(&self, runs: &[String]) -> Outcome<Vec<Value>> {
        let (waiting, busy) = self.open().await?;
        if waiting + busy > 0 {
            return Ok(vec![Value::Null; runs.len().saturating_sub(waiting + busy)]);
        }
        let mut ended = Vec::new();
        for run in runs {
            let view = self.get(&format!("/api/v1/runs/{run}")).await?;
            if view["state"] == "finished" || view["state"] == "cancelled" {
                ended.push(view);
            }
        }
        Ok(ended)
    }

    /// Megabytes (10⁶ bytes) that are resident now.
    pub(super) fn resident(&self) -> Outcome<f64> {
        self.memory("VmRSS:")
    }

    /// Megabytes that ever were.
    pub(super) fn peak(&self) -> Outcome<f64> {
        self.memory("VmHWM:")
    }

    fn memory(&self, name: &str) -> Outcome<f64> {
        let id = self.child.id().ok_or("it has ended")?;
        let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no memory is told")?;
        let kibibytes: f64 = line.split_whitespace().next().ok_or("an empty line")?.parse()?;
        Ok(kibibytes * 1024.0 / 1e6)
    }

    /// Sends it a signal.
    pub(super) async fn signal(&self, signal: &str) -> Outcome<()> {
        let id = self.child.id().ok_or("it has ended")?.to_string();
        let sent = Command::new("kill").args([signal, &id]).status().await?;
        if sent.success() { Ok(()) } else { Err(format!("{signal} could not be sent").into()) }
    }

    /// Waits until it says something.
    pub(super) async fn told(&mut self, word: &str) -> Outcome<()> {
        while let Some(line) = timeout(PATIENCE, self.log.recv()).await? {
            if line.contains(word) {
                return Ok(());
            }
        }
        Err(format!("it never said {word:?}").into())
    }

    /// `kill -9`.
    pub(super) async fn kill(mut self) -> Outcome<()> {
        Ok(self.child.kill().await?)
    }

    /// Waits for its end; gives its exit code.
    pub(super) async fn gone(mut self) -> Outcome<Option<i32>> {
        while timeout(PATIENCE, self.log.recv()).await?.is_some() {}
        Ok(timeout(PATIENCE, self.child.wait()).await??.code())
    }

    /// SIGTERM, and waits for its end; gives its exit code.
    pub(super) async fn stop(self) -> Outcome<Option<i32>> {
        self.signal("-TERM").await?;
        self.gone().await
    }
}
