//! From the commands of a flow to the sentences of a case.

use super::flow::{Command, Flow, FlowError, command};
use super::sentence::{Named, named, plain};
use super::swiping::direction_of;
use super::typing::Typing;
use super::written::{Parts, write};
use crate::case::Case;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Flows within flows go no deeper.
const MOST_DEEP: usize = 10;
/// What is repeated is written out so often at most.
const MOST_TIMES: u64 = 20;

/// Makes cases of flows.
#[derive(Debug, Clone, Default)]
pub struct Importer {
    /// The application id, where the flow names none or a variable.
    pub app: Option<String>,
    /// Values of variables that the flow gives none.
    pub params: BTreeMap<String, String>,
    /// Where a flow that is run by another is looked for by its file's name, where its own path leads nowhere.
    pub flows: Option<PathBuf>,
}

/// A case made of a flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedCase {
    /// Its id, from the flow's file name.
    pub id: String,
    /// The file's text.
    pub text: String,
    /// What was left out because Tapwright does it by itself, one sentence each.
    pub notes: Vec<String>,
}

/// What is done or checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    Step(String),
    /// A check; at the end of the flow it is an expectation.
    Check {
        step: String,
        expectation: Option<String>,
    },
}

/// When something is done at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Under {
    /// Where the text it quotes is shown.
    Optional,
    /// Where a text is shown; what is done under one condition has one number.
    When { number: usize, shown: String },
}

/// A sentence of the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) deed: Deed,
    pub(super) under: Option<Under>,
}

/// A flow on its way to a case.
pub(super) struct Work<'i> {
    importer: &'i Importer,
    env: BTreeMap<String, String>,
    pub(super) lines: Vec<Line>,
    notes: Vec<String>,
    errors: Vec<FlowError>,
    location: Option<String>,
    pub(super) typing: Typing,
    launched: bool,
    /// The condition at work.
    under: Option<Under>,
    /// How many conditions there were.
    conditions: usize,
}

impl Importer {
    /// The case of a flow file.
    ///
    /// # Errors
    /// Everything in it that has no counterpart, with file and line.
    pub fn import(&self, path: &Path) -> Result<ImportedCase, Vec<FlowError>> {
        let flow = load(path, path, 0).map_err(|error| vec![error])?;
        let mut work = Work {
            importer: self,
            env: self.params.clone(),
            lines: Vec::new(),
            notes: Vec::new(),
            errors: Vec::new(),
            location: None,
            typing: Typing::default(),
            launched: false,
            under: None,
            conditions: 0,
        };
        work.learn(&flow);
        work.commands(path, &flow.commands, 0);
        work.check_filled(path);
        let app = work.app(path, &flow);
        let Work { lines, notes, mut errors, location, env, .. } = work;
        let id = id_of(path);
        if lines.is_empty() && errors.is_empty() {
            errors.push(FlowError { path: path.to_owned(), line: 1, reason: "it does nothing".to_owned() });
        }
        let title = flow.header.name.clone().unwrap_or_else(|| title_of(path));
        let text = write(&Parts { id: &id, title: &title, app: &app, flow: &flow, lines: &lines, location, env: &env });
        if errors.is_empty()
            && let Err(error) = Case::parse(path, &text)
        {
            errors.push(FlowError { path: path.to_owned(), line: 1, reason: format!("no case comes of it: {error}") });
        }
        if errors.is_empty() { Ok(ImportedCase { id, text, notes }) } else { Err(errors) }
    }
}

/// Whether what a command says need not be there.
fn is_optional(value: &Value) -> bool {
    value.get("optional").and_then(Value::as_bool).unwrap_or(false)
}

fn load(path: &Path, from: &Path, line: u64) -> Result<Flow, FlowError> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let reason = format!("cannot read {}: {error}", path.display());
        FlowError { path: from.to_owned(), line: line.max(1), reason }
    })?;
    Flow::parse(path, &text)
}

impl Work<'_> {
    fn refuse(&mut self, path: &Path, line: u64, reason: String) {
        self.errors.push(FlowError { path: path.to_owned(), line, reason });
    }

    /// Values that the flow's header gives; those given to the importer win.
    fn learn(&mut self, flow: &Flow) {
        for (name, value) in &flow.header.env {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.env.entry(name.clone()).or_insert(value);
        }
    }

    fn app(&mut self, path: &Path, flow: &Flow) -> String {
        let given = flow.header.app_id.as_str();
        let variable = given.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        let named = match variable {
            Some(name) => self.env.get(name).cloned(),
            None => Some(given.to_owned()).filter(|app| !app.is_empty()),
        };
        let app = self.importer.app.clone().or(named);
        app.unwrap_or_else(|| {
            self.refuse(path, 1, format!("appId {given:?} names no application: give it with --app PACKAGE"));
            String::new()
        })
    }

    fn commands(&mut self, path: &Path, commands: &[Command], depth: usize) {
        for one in commands {
            if let Err(reason) = self.command(path, one, depth) {
                self.refuse(path, one.line, format!("{}: {reason}", one.name));
            }
        }
    }

    /// A field that was emptied and not filled again: a case has no word for that.
    fn check_filled(&mut self, path: &Path) {
        if let Some(line) = self.typing.left_empty() {
            self.refuse(
                path,
                line,
                "eraseText: nothing is typed after it, and a case has no word for emptying".to_owned(),
            );
        }
    }

    fn command(&mut self, path: &Path, one: &Command, depth: usize) -> Result<(), String> {
        const MAY_BE_OPTIONAL: [&str; 5] = ["tapOn", "longPressOn", "assertVisible", "assertNotVisible", "launchApp"];
        let Command { line, name, value } = one;
        match name.as_str() {
            // None of these looks at what a field holds, or moves on from it.
            "hideKeyboard" => return Ok(()),
            "waitForAnimationToEnd" => {
                self.note("Tapwright waits until the screen is at rest by itself (waitForAnimationToEnd)");
                return Ok(());
            }
            "takeScreenshot" => {
                self.note("every screen is kept in the recording (takeScreenshot)");
                return Ok(());
            }
            "inputText" => return self.typed(value),
            "pasteText" => return self.pasted(),
            "eraseText" => return self.erased(*line),
            _ => {}
        }
        self.check_filled(path);
        if is_optional(value) && !MAY_BE_OPTIONAL.contains(&name.as_str()) {
            return Err("it has no counterpart where it is optional".to_owned());
        }
        match name.as_str() {
            "tapOn" => return self.touch(value, "Tap"),
            "longPressOn" => return self.touch(value, "Touch and hold"),
            "assertVisible" | "assertNotVisible" if is_optional(value) => {
                self.note("what an optional assertion says need not be so, and is left out");
            }
            "assertVisible" => self.check(value, true)?,
            "assertNotVisible" => self.check(value, false)?,
            "extendedWaitUntil" => self.wait(value)?,
            "copyTextFrom" => self.copied(value)?,
            "runFlow" => return self.nested(path, *line, value, depth),
            "retry" => {
                self.note("the agent tries again by itself (retry)");
                let inner = value.get("commands").cloned().unwrap_or_default();
                return self.inline(path, *line, inner, depth);
            }
            "repeat" => return self.repeated(path, *line, value, depth),
            _ => {
                self.typing.touch(None);
                return self.moving(name, value);
            }
        }
        self.typing.look_elsewhere();
        Ok(())
    }

    /// Commands after which another place of the app may be shown.
    fn moving(&mut self, name: &str, value: &Value) -> Result<(), String> {
        match name {
            "launchApp" => self.launch(value)?,
            // The case starts with clean data, and nothing was done since.
            "clearState" if self.lines.is_empty() => {}
            "back" => self.step("Go back".to_owned()),
            "pressKey" => self.key(value)?,
            "scroll" => self.step("Scroll down".to_owned()),
            "swipe" => self.swipe(value)?,
            "scrollUntilVisible" => self.scroll_to(value)?,
            "setLocation" => self.locate(value)?,
            _ => return Err("this command has no counterpart in a case".to_owned()),
        }
        Ok(())
    }

    /// `tapOn` and `longPressOn`. What is optional is told by its text.
    fn touch(&mut self, value: &Value, verb: &str) -> Result<(), String> {
        let optional = is_optional(value);
        let mut selector = value.clone();
        if let Some(map) = selector.as_object_mut() {
            map.remove("optional");
        }
        let target = self.checked(&selector)?;
        let sentence = format!("{verb} {}", target.words);
        if optional {
            if target.text.is_none() {
                return Err("what is optional is named by its text: an id does not tell whether it is there".to_owned());
            }
            if self.under.is_some() {
                return Err("an optional step under a condition has no counterpart".to_owned());
            }
            self.lines.push(Line { deed: Deed::Step(sentence), under: Some(Under::Optional) });
        } else {
            self.step(sentence);
        }
        self.typing.touch(Some(target).filter(|_| !optional && verb == "Tap"));
        Ok(())
    }

    /// `repeat` so many times, written out.
    fn repeated(&mut self, path: &Path, line: u64, value: &Value, depth: usize) -> Result<(), String> {
        if value.get("while").is_some() {
            return Err("what is repeated while something holds has no counterpart".to_owned());
        }
        let times = value.get("times").and_then(|times| times.as_u64().or_else(|| times.as_str()?.parse().ok()));
        let times = times.filter(|times| (1..=MOST_TIMES).contains(times));
        let times = times.ok_or_else(|| format!("it does not say how many times, from 1 to {MOST_TIMES}"))?;
        for _ in 0..times {
            let inner = value.get("commands").cloned().unwrap_or_default();
            self.inline(path, line, inner, depth)?;
        }
        Ok(())
    }

    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// Adds something to do.
    pub(super) fn step(&mut self, step: String) {
        self.lines.push(Line { deed: Deed::Step(step), under: self.under.clone() });
    }

    /// A selector whose variables have values.
    pub(super) fn checked(&self, value: &Value) -> Result<Named, String> {
        let found = named(value)?;
        self.variables(&found.words)?;
        Ok(found)
    }

    /// Every `${name}` of the text has a value; anything else in such marks is an expression.
    pub(super) fn variables(&self, text: &str) -> Result<(), String> {
        for part in text.split("${").skip(1) {
            let Some((name, _)) = part.split_once('}') else { return Err(format!("{text:?} has an open `${{`")) };
            let simple = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
            if !simple {
                return Err(format!("the expression `${{{name}}}` has no counterpart: write its value"));
            }
            if !self.env.contains_key(name) {
                return Err(format!("${{{name}}} has no value: give it under `env:` or with --param {name}=VALUE"));
            }
        }
        Ok(())
    }

    fn launch(&mut self, value: &Value) -> Result<(), String> {
        const KNOWN: [&str; 7] =
            ["appId", "clearState", "clearKeychain", "stopApp", "permissions", "label", "optional"];
        let keys = value.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
        if let Some(unknown) = keys.iter().find(|key| !KNOWN.contains(&key.as_str())) {
            return Err(format!("{unknown:?} has no counterpart"));
        }
        let clears = value.get("clearState").and_then(Value::as_bool).unwrap_or(false);
        if !std::mem::replace(&mut self.launched, true) && self.lines.is_empty() {
            if !clears {
                self.note("a case begins with clean data, also where the flow does not ask for it (launchApp)");
            }
            return Ok(());
        }
        if clears {
            return Err("a case clears the app's data once, at its start: make two cases of it".to_owned());
        }
        self.step("Open the app".to_owned());
        Ok(())
    }

    fn key(&mut self, value: &Value) -> Result<(), String> {
        let key = value.as_str().unwrap_or_default().to_lowercase();
        match key.as_str() {
            "back" => self.step("Go back".to_owned()),
            "enter" => self.step("Press enter".to_owned()),
            _ => return Err(format!("the key {value} has no counterpart")),
        }
        Ok(())
    }

    fn check(&mut self, value: &Value, shown: bool) -> Result<(), String> {
        let found = self.checked(value)?;
        let literal = |text: &String| serde_json::Value::from(text.as_str()).to_string();
        let (step, expectation) = match (found.states.as_slice(), &found.text, shown) {
            ([], text, true) => (
                format!("Check that {} is shown", found.words),
                text.as_ref().map(|text| format!("visible: {}", literal(text))),
            ),
            ([], text, false) => (
                format!("Check that {} is not shown", found.words),
                text.as_ref().map(|text| format!("absent: {}", literal(text))),
            ),
            ([(state, is)], Some(text), true) => {
                let (word, not) = match state.as_str() {
                    "checked" => ("on", "off"),
                    "enabled" => ("enabled", "disabled"),
                    _ => ("selected", "not selected"),
                };
                let told = if *is { word } else { not };
                (
                    format!("Check that {} is {told}", found.words),
                    Some(format!("{state}: {{widget: {}, is: {is}}}", literal(text))),
                )
            }
            _ => {
                return Err("states are checked one at a time, of something named by its text that is shown".to_owned());
            }
        };
        self.lines.push(Line { deed: Deed::Check { step, expectation }, under: self.under.clone() });
        Ok(())
    }

    fn wait(&mut self, value: &Value) -> Result<(), String> {
        self.note("a check waits as long as the device's profile says (timeout)");
        match (value.get("visible"), value.get("notVisible")) {
            (Some(selector), None) => self.check(selector, true),
            (None, Some(selector)) => self.check(selector, false),
            _ => Err("it waits for neither `visible` nor `notVisible`, or for both".to_owned()),
        }
    }

    fn swipe(&mut self, value: &Value) -> Result<(), String> {
        let direction = match (value.get("direction").and_then(Value::as_str), value.get("start"), value.get("end")) {
            (Some(direction), _, _) => direction,
            (None, Some(start), Some(end)) => direction_of(start, end)?,
            _ => return Err("it has neither a direction nor two places".to_owned()),
        };
        // The finger goes one way, what is shown the other.
        let (page, wheel) = match direction.to_uppercase().as_str() {
            "UP" => ("Scroll down", "up"),
            "DOWN" => ("Scroll up", "down"),
            "LEFT" => ("Scroll right", "left"),
            "RIGHT" => ("Scroll left", "right"),
            other => return Err(format!("{other:?} is no direction")),
        };
        match value.get("from") {
            None => self.step(page.to_owned()),
            Some(from) => {
                let target = self.checked(from)?;
                self.step(format!("Swipe {wheel} on {}", target.words));
            }
        }
        Ok(())
    }

    fn scroll_to(&mut self, value: &Value) -> Result<(), String> {
        let element = value.get("element").ok_or("it names no element")?;
        let target = self.checked(element)?;
        let direction = value.get("direction").and_then(Value::as_str).unwrap_or("DOWN").to_lowercase();
        if !["down", "up", "left", "right"].contains(&direction.as_str()) {
            return Err(format!("{direction:?} is no direction"));
        }
        self.step(format!("Scroll {direction} to {}", target.words));
        Ok(())
    }

    fn locate(&mut self, value: &Value) -> Result<(), String> {
        let number = |key: &str| value.get(key).and_then(|at| at.as_f64().or_else(|| at.as_str()?.parse().ok()));
        let (Some(latitude), Some(longitude)) = (number("latitude"), number("longitude")) else {
            return Err("it needs a latitude and a longitude".to_owned());
        };
        if !self.lines.is_empty() {
            return Err("a case has one place, told before its steps".to_owned());
        }
        self.location = Some(format!("{latitude},{longitude}"));
        Ok(())
    }

    fn nested(&mut self, path: &Path, line: u64, value: &Value, depth: usize) -> Result<(), String> {
        let Some(when) = value.get("when") else { return self.run_flow(path, line, value, depth) };
        let known = ["platform", "visible"];
        let Some(when) = when.as_object().filter(|when| when.keys().all(|key| known.contains(&key.as_str()))) else {
            return Err(
                "what is done only under a condition has no counterpart, but for `visible:` and `platform:`".to_owned()
            );
        };
        if when.get("platform").and_then(Value::as_str).is_some_and(|name| !name.eq_ignore_ascii_case("android")) {
            return Ok(());
        }
        let Some(visible) = when.get("visible") else { return self.run_flow(path, line, value, depth) };
        let named = self.checked(visible)?;
        let shown = named.text.filter(|_| named.states.is_empty());
        let shown = shown.ok_or("a condition names a text that is shown, without more")?;
        if self.under.is_some() {
            return Err("a condition under a condition has no counterpart".to_owned());
        }
        self.conditions += 1;
        self.under = Some(Under::When { number: self.conditions, shown });
        self.typing.touch(None);
        let done = self.run_flow(path, line, value, depth);
        self.check_filled(path);
        self.typing.touch(None);
        self.under = None;
        done
    }

    fn run_flow(&mut self, path: &Path, line: u64, value: &Value, depth: usize) -> Result<(), String> {
        if let Some(Value::Object(env)) = value.get("env") {
            for (name, value) in env {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.env.insert(name.clone(), value);
            }
        }
        if let Some(inner) = value.get("commands") {
            return self.inline(path, line, inner.clone(), depth);
        }
        let file = value.as_str().or_else(|| value.get("file").and_then(Value::as_str)).ok_or("it names no file")?;
        if depth >= MOST_DEEP {
            return Err(format!("flows within flows go {MOST_DEEP} deep at most: does one run itself?"));
        }
        let own = path.parent().unwrap_or_else(|| Path::new(".")).join(plain(file).unwrap_or_default());
        let inner = self.found(own);
        match load(&inner, path, line) {
            Ok(flow) => {
                self.learn(&flow);
                self.commands(&inner, &flow.commands, depth + 1);
            }
            Err(error) => self.errors.push(error),
        }
        Ok(())
    }

    /// The file of a flow, or one of its name in the folder of flows where it is not there.
    fn found(&mut self, own: PathBuf) -> PathBuf {
        let beside = self.importer.flows.as_ref().zip(own.file_name()).map(|(flows, name)| flows.join(name));
        match beside.filter(|beside| !own.is_file() && beside.is_file()) {
            Some(beside) => {
                self.note(&format!("{} is not there; {} was taken for it", own.display(), beside.display()));
                beside
            }
            None => own,
        }
    }

    fn inline(&mut self, path: &Path, line: u64, inner: Value, depth: usize) -> Result<(), String> {
        let Value::Array(inner) = inner else { return Err("it has no commands".to_owned()) };
        if depth >= MOST_DEEP {
            return Err(format!("commands within commands go {MOST_DEEP} deep at most"));
        }
        for one in inner {
            let (name, value) = command(one)?;
            self.commands(path, &[Command { line, name, value }], depth + 1);
        }
        Ok(())
    }
}

/// A file's name without what tells its kind.
pub(in crate::case) fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let endings = [".yaml", ".yml", ".journey.xml", ".xml", ".feature"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name).to_owned()
}

/// The id of a case: the file's name in letters, digits, dots, `_` and `-`.
pub(in crate::case) fn id_of(path: &Path) -> String {
    let id: String =
        stem(path).chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect();
    let id = id.trim_start_matches('.').to_owned();
    if id.is_empty() { "FLOW".to_owned() } else { id }
}

fn title_of(path: &Path) -> String {
    stem(path).replace(['_', '-', '.'], " ")
}

#[cfg(test)]
#[path = "translate_tests.rs"]
mod tests;
