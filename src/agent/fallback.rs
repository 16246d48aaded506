//! What is tried where nothing on the screen fits a step: what the named thing is, what the case is about, the control that
//! leads on, the way out of a window.

use super::agent::{Agent, AgentError};
use super::memory::StepMemory;
use super::operation::plan;
use super::parameters::Trust;
use super::popups;
use super::step::Step;
use super::undoing;
use crate::domain::{Action, content_words, same_word};
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen};
use crate::ranking::Ranked;

/// How often in one step the case's title is asked for a way on.
const MOST_BY_TITLE: usize = 2;

impl Agent<'_> {
    /// Something to do where nothing fits; `None` where there is nothing.
    pub(super) fn fall_back(
        &self,
        step: &Step,
        screen: &Screen,
        memory: &mut StepMemory,
    ) -> Result<Option<Ranked>, AgentError> {
        if let Some(way_out) = self.leave(screen, memory) {
            // Nothing fits on it: leaving it is nothing that was done for the step, unless it asks for just that.
            if !popups::turns_down(step) {
                memory.dismissed.push(way_out.candidate.action.clone());
            }
            return Ok(Some(way_out));
        }
        // What a step turns down comes by itself.
        if !memory.only_looked() || self.title.is_empty() || popups::turns_down(step) {
            return Ok(None);
        }
        let leads = |widget: &&crate::hierarchy::Widget| {
            widget.role == Role::Button
                && widget.clickable
                && widget.state.enabled
                && self.scorer.cues.is_advance(&widget.label)
        };
        let next = screen.widgets.iter().find(leads).map(|widget| popups::touching(widget, "it leads on"));
        let next = next.filter(|next| !memory.is_excluded(screen.fingerprint, &next.candidate.action));
        if let Some(next) = next {
            memory.led_on.push(next.candidate.action.clone());
            return Ok(Some(next));
        }
        if let Some(unnamed) = unnamed(step, self)
            && let Some(choice) = self.like(&unnamed, screen, memory, "it says what is named")?
            && !is_one_of_many(&choice, screen)
        {
            return Ok(Some(choice));
        }
        if memory.by_title < MOST_BY_TITLE && !self.title.is_empty() {
            let sends = |label: &str| self.sends_a_form(label, screen);
            if let Some(widget) = said_by(self.title, screen, memory).filter(|widget| !sends(&widget.label)) {
                let choice = popups::touching(widget, "the case's title says it");
                memory.by_title += 1;
                memory.led_on.push(choice.candidate.action.clone());
                return Ok(Some(choice));
            }
            let title = Step { instruction: self.title.to_owned(), sentence: self.title.to_owned(), ..Step::default() };
            let aim = self.like(&title, screen, memory, "it is what the case is about")?;
            if let Some(choice) = aim.filter(|one| !one.candidate.action.target().is_some_and(|to| sends(&to.label))) {
                memory.by_title += 1;
                memory.led_on.push(choice.candidate.action.clone());
                return Ok(Some(choice));
            }
        }
        Ok(None)
    }

    /// The best touch for another wording of the step, if it fits at all and was not made in this step.
    fn like(
        &self,
        step: &Step,
        screen: &Screen,
        memory: &StepMemory,
        why: &'static str,
    ) -> Result<Option<Ranked>, AgentError> {
        let plan = plan(&self.background(), step, screen, memory, Trust::PlaceOnly)?;
        let touch = |ranked: &&Ranked| {
            matches!(ranked.candidate.action, Action::Click { .. })
                && ranked.candidate.offer.is_none()
                && !memory.done.contains(&ranked.candidate.action)
                && !undoing::is_unasked(step, &ranked.candidate.action)
        };
        let best = plan.ranked.iter().find(touch).filter(|best| best.score >= self.scorer.weights.nothing_fits);
        Ok(best.map(|best| {
            let mut best = best.clone();
            best.terms.push((why, 0.0));
            best
        }))
    }
}

/// The step with the names of things in place of what they are called: "Choose the person" for "Choose Ann".
fn unnamed(step: &Step, agent: &Agent<'_>) -> Option<Step> {
    let mut text = step.instruction.clone();
    for name in &step.named {
        let parameter =
            agent.parameters.iter().find(|one| step.mentions.contains(&one.name) && one.value.expose() == name);
        text = text.replace(name.as_str(), &parameter.map(Parameter::words).unwrap_or_default());
    }
    (!step.named.is_empty()).then(|| Step {
        index: step.index,
        sentence: text.clone(),
        instruction: text,
        reserved: step.reserved.iter().chain(&step.mentions).cloned().collect(),
        ..Step::default()
    })
}

/// The only control all of whose words a text says.
fn said_by<'a>(text: &str, screen: &'a Screen, memory: &StepMemory) -> Option<&'a crate::hierarchy::Widget> {
    let said = content_words(text);
    let fits = |widget: &&crate::hierarchy::Widget| {
        let own = content_words(&widget.label);
        let all = !own.is_empty() && own.iter().all(|word| said.iter().any(|other| same_word(word, other)));
        let action = Action::Click { target: widget.target() };
        widget.clickable
            && widget.state.enabled
            && widget.role != Role::Field
            && all
            && !memory.is_excluded(screen.fingerprint, &action)
            && !memory.done.contains(&action)
    };
    let mut found: Vec<_> = screen.widgets.iter().filter(fits).collect();
    found.sort_by_key(|widget| std::cmp::Reverse(content_words(&widget.label).len()));
    match found.as_slice() {
        [only] => Some(*only),
        [first, second, ..] if content_words(&first.label).len() > content_words(&second.label).len() => Some(*first),
        _ => None,
    }
}

/// Several controls share a word of its label: they are things to choose among, none of which was named.
fn is_one_of_many(choice: &Ranked, screen: &Screen) -> bool {
    let label = choice.candidate.action.target().map(|target| content_words(&target.label)).unwrap_or_default();
    let alike = |word: &String| {
        let has = |widget: &&crate::hierarchy::Widget| {
            content_words(&widget.label).iter().any(|other| same_word(other, word))
        };
        screen.widgets.iter().filter(|widget| widget.clickable).filter(has).count() >= 3
    };
    label.iter().any(alike)
}

#[cfg(test)]
#[path = "fallback_tests.rs"]
mod tests;
