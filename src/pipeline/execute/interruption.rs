//! Windows that no clause speaks of: permissions, offers, ratings, notices, in front of any step.
//!
//! What the case prefers comes first, in words of the screen ("Later") or in plain words ("rating", "notifications"). A
//! permission is granted if nothing is said against it, since an app without its permissions is not the one to be tested.
//! Everything else that stands in the way is declined.

use super::perform::Order;
use crate::case::Preferences;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, content_words, same_word, words};
use crate::hierarchy::{Role, ScreenKind, Widget};
use crate::pipeline::agent::Agent;
use crate::pipeline::journal::Journal;
use crate::pipeline::outcome::AgentError;
use crate::pipeline::policy::{Feature, Features, Weighed};
use crate::pipeline::propose::{Move, Proposal, Source};
use crate::pipeline::screen_model::{Purpose, ScreenModel};
use crate::pipeline::task::{Clause, Lexicon, Verb, VerbSet};
use std::time::Instant;

/// Why a window is declined that the clause speaks of.
const TURNED_DOWN: &str = "the step says no to it";
/// Why a permission is granted.
const GRANTED: &str = "a permission nothing is said against";
/// What a clause asks for that turns windows down, or answers them, itself.
const TURNING_DOWN: VerbSet = VerbSet::of(&[Verb::Dismiss, Verb::Accept, Verb::Cancel]);
/// Most windows that are answered one after another.
const MAX_WINDOWS: usize = 4;

/// The platform's buttons that grant, the narrower grant first (`permissioncontroller`, all API levels).
const GRANTS: [&str; 5] = [
    ":id/permission_allow_foreground_only_button",
    ":id/permission_allow_button",
    ":id/permission_allow_always_button",
    ":id/permission_allow_all_button",
    ":id/permission_allow_one_time_button",
];
/// Those that refuse.
const DENIALS: [&str; 3] =
    [":id/permission_deny_button", ":id/permission_deny_and_dont_ask_again_button", ":id/permission_no_upgrade_button"];

/// The answer to a window: the control, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer<'s> {
    /// What is touched.
    pub widget: &'s Widget,
    /// Why.
    pub reason: &'static str,
}

/// How the window in front came to stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// By itself, before anything was done, or after another window was answered.
    Unprompted,
    /// By itself.
    Unasked,
    /// What was done last opened it, for an earlier clause.
    LeftOver,
    /// What was done last opened it, for the clause at work.
    Own,
}

/// The answer to a window that the clause does not speak of, or that it turns down; `None` if there is no such window.
pub(super) fn answer<'s>(
    model: &ScreenModel<'s>,
    clause: Option<&Clause>,
    preferences: &Preferences,
    standing: Standing,
    lexicon: &Lexicon,
) -> Option<Answer<'s>> {
    let screen = model.screen;
    let about = |preference: &String| {
        let wanted = content_words(preference);
        let said: Vec<String> = screen.widgets.iter().flat_map(|widget| content_words(&widget.label)).collect();
        !wanted.is_empty() && wanted.iter().all(|word| said.iter().any(|other| same_word(word, other)))
    };
    if screen.kind == ScreenKind::Permission {
        let (ids, reason) = if preferences.decline.iter().any(about) {
            (&DENIALS[..], "a permission the case declines")
        } else {
            (&GRANTS[..], GRANTED)
        };
        let found = ids.iter().find_map(|end| buttons(model).find(|widget| widget.resource_id.ends_with(end)));
        return found.map(|widget| Answer { widget, reason });
    }
    for (preferred, purposes) in [
        (&preferences.decline, &[Purpose::PutOff, Purpose::Cancel][..]),
        (&preferences.accept, &[Purpose::Acknowledge, Purpose::Submit][..]),
    ] {
        for preference in preferred {
            let label = buttons(model).find(|widget| words(&widget.label) == words(preference));
            if let Some(widget) = label.filter(|widget| clause.is_none_or(|clause| !says(clause, &widget.label))) {
                return Some(Answer { widget, reason: "the answer the case prefers" });
            }
            let speaks = clause.is_some_and(|clause| speaks_of(clause, model));
            if screen.kind == ScreenKind::Dialog && !speaks && about(preference) {
                let found = buttons(model).find(|widget| model.control(widget.id).purposes.has_any(purposes));
                if let Some(widget) = found {
                    return Some(Answer { widget, reason: "the case prefers to be asked no more of this" });
                }
            }
        }
    }
    if screen.kind != ScreenKind::Dialog || model.fields().next().is_some() {
        return None;
    }
    let refusing =
        |purposes: &[Purpose]| buttons(model).find(|widget| model.control(widget.id).purposes.has_any(purposes));
    if clause.is_some_and(|clause| turns_down(clause, model, lexicon)) {
        let found = refusing(&[Purpose::PutOff]).or_else(|| refusing(&[Purpose::Cancel]));
        return found.map(|widget| Answer { widget, reason: TURNED_DOWN });
    }
    if clause
        .is_some_and(|clause| speaks_of(clause, model) && (standing != Standing::Unprompted || is_about(clause, model)))
    {
        return None;
    }
    let found = match standing {
        Standing::Unprompted | Standing::Unasked => way_out(model),
        // An offer that came of an earlier clause; what it may have asked for beside that is not to be lost.
        Standing::LeftOver => refusing(&[Purpose::PutOff]),
        Standing::Own => None,
    };
    found.map(|widget| Answer { widget, reason: "a window nobody asked for" })
}

/// Most controls of a window that only offers something.
const MOST_ANSWERS: usize = 3;

/// True if the window only offers something, and the clause says no to what it is about: "sign in without fingerprint". Where
/// something is set, "no children" sets a number.
fn turns_down(clause: &Clause, model: &ScreenModel<'_>, lexicon: &Lexicon) -> bool {
    let answers = || model.touchables().filter(|widget| !widget.resource_id.ends_with("touch_outside"));
    if answers().count() > MOST_ANSWERS || answers().any(|widget| widget.state.checked.is_some()) {
        return false;
    }
    let texts = || model.screen.texts.shown.iter().map(|text| text.text.as_str()).chain([model.screen.title.as_str()]);
    let shown: Vec<String> = texts().flat_map(content_words).collect();
    let about = |word: &String| shown.iter().any(|other| same_word(word, other));
    clause.refused_words(lexicon).iter().any(about)
}

/// The control that leaves a window and loses nothing: one that puts off, else one that refuses, else the only one.
pub(super) fn way_out<'s>(model: &ScreenModel<'s>) -> Option<&'s Widget> {
    let with = |purpose: Purpose| buttons(model).find(|widget| model.control(widget.id).purposes.has(purpose));
    with(Purpose::PutOff).or_else(|| with(Purpose::Cancel)).or_else(|| {
        let mut all = buttons(model);
        let (only, more) = (all.next(), all.next());
        only.filter(|widget| more.is_none() && model.control(widget.id).purposes.has(Purpose::Acknowledge))
    })
}

fn buttons<'a, 's>(model: &'a ScreenModel<'s>) -> impl Iterator<Item = &'s Widget> + use<'a, 's> {
    model.touchables().filter(|widget| widget.state.enabled && !widget.label.is_empty() && widget.role != Role::Link)
}

/// True if the clause says a word of what the window is about, or turns windows down itself.
fn speaks_of(clause: &Clause, model: &ScreenModel<'_>) -> bool {
    if clause.leads_with(TURNING_DOWN) {
        return true;
    }
    let texts = model.screen.widgets.iter().filter(|widget| {
        !model.control(widget.id).purposes.has_any(&[Purpose::PutOff, Purpose::Cancel, Purpose::Acknowledge])
    });
    let mut said: Vec<String> = texts.flat_map(|widget| content_words(&widget.label)).collect();
    said.extend(content_words(&model.screen.title));
    names(clause, model)
        || content_words(&clause.step.instruction).iter().any(|word| said.iter().any(|other| same_word(word, other)))
}

/// True if what came by itself says most of what the clause does, or a name of it: an offer of cheaper rides is not the ride that is
/// asked for.
fn is_about(clause: &Clause, model: &ScreenModel<'_>) -> bool {
    let shown: Vec<String> = model.screen.wordings().flat_map(content_words).collect();
    let asked = content_words(&clause.step.instruction);
    let there = asked.iter().filter(|word| shown.iter().any(|other| same_word(word, other))).count();
    clause.leads_with(TURNING_DOWN) || names(clause, model) || 2 * there >= asked.len()
}

/// True if the window shows a name of the clause.
fn names(clause: &Clause, model: &ScreenModel<'_>) -> bool {
    clause.names.iter().any(|name| model.screen.widgets.iter().any(|widget| widget.label.contains(name)))
}

fn says(clause: &Clause, label: &str) -> bool {
    let (label, said) = (words(label), words(&clause.step.instruction));
    !label.is_empty() && said.windows(label.len()).any(|part| part == label.as_slice())
}

impl Answer<'_> {
    /// The answer as what is carried out whatever else could be done. Where the clause asks for just that, it is its deed.
    fn weighed(&self, clause: Option<&Clause>) -> Weighed {
        let asked = clause.is_some_and(|clause| clause.leads_with(VerbSet::of(&[Verb::Accept])));
        let (source, features) = if asked && self.reason == GRANTED || self.reason == TURNED_DOWN {
            (Source::Touch, Features::default().with(Feature::Meaning, 1.0))
        } else {
            (Source::Interruption, Features::default())
        };
        Weighed {
            proposal: Proposal {
                action: Move::Act(Action::Click { target: self.widget.target() }),
                widget: Some(self.widget.id),
                source,
                features,
                parameter: None,
                shown: None,
                reason: self.reason.to_owned(),
                text: self.widget.label.clone(),
            },
            score: 1.0,
            veto: None,
        }
    }
}

/// How the window in front came, by the last record.
fn standing(journal: &Journal, seen: &Seen) -> Standing {
    let Some(last) = journal.last() else { return Standing::Unprompted };
    if last.source == Source::Interruption {
        return Standing::Unprompted;
    }
    if last.after.fingerprint != seen.screen.fingerprint || !last.worked() {
        return Standing::Unasked;
    }
    if last.clause < journal.clause() { Standing::LeftOver } else { Standing::Own }
}

/// What the loop answers to a window in front of a clause; `None` where no window stands that the clause does not speak of.
pub(crate) fn interrupted(
    clause: &Clause,
    preferences: &Preferences,
    journal: &Journal,
    seen: &Seen,
    lexicon: &Lexicon,
) -> Option<Weighed> {
    let model = ScreenModel::recognise(&seen.screen, lexicon);
    answer(&model, Some(clause), preferences, standing(journal, seen), lexicon).map(|found| found.weighed(Some(clause)))
}

/// Which windows are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Those that nobody asked for and that have an answer.
    Unasked,
    /// Every one.
    All,
}

impl Agent<'_> {
    /// Answers windows that the clause does not speak of, one after another. A touch that only ran into such a window is
    /// forgotten: the screen is as it was before.
    pub(in crate::pipeline) async fn clear_windows(
        &mut self,
        step: usize,
        clause: Option<&Clause>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        let mut answered = false;
        for _ in 0..MAX_WINDOWS {
            if self.cancel.is_cancelled() || self.spent().is_some() {
                return Ok(());
            }
            let standing = standing(&self.journal, seen);
            let screen = seen.clone();
            let model = ScreenModel::recognise(&screen.screen, &self.knowledge.lexicon);
            let Some(found) = answer(&model, clause, self.preferences, standing, &self.knowledge.lexicon) else {
                break;
            };
            if !self.touch_answer((step, clause), &found, seen, recorder).await? {
                break;
            }
            answered = true;
        }
        if answered {
            let swallowed =
                self.journal.records().iter().rfind(|record| record.source != Source::Interruption).is_some_and(
                    |record| {
                        record.before.fingerprint == seen.screen.fingerprint
                            && record.clause == self.journal.clause()
                            && matches!(record.action, Action::Click { .. })
                    },
                );
            if swallowed {
                self.journal.forget_last_deed();
            }
        }
        Ok(())
    }

    /// Answers windows that nobody asked for and the clause does not speak of, as the case prefers, until `held` or there is none
    /// left. What else stands in a window is left alone.
    pub async fn answer_windows(
        &mut self,
        (step, clause): (usize, Option<&Clause>),
        held: &(dyn Fn(&Seen) -> bool + Sync),
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        self.leave_windows((step, clause, Left::Unasked), held, seen, recorder).await
    }

    /// Leaves windows that stand over what is expected, until `held` or there is none left.
    pub async fn uncover(
        &mut self,
        step: usize,
        held: &(dyn Fn(&Seen) -> bool + Sync),
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        self.leave_windows((step, None, Left::All), held, seen, recorder).await
    }

    async fn leave_windows(
        &mut self,
        (step, clause, left): (usize, Option<&Clause>, Left),
        held: &(dyn Fn(&Seen) -> bool + Sync),
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), AgentError> {
        for _ in 0..MAX_WINDOWS {
            if held(seen) || self.cancel.is_cancelled() || self.spent().is_some() {
                return Ok(());
            }
            let screen = seen.clone();
            let model = ScreenModel::recognise(&screen.screen, &self.knowledge.lexicon);
            let over = || {
                let window = left == Left::All && screen.screen.kind == ScreenKind::Dialog;
                way_out(&model)
                    .filter(|_| window)
                    .map(|widget| Answer { widget, reason: "a window over what is expected" })
            };
            let Some(found) =
                answer(&model, clause, self.preferences, Standing::Unasked, &self.knowledge.lexicon).or_else(over)
            else {
                return Ok(());
            };
            if !self.touch_answer((step, clause), &found, seen, recorder).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Touches an answer and tells it. True if it had an effect.
    async fn touch_answer(
        &mut self,
        (step, clause): (usize, Option<&Clause>),
        answer: &Answer<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, AgentError> {
        let since = Instant::now();
        let weighed = answer.weighed(clause);
        self.tell_decision((step, &seen.screen), &weighed, &[], since, recorder);
        let Some(order) = Order::of(&weighed, &[]) else { return Ok(false) };
        let effect = self.perform(step, order, seen, recorder).await?;
        Ok(effect.is_valid())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::sample::perceived;
    use crate::hierarchy::Screen;
    use crate::pipeline::task::Step;

    /// A window that offers something, with a button that agrees and one that puts off.
    fn offer(title: &str, yes: &str, no: &str) -> Screen {
        let dump = format!(
            r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" bounds="[90,900][990,1500]">
<node class="android.widget.TextView" package="a" resource-id="android:id/alertTitle" text="{title}" bounds="[140,950][940,1050]"/>
<node class="android.widget.Button" package="a" resource-id="android:id/button2" text="{no}" clickable="true" bounds="[300,1350][600,1480]"/>
<node class="android.widget.Button" package="a" resource-id="android:id/button1" text="{yes}" clickable="true" bounds="[620,1350][940,1480]"/>
</node></hierarchy>"#
        );
        perceived(&dump)
    }

    #[test]
    fn an_offer_is_turned_down_where_the_clause_says_so_and_left_over_ones_are_put_off() {
        let lexicon = Lexicon::bundled().unwrap();
        let check = |instruction: &str, standing: Standing, expected: Option<&str>| {
            let screen = offer("Use your fingerprint?", "Turn on", "Not now");
            let model = ScreenModel::recognise(&screen, &lexicon);
            let step = Step { instruction: instruction.to_owned(), ..Step::default() };
            let clause = Clause::read(&step, "", &lexicon);
            let found = answer(&model, Some(&clause), &Preferences::default(), standing, &lexicon);
            let label = found.map(|answer| answer.widget.label.clone());
            assert_eq!(label.as_deref(), expected, "{instruction}, {standing:?}");
        };
        check("Sign in without a fingerprint", Standing::Own, Some("Not now"));
        check("Sign in with the fingerprint", Standing::Own, None);
        check("Open the messages", Standing::LeftOver, Some("Not now"));
        check("Open the messages", Standing::Own, None);
        check("Open the messages", Standing::Unasked, Some("Not now"));
        // What came by itself and shares a word with the step is not what the step asks for.
        check("Scan the fingerprint of Ann", Standing::Unprompted, Some("Not now"));
        check("Scan the fingerprint of Ann", Standing::Unasked, None);
        check("Turn the fingerprint on", Standing::Unprompted, None);
    }
}
