//! Hand-written runs that become recorded apps.

use super::*;
use crate::recorded::sample::hierarchy;
use crate::recorded::{Did, RecordedApp, Routes};
use serde_json::json;
use tempfile::TempDir;

/// A run in the making.
struct Run {
    folder: TempDir,
    events: Vec<Value>,
}

impl Run {
    fn new(case: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("screens")).unwrap();
        let started = json!({"event": "run_started", "case_id": case, "title": format!("The title of {case}")});
        Self { folder, events: vec![started] }
    }

    fn step(mut self, index: usize, instruction: &str) -> Self {
        self.events.push(json!({"event": "step_started", "index": index, "instruction": instruction}));
        self
    }

    /// Sees a screen of these rows.
    fn sees(mut self, rows: &[&str]) -> Self {
        let name = format!("screens/{}.xml", self.events.len());
        std::fs::write(self.folder.path().join(&name), hierarchy(rows)).unwrap();
        let screen = json!({"hierarchy": name, "foreground": "com.example.notes/com.example.notes.Main"});
        self.events.push(json!({"event": "screen_observed", "screen": screen}));
        self
    }

    fn decides(mut self) -> Self {
        self.events.push(json!({"event": "decided"}));
        self
    }

    fn acted(mut self, step: usize, valid: bool, action: &Value) -> Self {
        self.events.push(json!({"event": "acted", "step": step, "valid": valid, "action": action}));
        self
    }

    /// Chooses and does something, and sees these rows.
    fn does(self, step: usize, action: &Value, rows: &[&str]) -> Self {
        self.decides().sees(rows).acted(step, true, action)
    }

    fn ends(mut self, verdict: &str) -> Self {
        self.events.push(json!({"event": "run_finished", "result": {"verdict": verdict}}));
        let lines: Vec<String> = self.events.iter().map(ToString::to_string).collect();
        std::fs::write(self.folder.path().join("events.jsonl"), lines.join("\n")).unwrap();
        self
    }

    fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

const LIST: &[&str] = &["TextView Notes", "Button New note"];
const PAGE: &[&str] = &["EditText Title", "Button Save"];
const SAVED: &[&str] = &["TextView Notes", "Button New note", "Button Milk"];

fn aimed(skill: &str, row: i32) -> Value {
    let (top, bottom) = ((row - 1) * 200, row * 200);
    json!({"skill": skill, "target": {"label": "x", "bounds": [0, top, 1080, bottom], "tap": {"x": 540, "y": top + 100}}})
}

fn types(row: i32, text: Value) -> Value {
    let mut action = aimed("input_text", row);
    action["text"] = text;
    action
}

fn adding_a_note() -> Run {
    Run::new("NOTE-1")
        .step(1, "Add a note")
        .sees(LIST)
        .does(1, &aimed("click", 2), PAGE)
        .step(2, "Call it Milk")
        .does(2, &types(1, json!({"text": "Milk"})), &["EditText Milk", "Button Save"])
        .does(2, &aimed("click", 2), SAVED)
        .ends("passed")
}

fn exported(runs: &[&Run]) -> (Exported, RecordedApp) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("app");
    let paths: Vec<PathBuf> = runs.iter().map(|run| run.path()).collect();
    let exported = export_runs(&paths, &folder).unwrap_or_else(|error| panic!("{error}"));
    (exported, RecordedApp::open(&folder).unwrap())
}

#[test]
fn a_passed_run_becomes_states_transitions_and_a_task() {
    let (exported, app) = exported(&[&adding_a_note()]);
    assert_eq!((exported.states, exported.transitions, exported.tasks), (4, 3, 1));
    assert_eq!((exported.notes, &app.notes), (Vec::new(), &Vec::new()));
    assert_eq!(
        (app.info.package.as_str(), app.info.activity.as_str()),
        ("com.example.notes", "com.example.notes.Main")
    );
    assert_eq!(app.info.initial.as_str(), "s000");
    assert_eq!(app.display(), Size::new(1080, 2400));
    let task = &app.tasks[0];
    assert_eq!((task.id.as_str(), task.goal.as_str()), ("NOTE-1", "The title of NOTE-1"));
    assert_eq!(task.path.iter().map(StateId::as_str).collect::<Vec<_>>(), ["s000", "s001", "s002", "s003"]);
    assert_eq!(task.essential, [1, 2]);
    assert_eq!(task.steps.iter().map(|step| step.actions.clone()).collect::<Vec<_>>(), [vec![0], vec![1, 2]]);
    assert_eq!(app.transitions[1].action.text.as_deref(), Some("Milk"));
    assert_eq!(app.transitions[0].action.node, Some(2));
}

#[test]
fn the_recorded_way_can_be_gone_again() {
    let (_, app) = exported(&[&adding_a_note()]);
    let mut routes = Routes::default();
    let mut state = app.info.initial.clone();
    for did in [
        Did::Click(Point::new(10, 300)),
        Did::Typed { field: Rect::new(0, 0, 1080, 200), text: "Milk".into(), done: false },
        Did::Click(Point::new(10, 300)),
    ] {
        state = routes.take(&app, &state, &did).unwrap_or_else(|| panic!("{did:?} leads nowhere from {state}")).to;
    }
    assert_eq!(state.as_str(), "s003");
}

#[test]
fn runs_of_one_app_make_one_map() {
    let other = Run::new("NOTE-2")
        .step(1, "Open a new note and go back")
        .sees(LIST)
        .does(1, &aimed("click", 2), PAGE)
        .does(1, &json!({"skill": "press_back"}), LIST)
        .ends("passed");
    let (exported, app) = exported(&[&adding_a_note(), &other]);
    assert_eq!((exported.states, exported.transitions, exported.tasks), (4, 4, 2), "{:?}", app.transitions);
    assert_eq!(app.tasks[1].path.iter().map(StateId::as_str).collect::<Vec<_>>(), ["s000", "s001", "s000"]);
}

#[test]
fn waiting_and_late_screens_belong_to_the_action_before() {
    let run = Run::new("NOTE-3")
        .step(1, "Add a note")
        .sees(LIST)
        .does(1, &aimed("click", 2), &["TextView Loading"])
        .decides()
        .sees(PAGE)
        .acted(1, true, &json!({"skill": "wait", "ms": 3000}))
        .does(1, &aimed("click", 2), &["TextView Saving"])
        .sees(SAVED)
        .ends("passed");
    let (exported, app) = exported(&[&run]);
    assert_eq!(exported.transitions, 2);
    let to: Vec<_> = app.transitions.iter().map(|way| app.states[&way.to].tree.nodes[1].text.clone()).collect();
    assert_eq!(to, ["Title", "Notes"]);
}

#[test]
fn a_replay_decides_nothing_and_is_exported_all_the_same() {
    let run = Run::new("NOTE-4")
        .sees(LIST)
        .sees(PAGE)
        .step(1, "Add a note")
        .acted(1, true, &aimed("click", 2))
        .sees(SAVED)
        .acted(1, true, &aimed("click", 2))
        .ends("passed");
    let (_, app) = exported(&[&run]);
    let ways: Vec<_> = app.transitions.iter().map(|way| (way.from.as_str(), way.to.as_str())).collect();
    assert_eq!(ways, [("s000", "s001"), ("s001", "s002")]);
}

#[test]
fn an_action_without_effect_is_no_transition_and_a_failed_run_no_task() {
    let run = Run::new("NOTE-5")
        .sees(LIST)
        .decides()
        .sees(LIST)
        .acted(1, false, &aimed("click", 1))
        .does(1, &aimed("click", 2), PAGE)
        .ends("failed");
    let (exported, app) = exported(&[&run]);
    assert_eq!((exported.transitions, exported.tasks), (1, 0));
    assert_eq!(app.transitions[0].source, Source::Exploration);
    assert!(exported.notes[0].reason.contains("did not pass"), "{:?}", exported.notes);
}

#[test]
fn a_secret_is_a_name_that_any_text_fits() {
    let keypad = &["Button 1", "Button 2", "Button 3"];
    let keys = json!({"1": {"x": 540, "y": 100}, "2": {"x": 540, "y": 300}, "3": {"x": 540, "y": 500}});
    let digits = json!({"skill": "input_by_numeric_keyboard", "digits": {"secret": "pin"}, "keys": keys});
    let run = Run::new("NOTE-6")
        .step(1, "Enter ${pin}")
        .sees(PAGE)
        .does(1, &types(1, json!({"secret": "word"})), keypad)
        .does(1, &digits, LIST)
        .ends("passed");
    let (_, app) = exported(&[&run]);
    let [word, pin] = app.transitions.as_slice() else { panic!("{:?}", app.transitions) };
    assert_eq!((word.action.text.as_deref(), word.action.secret.as_deref()), (None, Some("word")));
    assert_eq!((pin.action.text.as_deref(), pin.action.secret.as_deref()), (None, Some("pin")));
    assert_eq!((pin.action.bounds, pin.action.keys.len()), (Some(Rect::new(0, 0, 1080, 600)), 3));
    assert_eq!(app.tasks[0].params["pin"], "***");
}

#[test]
fn what_cannot_be_exported_is_refused_with_its_reason() {
    let output = tempfile::tempdir().unwrap();
    let refused = |runs: &[PathBuf]| export_runs(runs, &output.path().join("app")).unwrap_err().to_string();
    assert!(refused(&[output.path().to_owned()]).contains("events.jsonl"));
    let empty = Run::new("NOTE-7").ends("error");
    assert!(refused(&[empty.path()]).contains("it saw no screen"));
    let gone = Run::new("NOTE-8").sees(LIST).ends("passed");
    std::fs::remove_file(gone.path().join("screens/1.xml")).unwrap();
    assert!(refused(&[gone.path()]).contains("screens/1.xml"));
    let mut outside = Run::new("NOTE-9").sees(LIST);
    outside.events[1]["screen"]["hierarchy"] = json!("../../secret.xml");
    assert!(refused(&[outside.ends("passed").path()]).contains("outside of the run's folder"));
    let mut other = Run::new("NOTE-10").sees(LIST);
    other.events[1]["screen"]["foreground"] = json!("com.example.other/.Main");
    let other = other.ends("passed");
    assert!(refused(&[adding_a_note().path(), other.path()]).contains("one app at a time"));
}

#[test]
fn a_damaged_line_is_left_out_and_named() {
    let run = adding_a_note();
    let path = run.path().join("events.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{{\"event\": \"ru\n{text}")).unwrap();
    let (exported, _) = exported(&[&run]);
    assert_eq!((exported.transitions, exported.notes.len()), (3, 1));
    assert!(exported.notes[0].to_string().contains("events.jsonl:1: this line was left out"));
}
