//! How much memory a case takes beyond what the models take, for those who ask for more words.

/// Resident sizes before a case.
pub(super) struct Memory {
    before: u64,
}

impl Memory {
    /// What is resident now, with the models loaded.
    pub(super) fn now() -> Self {
        Self { before: resident("VmRSS:") }
    }

    /// Tells what the case took. Elsewhere than on Linux nothing is told.
    pub(super) fn tell(&self, case: &str) {
        let after = resident("VmRSS:");
        if after > 0 {
            tracing::info!(
                "{case}: {:.1} MB are resident after the run, {:+.1} MB beside those before it, with the models loaded",
                megabytes(after),
                megabytes(after) - megabytes(self.before)
            );
        }
    }
}

fn megabytes(kibibytes: u64) -> f64 {
    kibibytes as f64 / 1024.0
}

/// KiB, as Linux tells them; zero elsewhere.
fn resident(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_a_size() {
        assert!(Memory::now().before > 1_000);
        assert_eq!(resident("NoSuchThing:"), 0);
    }
}
