//! Steps that lead back: to the screen before, or on to where what they name is.

use super::coverage::Coverage;
use super::seek::plain;
use super::sight::{name_of, shows};
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::{Action, content_words};
use crate::hierarchy::{Role, ScreenKind, Widget};

/// Most screens left in one step.
const MOST_BACK: usize = 4;

impl Doubt<'_> {
    /// Goes back until the place that is named is reached or what the next step wants is there; without either, once.
    pub(super) fn returned(&self, memory: &StepMemory) -> Option<Certain> {
        let cues = self.agent.scorer.cues;
        let backs = memory.done.iter().filter(|action| matches!(action, Action::PressBack)).count()
            + clicks(memory).filter(|label| cues.leads_back(label)).count();
        let root = self.agent.deeds.first().is_some_and(|deed| deed.before == self.screen.fingerprint);
        let again = |action: &Action| matches!(action, Action::OpenApp { .. });
        if memory.done.iter().any(again) {
            return Some(Certain::Done("it went back to where the app begins".to_owned()));
        }
        if self.is_outside() {
            let package = self.agent.package.clone();
            return self.offer(plain(Action::OpenApp { package }, "it went back too far"), memory);
        }
        if let Some(found) = self.by_tab(backs, memory) {
            return Some(found);
        }
        if backs > 0 && (root || backs >= MOST_BACK || self.place().is_empty() || self.is_there() || self.leads_on()) {
            return Some(Certain::Done("it went back".to_owned()));
        }
        // The key was tried here, and led nowhere within the app.
        if memory.is_excluded(self.screen.fingerprint, &Action::PressBack) {
            return Some(Certain::Done("nothing is further back".to_owned()));
        }
        self.back(memory)
    }

    /// The app is opened again where the launcher is in front and the step says nothing of it; once a step.
    pub(super) fn brought_back(&self, memory: &StepMemory) -> Option<Certain> {
        let front = self.screen.foreground.as_deref().unwrap_or_default();
        let again = |action: &Action| matches!(action, Action::OpenApp { .. });
        if !self.is_outside() || !front.contains("launcher") || memory.done.iter().any(again) {
            return None;
        }
        let said = said(&content_words(&self.step.instruction), front);
        let begun = !self.agent.deeds.is_empty() && said == 0 && !self.intent.opens;
        let package = self.agent.package.clone();
        self.offer(plain(Action::OpenApp { package }, "the app was left"), memory).filter(|_| begun)
    }

    /// The first of the tabs of a page to which no arrow leads back, where another one is chosen: there the app begins.
    fn first_tab(&self) -> Option<&Widget> {
        let chosen = self.screen.widgets.iter().find(|widget| widget.state.selected && !widget.clickable)?;
        let middle = chosen.bounds.center().y;
        let level = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && matches!(widget.role, Role::Tab | Role::Button)
                && (widget.bounds.top..widget.bounds.bottom).contains(&middle)
        };
        let mut tabs: Vec<&Widget> = self.screen.widgets.iter().filter(level).collect();
        tabs.sort_by_key(|tab| tab.bounds.left);
        let first = tabs.first()?;
        let alike = |tab: &&&Widget| {
            (tab.bounds.height() - first.bounds.height()).abs() <= 2
                && (tab.bounds.width() - first.bounds.width()).abs() <= 2
        };
        (tabs.iter().all(|tab| alike(&tab)) && first.bounds.right <= chosen.bounds.center().x).then_some(first)
    }

    /// The arrow on the screen, else the system's key.
    pub(super) fn back(&self, memory: &StepMemory) -> Option<Certain> {
        let cues = self.agent.scorer.cues;
        let key = plain(Action::PressBack, "the step goes back");
        let asked = cues.is_system_back(&crate::domain::CueText::new(&self.step.instruction));
        let arrow = |widget: &&Widget| widget.clickable && widget.state.enabled && cues.leads_back(&widget.label);
        match self.screen.widgets.iter().find(arrow).filter(|_| !asked) {
            Some(arrow) => self.touch(arrow, "the step goes back", memory).or_else(|| self.offer(key, memory)),
            None => match self.first_tab().filter(|_| !asked) {
                Some(tab) => self.touch(tab, "the app begins there", memory).or_else(|| self.offer(key, memory)),
                None => self.offer(key, memory),
            },
        }
    }

    /// Another app, or the launcher, is in front.
    fn is_outside(&self) -> bool {
        let front = self.screen.foreground.as_deref();
        front.is_some_and(|front| !front.starts_with(self.agent.package.as_str()))
            && self.screen.kind == ScreenKind::Ordinary
    }

    /// The tab that is called like the place, where going back once did not lead there.
    fn by_tab(&self, backs: usize, memory: &StepMemory) -> Option<Certain> {
        if self.place().is_empty() || self.is_there() {
            return None;
        }
        let is = |widget: &&Widget| {
            let own = content_words(name_of(&widget.label));
            !own.is_empty() && said(&own, &self.step.instruction) == own.len() && self.is_place(&widget.label)
        };
        if let Some(last) = clicks(memory).last()
            && self.is_place(last)
        {
            return Some(Certain::Done("it is where the step says".to_owned()));
        }
        let usable = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && !widget.state.selected
                && (widget.role == Role::Tab || backs > 0 && widget.role != Role::Field)
        };
        let tab = self.screen.widgets.iter().filter(usable).find(is)?;
        self.touch(tab, "it is called like the place", memory)
    }

    /// What the step says of the place it leads back to.
    fn place(&self) -> Vec<String> {
        let mut place = self.intent.words.clone();
        place.retain(|word| !self.words.is_return(word));
        place
    }

    /// A text says all of the place.
    fn is_place(&self, text: &str) -> bool {
        let place = self.place();
        said(&place, text) == place.len()
    }

    /// A place of which nothing is said but that it was left: it is called as its page was.
    pub(super) fn reopened(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.intent.opens || !self.intent.words.is_empty() || !self.step.named.is_empty() {
            return None;
        }
        let left = self.agent.deeds.last().map(|deed| deed.screen.as_str()).filter(|left| !left.is_empty());
        if let Some(touched) = clicks(memory).last() {
            return (shows(touched, &self.screen.title) >= 2).then(|| Certain::Done("it is open again".to_owned()));
        }
        let left = left.filter(|left| *left != self.screen.title)?;
        let leads = |widget: &&Widget| {
            widget.clickable && widget.state.enabled && widget.role != Role::Field && shows(&widget.label, left) >= 2
        };
        let mut found = self.screen.widgets.iter().filter(leads);
        let only = found.next().filter(|_| found.next().is_none())?;
        self.touch(only, "it is called like the page that was left", memory)
    }

    /// The place the step names was seen in this case.
    fn was_seen(&self) -> bool {
        !self.place().is_empty() && self.agent.deeds.iter().any(|deed| self.is_place(&deed.screen))
    }

    /// The screen's title says all the words of the place.
    fn is_there(&self) -> bool {
        self.is_place(&self.screen.title)
    }

    /// What the next step wants is in sight.
    fn leads_on(&self) -> bool {
        let Some(next) = self.next else { return !self.was_seen() };
        if self.words.searches(&next.instruction) {
            return self.search_field().is_some();
        }
        let intent = self.words.read(next);
        let names = |name: &String| self.screen.widgets.iter().any(|widget| shows(&widget.label, name) > 0);
        if next.named.iter().any(names) {
            return true;
        }
        let fresh = StepMemory::default();
        let covering = Coverage::of_step(self.screen, next, &intent, &fresh).best(&fresh, None);
        covering.is_some_and(|covering| covering.surely)
            || (intent.types && self.screen.widgets.iter().any(|widget| widget.role == Role::Field))
    }
}
