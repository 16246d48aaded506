//! Maps written and read back.

use super::*;
use crate::app_map::{Learner, View};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::recorded::sample::screen;
use std::sync::Arc;

fn named(mut screen: Screen, label: &str, value: &str) -> Screen {
    for widget in screen.widgets.iter_mut().filter(|widget| widget.label == label) {
        widget.value = value.to_owned();
    }
    screen.foreground = Some("com.example.mail/.Main".into());
    screen
}

fn list() -> Screen {
    named(screen(&["TextView Mail", "Button Menu", "EditText Subject", "Button Call 5550123"]), "Subject", "my diary")
}

fn menu() -> Screen {
    named(screen(&["Button Settings", "Button Help"]), "", "")
}

fn touch(screen: &Screen, label: &str) -> Action {
    Action::Click { target: screen.widgets.iter().find(|widget| widget.label == label).unwrap().target() }
}

fn learned() -> Learner {
    let mut learner = Learner::new("com.example.mail");
    learner.screen(&list());
    learner.decided();
    learner.screen(&menu());
    learner.acted(&touch(&list(), "Menu"), true);
    learner
}

#[test]
fn what_a_run_learned_is_there_in_the_next_and_is_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let store = MapStore::new(folder.path().join("maps"));
    let learner = learned();
    store.add("com.example.mail", Some("1.0 beta/2"), learner.found(), &[]).unwrap();
    let map = store.load("com.example.mail", Some("1.0 beta/2")).unwrap();
    assert_eq!(map.size(), (2, 1));
    let view = View::of(&list());
    let menu_button = view.controls.iter().position(|control| control.label == "Menu").unwrap();
    let lead = map.lead(&view, menu_button).unwrap();
    assert!(!lead.guessed && map.view(lead.to).unwrap().digest == menu().digest);
    // The same again teaches nothing; another version knows nothing of it.
    let again = store.add("com.example.mail", Some("1.0 beta/2"), learner.found(), &[]).unwrap();
    assert_eq!(again.size(), (2, 1));
    assert_eq!(store.load("com.example.mail", Some("2.0")).unwrap().size(), (0, 0));
    let names: Vec<_> =
        std::fs::read_dir(folder.path().join("maps")).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, ["com.example.mail@1.0_beta_2.map.json"], "nothing half written, no foreign path");
}

#[test]
fn neither_what_a_field_holds_nor_a_value_of_the_run_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = MapStore::new(folder.path());
    store.add("com.example.mail", None, learned().found(), &["5550123".into(), "MEN".into(), "1".into()]).unwrap();
    let text = std::fs::read_to_string(store.path("com.example.mail", None)).unwrap();
    assert!(!text.contains("diary") && !text.contains("5550123") && !text.contains("Menu"), "{text}");
    assert!(text.contains("Subject") && text.contains("Help"), "{text}");
}

#[test]
fn a_way_is_where_the_last_touch_led_and_a_screen_that_waits_is_no_place() {
    let mut learner = learned();
    let (mut waiting, other) = (screen(&["TextView Wait"]), named(screen(&["Button Inbox", "Button Sent"]), "", ""));
    waiting.foreground = menu().foreground;
    waiting.kind = crate::hierarchy::ScreenKind::Loading;
    learner.screen(&list());
    learner.decided();
    learner.screen(&waiting);
    learner.acted(&touch(&list(), "Menu"), true);
    learner.decided();
    learner.screen(&other);
    learner.acted(&Action::Wait { ms: 5 }, true);
    let mut map = AppMap::default();
    learner.found().iter().for_each(|discovery| map.discover(discovery));
    assert_eq!(map.size(), (3, 1));
    let view = View::of(&list());
    let lead = (0..view.controls.len()).find_map(|at| map.lead(&view, at)).unwrap();
    assert_eq!(map.view(lead.to).unwrap().digest, other.digest);
}

#[test]
fn a_screen_of_another_app_and_an_action_without_effect_teach_nothing() {
    let mut learner = Learner::new("com.example.mail");
    let home = Screen { foreground: Some("com.example.home/.Main".into()), ..menu() };
    learner.screen(&list());
    learner.decided();
    learner.screen(&home);
    learner.acted(&touch(&list(), "Menu"), true);
    learner.screen(&list());
    learner.decided();
    learner.screen(&menu());
    learner.acted(&touch(&list(), "Menu"), false);
    assert_eq!(learner.found().len(), 1, "only the first screen was seen");
}

#[test]
fn a_file_that_cannot_be_used_is_named_and_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = MapStore::new(folder.path());
    let path = store.path("com.example.mail", Some("1"));
    for (text, expected) in [
        ("{", "line 1"),
        (r#"{"format":9,"package":"com.example.mail","version":"1","screens":[],"ways":[]}"#, "format is 9"),
        (r#"{"format":1,"package":"com.other","version":"1","screens":[],"ways":[]}"#, "com.other"),
        (r#"{"format":1,"package":"com.example.mail","version":"1","screens":[],"ways":[[0,0,7]]}"#, "screen 7"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = store.load("com.example.mail", Some("1")).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("begun"), "{error}");
        assert_eq!(store.load_or_begin("com.example.mail", Some("1")).size(), (0, 0));
    }
    assert_eq!(store.add("com.example.mail", Some("1"), learned().found(), &[]).unwrap().size(), (2, 1));
    assert_eq!(store.load("com.example.mail", Some("1")).unwrap().size(), (2, 1));
}

#[test]
fn a_map_is_bounded() {
    let mut map = AppMap::default();
    let view = View::of(&list());
    for digest in 0..100 {
        let from = Arc::new(View { digest, ..view.clone() });
        map.discover(&Discovery { from, way: None });
    }
    assert_eq!(map.size().0, crate::app_map::MOST_ALIKE, "screens of one structure");
    for digest in 100..2000 {
        let fingerprint = crate::hierarchy::Fingerprint(digest);
        map.discover(&Discovery { from: Arc::new(View { digest, fingerprint, ..view.clone() }), way: None });
    }
    assert_eq!(map.size().0, crate::app_map::MOST_SCREENS);
}
