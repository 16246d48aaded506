//! `uiautomator dump` and `screencap`: attributes, escaping, failures, pictures.

use crate::scripted_screen::ScriptedScreen;
use crate::virtual_device_facts::{Phone, phone};
use tapwright::domain::Rect;
use tapwright::virtual_device::ElementSnapshot;

fn scripted(api: u32, root: ElementSnapshot) -> (Phone, ScriptedScreen) {
    let phone = phone(api);
    let screen = ScriptedScreen::default();
    screen.change(|script| script.root = root);
    phone.0.lock().add(screen.app());
    phone.out(&format!("am start -n {}/.MainActivity", ScriptedScreen::PACKAGE));
    (phone, screen)
}

fn node(text: &str) -> ElementSnapshot {
    ElementSnapshot {
        class: "android.widget.TextView".to_owned(),
        package: ScriptedScreen::PACKAGE.to_owned(),
        text: text.to_owned(),
        enabled: true,
        bounds: Rect::new(0, 0, 50, 20),
        ..ElementSnapshot::default()
    }
}

fn xml(phone: &Phone) -> String {
    phone.out("uiautomator dump /sdcard/d.xml >/dev/null; cat /sdcard/d.xml")
}

#[test]
fn a_dump_is_one_line_with_androids_attributes_in_androids_order() {
    let mut root = node("");
    root.class = "android.widget.FrameLayout".to_owned();
    root.bounds = Rect::new(0, 0, 200, 400);
    // Index 1 is a child that is not visible.
    let mut field = node("Name");
    field.index = 2;
    field.hint = "Name".to_owned();
    field.drawing_order = 3;
    root.children = vec![node("a"), field];
    let classic = "checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" \
                   focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\"";
    let package = ScriptedScreen::PACKAGE;
    let (phone, _) = scripted(34, root.clone());
    assert_eq!(
        xml(&phone),
        format!(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"\" \
             resource-id=\"\" class=\"android.widget.FrameLayout\" package=\"{package}\" content-desc=\"\" {classic} \
             bounds=\"[0,0][200,400]\"><node index=\"0\" text=\"a\" resource-id=\"\" class=\"android.widget.TextView\" \
             package=\"{package}\" content-desc=\"\" {classic} bounds=\"[0,0][50,20]\" /><node index=\"2\" text=\"Name\" \
             resource-id=\"\" class=\"android.widget.TextView\" package=\"{package}\" content-desc=\"\" {classic} \
             bounds=\"[0,0][50,20]\" /></node></hierarchy>"
        )
    );
    let (newer, _) = scripted(36, root);
    assert!(xml(&newer).contains("bounds=\"[0,0][50,20]\" drawing-order=\"3\" hint=\"Name\" /></node>"));
    assert!(!xml(&newer).contains("visible-to-user") && !xml(&newer).contains("display-id"));
}

#[test]
fn naf_comes_first_and_only_where_nothing_speaks() {
    let mut button = node("");
    button.class = "android.widget.ImageButton".to_owned();
    button.clickable = true;
    let (phone, screen) = scripted(34, button.clone());
    assert!(xml(&phone).contains("<node NAF=\"true\" index=\"0\""));
    for change in [
        |node: &mut ElementSnapshot| node.content_desc = "Back".to_owned(),
        |node: &mut ElementSnapshot| node.enabled = false,
        |node: &mut ElementSnapshot| node.class = "android.widget.GridView".to_owned(),
        |node: &mut ElementSnapshot| node.class = "androidx.gridlayout.widget.GridLayout".to_owned(),
        |node: &mut ElementSnapshot| node.class = "android.widget.ListView".to_owned(),
        |node: &mut ElementSnapshot| node.class = "android.widget.TableLayout".to_owned(),
        |node: &mut ElementSnapshot| node.children = vec![self::node("Go")],
    ] {
        let mut changed = button.clone();
        change(&mut changed);
        screen.change(|script| script.root = changed.clone());
        assert!(!xml(&phone).contains("NAF"), "{changed:?}");
    }
}

#[test]
fn bounds_keep_their_quirks() {
    let mut root = node("");
    root.bounds = Rect::new(0, 0, 200, 400);
    let bounds =
        [Rect::new(96, 398, 199, 384), Rect::new(0, 0, 0, 0), Rect::new(-20, 380, 60, 500), Rect::new(0, 700, 50, 720)];
    root.children = bounds.map(|bounds| ElementSnapshot { bounds, ..node("x") }).to_vec();
    let (phone, _) = scripted(34, root);
    let xml = xml(&phone);
    for shown in ["[96,398][199,384]", "[0,0][0,0]", "[0,380][60,400]", "[0,700][50,720]"] {
        assert!(xml.contains(&format!("bounds=\"{shown}\"")), "{shown}: {xml}");
    }
}

#[test]
fn values_are_escaped_and_control_characters_become_dots() {
    let (phone, screen) = scripted(34, node(""));
    for (text, written) in [
        ("<a> & b", "text=\"&lt;a&gt; &amp; b\""),
        ("say \"it's\"", "text='say \"it&apos;s\"'"),
        ("it's", "text=\"it's\""),
        ("a\nb\tc\r", "text=\"a&#10;b&#9;c&#13;\""),
        ("\u{1}\u{7f}\u{9f}\u{fdd0}", "text=\"....\""),
        ("日本 é 😀 \u{e001}", "text=\"日本 é 😀 \u{e001}\""),
    ] {
        screen.change(|script| script.root = node(text));
        assert!(xml(&phone).contains(written), "{text:?}: {}", xml(&phone));
    }
}

#[test]
fn a_character_the_serializer_refuses_kills_the_dumper_and_leaves_an_empty_file() {
    for text in ["\u{0}", "a\u{fffe}", "\u{ffff}"] {
        let (phone, _) = scripted(34, node(text));
        phone.table(&[
            ("uiautomator dump /sdcard/k.xml", "", "", 137),
            ("stat -c %s /sdcard/k.xml", "0\n", "", 0),
            // Only a shell that stays prints it.
            ("uiautomator dump /sdcard/k.xml; echo $?", "137\n", "Killed \n", 0),
            ("(uiautomator dump /sdcard/k.xml) || echo again", "again\n", "Killed \n", 0),
        ]);
    }
}

#[test]
fn a_dump_goes_to_the_terminal_with_the_line_right_behind_it() {
    let (phone, _) = scripted(34, node("hi"));
    let printed = phone.on_terminal("uiautomator dump /dev/tty");
    assert!(printed.starts_with("<?xml version="), "{printed}");
    assert!(printed.ends_with("</hierarchy>UI hierchary dumped to: /dev/tty\n"), "{printed}");
    // Without a terminal there is nothing to open, and nobody says so.
    phone.table(&[("uiautomator dump /dev/tty", "UI hierchary dumped to: /dev/tty\n", "", 0)]);
}

#[test]
fn options_choose_what_is_dumped() {
    let mut root = node("");
    root.class = "android.widget.FrameLayout".to_owned();
    root.children = vec![node("inner")];
    let (phone, _) = scripted(34, root.clone());
    phone.table(&[
        ("uiautomator dump", "UI hierchary dumped to: /sdcard/window_dump.xml\n", "", 0),
        (
            "cd /sdcard; uiautomator dump rel.xml; ls rel.xml",
            "UI hierchary dumped to: /sdcard/rel.xml\nrel.xml\n",
            "",
            0,
        ),
        ("uiautomator dump --frob /sdcard/a.xml /sdcard/b.xml", "UI hierchary dumped to: /sdcard/b.xml\n", "", 0),
        ("ls /sdcard/a.xml", "", "ls: /sdcard/a.xml: No such file or directory\n", 1),
        ("uiautomator dump /system/x.xml", "UI hierchary dumped to: /system/x.xml\n", "", 0),
        ("ls /system/x.xml", "", "ls: /system/x.xml: No such file or directory\n", 1),
    ]);
    for line in ["uiautomator", "uiautomator help", "uiautomator frob"] {
        let (out, err, exit) = phone.sh(line);
        assert!(out.is_empty() && err.starts_with("Usage: uiautomator <subcommand>") && exit == 0, "{line}: {err}");
        assert!(!err.contains("--windows"), "it is not in the help");
    }
    let windows = |phone: &Phone| phone.out("uiautomator dump --windows /sdcard/w.xml >/dev/null; cat /sdcard/w.xml");
    let dumped = windows(&phone);
    assert!(
        dumped.contains("?><displays><display id=\"0\"><window index=\"0\" title=\"com.example.scripted/"),
        "{dumped}"
    );
    assert!(dumped.ends_with("</hierarchy></window></display></displays>"), "{dumped}");
    // Older dumpers ignore options they do not know.
    assert!(windows(&scripted(28, root).0).contains("?><hierarchy rotation=\"0\"><node "));
}

#[test]
fn the_rotation_is_told_and_bounds_follow_it() {
    let (phone, _) = scripted(34, ElementSnapshot { bounds: Rect::new(0, 0, 400, 200), ..node("wide") });
    phone.out("settings put system accelerometer_rotation 0; settings put system user_rotation 1");
    let xml = xml(&phone);
    assert!(xml.contains("<hierarchy rotation=\"1\">") && xml.contains("bounds=\"[0,0][400,200]\""), "{xml}");
}

#[test]
fn raw_pictures_have_the_header_of_their_api_level() {
    for (api, header) in [(27, 12), (28, 16), (34, 16)] {
        let (phone, _) = scripted(api, node(""));
        phone.out("screencap /sdcard/s.raw");
        let raw = phone.0.lock().files.read("/sdcard/s.raw").unwrap().to_vec();
        assert_eq!(raw.len(), header + 4 * 200 * 400, "{api}");
        let word = |at: usize| u32::from_le_bytes(raw[4 * at..4 * at + 4].try_into().unwrap());
        assert_eq!((word(0), word(1), word(2)), (200, 400, 1));
        assert_eq!(raw[header..header + 4], [200, 30, 40, 255]);
        if header == 16 {
            assert_eq!(word(3), 1, "sRGB");
        }
    }
}

#[test]
fn pictures_are_png_by_option_or_by_name() {
    let (phone, screen) = scripted(34, node(""));
    let id = phone.out("dumpsys SurfaceFlinger --display-id | cut -d ' ' -f 2");
    let id = id.trim();
    let picture = |phone: &Phone, path: &str| {
        image::load_from_memory(phone.0.lock().files.read(path).unwrap()).unwrap().to_rgba8()
    };
    phone.out("screencap -p /sdcard/a; screencap /sdcard/b.png; screencap -a /sdcard/c.png");
    phone.out(&format!("screencap -p -d {id} /sdcard/d"));
    for path in ["/sdcard/a", "/sdcard/b.png", "/sdcard/c_0.png", "/sdcard/d"] {
        let picture = picture(&phone, path);
        assert_eq!(picture.dimensions(), (200, 400), "{path}");
        assert_eq!(picture.get_pixel(3, 3).0, [200, 30, 40, 255], "{path}");
    }
    screen.change(|script| script.secure = true);
    phone.out("screencap -p /sdcard/black.png; uiautomator dump");
    assert!(picture(&phone, "/sdcard/black.png").pixels().all(|pixel| pixel.0 == [0, 0, 0, 255]));
    phone.table(&[
        ("screencap -d 0 -p /sdcard/x", "", "Display Id '0' is not valid.\n", 1),
        ("screencap -d abc -p", "", "Invalid display ID: Out of range [0, 2^64).\n", 1),
    ]);
    let (out, err, exit) = phone.sh("screencap -h");
    assert!(out.is_empty() && err.starts_with("usage: screencap [-ahp]") && exit == 1, "{err}");
    assert_ne!(phone.sh("screencap -p /system/x.png").2, 0);
}
