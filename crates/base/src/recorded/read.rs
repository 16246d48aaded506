//! Reads and checks a recording.
//!
//! What cannot be done without is refused (`app.json`, a state's hierarchy, the file of transitions); a single damaged
//! line is left out and named, an unknown field is named and ignored.

use super::files::read_file;
use super::form::{ACTION_KEYS, APP_KEYS, STEP_KEYS, TASK_ACTION_KEYS, TASK_KEYS, TRANSITION_KEYS};
use super::{
    ActionKind, AppInfo, Files, Note, RecordedAction, RecordedAppError, Source, StateId, Task, TaskAction, Transition,
};
use crate::domain::Size;
use crate::hierarchy::{UiTree, parse};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most states a recording may have.
const MOST_STATES: usize = 20_000;
/// Most pixels a side of the display may have.
const LONGEST_SIDE: u32 = 16_000;

/// A picture of a state, read when it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picture {
    /// A file.
    File(PathBuf),
    /// The PNG's bytes.
    Bytes(Arc<[u8]>),
}

impl Picture {
    /// The PNG's bytes.
    pub fn read(&self) -> Result<Vec<u8>, RecordedAppError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.to_vec()),
            Self::File(path) => read_file(path)?.ok_or_else(|| RecordedAppError::Read {
                path: path.clone(),
                source: std::io::Error::new(std::io::ErrorKind::NotFound, "it is gone"),
            }),
        }
    }
}

/// A screen of the app.
#[derive(Debug, Clone)]
pub struct State {
    /// The hierarchy as it was dumped.
    pub hierarchy: Vec<u8>,
    /// The same, parsed.
    pub tree: UiTree,
    /// Its picture, where there is one.
    pub picture: Option<Picture>,
}

/// A recorded app.
#[derive(Debug)]
pub struct RecordedApp {
    /// The app.
    pub info: AppInfo,
    /// Its states by id.
    pub states: BTreeMap<StateId, State>,
    /// What leads from one to another, in recorded order; behind them those that only tasks tell of.
    pub transitions: Vec<Transition>,
    /// What people did with it.
    pub tasks: Vec<Task>,
    /// What is odd about the recording.
    pub notes: Vec<Note>,
}

impl RecordedApp {
    /// Reads the recording in a folder.
    pub fn open(folder: &Path) -> Result<Self, RecordedAppError> {
        Self::load(&Files::Folder(folder.to_owned()))
    }

    /// Reads a recording.
    pub fn load(files: &Files) -> Result<Self, RecordedAppError> {
        let mut reader = Reader { files, notes: Vec::new(), told: BTreeSet::new() };
        let info = reader.app()?;
        let states = reader.states()?;
        if !states.contains_key(&info.initial) {
            let reason = format!(
                "the initial state {0:?} is not among the states: add states/{0}.xml or name another",
                info.initial.as_str()
            );
            return Err(reader.malformed("app.json", None, reason));
        }
        let mut transitions = reader.transitions(&states)?;
        let tasks = reader.tasks(&states)?;
        add_tasks_ways(&mut transitions, &tasks);
        Ok(Self { info, states, transitions, tasks, notes: reader.notes })
    }

    /// A state. Every id in `transitions` and `tasks` is known.
    pub fn state(&self, id: &StateId) -> Option<&State> {
        self.states.get(id)
    }

    /// A task by its id.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// The display it was recorded on.
    pub const fn display(&self) -> Size {
        Size::new(self.info.display.width, self.info.display.height)
    }
}

/// A path that a person took is possible even where `transitions.jsonl` does not say so.
fn add_tasks_ways(transitions: &mut Vec<Transition>, tasks: &[Task]) {
    for task in tasks {
        for (done, to) in task.actions.iter().zip(task.path.iter().skip(1)) {
            let known = |known: &Transition| {
                known.from == done.state && known.to == *to && known.action.same_place(&done.action)
            };
            if !transitions.iter().any(known) {
                transitions.push(Transition {
                    from: done.state.clone(),
                    to: to.clone(),
                    action: done.action.clone(),
                    source: Source::Solution,
                });
            }
        }
    }
}

impl RecordedAction {
    /// The same kind of action at the same place with the same text.
    pub fn same_place(&self, other: &Self) -> bool {
        let place = |action: &Self| if action.kind == ActionKind::Back { None } else { action.bounds };
        (self.kind, place(self), &self.text) == (other.kind, place(other), &other.text)
    }
}

struct Reader<'a> {
    files: &'a Files,
    notes: Vec<Note>,
    /// Unknown fields already named, by file and name.
    told: BTreeSet<String>,
}

impl Reader<'_> {
    fn malformed(&self, file: &str, line: Option<usize>, reason: impl Into<String>) -> RecordedAppError {
        RecordedAppError::Malformed { recording: self.files.name(), file: file.to_owned(), line, reason: reason.into() }
    }

    fn missing(&self, file: &str) -> RecordedAppError {
        RecordedAppError::Missing { recording: self.files.name(), file: file.to_owned() }
    }

    fn note(&mut self, file: &str, line: Option<usize>, reason: impl Into<String>) {
        self.notes.push(Note { file: file.to_owned(), line, reason: reason.into(), lost: false });
    }

    fn lost(&mut self, file: &str, line: usize, reason: impl Into<String>) {
        self.notes.push(Note { file: file.to_owned(), line: Some(line), reason: reason.into(), lost: true });
    }

    /// Names keys of `value` that the form does not have, each once for a file.
    fn check_keys(&mut self, file: &str, line: Option<usize>, value: &Value, known: &[&str]) {
        let Some(object) = value.as_object() else { return };
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            if self.told.insert(format!("{file}/{key}")) {
                self.notes.push(Note {
                    file: file.to_owned(),
                    line,
                    reason: format!("the field {key:?} is not known and ignored"),
                    lost: false,
                });
            }
        }
    }

    fn app(&mut self) -> Result<AppInfo, RecordedAppError> {
        const FILE: &str = "app.json";
        let bytes = self.files.read(FILE)?.ok_or_else(|| self.missing(FILE))?;
        let value: Value = serde_json::from_slice(&bytes)
            .map_err(|error| self.malformed(FILE, Some(error.line()), format!("it is no JSON: {error}")))?;
        self.check_keys(FILE, None, &value, APP_KEYS);
        match value.get("format").and_then(Value::as_u64) {
            Some(1) => {}
            Some(other) => {
                let reason = format!("format {other} is not known to this version, which reads format 1");
                return Err(self.malformed(FILE, None, reason));
            }
            None => return Err(self.malformed(FILE, None, "it has no `format`: write `\"format\": 1`")),
        }
        let info: AppInfo =
            serde_json::from_value(value).map_err(|error| self.malformed(FILE, None, error.to_string()))?;
        let display = info.display;
        let side = 1..=LONGEST_SIDE;
        if !side.contains(&display.width) || !side.contains(&display.height) {
            let reason = format!("a display of {} × {} pixels makes no sense", display.width, display.height);
            return Err(self.malformed(FILE, None, reason));
        }
        if !(72..=1000).contains(&display.density) {
            let reason = format!("a density of {} dpi makes no sense: give 72 to 1000", display.density);
            return Err(self.malformed(FILE, None, reason));
        }
        if !is_package(&info.package) {
            let reason = format!("{:?} is no application id such as com.example.notes", info.package);
            return Err(self.malformed(FILE, None, reason));
        }
        Ok(info)
    }

    fn states(&mut self) -> Result<BTreeMap<StateId, State>, RecordedAppError> {
        let mut states = BTreeMap::new();
        for name in self.files.states()? {
            let file = format!("states/{name}");
            let Some(stem) = name.strip_suffix(".xml") else {
                if Path::new(&name).extension().is_none_or(|ending| ending != "png") {
                    self.note(&file, None, "this file belongs to no state and is ignored");
                }
                continue;
            };
            let id = StateId::new(stem).map_err(|error| self.malformed(&file, None, error.to_string()))?;
            let hierarchy = self.files.read(&file)?.ok_or_else(|| self.missing(&file))?;
            let tree = parse(&hierarchy);
            if tree.nodes.is_empty() {
                let said = tree.diagnostics.first().map_or("it holds no node", |found| found.message.as_str());
                let reason = format!("this is no hierarchy ({said}): dump the screen again, or remove the state");
                return Err(self.malformed(&file, None, reason));
            }
            for odd in &tree.diagnostics {
                self.note(&file, None, odd.message.clone());
            }
            let roots = tree.nodes.iter().filter(|node| node.parent.is_none()).count();
            if roots > 1 {
                self.note(&file, None, format!("it holds {roots} windows; only the topmost is played"));
            }
            let picture = self.picture(stem);
            states.insert(id, State { hierarchy, tree, picture });
            if states.len() > MOST_STATES {
                return Err(self.malformed("states", None, format!("there are more than {MOST_STATES} states")));
            }
        }
        if states.is_empty() { Err(self.missing("states/<id>.xml")) } else { Ok(states) }
    }

    fn picture(&self, stem: &str) -> Option<Picture> {
        let name = format!("states/{stem}.png");
        match self.files {
            Files::Folder(folder) => {
                let path = folder.join(name);
                path.is_file().then_some(Picture::File(path))
            }
            Files::Memory(files) => files.get(&name).cloned().map(Picture::Bytes),
        }
    }

    /// The lines of a file that are what they should be; the others are named.
    fn lines<T: DeserializeOwned>(
        &mut self,
        file: &str,
        bytes: &[u8],
        check: impl Fn(&mut Self, usize, &Value),
    ) -> Vec<(usize, T)> {
        let mut found = Vec::new();
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let number = index + 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let read = serde_json::from_slice::<Value>(line).and_then(|value| {
                check(self, number, &value);
                serde_json::from_value(value)
            });
            match read {
                Ok(entry) => found.push((number, entry)),
                Err(error) => self.lost(file, number, format!("this line was left out: {error}")),
            }
        }
        found
    }

    fn transitions(&mut self, states: &BTreeMap<StateId, State>) -> Result<Vec<Transition>, RecordedAppError> {
        const FILE: &str = "transitions.jsonl";
        let bytes = self.files.read(FILE)?.ok_or_else(|| self.missing(FILE))?;
        let lines = self.lines(FILE, &bytes, |reader, line, value| {
            reader.check_keys(FILE, Some(line), value, TRANSITION_KEYS);
            if let Some(action) = value.get("action") {
                reader.check_keys(FILE, Some(line), action, ACTION_KEYS);
            }
        });
        let mut transitions = Vec::new();
        for (line, mut transition) in lines {
            let transition: &mut Transition = &mut transition;
            let missing = [&transition.from, &transition.to].into_iter().find(|id| !states.contains_key(*id));
            let found = match missing {
                Some(id) => Err(format!("there is no state {:?}", id.as_str())),
                None => settle(&mut transition.action, &states[&transition.from].tree),
            };
            match found {
                Ok(None) => transitions.push(transition.clone()),
                Ok(Some(odd)) => {
                    self.note(FILE, Some(line), odd);
                    transitions.push(transition.clone());
                }
                Err(reason) => self.lost(FILE, line, format!("this line was left out: {reason}")),
            }
        }
        Ok(transitions)
    }

    fn tasks(&mut self, states: &BTreeMap<StateId, State>) -> Result<Vec<Task>, RecordedAppError> {
        const FILE: &str = "tasks.jsonl";
        let Some(bytes) = self.files.read(FILE)? else { return Ok(Vec::new()) };
        let lines: Vec<(usize, Task)> = self.lines(FILE, &bytes, |reader, line, value| {
            reader.check_keys(FILE, Some(line), value, TASK_KEYS);
            for (list, keys) in [("actions", TASK_ACTION_KEYS), ("steps", STEP_KEYS)] {
                for entry in value.get(list).and_then(Value::as_array).into_iter().flatten() {
                    reader.check_keys(FILE, Some(line), entry, keys);
                }
            }
        });
        let mut tasks: Vec<Task> = Vec::new();
        for (line, mut task) in lines {
            let twice = tasks.iter().any(|other| other.id == task.id);
            let checked = if twice { Err(format!("the id {:?} is used twice", task.id)) } else { check(&task, states) };
            let settled = checked.and_then(|()| {
                let mut odd = Vec::new();
                for TaskAction { state, action } in &mut task.actions {
                    odd.extend(settle(action, &states[state].tree)?);
                }
                Ok(odd)
            });
            match settled {
                Ok(odd) => {
                    for odd in odd {
                        self.note(FILE, Some(line), odd);
                    }
                    tasks.push(task);
                }
                Err(reason) => self.lost(FILE, line, format!("this task was left out: {reason}")),
            }
        }
        Ok(tasks)
    }
}

/// Gives an action the bounds of its node where it has none. Says what is odd, or why it cannot be used.
fn settle(action: &mut RecordedAction, tree: &UiTree) -> Result<Option<String>, String> {
    let node = match action.node {
        Some(index) => match tree.nodes.get(index) {
            Some(node) => Some(node),
            None if action.bounds.is_none() => {
                return Err(format!("the state has no node {index}, and no bounds are given"));
            }
            None => return Ok(Some(format!("the state has no node {index}; the bounds are used"))),
        },
        None => None,
    };
    match (node, action.bounds) {
        (Some(node), None) => action.bounds = Some(node.bounds),
        (Some(node), Some(bounds)) if node.bounds != bounds => {
            return Ok(Some(format!(
                "node {} lies at {} and not at {bounds}; the bounds given are used",
                action.node.unwrap_or(0),
                node.bounds
            )));
        }
        _ => {}
    }
    let aimed = matches!(action.kind, ActionKind::Click | ActionKind::LongClick | ActionKind::Input);
    if aimed && action.bounds.is_none() {
        return Err(format!("a {} needs a node or bounds", action.kind));
    }
    Ok(None)
}

fn check(task: &Task, states: &BTreeMap<StateId, State>) -> Result<(), String> {
    let actions = task.actions.len();
    if actions == 0 {
        return Err("it has no actions".into());
    }
    if task.path.len() != actions + 1 {
        return Err(format!("its path has {} states for {actions} actions; it needs {}", task.path.len(), actions + 1));
    }
    if let Some(id) = task.path.iter().find(|id| !states.contains_key(*id)) {
        return Err(format!("there is no state {:?}", id.as_str()));
    }
    if task.path[0] != task.start {
        return Err(format!("its path begins at {} and not at its start {}", task.path[0], task.start));
    }
    if let Some(at) = (0..actions).find(|&at| task.actions[at].state != task.path[at]) {
        return Err(format!("action {at} is done in {}, but the path is at {}", task.actions[at].state, task.path[at]));
    }
    let ordered = |indices: &[usize]| indices.windows(2).all(|pair| pair[0] < pair[1]);
    if task.essential.is_empty() || !ordered(&task.essential) || task.essential.iter().any(|&at| at >= actions) {
        return Err(format!("`essential` must name some of the actions 0 to {} in order", actions - 1));
    }
    let wrong = |step: &&super::TaskStep| {
        step.actions.is_empty() || !ordered(&step.actions) || step.actions.iter().any(|&at| at >= actions)
    };
    if let Some(step) = task.steps.iter().find(wrong) {
        return Err(format!(
            "the step {:?} must name some of the actions 0 to {} in order",
            step.instruction,
            actions - 1
        ));
    }
    Ok(())
}

fn is_package(name: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.contains('.') && name.len() <= 200 && name.split('.').all(part)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
