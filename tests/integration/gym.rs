//! `tapwright gym`: suites are played into a file that goes on, examples too; what came of them is told by facet. `train policy`.

use crate::bench::Bench;
use std::path::PathBuf;

const APP: &str = r#"package: org.example.stamps
label: Stamps
state: {count: 0}
bugs:
  forgetful: a stamp that was collected is not counted
screens:
  - id: album
    title: My stamps
    padding: 16
    gap: 12
    body:
      - text: {text: "Stamps collected: {{ count }}"}
      - button:
          text: Collect a stamp
          on_tap:
            - set: {count: 'if bug("forgetful") { count } else { count + 1 }'}
"#;

const SUITE: &str = r#"name: stamps
title: Collecting stamps
what: One app with one button.
runs:
  - {cases: [ST-1], expect: passed, seeds: [0, 1]}
  - {cases: [ST-1], switches: ["org.example.stamps:bug.forgetful"], expect: failed}
"#;

const CASE: &str = "id: ST-1\ntitle: Collect\napp: {package: org.example.stamps, apk: ../apps/stamps.app.yaml}\n\
    tags: [\"family:stamps\", \"op:create\"]\nsteps:\n  - Collect a stamp\nexpect:\n  - visible: \"Stamps collected: 1\"\n\
    budget: {actions: 6, time: 2m}\n";

const WALKTHROUGH: &str = "steps:\n- step: 1\n- tap: Collect a stamp\n";

fn lay_out(bench: &Bench) -> PathBuf {
    let folder = bench.path("stamps");
    for part in ["apps", "cases", "walkthroughs"] {
        std::fs::create_dir_all(folder.join(part)).unwrap();
    }
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).unwrap();
    write("apps/stamps.app.yaml", APP);
    write("cases/ST-1.case.yaml", CASE);
    write("walkthroughs/ST-1.yaml", WALKTHROUGH);
    write("suite.yaml", SUITE);
    folder
}

#[tokio::test]
async fn what_was_played_is_not_played_again_and_is_told_by_facet() {
    let bench = Bench::new().await;
    let folder = lay_out(&bench);
    let (folder, plays) = (folder.to_str().unwrap(), bench.path("plays.jsonl"));
    let file = plays.to_str().unwrap();
    let play = async || bench.tapwright(&["gym", "play", folder, "--output", file]).await;
    let said = play().await;
    said.succeeded();
    assert!(said.stderr.contains("3 runs with") && said.stderr.contains("0 were there"), "{said:?}");
    // As if it had been ended while the last line was written.
    let text = std::fs::read_to_string(&plays).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    std::fs::write(&plays, &text[..text.len() - 20]).unwrap();
    let said = play().await;
    assert!(said.stderr.contains("1 run with") && said.stderr.contains("2 were there"), "{said:?}");
    let said = bench.tapwright(&["gym", "report", file, "--by", "family", "--json"]).await;
    said.succeeded();
    let report = said.json();
    assert_eq!(report["rows"].as_array().unwrap().len(), 1, "{report}");
    let score = &report["rows"][0]["score"];
    assert_eq!((&score["clean_runs"], &score["pass_at_1"]), (&2.into(), &1.0.into()), "{report}");
    assert_eq!((&score["bug_runs"], &score["bugs_failed"]), (&1.into(), &1.into()), "{report}");
    bench
        .tapwright(&["gym", "report", file, "--by", "colour"])
        .await
        .failed(2, &["\"colour\"", "family, language, op"]);
    let other = ["gym", "play", folder, "--output", file, "--pictures"];
    bench.tapwright(&other).await.failed(2, &["other terms", "pictures", "play anew"]);
}

#[tokio::test]
async fn examples_go_on_and_a_policy_is_not_fitted_to_nothing() {
    let bench = Bench::new().await;
    let folder = lay_out(&bench);
    let (folder, examples) = (folder.to_str().unwrap(), bench.path("examples.jsonl"));
    let file = examples.to_str().unwrap();
    let collect = async || bench.tapwright(&["gym", "examples", folder, "--output", file]).await;
    let said = collect().await;
    said.succeeded();
    assert!(said.stderr.contains("1 lesson with"), "{said:?}");
    let first = std::fs::read_to_string(&examples).unwrap();
    assert!(first.contains("\"family\":\"stamps\""), "{first}");
    let said = collect().await;
    assert!(said.stderr.contains("0 lessons with") && said.stderr.contains("1 were there"), "{said:?}");
    assert_eq!(std::fs::read_to_string(&examples).unwrap(), first);
    // One app is not enough to see whether others get worse.
    std::fs::create_dir_all(bench.path("cases")).unwrap();
    std::fs::write(bench.path("cases/ST-1.case.yaml"), CASE).unwrap();
    let run = ["eval", "suite", folder, "--agent", "pipeline", "--output", bench.path("runs").to_str().unwrap()]
        .map(str::to_owned);
    bench.tapwright(&run.each_ref().map(String::as_str)).await.succeeded();
    let runs = bench.path("runs");
    let train = ["train", "policy", runs.to_str().unwrap(), "--beside", file];
    bench.tapwright(&train).await.failed(4, &["decisions on other apps", "at least two apps"]);
    assert!(!bench.path("policy.toml").exists());
    std::fs::write(bench.path("policy.toml"), "[weights]\nluck = 1.0\n").unwrap();
    bench.tapwright(&train).await.failed(2, &["policy.toml", "without the file the weights that ship are used"]);
}

#[tokio::test]
async fn a_policy_is_adopted_where_nothing_falls_and_a_correction_must_fit() {
    let bench = Bench::new().await;
    let folder = lay_out(&bench);
    let examples = bench.path("examples.jsonl");
    let (folder, file) = (folder.to_str().unwrap(), examples.to_str().unwrap());
    bench.tapwright(&["gym", "examples", folder, "--output", file]).await.succeeded();
    let other = bench.path("other.jsonl");
    let text = std::fs::read_to_string(&examples).unwrap();
    let renamed = text
        .replace("org.example.stamps", "org.example.other")
        .replace("\"family\":\"stamps\"", "\"family\":\"other\"");
    std::fs::write(&other, renamed).unwrap();
    std::fs::create_dir_all(bench.path("cases")).unwrap();
    std::fs::write(bench.path("cases/ST-1.case.yaml"), CASE).unwrap();
    let runs = bench.path("runs");
    let runs = runs.to_str().unwrap();
    bench.tapwright(&["eval", "suite", folder, "--agent", "pipeline", "--output", runs]).await.succeeded();
    let train = ["train", "policy", runs, "--beside", file, "--beside", other.to_str().unwrap(), "--json"];
    let said = bench.tapwright(&train).await;
    said.succeeded();
    let told = said.json();
    assert_eq!(told["verdict"], "adopted", "{told}");
    assert!(told["own"]["after"]["decisions"].as_u64().unwrap() > 0, "{told}");
    let written = std::fs::read_to_string(bench.path("policy.toml")).unwrap();
    assert!(written.contains("[weights]\nmeaning = "), "{written}");
    let run = std::fs::read_dir(bench.path("runs/ST-1")).unwrap().next().unwrap().unwrap().path();
    let corrections = bench.path("corrections.yaml");
    let correct = |instead: &str, action: usize| {
        let text = format!("corrections:\n  - {{run: {}, action: {action}, instead: {instead}}}\n", run.display());
        std::fs::write(&corrections, text).unwrap();
    };
    let train = [&train[..], &["--corrections", corrections.to_str().unwrap()]].concat();
    for (instead, action, said) in [
        ("{click: Sell a stamp}", 1, "nothing proposes Click(\"Sell a stamp\")"),
        ("{click: Collect a stamp}", 9, "the run has"),
        ("{tap: Collect a stamp}", 1, "instead: {click: LABEL}"),
    ] {
        correct(instead, action);
        bench.tapwright(&train).await.failed(2, &["corrections", said][1..]);
    }
    correct("{click: Collect a stamp}", 1);
    bench.tapwright(&train).await.succeeded();
}
