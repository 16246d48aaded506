//! Android's dialogs for a date and a time, asked for by actions.

use super::User;
use crate::{AppProcess, Gesture, KeyOutcome};

const TRIP: &str = r#"
package: com.example.pay
label: Trip
state: {day: "", due: "", at: "", set: 0}
screens:
  - id: home
    body:
      - button: {id: pick, text: Pick, on_tap: [{pick_date: {bind: day, min: today(), max: 'add_days(today(), 40)', on_set: [{set: {set: set + 1}}]}}]}
      - button: {id: due_button, text: Due, on_tap: [{pick_date: {bind: due, format: MM/DD/YY}}]}
      - button: {id: time, text: Time, on_tap: [{pick_time: {bind: at}}]}
      - text: {id: out, text: "{{ day }}|{{ due }}|{{ at }}|{{ set }}"}
"#;

#[test]
fn a_date_is_chosen_and_taken_over_with_ok_only() {
    let mut user = User::of(TRIP, &[]);
    user.tap("pick").tap("CANCEL");
    assert_eq!(user.text("out"), "|||0");
    user.tap("pick");
    user.app.key(4);
    assert_eq!(user.text("out"), "|||0");
    user.tap("pick").tap("OK");
    assert_eq!(user.text("out"), "2026-01-05|||1", "today comes first");
    user.tap("pick").tap("Next month").tap("10").tap("OK");
    assert_eq!(user.text("out"), "2026-02-10|||2");
}

#[test]
fn a_day_out_of_bounds_cannot_be_chosen() {
    let mut user = User::of(TRIP, &[]);
    user.tap("pick").tap("2").tap("OK");
    assert_eq!(user.text("out"), "2026-01-05|||1");
}

#[test]
fn a_date_is_held_as_its_format_says() {
    let mut user = User::of(TRIP, &[("due", "03/09/26".into())]);
    user.tap("due_button").tap("17").tap("OK");
    assert_eq!(user.text("out"), "|03/17/26||0", "the dialog begins with the month of the present value");
}

#[test]
fn a_time_is_chosen() {
    let mut user = User::of(TRIP, &[("at", "18:45".into())]);
    user.tap("time").tap("OK");
    assert_eq!(user.text("out"), "||18:45|0");
}

#[test]
fn where_the_day_has_24_hours_the_dial_has_them_and_no_halves() {
    let mut user = User::of(TRIP, &[("at", "09:45".into())]);
    user.app.configure(&crate::Configuration { locale: "de-DE".to_owned(), ..crate::Configuration::default() });
    user.tap("time");
    let shown = user.all();
    assert!(shown.iter().all(|e| !e.resource_id.ends_with("ampm_layout")), "no halves");
    assert!(shown.iter().any(|e| e.resource_id == "android:id/hours" && e.text == "09"));
    let hour = |name: &str| shown.iter().find(|e| e.content_desc == name).unwrap_or_else(|| panic!("no {name}"));
    // 21 stands on the inner ring, within 9.
    assert!(hour("9").selected && hour("21").bounds.left > hour("9").bounds.left, "{:?}", hour("21").bounds);
    user.app.gesture(Gesture::Tap(hour("21").bounds.center()));
    let minute = user.all().into_iter().find(|e| e.content_desc == "15").expect("the minutes come next");
    user.app.gesture(Gesture::Tap(minute.bounds.center()));
    user.tap("OK");
    assert_eq!(user.text("out"), "||21:15|0");
}

#[test]
fn the_halves_of_the_day_are_called_as_the_language_does() {
    let mut user = User::of(TRIP, &[("at", "18:45".into())]);
    user.app.configure(&crate::Configuration { locale: "ko-KR".to_owned(), ..crate::Configuration::default() });
    user.tap("time").tap("오전").tap("확인");
    assert_eq!(user.text("out"), "||06:45|0");
}

const STAY: &str = r#"
package: com.example.pay
label: Stay
state: {from: "", last: "", changes: 0, mail: ""}
screens:
  - id: home
    body:
      - calendar: {bind: from, until: last, min: '2026-01-02', on_change: [{set: {changes: changes + 1}}]}
      - text: {id: said, text: "{{ from }} to {{ last }}, {{ changes }}"}
      - field: {id: mail, bind: mail, input: email}
"#;

#[test]
fn two_touches_choose_a_range_of_days_and_a_third_begins_anew() {
    let mut user = User::of(STAY, &[]);
    let touch = |user: &mut User, day: &str| {
        let found =
            user.all().into_iter().find(|e| e.content_desc.ends_with(day)).unwrap_or_else(|| panic!("no {day}"));
        user.app.gesture(Gesture::Tap(found.bounds.center()));
    };
    for (day, said) in [
        ("05 January 2026", "2026-01-05 to , 1"),
        ("09 January 2026", "2026-01-05 to 2026-01-09, 2"),
        ("20 January 2026", "2026-01-20 to , 3"),
        // An earlier day is another beginning; the same day twice is a range of one.
        ("12 January 2026", "2026-01-12 to , 4"),
        ("12 January 2026", "2026-01-12 to 2026-01-12, 5"),
        ("05 January 2026", "2026-01-05 to , 6"),
        ("07 January 2026", "2026-01-05 to 2026-01-07, 7"),
    ] {
        touch(&mut user, day);
        assert_eq!(user.text("said"), said, "{day}");
    }
    let chosen: Vec<String> = user.all().into_iter().filter(|e| e.selected).map(|e| e.content_desc).collect();
    assert_eq!(chosen, ["Start date 05 January 2026", "End date 07 January 2026"]);
    let early = user.all().into_iter().find(|e| e.content_desc == "01 January 2026").expect("the first of January");
    assert!(!early.enabled);
}

#[test]
fn escape_hides_the_keyboard_and_a_field_for_mail_takes_spaces() {
    let mut user = User::of(STAY, &[]);
    user.tap("mail");
    assert!(user.app.keyboard_shown());
    user.app.type_text("a b@c.d ");
    assert_eq!(user.text("mail"), "a b@c.d ");
    user.app.key(111);
    assert!(!user.app.keyboard_shown());
    assert_eq!(user.app.key(111), KeyOutcome::Handled, "and does nothing more");
    assert_eq!(user.text("mail"), "a b@c.d ");
}

const FOLDERS: &str = r#"
package: com.example.pay
label: Folders
state: {name: "", first: "", last: ""}
screens:
  - id: home
    body:
      - field: {id: search, bind: last}
      - button: {id: new, text: New, on_tap: [{show: folder}]}
      - button: {id: person, text: Person, on_tap: [{show: person}]}
      - text: {id: out, text: "{{ name }}|{{ first }}"}
dialogs:
  - {id: folder, title: New folder, body: [{field: {id: name, bind: name}}], buttons: [{text: Create}]}
  - {id: person, title: Person, body: [{field: {id: first, bind: first}}, {field: {id: last, bind: last}}], buttons: [{text: Save}]}
"#;

#[test]
fn a_dialogs_only_field_has_the_focus_once_the_dialog_stands_and_no_keyboard_comes_up() {
    let mut user = User::of(FOLDERS, &[]);
    user.tap("new");
    let focused: Vec<String> = user.all().into_iter().filter(|e| e.focused).map(|e| e.resource_id).collect();
    assert_eq!(focused, ["com.example.pay:id/name"]);
    assert!(!user.app.keyboard_shown());
    user.app.type_text("Taxes");
    user.tap("Create");
    assert_eq!(user.text("out"), "Taxes|");
    user.tap("person");
    assert!(user.all().iter().all(|e| !e.focused), "none of several");
}
