//! Decisions on made-up screens about the way: going back, what is done on a thing's own page, what comes before a form is sent.

use super::policy::Feature;
use super::propose::Source;
use super::sample::{Desk, page, window};
use crate::form::sample::{button, screen, text, widget};
use crate::hierarchy::{Role, Widget};

fn field(label: &str, value: &str) -> Widget {
    let mut field = widget(Role::Field, label);
    field.value = value.to_owned();
    field
}

fn radio(label: &str, on: bool) -> Widget {
    let mut radio = widget(Role::Radio, label);
    radio.state.checked = Some(on);
    radio
}

fn scored(desk: &Desk, screen: &crate::hierarchy::Screen, label: &str) -> f32 {
    let options = desk.options(screen);
    options.iter().find(|one| one.proposal.text == label).map_or(-9.0, |one| one.score)
}

#[test]
fn going_back_ends_on_the_page_that_the_step_names() {
    let mut desk = Desk::new(&[("Back to Privacy", &[])], &[]);
    let settings = page("Settings", 1, screen(vec![button("Privacy"), button("Language")]));
    let privacy = page("Privacy", 2, screen(vec![button("Profile photo"), button("App lock")]));
    let lock = page("App lock", 3, screen(vec![button("Immediately")]));
    desk.touched("Privacy", &settings, &privacy, Source::Touch);
    desk.touched("App lock", &privacy, &lock, Source::Touch);
    desk.journal.begin_clause();
    assert_eq!(desk.choice(&lock), "press_back");
    desk.went_back(&lock, &privacy);
    assert_eq!(desk.choice(&privacy), "done");
}

#[test]
fn what_is_opened_after_going_back_is_not_left_again() {
    let mut desk = Desk::new(&[("Go back and look at the chat with Lena", &[])], &[]);
    let chats = page("Chats", 1, screen(vec![button("Lena"), button("Hugo")]));
    let hugo = page("Hugo", 2, screen(vec![text("Hello"), button("Call")]));
    let lena = page("Lena", 3, screen(vec![text("Good morning"), button("Call")]));
    desk.touched("Hugo", &chats, &hugo, Source::Touch);
    desk.journal.begin_clause();
    desk.went_back(&hugo, &chats);
    desk.touched("Lena", &chats, &lena, Source::Touch);
    assert_ne!(desk.choice(&lena), "press_back");
}

#[test]
fn pages_of_one_bar_stand_beside_each_other() {
    let tab = |label: &str| widget(Role::Tab, label);
    let home = page("Home", 1, screen(vec![text("News"), tab("Home"), tab("Library")]));
    let library = page("Library", 2, screen(vec![text("Books"), tab("Home"), tab("Library")]));
    let book = page("Book", 3, screen(vec![text("Chapter one")]));
    let mut desk = Desk::new(&[("Open the atlas", &[])], &[]);
    desk.touched("Library", &home, &library, Source::Explore);
    assert_eq!(desk.journal.depth(), 0);
    desk.touched("Books", &library, &book, Source::Explore);
    assert_eq!(desk.journal.depth(), 1);
}

#[test]
fn what_can_be_done_to_the_thing_whose_window_is_open_is_no_daring_guess() {
    let mut desk = Desk::new(&[("Give Owen Gallagher the rights of an admin there", &[])], &[]);
    let group = page("Group info", 1, screen(vec![button("Owen Gallagher"), button("Dev Patel")]));
    let about = page(
        "Owen Gallagher",
        2,
        window(screen(vec![text("Owen Gallagher"), button("Make an admin there"), button("Remove from group")])),
    );
    desk.touched("Owen Gallagher", &group, &about, Source::Touch);
    assert_eq!(desk.choice(&about), "touch Make an admin there");
}

#[test]
fn a_choice_that_the_step_says_is_made_before_the_form_is_sent() {
    let mut desk = Desk::new(&[("Invite her by e-mail as a guest", &["mail"])], &[("mail", "june@post.example")]);
    let filled = |chosen: bool| {
        let widgets =
            vec![field("E-mail", "june@post.example"), radio("Guest", chosen), radio("Owner", !chosen), button("Send")];
        page("Invite", 1, screen(widgets))
    };
    let empty = vec![field("E-mail", ""), radio("Guest", false), radio("Owner", true), button("Send")];
    let empty = page("Invite", 1, screen(empty));
    desk.typed("mail", "E-mail", &empty, &filled(false));
    assert_eq!(desk.choice(&filled(false)), "touch Guest");
    desk.touched("Guest", &filled(false), &filled(true), Source::Touch);
    assert_eq!(desk.choice(&filled(true)), "touch Send");
}

#[test]
fn a_step_that_sends_nothing_leaves_the_button_until_its_name_was_met() {
    let steps: [(&str, &[&str]); 2] = [("Let it ring for Theo only", &[]), ("Set the reminder", &[])];
    let mut desk = Desk::new(&steps, &[("what", "Violin")]);
    let empty = page("Reminder", 1, screen(vec![field("What", ""), button("Save")]));
    let form = page("Reminder", 1, screen(vec![field("What", "Violin"), button("Save")]));
    desk.typed("what", "What", &empty, &form);
    desk.journal.begin_clause();
    assert_ne!(desk.choice(&form), "touch Save");
    let mut desk = Desk::new(&[("Tap Save", &["button"]), ("Open the list", &[])], &[("button", "Save")]);
    desk.journal.begin_clause();
    assert_eq!(desk.choice(&form), "touch Save", "the button is what the step names");
}

#[test]
fn the_button_of_a_page_about_what_the_step_names_is_touched_at_once() {
    let steps: [(&str, &[&str]); 2] = [("Add Atlantic salmon to the cart", &["item"]), ("Open the cart", &[])];
    let desk = Desk::new(&steps, &[("item", "Atlantic salmon")]);
    let product = page("Meat and fish", 1, screen(vec![text("Atlantic salmon"), button("Add to cart")]));
    assert_eq!(desk.choice(&product), "touch Add to cart");
}

#[test]
fn several_buttons_that_a_switch_sets_free_send_nothing() {
    let disabled = |label: &str| {
        let mut button = button(label);
        button.state.enabled = false;
        button
    };
    let switch = |on: bool| {
        let mut switch = widget(Role::Switch, "Use equalizer");
        switch.state.checked = Some(on);
        switch
    };
    let mut desk = Desk::new(&[("Turn the equalizer on", &[]), ("Choose the sound for jazz", &[])], &[]);
    let off = page("Equalizer", 1, screen(vec![switch(false), disabled("Warmer"), disabled("Colder")]));
    let on = page("Equalizer", 1, screen(vec![switch(true), button("Warmer"), button("Colder")]));
    desk.touched("Use equalizer", &off, &on, Source::Touch);
    desk.next();
    assert!(scored(&desk, &on, "Colder") < 0.3, "{}", scored(&desk, &on, "Colder"));
}

#[test]
fn a_button_that_says_the_contrary_once_it_was_touched_is_the_same_button() {
    let heart = |label: &str| {
        let mut heart = button(label);
        heart.resource_id = "app:id/heart".to_owned();
        heart
    };
    let mut desk = Desk::new(&[("Like the song", &[])], &[]);
    let before = page("Now playing", 1, screen(vec![heart("Like"), button("Next")]));
    let after = page("Now playing", 1, screen(vec![heart("Unlike"), button("Next")]));
    desk.touched("Like", &before, &after, Source::Touch);
    assert_eq!(desk.choice(&after), "done");
}

#[test]
fn a_name_that_is_given_to_a_new_thing_is_not_looked_up() {
    let mut search = field("Search", "");
    search.hint = "Search".to_owned();
    let desk = Desk::new(
        &[("Start a new playlist and give it the name Rainy window", &["name"])],
        &[("name", "Rainy window")],
    );
    let home = page("Home", 1, screen(vec![search, button("Your music")]));
    assert_ne!(desk.choice(&home), "type Rainy window into Search");
}

#[test]
fn the_first_field_of_a_form_takes_the_name_that_a_step_gives() {
    let desk = Desk::new(&[("Call it by the name of the plan Swimming gala", &["plan"])], &[("plan", "Swimming gala")]);
    let form = page("New event", 1, screen(vec![field("What's on?", ""), field("Where", ""), button("Save")]));
    assert_eq!(desk.choice(&form), "type Swimming gala into What's on?");
}

#[test]
fn an_ordinal_that_a_label_says_means_that_label() {
    let desk = Desk::new(&[("Last seen to nobody", &[])], &[]);
    let row = |label: &str| widget(Role::ListItem, label);
    let privacy = page("Privacy", 1, screen(vec![row("Last seen and online, My contacts"), row("App lock, Off")]));
    assert_eq!(desk.choice(&privacy), "touch Last seen and online, My contacts");
}

#[test]
fn a_tab_is_called_by_what_it_shows_and_begins_nothing() {
    let desk = Desk::new(&[("Start a report", &[])], &[]);
    let check = |role: Role, expected: f32| {
        let home = page("Reports", 1, screen(vec![widget(role, "Start"), text("Nothing yet")]));
        let options = desk.options(&home);
        let start = options.iter().find(|one| one.proposal.text.starts_with("Start")).unwrap();
        assert!((start.proposal.features.get(Feature::VerbMatch) - expected).abs() < 0.01, "{role:?}");
    };
    check(Role::Button, 1.0);
    check(Role::Tab, 0.0);
}
