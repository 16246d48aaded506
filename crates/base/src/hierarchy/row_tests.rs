//! Rows in the dialects in which interfaces are dumped.

use super::Screen;
use super::sample::{Node, PAGE, perceive};

/// Heading, opener and controls of each row.
fn rows(screen: &Screen) -> Vec<(String, String, Vec<String>)> {
    let label = |id: &usize| screen.widgets[*id].label.clone();
    let row = |row: &super::Row| {
        (
            row.heading.clone(),
            row.opener.as_ref().map(label).unwrap_or_default(),
            row.controls.iter().map(label).collect(),
        )
    };
    screen.rows().iter().map(row).collect()
}

/// True if the screen has the row, in the form `heading | opener | control, control`.
#[track_caller]
fn assert_rows(name: &str, nodes: &[Node<'_>], expected: &[&str]) {
    let screen = perceive(nodes);
    let said = |(heading, opener, controls): (String, String, Vec<String>)| {
        format!("{heading} | {opener} | {}", controls.join(", "))
    };
    let found: Vec<String> = rows(&screen).into_iter().map(said).collect();
    assert_eq!(found, expected, "{name}");
}

const TEXT: &str = "widget.TextView";
const CLICK: &str = "clickable=\"true\"";

#[test]
fn an_entry_of_a_list_is_opened_and_has_a_button_of_its_own() {
    assert_rows(
        "views",
        &[
            PAGE,
            (1, "support.v7.widget.RecyclerView", "scrollable=\"true\"", [0, 200, 1080, 2400]),
            (2, "widget.LinearLayout", CLICK, [0, 200, 1080, 400]),
            (3, TEXT, "text=\"Hausaufgaben\"", [40, 220, 800, 290]),
            (3, TEXT, "text=\"Fällig am Montag\"", [40, 300, 800, 360]),
            (3, "widget.ImageButton", "content-desc=\"Mehr\" clickable=\"true\"", [900, 240, 1040, 380]),
            (2, "widget.LinearLayout", CLICK, [0, 400, 1080, 600]),
            (3, TEXT, "text=\"Einkauf\"", [40, 420, 800, 490]),
            (3, TEXT, "text=\"Fällig heute\"", [40, 500, 800, 560]),
            (3, "widget.ImageButton", "content-desc=\"Mehr\" clickable=\"true\"", [900, 440, 1040, 580]),
        ],
        &["Hausaufgaben | Hausaufgaben, Fällig am Montag | Mehr", "Einkauf | Einkauf, Fällig heute | Mehr"],
    );
}

#[test]
fn the_buttons_of_a_card_belong_to_its_name() {
    let card = |name: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, "view.ViewGroup", "", [40, top, 1040, top + 300]),
            (2, TEXT, name, [80, top + 20, 700, top + 90]),
            (2, TEXT, "text=\"Class 4b\"", [80, top + 100, 700, top + 150]),
            (2, "widget.Button", "text=\"Edit\" clickable=\"true\"", [80, top + 180, 500, top + 280]),
            (2, "widget.Button", "text=\"Remove\" clickable=\"true\"", [540, top + 180, 1000, top + 280]),
        ]
    };
    let nodes = [vec![PAGE], card("text=\"Ada Byron\"", 200), card("text=\"Emmy Noether\"", 540)].concat();
    assert_rows("cards", &nodes, &["Ada Byron |  | Edit, Remove", "Emmy Noether |  | Edit, Remove"]);
    let screen = perceive(&nodes);
    let removes = screen.widgets.iter().filter(|widget| widget.label == "Remove");
    let of: Vec<&str> = removes.map(|widget| screen.row_of(widget.id).map_or("", |row| row.heading.as_str())).collect();
    assert_eq!(of, ["Ada Byron", "Emmy Noether"]);
}

#[test]
fn compose_cards_without_ids_are_told_by_their_shape() {
    let card = |name: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (2, "view.View", CLICK, [42, top, 1038, top + 190]),
            (3, "view.View", name, [74, top + 32, 200, top + 158]),
            (3, TEXT, "text=\"FM 106.1\"", [232, top + 20, 370, top + 62]),
            (
                3,
                TEXT,
                name.strip_prefix("content-desc=")
                    .map_or("", |_| if top < 300 { "text=\"晨间新闻\"" } else { "text=\"古典音乐\"" }),
                [232, top + 80, 600, top + 133],
            ),
            (3, "view.View", CLICK, [881, top + 32, 1007, top + 158]),
            (4, "view.View", "content-desc=\"收藏\"", [912, top + 63, 975, top + 126]),
            (4, "widget.Button", "", [891, top + 42, 996, top + 147]),
        ]
    };
    let list: Node<'_> = (1, "view.View", "scrollable=\"true\"", [0, 200, 1080, 2000]);
    let nodes =
        [vec![PAGE, list], card("content-desc=\"晨间新闻\"", 240), card("content-desc=\"古典音乐\"", 450)].concat();
    let screen = perceive(&nodes);
    let found: Vec<(String, Vec<String>)> =
        rows(&screen).into_iter().map(|(heading, _, controls)| (heading, controls)).collect();
    assert_eq!(
        found,
        [("晨间新闻".to_owned(), vec!["收藏".to_owned()]), ("古典音乐".to_owned(), vec!["收藏".to_owned()])],
        "a frequency is no title"
    );
}

#[test]
fn what_react_native_flattens_is_put_together_by_its_lines() {
    assert_rows(
        "one parent, backgrounds without contents",
        &[
            PAGE,
            (1, "view.ViewGroup", "", [40, 600, 1040, 1100]),
            (2, "view.ViewGroup", "", [40, 600, 1040, 800]),
            (2, TEXT, "text=\"\u{f260}\"", [100, 660, 150, 720]),
            (2, TEXT, "text=\"Sync\"", [200, 650, 780, 700]),
            (2, TEXT, "text=\"Keeps a copy of all you enter\"", [200, 700, 780, 740]),
            (2, "widget.Switch", "checkable=\"true\" clickable=\"true\"", [860, 640, 990, 760]),
            (2, "view.ViewGroup", "", [40, 820, 1040, 1020]),
            (2, TEXT, "text=\"Reminders\"", [200, 870, 780, 920]),
            (2, TEXT, "text=\"Every evening\"", [200, 920, 780, 960]),
            (2, "widget.Switch", "checkable=\"true\" clickable=\"true\"", [860, 860, 990, 980]),
        ],
        &["Sync |  | Sync", "Reminders |  | Reminders"],
    );
}

#[test]
fn controls_below_names_that_repeat_belong_to_them() {
    assert_rows(
        "two columns of a name over its button",
        &[
            PAGE,
            (1, TEXT, "text=\"세차 모드\"", [120, 400, 300, 440]),
            (1, "widget.Button", "text=\"켜기\" clickable=\"true\"", [60, 480, 360, 560]),
            (1, TEXT, "text=\"캠핑 모드\"", [620, 400, 800, 440]),
            (1, "widget.Button", "text=\"켜기\" clickable=\"true\"", [560, 480, 860, 560]),
            (1, TEXT, "text=\"주차 모드\"", [120, 700, 300, 740]),
            (1, "widget.Button", "text=\"켜기\" clickable=\"true\"", [60, 780, 360, 860]),
        ],
        &["세차 모드 |  | 켜기", "캠핑 모드 |  | 켜기", "주차 모드 |  | 켜기"],
    );
}

#[test]
fn captions_stand_below_their_icons() {
    let icon = |caption: &'static str, left: i32| -> Vec<Node<'static>> {
        vec![
            (1, "view.View", "clickable=\"true\"", [left, 700, left + 120, 820]),
            (2, "widget.Button", "", [left + 5, 705, left + 115, 815]),
            (1, TEXT, caption, [left + 20, 822, left + 100, 870]),
        ]
    };
    let nodes = [
        vec![PAGE, (1, TEXT, "text=\"Preview\"", [40, 60, 300, 120])],
        icon("text=\"Flash\"", 100),
        icon("text=\"Flip\"", 400),
        icon("text=\"Mic\"", 700),
    ]
    .concat();
    let headings: Vec<String> = perceive(&nodes).rows().iter().map(|row| row.heading.clone()).collect();
    assert_eq!(headings, ["Flash", "Flip", "Mic"]);
}

#[test]
fn a_badge_on_the_picture_and_a_price_are_no_title() {
    let card = |name: &'static str, left: i32| -> Vec<Node<'static>> {
        vec![
            (1, "androidx.cardview.widget.CardView", CLICK, [left, 300, left + 480, 1000]),
            (2, "widget.ImageView", "", [left, 300, left + 480, 700]),
            (2, TEXT, "text=\"Diskon\"", [left + 20, 320, left + 140, 370]),
            (2, "widget.ImageButton", "content-desc=\"Tambah\" clickable=\"true\"", [left + 380, 600, left + 470, 690]),
            (2, TEXT, "text=\"Rp18.300\"", [left + 20, 720, left + 460, 780]),
            (2, TEXT, name, [left + 20, 800, left + 460, 860]),
        ]
    };
    let nodes = [vec![PAGE], card("text=\"Air Galon\"", 40), card("text=\"Teh Botol\"", 560)].concat();
    let found: Vec<(String, Vec<String>)> =
        rows(&perceive(&nodes)).into_iter().map(|(heading, _, controls)| (heading, controls)).collect();
    let expected = ["Air Galon", "Teh Botol"].map(|name| (name.to_owned(), vec!["Tambah".to_owned()]));
    assert_eq!(found, expected);
}

#[test]
fn a_heading_and_its_only_button_on_one_line_are_a_row() {
    assert_rows(
        "section heading",
        &[
            PAGE,
            (1, "widget.RelativeLayout", "", [0, 300, 1080, 380]),
            (2, TEXT, "text=\"Letzte Suchen\"", [40, 310, 1040, 370]),
            (2, TEXT, "text=\"Alle löschen\" clickable=\"true\"", [800, 310, 1040, 370]),
            (1, TEXT, "text=\"Hier steht ein Absatz, der zu keinem Knopf gehört.\"", [40, 500, 1040, 620]),
        ],
        &["Letzte Suchen |  | Alle löschen"],
    );
}

#[test]
fn bars_and_forms_are_no_rows() {
    assert_rows(
        "tool bar",
        &[
            PAGE,
            (1, "widget.Toolbar", "", [0, 60, 1080, 200]),
            (2, "widget.ImageButton", "content-desc=\"Navigate up\" clickable=\"true\"", [0, 60, 140, 200]),
            (2, TEXT, "text=\"Dashboard\"", [190, 90, 600, 170]),
            (2, "widget.Button", "content-desc=\"Search\" clickable=\"true\"", [940, 60, 1080, 200]),
        ],
        &[],
    );
    assert_rows(
        "form",
        &[
            PAGE,
            (1, TEXT, "text=\"E-mail\"", [40, 300, 400, 350]),
            (1, "widget.EditText", CLICK, [40, 360, 1040, 480]),
            (1, TEXT, "text=\"Password\"", [40, 520, 400, 570]),
            (1, "widget.EditText", "clickable=\"true\" password=\"true\"", [40, 580, 1040, 700]),
            (1, "widget.Button", "text=\"Sign in\" clickable=\"true\"", [40, 800, 1040, 920]),
        ],
        &[],
    );
}

#[test]
fn flutter_says_a_row_in_lines_of_one_description() {
    let card = |words: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, "view.View", words, [0, top, 1080, top + 200]),
            (2, "widget.Button", "content-desc=\"Add\" clickable=\"true\"", [900, top + 40, 1040, top + 160]),
        ]
    };
    let nodes = [
        vec![PAGE],
        card("content-desc=\"12:30&#10;Oat milk&#10;1 l\" clickable=\"true\"", 300),
        card("content-desc=\"13:00&#10;Rye bread&#10;500 g\" clickable=\"true\"", 520),
    ]
    .concat();
    let found: Vec<(String, Vec<String>)> =
        rows(&perceive(&nodes)).into_iter().map(|(heading, _, controls)| (heading, controls)).collect();
    assert_eq!(found, ["Oat milk", "Rye bread"].map(|name| (name.to_owned(), vec!["Add".to_owned()])));
}

#[test]
fn a_chip_acts_on_the_card_around_it() {
    let card = |name: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, "view.View", "", [60, top, 1020, top + 500]),
            (2, TEXT, name, [100, top + 20, 600, top + 90]),
            (2, TEXT, "text=\"Cantidad\"", [100, top + 110, 400, top + 170]),
            (2, "view.View", CLICK, [100, top + 260, 480, top + 440]),
            (3, TEXT, "text=\"09:00\"", [120, top + 270, 300, top + 330]),
            (3, TEXT, "text=\"Pendiente\"", [120, top + 350, 400, top + 410]),
            (2, "view.View", CLICK, [540, top + 260, 920, top + 440]),
            (3, TEXT, "text=\"14:00\"", [560, top + 270, 700, top + 330]),
            (3, TEXT, "text=\"Tomada\"", [560, top + 350, 800, top + 410]),
        ]
    };
    let nodes = [vec![PAGE], card("text=\"Magnesio\"", 200), card("text=\"Omega\"", 740)].concat();
    let screen = perceive(&nodes);
    let chips = screen.widgets.iter().filter(|widget| widget.label.starts_with("14:00"));
    let of: Vec<String> =
        chips.map(|chip| screen.row_acted_on(chip.id).map(|row| row.heading.clone()).unwrap_or_default()).collect();
    assert_eq!(of, ["Magnesio", "Omega"]);
}

#[test]
fn a_row_is_read_in_the_apps_own_language() {
    let nodes = [
        PAGE,
        (1, "widget.LinearLayout", "", [0, 300, 1080, 400]),
        (2, TEXT, "text=\"Notiz\"", [40, 310, 600, 390]),
        (2, "widget.Button", "text=\"Teilen\" clickable=\"true\"", [800, 310, 1040, 390]),
    ];
    let mut screen = perceive(&nodes);
    screen.read_as(&|texts| texts.iter().map(|(text, _)| (*text == "Notiz").then(|| "Note".to_owned())).collect());
    assert_eq!(screen.rows()[0].heading, "Note");
}

#[test]
fn thousands_of_alike_nodes_cost_bounded_time() {
    let mut nodes = vec![PAGE];
    for top in 0..4000 {
        nodes.push((1, TEXT, "text=\"Name\"", [0, top, 300, top + 40]));
        nodes.push((1, "widget.Button", "text=\"Go\" clickable=\"true\"", [400, top, 700, top + 40]));
    }
    assert!(perceive(&nodes).rows().len() <= 300);
}

#[test]
fn a_background_without_contents_is_the_card_of_what_stands_on_it() {
    let card = |top: i32, name: &'static str, button: &'static str| -> Vec<Node<'static>> {
        vec![
            (2, TEXT, name, [100, top + 40, 600, top + 100]),
            (2, "widget.Button", button, [80, top + 160, 980, top + 260]),
        ]
    };
    let backgrounds: Vec<Node<'_>> = vec![
        (1, "view.ViewGroup", "", [0, 200, 1080, 2400]),
        (2, "view.View", "", [40, 240, 1040, 540]),
        (2, "view.View", "", [40, 600, 1040, 900]),
    ];
    let nodes = [
        vec![PAGE],
        backgrounds,
        card(240, "text=\"Wiedergabe beginnt\"", "text=\"Am Anfang\" clickable=\"true\""),
        card(600, "text=\"Anmeldung\"", "text=\"Nummer hinzufügen\" clickable=\"true\""),
    ]
    .concat();
    assert_rows("backgrounds", &nodes, &["Wiedergabe beginnt |  | Am Anfang", "Anmeldung |  | Nummer hinzufügen"]);
}

#[test]
fn words_that_others_stand_on_are_no_title() {
    let card = |name: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, "widget.RelativeLayout", CLICK, [0, top, 1080, top + 400]),
            (2, TEXT, "text=\"Entfernt\"", [0, top, 1080, top + 380]),
            (2, TEXT, name, [200, top + 30, 900, top + 100]),
            (
                2,
                "widget.ImageButton",
                "content-desc=\"Verwerfen\" clickable=\"true\"",
                [940, top + 20, 1060, top + 140],
            ),
        ]
    };
    let nodes = [vec![PAGE], card("text=\"Bäckerei Lutz\"", 200), card("text=\"Café Nord\"", 640)].concat();
    let found: Vec<(String, Vec<String>)> =
        rows(&perceive(&nodes)).into_iter().map(|(heading, _, controls)| (heading, controls)).collect();
    assert_eq!(found, ["Bäckerei Lutz", "Café Nord"].map(|name| (name.to_owned(), vec!["Verwerfen".to_owned()])));
}

#[test]
fn what_programs_call_things_is_neither_title_nor_label() {
    let card = |name: &'static str, reference: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, "view.View", reference, [40, top, 1040, top + 300]),
            (2, "view.View", name, [80, top + 110, 800, top + 176]),
            (2, "widget.Button", "content-desc=\"Mehr\" clickable=\"true\"", [900, top + 100, 1020, top + 200]),
        ]
    };
    let first = "content-desc=\"3f9c2b1a-77de-4c50-9a21-0b6f5e8d1c42?client=a&amp;step=1\" clickable=\"true\"";
    let second = "content-desc=\"a81d0e6c-1b2f-4f3e-8d77-5c2e9b0f4a11?client=a&amp;step=1\" clickable=\"true\"";
    let nodes = [card("text=\"Führerschein\"", first, 300), card("text=\"Versicherung\"", second, 700)].concat();
    assert_rows(
        "cards",
        &[vec![PAGE], nodes].concat(),
        &["Führerschein | Führerschein | Mehr", "Versicherung | Versicherung | Mehr"],
    );
}

#[test]
fn a_small_player_is_a_row_and_a_bar_of_buttons_is_none() {
    let player = |whole: &'static str| {
        rows(&perceive(&[
            PAGE,
            (1, "widget.RelativeLayout", whole, [40, 1840, 1040, 2030]),
            (2, "widget.RelativeLayout", CLICK, [40, 1840, 780, 1980]),
            (3, TEXT, "text=\"Abendlied\"", [70, 1890, 620, 1950]),
            (2, "widget.LinearLayout", "", [800, 1860, 1040, 1980]),
            (3, "widget.ImageView", "content-desc=\"Abspielen\" clickable=\"true\"", [800, 1880, 890, 1960]),
            (3, "widget.ImageView", "content-desc=\"Warteschlange\" clickable=\"true\"", [910, 1880, 1000, 1960]),
        ]))
    };
    let controls = vec!["Abspielen".to_owned(), "Warteschlange".to_owned()];
    assert_eq!(player(CLICK), [("Abendlied".to_owned(), "Abendlied".to_owned(), controls)]);
    assert_eq!(player(""), []);
}

#[test]
fn the_title_of_a_row_is_its_controls_context_and_a_neighbouring_button_is_not() {
    let entry = |name: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, TEXT, name, [60, top, 500, top + 60]),
            (1, "widget.Button", "text=\"Edit\" clickable=\"true\"", [560, top - 10, 760, top + 70]),
            (1, "widget.Button", "text=\"Remove\" clickable=\"true\"", [800, top - 10, 1040, top + 70]),
        ]
    };
    let nodes = [
        vec![PAGE],
        entry("text=\"Ada Byron\"", 300),
        entry("text=\"Emmy Noether\"", 500),
        entry("text=\"Lise Meitner\"", 700),
    ];
    let screen = perceive(&nodes.concat());
    let contexts = |label: &str| -> Vec<&str> {
        screen.widgets.iter().filter(|widget| widget.label == label).map(|widget| widget.context.as_str()).collect()
    };
    for label in ["Edit", "Remove"] {
        assert_eq!(contexts(label), ["Ada Byron", "Emmy Noether", "Lise Meitner"], "{label}");
    }
}

#[test]
fn cards_that_are_described_alike_are_told_apart_by_the_texts_inside_them() {
    let card = |name: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, "widget.FrameLayout", "content-desc=\"Course, opens\" clickable=\"true\"", [40, top, 1040, top + 300]),
            (2, TEXT, "text=\"Spring term\"", [80, top + 10, 700, top + 60]),
            (2, TEXT, name, [80, top + 70, 700, top + 140]),
            (2, TEXT, "text=\"Course\"", [80, top + 150, 700, top + 200]),
        ]
    };
    let button = |top: i32| -> Vec<Node<'static>> {
        vec![(2, "widget.Button", "text=\"Remove\" clickable=\"true\"", [740, top + 20, 1000, top + 120])]
    };
    let contexts = |screen: &Screen, label: &str| -> Vec<String> {
        let called = screen.widgets.iter().filter(|widget| widget.label == label);
        called.map(|widget| widget.context.clone()).collect()
    };
    let (algebra, geometry) = (card("text=\"Algebra II\"", 200), card("text=\"Geometry\"", 540));
    let screen = perceive(&[vec![PAGE], algebra.clone(), geometry.clone()].concat());
    assert_eq!(contexts(&screen, "Course, opens"), ["Algebra II", "Geometry"], "what both say tells nothing");
    // One card needs no more than its name.
    let screen = perceive(&[vec![PAGE], algebra.clone()].concat());
    assert_eq!(contexts(&screen, "Course, opens"), [""]);
    // With a button of its own each.
    let screen = perceive(&[vec![PAGE], algebra, button(200), geometry, button(540)].concat());
    assert_eq!(contexts(&screen, "Course, opens"), ["Algebra II, Remove", "Geometry, Remove"]);
    let removes = contexts(&screen, "Remove");
    assert_eq!(removes, ["Algebra II", "Geometry"]);
}

#[test]
fn texts_inside_cards_are_context_in_the_apps_own_language_too() {
    let card = |name: &'static str, top: i32| -> Vec<Node<'static>> {
        vec![
            (1, "widget.FrameLayout", "content-desc=\"Kurs öffnen\" clickable=\"true\"", [40, top, 1040, top + 300]),
            (2, TEXT, name, [80, top + 70, 700, top + 140]),
        ]
    };
    let mut screen = perceive(&[vec![PAGE], card("text=\"Algebra\"", 200), card("text=\"Zeichnen\"", 540)].concat());
    screen
        .read_as(&|texts| texts.iter().map(|(text, _)| (*text == "Zeichnen").then(|| "Drawing".to_owned())).collect());
    let contexts: Vec<&str> = screen.widgets.iter().map(|widget| widget.context.as_str()).collect();
    assert_eq!(contexts, ["Algebra", "Drawing"]);
}
