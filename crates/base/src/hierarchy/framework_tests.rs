//! What the framework's own views (API 34) become: dumps of the framework device's gallery, rendered by Android's code from
//! pages that were written here.

use super::sample::perceive_dump;
use super::{Screen, ScreenKind, Widget};

macro_rules! page {
    ($name:literal) => {
        perceive_dump(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../virtual-device/src/framework/differences/framework/",
            $name,
            ".xml"
        )))
    };
}

/// A widget in a line: role, label, what it holds, whether it can be touched, checked, used.
fn line(widget: &Widget) -> String {
    let mut line = format!("{} {:?}", widget.role, widget.label);
    if !widget.value.is_empty() && widget.value != widget.label {
        line.push_str(&format!(" = {:?}", widget.value));
    }
    for (flag, word) in [
        (widget.clickable, " click"),
        (widget.scrollable, " scroll"),
        (widget.state.checked == Some(true), " on"),
        (widget.state.checked == Some(false), " off"),
        (widget.state.selected, " selected"),
        (!widget.state.enabled, " locked"),
    ] {
        line.push_str(if flag { word } else { "" });
    }
    line
}

fn lines(screen: &Screen) -> Vec<String> {
    screen.widgets.iter().map(line).collect()
}

fn headings(screen: &Screen) -> Vec<&str> {
    screen.rows.iter().map(|row| row.heading.as_str()).collect()
}

#[test]
fn texts_that_are_rows_of_a_list_a_grid_and_an_expandable_list_can_be_touched() {
    let list = page!("lists");
    assert_eq!(list.title, "Gallery", "the action bar's title");
    assert_eq!(lines(&list)[1..4], ["list \"\" scroll", "list item \"Row 1\" click", "list item \"Row 2\" click"]);
    assert_eq!((headings(&list)[15], list.rows.len()), ("Row 16", 16));
    let grid = page!("grids");
    assert_eq!(lines(&grid)[1..3], ["button \"Tile 1\" click", "button \"Tile 2\" click"]);
    assert_eq!(grid.rows.len(), 12, "a row a tile");
    assert_eq!(headings(&page!("groups")), ["Fruit", "Apple", "Pear", "Bread"]);
    for screen in [&list, &grid] {
        assert!(screen.widgets.iter().all(|widget| widget.bounds.contains(widget.tap)));
    }
}

#[test]
fn tabs_and_a_search_are_called_by_what_they_say() {
    let tabs = page!("tabs");
    assert_eq!(lines(&tabs)[1..4], ["tab \"POSTS\" click selected", "tab \"LIKES\" click", "tab \"MEDIA\" click"]);
    assert_eq!(
        lines(&page!("searches"))[1..],
        ["field \"Find a recipe\" = \"soup\" click", "button \"Clear query\" click"],
        "a field that completes is a field, and its hint names it"
    );
}

#[test]
fn a_dialog_is_a_dialog_with_its_title_its_choices_and_its_answers() {
    let dialog = page!("dialogs");
    assert_eq!((dialog.kind, dialog.title.as_str()), (ScreenKind::Dialog, "Delete draft?"));
    assert_eq!(lines(&dialog)[2..], ["button \"CANCEL\" click", "button \"DELETE\" click"]);
    let choices = page!("choices");
    assert_eq!(headings(&choices), ["Red", "Green", "Blue"]);
    assert_eq!(lines(&choices)[1..3], ["checkbox \"Red\" click on", "checkbox \"Green\" click off"]);
    let several = page!("multiple");
    assert_eq!(several.title, "Toppings");
    assert_eq!(lines(&several)[1..3], ["checkbox \"Olives\" click on", "checkbox \"Onions\" click off"]);
    let prompt = page!("prompts");
    let field = prompt.widgets.iter().find(|widget| widget.label == "Folder").expect("the field");
    assert!(field.state.focused && field.value.is_empty() && field.hint == "Folder", "{field:?}");
}

#[test]
fn a_menu_and_an_open_drop_down_list_are_the_window_that_is_seen() {
    let menu = page!("menus");
    assert_eq!(menu.kind, ScreenKind::Dialog);
    assert_eq!(lines(&menu), ["list item \"Settings\" click", "list item \"Help\" click"]);
    assert_eq!(headings(&page!("drops")), ["Red", "Green", "Blue"]);
}

#[test]
fn a_wheel_is_a_selector_between_its_neighbours() {
    let wheels = page!("wheels");
    assert_eq!(
        lines(&wheels)[1..7],
        [
            "selector \"\" = \"Mar\" scroll",
            "button \"Feb\" click",
            "button \"Apr\" click",
            "selector \"\" = \"09\" scroll",
            "button \"08\" click",
            "button \"10\" click"
        ],
        "it bears no id"
    );
    assert!(lines(&wheels).contains(&"text \":\"".to_owned()), "what stands between hours and minutes");
}

#[test]
fn a_clock_of_twelve_or_of_24_hours_shows_its_numbers_and_what_is_set() {
    let twelve = page!("times");
    assert_eq!(
        lines(&twelve)[..5],
        [
            "button \"9\" click",
            "text \":\"",
            "button \"30\" click",
            "radio button \"AM\" click on",
            "radio button \"PM\" click off"
        ]
    );
    let numbers = |screen: &Screen| screen.widgets.iter().filter(|w| w.class.ends_with("TouchHelper")).count();
    let set = |screen: &Screen| screen.widgets.iter().find(|w| w.state.selected).map(|w| w.label.clone());
    assert_eq!((numbers(&twelve), set(&twelve).as_deref()), (12, Some("9")));
    let long = page!("times-german");
    assert_eq!((numbers(&long), set(&long).as_deref()), (24, Some("9")));
    assert!(!lines(&long).iter().any(|line| line.starts_with("radio")), "no halves of the day");
}

#[test]
fn days_are_buttons_that_say_their_date_and_the_chosen_one_is_selected() {
    let dates = page!("dates");
    let days: Vec<&Widget> = dates.widgets.iter().filter(|w| w.value.parse::<u8>().is_ok_and(|day| day < 32)).collect();
    assert_eq!(days.len(), 31);
    assert!(days.iter().all(|day| day.clickable && day.state.enabled));
    let chosen: Vec<&str> = days.iter().filter(|day| day.state.selected).map(|day| day.value.as_str()).collect();
    assert_eq!(chosen, ["9"]);
    assert_eq!((days[0].label.as_str(), days[9].label.as_str()), ("01 March 2026", "10 March 2026"));
    let german = page!("dates-german");
    assert!(german.widgets.iter().any(|widget| widget.label == "10 März 2026"));
    assert!(lines(&german).contains(&"button \"Nächster Monat\" click".to_owned()));
}

#[test]
fn fields_and_switches_keep_what_they_hold_and_whether_they_can_be_used() {
    assert_eq!(
        lines(&page!("fields"))[1..],
        [
            "field \"Name\" click",
            "field \"City\" = \"Berlin\" click",
            "field \"Password\" = \"•••\" click",
            "field \"Amount\" click",
            "field \"Note\" = \"One\\nTwo\" click",
            "field \"Locked\" = \"Fixed\" click locked"
        ]
    );
    assert_eq!(
        lines(&page!("locked"))[1..],
        [
            "checkbox \"I agree\" click on locked",
            "switch \"Wireless\" click on locked",
            "radio button \"Cash\" click on locked",
            "button \"Search\" click locked",
            "slider \"\" locked",
            "dropdown \"Red\" click scroll locked"
        ]
    );
    let bar = page!("selections");
    assert_eq!(bar.title, "1 selected", "the bar of a selection names the screen");
}
