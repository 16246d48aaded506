//! Pictures as they may be kept: what shows a secret is covered.

use super::link_widget::Scale;
use super::mute_screen::{SURE, scale_of};
use super::text_reader::TextReader;
use crate::domain::{Rect, Screenshot, SecretMask};
use crate::hierarchy::Screen;

/// Bare views that are read one by one; where there are more, the picture is read as a whole.
const MOST_AREAS: usize = 8;
/// Smaller views hold no text a person could read, in pixels of the display.
const SMALLEST: (i32, i32) = (40, 20);
/// Characters are at least a fifth as wide as their line is high: an `i` with what stands between it and the next one.
const NARROWEST: i64 = 5;
/// Most lines of an area that are read; what is beyond is covered.
const MOST_LINES: usize = 150;

/// A picture without what must not be seen on it.
#[derive(Clone, Copy)]
pub struct Covering<'a> {
    /// The values that must not be seen.
    pub mask: &'a SecretMask,
    /// Reads what the hierarchy does not tell; without it that is covered as a whole.
    pub reader: Option<&'a TextReader>,
    /// A secret was typed: it may be drawn where the hierarchy tells of no text.
    pub typed: bool,
    /// The hierarchy does not tell of the whole screen.
    pub half_seen: bool,
}

impl Covering<'_> {
    /// The picture with every text of the screen that was masked covered, and besides, once a secret was typed, whatever
    /// may show one in places of which the hierarchy tells nothing: lines that were read and show it, and all that could not
    /// be read.
    pub fn of(self, picture: Screenshot, screen: &Screen) -> Screenshot {
        let wary = self.typed && !self.mask.is_empty();
        if screen.masked.is_empty() && !wary {
            return picture;
        }
        let whole = picture.size().rect();
        let Some(scale) = Scale::between(screen.display, picture.size()) else { return picture.covered(&[whole]) };
        let mut covered: Vec<Rect> = screen.masked.iter().map(|area| scale.to_picture(*area)).collect();
        if wary {
            let bare: Vec<Rect> = self.bare_areas(screen).iter().map(|area| scale.to_picture(*area)).collect();
            let all = self.half_seen || screen.is_mute() || (self.reader.is_some() && bare.len() > MOST_AREAS);
            for area in if all { vec![whole] } else { bare } {
                covered.extend(self.within(&picture, area));
            }
        }
        picture.covered(&covered)
    }

    /// What is to be covered of an area of the picture.
    fn within(self, picture: &Screenshot, area: Rect) -> Vec<Rect> {
        let Some(area) = picture.clip(area) else { return Vec::new() };
        let Some(Ok(lines)) = self.reader.map(|reader| read(picture, area, reader)) else { return vec![area] };
        let shows = |text: &str| matches!(self.mask.hide_read(text), std::borrow::Cow::Owned(_));
        let hides = |line: &Line| if line.sure { shows(&line.text) } else { self.has_room(line) };
        let (hidden, left): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(hides);
        // Its groups may have been taken for lines of their own.
        let joined: Vec<&str> = left.iter().filter(|line| line.sure).map(|line| line.text.as_str()).collect();
        if shows(&joined.join(" ")) {
            return vec![area];
        }
        hidden.into_iter().map(|line| line.bounds).collect()
    }

    /// True for a line that may hold a value, whatever it says. A tick or a logo may be taken for a line, and is neither wide
    /// enough for the shortest value nor read as half of its characters.
    fn has_room(self, line: &Line) -> bool {
        let least = self.mask.shortest();
        let wide = i64::from(line.bounds.width()) * NARROWEST >= i64::from(line.bounds.height()) * least as i64;
        wide || 2 * line.text.chars().count() >= least
    }

    /// Views of which the hierarchy tells nothing and that may draw a text themselves: canvases and games; pictures too, where
    /// they can be read. What an app shows as a picture is mostly an icon or a photo, and without them no report can be read.
    /// Widgets of the platform tell the texts they draw.
    fn bare_areas(self, screen: &Screen) -> Vec<Rect> {
        let (nodes, ends, display) = (&screen.tree.nodes, screen.tree.subtree_ends(), screen.display.rect());
        let draws = |class: &str| {
            let picture = class.contains("Image");
            if picture { self.reader.is_some() } else { !class.starts_with("android.widget.") }
        };
        let bare = nodes.iter().enumerate().filter(|(at, node)| {
            let says = !node.text.is_empty() || !node.content_desc.is_empty() || node.password;
            ends[*at] == at + 1 && !says && !node.invisible && draws(&node.class)
        });
        let seen = bare.filter_map(|(_, node)| node.bounds.intersection(display));
        seen.filter(|area| area.width() >= SMALLEST.0 && area.height() >= SMALLEST.1).collect()
    }
}

/// A line of a picture.
struct Line {
    text: String,
    /// The text is not a guess.
    sure: bool,
    /// In the picture's pixels.
    bounds: Rect,
}

/// The lines in an area of the picture.
fn read(picture: &Screenshot, area: Rect, reader: &TextReader) -> Result<Vec<Line>, String> {
    let lines = reader.lines(picture, area, scale_of(picture))?;
    let lines: Vec<Rect> = lines
        .into_iter()
        .map(|line| {
            Rect::new(line.left + area.left, line.top + area.top, line.right + area.left, line.bottom + area.top)
        })
        .collect();
    let texts = reader.read(picture, lines.get(..MOST_LINES).unwrap_or(&lines))?;
    let mut texts = texts.into_iter();
    let line = |bounds: Rect| match texts.next() {
        Some(read) => Line { text: read.text, sure: read.confidence >= SURE, bounds },
        None => Line { text: String::new(), sure: false, bounds },
    };
    Ok(lines.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Secret, Size};
    use crate::hierarchy::ScreenInput;
    use crate::inference::{OcrError, ReadText, TextDetector, TextLine, TextRecognizer};
    use std::sync::Arc;

    const SIZE: Size = Size { width: 400, height: 800 };
    const GREY: Option<[u8; 3]> = Some([128, 128, 128]);

    /// Finds one line in whatever it is shown, and reads this.
    struct OneLine(&'static str);

    impl TextDetector for OneLine {
        fn detect(&self, _: &Screenshot) -> Result<Vec<TextLine>, OcrError> {
            Ok(vec![TextLine { bounds: Rect::new(10, 10, 60, 30), score: 0.9 }])
        }
    }

    impl TextRecognizer for OneLine {
        fn recognize(&self, _: &Screenshot, areas: &[Rect]) -> Result<Vec<ReadText>, OcrError> {
            let text = || ReadText { text: self.0.to_owned(), confidence: 0.9, positions: Vec::new() };
            Ok(areas.iter().map(|_| text()).collect())
        }
    }

    fn screen(dump: &str) -> Screen {
        Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: SIZE,
            foreground: None,
            keyboard_shown: false,
        })
    }

    /// A text above a canvas.
    fn beside() -> Screen {
        screen(
            "<hierarchy><node class=\"android.widget.FrameLayout\" bounds=\"[0,0][400,800]\">\
             <node class=\"android.widget.Button\" text=\"Next\" clickable=\"true\" bounds=\"[0,0][400,90]\" />\
             <node class=\"com.example.Chart\" bounds=\"[100,400][300,500]\" /></node></hierarchy>",
        )
    }

    /// Which of a point of the text, of the canvas, and of the line on it are covered.
    fn covered(screen: &Screen, reads: Option<&'static str>, typed: bool) -> [bool; 3] {
        let mask = SecretMask::new(&[Secret::new("135790")]);
        let reader = reads.map(|text| TextReader::new(Arc::new(OneLine(text)), Arc::new(OneLine(text))));
        let covering =
            Covering { mask: &mask, reader: reader.as_ref(), typed, half_seen: screen.tree.nodes.is_empty() };
        let picture = covering.of(Screenshot::blank(SIZE), screen);
        [(20, 80), (290, 490), (120, 420)].map(|(x, y)| picture.rgb(x, y) == GREY)
    }

    #[test]
    fn a_secret_on_a_canvas_is_covered_and_nothing_else() {
        assert_eq!(covered(&beside(), Some("Code 135 79O"), true), [false, false, true]);
        assert_eq!(covered(&beside(), Some("Hello"), true), [false, false, false]);
        assert_eq!(covered(&beside(), None, true), [false, true, true], "what cannot be read may show it");
        assert_eq!(covered(&beside(), None, false), [false, false, false], "nothing was typed yet");
    }

    #[test]
    fn an_icon_stays_in_sight_where_nothing_can_be_read_and_is_read_where_it_can() {
        let icon = screen(
            "<hierarchy><node class=\"android.widget.FrameLayout\" bounds=\"[0,0][400,800]\">\
             <node class=\"android.widget.Button\" text=\"Next\" clickable=\"true\" bounds=\"[0,0][400,90]\" />\
             <node class=\"android.widget.ImageView\" bounds=\"[100,400][300,500]\" /></node></hierarchy>",
        );
        assert_eq!(covered(&icon, None, true), [false, false, false]);
        assert_eq!(covered(&icon, Some("Code 135790"), true), [false, false, true]);
        assert_eq!(covered(&icon, Some("Hello"), true), [false, false, false]);
    }

    #[test]
    fn what_could_not_be_read_is_covered_where_a_value_has_room() {
        let mask = SecretMask::new(&[Secret::new("135790")]);
        let covering = Covering { mask: &mask, reader: None, typed: true, half_seen: false };
        for (text, (width, height), expected) in
            [("", (100, 100), false), ("V", (100, 100), false), ("135", (100, 100), true), ("", (130, 100), true)]
        {
            let line = Line { text: text.to_owned(), sure: false, bounds: Rect::new(0, 0, width, height) };
            assert_eq!(covering.has_room(&line), expected, "{text:?} on {width} by {height}");
        }
    }

    #[test]
    fn a_picture_without_a_hierarchy_is_covered_unless_it_can_be_read() {
        assert_eq!(covered(&screen(""), None, true), [true, true, true]);
        assert_eq!(covered(&screen(""), Some("Hello"), true), [false, false, false]);
        assert_eq!(covered(&screen(""), None, false), [false, false, false]);
    }

    #[test]
    fn of_a_screen_that_was_seen_in_part_the_whole_picture_is_covered() {
        let mask = SecretMask::new(&[Secret::new("135790")]);
        let covering = Covering { mask: &mask, reader: None, typed: true, half_seen: true };
        let picture = covering.of(Screenshot::blank(SIZE), &beside());
        assert_eq!(picture.rgb(20, 80), GREY);
        let all = Covering { mask: SecretMask::none(), ..covering }.of(Screenshot::blank(SIZE), &beside());
        assert_eq!(all, Screenshot::blank(SIZE), "a run without secrets keeps its pictures");
    }
}
