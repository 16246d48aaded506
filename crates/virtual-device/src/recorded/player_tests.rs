//! Recorded apps as they are played.

use super::*;
use crate::hierarchy::parse;
use crate::recorded::Journal;
use crate::recorded::sample::Sample;
use serde_json::json;
use tapwright_base::recorded::Files;

/// A list with a search field, a page to write on, a menu.
fn notes() -> Sample {
    Sample::new("list")
        .state("list", &["TextView Notes", "EditText Search", "Button New note", "Button More options"])
        .state("found", &["TextView Notes", "EditText milk", "Button Milk"])
        .state("page", &["EditText Title", "Button Save"])
        .state("menu", &["Button Settings"])
        .way("list", "click", 3, None, "page", "user")
        .way("list", "input", 2, Some("milk"), "found", "user")
        .way("list", "long_click", 3, None, "menu", "user")
        .way("list", "scroll", 1, Some("down"), "menu", "user")
        .way("page", "input", 1, None, "list", "user")
        .way("page", "back", 0, None, "list", "user")
        .way("page", "launch", 0, None, "menu", "user")
}

fn player(sample: Sample) -> Player {
    Player::new(Arc::new(sample.app()), Performance::default(), AppContext::phone())
}

fn row(row: i32) -> Point {
    Point::new(540, row * 200 - 100)
}

fn tap(player: &mut Player, at: Point) {
    player.gesture(Gesture::Tap(at));
}

fn texts(player: &mut Player) -> Vec<String> {
    player.snapshot().children.iter().map(|child| child.text.clone()).collect()
}

#[test]
fn every_attribute_of_the_recorded_tree_is_in_the_snapshot() {
    let xml = "<hierarchy rotation=\"0\"><node index=\"0\" text=\"\" resource-id=\"r\" class=\"a.Frame\" package=\"p.q\" \
               content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" \
               focusable=\"false\" focused=\"false\" scrollable=\"true\" long-clickable=\"false\" password=\"false\" \
               selected=\"false\" bounds=\"[0,0][1080,2400]\" drawing-order=\"3\" hint=\"\"><node index=\"4\" \
               text=\"a &amp; b\" resource-id=\"x:id/y\" class=\"a.Box\" package=\"p.q\" content-desc=\"d\" \
               checkable=\"true\" checked=\"true\" clickable=\"true\" enabled=\"false\" focusable=\"true\" \
               focused=\"true\" scrollable=\"false\" long-clickable=\"true\" password=\"true\" selected=\"true\" \
               bounds=\"[5,90][40,80]\" drawing-order=\"9\" hint=\"h\" /></node></hierarchy>";
    let mut player = player(notes().file("states/list.xml", xml));
    let root = player.snapshot();
    assert_eq!((root.resource_id.as_str(), root.scrollable, root.drawing_order), ("r", true, 3));
    let expected = ElementSnapshot {
        index: 4,
        text: "a & b".into(),
        resource_id: "x:id/y".into(),
        class: "a.Box".into(),
        package: "p.q".into(),
        content_desc: "d".into(),
        hint: "h".into(),
        checkable: true,
        checked: true,
        clickable: true,
        enabled: false,
        focusable: true,
        focused: true,
        scrollable: false,
        long_clickable: true,
        password: true,
        selected: true,
        bounds: Rect::new(5, 90, 40, 80),
        drawing_order: 9,
        children: Vec::new(),
    };
    assert_eq!(root.children, [expected]);
}

#[test]
fn a_touch_follows_its_transition_and_any_other_leaves_the_state() {
    let mut player = player(notes());
    tap(&mut player, row(9));
    assert_eq!(texts(&mut player).len(), 4);
    tap(&mut player, row(3));
    assert_eq!(texts(&mut player), ["Title", "Save"]);
    assert_eq!(player.key(BACK), KeyOutcome::Handled);
    assert_eq!(texts(&mut player)[0], "Notes");
    assert_eq!(player.key(BACK), KeyOutcome::Handled);
    assert_eq!(texts(&mut player)[0], "Notes", "where BACK leads nowhere the state stays");
}

#[test]
fn holding_and_swiping_are_no_touches() {
    let mut player = self::player(notes());
    player.gesture(Gesture::LongPress(row(3)));
    assert_eq!(texts(&mut player), ["Settings"]);
    let mut player = self::player(notes());
    let swipe = |from: (i32, i32), to: (i32, i32)| Gesture::Swipe {
        from: Point::new(from.0, from.1),
        to: Point::new(to.0, to.1),
        duration: Duration::from_millis(300),
    };
    player.gesture(swipe((500, 100), (500, 900)));
    assert_eq!(texts(&mut player).len(), 4, "the recorded swipe goes the other way");
    player.gesture(swipe((500, 180), (500, 20)));
    assert_eq!(texts(&mut player), ["Settings"]);
}

#[test]
fn typing_needs_the_focus_shows_in_the_field_and_leads_on_when_the_text_is_the_recorded_one() {
    let mut player = player(notes());
    player.type_text("milk");
    assert!(texts(&mut player)[1] == "Search" && !player.keyboard_shown(), "nothing has the focus");
    tap(&mut player, row(2));
    assert!(player.keyboard_shown() && player.snapshot().children[1].focused);
    player.type_text("mi");
    assert_eq!(texts(&mut player)[1], "mi", "the text a field came with is replaced");
    player.key(DEL);
    player.type_text("ilk");
    assert_eq!(texts(&mut player), ["Notes", "milk", "Milk"]);
    assert!(player.keyboard_shown(), "the field is still there");
    player.key(BACK);
    assert!(!player.keyboard_shown() && texts(&mut player).len() == 3, "BACK hides the keyboard first");
}

#[test]
fn escape_hides_the_keyboard_and_leaves_no_page() {
    let mut player = player(notes());
    tap(&mut player, row(3));
    tap(&mut player, row(1));
    assert!(player.keyboard_shown());
    for _ in 0..2 {
        assert_eq!(player.key(ESCAPE), KeyOutcome::Handled);
        assert!(!player.keyboard_shown());
        assert_eq!(texts(&mut player), ["Title", "Save"], "BACK would lead to the list");
    }
}

#[test]
fn clearing_a_field_key_by_key_and_typing_gives_the_same_as_typing() {
    let mut player = player(notes());
    tap(&mut player, row(2));
    for _ in 0..6 {
        player.key(DEL);
    }
    assert_eq!(texts(&mut player)[1], "");
    player.type_text("milk");
    assert_eq!(texts(&mut player).len(), 3);
}

#[test]
fn the_keys_of_the_drawn_keyboard_type() {
    let mut player = player(notes());
    tap(&mut player, row(2));
    for letter in ["m", "i", "l", "k"] {
        let context = player.stage.context().clone();
        let key = crate::app::key_of(&context, letter);
        tap(&mut player, key);
    }
    assert_eq!(texts(&mut player), ["Notes", "milk", "Milk"]);
}

#[test]
fn an_input_of_any_text_counts_once_typing_has_ended() {
    for end in [
        &(|player: &mut Player| assert_eq!(player.key(BACK), KeyOutcome::Handled)) as &dyn Fn(&mut Player),
        &|player| assert_eq!(player.key(ENTER), KeyOutcome::Handled),
        &|player| drop(player.snapshot()),
    ] {
        let mut player = player(notes());
        tap(&mut player, row(3));
        tap(&mut player, row(1));
        player.type_text("Bread");
        assert_eq!(player.state.as_str(), "page");
        end(&mut player);
        assert_eq!(player.state.as_str(), "list");
    }
}

/// A drawn keypad of three keys in rows 1 to 3, and one to delete in row 4.
fn keypad(text: Option<&str>) -> Sample {
    let keys = json!({"1": [540, 100], "2": [540, 300], "3": [540, 500]});
    Sample::new("pin")
        .state("pin", &["Button 1", "Button 2", "Button 3", "Button DEL"])
        .state("in", &["TextView Hello"])
        .line(json!({"from": "pin", "to": "in",
               "action": {"type": "input", "bounds": [0, 0, 1080, 800], "keys": keys, "text": text}}))
}

#[test]
fn a_keypad_leads_on_after_the_recorded_digits_or_where_they_are_secret_when_somebody_looks() {
    let mut player = self::player(keypad(Some("312")));
    for at in [3, 1, 1, 4, 2] {
        assert_eq!(texts(&mut player).len(), 4, "before row {at}");
        tap(&mut player, row(at));
    }
    assert_eq!(texts(&mut player), ["Hello"]);
    let mut player = self::player(keypad(None));
    for at in [3, 1, 2, 1, 2] {
        tap(&mut player, row(at));
        assert_eq!(player.state.as_str(), "pin");
    }
    assert_eq!(texts(&mut player), ["Hello"]);
}

#[test]
fn coming_back_to_the_front_is_a_launch() {
    let mut player = player(notes());
    player.resumed();
    tap(&mut player, row(3));
    assert_eq!(player.state.as_str(), "page", "the first time is the start itself");
    player.resumed();
    assert_eq!(player.state.as_str(), "menu");
}

#[test]
fn the_journal_tells_what_was_done_in_which_state() {
    let app = Arc::new(notes().app());
    let journal = Journal::default();
    let performance = Performance { journal: journal.clone(), ..Performance::default() };
    let mut player = Player::new(app, performance, AppContext::phone());
    assert_eq!(journal.state().unwrap().as_str(), "list");
    tap(&mut player, row(9));
    tap(&mut player, row(3));
    let told: Vec<_> = journal
        .take()
        .into_iter()
        .map(|played| (played.state.to_string(), played.did, played.way.map(|way| way.to.to_string())))
        .collect();
    let list = || "list".to_owned();
    assert_eq!(told, [(list(), Did::Click(row(9)), None), (list(), Did::Click(row(3)), Some("page".to_owned()))]);
    assert_eq!((journal.take(), journal.state().unwrap().as_str()), (Vec::new(), "page"));
}

#[test]
fn on_a_display_of_another_size_everything_is_in_proportion() {
    let context = AppContext { display: Size::new(540, 1200), density: 210, ..AppContext::phone() };
    let mut player = Player::new(Arc::new(notes().app()), Performance::default(), context);
    let third = player.snapshot().children[2].bounds;
    assert_eq!(third, Rect::new(0, 200, 540, 300));
    tap(&mut player, third.center());
    assert_eq!(texts(&mut player), ["Title", "Save"]);
    assert_eq!(player.render().size(), Size::new(540, 1200));
}

fn png(color: [u8; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let image = image::RgbaImage::from_pixel(1080, 2400, image::Rgba(color));
    image.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    bytes
}

fn with_picture(bytes: Vec<u8>) -> Player {
    let Files::Memory(mut files) = notes().files() else { panic!("samples live in memory") };
    files.insert("states/list.png".into(), bytes.into());
    let app = RecordedApp::load(&Files::Memory(files)).unwrap();
    Player::new(Arc::new(app), Performance::default(), AppContext::phone())
}

#[test]
fn the_recorded_picture_is_shown_and_only_what_changed_is_drawn_over_it() {
    let mut player = with_picture(png([10, 20, 30, 255]));
    let picture = player.render();
    assert!(picture.rgba().chunks_exact(4).all(|pixel| pixel == [10, 20, 30, 255]));
    tap(&mut player, row(2));
    player.type_text("mi");
    let picture = player.render();
    assert_eq!(picture.rgb(5, 100), Some([10, 20, 30]), "a row above the field is as recorded");
    assert_ne!(picture.rgb(1000, 300), Some([10, 20, 30]), "the field is drawn anew");
    assert_ne!(picture.rgb(540, 2300), Some([10, 20, 30]), "the keyboard covers the lower part");
}

#[test]
fn a_picture_that_is_damaged_is_replaced_by_a_drawing_and_said_so() {
    let mut player = with_picture(b"\x89PNG\r\n\x1a\nbroken".to_vec());
    let picture = player.render();
    assert_eq!(picture.size(), Size::new(1080, 2400));
    let log = player.take_log();
    assert!(log.len() == 1 && log[0].contains("the picture of state list is not shown"), "{log:?}");
    player.render();
    assert_eq!(player.take_log(), Vec::<String>::new(), "once is enough");
}

#[test]
fn a_state_without_a_picture_is_drawn_with_its_texts() {
    let mut player = player(notes());
    let drawn = player.render();
    let ink = |top: u32, bottom: u32, picture: &Screenshot| {
        let dark = |(x, y): &(u32, u32)| picture.rgb(*x, *y).is_some_and(|rgb| rgb.iter().all(|c| *c < 90));
        (0..1080).flat_map(|x| (top..bottom).map(move |y| (x, y))).filter(dark).count()
    };
    for at in 0..4 {
        assert!(ink(at * 200 + 10, at * 200 + 190, &drawn) > 100, "row {at} shows nothing");
    }
    assert_eq!(ink(900, 2000, &drawn), 0, "where nothing is, nothing is drawn");
    tap(&mut player, row(9));
    assert_eq!(player.render(), drawn, "the same state gives the same pixels");
}

#[test]
fn of_several_windows_the_topmost_is_played() {
    let node = |text: &str| {
        format!(
            "<node index=\"0\" text=\"{text}\" resource-id=\"\" class=\"a.b\" package=\"p\" content-desc=\"\" \
             checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" \
             focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
             bounds=\"[0,0][1,1]\" />"
        )
    };
    let xml = format!("<hierarchy rotation=\"0\">{}{}</hierarchy>", node("below"), node("above"));
    assert_eq!(parse(xml.as_bytes()).nodes.len(), 2);
    assert_eq!(player(notes().file("states/list.xml", &xml)).snapshot().text, "above");
}
