//! What is certain on made-up screens, and what is not.

use super::*;
use crate::agent::sample::{Head, button, row, screen, step, text, widget};
use crate::agent::{Deed, Lull};
use crate::domain::{Direction, Rect};
use crate::hierarchy::{Fingerprint, ScreenKind};

/// What is certain: the action, `done`, `filled`, or `open`.
fn sure(head: &Head, step: &Step, screen: &Screen, memory: &mut StepMemory) -> String {
    match head.agent().certain(step, None, screen, memory) {
        Some(Certain::Do(choice)) => choice.candidate.action.to_string(),
        Some(Certain::Done(_)) => "done".into(),
        Some(Certain::Filled(_)) => "filled".into(),
        Some(Certain::Lacking(_)) => "lacking".into(),
        None => "open".into(),
    }
}

fn head() -> Head {
    Head::new(&[], "")
}

fn buttons(labels: &[&str]) -> Screen {
    screen(labels.iter().map(|label| button(label)).collect())
}

fn touch(screen: &Screen, label: &str) -> Action {
    let widget = screen.widgets.iter().find(|widget| widget.label == label).unwrap();
    Action::Click { target: widget.target() }
}

fn after(screen: &Screen, labels: &[&str]) -> StepMemory {
    let mut memory = StepMemory::default();
    labels.iter().for_each(|label| memory.note(screen.fingerprint, touch(screen, label)));
    memory
}

#[test]
fn what_is_named_is_touched_one_after_another_and_then_the_step_is_done() {
    let (page, asked) = (buttons(&["Pear tree", "Plum", "Pear"]), step("Select Pear and Plum", &["Pear", "Plum"]));
    let now = |touched: &[&str]| sure(&head(), &asked, &page, &mut after(&page, touched));
    assert_eq!(now(&[]), "click \"Pear\"");
    assert_eq!(now(&["Pear"]), "click \"Plum\"");
    assert_eq!(now(&["Pear", "Plum"]), "done");
}

#[test]
fn what_only_holds_the_name_is_not_certain_where_several_do() {
    let asked = step("Select Pear", &["Pear"]);
    let now = |labels: &[&str]| sure(&head(), &asked, &buttons(labels), &mut StepMemory::default());
    assert_eq!(now(&["Red Pear tree", "Red Pear wood"]), "open");
    assert_eq!(now(&["Red Pear tree", "Red Plum"]), "click \"Red Pear tree\"");
    let page = buttons(&["Pear"]);
    let mut memory = StepMemory::default();
    memory.exclude(page.fingerprint, touch(&page, "Pear"));
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "open", "it had no effect");
}

#[test]
fn what_is_chosen_or_switched_already_is_left() {
    let state = |asked: &Step, role, checked| {
        let mut one = widget(role, &asked.named[0]);
        one.state.checked = Some(checked);
        sure(&head(), asked, &screen(vec![one]), &mut StepMemory::default())
    };
    let select = step("Select Pear", &["Pear"]);
    assert_eq!(state(&select, Role::Radio, true), "done");
    assert_eq!(state(&select, Role::Radio, false), "click \"Pear\"");
    let on = step("Turn on Lamp", &["Lamp"]);
    assert_eq!(state(&on, Role::Switch, false), "click \"Lamp\"");
    assert_eq!(state(&on, Role::Switch, true), "done");
    let off = step("Turn off Lamp", &["Lamp"]);
    assert_eq!(state(&off, Role::Switch, true), "click \"Lamp\"");
    assert_eq!(state(&off, Role::Switch, false), "done");
}

#[test]
fn a_step_is_done_when_all_it_says_was_touched_and_not_before() {
    let page = buttons(&["Garden", "Fences", "Picture"]);
    let asked = step("Open the garden fence", &[]);
    let now = |touched: &[&str]| sure(&head(), &asked, &page, &mut after(&page, touched));
    assert_eq!(now(&[]), "open");
    assert_eq!(now(&["Garden"]), "click \"Fences\"");
    assert_eq!(now(&["Garden", "Picture"]), "click \"Fences\"");
    assert_eq!(now(&["Garden", "Fences"]), "done");
    assert!(Agent::is_untouched(&asked, &after(&page, &["Picture"])));
    assert!(!Agent::is_untouched(&asked, &after(&page, &["Garden"])));
}

#[test]
fn what_the_step_still_says_is_touched_before_it_is_done() {
    let now = |instruction: &str, labels: &[&str], touched: &[&str]| {
        let page = buttons(labels);
        sure(&head(), &step(instruction, &[]), &page, &mut after(&buttons(touched), touched))
    };
    let ways = ["With a number, Any shed", "Without number, Only our sheds", "Build a shed"];
    assert_eq!(
        now("Build a shed without its number", &ways, &["Build a shed"]),
        "click \"Without number, Only our sheds\""
    );
    assert_eq!(
        now("Choose early delivery", &["Early, Before nine", "Late"], &["Delivery time"]),
        "click \"Early, Before nine\""
    );
    assert_eq!(now("Select the dark fence", &["Fence Dark", "Gate"], &["Dark"]), "open", "it shows what was chosen");
    assert_eq!(
        now("Use what is there to paint the fence that is open", &["Open fence", "Gate"], &[]),
        "open",
        "not in its order"
    );
    assert_eq!(now("Open the shed", &["Shed", "Shed"], &[]), "open", "either may be meant");
}

#[test]
fn what_the_next_step_says_as_well_is_left_to_it() {
    let (page, asked, next) = (buttons(&["Garden"]), step("Show the garden plan", &[]), step("Open the garden", &[]));
    let head = head();
    let found = head.agent().certain(&asked, Some(&next), &page, &mut StepMemory::default());
    assert!(found.is_none());
}

#[test]
fn where_a_step_is_done_is_entered_first() {
    let page = buttons(&["Garden", "Kitchen"]);
    let mut asked = step("Show the fences", &[]);
    asked.context = "open the garden".into();
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "click \"Garden\"");
    assert_eq!(sure(&head(), &asked, &page, &mut after(&page, &["Garden"])), "open");
}

#[test]
fn a_deed_leads_to_what_it_names() {
    let (page, asked) = (buttons(&["Lend", "Kitchen"]), step("Lend Pear to Ada", &["Pear", "Ada"]));
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "click \"Lend\"");
    assert_eq!(sure(&head(), &asked, &page, &mut after(&page, &["Lend"])), "open");
}

#[test]
fn what_is_named_may_be_in_the_menu_of_the_page() {
    let page = buttons(&["Kitchen", "More options"]);
    let asked = step("Choose \"Empty it\" in the menu", &["Empty it"]);
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "click \"More options\"");
    let asked = step("Select Pear", &["Pear"]);
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "click \"More options\"");
    assert_ne!(sure(&head(), &asked, &page, &mut after(&page, &["More options"])), "click \"More options\"");
    let (menu, asked) = (buttons(&["Remove it", "Share"]), step("Remove Pear", &["Pear"]));
    assert_eq!(sure(&head(), &asked, &menu, &mut after(&page, &["More options"])), "click \"Remove it\"");
}

#[test]
fn a_step_back_goes_on_until_it_is_there() {
    let page = buttons(&["Navigate up", "Plum"]);
    let asked = step("Go back to the garden", &[]);
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "click \"Navigate up\"");
    let garden = Screen { title: "Garden".into(), ..buttons(&["Navigate up"]) };
    assert_eq!(sure(&head(), &asked, &garden, &mut after(&page, &["Navigate up"])), "done");
    let next = step("Select Pear", &["Pear"]);
    let head = head();
    let after_one = |page: &Screen| {
        let found = head.agent().certain(&asked, Some(&next), page, &mut after(&buttons(&["Back"]), &["Back"]));
        matches!(found, Some(Certain::Done(_)))
    };
    assert!(!after_one(&page), "what the next step wants is not there");
    assert!(after_one(&buttons(&["Navigate up", "Pear"])));
    assert_eq!(sure(&head, &step("Go back", &[]), &buttons(&["Plum"]), &mut StepMemory::default()), "press_back");
}

#[test]
fn what_is_looked_up_is_not_typed_into_any_other_field() {
    let head = Head::new(&[("fruit", "Pear")], "");
    let asked = Step { mentions: vec!["fruit".into()], ..step("Search for Pear", &["Pear"]) };
    let page = screen(vec![widget(Role::Field, "Remark"), button("Search")]);
    assert_eq!(sure(&head, &asked, &page, &mut StepMemory::default()), "click \"Search\"");
    let page = screen(vec![widget(Role::Field, "Search fruits")]);
    assert_eq!(sure(&head, &asked, &page, &mut StepMemory::default()), "open", "it is typed there");
}

#[test]
fn a_field_that_says_something_else_makes_the_step_look_further_down() {
    let head = Head::new(&[("owner", "Ada")], "");
    let asked = Step { mentions: vec!["owner".into()], ..step("Enter the owner Ada", &["Ada"]) };
    let page = |label| {
        let mut page = screen(vec![widget(Role::Field, label)]);
        page.scroll_areas = vec![Rect::new(0, 0, 1000, 2000)];
        page
    };
    let now = |label| sure(&head, &asked, &page(label), &mut StepMemory::default());
    assert_eq!(now("Remark"), "scroll down");
    assert_eq!(now("Owner of the house"), "open");
    assert_eq!(now(""), "open", "it says nothing");
}

#[test]
fn a_step_of_several_deeds_is_not_certain() {
    assert!(Agent::is_one_deed(["Enter name", "owner Ada"].into_iter()));
    assert!(!Agent::is_one_deed(["Look for Ada", "launch what turns up"].into_iter()));
}

#[test]
fn a_number_is_turned_to_on_its_wheel_and_not_turned_when_it_is_saved() {
    let asked = step("Turn the wheel to 1,000", &["1,000"]);
    let now = |value| sure(&head(), &asked, &wheels(&[("Most", value)]), &mut StepMemory::default());
    assert_eq!(now("500"), "swipe_selector \"Most\" down");
    assert_eq!(now("5,000"), "swipe_selector \"Most\" up");
    let head = Head::new(&[("most_a_year", "9000")], "");
    let saved = sure(&head, &step("Save the most", &[]), &wheels(&[("Most", "500")]), &mut StepMemory::default());
    assert!(!saved.starts_with("swipe"), "{saved}");
}

#[test]
fn a_number_is_counted_to_from_either_side() {
    let page = |value: &str| {
        let widgets = [text("Pear"), button("−"), text(value), button("+")];
        let at = |(at, widget): (usize, Widget)| {
            let mut widget = row(widget, 0, 100 * at as i32);
            widget.context = "Pear".into();
            widget
        };
        screen(widgets.into_iter().enumerate().map(at).collect())
    };
    let mut asked = step("Set the quantity of Pear", &["Pear"]);
    asked.quantity = Some(Quantity::Set(4));
    let now = |asked: &Step, value| sure(&head(), asked, &page(value), &mut StepMemory::default());
    assert_eq!(now(&asked, "2"), "click \"+\"");
    assert_eq!(now(&asked, "12"), "click \"−\"");
    assert_eq!(now(&asked, "4"), "done");
    asked.quantity = Some(Quantity::Add(2));
    assert_eq!(now(&asked, "1"), "click \"+\"");
    assert_ne!(now(&asked, "2"), "done", "what is to be added is still to be put somewhere");
}

fn wheels(values: &[(&str, &str)]) -> Screen {
    let wheel = |(label, value): &(&str, &str)| {
        let mut wheel = widget(Role::Selector, label);
        (*value).clone_into(&mut wheel.value);
        wheel
    };
    screen(values.iter().map(wheel).chain([button("Cancel"), button("OK")]).collect())
}

#[test]
fn wheels_are_turned_towards_their_parameters_and_confirmed() {
    let head = Head::new(&[("start_year", "2031"), ("start_month", "June")], "");
    let asked = step("Pick the start", &[]);
    let mut memory = StepMemory::default();
    let now = |year, month, memory: &mut StepMemory| {
        let page = wheels(&[("Year", year), ("Month", month)]);
        let decided = sure(&head, &asked, &page, memory);
        if let Some(Certain::Do(choice)) = head.agent().certain(&asked, None, &page, memory) {
            memory.note(page.fingerprint, choice.candidate.action);
        }
        decided
    };
    assert_eq!(now("2030", "May", &mut memory), "swipe_selector \"Year\" down");
    assert_eq!(now("2032", "May", &mut memory), "swipe_selector \"Year\" up");
    assert_eq!(now("2031", "May", &mut memory), "swipe_selector \"Month\" down");
    assert_eq!(now("2031", "June", &mut memory), "click \"OK\"");
    assert_eq!(sure(&head, &asked, &buttons(&["Garden"]), &mut memory), "done");
}

#[test]
fn a_wheel_at_its_end_is_turned_back_and_a_parameter_of_a_later_step_waits() {
    let head = Head::new(&[("start_month", "June")], "");
    let mut asked = step("Pick the start", &[]);
    let page = wheels(&[("Month", "July")]);
    let mut memory = StepMemory::default();
    let down = Action::SwipeSelector { target: page.widgets[0].target(), direction: crate::domain::Direction::Down };
    memory.exclude(page.fingerprint, down);
    assert_eq!(sure(&head, &asked, &page, &mut memory), "swipe_selector \"Month\" up");
    asked.reserved = vec!["start_month".into()];
    assert_eq!(sure(&head, &asked, &page, &mut memory), "open");
}

#[test]
fn what_is_typed_is_done_when_given_and_sent_where_the_step_says_so() {
    let head = Head::new(&[("owner", "Ada")], "");
    let page = screen(vec![widget(Role::Field, "Owner"), button("Cancel"), button("Send")]);
    let typing = |instruction| Step { mentions: vec!["owner".into()], ..step(instruction, &["Ada"]) };
    let given = || {
        let mut memory = StepMemory::default();
        memory.given.push(("owner".into(), Some("Owner".into())));
        memory
    };
    assert_eq!(sure(&head, &typing("Enter Ada"), &page, &mut StepMemory::default()), "open");
    assert_eq!(sure(&head, &typing("Enter Ada"), &page, &mut given()), "filled");
    let (asked, mut memory) = (typing("Submit Ada"), given());
    assert_eq!(sure(&head, &asked, &page, &mut memory), "click \"Send\"");
    let mut agreed = widget(Role::Checkbox, "Agree");
    agreed.state.checked = Some(true);
    let ticked = screen(vec![widget(Role::Field, "Owner"), agreed, button("Send")]);
    memory.note(ticked.fingerprint, touch(&ticked, "Agree"));
    assert_eq!(sure(&head, &asked, &ticked, &mut memory), "click \"Send\"", "a box that is ticked sends nothing");
    memory.note(page.fingerprint, touch(&page, "Send"));
    assert_eq!(sure(&head, &asked, &page, &mut memory), "filled");
}

#[test]
fn what_is_not_in_sight_is_scrolled_to_then_searched_for() {
    let mut page = screen(vec![widget(Role::Field, "Search"), button("Plum")]);
    page.scroll_areas = vec![Rect::new(0, 0, 1000, 2000)];
    let asked = step("Select Pear", &["Pear"]);
    let mut memory = StepMemory::default();
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "scroll down");
    page.scroll_areas.clear();
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "input_text \"Pear\" into \"Search\"");
    let typed = Action::InputText { target: page.widgets[0].target(), text: InputText::Plain("Pear".into()) };
    memory.note(page.fingerprint, typed);
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "press_enter");
    memory.note(page.fingerprint, Action::PressEnter);
    for _ in 0..3 {
        assert_eq!(sure(&head(), &asked, &page, &mut memory), "wait 3000 ms", "there is next to nothing yet");
        memory.note(page.fingerprint, Action::Wait { ms: 1 });
    }
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "open", "nothing is searched for twice");
}

#[test]
fn what_says_what_the_name_is_is_opened() {
    let head = Head::new(&[("fruit_kind", "Pear")], "");
    let asked = Step { mentions: vec!["fruit_kind".into()], ..step("Select Pear", &["Pear"]) };
    let page = buttons(&["Picture", "Fruit kind"]);
    assert_eq!(sure(&head, &asked, &page, &mut StepMemory::default()), "click \"Fruit kind\"");
    assert_eq!(sure(&head, &asked, &page, &mut after(&page, &["Fruit kind"])), "open", "it was opened");
}

#[test]
fn a_deed_is_done_in_the_row_of_what_is_named() {
    let mut page = buttons(&["Remove", "Remove"]);
    page.widgets[0].context = "Plum".into();
    page.widgets[1].context = "Pear".into();
    let asked = step("Delete Pear", &["Pear"]);
    let found = head().agent().certain(&asked, None, &page, &mut StepMemory::default());
    let Some(Certain::Do(choice)) = found else { panic!("nothing is certain") };
    assert_eq!(choice.candidate.widget, Some(1));
}

#[test]
fn a_yes_is_said_to_a_window_only() {
    let asked = step("Confirm it", &[]);
    let page = buttons(&["Cancel", "Erase"]);
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "open");
    let window = Screen { kind: ScreenKind::Dialog, ..page };
    assert_eq!(sure(&head(), &asked, &window, &mut StepMemory::default()), "click \"Erase\"");
    let gone = buttons(&["Garden"]);
    assert_eq!(sure(&head(), &asked, &gone, &mut after(&window, &["Erase"])), "done");
}

#[test]
fn an_errand_is_carried_on_until_nothing_asks() {
    let asked = step("Book a table at Pear House", &["Pear House"]);
    let first = buttons(&["Pear House", "Plum House"]);
    let now = |page: &Screen, touched: &[&str]| sure(&head(), &asked, page, &mut after(&first, touched));
    let asks = buttons(&["Navigate up", "Two guests", "Change the time", "Choose this table"]);
    assert_eq!(now(&asks, &["Pear House"]), "click \"Choose this table\"");
    assert_ne!(now(&asks, &[]), "click \"Choose this table\"", "what it names was not met yet");
    let ends = buttons(&["Navigate up", "Cancel", "Delete booking"]);
    let end = now(&ends, &["Pear House"]);
    assert!(!end.starts_with("click"), "{end}");
}

#[test]
fn an_errand_leaves_to_the_next_step_what_that_says() {
    let (asked, next) = (step("Book a table at Pear House", &["Pear House"]), step("Confirm the booking", &[]));
    let first = buttons(&["Pear House"]);
    let mut memory = after(&first, &["Pear House"]);
    let head = head();
    let mut now = |page: &Screen| match head.agent().certain(&asked, Some(&next), page, &mut memory) {
        Some(Certain::Do(choice)) => choice.candidate.action.to_string(),
        _ => "done".into(),
    };
    assert_eq!(now(&buttons(&["Confirm booking"])), "done");
    assert_eq!(now(&buttons(&["Choose a table"])), "click \"Choose a table\"");
}

#[test]
fn a_step_that_waits_touches_nothing_first() {
    let asked = step("Wait for the pear", &[]);
    assert_eq!(sure(&head(), &asked, &buttons(&["Pear"]), &mut StepMemory::default()), "wait 3000 ms");
}

#[test]
fn the_one_that_takes_least_is_chosen_and_taken_by_the_control_that_says_so() {
    let asked = step("Choose the van that leaves now", &[]);
    let rows = ["Red, 7 min away, $20", "Blue, 3 min away, $30", "Green, 2 h, $10"];
    let mut page = buttons(&[rows[0], rows[1], rows[2], "Choose Red", "Later"]);
    let now = |page: &Screen, touched: &[&str]| sure(&head(), &asked, page, &mut after(page, touched));
    assert_eq!(now(&page, &[]), format!("click \"{}\"", rows[1]));
    page.widgets[3].label = "Choose Blue".into();
    page.widgets[1].state.selected = true;
    assert_eq!(now(&page, &[]), "click \"Choose Blue\"", "it is chosen already");
    let alone = buttons(&rows[..2]);
    assert_eq!(now(&alone, &[rows[1]]), "done");
    let mut chosen = alone.clone();
    chosen.widgets[1].state.checked = Some(true);
    assert_eq!(now(&chosen, &[]), format!("click \"{}\"", rows[1]), "a page of choices takes what is touched");
    assert_eq!(now(&buttons(&[rows[0], "Blue"]), &[]), "open", "there is nothing to compare");
    let dear = step("Choose the most expensive van", &[]);
    assert_eq!(
        sure(&head(), &dear, &page, &mut StepMemory::default()),
        format!("click \"{}\"", rows[1]).replace(rows[1], "Choose Blue")
    );
}

#[test]
fn an_errand_goes_on_by_the_pages_main_control_until_the_app_says_that_it_is_done() {
    let asked = step("Bring the guest to Oak Street", &["Oak Street"]);
    let wide = |label: &str, at: i32| {
        let mut one = row(button(label), at, 0);
        one.bounds = Rect::new(0, 100 * at, 1000, 100 * at + 100);
        one
    };
    let page = screen(vec![row(button("Map"), 4, 0), row(button("Call the guest"), 4, 500), wide("Set off", 5)]);
    let begun = buttons(&["I am here"]);
    let now = |page: &Screen, touched: &[&str]| sure(&head(), &asked, page, &mut after(&begun, touched));
    assert_eq!(now(&page, &["I am here"]), "click \"Set off\"");
    let here = screen(vec![text("Drive to Oak Street"), wide("Complete drive", 5)]);
    assert_eq!(now(&here, &["I am here"]), "click \"Complete drive\"");
    let end = screen(vec![text("Drive complete"), text("Oak Street"), wide("Continue", 5)]);
    let mut memory = after(&screen(vec![wide("Complete drive", 5)]), &["Complete drive"]);
    assert_eq!(sure(&head(), &asked, &end, &mut memory), "filled", "the app says so");
}

#[test]
fn what_says_that_it_is_on_is_what_switches() {
    let (lamp, asked) = (head(), step("Switch the ceiling light off", &[]));
    let now = |labels: &[&str]| sure(&lamp, &asked, &buttons(labels), &mut StepMemory::default());
    assert_eq!(
        now(&["Ceiling light, 80 %", "Ceiling light is on", "Desk light is on"]),
        "click \"Ceiling light is on\""
    );
    assert_eq!(now(&["Ceiling light is off", "Desk light is on"]), "done");
    let mut sms = widget(Role::Switch, "Text messages");
    sms.state.checked = Some(true);
    let page = |on| {
        let mut sms = sms.clone();
        sms.state.checked = Some(on);
        screen(vec![sms, button("Messages")])
    };
    let asked = step("Turn the text messages off", &[]);
    assert_eq!(sure(&lamp, &asked, &page(true), &mut StepMemory::default()), "click \"Text messages\"");
    assert_eq!(sure(&lamp, &asked, &page(false), &mut StepMemory::default()), "done");
}

#[test]
fn both_ends_of_a_way_are_chosen_by_their_own_controls_and_then_it_is_looked_up() {
    let asked = Step {
        mentions: vec!["start".into(), "goal".into()],
        ..step("Search for a ferry from Oak to Elm", &["Oak", "Elm"])
    };
    let home =
        |from: &str, to: &str| buttons(&[&format!("From, {from}"), &format!("To, {to}"), "Find ferries", "Trips"]);
    let on = |screen: &Screen, memory: &mut StepMemory| sure(&head(), &asked, screen, memory);
    let mut memory = StepMemory::default();
    let first = home("Ash", "Choose");
    assert_eq!(on(&first, &mut memory), "click \"From, Ash\"");
    memory.note(first.fingerprint, touch(&first, "From, Ash"));
    let choice = buttons(&["Elm", "Oak"]);
    assert_eq!(on(&choice, &mut memory), "click \"Oak\"");
    memory.note(choice.fingerprint, touch(&choice, "Oak"));
    assert_eq!(on(&home("Oak", "Choose"), &mut memory), "click \"To, Choose\"");
    let set = home("Oak", "Elm");
    assert_eq!(on(&set, &mut memory), "click \"Find ferries\"");
    memory.note(set.fingerprint, touch(&set, "Find ferries"));
    assert_eq!(on(&buttons(&["07:00", "08:00"]), &mut memory), "done");
}

#[test]
fn a_number_in_a_quoted_name_counts_nothing() {
    let now = |labels: &[&str]| {
        sure(&head(), &step("Open \"2. Inline\"", &["2. Inline"]), &buttons(labels), &mut StepMemory::default())
    };
    assert_eq!(now(&["1. Dialog", "2. Inline"]), "click \"2. Inline\"");
    assert_eq!(now(&["2. Inline"]), "click \"2. Inline\"");
}

#[test]
fn a_quoted_name_is_looked_for_before_a_row_that_only_holds_it() {
    let asked = Step { quoted: vec!["Harbours".into()], ..step("Open \"Harbours\"", &["Harbours"]) };
    let list = |labels: &[&str]| Screen { scroll_areas: vec![Rect::new(0, 0, 1000, 2000)], ..buttons(labels) };
    let now = |page: &Screen, memory: &mut StepMemory| sure(&head(), &asked, page, memory);
    let mut memory = StepMemory::default();
    let top = list(&["Coves", "Old Harbours"]);
    assert_eq!(now(&top, &mut memory), "scroll down", "it may stand farther down");
    assert_eq!(now(&list(&["Old Harbours", "Harbours"]), &mut memory), "click \"Harbours\"");
    for (labels, told) in
        [(["Coves", "Harbours (12)"], "click \"Harbours (12)\""), (["Coves", "The Harbours"], "click \"The Harbours\"")]
    {
        assert_eq!(now(&list(&labels), &mut StepMemory::default()), told, "it is called so");
    }
    assert_eq!(now(&buttons(&["Coves", "Old Harbours"]), &mut memory), "click \"Old Harbours\"", "there is no more");
    let down = Action::Scroll { direction: Direction::Down, area: top.scroll_areas[0] };
    let up = Action::Scroll { direction: Direction::Up, area: top.scroll_areas[0] };
    for action in [down, up] {
        memory.note(top.fingerprint, action.clone());
        memory.exclude(top.fingerprint, action);
    }
    assert_eq!(now(&top, &mut memory), "click \"Old Harbours\"", "both ends were seen");
}

#[test]
fn several_things_are_counted_each_on_its_own_counter() {
    let asked = step("Set the guests to two adults and one child", &[]);
    let shown = |label: &str| sure(&head(), &asked, &buttons(&[label, "Search"]), &mut StepMemory::default());
    assert_eq!(shown("Guests, 1 adult, 0 children"), "click \"Guests, 1 adult, 0 children\"");
    assert_eq!(shown("Guests, 2 adults, 1 child"), "done");
    let counters = |adults: &str, children: &str| {
        let line = |at, name: &str, value: &str| {
            let all =
                [text(name), button(&format!("One {name} less")), text(value), button(&format!("One {name} more"))];
            all.into_iter().enumerate().map(move |(x, widget)| row(widget, at, 100 * x as i32)).collect::<Vec<_>>()
        };
        screen([line(0, "adult", adults), line(1, "child", children)].concat())
    };
    let on = |adults, children| sure(&head(), &asked, &counters(adults, children), &mut StepMemory::default());
    assert_eq!(on("1", "0"), "click \"One adult more\"");
    assert_eq!(on("3", "0"), "click \"One adult less\"");
    assert_eq!(on("2", "0"), "click \"One child more\"");
    assert_eq!(on("2", "1"), "done");
}

#[test]
fn a_label_that_the_step_says_word_by_word_comes_before_one_that_shares_a_word() {
    let page = buttons(&["Appointments", "Make an appointment"]);
    let asked = step("Make an appointment with Ann", &["Ann"]);
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "click \"Make an appointment\"");
}

#[test]
fn what_was_looked_for_in_the_only_field_is_chosen_where_it_is_offered() {
    let field = widget(Role::Field, "Town");
    let asked = Step { mentions: vec!["town".into()], ..step("Set the town to Oak", &["Oak"]) };
    let known = Head::new(&[("town", "Oak")], "");
    let typed = Action::InputText { target: field.target(), text: InputText::Plain("Oak".into()) };
    let now = |offered: &[&str]| {
        let mut memory = StepMemory::default();
        memory.note(crate::hierarchy::Fingerprint(7), typed.clone());
        memory.given.push(("town".into(), None));
        let rows = offered.iter().map(|label| widget(Role::ListItem, label));
        let rows = rows.map(|mut row| {
            row.clickable = true;
            row
        });
        sure(&known, &asked, &screen([field.clone()].into_iter().chain(rows).collect()), &mut memory)
    };
    assert_eq!(now(&["Oak", "Oakham"]), "click \"Oak\"");
    assert_eq!(now(&["Oakham"]), "filled");
}

#[test]
fn what_is_chosen_from_a_list_is_not_typed_and_what_the_case_lacks_is_told() {
    let known = Head::new(&[("reason", "First visit")], "");
    let asked = Step {
        mentions: vec!["reason".into()],
        ..step("Give the reason First visit and my phone number", &["First visit"])
    };
    let at = |mut widget: Widget, top: i32| {
        widget.bounds = Rect::new(0, top, 900, top + 80);
        widget
    };
    let page = || {
        let mut list = at(widget(Role::Dropdown, "Please choose"), 200);
        list.clickable = true;
        screen(vec![at(text("Reason for the visit"), 100), list, at(widget(Role::Field, "Phone number"), 400)])
    };
    let mut memory = StepMemory::default();
    assert_eq!(sure(&known, &asked, &page(), &mut memory), "click \"Please choose\"");
    memory.note(page().fingerprint, touch(&page(), "Please choose"));
    let list = buttons(&["First visit", "Follow-up"]);
    assert_eq!(sure(&known, &asked, &list, &mut memory), "click \"First visit\"");
    memory.note(list.fingerprint, touch(&list, "First visit"));
    assert_eq!(sure(&known, &asked, &page(), &mut memory), "lacking");
    let known = Head::new(&[("reason", "First visit"), ("mobile", "5550199")], "");
    assert_eq!(sure(&known, &asked, &page(), &mut memory), "filled", "it may be what goes there");
}

#[test]
fn what_is_moved_about_is_done_with_one_touch() {
    let page = buttons(&["From, Oak", "To, Elm", "Other direction"]);
    let asked = step("Swap start and destination", &[]);
    assert_eq!(sure(&head(), &asked, &page, &mut StepMemory::default()), "click \"Other direction\"");
    let other = buttons(&["From, Oak", "To, Elm"]);
    assert_eq!(sure(&head(), &asked, &other, &mut StepMemory::default()), "open");
    assert_eq!(sure(&head(), &asked, &page, &mut after(&page, &["Other direction"])), "done");
}

#[test]
fn from_a_page_of_tabs_the_way_back_is_its_first_one() {
    let tab = |label: &str, left: i32, selected: bool| {
        let mut tab = row(widget(Role::Tab, label), 1, left);
        (tab.clickable, tab.state.selected) = (!selected, selected);
        tab
    };
    let asked = step("Go back to the search", &[]);
    let on = |first| screen(vec![tab("Travel", 0, first), tab("Account", 300, !first)]);
    assert_eq!(sure(&head(), &asked, &on(false), &mut StepMemory::default()), "click \"Travel\"");
    assert_eq!(sure(&head(), &asked, &on(true), &mut StepMemory::default()), "press_back");
}

#[test]
fn what_is_to_be_held_down_is_not_touched_in_its_place() {
    let asked = step("Press and hold Pear", &["Pear"]);
    let mut page = buttons(&["Plum", "Pear, ripe"]);
    let mut memory = StepMemory::default();
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "long_press \"Pear, ripe\"");
    page.widgets[0].long_clickable = true;
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "long_press \"Pear, ripe\"", "the other one is not meant");
    let held = Action::LongPress { target: page.widgets[1].target() };
    memory.note(page.fingerprint, held.clone());
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "done");
    let mut vain = StepMemory::default();
    vain.exclude(page.fingerprint, held);
    assert_eq!(sure(&head(), &asked, &page, &mut vain), "lacking", "a touch would do something else");
    let unnamed = step("Long-press the plum to mark it", &[]);
    assert_eq!(sure(&head(), &unnamed, &page, &mut StepMemory::default()), "long_press \"Plum\"");
    let reserved = step("Hold the table for Pear", &["Pear"]);
    assert_eq!(sure(&head(), &reserved, &page, &mut StepMemory::default()), "open", "nothing is held down");
}

#[test]
fn a_row_is_swept_aside_and_what_that_uncovers_is_touched_where_it_is_to_go() {
    let asked = step("Delete Pear by swiping it to the left", &["Pear"]);
    let mut page = screen(vec![row(text("Plum"), 1, 100), row(text("Pear"), 2, 100)]);
    page.scroll_areas = vec![Rect::new(0, 0, 1000, 2000)];
    let mut memory = StepMemory::default();
    let Some(Certain::Do(sweep)) = head().agent().certain(&asked, None, &page, &mut memory) else {
        panic!("the row is swept");
    };
    let along = Action::Scroll { direction: crate::domain::Direction::Right, area: Rect::new(0, 200, 1000, 300) };
    assert_eq!(sweep.candidate.action, along);
    memory.note(page.fingerprint, along);
    let gone = screen(vec![row(text("Plum"), 1, 100)]);
    assert_eq!(sure(&head(), &asked, &gone, &mut memory.clone()), "done");
    let uncovered = screen(vec![row(text("Pear"), 2, 100), row(button("Delete"), 2, 800)]);
    assert_eq!(sure(&head(), &asked, &uncovered, &mut memory), "click \"Delete\"");
    let down = step("Swipe up until Pear is in sight", &["Pear"]);
    assert_eq!(sure(&head(), &down, &page, &mut StepMemory::default()), "open", "the list is moved, not the row");
}

#[test]
fn what_is_only_implied_is_not_sought_where_one_control_says_all_the_rest() {
    let mut asked = step("Add it to the order Garden party", &["Garden party"]);
    asked.original = "Add it to the order".into();
    let page = buttons(&["Add to order", "Plum"]);
    let mut memory = StepMemory::default();
    assert_eq!(sure(&head(), &asked, &page, &mut memory), "click \"Add to order\"");
    memory.note(page.fingerprint, touch(&page, "Add to order"));
    assert_eq!(sure(&head(), &asked, &buttons(&["Add a dish"]), &mut memory), "done");
}

#[test]
fn a_way_ends_at_no_day_and_no_number() {
    let page = buttons(&["From, Ashford", "To, Choose your destination", "Travelling on, Monday, 4 May"]);
    let now = |text: &str, name: &str| sure(&head(), &step(text, &[name]), &page, &mut StepMemory::default());
    assert_eq!(now("Set the way to Inverlea", "Inverlea"), "click \"To, Choose your destination\"");
    assert_ne!(now("Set the day to 18 May 2026", "18 May 2026"), "click \"To, Choose your destination\"");
    assert_ne!(now("Set the number to 3", "3"), "click \"To, Choose your destination\"");
}

#[test]
fn a_step_that_goes_somewhere_is_done_where_the_next_one_can_begin() {
    let head = head();
    let mut agent = head.agent();
    let page = buttons(&["Dunmere to Greyport, 9 May", "Travel"]);
    let click = touch(&buttons(&["My trips"]), "My trips");
    let mut memory = StepMemory::default();
    memory.note(Fingerprint(5), click.clone());
    agent.deeds.push(Deed {
        step: 1,
        action: click,
        held: 0,
        checks: Vec::new(),
        before: Fingerprint(5),
        screen: "Home".into(),
        after: page.fingerprint,
        lull: Lull::default(),
    });
    let asked = step("Open my tickets", &[]);
    let done = |next: &Step, memory: &mut StepMemory| {
        matches!(agent.certain(&asked, Some(next), &page, memory), Some(Certain::Done(_)))
    };
    assert!(done(&step("Open the journey Dunmere to Greyport", &["Dunmere to Greyport"]), &mut memory));
    assert!(!done(&step("Open the journey Elm", &["Elm"]), &mut memory), "it is not there");
    let journey = step("Open the journey Dunmere to Greyport", &["Dunmere to Greyport"]);
    assert!(!done(&journey, &mut StepMemory::default()), "nothing was done yet");
    let history = step("Open the travel history", &[]);
    assert!(agent.certain(&history, Some(&journey), &page, &mut memory).is_none(), "something says more of it");
}

#[test]
fn a_gauge_that_stops_short_of_its_value_is_remembered() {
    let asked = step("Dim it to 40 %", &["40 %"]);
    let mut page = screen(vec![button("Darker"), text("50 %"), button("Brighter")]);
    for (at, left) in [(0, 100), (1, 400), (2, 700)] {
        page.widgets[at] = row(page.widgets[at].clone(), 3, left);
    }
    let mut memory = StepMemory::default();
    let Some(Certain::Do(choice)) = head().agent().certain(&asked, None, &page, &mut memory) else {
        panic!("it is turned");
    };
    assert_eq!(memory.stopped, None);
    memory.exclude(page.fingerprint, choice.candidate.action);
    assert!(head().agent().certain(&asked, None, &page, &mut memory).is_none() && memory.stopped.is_some());
}
