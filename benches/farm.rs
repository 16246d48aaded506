//! A farm under load: `tapwright serve` as a process of its own, virtual devices, kills in the middle of everything, and
//! what came of it, as a table.
//!
//! `cargo bench --bench farm [--profile dev] -- [--tapwright FILE] [--devices N] [--runs N] [--kills N] [--full N] [--seconds N] [--seed N]
//! [--soak MINUTES] [--builds N]` (8 devices, 200 runs, 20 kills, no window of a full disk, 2 s at most between two of them, seed 1 unless told). With
//! `--soak` there is but a light load for as long; with `--builds` the app becomes a new build so many times while the runs are made. `--tapwright` takes a binary that is built already; else the one cargo built with this bench. `TAPWRIGHT_ADB` names the adb, `TAPWRIGHT_MODELS` the folder of models (that of the repository
//! unless told): one run of the case is recorded with them, and then replayed. Everything is on loopback and in folders of its own. Linux only.

#[path = "farm/builds.rs"]
mod builds;
#[path = "farm/daemon.rs"]
mod daemon;
#[path = "farm/figures.rs"]
mod figures;
#[path = "farm/fleet.rs"]
mod fleet;
#[path = "farm/full_disk.rs"]
mod full_disk;
#[path = "farm/soak.rs"]
mod soak;

use daemon::Daemon;
use figures::{Asked, Figure, Table, milliseconds};
use fleet::Fleet;
use full_disk::Filler;
use serde_json::Value;
use std::collections::BTreeMap;
use std::future::pending;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::time::timeout;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The case that is replayed: four actions and a look at what came of them.
const CASE: &str = "PAY-0008";
/// The app it is played in.
const PACKAGE: &str = "com.example.pay";
/// Nothing of the bench takes longer.
const PATIENCE: Duration = Duration::from_secs(1_200);
/// Runs that wait for each device while kills go on.
const BACKLOG: usize = 3;

/// What is asked for on the command line.
struct Sizes {
    tapwright: PathBuf,
    devices: usize,
    runs: usize,
    kills: usize,
    full: usize,
    most_between: Duration,
    seed: u64,
    soak: Option<Duration>,
    builds: usize,
}

impl Sizes {
    fn read() -> Outcome<Self> {
        let mut sizes = Self {
            tapwright: PathBuf::from(env!("CARGO_BIN_EXE_tapwright")),
            devices: 8,
            runs: 200,
            kills: 20,
            full: 0,
            soak: None,
            builds: 0,
            most_between: Duration::from_secs(2),
            seed: 1,
        };
        let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
        let expected = "expected --tapwright FILE, --devices N, --runs N, --kills N, --full N, --seconds N, --seed N, --soak MINUTES or --builds N";
        for pair in arguments.chunks(2) {
            let [name, value] = pair else { return Err(expected.into()) };
            match name.as_str() {
                "--tapwright" => sizes.tapwright = std::path::absolute(value)?,
                "--devices" => sizes.devices = value.parse()?,
                "--runs" => sizes.runs = value.parse()?,
                "--kills" => sizes.kills = value.parse()?,
                "--full" => sizes.full = value.parse()?,
                "--soak" => sizes.soak = Some(Duration::from_secs(60 * value.parse::<u64>()?)),
                "--builds" => sizes.builds = value.parse()?,
                "--seconds" => sizes.most_between = Duration::from_secs(value.parse()?),
                "--seed" => sizes.seed = value.parse()?,
                other => return Err(format!("{other}: {expected}").into()),
            }
        }
        if sizes.devices == 0 || sizes.runs == 0 {
            return Err("a farm has a device and a run".into());
        }
        if sizes.builds > sizes.runs {
            return Err("every build has a run".into());
        }
        Ok(sizes)
    }
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let sizes = Sizes::read()?;
    let mut table = Table::default();
    let fleet = Fleet::start(&sizes.tapwright, sizes.devices).await?;
    if sizes.full > 0 {
        full_disk::check(fleet.folder())?;
    }
    let begun = Instant::now();
    fleet.record(CASE).await?;
    eprintln!("{} devices, the script is recorded ({:.0?})", sizes.devices, begun.elapsed());
    if let Some(lasts) = sizes.soak {
        soak::soak(&fleet, lasts, &mut table).await?;
        println!("{table}");
        return table.verdict();
    }
    if sizes.builds > 0 {
        builds::builds(&fleet, sizes.builds, sizes.runs, &mut table).await?;
        println!("{table}");
        return table.verdict();
    }
    load(&fleet, &sizes, &mut table).await?;
    if sizes.kills + sizes.full > 0 {
        chaos(&fleet, &sizes, &mut table).await?;
    }
    stops(&fleet, &mut table).await?;
    println!("{table}");
    table.verdict()
}

/// Replays on all devices at once: actions a second, answers meanwhile, memory.
async fn load(fleet: &Fleet, sizes: &Sizes, table: &mut Table) -> Outcome<()> {
    let daemon = Daemon::start(fleet).await?;
    let idle = daemon.resident()?;
    let begun = Instant::now();
    let mut runs = Vec::new();
    let mut submissions = Vec::new();
    for _ in 0..sizes.runs {
        let asked = Instant::now();
        runs.push(daemon.submit(CASE).await?);
        submissions.push(asked.elapsed());
    }
    let mut answers = Asked::default();
    let mut early = None;
    let ended = loop {
        answers.ask(&daemon, &["/api/v1/health", "/api/v1/runs?limit=50", "/api/v1/devices", "/api/v1/queue"]).await?;
        let ended = daemon.ended(&runs).await?;
        if early.is_none() && ended.len() * 10 >= runs.len() {
            early = Some(daemon.resident()?);
        }
        if ended.len() == runs.len() {
            break ended;
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("{} of {} runs ended within {PATIENCE:?}", ended.len(), runs.len()).into());
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    let (mut actions, mut verdicts) = (0, BTreeMap::<String, usize>::new());
    for run in &ended {
        actions += run["result"]["counts"]["actions"].as_u64().unwrap_or_default();
        *verdicts.entry(run["verdict"].as_str().unwrap_or("none").to_owned()).or_default() += 1;
    }
    let (devices, peak) = (sizes.devices, daemon.peak()?);
    table.add(
        format!("{} replays on {devices} devices", runs.len()),
        Figure::told(format!("{verdicts:?}")).holds(verdicts.get("passed") == Some(&runs.len())),
    );
    table.add(
        format!("{devices} devices replaying: actions a second"),
        Figure::told(format!("{:.1}", actions as f64 / seconds)),
    );
    table.add("a submission".into(), Figure::told(milliseconds(submissions)));
    table.add(
        format!("answers of the API meanwhile, {devices} devices"),
        Figure::told(milliseconds(answers.into_times())),
    );
    table.add(
        "memory: idle, after a tenth of the runs, at the end, at most".into(),
        Figure::told(format!("{idle:.0}, {:.0}, {:.0}, {peak:.0} MB", early.unwrap_or_default(), daemon.resident()?)),
    );
    daemon.stop().await.map(drop)
}

/// Kills the daemon at random moments while runs are handed in, then compares what devices did with what is written down.
async fn chaos(fleet: &Fleet, sizes: &Sizes, table: &mut Table) -> Outcome<()> {
    let mut chance = figures::Chance::new(sizes.seed);
    let before = fleet.starts(PACKAGE).await?;
    let mut daemon = Daemon::start(fleet).await?;
    let mut runs: Vec<String> = Vec::new();
    let (mut ready, mut refused) = (Vec::new(), 0);
    for number in 0..sizes.kills.max(sizes.full) {
        if number < sizes.full {
            let filler = Filler::fill(fleet)?;
            let until = Instant::now() + sizes.most_between;
            while Instant::now() < until {
                match daemon.submit(CASE).await {
                    Ok(run) => runs.push(run),
                    Err(_) => refused += 1,
                }
                let _over = timeout(Duration::from_millis(50), pending::<()>()).await;
            }
            drop(filler);
        }
        let until = Instant::now() + chance.up_to(sizes.most_between);
        while Instant::now() < until {
            if daemon.open().await?.0 < BACKLOG * sizes.devices {
                // Just after a full disk it may still be refused.
                match daemon.submit(CASE).await {
                    Ok(run) => runs.push(run),
                    Err(_) if sizes.full > 0 => refused += 1,
                    Err(error) => return Err(error),
                }
            }
        }
        if number < sizes.kills {
            daemon.kill().await?;
            daemon = Daemon::start(fleet).await?;
            ready.push(daemon.ready_after);
        }
        if number % 20 == 19 {
            eprintln!("{} kills, {} runs handed in", number + 1, runs.len());
        }
    }
    if sizes.full > 0 {
        let told = format!("{}, {refused}", sizes.full);
        table.add("windows of a full disk, submissions refused in them".into(), Figure::told(told));
    }
    let begun = Instant::now();
    let ended = loop {
        let ended = daemon.ended(&runs).await?;
        if ended.len() == runs.len() {
            break ended;
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("{} of {} runs ended within {PATIENCE:?}", ended.len(), runs.len()).into());
        }
    };
    let of = |verdict: &str| ended.iter().filter(|run| run["verdict"] == verdict).count();
    let attempts: u64 = ended.iter().filter_map(|run| run["attempts"].as_u64()).sum();
    let interrupted = ended.iter().filter(|run| reason(run).contains("interrupted by a restart")).count();
    let kills = sizes.kills;
    table.add(
        format!("{kills} kills: runs handed in, lost"),
        Figure::told(format!("{}, 0", runs.len())).holds(ended.len() == runs.len()),
    );
    table.add(
        "… passed, failed, blocked, error".into(),
        Figure::told(format!("{}, {}, {}, {}", of("passed"), of("failed"), of("blocked"), of("error")))
            .holds(of("failed") + of("blocked") == 0),
    );
    table.add("… interrupted twice, and so ended as an error".into(), Figure::told(interrupted.to_string()));
    let other = ended.iter().find(|run| run["verdict"] == "error" && !reason(run).contains("interrupted by a restart"));
    if let Some(run) = other {
        table.add("… an error of another kind".into(), Figure::told(reason(run).to_owned()).holds(false));
    }
    let starts = fleet.starts(PACKAGE).await? - before;
    let recordings = fleet.recordings(CASE, &runs)?;
    // Cut-off recordings of runs that have ended go at the next start, so that there may be fewer than starts.
    let told = format!("{starts}, {recordings}, {attempts}");
    table.add(
        "… starts of the app on devices and recordings that are left, both at most the attempts written down".into(),
        Figure::told(told).holds(starts as u64 <= attempts && recordings as u64 <= attempts),
    );
    let held = daemon.get("/api/v1/devices").await?;
    let held = held.as_array().into_iter().flatten().filter(|device| !device["run_id"].is_null()).count();
    table.add("… devices left leased".into(), Figure::told(held.to_string()).holds(held == 0));
    if !ready.is_empty() {
        table.add("… ready again".into(), Figure::told(milliseconds(ready)));
    }
    daemon.stop().await.map(drop)
}

fn reason(run: &Value) -> &str {
    run["reason"].as_str().unwrap_or_default()
}

/// SIGTERM while all devices replay; then twice.
async fn stops(fleet: &Fleet, table: &mut Table) -> Outcome<()> {
    let daemon = busy(fleet).await?;
    let begun = Instant::now();
    let code = daemon.stop().await?;
    let took = begun.elapsed();
    table.add(
        "SIGTERM under load: drained and gone after".into(),
        Figure::told(format!("{:.1} s", took.as_secs_f64())).holds(took <= Duration::from_secs(45) && code == Some(0)),
    );
    let mut daemon = busy(fleet).await?;
    daemon.signal("-TERM").await?;
    daemon.told("stopping").await?;
    let begun = Instant::now();
    daemon.signal("-TERM").await?;
    daemon.gone().await?;
    let took = begun.elapsed();
    table.add(
        "a second SIGTERM: gone after".into(),
        Figure::told(format!("{:.2} s", took.as_secs_f64())).holds(took <= Duration::from_secs(2)),
    );
    Ok(())
}

/// A daemon all of whose devices make a run.
async fn busy(fleet: &Fleet) -> Outcome<Daemon> {
    let daemon = Daemon::start(fleet).await?;
    for _ in 0..2 * fleet.size() {
        daemon.submit(CASE).await?;
    }
    let begun = Instant::now();
    loop {
        let devices = daemon.get("/api/v1/devices").await?;
        let busy = devices.as_array().into_iter().flatten().filter(|device| !device["run_id"].is_null()).count();
        if busy == fleet.size() {
            return Ok(daemon);
        }
        if begun.elapsed() > Duration::from_secs(180) {
            return Err(format!("only {busy} of {} devices got a run", fleet.size()).into());
        }
    }
}
