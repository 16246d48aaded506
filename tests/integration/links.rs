//! Links inside texts, found and read by the real models. Skipped, with a reason, where the models are not installed.

use crate::bench::{repository, runtime_library};
use tapwright::evaluation::evaluate_drawn_links;
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
    let drawn = evaluate_drawn_links(33, Some(&reader)).unwrap();
    // On photographs not every link is found yet.
    for (style, score) in drawn.by_style.iter().filter(|(style, _)| !style.contains("photo")) {
        assert_eq!(score.tap_hits, score.links, "{style}: {:#?}", drawn.reports);
        assert!(score.mean_iou >= 0.8, "{style}: {}", score.mean_iou);
    }
    for script in ["en", "zh"] {
        let score = &drawn.by_script[script];
        assert!(score.exact_texts * 10 >= score.links * 6, "{script}: {:#?}", drawn.reports);
    }
}

#[test]
fn without_models_labels_are_estimates_and_that_is_said() {
    let reader = TextReader::lazy(|| Err("the text reading models are not installed".to_owned()));
    let drawn = evaluate_drawn_links(4, Some(&reader)).unwrap();
    assert!(drawn.total.tap_hits >= 3, "{:#?}", drawn.reports);
    assert!(
        drawn.notes.iter().any(|note| note.contains("estimates") && note.contains("not installed")),
        "{:?}",
        drawn.notes
    );
}
