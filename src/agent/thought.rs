//! What the agent makes of a screen: what to do next for a step, or that it is done.

use super::agent::{Agent, AgentError};
use super::certain::Certain;
use super::confidence::Ground;
use super::course::{Course, Outlook};
use super::goal::asks;
use super::inspection::Evidence;
use super::memory::StepMemory;
use super::operation::{Plan, asked_for, plan, unmet};
use super::parameters::Trust;
use super::patience::{Patience, is_busy, is_spoken_of};
use super::popups;
use super::step::Step;
use super::{complaint, lookout, undoing, vain};
use crate::device::Seen;
use crate::domain::{Action, Direction, content_words, same_word};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::ranking::{ADVANCE, Candidate, FORM, Meant, Ranked};

/// How much less a choice must fit on a window that wants an answer.
const CORNERED: f32 = 0.10;
/// How much better a choice must fit on a window that can be turned down.
const UNASKED: f32 = 0.10;
/// The same on a page that offers little, and when everything else was tried: waiting brought nothing.
const FAINT: f32 = 0.04;
/// Most controls of a page that offers little.
const MOST_ANSWERS: usize = 3;
/// A step of a case whose being done is less likely than this goes on.
const DOUBTFUL: f32 = -2.5;
/// Choices told for debugging.
const LOGGED: usize = 5;
/// Longest wait for a screen on which nothing fits.
pub(super) const WAIT_MS: u64 = 3_000;

/// One moment of working on a step: all that is looked at when the next thing is thought of.
pub(super) struct Moment<'m, 'c> {
    /// The step.
    pub step: &'m Step,
    /// The step after it.
    pub next: Option<&'m Step>,
    /// How far the step has come.
    pub course: &'m Course<'c>,
    /// The screen on which the last thing was done for the step.
    pub last: Option<&'m Seen>,
    /// The screen in front.
    pub seen: &'m Seen,
    /// Whether everything expected is on the screen; `None` where nothing is expected yet.
    pub reached: Option<bool>,
}

/// What is to be done, and why rather than anything else.
pub(super) struct Resolve {
    /// What is to be done.
    pub choice: Ranked,
    /// The step's ranking.
    pub plan: Plan,
    /// What else was weighed.
    pub outlook: Outlook,
}

/// What the agent makes of a screen.
pub(super) enum Thought {
    /// This is to be done.
    Do(Box<Resolve>),
    /// The step is done.
    Done(Ground, String),
    /// There is no way on.
    Stuck(String),
    /// What was done hardly belongs to the step.
    Astray(String),
    /// There is nothing left to do for the step, and only what the case expects in the end is not there.
    Unmet(String),
}

impl Thought {
    fn to_do(choice: Ranked, plan: Plan, outlook: Outlook) -> Self {
        Self::Do(Box::new(Resolve { choice, plan, outlook }))
    }
}

impl<'a> Agent<'a> {
    /// Begins with a step.
    pub(super) fn course<'b>(&self, step: &'b Step, next: Option<&Step>, seen: &Seen) -> Result<Course<'b>, AgentError>
    where
        'a: 'b,
    {
        Course::new(&self.background(), &self.planning.map, &self.planning.reading, step, next, &seen.screen)
    }

    /// What to do next for a step.
    pub(super) fn think(&self, moment: &Moment<'_, '_>, memory: &mut StepMemory) -> Result<Thought, AgentError> {
        if let Some(given) = self.give_in(moment, memory)? {
            return Ok(given);
        }
        let thought = complaint::heed(self.consider(moment, memory)?, moment, memory);
        Ok(vain::heed(thought, moment.step, &moment.seen.screen, memory, self.scorer.cues))
    }

    /// The same, whether or not the step's own control was touched in vain.
    fn consider(&self, moment: &Moment<'_, '_>, memory: &mut StepMemory) -> Result<Thought, AgentError> {
        let &Moment { step, next, course, last, seen, .. } = moment;
        // Where a step asks for several things, which of them is done next is weighed.
        let certain = if Self::is_one_deed(course.deeds()) {
            self.certain(step, next, &seen.screen, memory)
        } else {
            self.certain_of_many(step, &seen.screen, memory)
        };
        let mut plan = plan(&self.background(), step, &seen.screen, memory, Trust::Mention)?;
        match certain {
            Some(Certain::Done(reason)) => return Ok(Thought::Done(Ground::Certain, reason)),
            Some(Certain::Filled(reason)) if plan.pending == 0 => return Ok(Thought::Done(Ground::Certain, reason)),
            Some(Certain::Lacking(reason)) => return Ok(Thought::Stuck(reason)),
            Some(Certain::Do(choice)) => {
                let outlook = course.look(&self.background(), &plan, &seen.screen, memory)?;
                return Ok(Thought::to_do(choice, plan, outlook));
            }
            _ => {}
        }
        if Self::touches(step) {
            plan.ranked.retain(|ranked| ranked.candidate.offer.as_ref().is_none_or(|offer| !offer.tentative));
        }
        let unmet = unmet(step, self.parameters, &seen.screen, memory);
        if let Some((ground, reason)) = self.plainly_done(moment, &plan, unmet, memory) {
            return Ok(Thought::Done(ground, reason));
        }
        let evidence = self.evidence(moment, &plan, unmet, memory);
        let done = evidence.against_done(&self.planning.reading.costs);
        let least = self.least(step, &seen.screen, memory);
        let outlook = course.look(&self.background(), &plan, &seen.screen, memory)?;
        if let Some(next) = next
            && memory.only_looked()
            && memory.waiting.has_moved()
            && self.begins_here(next, course.best(&outlook), least, seen)
        {
            return Ok(Thought::Done(
                Ground::Exhausted,
                "the screen moved on by itself to where the next step begins".into(),
            ));
        }
        tracing::debug!("so far: {}", course.describe());
        let weighed = self.weigh(moment, &mut plan, course.weigh(&outlook, &seen.screen, done), memory);
        match weighed {
            Some((None, _)) if Self::owes_text(step, &seen.screen, memory) => {
                Ok(Thought::Stuck(format!("nothing is known that {:?} could type", step.instruction)))
            }
            Some((None, worth)) => {
                if let Some(further) = self.sends_below(step, &plan, last, seen, memory) {
                    return Ok(Thought::to_do(further, plan, outlook));
                }
                if worth < -self.planning.reading.costs.despair {
                    let reason = format!("what was done hardly belongs to {:?} ({worth:.2})", step.instruction);
                    return Ok(Thought::Astray(reason));
                }
                let reason = format!("what follows fits better than anything of the step ({worth:.2})");
                Ok(Thought::Done(Ground::Weighed(worth), reason))
            }
            Some((Some(choice), _)) if choice.score >= least => {
                let choice = top_of_form(&choice, &plan.ranked, self.scorer.weights.form_spread);
                Ok(Thought::to_do(choice, plan, outlook))
            }
            _ if unmet.is_none() && self.has_sent(step, seen, memory) => {
                Ok(Thought::Done(Ground::Plain, "it was sent, and the app went on".into()))
            }
            _ => match self.last_choice(step, &plan, seen, memory)? {
                Some(choice) => Ok(Thought::to_do(choice, plan, outlook)),
                None => Ok(self.nothing_left(step, &plan, unmet, evidence, seen, memory)),
            },
        }
    }

    /// What shows without weighing that a step is done, and on what ground: it was so before, everything expected is on the
    /// screen, or just what it asks for was done.
    fn plainly_done(
        &self,
        moment: &Moment<'_, '_>,
        plan: &Plan,
        unmet: Option<&str>,
        memory: &StepMemory,
    ) -> Option<(Ground, String)> {
        let &Moment { step, course, last, seen, reached, .. } = moment;
        if plan.pending > 0 {
            return None;
        }
        if let Some(reason) = plan.satisfied.clone().filter(|_| course.is_plain()) {
            return Some((Ground::Plain, reason));
        }
        last?;
        if unmet.is_some() {
            return None;
        }
        // What only led on did nothing for the step, and neither did turning a window down, whatever is on the screen.
        let declined = !popups::turns_down(step)
            && memory
                .done
                .last()
                .and_then(Action::target)
                .is_some_and(|target| popups::declines(&target.label, self.scorer.cues));
        let in_vain = vain::in_vain(step, &seen.screen, memory).is_some();
        if reached == Some(true) && !memory.only_looked() && !declined && !in_vain {
            return Some((Ground::Plain, "everything expected is on the screen".into()));
        }
        let asked = memory.done.last().is_some_and(|action| asked_for(self.skills, step, action));
        asked.then(|| (Ground::Certain, "did what the step asks for".into()))
    }

    /// What speaks against the step's being done.
    fn evidence(&self, moment: &Moment<'_, '_>, plan: &Plan, unmet: Option<&str>, memory: &StepMemory) -> Evidence {
        let &Moment { step, next, last, seen, reached, .. } = moment;
        Evidence {
            looked: memory.only_looked(),
            pending: plan.pending,
            unmet: unmet.is_some(),
            unsent: last.is_some_and(|last| self.unsent(step, last, seen)),
            unexpected: reached == Some(false),
            asks: next.is_none()
                && last.is_some_and(|last| last.screen.fingerprint != seen.screen.fingerprint)
                && asks(&seen.screen, &self.planning.cues),
        }
    }

    /// How well something must fit on this screen to be done.
    fn least(&self, step: &Step, screen: &Screen, memory: &StepMemory) -> f32 {
        let least = self.scorer.weights.nothing_fits;
        let may_decline = screen.kind == ScreenKind::Dialog
            && popups::way_out(screen, self.scorer.cues)
                .is_some_and(|out| popups::declines(&out.label, self.scorer.cues));
        if may_decline && !popups::turns_down(step) {
            // What nobody asked for is turned down rather than taken.
            least + UNASKED
        } else if matches!(screen.kind, ScreenKind::Dialog | ScreenKind::Permission) {
            least - CORNERED
        } else if offers_little(screen) || memory.waits > 0 && memory.only_looked() {
            least - FAINT
        } else {
            least
        }
    }

    /// The best of what is weighed once what must not be touched is struck out, from the plan as well; without a choice,
    /// that the step is done.
    fn weigh(
        &self,
        moment: &Moment<'_, '_>,
        plan: &mut Plan,
        mut weighed: Vec<(Option<Ranked>, f32)>,
        memory: &StepMemory,
    ) -> Option<(Option<Ranked>, f32)> {
        let &Moment { step, seen, .. } = moment;
        let screen = &seen.screen;
        // A step that turns something down does not send what stands there before it is asked.
        if popups::turns_down(step) && screen.kind != ScreenKind::Dialog {
            // "OK" may be what dismisses a message.
            let meant = Meant::new(&step.instruction, &step.original);
            let sends = |ranked: &Ranked| {
                let label = &ranked.candidate.text;
                let own = ranked.candidate.action.target().map(|target| target.label.as_str());
                self.scorer.cues.is_submit(label)
                    && own.is_none_or(|own| meant.kindred(own) == 0.0)
                    && !content_words(label)
                        .iter()
                        .any(|word| content_words(&step.instruction).iter().any(|other| same_word(word, other)))
            };
            // Nor does it touch anything else while the window may still come.
            let waits = self.patience != Patience::NONE && memory.waiting.goes_on() && memory.only_looked();
            strike(&mut weighed, plan, |ranked| sends(ranked) || waits && !is_spoken_of(step, ranked));
        }
        // What undoes something stays likely, so that nothing else seems likelier than it is; but it is not touched.
        if !self.may_refuse(screen) {
            strike(&mut weighed, plan, |ranked| undoing::is_unasked(step, &ranked.candidate.action));
        }
        strike(&mut weighed, plan, |ranked| vain::touches_filled(&ranked.candidate, screen, memory));
        for (choice, worth) in weighed.iter().take(LOGGED) {
            let said = choice.as_ref().map_or_else(|| "done".to_owned(), |choice| choice.candidate.action.to_string());
            tracing::debug!("{:?} on \"{}\": {worth:.2} {said}", step.instruction, screen.title);
        }
        // That a step is done must be likely, not only likelier than anything else.
        let doubtful = |(choice, worth): &(Option<Ranked>, f32)| choice.is_none() && *worth < DOUBTFUL;
        let doubted = !self.title.is_empty() && Self::is_untouched(step, memory);
        if doubted && weighed.first().is_some_and(doubtful) {
            weighed.retain(|(choice, _)| choice.is_some());
        }
        // A wheel that the step does not speak of is left as it is.
        strike(&mut weighed, plan, |ranked| turns_unasked(step, ranked, screen));
        strike(&mut weighed, plan, |ranked| lookout::is_of_a_row(step, ranked, screen));
        weighed.into_iter().next()
    }

    /// What is done where nothing fits well enough: what may still show it, else nothing.
    fn last_choice(
        &self,
        step: &Step,
        plan: &Plan,
        seen: &Seen,
        memory: &mut StepMemory,
    ) -> Result<Option<Ranked>, AgentError> {
        // In company, and while the app is busy, what fits may still come: nothing else is touched meanwhile.
        let waits = memory.waiting.goes_on()
            && memory.only_looked()
            && popups::way_out(&seen.screen, self.scorer.cues).is_none()
            && (self.patience.in_company || self.patience != Patience::NONE && is_busy(&seen.screen));
        if waits {
            return Ok(None);
        }
        if let Some(choice) = self.look_about(step, plan, &seen.screen, memory) {
            return Ok(Some(choice));
        }
        match self.choose(&plan.ranked, memory) {
            Some(choice) => Ok(Some(choice)),
            None => self.fall_back(step, &seen.screen, memory),
        }
    }

    /// That a named thing is on no screen of the step: the one where it was looked for first tells most, for what was touched
    /// in its place may have led elsewhere.
    fn nowhere(&self, step: &Step, name: &str, title: &str) -> String {
        let first = self.deeds.iter().find(|deed| deed.step == step.index).map(|deed| deed.screen.as_str());
        match first.filter(|first| *first != title) {
            Some(first) => format!("{name:?} is nowhere on the screen \"{first}\", nor on \"{title}\" after it"),
            None => format!("{name:?} is nowhere on the screen \"{title}\""),
        }
    }

    /// What is made of a step for which nothing is left to be done: it is done only if nothing is owed.
    fn nothing_left(
        &self,
        step: &Step,
        plan: &Plan,
        unmet: Option<&str>,
        evidence: Evidence,
        seen: &Seen,
        memory: &StepMemory,
    ) -> Thought {
        if memory.only_looked() {
            return Thought::Stuck(nothing_fits(step, &plan.ranked));
        }
        if let Some(name) = unmet {
            return Thought::Stuck(self.nowhere(step, name, &seen.screen.title));
        }
        if let Some(name) = self.untyped(step, &seen.screen, memory) {
            return Thought::Stuck(format!("nothing on the screen \"{}\" asks for {name:?}", seen.screen.title));
        }
        let costs = &self.planning.reading.costs;
        if evidence.against_done(costs) >= costs.owed {
            let reason = nothing_fits(step, &plan.ranked);
            // What the case expects in the end is not the step's to bring about alone.
            let own = Evidence { unexpected: false, ..evidence }.against_done(costs);
            return if own < costs.owed { Thought::Unmet(reason) } else { Thought::Stuck(reason) };
        }
        Thought::Done(Ground::Exhausted, "nothing on the screen fits the step any more".into())
    }

    /// The best candidate worth trying; where none is, what shows more: scrolling, else a control that leads on, else
    /// waiting once.
    pub(super) fn choose(&self, ranked: &[Ranked], memory: &mut StepMemory) -> Option<Ranked> {
        let best = ranked.first();
        let least = self.scorer.weights.nothing_fits;
        if let Some(best) = best.filter(|best| best.score >= least) {
            return Some(top_of_form(best, ranked, self.scorer.weights.form_spread));
        }
        if memory.only_looked() {
            if let Some(further) = ranked.iter().find(|ranked| looks_on(&ranked.candidate.action, memory)) {
                return Some(further.clone());
            }
            let leads = |ranked: &&Ranked| ranked.terms.iter().any(|(name, _)| *name == ADVANCE || *name == FORM);
            if let Some(leading) = ranked.iter().find(leads) {
                memory.led_on.push(leading.candidate.action.clone());
                return Some(leading.clone());
            }
        }
        if memory.waits == 0 {
            memory.waits += 1;
            let action = Action::Wait { ms: WAIT_MS };
            let candidate = Candidate { action, widget: None, text: String::new(), offer: None };
            return Some(Ranked { candidate, score: least, terms: vec![("nothing fits yet", least)] });
        }
        None
    }

    /// Looking further down where a step that sends has filled in what is in sight and nothing there sends it.
    fn sends_below(
        &self,
        step: &Step,
        plan: &Plan,
        last: Option<&Seen>,
        seen: &Seen,
        memory: &StepMemory,
    ) -> Option<Ranked> {
        let cues = self.scorer.cues;
        let same = last.is_some_and(|last| last.screen.title == seen.screen.title);
        let sends = |label: &str| cues.is_submit(label) || cues.is_advance(label);
        let given = memory.done.iter().rposition(|action| matches!(action, Action::InputText { .. }))?;
        let sent = memory.done[given..].iter().filter_map(Action::target).any(|target| sends(&target.label));
        let in_sight = seen.screen.widgets.iter().any(|widget| widget.role == Role::Button && sends(&widget.label));
        if !cues.is_submit(&step.instruction) || !same || sent || in_sight {
            return None;
        }
        let down = |action: &Action| action.direction() == Some(Direction::Down) && looks_on(action, memory);
        plan.ranked.iter().find(|ranked| down(&ranked.candidate.action)).cloned()
    }

    /// A step that sends has touched what sends, and that led away from what was sent.
    fn has_sent(&self, step: &Step, seen: &Seen, memory: &StepMemory) -> bool {
        let cues = self.scorer.cues;
        let mut deeds = self.deeds.iter().skip(memory.since);
        let last = deeds.rfind(|deed| !matches!(deed.action, Action::Wait { .. } | Action::Scroll { .. }));
        let sent = last.is_some_and(|deed| {
            deed.action.target().is_some_and(|target| cues.is_submit(&target.label))
                && deed.before != seen.screen.fingerprint
        });
        cues.is_submit(&step.instruction)
            && sent
            && seen.screen.kind == ScreenKind::Ordinary
            && !seen.screen.widgets.iter().any(|widget| widget.role == Role::Field)
    }

    /// The screen asks whether something is to be done: what begun it was asked for.
    fn may_refuse(&self, screen: &Screen) -> bool {
        let cues = self.scorer.cues;
        let refuses =
            |widget: &Widget| widget.clickable && (cues.refuses(&widget.label) || cues.puts_off(&widget.label));
        matches!(screen.kind, ScreenKind::Dialog | ScreenKind::Permission) || screen.widgets.iter().any(refuses)
    }

    /// The next step's own window or control is there, and nothing of this step's. `best` has the best score of this step's
    /// own parts and of the next one's.
    fn begins_here(&self, next: &Step, best: (f32, f32), least: f32, seen: &Seen) -> bool {
        if popups::turns_down(next) {
            return popups::opens_for(Some(next), &seen.screen, self.scorer.cues);
        }
        let (own, of_next) = best;
        own < least && of_next >= self.scorer.weights.clearly_meant
    }

    /// The step asks for something to be sent, the screen is still the same, and the control that sends is on it.
    fn unsent(&self, step: &Step, before: &Seen, after: &Seen) -> bool {
        let cues = self.scorer.cues;
        cues.is_submit(&step.instruction)
            && before.screen.fingerprint == after.screen.fingerprint
            && after
                .screen
                .widgets
                .iter()
                .any(|widget| widget.role == Role::Button && widget.clickable && cues.is_submit(&widget.label))
    }
}

/// Strikes out what must not be touched, wherever it stands.
fn strike(weighed: &mut Vec<(Option<Ranked>, f32)>, plan: &mut Plan, is_out: impl Fn(&Ranked) -> bool) {
    weighed.retain(|(choice, _)| !choice.as_ref().is_some_and(&is_out));
    plan.ranked.retain(|ranked| !is_out(ranked));
}

/// A turn of a wheel whose own name shares no word with the step, for a step that names no value.
fn turns_unasked(step: &Step, choice: &Ranked, screen: &Screen) -> bool {
    let Action::SwipeSelector { .. } = choice.candidate.action else { return false };
    let Some(wheel) = choice.candidate.widget.and_then(|id| screen.widgets.get(id)) else { return false };
    let own = content_words(&wheel.id_words);
    let said = content_words(&step.instruction);
    choice.candidate.offer.is_none()
        && step.named.is_empty()
        && !own.is_empty()
        && !own.iter().any(|word| said.iter().any(|other| same_word(word, other)))
}

/// A page with hardly anything to touch. It is no window: what its only button does may be quite another thing.
pub(super) fn offers_little(screen: &Screen) -> bool {
    let touchable = screen.widgets.iter().filter(|widget| widget.clickable && widget.state.enabled);
    screen.kind == ScreenKind::Ordinary && (1..=MOST_ANSWERS).contains(&touchable.count())
}

/// Scrolling, but not back to where the step came from.
pub(super) fn looks_on(action: &Action, memory: &StepMemory) -> bool {
    let Action::Scroll { direction, .. } = action else { return false };
    !memory.done.iter().any(|done| done.direction() == Some(direction.opposite()))
}

/// A person fills in a form from top to bottom: of several places that are as good as the best one, the topmost. So the
/// order does not hang on hundredths of a score, which differ between processors.
fn top_of_form(best: &Ranked, ranked: &[Ranked], spread: f32) -> Ranked {
    let placed = |ranked: &Ranked| {
        let offer = ranked.candidate.offer.as_ref().filter(|offer| !offer.tentative)?;
        Some((offer.place.widget()?, offer.mentioned, offer.others_mentioned))
    };
    let Some((_, mentioned, others)) = placed(best) else { return best.clone() };
    let top = ranked
        .iter()
        .filter(|other| other.score >= best.score - spread)
        .filter_map(|other| Some((placed(other)?, other)))
        .filter(|((_, m, o), _)| (*m, *o) == (mentioned, others))
        .min_by_key(|((widget, ..), _)| *widget)
        .map_or(best, |(_, top)| top);
    let mut top = top.clone();
    if top.score < best.score {
        top.terms.push(("top to bottom", best.score - top.score));
        top.score = best.score;
    }
    top
}

pub(super) fn nothing_fits(step: &Step, ranked: &[Ranked]) -> String {
    match ranked.iter().find(|ranked| !ranked.candidate.text.is_empty()) {
        Some(best) => {
            format!(
                "nothing on the screen fits {:?}; nearest is {} ({:.2})",
                step.instruction, best.candidate.action, best.score
            )
        }
        None => format!("nothing on the screen fits {:?}", step.instruction),
    }
}
