//! A choice that is as the goal wants it stays: what would undo it is left alone.

use super::coverage::holds;
use super::cues::{GoalCues, alike};
use super::decision::Stride;
use super::items::{Goal, ItemKind};
use crate::app_map::{Control, View};
use crate::hierarchy::Role;

/// The controls of `view` that would undo, or make once more, a choice the goal asks for; by position.
pub(super) fn kept(goal: &Goal, cues: &GoalCues, past: &[Stride], view: &View) -> Vec<usize> {
    if goal.off {
        return Vec::new();
    }
    let mut left: Vec<usize> = Vec::new();
    let meant = |control: &Control| is_meant(goal, cues, control);
    for (at, control) in view.controls.iter().enumerate().filter(|(_, control)| control.clickable) {
        let made = control.checked == Some(true) && meant(control) && is_exclusive(view, control);
        if made || was_chosen(past, view, control, &meant) {
            left.extend(siblings(view, control));
            left.push(at);
        } else if chosen_behind(past, view, control, &meant) {
            left.push(at);
        }
    }
    left
}

/// The goal names it, or says every word of its name.
fn is_meant(goal: &Goal, cues: &GoalCues, control: &Control) -> bool {
    let named = goal.items.iter().any(|item| item.kind != ItemKind::Word && holds(item, &control.label, cues));
    let words = cues.words(&control.name);
    let said = |word: &String| goal.items.iter().flat_map(|item| &item.words).any(|own| alike(own, word) >= 1.0);
    named || (!words.is_empty() && words.iter().all(said))
}

/// One of several of which only one can be chosen.
fn is_exclusive(view: &View, control: &Control) -> bool {
    let alike = || siblings(view, control).filter_map(|at| view.controls.get(at));
    match control.role {
        Role::Radio => true,
        Role::Checkbox | Role::Switch => false,
        _ => alike().count() >= 2 && alike().all(|other| other.checked == Some(false)),
    }
}

/// The others of its kind, one below or beside the other.
fn siblings<'a>(view: &'a View, control: &'a Control) -> impl Iterator<Item = usize> + 'a {
    view.controls.iter().enumerate().filter_map(move |(at, other)| {
        let lined_up = other.bounds.left == control.bounds.left && other.bounds.width() == control.bounds.width()
            || other.bounds.top == control.bounds.top;
        let same = other.clickable
            && other.role == control.role
            && other.checked.is_some() == control.checked.is_some()
            && lined_up
            && other.bounds != control.bounds;
        same.then_some(at)
    })
}

/// It was touched here as one of several, and the page stayed: a choice that the page does not tell by ticks.
fn was_chosen(past: &[Stride], view: &View, control: &Control, meant: &impl Fn(&Control) -> bool) -> bool {
    let here = |on: &View| on.fingerprint == view.fingerprint && on.title == view.title;
    let touched = |stride: &Stride| {
        let touched = stride.control.filter(|_| stride.typed.is_none()).and_then(|at| stride.on.controls.get(at));
        touched.is_some_and(|touched| touched.label == control.label && touched.bounds == control.bounds)
    };
    let stayed = |at: usize| past.get(at + 1).map_or(!past[at].on.differs(view), |next| here(&next.on));
    control.checked.is_none()
        && control.role == Role::ListItem
        && siblings(view, control).count() >= 1
        && meant(control)
        && (0..past.len()).any(|at| here(&past[at].on) && touched(&past[at]) && stayed(at))
}

/// It opened a choice in which what it shows now was touched.
fn chosen_behind(past: &[Stride], view: &View, control: &Control, meant: &impl Fn(&Control) -> bool) -> bool {
    let here = |on: &View| on.fingerprint == view.fingerprint && on.title == view.title;
    let touched = |stride: &Stride| {
        stride.control.filter(|_| stride.typed.is_none()).and_then(|at| stride.on.controls.get(at)).cloned()
    };
    let opened = |stride: &Stride| {
        here(&stride.on)
            && touched(stride).is_some_and(|one| {
                (one.bounds.left, one.bounds.top) == (control.bounds.left, control.bounds.top)
                    && one.role == control.role
            })
    };
    let Some(begun) = past.iter().position(opened) else { return false };
    let before = past.get(begun).and_then(touched).map(|one| one.label.to_lowercase()).unwrap_or_default();
    // It says now what it did not say when it was opened.
    let shows = |chosen: &Control| {
        let name = chosen.name.trim().to_lowercase();
        !name.is_empty() && control.label.to_lowercase().contains(&name) && !before.contains(&name)
    };
    past[begun..].iter().filter(|stride| !here(&stride.on)).filter_map(touched).any(|one| meant(&one) && shows(&one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app_map::AppMap;
    use crate::inference::sample::WordEmbedder;
    use crate::recorded::sample::screen;

    const SIZES: &[&str] = &["TextView How big", "RadioButton Small", "RadioButton Large", "Button Continue"];

    fn left_alone(goal: &str, past: &[Stride], view: &View) -> Vec<String> {
        let cues = GoalCues::bundled().unwrap();
        let goal = Goal::read(goal, &[], &cues, &AppMap::default(), &WordEmbedder).unwrap();
        let mut labels: Vec<String> =
            kept(&goal, &cues, past, view).into_iter().map(|at| view.controls[at].label.clone()).collect();
        labels.sort();
        labels.dedup();
        labels
    }

    fn ticked(label: &str) -> View {
        let mut view = View::of(&screen(SIZES));
        for control in &mut view.controls {
            if control.role == Role::Radio {
                control.checked = Some(control.label == label);
                control.clickable = true;
            }
        }
        view
    }

    fn touch(on: &View, label: &str) -> Stride {
        let control = on.controls.iter().position(|control| control.label == label);
        Stride { on: on.clone(), control, typed: None, back: false }
    }

    #[test]
    fn the_one_that_is_wanted_keeps_the_others_untouched() {
        assert_eq!(left_alone("Send a large parcel", &[], &ticked("Large")), ["Large", "Small"]);
        assert!(left_alone("Send a large parcel", &[], &ticked("Small")).is_empty(), "that is to be changed");
        assert!(left_alone("Send a heavy parcel", &[], &ticked("Large")).is_empty(), "nothing asks for it");
    }

    #[test]
    fn what_shows_the_choice_made_behind_it_is_not_opened_again() {
        let before = View::of(&screen(&["TextView Form", "Button Pick one", "Button Record"]));
        let mut after = before.clone();
        let at = after.controls.iter().position(|control| control.label == "Pick one").unwrap();
        after.controls[at].label = "Gifts".into();
        let list = View::of(&screen(&["TextView Kind", "Button Gifts", "Button Rent"]));
        let past = [touch(&before, "Pick one"), touch(&list, "Gifts")];
        assert_eq!(left_alone("File it under 'Gifts'", &past, &after), ["Gifts"]);
        assert!(left_alone("File it under 'Gifts'", &past[..1], &after).is_empty());
    }
}
