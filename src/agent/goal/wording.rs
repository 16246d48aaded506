//! What the words on a control have to do with the goal.

use super::cues::{GoalCues, alike};
use super::items::{Goal, Item, ItemKind};
use super::offers::Offer;
use crate::app_map::{Control, View};

/// Of rows that are called the same, the one whose line below says more of the goal: a title as a book and to listen to.
pub(super) fn twin(goal: &Goal, cues: &GoalCues, view: &View, offer: Offer) -> Offer {
    let Some(row) = view.controls.get(offer.control).filter(|_| offer.typed.is_none()) else { return offer };
    let said = |control: &Control| {
        let words = cues.words(&control.label);
        let has = |item: &&Item| item.words.iter().all(|own| words.iter().any(|word| alike(own, word) >= 1.0));
        goal.items.iter().filter(has).count()
    };
    let same = |other: &&Control| {
        other.clickable && other.enabled && other.role == row.role && other.name == row.name && other.label != row.label
    };
    let own = said(row);
    let better = view.controls.iter().filter(same).map(|other| (said(other), other)).max_by_key(|(said, _)| *said);
    match better.filter(|(said, _)| *said > own) {
        Some((_, other)) => Offer { control: other.widget, lead: None, ..offer },
        None => offer,
    }
}

/// A word of the goal, or one of like meaning, stands on the control.
pub(super) fn speaks_of(goal: &Goal, cues: &GoalCues, control: &Control) -> bool {
    let words = cues.words(&control.label);
    let told = |word: &String| !cues.is_idle(word);
    words.iter().filter(|word| told(word)).any(|word| {
        let said = |item: &Item| {
            item.words.iter().any(|own| alike(own, word) > 0.0)
                || (item.kind == ItemKind::Word && cues.are_kin(&item.text, word))
        };
        goal.items.iter().any(said)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app_map::AppMap;
    use crate::inference::sample::WordEmbedder;
    use crate::recorded::sample::screen;

    const LIST: &[&str] = &["TextView Titles", "Button Elm, Book", "Button Elm, Audiobook", "Button Oak, Audiobook"];

    fn goal() -> Goal {
        let cues = GoalCues::bundled().unwrap();
        Goal::read("Reserve the audiobook of 'Elm'", &[], &cues, &AppMap::default(), &WordEmbedder).unwrap()
    }

    fn view() -> View {
        let mut view = View::of(&screen(LIST));
        for control in &mut view.controls {
            control.name = control.label.split(", ").next().unwrap_or_default().into();
        }
        view
    }

    #[test]
    fn of_two_rows_of_one_name_the_one_that_says_more_of_the_goal_is_meant() {
        let (goal, view, cues) = (goal(), view(), GoalCues::bundled().unwrap());
        let at = |label: &str| view.controls.iter().position(|control| control.label == label).unwrap();
        let chosen = |label: &str| {
            let offer = Offer { control: at(label), typed: None, lead: None };
            view.controls[twin(&goal, &cues, &view, offer).control].label.clone()
        };
        assert_eq!(chosen("Elm, Book"), "Elm, Audiobook");
        assert_eq!(chosen("Elm, Audiobook"), "Elm, Audiobook");
        assert_eq!(chosen("Oak, Audiobook"), "Oak, Audiobook", "another name is another thing");
    }

    #[test]
    fn a_control_speaks_of_the_goal_by_a_word_of_it() {
        let (goal, view, cues) = (goal(), view(), GoalCues::bundled().unwrap());
        let spoken: Vec<bool> = view.controls.iter().map(|control| speaks_of(&goal, &cues, control)).collect();
        assert_eq!(spoken, [false, true, true, true]);
    }
}
