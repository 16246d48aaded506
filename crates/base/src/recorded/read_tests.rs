//! Reading, checking and writing recordings.

use super::*;
use crate::domain::Rect;
use crate::recorded::sample::Sample;
use crate::recorded::{ActionKind, NewState, write};
use serde_json::json;

fn two_states() -> Sample {
    Sample::new("list").state("list", &["TextView Notes", "Button New note"]).state("new", &["EditText Title"])
}

fn refused(sample: Sample) -> String {
    RecordedApp::load(&sample.files()).unwrap_err().to_string()
}

fn notes(app: &RecordedApp) -> Vec<String> {
    app.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_recording_is_read_whole() {
    let app = two_states()
        .way("list", "click", 2, None, "new", "exploration")
        .way("new", "back", 0, None, "list", "user")
        .task("notes-1", &[("list", "click", 2, None)], "new", &[0], &[("Add a note", &[0])])
        .app();
    assert_eq!(notes(&app), Vec::<String>::new());
    assert_eq!(app.states.len(), 2);
    assert_eq!(app.transitions.len(), 2);
    assert_eq!(app.transitions[0].action.bounds, Some(Rect::new(0, 200, 1080, 400)));
    assert_eq!(app.task("notes-1").unwrap().steps[0].instruction, "Add a note");
    assert_eq!(app.display(), Size::new(1080, 2400));
}

#[test]
fn what_a_recording_cannot_do_without_is_refused_with_file_and_reason() {
    for (sample, expected) in [
        (two_states().file("app.json", "{\"format\": 1,\n oops"), "recording/app.json:2: it is no JSON"),
        (two_states().file("app.json", "{}"), "recording/app.json: it has no `format`"),
        (two_states().file("app.json", "{\"format\": 2}"), "format 2 is not known"),
        (Sample::new("gone").state("list", &["TextView a"]), "add states/gone.xml"),
        (Sample::new("list"), "there is no states/<id>.xml"),
        (
            two_states().file("states/new.xml", "ERROR: null root node"),
            "recording/states/new.xml: this is no hierarchy",
        ),
        (two_states().file("states/..x.xml", "<hierarchy/>"), "is no state id"),
    ] {
        let error = refused(sample);
        assert!(error.contains(expected), "{error}");
    }
    let Files::Memory(mut files) = two_states().files() else { panic!("samples live in memory") };
    files.remove("transitions.jsonl");
    let error = RecordedApp::load(&Files::Memory(files)).unwrap_err().to_string();
    assert!(error.contains("there is no transitions.jsonl"), "{error}");
}

#[test]
fn a_package_or_display_that_makes_no_sense_is_refused() {
    let app = |package: &str, width: u32, density: u32| {
        let text = json!({
            "format": 1, "name": "n", "package": package, "activity": ".A", "initial": "list",
            "display": {"width": width, "height": 10, "density": density},
        });
        RecordedApp::load(&two_states().file("app.json", &text.to_string()).files()).map(drop)
    };
    assert!(app("com.example.notes", 1080, 420).is_ok());
    for (package, width, density) in
        [("notes", 1080, 420), ("../x.y", 1080, 420), ("a.b", 0, 420), ("a.b", 99_999, 420), ("a.b", 1080, 0)]
    {
        assert!(app(package, width, density).is_err(), "{package} {width} {density}");
    }
}

#[test]
fn a_damaged_line_is_left_out_and_named() {
    let good = json!({"from": "list", "to": "new", "action": {"type": "click", "node": 2}, "source": "user"});
    let text = format!(
        "{good}\n{{\"from\": \"li\n\n{}\n{}\n{}\n",
        json!({"from": "list", "to": "nowhere", "action": {"type": "click", "node": 2}}),
        json!({"from": "list", "to": "new", "action": {"type": "click", "node": 77}}),
        json!({"from": "list", "to": "new", "action": {"type": "fly", "node": 2}}),
    );
    let app = two_states().file("transitions.jsonl", &text).app();
    assert_eq!(app.transitions.len(), 1);
    assert_eq!(app.transitions[0].action.bounds, Some(Rect::new(0, 200, 1080, 400)), "taken from the node");
    let notes = notes(&app);
    for (note, expected) in notes.iter().zip([
        ("transitions.jsonl:2: this line was left out", "EOF"),
        ("transitions.jsonl:4: this line was left out", "there is no state \"nowhere\""),
        ("transitions.jsonl:5: this line was left out", "no node 77"),
        ("transitions.jsonl:6: this line was left out", "`fly`"),
    ]) {
        // Lines that are no transition are named first, whatever their place.
        assert!(
            notes.iter().any(|note| note.starts_with(expected.0) && note.contains(expected.1)),
            "{note}: {notes:?}"
        );
    }
    assert_eq!(notes.len(), 4);
}

#[test]
fn an_unknown_field_is_named_once_and_ignored() {
    let line = json!({"from": "list", "to": "new", "mood": 1, "action": {"type": "click", "node": 2, "speed": 2}});
    let app = two_states().line(line.clone()).line(line).app();
    assert_eq!(app.transitions.len(), 2);
    assert_eq!(
        notes(&app),
        [
            "transitions.jsonl:1: the field \"mood\" is not known and ignored",
            "transitions.jsonl:1: the field \"speed\" is not known and ignored"
        ]
    );
}

#[test]
fn bounds_win_over_a_node_that_lies_elsewhere() {
    let line = json!({"from": "list", "to": "new", "action": {"type": "click", "node": 2, "bounds": [0, 0, 9, 9]}});
    let app = two_states().line(line).app();
    assert_eq!(app.transitions[0].action.bounds, Some(Rect::new(0, 0, 9, 9)));
    assert!(notes(&app)[0].contains("the bounds given are used"), "{:?}", app.notes);
}

#[test]
fn a_task_that_contradicts_itself_is_left_out_and_named() {
    type Change = fn(&mut Value);
    let task = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut task = json!({
            "id": "t", "goal": "g", "start": "list", "path": ["list", "new"], "essential": [0], "params": {"n": 7},
            "actions": [{"state": "list", "type": "click", "node": 2, "bounds": null, "text": null}],
            "steps": [{"instruction": "i", "actions": [0]}],
        });
        change(&mut task);
        two_states().task_line(task).app()
    };
    let sound = task(&|_| ());
    assert_eq!((sound.tasks.len(), sound.tasks[0].params["n"].as_str()), (1, "7"));
    let changes: [(Change, &str); 8] = [
        (|task| task["path"] = json!(["list"]), "its path has 1 states"),
        (|task| task["path"] = json!(["list", "gone"]), "there is no state \"gone\""),
        (|task| task["start"] = json!("new"), "not at its start"),
        (|task| task["essential"] = json!([]), "`essential` must name"),
        (|task| task["essential"] = json!([1]), "`essential` must name"),
        (|task| task["steps"][0]["actions"] = json!([3]), "the step \"i\" must name"),
        (|task| task["actions"] = json!([]), "it has no actions"),
        (|task| task["actions"][0]["node"] = json!(9), "no node 9"),
    ];
    for (change, expected) in changes {
        let app = task(&change);
        assert!(app.tasks.is_empty() && app.notes.len() == 1, "{:?}", app.notes);
        let note = app.notes[0].to_string();
        assert!(note.starts_with("tasks.jsonl:1: this task was left out") && note.contains(expected), "{note}");
    }
}

#[test]
fn a_way_that_only_a_task_tells_of_is_possible() {
    let app = two_states().task("t", &[("list", "back", 0, None)], "new", &[0], &[]).app();
    assert_eq!(app.transitions.len(), 1);
    assert_eq!((app.transitions[0].source, app.transitions[0].action.kind), (Source::Solution, ActionKind::Back));
}

#[test]
fn what_is_written_is_read_back() {
    let app = two_states()
        .way("list", "click", 2, None, "new", "solution")
        .way("new", "input", 1, Some("Milk"), "new", "user")
        .task("t", &[("list", "click", 2, None)], "new", &[0], &[("Add a note", &[0])])
        .app();
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("deep/notes");
    let picture = |id: &StateId| (id.as_str() == "list").then(|| vec![1, 2, 3]);
    let states: Vec<NewState> = app
        .states
        .iter()
        .map(|(id, state)| NewState { id: id.clone(), hierarchy: state.hierarchy.clone(), picture: picture(id) })
        .collect();
    write(&folder, &app.info, &states, &app.transitions, &app.tasks).unwrap();
    let again = RecordedApp::open(&folder).unwrap();
    assert_eq!(again.notes, Vec::new());
    assert_eq!((&again.info, &again.transitions, &again.tasks), (&app.info, &app.transitions, &app.tasks));
    let list = &again.states[&StateId::new("list").unwrap()];
    assert_eq!(list.picture.as_ref().unwrap().read().unwrap(), [1, 2, 3]);
    assert_eq!(list.hierarchy, app.states[&StateId::new("list").unwrap()].hierarchy);
    let second = write(&folder, &app.info, &states, &[], &[]).unwrap_err().to_string();
    assert!(second.contains("it holds files already"), "{second}");
    assert_eq!(std::fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1, "nothing half-written stays");
}

#[test]
fn a_folder_that_is_none_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let error = RecordedApp::open(&parent.path().join("gone")).unwrap_err().to_string();
    assert!(error.contains("there is no app.json") && error.contains("A recording is a folder"), "{error}");
}
