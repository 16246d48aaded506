//! Planted bugs, A/B tests and versions, switched from outside.

use super::super::super::AppContext;
use super::super::super::file::AppFile;
use super::{Program, User};
use std::sync::Arc;

const CART: &str = r#"
package: com.example.pay
label: Cart
version: "1.0"
state: {fee: 199, greeting: Hello}
bugs: {fee_twice: the delivery fee is added twice, slow: the total takes a minute}
variants: {layout: [a, b], colour: [red, green, blue]}
versions:
  "2.0": {version_code: 20, ids: {total: sum_label}, texts: {Total: Amount due}, state: {fee: 299}}
  "3.0": {ids: {pay: checkout}, texts: {"@pay": "@buy", Free returns: Free of charge}}
strings:
  en: {pay: Pay now, buy: Buy, returns: Free returns}
  de: {pay: Jetzt zahlen, buy: Kaufen, returns: Rückgabe}
screens:
  - id: home
    body:
      - text: {id: total, text: "{{ fee * if bug(\"fee_twice\") { 2 } else { 1 } }} {{ bug(\"slow\") }}"}
      - text: {id: name, text: Total}
      - button: {id: pay, text: "@pay", visible: version_at_least("2.0")}
      - text: {id: returns, text: "@returns"}
      - text: {id: layout, text: "{{ variant(\"layout\") }} {{ variant(\"colour\") }} {{ version() }}"}
"#;

fn switched(switches: &[&str]) -> User {
    User::started(CART, |context| context.switches = switches.iter().map(|s| (*s).to_owned()).collect())
}

#[test]
fn a_planted_bug_shows_only_when_it_is_switched_on() {
    assert_eq!(switched(&[]).text("total"), "199 false");
    assert_eq!(switched(&["bug.fee_twice"]).text("total"), "398 false");
    assert_eq!(switched(&["bug.fee_twice=off", "bug.slow=on"]).text("total"), "199 true");
}

#[test]
fn a_variant_is_drawn_from_the_seed_and_can_be_forced() {
    assert!(switched(&["variant.layout=b", "variant.colour=blue"]).text("layout").starts_with("b blue"));
    let drawn = |seed: u64, pid: u32| {
        User::started(CART, |context| {
            context.seed = seed;
            context.pid = pid;
        })
        .text("layout")
    };
    assert_eq!(drawn(3, 1), drawn(3, 2), "it stays the same from launch to launch");
    let seen: std::collections::BTreeSet<String> = (0..40).map(|seed| drawn(seed, 1)).collect();
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[test]
fn versions_rename_reword_and_add_up() {
    let mut first = switched(&[]);
    assert!(first.sees("Total") && !first.sees("pay"));
    let mut second = switched(&["version=2.0"]);
    assert_eq!(second.text("sum_label"), "299 false");
    assert!(second.find("total").is_none() && second.sees("Amount due"));
    assert_eq!(second.text("pay"), "Pay now");
    assert!(second.text("layout").ends_with("2.0"));
    let mut third = switched(&["version=3.0"]);
    assert_eq!(third.text("sum_label"), "299 false", "what 2.0 changed holds in 3.0");
    assert_eq!(third.text("checkout"), "Buy");
    assert_eq!(third.text("returns"), "Free of charge", "a resource's text can be reworded too");
    let german = |context: &mut AppContext| {
        context.switches = vec!["version=3.0".to_owned()];
        context.locale = "de-DE".to_owned();
    };
    assert_eq!(User::started(CART, german).text("checkout"), "Kaufen");
}

#[test]
fn the_package_manager_is_told_of_versions() {
    let file = AppFile::load("cart", CART).expect("a right file");
    assert_eq!(file.version_code(), 10_000);
    assert_eq!(file.versions(), [("2.0".to_owned(), 20), ("3.0".to_owned(), 30_000)]);
}

#[test]
fn an_unknown_switch_is_refused_with_those_that_exist() {
    let file = Arc::new(AppFile::load("cart", CART).expect("a right file"));
    for switch in ["bug.typo", "variant.layout=c", "variant.typo=a", "version=9", "bug.slow=maybe", "fee"] {
        let context = AppContext { switches: vec![switch.to_owned()], ..AppContext::phone() };
        let error = Program::new(&file, context).err().expect(switch).to_string();
        assert!(error.contains(switch) && error.contains("bug.fee_twice, bug.slow, variant.colour=red|"), "{error}");
    }
}
