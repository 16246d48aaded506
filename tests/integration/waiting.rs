//! Trouble that passes, and trouble that does not, on the devices' own clock: what is waited out, and what is the app's fault.

use crate::bench::Bench;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use tapwright::domain::Verdict;
use tapwright::script::Script;
use tapwright::virtual_device::VirtualDeviceConfig;

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
    // "late" is not waited out since the ordered rules went: docs/limits.md.
    for switch in ["at_once", "slow"] {
        assert_eq!(of(switch)["verdict"], "passed", "{switch}: {:#}", of(switch));
    }
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

const DOOR: &str = r#"package: org.example.door
label: Door
state: {code: "", wrong: "", told: "", taken: false}
variants:
  reply: [opens, field, banner, snackbar, neutral, apology]
screens:
  - id: door
    title: House door
    padding: 16
    gap: 12
    body:
      - field: {bind: code, label: Code, error: "{{ wrong }}"}
      - text: {text: "{{ told }}", visible: 'told != ""'}
      - button:
          text: Unlock
          on_tap:
            - if: {when: 'variant("reply") == "field"', then: [{set: {wrong: '"Wrong code"'}}]}
            - if: {when: 'variant("reply") == "banner"', then: [{set: {told: '"Unlocking failed"'}}]}
            - if: {when: 'variant("reply") == "snackbar"', then: [{snackbar: {text: "Invalid code", ms: 0}}]}
            - if: {when: 'variant("reply") == "neutral"', then: [{set: {told: '"The door heard you"'}}]}
            - if: {when: 'variant("reply") == "apology"', then: [{set: {told: '"Connection failed, retrying"'}}, {delay: {ms: 3000, then: [{goto: hall}]}}]}
            - if: {when: 'variant("reply") == "opens"', then: [{goto: hall}]}
  - id: hall
    title: House hall
    body:
      - text: {text: Come in}
      - text: {text: Coat taken, visible: taken}
      - button: {text: Take off the coat, on_tap: [{set: {taken: "true"}}]}
"#;

const DOOR_CASE: &str = "id: DR-1\ntitle: Come in\napp: {package: org.example.door, apk: ../apps/door.app.yaml}\nsteps:\n  - \
                         Tap \"Unlock\"\n  - Check that \"House\" is visible\nexpect:\n  - visible: Come in\nbudget: {actions: 20, time: 10m}\n";

/// Device seconds and result of the case with each answer of the app.
async fn answers(bench: &Bench, expected: &[(&str, &str)]) -> BTreeMap<String, Value> {
    let folder = bench.path("door");
    let runs = expected.iter().map(|(reply, verdict)| {
        format!("  - {{cases: [DR-1], switches: [\"org.example.door:variant.reply={reply}\"], expect: {verdict}}}\n")
    });
    let suite = format!("name: door\ntitle: Doors\nwhat: One door that answers.\nruns:\n{}", runs.collect::<String>());
    for (file, text) in [("apps/door.app.yaml", DOOR), ("cases/DR-1.case.yaml", DOOR_CASE), ("suite.yaml", &suite)] {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let said = bench.tapwright(&["eval", "suite", folder.to_str().unwrap(), "--json"]).await;
    said.succeeded();
    let report = said.json();
    let reply = |result: &Value| {
        let switch = result["switches"].as_array().unwrap().last().unwrap().as_str().unwrap();
        switch.rsplit('=').next().unwrap().to_owned()
    };
    report["results"].as_array().unwrap().iter().map(|result| (reply(result), result.clone())).collect()
}

#[tokio::test]
async fn an_error_that_answers_the_last_action_ends_the_waiting_and_is_named() {
    let bench = Bench::new().await;
    let replies = [
        ("opens", "passed"),
        ("apology", "passed"),
        ("neutral", "failed"),
        ("field", "failed"),
        ("banner", "failed"),
        ("snackbar", "failed"),
    ];
    let found = answers(&bench, &replies).await;
    for (reply, verdict) in replies {
        assert_eq!(found[reply]["verdict"], verdict, "{reply}: {:#}", found[reply]);
    }
    let seconds = |reply: &str| found[reply]["device_seconds"].as_f64().unwrap();
    // What is expected is waited for on a page that says nothing of the kind, and after an apology.
    assert!(seconds("neutral") > seconds("opens") + 4.0, "{} and {}", seconds("neutral"), seconds("opens"));
    assert!(seconds("apology") > seconds("opens") + 2.0, "{} and {}", seconds("apology"), seconds("opens"));
    for (reply, said) in [("field", "Wrong code"), ("banner", "Unlocking failed"), ("snackbar", "Invalid code")] {
        let reason = found[reply]["reason"].as_str().unwrap();
        assert_eq!(reason.matches(&format!("the app said {said:?}")).count(), 1, "{reply}: {reason}");
        assert!(seconds(reply) + 4.0 < seconds("neutral"), "{reply}: {} s", seconds(reply));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_does_not_wait_for_what_an_error_has_taken_the_place_of() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let opens = DOOR.replace("variant(\"reply\")", "reply").replace("told: \"\",", "told: \"\", reply: opens,");
    let opens = opens.replace("variants:\n  reply: [opens, field, banner, snackbar, neutral, apology]\n", "");
    std::fs::write(bench.path("apps/door.app.yaml"), &opens).unwrap();
    let steps = DOOR_CASE.replace("Check that \"House\" is visible", "Tap \"Take off the coat\"");
    std::fs::write(bench.path("cases/DR-1.case.yaml"), steps).unwrap();
    let passed = bench.run("DR-1", &serial).await;
    assert_eq!(passed.verdict, Verdict::Passed, "{}", passed.reason);
    let script = Script::read(&bench.path(&passed.script.unwrap())).unwrap();
    assert_eq!(script.actions.len(), 2, "{:?}", script.actions);
    bench.change("apps/door.app.yaml", "reply: opens", "reply: field");
    // Longer than a test waits for a replay: one that waited it out would be seen.
    bench.hurry(Duration::from_secs(600));
    let stopped = bench.replay_here(&script, &serial).await;
    assert_eq!(stopped.verdict, Verdict::Blocked, "{}", stopped.reason);
    let said = "diverged at action 2: \"Take off the coat\" is not there";
    assert!(stopped.reason.starts_with(said), "{}", stopped.reason);
    assert!(stopped.reason.ends_with("; the app said \"Wrong code\""), "{}", stopped.reason);
}

const LETTER: &str = r#"package: org.example.letter
label: Letter
state: {told: ""}
screens:
  - id: letter
    title: Letter
    body:
      - text: {text: "{{ told }}", visible: 'told != ""'}
      - button:
          text: Send
          on_tap:
            - set: {told: '"Draft kept"'}
            - delay: {ms: 5000, then: [{set: {told: '"Letter sent"'}}]}
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_there_for_a_moment_is_told_with_the_times_it_came_and_went() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    std::fs::write(bench.path("apps/letter.app.yaml"), LETTER).unwrap();
    let case = "id: LT-1\ntitle: Send\napp: {package: org.example.letter, apk: ../apps/letter.app.yaml}\nsteps:\n  - Tap \
                \"Send\"\nexpect:\n  - visible: Draft kept\n  - visible: Letter sent\n";
    std::fs::write(bench.path("cases/LT-1.case.yaml"), case).unwrap();
    let result = bench.run("LT-1", &serial).await;
    assert_eq!(result.verdict, Verdict::Failed, "{}", result.reason);
    let told =
        result.reason.strip_prefix("expected visible: Draft kept: seen at ").unwrap_or_else(|| panic!("{result:?}"));
    let (from, rest) = told.split_once(" s, gone at ").unwrap();
    let (gone, rest) = rest.split_once(" s; ").unwrap();
    let (from, gone): (f64, f64) = (from.parse().unwrap(), gone.parse().unwrap());
    assert!(from < gone && gone < result.timings_ms.total / 1000.0, "from {from} to {gone} of {result:?}");
    assert!(rest.starts_with("not on the screen \"Letter\""), "{rest}");
    let page = std::fs::read_to_string(bench.run_folder(&result).join("report.html")).unwrap();
    assert!(
        page.contains(&format!("shown earlier in this run on “Letter”, seen at {from:.1} s, gone at {gone:.1} s")),
        "{page}"
    );
}
