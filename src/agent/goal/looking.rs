//! What a search is given to look at, on a live app.

use super::pursuit::Planning;
use super::quest::Quest;
use super::search::{Search, search, unopened};
use crate::agent::agent::{Agent, AgentError};
use crate::agent::operation::Plan;
use crate::app_map::View;
use crate::domain::holds_cue;
use crate::hierarchy::Screen;
use crate::ranking::Ranked;

impl Agent<'_> {
    /// A list of choices that was not opened yet.
    pub(super) fn unopened(
        &self,
        quest: &Quest<'_, '_>,
        planning: &Planning,
        plan: &Plan,
        screen: &Screen,
    ) -> Option<Ranked> {
        self.with_search(quest, planning, plan, screen, unopened)
    }

    /// What to try where no way is known.
    pub(super) fn search_on(
        &self,
        quest: &Quest<'_, '_>,
        planning: &Planning,
        plan: &Plan,
        screen: &Screen,
    ) -> Result<Option<(Ranked, &'static str)>, AgentError> {
        Ok(self.with_search(quest, planning, plan, screen, search)?)
    }

    fn with_search<T>(
        &self,
        quest: &Quest<'_, '_>,
        planning: &Planning,
        plan: &Plan,
        screen: &Screen,
        look: impl FnOnce(&Search<'_>) -> T,
    ) -> T {
        look(&Search {
            scorer: &self.scorer,
            typed: quest.trek.typed_on(screen),
            goal_destroys: holds_cue(&planning.cues.destroys, &quest.step.instruction),
            goal: &quest.goal,
            kept: &quest.kept(&View::of(screen), &planning.cues),
            open: quest.is_open(&planning.cues),
            cues: &planning.cues,
            texts: &quest.destination.texts,
            ranked: &plan.ranked,
            trek: &quest.trek,
            memory: &quest.memory,
            any: quest.any.is_some().then_some(quest.destination.seed),
            screen,
        })
    }
}
