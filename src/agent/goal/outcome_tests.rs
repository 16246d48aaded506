//! Rounds of a goal, and when they prove that nothing comes of it.

use super::*;
use crate::agent::sample::{button, screen as page, text, widget};
use crate::app_map::{AppMap, View};
use crate::inference::sample::WordEmbedder;
use crate::recorded::sample::screen;

const LIST: &[&str] = &["TextView Notes", "Button New note"];
const FORM: &[&str] = &["TextView New note", "EditText Title", "EditText Body", "Button Save"];

fn deed(rows: &[&str], label: &str, typed: Option<&str>) -> Stride {
    let on = View::of(&screen(rows));
    let control = on.controls.iter().position(|control| control.shown() == label);
    assert!(control.is_some(), "{label} is not there");
    Stride { on, control, typed: typed.map(str::to_owned), back: false }
}

fn saved() -> (Stride, Option<Sent>) {
    let deed = deed(FORM, "Save", None);
    let sent = sender_of(&deed, |label| label == "Save");
    assert!(sent.is_some());
    (deed, sent)
}

#[test]
fn the_same_in_two_rounds_is_in_vain() {
    let mut outcome = Outcome::default();
    let begin = deed(LIST, "New note", None);
    let (save, sent) = saved();
    let title = begin.on.title.clone();
    outcome.note(&begin, None);
    assert!(!outcome.starts_over(&title, "New note"), "nothing was carried out yet");
    outcome.note(&save, sent.clone());
    assert!(outcome.starts_over(&title, "New note") && outcome.repeated().is_none());
    assert!(!outcome.starts_over(&title, "Settings"), "looking around is no new round");
    outcome.start_over();
    outcome.note(&begin, None);
    outcome.note(&save, sent);
    assert_eq!(outcome.repeated().map(|sent| sent.label.as_str()), Some("Save"));
}

#[test]
fn two_rounds_that_end_differently_prove_nothing() {
    let mut outcome = Outcome::default();
    let (save, sent) = saved();
    outcome.note(&save, sent.clone());
    outcome.start_over();
    let other = sent.map(|sent| Sent { label: "Send".to_owned(), ..sent });
    outcome.note(&save, other);
    assert!(outcome.repeated().is_none());
}

#[test]
fn a_round_ends_when_nothing_came_for_long() {
    let mut outcome = Outcome::default();
    let (save, sent) = saved();
    outcome.note(&save, sent);
    for _ in 0..MOST_AFTER {
        assert!(!outcome.has_waited());
        outcome.note(&deed(FORM, "Title", Some("x")), None);
    }
    assert!(outcome.has_waited());
}

#[test]
fn a_goal_is_dealt_with_by_deeds_and_not_by_what_a_screen_shows() {
    let cues = GoalCues::bundled().unwrap();
    let goal = |text: &str| Goal::read(text, &[], &cues, &AppMap::default(), &WordEmbedder).unwrap();
    let shop = &["TextView Shop", "Button Oak Table, $20", "Button Pine Chair, $9", "Button Order"][..];
    let none = HashSet::new();
    let both = goal("Order one Oak Table and one Pine Chair");
    let table = deed(shop, "Oak Table, $20", None);
    assert!(!all_dealt_with(&both, &cues, std::slice::from_ref(&table), &none));
    assert!(all_dealt_with(&both, &cues, &[table, deed(shop, "Pine Chair, $9", None)], &none));
    let written = goal("Write the note 'see you'");
    assert!(!all_dealt_with(&written, &cues, &[saved().0], &none));
    assert!(all_dealt_with(&written, &cues, &[deed(FORM, "Body", Some("see you"))], &none));
    let set = HashSet::from(["see you".to_owned()]);
    assert!(all_dealt_with(&written, &cues, &[saved().0], &set), "what was set was not typed");
}

#[test]
fn several_of_one_thing_are_not_one() {
    let cues = GoalCues::bundled().unwrap();
    let counts = |goal: &str, values: &[&str]| {
        counts_things(goal, &values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>(), &cues)
    };
    assert!(counts("Put three pears into the basket", &[]) && counts("Order 2 chairs", &[]));
    assert!(!counts("Put one pear into the basket", &[]) && !counts("Call 5550123", &[]));
    assert!(!counts("Write there are five pears", &["there are five pears"]));
}

#[test]
fn a_form_that_stays_with_something_open_was_not_taken() {
    let sent = Sent { label: "Save".into(), title: String::new() };
    let field = || widget(Role::Field, "Title");
    let form = page(vec![text("New note"), field(), button("Save")]);
    let told = page(vec![text("New note"), field(), text("Give it a title"), button("Save")]);
    assert!(was_not_taken(&sent, &form, &told));
    assert!(!was_not_taken(&sent, &form, &page(vec![text("Notes")])), "it led on");
    let plain = page(vec![text("New note"), button("Save")]);
    assert!(!was_not_taken(&sent, &plain, &plain), "nothing is open on it");
}

#[test]
fn what_shares_nothing_with_the_goal_does_not_carry_it_out() {
    let cues = GoalCues::bundled().unwrap();
    let read = |text: &str| Goal::read(text, &[], &cues, &AppMap::default(), &WordEmbedder).unwrap();
    let past = [deed(LIST, "New note", None), deed(FORM, "Title", Some("IBAN")), deed(FORM, "Save", None)];
    assert!(!is_related(&read("Change the bank account to the new IBAN"), &cues, &past, &[]));
    assert!(is_related(&read("Write a note about 'IBAN'"), &cues, &past, &[]));
    assert!(is_related(&read("Put 'IBAN' down"), &cues, &past, &["title".to_owned()]), "a parameter is called so");
}
