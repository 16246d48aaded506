//! Figures, and the table that shows them.

use super::Outcome;
use super::daemon::Daemon;
use std::fmt;
use std::time::{Duration, Instant};

/// What was measured, and whether that is as it must be.
pub(super) struct Figure {
    told: String,
    holds: bool,
}

impl Figure {
    pub(super) fn told(told: String) -> Self {
        Self { told, holds: true }
    }

    /// The same, which must hold.
    pub(super) fn holds(self, holds: bool) -> Self {
        Self { holds, ..self }
    }
}

/// All figures, as the table of docs/benchmarks.md.
#[derive(Default)]
pub(super) struct Table(Vec<(String, Figure)>);

impl Table {
    pub(super) fn add(&mut self, what: String, figure: Figure) {
        eprintln!("{what}: {}", figure.told);
        self.0.push((what, figure));
    }

    /// Fails where something did not hold.
    pub(super) fn verdict(&self) -> Outcome<()> {
        let broken: Vec<&str> =
            self.0.iter().filter(|(_, figure)| !figure.holds).map(|(what, _)| what.as_str()).collect();
        if broken.is_empty() { Ok(()) } else { Err(format!("did not hold: {}", broken.join("; ")).into()) }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | figure |\n|---|---|")?;
        for (what, figure) in &self.0 {
            writeln!(f, "| {what} | {}{} |", figure.told, if figure.holds { "" } else { " (must not be)" })?;
        }
        Ok(())
    }
}

/// The middle, the 99th percentile and the longest of times.
pub(super) fn milliseconds(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |part: usize| times.get((times.len().saturating_sub(1)) * part / 100).copied().unwrap_or_default();
    let shown = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
    format!(
        "{} ms in the middle, {} p99, {} at most ({} times)",
        shown(at(50)),
        shown(at(99)),
        shown(at(100)),
        times.len()
    )
}

/// By how much the second grows with the first, by least squares; none where there is but one point.
pub(super) fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let middle = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (middle(|point| point.0), middle(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let common: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    if spread > 0.0 { common / spread } else { 0.0 }
}

/// Times of answers.
#[derive(Default)]
pub(super) struct Asked(Vec<Duration>);

impl Asked {
    pub(super) async fn ask(&mut self, daemon: &Daemon, paths: &[&str]) -> Outcome<()> {
        for path in paths {
            let begun = Instant::now();
            daemon.get(path).await?;
            self.0.push(begun.elapsed());
        }
        Ok(())
    }

    pub(super) fn into_times(self) -> Vec<Duration> {
        self.0
    }
}

/// Chances that are the same for the same seed (splitmix64).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn up_to(&mut self, most: Duration) -> Duration {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        most.mul_f64((mixed >> 11) as f64 / (1_u64 << 53) as f64)
    }
}
