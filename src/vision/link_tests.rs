//! Links in pictures drawn here: strokes for letters, in the text's and the link's colour.

use super::*;
use crate::domain::Screenshot;
use crate::hierarchy::ScreenInput;

const BLACK: [u8; 3] = [0x20, 0x21, 0x24];
const BLUE: [u8; 3] = [0x19, 0x76, 0xD2];
const DISPLAY: Size = Size::new(600, 300);

struct Canvas {
    pixels: Vec<u8>,
}

impl Canvas {
    fn new(background: [u8; 3]) -> Self {
        let pixel = [background[0], background[1], background[2], 255];
        Self { pixels: pixel.repeat((DISPLAY.width * DISPLAY.height) as usize) }
    }

    /// A run of text: strokes three pixels wide every nine, with softened edges as a font renderer leaves them.
    fn text(&mut self, colour: [u8; 3], from: i32, to: i32, top: i32) -> &mut Self {
        for x in (from..to - 2).step_by(9) {
            for y in top..top + 30 {
                for (dx, strength) in [(0, 128), (1, 255), (2, 128)] {
                    self.blend(colour, x + dx, y, strength);
                }
            }
        }
        self
    }

    /// Small text: strokes one pixel wide that fall between two columns, so that none reaches its ink's colour.
    fn thin(&mut self, colour: [u8; 3], from: i32, to: i32, top: i32) -> &mut Self {
        for (letter, x) in (from..to - 2).step_by(5).enumerate() {
            let right = [50, 90, 120, 160][letter % 4];
            for y in top..top + 14 {
                self.blend(colour, x, y, 210 - right);
                self.blend(colour, x + 1, y, right);
            }
        }
        self
    }

    fn blend(&mut self, colour: [u8; 3], x: i32, y: i32, strength: u32) {
        let at = 4 * (y * DISPLAY.width as i32 + x) as usize;
        for (pixel, channel) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            let mixed = u32::from(*pixel) * (255 - strength) + u32::from(channel) * strength;
            *pixel = (mixed / 255) as u8;
        }
    }

    fn screen(&self, text: &str, colours: &[[u8; 3]]) -> Screen {
        let nodes = format!(
            "<node index=\"0\" text=\"{text}\" resource-id=\"org.example:id/terms\" class=\"android.widget.TextView\" \
             focusable=\"true\" bounds=\"[20,40][580,240]\"/>"
        );
        self.screen_of(&nodes, colours)
    }

    /// Texts with their tops, each 50 pixels high, which do not take the focus.
    fn texts(&self, texts: &[(&str, i32)], colours: &[[u8; 3]]) -> Screen {
        let node = |(text, top): &(&str, i32)| {
            format!(
                "<node text=\"{text}\" class=\"android.widget.TextView\" focusable=\"false\" bounds=\"[20,{top}][580,{}]\"/>",
                top + 50
            )
        };
        self.screen_of(&texts.iter().map(node).collect::<String>(), colours)
    }

    fn screen_of(&self, nodes: &str, colours: &[[u8; 3]]) -> Screen {
        let dump = format!(
            "<hierarchy><node class=\"android.widget.FrameLayout\" bounds=\"[0,0][600,300]\">{nodes}</node></hierarchy>"
        );
        let picture = Screenshot::new(DISPLAY, self.pixels.clone());
        let mut screen = Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: picture,
            display: DISPLAY,
            foreground: None,
            keyboard_shown: false,
        });
        find_links(&mut screen, colours, None);
        screen
    }
}

fn links(screen: &Screen) -> Vec<&Widget> {
    screen.widgets.iter().filter(|widget| widget.role == Role::Link).collect()
}

fn close(found: Rect, wanted: Rect) -> bool {
    let both = found.intersection(wanted).map_or(0, Rect::area);
    both * 10 >= 8 * (found.area() + wanted.area() - both)
}

#[test]
fn a_link_at_the_end_of_a_line_is_found_named_and_tapped() {
    let mut canvas = Canvas::new([255, 255, 255]);
    canvas.text(BLACK, 30, 300, 60).text(BLUE, 318, 420, 60);
    let screen = canvas.screen("Already have an account? Sign up", &[]);
    let [link] = links(&screen)[..] else { panic!("{:?}", links(&screen)) };
    assert!(close(link.bounds, Rect::new(318, 60, 417, 90)), "{}", link.bounds);
    assert_eq!(link.label, "Sign up");
    assert_eq!(link.tap, link.bounds.center());
    let paragraph = &screen.widgets[link.id - 1];
    assert_eq!(paragraph.links, [link.bounds]);
    assert_eq!(paragraph.tap, link.tap);
    let (again, locator) = screen.resolve(&link.selector).expect("found again");
    assert_eq!((again.id, locator), (link.id, 0));
}

#[test]
fn two_links_of_one_paragraph_are_two_widgets() {
    let mut canvas = Canvas::new([255, 255, 255]);
    canvas.text(BLACK, 30, 150, 60).text(BLUE, 165, 270, 60).text(BLACK, 285, 320, 60).text(BLUE, 335, 450, 60);
    let screen = canvas.screen("I agree to the Terms of Use and Privacy Policy", &[]);
    let found = links(&screen);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(close(found[0].bounds, Rect::new(165, 60, 267, 90)) && close(found[1].bounds, Rect::new(335, 60, 446, 90)));
    for link in &found {
        assert_eq!(screen.resolve(&link.selector).map(|(widget, _)| widget.id), Some(link.id));
    }
}

#[test]
fn a_link_broken_over_two_lines_is_one_widget_with_two_boxes() {
    let mut canvas = Canvas::new([255, 255, 255]);
    canvas.text(BLACK, 30, 400, 60).text(BLUE, 415, 560, 60).text(BLUE, 30, 120, 105).text(BLACK, 136, 300, 105);
    let screen = canvas.screen("Please read and accept our privacy policy before you go on", &[]);
    let [link] = links(&screen)[..] else { panic!("{:?}", links(&screen)) };
    assert_eq!(link.links.len(), 2);
    assert_eq!(link.bounds, link.links[0], "the widest box is the link's bounds");
    assert!(link.links[1].top > 100);
}

#[test]
fn a_link_that_begins_at_the_paragraphs_edge_is_found_whole() {
    let mut canvas = Canvas::new([255, 255, 255]);
    canvas.text(BLUE, 20, 150, 60).text(BLACK, 170, 400, 60);
    let screen = canvas.screen("Sign up if you are new here today", &[]);
    let [link] = links(&screen)[..] else { panic!("{:?}", links(&screen)) };
    assert!(close(link.bounds, Rect::new(20, 60, 149, 90)), "{}", link.bounds);
}

#[test]
fn on_a_dark_background_the_colour_that_stands_out_is_found_without_a_profile() {
    let mut canvas = Canvas::new([6, 28, 36]);
    canvas.text([200, 204, 206], 30, 300, 60).text([0xC8, 0x50, 0x20], 318, 440, 60);
    let screen = canvas.screen("By continuing you agree to our Terms", &[]);
    let [link] = links(&screen)[..] else { panic!("{:?}", links(&screen)) };
    assert!(close(link.bounds, Rect::new(318, 60, 436, 90)), "{}", link.bounds);
}

#[test]
fn a_link_of_thin_strokes_is_told_by_its_hue_where_no_pixel_has_its_colour() {
    let (white, night) = ([255, 255, 255], [0x12, 0x12, 0x14]);
    for (name, ground, text, link) in [
        ("brown beside dark grey", white, [0x42, 0x42, 0x42], [0x79, 0x55, 0x48]),
        ("navy beside black", white, [0, 0, 0], [0, 0, 0x80]),
        ("a profile's blue", white, [0x21, 0x21, 0x21], BLUE),
        ("pale blue on a dark ground", night, [0xE0, 0xE0, 0xE0], [0x8A, 0xB4, 0xF8]),
        ("sand on a dark ground", night, [0xB0, 0xB0, 0xB0], [0xC8, 0xB0, 0x90]),
    ] {
        let mut canvas = Canvas::new(ground);
        canvas.thin(text, 30, 200, 60).thin(link, 208, 270, 60).thin(text, 278, 330, 60);
        let screen = canvas.screen("By going on you agree to our terms of use today", &[]);
        let [found] = links(&screen)[..] else { panic!("{name}: {:?}", links(&screen)) };
        assert!(close(found.bounds, Rect::new(208, 60, 267, 74)), "{name}: {}", found.bounds);
    }
}

#[test]
fn thin_text_in_one_hue_holds_no_link_however_strong_its_letters_are() {
    let (white, night) = ([255, 255, 255], [0x12, 0x12, 0x14]);
    for (name, ground, text, other) in [
        ("two greys", white, [0x21, 0x21, 0x21], [0x75, 0x75, 0x75]),
        ("a bold word", white, [0x50, 0x55, 0x58], [0x30, 0x35, 0x38]),
        ("all of it blue", white, BLUE, BLUE),
        ("two greys on a dark ground", night, [0xF0, 0xF0, 0xF0], [0x9A, 0x9A, 0x9A]),
    ] {
        let mut canvas = Canvas::new(ground);
        canvas.thin(text, 30, 200, 60).thin(other, 208, 270, 60).thin(text, 278, 330, 60);
        let screen = canvas.screen("By going on you agree to our terms of use today", &[]);
        assert!(links(&screen).is_empty(), "{name}: {:?}", links(&screen));
    }
}

#[test]
fn an_icon_that_touches_a_letter_is_no_link() {
    // One coloured piece as wide as a line is high, and grey strokes that begin where it ends.
    let mut canvas = Canvas::new([255, 255, 255]);
    canvas.text([0x50, 0x50, 0x50], 30, 300, 60).text([0x50, 0x50, 0x50], 334, 400, 60);
    for (x, y) in (300..334).flat_map(|x| (58..92).map(move |y| (x, y))) {
        canvas.blend([0x10, 0xC0, 0x10], x, y, 255);
    }
    let screen = canvas.screen("Just a paragraph of text without any link", &[]);
    assert!(links(&screen).is_empty(), "{:?}", links(&screen));
}

#[test]
fn the_profiles_colour_wins_over_another_that_stands_out() {
    let mut canvas = Canvas::new([255, 255, 255]);
    canvas.text(BLACK, 30, 200, 60).text([0xD0, 0x10, 0x10], 215, 300, 60).text([0x00, 0x80, 0x40], 330, 430, 60);
    let screen = canvas.screen("Wrong code entered here, try again now", &[[0x00, 0x80, 0x40]]);
    let [link] = links(&screen)[..] else { panic!("{:?}", links(&screen)) };
    assert!(close(link.bounds, Rect::new(330, 60, 426, 90)), "{}", link.bounds);
}

#[test]
fn plain_text_text_in_one_colour_icons_and_black_pictures_hold_no_link() {
    let text = "Just a paragraph of text without any link";
    let mut plain = Canvas::new([255, 255, 255]);
    plain.text(BLACK, 30, 500, 60);
    let mut blue = Canvas::new([255, 255, 255]);
    blue.text(BLUE, 30, 500, 60);
    let mut icon = Canvas::new([255, 255, 255]);
    icon.text(BLUE, 30, 55, 60).text(BLACK, 90, 500, 60);
    for (name, canvas) in [("plain", plain), ("blue", blue), ("icon", icon), ("black", Canvas::new([0, 0, 0]))] {
        let screen = canvas.screen(text, &[]);
        assert!(links(&screen).is_empty(), "{name}: {:?}", links(&screen));
    }
}

#[test]
fn a_short_text_that_is_a_link_as_a_whole_is_touched_on_its_words() {
    for (name, text, colour, colours, found) in [
        ("a stock colour in a node that takes the focus", "Forgot password?", BLUE, &[][..], true),
        ("the profile's colour", "Passwort vergessen?", [0xC0, 0x20, 0x60], &[[0xC0, 0x20, 0x60]][..], true),
        ("plain text", "Forgot password?", BLACK, &[][..], false),
        ("a colour that is nobody's link", "Forgot password?", [0xC0, 0x20, 0x60], &[][..], false),
    ] {
        let mut canvas = Canvas::new([255, 255, 255]);
        canvas.text(colour, 30, 200, 60);
        let screen = canvas.screen(text, colours);
        let links = links(&screen);
        assert_eq!(links.len(), usize::from(found), "{name}: {links:?}");
        if let [link] = links[..] {
            assert!(close(link.bounds, Rect::new(30, 60, 195, 90)), "{name}: {}", link.bounds);
            assert_eq!((link.label.as_str(), screen.widgets[link.id - 1].tap), (text, link.tap), "{name}");
            assert_eq!(screen.resolve(&link.selector).map(|(again, _)| again.id), Some(link.id), "{name}");
        }
    }
}

/// What `device-profiles/default.toml` names.
const OF_DEFAULT_PROFILE: &[[u8; 3]] = &[
    [0x1a, 0x73, 0xe8],
    [0x00, 0x7a, 0xff],
    [0x21, 0x96, 0xf3],
    [0x3f, 0x51, 0xb5],
    [0x00, 0x00, 0xee],
    [0x57, 0x6b, 0x95],
    [0x00, 0x96, 0x88],
];

#[test]
fn a_heading_or_a_price_in_a_stock_blue_is_no_link_and_what_stands_alone_is() {
    let own = [0xC0, 0x20, 0x60];
    let with_own = [OF_DEFAULT_PROFILE, &[own]].concat();
    for (name, texts, colour, colours, found) in [
        (
            "a heading between texts",
            [("Hello", 10), ("Your orders", 90), ("All were sent", 145)],
            BLUE,
            OF_DEFAULT_PROFILE,
            false,
        ),
        (
            "a heading in the web's blue",
            [("Hello", 10), ("Your orders", 90), ("All were sent", 145)],
            [0, 0, 0xEE],
            OF_DEFAULT_PROFILE,
            false,
        ),
        ("a price", [("Milk", 10), ("from $ 12.50", 90), ("fresh", 240)], BLUE, OF_DEFAULT_PROFILE, false),
        ("a text alone", [("Hello", 10), ("Forgot password?", 90), ("Imprint", 240)], BLUE, OF_DEFAULT_PROFILE, true),
        (
            "a heading's place in the profile's own colour",
            [("Hello", 10), ("Your orders", 90), ("All were sent", 145)],
            own,
            with_own.as_slice(),
            true,
        ),
    ] {
        let mut canvas = Canvas::new([255, 255, 255]);
        for (_, top) in texts {
            canvas.text(if top == 90 { colour } else { BLACK }, 30, 200, top + 10);
        }
        let screen = canvas.texts(&texts, colours);
        let links = links(&screen);
        assert_eq!(links.len(), usize::from(found), "{name}: {links:?}");
        if let [link] = links[..] {
            assert!(close(link.bounds, Rect::new(30, 100, 195, 130)), "{name}: {}", link.bounds);
        }
    }
}

#[test]
fn a_picture_of_another_shape_is_not_searched_and_that_is_said() {
    let canvas = Canvas::new([255, 255, 255]);
    let mut screen = canvas.screen("Already have an account? Sign up", &[]);
    screen.screenshot = Screenshot::new(Size::new(30, 90), vec![0; 4 * 30 * 90]);
    find_links(&mut screen, &[], None);
    assert!(screen.tree.diagnostics.iter().any(|d| d.message.contains("30 × 90")), "{:?}", screen.tree.diagnostics);
}
