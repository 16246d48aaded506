//! From the commands of a flow to the sentences of a case.

use super::flow::{Command, Flow, FlowError, command};
use super::sentence::{Named, named, plain, quoted};
use crate::case::Case;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Flows within flows go no deeper.
const MOST_DEEP: usize = 10;

/// Makes cases of flows.
#[derive(Debug, Clone, Default)]
pub struct Importer {
    /// The application id, where the flow names none or a variable.
    pub app: Option<String>,
    /// Values of variables that the flow gives none.
    pub params: BTreeMap<String, String>,
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

/// What is done or checked, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    Step(String),
    /// A check; at the end of the flow it is an expectation.
    Check {
        step: String,
        expectation: Option<String>,
    },
}

struct Work<'i> {
    importer: &'i Importer,
    env: BTreeMap<String, String>,
    lines: Vec<Line>,
    notes: Vec<String>,
    errors: Vec<FlowError>,
    location: Option<String>,
    /// What the last command touched: text that is typed next goes there.
    touched: Option<Named>,
    launched: bool,
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
            touched: None,
            launched: false,
        };
        work.learn(&flow);
        work.commands(path, &flow.commands, 0);
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

    fn command(&mut self, path: &Path, one: &Command, depth: usize) -> Result<(), String> {
        let Command { line, name, value } = one;
        let touched = self.touched.take();
        match name.as_str() {
            "launchApp" => return self.launch(value),
            // The case starts with clean data and the keyboard is the agent's business.
            "clearState" if !self.launched => {}
            "hideKeyboard" => self.touched = touched,
            "waitForAnimationToEnd" => {
                self.touched = touched;
                self.note("Tapwright waits until the screen is at rest by itself (waitForAnimationToEnd)");
            }
            "takeScreenshot" => self.note("every screen is kept in the recording (takeScreenshot)"),
            "tapOn" => {
                let target = self.checked(value)?;
                self.step(format!("Tap {}", target.words));
                self.touched = Some(target);
            }
            "longPressOn" => {
                let target = self.checked(value)?;
                self.step(format!("Touch and hold {}", target.words));
            }
            "inputText" => self.typed(value, touched.as_ref())?,
            "eraseText" => match touched {
                Some(target) => self.touched = Some(target),
                None => return Err("it is not told which field is emptied: tap it first".to_owned()),
            },
            "back" => self.step("Go back".to_owned()),
            "pressKey" => self.key(value)?,
            "assertVisible" => self.check(value, true)?,
            "assertNotVisible" => self.check(value, false)?,
            "extendedWaitUntil" => self.wait(value)?,
            "scroll" => self.step("Scroll down".to_owned()),
            "swipe" => self.swipe(value)?,
            "scrollUntilVisible" => self.scroll_to(value)?,
            "setLocation" => self.locate(value)?,
            "runFlow" => self.nested(path, *line, value, depth)?,
            "retry" => {
                self.note("the agent tries again by itself (retry)");
                let inner = value.get("commands").cloned().unwrap_or_default();
                self.inline(path, *line, inner, depth)?;
            }
            _ => return Err("this command has no counterpart in a case".to_owned()),
        }
        Ok(())
    }

    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    fn step(&mut self, step: String) {
        self.lines.push(Line::Step(step));
    }

    /// A selector whose variables have values.
    fn checked(&self, value: &Value) -> Result<Named, String> {
        let found = named(value)?;
        self.variables(&found.words)?;
        Ok(found)
    }

    /// Every `${name}` of the text has a value; anything else in such marks is an expression.
    fn variables(&self, text: &str) -> Result<(), String> {
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

    fn typed(&mut self, value: &Value, touched: Option<&Named>) -> Result<(), String> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            Value::Object(map) if map.len() == 1 || map.contains_key("label") => {
                map.get("text").and_then(Value::as_str).map(str::to_owned).ok_or("it names no text")?
            }
            other => return Err(format!("{other} is no text")),
        };
        self.variables(&text)?;
        let what = if text.starts_with("${") && text.ends_with('}') { text } else { quoted(&text) };
        match touched {
            Some(target) => {
                // What was touched to type into it is one sentence with what is typed.
                self.lines.pop();
                let field =
                    if target.text.is_some() { target.words.clone() } else { format!("{} field", target.words) };
                self.step(format!("Enter {what} into {field}"));
            }
            None => self.step(format!("Type {what}")),
        }
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
        self.lines.push(Line::Check { step, expectation });
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
        let Some(direction) = value.get("direction").and_then(Value::as_str) else {
            return Err("a swipe between two places has no counterpart: give its direction".to_owned());
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
        match value.get("when") {
            None => {}
            Some(when) => {
                match (when.as_object().map(serde_json::Map::len), when.get("platform").and_then(Value::as_str)) {
                    (Some(1), Some(platform)) if platform.eq_ignore_ascii_case("android") => {}
                    (Some(1), Some(_)) => return Ok(()),
                    _ => return Err("what is done only under a condition has no counterpart".to_owned()),
                }
            }
        }
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
        let inner: PathBuf = path.parent().unwrap_or_else(|| Path::new(".")).join(plain(file).unwrap_or_default());
        match load(&inner, path, line) {
            Ok(flow) => {
                self.learn(&flow);
                self.commands(&inner, &flow.commands, depth + 1);
            }
            Err(error) => self.errors.push(error),
        }
        Ok(())
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

struct Parts<'p> {
    id: &'p str,
    title: &'p str,
    app: &'p str,
    flow: &'p Flow,
    lines: &'p [Line],
    location: Option<String>,
    env: &'p BTreeMap<String, String>,
}

/// The case as a file. Checks at the end are expectations; a value that is named like a password is a secret.
fn write(parts: &Parts<'_>) -> String {
    let literal = |text: &str| Value::from(text).to_string();
    let is_expected = |line: &Line| matches!(line, Line::Check { expectation: Some(_), .. });
    let ends = parts.lines.iter().rev().take_while(|line| is_expected(line)).count();
    let (steps, expected) = parts.lines.split_at(parts.lines.len() - ends);
    // A case does something: where a flow only looks, its first check is a step.
    let (steps, expected) =
        if steps.is_empty() { parts.lines.split_at(1.min(parts.lines.len())) } else { (steps, expected) };
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a text never fails.
        let _ = writeln!(text, "{line}");
    };
    line(format!("id: {}", parts.id));
    line(format!("title: {}", literal(parts.title)));
    line(format!("app: {{package: {}}}", literal(parts.app)));
    if !parts.flow.header.tags.is_empty() {
        let tags: Vec<String> = parts.flow.header.tags.iter().map(|tag| literal(tag)).collect();
        line(format!("tags: [{}]", tags.join(", ")));
    }
    if let Some(location) = &parts.location {
        line(format!("location: {}", literal(location)));
    }
    let used = |name: &str| {
        let mark = format!("${{{name}}}");
        parts.lines.iter().any(|line| match line {
            Line::Step(step) => step.contains(&mark),
            Line::Check { step, .. } => step.contains(&mark),
        })
    };
    let params: Vec<(&String, &String)> = parts.env.iter().filter(|(name, _)| used(name)).collect();
    if !params.is_empty() {
        line("params:".to_owned());
    }
    for (name, value) in params {
        let hidden = ["password", "passwort", "secret", "pin", "token"];
        let is_secret = hidden.iter().any(|word| name.to_lowercase().contains(word));
        let value = literal(value);
        line(if is_secret {
            format!("  {name}: {{value: {value}, secret: true}}")
        } else {
            format!("  {name}: {value}")
        });
    }
    line("steps:".to_owned());
    for one in steps {
        let (Line::Step(step) | Line::Check { step, .. }) = one;
        line(format!("  - {}", literal(step)));
    }
    if !expected.is_empty() {
        line("expect:".to_owned());
    }
    for one in expected {
        if let Line::Check { expectation: Some(expectation), .. } = one {
            line(format!("  - {expectation}"));
        }
    }
    text
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
