//! When a blocked step is the app's fault.

use super::*;
use crate::agent::sample::{button, screen, text, widget};
use crate::domain::Rect;

fn target(label: &str) -> Action {
    Action::Click { target: button(label).target() }
}

fn named(name: &str) -> Step {
    Step { instruction: format!("Tap \"{name}\""), named: vec![name.to_owned()], ..Step::default() }
}

#[test]
fn what_the_app_says_it_could_not_do_is_remembered_until_it_goes_on() {
    let form = screen(vec![text("Transfer"), button("Send")]);
    let told = screen(vec![text("Transfer"), text("Something went wrong"), button("Send")]);
    let mut memory = StepMemory::default();
    memory.note_trouble(&form, &target("Send"), &form);
    assert!(memory.trouble.is_none());
    memory.note_trouble(&form, &target("Send"), &told);
    assert!(
        memory.trouble.as_deref().is_some_and(|said| said.contains("Something went wrong")),
        "{:?}",
        memory.trouble
    );
}

#[test]
fn a_complaint_about_what_was_given_and_an_old_message_are_no_fault_of_the_app() {
    let form = screen(vec![text("Transfer"), button("Send")]);
    let complaint = screen(vec![text("Transfer"), text("Please enter an amount"), button("Send")]);
    assert_eq!(new_trouble(&form, &complaint), None);
    let old = screen(vec![text("Last sync failed"), button("Send")]);
    assert_eq!(new_trouble(&old, &old), None);
}

#[test]
fn the_steps_own_control_is_dead_when_touched_twice_in_vain() {
    let form = screen(vec![text("Card"), button("Freeze")]);
    let touch = Action::Click { target: form.widgets[1].target() };
    let mut memory = StepMemory::default();
    memory.exclude(form.fingerprint, touch.clone());
    assert_eq!(dead_control(&named("Freeze"), &memory, &form), None, "once is not enough");
    assert!(memory.second_chance());
    assert_eq!(dead_control(&named("Freeze"), &memory, &form), None, "the second touch is to come");
    memory.exclude(form.fingerprint, touch);
    let dead = dead_control(&named("Freeze"), &memory, &form);
    assert!(dead.is_some_and(|said| said.contains("touched twice")));
    assert_eq!(dead_control(&named("Unfreeze"), &memory, &form), None, "the step names another");
    let wordy = Step { instruction: "Freeze the card".into(), ..Step::default() };
    assert!(dead_control(&wordy, &memory, &form).is_some(), "the step says its whole label");
    let other = Step { instruction: "Delete the card".into(), ..Step::default() };
    assert_eq!(dead_control(&other, &memory, &form), None);
}

#[test]
fn what_left_no_doubt_is_dead_whatever_it_is_called_unless_the_picture_answered() {
    let page = screen(vec![text("Heating"), button("Warmer")]);
    let touch = Action::Click { target: page.widgets[1].target() };
    let step = Step { instruction: "Turn the heating up to 22".into(), ..Step::default() };
    let mut memory = StepMemory::default();
    memory.exclude(page.fingerprint, touch.clone());
    assert!(memory.second_chance());
    memory.exclude(page.fingerprint, touch.clone());
    assert_eq!(dead_control(&step, &memory, &page), None, "it was only weighed");
    memory.certain.push((touch.clone(), None));
    assert!(dead_control(&step, &memory, &page).is_some());
    memory.seen_only.push(touch);
    assert_eq!(dead_control(&step, &memory, &page), None, "something was drawn");
}

#[test]
fn a_choice_that_is_made_already_is_not_dead() {
    let mut chosen = button("Monthly");
    chosen.state.selected = true;
    let page = screen(vec![text("Plan"), chosen]);
    let touch = Action::Click { target: page.widgets[1].target() };
    let mut memory = StepMemory::default();
    memory.exclude(page.fingerprint, touch.clone());
    assert!(memory.second_chance());
    memory.exclude(page.fingerprint, touch);
    assert_eq!(dead_control(&named("Monthly"), &memory, &page), None);
}

#[test]
fn a_control_that_had_its_effect_once_is_not_dead_when_the_form_stays() {
    let page = screen(vec![text("Receipt"), button("Add to claim")]);
    let touch = Action::Click { target: page.widgets[1].target() };
    let mut memory = StepMemory::default();
    memory.exclude(page.fingerprint, touch.clone());
    assert!(memory.second_chance());
    memory.exclude(page.fingerprint, touch.clone());
    assert!(dead_control(&named("Add to claim"), &memory, &page).is_some());
    memory.note(page.fingerprint, touch);
    assert_eq!(dead_control(&named("Add to claim"), &memory, &page), None, "it answered the first time");
}

#[test]
fn what_stands_below_a_form_with_an_empty_field_may_refuse_out_of_sight() {
    let mut page = screen(vec![widget(Role::Field, "Paid to"), button("Add to claim")]);
    page.scroll_areas.push(Rect::new(0, 0, 100, 100));
    let touch = Action::Click { target: page.widgets[1].target() };
    let mut memory = StepMemory::default();
    memory.exclude(page.fingerprint, touch.clone());
    assert!(memory.second_chance());
    memory.exclude(page.fingerprint, touch);
    assert_eq!(dead_control(&named("Add to claim"), &memory, &page), None);
    page.widgets[0].value = "Ada".into();
    assert!(dead_control(&named("Add to claim"), &memory, &page).is_some(), "nothing is missing");
    page.widgets[0].value.clear();
    page.scroll_areas.clear();
    assert!(dead_control(&named("Add to claim"), &memory, &page).is_some(), "what it says would be in sight");
}

#[test]
fn what_turned_a_value_and_stops_short_of_it_is_dead() {
    let page = screen(vec![text("50 %"), button("Darker")]);
    let touch = Action::Click { target: page.widgets[1].target() };
    let step = Step { instruction: "Dim it to 40 %".into(), ..Step::default() };
    let mut memory = StepMemory::default();
    memory.note(page.fingerprint, touch.clone());
    memory.certain.push((touch.clone(), None));
    memory.exclude(page.fingerprint, touch.clone());
    assert!(memory.second_chance());
    memory.exclude(page.fingerprint, touch);
    assert_eq!(dead_control(&step, &memory, &page), None, "it had its effect");
    memory.stopped = Some(page.widgets[1].bounds);
    assert!(dead_control(&step, &memory, &page).is_some());
}

#[test]
fn a_thing_whose_name_sounds_like_trouble_is_none_once_it_was_touched() {
    let list = screen(vec![button("Points failure, 25 min")]);
    let player = screen(vec![text("Points failure"), button("Pause")]);
    let mut memory = StepMemory::default();
    memory.note_trouble(&list, &target("Play"), &player);
    assert!(memory.trouble.is_some());
    let mut memory = StepMemory::default();
    memory.note(list.fingerprint, target("Points failure, 25 min"));
    memory.note_trouble(&list, &target("Play"), &player);
    assert_eq!(memory.trouble, None);
}
