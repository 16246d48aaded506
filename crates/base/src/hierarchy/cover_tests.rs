//! What lies on what, on small written screens.

use super::super::sample::{Node, PAGE, labels, perceive, perceive_dump};
use crate::hierarchy::{Role, Screen};

const PAY: Node<'static> = (1, "widget.Button", "text=\"Pay\" clickable=\"true\"", [0, 900, 500, 1100]);
const SHEET: Node<'static> = (1, "widget.Button", "text=\"Delete\" clickable=\"true\"", [0, 1900, 1080, 2400]);

fn shows(screen: &Screen, label: &str) -> bool {
    labels(screen).contains(&label)
}

#[test]
fn a_page_under_a_scrim_cannot_be_touched_but_a_transparent_overlay_hides_no_text() {
    for scrim in ["clickable=\"true\"", "content-desc=\"Close\" clickable=\"true\""] {
        let screen = perceive(&[PAGE, PAY, (1, "view.View", scrim, [0, 0, 1080, 2400]), SHEET]);
        assert!(!shows(&screen, "Pay") && shows(&screen, "Delete"), "{:?}", labels(&screen));
        let covered: Vec<&str> = screen.texts.covered.iter().map(|text| text.text.as_str()).collect();
        assert_eq!(covered, ["Pay"], "what is covered is remembered");
    }
    let screen = perceive(&[
        PAGE,
        (1, "widget.TextView", "text=\"Savings\"", [20, 920, 500, 1000]),
        (1, "view.View", "clickable=\"true\"", [0, 900, 1080, 1100]),
    ]);
    assert_eq!(labels(&screen), ["Savings", "Savings"]);
    assert_eq!(screen.widgets[1].role, Role::Button);
}

#[test]
fn a_layer_for_gestures_and_the_surface_of_a_video_hide_nothing() {
    let chip = (1, "widget.Button", "text=\"Same dress\" clickable=\"true\"", [20, 1300, 420, 1400]);
    for surface in ["clickable=\"true\"", "content-desc=\"Play video, button\" clickable=\"true\""] {
        for class in ["view.View", "view.SurfaceView", "widget.FrameLayout"] {
            let layer = (1, class, surface, [0, 100, 1080, 2200]);
            assert!(shows(&perceive(&[PAGE, PAY, layer]), "Pay"), "{class} {surface}");
            assert!(shows(&perceive(&[PAGE, PAY, layer, chip]), "Pay"), "a chip on it is no dialog");
        }
    }
    // One that covers part of the page is no surface of the page, but a video in it; without a word it is an overlay.
    let video = (1, "view.View", "content-desc=\"Video player\" clickable=\"true\"", [0, 600, 1080, 1200]);
    assert!(shows(&perceive(&[PAGE, PAY, video]), "Pay"));
    let card = (1, "view.View", "clickable=\"true\"", [0, 600, 1080, 1200]);
    let screen = perceive(&[PAGE, PAY, card]);
    assert!(
        !screen.widgets.iter().any(|widget| widget.label == "Pay" && widget.role == Role::Button && widget.node == 1)
    );
}

#[test]
fn on_a_web_page_the_order_of_the_document_hides_nothing() {
    let menu = |class| {
        perceive(&[
            PAGE,
            (1, class, "", [0, 0, 1080, 2400]),
            (2, "widget.Button", "text=\"Products\" clickable=\"true\"", [50, 600, 1030, 700]),
            (2, "view.View", "text=\"Download now\" clickable=\"true\"", [40, 500, 1040, 1400]),
        ])
    };
    assert_eq!(labels(&menu("webkit.WebView")), ["Products", "Download now"]);
    assert_eq!(labels(&menu("widget.FrameLayout")), ["Download now"]);
}

#[test]
fn a_list_of_a_document_cuts_nothing_off_and_a_list_of_the_app_does() {
    let link = |holder| {
        perceive(&[
            PAGE,
            (1, holder, "", [0, 0, 1080, 2400]),
            (2, "widget.ListView", "", [40, 300, 1040, 360]),
            (3, "view.View", "text=\"Protect your privacy\"", [40, 700, 500, 760]),
        ])
    };
    assert_eq!(labels(&link("webkit.WebView")), ["Protect your privacy"]);
    assert_eq!(labels(&link("widget.FrameLayout")), [""; 0]);
}

#[test]
fn drawing_order_decides_what_lies_on_top_where_it_is_set() {
    let pair = |pay: u8, close: u8| {
        let pay = format!("text=\"Pay\" clickable=\"true\" drawing-order=\"{pay}\"");
        let close = format!("content-desc=\"Close\" clickable=\"true\" drawing-order=\"{close}\"");
        let page =
            [PAGE, (1, "widget.Button", &pay, [0, 900, 500, 1100]), (1, "view.View", &close, [0, 0, 1080, 2400])];
        labels(&perceive(&page)).join(" ")
    };
    assert_eq!(pair(2, 1), "Pay Close");
    assert_eq!(pair(1, 2), "Close", "it is known to lie on top");
    assert_eq!(pair(0, 2), "Pay Close", "nobody set the button's order");
    assert_eq!(pair(0, 0), "Pay Close");
}

#[test]
fn nodes_without_an_order_are_not_below_their_siblings() {
    // A drawn interface whose nodes say 0, beside a view that has an order.
    let screen = perceive(&[
        PAGE,
        (1, "widget.FrameLayout", "clickable=\"true\" drawing-order=\"1\"", [0, 0, 1080, 1000]),
        (2, "widget.TextView", "text=\"Map\" drawing-order=\"1\"", [0, 0, 200, 60]),
        (1, "view.View", "text=\"Directions\" clickable=\"true\" drawing-order=\"0\"", [700, 800, 1000, 900]),
    ]);
    assert!(shows(&screen, "Directions"), "{:?}", labels(&screen));
}

#[test]
fn rows_of_a_list_and_words_between_those_of_a_bare_group_are_not_covered() {
    // Cards that reach into each other, as an interface drawn in code reports them.
    let card = |top: i32| (2, "view.View", "clickable=\"true\"", [60, top, 1080, top + 500]);
    let name = |name: &'static str, top: i32| (3, "widget.TextView", name, [100, top, 600, top + 60]);
    let screen = perceive(&[
        PAGE,
        (1, "view.View", "scrollable=\"true\"", [0, 0, 1080, 2400]),
        card(300),
        name("text=\"Ada\"", 320),
        name("text=\"Sponsored\"", 720),
        card(700),
        name("text=\"Grace\"", 730),
    ]);
    assert!(screen.texts.shown.iter().any(|text| text.text == "Sponsored"));
    // The same outside of a list, where the words stand beside those of the group.
    let screen = perceive(&[
        PAGE,
        (1, "widget.TextView", "text=\"Sponsored\"", [70, 330, 400, 380]),
        (1, "view.View", "clickable=\"true\"", [60, 300, 1080, 700]),
        (2, "widget.TextView", "text=\"Ada\"", [600, 320, 900, 380]),
    ]);
    assert!(shows(&screen, "Sponsored"), "{:?}", labels(&screen));
}

#[test]
fn a_window_covers_the_ones_below_it() {
    let window = |layer: u8, text: &str, bounds: &str, inner: &str| {
        format!(
            "<window layer=\"{layer}\" type=\"TYPE_APPLICATION\"><hierarchy><node class=\"android.widget.FrameLayout\" package=\"a\" \
             bounds=\"{bounds}\"><node class=\"android.widget.Button\" package=\"a\" text=\"{text}\" clickable=\"true\" bounds=\"{inner}\"/>\
             </node></hierarchy></window>"
        )
    };
    let page = window(1, "Pay", "[0,0][1080,2400]", "[200,1000][600,1100]");
    let dialog = window(2, "OK", "[100,800][980,1500]", "[700,1300][900,1400]");
    let screen = perceive_dump(&format!("<displays><display id=\"0\">{dialog}{page}</display></displays>"));
    assert_eq!(labels(&screen), ["OK"]);
    assert_eq!(screen.texts.covered[0].text, "Pay");
}

#[test]
fn strips_for_gestures_are_no_app_beside_the_systems_own_screen() {
    let strip = "<node class=\"android.view.View\" package=\"gesture\" bounds=\"[0,108][38,2400]\"/>";
    let shade = "<node class=\"android.widget.FrameLayout\" package=\"com.android.systemui\" bounds=\"[0,0][1080,2400]\">\
        <node class=\"android.widget.TextView\" package=\"com.android.systemui\" text=\"Bluetooth\" bounds=\"[270,727][486,859]\"/></node>";
    let screen = perceive_dump(&format!("<hierarchy>{shade}{strip}</hierarchy>"));
    assert_eq!(labels(&screen), ["Bluetooth"]);
    // A game's root says nothing and is the app all the same.
    let game = "<node class=\"android.view.SurfaceView\" package=\"org.example\" bounds=\"[0,0][1080,2400]\"/>";
    assert!(perceive_dump(&format!("<hierarchy>{shade}{game}</hierarchy>")).widgets.is_empty());
}

#[test]
fn an_open_drawer_lies_over_the_page_wherever_the_dump_lists_it() {
    let layout: Node<'_> = (1, "widget.DrawerLayout", "", [0, 0, 1080, 2400]);
    let drawer = |right: i32| -> Vec<Node<'static>> {
        vec![
            (2, "widget.LinearLayout", "", [0, 0, right, 2400]),
            (3, "widget.TextView", "text=\"Einstellungen\" clickable=\"true\"", [0, 1000, 800, 1100]),
        ]
    };
    let page: Vec<Node<'_>> = vec![
        (2, "widget.FrameLayout", "", [0, 0, 1080, 2400]),
        (3, "widget.LinearLayout", "clickable=\"true\"", [0, 950, 1080, 1150]),
        (4, "widget.TextView", "text=\"Notiz\"", [40, 960, 700, 1040]),
        (4, "widget.TextView", "text=\"gestern\"", [840, 960, 1060, 1040]),
    ];
    let open = |nodes: [Vec<Node<'_>>; 2]| perceive(&[vec![PAGE, layout], nodes.concat()].concat());
    for screen in [open([drawer(800), page.clone()]), open([page.clone(), drawer(800)])] {
        assert_eq!(labels(&screen), ["Einstellungen"], "the page is darkened, and touches only close the drawer");
        let covered: Vec<&str> = screen.texts.covered.iter().map(|text| text.text.as_str()).collect();
        assert_eq!(covered, ["Notiz", "gestern"]);
    }
    // A pane as wide as the layout, and one that only peeks out, are no drawers.
    for right in [1080, 200] {
        assert!(shows(&open([page.clone(), drawer(right)]), "Notiz, gestern") || right == 1080);
        let pane = (2, "widget.LinearLayout", "", [0, 0, right, 2400]);
        let screen = perceive(&[vec![PAGE, layout, pane], page.clone()].concat());
        assert!(shows(&screen, "Notiz, gestern"), "{right}: {:?}", labels(&screen));
    }
}

#[test]
fn a_bar_at_the_bottom_is_seen_over_the_page_that_scrolls_below_it() {
    let bar: Vec<Node<'_>> = vec![
        (1, "widget.LinearLayout", "", [0, 2200, 1080, 2400]),
        (2, "widget.Button", "text=\"Start\" clickable=\"true\"", [0, 2200, 360, 2400]),
        (2, "widget.Button", "text=\"Korb\" clickable=\"true\"", [360, 2200, 720, 2400]),
        (2, "widget.Button", "text=\"Konto\" clickable=\"true\"", [720, 2200, 1080, 2400]),
    ];
    let page = |scrolls: &'static str| -> Vec<Node<'static>> {
        vec![
            (1, "widget.FrameLayout", "clickable=\"true\"", [0, 300, 1080, 2400]),
            (2, "widget.RecyclerView", scrolls, [0, 300, 1080, 2400]),
            (3, "widget.TextView", "text=\"Angebote\"", [40, 320, 600, 400]),
        ]
    };
    let screen = perceive(&[vec![PAGE], bar.clone(), page("scrollable=\"true\"")].concat());
    assert!(["Start", "Korb", "Konto"].iter().all(|label| shows(&screen, label)), "{:?}", labels(&screen));
    // A sheet that does not scroll, or that hides more than the bar, is a sheet over it.
    let sheet = perceive(&[vec![PAGE], bar.clone(), page("")].concat());
    assert!(!shows(&sheet, "Korb"), "{:?}", labels(&sheet));
    let text = (1, "widget.TextView", "text=\"Guthaben\"", [40, 900, 600, 1000]);
    let over = perceive(&[vec![PAGE, text], bar, page("scrollable=\"true\"")].concat());
    assert!(!shows(&over, "Korb") && !shows(&over, "Guthaben"), "{:?}", labels(&over));
}

#[test]
fn words_under_a_transparent_layer_are_seen_and_cannot_be_touched() {
    let layer = |class: &'static str| {
        perceive(&[PAGE, PAY, (1, class, "resource-id=\"a:id/tap_target\" clickable=\"true\"", [0, 600, 1080, 1200])])
    };
    for class in ["view.View", "widget.LinearLayout"] {
        let screen = layer(class);
        let pay = screen.widgets.iter().find(|widget| widget.node == 1).expect("the words stay");
        assert_eq!((pay.label.as_str(), pay.role, pay.clickable), ("Pay", Role::Text, false), "{class}");
        assert!(screen.texts.shown.iter().any(|text| text.text == "Pay") && screen.texts.covered.is_empty());
    }
    let picture = layer("widget.ImageView");
    assert_eq!(picture.texts.covered.iter().map(|text| text.text.as_str()).collect::<Vec<_>>(), ["Pay"]);
}

#[test]
fn of_two_pages_in_one_place_the_one_that_takes_all_touches_is_the_upper_one_wherever_it_is_listed() {
    let song = |attributes: &'static str| -> Vec<Node<'static>> {
        vec![
            (1, "widget.RelativeLayout", attributes, [0, 0, 1080, 2400]),
            (2, "widget.ScrollView", "scrollable=\"true\"", [0, 200, 1080, 2400]),
            (3, "widget.TextView", "text=\"First verse\"", [60, 1000, 600, 1060]),
        ]
    };
    let home = |attributes: &'static str, list: &'static str| -> Vec<Node<'static>> {
        vec![
            (1, "widget.RelativeLayout", attributes, [0, 0, 1080, 2400]),
            (2, "widget.RecyclerView", list, [0, 200, 1080, 2400]),
            (3, "widget.RelativeLayout", "clickable=\"true\"", [40, 900, 1040, 1200]),
            (4, "widget.TextView", "text=\"Albums\"", [620, 920, 900, 980]),
        ]
    };
    let shown = |nodes: [Vec<Node<'_>>; 2]| {
        let screen = perceive(&[vec![PAGE], nodes.concat()].concat());
        screen.texts.shown.iter().map(|text| text.text.clone()).collect::<Vec<_>>().join(", ")
    };
    let scrolls = "scrollable=\"true\"";
    for pages in [[song("clickable=\"true\""), home("", scrolls)], [home("", scrolls), song("clickable=\"true\"")]] {
        assert_eq!(shown(pages), "First verse");
    }
    // A layer for messages has the page's bounds, too.
    let messages = [song("clickable=\"true\""), home("", "")];
    assert!(shown(messages).contains("Albums"));
    // Where the order is known, it decides.
    let known = [song("clickable=\"true\" drawing-order=\"1\""), home("drawing-order=\"2\"", scrolls)];
    assert_eq!(shown(known), "Albums");
}

#[test]
fn hints_between_the_controls_of_a_strip_are_seen_and_those_under_a_sheet_are_not() {
    let hints: Vec<Node<'_>> = vec![
        (1, "view.ViewGroup", "", [0, 0, 1080, 2400]),
        (2, "widget.TextView", "text=\"Repeat\"", [700, 1560, 880, 1640]),
        (2, "widget.TextView", "text=\"Drag to seek\"", [600, 1960, 1000, 2050]),
        (2, "widget.TextView", "text=\"Elapsed\"", [40, 2060, 160, 2120]),
    ];
    let group = |[top, bottom]: [i32; 2]| -> Vec<Node<'static>> {
        vec![
            (1, "view.ViewGroup", "clickable=\"true\"", [0, top, 1080, bottom]),
            (2, "view.View", "content-desc=\"Position\" clickable=\"true\"", [0, 1580, 1080, 2150]),
            (2, "widget.ImageButton", "content-desc=\"Next\" clickable=\"true\"", [600, 1800, 760, 1966]),
            (2, "widget.TextView", "text=\"0:00\"", [40, 2070, 130, 2130]),
        ]
    };
    let shown = |ends: [i32; 2]| {
        let screen = perceive(&[vec![PAGE], hints.clone(), group(ends)].concat());
        screen.texts.shown.iter().map(|text| text.text.clone()).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(shown([1500, 2200]), "Repeat, Drag to seek, Position, Next, 0:00", "a text under another is lost");
    assert_eq!(shown([1500, 2400]), "Position, Next, 0:00", "a sheet has a ground");
}
