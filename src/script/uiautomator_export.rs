//! A script as a Kotlin test of androidx.test.uiautomator, to be put into an app's own `androidTest` sources.

use super::exported::Exported;
use super::format::{Script, ScriptAction, ScriptTarget};
use super::handle::ui_selector;
use super::sentence::one_line;
use super::variable::variable;
use crate::domain::{Direction, Expectation};
use std::fmt::Write as _;

/// What stands behind the test in every class.
const TOOLS: &str = include_str!("uiautomator_tools.kt");
/// What is imported.
const IMPORTS: &str = "import androidx.test.ext.junit.runners.AndroidJUnit4
import androidx.test.platform.app.InstrumentationRegistry
import androidx.test.uiautomator.UiDevice
import androidx.test.uiautomator.UiObject
import androidx.test.uiautomator.UiScrollable
import androidx.test.uiautomator.UiSelector
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import java.util.regex.Pattern";

/// The class of a script for one device; why there is none for one of several.
pub fn to_uiautomator(script: &Script) -> Result<Exported, String> {
    if !script.actors.is_empty() {
        return Err("the test drives one device, and this script several".to_owned());
    }
    let mut class = Writer { text: String::new(), left_out: Vec::new() };
    class.line(0, &format!("// {}: {}", script.case_id, one_line(&script.title)));
    class.line(
        0,
        "// Exported by Tapwright: a test for the androidTest sources of your app, with androidx.test.uiautomator.",
    );
    for name in &script.secrets {
        let argument = variable(name);
        class.line(
            0,
            &format!("// Give the secret {}: -e {argument} VALUE (am instrument), or in Gradle", one_line(name)),
        );
        class.line(0, &format!("// testInstrumentationRunnerArguments[\"{argument}\"]."));
    }
    class.line(0, IMPORTS);
    class.line(0, "");
    class.line(0, "@RunWith(AndroidJUnit4::class)");
    class.line(0, &format!("class {} {{", class_name(script.case_id.as_str())));
    class.line(1, "@Test");
    class.line(1, &format!("fun {}() {{", method_name(&script.title)));
    class.line(2, &format!("start({})", quoted(script.app.package.as_str())));
    let mut step = None;
    for action in &script.actions {
        if step.replace(action.step) != Some(action.step) {
            class.line(2, &format!("// {}. {}", action.step, one_line(&action.instruction)));
        }
        action.checks.iter().for_each(|check| class.expectation(check));
        class.action(action);
    }
    script.expectations.iter().for_each(|wanted| class.expectation(wanted));
    class.line(1, "}");
    class.line(0, "");
    class.line(0, TOOLS.trim_end());
    class.line(0, "}");
    Ok(Exported { text: class.text, left_out: class.left_out })
}

struct Writer {
    text: String,
    left_out: Vec<String>,
}

impl Writer {
    fn line(&mut self, depth: usize, line: &str) {
        let indent = if line.is_empty() { 0 } else { depth * 4 };
        // Writing to a text never fails.
        let _ = writeln!(self.text, "{:indent$}{line}", "");
    }

    fn leave_out(&mut self, what: &str) {
        self.line(2, &format!("// not in UiAutomator's words: {}", one_line(what)));
        self.left_out.push(what.to_owned());
    }

    fn action(&mut self, action: &ScriptAction) {
        let Some(call) = call(action) else {
            self.leave_out(&format!("{} in step {}", action.skill, action.step));
            return;
        };
        match (action.optional, action.target.as_ref().and_then(selector)) {
            (true, Some(selector)) => self.line(2, &format!("if (device.findObject({selector}).exists()) {call}")),
            _ => self.line(2, &call),
        }
    }

    fn expectation(&mut self, wanted: &Expectation) {
        match wanted {
            Expectation::Visible(text) | Expectation::Screen(text) => {
                self.line(2, &format!("expectText({})", filled(text)));
            }
            Expectation::Absent(text) => self.line(2, &format!("expectNoText({})", filled(text))),
            other => self.leave_out(&format!("expect {other}")),
        }
    }
}

/// The call that does an action; `None` where there is none.
fn call(action: &ScriptAction) -> Option<String> {
    let typed = match (&action.text, &action.secret) {
        (Some(text), _) => quoted(text),
        (None, Some(name)) => secret(name),
        (None, None) => quoted(""),
    };
    let towards = action.direction.unwrap_or(Direction::Down);
    Some(match (action.skill.as_str(), &action.target) {
        ("click", Some(target)) if target.tap == target.bounds.center() => match selector(target) {
            Some(selector) => format!("find({selector}).click()"),
            None => format!("device.click({}, {})", target.tap.x, target.tap.y),
        },
        ("click", Some(target)) => match selector(target) {
            Some(selector) => {
                let (x, y) = (target.tap.x - target.bounds.left, target.tap.y - target.bounds.top);
                format!("find({selector}).bounds.let {{ device.click(it.left + {x}, it.top + {y}) }}")
            }
            None => format!("device.click({}, {})", target.tap.x, target.tap.y),
        },
        ("long_press", Some(target)) => format!("find({}).longClick()", selector(target)?),
        ("input_text", Some(target)) => format!("find({}).setText({typed})", selector(target)?),
        ("input_by_numeric_keyboard", _) => {
            format!("{typed}.forEach {{ find(UiSelector().text(it.toString())).click() }}")
        }
        ("press_back", _) => "device.pressBack()".to_owned(),
        ("press_enter", _) => "device.pressEnter()".to_owned(),
        ("scroll", _) => match towards {
            Direction::Down => "scrollable(horizontal = false).scrollForward()",
            Direction::Up => "scrollable(horizontal = false).scrollBackward()",
            Direction::Right => "scrollable(horizontal = true).scrollForward()",
            Direction::Left => "scrollable(horizontal = true).scrollBackward()",
        }
        .to_owned(),
        ("swipe_selector", Some(target)) => {
            let finger = match towards {
                Direction::Down => "swipeUp",
                Direction::Up => "swipeDown",
                Direction::Left => "swipeRight",
                Direction::Right => "swipeLeft",
            };
            format!("find({}).{finger}(20)", selector(target)?)
        }
        ("open_app", _) => format!("open({})", quoted(action.package.as_ref()?.as_str())),
        _ => return None,
    })
}

fn selector(target: &ScriptTarget) -> Option<String> {
    ui_selector(target, quoted)
}

fn secret(name: &str) -> String {
    format!("secret({})", quoted(&variable(name)))
}

/// A text in which the marks of secrets stand, as an expression.
fn filled(text: &str) -> String {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        let Some((name, after)) = behind.split_once('}') else { break };
        if !before.is_empty() {
            parts.push(quoted(before));
        }
        parts.push(secret(name));
        rest = after;
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(quoted(rest));
    }
    parts.join(" + ")
}

/// A Kotlin text: `$` begins an expression there, and only some escapes are known.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' | '$' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => {
                // Writing to a text never fails.
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// `PAY-0001` is `Pay0001Test`.
fn class_name(id: &str) -> String {
    let name: String = capitals(&id.to_lowercase()).collect();
    let first = if name.starts_with(|c: char| c.is_ascii_digit()) { "Case" } else { "" };
    format!("{first}{name}Test")
}

/// `Bind a bank card` is `bindABankCard`.
fn method_name(title: &str) -> String {
    let name: String = capitals(title).collect();
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if first.is_ascii_alphabetic() => first.to_ascii_lowercase().to_string() + letters.as_str(),
        _ => format!("case{name}"),
    }
}

/// Words of ASCII letters and digits, each with a capital.
fn capitals(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn each_kind_of_action_has_its_call() {
        let read = |text: &str| Script::parse(Path::new("s.toml"), text).unwrap();
        let class = to_uiautomator(&read(include_str!("../../scripts/PAY-0001/virtual-phone.toml"))).unwrap();
        let own = class.text.split("@RunWith").nth(1).and_then(|rest| rest.split("    private ").next()).unwrap();
        insta::assert_snapshot!(own);
        let other = to_uiautomator(&read(include_str!("../../scripts/PAY-0010/virtual-phone.toml"))).unwrap();
        for part in ["device.pressBack()\n", ".scrollForward()\n", "open(\"com.example.pay\")\n"] {
            assert!(other.text.contains(part), "{part:?} is not in {}", other.text);
        }
    }

    #[test]
    fn texts_are_quoted_as_kotlin_asks() {
        for (text, expected) in [
            ("5 $ ${x} \"a\" \\", r#""5 \$ \${x} \"a\" \\""#),
            ("a\nb\u{c}", r#""a\nb\u000c""#),
            ("Grüße", "\"Grüße\""),
        ] {
            assert_eq!(quoted(text), expected);
        }
        assert_eq!(filled("PIN ${pin}!"), r#""PIN " + secret("PIN") + "!""#);
        assert_eq!(filled(""), "\"\"");
        assert_eq!((class_name("2fa-1"), method_name("2 things")), ("Case2fa1Test".into(), "case2Things".into()));
    }
}
