//! Against a running JVM, named by `TAPWRIGHT_FRAMEWORK` (the file that `cargo xtask framework` writes); skipped without.

use super::connection::Connection;
use super::message::{AppInfo, Clicks, Request, Setting, Status, Touch, Windows};
use super::pages::Page;
use crate::ElementSnapshot;
use crate::hierarchy::parse;
use crate::recorded::elements;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The JVM is one device: tests take turns.
static TURN: Mutex<()> = Mutex::new(());
/// Nothing has happened for so long: the screen stands.
const QUIET_MS: u64 = 400;
/// How long a screen may take to come to rest.
const PATIENCE: Duration = Duration::from_secs(10);
/// By then a page has opened what it opens by itself.
const OPENED: Duration = Duration::from_secs(2);
/// Activities that are walked through, and nodes touched on each.
const MOST_ACTIVITIES: usize = 30;
const MOST_NODES: usize = 5;

struct Live {
    connection: Connection,
    info: AppInfo,
}

impl Live {
    fn connect() -> Option<Self> {
        let Some(socket) = std::env::var_os("TAPWRIGHT_FRAMEWORK").map(PathBuf::from) else {
            eprintln!("skipped: TAPWRIGHT_FRAMEWORK names no running framework device (cargo xtask framework)");
            return None;
        };
        let (connection, info) = Connection::open(&socket).expect("a framework device");
        Some(Self { connection, info })
    }

    fn status(&mut self) -> Status {
        self.connection.ask(&Request::Status).expect("an answer").read().expect("a status")
    }

    /// Opens an activity afresh; false where it crashes.
    fn open(&mut self, activity: &str) -> bool {
        self.connection.ask(&Request::Stop).expect("an answer");
        if self.connection.ask(&Request::Launch { activity: activity.to_owned() }).is_err() {
            return false;
        }
        self.rest()
    }

    /// Waits until the screen stands; false where the app crashed or never comes to rest.
    fn rest(&mut self) -> bool {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let status = self.status();
            if status.crashed || status.activity.is_empty() {
                return false;
            }
            if status.quiet_ms > QUIET_MS {
                return true;
            }
        }
        false
    }

    /// Sets the device to what the page is compared in.
    fn configure(&mut self, page: Page) {
        self.connection.ask(&Request::Stop).expect("an answer");
        let setting = Setting::from(&page.configuration());
        self.connection.ask(&Request::Configure(setting)).expect("an answer");
    }

    fn dump(&mut self) -> Vec<u8> {
        self.connection.ask(&Request::Dump).expect("a dump").bytes
    }

    fn root(&mut self) -> Option<ElementSnapshot> {
        let dump = self.connection.ask(&Request::Dump).ok()?;
        Some(elements(&parse(&dump.bytes)))
    }

    /// Touches a node at its centre.
    fn touch(&mut self, target: &ElementSnapshot) -> Outcome {
        self.clicks();
        let (before, at) = (self.root(), target.bounds.center());
        let touch = Touch { x: at.x, y: at.y, to_x: at.x, to_y: at.y, hold_ms: 0, move_ms: 0 };
        self.connection.ask(&Request::Touch(touch)).expect("an answer");
        let stands = self.rest();
        if self.clicks().iter().any(|bounds| holds(bounds, target)) {
            return Outcome::Clicked;
        }
        if self.status().crashed {
            return Outcome::Threw;
        }
        if stands && self.root() == before { Outcome::Nothing } else { Outcome::Answered }
    }

    fn clicks(&mut self) -> Vec<String> {
        let clicks: Clicks = self.connection.ask(&Request::Clicks).expect("an answer").read().expect("clicks");
        clicks.clicks
    }
}

/// What a touch did.
enum Outcome {
    /// The node said that it was clicked.
    Clicked,
    /// It did not (a group of an expandable list never does), but the screen changed or the app ended.
    Answered,
    /// Its listener threw, before the view could say that it was clicked.
    Threw,
    /// Nothing.
    Nothing,
}

/// Nodes that a touch at their centre should click: fields take the focus first, and a child may lie over the centre.
fn targets(node: &ElementSnapshot, out: &mut Vec<ElementSnapshot>) {
    let covered = |child: &ElementSnapshot| takes(child, node.bounds.center());
    let field = node.class.ends_with("EditText") || node.class.ends_with("AutoCompleteTextView");
    if node.clickable && node.enabled && !field && !node.children.iter().any(covered) {
        out.push(node.clone());
    }
    node.children.iter().for_each(|child| targets(child, out));
}

fn takes(node: &ElementSnapshot, at: crate::domain::Point) -> bool {
    node.bounds.contains(at) && (node.clickable || node.children.iter().any(|child| takes(child, at)))
}

#[test]
fn the_compared_dumps_are_what_the_framework_says() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(mut live) = Live::connect() else { return };
    let write = std::env::var_os("TAPWRIGHT_FRAMEWORK_WRITE").is_some();
    let mut wrong = Vec::new();
    for page in Page::recordings() {
        live.configure(page);
        assert!(live.open(&page.class()), "{} does not open", page.class());
        let expected = Some(elements(&parse(page.recorded().as_bytes()))).filter(|_| !write);
        // A page may open a window of its own once it stands.
        let begin = Instant::now();
        while live.root() != expected && begin.elapsed() < if write { OPENED } else { PATIENCE } {
            live.rest();
        }
        if write {
            std::fs::write(page.file(), live.dump()).expect("the dump is written");
        } else if live.root() != expected {
            wrong.push(page);
        }
    }
    live.configure(Page { name: "controls", variant: "" });
    assert!(wrong.is_empty(), "TAPWRIGHT_FRAMEWORK_WRITE=1 writes these anew: {wrong:?}");
}

#[test]
fn the_compared_windows_are_what_the_framework_says() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(mut live) = Live::connect() else { return };
    let mut said = String::new();
    for page in Page::windows() {
        live.configure(page);
        assert!(live.open(&page.class()), "{} does not open", page.class());
        let begin = Instant::now();
        while begin.elapsed() < OPENED {
            live.rest();
        }
        let windows: Windows = live.connection.ask(&Request::Windows).expect("windows").read().expect("windows");
        for window in windows.windows {
            let focused = if window.focused { "focused" } else { "-" };
            // What a popup is called after is a hash or what it hangs on.
            let title = window.title.split(':').next().unwrap_or_default();
            said.push_str(&format!("{} {} {} {focused} {title}\n", page.name, window.kind, window.bounds));
        }
    }
    if std::env::var_os("TAPWRIGHT_FRAMEWORK_WRITE").is_some() {
        std::fs::write(Page::windows_file(), &said).expect("the windows are written");
    }
    let recorded = std::fs::read_to_string(Page::windows_file()).expect("the recorded windows");
    assert_eq!(said, recorded, "TAPWRIGHT_FRAMEWORK_WRITE=1 writes them anew");
}

#[test]
fn a_touch_at_the_centre_of_a_clickable_node_hits_that_node() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(mut live) = Live::connect() else { return };
    let names: Vec<String> = live.info.activities.iter().map(|activity| activity.class.clone()).collect();
    let (mut hit, mut answered, mut threw, mut screens, mut missed) = (0, 0, 0, 0, Vec::new());
    for name in names.iter().step_by(names.len() / MOST_ACTIVITIES + 1) {
        if !live.open(name) {
            continue;
        }
        screens += 1;
        let mut found = Vec::new();
        targets(&live.root().unwrap_or_default(), &mut found);
        for target in found.into_iter().take(MOST_NODES) {
            if !live.open(name) {
                break;
            }
            match live.touch(&target) {
                Outcome::Clicked => hit += 1,
                Outcome::Answered => answered += 1,
                Outcome::Threw => threw += 1,
                Outcome::Nothing => {
                    missed.push(format!("{name}: {} {:?} at {}", target.class, target.text, target.bounds));
                }
            }
        }
    }
    eprintln!(
        "{screens} screens: {hit} nodes clicked, {threw} threw, {answered} answered without saying so, {} did nothing",
        missed.len()
    );
    let (nine_tenths, all) = (hit * 10 >= (hit + answered) * 9, hit + answered);
    assert!(missed.is_empty(), "these did nothing:\n{}", missed.join("\n"));
    assert!(all > 30 && nine_tenths, "only {hit} of {all} nodes said that they were clicked");
}

/// Where a dump says that a text stands, the picture has ink: it is not of one colour there.
#[test]
fn where_a_text_stands_the_picture_shows_something() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(mut live) = Live::connect() else { return };
    let (mut seen, mut blank) = (0, Vec::new());
    for name in ["controls", "lists", "dialogs", "menus", "dates", "tabs"] {
        let page = Page { name, variant: "" };
        live.configure(page);
        assert!(live.open(&page.class()), "{} does not open", page.class());
        let recorded = Some(elements(&parse(page.recorded().as_bytes())));
        let begin = Instant::now();
        while live.root() != recorded && begin.elapsed() < PATIENCE {
            live.rest();
        }
        let root = live.root().unwrap_or_default();
        let answer = live.connection.ask(&Request::Screenshot).expect("a picture");
        let size = crate::domain::Size::new(answer.head.width, answer.head.height);
        let picture = crate::domain::Screenshot::new(size, answer.bytes).expect("a picture of its size");
        let mut texts = Vec::new();
        collect_texts(&root, &mut texts);
        for (text, bounds) in texts {
            seen += 1;
            if is_of_one_colour(&picture, bounds) {
                blank.push(format!("{name}: {text:?} at {bounds}"));
            }
        }
    }
    eprintln!("{seen} texts on 6 screens, {} without ink", blank.len());
    assert!(blank.is_empty(), "no ink where these stand:\n{}", blank.join("\n"));
    assert_eq!(seen, 77, "texts of the compared dumps");
}

fn collect_texts(node: &ElementSnapshot, out: &mut Vec<(String, crate::domain::Rect)>) {
    if !node.text.is_empty() {
        out.push((node.text.clone(), node.bounds));
    }
    node.children.iter().for_each(|child| collect_texts(child, out));
}

fn is_of_one_colour(picture: &crate::domain::Screenshot, bounds: crate::domain::Rect) -> bool {
    let size = picture.size();
    let edge = |at: i32, end: u32| usize::try_from(at).unwrap_or_default().min(end as usize);
    let row = |y: usize| {
        let from = (y * size.width as usize + edge(bounds.left, size.width)) * 4;
        let to = (y * size.width as usize + edge(bounds.right, size.width)) * 4;
        picture.rgba()[from..to].chunks(4)
    };
    let mut pixels = (edge(bounds.top, size.height)..edge(bounds.bottom, size.height)).flat_map(row);
    let Some(first) = pixels.next() else { return true };
    pixels.all(|pixel| pixel == first)
}

/// The dark theme cannot show in a dump: the ground of the picture is dark then, and light else.
#[test]
fn the_dark_theme_is_dark() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(mut live) = Live::connect() else { return };
    let mut ground = |variant: &'static str| {
        let page = Page { name: "controls", variant };
        live.configure(page);
        assert!(live.open(&page.class()), "{} does not open", page.class());
        let answer = live.connection.ask(&Request::Screenshot).expect("a picture");
        let at = (answer.head.height as usize * 9 / 10 * answer.head.width as usize + 20) * 4;
        u32::from(answer.bytes[at]) + u32::from(answer.bytes[at + 1]) + u32::from(answer.bytes[at + 2])
    };
    let (light, dark) = (ground(""), ground("night"));
    ground("");
    assert!(light > 600 && dark < 200, "light {light}, dark {dark} of 765");
}

/// What no key types is written by the input method, and what the app keeps goes with `clear`.
#[test]
fn the_real_server_knows_its_token_and_writes_beyond_ascii() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(mut live) = Live::connect() else { return };
    let socket = PathBuf::from(std::env::var_os("TAPWRIGHT_FRAMEWORK").expect("named"));
    let named = std::fs::read_to_string(&socket).expect("the socket's file");
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = folder.path().join("socket");
    std::fs::write(&wrong, format!("{} 0000\n", named.split(' ').next().unwrap_or_default())).expect("written");
    assert!(Connection::open(&wrong).is_err(), "a wrong token is refused");
    let page = Page { name: "fields", variant: "" };
    live.configure(page);
    assert!(live.open(&page.class()));
    let answer = live.connection.ask(&Request::Commit { text: "Größe 漢".to_owned() }).expect("an answer");
    assert_eq!(answer.head.typed, Some(true));
    live.rest();
    let mut texts = Vec::new();
    collect_texts(&live.root().unwrap_or_default(), &mut texts);
    assert!(texts.iter().any(|(text, _)| text == "Größe 漢"), "{texts:?}");
    live.connection.ask(&Request::Clear).expect("everything is deleted");
    assert!(live.open(&page.class()), "and the app starts anew");
}

/// Whether what was clicked is the node: its bounds, which a dump cuts to the part in sight.
fn holds(clicked: &str, node: &ElementSnapshot) -> bool {
    let numbers: Vec<i32> = clicked.split(['[', ']', ',']).filter_map(|part| part.parse().ok()).collect();
    let [left, top, right, bottom] = numbers[..] else { return false };
    let b = node.bounds;
    b == crate::domain::Rect::new(left, top, right, bottom)
        || left <= b.left && top <= b.top && right >= b.right && bottom >= b.bottom
}
