//! Steps that are done only where a text is shown: whether it is, looked for once before the first of them.

use super::agenda::Item;
use super::executor::Run;
use super::plan::PlannedCase;
use crate::case::Condition;
use crate::device::{DeviceError, Seen};
use crate::domain::{Expectation, Verdict};
use crate::pipeline::StepOutcome;
use crate::script::{Need, Script};
use crate::witness;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

/// What was decided about the condition that was looked at last.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    /// The step with which its steps begin, and whether they are done.
    decided: Option<(usize, bool)>,
}

impl Conditions {
    /// What must be in sight for an item to be done; `None` where nothing must, or where that is decided already.
    fn undecided(&self, case: &PlannedCase, item: &Item<'_>) -> Option<Expectation> {
        let condition = condition_of(case, item.step.index)?;
        let known = self.decided.is_some_and(|(begins, _)| begins == condition.begins);
        (!known).then(|| Expectation::Visible(condition.shown.clone()))
    }
}

/// The condition of a step, from 1.
fn condition_of(case: &PlannedCase, step: usize) -> Option<&Condition> {
    step.checked_sub(1).and_then(|at| case.conditions.get(at)?.as_ref())
}

/// Whether a screen shows it now.
pub(super) fn is_in_sight(case: &PlannedCase, wanted: &Expectation, seen: &Seen) -> bool {
    witness::expect(wanted, &case.secrets, &seen.screen).held
}

impl Run<'_> {
    /// Waits for what must be in sight for an item to be done, for as long as the device's patience lasts. Gives it back where it
    /// does not come, and nothing where nothing is missing.
    ///
    /// # Errors
    /// When the device cannot be looked at.
    pub(super) async fn missing(
        &mut self,
        case: &PlannedCase,
        item: &Item<'_>,
        conditions: &Conditions,
        seen: &mut Seen,
    ) -> Result<Option<Expectation>, DeviceError> {
        let Some(wanted) = conditions.undecided(case, item) else { return Ok(None) };
        let connected = self.context.connected;
        let device = connected.device.as_ref();
        let begun = device.now();
        loop {
            if is_in_sight(case, &wanted, seen) {
                return Ok(None);
            }
            let left: Duration = connected.patience.saturating_sub(device.now().saturating_sub(begun));
            if left.is_zero() || !device.wait_for_change(&seen.hierarchy, left).await? {
                return Ok(Some(wanted));
            }
            *seen = self.eyes().look(&mut self.recorder).await?;
        }
    }

    /// Leaves an item out, and tells so, where what must be in sight is not. True if it is left out. What was decided before the
    /// first of several holds for all of them.
    pub(super) fn leaves_out(
        &mut self,
        case: &PlannedCase,
        item: &Item<'_>,
        conditions: &mut Conditions,
        seen: &Seen,
    ) -> bool {
        let Some(condition) = condition_of(case, item.step.index) else { return false };
        let done = match (conditions.decided, conditions.undecided(case, item)) {
            (_, Some(wanted)) => is_in_sight(case, &wanted, seen),
            (Some((_, done)), None) => done,
            (None, None) => true,
        };
        conditions.decided = Some((condition.begins, done));
        if !done {
            let reason = format!("left out: {:?} is not shown", condition.shown);
            // A step that passed ends nothing.
            let _goes_on = self.end_item(item, StepOutcome::new(Verdict::Passed, reason));
        }
        !done
    }
}

/// A script whose actions may be left out as the case's steps may. Steps that check something, actions that aim at no widget, and
/// those before which something is checked are always needed: leaving them out would leave a check out.
pub(super) fn with_conditions(script: Script, case: &PlannedCase) -> Result<Script, String> {
    let mut optional: Vec<NonZeroUsize> = Vec::new();
    let groups: BTreeSet<usize> = case.conditions.iter().flatten().map(|condition| condition.begins).collect();
    for begins in groups {
        let is_own = |step: usize| condition_of(case, step).is_some_and(|condition| condition.begins == begins);
        let checks = case.steps.iter().any(|step| is_own(step.index) && !step.claims.is_empty());
        let own = || script.actions.iter().enumerate().filter(|(_, action)| is_own(action.step));
        let needed = own().any(|(_, action)| action.target.is_none() || !action.checks.is_empty());
        if !checks && !needed {
            optional.extend(own().filter_map(|(at, _)| NonZeroUsize::new(at + 1)));
        }
    }
    if optional.is_empty() { Ok(script) } else { script.with_need(&optional, Need::Optional) }
}
