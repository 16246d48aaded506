//! The next-action model's sessions through the real ONNX Runtime, with a graph without weights: what reaches it, and what of it is told.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tapwright::inference::{self, Embedder, InferenceError, Manifest, NextMove, NextScores, Reading};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The bundled encoder with a graph that reads with it.
fn open(graph: &Path) -> Result<Arc<dyn Embedder>, InferenceError> {
    let folder = tempfile::tempdir().unwrap();
    for file in ["model.onnx", "tokenizer.json"] {
        std::fs::copy(repository("models/ui-mpnet").join(file), folder.path().join(file)).unwrap();
    }
    std::fs::copy(graph, folder.path().join("next.onnx")).unwrap();
    let text = "format = 1\n[[model]]\nname = \"copy\"\nkind = \"embedding\"\npath = \".\"\narchitecture = \"mpnet\"\n\
                dimensions = 384\nmax_tokens = 64\npooling = \"in-graph\"\nlicence = \"Apache-2.0\"\nsource = \"a test\"\n\
                next_action = \"next.onnx\"\n";
    std::fs::write(folder.path().join("manifest.toml"), text).unwrap();
    let manifest = Manifest::load(folder.path()).unwrap();
    let library = Manifest::load(&repository("models")).unwrap().runtime_library().unwrap();
    inference::open_with_library(&manifest, None, &library, 1)
}

fn scores(embedder: &dyn Embedder, reading: &Reading) -> NextScores {
    embedder.next_scores(reading).unwrap().expect("the manifest names a graph that reads")
}

fn reading(instruction: &str, widgets: &[&str]) -> Reading {
    let widgets = widgets.iter().map(|text| (*text).to_owned()).collect();
    Reading { instruction: instruction.into(), title: "Basket".into(), widgets, ..Reading::default() }
}

#[test]
fn the_widget_in_the_instructions_words_is_the_likeliest() {
    let embedder = open(&repository("tests/fixtures/dot-next-action/dot.onnx")).unwrap();
    let asked = reading("Empty the basket", &["Settings | icon", "Empty the basket", "Weather forecast | list item"]);
    let first = scores(&*embedder, &asked);
    assert!(first.widgets[1] > first.widgets[0] && first.widgets[1] > first.widgets[2], "{first:?}");
    assert_eq!(scores(&*embedder, &asked), first, "the same question has the same answer");
    embedder.forget();
    assert_eq!(scores(&*embedder, &asked), first, "also without what was kept");
    let turned = scores(&*embedder, &reading("Empty the basket", &["Empty the basket", "Settings | icon"]));
    assert!(turned.widgets[0] > turned.widgets[1], "{turned:?}");
}

#[test]
fn what_was_done_reaches_the_model() {
    let embedder = open(&repository("tests/fixtures/dot-next-action/dot.onnx")).unwrap();
    let plain = reading("Save it", &["Save | button"]);
    let later = Reading { past: vec!["click Edit".into()], ..plain.clone() };
    // The graph's moves are sums of its inputs: more tokens of a later kind are a greater sum.
    assert_ne!(scores(&*embedder, &plain).moves, scores(&*embedder, &later).moves);
}

#[test]
fn a_screen_without_widgets_and_one_with_too_many_are_read() {
    let embedder = open(&repository("tests/fixtures/dot-next-action/dot.onnx")).unwrap();
    assert!(scores(&*embedder, &reading("Save it", &[])).widgets.is_empty());
    let many = vec!["An entry of a very long list | list item | middle"; 300];
    let read = scores(&*embedder, &reading("Save it", &many));
    assert!(!read.widgets.is_empty() && read.widgets.len() < 80, "{}", read.widgets.len());
    assert!(read.best_open() <= 0.0 && read.of_move(NextMove::Done).is_finite());
}

#[test]
fn a_graph_of_another_kind_is_named() {
    let error =
        open(&repository("tests/fixtures/tiny-mpnet/pooled.onnx")).err().expect("an encoder reads no decisions");
    let message = error.to_string();
    assert!(message.contains("model copy: a trial run failed"), "{message}");
}
