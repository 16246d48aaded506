//! Android's dialogs for a date and a time, asked for by actions.

use super::User;
use crate::AppProcess;

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
