//! What is done one after another, and by whom: the clauses of a case's steps, in the order they are worked on.

use super::plan::PlannedCase;
use crate::pipeline::Step;

/// One thing to be done.
pub(super) struct Item<'a> {
    /// What.
    pub(super) step: &'a Step,
    /// Who does it; empty on one device.
    pub(super) actor: &'a str,
    /// It begins a step of the case.
    pub(super) begins: bool,
    /// It ends a step of the case.
    pub(super) ends: bool,
    /// Somebody else did something before it: what it needs may be their doing.
    pub(super) handed_over: bool,
}

/// Everything in its order.
pub(super) fn agenda(case: &PlannedCase) -> Vec<Item<'_>> {
    let clauses = case.tasks();
    let actor = |step: &Step| {
        let turn = step.index.checked_sub(1).and_then(|at| case.turns.get(at));
        turn.map_or("", String::as_str)
    };
    let item = |position: usize| {
        let step = clauses.get(position)?;
        let own = actor(step);
        let before = position.checked_sub(1).and_then(|at| clauses.get(at));
        let after = clauses.get(position + 1);
        Some(Item {
            step,
            actor: own,
            begins: before.is_none_or(|before| before.index != step.index),
            ends: after.is_none_or(|after| after.index != step.index),
            handed_over: before.is_some_and(|before| actor(before) != own),
        })
    };
    (0..clauses.len()).filter_map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Rewriter};
    use std::collections::BTreeMap;
    use std::path::Path;

    fn planned(text: &str) -> PlannedCase {
        let case = Case::parse(Path::new("t.case.yaml"), text).unwrap();
        PlannedCase::new(&case, &Rewriter::bundled().unwrap(), &BTreeMap::new()).unwrap()
    }

    fn told(case: &PlannedCase) -> Vec<String> {
        let line = |item: &Item<'_>| {
            let flags = [item.begins, item.ends, item.handed_over];
            let flags: String = flags.iter().zip("beh".chars()).filter(|(on, _)| **on).map(|(_, flag)| flag).collect();
            format!("{}: {} [{flags}]", item.actor, item.step.instruction)
        };
        agenda(case).iter().map(line).collect()
    }

    #[test]
    fn a_step_that_says_two_things_is_two_items_of_one_actor() {
        let case = planned(
            "id: T-1\ntitle: t\nactors:\n  guest: {app: {package: a.guest}}\n  cook: {app: {package: a.cook}}\nsteps:\n  \
             - {actor: guest, step: Order a soup}\n  - {actor: cook, step: Accept the order and open the kitchen}\n  - \
             {actor: guest, step: Thank the cook}\n",
        );
        assert_eq!(
            told(&case),
            [
                "guest: Order a soup [be]",
                "cook: Accept the order [bh]",
                "cook: Open the kitchen [e]",
                "guest: Thank the cook [beh]",
            ]
        );
    }

    #[test]
    fn on_one_device_nothing_is_handed_over() {
        let case = planned("id: T-1\ntitle: t\napp: {package: a.b}\nsteps:\n  - Open the menu\n  - Close it\n");
        assert_eq!(told(&case), [": Open the menu [be]", ": Close it [be]"]);
    }
}
