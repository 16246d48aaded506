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
