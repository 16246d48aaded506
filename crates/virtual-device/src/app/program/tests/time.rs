//! Delays, repetitions, chance, dates, what is watched.

use super::User;
use crate::{AppProcess, Surroundings};
use std::time::Duration;

const CLOCK: &str = r#"
package: com.example.pay
label: Clock
state: {ticks: 0, popups: 0, order: [], drawn: 0, when: ""}
screens:
  - id: home
    on_open:
      - repeat: {every_ms: 1000, while: ticks < 5, do: [{set: {ticks: ticks + 1, when: 'time("HH:mm:ss")'}}]}
      - delay: {ms: [200, 900], then: [{set: {popups: now_ms()}}]}
      - for_each: {items: "shuffled(range(0, 6))", do: [{set: {order: "append(order, item * 10 + index)"}}]}
      - set: {drawn: "random(1000000)"}
    body:
      - text: {id: ticks, text: "{{ ticks }} at {{ when }}"}
      - text: {id: popups, text: "{{ popups }}"}
      - text: {id: order, text: "{{ join(order, \",\") }}"}
      - text: {id: drawn, text: "{{ drawn }}"}
      - button: {id: next, text: Next, on_tap: [{goto: other}]}
  - id: other
    title: Other
"#;

#[test]
fn a_repetition_goes_on_while_its_condition_holds_and_knows_its_own_time() {
    let mut user = User::of(CLOCK, &[]);
    user.wait(2500);
    assert_eq!(user.text("ticks"), "2 at 09:30:02");
    user.wait(60_000);
    assert_eq!(user.text("ticks"), "5 at 09:30:05", "each at its own time, also when the clock jumps");
}

#[test]
fn a_repetition_goes_on_below_another_screen_and_ends_with_its_own() {
    let mut user = User::of(CLOCK, &[]);
    user.tap("next");
    user.wait(3000);
    user.app.key(4);
    assert_eq!(user.text("ticks"), "3 at 09:30:03");
    assert_eq!(user.app.timers.len(), 1);
}

#[test]
fn a_delay_within_a_range_and_chance_follow_from_the_seed() {
    let run = |seed: u64, pid: u32| {
        let mut user = User::started(CLOCK, |context| {
            context.seed = seed;
            context.pid = pid;
        });
        // Looking draws nothing.
        (0..5).for_each(|_| drop(user.all()));
        user.wait(950);
        (user.text("popups"), user.text("order"), user.text("drawn"))
    };
    let (popup, order, _) = run(1, 1);
    let at: u64 = popup.parse().expect("a number");
    assert!((200..=900).contains(&at), "{at}");
    let mut items: Vec<u32> = order.split(',').map(|n| n.parse::<u32>().expect("a number") / 10).collect();
    items.sort_unstable();
    assert_eq!(items, [0, 1, 2, 3, 4, 5]);
    assert_eq!(run(1, 1), run(1, 1));
    assert_ne!(run(1, 1), run(2, 1));
    assert_ne!(run(1, 1), run(1, 2), "another launch draws anew");
}

#[test]
fn what_is_watched_runs_once_for_each_time_the_condition_turns_true() {
    let app = r#"
package: com.example.pay
label: Watch
state: {n: 0, high: 0, far: 0, seen: 0}
watch:
  - {when: n > 2, do: [{set: {high: high + 1}}]}
  - {when: high == 2, do: [{set: {far: 1}}]}
screens:
  - id: home
    watch: [{when: has_location(), do: [{set: {seen: round(latitude())}}]}]
    body:
      - text: {id: out, text: "{{ n }} {{ high }} {{ far }} {{ seen }}"}
      - button: {id: more, text: More, on_tap: [{set: {n: n + 1}}]}
      - button: {id: zero, text: Zero, on_tap: [{set: {n: 0}}]}
"#;
    let mut user = User::of(app, &[]);
    user.tap("more").tap("more");
    assert_eq!(user.text("out"), "2 0 0 0");
    user.tap("more").tap("more");
    assert_eq!(user.text("out"), "4 1 0 0");
    user.tap("zero").tap("more").tap("more").tap("more");
    assert_eq!(user.text("out"), "3 2 1 0", "one watch sets off another");
    let location = Some(crate::Location { latitude: 48.2, longitude: 16.4 });
    user.app.advance(&Surroundings { location, ..Surroundings::at(Duration::from_secs(1)) });
    assert_eq!(user.text("out"), "3 2 1 48");
}

#[test]
fn what_is_watched_and_sets_itself_off_without_end_crashes_the_app() {
    let app = r"
package: com.example.pay
label: Watch
state: {n: 0}
watch:
  - {when: n % 2 == 1, do: [{set: {n: n + 1}}]}
  - {when: n % 2 == 0 && n > 0, do: [{set: {n: n + 1}}]}
screens:
  - id: home
    body: [{button: {id: go, text: Go, on_tap: [{set: {n: 1}}]}}]
";
    let mut user = User::of(app, &[]);
    assert!(!user.app.crashed());
    user.tap("go");
    assert!(user.app.crashed() && user.app.take_log()[2].contains("without end"));
}

#[test]
fn a_text_that_tells_the_time_goes_on_with_it() {
    let app = r#"
package: com.example.pay
label: Time
screens:
  - id: home
    body: [{text: {id: clock, text: '{{ time("HH:mm:ss") }} {{ now_ms() }}'}}]
"#;
    let mut user = User::of(app, &[]);
    assert_eq!(user.text("clock"), "09:30:00 0");
    user.wait(65_000);
    assert_eq!(user.text("clock"), "09:31:05 65000");
}

const LATER: &str = r#"
package: com.example.pay
label: Later
state: {done: false, chain: 0, rung: false, at: ""}
watch:
  - {when: 'at == "other"', do: [{delay: {ms: 500, then: [{set: {rung: "true"}}, {goto: third}]}}]}
screens:
  - id: home
    on_open:
      - delay: {ms: 100, then: [{set: {done: "true"}}, {delay: {ms: 100, then: [{set: {chain: chain + 1}}]}}]}
      - delay: {ms: 300, then: [{if: {when: "true", then: [{show: offer}]}}]}
    body:
      - button: {id: next, text: Next, on_tap: [{goto: other}]}
      - text: {id: said, text: "{{ done }} {{ chain }}"}
  - id: other
    title: Other
    body: [{button: {id: watched, text: Watch, on_tap: [{set: {at: '"other"'}}]}}]
  - id: third
    title: Third
dialogs:
  - {id: offer, title: An offer, buttons: [{text: Close}]}
"#;

#[test]
fn what_a_delay_opens_does_not_come_up_over_another_screen_and_what_it_computes_goes_on() {
    let mut user = User::of(LATER, &[]);
    user.wait(400);
    assert!(user.sees("An offer"), "over its own screen it does");
    let mut user = User::of(LATER, &[]);
    user.tap("next");
    user.wait(1000);
    assert!(user.sees("Other") && !user.sees("An offer"));
    user.app.key(4);
    assert_eq!(user.text("said"), "true 1");
    assert!(!user.sees("An offer"), "it has ended");
}

#[test]
fn a_delay_begun_below_another_screen_ends_with_its_own_and_the_apps_own_with_none() {
    let mut user = User::of(LATER, &[]);
    user.tap("next");
    // The first delay fires here and begins the second, which belongs to `home`.
    user.wait(150);
    let home = user.app.stack[0].instance;
    assert!(user.app.timers.iter().all(|timer| timer.instance == home) && user.app.timers.len() == 2);
    user.tap("watched");
    user.app.key(4);
    user.wait(1000);
    assert!(user.sees("Third"), "what the app itself watches for belongs to no screen");
}
