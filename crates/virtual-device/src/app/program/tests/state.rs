//! What an examiner is told of a running app.

use super::User;
use crate::{AppProcess, AppState, ConsequenceChange, ConsequenceEffect};
use serde_json::json;

const MAIL: &str = r#"
package: com.example.pay
label: Mail
state: {draft: "", sent: [], signed_in: true}
shared: {channel: mail, state: {unread: 2}}
consequences:
  - {effect: sent, added: 'fields(sent, "to")', reason: somebody reads it}
  - {effect: signed_out, changed: signed_in, reason: the password is needed again}
screens:
  - id: home
    body:
      - field: {id: draft, bind: draft, label: To}
      - button: {id: send, text: Send, on_tap: [{set: {sent: 'append(sent, #{to: draft, at: now_ms()})'}}, {goto: outbox}]}
  - id: outbox
    body:
      - button: {id: leave, text: Sign out, on_tap: [{show: sure}]}
      - text: {text: "{{ sent.len() }} of {{ unread }}"}
dialogs:
  - {id: sure, title: Sure?, buttons: [{text: No}, {text: Yes, on_tap: [{set: {signed_in: "false"}}]}]}
"#;

fn state(user: &mut User) -> AppState {
    user.app.state().unwrap()
}

#[test]
fn variables_screen_windows_and_consequences_are_told_as_they_are_now() {
    let mut user = User::of(MAIL, &[]);
    let first = state(&mut user);
    assert_eq!((first.screen.as_str(), first.windows.len()), ("home", 0));
    assert_eq!((&first.variables["unread"], &first.variables["sent"]), (&json!(2), &json!([])));
    let told: Vec<_> = first.consequences.iter().map(|one| (one.effect, one.change, one.value.clone())).collect();
    assert_eq!(
        told,
        [
            (ConsequenceEffect::Sent, ConsequenceChange::Added, json!([])),
            (ConsequenceEffect::SignedOut, ConsequenceChange::Changed, json!(true)),
        ]
    );
    user.tap("send");
    user.tap("leave");
    let later = state(&mut user);
    assert_eq!((later.screen.as_str(), later.windows.as_slice()), ("outbox", ["sure".to_owned()].as_slice()));
    assert_eq!(later.consequences[0].value, json!([""]));
    user.tap("Yes");
    assert_eq!(state(&mut user).consequences[1].value, json!(false));
}

#[test]
fn telling_the_state_changes_nothing() {
    let mut user = User::of(MAIL, &[]);
    let told = state(&mut user);
    assert_eq!(state(&mut user), told);
    assert!(!user.app.crashed());
}
