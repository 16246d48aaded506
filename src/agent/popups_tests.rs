//! Which windows are answered, and how.

use super::*;
use crate::agent::sample::{button, screen, step, text};

fn preferences(accept: &[&str], decline: &[&str]) -> Preferences {
    let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Preferences { accept: all(accept), decline: all(decline) }
}

fn window(kind: ScreenKind, title: &str, texts: &[&str], buttons: &[&str]) -> Screen {
    let widgets = texts.iter().map(|label| text(label)).chain(buttons.iter().map(|label| button(label)));
    Screen { kind, title: title.into(), ..screen(widgets.collect()) }
}

fn answered(screen: &Screen, instruction: &str, preferences: &Preferences) -> Option<String> {
    let cues = Cues::bundled().unwrap();
    answer(screen, &step(instruction, &[]), preferences, &cues).map(|(widget, _)| widget.label.clone())
}

fn permission() -> Screen {
    let ids = ["allow_always_button", "allow_foreground_only_button", "deny_button"];
    let labels = ["Always", "While in use", "Refuse"];
    let mut asked = window(ScreenKind::Permission, "", &["May the app use your location?"], &labels);
    for (widget, id) in asked.widgets[1..].iter_mut().zip(ids) {
        widget.resource_id = format!("com.android.permissioncontroller:id/permission_{id}");
    }
    asked
}

#[test]
fn a_permission_is_granted_narrowly_unless_the_case_declines_it() {
    let asked = permission();
    let answer = |accept: &[&str], decline: &[&str]| answered(&asked, "Open it", &preferences(accept, decline));
    assert_eq!(answer(&[], &[]).as_deref(), Some("While in use"));
    assert_eq!(answer(&[], &["camera"]).as_deref(), Some("While in use"), "another one is declined");
    assert_eq!(answer(&[], &["locations"]).as_deref(), Some("Refuse"));
}

#[test]
fn a_window_is_answered_as_the_case_prefers() {
    let cases = window(ScreenKind::Dialog, "A word", &["How is your rating of us?"], &["Rate", "Not now"]);
    assert_eq!(answered(&cases, "Open it", &preferences(&[], &["rating"])).as_deref(), Some("Not now"));
    assert_eq!(answered(&cases, "Open it", &preferences(&["rating"], &[])).as_deref(), Some("Rate"));
    assert_eq!(answered(&cases, "Open it", &preferences(&["Not now"], &[])).as_deref(), Some("Not now"));
    let both = preferences(&["rating"], &["rating"]);
    assert_eq!(answered(&cases, "Open it", &both).as_deref(), Some("Not now"), "declining goes before");
}

#[test]
fn what_no_preference_speaks_of_stays() {
    let asked = window(ScreenKind::Dialog, "A word", &["How is your rating of us?"], &["Rate", "Not now"]);
    assert_eq!(answered(&asked, "Open it", &preferences(&[], &[])), None);
    assert_eq!(answered(&asked, "Open it", &preferences(&["newsletter"], &["camera"])), None);
    let page = Screen { kind: ScreenKind::Ordinary, ..asked };
    assert_eq!(answered(&page, "Open it", &preferences(&[], &["rating"])), None, "it is no window");
}

#[test]
fn a_window_the_step_speaks_of_is_left_alone() {
    let asked = window(ScreenKind::Dialog, "Your rating", &["How do you like it?"], &["Rate", "Not now"]);
    let decline = preferences(&[], &["rating"]);
    assert_eq!(answered(&asked, "Give a rating of five stars", &decline), None);
    assert_eq!(answered(&asked, "Open the garden", &decline).as_deref(), Some("Not now"));
    let named = preferences(&["Not now"], &[]);
    assert_eq!(answered(&asked, "Tap Not now", &named), None, "the step does it itself");
}

#[test]
fn the_way_out_loses_nothing() {
    let cues = Cues::bundled().unwrap();
    let out = |kind, buttons: &[&str]| way_out(&window(kind, "", &[], buttons), &cues).map(|way| way.label.clone());
    assert_eq!(out(ScreenKind::Dialog, &["Save", "Cancel"]).as_deref(), Some("Cancel"));
    assert_eq!(out(ScreenKind::Ordinary, &["Save", "Cancel"]), None, "what was filled in would be lost");
    assert_eq!(out(ScreenKind::Ordinary, &["Cancel", "Not now"]).as_deref(), Some("Not now"));
    assert_eq!(out(ScreenKind::Dialog, &["OK"]).as_deref(), Some("OK"));
    assert_eq!(out(ScreenKind::Ordinary, &["OK"]), None);
    assert_eq!(out(ScreenKind::Dialog, &["Erase"]), None, "it does more than take notice");
}

#[test]
fn what_cannot_be_touched_answers_nothing() {
    let mut asked = window(ScreenKind::Dialog, "", &["Our newsletter"], &["Not now", "Cancel"]);
    let decline = preferences(&[], &["newsletter"]);
    asked.widgets[1].state.enabled = false;
    assert_eq!(answered(&asked, "Open it", &decline).as_deref(), Some("Cancel"));
    asked.widgets[2].clickable = false;
    assert_eq!(answered(&asked, "Open it", &decline), None);
}

#[test]
fn a_window_nobody_asked_for_is_turned_down_unless_the_step_speaks_of_it() {
    let cues = Cues::bundled().unwrap();
    let offer = window(ScreenKind::Dialog, "A busy area is near", &[], &["Not now", "Take me there"]);
    let down = |screen: &Screen, said: &str| turned_down(screen, &step(said, &[]), &cues).map(|way| way.label.clone());
    assert_eq!(down(&offer, "Go online").as_deref(), Some("Not now"));
    assert_eq!(down(&offer, "Drive to the busy area"), None, "the step speaks of it");
    assert_eq!(down(&offer, "Skip the offer"), None, "the step does it itself");
    assert_eq!(
        down(&offer, "Choose what leaves now").as_deref(),
        Some("Not now"),
        "its way out is not what it is about"
    );
    assert_eq!(down(&offer, "Tap Not now"), None, "the step does it itself");
    let page = Screen { kind: ScreenKind::Ordinary, ..offer };
    assert_eq!(down(&page, "Go online"), None, "it is no window");
    let asked = window(ScreenKind::Dialog, "Remove it?", &[], &["Cancel", "Remove"]);
    assert_eq!(down(&asked, "Go online"), None, "cancelling may lose something");
}

#[test]
fn an_offer_is_declined_with_or_without_a_reason() {
    let cues = Cues::bundled().unwrap();
    for label in ["Not now", "No, it is for me", "Nein, danke", "いいえ、自分用です"] {
        assert!(declines(label, &cues), "{label}");
    }
    for label in ["No", "Cancel", "Nobody", "Yes, please", "No,"] {
        assert!(!declines(label, &cues), "{label}");
    }
}

#[test]
fn a_step_turns_a_window_down_where_it_begins_so() {
    assert!(turns_down(&step("Skip the rating", &[])) && turns_down(&step("Turn down whatever pops up", &[])));
    assert!(!turns_down(&step("Open the list and skip nothing", &[])) && !turns_down(&step("Rate it", &[])));
}

#[test]
fn the_next_steps_window_is_told_from_an_offer() {
    let cues = Cues::bundled().unwrap();
    let next = step("Skip the rating", &[]);
    let opens = |screen: &Screen, next: &Step| opens_for(Some(next), screen, &cues);
    let offer = window(ScreenKind::Dialog, "20% off", &["Your next 3 rides"], &["Not now", "Apply"]);
    assert!(!opens(&offer, &next), "it speaks of something else");
    let mut asked = window(ScreenKind::Dialog, "How was it?", &[], &["", "Submit", "Not now"]);
    asked.widgets[0].class = "android.widget.RatingBar".into();
    assert!(opens(&asked, &next) && !opens(&asked, &step("Open the garden", &[])));
    assert!(!opens_for(None, &asked, &cues));
    assert!(!opens(&window(ScreenKind::Ordinary, "", &["Rate us"], &["Not now"]), &next), "it is no window");
    assert_eq!(parted("RatingBar"), " Rating Bar");
}

#[test]
fn turning_an_offer_down_is_nothing_that_a_step_asked_for() {
    let cues = Cues::bundled().unwrap();
    let offer = window(ScreenKind::Dialog, "20% off", &[], &["Not now", "Apply"]);
    let only = |said: &str, label: &str| only_dismisses(&step(said, &[]), &offer, &touching(&button(label), ""), &cues);
    assert!(only("Choose what leaves now", "Not now"));
    assert!(!only("Choose what leaves now", "Apply"));
    assert!(!only("Tap Not now", "Not now") && !only("Decline the offer", "Not now") && !only("Skip it", "Not now"));
}
