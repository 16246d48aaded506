//! A choice said by where it stands among others: "one size smaller", "the second largest", on a list of choices that go up
//! in steps, 50 % to 300 % or small to extra large.

use super::sight::name_of;
use super::{Certain, Doubt, clicks};
use crate::agent::memory::StepMemory;
use crate::domain::words;
use crate::hierarchy::{Role, Widget};
use serde::Deserialize;

/// Fewest choices that make a ladder.
const FEWEST: usize = 3;
/// Most words between a number and what it counts: "one font size smaller".
const MOST_BETWEEN: usize = 3;

/// How steps speak of ladders, and choices of their rungs; see `certain.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ladders {
    /// Further down: "smaller".
    down: Vec<String>,
    /// Further up: "larger".
    up: Vec<String>,
    /// Verbs that lead down, with "by one".
    shrinks: Vec<String>,
    /// Verbs that lead up, with "by one".
    grows: Vec<String>,
    /// The lowest rung.
    least: Vec<String>,
    /// The highest rung.
    most: Vec<String>,
    /// What counts rungs, from one on.
    counts: Vec<Vec<String>>,
    /// Which one from an end, from the first on.
    orders: Vec<Vec<String>>,
    /// Labels of rungs without numbers, lowest first; words of like meaning stand together.
    rungs: Vec<Vec<String>>,
}

/// The rung a step means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// So many above the present one, or below it.
    Off(isize),
    /// So many above the lowest one.
    FromLeast(usize),
    /// So many below the highest one.
    FromMost(usize),
}

impl Ladders {
    /// What a step says of rungs.
    fn wanted(&self, text: &str) -> Option<Wanted> {
        let all = words(text);
        let is = |list: &[String], word: &String| list.contains(word);
        let place = |lists: &[Vec<String>], word: &String| lists.iter().position(|list| list.contains(word));
        for (at, word) in all.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| place(&self.orders, &all[before])).unwrap_or(0);
            if is(&self.least, word) {
                return Some(Wanted::FromLeast(before));
            }
            if is(&self.most, word) {
                return Some(Wanted::FromMost(before));
            }
            let way: isize = match (is(&self.down, word), is(&self.up, word)) {
                (true, false) => -1,
                (false, true) => 1,
                _ => continue,
            };
            let near = &all[at.saturating_sub(MOST_BETWEEN)..at];
            if let Some(count) = near.iter().rev().find_map(|word| place(&self.counts, word)) {
                return Some(Wanted::Off(way * (count as isize + 1)));
            }
        }
        let verb = all.first()?;
        let way: isize = match (is(&self.shrinks, verb), is(&self.grows, verb)) {
            (true, false) => -1,
            (false, true) => 1,
            _ => return None,
        };
        let by = all.iter().position(|word| word == "by")?;
        Some(Wanted::Off(way * (place(&self.counts, all.get(by + 1)?)? as isize + 1)))
    }

    /// How high a choice stands: by its number, else by its words.
    fn height(&self, label: &str) -> Option<Height> {
        let own = words(label);
        if let Some(at) = self.rungs.iter().position(|rung| rung.iter().any(|name| words(name) == own)) {
            return Some(Height::Word(at));
        }
        let digits = |c: char| c.is_ascii_digit();
        let start = label.find(digits)?;
        let end = label[start..].find(|c: char| !digits(c) && c != '.').map_or(label.len(), |at| start + at);
        let value: f64 = label[start..end].trim_end_matches('.').parse().ok()?;
        let unit = format!("{}{}", label[..start].trim(), label[end..].trim()).to_lowercase();
        // A second number tells of something else: a date, a time, a range.
        (!unit.contains(digits)).then_some(Height::Number(value, unit))
    }
}

/// How high a choice stands.
#[derive(Debug, Clone, PartialEq)]
enum Height {
    Word(usize),
    Number(f64, String),
}

impl Height {
    /// Heights of the same kind can be compared.
    fn value(&self, other: &Self) -> Option<f64> {
        match (self, other) {
            (Self::Word(own), Self::Word(_)) => Some(*own as f64),
            (Self::Number(own, unit), Self::Number(_, kind)) if unit == kind => Some(*own),
            _ => None,
        }
    }
}

impl Doubt<'_> {
    /// Touches the rung the step means, once.
    pub(super) fn on_ladder(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.step.named.is_empty() || !self.step.quoted.is_empty() {
            return None;
        }
        let ladders = &self.words.ladders;
        let wanted = ladders.wanted(&self.step.instruction)?;
        let rungs = self.rungs();
        if rungs.iter().any(|rung| clicks(memory).any(|label| label == rung.label)) {
            return None;
        }
        let rung = match wanted {
            Wanted::FromLeast(from) => rungs.get(from).copied(),
            Wanted::FromMost(from) => rungs.len().checked_sub(from + 1).and_then(|at| rungs.get(at)).copied(),
            Wanted::Off(by) => {
                let present = Self::present(&rungs, memory)?.checked_add_signed(by);
                present.and_then(|at| rungs.get(at)).copied()
            }
        }?;
        self.touch(rung, "it is the one the step counts to", memory)
    }

    /// The choices of the screen that go up in steps, lowest first; none where two stand alike.
    fn rungs(&self) -> Vec<&Widget> {
        let ladders = &self.words.ladders;
        let usable = |widget: &&Widget| {
            widget.clickable && widget.state.enabled && !matches!(widget.role, Role::Field | Role::KeypadKey)
        };
        let choices = || self.screen.widgets.iter().filter(usable);
        let marked = choices().any(|widget| widget.state.checked.is_some());
        let known = |widget: &'_ Widget| ladders.height(name_of(&widget.label));
        let mut rungs: Vec<(Height, &Widget)> = choices()
            .filter(|widget| !marked || widget.state.checked.is_some())
            .filter_map(|widget| Some((known(widget)?, widget)))
            .collect();
        let Some(kind) = rungs.first().map(|(height, _)| height.clone()) else { return Vec::new() };
        if rungs.len() < FEWEST || rungs.iter().any(|(height, _)| height.value(&kind).is_none()) {
            return Vec::new();
        }
        let value = |height: &Height| height.value(&kind).unwrap_or_default();
        rungs.sort_by(|a, b| value(&a.0).total_cmp(&value(&b.0)));
        let alike = rungs.windows(2).any(|two| value(&two[0].0).total_cmp(&value(&two[1].0)).is_eq());
        if alike { Vec::new() } else { rungs.into_iter().map(|(_, widget)| widget).collect() }
    }

    /// The rung that is chosen: the only one that is marked, else the one that what opened them showed.
    fn present(rungs: &[&Widget], memory: &StepMemory) -> Option<usize> {
        let chosen = |widget: &Widget| widget.state.checked == Some(true) || widget.state.selected;
        let mut marked = (0..rungs.len()).filter(|at| chosen(rungs[*at]));
        if let Some(only) = marked.next() {
            return marked.next().is_none().then_some(only);
        }
        let opener = words(clicks(memory).last()?);
        let shown = |at: &usize| opener.ends_with(&words(name_of(&rungs[*at].label)));
        (0..rungs.len()).filter(shown).max_by_key(|at| rungs[*at].label.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, screen, step, widget};

    fn ladders() -> Ladders {
        super::super::WORDS.get().ladders.clone()
    }

    /// What is touched on choices of which one is marked, after these touches.
    fn chosen(text: &str, labels: &[&str], marked: &str, touched: &[&str]) -> String {
        let choice = |label: &&str| {
            let mut one = widget(Role::Radio, label);
            one.state.checked = Some(*label == marked);
            one
        };
        let page = screen(labels.iter().map(choice).chain([button("OK")]).collect());
        let mut memory = StepMemory::default();
        for label in touched {
            memory.note(page.fingerprint, crate::domain::Action::Click { target: button(label).target() });
        }
        match Head::new(&[], "").agent().certain(&step(text, &[]), None, &page, &mut memory) {
            Some(Certain::Do(choice)) => choice.candidate.action.to_string(),
            Some(_) => "done".to_owned(),
            None => "open".to_owned(),
        }
    }

    #[test]
    fn a_step_counts_rungs_up_and_down_or_from_an_end() {
        let wanted = |text: &str| ladders().wanted(text);
        assert_eq!(wanted("Make the letters one size smaller than they are now"), Some(Wanted::Off(-1)));
        assert_eq!(wanted("Choose the next larger size"), Some(Wanted::Off(1)));
        assert_eq!(wanted("Enlarge the text by two sizes"), Some(Wanted::Off(2)));
        assert_eq!(wanted("Choose the second smallest size"), Some(Wanted::FromLeast(1)));
        assert_eq!(wanted("Use the highest quality"), Some(Wanted::FromMost(0)));
        assert_eq!(wanted("Make it smaller"), None, "by how much is not said");
        assert_eq!(wanted("Open the garden"), None);
    }

    #[test]
    fn the_rung_is_found_whatever_order_the_choices_have() {
        let sizes = ["Small", "Medium", "Large", "Extra large"];
        assert_eq!(chosen("Choose the second smallest size", &sizes, "Large", &[]), "click \"Medium\"");
        assert_eq!(chosen("Make it one size smaller", &sizes, "Large", &[]), "click \"Medium\"");
        let shares = ["200%", "150%", "125%", "100%"];
        assert_eq!(chosen("Enlarge the text by one size", &shares, "100%", &[]), "click \"125%\"");
        assert_eq!(chosen("Use the largest size", &shares, "100%", &[]), "click \"200%\"");
    }

    #[test]
    fn where_the_rungs_or_the_present_one_are_not_known_nothing_is_certain() {
        let asked = "Make it one size smaller";
        assert_eq!(chosen(asked, &["Small", "Medium", "Large"], "none", &[]), "open");
        assert_eq!(chosen(asked, &["Small", "Medium", "Large"], "none", &["Size Large"]), "click \"Medium\"");
        assert_eq!(chosen(asked, &["Small", "Medium", "Large"], "Small", &[]), "open", "nothing is below");
        assert_eq!(chosen(asked, &["Red", "Green", "Blue"], "Green", &[]), "open");
        assert_eq!(chosen(asked, &["10 px", "20 %", "30 px"], "30 px", &[]), "open", "they cannot be compared");
        assert_ne!(chosen(asked, &["Small", "Medium", "Large"], "Medium", &["Medium"]), "click \"Small\"", "once");
    }
}
