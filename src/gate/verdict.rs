//! What the tries of a case say together.

use super::{By, Try};
use crate::domain::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a case ended in a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// Every try passed.
    Passed,
    /// Every try passed, and a script had to be repaired on the way.
    Repaired,
    /// Some tries passed and some did not.
    Flaky,
    /// The app is at fault.
    Failed,
    /// It could not be carried out.
    Blocked,
    /// Infrastructure.
    Error,
    /// It was selected and not run to its end: the gate was stopped before.
    NotRun,
}

impl GateVerdict {
    /// All of them, in the order they are told.
    pub const ALL: [Self; 7] =
        [Self::Passed, Self::Repaired, Self::Flaky, Self::Failed, Self::Blocked, Self::Error, Self::NotRun];

    /// Neither passed nor flaky, and told of the app or the case.
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Failed | Self::Blocked | Self::Error)
    }

    /// As it is told to people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Repaired => "repaired",
            Self::Flaky => "flaky",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::Error => "error",
            Self::NotRun => "not run",
        }
    }
}

impl fmt::Display for GateVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl From<Verdict> for GateVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Passed => Self::Passed,
            Verdict::Failed => Self::Failed,
            Verdict::Blocked => Self::Blocked,
            Verdict::Error => Self::Error,
        }
    }
}

/// What a flaky case means for the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlakyResult {
    /// It is as good as a pass.
    #[default]
    Pass,
    /// It is as bad as a failure.
    Fail,
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The verdict.
    pub verdict: GateVerdict,
    /// Why, in one sentence; empty for a pass there is nothing to say of.
    pub reason: String,
}

/// Judges a case by its tries. A try that was called off tells nothing.
pub fn judge(tries: &[Try]) -> Judged {
    let ended: Vec<(usize, &Try)> = (1..).zip(tries).filter(|(_, one)| !one.cut && one.last().is_some()).collect();
    let bad = |(_, one): &&(usize, &Try)| one.verdict() != Verdict::Passed;
    let passed = ended.iter().filter(|one| !bad(one)).count();
    // Of several ways to go wrong the one that says most of the app.
    let worst = ended.iter().filter(bad).min_by_key(|(number, one)| (telling(one.verdict()), usize::MAX - number));
    match worst {
        None if ended.is_empty() => Judged { verdict: GateVerdict::NotRun, reason: String::new() },
        None => {
            let repaired = ended.iter().filter_map(|(_, one)| one.last()).any(|attempt| attempt.repaired);
            let verdict = if repaired { GateVerdict::Repaired } else { GateVerdict::Passed };
            Judged { verdict, reason: besides(taken_over(&ended), &ended) }
        }
        Some((number, one)) if passed > 0 => {
            let reason = format!(
                "passed {passed} of {} tries; try {number} {}: {}",
                ended.len(),
                GateVerdict::from(one.verdict()),
                one.reason()
            );
            Judged { verdict: GateVerdict::Flaky, reason: besides(reason, &ended) }
        }
        Some((_, one)) => {
            let times = if ended.len() > 1 { format!("{} tries, none passed: ", ended.len()) } else { String::new() };
            Judged { verdict: one.verdict().into(), reason: besides(format!("{times}{}", one.reason()), &ended) }
        }
    }
}

const fn telling(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Failed => 0,
        Verdict::Blocked => 1,
        Verdict::Error => 2,
        Verdict::Passed => 3,
    }
}

/// What there is to say of a pass. That a script no longer leads through the app is nothing to fail for, and nothing to keep
/// to oneself.
fn taken_over(ended: &[(usize, &Try)]) -> String {
    let attempts = ended.iter().flat_map(|(_, one)| &one.attempts);
    let script = attempts.into_iter().find(|attempt| attempt.by == By::Script && attempt.verdict != Verdict::Passed);
    let own =
        || ended.iter().map(|(_, one)| one.reason()).find(|reason| !reason.is_empty()).unwrap_or_default().to_owned();
    script.map_or_else(own, |script| format!("the agent took over: the script {}", script.reason))
}

/// A reason, and why the case's script was not used, where it could not be.
fn besides(reason: String, ended: &[(usize, &Try)]) -> String {
    let attempts = ended.iter().flat_map(|(_, one)| &one.attempts);
    let Some(why) = attempts.into_iter().find_map(|attempt| attempt.unused_script.as_deref()) else { return reason };
    let told = format!("the agent did it, for the script cannot be used: {why}");
    if reason.is_empty() { told } else { format!("{reason}; {told}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Attempt;
    use crate::gate::sample::{attempt, tried};

    #[test]
    fn tries_that_agree_give_their_verdict_and_others_are_flaky() {
        for (tries, expected, reason) in [
            ("", "not run", ""),
            ("x", "not run", ""),
            ("p", "passed", ""),
            ("p p p", "passed", ""),
            ("p x", "passed", ""),
            ("r", "repaired", "r"),
            ("p r", "repaired", "r"),
            ("r f", "flaky", "passed 1 of 2 tries; try 2 failed: f"),
            ("f p", "flaky", "passed 1 of 2 tries; try 1 failed: f"),
            ("p e p", "flaky", "passed 2 of 3 tries; try 2 error: e"),
            ("p b f", "flaky", "passed 1 of 3 tries; try 3 failed: f"),
            ("f", "failed", "f"),
            ("f f", "failed", "2 tries, none passed: f"),
            ("b e", "blocked", "2 tries, none passed: b"),
            ("e b f", "failed", "3 tries, none passed: f"),
            ("e", "error", "e"),
            ("f x", "failed", "f"),
        ] {
            let judged = judge(&tried(tries));
            assert_eq!((judged.verdict.word(), judged.reason.as_str()), (expected, reason), "{tries:?}");
        }
    }

    #[test]
    fn a_pass_of_the_agent_after_a_script_that_diverged_says_so() {
        let script = attempt(By::Script, Verdict::Blocked, "diverged at action 3: no such widget");
        let tries = [Try { attempts: vec![script, attempt(By::Agent, Verdict::Passed, "")], cut: false }];
        let judged = judge(&tries);
        assert_eq!(judged.verdict, GateVerdict::Passed);
        assert_eq!(judged.reason, "the agent took over: the script diverged at action 3: no such widget");
    }

    #[test]
    fn why_a_script_was_not_used_is_told_whatever_came_of_the_agent() {
        let told = "the agent did it, for the script cannot be used: it was cut off";
        for (verdict, own, expected) in
            [(Verdict::Passed, "", told.to_owned()), (Verdict::Failed, "no total", format!("no total; {told}"))]
        {
            let agent = Attempt { unused_script: Some("it was cut off".into()), ..attempt(By::Agent, verdict, own) };
            let judged = judge(&[Try { attempts: vec![agent], cut: false }]);
            assert_eq!(judged.reason, expected);
        }
    }
}
