//! Maps of two or three made-up screens.

use super::*;
use crate::recorded::sample::screen;

fn control(view: &View, label: &str) -> usize {
    view.controls.iter().position(|control| control.label == label).unwrap()
}

/// From the list, "Menu" leads to the menu.
fn map() -> AppMap {
    let (list, menu) =
        (screen(&["TextView Mail", "Button Menu", "Button Ada"]), screen(&["Button Settings", "Button Help"]));
    let mut map = AppMap::default();
    let (from, to) = (map.place(&list), map.place(&menu));
    let view = map.view(from).unwrap();
    let bounds = view.controls[control(view, "Menu")].bounds;
    map.connect(from, bounds, to);
    map
}

#[test]
fn a_screen_is_noted_once_and_a_way_keeps_its_first_outcome() {
    let mut map = map();
    let list = screen(&["TextView Mail", "Button Menu", "Button Ada"]);
    assert_eq!(map.place(&list), 0);
    let view = View::of(&list);
    map.connect(0, view.controls[control(&view, "Menu")].bounds, 0);
    assert_eq!(map.lead(&view, control(&view, "Menu")), Some(Lead { to: 1, guessed: false }));
    assert_eq!(map.lead(&view, control(&view, "Ada")), None);
    assert_eq!(map.size(), (2, 1));
}

#[test]
fn a_control_of_the_same_name_elsewhere_is_a_guess() {
    let other = View::of(&screen(&["TextView Drafts", "EditText Search", "Button Menu"]));
    assert_eq!(map().lead(&other, control(&other, "Menu")), Some(Lead { to: 1, guessed: true }));
}

#[test]
fn a_screen_whose_texts_have_changed_is_known_by_its_structure() {
    let later = View::of(&screen(&["TextView Mail", "Button Menu", "Button Grace"]));
    let lead = map().lead(&later, control(&later, "Menu"));
    assert_eq!(lead.map(|lead| lead.to), Some(1));
}

#[test]
fn places_differ_and_states_of_one_place_do_not() {
    let off = View::of(&screen(&["TextView Settings", "Button Sound", "Button Colour", "Button Units", "Button Size"]));
    let on = View::of(&screen(&["TextView Settings", "Button Sound", "Button Colour", "Button Units", "Button Big"]));
    let menu = View::of(&screen(&["Button Settings", "Button Help"]));
    assert!(!off.differs(&on));
    assert!(off.differs(&menu));
}
