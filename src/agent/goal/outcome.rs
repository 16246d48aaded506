//! Whether what a goal asks for was carried out, and nothing came of it.
//!
//! A person who has done what was asked, with everything given as asked, and does not see what should come of it, tries
//! once more; where the same comes of it, the app is at fault. So a goal is done in rounds. A round has carried something
//! out when a control that says so (send, save, order …) was touched after every value and name of the goal had been
//! typed or touched. It ends when the agent would begin from the start again. When a second round ends with the same
//! control, the goal counts as done, and what the case expects decides.

use super::coverage::holds;
use super::cues::{GoalCues, alike, among};
use super::decision::Stride;
use super::items::{Goal, Item, ItemKind};
use crate::app_map::Control;
use crate::hierarchy::{Role, Screen, Widget};
use std::collections::HashSet;

/// Rounds after which what is expected is judged.
const ROUNDS: usize = 2;
/// What is done at most after something was carried out and before it is tried anew.
const MOST_AFTER: u32 = 8;

/// A control that carried something out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    /// What it says.
    pub label: String,
    /// The title of its screen.
    pub title: String,
}

/// What was carried out so far.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Touches of this round that did not carry anything out: title and label.
    touched: Vec<(String, String)>,
    /// What carried something out in this round, oldest first.
    sent: Vec<Sent>,
    /// What the rounds before ended with.
    ended: Vec<Sent>,
    /// Actions since something was carried out.
    since: u32,
}

impl Outcome {
    /// A touch that had an effect, or none.
    pub(super) fn note(&mut self, stride: &Stride, sent: Option<Sent>) {
        if let Some(sent) = sent {
            self.sent.push(sent);
            self.since = 0;
        } else {
            self.since += u32::from(!self.sent.is_empty());
            // What was touched on the way to what carries it out begins a round; what comes after it does not.
            if let Some(label) = label_of(stride).filter(|_| self.sent.is_empty()) {
                self.touched.push((stride.on.title.clone(), label.to_owned()));
            }
        }
    }

    /// Something was carried out in this round, after everything the goal names had been dealt with.
    pub(super) const fn is_carried_out(&self) -> bool {
        !self.sent.is_empty()
    }

    /// What it was carried out with in every round, when there were enough of them.
    pub(super) fn repeated(&self) -> Option<&Sent> {
        let last = self.sent.last()?;
        (self.rounds() >= ROUNDS && self.ended.iter().all(|earlier| earlier == last)).then_some(last)
    }

    /// What an earlier round ended with, in vain.
    pub(super) fn first_sent(&self) -> Option<&Sent> {
        self.ended.first()
    }

    /// What it was carried out with in the latest round that came so far.
    pub(super) fn last_sent(&self) -> Option<&Sent> {
        self.sent.last().or(self.ended.last())
    }

    /// A touch of `label` on the screen `title` would begin a new round.
    pub(super) fn starts_over(&self, title: &str, label: &str) -> bool {
        self.is_carried_out() && self.touched.iter().any(|(on, touched)| on == title && touched == label)
    }

    /// Something was carried out, and this was gone on for long enough.
    pub(super) const fn has_waited(&self) -> bool {
        self.is_carried_out() && self.since >= MOST_AFTER
    }

    /// Begins a new round.
    pub(super) fn start_over(&mut self) {
        self.ended.extend(self.sent.pop());
        self.sent.clear();
        self.touched.clear();
        self.since = 0;
    }

    /// Rounds so far, this one included.
    pub(super) fn rounds(&self) -> usize {
        self.ended.len() + 1
    }
}

fn touched(stride: &Stride) -> Option<&Control> {
    stride.control.filter(|_| stride.typed.is_none()).and_then(|at| stride.on.controls.get(at))
}

fn label_of(stride: &Stride) -> Option<&str> {
    touched(stride).map(|control| control.label.as_str()).filter(|label| !label.is_empty())
}

/// The control of a deed, where it says that it carries something out.
pub(super) fn sender_of(stride: &Stride, says_so: impl Fn(&str) -> bool) -> Option<Sent> {
    let control = touched(stride)?;
    let button = control.role == Role::Button && control.checked.is_none();
    (button && says_so(&control.label)).then(|| Sent { label: control.label.clone(), title: stride.on.title.clone() })
}

/// The form that was sent is still there, with what sends it, and something on it is still open: it was not taken.
pub(super) fn was_not_taken(sent: &Sent, before: &Screen, after: &Screen) -> bool {
    let sender = |widget: &Widget| widget.clickable && widget.state.enabled && widget.label == sent.label;
    let empty = |widget: &Widget| {
        widget.role == Role::Field
            && (widget.value.is_empty() || widget.value == widget.label || widget.value == widget.hint)
    };
    let unticked = |widget: &Widget| widget.role == Role::Checkbox && widget.state.checked == Some(false);
    let open = |widget: &Widget| widget.state.enabled && (empty(widget) || unticked(widget));
    before.title == after.title
        && after.widgets.iter().any(sender)
        && before.widgets.iter().any(open)
        && after.widgets.iter().any(open)
}

/// The goal speaks of several of one thing: a number above one before a word. What `values` hold counts nothing.
pub(super) fn counts_things(goal: &str, values: &[String], cues: &GoalCues) -> bool {
    let plain = values
        .iter()
        .filter(|value| !value.is_empty())
        .fold(goal.to_owned(), |goal, value| goal.replace(value.as_str(), " , "));
    let words = cues.words(&plain);
    let several = |word: &String| word.parse::<u32>().is_ok_and(|count| (2..=99).contains(&count));
    words.windows(2).any(|pair| several(&pair[0]) && pair[1].chars().all(char::is_alphabetic))
}

/// Every value and name of a goal was typed or touched: by itself, or word by word. What only stood on a screen was not
/// dealt with, and neither was a number of things by one touch. `settled` are values that were set.
pub(super) fn all_dealt_with(goal: &Goal, cues: &GoalCues, past: &[Stride], settled: &HashSet<String>) -> bool {
    let touched: Vec<&str> = past.iter().filter_map(label_of).collect();
    let typed: Vec<&str> = past.iter().filter_map(|stride| stride.typed.as_deref()).collect();
    let words: Vec<String> = touched.iter().chain(&typed).flat_map(|text| cues.words(text)).collect();
    goal.items.iter().filter(|item| item.kind != ItemKind::Word).all(|item| {
        typed.contains(&item.text.as_str())
            || settled.contains(&item.text)
            || touched.iter().any(|label| holds(item, label, cues))
            || (!item.words.is_empty() && item.words.iter().all(|word| words.iter().any(|w| alike(w, word) > 0.0)))
    })
}

/// Something the goal speaks of, or a parameter is called, stands on what was touched, typed into or gone through. A
/// goal whose words say nothing of that kind is related to anything.
pub(super) fn is_related(goal: &Goal, cues: &GoalCues, past: &[Stride], mentions: &[String]) -> bool {
    let plain = |word: &&String| !among(&cues.makes, word) && !among(&cues.generic, word) && !among(&cues.deeds, word);
    let words = goal.items.iter().filter(|item| item.kind == ItemKind::Word).flat_map(|item| &item.words);
    let mut said: Vec<String> = words.filter(plain).cloned().collect();
    said.extend(mentions.iter().flat_map(|name| cues.words(&name.replace(['_', '-', '.'], " "))));
    if said.is_empty() {
        return true;
    }
    let typed: Vec<&str> = past.iter().filter_map(|stride| stride.typed.as_deref()).collect();
    past.iter().filter(|stride| !stride.back).any(|stride| {
        let control = stride.control.and_then(|at| stride.on.controls.get(at));
        let texts = control
            .map(|control| [control.label.as_str(), control.hint.as_str(), control.name.as_str(), control.shown()]);
        // What was typed says so itself.
        let own = |text: &&str| !typed.iter().any(|typed| !typed.is_empty() && text.contains(typed));
        let mut texts = texts.into_iter().flatten().chain([stride.on.title.as_str()]).filter(own);
        let named = |item: &Item, label: &str| {
            item.kind != ItemKind::Word && !typed.contains(&item.text.as_str()) && holds(item, label, cues)
        };
        texts.any(|text| {
            cues.words(text).iter().any(|word| said.iter().any(|own| alike(own, word) > 0.0 || cues.are_kin(own, word)))
                || goal.items.iter().any(|item| named(item, text))
        })
    })
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
