//! The rules.
//!
//! A task is *completed* when every essential action was performed in order, each from its state, the agent itself
//! declared the goal reached at most one action after the last of them, and it used no more than 2 × the human's
//! actions + 4. A step *passes* when its actions were performed in order with at most two others in between, counted
//! from the step's beginning. An agent that starts over is judged by the try it tells of; all its actions count.

use crate::recorded::{ActionKind, Did, Task, TaskAction};
use crate::virtual_device::recorded::Played;

/// Actions the agent may go on after the last essential one.
const MOST_AFTERWARDS: usize = 1;
/// Actions of a step that do not belong to it.
const MOST_OTHERS: usize = 2;

/// What one action of the agent did to the app; an action may do several things (typing touches the field first).
pub(super) type Deed = Vec<Played>;

/// What the agent did for one step (or for the whole goal).
#[derive(Debug, Clone, Default)]
pub(super) struct Attempt {
    /// Its actions in order, invalid ones included; waiting is none.
    pub deeds: Vec<Deed>,
    /// It said that it was done.
    pub declared: bool,
    /// How sure it was, from 0 to 1.
    pub confidence: Option<f32>,
}

/// The most actions an agent may use.
pub(super) fn budget(task: &Task) -> usize {
    2 * task.actions.len() + 4
}

/// True when `played` is what the human did: the same kind of action at the same place in the same state.
pub(super) fn performs(human: &TaskAction, played: &Played) -> bool {
    if human.state != played.state {
        return false;
    }
    let wanted = &human.action;
    // A touch means what it leads to: the smallest place that holds it.
    let place = || played.way.as_ref().is_some_and(|way| way.action.bounds == wanted.bounds);
    match (&played.did, wanted.kind) {
        (Did::Click(_), ActionKind::Click) => {
            place() && played.way.as_ref().is_some_and(|way| way.action.kind == ActionKind::Click)
        }
        (Did::Click(_), ActionKind::Back) => played.way.as_ref().is_some_and(|way| way.action.kind == ActionKind::Back),
        (Did::LongClick(_), ActionKind::LongClick) => place(),
        (Did::Typed { field, text, .. }, ActionKind::Input) => {
            let same = wanted.text.as_ref().is_none_or(|wanted| wanted.trim() == text.trim());
            wanted.bounds == Some(*field) && same && !text.is_empty()
        }
        (Did::Back, ActionKind::Back) | (Did::Launch, ActionKind::Launch) => true,
        (Did::Scroll { .. }, ActionKind::Scroll) => played.way.as_ref().is_some_and(|way| {
            way.action.kind == ActionKind::Scroll
                && way.action.text == wanted.text
                && way.action.bounds == wanted.bounds
        }),
        _ => false,
    }
}

/// True when the attempts together completed the task. `spent` actions were used before the agent started over.
pub(super) fn completed(task: &Task, attempts: &[Attempt], spent: usize) -> bool {
    let deeds: Vec<&Deed> = attempts.iter().flat_map(|attempt| &attempt.deeds).collect();
    let mut wanted = task.essential.iter().filter_map(|&at| task.actions.get(at)).peekable();
    let final_one = task.essential.last().and_then(|&at| task.actions.get(at));
    let mut last = 0;
    for (number, deed) in deeds.iter().enumerate() {
        for played in *deed {
            let met = wanted.next_if(|human| performs(human, played)).is_some();
            // The same action may belong to the way there as well: what counts is when it was done last.
            let again = wanted.peek().is_none() && final_one.is_some_and(|human| performs(human, played));
            if met || again {
                last = number + 1;
            }
        }
    }
    let declared = !attempts.is_empty() && attempts.iter().all(|attempt| attempt.declared);
    wanted.peek().is_none() && declared && deeds.len() - last <= MOST_AFTERWARDS && spent + deeds.len() <= budget(task)
}

/// True when the attempt did the task's actions of these indices.
pub(super) fn step_passed(task: &Task, actions: &[usize], attempt: &Attempt) -> bool {
    let mut wanted = actions.iter().filter_map(|&at| task.actions.get(at)).peekable();
    let mut others = 0;
    for deed in &attempt.deeds {
        let mut own = false;
        for played in deed {
            own |= wanted.next_if(|human| performs(human, played)).is_some();
        }
        if wanted.peek().is_none() {
            break;
        }
        others += usize::from(!own);
    }
    wanted.peek().is_none() && others <= MOST_OTHERS
}

#[cfg(test)]
#[path = "scoring_tests.rs"]
mod tests;
