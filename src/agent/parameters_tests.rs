//! Which parameter goes where.

use super::*;
use crate::agent::operation::plan;
use crate::agent::sample::{Head, screen, widget};

/// A field, what it says and what it holds.
fn field(hint: &str, value: &str) -> Widget {
    let mut field = widget(Role::Field, hint);
    (field.hint, field.value) = (hint.into(), value.into());
    field.resource_id = format!("app:id/{}", hint.to_lowercase().replace(' ', "_"));
    field
}

/// What is to be typed where for a step that is about the whole form.
fn typed(parameters: &[(&str, &str)], fields: Vec<Widget>) -> Vec<(String, String)> {
    let head = Head::new(parameters, "");
    let agent = head.agent();
    let step = Step {
        mentions: parameters.iter().map(|(name, _)| (*name).to_owned()).collect(),
        ..crate::agent::sample::step("Fill in the form", &[])
    };
    let page = screen(fields);
    let plan = plan(&agent.background(), &step, &page, &StepMemory::default(), Trust::Mention).unwrap();
    let mut typed: Vec<(usize, String, String)> = plan
        .ranked
        .iter()
        .filter_map(|ranked| {
            let offer = ranked.candidate.offer.as_ref().filter(|offer| !offer.tentative)?;
            let Place::Field(id) = offer.place else { return None };
            Some((id, page.widgets[id].hint.clone(), offer.text.expose().to_owned()))
        })
        .collect();
    typed.sort();
    typed.into_iter().map(|(_, hint, text)| (hint, text)).collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(hint, text)| ((*hint).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_date_is_typed_as_its_field_asks() {
    let found = typed(&[("due_date", "2031-05-07")], vec![field("Title", ""), field("Due date MM/DD/YY", "")]);
    assert_eq!(found, pairs(&[("Due date MM/DD/YY", "05/07/31")]));
    let found = typed(&[("due_date", "next week")], vec![field("Due date", ""), field("Title", "")]);
    assert_eq!(found, pairs(&[("Due date", "next week")]), "a value of another form stays");
}

#[test]
fn a_date_that_is_there_as_its_field_asks_is_not_typed_again() {
    let there = field("Due date MM/DD/YY", "05/07/31");
    assert_eq!(typed(&[("due_date", "2031-05-07")], vec![there, field("Title", "")]), []);
}

#[test]
fn a_value_goes_where_its_form_belongs() {
    let given = [("contact", "ada@example.com"), ("contact_phone", "020 7946 0000")];
    let fields = || vec![field("Contact phone", ""), field("Contact email", "")];
    assert_eq!(
        typed(&given, fields()),
        pairs(&[("Contact phone", "020 7946 0000"), ("Contact email", "ada@example.com")])
    );
}

#[test]
fn one_of_hundreds_of_parameters_is_found() {
    let names: Vec<String> = (0..300).map(|number| format!("setting_{number}")).collect();
    let mut given: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "0")).collect();
    given.push(("garden_gate_code", "4711"));
    let found = typed(&given, vec![field("Garden gate code", "")]);
    assert_eq!(found, pairs(&[("Garden gate code", "4711")]));
}

#[test]
fn a_dropdown_that_shows_a_value_has_it_and_a_choice_that_is_open_is_offered() {
    let head = Head::new(&[("shed_kind", "Open shed")], "");
    let agent = head.agent();
    let step = crate::agent::sample::step("Fill in the form", &[]);
    let offered = |role| {
        let page = screen(vec![widget(role, "Open shed")]);
        let plan = plan(&agent.background(), &step, &page, &StepMemory::default(), Trust::Mention).unwrap();
        let choice = |ranked: &crate::ranking::Ranked| {
            ranked.candidate.offer.as_ref().is_some_and(|offer| matches!(offer.place, Place::Choice(_)))
        };
        plan.ranked.iter().any(choice)
    };
    assert!(offered(Role::Radio));
    assert!(!offered(Role::Dropdown));
}

#[test]
fn a_field_that_a_later_step_fills_is_left_to_it() {
    let head = Head::new(&[("gate_code", "510000"), ("shed_code", "246810")], "");
    let agent = head.agent();
    let page = screen(vec![field("Shed code", "")]);
    let offered = |reserved: &[&str]| {
        let reserved = reserved.iter().map(|name| (*name).to_owned()).collect();
        let step = Step { reserved, ..crate::agent::sample::step("Fill in the form", &[]) };
        let plan = plan(&agent.background(), &step, &page, &StepMemory::default(), Trust::Mention).unwrap();
        plan.ranked.iter().find_map(|ranked| Some(ranked.candidate.offer.as_ref()?.parameter.clone()))
    };
    assert_eq!(offered(&[]).as_deref(), Some("shed_code"));
    assert_eq!(offered(&["shed_code"]), None, "the gate's code does not belong there");
}

#[test]
fn parameters_that_fit_a_place_equally_are_told() {
    let head = Head::new(&[("note_title", "Milk"), ("title_note", "Bread"), ("colour", "red")], "");
    let agent = head.agent();
    let step = crate::agent::sample::step("Fill in the form", &[]);
    let page = screen(vec![field("Title of the note", ""), field("Colour", "")]);
    let plan = plan(&agent.background(), &step, &page, &StepMemory::default(), Trust::Mention).unwrap();
    let rivals = |name: &str| {
        let mut offers = plan.ranked.iter().filter_map(|ranked| ranked.candidate.offer.as_ref());
        offers.find(|offer| offer.parameter == name && !offer.tentative).map(|offer| {
            let names: Vec<&str> = offer.rivals.iter().map(|(name, _)| name.as_str()).collect();
            names.join(" ")
        })
    };
    assert_eq!(rivals("note_title").as_deref(), Some("title_note"));
    assert_eq!(rivals("colour").as_deref(), Some(""), "nothing else fits there");
}

#[test]
fn how_a_name_is_to_be_written_says_nothing_of_whose_it_is() {
    let given = [("traveller_name", "Ada Byron")];
    let found = typed(&given, vec![field("Name as in your passport", ""), field("Send it to", "")]);
    assert_eq!(found, pairs(&[("Name as in your passport", "Ada Byron")]));
    let cues = Cues::bundled().unwrap();
    let apart =
        |place: &str| is_anothers(&crate::inference::sample::WordEmbedder, &cues, place, "traveller name").unwrap();
    let places = |label: &str| places(&screen(vec![field(label, "")]), &[], &cues).remove(0).own;
    assert!(!apart(&places("Name as in your passport")) && apart(&places("Name of the station")));
}

#[test]
fn a_place_may_call_a_value_by_another_word_and_remarks_take_none_but_their_own() {
    let fields = || vec![field("Note for accounting", ""), field("Paid to", "")];
    let found = typed(&[("merchant", "Byron & Sons")], fields());
    assert_eq!(found, pairs(&[("Paid to", "Byron & Sons")]));
    let found = typed(&[("note", "Two guests")], fields());
    assert_eq!(found, pairs(&[("Note for accounting", "Two guests")]));
}

#[test]
fn a_list_is_opened_over_which_the_parameters_name_stands() {
    let head = Head::new(&[("reason", "First visit")], "");
    let mut list = widget(Role::Dropdown, "Please choose");
    list.context = "Reason for the visit".into();
    let opened = |page: &Screen| {
        let step = crate::agent::sample::step("Fill in the form", &[]);
        let agent = head.agent();
        let plan = plan(&agent.background(), &step, page, &StepMemory::default(), Trust::Mention).unwrap();
        let opener = |ranked: &crate::ranking::Ranked| {
            ranked.candidate.offer.as_ref().is_some_and(|offer| matches!(offer.place, Place::Opener(_)))
        };
        plan.ranked.iter().any(opener)
    };
    assert!(opened(&screen(vec![list.clone(), field("Phone", "")])));
    assert!(!opened(&screen(vec![list.clone(), list, field("Phone", "")])), "either may be meant");
}
