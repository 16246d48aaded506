//! What the ranking puts first, and why.

use super::*;
use crate::domain::{InputText, Rect, Selector, Size};
use crate::hierarchy::{Fingerprint, Role, UiTree, Widget, WidgetState};
use crate::inference::sample::WordEmbedder;
use crate::ranking::{Offer, Place, candidates};

fn widget(id: usize, role: Role, label: &str) -> Widget {
    let top = 100 * id as i32;
    let bounds = Rect::new(0, top, 1000, top + 100);
    Widget {
        id,
        node: id,
        role,
        label: label.into(),
        shown: None,
        context: String::new(),
        value: String::new(),
        hint: String::new(),
        resource_id: format!("app:id/w{id}"),
        id_words: String::new(),
        class: "android.widget.Button".into(),
        package: "app".into(),
        state: WidgetState { enabled: true, ..WidgetState::default() },
        clickable: role != Role::Text,
        long_clickable: false,
        scrollable: false,
        bounds,
        tap: bounds.center(),
        links: Vec::new(),
        selector: Selector::default(),
    }
}

fn screen(widgets: Vec<Widget>) -> Screen {
    Screen {
        tree: UiTree::default(),
        widgets,
        texts: crate::hierarchy::ScreenTexts::default(),
        screenshot: None,
        display: Size::new(1000, 2000),
        foreground: None,
        keyboard_shown: false,
        masked: Vec::new(),
        title: "Screen".into(),
        shown_title: None,
        kind: crate::hierarchy::ScreenKind::Ordinary,
        fingerprint: Fingerprint(1),
        digest: 1,
        scroll_areas: Vec::new(),
        rows: Vec::new(),
    }
}

fn ranked(screen: &Screen, offers: &[Offer], query: &Query<'_>) -> Vec<String> {
    ranked_in_full(screen, offers, query).into_iter().map(|ranked| ranked.candidate.action.to_string()).collect()
}

fn ranked_in_full(screen: &Screen, offers: &[Offer], query: &Query<'_>) -> Vec<Ranked> {
    let (weights, cues, skills) = (Weights::bundled().unwrap(), Cues::bundled().unwrap(), Library::bundled().unwrap());
    let scorer = Scorer { embedder: &WordEmbedder, weights: &weights, cues: &cues, skills: &skills };
    let ranked = rank(&scorer, screen, query, candidates(screen, offers, &"com.example.app".into())).unwrap();
    for one in &ranked {
        let sum: f32 = one.terms.iter().map(|(_, value)| value).sum();
        assert!((sum - one.score).abs() < 1e-5, "the terms of {} do not add up", one.candidate.action);
    }
    ranked
}

fn query<'a>(instruction: &'a str, named: &'a [String]) -> Query<'a> {
    Query { instruction, sentence: instruction, whole: instruction, named, done: &[], form_filled: false }
}

#[test]
fn the_widget_a_step_names_wins_over_a_similar_one() {
    let screen = screen(vec![widget(0, Role::ListItem, "Harbour Bank"), widget(1, Role::ListItem, "Evergreen Bank")]);
    let named = ["Evergreen Bank".to_owned()];
    assert_eq!(ranked(&screen, &[], &query("select a bank", &named))[0], "click \"Evergreen Bank\"");
}

#[test]
fn when_the_named_text_is_not_in_sight_scrolling_wins() {
    let mut screen = screen(vec![widget(0, Role::ListItem, "Harbour Bank")]);
    screen.scroll_areas.push(Rect::new(0, 200, 1000, 1800));
    let named = ["Evergreen Bank".to_owned()];
    assert_eq!(ranked(&screen, &[], &query("select Evergreen Bank", &named))[0], "scroll down");
}

#[test]
fn a_switch_that_is_as_wanted_is_left_alone() {
    let mut on = widget(0, Role::Switch, "Fingerprint payment");
    on.state.checked = Some(true);
    let mut off = widget(1, Role::Switch, "Fingerprint payment for friends");
    off.state.checked = Some(false);
    let screen = screen(vec![on, off]);
    let first = &ranked(&screen, &[], &query("Turn on fingerprint payment", &[]))[0];
    assert_eq!(first, "click \"Fingerprint payment for friends\"");
}

#[test]
fn a_wheel_is_turned_towards_the_value_and_left_alone_when_it_shows_it() {
    let mut wheel = widget(0, Role::Selector, "500, 1,000, 2,000");
    wheel.value = "1,000".into();
    let named = ["2,000".to_owned()];
    let screen = screen(vec![wheel]);
    assert!(ranked(&screen, &[], &query("Turn the wheel to 2,000", &named))[0].ends_with("down"));
    let named = ["500".to_owned()];
    assert!(ranked(&screen, &[], &query("Turn the wheel to 500", &named))[0].ends_with("up"));
}

#[test]
fn where_nothing_else_fits_next_leads_on() {
    let screen = screen(vec![widget(0, Role::Radio, "Debit card"), widget(1, Role::Button, "Next")]);
    assert_eq!(ranked(&screen, &[], &query("Read the terms", &["Terms".to_owned()]))[0], "click \"Next\"");
}

#[test]
fn going_back_waiting_and_opening_the_app_are_chosen_when_a_step_says_so() {
    let screen = screen(vec![widget(0, Role::Button, "Help"), widget(1, Role::Button, "Bills")]);
    assert_eq!(ranked(&screen, &[], &query("Go back", &[]))[0], "press_back");
    assert_eq!(ranked(&screen, &[], &query("Wait for a moment", &[]))[0], "wait 5000 ms");
    assert_eq!(ranked(&screen, &[], &query("Open the app", &[]))[0], "open_app com.example.app");
    assert_eq!(ranked(&screen, &[], &query("Open Help", &[]))[0], "click \"Help\"");
}

#[test]
fn what_is_disabled_or_cannot_be_touched_comes_after_what_can() {
    let mut send = widget(0, Role::Button, "Send");
    send.state.enabled = false;
    let text = widget(1, Role::Text, "Send");
    let ranked = ranked(&screen(vec![send, text, widget(2, Role::Button, "Send it")]), &[], &query("Send", &[]));
    assert_eq!(ranked[0], "click \"Send it\"");
    assert!(ranked.iter().filter(|action| *action == "click \"Send\"").count() == 2, "{ranked:?}");
}

#[test]
fn an_icon_without_a_name_can_be_meant_by_its_place() {
    let mut screen = screen(vec![widget(0, Role::Button, ""), widget(1, Role::Button, "")]);
    screen.widgets[0].bounds = Rect::new(0, 0, 100, 100);
    screen.widgets[1].bounds = Rect::new(900, 0, 1000, 100);
    let best = &ranked_in_full(&screen, &[], &query("Tap the icon at the top right", &[]))[0];
    assert_eq!(best.candidate.widget, Some(1), "{best:?}");
}

#[test]
fn a_counted_widget_is_the_one_at_that_place() {
    let rows = (0..4).map(|id| widget(id, Role::ListItem, "Message")).collect();
    let screen = screen(rows);
    for (instruction, meant) in [("Open the second message", 1), ("Open the last message", 3)] {
        let best = &ranked_in_full(&screen, &[], &query(instruction, &[]))[0];
        assert_eq!(best.candidate.widget, Some(meant), "{instruction}: {best:?}");
    }
}

#[test]
fn a_switch_is_meant_where_a_state_is_asked_for() {
    let mut switch = widget(1, Role::Switch, "Dark mode");
    switch.state.checked = Some(false);
    let screen = screen(vec![widget(0, Role::ListItem, "Dark mode"), switch]);
    let best = &ranked_in_full(&screen, &[], &query("Turn on dark mode", &[]))[0];
    assert_eq!(best.candidate.widget, Some(1), "{best:?}");
}

#[test]
fn an_empty_screen_still_offers_what_needs_no_widget() {
    let actions = ranked(&screen(Vec::new()), &[], &query("Tap Continue", &[]));
    assert_eq!(actions.len(), 3, "{actions:?}");
}

#[test]
fn odd_instructions_are_ranked_like_any_other() {
    let screen = screen(vec![widget(0, Role::Button, "继续 😀 Next"), widget(1, Role::Button, "ต่อไป")]);
    let long = "tap continue ".repeat(400);
    for instruction in ["", " ", "😀😀", "点 Next ต่อไป далее", "\u{202e}\u{0}", long.as_str()] {
        let ranked = ranked_in_full(&screen, &[], &query(instruction, &[]));
        assert!(ranked.len() >= 5 && ranked.iter().all(|one| one.score.is_finite()), "{instruction:?}");
    }
}

#[test]
fn a_thousand_widgets_and_a_long_instruction_take_bounded_time() {
    let screen =
        screen((0..1000).map(|id| widget(id, Role::Button, &format!("Row number {id} of the list"))).collect());
    let long = format!("Open row number 700 {}", "and then some more words ".repeat(200));
    let started = std::time::Instant::now();
    let ranked = ranked(&screen, &[], &query(&long, &[]));
    assert_eq!(ranked.len(), 1003);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn fields_come_before_consent_and_consent_before_the_submit_button() {
    let field = widget(0, Role::Field, "Full name");
    let mut consent = widget(1, Role::Checkbox, "I have read and agree to the terms");
    consent.state.checked = Some(false);
    let mut submit = widget(2, Role::Button, "Continue");
    submit.state.enabled = false;
    let offer = Offer {
        place: Place::Field(0),
        parameter: "full_name".into(),
        text: InputText::Plain("Ada".into()),
        fit: 0.9,
        mentioned: false,
        others_mentioned: false,
        tentative: false,
    };
    let mut screen = screen(vec![field, consent, submit]);
    let ask = query("Submit personal information", &[]);
    assert_eq!(ranked(&screen, &[offer], &ask)[0], "input_text \"Ada\" into \"Full name\"");
    assert_eq!(ranked(&screen, &[], &ask)[0], "click \"I have read and agree to the terms\"");
    screen.widgets[1].state.checked = Some(true);
    screen.widgets[2].state.enabled = true;
    assert_eq!(ranked(&screen, &[], &ask)[0], "click \"Continue\"");
}

#[test]
fn a_paragraph_with_links_is_touched_on_its_links_only() {
    let mut paragraph = widget(0, Role::Text, "I agree to the Terms of Service");
    paragraph.clickable = true;
    paragraph.links.push(Rect::new(600, 10, 900, 40));
    let link = widget(1, Role::Link, "Terms of Service");
    let actions: Vec<_> = candidates(&screen(vec![paragraph, link]), &[], &"com.example.app".into())
        .into_iter()
        .map(|one| one.action.to_string())
        .collect();
    assert_eq!(actions[..2], ["click \"Terms of Service\"", "press_back"]);
}

#[test]
fn an_entry_with_a_coloured_part_is_still_touched_as_a_whole() {
    let mut entry = widget(0, Role::ListItem, "Pension Lotte, Dunmore, Booked");
    entry.links.push(Rect::new(600, 10, 900, 40));
    let actions: Vec<_> = candidates(&screen(vec![entry]), &[], &"com.example.app".into())
        .into_iter()
        .map(|one| one.action.to_string())
        .collect();
    assert_eq!(actions[0], "click \"Pension Lotte, Dunmore, Booked\"");
}
