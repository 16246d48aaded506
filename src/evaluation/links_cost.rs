//! What finding links costs: this process's processor time, and the most memory it had.

use super::report::quantile;
use serde::Serialize;

/// What finding the links of screens cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LinkCost {
    /// Processor time of half of the screens, at most; `null` where the system does not tell.
    pub cpu_ms_p50: Option<f64>,
    /// Of nineteen in twenty screens.
    pub cpu_ms_p95: Option<f64>,
    /// Of the dearest screen.
    pub cpu_ms_max: Option<f64>,
    /// The most memory that this process has had, mebibytes: models, pictures and the program.
    pub peak_mib: Option<f64>,
}

impl LinkCost {
    pub(super) fn of(mut cpu_ms: Vec<f64>) -> Self {
        cpu_ms.sort_by(f64::total_cmp);
        let known = !cpu_ms.is_empty();
        Self {
            cpu_ms_p50: known.then(|| quantile(&cpu_ms, 0.50)),
            cpu_ms_p95: known.then(|| quantile(&cpu_ms, 0.95)),
            cpu_ms_max: cpu_ms.last().copied(),
            peak_mib: peak_mib(),
        }
    }
}

/// Milliseconds of processor time that this process's threads have used; `None` where the system does not tell.
pub(super) fn cpu_ms() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for thread in std::fs::read_dir("/proc/self/task").ok()?.filter_map(Result::ok) {
        // A thread that has just ended has no file any more.
        let Ok(text) = std::fs::read_to_string(thread.path().join("schedstat")) else { continue };
        nanoseconds += text.split(' ').next()?.parse::<f64>().ok()?;
    }
    (nanoseconds > 0.0).then_some(nanoseconds / 1e6)
}

fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_costs_processor_time_and_memory_is_told_where_the_system_does() {
        let before = cpu_ms();
        let sum: u64 = (0..3_000_000_u64).map(std::hint::black_box).sum();
        assert!(sum > 0);
        // Other tests' threads end meanwhile, so the sum may as well fall.
        assert_eq!(before.is_some(), cpu_ms().is_some());
        if cfg!(target_os = "linux") {
            assert!(peak_mib().is_some_and(|mib| mib > 1.0));
        }
        let cost = LinkCost::of(vec![3.0, 1.0, 2.0]);
        assert_eq!((cost.cpu_ms_p50, cost.cpu_ms_max), (Some(2.0), Some(3.0)));
        assert_eq!(LinkCost::of(Vec::new()).cpu_ms_p95, None);
    }
}
