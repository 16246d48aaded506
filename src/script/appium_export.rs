//! A script as a Python program that drives an Appium server by Appium's own Python client.
//!
//! Widgets are found by `UiSelector`s and waited for. What Appium's protocol has no word for is a comment in the program, and
//! told to whoever exports.

use super::exported::Exported;
use super::format::{Script, ScriptAction, ScriptTarget};
use super::handle::ui_selector;
use super::sentence::one_line;
use super::variable::variable;
use crate::domain::{Direction, Expectation};
use std::fmt::Write as _;

/// What every program begins with, behind its head.
const PRELUDE: &str = include_str!("appium_prelude.py");

/// The program of a script for one device; why there is none for one of several.
pub fn to_appium(script: &Script) -> Result<Exported, String> {
    if !script.actors.is_empty() {
        return Err("the program drives one device, and this script several".to_owned());
    }
    let mut program = Writer { text: String::new(), left_out: Vec::new() };
    program.line("#!/usr/bin/env python3");
    program.line(&format!("# {}: {}", script.case_id, one_line(&script.title)));
    program.line(
        "# Exported by Tapwright. Needs Appium-Python-Client, and at APPIUM_URL a server with the UiAutomator2 driver.",
    );
    for name in &script.secrets {
        program.line(&format!("# Set {} to the value of the secret {}.", variable(name), one_line(name)));
    }
    program
        .line("# Exit codes: 0 passed, 1 an expectation did not hold, 2 a secret is missing, 3 the screen diverged.");
    program.line(PRELUDE.trim_end());
    program.line("");
    let secrets: Vec<String> =
        script.secrets.iter().map(|name| format!("{}: {}", quoted(name), quoted(&variable(name)))).collect();
    program.line(&format!("begin({}, {{{}}})", quoted(script.app.package.as_str()), secrets.join(", ")));
    let mut step = None;
    for action in &script.actions {
        if step.replace(action.step) != Some(action.step) {
            program.line(&format!("# {}. {}", action.step, one_line(&action.instruction)));
        }
        action.checks.iter().for_each(|check| program.expectation(check));
        program.action(action);
    }
    script.expectations.iter().for_each(|wanted| program.expectation(wanted));
    program.line(&format!("end({})", quoted(&format!("{} passed", script.case_id))));
    Ok(Exported { text: program.text, left_out: program.left_out })
}

struct Writer {
    text: String,
    left_out: Vec<String>,
}

impl Writer {
    fn line(&mut self, line: &str) {
        // Writing to a text never fails.
        let _ = writeln!(self.text, "{line}");
    }

    fn leave_out(&mut self, what: &str) {
        self.line(&format!("# not in Appium's words: {}", one_line(what)));
        self.left_out.push(what.to_owned());
    }

    fn action(&mut self, action: &ScriptAction) {
        let Some(call) = call(action) else {
            self.leave_out(&format!("{} in step {}", action.skill, action.step));
            return;
        };
        match (action.optional, action.target.as_ref().and_then(selector)) {
            (true, Some(selector)) => {
                self.line(&format!("if is_there({selector}):"));
                self.line(&format!("    {call}"));
            }
            _ => self.line(&call),
        }
    }

    fn expectation(&mut self, wanted: &Expectation) {
        match wanted {
            Expectation::Visible(text) | Expectation::Screen(text) => {
                self.line(&format!("expect_text({})", quoted(text)));
            }
            Expectation::Absent(text) => self.line(&format!("expect_no_text({})", quoted(text))),
            other => self.leave_out(&format!("expect {other}")),
        }
    }
}

/// The call that does an action; `None` where there is none.
fn call(action: &ScriptAction) -> Option<String> {
    let typed = match (&action.text, &action.secret) {
        (Some(text), _) => quoted(text),
        (None, Some(name)) => format!("secret({})", quoted(name)),
        (None, None) => quoted(""),
    };
    let towards = action.direction.unwrap_or(Direction::Down);
    Some(match (action.skill.as_str(), &action.target) {
        ("click", Some(target)) => match (selector(target), within(target)) {
            (Some(selector), None) => format!("tap({selector})"),
            (Some(selector), Some((x, y))) => format!("tap_within({selector}, {x}, {y})"),
            (None, _) => format!("tap_at({}, {})", target.tap.x, target.tap.y),
        },
        ("long_press", Some(target)) => format!("long_press({})", selector(target)?),
        ("input_text", Some(target)) => format!("enter({}, {typed})", selector(target)?),
        ("input_by_numeric_keyboard", _) => format!("press_keys({typed})"),
        ("press_back", _) => "driver.press_keycode(4)".to_owned(),
        ("press_enter", _) => "driver.press_keycode(66)".to_owned(),
        ("scroll", _) => {
            let area = action.area?;
            let (left, top, width, height) = (area.left, area.top, area.width(), area.height());
            format!("scroll({}, {left}, {top}, {width}, {height})", quoted(word(towards)))
        }
        ("swipe_selector", Some(target)) => {
            format!("swipe_on({}, {})", selector(target)?, quoted(word(opposite(towards))))
        }
        ("open_app", _) => format!("driver.activate_app({})", quoted(action.package.as_ref()?.as_str())),
        _ => return None,
    })
}

/// The target's selector as a Python text; its own texts are Java's within it.
fn selector(target: &ScriptTarget) -> Option<String> {
    ui_selector(target, quoted).map(|selector| quoted(&format!("new {selector}")))
}

/// Where within its widget a target is touched, where that is not its middle.
fn within(target: &ScriptTarget) -> Option<(i32, i32)> {
    let centre = target.bounds.center();
    (target.tap != centre).then(|| (target.tap.x - target.bounds.left, target.tap.y - target.bounds.top))
}

/// The finger's way: the page goes the other.
const fn opposite(towards: Direction) -> Direction {
    match towards {
        Direction::Down => Direction::Up,
        Direction::Up => Direction::Down,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

const fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Down => "down",
        Direction::Up => "up",
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

/// A text as Python and Java both write it: JSON's quotation with its escapes is one of theirs.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn each_kind_of_action_has_its_call() {
        let read = |text: &str| Script::parse(Path::new("s.toml"), text).unwrap();
        let program = to_appium(&read(include_str!("../../scripts/PAY-0001/virtual-phone.toml"))).unwrap();
        insta::assert_snapshot!(program.text.rsplit_once("\nbegin(").unwrap().1);
        let other = to_appium(&read(include_str!("../../scripts/PAY-0010/virtual-phone.toml"))).unwrap();
        for part in ["driver.press_keycode(4)\n", "scroll(\"down\", ", "driver.activate_app(\"com.example.pay\")\n"] {
            assert!(other.text.contains(part), "{part:?} is not in {}", other.text);
        }
    }

    #[test]
    fn a_text_cannot_break_out_of_its_quotes() {
        for text in ["\"); import os  #", "a\\", "line\nbreak", "\u{2028}ü\u{0}"] {
            let quoted = quoted(text);
            assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
            assert!(
                !quoted.contains('\n')
                    && !quoted[1..quoted.len() - 1].replace("\\\\", "").replace("\\\"", "").contains('"')
            );
        }
    }
}
