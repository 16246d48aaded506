//! Tiny hand-made recordings, for tests.

use super::{Files, RecordedApp};
use crate::domain::Size;
use crate::hierarchy::{Screen, ScreenInput};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A recording in the making.
pub(crate) struct Sample {
    files: BTreeMap<String, Arc<[u8]>>,
    transitions: Vec<Value>,
    tasks: Vec<Value>,
}

/// Height of a row, pixels.
pub(crate) const ROW: i32 = 200;

impl Sample {
    /// A recording on a display of 1080 × 2400 that starts in `initial`.
    pub(crate) fn new(initial: &str) -> Self {
        let app = json!({
            "format": 1, "name": "Notes", "package": "com.example.notes", "activity": ".MainActivity",
            "initial": initial, "display": {"width": 1080, "height": 2400, "density": 420},
        });
        let files = BTreeMap::from([("app.json".to_owned(), bytes(&app.to_string()))]);
        Self { files, transitions: Vec::new(), tasks: Vec::new() }
    }

    /// Replaces or adds a file.
    pub(crate) fn file(mut self, name: &str, content: &str) -> Self {
        self.files.insert(name.to_owned(), bytes(content));
        self
    }

    /// A state of rows below each other, `Class text`: the first row is node 1 and lies at `[0,0][1080,200]`.
    pub(crate) fn state(self, id: &str, rows: &[&str]) -> Self {
        let xml = hierarchy(rows);
        self.file(&format!("states/{id}.xml"), &xml)
    }

    /// A transition by an action on a row (from 1), or with row 0 on none.
    pub(crate) fn way(
        mut self,
        from: &str,
        kind: &str,
        row: usize,
        text: Option<&str>,
        to: &str,
        source: &str,
    ) -> Self {
        self.transitions.push(json!({"from": from, "to": to, "source": source, "action": action(kind, row, text)}));
        self
    }

    /// A line of `transitions.jsonl` as it is.
    pub(crate) fn line(mut self, line: Value) -> Self {
        self.transitions.push(line);
        self
    }

    /// A task: actions as `(state, kind, row, text)`, the states passed, the essential ones, and steps.
    pub(crate) fn task(
        mut self,
        id: &str,
        actions: &[(&str, &str, usize, Option<&str>)],
        end: &str,
        essential: &[usize],
        steps: &[(&str, &[usize])],
    ) -> Self {
        let done: Vec<Value> = actions
            .iter()
            .map(|(state, kind, row, text)| {
                let mut done = action(kind, *row, *text);
                done["state"] = json!(state);
                done
            })
            .collect();
        let path: Vec<&str> = actions.iter().map(|(state, ..)| *state).chain([end]).collect();
        let steps: Vec<Value> =
            steps.iter().map(|(text, actions)| json!({"instruction": text, "actions": actions})).collect();
        self.tasks.push(json!({
            "id": id, "goal": format!("The goal of {id}"), "start": path[0], "actions": done, "path": path,
            "essential": essential, "steps": steps, "params": {},
        }));
        self
    }

    /// A line of `tasks.jsonl` as it is.
    pub(crate) fn task_line(mut self, line: Value) -> Self {
        self.tasks.push(line);
        self
    }

    /// The recording's files.
    pub(crate) fn files(mut self) -> Files {
        let lines = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        self.files.entry("transitions.jsonl".into()).or_insert_with(|| bytes(&lines(&self.transitions)));
        self.files.entry("tasks.jsonl".into()).or_insert_with(|| bytes(&lines(&self.tasks)));
        Files::Memory(self.files)
    }

    /// The recording.
    pub(crate) fn app(self) -> RecordedApp {
        RecordedApp::load(&self.files()).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn bytes(text: &str) -> Arc<[u8]> {
    text.as_bytes().into()
}

fn action(kind: &str, row: usize, text: Option<&str>) -> Value {
    let top = (row as i32 - 1) * ROW;
    match row {
        0 => json!({"type": kind, "node": null, "bounds": null, "text": text}),
        _ => json!({"type": kind, "node": row, "bounds": [0, top, 1080, top + ROW], "text": text}),
    }
}

/// A dump of rows below each other.
pub(crate) fn hierarchy(rows: &[&str]) -> String {
    let node = |index: usize, class: &str, text: &str, bounds: String, children: &str| {
        let clickable = !matches!(class, "TextView" | "FrameLayout");
        format!(
            "<node index=\"{index}\" text=\"{text}\" resource-id=\"\" class=\"android.widget.{class}\" \
             package=\"com.example.notes\" content-desc=\"\" checkable=\"false\" checked=\"false\" \
             clickable=\"{clickable}\" enabled=\"true\" focusable=\"{clickable}\" focused=\"false\" \
             scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
             bounds=\"{bounds}\">{children}</node>"
        )
    };
    let rows: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let (class, text) = row.split_once(' ').unwrap_or((row, ""));
            let top = index as i32 * ROW;
            node(index, class, text, format!("[0,{top}][1080,{}]", top + ROW), "")
        })
        .collect();
    let root = node(0, "FrameLayout", "", "[0,0][1080,2400]".into(), &rows.concat());
    format!("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{root}</hierarchy>")
}

/// A screen of such rows on a display of 1080 × 2400.
pub(crate) fn screen(rows: &[&str]) -> Screen {
    Screen::perceive(ScreenInput {
        hierarchy: hierarchy(rows).as_bytes(),
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    })
}
