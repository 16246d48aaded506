//! What a check makes of a screen.

use super::*;
use crate::form::sample::{button, screen, text, widget};

fn taken(wanted: Expectation) -> Taken {
    Taken { wanted, literal: false, control: false, weak: false }
}

fn switch(label: &str, on: bool) -> Widget {
    let mut switch = widget(Role::Switch, label);
    switch.state.checked = Some(on);
    switch
}

#[test]
fn a_described_thing_is_found_by_all_of_its_words_and_a_control_is_no_proof() {
    let page = screen(vec![
        button("Add card"),
        text("Your card ending in 42"),
        switch("Send me reminders", true),
        text("Reminders"),
    ]);
    let visible = |name: &str| named(&taken(Expectation::Visible(name.into())), &page);
    assert_eq!(visible("card"), Expectation::Visible("Your card ending in 42".into()));
    assert_eq!(visible("card ending in 4"), Expectation::Visible("card ending in 4".into()), "42 is another number");
    assert_eq!(visible("loyalty card"), Expectation::Visible("loyalty card".into()));
    let checked = Expectation::Checked { widget: "reminders".into(), is: true };
    assert_eq!(
        named(&taken(checked.clone()), &page),
        Expectation::Checked { widget: "Send me reminders".into(), is: true },
        "the text has no state"
    );
    let literal = Taken { literal: true, ..taken(checked.clone()) };
    assert_eq!(named(&literal, &page), checked);
}

#[test]
fn a_number_that_only_the_screen_says_is_not_asked_of_a_replay() {
    let claim = |name: &str| Claim { taken: vec![taken(Expectation::Visible(name.into()))] };
    let found = Expectation::Visible("Order 4711, placed 07:43".into());
    assert!(!lasts(&claim("order"), &found));
    assert!(lasts(&claim("order"), &Expectation::Visible("Your order".into())));
    assert!(lasts(&claim("order 4711, placed 07:43"), &found));
}

#[test]
fn a_switchs_label_tells_no_state() {
    let frozen = Expectation::Value { field: "card".into(), is: "frozen".into() };
    let held = |widgets: Vec<Widget>| check(&frozen, &told(&screen(widgets))).held;
    assert!(held(vec![text("Your card is frozen"), button("Thaw")]));
    assert!(!held(vec![switch("Card frozen", false), button("Card frozen?")]));
}

#[test]
fn words_alone_pass_a_step_and_never_fail_it() {
    let page = screen(vec![text("Your order was sent"), button("Delete everything")]);
    let verdict = |instruction: &str, names: &[&str]| {
        let named: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        read(&Question { instruction, named: &named, claims: &[], negated: false }, &page).verdict
    };
    assert_eq!(verdict("Check that your order was sent", &[]), Verdict::Passed);
    assert_eq!(verdict("Check that everything was deleted", &[]), Verdict::Blocked);
    assert_eq!(verdict("Check that \"order\" comes first", &["order"]), Verdict::Blocked);
    assert_eq!(verdict("Check for \"order\"", &["order"]), Verdict::Passed);
    assert_eq!(verdict("Check for \"refund\"", &["refund"]), Verdict::Failed);
}
