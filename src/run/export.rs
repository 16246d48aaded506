//! Runs as a recorded app: what they saw becomes states, what they did transitions, a passed run a task.
//!
//! Screens that look the same to the agent are one state, so several runs of one app make one map. Secrets stay what
//! they are in a run's recording: names, and masked texts.

use super::history::{Done, History, SeenScreen, read_artifact};
use crate::domain::{PackageName, Point, Rect, Size};
use crate::hierarchy::{Fingerprint, Screen, ScreenInput, UiNode, UiTree, holds_field};
use crate::recorded::{
    self, ActionKind, AppInfo, DisplayInfo, NewState, Note, RecordedAction, RecordedAppError, Source, StateId, Task,
    TaskAction, TaskStep, Transition,
};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Why runs could not become a recorded app.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A run's files cannot be read.
    #[error("{run}: {reason}; name the folder of a run, which holds events.jsonl and screens/")]
    Run {
        /// The run's folder.
        run: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The runs belong to different apps.
    #[error("{run} is about {package}, the runs before about {other}; export the runs of one app at a time")]
    OtherApp {
        /// The run's folder.
        run: PathBuf,
        /// Its app.
        package: PackageName,
        /// The app of those before.
        other: PackageName,
    },
    /// The run did not do so much.
    #[error("{run} has no action {at}: it did {actions}; give --at a number up to {}, which is its end", actions + 1)]
    NoAction {
        /// The run's folder.
        run: PathBuf,
        /// The action that is asked for, from 1.
        at: usize,
        /// How many there are.
        actions: usize,
    },
    /// The runs were made on displays of different sizes.
    #[error(
        "{run} was made on a display of {} × {} pixels, the runs before on {} × {}; export those of one size together",
        display.width, display.height, other.width, other.height
    )]
    OtherDisplay {
        /// The run's folder.
        run: PathBuf,
        /// Its display.
        display: Size,
        /// The display of those before.
        other: Size,
    },
    /// The recording could not be written.
    #[error(transparent)]
    Write(#[from] RecordedAppError),
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The app.
    pub package: PackageName,
    /// States written.
    pub states: usize,
    /// Transitions written.
    pub transitions: usize,
    /// Tasks written: runs that passed.
    pub tasks: usize,
    /// What was left out, and why.
    pub notes: Vec<Note>,
}

/// Writes `runs` as one recorded app into `output`, which must be new. The app starts in the first run's first screen.
pub fn export_runs(runs: &[PathBuf], output: &Path) -> Result<Exported, ExportError> {
    let mut map = Map::default();
    for run in runs {
        map.add(run)?;
    }
    let run = runs.first().cloned().unwrap_or_default();
    map.write(&run, 0, output)
}

/// Writes a run as a recorded app into `output`, which must be new. The app starts in the screen on which the run's action `at`
/// (from 1) was carried out; one past the last is the run's end.
///
/// # Errors
/// The run cannot be read or has no such action, or the app cannot be written.
pub fn export_run_at(run: &Path, at: usize, output: &Path) -> Result<Exported, ExportError> {
    let mut map = Map::default();
    let Walked { before, end } = map.add(run)?;
    let none = || ExportError::NoAction { run: run.to_owned(), at, actions: before.len() };
    let place = if at == before.len() + 1 { Some(end) } else { before.get(at.wrapping_sub(1)).copied() };
    map.write(run, place.ok_or_else(none)?, output)
}

/// The places of the screens of a run, among all states.
struct Walked {
    /// On which each of its actions was carried out.
    before: Vec<usize>,
    /// The last one.
    end: usize,
}

/// The density phones with such a display have: runs do not tell theirs.
fn density(display: Size) -> u32 {
    const USUAL: [u32; 12] = [120, 160, 213, 240, 280, 320, 360, 400, 420, 480, 560, 640];
    let wanted = display.width.min(display.height) * 160 / 411;
    USUAL.into_iter().min_by_key(|usual| usual.abs_diff(wanted)).unwrap_or(420)
}

struct KnownState {
    new: NewState,
    tree: UiTree,
}

/// The app as the runs so far show it.
#[derive(Default)]
struct Map {
    /// Package and activity.
    app: Option<(PackageName, String)>,
    display: Option<Size>,
    states: Vec<KnownState>,
    /// Place of a state by what the agent sees of it.
    looks: HashMap<(Fingerprint, u64), usize>,
    transitions: Vec<Transition>,
    tasks: Vec<Task>,
    notes: Vec<Note>,
}

impl Map {
    /// Writes it as an app that starts in the state at a place; `run` is named where there is nothing to write.
    fn write(self, run: &Path, initial: usize, output: &Path) -> Result<Exported, ExportError> {
        let (Some((package, activity)), Some(display), Some(first)) =
            (&self.app, self.display, self.states.get(initial))
        else {
            return Err(ExportError::Run { run: run.to_owned(), reason: "no screen of the app was seen".into() });
        };
        let (package, activity) = (package.clone(), activity.clone());
        let info = AppInfo {
            format: 1,
            name: package.as_str().rsplit('.').next().unwrap_or_default().to_owned(),
            package: package.as_str().to_owned(),
            activity,
            initial: first.new.id.clone(),
            display: DisplayInfo { width: display.width, height: display.height, density: density(display) },
            version: None,
            bounds: None,
            license: None,
            source: Some("recorded by tapwright run".into()),
        };
        let states: Vec<NewState> = self.states.into_iter().map(|state| state.new).collect();
        recorded::write(output, &info, &states, &self.transitions, &self.tasks)?;
        let (transitions, tasks) = (self.transitions.len(), self.tasks.len());
        Ok(Exported { package, states: states.len(), transitions, tasks, notes: self.notes })
    }

    /// Adds what a run saw and did.
    fn add(&mut self, run: &Path) -> Result<Walked, ExportError> {
        let mut history = History::read(run)?;
        self.notes.append(&mut history.notes);
        self.belongs(run, &history)?;
        let mut states = Vec::new();
        for seen in &history.screens {
            states.push(self.state(run, seen)?);
        }
        let source = if history.passed { Source::Solution } else { Source::Exploration };
        // What follows an action is the screen the next one was done on; after the last, what was seen last.
        let waits = |done: &&Done| done.action["skill"] != "wait";
        let actions: Vec<&Done> = history.actions.iter().filter(waits).collect();
        let mut path = Vec::new();
        for (number, done) in actions.iter().enumerate() {
            let after = actions.get(number + 1).map_or(states.len() - 1, |next| next.from);
            let (Some(&from), Some(&to)) = (states.get(done.from), states.get(after)) else { continue };
            let Some(action) = recorded_action(&done.action, &self.states[from].tree) else {
                let skill = done.action["skill"].as_str().unwrap_or_default().to_owned();
                self.note(run, format!("an action {skill:?} has no place in a recording and was left out"));
                continue;
            };
            if from == to && !done.valid {
                continue;
            }
            let transition = Transition { from: self.id(from), to: self.id(to), action: action.clone(), source };
            if !self.transitions.contains(&transition) {
                self.transitions.push(transition);
            }
            path.push((done.step, from, to, action, done.valid));
        }
        if history.passed {
            self.add_task(run, &history, &path);
        } else {
            self.note(run, "this run did not pass, so it makes no task".into());
        }
        let end = states.last().copied().unwrap_or_default();
        let before = history.actions.iter().map(|done| states.get(done.from).copied().unwrap_or(end)).collect();
        Ok(Walked { before, end })
    }

    fn note(&mut self, run: &Path, reason: String) {
        self.notes.push(Note { file: run.display().to_string(), line: None, reason, lost: true });
    }

    fn id(&self, place: usize) -> StateId {
        self.states[place].new.id.clone()
    }

    /// Every run must be about the same app.
    fn belongs(&mut self, run: &Path, history: &History) -> Result<(), ExportError> {
        let front = history.screens.iter().find_map(|screen| screen.foreground.as_deref()?.split_once('/'));
        let Some((package, activity)) = front else { return Ok(()) };
        let package = PackageName::new(package);
        match &self.app {
            Some((other, _)) if *other != package => {
                Err(ExportError::OtherApp { run: run.to_owned(), package, other: other.clone() })
            }
            Some(_) => Ok(()),
            None => {
                self.app = Some((package, activity.to_owned()));
                Ok(())
            }
        }
    }

    /// The state that looks like this screen; a new one where none does.
    fn state(&mut self, run: &Path, seen: &SeenScreen) -> Result<usize, ExportError> {
        let read = |name: &str| read_artifact(run, name);
        let hierarchy = read(&seen.hierarchy)?;
        let picture = seen.screenshot.as_deref().map(read).transpose()?;
        let pictured = picture.as_deref().and_then(picture_size);
        let display = self.display.or(pictured).unwrap_or(Size::new(0, 0));
        let screen = Screen::perceive(ScreenInput {
            hierarchy: &hierarchy,
            screenshot: None,
            display,
            foreground: seen.foreground.clone(),
            keyboard_shown: false,
        });
        let display = pictured.unwrap_or(screen.display);
        match self.display {
            Some(other) if pictured.is_some() && other != display => {
                return Err(ExportError::OtherDisplay { run: run.to_owned(), display, other });
            }
            _ => drop(self.display.get_or_insert(display)),
        }
        let next = self.states.len();
        let place = *self.looks.entry((screen.fingerprint, screen.digest)).or_insert(next);
        if place == next {
            let id = StateId::new(format!("s{next:03}"))
                .map_err(|error| ExportError::Run { run: run.to_owned(), reason: error.to_string() })?;
            self.states.push(KnownState { new: NewState { id, hierarchy, picture }, tree: screen.tree });
        } else if let Some(known) = self.states.get_mut(place) {
            known.new.picture = known.new.picture.take().or(picture);
        }
        Ok(place)
    }

    fn add_task(&mut self, run: &Path, history: &History, path: &[(usize, usize, usize, RecordedAction, bool)]) {
        // Each action must begin where the one before ended.
        let joined = path.windows(2).all(|pair| pair[0].2 == pair[1].1);
        let (Some(first), true) = (path.first(), joined) else {
            self.note(run, "what it did is not one path, so it makes no task".into());
            return;
        };
        let mut states = vec![self.id(first.1)];
        states.extend(path.iter().map(|(_, _, to, ..)| self.id(*to)));
        let last = path.iter().rposition(|(.., valid)| *valid);
        let typed = |(at, (_, _, _, action, valid)): (usize, &(usize, usize, usize, RecordedAction, bool))| {
            (action.kind == ActionKind::Input && *valid || Some(at) == last).then_some(at)
        };
        let essential: Vec<usize> = path.iter().enumerate().filter_map(typed).collect();
        let steps = history.steps.iter().filter_map(|step| {
            let actions: Vec<usize> = (0..path.len()).filter(|&at| path[at].0 == step.number).collect();
            (!actions.is_empty()).then(|| TaskStep { instruction: step.instruction.clone(), actions })
        });
        let steps = steps.collect();
        let secrets = path.iter().filter_map(|(_, _, _, action, _)| action.secret.clone());
        let params: BTreeMap<String, String> = secrets.map(|name| (name, "***".to_owned())).collect();
        let same = self.tasks.iter().filter(|task| task.id.starts_with(&history.case_id)).count();
        let id = if same == 0 { history.case_id.clone() } else { format!("{}-{}", history.case_id, same + 1) };
        let action = |(_, from, _, action, _): &(usize, usize, usize, RecordedAction, bool)| TaskAction {
            state: self.id(*from),
            action: action.clone(),
        };
        let actions: Vec<TaskAction> = path.iter().map(action).collect();
        if essential.is_empty() {
            self.note(run, "nothing it did had an effect, so it makes no task".into());
            return;
        }
        let (goal, start) = (history.title.clone(), states[0].clone());
        self.tasks.push(Task { id, goal, start, actions, path: states, essential, steps, params });
    }
}

/// An action of a run's event in the form of a recording; `None` for what has no place there.
fn recorded_action(action: &Value, tree: &UiTree) -> Option<RecordedAction> {
    let bounds_of = |value: &Value| serde_json::from_value::<Rect>(value.clone()).ok();
    let tap = serde_json::from_value::<Point>(action["target"]["tap"].clone()).ok();
    let target = bounds_of(&action["target"]["bounds"]);
    let plain = |kind, bounds: Option<Rect>, text: Option<String>| RecordedAction {
        kind,
        node: bounds.and_then(|bounds| node_at(tree, bounds)),
        bounds,
        text,
        secret: None,
        keys: BTreeMap::new(),
    };
    let word = |value: &Value| value.as_str().map(str::to_owned);
    Some(match action["skill"].as_str()? {
        "click" => plain(ActionKind::Click, Some(target?), None),
        "long_press" => plain(ActionKind::LongClick, Some(target?), None),
        "input_text" => {
            // A field reacts as a whole, also where only a part of it could be seen.
            let field = smallest(tree, tap?, holds_field).or(target)?;
            let text = &action["text"];
            let plain = plain(ActionKind::Input, Some(field), word(&text["text"]));
            RecordedAction { secret: word(&text["secret"]), ..plain }
        }
        "input_by_numeric_keyboard" => {
            let keys: BTreeMap<char, Point> = serde_json::from_value(action["keys"].clone()).ok()?;
            let places = keys.values().filter_map(|at| smallest(tree, *at, |_| true));
            let union = |a: Rect, b: Rect| {
                Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
            };
            let bounds = places.reduce(union)?;
            let digits = &action["digits"];
            let plain = plain(ActionKind::Input, Some(bounds), word(&digits["text"]));
            RecordedAction { node: None, secret: word(&digits["secret"]), keys, ..plain }
        }
        "press_back" => plain(ActionKind::Back, None, None),
        "scroll" => plain(ActionKind::Scroll, Some(bounds_of(&action["area"])?), word(&action["direction"])),
        "swipe_selector" => plain(ActionKind::Scroll, Some(target?), word(&action["direction"])),
        "open_app" => plain(ActionKind::Launch, None, word(&action["package"])),
        _ => return None,
    })
}

/// The node that lies exactly there, one that can be touched where there are several.
fn node_at(tree: &UiTree, bounds: Rect) -> Option<usize> {
    let there = || (0..tree.nodes.len()).filter(|&at| tree.nodes[at].bounds == bounds);
    there().find(|&at| tree.nodes[at].clickable).or_else(|| there().next_back())
}

/// The smallest node of a kind that holds the point.
fn smallest(tree: &UiTree, at: Point, kind: impl Fn(&UiNode) -> bool) -> Option<Rect> {
    let there = tree.nodes.iter().filter(|node| node.bounds.contains(at) && kind(node));
    there.map(|node| node.bounds).min_by_key(|bounds| bounds.area())
}

/// Size of a PNG, from its first chunk (PNG specification, 11.2.2).
fn picture_size(png: &[u8]) -> Option<Size> {
    let header = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    (header.get(4..8)? == b"IHDR").then_some(())?;
    Some(Size::new(number(8)?, number(12)?))
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
