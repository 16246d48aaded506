//! Screens whose hierarchy says nothing: their texts are read off the picture.

use super::link_widget::Scale;
use super::text_reader::TextReader;
use crate::domain::{Rect, Screenshot, Secret, Size};
use crate::hierarchy::{Diagnostic, MASK, Role, Screen};

/// Less sure lines are patterns of the picture.
const SURE: f32 = 0.6;
/// From this many pixels on, lines are looked for at half the scale: a quarter of the time, and texts on phones are
/// large enough.
const LARGE: u64 = 900_000;

/// Reads the texts of a screen whose hierarchy has none ([`Screen::is_mute`]) and adds a widget for each, with its own
/// role and class. Does nothing for other screens, without a picture, or when called again.
pub fn read_mute_screen(screen: &mut Screen, reader: Option<&TextReader>, secrets: &[Secret]) {
    let (Some(picture), Some(reader)) = (screen.screenshot.clone(), reader) else { return };
    if !screen.is_mute() || screen.widgets.iter().any(|widget| widget.role == Role::ReadText) {
        return;
    }
    let mut note = |message: String| screen.tree.diagnostics.push(Diagnostic { offset: None, message });
    if is_plain(&picture) {
        note("the hierarchy has no texts and the picture is of one colour (secure, or not yet drawn)".to_owned());
        return;
    }
    let Some(scale) = Scale::between(screen.display, picture.size()) else {
        note("the hierarchy has no texts, and the picture is not of the display's shape: nothing was read".to_owned());
        return;
    };
    match read(&picture, reader) {
        Ok(lines) => {
            note(format!("the hierarchy has no texts: {} were read off the picture", lines.len()));
            let mut lines: Vec<(String, Rect)> =
                lines.into_iter().map(|(text, bounds)| (text, scale.to_display(bounds))).collect();
            let hidden = hide_passwords(&mut lines, screen);
            screen.add_read_lines(lines, secrets);
            screen.masked.extend(hidden);
        }
        Err(reason) => note(format!("the hierarchy has no texts, and the picture was not read: {reason}")),
    }
}

/// Masks lines that stand in a password field, which shows its last character, or all of them, to whoever looks; gives
/// their bounds.
fn hide_passwords(lines: &mut [(String, Rect)], screen: &Screen) -> Vec<Rect> {
    let fields: Vec<Rect> = screen.tree.nodes.iter().filter(|node| node.password).map(|node| node.bounds).collect();
    let within = |line: Rect| {
        fields.iter().any(|field| field.intersection(line).is_some_and(|shared| shared.area() * 2 > line.area()))
    };
    let mut hidden = Vec::new();
    for (text, bounds) in lines.iter_mut().filter(|(_, bounds)| within(*bounds)) {
        *text = MASK.to_string().repeat(text.chars().count());
        hidden.push(*bounds);
    }
    hidden
}

fn read(picture: &Screenshot, reader: &TextReader) -> Result<Vec<(String, Rect)>, String> {
    let size = picture.size();
    let lines = if u64::from(size.width) * u64::from(size.height) > LARGE {
        let twice = |line: Rect| Rect::new(2 * line.left, 2 * line.top, 2 * line.right, 2 * line.bottom);
        reader.lines(&halved(picture))?.into_iter().map(twice).collect()
    } else {
        reader.lines(picture)?
    };
    let texts = reader.read(picture, &lines)?;
    let sure = texts.into_iter().zip(lines).filter(|(text, _)| text.confidence >= SURE);
    Ok(sure.map(|(text, bounds)| (text.text, bounds)).collect())
}

/// True when hardly a pixel differs from the first.
fn is_plain(picture: &Screenshot) -> bool {
    let mut pixels = picture.rgba().chunks_exact(4);
    let Some(first) = pixels.next() else { return true };
    pixels.step_by(7).all(|pixel| pixel.iter().zip(first).take(3).all(|(a, b)| a.abs_diff(*b) <= 8))
}

/// The picture at half the scale, means of four pixels.
fn halved(picture: &Screenshot) -> Screenshot {
    let (width, height) = (picture.size().width as usize / 2, picture.size().height as usize / 2);
    let (stride, source) = (picture.size().width as usize * 4, picture.rgba());
    let mut pixels = Vec::with_capacity(width * height * 4);
    for y in 0..height {
        let (above, below) = (&source[2 * y * stride..], &source[(2 * y + 1) * stride..]);
        for at in (0..width).flat_map(|x| (0..4).map(move |channel| 8 * x + channel)) {
            let sum = [above[at], above[at + 4], below[at], below[at + 4]].map(u16::from).iter().sum::<u16>();
            pixels.push((sum / 4) as u8);
        }
    }
    let size = Size::new(width as u32, height as u32);
    Screenshot::new(size, pixels).unwrap_or_else(|| Screenshot::blank(size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::ScreenInput;
    use crate::inference::{OcrError, ReadText, TextDetector, TextLine, TextRecognizer};
    use std::sync::Arc;

    /// Finds one line, wherever it is asked.
    struct OneLine;

    impl TextDetector for OneLine {
        fn detect(&self, picture: &Screenshot) -> Result<Vec<TextLine>, OcrError> {
            let width = picture.size().width as i32;
            Ok(vec![TextLine { bounds: Rect::new(width / 4, 20, width / 2, 40), score: 0.9 }])
        }
    }

    impl TextRecognizer for OneLine {
        fn recognize(&self, _: &Screenshot, areas: &[Rect]) -> Result<Vec<ReadText>, OcrError> {
            let text = || ReadText { text: "Play".to_owned(), confidence: 0.9, positions: Vec::new() };
            Ok(areas.iter().map(|_| text()).collect())
        }
    }

    fn screen(hierarchy: &str, pixel: [u8; 4], size: Size) -> Screen {
        let mut pixels = [0, 0, 0, 255].repeat((size.width * size.height) as usize);
        for at in (0..pixels.len() / 2).step_by(4) {
            pixels[at..at + 4].copy_from_slice(&pixel);
        }
        Screen::perceive(ScreenInput {
            hierarchy: hierarchy.as_bytes(),
            screenshot: Screenshot::new(size, pixels),
            display: size,
            foreground: None,
            keyboard_shown: false,
        })
    }

    fn seen(mut screen: Screen, reader: &TextReader) -> Screen {
        read_mute_screen(&mut screen, Some(reader), &[]);
        screen
    }

    #[test]
    fn a_screen_without_a_hierarchy_is_read_off_its_picture_at_any_size() {
        let reader = TextReader::new(Arc::new(OneLine), Arc::new(OneLine));
        for size in [Size::new(400, 800), Size::new(1080, 2400)] {
            let screen = seen(screen("", [255, 255, 255, 255], size), &reader);
            let [text] = &screen.widgets[..] else { panic!("{:?}", screen.widgets) };
            assert_eq!((text.role, text.label.as_str()), (Role::ReadText, "Play"));
            assert_eq!((text.bounds.left, text.bounds.right), (size.width as i32 / 4, size.width as i32 / 2));
        }
    }

    #[test]
    fn what_is_read_in_a_password_field_is_masked_and_covered() {
        let reader = TextReader::new(Arc::new(OneLine), Arc::new(OneLine));
        let field = "<hierarchy><node class=\"android.widget.EditText\" password=\"true\" bounds=\"[0,0][400,90]\" />\
                     </hierarchy>";
        for (dump, label, covered) in [(field.to_owned(), "••••", 1), (field.replace("password", "other"), "Play", 0)]
        {
            let screen = seen(screen(&dump, [255, 255, 255, 255], Size::new(400, 800)), &reader);
            let read = screen.widgets.iter().find(|widget| widget.role == Role::ReadText).expect("was read");
            assert_eq!((read.label.as_str(), read.value.as_str(), screen.masked.len()), (label, label, covered));
        }
    }

    #[test]
    fn a_black_picture_a_missing_model_and_a_screen_with_texts_are_left_alone() {
        let reader = TextReader::new(Arc::new(OneLine), Arc::new(OneLine));
        let size = Size::new(400, 800);
        let said = |screen: &Screen| screen.tree.diagnostics.iter().map(|d| d.message.clone()).collect::<String>();
        let black = seen(screen("", [0, 0, 0, 255], size), &reader);
        assert!(black.widgets.is_empty() && said(&black).contains("one colour"), "{}", said(&black));
        let none = TextReader::lazy(|| Err("the text reading models are not installed".to_owned()));
        let unread = seen(screen("", [255, 255, 255, 255], size), &none);
        assert!(unread.widgets.is_empty() && said(&unread).contains("not installed"), "{}", said(&unread));
        let text =
            "<hierarchy><node class=\"android.widget.TextView\" text=\"Hello\" bounds=\"[0,0][400,90]\" /></hierarchy>";
        let worded = seen(screen(text, [255, 255, 255, 255], size), &reader);
        assert!(worded.widgets.iter().all(|widget| widget.role != Role::ReadText));
    }
}
