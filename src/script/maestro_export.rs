//! A script as a Maestro flow.
//!
//! Texts of Maestro are regular expressions that must match as a whole, so they are escaped; places are in percent of the
//! display. What stands between `${` and `}` is a program to Maestro: only secrets do. What Maestro has no word for is a comment in the flow, and told to whoever exports.

use super::exported::Exported;
use super::format::{Script, ScriptAction, ScriptTarget};
use super::handle::{Handle, handle};
use super::sentence::one_line;
use super::variable::variable;
use crate::domain::{Direction, Expectation, Point, Size};
use std::fmt::Write as _;

/// The flow of a script for one device; why there is none for one of several.
pub fn to_maestro(script: &Script) -> Result<Exported, String> {
    if !script.actors.is_empty() {
        return Err("a Maestro flow drives one device, and this script several".to_owned());
    }
    let mut flow = Writer {
        text: String::new(),
        left_out: Vec::new(),
        secrets: &script.secrets,
        display: Size::new(script.device.width, script.device.height),
    };
    flow.line(&format!("appId: {}", script.app.package));
    flow.line(&format!("name: {}", literal(&format!("{}: {}", script.case_id, script.title))));
    if !script.secrets.is_empty() {
        let names: Vec<String> = script.secrets.iter().map(|name| variable(name)).collect();
        let names = names.join(", ");
        flow.line(&format!("# Give its secrets when you run it, `maestro test -e NAME=VALUE`: {names}"));
    }
    flow.line("---");
    flow.line("- launchApp:\n    clearState: true\n    stopApp: true");
    let mut step = None;
    for action in &script.actions {
        if step.replace(action.step) != Some(action.step) {
            flow.line(&format!("# {}. {}", action.step, one_line(&action.instruction)));
        }
        action.checks.iter().for_each(|check| flow.expectation(check));
        flow.action(action);
    }
    script.expectations.iter().for_each(|wanted| flow.expectation(wanted));
    Ok(Exported { text: flow.text, left_out: flow.left_out })
}

struct Writer<'s> {
    text: String,
    left_out: Vec<String>,
    /// Their marks in what is expected are variables.
    secrets: &'s [String],
    display: Size,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a text never fails.
        let _ = writeln!(self.text, "{line}");
    }

    fn leave_out(&mut self, what: &str) {
        self.line(&format!("# not in Maestro's words: {}", one_line(what)));
        self.left_out.push(what.to_owned());
    }

    fn command(&mut self, name: &str, selector: &[(String, String)]) {
        self.line(&format!("- {name}:"));
        for (key, value) in selector {
            self.line(&format!("    {key}: {value}"));
        }
    }

    fn percent(&self, point: Point) -> String {
        let share = |at: i32, whole: u32| (f64::from(at) * 100.0 / f64::from(whole.max(1))).round() as i64;
        format!("{}%,{}%", share(point.x, self.display.width), share(point.y, self.display.height))
    }

    fn action(&mut self, action: &ScriptAction) {
        let target = action.target.as_ref();
        match (action.skill.as_str(), target) {
            ("click", Some(target)) => {
                let selector = self.touched(action, target);
                self.command("tapOn", &selector);
            }
            ("long_press", Some(target)) => {
                let selector = self.touched(action, target);
                self.command("longPressOn", &selector);
            }
            ("input_text", Some(target)) => {
                let selector = self.selector(target);
                self.command("tapOn", &selector);
                self.line("- eraseText");
                self.line(&format!("- inputText: {}", typed(action)));
            }
            ("input_by_numeric_keyboard", _) => self.keypad(action),
            ("press_back", _) => self.line("- back"),
            ("press_enter", _) => self.line("- pressKey: Enter"),
            ("scroll", _) => {
                let towards = action.direction.unwrap_or(Direction::Down);
                self.command("swipe", &[("direction".to_owned(), finger(towards).to_owned())]);
            }
            ("swipe_selector", Some(target)) => {
                let towards = action.direction.unwrap_or(Direction::Down);
                let selector = self.selector(target);
                self.line("- swipe:\n    from:");
                for (key, value) in selector {
                    self.line(&format!("      {key}: {value}"));
                }
                self.line(&format!("    direction: {}", finger(towards)));
            }
            ("open_app", _) => self.line("- launchApp:\n    stopApp: false"),
            (other, _) => self.leave_out(&format!("{other} in step {}", action.step)),
        }
    }

    /// A keypad that the app draws takes touches on its keys. A secret's keys are not known before it is given.
    fn keypad(&mut self, action: &ScriptAction) {
        let Some(text) = &action.text else {
            let name = action.secret.as_deref().unwrap_or_default();
            let name = variable(name);
            self.leave_out(&format!(
                "step {} presses the digits of the secret {name} on a keypad, one tapOn each",
                action.step
            ));
            return;
        };
        for key in text.chars().map(|key| key.to_string()) {
            if action.keys.contains_key(&key) {
                self.line(&format!("- tapOn: {}", quoted(&regex::escape(&key))));
            } else {
                self.leave_out(&format!("step {}: the keypad has no key {key:?}", action.step));
            }
        }
    }

    /// The same, and that it need not be there.
    fn touched(&self, action: &ScriptAction, target: &ScriptTarget) -> Vec<(String, String)> {
        let mut selector = self.selector(target);
        if action.optional {
            selector.push(("optional".to_owned(), "true".to_owned()));
        }
        selector
    }

    /// An expected text as a pattern; marks of secrets in it as Maestro writes variables.
    fn filled(&self, text: &str) -> String {
        self.secrets.iter().fold(regex::escape(text), |pattern, name| {
            pattern.replace(&regex::escape(&format!("${{{name}}}")), &format!("${{{}}}", variable(name)))
        })
    }

    /// What finds the widget: its id, else its text, else its place.
    fn selector(&self, target: &ScriptTarget) -> Vec<(String, String)> {
        let (key, value) = match handle(target) {
            Handle::Id(id) => ("id", regex::escape(&id)),
            Handle::Text(text) | Handle::Description(text) => ("text", regex::escape(&text)),
            Handle::Place(point) => return vec![("point".to_owned(), quoted(&self.percent(point)))],
        };
        let mut selector = vec![(key.to_owned(), quoted(&value))];
        if target.selector.nth > 0 {
            selector.push(("index".to_owned(), target.selector.nth.to_string()));
        }
        selector
    }

    fn expectation(&mut self, wanted: &Expectation) {
        let part = |text: &str| quoted(&format!(".*{}.*", self.filled(text)));
        let state = |widget: &str, key: &str, is: bool| {
            vec![("text".to_owned(), part(widget)), (key.to_owned(), is.to_string())]
        };
        match wanted {
            Expectation::Visible(text) | Expectation::Screen(text) => {
                self.line(&format!("- assertVisible: {}", part(text)));
            }
            Expectation::Absent(text) => self.line(&format!("- assertNotVisible: {}", part(text))),
            Expectation::Checked { widget, is } => self.command("assertVisible", &state(widget, "checked", *is)),
            Expectation::Enabled { widget, is } => self.command("assertVisible", &state(widget, "enabled", *is)),
            Expectation::Selected { widget, is } => self.command("assertVisible", &state(widget, "selected", *is)),
            Expectation::Value { .. }
            | Expectation::Count { .. }
            | Expectation::Toast(_)
            | Expectation::Picture(_)
            | Expectation::Without(_) => self.leave_out(&format!("expect {wanted}")),
        }
    }
}

/// What is typed: a secret as a variable.
fn typed(action: &ScriptAction) -> String {
    match (&action.text, &action.secret) {
        (Some(text), _) => literal(text),
        (None, Some(name)) => format!("${{{}}}", variable(name)),
        (None, None) => quoted(""),
    }
}

/// A text in which nothing is carried out.
fn literal(text: &str) -> String {
    quoted(&text.replace("${", "\\${"))
}

/// The page scrolls down when the finger goes up.
const fn finger(towards: Direction) -> &'static str {
    match towards {
        Direction::Down => "UP",
        Direction::Up => "DOWN",
        Direction::Left => "RIGHT",
        Direction::Right => "LEFT",
    }
}

/// A text in double quotes: what JSON writes, YAML reads. The line ends that only YAML 1.1 knows are escaped.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    ['\u{85}', '\u{2028}', '\u{2029}']
        .into_iter()
        .fold(json, |json, end| json.replace(end, &format!("\\u{:04x}", u32::from(end))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn script(text: &str) -> Script {
        Script::parse(Path::new("s.toml"), text).unwrap()
    }

    #[test]
    fn each_kind_of_action_has_its_command() {
        let flow = to_maestro(&script(include_str!("../../scripts/PAY-0001/virtual-phone.toml"))).unwrap();
        insta::assert_snapshot!(flow.text);
        assert!(flow.left_out.iter().all(|line| line.contains("keypad")), "{:?}", flow.left_out);
        let plain = to_maestro(&script(include_str!("../../scripts/PAY-0010/virtual-phone.toml"))).unwrap();
        for part in ["- back\n", "- swipe:\n    direction: UP\n", "- launchApp:\n    stopApp: false\n"] {
            assert!(plain.text.contains(part), "{part:?} is not in {}", plain.text);
        }
    }

    #[test]
    fn what_maestro_has_no_word_for_is_a_comment_and_told() {
        let mut odd = script(include_str!("../../scripts/PAY-0008/virtual-phone.toml"));
        odd.secrets = vec!["pin".into()];
        odd.expectations = vec![
            Expectation::Visible("5.00 (in ${pin})".into()),
            Expectation::Count { of: "Bill".into(), is: 3 },
            Expectation::Checked { widget: "On".into(), is: true },
        ];
        let flow = to_maestro(&odd).unwrap();
        assert!(flow.text.contains("- assertVisible: \".*5\\\\.00 \\\\(in ${PIN}\\\\).*\"\n"), "{}", flow.text);
        assert!(flow.text.contains("checked: true") && flow.text.contains("# not in Maestro's words: expect "));
        assert_eq!(flow.left_out.len(), 1);
        odd.title = "a\n- runScript: x".into();
        assert!(
            to_maestro(&odd).unwrap().text.lines().all(|line| !line.starts_with("- runScript")),
            "a title is one line"
        );
    }
}
