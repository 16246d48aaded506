//! The flywheel end to end: bundled cases run, what they did becomes labels, and the labels are put to the ranking.

use crate::bench::{Bench, PASSWORD, Said, repository, runtime_library};
use serde_json::Value;
use std::path::Path;
use tapwright::domain::{RunResult, Verdict};
use tapwright::evaluation::{LabelledInstructions, read_labels};
use tapwright::virtual_device::VirtualDeviceConfig;

/// Fields, a drawn keypad and a secret; two steps of one touch; one step of one touch.
const PASSED: [&str; 3] = ["PAY-0002", "PAY-0003", "PAY-0008"];
/// Its expectation is wrong.
const FAILED: &str = "PAY-0006";

/// A bench whose cases ran.
async fn after_runs() -> (Bench, Vec<RunResult>) {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let mut results = Vec::new();
    // The shortest one twice: what it says twice is said once.
    for id in PASSED.into_iter().chain(["PAY-0008"]) {
        let result = bench.run(id, &serial).await;
        assert_eq!(result.verdict, Verdict::Passed, "{id}: {}", result.reason);
        results.push(result);
    }
    assert_eq!(bench.run(FAILED, &serial).await.verdict, Verdict::Failed);
    bench.stop_devices();
    (bench, results)
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What people would call the widgets at the label's place.
fn labels_at(screen: &LabelledInstructions, bounds: tapwright::domain::Rect) -> Vec<&str> {
    screen.screen.widgets.iter().filter(|widget| widget.bounds == bounds).map(|widget| widget.label.as_str()).collect()
}

/// Each label of a touch is one of the run's own: the instruction of a step that was done by touching what is there.
fn check_touches(screens: &[LabelledInstructions], results: &[RunResult]) -> usize {
    let mut touches = 0;
    for screen in screens {
        for label in screen.labels.iter().filter(|label| label.skill == "click") {
            let shown = labels_at(screen, label.bounds.unwrap());
            let step = results.iter().flat_map(|result| &result.steps).find(|step| step.rewritten == label.instruction);
            let step = step.unwrap_or_else(|| panic!("no step says {:?}", label.instruction));
            let touched: Vec<&str> = step.actions.iter().filter_map(|action| action.target.as_deref()).collect();
            assert!(touched.iter().any(|target| shown.contains(target)), "{label:?}: {touched:?}, not {shown:?}");
            touches += 1;
        }
    }
    touches
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn passed_runs_become_labels_that_are_tuned_on_and_measured_and_tell_no_secret() {
    let (bench, results) = after_runs().await;
    let said = bench.tapwright(&["train", "export", "runs", "--output", "labels", "--json"]).await;
    said.succeeded();
    let summary = said.json();
    assert_eq!((&summary["runs"], &summary["passed"]), (&5.into(), &4.into()), "{summary}");
    assert!(summary["duplicates"].as_u64().unwrap() >= 1, "{summary}");
    assert_eq!(summary["conflicts"], serde_json::json!([]));

    let screens = read_labels(&bench.path("labels/labels.jsonl"), None).unwrap();
    let labels: Vec<_> = screens.iter().flat_map(|screen| &screen.labels).collect();
    assert_eq!(
        (labels.len() as u64, screens.len() as u64),
        (summary["labels"].as_u64().unwrap(), summary["screens"].as_u64().unwrap())
    );
    assert!(labels.iter().all(|label| label.style == "run" && label.lang == "en"));
    assert!(screens.iter().all(|screen| screen.package.as_str() == "com.example.pay"));
    assert!(check_touches(&screens, &results) >= 3, "{labels:?}");
    let note = labels.iter().find(|label| label.text.as_deref() == Some("Lunch on Friday")).expect("what was typed");
    assert_eq!(note.skill, "input_text");
    // The failed case's step is none of theirs.
    let steps: Vec<&str> =
        results.iter().flat_map(|result| &result.steps).map(|step| step.rewritten.trim_end_matches('.')).collect();
    for label in &labels {
        assert!(steps.iter().any(|step| label.instruction.starts_with(step)), "{:?}: {steps:?}", label.instruction);
    }
    for file in bench.files("labels") {
        let bytes = std::fs::read(&file).unwrap();
        let held = bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes());
        assert!(!held, "the secret is in {}", file.display());
    }

    // As the training takes them: every label has its widget among the candidates.
    let texts = ["train", "texts", "--data", "labels/labels.jsonl", "--output", "labels/texts.jsonl"];
    bench.tapwright(&texts).await.succeeded();
    let texts = lines(&bench.path("labels/texts.jsonl"));
    for label in lines(&bench.path("labels/labels.jsonl")) {
        let screen = texts.iter().find(|screen| screen["screen"] == label["screen"]).expect("the screen's texts");
        let fits = |candidate: &&Value| candidate["skill"] == label["skill"] && candidate["bounds"] == label["bounds"];
        assert!(screen["candidates"].as_array().unwrap().iter().any(|one| fits(&one)), "{label}");
    }
    let said = bench.tapwright(&["eval", "ranking", "--data", "labels/labels.jsonl", "--json"]).await;
    said.succeeded();
    let report = said.json();
    assert_eq!(report["n"], labels.len());
    // What it did in a run it does again: the same screen, the same step.
    assert!(report["hit_at"]["1"].as_f64().unwrap() > 0.5, "{report}");

    let again = bench.tapwright(&["train", "export", "runs", "--output", "labels"]).await;
    again.failed(2, &["labels holds files already"]);
    let one = bench
        .tapwright(&["eval", "ranking", "--data", "labels/labels.jsonl", "--at-least-as-good-as", "ui-mpnet"])
        .await;
    one.failed(2, &["ui-mpnet cannot be compared with itself", "--model"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_that_failed_make_no_label_and_no_folder() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    assert_eq!(bench.run(FAILED, &serial).await.verdict, Verdict::Failed);
    let said = bench.tapwright(&["train", "export", "runs", "--output", "labels"]).await;
    said.failed(4, &["no label in 1 run", "nothing was written"]);
    assert!(!bench.path("labels").exists());
    bench.tapwright(&["train", "export", "cases", "--output", "labels"]).await.failed(2, &["cases holds no run"]);
}

/// Buttons of a made-up screen, and what somebody wants who does not know their names.
const WISHES: [(&str, &str); 16] = [
    ("Delete account", "Remove my profile for good"),
    ("Volume", "Make it louder"),
    ("Sign out", "Leave my session"),
    ("Photos", "Look at my pictures"),
    ("Brightness", "The display is too dark"),
    ("Invite friends", "Tell other people about this"),
    ("Payment methods", "Add my credit card"),
    ("Language", "Show everything in French"),
    ("Notifications", "Stop sending me alerts"),
    ("Weather", "Will it rain tomorrow"),
    ("Music", "Listen to a song"),
    ("Calendar", "Plan an appointment"),
    ("Directions", "How do I get there by car"),
    ("Dark theme", "Use black colours at night"),
    ("Contacts", "Find the phone number of a friend"),
    ("Trash", "See deleted files"),
];

/// Labels for [`WISHES`], and models to answer them: the bundled one, and `random`, which never learned anything.
fn wishes_and_models(bench: &Bench) {
    let place = |row: usize| (row * 100, (row + 1) * 100);
    let row = |row: usize| {
        let (top, bottom) = place(row);
        let class = "package=\"com.example.own\" class=\"android.widget.Button\" clickable=\"true\" enabled=\"true\"";
        format!("<node {class} text=\"{}\" bounds=\"[0,{top}][1080,{bottom}]\"/>", WISHES[row].0)
    };
    let rows = (0..WISHES.len()).map(row).collect::<Vec<_>>().concat();
    std::fs::write(bench.path("screen.xml"), format!("<hierarchy rotation=\"0\">{rows}</hierarchy>")).unwrap();
    let line = |row: usize| {
        let (top, bottom) = place(row);
        serde_json::json!({
            "id": row.to_string(), "screen": "s", "hierarchy": "screen.xml", "instruction": WISHES[row].1, "lang": "en",
            "style": "goal", "skill": "click", "bounds": [0, top, 1080, bottom], "also_ok": [], "text": null,
        })
    };
    let lines: Vec<String> = (0..WISHES.len()).map(|row| line(row).to_string()).collect();
    std::fs::write(bench.path("wishes.jsonl"), lines.join("\n")).unwrap();

    let bundled = std::fs::read_to_string(repository("models/manifest.toml")).unwrap();
    let folder = format!("path = \"{}\"", repository("models/ui-mpnet").display());
    let random = format!(
        "\n[[model]]\nname = \"random\"\nkind = \"embedding\"\npath = \"{}\"\ngraph = \"pooled.onnx\"\narchitecture = \"mpnet\"\n\
         dimensions = 32\nmax_tokens = 64\npooling = \"in-graph\"\nlicence = \"none\"\nsource = \"random\"\n",
        repository("tests/fixtures/tiny-mpnet").display()
    );
    std::fs::create_dir(bench.path("own-models")).unwrap();
    let manifest = bundled.replacen("path = \"ui-mpnet\"", &folder, 1) + random.as_str();
    std::fs::write(bench.path("own-models/manifest.toml"), manifest).unwrap();
    bench.configure(&bench.path("own-models"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_worse_does_not_pass_the_gate_and_a_better_one_does() {
    let bench = Bench::new().await;
    wishes_and_models(&bench);
    let gate = async |model: &str, reference: &str| {
        let args = ["eval", "ranking", "--data", "wishes.jsonl", "--model", model, "--at-least-as-good-as", reference];
        let mut command = bench.command(&[&args[..], &["--json"]].concat());
        Said::from(command.env("TAPWRIGHT_ORT_LIB", runtime_library()).output().await.unwrap())
    };
    let worse = gate("random", "ui-mpnet").await;
    worse.failed(1, &["random against ui-mpnet on 16 labels", "worse"]);
    let found = &worse.json()["gates"][0];
    assert_eq!((&found["passed"], &found["n"]), (&false.into(), &16.into()), "{found}");
    assert!(found["lost"].as_u64() > found["won"].as_u64() && found["p"].as_f64().unwrap() <= 0.05, "{found}");

    let better = gate("ui-mpnet", "random").await;
    better.succeeded();
    let other_way = &better.json()["gates"][0];
    assert_eq!((&other_way["passed"], &other_way["won"]), (&true.into(), &found["lost"]), "{other_way}");
}
