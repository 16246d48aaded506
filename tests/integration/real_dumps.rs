//! Every real and every odd dump beside the repository parses and can be perceived. The dumps are third-party
//! material, so they are not part of the repository; without them the test says so and ends.

use std::path::{Path, PathBuf};
use tapwright::domain::{Rect, Size};
use tapwright::hierarchy::{Role, Screen, ScreenInput, parse, serialise};

fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if !path.is_dir() {
        println!("skipped: {} does not exist", path.display());
        return None;
    }
    Some(path)
}

fn perceive(hierarchy: &[u8]) -> Screen {
    let display = Size::new(0, 0);
    Screen::perceive(ScreenInput { hierarchy, screenshot: None, display, foreground: None, keyboard_shown: false })
}

/// What must hold for any screen, whatever its dump.
fn check(name: &str, screen: &Screen) {
    let display = screen.display.rect();
    for (position, widget) in screen.widgets.iter().enumerate() {
        assert_eq!(widget.id, position, "{name}");
        assert!(display.encloses(widget.bounds) && !widget.bounds.is_empty(), "{name}: {widget:?}");
        assert!(widget.bounds.contains(widget.tap), "{name}: {widget:?}");
        assert!(widget.node < screen.tree.nodes.len() && !widget.resource_id.is_empty(), "{name}: {widget:?}");
        assert!(
            widget.package != "com.android.systemui" || screen.widgets.iter().all(|w| w.package == widget.package),
            "{name}"
        );
    }
    assert_eq!(parse(serialise(&screen.tree).as_bytes()).nodes, screen.tree.nodes, "{name}");
    assert!(screen.xuat().lines().all(|line| line.starts_with("<node class=") && line.ends_with(" />")), "{name}");
}

#[test]
fn every_real_screen_is_perceived_and_each_widget_found_again() {
    let Some(folder) = shared("screens") else { return };
    let (mut screens, mut widgets, mut clickable, mut unnamed, mut lost) = (0, 0, 0, 0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("listed") {
        let path = entry.expect("listed").path().join("hierarchy.xml");
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let name = path.display().to_string();
        let screen = perceive(&bytes);
        check(&name, &screen);
        assert!(!screen.tree.nodes.is_empty(), "{name}: {:?}", screen.tree.diagnostics);
        let again = perceive(&bytes);
        assert_eq!((again.fingerprint, again.digest), (screen.fingerprint, screen.digest), "{name}");
        screens += 1;
        widgets += screen.widgets.len();
        for widget in &screen.widgets {
            clickable += usize::from(widget.clickable);
            unnamed += usize::from(widget.clickable && widget.label.is_empty());
            if screen.resolve(&widget.selector).is_none_or(|(found, _)| found.id != widget.id) {
                lost.push(format!("{name} {} {}", widget.selector, widget.bounds));
            }
        }
    }
    assert!(screens >= 200, "only {screens} screens");
    assert!(unnamed * 100 <= clickable * 6, "{unnamed} of {clickable} clickable widgets have no label");
    assert!(lost.len() * 500 <= widgets, "of {widgets} widgets not found again: {lost:?}");
}

#[test]
fn every_odd_dump_gives_a_tree_or_says_why_not() {
    let Some(folder) = shared("odd_dumps") else { return };
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("listed") {
        let path = entry.expect("listed").path();
        if path.file_name().is_some_and(|name| name == "INDEX.json") {
            continue;
        }
        let name = path.display().to_string();
        let screen = perceive(&std::fs::read(&path).expect("read"));
        check(&name, &screen);
        assert!(!screen.tree.nodes.is_empty() || !screen.tree.diagnostics.is_empty(), "{name}");
        read += 1;
    }
    assert_eq!(read, 40);
}

#[test]
fn known_oddities_are_read_as_a_person_would() {
    let Some(folder) = shared("odd_dumps") else { return };
    let tree = |name: &str| parse(&std::fs::read(folder.join(name)).expect("read"));
    let says = |name: &str, words: &str| {
        let tree = tree(name);
        assert!(tree.diagnostics.iter().any(|d| d.message.contains(words)), "{name}: {:?}", tree.diagnostics);
    };
    says("001.xml", "null root node");
    says("002.xml", "salvaged");
    says("005.xml", "twice");
    says("006.xml", "UTF-16");
    says("014.xml", "no nodes");
    says("038.txt", "ERROR");
    says("040.txt", "cut off");
    for (name, nodes) in [("002.xml", 25), ("003.xml", 40), ("004.xml", 5), ("016.xml", 40), ("034.xml", 1182)] {
        let found = tree(name).nodes.len();
        assert!(found >= nodes, "{name}: only {found} nodes");
    }
}

#[test]
fn the_written_fixtures_are_perceived_as_described() {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/dumps").join(name);
        perceive(&std::fs::read(path).expect("read"))
    };
    let bank = read("bank_list.xml");
    assert_eq!(bank.title, "Select a bank");
    let rows: Vec<(&str, Role)> =
        bank.widgets.iter().filter(|w| w.clickable).map(|w| (w.label.as_str(), w.role)).collect();
    assert_eq!(
        rows,
        [
            ("Navigate up", Role::Button),
            ("Search banks", Role::Field),
            ("Evergreen Bank, Debit card", Role::ListItem),
            ("Harbour Bank, Credit card", Role::ListItem),
            ("Remember my choice", Role::Checkbox),
            ("Edit", Role::Button),
            ("Edit", Role::Button),
        ]
    );
    let contexts: Vec<&str> = bank.widgets.iter().filter(|w| w.label == "Edit").map(|w| w.context.as_str()).collect();
    assert_eq!(contexts, ["Home address", "Work address"]);
    let agree = bank.widgets.iter().find(|w| w.role == Role::Checkbox).expect("a check box");
    assert_eq!(agree.state.checked, Some(true));
    let search = bank.widgets.iter().find(|w| w.role == Role::Field).expect("a field");
    assert_eq!((search.value.as_str(), search.hint.as_str()), ("", "Search banks"));
    assert_eq!(bank.scroll_areas, [Rect::new(0, 420, 1080, 1400)]);

    let keypad = read("keypad.xml");
    let keys: String = keypad.widgets.iter().filter(|w| w.role == Role::KeypadKey).map(|w| w.label.as_str()).collect();
    assert_eq!(keys, "1234567890delete");
    assert_eq!(keypad.title, "Enter payment password");

    let dialog = read("dialog.xml");
    assert_eq!(dialog.title, "Delete card?");
    let clickable: Vec<&str> = dialog.widgets.iter().filter(|w| w.clickable).map(|w| w.label.as_str()).collect();
    assert_eq!(clickable, ["Close", "Cancel", "Delete"], "the page under the scrim cannot be touched");
    assert!(dialog.widgets.iter().all(|w| w.label != "Battery 80 percent"), "no status bar");
}
