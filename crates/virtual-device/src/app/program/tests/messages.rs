//! Snackbars, dialogs that are dismissed, the log.

use super::User;
use crate::AppProcess;

const UNDO: &str = r#"
package: com.example.pay
label: List
state: {items: [one, two], gone: 0, dismissed: 0}
screens:
  - id: home
    body:
      - button: {id: remove, text: Remove, on_tap: [{set: {items: "without(items, 0)"}}, {snackbar: {text: "{{ items.len() }} left", action: Undo, on_action: [{set: {items: '["one", "two"]'}}], ms: 3000}}]}
      - button: {id: say, text: Say, on_tap: [{snackbar: Saved}]}
      - button: {id: ask, text: Ask, on_tap: [{show: sure}]}
      - button: {id: pick, text: Pick, on_tap: [{show: sheet}]}
      - button: {id: log, text: Log, on_tap: [{log: {tag: Cart, level: warning, text: "total {{ items.len() }}"}}, {log: {text: plain}}]}
      - button: {id: next, text: Next, on_tap: [{goto: other}]}
      - text: {id: out, text: "{{ items.len() }} {{ dismissed }}"}
  - id: other
    title: Other
dialogs:
  - {id: sure, title: Sure?, on_dismiss: [{set: {dismissed: dismissed + 1}}], buttons: [{text: "Yes"}]}
sheets:
  - {id: sheet, title: Pick one, body: [{text: {text: A}}], on_dismiss: [{set: {dismissed: dismissed + 10}}]}
"#;

#[test]
fn a_snackbar_is_in_the_dump_until_its_time_is_over_or_its_button_is_pressed() {
    let mut user = User::of(UNDO, &[]);
    user.tap("remove");
    assert_eq!(user.text("snackbar_text"), "1 left");
    let action = user.find("snackbar_action").expect("its button");
    assert!(action.clickable && action.text == "Undo");
    user.wait(2999);
    assert!(user.sees("snackbar_text"));
    user.wait(1);
    assert!(!user.sees("snackbar_text"));
    user.tap("remove").tap("Undo");
    assert!(!user.sees("snackbar_text"));
    assert_eq!(user.text("out"), "2 0");
}

#[test]
fn a_snackbar_goes_with_its_screen_and_lies_above_the_content() {
    let mut user = User::of(UNDO, &[]);
    user.tap("say");
    assert_eq!(user.text("snackbar_text"), "Saved");
    assert!(user.find("snackbar_action").is_none());
    let bar = user.find("snackbar_text").expect("the text").bounds;
    assert!(bar.top > 2000 && bar.bottom < 2400, "{bar}");
    user.tap("next");
    assert!(!user.sees("snackbar_text"));
}

#[test]
fn what_is_dismissed_says_so_and_a_button_does_not() {
    let mut user = User::of(UNDO, &[]);
    user.tap("ask").tap("Yes");
    assert_eq!(user.text("out"), "2 0");
    user.tap("ask").app.key(4);
    assert_eq!(user.text("out"), "2 1");
    user.tap("pick").app.key(4);
    assert_eq!(user.text("out"), "2 11");
}

#[test]
fn log_lines_have_logcats_form() {
    let mut user = User::of(UNDO, &[]);
    user.tap("log");
    assert_eq!(user.app.take_log(), ["W Cart    : total 2", "I List    : plain"]);
}
