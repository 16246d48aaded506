//! The rules of completion and of steps, on hand-made recordings.

use super::*;
use crate::domain::{Point, Rect};
use crate::recorded::sample::Sample;
use crate::recorded::{RecordedApp, Routes, StateId};

/// Three touches in a row, each on another row of its own state; the second and third are essential.
fn recording() -> RecordedApp {
    let rows = &["Button One", "Button Two", "EditText Three", "Button Four"];
    ["a", "b", "c", "d"]
        .iter()
        .fold(Sample::new("a"), |sample, id| sample.state(id, rows))
        .way("a", "click", 4, None, "a", "exploration")
        .way("b", "click", 4, None, "b", "exploration")
        .way("c", "click", 4, None, "c", "exploration")
        .task(
            "t",
            &[("a", "click", 1, None), ("b", "click", 2, None), ("c", "input", 3, Some("Milk"))],
            "d",
            &[1, 2],
            &[("First", &[0]), ("Then", &[1, 2])],
        )
        .app()
}

fn row(row: i32) -> Rect {
    Rect::new(0, (row - 1) * 200, 1080, row * 200)
}

/// An action of the agent that does this in that state.
fn deed(app: &RecordedApp, state: &str, dids: &[Did]) -> Deed {
    let state = StateId::new(state).unwrap();
    let played = |did: &Did| {
        let way = Routes::default().take(app, &state, did);
        Played { state: state.clone(), did: did.clone(), way }
    };
    dids.iter().map(played).collect()
}

fn tap(at: i32) -> Did {
    Did::Click(row(at).center())
}

fn typed(text: &str) -> Did {
    Did::Typed { field: row(3), text: text.into(), done: false }
}

/// The human's three actions; the last one begins with a touch on the field.
fn solution(app: &RecordedApp) -> Vec<Deed> {
    vec![deed(app, "a", &[tap(1)]), deed(app, "b", &[tap(2)]), deed(app, "c", &[tap(3), typed("Milk")])]
}

fn is_completed(change: impl FnOnce(&RecordedApp, &mut Attempt)) -> bool {
    let app = recording();
    let mut attempt = Attempt { deeds: solution(&app), declared: true, ..Attempt::default() };
    change(&app, &mut attempt);
    completed(&app.tasks[0], &[attempt], 0)
}

/// An action that leads nowhere.
fn other(app: &RecordedApp) -> Deed {
    deed(app, "a", &[tap(4)])
}

#[test]
fn the_humans_own_way_completes_a_task() {
    assert!(is_completed(|_, _| ()));
}

#[test]
fn actions_that_are_not_essential_may_be_left_out() {
    assert!(is_completed(|_, attempt| drop(attempt.deeds.remove(0))));
}

#[test]
fn every_essential_action_counts_and_so_does_their_order() {
    assert!(!is_completed(|_, attempt| drop(attempt.deeds.remove(1))));
    assert!(!is_completed(|_, attempt| drop(attempt.deeds.remove(2))));
    assert!(!is_completed(|_, attempt| attempt.deeds.swap(1, 2)));
}

#[test]
fn an_essential_action_counts_only_from_its_own_state() {
    assert!(!is_completed(|app, attempt| attempt.deeds[1] = deed(app, "a", &[tap(2)])));
}

#[test]
fn the_text_must_be_the_humans() {
    assert!(!is_completed(|app, attempt| attempt.deeds[2] = deed(app, "c", &[tap(3), typed("Oil")])));
    assert!(is_completed(|app, attempt| attempt.deeds[2] = deed(app, "c", &[tap(3), typed(" Milk ")])));
}

#[test]
fn the_agent_itself_must_say_that_it_is_done() {
    assert!(!is_completed(|_, attempt| attempt.declared = false));
}

#[test]
fn one_action_after_the_last_essential_one_is_forgiven_and_two_are_not() {
    assert!(is_completed(|app, attempt| attempt.deeds.push(other(app))));
    assert!(!is_completed(|app, attempt| attempt.deeds.extend([other(app), other(app)])));
}

#[test]
fn an_action_that_is_done_on_the_way_and_at_the_end_counts_at_the_end() {
    let app = ["a", "b", "c"]
        .iter()
        .fold(Sample::new("a"), |sample, id| sample.state(id, &["Button One"]))
        .way("b", "click", 1, None, "a", "user")
        .task(
            "t",
            &[("a", "click", 1, None), ("b", "click", 1, None), ("a", "click", 1, None), ("b", "click", 1, None)],
            "c",
            &[3],
            &[],
        )
        .app();
    let deeds = vec![deed(&app, "a", &[tap(1)]), deed(&app, "b", &[tap(1)])];
    let twice: Vec<Deed> = deeds.iter().chain(&deeds).cloned().collect();
    assert!(completed(&app.tasks[0], &[Attempt { deeds: twice, declared: true, ..Attempt::default() }], 0));
    let followed: Vec<Deed> = deeds.into_iter().chain((0..2).map(|_| deed(&app, "a", &[tap(1)]))).collect();
    assert!(!completed(&app.tasks[0], &[Attempt { deeds: followed, declared: true, ..Attempt::default() }], 0));
}

#[test]
fn the_budget_is_twice_the_humans_actions_and_four() {
    let app = recording();
    assert_eq!(budget(&app.tasks[0]), 10);
    let before = |attempt: &mut Attempt, app: &RecordedApp, n: usize| {
        attempt.deeds.splice(0..0, (0..n).map(|_| other(app)));
    };
    assert!(is_completed(|app, attempt| before(attempt, app, 7)));
    assert!(!is_completed(|app, attempt| before(attempt, app, 8)));
}

#[test]
fn a_touch_means_the_smallest_place_that_holds_it() {
    let nested = serde_json::json!(
        {"from": "b", "to": "a", "action": {"type": "click", "bounds": [500, 280, 580, 320]}, "source": "user"}
    );
    let app = ["a", "b", "c"]
        .iter()
        .fold(Sample::new("a"), |sample, id| sample.state(id, &["Button One", "Button Two"]))
        .line(nested)
        .task("t", &[("b", "click", 2, None)], "c", &[0], &[])
        .app();
    let human = &app.tasks[0].actions[0];
    let touched = |at| performs(human, &deed(&app, "b", &[Did::Click(at)])[0]);
    assert!(touched(Point::new(100, 300)));
    assert!(!touched(Point::new(540, 300)), "that is the button within the row");
}

#[test]
fn pressing_back_and_touching_the_way_back_are_the_same() {
    let app = ["a", "b"]
        .iter()
        .fold(Sample::new("a"), |sample, id| sample.state(id, &["Button Up"]))
        .way("a", "back", 1, None, "b", "task")
        .task("t", &[("a", "back", 1, None)], "b", &[0], &[])
        .app();
    let human = &app.tasks[0].actions[0];
    assert!(performs(human, &deed(&app, "a", &[Did::Back])[0]));
    assert!(performs(human, &deed(&app, "a", &[tap(1)])[0]));
    assert!(!performs(human, &deed(&app, "a", &[Did::Click(Point::new(5, 2000))])[0]));
}

#[test]
fn a_step_passes_with_its_actions_in_order_and_at_most_two_others_before_the_last() {
    let app = recording();
    let task = &app.tasks[0];
    let passed = |deeds: Vec<Deed>| {
        step_passed(task, &task.steps[1].actions, &Attempt { deeds, declared: true, ..Attempt::default() })
    };
    let [_, second, third] = <[Deed; 3]>::try_from(solution(&app)).unwrap();
    let o = || other(&app);
    assert!(passed(vec![second.clone(), third.clone()]));
    assert!(passed(vec![o(), second.clone(), o(), third.clone()]));
    assert!(!passed(vec![o(), second.clone(), o(), o(), third.clone()]));
    assert!(passed(vec![second.clone(), third.clone(), o(), o(), o()]), "what follows is another step's trouble");
    assert!(!passed(vec![third.clone(), second.clone()]));
    assert!(!passed(vec![second]));
    assert!(!passed(Vec::new()));
}
