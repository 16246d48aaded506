//! What survives the process, and what the system is asked for and answers.

use super::User;
use crate::{AppProcess, Surroundings, SystemAnswer, SystemRequest};
use std::sync::Arc;
use std::time::Duration;

const NOTES: &str = r#"
package: com.example.pay
label: Notes
state: {notes: [], draft: "", count: 0, said: ""}
persist: [notes, count]
permissions: [android.permission.CAMERA, android.permission.RECORD_AUDIO]
screens:
  - id: home
    body:
      - field: {id: draft, bind: draft, label: Note}
      - button: {id: add, text: Add, on_tap: [{set: {notes: "append(notes, #{text: draft, done: false})", count: count + 1, draft: '""'}}]}
      - text: {id: all, text: "{{ join(fields(notes, \"text\"), \",\") }} {{ count }} {{ draft }}"}
      - text: {id: said, text: "{{ said }} {{ granted(\"android.permission.CAMERA\") }}"}
      - button:
          id: camera
          text: Camera
          on_tap:
            - request_permission:
                name: android.permission.CAMERA
                granted: [{set: {said: '"yes"'}}]
                denied: [{set: {said: '"no"'}}]
      - button:
          id: both
          text: Both
          on_tap:
            - request_permission:
                names: [android.permission.CAMERA, android.permission.RECORD_AUDIO]
                granted: [{set: {said: '"both"'}}]
                denied: [{set: {said: '"not both"'}}]
      - button: {id: share, text: Share, on_tap: [{share: {text: "Notes: {{ count }}", title: Send}}, {copy: "{{ count }}"}]}
      - button: {id: open, text: Open, on_tap: [{open_url: "maps://here"}, {launch: com.example.maps}]}
"#;

const CAMERA: &str = "android.permission.CAMERA";
const MICROPHONE: &str = "android.permission.RECORD_AUDIO";

fn answer(user: &mut User, name: &str, granted: bool) {
    user.app.answered(&SystemAnswer::Permission { name: name.to_owned(), granted });
}

#[test]
fn what_is_kept_survives_the_process_and_the_rest_does_not() {
    let mut user = User::of(NOTES, &[]);
    user.fill("draft", "milk").app.key(4);
    user.tap("add").fill("draft", "half");
    assert_eq!(user.text("all"), "milk 1 half");
    let data = user.app.persisted().expect("something is kept");
    let mut again = User::started(NOTES, |context| context.data = Some(data.clone()));
    assert_eq!(again.text("all"), "milk 1 ");
    let mut cleared = User::started(NOTES, |context| context.data = None);
    assert_eq!(cleared.text("all"), " 0 ");
    // A version that holds something else under the name starts afresh with it.
    let other = NOTES.replace("count: 0", "count: \"none\"").replace("count: count + 1, ", "");
    let mut other = User::started(&other, |context| context.data = Some(data));
    assert_eq!(other.text("all"), "milk none ");
    let mut broken = User::started(NOTES, |context| context.data = Some(b"not json".to_vec()));
    assert_eq!(broken.text("all"), " 0 ");
}

#[test]
fn nothing_is_kept_when_nothing_is_named() {
    let user = User::of(&NOTES.replace("persist: [notes, count]\n", ""), &[]);
    assert_eq!(user.app.persisted(), None);
}

#[test]
fn a_permission_is_asked_for_and_the_answer_decides() {
    let mut user = User::of(NOTES, &[]);
    user.tap("camera");
    assert_eq!(user.app.take_requests(), [SystemRequest::Permission(vec![CAMERA.to_owned()])]);
    assert_eq!(user.text("said"), " false", "nothing happens before the answer");
    answer(&mut user, CAMERA, false);
    assert_eq!(user.text("said"), "no false");
    user.tap("camera");
    answer(&mut user, CAMERA, true);
    assert_eq!(user.text("said"), "yes true");
    user.app.take_requests();
    user.tap("camera");
    assert!(user.app.take_requests().is_empty(), "what is granted is not asked for again");
}

#[test]
fn several_permissions_are_one_request_with_one_outcome() {
    for (microphone, said) in [(true, "both true"), (false, "not both true")] {
        let mut user = User::of(NOTES, &[]);
        user.tap("both");
        let asked = vec![CAMERA.to_owned(), MICROPHONE.to_owned()];
        assert_eq!(user.app.take_requests(), [SystemRequest::Permission(asked)]);
        answer(&mut user, CAMERA, true);
        assert_eq!(user.text("said"), " true");
        answer(&mut user, MICROPHONE, microphone);
        assert_eq!(user.text("said"), said);
    }
}

#[test]
fn a_permission_granted_from_outside_is_seen() {
    let mut user = User::of(NOTES, &[]);
    let granted = Arc::new([CAMERA.to_owned()].into());
    user.app.advance(&Surroundings { granted, ..Surroundings::at(Duration::from_secs(1)) });
    assert_eq!(user.text("said"), " true");
}

#[test]
fn sharing_copying_and_opening_are_requests_to_the_system() {
    let mut user = User::of(NOTES, &[]);
    user.tap("share");
    let shared = SystemRequest::Share { text: "Notes: 0".to_owned(), title: Some("Send".to_owned()) };
    assert_eq!(user.app.take_requests(), [shared, SystemRequest::Copy("0".to_owned())]);
    user.tap("open");
    let open = SystemRequest::Open("maps://here".to_owned());
    assert_eq!(user.app.take_requests(), [open, SystemRequest::Launch("com.example.maps".to_owned())]);
    let quiet = user.hash();
    user.app.answered(&SystemAnswer::Unopened { uri: "maps://here".to_owned() });
    assert_ne!(user.hash(), quiet, "a toast says so");
}
