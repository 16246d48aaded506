//! Windows that no step speaks of: questions for a permission, offers, ratings, notices.
//!
//! What the case prefers comes first, in words of the screen ("Later") or in plain words ("rating", "notifications"). A
//! permission is granted where nothing is said against it, since an app without its permissions is not the one to be tested.
//! Whatever else stands in the way of a step that says nothing about it is declined.

use super::agent::Agent;
use super::memory::StepMemory;
use super::step::Step;
use super::{AgentError, agent};
use crate::case::Preferences;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, BundledTable, CueList, EventKind, Locator, content_words, holds_cue, same_word, words};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::ranking::{Candidate, Cues, Ranked};
use serde::Deserialize;
use std::time::Instant;

/// Why a window is left on which nothing fits.
pub(super) const LEFT: &str = "nothing fits on this window";
/// Most windows that are answered one after another.
const MOST_WINDOWS: usize = 4;

/// The platform's buttons that grant, the narrower grant first (`permissioncontroller`, all API levels).
const GRANTS: &[&str] = &[
    ":id/permission_allow_foreground_only_button",
    ":id/permission_allow_button",
    ":id/permission_allow_always_button",
    ":id/permission_allow_all_button",
    ":id/permission_allow_one_time_button",
];
/// Those that refuse.
const DENIALS: &[&str] = &[
    ":id/permission_deny_button",
    ":id/permission_deny_and_dont_ask_again_button",
    ":id/permission_no_upgrade_button",
];

/// The control that answers a window no step speaks of, and why; `None` where there is no such window.
pub(super) fn answer<'a>(
    screen: &'a Screen,
    step: &Step,
    preferences: &Preferences,
    cues: &Cues,
) -> Option<(&'a Widget, &'static str)> {
    let about = || window_words(screen);
    let meant = |preference: &String| is_about(preference, &about());
    if screen.kind == ScreenKind::Permission {
        if preferences.decline.iter().any(meant) {
            return by_id(screen, DENIALS).map(|widget| (widget, "a permission the case declines"));
        }
        return by_id(screen, GRANTS).map(|widget| (widget, "a permission nothing is said against"));
    }
    for (preferred, declined) in [(&preferences.decline, true), (&preferences.accept, false)] {
        for preference in preferred {
            if let Some(button) = buttons(screen).find(|widget| same_text(&widget.label, preference)) {
                // A label is an answer, not what the window is about: where the step gives it, the step is left to it.
                if says(step, &button.label) {
                    continue;
                }
                return Some((button, "the answer the case prefers"));
            }
            if screen.kind != ScreenKind::Dialog || speaks_of(step, screen) || !meant(preference) {
                continue;
            }
            let button = if declined { refusal(screen, cues) } else { consent(screen, cues) };
            if let Some(button) = button {
                return Some((button, "the case prefers to be asked no more of this"));
            }
        }
    }
    None
}

/// The control that turns down a window that came of itself and has nothing to do with the step.
fn turned_down<'a>(screen: &'a Screen, step: &Step, cues: &Cues) -> Option<&'a Widget> {
    if screen.kind != ScreenKind::Dialog || screen.widgets.iter().any(|widget| widget.role == Role::Field) {
        return None;
    }
    let way_out = buttons(screen).find(|widget| declines(&widget.label, cues))?;
    // What its way out says is not what the window is about.
    let about = screen.widgets.iter().filter(|widget| widget.id != way_out.id);
    let mut said: Vec<String> = about.flat_map(|widget| content_words(&widget.label)).collect();
    said.extend(content_words(&screen.title));
    let spoken = content_words(&step.instruction).iter().any(|word| said.iter().any(|other| same_word(word, other)));
    let named = step.named.iter().any(|name| screen.widgets.iter().any(|widget| widget.label.contains(name.as_str())));
    (!spoken && !named && !turns_down(step) && !says(step, &way_out.label)).then_some(way_out)
}

/// The control that leaves a window on which nothing fits: one that refuses, else the only one there is.
pub(super) fn way_out<'a>(screen: &'a Screen, cues: &Cues) -> Option<&'a Widget> {
    let window = matches!(screen.kind, ScreenKind::Dialog | ScreenKind::Permission);
    if let Some(refusal) = refusal(screen, cues) {
        // On a whole screen "Cancel" or "Skip" would lose what was done; only what puts off is safe there.
        return (window || declines(&refusal.label, cues)).then_some(refusal);
    }
    let mut all = buttons(screen);
    let (only, more) = (all.next(), all.next());
    only.filter(|widget| window && more.is_none() && cues.acknowledges(&widget.label))
}

fn buttons(screen: &Screen) -> impl Iterator<Item = &Widget> {
    let touchable = |widget: &&Widget| widget.clickable && widget.state.enabled && !widget.label.is_empty();
    screen.widgets.iter().filter(touchable).filter(|widget| !matches!(widget.role, Role::Field | Role::KeypadKey))
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beginnings {
    turning_down: CueList,
}

pub(super) static BEGINNINGS: BundledTable<Beginnings> =
    BundledTable::toml("src/agent/popups.toml", include_str!("popups.toml"));
/// Words at a step's beginning that tell whether it turns a window down.
const FIRST_WORDS: usize = 3;

/// The step itself turns a window down: "Skip the introduction".
pub(super) fn turns_down(step: &Step) -> bool {
    let first: Vec<&str> = step.instruction.split_whitespace().take(FIRST_WORDS).collect();
    holds_cue(&BEGINNINGS.get().turning_down, &first.join(" "))
}

/// The next step turns a window down, and the window it speaks of is there.
pub(super) fn opens_for(next: Option<&Step>, screen: &Screen, cues: &Cues) -> bool {
    let Some(next) = next.filter(|next| turns_down(next)) else { return false };
    let way_out = way_out(screen, cues).filter(|out| declines(&out.label, cues));
    let asked = content_words(&next.instruction);
    // What it is about is told by its words, and by what its parts are called: a bar for ratings.
    let about = |widget: &Widget| {
        let kind = widget.class.rsplit('.').next().unwrap_or_default();
        let text = format!("{} {} {} {}", widget.label, widget.hint, widget.id_words, parted(kind));
        content_words(&text).iter().any(|word| asked.iter().any(|other| same_word(word, other)))
    };
    let is_way_out = |widget: &Widget| way_out.is_some_and(|out| out.id == widget.id);
    screen.kind == ScreenKind::Dialog
        && way_out.is_some()
        && screen.widgets.iter().any(|widget| !is_way_out(widget) && about(widget))
}

/// A class's name in words: `RatingBar` is "Rating Bar".
fn parted(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.push(letter);
    }
    words
}

/// Touching this is nothing that the step asks for: it turns an offer down, and the step says nothing of that.
pub(super) fn only_dismisses(step: &Step, screen: &Screen, choice: &Ranked, cues: &Cues) -> bool {
    let label = choice.candidate.action.target().map(|target| target.label.as_str()).unwrap_or_default();
    let refuses = step.instruction.split_whitespace().next().is_some_and(|first| cues.refuses(first));
    screen.kind == ScreenKind::Dialog
        && declines(label, cues)
        && !refuses
        && !turns_down(step)
        && !says(step, label)
        && !step.named.iter().any(|name| same_text(name, label))
}

/// Touching this answers a step that turns a window down.
pub(super) fn has_turned_down(step: &Step, screen: &Screen, choice: &Ranked, cues: &Cues) -> bool {
    let label = choice.candidate.action.target().map(|target| target.label.as_str()).unwrap_or_default();
    screen.kind == ScreenKind::Dialog
        && declines(label, cues)
        && choice.terms.iter().all(|(why, _)| *why != LEFT)
        && turns_down(step)
}

/// The label turns an offer down, and nothing is lost by it: "Not now", "No, I am fine".
pub(super) fn declines(label: &str, cues: &Cues) -> bool {
    let (head, reason) = label.split_once([',', '，', '、']).unwrap_or((label, ""));
    cues.puts_off(label) || (!reason.trim().is_empty() && cues.refuses(head))
}

fn refusal<'a>(screen: &'a Screen, cues: &Cues) -> Option<&'a Widget> {
    buttons(screen).find(|widget| declines(&widget.label, cues)).or_else(|| {
        let mut refusing = buttons(screen).filter(|widget| cues.refuses(&widget.label));
        refusing.next()
    })
}

fn consent<'a>(screen: &'a Screen, cues: &Cues) -> Option<&'a Widget> {
    let mut buttons: Vec<&Widget> = buttons(screen).filter(|widget| widget.role == Role::Button).collect();
    buttons.retain(|widget| !cues.refuses(&widget.label) && !cues.puts_off(&widget.label));
    buttons.pop()
}

fn by_id<'a>(screen: &'a Screen, ends: &[&str]) -> Option<&'a Widget> {
    ends.iter().find_map(|end| buttons(screen).find(|widget| widget.resource_id.ends_with(end)))
}

/// Everything a window says.
fn window_words(screen: &Screen) -> Vec<String> {
    screen.widgets.iter().flat_map(|widget| content_words(&widget.label)).collect()
}

/// All words of a preference are said.
fn is_about(preference: &str, said: &[String]) -> bool {
    let wanted = content_words(preference);
    !wanted.is_empty() && wanted.iter().all(|word| said.iter().any(|other| same_word(word, other)))
}

fn same_text(label: &str, wanted: &str) -> bool {
    words(label) == words(wanted)
}

/// The step names this label.
fn says(step: &Step, label: &str) -> bool {
    let (label, said) = (words(label), words(&step.instruction));
    !label.is_empty() && said.windows(label.len()).any(|part| part == label.as_slice())
}

/// The step has a word in common with the window's title.
fn speaks_of(step: &Step, screen: &Screen) -> bool {
    let title = content_words(&screen.title);
    content_words(&step.instruction).iter().any(|word| title.iter().any(|other| same_word(word, other)))
}

impl Agent<'_> {
    /// Answers windows that no step speaks of, one after another. What was done last is forgotten where it only ran into
    /// such a window: the screen is then as it was before.
    pub(super) async fn clear_the_way(
        &mut self,
        step: &Step,
        memory: &mut StepMemory,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        let mut answered = false;
        for _ in 0..MOST_WINDOWS {
            if self.cancel.is_cancelled() || self.spent().is_some() {
                return Ok(());
            }
            let found = answer(&seen.screen, step, self.preferences, self.scorer.cues).or_else(|| {
                let stray = self.came_unasked(&seen.screen).then(|| turned_down(&seen.screen, step, self.scorer.cues));
                stray.flatten().map(|widget| (widget, "a window nobody asked for"))
            });
            let Some(choice) = found.map(|(widget, why)| touching(widget, why)) else { break };
            if !self.touch(step, &choice, seen, recorder).await? {
                break;
            }
            answered = true;
        }
        if answered && memory.forget_if_undone(seen.screen.fingerprint) {
            let swallowed = |deed: &agent::Deed| {
                deed.step == step.index
                    && deed.before == seen.screen.fingerprint
                    && matches!(deed.action, Action::Click { .. })
            };
            if let Some(at) = self.deeds.iter().rposition(swallowed) {
                self.deeds.remove(at);
            }
        }
        Ok(())
    }

    /// The window was not opened by what was done last.
    fn came_unasked(&self, screen: &Screen) -> bool {
        let granted = |deed: &agent::Deed| {
            let is_answer = |locator: &Locator| {
                let Locator::ResourceId(id) = locator else { return false };
                GRANTS.iter().chain(DENIALS).any(|end| id.ends_with(end))
            };
            deed.action.target().is_some_and(|target| target.selector.chain.iter().any(is_answer))
        };
        self.deeds.last().is_none_or(|last| last.after != screen.fingerprint || granted(last))
    }

    /// Leaves windows that stand over what the case expects to see, until `held` or there is none left.
    pub async fn uncover(
        &mut self,
        step: &Step,
        held: &(dyn Fn(&Seen) -> bool + Sync),
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        for _ in 0..MOST_WINDOWS {
            if held(seen) || self.cancel.is_cancelled() || self.spent().is_some() {
                return Ok(());
            }
            let found = answer(&seen.screen, step, self.preferences, self.scorer.cues).or_else(|| {
                let window = seen.screen.kind == ScreenKind::Dialog;
                let out = way_out(&seen.screen, self.scorer.cues).filter(|_| window);
                out.map(|widget| (widget, "a window over what is expected"))
            });
            let Some(choice) = found.map(|(widget, why)| touching(widget, why)) else { return Ok(()) };
            if !self.touch(step, &choice, seen, recorder).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Touches it and tells; false where it had no effect.
    async fn touch(
        &mut self,
        step: &Step,
        choice: &Ranked,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        recorder.emit(EventKind::Decided {
            step: step.index,
            chosen: choice.view(),
            runners_up: Vec::new(),
            decide_ms: agent::milliseconds(Instant::now()),
            why: choice.terms.first().map(|(name, _)| (*name).to_owned()).unwrap_or_default(),
            expects: self.expects(&choice.candidate.action),
        });
        let before = seen.clone();
        let effect = self.act(step, choice, &before, seen, recorder).await?;
        self.budget.actions = self.budget.actions.saturating_sub(1);
        let valid = effect == agent::Effect::Valid;
        if valid {
            self.note_deed(step.index, choice.candidate.action.clone(), 0, &before, seen);
        }
        Ok(valid)
    }
}

/// A touch as the ranking would choose it.
pub(super) fn touching(widget: &Widget, why: &'static str) -> Ranked {
    let action = Action::Click { target: widget.target() };
    let candidate = Candidate { action, widget: Some(widget.id), text: widget.label.clone(), offer: None };
    Ranked { candidate, score: 1.0, terms: vec![(why, 1.0)] }
}

#[cfg(test)]
#[path = "popups_tests.rs"]
mod tests;
