//! Texts in pictures, read by the real models through the real ONNX Runtime. Skipped, with a reason, where the models are
//! not installed.

use crate::bench::{repository, runtime_library, suite};
use std::sync::Arc;
use tapwright::domain::{Rect, Screenshot, Size};
use tapwright::inference::{InferenceError, Manifest, TextDetector, TextRecognizer, open_text_models};
use tapwright::virtual_device::ElementSnapshot;
use tapwright::virtual_device::app::{AppContext, AppFile, launch};

fn models() -> Option<(Arc<dyn TextDetector>, Arc<dyn TextRecognizer>)> {
    let manifest = Manifest::load(&repository("models")).unwrap();
    match open_text_models(&manifest, &runtime_library(), 1) {
        Ok(models) => Some(models),
        Err(error @ InferenceError::TextModelsMissing { .. }) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn an_empty_picture_holds_no_text() {
    let Some((detector, recognizer)) = models() else { return };
    let blank = Screenshot::blank(Size::new(320, 96));
    assert_eq!(detector.detect(&blank).unwrap(), []);
    assert_eq!(detector.detect(&Screenshot::blank(Size::new(0, 0))).unwrap(), []);
    let read = recognizer.recognize(&blank, &[Rect::new(900, 0, 999, 20)]).unwrap();
    assert_eq!(read[0].text, "");
}

#[test]
fn the_texts_of_a_drawn_screen_are_found_where_the_dump_says_and_read() {
    let Some((detector, recognizer)) = models() else { return };
    let text = std::fs::read_to_string(suite("apps/pay.app.yaml")).unwrap();
    let file = Arc::new(AppFile::load("pay.app.yaml", &text).unwrap());
    let mut app = launch(file, AppContext::phone()).unwrap();
    let picture = app.render();
    let lines = detector.detect(&picture).unwrap();
    let areas: Vec<Rect> = lines.iter().map(|line| line.bounds).collect();
    let read = recognizer.recognize(&picture, &areas).unwrap();
    let mut texts = Vec::new();
    collect(&app.snapshot(), &mut texts);
    assert!(texts.len() > 8, "{texts:?}");
    for (text, bounds) in &texts {
        let found = areas.iter().zip(&read).find(|(area, read)| {
            area.intersection(*bounds).is_some_and(|shared| shared.area() * 2 > area.area())
                && flat(&read.text) == flat(text)
        });
        assert!(found.is_some(), "{text:?} at {bounds:?} was not read; there were {read:#?}");
    }
}

fn flat(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Short single-line texts with their places.
fn collect(element: &ElementSnapshot, texts: &mut Vec<(String, Rect)>) {
    if element.class == "android.widget.TextView" && flat(&element.text).len() > 2 && element.text.len() < 24 {
        texts.push((element.text.clone(), element.bounds));
    }
    for child in &element.children {
        collect(child, texts);
    }
}
