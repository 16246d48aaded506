//! Links inside texts, found and read by the real models. Skipped, with a reason, where the models are not installed.

use crate::bench::{repository, runtime_library};
use tapwright::evaluation::{DEVELOPMENT_SEED, evaluate_drawn_links};
use tapwright::inference::{InferenceError, Manifest, open_text_models};
use tapwright::vision::TextReader;

#[test]
fn links_of_drawn_paragraphs_are_hit_and_read_in_the_scripts_of_the_recognizer() {
    let manifest = Manifest::load(&repository("models")).unwrap();
    let (detector, recognizer) = match open_text_models(&manifest, &runtime_library(), 1) {
        Ok(models) => models,
        Err(error @ InferenceError::TextModelsMissing { .. }) => {
            println!("skipped: {error}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let reader = TextReader::new(detector, recognizer);
    let drawn = evaluate_drawn_links(33, DEVELOPMENT_SEED, Some(&reader)).unwrap();
    for (style, score) in &drawn.by_style {
        // On photographs one in ten may be missed.
        let floor = if style.contains("photo") { score.links * 9 / 10 } else { score.links };
        assert!(score.tap_hits >= floor, "{style}: {:#?}", drawn.reports);
        assert!(score.mean_iou >= 0.8, "{style}: {}", score.mean_iou);
    }
    for script in ["en", "zh"] {
        let score = &drawn.by_script[script];
        assert!(score.exact_texts * 10 >= score.links * 6, "{script}: {:#?}", drawn.reports);
    }
}

#[test]
fn links_of_paragraphs_that_nobody_developed_on_are_hit() {
    // Colour alone tells these, so no model is needed; what is underlined or on a photograph is among them as well.
    let drawn = evaluate_drawn_links(88, DEVELOPMENT_SEED + 1, None).unwrap();
    for (style, score) in &drawn.by_style {
        let floor = if style.contains("photo") { score.links * 7 / 10 } else { score.links * 95 / 100 };
        assert!(score.tap_hits >= floor, "{style}: {:#?}", drawn.reports);
    }
}

#[test]
fn without_models_labels_are_estimates_and_that_is_said() {
    let reader = TextReader::lazy(|| Err("the text reading models are not installed".to_owned()));
    let drawn = evaluate_drawn_links(4, DEVELOPMENT_SEED, Some(&reader)).unwrap();
    assert!(drawn.total.tap_hits >= 3, "{:#?}", drawn.reports);
    assert!(
        drawn.notes.iter().any(|note| note.contains("estimates") && note.contains("not installed")),
        "{:?}",
        drawn.notes
    );
}
