//! What the agent expects an action to do, in words.

use super::agent::Agent;
use crate::app_map::{AppMap, View};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::ranking::Ranked;
use crate::skill::Validity;

/// Why the ranking chose this: what weighed most, and how far the next one is behind.
pub(super) fn by_terms(choice: &Ranked, ranked: &[Ranked]) -> String {
    let mut terms: Vec<&(&str, f32)> = choice.terms.iter().filter(|(_, value)| *value > 0.0).collect();
    terms.sort_by(|a, b| b.1.total_cmp(&a.1));
    let most: Vec<String> = terms.iter().take(2).map(|(name, _)| name.replace('_', " ")).collect();
    let weighed = if most.is_empty() { "nothing speaks against it".to_owned() } else { most.join(" and ") };
    let doubt = in_question(choice);
    // What is certain was not weighed.
    if let [(reason, value)] = choice.terms.as_slice()
        && *value >= 1.0
    {
        let next = ranked.iter().find(|other| other.candidate.action != choice.candidate.action);
        let next = next.map_or_else(String::new, |next| format!("; by meaning alone the next has {:.2}", next.score));
        return format!("{} and leaves no doubt{next}{doubt}", reason.replace('_', " "));
    }
    match ranked.iter().find(|other| other.candidate.action != choice.candidate.action) {
        Some(next) => format!("{weighed} weighed most; {:.2} before the next{doubt}", choice.score - next.score),
        None => format!("{weighed} weighed most; there is nothing else{doubt}"),
    }
}

/// Fits that differ by less are equal.
const HARDLY: f32 = 0.0005;

/// Which parameters were in question for a place, and why this one; empty where there is no doubt. Values stay unsaid.
pub(super) fn in_question(choice: &Ranked) -> String {
    let Some(offer) = choice.candidate.offer.as_ref().filter(|offer| !offer.rivals.is_empty()) else {
        return String::new();
    };
    let rivals: Vec<String> = offer
        .rivals
        .iter()
        .map(|(name, less)| match less {
            less if *less < HARDLY => format!("${{{name}}} fits here equally and comes later by its name"),
            less => format!("${{{name}}} fits here only {less:.3} less"),
        })
        .collect();
    format!("; ${{{}}} was in question with others: {}", offer.parameter, rivals.join(", "))
}

impl Agent<'_> {
    /// What the skill's rule wants to see after the action.
    pub(super) fn expects(&self, action: &Action) -> String {
        let rule = self.skills.get(action.skill()).map_or(Validity::ScreenChanges, |skill| skill.validity);
        match (rule, action) {
            (Validity::FieldHoldsText, Action::InputText { text, .. }) => format!("the field holds {text}"),
            (Validity::FieldHoldsText, _) => "the field holds the text".to_owned(),
            (Validity::AppInFront, _) => format!("{} is in front", self.package),
            (Validity::Always, _) => "nothing in particular".to_owned(),
            (Validity::ScreenChanges, Action::Scroll { direction, .. }) => format!("more is seen {direction} there"),
            (Validity::ScreenChanges, Action::PressBack) => "the screen before, or the keyboard gone".to_owned(),
            (Validity::ScreenChanges, _) => "something on the screen changes".to_owned(),
        }
    }

    /// The same, with what the map knows of where a touch leads.
    pub(super) fn expects_by(&self, map: &AppMap, screen: &Screen, action: &Action) -> String {
        let view = View::of(screen);
        let touched = action.target().filter(|_| matches!(action, Action::Click { .. })).and_then(|target| {
            let at = |control: &crate::app_map::Control| control.clickable && control.bounds == target.bounds;
            view.controls.iter().position(at)
        });
        let lead = touched.and_then(|at| map.lead(&view, at));
        let there = lead.and_then(|lead| Some((map.view(lead.to)?, lead.guessed)));
        match there.filter(|(there, _)| !there.title.is_empty()) {
            Some((there, false)) => format!("the screen \"{}\", where it led before", there.title),
            Some((there, true)) => {
                format!("the screen \"{}\", where a control of this name led elsewhere", there.title)
            }
            None => self.expects(action),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Action;
    use crate::ranking::Candidate;

    fn ranked(action: Action, terms: Vec<(&'static str, f32)>) -> Ranked {
        let candidate = Candidate { action, widget: None, text: String::new(), offer: None };
        Ranked { candidate, score: terms.iter().map(|(_, value)| value).sum(), terms }
    }

    #[test]
    fn what_is_certain_is_not_said_to_have_been_weighed() {
        let other = ranked(Action::PressBack, vec![("meaning", 0.3)]);
        let sure = ranked(Action::PressEnter, vec![("it shows what the step names", 1.0)]);
        assert_eq!(
            by_terms(&sure, &[other.clone()]),
            "it shows what the step names and leaves no doubt; by meaning alone the next has 0.30"
        );
        let weighed = ranked(Action::PressEnter, vec![("meaning", 0.5), ("form_field", 0.2)]);
        assert_eq!(by_terms(&weighed, &[other]), "meaning and form field weighed most; 0.40 before the next");
        assert_eq!(by_terms(&weighed, &[]), "meaning and form field weighed most; there is nothing else");
    }
}
