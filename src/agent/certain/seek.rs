//! Looking for what a step names and the screen does not show.

use super::coverage::Coverage;
use super::sight::Sight;
use super::words::said;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::agent::operation::plan;
use crate::agent::parameters::Trust;
use crate::agent::patience::Patience;
use crate::agent::step::Step;
use crate::agent::{lookout, undoing};
use crate::domain::{Action, Direction, Rect, content_words, same_word, words};
use crate::form::Parameter;
use crate::hierarchy::{Role, Widget};
use crate::ranking::{Candidate, Ranked};

/// Longest wait for results.
const WAIT_MS: u64 = 3_000;
/// Most waits for results while there is next to nothing on the screen.
const MOST_WAITS: usize = 3;
/// So few controls are those of a page's own bar, and no results.
const FEW: usize = 3;
/// Most scrolls one way.
const MOST_SCROLLS: usize = 8;
/// Most steps back.
const MOST_BACK: usize = 2;
/// A control means a text that is nowhere when it fits it this well …
const MEANS_IT: f32 = 0.40;
/// … and so much better than any other.
const MEANS_IT_ALONE: f32 = 0.12;

impl Doubt<'_> {
    /// Opens what says what the name is, scrolls on, searches, goes back.
    pub(super) fn sought(&self, name: &str, memory: &mut StepMemory) -> Option<Certain> {
        if self.intent.deed.is_empty()
            && let Some(found) = self.verbatim(&self.without_names(), memory)
        {
            return Some(found);
        }
        if self.intent.deed.is_empty()
            && let Some(opener) = self.opener(name, memory)
            && let Some(found) = self.touch(opener, "it says what is to be chosen", memory)
        {
            return Some(found);
        }
        if self.intent.deed.is_empty()
            && let Some(sibling) = self.sibling(name, memory)
            && let Some(found) = self.touch(sibling, "it shows what was chosen of the same kind", memory)
        {
            return Some(found);
        }
        if self.intent.deed.is_empty()
            && let Some(found) = self.called_like_it(memory)
        {
            return Some(found);
        }
        let in_menu = words(&self.step.instruction).iter().any(|word| self.words.is_overflow(word));
        if in_menu && let Some(found) = self.more(memory) {
            return Some(found);
        }
        let typed = matches!(memory.done.last(), Some(Action::InputText { text, .. }) if text.expose() == name);
        if typed && let Some(found) = self.offer(enter(), memory) {
            return Some(found);
        }
        if self.awaits_results(memory) {
            return self.offer(waiting("the results are waited for"), memory);
        }
        if self.intent.hands_back
            && memory.only_looked()
            && self.agent.patience != Patience::NONE
            && let Some(tab) = lookout::next_tab(self.screen, memory, |_| 0.0)
        {
            return self.offer(tab, memory);
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
        if self.intent.deed.is_empty()
            && let Some(found) = self.more(memory)
        {
            return Some(found);
        }
        if let Some(found) = search(memory) {
            return Some(found);
        }
        if self.intent.deed.is_empty()
            && memory.only_looked()
            && let Some(found) =
                self.by_meaning(name, memory).or_else(|| self.by_title(memory)).or_else(|| self.by_aim(name, memory))
        {
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

    /// The parameter that a name is the value of.
    fn parameter_of(&self, name: &str) -> Option<&Parameter> {
        let is = |one: &&Parameter| self.step.mentions.contains(&one.name) && one.value.expose() == name;
        self.agent.parameters.iter().find(is)
    }

    /// The control that says what a name is.
    pub(super) fn opener(&self, name: &str, memory: &StepMemory) -> Option<&Widget> {
        let sight = Sight { screen: self.screen, intent: self.intent };
        let own = |parameter: &Parameter| content_words(&parameter.words());
        let mut asked = self.intent.words.clone();
        if asked.is_empty() {
            asked = self.parameter_of(name).map(own).unwrap_or_default();
        }
        sight.opener(&asked, self.words, &memory.done)
    }

    /// The control that shows the value of a parameter of the same kind: "April", which was the first month, for the second.
    fn sibling(&self, name: &str, memory: &StepMemory) -> Option<&Widget> {
        let own = content_words(&self.parameter_of(name)?.words());
        let kind = own.last()?;
        let alike = |one: &&Parameter| {
            one.value.expose() != name
                && !one.value.is_secret()
                && content_words(&one.words()).last().is_some_and(|other| same_word(other, kind))
        };
        let values: Vec<&str> = self.agent.parameters.iter().filter(alike).map(|one| one.value.expose()).collect();
        let shows_one = |widget: &&Widget| {
            let label = words(&widget.label);
            widget.clickable
                && widget.state.enabled
                && matches!(widget.role, Role::Button | Role::Dropdown)
                && values.iter().any(|value| words(value) == label)
                && !clicks(memory).any(|touched| touched == widget.label)
        };
        let mut found = self.screen.widgets.iter().filter(shows_one);
        found.next().filter(|_| found.next().is_none())
    }

    /// Results take their time: what was looked up is waited for once, and longer while there is next to nothing to touch.
    fn awaits_results(&self, memory: &StepMemory) -> bool {
        let waits = memory.done.iter().rev().take_while(|action| matches!(action, Action::Wait { .. })).count();
        let sent = memory.done.len().checked_sub(waits + 1).and_then(|at| memory.done.get(at));
        let touchable = |widget: &&Widget| widget.clickable && widget.state.enabled && widget.role != Role::Field;
        let listed = self.screen.widgets.iter().filter(touchable).count();
        matches!(sent, Some(Action::PressEnter)) && (waits == 0 || waits < MOST_WAITS && listed <= FEW)
    }

    /// "Transfer 5 to Ann": what is called like the deed leads to what is named, and what the case's template says of where.
    pub(super) fn called_like_it(&self, memory: &StepMemory) -> Option<Certain> {
        let text = self.without_names();
        if let Some(found) = self.verbatim(&text, memory) {
            return Some(found);
        }
        let covering = Coverage::of_text(self.screen, &text, self.words.telling(&text)).best(memory, None);
        covering
            .and_then(|covering| self.touch(covering.widget, "it is called like what the step does", memory))
            .or_else(|| self.by_context(memory))
    }

    /// The control whose whole label, of several words, the step says word by word: the longest.
    fn verbatim(&self, text: &str, memory: &StepMemory) -> Option<Certain> {
        let said = words(text);
        let own = |widget: &Widget| words(super::sight::name_of(&widget.label));
        let whole = |widget: &&Widget| {
            let own = own(widget);
            own.len() > 1
                && !content_words(&own.join(" ")).is_empty()
                && said.windows(own.len()).any(|part| part == own.as_slice())
                && widget.clickable
                && widget.state.enabled
                && widget.state.checked != Some(true)
                && !widget.state.selected
                && !matches!(widget.role, Role::Field | Role::KeypadKey | Role::Selector)
                && !clicks(memory).any(|label| label == widget.label)
        };
        let found: Vec<&Widget> = self.screen.widgets.iter().filter(whole).collect();
        let most = found.iter().map(|widget| own(widget).len()).max()?;
        let widget = found.into_iter().find(|widget| own(widget).len() == most)?;
        self.touch(widget, "the step says its whole label", memory)
    }

    /// What the case's template says of where the step is done is touched first.
    pub(super) fn by_context(&self, memory: &StepMemory) -> Option<Certain> {
        if self.step.context.is_empty() || clicks(memory).next().is_some() {
            return None;
        }
        let telling = self.words.telling(&self.step.context);
        let covering = Coverage::of_text(self.screen, &self.step.context, telling).best(memory, None);
        let covering = covering.filter(|covering| covering.surely)?;
        self.touch(covering.widget, "it is where the step is done", memory)
    }

    /// The control that the case's title calls by its name, where the step itself leads nowhere.
    fn by_title(&self, memory: &mut StepMemory) -> Option<Certain> {
        let title = self.agent.title;
        let covering = Coverage::of_text(self.screen, title, self.words.telling(title)).best(memory, None)?;
        if self.agent.sends_a_form(&covering.widget.label, self.screen) {
            return None;
        }
        let found = self.touch(covering.widget, "the case's title says it", memory)?;
        if let Certain::Do(choice) = &found {
            memory.led_on.push(choice.candidate.action.clone());
        }
        Some(found)
    }

    /// A text in quotes that is nowhere: the control that means the same, where no other comes near it. Apps change their
    /// wording from one release to the next.
    fn by_meaning(&self, name: &str, memory: &mut StepMemory) -> Option<Certain> {
        if !self.step.quoted.iter().any(|quoted| quoted == name) {
            return None;
        }
        let plain = self.step.instruction.replace(['"', '“', '”', '„', '«', '»'], "");
        let (best, second) = self.likeliest(&plain, memory)?;
        if best.score < MEANS_IT || best.score - second < MEANS_IT_ALONE {
            return None;
        }
        memory.met.push(name.to_owned());
        self.offer(with_reason(best, "it means what the step names, which is nowhere"), memory)
    }

    /// Something of the case's that is nowhere at its very beginning: the control that what the case is about, and where the
    /// step is done, mean most clearly leads there.
    fn by_aim(&self, name: &str, memory: &mut StepMemory) -> Option<Certain> {
        let begun = self.agent.deeds.iter().any(|deed| deed.step != self.step.index);
        if begun || self.agent.title.is_empty() || self.parameter_of(name).is_none() {
            return None;
        }
        let aim = format!("{}. {}", self.agent.title, self.step.context);
        let (best, _) = self.likeliest(aim.trim_end_matches([' ', '.']), memory)?;
        let sends = best.candidate.action.target().is_some_and(|to| self.agent.sends_a_form(&to.label, self.screen));
        if best.score < self.agent.scorer.weights.clearly_meant || sends {
            return None;
        }
        memory.led_on.push(best.candidate.action.clone());
        self.offer(with_reason(best, "it is what the case is about"), memory)
    }

    /// The touch that a text means most, and the score of the next.
    fn likeliest(&self, text: &str, memory: &StepMemory) -> Option<(Ranked, f32)> {
        let asked = Step { instruction: text.to_owned(), sentence: text.to_owned(), ..Step::default() };
        let background = self.agent.background();
        let plan = plan(&background, &asked, self.screen, memory, Trust::PlaceOnly).ok()?;
        let touch = |ranked: &Ranked| {
            let widget = ranked.candidate.widget.and_then(|id| self.screen.widgets.get(id));
            matches!(ranked.candidate.action, Action::Click { .. })
                && ranked.candidate.offer.is_none()
                && widget.is_some_and(|widget| {
                    widget.clickable
                        && widget.state.enabled
                        && !widget.label.is_empty()
                        && !matches!(widget.role, Role::Field | Role::KeypadKey)
                })
                && !undoing::is_unasked(self.step, &ranked.candidate.action)
        };
        let mut touches = plan.ranked.into_iter().filter(touch);
        let best = touches.next()?;
        let second = touches.next().map_or(f32::NEG_INFINITY, |next| next.score);
        Some((best, second))
    }

    /// The instruction without what it names.
    fn without_names(&self) -> String {
        let names = self.step.named.iter().chain(&self.step.quoted);
        names.fold(self.step.instruction.clone(), |text, name| text.replace(name.as_str(), " "))
    }

    /// Where the search is that a step asks for: the control that opens it, else on a screen before.
    pub(super) fn to_search(&self, memory: &StepMemory) -> Option<Certain> {
        // What is in sight as a choice needs no search.
        let sight = Sight { screen: self.screen, intent: self.intent };
        let in_sight =
            |name: &String| sight.named(name).is_some_and(|(widget, _)| super::sight::shows(&widget.label, name) >= 2);
        if self.search_field().is_some() || !memory.given.is_empty() || self.step.named.iter().any(in_sight) {
            return None;
        }
        let opens = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && widget.role != Role::Field
                && self.words.searches(super::sight::name_of(&widget.label))
        };
        if let Some(opener) =
            self.screen.widgets.iter().find(opens).filter(|found| !clicks(memory).any(|label| label == found.label))
        {
            return self.touch(opener, "it opens the search", memory);
        }
        let backs = clicks(memory).filter(|label| self.agent.scorer.cues.leads_back(label)).count()
            + memory.done.iter().filter(|action| matches!(action, Action::PressBack)).count();
        let own = |widget: &&Widget| widget.role == Role::Field && said(&self.intent.words, &widget.label) > 0;
        let begun = self.agent.deeds.first().is_none_or(|deed| deed.before == self.screen.fingerprint);
        if begun || backs > MOST_BACK || self.screen.widgets.iter().any(|widget| own(&widget)) {
            return None;
        }
        self.back(memory)
    }

    /// Opens what else can be done here, once a step.
    pub(super) fn more(&self, memory: &StepMemory) -> Option<Certain> {
        let opened = clicks(memory).any(|label| self.words.is_overflow(label));
        let more = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && widget.role == Role::Button
                && self.words.is_overflow(&widget.label)
        };
        let control = self.screen.widgets.iter().find(more).filter(|_| !opened)?;
        self.touch(control, "what is named may be behind it", memory)
    }

    pub(super) fn search_field(&self) -> Option<&Widget> {
        let text = |widget: &Widget| format!("{} {} {}", widget.label, widget.hint, widget.id_words);
        self.screen
            .widgets
            .iter()
            .filter(|widget| widget.role == Role::Field && widget.state.enabled)
            .find(|widget| self.words.searches(&text(widget)))
    }

    /// Down to the end of the page's first list, then up to the beginning.
    pub(super) fn scroll(&self, memory: &StepMemory) -> Option<Ranked> {
        self.scroll_in(self.screen.scroll_areas.first().copied()?, memory)
    }

    /// Down to the end of an area, then up to the beginning.
    pub(super) fn scroll_in(&self, area: Rect, memory: &StepMemory) -> Option<Ranked> {
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

fn with_reason(mut choice: Ranked, why: &'static str) -> Ranked {
    choice.terms.push((why, 0.0));
    choice
}

/// Sends what was typed into a search field.
pub(super) fn enter() -> Ranked {
    plain(Action::PressEnter, "what was typed is searched for")
}

pub(super) fn waiting(why: &'static str) -> Ranked {
    plain(Action::Wait { ms: WAIT_MS }, why)
}

pub(super) fn plain(action: Action, why: &'static str) -> Ranked {
    let candidate = Candidate { action, widget: None, text: String::new(), offer: None };
    Ranked { candidate, score: 1.0, terms: vec![(why, 1.0)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, screen, step, widget};
    use crate::agent::{Deed, Lull};
    use crate::hierarchy::{Fingerprint, Screen};

    fn sought(quoted: bool, labels: &[&str]) -> Option<String> {
        let name = "Money out";
        let mut asked = step(&format!("Open \"{name}\""), &[name]);
        if quoted {
            asked.quoted = vec![name.to_owned()];
        }
        let head = Head::new(&[], "");
        let page = screen(labels.iter().map(|label| button(label)).collect());
        match head.agent().certain(&asked, None, &page, &mut StepMemory::default()) {
            Some(Certain::Do(choice)) => Some(choice.candidate.action.to_string()),
            _ => None,
        }
    }

    #[test]
    fn a_quoted_text_that_was_reworded_is_known_by_its_meaning() {
        assert_eq!(sought(true, &["Help", "Out money", "Settings"]).as_deref(), Some("click \"Out money\""));
        assert_eq!(sought(true, &["Help", "Out money", "Out, money"]), None, "either may be meant");
        assert_eq!(sought(true, &["Help", "Settings"]), None, "nothing means it");
    }

    /// What is touched for a parameter that is nowhere at the beginning of a case.
    fn aimed(title: &'static str, begun: bool, page: &Screen) -> Option<String> {
        let head = Head::new(&[("plan", "Sunrise")], title);
        let mut agent = head.agent();
        if begun {
            let action = Action::Click { target: button("Home").target() };
            let (before, after) = (Fingerprint(8), page.fingerprint);
            let deed = Deed {
                step: 0,
                action,
                held: 0,
                checks: Vec::new(),
                before,
                screen: String::new(),
                after,
                lull: Lull::default(),
            };
            agent.deeds.push(deed);
        }
        let asked = Step { mentions: vec!["plan".into()], ..step("Choose Sunrise", &["Sunrise"]) };
        match agent.certain(&asked, None, page, &mut StepMemory::default()) {
            Some(Certain::Do(choice)) => Some(choice.candidate.action.to_string()),
            _ => None,
        }
    }

    #[test]
    fn at_the_beginning_what_the_case_is_about_leads_to_what_is_nowhere() {
        let page = screen(vec![button("Heating plans attic"), button("Help")]);
        let plans = Some("click \"Heating plans attic\"".to_owned());
        assert_eq!(aimed("Heating plans cellar", false, &page), plans);
        assert_eq!(aimed("Heating plans cellar", true, &page), None, "the case has begun");
        assert_eq!(aimed("", false, &page), None, "it says nothing of what it is about");
        assert_eq!(aimed("Lights out", false, &page), None, "nothing is about it");
    }

    #[test]
    fn what_the_title_says_sends_no_form() {
        let title = "Book appointment";
        let booking = || button("Book appointment");
        assert_eq!(
            aimed(title, false, &screen(vec![booking(), button("Help")])).as_deref(),
            Some("click \"Book appointment\"")
        );
        let form = screen(vec![widget(Role::Field, "Phone"), booking()]);
        assert_eq!(aimed(title, false, &form), None, "that is for the step that books");
    }

    #[test]
    fn a_list_is_opened_whose_caption_says_what_is_to_be_chosen() {
        let list = |caption: &str| {
            let mut list = widget(Role::Dropdown, "Please choose");
            list.context = caption.into();
            list
        };
        let opened = |lists: Vec<Widget>| {
            let head = Head::new(&[], "");
            let page = screen(lists);
            match head.agent().certain(
                &step("Choose the reason Sunrise", &["Sunrise"]),
                None,
                &page,
                &mut StepMemory::default(),
            ) {
                Some(Certain::Do(choice)) => choice.candidate.widget,
                _ => None,
            }
        };
        assert_eq!(opened(vec![list("Department of the house"), list("Reason for the visit")]), Some(1));
        assert_eq!(
            opened(vec![list("Reason for the visit"), list("Reason for the call")]),
            None,
            "either may be meant"
        );
        assert_eq!(opened(vec![list("Department of the house")]), None);
    }

    #[test]
    fn what_is_in_sight_as_a_choice_is_not_looked_for_elsewhere() {
        let asked = Step { mentions: vec!["plan".into()], ..step("Look for Sunrise", &["Sunrise"]) };
        let head = Head::new(&[("plan", "Sunrise")], "");
        let mut agent = head.agent();
        let action = Action::Click { target: button("Home").target() };
        let deed = Deed {
            step: 0,
            action,
            held: 0,
            checks: Vec::new(),
            before: Fingerprint(8),
            screen: String::new(),
            after: Fingerprint(1),
            lull: Lull::default(),
        };
        agent.deeds.push(deed);
        let searched = |rows: &[&str]| {
            let mut all = vec![button("Navigate up"), widget(Role::Field, "Name")];
            all.extend(rows.iter().map(|label| widget(Role::ListItem, label)));
            agent.certain(&asked, None, &screen(all), &mut StepMemory::default()).is_some()
        };
        assert!(!searched(&["Sunset", "Sunrise"]) && searched(&["Sunset"]));
    }
}
