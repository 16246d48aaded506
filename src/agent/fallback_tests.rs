//! What is tried where nothing fits.

use super::*;
use crate::agent::sample::{Head, button, screen, step};
use crate::hierarchy::ScreenKind;

fn buttons(labels: &[&str]) -> Screen {
    screen(labels.iter().map(|label| button(label)).collect())
}

fn click(screen: &Screen, label: &str) -> Action {
    let widget = screen.widgets.iter().find(|widget| widget.label == label).unwrap();
    Action::Click { target: widget.target() }
}

fn tried(head: &Head, screen: &Screen, memory: &mut StepMemory) -> Option<String> {
    let found = head.agent().fall_back(&step("Water everything", &[]), screen, memory).unwrap();
    found.map(|choice| choice.candidate.action.to_string())
}

#[test]
fn a_window_on_which_nothing_fits_is_left() {
    let head = Head::new(&[], "");
    let window = Screen { kind: ScreenKind::Dialog, ..buttons(&["Save", "Cancel"]) };
    let mut memory = StepMemory::default();
    assert_eq!(tried(&head, &window, &mut memory).as_deref(), Some("click \"Cancel\""));
    memory.exclude(window.fingerprint, click(&window, "Cancel"));
    assert_eq!(tried(&head, &window, &mut memory), None, "it had no effect");
}

#[test]
fn what_leads_on_is_touched_and_is_no_part_of_the_step() {
    let page = buttons(&["Picture", "Continue"]);
    let head = Head::new(&[], "Change the garden");
    let mut memory = StepMemory::default();
    assert_eq!(tried(&head, &page, &mut memory).as_deref(), Some("click \"Continue\""));
    memory.note(page.fingerprint, click(&page, "Continue"));
    assert!(memory.only_looked(), "the step itself is still to be done");
    memory.note(page.fingerprint, click(&page, "Picture"));
    assert_eq!(tried(&head, &page, &mut memory), None, "the step has begun");
    assert_eq!(tried(&Head::new(&[], ""), &page, &mut StepMemory::default()), None, "nothing says what it is about");
}

#[test]
fn the_cases_title_shows_a_way_on_twice_at_most() {
    let head = Head::new(&[], "Change the garden fence");
    let page = buttons(&["Picture", "Garden", "Garden fence"]);
    let mut memory = StepMemory::default();
    for label in ["Garden fence", "Garden"] {
        let action = click(&page, label);
        assert_eq!(tried(&head, &page, &mut memory), Some(action.to_string()));
        memory.note(page.fingerprint, action);
    }
    assert_eq!(memory.by_title, 2);
    let further = buttons(&["Picture", "Fence"]);
    assert_eq!(tried(&head, &further, &mut memory), None);
    assert!(tried(&head, &further, &mut StepMemory::default()).is_some(), "but for the number it would fit");
}

#[test]
fn a_title_that_says_two_controls_alike_says_neither() {
    let said = |labels: &[&str]| {
        let page = buttons(labels);
        said_by("Change the garden fence", &page, &StepMemory::default()).map(|widget| widget.label.clone())
    };
    assert_eq!(said(&["Garden", "Fence"]), None);
    assert_eq!(said(&["Garden", "Garden house"]).as_deref(), Some("Garden"), "the title says no house");
    assert_eq!(said(&["Picture", ""]), None);
}

#[test]
fn a_name_is_replaced_by_what_it_is_called() {
    let head = Head::new(&[("best_friend", "Ada"), ("other", "Ben")], "");
    let mut asked = step("Choose Ada", &["Ada"]);
    asked.mentions = vec!["best_friend".into()];
    let found = unnamed(&asked, &head.agent()).unwrap();
    assert_eq!(found.instruction, "Choose best friend");
    assert!(found.named.is_empty() && found.reserved.contains(&"best_friend".to_owned()), "{found:?}");
    assert_eq!(unnamed(&step("Choose a friend", &[]), &head.agent()), None, "nothing is named");
}

#[test]
fn one_of_many_alike_is_not_chosen_blindly() {
    let is_one = |labels: &[&str]| {
        let page = buttons(labels);
        is_one_of_many(&popups::touching(&page.widgets[0], "it fits"), &page)
    };
    assert!(is_one(&["Bed 1", "Bed 2", "Bed 3"]));
    assert!(!is_one(&["Bed 1", "Bed 2", "Fence"]));
}
