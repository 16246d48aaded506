//! What the planner must not do on a screen of a live app.

use super::coverage::holds;
use super::cues::GoalCues;
use super::items::ItemKind;
use super::offers::{is_search, key};
use super::quest::Quest;
use crate::agent::agent::Agent;
use crate::agent::parameters::is_anothers;
use crate::app_map::View;
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen, Widget};
use crate::inference::EmbedError;
use std::collections::HashSet;

impl Quest<'_, '_> {
    /// Notes the names that something to be touched bears.
    pub(super) fn notice(&mut self, screen: &Screen, cues: &GoalCues) {
        let rows = screen.widgets.iter().filter(|widget| widget.clickable && widget.role != Role::Field);
        let labels: Vec<&str> = rows.map(|widget| widget.label.as_str()).collect();
        let names = self.goal.items.iter().filter(|item| item.kind == ItemKind::Name);
        let found = names.filter(|item| labels.iter().any(|label| holds(item, label, cues)));
        self.shown.extend(found.map(|item| item.text.clone()));
    }

    /// What the planner is not to do here: what had no effect, what would undo a choice, and texts in fields that do not
    /// take them or are for something else.
    pub(super) fn barred(
        &self,
        agent: &Agent<'_>,
        screen: &Screen,
        view: &View,
        cues: &GoalCues,
        kept: &[usize],
    ) -> Result<HashSet<(u64, u64)>, EmbedError> {
        let mut barred = self.trek.barred.clone();
        let touch = |at: &usize| view.controls.get(*at).map(|control| (view.digest, key(control, None)));
        barred.extend(kept.iter().filter_map(touch));
        for field in screen.widgets.iter().filter(|widget| widget.role == Role::Field) {
            let Some(control) = view.controls.get(field.id) else { continue };
            let looks_up = is_search(control, cues);
            // What everybody may read is typed where everybody can read it.
            let open = |other: &Widget| other.role == Role::Field && !other.state.password && other.state.enabled;
            let hidden = field.state.password && screen.widgets.iter().any(open);
            for item in self.goal.items.iter().filter(|item| item.kind != ItemKind::Word) {
                let of_case =
                    |one: &&Parameter| one.value.expose() == item.text && self.step.mentions.contains(&one.name);
                let mut anothers = false;
                for one in agent.parameters.iter().filter(of_case) {
                    // A label that is the value tells nothing.
                    let label = if field.label == field.value { field.id_words.as_str() } else { field.label.as_str() };
                    let own = [label, field.hint.as_str()].join(" ");
                    anothers |= is_anothers(agent.scorer.embedder, agent.scorer.cues, &own, &one.words())?;
                }
                // "IBAN", "PIN": letters that stand for words say what is to be typed, and are it not.
                let initials = item.kind == ItemKind::Name && item.text.chars().all(char::is_uppercase);
                let there = initials || !looks_up && self.shown.contains(&item.text);
                for text in std::iter::once(item.text.as_str()).chain(item.text.split(' ')) {
                    if anothers || there || hidden || self.refusals.refuses(field, text) {
                        barred.insert((view.digest, key(control, Some(text))));
                    }
                }
            }
        }
        Ok(barred)
    }
}
