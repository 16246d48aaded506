//! What a run that passed leaves behind: the script of what was done and checked.

use super::condition::with_conditions;
use super::executor::{ConnectedDevice, Outcome, Run, now};
use super::plan::PlannedCase;
use crate::domain::{EventKind, EventSink, Expectation, Verdict};
use crate::pipeline::{ActionRecord, Journal};
use crate::script::{self, ActionTrace, AppView, Cast, Script, Written};

/// What a script is made of.
pub(super) struct Recorded<'a> {
    pub(super) profile: String,
    pub(super) app: AppView,
    pub(super) connected: &'a ConnectedDevice,
    pub(super) cast: Cast,
    pub(super) expectations: &'a [Expectation],
    pub(super) traces: Vec<ActionTrace>,
}

/// What a case expects, and what its last steps checked besides.
pub(super) fn with_checked(
    expected: impl Iterator<Item = Expectation>,
    checked: impl IntoIterator<Item = Expectation>,
) -> Vec<Expectation> {
    let mut all: Vec<Expectation> = Vec::new();
    for wanted in expected.chain(checked) {
        if !all.contains(&wanted) {
            all.push(wanted);
        }
    }
    all
}

/// What was done, as a script keeps it. `record` is of a valid action.
pub(super) fn trace(case: &PlannedCase, record: &ActionRecord, actor: Option<&str>) -> ActionTrace {
    let step = case.steps.iter().find(|step| step.index == record.step);
    ActionTrace {
        step: record.step,
        instruction: step.map(|step| step.original.clone()).unwrap_or_default(),
        action: record.action.clone(),
        held: record.held,
        before: record.before.fingerprint,
        screen: record.before.title.clone(),
        after: record.after.fingerprint,
        actor: actor.map(str::to_owned),
        waited: record.wait.waited,
        pause: record.wait.paused,
        checks: record.checks.clone(),
    }
}

impl Run<'_> {
    /// Records what the journal holds as the case's script. What was checked after the last action must hold in the end.
    pub(super) fn record_script(&mut self, case: &PlannedCase, journal: &Journal) -> Outcome {
        let expectations = with_checked(case.expectations.iter().cloned(), journal.pending_checks.iter().cloned());
        let recorded = self.recorded_by_one(case, journal, &expectations);
        self.write_script(case, recorded)
    }

    /// What was done on one device, as a script.
    ///
    /// # Errors
    /// It cannot be one; why.
    pub(super) fn script_of_one(&self, case: &PlannedCase, journal: &Journal) -> Result<Script, String> {
        let expectations = with_checked(case.expectations.iter().cloned(), journal.pending_checks.iter().cloned());
        self.script_of(case, self.recorded_by_one(case, journal, &expectations))
    }

    fn recorded_by_one<'r>(
        &self,
        case: &PlannedCase,
        journal: &Journal,
        expectations: &'r [Expectation],
    ) -> Recorded<'r>
    where
        Self: 'r,
    {
        let traces = journal.valid().map(|record| trace(case, record, None)).collect();
        let app = AppView { package: case.package.clone(), version: self.app_version.clone(), location: case.location };
        let connected = self.context.connected;
        let profile = connected.profile.clone();
        Recorded { profile, app, connected, cast: Cast::new(), expectations, traces }
    }

    /// What was done, as a sealed script of the case.
    ///
    /// # Errors
    /// It cannot be one; why.
    pub(super) fn script_of(&self, case: &PlannedCase, recorded: Recorded<'_>) -> Result<Script, String> {
        let Recorded { profile, app, connected, cast, expectations, traces } = recorded;
        let script = script::record(
            self.context.skills,
            &case.id,
            &case.title,
            &profile,
            &now(),
            app,
            &connected.info,
            expectations,
            cast,
            &traces,
        )
        .map_err(|error| error.to_string())?;
        let script = with_conditions(script, case)?;
        Ok(script.sealed_for(case.digest.clone(), case.digest_of_steps.clone()))
    }

    /// Writes the script of a case that passed. One that cannot be kept does not change that, but must be said.
    pub(super) fn write_script(&mut self, case: &PlannedCase, recorded: Recorded<'_>) -> Outcome {
        let Some(scripts) = &self.context.places.scripts else { return Outcome::new(Verdict::Passed, "") };
        let script = self.script_of(case, recorded);
        let recorded = script.and_then(|script| script.write(scripts).map_err(|error| error.to_string()));
        match recorded {
            Ok(written) => {
                let path = written.path();
                let path = path.strip_prefix(&self.context.places.root).unwrap_or(path).to_owned();
                self.recorder.emit(EventKind::ScriptWritten { path: path.display().to_string() });
                let reason = match &written {
                    Written::OfRecord(_) => String::new(),
                    Written::Proposal(proposal) => {
                        let kept = match &proposal.foreign {
                            Some(other) => format!("the script in its folder is one of {other} and stays as it is"),
                            None => "passed another way than its script, which stays as it is".to_owned(),
                        };
                        let besides = self.context.places.told_of(proposal);
                        format!("{kept}; `tapwright scripts accept {}` takes the new one{besides}", case.id)
                    }
                };
                Outcome { script: Some(path), ..Outcome::new(Verdict::Passed, reason) }
            }
            Err(reason) => Outcome::new(Verdict::Passed, format!("passed, but no script was recorded: {reason}")),
        }
    }
}
