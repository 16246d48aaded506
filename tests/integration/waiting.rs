//! Trouble that passes, and trouble that does not, on the devices' own clock: what is waited out, and what is the app's fault.

use crate::bench::Bench;
use serde_json::Value;
use std::collections::BTreeMap;

const APP: &str = r#"package: org.example.lift
label: Lift
state: {here: false, first_try: 0, ready: false}
variants:
  call: [at_once, late, slow]
bugs:
  hangs: calling it freezes the app
screens:
  - id: hall
    title: Ground floor
    padding: 16
    gap: 12
    on_open:
      - {delay: {ms: 15000, then: [{set: {ready: "true"}}]}}
    body:
      - text: {text: "The lift is here", visible: here}
      - progress: {visible: 'variant("call") == "slow" && !ready', busy: true}
      - button:
          text: Call the lift
          enabled: 'variant("call") != "slow" || ready'
          on_tap:
            - if: {when: 'bug("hangs")', then: [anr]}
            - set: {first_try: 'if first_try == 0 { now_ms() } else { first_try }'}
            - if:
                when: 'variant("call") == "late" && now_ms() - first_try < 180000'
                then: [{snackbar: {text: "We couldn't call it. Please try again."}}]
                else: [{set: {here: "true"}}]
"#;

const SUITE: &str = r#"name: lift
title: Calling the lift
what: One app with one button that does not always work at once.
runs:
  - {cases: [LF-1], switches: ["org.example.lift:variant.call=at_once"], expect: passed}
  - {cases: [LF-1], switches: ["org.example.lift:variant.call=late"], expect: passed}
  - {cases: [LF-1], switches: ["org.example.lift:variant.call=slow"], expect: passed}
  - {cases: [LF-1], switches: ["org.example.lift:variant.call=at_once", "org.example.lift:bug.hangs"], expect: failed}
"#;

const CASE: &str = "id: LF-1\ntitle: Call the lift\napp: {package: org.example.lift, apk: ../apps/lift.app.yaml}\nsteps:\n  - \
                    Call the lift\nexpect:\n  - visible: The lift is here\nbudget: {actions: 20, time: 10m}\n";

#[tokio::test]
async fn what_works_after_minutes_is_waited_out_and_a_hang_is_the_apps_fault() {
    let bench = Bench::new().await;
    let folder = bench.path("lift");
    for (file, text) in [("apps/lift.app.yaml", APP), ("cases/LF-1.case.yaml", CASE), ("suite.yaml", SUITE)] {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let said = bench.tapwright(&["eval", "suite", folder.to_str().unwrap(), "--json"]).await;
    said.succeeded();
    let report = said.json();
    let by_switch: BTreeMap<String, &Value> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| (result["switches"].as_array().unwrap().last().unwrap().to_string(), result))
        .collect();
    let of = |switch: &str| by_switch.iter().find(|(known, _)| known.contains(switch)).unwrap().1;
    let seconds = |switch: &str| of(switch)["device_seconds"].as_f64().unwrap();
    for switch in ["at_once", "late", "slow"] {
        assert_eq!(of(switch)["verdict"], "passed", "{switch}: {:#}", of(switch));
    }
    assert!(seconds("late") >= 180.0 && seconds("late") < 600.0, "{}", seconds("late"));
    assert!(seconds("slow") >= 15.0 && seconds("slow") < 120.0, "{}", seconds("slow"));
    assert!(seconds("at_once") < 15.0, "{}", seconds("at_once"));
    let hung = of("bug.hangs");
    assert_eq!(hung["verdict"], "failed", "{hung:#}");
    assert!(hung["reason"].as_str().unwrap().contains("did not respond: ANR in org.example.lift"), "{hung:#}");
}

const FEED: &str = r#"package: org.example.news
label: News
state: {items: [ITEMS]}
screens:
  - id: feed
    title: News
    body:
      - button: {text: Weather page, on_tap: [{goto: weather}]}
      - list: {items: items, item: [{list_item: {title: "Story {{ item.n }}", subtitle: "Told today", on_tap: [{toast: "Told"}]}}]}
  - id: weather
    title: Weather
    body:
      - button: {text: News page, on_tap: [{goto: feed}]}
      - text: {text: It rains}
"#;

const NEWS: &str = "name: news\ntitle: A feed\nwhat: A long feed, and two pages that lead to each other.\nruns:\n  - {cases: \
                    [NW-1, NW-2], expect: blocked}\n";

#[tokio::test]
async fn a_feed_and_pages_that_lead_to_each_other_are_left_long_before_the_budget() {
    let bench = Bench::new().await;
    let folder = bench.path("news");
    let write = |file: &str, text: &str| {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let items: Vec<String> = (0..150).map(|n| format!("{{n: {n}}}")).collect();
    write("apps/news.app.yaml", &FEED.replace("ITEMS", &items.join(", ")));
    write("suite.yaml", NEWS);
    for (id, step) in [
        ("NW-1", "Choose the story of the lost umbrella"),
        ("NW-2", "Transfer the savings to the landlord's bank account"),
    ] {
        let case = format!(
            "id: {id}\ntitle: t\napp: {{package: org.example.news, apk: ../apps/news.app.yaml}}\nsteps:\n  - {step}\nexpect:\n  \
             - visible: Nothing of the kind\nbudget: {{actions: 300, time: 60m}}\n"
        );
        write(&format!("cases/{id}.case.yaml"), &case);
    }
    let said = bench.tapwright(&["eval", "suite", folder.to_str().unwrap(), "--json"]).await;
    said.succeeded();
    let report = said.json();
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["verdict"], "blocked", "{result:#}");
        // Two attempts, by two agents.
        assert!(result["actions"].as_u64().unwrap() <= 80, "{result:#}");
        assert!(result["device_seconds"].as_f64().unwrap() < 300.0, "{result:#}");
    }
}
