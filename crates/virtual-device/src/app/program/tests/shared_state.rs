//! What devices of one process share.

use super::super::super::Channels;
use super::User;
use crate::AppProcess;
use crate::app::{AppContext, AppFile, LaunchError, launch};
use std::sync::Arc;

const RIDER: &str = r#"
package: com.example.pay
label: Rider
state: {asked: 0}
shared: {channel: rides, state: {requests: [], driver: ""}}
screens:
  - id: home
    watch: [{when: driver != "", do: [{show: found}]}]
    body:
      - button: {id: ask, text: Ask, on_tap: [{set: {requests: "append(requests, #{from: `Main St`, id: requests.len()})", asked: asked + 1}}]}
      - text: {id: out, text: "{{ requests.len() }} {{ asked }}"}
dialogs:
  - {id: found, title: "{{ driver }} is coming", buttons: [{text: Fine}]}
"#;

const DRIVER: &str = r#"
package: com.example.driver
label: Driver
shared: {channel: rides, state: {requests: [], driver: ""}}
screens:
  - id: home
    body:
      - list:
          items: requests
          item: [{button: {text: "Accept {{ item.id }} from {{ item.from }}", on_tap: [{set: {driver: '"Ben"', requests: "without(requests, index)"}}]}}]
"#;

fn on(channels: &Channels, app: &str) -> User {
    let channels = channels.clone();
    User::started(app, |context| context.channels = channels)
}

#[test]
fn a_request_on_one_device_appears_on_another_and_is_answered() {
    let channels = Channels::default();
    let (mut rider, mut driver) = (on(&channels, RIDER), on(&channels, DRIVER));
    let mut elsewhere = on(&Channels::default(), DRIVER);
    rider.tap("ask");
    driver.wait(100);
    assert!(driver.sees("Accept 0 from Main St"));
    elsewhere.wait(100);
    assert!(!elsewhere.sees("Accept 0 from Main St"), "another process");
    assert!(!rider.sees("Ben is coming"));
    driver.tap("Accept 0 from Main St");
    assert!(!driver.sees("Accept 0 from Main St"));
    rider.wait(100);
    assert!(rider.sees("Ben is coming"), "the watch fires on what others change");
    rider.tap("Fine");
    assert_eq!(rider.text("out"), "0 1", "state that is not shared stays its own");
}

#[test]
fn a_device_that_joins_later_sees_what_is_there() {
    let channels = Channels::default();
    on(&channels, RIDER).tap("ask");
    assert!(on(&channels, DRIVER).sees("Accept 0 from Main St"));
}

#[test]
fn no_change_is_lost_when_many_devices_write_at_once() {
    let channels = Channels::default();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut rider = on(&channels, RIDER);
                for _ in 0..25 {
                    rider.tap("ask");
                }
            });
        }
    });
    let mut rider = on(&channels, RIDER);
    assert_eq!(rider.text("out"), "200 0");
}

#[test]
fn an_app_whose_shared_variables_do_not_fit_does_not_start() {
    let channels = Channels::default();
    let _rider = on(&channels, RIDER);
    let other = DRIVER.replace("driver: \"\"", "driver: 0").replace("'\"Ben\"'", "1");
    let file = Arc::new(AppFile::load("driver.app.yaml", &other).expect("a right file"));
    let error = launch(file, AppContext { channels, ..AppContext::phone() }).err().expect("types differ");
    assert!(matches!(&error, LaunchError::SharedType { name, .. } if name == "driver"), "{error}");
}

#[test]
fn a_running_app_does_not_hold_the_channel_between_events() {
    let channels = Channels::default();
    let mut rider = on(&channels, RIDER);
    rider.tap("ask");
    assert!(!rider.app.crashed());
    drop(channels.join("rides", &std::collections::BTreeMap::new()).expect("free").lock());
}
