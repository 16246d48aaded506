//! Links, activities, the way back, focus, orientation.

use super::User;
use crate::domain::Size;
use crate::{AppProcess, Configuration, KeyOutcome, Orientation, SystemRequest};
use std::time::Duration;

const SHOP: &str = r#"
package: com.example.pay
label: Shop
state: {card: "", size: "", name: "", visits: 0}
links:
  - {uri: "pay://card/{id}", goto: card, set: {card: id, size: '"none"'}}
  - {uri: "https://shop.example/card/{id}?size={size_of}", goto: card, set: {card: id, size: upper(size_of)}}
screens:
  - id: home
    on_resume: [{set: {visits: visits + 1}}]
    body:
      - text: {id: visits, text: "{{ visits }}"}
      - button: {id: deep, text: Deep, on_tap: [{goto: card}, {goto: form}, {goto: player}]}
  - id: card
    title: Card
    activity: .card.CardActivity
    secure: true
    body:
      - text: {id: card, text: "{{ card }} {{ size }}"}
      - button: {id: form, text: Form, on_tap: [{goto: form}]}
  - id: form
    title: Form
    on_open: [{focus: name}]
    body:
      - field: {id: name, bind: name, label: Name}
      - button: {id: hide, text: Hide, on_tap: [{keyboard: hide}]}
      - button: {id: show, text: Show, on_tap: [{keyboard: show}]}
      - text: {id: long, text: Long, height: 3000}
      - button: {id: end, text: End, on_tap: [{scroll_to: top}]}
    bottom:
      - button: {id: down, text: Down, on_tap: [{scroll_to: bottom}]}
  - id: player
    title: Player
    orientation: landscape
    body: [{button: {id: home, text: Home, on_tap: [{back_to: home}]}}]
"#;

#[test]
fn a_link_opens_its_screen_at_the_start_and_while_the_app_runs() {
    let mut user = User::started(SHOP, |context| context.uri = Some("pay://card/12".to_owned()));
    assert_eq!(user.text("card"), "12 none");
    assert_eq!(user.app.activity(), "com.example.pay.card.CardActivity");
    assert!(user.app.open("https://shop.example/card/7?size=x%20l"));
    assert_eq!(user.text("card"), "7 X L");
    assert!(!user.app.open("https://other.example/card/7?size=xl"));
    assert_eq!(user.text("card"), "7 X L");
    user.app.key(4);
    user.app.key(4);
    assert!(user.sees("deep"), "the first screen lies below");
}

#[test]
fn an_activity_given_at_the_start_decides_the_screen() {
    let class = "com.example.pay.card.CardActivity";
    let mut user = User::started(SHOP, |context| context.activity = Some(class.to_owned()));
    assert!(user.sees("card"));
    assert_eq!(user.app.key(4), KeyOutcome::Finish, "nothing lies below");
}

#[test]
fn back_to_returns_to_a_screen_that_is_open_and_coming_back_is_noticed() {
    let mut user = User::of(SHOP, &[]);
    assert_eq!(user.text("visits"), "0", "its start is what on_open is for");
    user.tap("deep").tap("home");
    assert_eq!(user.text("visits"), "1");
    assert_eq!(user.app.key(4), KeyOutcome::Finish);
    user.app.resumed();
    assert_eq!(user.text("visits"), "1");
    user.wait(10);
    user.app.resumed();
    assert_eq!(user.text("visits"), "2", "back from another app");
}

#[test]
fn a_screen_asks_for_its_orientation_and_lets_go_of_it() {
    let mut user = User::of(SHOP, &[]);
    assert!(user.app.take_requests().is_empty());
    user.tap("deep");
    assert_eq!(user.app.take_requests(), [SystemRequest::Orientation(Some(Orientation::Landscape))]);
    user.tap("home");
    assert_eq!(user.app.take_requests(), [SystemRequest::Orientation(None)]);
}

#[test]
fn a_secure_screen_is_secure_and_no_other() {
    let mut user = User::of(SHOP, &[]);
    assert!(!user.app.secure());
    user.app.open("pay://card/1");
    assert!(user.app.secure());
}

#[test]
fn actions_focus_fields_move_the_keyboard_and_scroll() {
    let mut user = User::of(SHOP, &[]);
    user.app.open("pay://card/1");
    user.tap("form");
    assert!(user.app.keyboard_shown() && user.find("name").is_some_and(|field| field.focused));
    user.app.type_text("Ada");
    user.tap("hide");
    assert!(!user.app.keyboard_shown());
    assert_eq!(user.text("name"), "Ada");
    user.tap("show");
    assert!(user.app.keyboard_shown());
    user.tap("hide").tap("down");
    assert!(!user.sees("name") && user.sees("end"));
    user.tap("end");
    assert!(user.sees("name") && !user.sees("end"));
}

#[test]
fn a_turned_display_keeps_state_focus_and_screen() {
    let mut user = User::of(SHOP, &[]);
    user.app.open("pay://card/1");
    user.tap("form");
    user.app.type_text("Ada");
    let turned = Configuration { display: Size::new(2400, 1080), rotation: 1, ..Configuration::default() };
    user.app.configure(&turned);
    assert_eq!(user.app.display(), Size::new(2400, 1080));
    assert_eq!(user.app.render().size(), Size::new(2400, 1080));
    user.app.type_text("!");
    assert_eq!(user.text("name"), "Ada!");
    user.app.configure(&Configuration { locale: "ar".to_owned(), night: true, ..Configuration::default() });
    assert_eq!(user.text("name"), "Ada!");
    assert!(user.app.expressions.world().facts().dark);
    user.now += Duration::from_secs(1);
}
