//! Looking for what a step names and the screen does not show.

use super::sight::Sight;
use super::{Certain, Doubt};
use crate::agent::memory::StepMemory;
use crate::domain::{Action, Direction, content_words};
use crate::hierarchy::{Role, Widget};
use crate::ranking::{Candidate, Ranked};

/// Longest wait for results.
const WAIT_MS: u64 = 3_000;
/// Most scrolls one way.
const MOST_SCROLLS: usize = 8;
/// Most steps back.
const MOST_BACK: usize = 2;

impl Doubt<'_> {
    /// Opens what says what the name is, scrolls on, searches, goes back.
    pub(super) fn sought(&self, name: &str, memory: &mut StepMemory) -> Option<Certain> {
        let sight = Sight { screen: self.screen, intent: self.intent };
        let mut asked = self.intent.words.clone();
        let of = self
            .agent
            .parameters
            .iter()
            .find(|one| self.step.mentions.contains(&one.name) && one.value.expose() == name);
        if asked.is_empty() {
            asked = of.map(|parameter| content_words(&parameter.words())).unwrap_or_default();
        }
        if self.intent.deed.is_empty()
            && let Some(opener) = sight.opener(&asked, &memory.done)
            && let Some(found) = self.touch(opener, "it says what is to be chosen", memory)
        {
            return Some(found);
        }
        let typed = matches!(memory.done.last(), Some(Action::InputText { text, .. }) if text.expose() == name);
        if typed && let Some(found) = self.offer(enter(), memory) {
            return Some(found);
        }
        // Results take their time.
        if matches!(memory.done.last(), Some(Action::PressEnter)) {
            return self.offer(plain(Action::Wait { ms: WAIT_MS }, "the results are waited for"), memory);
        }
        // What is to be had somewhere is searched for; what is to be chosen here is scrolled to.
        let search = |memory: &mut StepMemory| {
            let field = self.search_field().filter(|field| field.value != name)?;
            if memory.sought.iter().any(|sought| sought == name) {
                return None;
            }
            memory.sought.push(name.to_owned());
            self.type_into(field, name, "it is searched for", memory)
        };
        if !self.intent.deed.is_empty()
            && let Some(found) = search(memory)
        {
            return Some(found);
        }
        if let Some(scroll) = self.scroll(memory) {
            return self.offer(scroll, memory);
        }
        if let Some(found) = search(memory) {
            return Some(found);
        }
        let backs = memory.done.iter().filter(|action| matches!(action, Action::PressBack)).count();
        // Where the app has a search, it is found from where the last thing was found.
        let root = self.agent.deeds.first().is_none_or(|deed| deed.before == self.screen.fingerprint);
        if !self.intent.deed.is_empty() && backs < MOST_BACK && !root {
            return self.offer(plain(Action::PressBack, "it is not here"), memory);
        }
        None
    }

    fn search_field(&self) -> Option<&Widget> {
        let text = |widget: &Widget| format!("{} {} {}", widget.label, widget.hint, widget.id_words);
        self.screen
            .widgets
            .iter()
            .filter(|widget| widget.role == Role::Field && widget.state.enabled)
            .find(|widget| self.words.searches(&text(widget)))
    }

    /// Down to the end, then up to the beginning.
    fn scroll(&self, memory: &StepMemory) -> Option<Ranked> {
        let area = self.screen.scroll_areas.first().copied()?;
        let scrolled = |way: Direction| {
            let this = |action: &&Action| matches!(action, Action::Scroll { direction, .. } if *direction == way);
            memory.done.iter().filter(this).count()
        };
        let (down, up) = (scrolled(Direction::Down), scrolled(Direction::Up));
        let go = |direction| plain(Action::Scroll { direction, area }, "what is named is not in sight");
        let open = |choice: &Ranked| !memory.is_excluded(self.screen.fingerprint, &choice.candidate.action);
        if up == 0 && down < MOST_SCROLLS && open(&go(Direction::Down)) {
            return Some(go(Direction::Down));
        }
        (up < down && open(&go(Direction::Up))).then(|| go(Direction::Up))
    }
}

/// Sends what was typed into a search field.
pub(super) fn enter() -> Ranked {
    plain(Action::PressEnter, "what was typed is searched for")
}

fn plain(action: Action, why: &'static str) -> Ranked {
    let candidate = Candidate { action, widget: None, text: String::new(), offer: None };
    Ranked { candidate, score: 1.0, terms: vec![(why, 1.0)] }
}
