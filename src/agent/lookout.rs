//! Where a step looks that goes somewhere and finds nothing of it: on the app's other tabs, one after another, and on the one
//! it began on again.

use super::agent::Agent;
use super::memory::StepMemory;
use super::operation::Plan;
use super::patience::Patience;
use super::popups;
use super::step::Step;
use super::thought::looks_on;
use crate::domain::{Action, content_words, same_word, words};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::ranking::Ranked;

/// Why another tab is looked on.
const ELSEWHERE: &str = "it may be on another tab";
/// How well it fits.
const GUESS: f32 = 0.5;
/// Fewest and most tabs of a bar, the chosen one among them.
const TABS: std::ops::RangeInclusive<usize> = 3..=6;

impl Agent<'_> {
    /// The next tab to look on for a step that only goes somewhere, likelier ones first.
    pub(super) fn look_about(
        &self,
        step: &Step,
        plan: &Plan,
        screen: &Screen,
        memory: &mut StepMemory,
    ) -> Option<Ranked> {
        let best = plan.ranked.first().map_or(0.0, |best| best.score);
        let goes = self.patience != Patience::NONE
            && !self.patience.in_company
            && memory.only_looked()
            && Self::opens(step)
            && step.named.is_empty()
            && step.mentions.is_empty()
            && screen.kind == ScreenKind::Ordinary
            && best < self.scorer.weights.nothing_fits;
        if !goes || plan.ranked.iter().any(|ranked| looks_on(&ranked.candidate.action, memory)) {
            return None;
        }
        let score = |tab: &Widget| {
            let own = plan.ranked.iter().find(|ranked| ranked.candidate.widget == Some(tab.id));
            own.map_or(f32::NEG_INFINITY, |ranked| ranked.score)
        };
        next_tab(screen, memory, score)
    }
}

/// The next tab that a step was not looking on yet, those of a higher score first; the one it began on comes last: what only
/// time brings comes there.
pub(super) fn next_tab(screen: &Screen, memory: &mut StepMemory, score: impl Fn(&Widget) -> f32) -> Option<Ranked> {
    let (chosen, others) = bar(screen)?;
    let visited = |tab: &Widget| {
        memory.led_on.iter().filter_map(Action::target).any(|target| words(&target.label) == words(&tab.label))
    };
    let mut open: Vec<&Widget> = others.into_iter().filter(|tab| !visited(tab)).collect();
    let home = memory.home.get_or_insert_with(|| chosen.label.clone()).clone();
    open.sort_by(|a, b| (a.label == home).cmp(&(b.label == home)).then(score(b).total_cmp(&score(a))));
    // A guess: that a tab does nothing is no proof of anything.
    let mut choice = popups::touching(open.first()?, ELSEWHERE);
    choice.score = GUESS;
    choice.terms = vec![(ELSEWHERE, GUESS)];
    if memory.is_excluded(screen.fingerprint, &choice.candidate.action) {
        return None;
    }
    memory.led_on.push(choice.candidate.action.clone());
    Some(choice)
}

/// The menu of one of several rows, each of which has one, for a step that only goes somewhere and says nothing of the row:
/// what can be done to the row is all there is in it.
pub(super) fn is_of_a_row(step: &Step, choice: &Ranked, screen: &Screen) -> bool {
    let Some(own) = choice.candidate.widget.and_then(|id| screen.widgets.get(id)) else { return false };
    let goes = Agent::opens(step) && step.named.is_empty() && step.quoted.is_empty();
    if !goes || !Agent::is_menu(&own.label) || step.instruction.split_whitespace().any(Agent::is_menu) {
        return false;
    }
    let said = content_words(&step.instruction);
    let spoken_of = content_words(&own.context).iter().any(|word| said.iter().any(|other| same_word(word, other)));
    let alike = |widget: &&Widget| widget.label == own.label && widget.clickable;
    !spoken_of && screen.widgets.iter().filter(alike).count() > 1
}

/// The tabs at an edge of the page: the chosen one, and the others beside it, all of one size.
fn bar(screen: &Screen) -> Option<(&Widget, Vec<&Widget>)> {
    let chosen = screen.widgets.iter().find(|widget| {
        widget.state.selected
            && matches!(widget.role, Role::Tab | Role::Button | Role::Text)
            && !widget.label.is_empty()
    })?;
    let middle = chosen.bounds.center().y;
    let level = |widget: &&Widget| {
        widget.clickable
            && widget.state.enabled
            && !widget.state.selected
            && matches!(widget.role, Role::Tab | Role::Button)
            && (widget.bounds.top..widget.bounds.bottom).contains(&middle)
    };
    let others: Vec<&Widget> = screen.widgets.iter().filter(level).collect();
    let first = others.first()?;
    let alike = |tab: &&&Widget| {
        (tab.bounds.height() - first.bounds.height()).abs() <= 2
            && (tab.bounds.width() - first.bounds.width()).abs() <= 2
            && !tab.label.is_empty()
    };
    (TABS.contains(&(others.len() + 1)) && others.iter().all(|tab| alike(&tab))).then_some((chosen, others))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::operation::plan;
    use crate::agent::parameters::Trust;
    use crate::agent::sample::{Head, button, row, screen, step, text};

    fn page(chosen: &str) -> Screen {
        let tab = |(at, label): (usize, &str)| {
            let mut tab = if label == chosen { text(label) } else { button(label) };
            tab.state.selected = label == chosen;
            row(tab, 9, 100 * at as i32)
        };
        let mut page = screen(["Catalogue", "Loans", "Card"].into_iter().enumerate().map(tab).collect());
        page.fingerprint = crate::hierarchy::Fingerprint(chosen.len() as u64);
        page
    }

    fn looks(instruction: &str, chosen: &str, live: bool, memory: &mut StepMemory) -> Option<String> {
        let (head, page, asked) = (Head::new(&[], ""), page(chosen), step(instruction, &[]));
        let mut agent = head.agent();
        if live {
            agent.patience = Patience::ALONE;
        }
        let plan = plan(&agent.background(), &asked, &page, memory, Trust::Mention).unwrap();
        let choice = agent.look_about(&asked, &plan, &page, memory)?;
        memory.note(page.fingerprint, choice.candidate.action.clone());
        Some(choice.candidate.text)
    }

    #[test]
    fn a_step_that_goes_somewhere_looks_on_every_tab_and_comes_back() {
        let mut memory = StepMemory::default();
        let mut now = |chosen: &str| looks("Open the settings", chosen, true, &mut memory);
        assert_eq!(now("Catalogue").as_deref(), Some("Loans"));
        assert_eq!(now("Loans").as_deref(), Some("Card"));
        assert_eq!(now("Card").as_deref(), Some("Catalogue"), "where it began");
        assert_eq!(now("Catalogue"), None, "every tab was looked on");
    }

    #[test]
    fn the_menu_of_a_row_leads_nowhere_but_to_the_row() {
        let menu = |context: &str| {
            let mut menu = button("More");
            menu.context = context.into();
            menu
        };
        let of_a_row = |instruction: &str, page: &Screen| {
            let choice = popups::touching(&page.widgets[0], "");
            is_of_a_row(&step(instruction, &[]), &choice, page)
        };
        let rows = screen(vec![menu("Lanterns, Amadou Sow"), menu("Low Water, Bram de Wit")]);
        assert!(of_a_row("Open the settings", &rows));
        assert!(!of_a_row("Open the lanterns", &rows), "it speaks of the row");
        assert!(!of_a_row("Open the menu", &rows) && !of_a_row("Cancel it", &rows));
        assert!(!of_a_row("Open the settings", &screen(vec![menu("")])), "it is the page's own");
    }

    #[test]
    fn other_steps_and_what_is_only_played_stay_where_they_are() {
        assert_eq!(looks("Sort it by name", "Catalogue", true, &mut StepMemory::default()), None);
        assert_eq!(looks("Open the settings", "Catalogue", false, &mut StepMemory::default()), None);
        assert_eq!(looks("Open the card", "Catalogue", true, &mut StepMemory::default()), None, "one of them fits");
    }
}
