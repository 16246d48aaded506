//! What steps claim, saying by saying.

use super::*;

/// Every claim as its ways to take it; a name in quotation marks is marked with an exclamation mark.
fn told(instruction: &str) -> Vec<String> {
    let way = |taken: &Taken| format!("{}{}", taken.wanted, if taken.literal { "!" } else { "" });
    claims(instruction).iter().map(|claim| claim.taken.iter().map(way).collect::<Vec<_>>().join(" / ")).collect()
}

fn one(instruction: &str) -> String {
    told(instruction).join(" + ")
}

#[test]
fn what_is_to_be_seen_and_what_is_not() {
    assert_eq!(one("Check that \"Card added\" is shown"), "visible: Card added!");
    assert_eq!(one("Verify the message \"Saved\" is displayed."), "visible: Saved!");
    assert_eq!(one("Make sure that the Retry button is visible"), "visible: Retry");
    assert_eq!(
        one("Check that \"Milk\", \"Bread\" and \"Tea\" are listed"),
        "visible: Milk! + visible: Bread! + visible: Tea!"
    );
    assert_eq!(one("Check that \"Night Market\" is not shown"), "absent: Night Market!");
    assert_eq!(one("\"Night Market\" should no longer be listed"), "absent: Night Market!");
    assert_eq!(one("Check that there is no \"Undo\" button"), "absent: Undo!");
    assert_eq!(one("Confirm that \"Card added\" is shown"), "visible: Card added!");
    assert_eq!(one("检查不显示“夜市”"), "absent: 夜市!");
    assert_eq!(one("Prüfe, dass „Gespeichert“ angezeigt wird"), "visible: Gespeichert!");
}

#[test]
fn states() {
    assert_eq!(one("Check that \"Reminders\" is off"), "checked: Reminders is off!");
    assert_eq!(one("Verify that the Wi-Fi switch is turned on"), "checked: Wi-Fi is on");
    assert_eq!(one("The button \"Pay\" should be greyed out"), "enabled: Pay is not enabled!");
    assert_eq!(one("Ensure the Save button is disabled"), "checked: Save is off / enabled: Save is not enabled");
    assert_eq!(one("Check that the tab \"Trips\" is selected"), "checked: Trips is on! / selected: Trips is selected!");
    assert_eq!(
        one("Check that Sounds is on and Vibration is off"),
        "checked: Sounds is on + checked: Vibration is off"
    );
}

#[test]
fn values_and_numbers() {
    assert_eq!(one("Check that the subtotal is \"$18.28\""), "value: subtotal is \"$18.28\" / visible: $18.28!");
    assert_eq!(one("The total should be €12.40"), "value: total is \"€12.40\" / visible: €12.40!");
    assert_eq!(one("Check that the field \"Name\" is empty"), "value: Name is \"\"!");
    assert_eq!(one("Check that there are three results"), "visible: 3 results");
    assert_eq!(one("Check that \"Milk\" is shown 2 times"), "count: Milk is there 2 times!");
    assert_eq!(one("Check that the Checkout screen is open"), "screen: Checkout");
}

#[test]
fn what_is_done_and_what_is_no_clear_claim_is_none() {
    for text in [
        "Check the box \"I agree\"",
        "Tick the box that is shown",
        "Verify your e-mail address",
        "Scroll until the total is shown",
        "Confirm the payment",
        "Confirm that nothing dangerous is inside",
        "Confirm that it is cancelled",
        "Confirm that the Wi-Fi is on",
        "Switch on \"Reminders\"",
        "Check that the message is shown",
        "Check that the account whose number ends with 5 is listed first",
        "Check that everything went well",
        "Check that the order is not ready",
        "",
    ] {
        assert_eq!(told(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_state_in_the_cases_own_words_is_weak_and_a_kind_is_no_part_of_a_name() {
    let weak =
        |text: &str| claims(text).iter().map(|claim| claim.taken.iter().all(|taken| taken.weak)).collect::<Vec<_>>();
    assert_eq!(one("Check that the order is on its way"), "value: order is \"on its way\"");
    assert_eq!(weak("Check that the order is on its way"), [true]);
    assert_eq!(one("Check that the episode Lantern is on this phone"), "value: Lantern is \"on this phone\"");
    assert_eq!(one("Check that the bank Evergreen Bank is listed"), "visible: Evergreen Bank");
    assert_eq!(one("Check that the price of Milk is €2"), "value: price of Milk is \"€2\" / visible: €2!");
    assert_eq!(weak("Check that the total is \"5\""), [false]);
}

#[test]
fn a_text_in_quotation_marks_is_never_taken_apart() {
    assert_eq!(one("Check that \"Wi-Fi is off and on\" is shown"), "visible: Wi-Fi is off and on!");
    assert_eq!(one("Check that the status is \"is shown\""), "value: status is \"is shown\" / visible: is shown!");
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_without_trouble(text in "(Check that |检查|)[ \"“”'«»a-zà\u{1F600}İß0-9$&{}.,]{0,40}( is shown| is off| should be |已显示| and |)[\"“”a-z ]{0,12}") {
        let parameters = Parameters::default();
        let _ = claims(&text);
        let _ = claims_with(&text, &text, &parameters);
        let _ = claims_more(&text);
    }
}
