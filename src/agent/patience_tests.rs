//! When a screen is waited on, and what counts as trouble.

use super::*;
use crate::agent::sample::{button, screen, step, text, widget};

#[test]
fn an_apology_is_trouble_and_a_mistake_of_the_person_is_none() {
    let says = |label: &str| trouble(&screen(vec![text(label), button("Go")])).map(str::to_owned);
    for label in ["We couldn't load it. Please try again.", "Something went wrong", "Inténtalo más tarde.", "稍后再试"]
    {
        assert_eq!(says(label).as_deref(), Some(label));
    }
    for label in ["Enter at least 8 characters", "The code is wrong", "Welcome", ""] {
        assert_eq!(says(label), None, "{label}");
    }
    let mut field = widget(Role::Field, "try again");
    field.value = "x".into();
    assert_eq!(trouble(&screen(vec![field])), None, "what a person typed is no apology");
}

#[test]
fn pauses_grow_to_a_minute() {
    let pause = |tries| Waiting { tries, ..Waiting::default() }.pause().as_secs();
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 60].map(pause), [2, 4, 8, 16, 32, 60, 60, 60]);
}

#[test]
fn what_was_waited_for_is_told() {
    let told = |seconds, patience| {
        let waiting = Waiting { total: Duration::from_secs(seconds), ..Waiting::default() };
        waiting.told(&step("Open the door", &[]), patience)
    };
    assert_eq!(told(0, Patience::ALONE), "");
    let alone = told(20, Patience::ALONE);
    assert!(alone.contains("20 s") && alone.contains("Open the door") && !alone.contains("others"), "{alone}");
    assert!(told(180, Patience::IN_COMPANY).contains("others"));
}

#[test]
fn a_step_that_says_a_word_of_a_control_speaks_of_it() {
    let choice = |label: &str| touching(&button(label), "");
    assert!(is_spoken_of(&step("Accept the request", &[]), &choice("Accepting")));
    assert!(!is_spoken_of(&step("Accept the request", &[]), &choice("Go offline")));
}

#[test]
fn what_came_to_nothing_is_forgotten_with_all_that_followed() {
    let mut memory = StepMemory::default();
    let touch = |label: &str| Action::Click { target: button(label).target() };
    for label in ["Connect", "Not now"] {
        memory.note(crate::hierarchy::Fingerprint(1), touch(label));
    }
    let is = |wanted: &'static str| move |action: &Action| action.target().is_some_and(|target| target.label == wanted);
    assert!(!memory.forget_from(is("Go")) && memory.deeds() == 2);
    assert!(memory.forget_from(is("Connect")) && memory.deeds() == 0);
}

#[test]
fn a_step_is_begun_anew_once_and_does_nothing_twice() {
    let on = crate::hierarchy::Fingerprint(1);
    let mut memory = StepMemory::default();
    memory.note(on, Action::PressBack);
    assert!(memory.begin_anew() && memory.deeds() == 0);
    assert!(memory.is_excluded(on, &Action::PressBack) && memory.invalid_count() == 0);
    assert!(!memory.begin_anew());
}

#[test]
fn nothing_came_of_anothers_doing_only_where_the_screen_stayed_for_all_the_time_it_is_given() {
    let unanswered = |seconds, moved, patience| {
        Waiting { total: Duration::from_secs(seconds), moved, ..Waiting::default() }.unanswered(patience)
    };
    assert_eq!(unanswered(180, false, Patience::EXPECTANT), Some(Duration::from_secs(180)));
    assert_eq!(unanswered(179, false, Patience::EXPECTANT), None, "there was time left");
    assert_eq!(unanswered(300, true, Patience::EXPECTANT), None, "something came");
    assert_eq!(unanswered(300, false, Patience::IN_COMPANY), None, "something had come before");
    assert_eq!(unanswered(300, false, Patience::ALONE), None, "nobody else was to do anything");
}
