//! What became of the scripts, script by script and in sum.

use super::next_version::NextVersion;
use serde::Serialize;
use std::fmt;

/// How the replay of a script on the next version of its app ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplayEnding {
    /// It passed as it was, and the app is left as the case means it.
    AsItWas,
    /// It was repaired, the app is left as the case means it, and the proposal replays by itself, without a model.
    Repaired,
    /// It passed and the app is left otherwise, or the proposal does not replay by itself.
    Wrong,
    /// It did not pass.
    GivenUp,
}

/// A script on the next version of its app.
#[derive(Debug, Clone, Serialize)]
pub struct NextReplay {
    /// How the app changed.
    pub version: NextVersion,
    /// How it ended.
    pub ending: ReplayEnding,
    /// Verdict and reason, or what is wrong with the repair.
    pub told: String,
}

/// How the replay of a script on the next version of its app ended, with a planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BugEnding {
    /// It failed.
    Failed,
    /// It was blocked, or a device gave out: nobody is told that all is well.
    NotPassed,
    /// It passed, on the version it was recorded on, too: the script never sees the bug.
    Unseen,
    /// It passed, and on the version it was recorded on it did not: the repair hid the bug.
    Hidden,
}

/// A script on the next version of its app, with a planted bug.
#[derive(Debug, Clone, Serialize)]
pub struct BugReplay {
    /// The switches of the bug.
    pub bug: String,
    /// How the app changed.
    pub version: NextVersion,
    /// How it ended.
    pub ending: BugEnding,
    /// Verdict and reason.
    pub told: String,
}

/// The script of a case.
#[derive(Debug, Clone, Serialize)]
pub struct ScriptReport {
    /// The suite.
    pub suite: String,
    /// The case.
    pub case: String,
    /// Why there is no script to be judged by, where there is none.
    pub left_out: Option<String>,
    /// On each next version that could be made.
    pub next: Vec<NextReplay>,
    /// With each planted bug of the case, on each next version.
    pub bugs: Vec<BugReplay>,
}

/// How many replays ended how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RenewalCounts {
    /// Nothing had to be repaired.
    pub as_it_was: usize,
    /// Repaired to a right proposal.
    pub repaired: usize,
    /// Passed, and wrong.
    pub wrong: usize,
    /// Not passed.
    pub given_up: usize,
}

impl RenewalCounts {
    /// Replays that needed a repair.
    pub const fn needed(&self) -> usize {
        self.repaired + self.wrong + self.given_up
    }

    fn add(&mut self, ending: ReplayEnding) {
        match ending {
            ReplayEnding::AsItWas => self.as_it_was += 1,
            ReplayEnding::Repaired => self.repaired += 1,
            ReplayEnding::Wrong => self.wrong += 1,
            ReplayEnding::GivenUp => self.given_up += 1,
        }
    }
}

impl fmt::Display for RenewalCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        write!(f, "{} of {} ({:.1} %)", self.repaired, self.needed(), share(self.repaired, self.needed()))
    }
}

/// All of it.
#[derive(Debug, Clone, Serialize)]
pub struct RenewalReport {
    /// Script by script.
    pub scripts: Vec<ScriptReport>,
}

impl RenewalReport {
    /// The replays on next versions of one kind, or of all, in one suite, or in all.
    pub fn counts(&self, suite: Option<&str>, version: Option<NextVersion>) -> RenewalCounts {
        let mut counts = RenewalCounts::default();
        let own = |script: &&ScriptReport| suite.is_none_or(|suite| script.suite == suite);
        for replay in self.scripts.iter().filter(own).flat_map(|script| &script.next) {
            if version.is_none_or(|version| replay.version == version) {
                counts.add(replay.ending);
            }
        }
        counts
    }

    /// How many replays with a planted bug ended so.
    pub fn bugs(&self, suite: Option<&str>, ending: BugEnding) -> usize {
        let own = |script: &&ScriptReport| suite.is_none_or(|suite| script.suite == suite);
        let bugs = self.scripts.iter().filter(own).flat_map(|script| &script.bugs);
        bugs.filter(|replay| replay.ending == ending).count()
    }

    /// The suites, each once, in their order.
    pub fn suites(&self) -> Vec<&str> {
        let mut suites: Vec<&str> = self.scripts.iter().map(|script| script.suite.as_str()).collect();
        suites.dedup();
        suites
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_repaired_scripts_is_of_those_that_needed_a_repair() {
        let next = |version: NextVersion, ending: ReplayEnding| NextReplay { version, ending, told: String::new() };
        let script = |suite: &str, next: Vec<NextReplay>| ScriptReport {
            suite: suite.to_owned(),
            case: "A".to_owned(),
            left_out: None,
            next,
            bugs: Vec::new(),
        };
        let report = RenewalReport {
            scripts: vec![
                script(
                    "one",
                    vec![
                        next(NextVersion::Renamed, ReplayEnding::Repaired),
                        next(NextVersion::Moved, ReplayEnding::AsItWas),
                        next(NextVersion::Reworded, ReplayEnding::GivenUp),
                    ],
                ),
                script("two", vec![next(NextVersion::Renamed, ReplayEnding::Wrong)]),
            ],
        };
        assert_eq!(report.counts(None, None).to_string(), "1 of 3 (33.3 %)");
        assert_eq!(report.counts(Some("one"), None).to_string(), "1 of 2 (50.0 %)");
        assert_eq!(report.counts(None, Some(NextVersion::Moved)).to_string(), "0 of 0 (0.0 %)");
        assert_eq!(report.suites(), ["one", "two"]);
    }
}
