//! `input`: what reaches the app, what is printed, how it ends.

use crate::scripted_screen::ScriptedScreen;
use crate::virtual_device_facts::{Phone, phone};
use std::time::Duration;
use tapwright::virtual_device::ElementSnapshot;

/// A phone with the scripted app in front.
fn scripted(api: u32) -> (Phone, ScriptedScreen) {
    let phone = phone(api);
    let screen = ScriptedScreen::default();
    phone.0.lock().add(screen.app());
    phone.out(&format!("am start -n {}/.MainActivity", ScriptedScreen::PACKAGE));
    (phone, screen)
}

#[track_caller]
fn reaches(api: u32, line: &str, events: &[&str]) {
    let (phone, screen) = scripted(api);
    let printed = phone.sh(line);
    assert_eq!(printed, (String::new(), String::new(), 0), "{line}");
    assert_eq!(screen.events(), events, "{line}");
}

#[test]
fn every_source_and_subcommand_reaches_the_app_silently() {
    for (line, events) in [
        ("input tap 10 20", &["tap 10,20"][..]),
        ("input tap 10.9 20.2", &["tap 10,20"]),
        ("input touchscreen tap 1 2; input mouse tap 3 4; input stylus tap 5 6", &["tap 1,2", "tap 3,4", "tap 5,6"]),
        ("input -d 0 tap 1 2; input mouse -d 0 tap 3 4", &["tap 1,2", "tap 3,4"]),
        ("input -d 7 tap 1 2", &[]),
        ("input swipe 1 2 30 40", &["swipe 1,2 30,40 300"]),
        ("input swipe 1 2 30 40 1500", &["swipe 1,2 30,40 1500"]),
        ("input swipe 1 2 30 40 -5", &["swipe 1,2 30,40 300"]),
        ("input swipe 1 2 1 2 380", &["tap 1,2"]),
        ("input swipe 1 2 1 2 400", &["long press 1,2"]),
        ("settings put secure long_press_timeout 1000; input swipe 1 2 1 2 900", &["tap 1,2"]),
        ("input draganddrop 1 2 30 40 900", &["drag 1,2 30,40 900"]),
        ("input draganddrop 1 2 30 40", &["long press 1,2"]),
        ("input keyevent 4 66 KEYCODE_DEL HOME_", &["key 4", "key 66", "key 67"]),
        ("input keyevent --longpress 66; input keyevent --doubletap 61", &["key 66", "key 61", "key 61"]),
        ("input text it%sis; input text 'a  b'; input text ''", &["text it is", "text a  b"]),
        (
            "input keyboard text x; input press; input roll 0 3; input roll -2 1",
            &["text x", "key 23", "key 20", "key 21"],
        ),
        ("input motionevent DOWN 5 5; input motionevent UP 5 5", &["tap 5,5"]),
        ("input motionevent down 5 5; input motionevent cancel; input motionevent UP 5 5", &[]),
        ("input motionevent UP 5 5", &[]),
        ("input keycombination 59 66", &["key 66"]),
        ("input keycombination KEYCODE_CTRL_LEFT KEYCODE_C", &[]),
    ] {
        reaches(34, line, events);
    }
}

#[test]
fn all_printable_characters_can_be_typed_and_no_others() {
    let (phone, screen) = scripted(34);
    let all: String = (' '..='~').collect();
    phone.out(&format!("input text '{}'", all.replace('\'', "'\\''")));
    assert_eq!(screen.events(), [format!("text {all}")]);
    // TAB and LF are dropped without a word; a literal %s needs two calls.
    phone.out("input text 'a\tb\nc'; input text %; input text s");
    assert_eq!(screen.events(), ["text abc", "text %", "text s"]);
    for text in ["café", "日本", "\u{1}"] {
        let (out, err, exit) = phone.sh(&format!("input text 'x{text}'"));
        assert!(
            err.starts_with("\nException occurred while executing 'text':\njava.lang.NullPointerException: "),
            "{err}"
        );
        assert!(
            err.contains("Attempt to get length of null array") && err.contains("InputShellCommand.sendText"),
            "{err}"
        );
        assert_eq!((out.as_str(), exit), ("", 255));
        assert_eq!(screen.events(), Vec::<String>::new(), "nothing is typed");
    }
    let (old, _) = scripted(29);
    let (_, err, exit) = old.sh("input text é");
    assert!(err.contains("at com.android.commands.input.Input.sendText(Input.java)") && exit == 255, "{err}");
}

#[test]
fn a_finger_can_be_moved_by_several_commands() {
    let (phone, screen) = scripted(34);
    phone.out("input motionevent DOWN 10 10; sleep 0.2; input motionevent MOVE 100 10; input motionevent UP 150 10");
    assert_eq!(screen.events(), ["swipe 10,10 150,10 200"]);
    phone.out("input motionevent DOWN 10 10; sleep 1; input motionevent UP 12 11");
    assert_eq!(screen.events(), ["long press 10,10"]);
    let (_, err, exit) = phone.sh("input motionevent HOVER 1 2");
    assert!(err.contains("java.lang.IllegalArgumentException: Unknown action: HOVER") && exit == 255, "{err}");
}

#[test]
fn selecting_everything_and_deleting_it_clears_the_field() {
    let (phone, screen) = scripted(34);
    screen.change(|script| {
        let class = "android.widget.EditText".to_owned();
        script.root = ElementSnapshot { class, text: "abc".to_owned(), focused: true, ..ElementSnapshot::default() };
    });
    phone.out("input keycombination 113 29; input keyevent 67");
    assert_eq!(screen.events(), ["key 123", "key 67", "key 67", "key 67"]);
    phone.out("input keycombination 113 29; input tap 1 1; input keyevent 67");
    assert_eq!(screen.events(), ["tap 1,1", "key 67"], "a tap ends the selection");
}

#[test]
fn wrong_arguments_are_refused_as_each_version_does() {
    let (phone, _) = scripted(34);
    for (line, command, thrown) in [
        ("input tap", "tap", "java.lang.IllegalArgumentException: Argument expected after \"tap\""),
        ("input tap 5", "tap", "java.lang.IllegalArgumentException: Argument expected after \"5\""),
        ("input tap x 5", "tap", "java.lang.NumberFormatException: For input string: \"x\""),
        ("input tap inf 5", "tap", "java.lang.NumberFormatException: For input string: \"inf\""),
        ("input swipe 1 2 3 4 fast", "swipe", "java.lang.NumberFormatException: For input string: \"fast\""),
        ("input text", "text", "java.lang.IllegalArgumentException: Argument expected after \"text\""),
        ("input keyevent", "keyevent", "java.lang.IllegalArgumentException: Argument expected after \"keyevent\""),
        ("input -d x tap 1 2", "tap", "java.lang.NumberFormatException: For input string: \"x\""),
        (
            "input keycombination 4",
            "keycombination",
            "java.lang.IllegalArgumentException: Argument expected after \"4\"",
        ),
    ] {
        let (out, err, exit) = phone.sh(line);
        assert!(
            err.starts_with(&format!("\nException occurred while executing '{command}':\n{thrown}\n\tat ")),
            "{err}"
        );
        assert_eq!((out.as_str(), exit), ("", 255), "{line}");
    }
    let (old, screen) = scripted(29);
    let (out, err, exit) = old.sh("input tap x 5");
    assert!(err.starts_with("Error: Invalid arguments for command: tap\nUsage: input "), "{err}");
    assert_eq!((out.as_str(), exit), ("", 0));
    let (_, err, exit) = old.sh("input frob");
    assert!(err.starts_with("Error: Unknown command: frob\nUsage: ") && exit == 0, "{err}");
    assert_eq!(screen.events(), Vec::<String>::new());
}

#[test]
fn subcommands_come_with_their_api_level() {
    for (api, line, known) in [
        (36, "input scroll 100 200 --axis VSCROLL,1", false),
        (37, "input scroll 100 200 --axis VSCROLL,1", true),
        (30, "input keycombination 59 66", false),
        (31, "input keycombination 59 66", true),
        (28, "input motionevent DOWN 1 1", false),
        (29, "input motionevent DOWN 1 1", true),
    ] {
        let (phone, _) = scripted(api);
        let (out, err, exit) = phone.sh(line);
        assert_eq!((format!("{out}{err}").contains("Unknown command"), exit), (!known, 0), "{api} {line}: {out}{err}");
    }
    // 64 dp at 420 dpi.
    reaches(37, "input scroll 100 200 --axis VSCROLL,1", &["swipe 100,200 100,368 300"]);
}

#[test]
fn injection_is_synchronous() {
    let (phone, _) = scripted(34);
    let begin = phone.0.clock().passed();
    phone.out("input swipe 1 2 3 4 700");
    assert_eq!(phone.0.clock().passed().checked_sub(begin), Some(Duration::from_millis(700)));
}
