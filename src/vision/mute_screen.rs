//! Screens whose hierarchy says nothing: their texts are read off the picture.

use super::link_widget::Scale;
use super::text_reader::{TextReader, bounded_scale};
use crate::domain::{Rect, Screenshot, SecretMask};
use crate::hierarchy::{Diagnostic, MASK, Role, Screen};

/// Less sure lines are patterns of the picture.
pub(super) const SURE: f32 = 0.6;
/// From this many pixels on, lines are looked for at half the scale: a quarter of the time, and texts on phones are
/// large enough.
const LARGE: u64 = 900_000;
/// Most lines that are read: a page full of small print. The work of a look is bounded by it.
const MOST_LINES: usize = 150;

/// Reads the texts of a screen whose hierarchy has none ([`Screen::is_mute`]) and adds a widget for each, with its own
/// role and class. Does nothing for other screens, without a picture, or when called again.
pub fn read_mute_screen(screen: &mut Screen, reader: Option<&TextReader>, secrets: &SecretMask) {
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
    let coarse = scale_of(&picture);
    if coarse > 2 {
        let size = picture.size();
        note(format!(
            "the picture is huge ({} × {} pixels): lines were looked for at 1/{coarse} of its scale",
            size.width, size.height
        ));
    }
    match read(&picture, reader) {
        Ok((lines, left)) => {
            note(format!("the hierarchy has no texts: {} were read off the picture", lines.len()));
            if left > 0 {
                note(format!("{left} more lines were found on the picture and not read"));
            }
            let mut lines: Vec<(String, Rect)> =
                lines.into_iter().map(|(text, bounds)| (text, scale.to_display(bounds))).collect();
            let hidden = hide_passwords(&mut lines, screen);
            screen.add_read_lines(lines, secrets);
            screen.masked.extend(hidden);
        }
        Err(reason) => note(format!("the hierarchy has no texts, and the picture was not read: {reason}")),
    }
}

/// The texts of a picture, whatever its hierarchy says; why they could not be read otherwise.
pub fn read_picture(picture: &Screenshot, reader: &TextReader) -> Result<Vec<String>, String> {
    Ok(read(picture, reader)?.0.into_iter().map(|(text, _)| text).collect())
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

/// At which fraction of the picture's scale lines are looked for.
pub(super) fn scale_of(picture: &Screenshot) -> u32 {
    let size = picture.size();
    let large = u64::from(size.width) * u64::from(size.height) > LARGE;
    bounded_scale(size, if large { 2 } else { 1 })
}

/// The texts, and how many lines were left unread.
fn read(picture: &Screenshot, reader: &TextReader) -> Result<(Vec<(String, Rect)>, usize), String> {
    let size = picture.size();
    let whole = Rect::new(0, 0, size.width as i32, size.height as i32);
    let mut lines = reader.lines(picture, whole, scale_of(picture))?;
    let left = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    let texts = reader.read(picture, &lines)?;
    let sure = texts.into_iter().zip(lines).filter(|(text, _)| text.confidence >= SURE);
    Ok((sure.map(|(text, bounds)| (text.text, bounds)).collect(), left))
}

/// True when hardly a pixel differs from the first.
fn is_plain(picture: &Screenshot) -> bool {
    let mut pixels = picture.rgba().chunks_exact(4);
    let Some(first) = pixels.next() else { return true };
    pixels.step_by(7).all(|pixel| pixel.iter().zip(first).take(3).all(|(a, b)| a.abs_diff(*b) <= 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
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
        read_mute_screen(&mut screen, Some(reader), SecretMask::none());
        screen
    }

    #[test]
    fn a_screen_without_a_hierarchy_is_read_off_its_picture_at_any_size() {
        let reader = TextReader::new(Arc::new(OneLine), Arc::new(OneLine));
        for size in [Size::new(400, 800), Size::new(1080, 2400), Size::new(2040, 4300)] {
            let screen = seen(screen("", [255, 255, 255, 255], size), &reader);
            let huge = screen.tree.diagnostics.iter().any(|said| said.message.contains("is huge (2040 × 4300"));
            assert_eq!(huge, size.width == 2040);
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
