//! What the pipeline decides along the walkthroughs of a few bundled cases, held against what was accepted last.
//!
//! A change of a feature, a weight, a word list or perception shows here as a readable difference: look at each line that
//! changed, and accept them together with the change that caused them (`INSTA_UPDATE=always`).

use crate::bench::Bench;
use serde_json::Value;
use std::fmt::Write as _;

/// A card that is bound, a transfer and settings.
const CASES: &[&str] = &["PAY-0001", "PAY-0002", "PAY-0003"];

#[tokio::test]
async fn decisions_are_those_that_were_accepted() {
    let bench = Bench::new().await;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites/first_light");
    let examples = bench.path("examples.jsonl");
    let mut args = vec!["eval", "decisions", folder, "--examples", examples.to_str().unwrap(), "--json"];
    args.extend(CASES.iter().flat_map(|case| ["--case", case]));
    bench.tapwright(&args).await.succeeded();
    let text = std::fs::read_to_string(&examples).unwrap();
    // The first line says what the file is.
    let lines: Vec<String> = text.lines().skip(1).map(|line| told(&serde_json::from_str(line).unwrap())).collect();
    assert!(lines.len() > 10, "only {} decisions were met: the lesson is broken", lines.len());
    insta::assert_snapshot!("decisions_first_light", lines.concat());
}

/// The case and clause, the screen, what the policy ranked first, and what the person did where that is something else.
fn told(example: &Value) -> String {
    let text = |key: &str| example[key].as_str().unwrap_or_default();
    let open = |option: &&Value| option["veto"].is_null();
    let options = example["options"].as_array().unwrap();
    let read = |key: &str| example["reading"][key].as_str().unwrap_or_default();
    let mut line =
        format!("{} {} {:?}\n  on {:?}: ", text("case"), example["step"], read("instruction"), read("title"));
    match options.iter().find(open) {
        None => line.push_str("nothing is proposed"),
        Some(chosen) => line.push_str(chosen["what"].as_str().unwrap_or_default()),
    }
    if options.iter().find(open).is_none_or(|chosen| chosen["right"] != true) {
        write!(line, "; the person: {}", text("hand")).unwrap();
    }
    line.push('\n');
    line
}
