//! What perception promises, sentence by sentence, on small written screens.

use super::super::sample::{PAGE, dump, labels, perceive};
use super::*;
use crate::domain::{Locator, Point};
use proptest::prelude::*;

#[test]
fn what_lies_outside_the_display_or_its_scroll_container_is_not_seen() {
    let screen = perceive(&[
        PAGE,
        (1, "widget.ScrollView", "scrollable=\"true\"", [0, 200, 1080, 1000]),
        (2, "widget.Button", "text=\"In\" clickable=\"true\"", [0, 900, 500, 1100]),
        (2, "widget.Button", "text=\"Below\" clickable=\"true\"", [0, 1100, 500, 1200]),
        (1, "widget.Button", "text=\"Zero\" clickable=\"true\"", [0, 0, 0, 0]),
        (1, "widget.Button", "text=\"Clipped\" clickable=\"true\"", [96, 2798, 399, 2784]),
        (1, "widget.Button", "text=\"Mirrored\" clickable=\"true\"", [700, 1300, 500, 1400]),
    ]);
    assert_eq!(labels(&screen), ["", "In", "Mirrored"]);
    assert_eq!(screen.widgets[1].bounds, Rect::new(0, 900, 500, 1000));
    assert_eq!(screen.widgets[2].bounds, Rect::new(500, 1300, 700, 1400));
    assert_eq!(screen.widgets[0].role, Role::List);
}

#[test]
fn a_switch_is_called_by_the_text_of_its_row_and_a_field_by_the_text_above() {
    let screen = perceive(&[
        PAGE,
        (1, "widget.LinearLayout", "", [0, 100, 1080, 200]),
        (2, "widget.TextView", "text=\"Wi-Fi\"", [40, 120, 300, 180]),
        (2, "widget.Switch", "checkable=\"true\" checked=\"true\" clickable=\"true\"", [900, 120, 1040, 180]),
        (1, "widget.LinearLayout", "", [0, 200, 1080, 300]),
        (2, "widget.TextView", "text=\"Bluetooth\"", [40, 220, 300, 280]),
        (2, "widget.Switch", "checkable=\"true\" clickable=\"true\"", [900, 220, 1040, 280]),
        (1, "widget.TextView", "text=\"Full name\"", [40, 400, 300, 450]),
        (
            1,
            "widget.EditText",
            "text=\"Ada\" hint=\"\" focused=\"true\" clickable=\"true\" focusable=\"true\"",
            [40, 460, 1040, 560],
        ),
    ]);
    let switches: Vec<_> =
        screen.widgets.iter().filter(|w| w.role == Role::Switch).map(|w| (w.label.as_str(), w.state.checked)).collect();
    assert_eq!(switches, [("Wi-Fi", Some(true)), ("Bluetooth", Some(false))]);
    let field = screen.widgets.iter().find(|w| w.role == Role::Field).expect("a field");
    assert_eq!((field.label.as_str(), field.value.as_str()), ("Full name", "Ada"));
}

#[test]
fn a_field_that_shows_its_hint_is_empty() {
    let screen =
        perceive(&[PAGE, (1, "widget.EditText", "text=\"Email\" hint=\"Email\" clickable=\"true\"", [0, 0, 500, 100])]);
    assert_eq!((screen.widgets[0].label.as_str(), screen.widgets[0].value.as_str()), ("Email", ""));
    // Before API 36 nothing tells the two apart.
    let screen = perceive(&[PAGE, (1, "widget.EditText", "text=\"Email\" clickable=\"true\"", [0, 0, 500, 100])]);
    assert_eq!((screen.widgets[0].label.as_str(), screen.widgets[0].value.as_str()), ("Email", "Email"));
}

#[test]
fn a_field_is_called_by_the_label_drawn_within_it_before_a_text_above() {
    let check = |within: &str, expected: &str| {
        let screen = perceive(&[
            PAGE,
            (1, "widget.TextView", "text=\"Welcome back\"", [0, 0, 500, 60]),
            (1, "widget.EditText", "clickable=\"true\"", [0, 80, 500, 180]),
            (2, "widget.TextView", within, [20, 100, 200, 150]),
        ]);
        let field = screen.widgets.iter().find(|widget| widget.role == Role::Field).unwrap();
        assert_eq!(field.label, expected, "{within}");
    };
    check("text=\"Customer number\"", "Customer number");
    // A counter is no name.
    check("text=\"0/50\"", "Welcome back");
}

#[test]
fn a_password_field_that_shows_words_is_empty() {
    for (text, label, value) in
        [("Kennwort", "Kennwort", ""), ("•••••", "", "•••••"), ("密码", "密码", ""), ("hunter2", "", "hunter2")]
    {
        let attributes = format!("text=\"{text}\" password=\"true\" clickable=\"true\"");
        let screen = perceive(&[PAGE, (1, "widget.EditText", &attributes, [0, 900, 500, 1000])]);
        let field = &screen.widgets[0];
        assert_eq!((field.label.as_str(), field.value.as_str()), (label, value), "{text}");
        assert_eq!(field.hint, label);
    }
}

#[test]
fn wheels_and_sliders_are_called_by_what_stands_over_them_and_days_by_their_description() {
    let screen = perceive(&[
        PAGE,
        (1, "widget.TextView", "text=\"Lautstärke\"", [40, 300, 500, 350]),
        (1, "widget.SeekBar", "focusable=\"true\"", [40, 360, 1040, 440]),
        (1, "widget.TextView", "text=\"Stunde\"", [40, 600, 300, 650]),
        (1, "widget.TextView", "text=\"Minute\"", [540, 600, 800, 650]),
        (1, "widget.NumberPicker", "", [40, 660, 300, 1000]),
        (
            2,
            "widget.EditText",
            "text=\"07\" resource-id=\"android:id/numberpicker_input\" clickable=\"true\"",
            [40, 780, 300, 880],
        ),
        (1, "widget.NumberPicker", "", [540, 660, 800, 1000]),
        (
            2,
            "widget.EditText",
            "text=\"45\" resource-id=\"android:id/numberpicker_input\" clickable=\"true\"",
            [540, 780, 800, 880],
        ),
        (1, "view.View", "text=\"12\" content-desc=\"12 juillet 2026\" clickable=\"true\"", [40, 1200, 140, 1300]),
    ]);
    let named: Vec<(&str, &str)> = screen
        .widgets
        .iter()
        .filter(|widget| widget.role != Role::Text)
        .map(|widget| (widget.label.as_str(), if widget.role == Role::Selector { widget.value.as_str() } else { "" }))
        .collect();
    assert_eq!(named, [("Lautstärke", ""), ("Stunde", "07"), ("Minute", "45"), ("12 juillet 2026", "")]);
}

#[test]
fn a_flutter_tab_is_a_tab_by_its_description() {
    let screen = perceive(&[
        PAGE,
        (
            1,
            "view.View",
            "content-desc=\"Home&#10;Tab 1 of 3\" clickable=\"true\" selected=\"true\"",
            [0, 2200, 360, 2400],
        ),
    ]);
    let tab = &screen.widgets[0];
    assert_eq!((tab.label.as_str(), tab.role, tab.state.selected), ("Home", Role::Tab, true));
}

#[test]
fn the_entries_of_a_strip_of_which_one_is_selected_are_tabs() {
    let strip = |selected: &str| {
        let screen = perceive(&[
            PAGE,
            (1, "widget.HorizontalScrollView", "", [0, 100, 1000, 200]),
            (2, "widget.LinearLayout", "", [0, 100, 1000, 200]),
            (3, "widget.LinearLayout", &format!("content-desc=\"Inbox\" {selected}"), [0, 100, 500, 200]),
            (3, "widget.LinearLayout", "content-desc=\"Archive\" clickable=\"true\"", [500, 100, 1000, 200]),
        ]);
        screen.widgets.iter().find(|widget| widget.label == "Archive").map(|widget| widget.role)
    };
    assert_eq!(strip("selected=\"true\""), Some(Role::Tab));
    assert_ne!(strip("clickable=\"true\""), Some(Role::Tab));
}

#[test]
fn which_entries_of_a_strip_are_selected_changes_no_fingerprint() {
    let strip = |selected: [bool; 2]| {
        let [inbox, archive] = selected.map(|is| format!("clickable=\"true\" selected=\"{is}\""));
        perceive(&[
            PAGE,
            (1, "widget.HorizontalScrollView", "", [0, 100, 1000, 200]),
            (2, "widget.LinearLayout", "", [0, 100, 1000, 200]),
            (3, "widget.LinearLayout", &format!("content-desc=\"Inbox\" {inbox}"), [0, 100, 500, 200]),
            (3, "widget.LinearLayout", &format!("content-desc=\"Archive\" {archive}"), [500, 100, 1000, 200]),
        ])
        .fingerprint
    };
    for other in [[false, true], [false, false], [true, true]] {
        assert_eq!(strip([true, false]), strip(other), "{other:?}");
    }
}

#[test]
fn the_paths_of_several_nodes_are_those_of_each() {
    let screen = perceive(&[
        PAGE,
        (1, "widget.LinearLayout", "", [0, 100, 1000, 200]),
        (2, "widget.Button", "text=\"One\" clickable=\"true\"", [0, 100, 500, 200]),
        (1, "widget.Button", "text=\"Two\" clickable=\"true\"", [0, 300, 500, 400]),
    ]);
    let tree = &screen.tree;
    let expected = [
        "FrameLayout[0]",
        "FrameLayout[0]/LinearLayout[0]",
        "FrameLayout[0]/LinearLayout[0]/Button[0]",
        "FrameLayout[0]/Button[1]",
    ];
    for nodes in [vec![0, 1, 2, 3], vec![2, 3], vec![3], vec![]] {
        let each: Vec<&str> = nodes.iter().map(|node| expected[*node]).collect();
        assert_eq!(tree.paths(nodes), each);
    }
    assert_eq!((tree.path(3), tree.path(4)), (expected[3].to_owned(), String::new()));
}

#[test]
fn a_row_is_touched_beside_the_button_on_it() {
    let screen = perceive(&[
        PAGE,
        (1, "widget.LinearLayout", "clickable=\"true\"", [0, 100, 1000, 200]),
        (2, "widget.TextView", "text=\"Milk\"", [20, 110, 200, 190]),
        (2, "widget.Button", "text=\"Add\" clickable=\"true\"", [400, 100, 1000, 200]),
    ]);
    assert_eq!(labels(&screen), ["Milk", "Add"]);
    let tap = screen.widgets[0].tap;
    assert!(screen.widgets[0].bounds.contains(tap) && !screen.widgets[1].bounds.contains(tap), "{tap}");
    assert_eq!(screen.widgets[1].tap, Point::new(700, 150));
}

#[test]
fn nodes_without_an_id_get_one_that_survives_counters() {
    let with = |text: &str| {
        let attributes = format!("text=\"{text}\" clickable=\"true\"");
        perceive(&[PAGE, (1, "widget.Button", &attributes, [0, 0, 500, 100])]).widgets[0].resource_id.clone()
    };
    assert!(with("Cart (3)").starts_with("tw:button-"));
    assert_eq!(with("Cart (3)"), with("Cart (14)"));
    assert_ne!(with("Cart (3)"), with("Shop (3)"));
}

#[test]
fn a_selector_finds_its_widget_on_a_changed_screen_and_says_by_which_locator() {
    let pay = |id: &str, text: &str, top: i32| {
        let attributes = format!("resource-id=\"{id}\" text=\"{text}\" clickable=\"true\"");
        perceive(&[PAGE, (1, "widget.Button", &attributes, [0, top, 500, top + 100])])
    };
    let recorded = pay("org.example:id/pay", "Pay", 0).widgets[0].selector.clone();
    assert_eq!(recorded.chain.first(), Some(&Locator::ResourceId("org.example:id/pay".to_owned())));
    let found = |screen: &Screen| screen.resolve(&recorded).map(|(widget, locator)| (widget.id, locator));
    assert_eq!(found(&pay("org.example:id/pay", "Pay now", 900)), Some((0, 0)));
    assert_eq!(found(&pay("org.example:id/buy", "Pay", 900)), Some((0, 1)));
    assert_eq!(found(&pay("org.example:id/buy", "Buy", 20)).map(|(id, _)| id), Some(0), "by path, then place");
    let other =
        perceive(&[PAGE, (1, "widget.TextView", "resource-id=\"org.example:id/pay\" text=\"Pay\"", [0, 0, 500, 100])]);
    assert_eq!(found(&other), None, "another class");
}

#[test]
fn equal_widgets_are_told_apart_by_number_only_where_no_name_is_unique() {
    let row = |name: &'static str, top| (1, "widget.Button", name, [0, top, 500, top + 100]);
    let id = "resource-id=\"org.example:id/row\" text=\"A\" clickable=\"true\"";
    let named = "resource-id=\"org.example:id/row\" text=\"B\" clickable=\"true\"";
    let screen = perceive(&[PAGE, row(id, 0), row(named, 200), row(id, 400)]);
    let [first, second, third] = &screen.widgets[..] else { panic!("{:?}", labels(&screen)) };
    assert_eq!((second.selector.nth, second.selector.chain.first()), (0, Some(&Locator::Text("B".to_owned()))));
    assert_eq!((first.selector.nth, third.selector.nth), (0, 2));
    for widget in &screen.widgets {
        assert_eq!(screen.resolve(&widget.selector).map(|(found, _)| found.id), Some(widget.id));
    }
}

#[test]
fn the_fingerprint_survives_texts_and_longer_lists_but_not_another_structure() {
    let screen = |rows: i32, price: &str, extra: bool| {
        let mut nodes = vec![
            PAGE,
            (1, "widget.ListView", "scrollable=\"true\" resource-id=\"org.example:id/list\"", [0, 0, 1080, 2000]),
        ];
        let price = format!("text=\"{price}\" clickable=\"true\" resource-id=\"org.example:id/row\"");
        for row in 0..rows {
            nodes.push((2, "widget.Button", &price, [0, row * 100, 1080, row * 100 + 100]));
        }
        if extra {
            nodes.push((
                1,
                "widget.Button",
                "text=\"Pay\" clickable=\"true\" resource-id=\"org.example:id/pay\"",
                [0, 2100, 1080, 2300],
            ));
        }
        perceive(&nodes)
    };
    let base = screen(5, "€ 3", false);
    assert_eq!(base.fingerprint, screen(9, "€ 12.50", false).fingerprint);
    assert_ne!(base.digest, screen(5, "€ 12.50", false).digest);
    assert_ne!(base.fingerprint, screen(5, "€ 3", true).fingerprint);
    assert_eq!(base.digest, screen(5, "€ 3", false).digest);
}

#[test]
fn the_xuat_form_has_seven_attributes_and_only_nodes_with_words() {
    let screen = perceive(&[
        PAGE,
        (
            1,
            "widget.Button",
            "text=\"Pay &amp; go\" resource-id=\"org.example:id/pay\" clickable=\"true\"",
            [0, 0, 500, 100],
        ),
        (1, "widget.ImageView", "", [0, 200, 500, 300]),
    ]);
    assert_eq!(
        screen.xuat(),
        "<node class=\"android.widget.Button\" resource-id=\"org.example:id/pay\" clickable=\"true\" scrollable=\"false\" \
         content-desc=\"\" text=\"Pay &amp; go\" bounds=\"[0,0][500,100]\" />\n"
    );
}

#[test]
fn system_bars_and_keyboards_are_left_out_unless_they_are_all_there_is() {
    let nodes = "<node class=\"android.widget.TextView\" package=\"com.android.systemui\" text=\"12:00\" bounds=\"[0,0][200,80]\"/>\
        <node class=\"android.widget.Button\" package=\"com.google.android.inputmethod.latin\" text=\"q\" clickable=\"true\" bounds=\"[0,2000][100,2100]\"/>";
    let app =
        "<node class=\"android.widget.TextView\" package=\"org.example\" text=\"Hello\" bounds=\"[0,200][200,300]\"/>";
    let perceive = |inside: &str| {
        let hierarchy = format!("<hierarchy>{inside}</hierarchy>");
        let display = Size::new(1080, 2400);
        Screen::perceive(ScreenInput {
            hierarchy: hierarchy.as_bytes(),
            screenshot: None,
            display,
            foreground: None,
            keyboard_shown: false,
        })
    };
    let screen = perceive(&format!("{nodes}{app}"));
    assert_eq!(labels(&screen), ["Hello"]);
    assert!(screen.keyboard_shown);
    assert_eq!(labels(&perceive(nodes)), ["12:00", "q"]);
}

#[test]
fn an_empty_dump_is_an_empty_screen_with_a_reason() {
    let screen = Screen::perceive(ScreenInput {
        hierarchy: b"ERROR: could not get idle state.",
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    });
    assert!(screen.widgets.is_empty() && screen.title.is_empty() && screen.scroll_areas.is_empty());
    assert!(screen.tree.diagnostics[0].message.contains("idle state"));
}

fn any_edge() -> impl Strategy<Value = i32> {
    prop_oneof![Just(i32::MIN), Just(i32::MAX), Just(0), -50..2500i32]
}

prop_compose! {
    fn any_attributes()(text in "[0-9a-z \\u{e001}中]{0,6}", id in prop_oneof![Just(""), Just("a:id/x"), Just("a:id/btn_pay")],
                        flags in any::<[bool; 5]>(), order in proptest::option::of(0..4i32)) -> String {
        let [clickable, checkable, scrollable, focusable, long] = flags;
        let order = order.map(|order| format!("drawing-order=\"{order}\"")).unwrap_or_default();
        format!("text=\"{text}\" resource-id=\"{id}\" clickable=\"{clickable}\" checkable=\"{checkable}\" scrollable=\"{scrollable}\" \
                 focusable=\"{focusable}\" long-clickable=\"{long}\" {order}")
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_on_any_display_is_perceived(
        nodes in proptest::collection::vec((0usize..4, 0usize..6, any_attributes(), [any_edge(), any_edge(), any_edge(), any_edge()]), 1..40),
        side in prop_oneof![Just(0), Just(1), Just(1080), Just(u32::MAX)],
    ) {
        const CLASSES: [&str; 6] = ["widget.Button", "view.View", "widget.EditText", "widget.ListView", "widget.CheckBox", "widget.TextView"];
        let mut depth = 0;
        let drawn: Vec<(usize, &str, &str, [i32; 4])> = nodes
            .iter()
            .map(|(up, class, attributes, bounds)| {
                let at = depth - depth.min(*up);
                depth = at + 1;
                (at, CLASSES[*class], attributes.as_str(), *bounds)
            })
            .collect();
        let hierarchy = dump(&drawn);
        let display = Size::new(side, side);
        let screen = Screen::perceive(ScreenInput { hierarchy: hierarchy.as_bytes(), screenshot: None, display, foreground: None, keyboard_shown: false });
        for widget in &screen.widgets {
            prop_assert!(screen.display.rect().encloses(widget.bounds) && widget.bounds.contains(widget.tap));
            let found = screen.resolve(&widget.selector).map(|(found, _)| found.id);
            prop_assert!(found.is_some(), "{:?}", widget.selector);
        }
        screen.xuat();
    }
}
