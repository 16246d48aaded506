//! Snackbars, dialogs that are dismissed, the log.

use super::User;
use crate::{AppProcess, Gesture, KeyOutcome};
use std::time::Duration;

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
fn escape_closes_a_dialog_and_a_sheet_as_back_does() {
    let mut user = User::of(UNDO, &[]);
    user.tap("ask").app.key(111);
    assert_eq!(user.text("out"), "2 1");
    user.tap("pick").app.key(111);
    assert_eq!(user.text("out"), "2 11");
    assert_eq!(user.app.key(111), KeyOutcome::Handled, "and leaves no screen");
    assert_eq!(user.text("out"), "2 11");
}

#[test]
fn log_lines_have_logcats_form() {
    let mut user = User::of(UNDO, &[]);
    user.tap("log");
    assert_eq!(user.app.take_log(), ["W Cart    : total 2", "I List    : plain"]);
}

const MAIL: &str = r#"
package: com.example.pay
label: Mail
state: {chosen: [], opened: 0}
screens:
  - id: home
    title: Inbox
    selection:
      when: chosen.len() > 0
      title: "{{ chosen.len() }} selected"
      actions: [{icon_button: {icon: trash, desc: Delete, on_tap: [{set: {chosen: "[]"}}, {snackbar: {text: Gone, action: Undo, ms: 0}}]}}]
      on_close: [{set: {chosen: "[]"}}]
    body:
      - list:
          items: "[1, 2]"
          item:
            - list_item:
                id: mail
                title: "Mail {{ item }}"
                selected: chosen.contains(item)
                on_long_press: [{set: {chosen: "append(chosen, item)"}}]
                on_tap: [{if: {when: chosen.len() > 0, then: [{set: {chosen: "append(chosen, item)"}}], else: [{set: {opened: item}}]}}]
"#;

#[test]
fn a_selection_has_a_bar_of_its_own_and_back_ends_it() {
    let mut user = User::of(MAIL, &[]);
    let rows: Vec<_> = user.all().into_iter().filter(|e| e.resource_id.ends_with("/mail")).collect();
    let (first, second) = (rows[0].bounds.center(), rows[1].bounds.center());
    user.app.gesture(Gesture::LongPress(first));
    user.app.gesture(Gesture::Tap(second));
    assert_eq!(user.text("action_bar_title"), "2 selected");
    assert!(!user.sees("Inbox"));
    let close = user.find("action_mode_close_button").expect("the cross");
    assert_eq!((close.class.as_str(), close.content_desc.as_str()), ("android.widget.ImageView", "Done"));
    assert_eq!(user.app.key(4), KeyOutcome::Handled);
    assert!(user.sees("Inbox") && user.find("action_mode_bar").is_none());
    assert_eq!(user.app.key(4), KeyOutcome::Finish);
}

#[test]
fn a_snackbar_without_end_stays_until_it_is_swiped_away() {
    let mut user = User::of(MAIL, &[]);
    let row = user.find("mail").expect("a row").bounds.center();
    user.app.gesture(Gesture::LongPress(row));
    let delete = user.all().into_iter().find(|e| e.content_desc == "Delete").expect("a button").bounds.center();
    user.app.gesture(Gesture::Tap(delete));
    user.wait(60_000);
    let text = user.find("snackbar_text").expect("it stays").bounds.center();
    let aside = crate::domain::Point::new(text.x + 500, text.y);
    user.app.gesture(Gesture::Swipe { from: text, to: aside, duration: Duration::from_millis(150) });
    assert!(user.find("snackbar_text").is_none());
}
