//! The same English case on an app in another language, through the real adb server, with the real model.

use crate::bench::Bench;
use tapwright::domain::{RunResult, Verdict};
use tapwright::virtual_device::VirtualDeviceConfig;

const APP: &str = r#"package: com.example.ferry
label: Ferry
version: "1.4"
state: {plan: "", note: "", sent: false}
strings:
  en: {title: "Choose a crossing", slow: "Night boat", fast: "Morning boat", note: "Message to the crew", send: "Book", pay: "Pay later", done: "Booked: {{ plan }}"}
  es: {title: "Elige una travesía", slow: "Barco nocturno", fast: "Barco matutino", note: "Mensaje a la tripulación", send: "Reservar", pay: "Pagar después", done: "Reservado: {{ plan }}"}
screens:
  - id: home
    title: "@title"
    padding: 16
    gap: 12
    body:
      - button: {id: b1, text: "@slow", on_tap: [{set: {plan: '"Tern"'}}]}
      - button: {id: b2, text: "@fast", on_tap: [{set: {plan: '"Gannet"'}}]}
      - button: {id: b3, text: "@pay", on_tap: [{set: {plan: '"nothing"'}}]}
      - button: {id: b4, text: "@send", enabled: plan != "", on_tap: [{set: {sent: true}}, {goto: end}]}
  - id: end
    title: "@send"
    padding: 16
    body:
      - text: {id: t1, text: "@done"}
"#;

/// A bench with the ferry in it, and a device that speaks `locale`.
async fn bench(locale: &str) -> (Bench, String) {
    let mut bench = Bench::new().await;
    std::fs::write(bench.path("apps/ferry.app.yaml"), APP).unwrap();
    let config = VirtualDeviceConfig { locale: locale.to_owned(), ..VirtualDeviceConfig::default() };
    let serial = bench.device(config).await;
    (bench, serial)
}

fn case(bench: &Bench, id: &str, apk: bool, rest: &str) {
    let apk = if apk { ", apk: ../apps/ferry.app.yaml" } else { "" };
    let text = format!("id: {id}\ntitle: A test\napp: {{package: com.example.ferry{apk}}}\n{rest}");
    std::fs::write(bench.path("cases").join(format!("{id}.case.yaml")), text).unwrap();
}

fn targets(result: &RunResult) -> Vec<&str> {
    result.steps.iter().flat_map(|step| &step.actions).filter_map(|action| action.target.as_deref()).collect()
}

const STEPS: &str = "steps:\n  - Tap \"Morning boat\"\n  - Tap \"Book\"\nexpect:\n  - visible: \"Booked: Gannet\"\n";

#[tokio::test(flavor = "multi_thread")]
async fn an_english_case_passes_in_another_language_and_its_script_has_what_the_display_shows() {
    let (bench, serial) = bench("es-MX").await;
    case(&bench, "LANG-1", true, STEPS);
    let result = bench.run("LANG-1", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{result:#?}");
    assert_eq!(targets(&result), ["Barco matutino", "Reservar"], "what was touched is told as it is shown");
    let script = std::fs::read_to_string(bench.path(result.script.as_deref().unwrap())).unwrap();
    assert!(script.contains("Barco matutino") && !script.contains("Morning boat\"\n"), "{script}");
    let (said, replayed) = bench.replay("LANG-1", &serial).await;
    said.succeeded();
    assert_eq!(replayed["verdict"], "passed", "{replayed:#}");
    let events = std::fs::read_to_string(bench.run_folder(&result).join("events.jsonl")).unwrap();
    assert!(events.contains("which is \\\"Booked: Gannet\\\" in the app's own language"), "the reason says so");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_texts_of_an_installed_app_are_taken_off_the_device_once() {
    let (bench, serial) = bench("es-ES").await;
    case(&bench, "LANG-1", true, STEPS);
    assert_eq!(bench.run("LANG-1", &serial).await.verdict, Verdict::Passed);
    case(&bench, "LANG-2", false, STEPS);
    let kept = bench.path("maps/com.example.ferry@1.4.strings.json");
    assert!(!kept.exists(), "a case that names the app's file needs none");
    let result = bench.run("LANG-2", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{result:#?}");
    let table = std::fs::read_to_string(&kept).unwrap();
    assert!(table.contains("Barco matutino") && table.contains("Morning boat"));
    std::fs::write(&kept, "{").unwrap();
    assert_eq!(bench.run("LANG-2", &serial).await.verdict, Verdict::Passed, "a damaged one is taken again");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), table);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_table_of_the_language_the_words_of_the_display_count() {
    let (bench, serial) = bench("es-ES").await;
    case(&bench, "LANG-1", true, STEPS);
    assert_eq!(bench.run("LANG-1", &serial).await.verdict, Verdict::Passed);
    let steps = "steps:\n  - Tap \"Barco matutino\"\n  - Tap \"Reservar\"\nexpect:\n  - visible: Gannet\n";
    case(&bench, "LANG-3", false, steps);
    std::fs::create_dir_all(bench.path("maps")).unwrap();
    let mut other = tapwright::strings::StringTable::new(tapwright::strings::Locale::parse("fr"));
    other.add("x", &tapwright::strings::Locale::parse("fr"), "Rien");
    let kept = bench.path("maps/com.example.ferry@1.4.strings.json");
    std::fs::write(&kept, serde_json::to_vec(&other).unwrap()).unwrap();
    let result = bench.run("LANG-3", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "without a bridge the display's own words count: {result:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_of_an_app_can_be_looked_at() {
    let bench = Bench::new().await;
    std::fs::write(bench.path("apps/ferry.app.yaml"), APP).unwrap();
    let file = bench.path("apps/ferry.app.yaml").display().to_string();
    let all = bench.tapwright(&["apps", "strings", &file]).await;
    all.succeeded();
    assert!(all.stdout.contains("Barco nocturno") && all.stderr.contains("screens are read in en"), "{all:?}");
    let named = ["apps", "strings", &file, "--locale", "es-MX", "--json", "--text"];
    let read = bench.tapwright(&[&named[..], &["RESERVADO: Tern"]].concat()).await;
    read.succeeded();
    assert_eq!(read.json()[0]["read"], "Booked: Tern");
    assert_eq!(read.json()[0]["resources"][0], "done");
    let own = bench.tapwright(&["apps", "strings", &file, "--locale", "en-GB"]).await;
    own.succeeded();
    assert!(own.stderr.contains("nothing that could be read in another language"), "{own:?}");
    let broken = bench.path("broken.apk");
    std::fs::write(&broken, b"PK\x03\x04 and then nothing").unwrap();
    bench.tapwright(&["apps", "strings", &broken.display().to_string()]).await.failed(2, &["broken.apk"]);
    std::fs::write(&broken, b"<html>404</html>").unwrap();
    bench
        .tapwright(&["apps", "strings", &broken.display().to_string()])
        .await
        .failed(2, &["broken.apk: it is no app", "zip archive"]);
    bench.tapwright(&["apps", "strings", "no.apk"]).await.failed(2, &["cannot read no.apk"]);
}
