//! When a step is done, and what is left of it: made-up screens.

use super::propose::Source;
use super::sample::{Desk, page, window};
use crate::form::sample::{button, screen, text, widget};
use crate::hierarchy::{Role, Widget};

fn radio(label: &str, on: bool) -> Widget {
    let mut radio = widget(Role::Radio, label);
    radio.state.checked = Some(on);
    radio
}

fn field(label: &str, value: &str) -> Widget {
    let mut field = widget(Role::Field, label);
    field.value = value.to_owned();
    field
}

#[test]
fn a_page_that_was_left_is_opened_again_by_what_opened_it() {
    let mut desk = Desk::new(&[("Open the alerts", &[]), ("Leave the page", &[]), ("Open it again", &[])], &[]);
    let me = page("Me", 1, screen(vec![button("Documents"), button("Alerts"), button("Family")]));
    let alerts = page("Alerts", 2, screen(vec![radio("By letter", true), radio("By phone", false)]));
    desk.touched("Alerts", &me, &alerts, Source::Touch);
    desk.next();
    desk.went_back(&alerts, &me);
    desk.next();
    assert_eq!(desk.choice(&me), "touch Alerts");
    desk.touched("Alerts", &me, &alerts, Source::Touch);
    assert_eq!(desk.choice(&alerts), "done");
}

#[test]
fn a_name_that_only_capital_letters_tell_is_what_is_looked_for() {
    let mut desk = Desk::new(&[("Search for a room in Brennhaven", &[])], &[]);
    let home = page("Stays", 1, screen(vec![button("Where to?"), button("Wish list")]));
    let towns = page("Where to?", 2, screen(vec![button("Dunmore"), button("Brennhaven"), button("Highmoor")]));
    assert_eq!(desk.choice(&home), "touch Where to?");
    desk.touched("Where to?", &home, &towns, Source::Touch);
    assert_eq!(desk.choice(&towns), "touch Brennhaven");
}

#[test]
fn a_choice_sends_nothing_whatever_it_is_called() {
    let mut desk = Desk::new(&[("Show only e-books", &[])], &[]);
    let list = page("Titles", 1, screen(vec![button("Narrow down"), button("Rye at night")]));
    let kinds = |on: bool| {
        let mut apply = button("Show titles");
        apply.bounds = crate::domain::Rect { left: 40, top: 2200, right: 1040, bottom: 2320 };
        page("Narrow down", 2, window(screen(vec![radio("E-books", on), radio("Book", !on), apply])))
    };
    desk.touched("Narrow down", &list, &kinds(false), Source::Touch);
    assert_eq!(desk.choice(&kinds(false)), "touch E-books");
    desk.touched("E-books", &kinds(false), &kinds(true), Source::Touch);
    assert_eq!(desk.choice(&kinds(true)), "touch Show titles");
}

#[test]
fn what_no_step_mentions_is_chosen_where_a_control_is_called_after_it() {
    let parameters = [("dish", "Lentil soup"), ("course", "Side")];
    let mut desk = Desk::new(&[("Fill in the form for Lentil soup", &["dish"])], &parameters);
    let form = |name: &str| {
        let mut course = widget(Role::Dropdown, "Course");
        course.value = "Main".to_owned();
        page("New recipe", 1, screen(vec![field("Name of the dish", name), course, button("Save")]))
    };
    desk.typed("dish", "Name of the dish", &form(""), &form("Lentil soup"));
    assert_eq!(desk.choice(&form("Lentil soup")), "touch Course");
}

#[test]
fn a_thing_that_was_opened_is_no_value_of_a_window_that_is_called_by_it() {
    let steps: [(&str, &[&str]); 3] = [("Open Evening calm", &["plan"]), ("Delete it", &[]), ("Confirm", &[])];
    let mut desk = Desk::new(&steps, &[("plan", "Evening calm")]);
    let list = page("Schedules", 1, screen(vec![button("Early warmth, 06:30"), button("Evening calm, 22:00")]));
    let plan = page("Evening calm", 2, screen(vec![text("22:00"), button("Remove")]));
    let asks =
        page("Remove Evening calm?", 3, window(screen(vec![text("Evening calm"), button("Keep"), button("Remove")])));
    desk.touched("Evening calm, 22:00", &list, &plan, Source::Touch);
    desk.next();
    desk.touched("Remove", &plan, &asks, Source::Touch);
    desk.next();
    assert_eq!(desk.choice(&asks), "touch Remove");
}

#[test]
fn a_page_that_is_meant_is_not_left_for_what_was_seen_before() {
    let steps: [(&str, &[&str]); 1] = [("Have Paper Harbours sent to the branch in Quay Lane", &["title"])];
    let mut desk = Desk::new(&steps, &[("title", "Paper Harbours")]);
    let found =
        page("Results", 1, screen(vec![button("Paper Harbours, Nell Quist"), button("Glass Rivers, Omar Vale")]));
    let title = page("About this title", 2, screen(vec![text("Paper Harbours"), button("Collect at, Main library")]));
    desk.touched("Paper Harbours, Nell Quist", &found, &title, Source::Touch);
    assert_ne!(desk.choice(&title), "press_back");
}

#[test]
fn a_value_that_was_never_entered_nor_seen_is_left_out() {
    let mut desk = Desk::new(&[("Enter who it is for", &[])], &[("who", "Ann Lee"), ("phone", "0550177")]);
    let form = page("Who is it for?", 1, screen(vec![field("Name", ""), field("Phone", "")]));
    assert_eq!(desk.journal.left_out(&desk.parameters).next(), Some(("who", "Ann Lee")));
    let filled = page("Who is it for?", 1, screen(vec![field("Name", "Ann Lee"), field("Phone", "")]));
    desk.typed("who", "Name", &form, &filled);
    assert_eq!(desk.journal.left_out(&desk.parameters).next(), None, "a number may have gone in in other words");
}

#[test]
fn a_value_in_the_language_of_the_display_is_seen_on_a_page_that_is_read_in_another() {
    let mut desk = Desk::new(&[("Go to the eyes department", &[])], &[("department", "Augen")]);
    let mut read = page("Departments", 1, screen(vec![button("Eyes"), button("Skin")]));
    let next = page("Doctors", 2, screen(vec![text("Dr. Haddad")]));
    desk.touched("Eyes", &read, &next, Source::Touch);
    assert_eq!(desk.journal.left_out(&desk.parameters).next(), Some(("department", "Augen")));
    for text in &mut read.texts.shown {
        text.shown = (text.text == "Eyes").then(|| "Augen".to_owned());
    }
    desk.touched("Eyes", &read, &next, Source::Touch);
    assert_eq!(desk.journal.left_out(&desk.parameters).next(), None);
}

#[test]
fn no_star_is_touched_in_search_of_something() {
    let desk = Desk::new(&[("Go to the test drives", &[])], &[]);
    let star = |at: i32| {
        let mut star = widget(Role::Image, &format!("{at} stars"));
        star.clickable = true;
        star.bounds = crate::domain::Rect { left: 100 * at, top: 900, right: 100 * at + 90, bottom: 990 };
        star
    };
    let mut widgets = vec![text("Dune Camper"), text("Rate it")];
    widgets.extend((1..=5).map(star));
    let camper = page("Dune Camper", 1, screen(widgets));
    let touches = desk.options(&camper).into_iter().filter(|one| one.proposal.text.contains("stars"));
    assert!(touches.clone().count() >= 5);
    assert!(touches.map(|one| one.veto).all(|veto| veto.is_some()), "a touch would rate");
}
