//! The daemon under load: submissions beside many cases, lists over many stored runs, memory over many runs.
//!
//! `cargo bench --bench daemon [--profile dev] [-- --cases N] [--stored N] [--runs N]` (5 000 cases, 1 000 000 stored runs, which take
//! 2 GB of disk, and 1 000 runs unless told). Everything is on loopback and in folders of its own; no device and no model is needed. Linux only for memory.

use async_trait::async_trait;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode, SqlitePoolOptions, SqliteSynchronous};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tapwright::adb::{ConnectionState, DeviceRow};
use tapwright::app::{Environment, Workspace};
use tapwright::daemon::{Daemon, DaemonClient, http_client};
use tapwright::device::DeviceRules;
use tapwright::domain::{
    Acquisition, CaseId, Counts, DeviceSerial, DeviceView, EventKind, RunEvent, RunId, RunResult, Timings, Verdict,
};
use tapwright::run::{LaunchError, RunLauncher, RunRequest};
use tapwright::store::{AccessStore as _, BatchFilter, NightStore as _, RunFilter, RunState, SqliteStore, Store};
use tokio::net::TcpListener;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Times something is measured.
const TIMES: usize = 100;
/// Runs that are stored by one statement.
const CHUNK: usize = 50_000;
/// Events of a run in the measurement of memory.
const EVENTS: u64 = 40;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let (mut cases, mut stored, mut runs) = (5_000, 1_000_000, 1_000);
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return Err("expected --cases N, --stored N or --runs N".into()) };
        let number: u32 = value.parse()?;
        match name.as_str() {
            "--cases" => cases = number,
            "--stored" => stored = number,
            "--runs" => runs = number,
            other => return Err(format!("{other}: expected --cases N, --stored N or --runs N").into()),
        }
    }
    submissions(cases).await?;
    lists(stored).await?;
    memory(runs).await
}

/// Hands runs in over HTTP, beside so many case files.
async fn submissions(cases: u32) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("tapwright.toml"), "")?;
    for number in 0..cases {
        let suite = folder.path().join(format!("cases/suite-{}", number / 100));
        std::fs::create_dir_all(&suite)?;
        let text = format!(
            "id: CASE-{number:05}\ntitle: Sign in {number}\napp: {{package: com.example.pay}}\nsteps:\n  - Sign in\n  - Open the \
             wallet\nexpect:\n  - visible: Welcome {number}\n"
        );
        std::fs::write(suite.join(format!("CASE-{number:05}.case.yaml")), text)?;
    }
    let workspace = Workspace::open(Some(folder.path()), Environment::default())?;
    let launcher = Arc::new(workspace.launcher(Vec::new(), workspace.places(None))?);
    let store = Arc::new(SqliteStore::open(&folder.path().join("runs.db")).await?);
    let (url, stop, task) = serve(folder.path(), store, launcher, watch::Sender::new(Vec::new()).subscribe()).await?;
    let client = DaemonClient::new(&url)?;
    let request = |number: u32| -> Outcome<RunRequest> {
        let case_id = CaseId::new(format!("CASE-{:05}", number % cases))?;
        Ok(RunRequest { case_id, device: None, actors: [].into(), params: [].into(), seed: 0, location: None })
    };
    let begun = Instant::now();
    client.submit(request(0)?).await?;
    println!("submission, {cases} cases: the first, which reads them all, {}", shown(begun.elapsed()));
    let mut times = Vec::new();
    for number in 1..=u32::try_from(TIMES)? {
        let begun = Instant::now();
        client.submit(request(number * 37)?).await?;
        times.push(begun.elapsed());
    }
    report(&format!("submission, {cases} cases"), times);
    stop.cancel();
    Ok(task.await??)
}

/// Lists and histories over so many stored runs.
async fn lists(stored: u32) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("runs.db");
    // Its schema; then nobody else has the file while it is filled.
    drop(SqliteStore::open(&path).await?);
    let begun = Instant::now();
    fill(&path, stored).await?;
    let store = SqliteStore::open(&path).await?;
    let size = std::fs::metadata(&path)?.len() / 1_000_000;
    println!("{stored} runs stored in {}, {size} MB", shown(begun.elapsed()));
    let list = |state, before: Option<String>| RunFilter {
        state,
        limit: 50,
        before: before.map(RunId::new),
        ..RunFilter::default()
    };
    let middle = Some(format!("run-{}", stored / 2));
    let case = CaseId::new("CASE-0007")?;
    let night = format!("night-{}", stored / 1_000);
    measure("list, latest 50", || store.runs(list(None, None))).await?;
    measure("list, 50 behind the middle", || store.runs(list(None, middle.clone()))).await?;
    measure("list, 50 queued of none", || store.runs(list(Some(RunState::Queued), None))).await?;
    measure("list, 50 finished", || store.runs(list(Some(RunState::Finished), None))).await?;
    let one = RunId::new(middle.clone().unwrap_or_default());
    measure("one run", || store.run(&one)).await?;
    measure("history of a case, 50", || store.runs_of_case(&case, 50)).await?;
    measure("a night of 500 runs", || store.runs_of_batch(&night)).await?;
    measure("nights, 60", || store.batches(BatchFilter { limit: 60, ..BatchFilter::default() })).await?;
    measure("times of the latest 2 000", || store.past_times(2_000)).await?;
    measure("length of the queue", || store.queue_length()).await?;
    measure("audit log, 100", || store.audit(None, 100)).await
}

/// Runs of 2 000 cases, 500 a night, each with a result of a kilobyte; without a journal, for nobody misses a bench's database.
async fn fill(path: &Path, stored: u32) -> Outcome<()> {
    let result = serde_json::to_string(&result_of(RunId::new("run"), &CaseId::new("CASE-0000")?, &"d1".into()))?;
    let padding = "x".repeat(1_000_usize.saturating_sub(result.len()));
    let options = SqliteConnectOptions::new().filename(path).journal_mode(SqliteJournalMode::Off);
    let options = options.synchronous(SqliteSynchronous::Off).locking_mode(SqliteLockingMode::Exclusive);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
    let result = result.replacen("\"reason\":\"\"", &format!("\"reason\":\"{padding}\""), 1);
    for first in (0..stored).step_by(CHUNK) {
        let behind = stored.min(first + u32::try_from(CHUNK)?);
        let text = format!(
            "WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {behind})
             INSERT INTO runs (run_id, case_id, state, request, params_withheld, attempts, device, verdict, reason, result,
                 created_at, started_at, finished_at, batch_id)
             SELECT 'run-' || i, printf('CASE-%04d', i % 2000), 'finished', printf('{{\"case_id\":\"CASE-%04d\"}}', i % 2000), 0, 1,
                 'd1', 'passed', '', $1, '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '2026-01-01T00:00:09Z',
                 'night-' || (i / 500)
             FROM n"
        );
        sqlx::query(sqlx::AssertSqlSafe(text)).bind(result.as_str()).execute(&pool).await?;
    }
    let nights = format!(
        "INSERT INTO batches (batch_id, name, trigger_by, spec, tally, created_at, finished_at)
         SELECT DISTINCT batch_id, 'nightly', 'schedule', '{{}}', '{{\"passed\":500,\"flaky\":0,\"failed\":0,\"blocked\":0,\"error\":0,\
         \"cancelled\":0,\"open\":0}}', '2026-01-01T00:00:00Z', '2026-01-01T06:00:00Z' FROM runs WHERE number <= {stored}"
    );
    sqlx::query(sqlx::AssertSqlSafe(nights)).execute(&pool).await?;
    pool.close().await;
    Ok(())
}

/// Memory after so many runs on eight devices, compared with that after a tenth of them.
async fn memory(runs: u32) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let row = |number: u32| DeviceRow {
        serial: DeviceSerial::new(format!("d{number}")),
        state: ConnectionState::Device,
        product: None,
        model: None,
        device: None,
        transport_id: None,
    };
    let devices = watch::Sender::new((0..8).map(row).collect::<Vec<_>>());
    let store = Arc::new(SqliteStore::open(&folder.path().join("runs.db")).await?);
    let (url, stop, task) = serve(folder.path(), store, Arc::new(Player), devices.subscribe()).await?;
    let client = DaemonClient::new(&url)?;
    let mut before = 0;
    let begun = Instant::now();
    for number in 0..runs {
        let case_id = CaseId::new(format!("CASE-{:04}", number % 50))?;
        let request =
            RunRequest { case_id, device: None, actors: [].into(), params: [].into(), seed: 0, location: None };
        let ticket = client.submit(request).await?;
        client.follow(&ticket.run_id, |_event| {}).await?;
        if number == runs / 10 {
            before = resident_kilobytes()?;
        }
    }
    let http = http_client().no_proxy().build()?;
    let metrics = http.get(format!("{url}/metrics")).send().await?.text().await?;
    assert!(metrics.contains("tapwright_runs_ended_total"), "the daemon does not count");
    let grown = i64::try_from(resident_kilobytes()?)? - i64::try_from(before)?;
    println!(
        "{runs} runs of {EVENTS} events, one after another, handed in and followed over HTTP: {}, memory grew by {grown} KiB over the last \
         nine tenths, to {} KiB",
        shown(begun.elapsed()),
        resident_kilobytes()?
    );
    stop.cancel();
    Ok(task.await??)
}

type Served = (String, CancellationToken, tokio::task::JoinHandle<Result<(), tapwright::daemon::DaemonError>>);

async fn serve(
    folder: &Path,
    store: Arc<dyn Store>,
    launcher: Arc<dyn RunLauncher>,
    devices: watch::Receiver<Vec<DeviceRow>>,
) -> Outcome<Served> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let stop = CancellationToken::new();
    let rules = DeviceRules { allow: Vec::new(), locks: Some(folder.join("locks")), holder: "a benchmark".to_owned() };
    let daemon = Daemon::default().using(rules);
    let task = tokio::spawn(daemon.run(listener, store, launcher, devices, stop.clone()));
    Ok((url, stop, task))
}

async fn measure<T, E, F>(what: &str, mut ask: impl FnMut() -> F) -> Outcome<()>
where
    F: Future<Output = Result<T, E>>,
    E: std::error::Error + Send + Sync + 'static,
{
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let begun = Instant::now();
        drop(ask().await?);
        times.push(begun.elapsed());
    }
    report(what, times);
    Ok(())
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: usize| times.get((times.len().saturating_sub(1)) * part / 100).copied().unwrap_or_default();
    println!("{what}: {} in the middle, {} p99, {} at most", shown(at(50)), shown(at(99)), shown(at(100)));
}

fn shown(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn resident_kilobytes() -> Outcome<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.split_whitespace().next().ok_or("an empty VmRSS")?.parse()?)
}

fn result_of(run_id: RunId, case_id: &CaseId, serial: &DeviceSerial) -> RunResult {
    RunResult {
        schema: 1,
        run_id,
        case_id: case_id.clone(),
        verdict: Verdict::Passed,
        reason: String::new(),
        flaky: false,
        repaired: false,
        attempts: 1,
        told_attempt: 1,
        device: DeviceView { serial: serial.clone(), profile: "default".into(), api: 34 },
        apps: Vec::new(),
        attribution: None,
        steps: vec![],
        counts: Counts::default(),
        diagnostics: vec![],
        acquisition: Acquisition::default(),
        model: None,
        timings_ms: Timings::default(),
        script: None,
        artifacts: vec![],
    }
}

/// Passes every case, with some events.
struct Player;

#[async_trait]
impl RunLauncher for Player {
    fn check(&self, _: &RunRequest) -> Result<(), LaunchError> {
        Ok(())
    }

    async fn launch(
        &self,
        run_id: RunId,
        request: &RunRequest,
        serial: &DeviceSerial,
        events: UnboundedSender<RunEvent>,
        _: CancellationToken,
    ) -> Result<RunResult, LaunchError> {
        let result = result_of(run_id.clone(), &request.case_id, serial);
        let step = |index| EventKind::StepStarted { index, instruction: "Tap Pay".into(), rewritten: "tap Pay".into() };
        let kinds = (0..EVENTS).map(|seq| step(seq as usize + 1));
        let kinds = kinds.chain([EventKind::RunFinished { result: result.clone() }]);
        for (seq, kind) in kinds.enumerate() {
            // A closed receiver is ignored: the port's contract.
            drop(events.send(RunEvent { run_id: run_id.clone(), seq: seq as u64, at_ms: 0.0, kind }));
        }
        Ok(result)
    }
}
