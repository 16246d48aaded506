mod endings;
mod gallery;
mod lifecycle;
mod linter;
mod messages;
mod navigation;
mod pickers;
mod shared_state;
mod state;
mod time;
mod versions;

use super::*;
use crate::domain::{Point, Rect};
use std::hash::{DefaultHasher, Hash, Hasher};

const PAY: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suites/first_light/apps/pay.app.yaml"));

/// A user in front of an app: finds things by what the dump says and touches the middle of them.
struct User {
    app: Program,
    now: Duration,
}

impl User {
    fn of(text: &str, state: &[(&str, serde_json::Value)]) -> Self {
        Self::started(text, |context| {
            context.state = state.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        })
    }

    /// In front of an app that was started in particular circumstances.
    fn started(text: &str, prepare: impl FnOnce(&mut AppContext)) -> Self {
        let file = AppFile::load("test.app.yaml", text).unwrap_or_else(|error| panic!("{error}"));
        let mut context = AppContext::phone();
        prepare(&mut context);
        let app = Program::new(&Arc::new(file), context).unwrap_or_else(|error| panic!("{error}"));
        Self { app, now: Duration::ZERO }
    }

    /// What the element with that id says.
    #[track_caller]
    fn text(&mut self, id: &str) -> String {
        let found = self.find(id);
        found.map_or_else(|| panic!("no {id:?}; log: {:?}", self.app.log), |element| element.text)
    }

    fn pay() -> Self {
        Self::of(PAY, &[])
    }

    fn all(&mut self) -> Vec<ElementSnapshot> {
        fn flatten(element: ElementSnapshot, out: &mut Vec<ElementSnapshot>) {
            let children = element.children.clone();
            out.push(element);
            for child in children {
                flatten(child, out);
            }
        }
        let mut all = Vec::new();
        flatten(self.app.snapshot(), &mut all);
        all
    }

    fn find(&mut self, name: &str) -> Option<ElementSnapshot> {
        let all = self.all();
        let id = format!("com.example.pay:id/{name}");
        all.iter()
            .find(|e| e.resource_id == id)
            .or_else(|| all.iter().find(|e| e.text == name || e.content_desc == name))
            .cloned()
    }

    fn sees(&mut self, name: &str) -> bool {
        self.find(name).is_some()
    }

    #[track_caller]
    fn tap(&mut self, name: &str) -> &mut Self {
        let Some(element) = self.find(name) else {
            let texts: Vec<String> = self.all().into_iter().map(|e| e.text).filter(|t| !t.is_empty()).collect();
            panic!("no {name:?} on the screen, only {texts:?}");
        };
        self.app.gesture(Gesture::Tap(element.bounds.center()));
        self
    }

    #[track_caller]
    fn fill(&mut self, name: &str, text: &str) -> &mut Self {
        self.tap(name);
        self.app.type_text(text);
        self
    }

    fn swipe(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.app.gesture(Gesture::Swipe {
            from: Point::new(from.0, from.1),
            to: Point::new(to.0, to.1),
            duration: Duration::from_millis(300),
        });
    }

    /// A swipe too slow for a fling.
    fn drag(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.app.gesture(Gesture::Swipe {
            from: Point::new(from.0, from.1),
            to: Point::new(to.0, to.1),
            duration: Duration::from_secs(20),
        });
    }

    fn wait(&mut self, ms: u64) {
        self.now += Duration::from_millis(ms);
        self.app.advance(&Surroundings::at(self.now));
    }

    fn digits(&mut self, digits: &str) {
        for digit in digits.chars() {
            self.tap(&digit.to_string());
        }
    }

    fn hash(&mut self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.app.render().rgba().hash(&mut hasher);
        hasher.finish()
    }

    fn personal_form(&mut self) {
        self.tap("bind_card").tap("without_number").tap("Harbour Bank").tap("type_credit").tap("next");
    }
}

/// Every clickable element's centre leads back to it, unless something lies over it.
fn agrees(user: &mut User) {
    let elements: Vec<(Rect, String)> = user
        .all()
        .into_iter()
        .filter(|e| e.clickable)
        .map(|e| (e.bounds, format!("{} {:?} {:?}", e.class, e.text, e.resource_id)))
        .collect();
    assert!(!elements.is_empty());
    let covered = user.app.keyboard.map(|_| Keyboard::area(&user.app.context));
    let scene = user.app.top_scene().expect("a window");
    for (bounds, name) in elements {
        let centre = bounds.center();
        if covered.is_some_and(|area| area.contains(centre)) {
            continue;
        }
        let hit = scene.hit(centre).and_then(|index| scene.nodes.get(index));
        let hit = hit.unwrap_or_else(|| panic!("{name} at {bounds} is not hit"));
        // A row's switch or an inner button may lie in the middle of its row.
        assert!(bounds.encloses(hit.visible), "{name} at {bounds}: hit {}", hit.visible);
    }
}

#[test]
fn what_the_dump_calls_clickable_reacts_at_its_centre() {
    let mut user = User::pay();
    agrees(&mut user);
    user.personal_form();
    agrees(&mut user);
    user.tap("name");
    agrees(&mut user);
    user.app.key(4);
    user.tap("occupation");
    agrees(&mut user);
    let mut user = User::pay();
    user.tap("transfer").tap("Ben Okafor");
    agrees(&mut user);
    let mut user = User::pay();
    user.tap("Security").tap("pay_limit");
    agrees(&mut user);
}

#[test]
fn a_card_is_bound_from_home_to_home() {
    let mut user = User::pay();
    user.personal_form();
    user.swipe((540, 1800), (540, 600));
    assert!(user.find("agree_continue").is_some_and(|b| !b.enabled), "disabled until the form is complete");
    user.swipe((540, 600), (540, 1800));
    user.fill("name", "Ada Lovelace");
    assert!(user.app.keyboard_shown());
    user.app.key(4);
    user.fill("id_number", "19800101").app.key(4);
    user.fill("phone", "07700900999").app.key(4);
    user.tap("occupation").tap("Engineer");
    user.swipe((540, 1800), (540, 600));
    user.tap("agree_box");
    assert!(user.find("agree_continue").is_some_and(|b| b.enabled));
    user.tap("agree_continue").fill("sms_code", "111111");
    user.app.key(4);
    user.tap("verify");
    assert!(user.sees("textinput_error"));
    user.tap("sms_code");
    for _ in 0..6 {
        user.app.key(67);
    }
    user.app.type_text("246810");
    user.app.key(4);
    user.tap("verify");
    user.digits("111111");
    assert!(user.sees("Wrong password"));
    user.tap("Try again");
    user.digits("135790");
    assert!(user.sees("progress") && user.app.animating());
    user.wait(599);
    assert!(user.app.animating());
    user.wait(1);
    assert!(user.sees("Card added") && !user.app.animating());
    assert_eq!(user.app.activity(), "com.example.pay.card.ResultActivity");
    assert!(user.sees("Harbour Bank •••• 8101"));
    user.tap("done");
    assert!(user.sees("My cards") && user.sees("Credit card •••• 8101"));
}

#[test]
fn a_transfer_reduces_the_balance_and_the_planted_bug_shows() {
    for (bug, amount, balance) in [(false, "$12.50", "$12,828.00"), (true, "$13.50", "$12,827.00")] {
        let mut user = User::of(PAY, &[("bug_wrong_amount", bug.into())]);
        user.tap("transfer").tap("Elena Rossi");
        for key in ["key_1", "key_2", "key_point", "key_5", "key_0"] {
            user.tap(key);
        }
        user.fill("note", "Lunch");
        user.app.key(4);
        user.tap("next").tap("Confirm");
        user.digits("135790");
        user.wait(600);
        assert!(user.sees("Transfer complete"));
        assert_eq!(user.find("result_amount").map(|e| e.text).as_deref(), Some(amount));
        user.tap("done");
        assert_eq!(user.find("balance").map(|e| e.text).as_deref(), Some(balance));
    }
}

#[test]
fn a_list_scrolls_by_as_much_as_the_finger_moved_and_not_beyond_its_end() {
    let mut user = User::pay();
    user.tap("bind_card").tap("without_number");
    assert!(!user.sees("Willow Creek Bank"));
    let before = user.find("Granite Bank").expect("in sight").bounds.top;
    // Slow enough not to go on by itself when the finger lifts.
    user.drag((540, 1800), (540, 1500));
    let after = user.find("Granite Bank").expect("still in sight").bounds.top;
    assert_eq!(before - after, 300 - 21, "the touch slop of 8 dp is taken off");
    for _ in 0..5 {
        user.swipe((540, 1800), (540, 600));
    }
    let list = user.find("bank_list").expect("the list");
    assert!(list.scrollable);
    assert!(!user.sees("Evergreen Bank"), "scrolled out of sight, out of the dump");
    assert!(list.children.first().is_some_and(|first| first.index == 0), "a RecyclerView holds only what is in sight");
    let last = list.children.last().expect("children").bounds;
    assert_eq!(last.bottom, list.bounds.bottom, "clamped at the end");
    assert!(list.children.iter().all(|child| list.bounds.encloses(child.bounds)), "clipped to the list");
    user.tap("Willow Creek Bank");
    assert!(user.sees("Card type"));
}

#[test]
fn a_paragraph_reacts_only_on_its_links() {
    let mut user = User::pay();
    user.personal_form();
    user.swipe((540, 1800), (540, 600));
    let paragraph = user.all().into_iter().find(|e| e.text.starts_with("I have read")).expect("the paragraph");
    assert_eq!(paragraph.text, "I have read and agree to the Card Service Agreement and the Privacy Notice.");
    assert!(!paragraph.clickable && paragraph.focusable && paragraph.children.is_empty());
    user.app.gesture(Gesture::Tap(Point::new(paragraph.bounds.left + 10, paragraph.bounds.top + 10)));
    assert!(user.sees("Personal information"));
    let (scene, bounds) = (user.app.top_scene().expect("a window"), paragraph.bounds);
    let node = scene.nodes.iter().find(|n| n.bounds == bounds && matches!(n.target, Some(Target::Links(..))));
    let node = node.expect("the paragraph's node");
    let super::super::scene::Content::Text(block) = &node.content else { panic!("a text") };
    let boxes = block.boxes(node.bounds, node.style, block.links[0].bytes.clone());
    let middle = boxes[0].center();
    user.app.gesture(Gesture::Tap(middle));
    assert!(user.sees("Card Service Agreement") && user.sees("1. Scope"));
}

#[test]
fn back_hides_the_keyboard_then_closes_the_dialog_then_goes_back_then_finishes() {
    let mut user = User::pay();
    user.personal_form();
    user.tap("name");
    assert!(user.app.keyboard_shown());
    assert_eq!(user.app.key(4), KeyOutcome::Handled);
    assert!(!user.app.keyboard_shown() && user.sees("Personal information"));
    user.tap("occupation");
    assert!(user.sees("Teacher"));
    assert_eq!(user.app.key(4), KeyOutcome::Handled);
    assert!(!user.sees("Teacher") && user.sees("Personal information"));
    for _ in 0..4 {
        assert_eq!(user.app.key(4), KeyOutcome::Handled);
    }
    assert!(user.sees("balance"));
    assert_eq!(user.app.key(4), KeyOutcome::Finish);
}

#[test]
fn typing_edits_at_the_cursor() {
    let mut user = User::pay();
    user.personal_form();
    let text = |user: &mut User| user.find("name").map(|e| e.text).unwrap_or_default();
    assert_eq!(text(&mut user), "Full name", "an empty field reports its hint as its text");
    user.fill("name", "Grace");
    assert_eq!(text(&mut user), "Grace");
    user.app.key(122);
    user.app.type_text("Dr ");
    user.app.key(123);
    user.app.key(67);
    assert_eq!(text(&mut user), "Dr Grac");
    user.app.key(66);
    assert!(user.find("id_number").is_some_and(|e| e.focused), "ENTER goes to the next field");
    user.app.type_text("12ab34");
    assert_eq!(user.find("id_number").map(|e| e.text).as_deref(), Some("1234"), "letters are not taken");
    user.app.key(61);
    assert!(user.find("phone").is_some_and(|e| e.focused), "TAB too");
}

#[test]
fn the_soft_keyboard_types_and_covers_what_lies_below() {
    let mut user = User::pay();
    user.personal_form();
    let button = user.find("Address (optional)").expect("the field").bounds;
    user.tap("name");
    let area = Keyboard::area(&user.app.context);
    let keyboard = user.app.keyboard.expect("shown");
    for letter in ['h', 'i'] {
        let keys = keyboard.keys(&user.app.context);
        let key = keys.iter().find(|k| k.label == letter.to_string()).expect("the key").bounds.center();
        user.app.gesture(Gesture::Tap(key));
    }
    assert_eq!(user.find("name").map(|e| e.text).as_deref(), Some("hi"));
    assert!(area.contains(button.center()));
    user.app.gesture(Gesture::Tap(button.center()));
    assert!(user.find("name").is_some_and(|e| e.focused), "the touch went to the keyboard");
    assert!(!user.all().iter().any(|e| e.text == "q"), "the keyboard is not in the dump");
}

#[test]
fn a_focused_field_is_panned_above_the_keyboard() {
    let mut user = User::pay();
    user.personal_form();
    let field = user.find("Address (optional)").expect("the field").bounds;
    user.tap("Address (optional)");
    let panned = user.find("Address (optional)").expect("still there").bounds;
    assert!(panned.bottom <= Keyboard::area(&user.app.context).top && panned.top < field.top);
}

#[test]
fn a_wheel_turns_by_one_value_for_each_row_swiped() {
    let mut user = User::pay();
    user.tap("Security").tap("pay_limit");
    let wheel = user.find("limit_wheel").expect("the wheel");
    assert_eq!(wheel.class, "android.widget.NumberPicker");
    let centre = wheel.bounds.center();
    let pitch = user.app.context.px(44.0).round() as i32;
    user.swipe((centre.x, centre.y), (centre.x, centre.y - 2 * pitch));
    user.tap("5,000").tap("save_limit");
    assert!(user.sees("$5,000"));
}

#[test]
fn a_crash_ends_the_app_and_is_logged_as_logcat_shows_it() {
    let mut user = User::of(PAY, &[("crash_on_help", true.into())]);
    user.tap("Help");
    assert!(user.app.crashed());
    let log = user.app.take_log();
    assert_eq!(log[0], "E AndroidRuntime: FATAL EXCEPTION: main");
    assert_eq!(log[1], "E AndroidRuntime: Process: com.example.pay, PID: 4242");
    assert!(user.app.take_log().is_empty());
}

#[test]
fn a_toast_is_drawn_for_two_seconds_and_never_dumped() {
    let mut user = User::pay();
    let quiet = user.hash();
    user.tap("top_up");
    assert_ne!(user.hash(), quiet);
    assert!(!user.sees("Add a bank card first"));
    user.wait(2000);
    assert_eq!(user.hash(), quiet);
}

#[test]
fn two_devices_draw_the_same_pixels() {
    let mut first = User::pay();
    let mut second = User::pay();
    assert_eq!(first.hash(), second.hash());
    first.personal_form();
    second.personal_form();
    assert_eq!(first.hash(), second.hash());
}

#[test]
fn other_displays_work() {
    let file = Arc::new(AppFile::load("pay", PAY).expect("the bundled app is right"));
    for (width, height, density) in [(720, 1280, 320), (1440, 3120, 560), (1600, 2560, 320)] {
        let context = AppContext { display: Size::new(width, height), density, ..AppContext::phone() };
        let mut app = Program::new(&file, context).expect("the app starts");
        let root = app.snapshot();
        assert_eq!(root.bounds, Size::new(width, height).rect());
        assert_eq!(app.render().size(), Size::new(width, height));
    }
}

#[test]
fn the_home_screen_dumps_as_recorded() {
    fn line(element: &ElementSnapshot, depth: usize, out: &mut String) {
        use std::fmt::Write as _;
        let flags: String =
            [('c', element.clickable), ('k', element.checkable), ('f', element.focusable), ('s', element.scrollable)]
                .iter()
                .filter_map(|(flag, on)| on.then_some(*flag))
                .collect();
        let class = element.class.rsplit('.').next().unwrap_or_default();
        let _ = writeln!(
            out,
            "{:depth$}{} {class} {:?} id={} desc={:?} {flags} {}",
            "",
            element.index,
            element.text,
            element.resource_id.rsplit('/').next().unwrap_or_default(),
            element.content_desc,
            element.bounds,
            depth = depth * 2
        );
        element.children.iter().for_each(|child| line(child, depth + 1, out));
    }
    let mut dump = String::new();
    line(&User::pay().app.snapshot(), 0, &mut dump);
    insta::assert_snapshot!("pay_home", dump);
}

#[test]
fn a_wrong_app_file_is_refused_with_its_place() {
    let malformed = "package: com.example.x\nlabel: X\nscreens:\n  - id: home\n    body:\n      - text: {txt: hello}\n";
    let error = AppFile::parse("x.app.yaml", malformed).expect_err("txt is no property").to_string();
    assert!(error.starts_with("x.app.yaml:6:16: "), "{error}");
    assert!(error.contains("txt") && error.contains("text"), "says what was found and what was expected: {error}");

    let dangling = "package: com.example.x\nlabel: X\nstate: {a: \"\"}\nscreens:\n  - id: home\n    body:\n      - button: {id: b, text: \"@gone\", on_tap: [{goto: nowhere}]}\n      - field: {id: b, bind: unknown}\n      - text: {text: \"{{ a + missing }}\"}\n      - text: {text: x, visible: \"a ==\"}\n      - text: {text: \"{{ nonsense(a) }}\"}\n";
    let file = AppFile::parse("x.app.yaml", dangling).expect("well-formed");
    let lines: Vec<(u64, String)> = file.check().into_iter().map(|i| (i.line, i.message)).collect();
    let found = |line: u64, word: &str| lines.iter().any(|(at, message)| *at == line && message.contains(word));
    assert!(found(7, "nowhere") && found(7, "gone"), "{lines:?}");
    assert!(found(8, "unknown") && found(8, "already used"), "{lines:?}");
    assert!(found(9, "missing") && found(10, "a ==") && found(11, "nonsense"), "{lines:?}");
}

#[test]
fn the_bundled_app_has_no_problems() {
    let file = AppFile::parse("pay.app.yaml", PAY).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.check(), []);
}

#[test]
fn switches_locales_timers_long_presses_and_canvases_work() {
    let app = r#"
package: com.example.pay
label: Kit
state: {on: false, count: 0, note: ""}
strings:
  en: {hello: "Hello {{ count }}"}
  pt: {hello: "Ola {{ count }}"}
screens:
  - id: first
    body:
      - text: {id: hello, text: "@hello"}
      - list_item: {id: row, title: Row, switch: on}
      - button: {id: hold, text: Hold, on_tap: [{set: {count: 1}}], on_long_press: [{set: {count: 9}}]}
      - button: {id: plain, text: Plain, on_tap: [{set: {count: count + 2}}]}
      - canvas:
          id: board
          children:
            - button: {text: Hidden, height: 80, on_tap: [{set: {count: 50}}]}
      - button: {id: leave, text: Leave, on_tap: [{goto: second}]}
      - button: {id: quit, text: Quit, on_tap: [finish]}
      - button: {id: bad, text: Bad, on_tap: [{set: {count: '"text"'}}]}
  - id: second
    title: Second
    on_open: [{delay: {ms: 100, then: [{set: {note: '"late"'}}, {goto: third}]}}]
  - id: third
    title: Third
    body: [{text: {id: note, text: "{{ note }}"}}]
"#;
    let mut user = User::of(app, &[]);
    user.app.context.locale = "pt-BR".to_owned();
    user.app.changed();
    user.tap("row");
    assert!(user.find("switch_widget").is_none() && user.all().iter().any(|e| e.checkable && e.checked));
    let hold = user.find("hold").expect("the button").bounds.center();
    user.app.gesture(Gesture::LongPress(hold));
    assert_eq!(user.find("hello").map(|e| e.text).as_deref(), Some("Ola 9"));
    let plain = user.find("plain").expect("the button").bounds.center();
    user.app.gesture(Gesture::Swipe { from: plain, to: plain, duration: Duration::from_millis(900) });
    assert_eq!(user.find("hello").map(|e| e.text).as_deref(), Some("Ola 11"), "no long-press action: a click");
    let board = user.find("board").expect("the canvas");
    assert!(board.children.is_empty() && !user.sees("Hidden"));
    user.app.gesture(Gesture::Tap(board.bounds.center()));
    assert_eq!(user.find("hello").map(|e| e.text).as_deref(), Some("Ola 50"));
    user.tap("leave");
    user.app.key(4);
    user.wait(200);
    assert!(user.sees("hello"), "the delay went with its screen");
    user.tap("leave");
    user.wait(200);
    assert_eq!(user.find("note").map(|e| e.text).as_deref(), Some("late"));
    user.app.key(4);
    user.app.key(4);
    user.tap("quit");
    assert_eq!(user.app.take_requests(), [SystemRequest::Finish]);
    assert!(user.app.take_requests().is_empty());
    user.tap("bad");
    assert!(user.app.crashed() && user.app.take_log()[2].contains("count holds a value of type"));
}

#[test]
fn a_running_app_can_move_between_threads_and_refuses_unknown_switches() {
    fn sendable<T: Send>(_: &T) {}
    let file = Arc::new(AppFile::load("pay", PAY).expect("the bundled app is right"));
    sendable(&launch(Arc::clone(&file), AppContext::phone()).expect("the app starts"));
    let mut context = AppContext::phone();
    context.state.insert("bug_typo".to_owned(), true.into());
    let error = launch(file, context).err().expect("there is no such variable").to_string();
    assert!(error.contains("bug_typo") && error.contains("bug_wrong_amount"), "{error}");
}

#[test]
fn every_main_screen_draws_something() {
    tour(&mut |user, name| {
        let shot = user.app.render();
        assert!(shot.rgba().chunks_exact(4).any(|p| p != &shot.rgba()[..4]), "{name} is blank");
    });
}

/// `cargo test -p tapwright-virtual-device --lib pictures_for_people -- --ignored --nocapture` saves the main screens and says how long they took.
#[test]
#[ignore = "for looking at, not for judging"]
fn pictures_for_people() {
    let folder = std::env::temp_dir().join("tapwright-screens");
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    println!("pictures are in {}", folder.display());
    tour(&mut |user, name| {
        user.app.changed();
        let started = std::time::Instant::now();
        user.app.snapshot();
        let dump = started.elapsed();
        let started = std::time::Instant::now();
        let shot = user.app.render();
        println!("{name}: dump {dump:?}, picture {:?}", started.elapsed());
        let (path, size) = (folder.join(format!("{name}.png")), shot.size());
        image::save_buffer(path, shot.rgba(), size.width, size.height, image::ExtendedColorType::Rgba8)
            .expect("the temporary folder is writable");
    });
}

/// Walks through Lantern Pay and shows each main screen.
fn tour(show: &mut dyn FnMut(&mut User, &str)) {
    let mut user = User::pay();
    show(&mut user, "01-home");
    user.tap("promo");
    show(&mut user, "02-dialog");
    user.app.key(4);
    user.tap("bind_card");
    show(&mut user, "03-method");
    user.tap("without_number");
    show(&mut user, "04-banks");
    user.tap("Evergreen Bank");
    show(&mut user, "05-type");
    user.tap("next");
    show(&mut user, "06-personal");
    user.fill("name", "Ada Lovelace");
    show(&mut user, "07-keyboard");
    user.app.key(66);
    user.app.type_text("19800101");
    show(&mut user, "08-digits");
    user.app.key(4);
    user.tap("occupation");
    show(&mut user, "09-sheet");
    user.tap("Nurse");
    user.fill("phone", "07700900999").app.key(4);
    user.swipe((540, 1800), (540, 600));
    show(&mut user, "09-scrolled");
    user.tap("agree_box").tap("agree_continue").fill("sms_code", "123456").app.key(4);
    user.tap("verify");
    show(&mut user, "10-sms");
    user.tap("sms_code");
    user.app.key(123);
    for _ in 0..6 {
        user.app.key(67);
    }
    user.app.type_text("246810");
    user.app.key(4);
    user.tap("verify");
    user.digits("135");
    show(&mut user, "11-password");
    user.digits("790");
    show(&mut user, "12-loading");
    user.wait(600);
    show(&mut user, "13-added");
    user.tap("done");
    show(&mut user, "14-home");
    user.tap("bills");
    show(&mut user, "21-bills");
    user.app.key(4);
    user.tap("transfer");
    show(&mut user, "15-contacts");
    user.tap("Ben Okafor").tap("key_4").tap("key_2");
    show(&mut user, "16-amount");
    user.tap("next");
    show(&mut user, "17-confirm");
    let mut user = User::pay();
    user.tap("Security");
    show(&mut user, "18-security");
    user.tap("pay_limit");
    show(&mut user, "19-wheel");
    let mut user = User::pay();
    user.tap("top_up");
    show(&mut user, "20-toast");
}
