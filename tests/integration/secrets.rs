//! A secret's value reaches nothing that is kept or told, in whatever form the app shows, logs or throws it.

use crate::bench::Bench;
use crate::harness::PATIENCE;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use tapwright::domain::Rect;
use tapwright::virtual_device::VirtualDeviceConfig;
use tapwright::vision::decode_png;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::timeout;

/// What is typed, and what the app makes of it.
const FORMS: &[&str] = &[
    "135790",
    "135 790",
    "13-57-90",
    "%31%33%35%37%39%30",
    "MTM1Nzkw",
    "Lunchwith007",
    "LUNCHWITH007",
    "lunchwith007",
    "Lunch%77ith007",
    "THVuY2h3aXRoMDA3",
    "MdW5jaHdpdGgwMDc",
];

/// Shows both values in other forms, draws one on a canvas beside ordinary texts, and throws all of them.
const APP: &str = r#"package: com.example.vault
label: Vault
state: {code: "", note: ""}
screens:
  - id: home
    title: Vault
    padding: 16
    gap: 12
    body:
      - field: {id: code, bind: code, label: Access code, input: number}
      - field: {id: note, bind: note, label: Note}
      - button: {id: unlock, text: Unlock, on_tap: [{goto: open}]}
  - id: open
    title: Unlocked
    padding: 16
    gap: 12
    body:
      - text: {id: grouped, text: "135 790"}
      - text: {id: dashed, text: "Code 13-57-90"}
      - text: {id: shouted, text: "LUNCHWITH007"}
      - text: {id: link, text: "https://a.example/?code=%31%33%35%37%39%30&note=Lunch%77ith007"}
      - canvas: {children: [{text: {text: "{{ code }}", style: display}}]}
      - button:
          id: share
          text: Share
          on_tap:
            - crash: "java.lang.IllegalStateException: 135790 135 790 13-57-90 %31%33%35%37%39%30 Basic MTM1Nzkw Lunchwith007 LUNCHWITH007 lunchwith007 Lunch%77ith007 THVuY2h3aXRoMDA3 dTpMdW5jaHdpdGgwMDc="
"#;

const CASE: &str = "id: VAULT-1
title: Share what is locked
app: {package: com.example.vault, apk: ../apps/vault.app.yaml}
params:
  access_code: {value: \"135790\", secret: true}
  note: {value: Lunchwith007, secret: true}
steps:
  - Enter the access code
  - Enter the note
  - Unlock
  - Share
expect:
  - visible: Shared
budget: {actions: 20, time: 2m}
";

fn check(bytes: &[u8], place: &str) {
    for form in FORMS {
        let found = bytes.windows(form.len()).any(|window| window == form.as_bytes());
        assert!(!found, "{form} is in {place}: {}", String::from_utf8_lossy(bytes));
    }
}

/// Where the canvas is, in a recorded dump.
fn canvas(dump: &str) -> Option<Rect> {
    let node = dump.split('<').find(|node| node.contains("class=\"android.view.View\"") && node.ends_with("/>"))?;
    let bounds = node.split("bounds=\"").nth(1)?.split('"').next()?;
    let numbers: Vec<i32> =
        bounds.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
    let [left, top, right, bottom] = numbers.as_slice() else { return None };
    Some(Rect::new(*left, *top, *right, *bottom))
}

/// Whether anything is drawn in an area of a picture, darker than what covers it.
fn shows(picture: &Path, area: Rect) -> bool {
    let picture = decode_png(&std::fs::read(picture).unwrap()).unwrap();
    let dark = |x: i32, y: i32| picture.rgb(x as u32, y as u32).is_some_and(|rgb| rgb.iter().all(|part| *part < 100));
    (area.top..area.bottom).any(|y| (area.left..area.right).any(|x| dark(x, y)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_in_any_form_reaches_no_recording_no_database_no_log_and_no_answer() {
    let mut bench = Bench::new().await;
    bench.device(VirtualDeviceConfig::default()).await;
    std::fs::write(bench.path("apps/vault.app.yaml"), APP).unwrap();
    std::fs::write(bench.path("cases/VAULT-1.case.yaml"), CASE).unwrap();
    let database = bench.path("runs.db");
    let mut daemon =
        bench.spawn(&["serve", "-vvv", "--listen", "127.0.0.1:0", "--database", database.to_str().unwrap()]);
    let mut lines = BufReader::new(daemon.stderr.take().unwrap()).lines();
    let (mut log, mut url) = (String::new(), String::new());
    while url.is_empty() {
        let line = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().expect("it ended early");
        let found = line.split_whitespace().find(|word| word.starts_with("http://"));
        url = found.map(|url| url.trim_end_matches('/').to_owned()).unwrap_or_default();
        log.push_str(&line);
    }
    let logged = tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            log.push_str(&line);
            log.push('\n');
        }
        log
    });

    let said = bench.tapwright(&["run", "VAULT-1", "--daemon", &url, "--json", "-vvv"]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    let result = said.result();
    assert_eq!(result["verdict"], "failed", "{result:#}");
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("java.lang.IllegalStateException: ••••••"), "{reason}");
    check(said.stdout.as_bytes(), "what `run` prints");
    check(said.stderr.as_bytes(), "what `run` tells");
    let run = format!("{url}/api/v1/runs/{}", result["run_id"].as_str().unwrap());
    for path in ["", "/events", "/artifacts"] {
        let answer = crate::harness::http().get(format!("{run}{path}")).send().await.unwrap().bytes().await.unwrap();
        assert!(!answer.is_empty());
        check(&answer, &format!("the answer of {path:?}"));
    }
    crate::bench::interrupt(&daemon).await;
    timeout(PATIENCE, daemon.wait()).await.unwrap().unwrap();
    let log = timeout(Duration::from_secs(20), logged).await.unwrap().unwrap();
    assert!(log.contains("Enter the access code"), "the log tells what is done: {log}");
    check(log.as_bytes(), "the daemon's log");

    let mut files = [bench.files("runs"), bench.files("maps"), bench.files("scripts")].concat();
    files.extend(["runs.db", "runs.db-wal"].map(|name| bench.path(name)).into_iter().filter(|file| file.exists()));
    let named = |name: &str| files.iter().any(|file| file.ends_with(name));
    for name in ["result.json", "report.html", "events.jsonl", "crash.txt", "device.log", "runs.db"] {
        assert!(named(name), "{name} is missing: {files:?}");
    }
    assert!(files.iter().any(|file| file.to_string_lossy().ends_with(".map.json")), "{files:?}");
    for file in &files {
        check(&std::fs::read(file).unwrap(), &file.display().to_string());
    }

    // What is drawn on the canvas stands in no text; it is covered in the picture.
    let folder = bench.path("runs/VAULT-1").join(result["run_id"].as_str().unwrap());
    let events = std::fs::read_to_string(folder.join("events.jsonl")).unwrap();
    let mut looked = 0;
    for event in events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let screen = &event["screen"];
        if event["event"] != "screen_observed" || screen["title"] != "Unlocked" {
            continue;
        }
        let [Some(dump), Some(picture)] = ["hierarchy", "screenshot"].map(|name| screen[name].as_str()) else {
            continue;
        };
        let dump = std::fs::read_to_string(folder.join(dump)).unwrap();
        let area = canvas(&dump).unwrap_or_else(|| panic!("no canvas in {dump}"));
        assert!(!shows(&folder.join(picture), area), "{picture} shows what is drawn in {area:?}");
        looked += 1;
    }
    assert!(looked > 0, "{events}");
}
