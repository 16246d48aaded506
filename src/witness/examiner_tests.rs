//! What a check makes of a screen.

use super::*;
use crate::domain::Size;
use crate::form::sample::{button, screen, text, widget};
use crate::hierarchy::ScreenInput;

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

/// Perceived from a dump: a described card with two texts inside, and a text that a described frame around it repeats.
fn described_card() -> Screen {
    let node = |class: &str, attributes: &str, bounds: &str, inner: &str| {
        format!(
            "<node class=\"android.{class}\" package=\"a.b\" enabled=\"true\" {attributes} bounds=\"{bounds}\">{inner}</node>"
        )
    };
    let line = |text: &str, bounds: &str| node("widget.TextView", &format!("text=\"{text}\""), bounds, "");
    let inside = [line("Algebra II", "[40,120][600,180]"), line("Room 204", "[40,200][600,260]")].concat();
    let card =
        node("view.ViewGroup", "content-desc=\"Course, opens\" clickable=\"true\"", "[0,100][1080,400]", &inside);
    let hours = line("08:00", "[40,520][600,580]");
    let open = node("view.ViewGroup", "content-desc=\"The library opens today\"", "[0,500][1080,600]", &hours);
    let page = node("widget.FrameLayout", "", "[0,0][1080,2400]", &[card, open].concat());
    Screen::perceive(ScreenInput {
        hierarchy: format!("<hierarchy rotation=\"0\">{page}</hierarchy>").as_bytes(),
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    })
}

#[test]
fn a_text_inside_a_described_control_is_seen_by_a_checking_step() {
    let page = described_card();
    let verdict = |instruction: &str, names: &[&str], negated: bool| {
        let named: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        read(&Question { instruction, named: &named, claims: &[], negated }, &page).verdict
    };
    assert_eq!(verdict("Check for \"Room 204\"", &["Room 204"], false), Verdict::Passed);
    assert_eq!(verdict("Check for \"Room 205\"", &["Room 205"], false), Verdict::Failed);
    assert_eq!(verdict("Check that \"Room 204\" is not there", &["Room 204"], true), Verdict::Failed);
    assert_eq!(verdict("Check that \"Room 205\" is not there", &["Room 205"], true), Verdict::Passed);
    assert_eq!(verdict("Check that the library opens today", &[], false), Verdict::Passed);
    assert_eq!(verdict("Check for algebra ii", &[], false), Verdict::Blocked, "a control's words prove nothing");
}
