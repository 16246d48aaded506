//! How apps look and react in other languages, at night, turned and enlarged.

use super::super::stock_words::in_language;
use super::*;
use crate::app::file::{Color, IconName};
use crate::app::palette::{contrast, luminance};
use crate::app::scene::Content;
use crate::app::{Launcher, LauncherEntry};
use crate::domain::{Point, Rect};

const APP: &str = include_str!("look.app.yaml");

/// All languages of the app, and whether they run from right to left.
const LOCALES: [(&str, bool); 14] = [
    ("en-US", false),
    ("ar-EG", true),
    ("he-IL", true),
    ("fa-IR", true),
    ("zh-CN", false),
    ("zh-TW", false),
    ("ja-JP", false),
    ("ko-KR", false),
    ("hi-IN", false),
    ("bn-BD", false),
    ("th-TH", false),
    ("ru-RU", false),
    ("vi-VN", false),
    ("el-GR", false),
];

fn program(configuration: &Configuration) -> Program {
    let file = AppFile::load("look.app.yaml", APP).unwrap_or_else(|error| panic!("{error}"));
    let mut context = AppContext::phone();
    context.configure(configuration);
    Program::new(&Arc::new(file), context).expect("the app starts")
}

fn in_locale(locale: &str) -> Program {
    program(&Configuration { locale: locale.to_owned(), ..Configuration::default() })
}

fn all(program: &mut Program) -> Vec<ElementSnapshot> {
    fn flatten(element: ElementSnapshot, out: &mut Vec<ElementSnapshot>) {
        let children = element.children.clone();
        out.push(element);
        for child in children {
            flatten(child, out);
        }
    }
    let mut elements = Vec::new();
    flatten(program.snapshot(), &mut elements);
    elements
}

#[track_caller]
fn find(program: &mut Program, id: &str) -> ElementSnapshot {
    let elements = all(program);
    let found = elements.into_iter().find(|e| e.resource_id.ends_with(&format!("/{id}")) || e.content_desc == id);
    found.unwrap_or_else(|| panic!("no {id:?}"))
}

/// The places of the paragraph's link on the display.
fn link_boxes(program: &mut Program) -> Vec<Rect> {
    let scene = program.top_scene().expect("a window");
    let node = scene.nodes.iter().find(|n| matches!(n.target, Some(Target::Links(..)))).expect("the paragraph");
    let Content::Text(block) = &node.content else { panic!("a text") };
    block.boxes(node.bounds, node.style, block.links[0].bytes.clone())
}

#[test]
fn a_link_reacts_on_its_words_and_nowhere_else_in_every_script() {
    for (locale, _) in LOCALES {
        let boxes = link_boxes(&mut in_locale(locale));
        let paragraph = find(&mut in_locale(locale), "terms").bounds;
        assert!(!boxes.is_empty(), "{locale}");
        for place in &boxes {
            assert!(paragraph.encloses(*place), "{locale}: {place} in {paragraph}");
            for x in [place.left + 2, place.center().x, place.right - 3] {
                let mut app = in_locale(locale);
                app.gesture(Gesture::Tap(Point::new(x, place.center().y)));
                assert!(all(&mut app).iter().any(|e| e.resource_id.ends_with("/terms_text")), "{locale}: {x}");
            }
        }
        // Everywhere else in the paragraph nothing happens.
        let mut app = in_locale(locale);
        for x in (paragraph.left + 1..paragraph.right).step_by(23) {
            for y in (paragraph.top + 2..paragraph.bottom).step_by(17) {
                let point = Point::new(x, y);
                if boxes.iter().all(|place| !place.contains(point)) {
                    app.gesture(Gesture::Tap(point));
                }
            }
        }
        assert!(all(&mut app).iter().any(|e| e.resource_id.ends_with("/terms")), "{locale}: still there");
    }
}

#[test]
fn a_window_is_mirrored_where_text_runs_from_right_to_left() {
    let places = |locale: &str| {
        let mut app = in_locale(locale);
        let of = |app: &mut Program, id: &str| find(app, id).bounds;
        [
            of(&mut app, in_language(locale, "Navigate up")),
            of(&mut app, "More options"),
            of(&mut app, "agreed"),
            of(&mut app, "go"),
        ]
    };
    let (english, arabic) = (places("en-US"), places("ar-EG"));
    let width = 1080;
    // Widths that do not follow from texts are exactly mirrored.
    for (ltr, rtl) in english.iter().zip(&arabic).take(3) {
        assert_eq!((ltr.left, ltr.right), (width - rtl.right, width - rtl.left));
    }
    for (locale, rtl) in LOCALES {
        let mut app = in_locale(locale);
        let (up, price) = (find(&mut app, in_language(locale, "Navigate up")).bounds, find(&mut app, "price").bounds);
        assert_eq!(up.center().x > width / 2, rtl, "{locale}");
        assert_eq!(price.center().x > width / 2, rtl, "{locale}: rows begin at the start");
        let title = all(&mut app).into_iter().find(|e| e.class.ends_with("TextView")).expect("the title").bounds;
        assert_eq!(title.left > up.left, !rtl, "{locale}: the title stands behind the arrow");
    }
}

#[test]
fn lines_of_text_begin_at_the_start() {
    for (locale, rtl) in LOCALES {
        let mut app = in_locale(locale);
        let scene = app.top_scene().expect("a window");
        let node = scene.nodes.iter().find(|n| matches!(n.target, Some(Target::Links(..)))).expect("the paragraph");
        let Content::Text(block) = &node.content else { panic!("a text") };
        let last = block.shaped.lines.len() - 1;
        let (width, line) = (node.bounds.width() as f32, block.shaped.lines[last].width);
        let left = block.line_left(last, 0.0, width);
        assert!(
            if rtl { (left + line - width).abs() <= 1.0 } else { left == 0.0 },
            "{locale}: {left}, {line} of {width}"
        );
    }
}

#[test]
fn keypads_keep_their_order_in_every_locale() {
    for (locale, _) in LOCALES {
        let mut app = in_locale(locale);
        let go = find(&mut app, "go").bounds.center();
        app.gesture(Gesture::Tap(go));
        let (one, three) = (find(&mut app, "key_1").bounds, find(&mut app, "key_3").bounds);
        assert!(one.left < three.left && one.top == three.top, "{locale}");
    }
}

#[test]
fn typing_in_arabic_edits_in_reading_order() {
    let mut app = in_locale("ar-EG");
    let field = find(&mut app, "name").bounds;
    app.gesture(Gesture::Tap(field.center()));
    app.type_text("مرحبا");
    app.key(22);
    app.key(67);
    assert_eq!(find(&mut app, "name").text, "مرحب", "DEL takes the last letter");
    // A tap at the right edge puts the cursor before the first letter.
    let field = find(&mut app, "name").bounds;
    app.gesture(Gesture::Tap(Point::new(field.right - 20, field.center().y)));
    app.type_text("X");
    assert_eq!(find(&mut app, "name").text, "Xمرحب");
}

#[test]
fn the_theme_follows_night_mode_while_the_app_runs() {
    let mut app = in_locale("en-US");
    let mean = |app: &mut Program| {
        let shot = app.render();
        let pixels = shot.rgba().chunks_exact(4);
        let count = pixels.len() as f32;
        pixels.map(|p| luminance([p[0], p[1], p[2], 255])).sum::<f32>() / count
    };
    assert!(mean(&mut app) > 0.75);
    let dump = app.snapshot();
    app.configure(&Configuration { night: true, ..Configuration::default() });
    assert!(mean(&mut app) < 0.1);
    assert_eq!(app.snapshot(), dump, "nothing moves");
    app.configure(&Configuration::default());
    assert!(mean(&mut app) > 0.75);
}

#[test]
fn every_text_can_be_read_at_night() {
    let mut app = program(&Configuration { night: true, ..Configuration::default() });
    let scene = app.top_scene().expect("a window");
    let mut read = 0;
    for (at, node) in scene.nodes.iter().enumerate() {
        let Content::Text(block) = &node.content else { continue };
        let mut under = Some(at);
        let ground = std::iter::from_fn(|| {
            let node = scene.nodes.get(under?)?;
            under = node.parent;
            Some(node.surface.filter(|s| s.fill[3] == 255).map(|s| s.fill))
        });
        let ground = ground.flatten().next().expect("something lies below");
        assert!(contrast(block.color, ground) >= 4.5, "{:?}: {:?} on {ground:?}", block.text, block.color);
        read += 1;
    }
    assert!(read >= 10);
}

#[test]
fn nothing_leaves_the_display_on_any_device_in_any_size_of_text() {
    let displays = [(1080, 2400, 420), (720, 1280, 320), (2400, 1080, 420), (1600, 2560, 320), (2560, 1600, 320)];
    for (width, height, density) in displays {
        for font_scale in [0.85, 1.0, 1.3] {
            for locale in ["en-US", "ar-EG", "ru-RU", "th-TH"] {
                let mut app = program(&Configuration {
                    display: Size::new(width, height),
                    density,
                    font_scale,
                    locale: locale.to_owned(),
                    ..Configuration::default()
                });
                let name = format!("{width}×{height}, {font_scale}, {locale}");
                let scene = app.top_scene().expect("a window");
                for node in &scene.nodes {
                    let bounds = node.bounds;
                    assert!(bounds.left >= 0 && bounds.right <= width as i32, "{name}: {bounds}");
                    if let Content::Text(block) = &node.content {
                        let room = bounds.width() as f32 - node.style.left - node.style.right;
                        assert!(block.shaped.width <= room + 1.5, "{name}: {:?} is cut off", block.text);
                    }
                }
            }
        }
    }
}

/// `cargo test -p tapwright-virtual-device --lib look_in_every_language -- --ignored --nocapture` saves pictures to look at.
#[test]
#[ignore = "for looking at, not for judging"]
fn look_in_every_language() {
    let folder = std::env::temp_dir().join("tapwright-looks");
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    println!("pictures are in {}", folder.display());
    let save = |app: &mut Program, name: &str| {
        let (shot, path) = (app.render(), folder.join(format!("{name}.png")));
        let size = shot.size();
        image::save_buffer(path, shot.rgba(), size.width, size.height, image::ExtendedColorType::Rgba8)
            .expect("the temporary folder is writable");
    };
    for (locale, _) in LOCALES {
        let night = matches!(locale, "fa-IR" | "ja-JP" | "ru-RU");
        let mut app = program(&Configuration { locale: locale.to_owned(), night, ..Configuration::default() });
        save(&mut app, locale);
        let field = find(&mut app, "name").bounds.center();
        app.gesture(Gesture::Tap(field));
        app.type_text(if locale == "ar-EG" { "محمد" } else { "Ada" });
        save(&mut app, &format!("{locale}-typing"));
    }
    let gallery =
        AppFile::load("gallery.app.yaml", include_str!("../../../../../tests/fixtures/apps/gallery.app.yaml"))
            .unwrap_or_else(|error| panic!("{error}"));
    let gallery = Arc::new(gallery);
    for (locale, night) in [("en-US", false), ("en-US", true), ("ar-EG", false)] {
        let mut context = AppContext::phone();
        context.configure(&Configuration { locale: locale.to_owned(), night, ..Configuration::default() });
        let mut app = Program::new(&gallery, context).expect("the gallery starts");
        for at in 0..gallery.document().screens.len() {
            app.open_screen(at, 0);
            save(&mut app, &format!("gallery-{locale}-{night}-{at:02}"));
        }
    }
    let home = |configuration: &Configuration| {
        let mut context = AppContext::phone();
        context.configure(configuration);
        let labels = ["Pay", "Rides", "Groceries", "To-do", "Bank", "Word Counter", "Pastebin", "متجر"];
        let entry = |(at, label): (usize, &&str)| LauncherEntry {
            package: format!("com.example.a{at}"),
            label: (*label).to_owned(),
            color: Color::parse(["#00695c", "#ffc107", "#b31b1b", "#0b57d0"][at % 4]),
            glyph: (at % 2 == 0).then_some(IconName::Cart),
        };
        Launcher::new(context, labels.iter().enumerate().map(entry).collect())
    };
    let landscape = Size::new(2400, 1080);
    for (name, configuration) in [
        ("home", Configuration::default()),
        ("home-night", Configuration { night: true, locale: "ar".to_owned(), ..Configuration::default() }),
        ("home-landscape", Configuration { display: landscape, ..Configuration::default() }),
    ] {
        let (shot, path) = (home(&configuration).render(), folder.join(format!("{name}.png")));
        let size = shot.size();
        image::save_buffer(path, shot.rgba(), size.width, size.height, image::ExtendedColorType::Rgba8)
            .expect("the temporary folder is writable");
    }
    for (name, width, height, density, rotation) in
        [("landscape", 2400, 1080, 420, 1), ("small", 720, 1280, 320, 0), ("tablet", 2560, 1600, 320, 0)]
    {
        let display = Size::new(width, height);
        let mut app =
            program(&Configuration { display, density, rotation, font_scale: 1.3, ..Configuration::default() });
        save(&mut app, name);
        let field = find(&mut app, "name").bounds.center();
        app.gesture(Gesture::Tap(field));
        save(&mut app, &format!("{name}-typing"));
    }
}

#[test]
fn stars_and_bars_fill_from_the_start() {
    let text = "package: com.example.bars\nlabel: Bars\nstate: {stars: 0, volume: 0}\nscreens:\n  - id: home\n    padding: 16\n    body:\n      - rating: {id: stars, bind: stars, stars: 5}\n      - slider: {id: volume, bind: volume, min: 0, max: 100, step: 10}\n";
    for (locale, rtl) in [("en-US", false), ("he-IL", true)] {
        let file = AppFile::load("bars.app.yaml", text).unwrap_or_else(|error| panic!("{error}"));
        let mut context = AppContext::phone();
        context.configure(&Configuration { locale: locale.to_owned(), ..Configuration::default() });
        let mut app = Program::new(&Arc::new(file), context).expect("the app starts");
        let value = |app: &Program, name: &str| app.scope.get(name).map(ToString::to_string).unwrap_or_default();
        let (stars, bar) = (find(&mut app, "stars").bounds, find(&mut app, "volume").bounds);
        let at_end = |bounds: Rect| if rtl { bounds.left + 30 } else { bounds.right - 30 };
        app.gesture(Gesture::Tap(Point::new(at_end(stars), stars.center().y)));
        app.gesture(Gesture::Tap(Point::new(at_end(bar), bar.center().y)));
        assert_eq!((value(&app, "stars"), value(&app, "volume")), ("5".to_owned(), "100".to_owned()), "{locale}");
    }
}
