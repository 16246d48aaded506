//! Where touches, texts and keys lead.

use super::*;
use crate::recorded::sample::Sample;
use serde_json::json;

fn id(name: &str) -> StateId {
    StateId::new(name).unwrap()
}

fn took(routes: &mut Routes, app: &RecordedApp, did: &Did) -> Option<String> {
    routes.take(app, &id("a"), did).map(|way| way.to.to_string())
}

fn sample() -> Sample {
    ["b", "c", "d"]
        .iter()
        .fold(Sample::new("a").state("a", &["Button x", "EditText y"]), |sample, id| sample.state(id, &["TextView z"]))
}

const TAP: Did = Did::Click(Point::new(540, 100));

#[test]
fn a_touch_goes_to_the_smallest_bounds_that_hold_it() {
    let way =
        |bounds: [i32; 4], to: &str| json!({"from": "a", "to": to, "action": {"type": "click", "bounds": bounds}});
    let app = sample()
        .line(way([0, 0, 1080, 2400], "b"))
        .line(way([500, 90, 600, 110], "c"))
        .line(way([0, 0, 1080, 200], "d"))
        .app();
    let mut routes = Routes::default();
    let mut at = |x, y| took(&mut routes, &app, &Did::Click(Point::new(x, y)));
    assert_eq!(at(540, 100).as_deref(), Some("c"));
    assert_eq!(at(10, 100).as_deref(), Some("d"));
    assert_eq!(at(10, 2000).as_deref(), Some("b"));
    assert_eq!(at(10, 2400), None);
}

#[test]
fn without_a_match_the_state_stays() {
    let app = sample().way("a", "click", 1, None, "b", "user").app();
    let mut routes = Routes::default();
    for did in [Did::Click(Point::new(5, 900)), Did::LongClick(Point::new(540, 100)), Did::Back, Did::Launch] {
        assert_eq!(took(&mut routes, &app, &did), None, "{did:?}");
    }
    assert_eq!(routes.take(&app, &id("b"), &TAP), None, "the way belongs to another state");
}

#[test]
fn solutions_come_before_users_and_users_before_exploration() {
    let app = sample()
        .way("a", "click", 1, None, "b", "exploration")
        .way("a", "click", 1, None, "b", "exploration")
        .way("a", "click", 1, None, "c", "user")
        .way("a", "click", 1, None, "d", "task")
        .app();
    assert_eq!(took(&mut Routes::default(), &app, &TAP).as_deref(), Some("d"));
}

#[test]
fn outcomes_of_one_source_come_in_recorded_order_and_the_last_stays() {
    let app = sample()
        .way("a", "click", 1, None, "b", "solution")
        .way("a", "click", 1, None, "b", "solution")
        .way("a", "click", 1, None, "c", "solution")
        .app();
    let mut routes = Routes::default();
    let taken: Vec<_> = (0..4).map(|_| took(&mut routes, &app, &TAP).unwrap()).collect();
    assert_eq!(taken, ["b", "c", "c", "c"]);
}

#[test]
fn a_tasks_own_path_comes_first() {
    let app = sample().way("a", "click", 1, None, "b", "solution").way("b", "back", 0, None, "a", "solution").task(
        "t",
        &[("a", "click", 1, None), ("c", "back", 0, None), ("a", "click", 1, None)],
        "d",
        &[2],
        &[],
    );
    let app = app.line(json!({"from": "c", "to": "a", "action": {"type": "back"}})).app();
    let mut routes = Routes::of_task(app.task("t").unwrap());
    let taken: Vec<_> = (0..3).map(|_| took(&mut routes, &app, &TAP).unwrap()).collect();
    assert_eq!(taken, ["c", "d", "d"]);
}

#[test]
fn typing_leads_on_when_the_field_holds_the_recorded_text() {
    let app = sample().way("a", "input", 2, Some("Milk"), "b", "user").app();
    let field = Rect::new(0, 200, 1080, 400);
    let mut routes = Routes::default();
    let mut typed = |text: &str, done| took(&mut routes, &app, &Did::Typed { field, text: text.into(), done });
    assert_eq!(typed("Mil", false), None);
    assert_eq!(typed("Mil", true), None);
    assert_eq!(typed("Milk", false).as_deref(), Some("b"));
    let elsewhere = Did::Typed { field: Rect::new(0, 0, 1, 1), text: "Milk".into(), done: true };
    assert_eq!(took(&mut routes, &app, &elsewhere), None);
}

#[test]
fn an_input_without_a_text_takes_any_text_once_typing_has_ended() {
    let app = sample().way("a", "input", 2, None, "b", "user").way("a", "input", 2, Some("Oil"), "c", "user").app();
    let field = Rect::new(0, 200, 1080, 400);
    let mut routes = Routes::default();
    let mut typed = |text: &str, done| took(&mut routes, &app, &Did::Typed { field, text: text.into(), done });
    assert_eq!(typed("Milk", false), None);
    assert_eq!(typed("", true), None);
    assert_eq!(typed("Milk", true).as_deref(), Some("b"));
    assert_eq!(typed("Oil", true).as_deref(), Some("c"));
}

#[test]
fn scrolling_goes_by_direction_and_place() {
    let way = |text: Option<&str>, bounds: Option<[i32; 4]>, to: &str| json!({"from": "a", "to": to, "action": {"type": "scroll", "text": text, "bounds": bounds}});
    let app = sample()
        .line(way(Some("down"), Some([0, 0, 1080, 1000]), "b"))
        .line(way(Some("UP"), None, "c"))
        .line(way(None, Some([0, 1000, 1080, 2000]), "d"))
        .app();
    let mut routes = Routes::default();
    let mut swipe = |y, direction| took(&mut routes, &app, &Did::Scroll { from: Point::new(5, y), direction });
    assert_eq!(swipe(500, Direction::Down).as_deref(), Some("b"));
    assert_eq!(swipe(1500, Direction::Down).as_deref(), Some("d"));
    assert_eq!(swipe(500, Direction::Up).as_deref(), Some("c"));
    assert_eq!(swipe(500, Direction::Left), None);
}

#[test]
fn a_back_with_a_place_can_be_touched_there() {
    let app = sample().way("a", "back", 1, None, "b", "exploration").app();
    assert_eq!(took(&mut Routes::default(), &app, &TAP).as_deref(), Some("b"));
    assert_eq!(took(&mut Routes::default(), &app, &Did::Back).as_deref(), Some("b"));
}
