//! The planner on small made-up maps.

use super::coverage::{Coverage, Judge};
use super::cues::GoalCues;
use super::decision::{Decision, Stride, decide};
use super::items::{Goal, ItemKind};
use super::tuning::Tuning;
use crate::app_map::{AppMap, View};
use crate::inference::sample::WordEmbedder;
use crate::recorded::sample::{ROW, screen};
use std::collections::HashSet;

const HOME: &[&str] = &["TextView Recipes", "EditText Search", "Button Menu", "Button Pancakes", "Button New recipe"];
const MENU: &[&str] = &["Button Preferences", "Button About"];
const PREFERENCES: &[&str] =
    &["TextView Preferences", "Button Text size", "Button Units", "CheckBox Keep the display on"];
const SIZES: &[&str] = &["CheckBox Small", "CheckBox Medium", "CheckBox Large"];
const EDITOR: &[&str] = &["TextView New recipe", "EditText Title", "Button Cancel", "Button OK"];

/// Menu and preferences are known; the sizes were seen; the editor was seen.
fn map() -> AppMap {
    let mut map = AppMap::default();
    let place = |map: &mut AppMap, rows: &[&str]| map.place(&screen(rows));
    let (home, menu, preferences) = (place(&mut map, HOME), place(&mut map, MENU), place(&mut map, PREFERENCES));
    let (sizes, editor) = (place(&mut map, SIZES), place(&mut map, EDITOR));
    for (from, label, to) in [
        (home, "Menu", menu),
        (menu, "Preferences", preferences),
        (preferences, "Text size", sizes),
        (home, "New recipe", editor),
    ] {
        let view = map.view(from).unwrap();
        let bounds = view.controls.iter().find(|control| control.label == label).unwrap().bounds;
        map.connect(from, bounds, to);
    }
    map.embed(&WordEmbedder).unwrap();
    map
}

fn goal_of(text: &str, map: &AppMap) -> Goal {
    Goal::read(text, &[], &GoalCues::bundled().unwrap(), map, &WordEmbedder).unwrap()
}

/// What is decided on the last screen, after touches (by label) or typed texts (`label=text`) on the ones before.
fn decided(text: &str, map: &AppMap, past: &[(&[&str], &str)], now: &[&str]) -> String {
    let (cues, tuning) = (GoalCues::bundled().unwrap(), Tuning::bundled().unwrap());
    let goal = goal_of(text, map);
    let mut judge = Judge::new(&goal, map, &WordEmbedder, &cues, &tuning);
    let past: Vec<Stride> = past
        .iter()
        .map(|(rows, did)| {
            let on = View::of(&screen(rows));
            let (label, typed) =
                did.split_once('=').map_or((*did, None), |(label, text)| (label, Some(text.to_owned())));
            let control = on.controls.iter().position(|control| control.shown() == label);
            assert!(control.is_some(), "{label} is not there");
            Stride { on, control, typed, back: false }
        })
        .collect();
    let view = View::of(&screen(now));
    match decide(&mut judge, &past, &view, &HashSet::new()).unwrap() {
        Decision::Do(offer, ..) => {
            let label = view.controls[offer.control].shown().to_owned();
            offer.typed.map_or(label.clone(), |(_, text)| format!("{label}={text}"))
        }
        Decision::Back => "back".into(),
        Decision::Done(_) => "done".into(),
        Decision::Stuck(reason) => format!("stuck: {reason}"),
    }
}

#[test]
fn a_goal_is_taken_apart_into_words_values_and_names() {
    let map = AppMap::default();
    let goal = goal_of("Text Ada Lovelace 'see you' and save it as notes.txt in the Recipes app", &map);
    let of = |kind: ItemKind| -> Vec<&str> {
        goal.items.iter().filter(|item| item.kind == kind).map(|item| item.text.as_str()).collect()
    };
    assert_eq!(of(ItemKind::Name), ["Ada Lovelace"]);
    assert_eq!(of(ItemKind::Value), ["see you", "notes.txt"]);
    assert_eq!(of(ItemKind::Word), ["text", "save"]);
    assert_eq!(goal.items.iter().map(|item| item.clause).max(), Some(1));
}

#[test]
fn what_was_before_is_no_part_of_the_goal_and_an_apostrophe_ends_no_quotation() {
    let map = AppMap::default();
    let texts = |text: &str| goal_of(text, &map).items.into_iter().map(|item| item.text).collect::<Vec<_>>();
    assert_eq!(texts("Change units from metric to imperial"), ["change", "units", "imperial"]);
    assert_eq!(texts("Open 'Ada's cakes'"), ["open", "Ada's cakes"]);
    assert_eq!(texts("Zoom to 125%"), ["zoom", "125"]);
}

#[test]
fn the_map_leads_to_what_is_not_in_sight() {
    let map = map();
    let goal = "Set the text size to large";
    assert_eq!(decided(goal, &map, &[], HOME), "Menu");
    assert_eq!(decided(goal, &map, &[(HOME, "Menu")], MENU), "Preferences");
    assert_eq!(decided(goal, &map, &[(HOME, "Menu"), (MENU, "Preferences")], PREFERENCES), "Text size");
    let past: &[(&[&str], &str)] = &[(HOME, "Menu"), (MENU, "Preferences"), (PREFERENCES, "Text size")];
    assert_eq!(decided(goal, &map, past, SIZES), "Large");
}

#[test]
fn a_goal_is_reached_when_the_choice_is_made_and_not_before() {
    let map = map();
    let past: &[(&[&str], &str)] =
        &[(HOME, "Menu"), (MENU, "Preferences"), (PREFERENCES, "Text size"), (SIZES, "Large")];
    assert_eq!(decided("Set the text size to large", &map, past, PREFERENCES), "done");
}

#[test]
fn a_value_is_typed_and_what_was_begun_is_confirmed() {
    let map = map();
    let goal = "Create a recipe called 'Waffles'";
    assert_eq!(decided(goal, &map, &[], HOME), "New recipe");
    assert_eq!(decided(goal, &map, &[(HOME, "New recipe")], EDITOR), "Title=Waffles");
    let filled: &[&str] = &["TextView New recipe", "EditText Waffles", "Button Cancel", "Button OK"];
    assert_eq!(decided(goal, &map, &[(HOME, "New recipe"), (EDITOR, "Title=Waffles")], filled), "OK");
    let listed: &[&str] = &[
        "TextView Recipes",
        "EditText Search",
        "Button Menu",
        "Button Pancakes",
        "Button Waffles",
        "Button New recipe",
    ];
    let past: &[(&[&str], &str)] = &[(HOME, "New recipe"), (EDITOR, "Title=Waffles"), (filled, "OK")];
    assert_eq!(decided(goal, &map, past, listed), "done");
}

#[test]
fn nothing_is_declared_while_a_value_was_never_dealt_with() {
    let map = map();
    let past: &[(&[&str], &str)] = &[(HOME, "Pancakes")];
    let shown: &[&str] = &["TextView Pancakes", "TextView Flour and milk"];
    let decision = decided("Open pancakes and write 'with syrup'", &map, past, shown);
    assert!(decision.starts_with("stuck: \"with syrup\" was never dealt with"), "{decision}");
}

#[test]
fn a_value_is_not_typed_into_a_search_field_unless_something_is_searched() {
    let map = AppMap::default();
    assert_eq!(decided("Search for 'Waffles'", &map, &[], HOME), "Search=Waffles");
    assert_ne!(decided("Rename it to 'Waffles'", &map, &[], HOME), "Search=Waffles");
}

#[test]
fn without_a_map_the_nearest_control_is_tried() {
    let map = AppMap::default();
    assert_eq!(decided("Show the pancakes", &map, &[], HOME), "Pancakes");
    assert_eq!(decided("Open the menu", &map, &[], HOME), "Menu");
}

#[test]
fn covering_nothing_is_worth_nothing() {
    let map = map();
    let goal = goal_of("Set the text size to large", &map);
    let none = Coverage::none(&goal);
    assert!(none.score(&goal, &Tuning::bundled().unwrap()).abs() < 1e-6);
    assert!(ROW > 0 && (none.open(&goal) - 1.0).abs() < 1e-5);
}
