//! Hand-written runs that become labels.

use super::*;
use crate::evaluation::read_labels;
use crate::recorded::sample::hierarchy;
use serde_json::json;
use tempfile::TempDir;

/// A run in the making.
struct Run {
    folder: TempDir,
    events: Vec<Value>,
    source: &'static str,
}

const LIST: &[&str] = &["TextView Notes", "Button New note", "Button Help"];
const FORM: &[&str] = &["EditText Title", "EditText Phone", "Button Save"];

impl Run {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("screens")).unwrap();
        Self { folder, events: vec![json!({"event": "run_started", "case_id": "NOTE-1"})], source: "agent" }
    }

    fn by(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }

    fn step(mut self, index: usize, rewritten: &str) -> Self {
        let event = json!({"event": "step_started", "index": index, "instruction": "…", "rewritten": rewritten});
        self.events.push(event);
        self
    }

    fn sees(mut self, rows: &[&str]) -> Self {
        let name = format!("screens/{}.xml", self.events.len());
        std::fs::write(self.folder.path().join(&name), hierarchy(rows)).unwrap();
        self.events.push(json!({"event": "screen_observed", "screen": {"hierarchy": name}}));
        self
    }

    /// Chooses something on the last screen, does it, and sees these rows.
    fn does(mut self, step: usize, valid: bool, action: &Value, rows: &[&str]) -> Self {
        self.events.push(json!({"event": "decided"}));
        self = self.sees(rows);
        let source = self.source;
        self.events.push(json!({"event": "acted", "step": step, "valid": valid, "source": source, "action": action}));
        self
    }

    fn ends(mut self, verdict: &str) -> Self {
        self.events.push(json!({"event": "run_finished", "result": {"verdict": verdict}}));
        let lines: Vec<String> = self.events.iter().map(ToString::to_string).collect();
        std::fs::write(self.folder.path().join("events.jsonl"), lines.join("\n")).unwrap();
        self
    }

    /// One step, one touch.
    fn short(instruction: &str, rows: &[&str], row: i32, label: &str) -> Self {
        Self::new().step(1, instruction).sees(rows).does(1, true, &aimed("click", row, label), FORM).ends("passed")
    }
}

fn aimed(skill: &str, row: i32, label: &str) -> Value {
    let (top, bottom) = ((row - 1) * 200, row * 200);
    json!({"skill": skill, "target": {
        "label": label,
        "selector": {"class": "android.widget.Button", "chain": [{"text": label}]},
        "bounds": [0, top, 1080, bottom],
        "tap": {"x": 540, "y": top + 100},
    }})
}

fn types(row: i32, label: &str, text: Value) -> Value {
    let mut action = aimed("input_text", row, label);
    action["text"] = text;
    action
}

/// What is exported, and the labels as `eval ranking` and `train texts` read them.
fn exported(runs: &[&Run]) -> (ExportedLabels, Vec<Label>) {
    let parent = tempfile::tempdir().unwrap();
    let output = parent.path().join("labels");
    let paths: Vec<PathBuf> = runs.iter().map(|run| run.folder.path().to_owned()).collect();
    let summary = export_labels(&paths, &output, None).unwrap_or_else(|error| panic!("{error}"));
    if summary.labels == 0 {
        assert!(!output.exists());
        return (summary, Vec::new());
    }
    let left: Vec<_> = std::fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["labels"], "something half written was left");
    let screens = read_labels(&output.join("labels.jsonl"), None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(screens.len(), summary.screens);
    (summary, screens.into_iter().flat_map(|screen| screen.labels).collect())
}

fn said(labels: &[Label]) -> Vec<(&str, &str, Option<&str>)> {
    let mut said: Vec<_> =
        labels.iter().map(|label| (label.skill.as_str(), label.instruction.as_str(), label.text.as_deref())).collect();
    said.sort_unstable();
    said
}

#[test]
fn a_step_of_one_touch_is_a_label_on_the_screen_it_was_chosen_on() {
    let (summary, labels) = exported(&[&Run::short("Add a note", LIST, 2, "New note")]);
    assert_eq!((summary.runs, summary.passed, summary.labels, summary.screens), (1, 1, 1, 1));
    let label = &labels[0];
    assert_eq!((label.instruction.as_str(), label.lang.as_str(), label.style.as_str()), ("Add a note", "en", "run"));
    assert_eq!((label.skill.as_str(), label.bounds), ("click", Some(Rect::new(0, 200, 1080, 400))));
    assert_eq!(label.id, format!("{}-1", label.screen));
}

#[test]
fn of_a_condensed_step_only_what_is_typed_is_a_label() {
    let run = Run::new()
        .step(1, "Fill in the form.")
        .sees(FORM)
        .does(1, true, &types(1, "Title", json!({"text": "Milk"})), &["EditText Milk", "EditText Phone", "Button Save"])
        .does(1, true, &types(2, "Phone", json!({"text": "555"})), &["EditText Milk", "EditText 555", "Button Save"])
        .does(1, true, &aimed("click", 3, "Save"), LIST)
        .ends("passed");
    let (summary, labels) = exported(&[&run]);
    let expected =
        [("input_text", "Fill in the form: 555", Some("555")), ("input_text", "Fill in the form: Milk", Some("Milk"))];
    assert_eq!(said(&labels), expected);
    assert_eq!(summary.left_out, BTreeMap::from([("one of several actions of its step", 1)]));
}

#[test]
fn an_action_without_effect_and_waiting_make_no_label_and_do_not_count() {
    let run = Run::new()
        .step(1, "Add a note")
        .sees(LIST)
        .does(1, false, &aimed("click", 1, "Notes"), LIST)
        .does(1, true, &json!({"skill": "wait", "ms": 3000}), LIST)
        .does(1, true, &aimed("click", 2, "New note"), FORM)
        .step(2, "Go back")
        .does(2, true, &json!({"skill": "press_back"}), LIST)
        .step(3, "Open the app")
        .does(3, true, &json!({"skill": "open_app", "package": "com.example"}), LIST)
        .ends("passed");
    let (summary, labels) = exported(&[&run]);
    assert_eq!(said(&labels), [("click", "Add a note", None), ("press_back", "Go back", None)]);
    assert_eq!(labels.iter().find(|label| label.skill == "press_back").unwrap().bounds, None);
    assert_eq!(summary.left_out, BTreeMap::from([("not about a widget of the hierarchy", 1)]));
}

#[test]
fn only_what_the_agent_or_a_repair_chose_in_a_run_that_passed_is_taken() {
    let touch = aimed("click", 2, "New note");
    let run = |source, verdict| {
        Run::new().by(source).step(1, "Add a note").sees(LIST).does(1, true, &touch, FORM).ends(verdict)
    };
    for (source, verdict, labels) in [
        ("agent", "passed", 1),
        ("repair", "passed", 1),
        ("script", "passed", 0),
        ("agent", "failed", 0),
        ("agent", "blocked", 0),
    ] {
        assert_eq!(exported(&[&run(source, verdict)]).0.labels, labels, "{source} {verdict}");
    }
}

#[test]
fn a_damaged_recording_is_left_out_as_a_whole() {
    let run = Run::short("Add a note", LIST, 2, "New note");
    let path = run.folder.path().join("events.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}\n{{\"event\": \"ac")).unwrap();
    let (summary, labels) = exported(&[&run]);
    assert_eq!(labels, []);
    assert!(summary.notes[0].contains("its events are damaged"), "{:?}", summary.notes);
}

#[test]
fn the_same_label_of_two_runs_is_written_once_and_their_order_changes_nothing() {
    let one = Run::short("Add a note", LIST, 2, "New note");
    // Another text elsewhere on the screen: another dump of the same screen.
    let other = Run::short("Add a note", &["TextView Notes (1)", "Button New note", "Button Help"], 2, "New note");
    let third = Run::short("Get help", LIST, 3, "Help");
    let (summary, labels) = exported(&[&one, &other, &third, &one]);
    assert_eq!((summary.labels, summary.duplicates, summary.conflicts.len()), (2, 2, 0), "{labels:?}");
    assert_eq!(exported(&[&third, &other, &one]).1, labels);
}

#[test]
fn runs_that_disagree_about_an_instruction_give_no_label_for_it() {
    let one = Run::short("Begin", LIST, 2, "New note");
    let other = Run::short("Begin", LIST, 3, "Help");
    let sound = Run::short("Get help", LIST, 3, "Help");
    let (summary, labels) = exported(&[&one, &other, &sound]);
    assert_eq!(said(&labels), [("click", "Get help", None)]);
    let conflict = &summary.conflicts[0];
    assert_eq!((conflict.instruction.as_str(), conflict.labels), ("Begin", 2));
    assert_eq!(conflict.done, ["click \"Help\"", "click \"New note\""]);

    // One label in two places of a screen that looks exactly alike.
    let twice: &[&str] = &["Button Add", "Button Add"];
    let (upper, lower) = (Run::short("Add", twice, 1, "Add"), Run::short("Add", twice, 2, "Add"));
    let (summary, labels) = exported(&[&upper, &lower]);
    assert_eq!((labels.len(), summary.conflicts.len()), (0, 1));
}

#[test]
fn a_secret_is_named_never_typed_and_left_out_where_it_could_be_read() {
    let word = |rows: &[&str], label: &str| {
        Run::new()
            .step(1, "Enter it")
            .sees(rows)
            .does(1, true, &types(1, label, json!({"secret": "payment_word"})), LIST)
            .ends("passed")
    };
    let (_, labels) = exported(&[&word(&["EditText ••••", "Button Save"], "Word")]);
    assert_eq!(said(&labels), [("input_text", "Enter it: payment word", None)]);
    let (summary, labels) = exported(&[&word(&["EditText hunter2", "Button Save"], "Word")]);
    assert_eq!(labels, []);
    assert_eq!(summary.left_out, BTreeMap::from([("a secret was typed where something can be read", 1)]));
}

#[test]
fn a_link_that_only_the_picture_shows_is_no_label() {
    let mut action = aimed("click", 1, "terms");
    action["target"]["bounds"] = json!([40, 20, 140, 60]);
    let run = Run::new().step(1, "Read the terms").sees(LIST).does(1, true, &action, FORM).ends("passed");
    let (summary, labels) = exported(&[&run]);
    assert_eq!(labels, []);
    assert_eq!(summary.left_out, BTreeMap::from([("its widget is not in the hierarchy, only in the picture", 1)]));
}

#[test]
fn a_folder_that_holds_something_is_never_touched() {
    let output = tempfile::tempdir().unwrap();
    let paths = [Run::short("Add a note", LIST, 2, "New note").folder.keep()];
    // An empty one is as good as none.
    assert_eq!(export_labels(&paths, output.path(), Some("de")).unwrap().labels, 1);
    let labels = std::fs::read_to_string(output.path().join("labels.jsonl")).unwrap();
    assert!(labels.contains("\"lang\":\"de\""), "{labels}");
    let refused = export_labels(&paths, output.path(), None).unwrap_err().to_string();
    assert!(refused.contains("holds files already"), "{refused}");
    assert_eq!(std::fs::read_to_string(output.path().join("labels.jsonl")).unwrap(), labels);
    std::fs::remove_dir_all(&paths[0]).unwrap();
}
