//! The bundled model through the real ONNX Runtime.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tapwright::inference::{
    self, CacheCounts, CachedEmbedder, Embedder, Embedding, InferenceError, Manifest, OnnxEmbedder, Runtime, cosine,
};

/// The tuned weights in torch, as `models/training/check_tuned.py --vectors` prints them: the first eight values of each
/// vector. The scripts prove that the tokenizer cuts as it did in training.
const SOURCE_VECTORS: [(&str, [f32; 8]); 6] = [
    (
        "Select a bank for card-less binding",
        [0.01332, -0.03977, -0.09998, 0.00276, -0.04243, -0.0011, 0.06444, 0.04523],
    ),
    ("Next", [-0.04737, 0.031, -0.05767, -0.01412, -0.06527, 0.00815, 0.02077, -0.0051]),
    (
        "I have read and agree to the service agreement",
        [-0.08584, -0.00482, 0.02134, -0.03356, -0.01419, 0.04884, 0.03256, -0.03833],
    ),
    ("打开飞行模式, 4G网络", [0.06652, 0.03279, -0.01704, 0.00508, -0.01828, 0.0816, 0.04607, 0.00797]),
    ("機内モードをオンにする | 설정", [0.02962, 0.02949, -0.03093, 0.035, -0.00016, 0.03607, 0.04146, -0.00428]),
    (
        "Éteindre l'écran | बंद करें | Bật chế độ | הוסף",
        [-0.07068, 0.02009, -0.02759, -0.0366, 0.02167, 0.03824, 0.05032, 0.06598],
    ),
];

/// Set for the child process in which [`a_library_is_loaded_in_a_child_process`] does something.
const CHILD_LIBRARY: &str = "TAPWRIGHT_TEST_CHILD_LIBRARY";

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// The library under test: `TAPWRIGHT_ORT_LIB`, else the installed one.
fn library() -> PathBuf {
    let library = match std::env::var_os("TAPWRIGHT_ORT_LIB") {
        Some(path) => PathBuf::from(path),
        None => Manifest::load(&models()).unwrap().runtime_library().unwrap(),
    };
    assert!(
        library.is_file(),
        "{} does not exist: run `cargo xtask test` (it installs it), `tapwright models install`, or set TAPWRIGHT_ORT_LIB",
        library.display()
    );
    library
}

fn runtime() -> Runtime {
    Runtime::load(&library()).unwrap()
}

fn open(folder: &Path) -> Result<OnnxEmbedder, InferenceError> {
    let manifest = Manifest::load(folder).unwrap();
    OnnxEmbedder::open(&runtime(), &manifest, manifest.embedding_model(None).unwrap(), 1)
}

fn bundled() -> OnnxEmbedder {
    open(&models()).unwrap()
}

fn one(embedder: &dyn Embedder, text: &str) -> Embedding {
    embedder.embed(&[text]).unwrap().remove(0)
}

/// A models folder holding the bundled model's files under a manifest of its own, without checksums.
fn copied_model(change: impl FnOnce(String) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["model.onnx", "tokenizer.json"] {
        std::fs::copy(models().join("ui-mpnet").join(file), folder.path().join(file)).unwrap();
    }
    let text = "format = 1\n[[model]]\nname = \"copy\"\nkind = \"embedding\"\npath = \".\"\narchitecture = \"mpnet\"\n\
                dimensions = 384\nmax_tokens = 64\npooling = \"in-graph\"\nlicence = \"Apache-2.0\"\nsource = \"a test\"\n";
    std::fs::write(folder.path().join("manifest.toml"), change(text.to_owned())).unwrap();
    folder
}

#[test]
fn vectors_have_384_dimensions_and_unit_length() {
    let embedder = bundled();
    assert_eq!(embedder.dimensions(), 384);
    for vector in embedder.embed(&["Submit payment password", "", "日本語", "🙂", "\u{0}\n\t"]).unwrap() {
        assert_eq!(vector.len(), 384);
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
}

#[test]
fn related_texts_are_nearer_than_unrelated_ones() {
    let embedder = bundled();
    for (query, near, far) in [
        ("log in", "Sign in", "Delete photo"),
        ("choose a bank", "Select bank", "Camera"),
        ("go back to the previous page", "Back", "Volume"),
        ("enter the payment password", "PIN for payments", "Weather forecast"),
    ] {
        let query_vector = one(&embedder, query);
        let (near_cosine, far_cosine) =
            (cosine(&query_vector, &one(&embedder, near)), cosine(&query_vector, &one(&embedder, far)));
        assert!(near_cosine > far_cosine + 0.1, "{query}: {near} {near_cosine}, {far} {far_cosine}");
    }
}

#[test]
fn vectors_are_those_of_the_tuned_weights() {
    let embedder = bundled();
    for (text, expected) in SOURCE_VECTORS {
        let vector = one(&embedder, text);
        for (value, expected) in vector.iter().zip(expected) {
            assert!((value - expected).abs() < 0.01, "{text}: {:?}", &vector[..8]);
        }
    }
}

#[test]
fn a_vector_does_not_depend_on_its_batch() {
    let embedder = bundled();
    let texts: Vec<String> = (0..70).map(|n| format!("Item {n}{}", " of a longer description".repeat(n % 7))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let batched = embedder.embed(&texts).unwrap();
    assert_eq!(embedder.model_calls(), 3, "70 texts are three runs of at most 32");
    for (text, batched) in texts.iter().zip(&batched) {
        let similarity = cosine(&one(&embedder, text), batched);
        assert!(similarity >= 0.9999, "{text}: {similarity}");
    }
}

#[test]
fn repeated_texts_cost_no_model_call() {
    let embedder = CachedEmbedder::new(bundled(), 100);
    let first = embedder.embed(&["Pay", "Cancel", "Pay"]).unwrap();
    let second = embedder.embed(&["Cancel", "Pay"]).unwrap();
    assert_eq!((&first[0], &first[1]), (&second[1], &second[0]));
    assert_eq!(embedder.counts(), CacheCounts { hits: 3, misses: 2 });
    assert_eq!(embedder.model_calls(), 1);
}

#[test]
fn a_text_of_5000_characters_is_cut_to_the_models_limit() {
    let embedder = bundled();
    let long = "pay the bill ".repeat(400);
    assert!(long.len() > 5_000);
    assert_eq!(one(&embedder, &long), one(&embedder, &long[..2_000]));
}

#[test]
fn threads_share_one_model() {
    let embedder: Arc<dyn Embedder> =
        inference::open_with_library(&Manifest::load(&models()).unwrap(), Some("ui-mpnet"), &library(), 2).unwrap();
    let expected = one(&*embedder, "Next");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (embedder, expected) = (Arc::clone(&embedder), expected.clone());
            scope.spawn(move || {
                for n in 0..5 {
                    let text = format!("text {thread} {n}");
                    let vectors = embedder.embed(&[text.as_str(), "Next"]).unwrap();
                    assert_eq!(vectors[1], expected);
                }
            });
        }
    });
}

#[test]
fn a_padding_stored_in_the_tokenizer_is_overridden() {
    let folder = copied_model(|text| text);
    let path = folder.path().join("tokenizer.json");
    let mut json: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    json["padding"]["strategy"] = serde_json::json!({"Fixed": 128});
    json["truncation"]["max_length"] = 4.into();
    std::fs::write(&path, json.to_string()).unwrap();
    let changed = open(folder.path()).unwrap();
    let text = "Enter the verification code";
    assert!(cosine(&one(&changed, text), &one(&bundled(), text)) > 0.9999);
}

#[test]
fn a_damaged_model_is_named_before_it_is_loaded() {
    let sums = std::fs::read_to_string(models().join("manifest.toml")).unwrap();
    let sum = sums.split("sha256 = \"").nth(1).unwrap()[..64].to_owned();
    let folder = copied_model(|text| {
        format!("{text}files = [{{ path = \"model.onnx\", sha256 = \"{sum}\", bytes = 42238460 }}]\n")
    });
    open(folder.path()).unwrap();
    let path = folder.path().join("model.onnx");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let message = open(folder.path()).unwrap_err().to_string();
    assert!(message.contains("model copy: ") && message.contains("model.onnx is damaged (sha256 "), "{message}");
}

#[test]
fn a_truncated_model_without_a_checksum_is_an_error_that_names_the_file() {
    let folder = copied_model(|text| text);
    let path = folder.path().join("model.onnx");
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1_000_000).unwrap();
    let message = open(folder.path()).unwrap_err().to_string();
    assert!(message.contains("model.onnx cannot be loaded: "), "{message}");
}

#[test]
fn a_missing_model_file_is_named_with_a_remedy() {
    let folder = copied_model(|text| text);
    std::fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    let message = open(folder.path()).unwrap_err().to_string();
    assert!(message.contains("tokenizer.json does not exist: restore it"), "{message}");
}

#[test]
fn another_vector_length_than_the_manifest_says_is_an_error() {
    let folder = copied_model(|text| text.replace("384", "768"));
    let message = open(folder.path()).unwrap_err().to_string();
    assert_eq!(message, "model copy: its vectors have 384 dimensions, but the manifest says 768: correct `dimensions`");
}

#[test]
fn a_graph_without_the_output_its_pooling_needs_is_an_error() {
    let folder = copied_model(|text| text.replace("in-graph", "mean"));
    let message = open(folder.path()).unwrap_err().to_string();
    assert!(message.contains("its outputs are [\"sentence_embedding\"]; pooling Mean needs one of"), "{message}");
}

/// The 2-layer random model with 64 positions, opened by a manifest that stands elsewhere.
fn tiny(graph: &str, pooling: &str, max_tokens: usize) -> Result<OnnxEmbedder, InferenceError> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tiny-mpnet");
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "format = 1\n[[model]]\nname = \"own\"\nkind = \"embedding\"\npath = {fixture:?}\ngraph = \"{graph}\"\n\
         architecture = \"mpnet\"\ndimensions = 32\nmax_tokens = {max_tokens}\npooling = \"{pooling}\"\n\
         licence = \"none\"\nsource = \"random\"\n"
    );
    std::fs::write(folder.path().join("manifest.toml"), text).unwrap();
    open(folder.path())
}

#[test]
fn more_tokens_than_the_graph_has_positions_show_when_it_is_opened() {
    let message = tiny("pooled.onnx", "in-graph", 65).unwrap_err().to_string();
    assert!(message.starts_with("model own: a trial run failed: "), "{message}");
    assert!(message.contains("max_tokens = 65; lower it"), "{message}");
}

#[test]
fn a_users_export_without_pooling_gives_the_same_vectors_as_one_with_it() {
    let (pooled, tokens) = (tiny("pooled.onnx", "in-graph", 64).unwrap(), tiny("tokens.onnx", "mean", 64).unwrap());
    // Different lengths, so that the shorter rows hold padding that must not count.
    let texts = ["a", "pay now", "enter the verification code 42", "", "cancel"];
    let (pooled, tokens) = (pooled.embed(&texts).unwrap(), tokens.embed(&texts).unwrap());
    for ((text, pooled), tokens) in texts.iter().zip(&pooled).zip(&tokens) {
        for (a, b) in pooled.iter().zip(tokens.iter()) {
            assert!((a - b).abs() < 1e-5, "{text}: {a} {b}");
        }
    }
    assert!(cosine(&tokens[1], &tokens[2]) < 0.99, "different texts have different vectors");
}

#[test]
fn a_second_library_in_one_process_is_refused() {
    let loaded = runtime();
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("libonnxruntime.so");
    std::fs::write(&other, "junk").unwrap();
    let error = Runtime::load(&other).unwrap_err();
    assert!(matches!(&error, InferenceError::RuntimeAlreadyLoaded { .. }), "{error}");
    assert_eq!(loaded.path(), Runtime::load(&library()).unwrap().path());
}

#[test]
#[ignore = "the body of a child process: a process loads one ONNX Runtime only, so the tests below start new ones"]
fn a_library_is_loaded_in_a_child_process() {
    let path = std::env::var_os(CHILD_LIBRARY).expect("set by load_in_child");
    match Runtime::load(Path::new(&path)) {
        Ok(_) => println!("loaded"),
        Err(error) => println!("refused: {error}"),
    }
    // Refusals leave nothing behind: the right library still loads.
    Runtime::load(&library()).unwrap();
    println!("then loaded the right one");
}

fn load_in_child(path: &Path) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "inference::a_library_is_loaded_in_a_child_process", "--ignored", "--nocapture"])
        .env(CHILD_LIBRARY, path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("then loaded the right one"), "{text}");
    text.lines().find_map(|line| line.split_once("refused: ")).map(|(_, message)| message.to_owned()).unwrap_or(text)
}

#[test]
fn a_missing_library_says_what_to_run() {
    let message = load_in_child(Path::new("/nowhere/libonnxruntime.so"));
    assert_eq!(
        message,
        "ONNX Runtime is not installed (/nowhere/libonnxruntime.so does not exist): run `tapwright models install`"
    );
}

#[test]
fn a_damaged_library_gives_the_loaders_reason_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("libonnxruntime.so");
    for content in [&b"junk"[..], b""] {
        std::fs::write(&path, content).unwrap();
        let message = load_in_child(&path);
        let start = format!("the ONNX Runtime library {} is damaged or not for this machine (", path.display());
        assert!(message.starts_with(&start), "{message}");
        assert!(message.ends_with("): run `tapwright models install`"), "{message}");
        let reason = &message[start.len()..message.len() - "): run `tapwright models install`".len()];
        assert!(!reason.is_empty() && !reason.contains("dlopen failed"), "{message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_cut_off_library_is_an_error_and_not_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("libonnxruntime.so");
    let bytes = std::fs::read(library()).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let message = load_in_child(&path);
    assert!(message.contains(&format!("(it ends after {} of ", bytes.len() / 2)), "{message}");
    assert!(message.ends_with("run `tapwright models install`"), "{message}");
}

/// A C compiler makes the libraries of the next two tests; `None` on a machine without one.
#[cfg(unix)]
fn compile(source: &str, folder: &Path) -> Option<PathBuf> {
    let (c, library) = (folder.join("library.c"), folder.join("libonnxruntime.so"));
    std::fs::write(&c, source).unwrap();
    match Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&c).status() {
        Ok(status) => {
            assert!(status.success(), "cc failed");
            Some(library)
        }
        Err(error) => {
            println!("skipped: no C compiler ({error})");
            None
        }
    }
}

#[cfg(unix)]
#[test]
fn another_library_is_not_taken_for_onnx_runtime() {
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = compile("int some_function(void) { return 1; }\n", folder.path()) else { return };
    let message = load_in_child(&library);
    assert!(message.contains("is a library but not ONNX Runtime"), "{message}");
    assert!(message.ends_with("run `tapwright models install`"), "{message}");
}

#[cfg(unix)]
#[test]
fn an_older_onnx_runtime_is_refused_with_both_versions() {
    // OrtApiBase is two function pointers: GetApi and GetVersionString.
    let source = "static const void *get_api(unsigned v) { (void)v; return 0; }\n\
                  static const char *version(void) { return \"1.20.1\"; }\n\
                  struct base { const void *(*a)(unsigned); const char *(*v)(void); };\n\
                  static const struct base BASE = { get_api, version };\n\
                  const struct base *OrtGetApiBase(void) { return &BASE; }\n";
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = compile(source, folder.path()) else { return };
    let message = load_in_child(&library);
    assert!(message.contains("is ONNX Runtime 1.20.1, but 1.24 or later is needed"), "{message}");
    assert!(message.ends_with("run `tapwright models install`"), "{message}");
}
