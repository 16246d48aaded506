//! A long, light load: what the daemon's memory and descriptors do meanwhile.

use super::daemon::Daemon;
use super::figures::{Figure, Table, slope};
use super::fleet::Fleet;
use super::{CASE, Outcome};
use std::future::pending;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// Pause between two samples.
const SAMPLE: Duration = Duration::from_secs(30);
/// Pause between two looks of the dashboard.
const PAUSE: Duration = Duration::from_millis(500);
/// Part of the time after which caches are full: what was sampled before does not count.
const WARM: u32 = 4;
/// Most megabytes that the memory may grow by in an hour.
const STEEPEST: f64 = 1.0;
/// Most descriptors by which the last sample may differ from the first that counts.
const DESCRIPTORS: usize = 4;

/// Keeps one run waiting for as long, and samples the daemon.
pub(super) async fn soak(fleet: &Fleet, lasts: Duration, table: &mut Table) -> Outcome<()> {
    let daemon = Daemon::start(fleet).await?;
    let begun = Instant::now();
    let mut next = Instant::now();
    let mut pages = 0;
    let mut runs = Vec::new();
    let mut samples = Vec::new();
    while begun.elapsed() < lasts {
        if daemon.open().await?.0 == 0 {
            runs.push(daemon.submit(CASE).await?);
        }
        // What a dashboard that is left open asks for.
        for page in ["/api/v1/runs?limit=50", "/api/v1/devices", "/metrics"] {
            daemon.text(page).await?;
            pages += 1;
        }
        if Instant::now() >= next {
            next += SAMPLE;
            samples.push((begun.elapsed(), daemon.resident()?, daemon.descriptors()?));
            if samples.len() % 20 == 0 {
                let (at, megabytes, descriptors) = samples[samples.len() - 1];
                eprintln!("{at:.0?}: {} runs, {megabytes:.1} MB, {descriptors} descriptors", runs.len());
            }
        }
        let _over = timeout(PAUSE, pending::<()>()).await;
    }
    let warm: Vec<_> = samples.iter().filter(|(at, ..)| *at >= lasts / WARM).collect();
    let (Some(first), Some(last)) = (warm.first(), warm.last()) else { return Err("the soak was too short".into()) };
    let points: Vec<(f64, f64)> =
        warm.iter().map(|(at, megabytes, _)| (at.as_secs_f64() / 3600.0, *megabytes)).collect();
    let steep = slope(&points);
    let minutes = lasts.as_secs() / 60;
    table.add(
        format!("{minutes} minutes, {} runs, {pages} pages: memory at first, after a quarter, at the end", runs.len()),
        Figure::told(format!("{:.1}, {:.1}, {:.1} MB", samples[0].1, first.1, last.1)),
    );
    table.add(
        "… slope of the memory after the first quarter".into(),
        Figure::told(format!("{steep:+.2} MB/h")).holds(steep <= STEEPEST),
    );
    table.add(
        "… descriptors after the first quarter, at the end".into(),
        Figure::told(format!("{}, {}", first.2, last.2)).holds(last.2.abs_diff(first.2) <= DESCRIPTORS),
    );
    let begun = Instant::now();
    while daemon.ended(&runs).await?.len() < runs.len() {
        if begun.elapsed() > Duration::from_secs(120) {
            return Err("the last runs did not end".into());
        }
    }
    let ended = daemon.ended(&runs).await?;
    let passed = ended.iter().filter(|run| run["verdict"] == "passed").count();
    table.add("… passed".into(), Figure::told(format!("{passed} of {}", runs.len())).holds(passed == runs.len()));
    daemon.stop().await.map(drop)
}
