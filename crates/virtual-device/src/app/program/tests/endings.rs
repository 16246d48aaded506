//! Crashes, hanging, being killed.

use super::User;
use crate::{AppProcess, SystemRequest};

const FRAGILE: &str = r#"
package: com.example.pay
label: Fragile
state: {n: 0, spinning: false}
screens:
  - id: home
    on_open: [{repeat: {every_ms: 100, do: [{set: {n: n + 1}}]}}]
    body:
      - text: {id: n, text: "{{ n }}"}
      - progress: {visible: spinning, busy: true}
      - button: {id: java, text: Java, on_tap: [{crash: "cart is null at {{ n }}"}]}
      - button: {id: native, text: Native, on_tap: [{crash: {message: "out of {{ n }}", native: true}}]}
      - button: {id: hang, text: Hang, on_tap: [{set: {spinning: true}}, anr]}
      - button: {id: named, text: Named, on_tap: [{crash: "java.io.IOException: no space"}]}
      - button: {id: kill, text: Kill, on_tap: [kill, {set: {n: 99}}]}
"#;

#[test]
fn an_exception_and_a_signal_are_logged_each_in_its_form() {
    let mut user = User::of(FRAGILE, &[]);
    user.tap("java");
    assert!(user.app.crashed());
    let log = user.app.take_log();
    assert_eq!(log[0], "E AndroidRuntime: FATAL EXCEPTION: main");
    assert_eq!(log[2], "E AndroidRuntime: java.lang.IllegalStateException: cart is null at 0");
    let mut user = User::of(FRAGILE, &[]);
    user.tap("named");
    assert_eq!(user.app.take_log()[2], "E AndroidRuntime: java.io.IOException: no space");
    let mut user = User::of(FRAGILE, &[]);
    user.tap("native");
    assert!(user.app.crashed());
    let log = user.app.take_log();
    assert!(log[0].starts_with("F libc    : Fatal signal 6 (SIGABRT)"), "{log:?}");
    assert!(log.contains(&"F DEBUG   : Cmdline: com.example.pay".to_owned()));
    assert!(log.contains(&"F DEBUG   : Abort message: 'out of 0'".to_owned()));
    assert!(log.iter().all(|line| !line.contains("AndroidRuntime")));
}

#[test]
fn a_hanging_app_takes_no_input_and_nothing_in_it_moves() {
    let mut user = User::of(FRAGILE, &[]);
    user.wait(250);
    let java = user.find("java").expect("the button").bounds.center();
    user.tap("hang");
    assert!(user.app.hung() && !user.app.crashed());
    assert!(!user.app.animating(), "the spinner stands still");
    let before = user.text("n");
    user.wait(5000);
    user.app.gesture(crate::Gesture::Tap(java));
    user.app.key(4);
    user.app.type_text("x");
    assert_eq!(user.text("n"), before);
    assert!(!user.app.crashed() && user.app.take_log().is_empty());
}

#[test]
fn a_spinner_alone_keeps_no_dump_waiting() {
    let app = |more: &str| {
        format!("package: a.b\nlabel: A\nscreens: [{{id: home, body: [{{progress: {{id: wait{more}}}}}]}}]")
    };
    for (more, restless) in
        [("", false), (", linear: true", false), (", busy: true", true), (", busy: true, visible: false", false)]
    {
        let mut user = User::of(&app(more), &[]);
        user.find("wait");
        assert_eq!(user.app.animating(), restless, "{more}");
    }
}

#[test]
fn a_killed_app_asks_to_be_ended_and_does_nothing_more() {
    let mut user = User::of(FRAGILE, &[]);
    user.tap("kill");
    assert_eq!(user.app.take_requests(), [SystemRequest::Kill]);
    assert_eq!(user.text("n"), "0");
    assert!(!user.app.crashed() && user.app.take_log().is_empty());
}
