//! What to do next for a goal: what the screen itself asks for, what belongs into its fields, what the planner sees a path to,
//! and where it sees none, what is left to try.

use super::coverage::{Judge, holds};
use super::decision::{Decision, decide};
use super::items::ItemKind;
use super::offers::{Offer, confirmation, wants_choice};
use super::pursuit::{Planning, as_choice, plain};
use super::quest::Quest;
use super::search::sender;
use super::wording::{speaks_of, twin};
use crate::agent::agent::{Agent, AgentError};
use crate::agent::operation::Plan;
use crate::app_map::{Control, View};
use crate::device::Seen;
use crate::domain::{Action, holds_cue};
use crate::hierarchy::{Role, Screen, ScreenKind};
use crate::ranking::Ranked;

/// Waits in a row for a screen that is still coming.
const MOST_WAITS: u32 = 8;
/// Waits in a row for what was touched and is off since.
const MOST_BUSY: u32 = 3;
/// How long one of them lasts at most.
const WAIT_MS: u64 = 5_000;
/// What a path must be worth to be taken before what was typed is sent.
const CLEAR: f32 = 0.30;
/// How often the app is brought to the front again.
const MOST_OUTSIDE: u32 = 4;
/// How much is tried beyond what the goal speaks of before its outcome is judged.
const MOST_SEARCHED: u32 = 6;
/// What is said where the goal was carried out and what is expected is not there.
const IN_VAIN: &str = "all that the goal speaks of was met, and what is expected did not come of it; it is not sure that the goal was \
                       carried out";

/// What to do next.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(super) enum Next {
    /// This, and why.
    Act(Ranked, &'static str),
    /// Nothing: the goal is reached.
    Passed(String),
    /// Nothing: there is no way on.
    Blocked(String),
}

/// What the planner makes of a screen.
struct Planned {
    view: View,
    decision: Decision,
    /// The control that confirms what is on the screen.
    confirms: Option<usize>,
}

impl Planned {
    /// The control that an offer touches; none where it types.
    fn touched(&self, offer: &Offer) -> Option<&Control> {
        self.view.controls.get(offer.control).filter(|_| offer.typed.is_none())
    }

    /// It touches what bears a name of the goal, and is no field.
    fn chooses(&self, offer: &Offer, quest: &Quest<'_, '_>, planning: &Planning) -> bool {
        self.touched(offer)
            .is_some_and(|control| control.role != Role::Field && is_named(&control.label, quest, planning))
    }
}

/// A name of the goal is in a label.
fn is_named(label: &str, quest: &Quest<'_, '_>, planning: &Planning) -> bool {
    quest.goal.items.iter().any(|item| item.kind != ItemKind::Word && holds(item, label, &planning.cues))
}

impl Agent<'_> {
    /// What to do next.
    pub(super) fn resolve(
        &self,
        quest: &mut Quest<'_, '_>,
        planning: &Planning,
        plan: &Plan,
        acted: bool,
        seen: &Seen,
    ) -> Result<Next, AgentError> {
        let at_once =
            self.at_once(quest, planning, seen).or_else(|| self.belonging(quest, planning, plan, &seen.screen));
        if let Some(next) = at_once.or_else(|| self.gesture(quest, planning, plan)) {
            return Ok(next);
        }
        let mut judge = Judge::new(&quest.goal, &planning.map, self.scorer.embedder, &planning.cues, &planning.tuning);
        let planned = self.planned(quest, planning, &mut judge, &seen.screen)?;
        if let Some(next) = self.before_the_plan(quest, planning, plan, &planned, &seen.screen) {
            return Ok(next);
        }
        let expects = (quest.destination.unmet)(seen);
        let mut carried_out = false;
        let missing = match &planned.decision {
            // What the planner knows of a control that says no word of the goal is what the search knows better.
            Decision::Do(offer, worth, _) if is_unsaid(offer, *worth, quest, planning, &planned) => {
                "nothing on the screen speaks of the goal".to_owned()
            }
            Decision::Do(offer, worth, why) => {
                let offer = twin(&quest.goal, &planning.cues, &planned.view, offer.clone());
                match as_choice(&seen.screen, &offer, *worth, why) {
                    Some(choice) => return Ok(Next::Act(choice, why)),
                    None => "the chosen control is gone".to_owned(),
                }
            }
            Decision::Back => return Ok(Next::Act(plain(Action::PressBack), "the keyboard may hide what is left")),
            Decision::Done(reason)
                if acted && expects.as_ref().is_none_or(Vec::is_empty) && quest.outcome.first_sent().is_none() =>
            {
                return Ok(Next::Passed(reason.clone()));
            }
            Decision::Done(reason) => {
                carried_out = acted && quest.is_carried_out(&self.scorer, &mut judge)?;
                reason.clone()
            }
            Decision::Stuck(reason) => reason.clone(),
        };
        let sent = quest.outcome.is_carried_out() && quest.names_something();
        if carried_out || (sent && quest.expects_something(seen)) {
            let searched = quest.trek.searched;
            let since = *quest.carried_out.get_or_insert(searched);
            if searched - since >= MOST_SEARCHED {
                return Ok(done_in_vain(quest));
            }
        }
        self.searched(quest, planning, plan, missing, &seen.screen)
    }

    /// What a screen asks for whatever the goal is: patience, the app itself, or the way back.
    fn at_once(&self, quest: &mut Quest<'_, '_>, planning: &Planning, seen: &Seen) -> Option<Next> {
        let screen = &seen.screen;
        if screen.kind == ScreenKind::Loading {
            if quest.trek.waits >= MOST_WAITS {
                return Some(Next::Blocked(format!("the screen \"{}\" never stopped loading", screen.title)));
            }
            return Some(Next::Act(plain(Action::Wait { ms: WAIT_MS }), "the screen is still loading"));
        }
        if self.is_elsewhere(seen) {
            if quest.trek.outside >= MOST_OUTSIDE {
                return Some(Next::Blocked("the app does not come to the front again".to_owned()));
            }
            quest.trek.outside += 1;
            let action = Action::OpenApp { package: self.package.clone() };
            return Some(Next::Act(plain(action), "the app is not in front"));
        }
        if quest.is_astray(screen, &planning.cues) {
            return Some(Next::Act(plain(Action::PressBack), "this is the page of another thing than the goal names"));
        }
        let busy = quest.trek.waits < MOST_BUSY && quest.is_busy(screen);
        busy.then(|| Next::Act(plain(Action::Wait { ms: WAIT_MS }), "what was touched is being carried out"))
    }

    /// A value that belongs on the screen.
    fn belonging(&self, quest: &mut Quest<'_, '_>, planning: &Planning, plan: &Plan, screen: &Screen) -> Option<Next> {
        if let Some(said) = quest.placed(self.parameters, screen) {
            return Some(Next::Act(said, "the goal's own words say that a value belongs here"));
        }
        if let Some(given) = quest.parameter(plan, screen, self.scorer.weights) {
            return Some(Next::Act(given, "a parameter of the case belongs here"));
        }
        if let Some(drawn) = quest.drawn(screen, &planning.cues) {
            return Some(Next::Act(drawn, "the case says that any value will do; this one is drawn from the seed"));
        }
        let set = quest.set(self, screen, &planning.cues)?;
        Some(Next::Act(set, "it sets what the goal names"))
    }

    /// A gesture that the goal asks for by its words.
    fn gesture(&self, quest: &Quest<'_, '_>, planning: &Planning, plan: &Plan) -> Option<Next> {
        let first = plan.ranked.first()?;
        let action = &first.candidate.action;
        let special = matches!(action, Action::LongPress { .. } | Action::SwipeSelector { .. });
        let named = !matches!(action, Action::LongPress { .. })
            || !quest.names_something()
            || action.target().is_some_and(|target| is_named(&target.label, quest, planning));
        let cued = || self.skills.get(action.skill()).is_some_and(|skill| skill.is_cued(&quest.step.instruction));
        let asked = special && named && cued() && first.score >= self.scorer.weights.clearly_meant;
        asked.then(|| Next::Act(first.clone(), "the goal asks for it"))
    }

    /// What the planner makes of the screen.
    fn planned(
        &self,
        quest: &Quest<'_, '_>,
        planning: &Planning,
        judge: &mut Judge<'_>,
        screen: &Screen,
    ) -> Result<Planned, AgentError> {
        let view = View::of(screen);
        let kept = quest.kept(&view, &planning.cues);
        let barred = quest.barred(self, screen, &view, &planning.cues, &kept)?;
        let decision = decide(judge, &quest.trek.past, &view, &barred)?;
        tracing::debug!("\"{}\": {decision:?}, {kept:?} stay as they are", screen.title);
        let confirms = confirmation(judge, &view)?;
        Ok(Planned { view, decision, confirms })
    }

    /// What comes before what the planner says: a list that is still open, the way out of a choice, or what was typed.
    fn before_the_plan(
        &self,
        quest: &Quest<'_, '_>,
        planning: &Planning,
        plan: &Plan,
        planned: &Planned,
        screen: &Screen,
    ) -> Option<Next> {
        let Planned { view, decision, confirms } = planned;
        if let Decision::Do(offer, worth, _) = decision {
            if self.carries_out(offer, planning, planned)
                && let Some(list) = self.unopened(quest, planning, plan, screen)
            {
                return Some(Next::Act(list, "what is still open may be chosen here"));
            }
            let strange = planned.touched(offer).is_some_and(|control| {
                control.checked == Some(false) && !speaks_of(&quest.goal, &planning.cues, control)
            });
            if *worth < CLEAR
                && quest.any.is_none()
                && quest.trek.may_leave(screen)
                && strange
                && view.controls.iter().any(|control| control.checked == Some(true))
                && *confirms != Some(offer.control)
                && wants_choice(view, &planning.cues)
            {
                let why = "the choice that is made here is none the goal speaks of";
                return Some(Next::Act(plain(Action::PressBack), why));
            }
        }
        // What was typed is sent, unless there is a clear way on.
        let clear = matches!(
            decision,
            Decision::Do(offer, worth, _)
                if offer.typed.is_some() || *worth >= CLEAR || planned.chooses(offer, quest, planning)
        );
        if clear || !quest.trek.typed_on(screen) {
            return None;
        }
        let sender = sender(&plan.ranked, screen, &planning.cues, &quest.trek)?;
        Some(Next::Act(sender, "what was typed is to be sent"))
    }

    /// An offer confirms what is on the screen, and thereby ends something.
    fn carries_out(&self, offer: &Offer, planning: &Planning, planned: &Planned) -> bool {
        planned.confirms == Some(offer.control)
            && planned.touched(offer).is_some_and(|control| {
                let cues = self.scorer.cues;
                let ends = holds_cue(&planning.cues.completes, &control.label) || cues.is_submit(&control.label);
                ends && !cues.is_advance(&control.label)
            })
    }

    /// What is left to try; where nothing is, why there is no way on.
    fn searched(
        &self,
        quest: &mut Quest<'_, '_>,
        planning: &Planning,
        plan: &Plan,
        missing: String,
        screen: &Screen,
    ) -> Result<Next, AgentError> {
        let mut found = self.search_on(quest, planning, plan, screen)?;
        if found.is_none() && !quest.trek.thorough {
            quest.trek.thorough = true;
            found = self.search_on(quest, planning, plan, screen)?;
        }
        Ok(match found {
            Some((choice, why)) => {
                quest.trek.searched += 1;
                Next::Act(choice, why)
            }
            None if quest.carried_out.is_some() => done_in_vain(quest),
            None => Next::Blocked(missing),
        })
    }

    /// Another app is in front, or the home screen. What the system asks belongs to the app.
    pub(super) fn is_elsewhere(&self, seen: &Seen) -> bool {
        let front = seen.screen.foreground.as_deref().and_then(|name| name.split('/').next());
        let asks = matches!(seen.screen.kind, ScreenKind::Permission | ScreenKind::Dialog);
        !asks && front.is_some_and(|front| front != self.package.as_str())
    }
}

/// An offer is worth little and touches what says no word of the goal.
fn is_unsaid(offer: &Offer, worth: f32, quest: &Quest<'_, '_>, planning: &Planning, planned: &Planned) -> bool {
    worth < CLEAR
        && offer.lead.is_none()
        && planned.confirms != Some(offer.control)
        && planned.touched(offer).is_some_and(|control| !speaks_of(&quest.goal, &planning.cues, control))
}

/// The goal seems to be done, and what is expected did not come of it: what the case expects decides only where something
/// carried out all that the goal names. That nothing of the goal is left to be met proves little.
fn done_in_vain(quest: &Quest<'_, '_>) -> Next {
    quest.in_vain_after_all().map_or_else(|| Next::Blocked(IN_VAIN.to_owned()), Next::Passed)
}
