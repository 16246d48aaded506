//! New builds of the app while the fleet works: whether what is known of earlier ones is freed.

use super::daemon::Daemon;
use super::figures::{Figure, Table};
use super::fleet::Fleet;
use super::{CASE, Outcome, PATIENCE, reason};
use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The file of the app, in the workspace.
const APP: &str = "apps/pay.app.yaml";
/// Builds between two samples; the first so many are the warm-up.
const ROUND: usize = 10;
/// For so long the daemon does nothing before it is sampled: its allocator gives back what is free after ten seconds.
const QUIET: Duration = Duration::from_secs(12);
/// Pause between two looks at the daemon.
const PAUSE: Duration = Duration::from_millis(100);
/// Most megabytes that the memory may grow by after the warm-up.
const GROWTH: f64 = 20.0;
/// Texts of the app that are others in every build; what cases name is not among them.
const TEXTS: &[&str] = &[
    "Win a prize",
    "Pay three times this week and win",
    "No cards yet",
    "City Metro",
    "Salary",
    "Green Grocer",
    "Ben Okafor",
    "Chloe Martin",
    "Daniel Weiss",
    "Elena Rossi",
    "Farid Haddad",
    "I have read and agree to the",
    "Agree and continue",
];
/// Cases of which each build brings a new one, which has no script: the agent does it once.
const NEW_CASES: &[&str] = &[
    "steps: [Open Bills]\nexpect: [{visible: Corner Coffee}]\n",
    "steps: [Open Transfer]\nexpect: [{visible: Amelia Stone}]\n",
];

/// Resident memory after so many runs and builds, when nothing is under way.
struct Sample {
    builds: usize,
    runs: usize,
    megabytes: f64,
}

/// Makes so many runs, meanwhile so many builds of the app, and samples the daemon.
pub(super) async fn builds(fleet: &Fleet, builds: usize, runs: usize, table: &mut Table) -> Outcome<()> {
    let daemon = Daemon::start(fleet).await?;
    let app = std::fs::read_to_string(fleet.folder().join(APP))?;
    let mut samples = vec![Sample { builds: 0, runs: 0, megabytes: settled(&daemon).await? }];
    let mut handed_in = Vec::new();
    for number in 1..=builds {
        replace(fleet, APP, &build(&app, number)?)?;
        handed_in.push(daemon.submit(&new_case(fleet, number)?).await?);
        while handed_in.len() * builds < runs * number {
            until(&daemon, |waiting, _| waiting < fleet.size()).await?;
            handed_in.push(daemon.submit(CASE).await?);
        }
        if number % ROUND == 0 || number == builds {
            until(&daemon, |waiting, busy| waiting + busy == 0).await?;
            let sample = Sample { builds: number, runs: handed_in.len(), megabytes: settled(&daemon).await? };
            eprintln!("{} builds, {} runs: {:.1} MB", sample.builds, sample.runs, sample.megabytes);
            samples.push(sample);
        }
    }
    tell_memory(&samples, daemon.peak()?, table)?;
    tell_verdicts(&daemon, &handed_in, table).await?;
    daemon.stop().await.map(drop)
}

/// The app's file as its build of this number has it.
fn build(app: &str, number: usize) -> Outcome<String> {
    let mut text = app.to_owned();
    let versions = [
        ("version: \"8.2.1\"", format!("version: \"8.3.{number}\"")),
        ("version_code: 821", format!("version_code: {}", 1_000 + number)),
    ];
    let texts = TEXTS.iter().map(|text| (*text, format!("{text} {number}")));
    for (old, new) in versions.into_iter().chain(texts) {
        if !text.contains(old) {
            return Err(format!("{old:?} is not in {APP}").into());
        }
        text = text.replace(old, &new);
    }
    Ok(text)
}

/// Writes the case that this build brings; gives its id.
fn new_case(fleet: &Fleet, number: usize) -> Outcome<String> {
    let id = format!("BLD-{number:04}");
    let rest = NEW_CASES[number % NEW_CASES.len()];
    let head = format!("id: {id}\ntitle: Build {number}\napp: {{package: com.example.pay, apk: ../{APP}}}\n");
    replace(fleet, &format!("cases/{id}.case.yaml"), &(head + rest))?;
    Ok(id)
}

/// Writes a file of the workspace so that whoever reads it meanwhile has the old one or the new one.
fn replace(fleet: &Fleet, path: &str, text: &str) -> Outcome<()> {
    let whole = fleet.folder().join("whole");
    std::fs::write(&whole, text)?;
    Ok(std::fs::rename(whole, fleet.folder().join(path))?)
}

/// Waits until so many runs wait and so many are under way.
async fn until(daemon: &Daemon, enough: impl Fn(usize, usize) -> bool) -> Outcome<()> {
    let begun = Instant::now();
    loop {
        let (waiting, busy) = daemon.open().await?;
        if enough(waiting, busy) {
            return Ok(());
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("{waiting} runs wait and {busy} are under way for {PATIENCE:?}").into());
        }
        let _over = timeout(PAUSE, pending::<()>()).await;
    }
}

/// The least resident memory of a while in which nothing is done but to answer.
async fn settled(daemon: &Daemon) -> Outcome<f64> {
    let begun = Instant::now();
    let mut least = daemon.resident()?;
    while begun.elapsed() < QUIET {
        let _over = timeout(PAUSE, pending::<()>()).await;
        daemon.text("/metrics").await?;
        least = least.min(daemon.resident()?);
    }
    Ok(least)
}

fn tell_memory(samples: &[Sample], peak: f64, table: &mut Table) -> Outcome<()> {
    let [idle, warm, .., last] = samples else { return Err("there were no builds after the warm-up".into()) };
    let series: Vec<String> = samples.iter().map(|sample| format!("{:.1}", sample.megabytes)).collect();
    table.add(
        format!("{} builds, {} runs: memory before, and after every {ROUND} builds", last.builds, last.runs),
        Figure::told(format!("{} MB; {peak:.0} at most", series.join(", "))),
    );
    let middle = &samples[samples.len() / 2];
    for (since, from) in [("the warm-up", warm), ("the middle", middle)] {
        let grown = last.megabytes - from.megabytes;
        table.add(
            format!(
                "… grown since {since}, over {} builds and {} runs",
                last.builds - from.builds,
                last.runs - from.runs
            ),
            Figure::told(format!("{grown:+.1} MB")).holds(grown <= GROWTH),
        );
    }
    table.add(
        "… the warm-up itself".into(),
        Figure::told(format!("{:+.1} MB over {} runs", warm.megabytes - idle.megabytes, warm.runs)),
    );
    Ok(())
}

/// All runs must have passed; tells how many the agent did.
async fn tell_verdicts(daemon: &Daemon, runs: &[String], table: &mut Table) -> Outcome<()> {
    let ended = daemon.ended(runs).await?;
    let mut verdicts = BTreeMap::<&str, usize>::new();
    let (mut by_agent, mut versions) = (0, BTreeSet::new());
    for run in &ended {
        let verdict = run["verdict"].as_str().unwrap_or("none");
        *verdicts.entry(verdict).or_default() += 1;
        by_agent += usize::from(!run["result"]["model"].is_null());
        versions.extend(run["result"]["apps"][0]["version"].as_str());
        if verdict != "passed" {
            eprintln!("{}: {verdict}: {}", run["case_id"], reason(run));
        }
    }
    table.add(
        "… their verdicts".into(),
        Figure::told(format!("{verdicts:?}")).holds(verdicts.get("passed") == Some(&runs.len())),
    );
    table.add(
        "… runs by the agent, builds that were run".into(),
        Figure::told(format!("{by_agent}, {}", versions.len())),
    );
    Ok(())
}
