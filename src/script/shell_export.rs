//! The script as a `.sh` that needs nothing but adb.
//!
//! It guards each action too: before acting it dumps the hierarchy until the action's anchor (a resource id, text or
//! description) is in it. `uiautomator dump` itself waits for the screen to be idle, so no sleep is needed.

use super::format::{AppView, DisplayView, Script, ScriptAction};
use super::sentence::one_line;
use super::variable::variable;
use crate::adb::quote;
use crate::domain::{Expectation, Locator};
use std::fmt::Write;

/// What a script of several devices needs besides.
const COMPANY_PRELUDE: &str = r#"# From here on everything is done on this device.
on() { ANDROID_SERIAL=$1; export ANDROID_SERIAL; }
# What another actor did may take its time to show.
await_other() {
  end=$(($(date +%s) + 90))
  while [ "$(date +%s)" -lt "$end" ]; do
    if (await_text "$1" "$2") 2>/dev/null; then return 0; fi
  done
  await_text "$1" "$2"
}"#;

/// What a script with optional actions needs besides.
const OPTIONAL_PRELUDE: &str = r#"# What need not be there: one look.
is_there() { dump | grep -qF -- "$1"; }"#;

/// A device the script needs.
struct Needed<'a> {
    /// The variable that holds its serial; `None` for the only one.
    serial: Option<String>,
    app: &'a AppView,
    display: &'a DisplayView,
    expectations: &'a [Expectation],
}

fn devices(script: &Script) -> Vec<Needed<'_>> {
    let only =
        || Needed { serial: None, app: &script.app, display: &script.device, expectations: &script.expectations };
    if script.actors.is_empty() {
        return vec![only()];
    }
    let needed = script.actors.iter().map(|(name, actor)| Needed {
        serial: Some(serial_of(name)),
        app: &actor.app,
        display: &actor.device,
        expectations: &actor.expectations,
    });
    needed.collect()
}

/// The variable that holds the serial of an actor's device.
fn serial_of(actor: &str) -> String {
    format!("{}_SERIAL", variable(actor))
}

/// The script as POSIX shell text.
pub fn to_shell(script: &Script) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    line("#!/bin/sh");
    line(&format!("# {}: {}", script.case_id, one_line(&script.title)));
    line(&format!(
        "# Recorded by Tapwright {} on {} ({}).",
        one_line(&script.tapwright),
        one_line(&script.device.model),
        one_line(&script.profile)
    ));
    for device in devices(script) {
        let DisplayView { width, height, density, .. } = device.display;
        line(&match device.serial {
            None => format!(
                "# Needs adb and a device with a {width}x{height} display at {density} dpi. Set ANDROID_SERIAL to choose the device."
            ),
            Some(serial) => {
                format!(
                    "# Needs adb and, in {serial}, the serial of a device with a {width}x{height} display at {density} dpi."
                )
            }
        });
    }
    line("# Exit codes: 0 passed, 1 an expectation did not hold, 2 a secret is missing, 3 the screen diverged.");
    line("set -u");
    for name in &script.secrets {
        let variable = variable(name);
        line(&format!(
            "if [ -z \"${{{variable}:-}}\" ]; then echo {} >&2; exit 2; fi",
            quote(&format!("set {variable} to the value of the secret {}", one_line(name)))
        ));
    }
    for serial in devices(script).iter().filter_map(|device| device.serial.as_ref()) {
        line(&format!(
            "if [ -z \"${{{serial}:-}}\" ]; then echo \"set {serial} to the serial of a device\" >&2; exit 2; fi"
        ));
    }
    line(PRELUDE);
    if !script.actors.is_empty() {
        line(COMPANY_PRELUDE);
    }
    if script.actions.iter().any(|action| action.optional) {
        line(OPTIONAL_PRELUDE);
    }
    for device in devices(script) {
        let DisplayView { width, height, density, .. } = device.display;
        if let Some(serial) = &device.serial {
            line(&format!("on \"${serial}\""));
        }
        line(&format!("need_display {width}x{height} {density}"));
        // Quoted once for the device's shell and once for this one.
        line(&format!("start_app {}", quote(&quote(device.app.package.as_str()))));
    }
    let mut last = None;
    for (index, action) in script.actions.iter().enumerate() {
        line(&format!("\n# {}. step {}: {}", index + 1, action.step, one_line(&action.instruction)));
        let mut awaits = "await_text";
        if let Some(actor) = action.actor.as_deref().filter(|actor| last != Some(*actor)) {
            line(&format!("on \"${}\"", serial_of(actor)));
            // What another did may take its time to show.
            awaits = if last.is_some() { "await_other" } else { awaits };
            last = Some(actor);
        }
        for check in &action.checks {
            line(&expected(check));
        }
        let anchor = anchor(action, awaits == "await_other" || action.waited_ms.is_some());
        match anchor {
            Some(anchor) if action.optional => {
                line(&format!("if is_there {}; then", quote(&anchor)));
                commands(action).iter().for_each(|command| line(&format!("  {command}")));
                line("fi");
                continue;
            }
            Some(anchor) => line(&format!("{awaits} {} {}", quote(&anchor), quote(&format!("action {}", index + 1)))),
            None => {}
        }
        for command in commands(action) {
            line(&command);
        }
    }
    line("");
    for device in devices(script).iter().filter(|device| !device.expectations.is_empty()) {
        if let Some(serial) = &device.serial {
            line(&format!("on \"${serial}\""));
        }
        for expectation in device.expectations {
            line(&expected(expectation));
        }
    }
    line(&format!("echo {}", quote(&format!("{} passed", script.case_id))));
    out
}

/// The line that checks it.
fn expected(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Visible(text) => format!("expect_text {}", quote(&escaped(text))),
        Expectation::Absent(text) => format!("expect_no_text {}", quote(&escaped(text))),
        other => format!("# not checked here (tapwright replay checks it): {}", one_line(&other.to_string())),
    }
}

const PRELUDE: &str = r#"adb=${ADB:-adb}
device() { "$adb" shell "$@" </dev/null; }
act() { device "$1" >/dev/null; }
dump() {
  device 'f=/data/local/tmp/tapwright-$$.xml; uiautomator dump $f >/dev/null 2>&1; cat $f 2>/dev/null; rm -f $f'
}
# The touches below are for one display only: need_display WIDTHxHEIGHT DPI. An override comes after what is physical.
need_display() {
  size=$(device wm size | tr -d '\r' | sed -n '$s/.*: //p')
  density=$(device wm density | tr -d '\r' | sed -n '$s/.*: //p')
  if [ "$size $density" != "$1 $2" ]; then
    echo "diverged: the display is $size at $density dpi, this script is for $1 at $2: use tapwright replay there" >&2
    exit 3
  fi
}
# Up to 20 dumps; each waits for the screen to be idle.
await_text() {
  tries=0
  while [ "$tries" -lt 20 ]; do
    if dump | grep -qF -- "$1"; then return 0; fi
    tries=$((tries + 1))
  done
  echo "diverged before $2: $1 is not on the screen" >&2
  exit 3
}
expect_text() {
  tries=0
  while [ "$tries" -lt 5 ]; do
    if dump | grep -qiF -- "$1"; then return 0; fi
    tries=$((tries + 1))
  done
  look_on 7 3 "$1" || look_on 3 7 "$1" || { echo "failed: $1 is not on the screen" >&2; exit 1; }
}
# Looks for a text further down or up: swipes from so many tenths of the display's height to so many while there is more.
look_on() {
  across=$((${size%x*} / 2)); tenth=$((${size#*x} / 10)); page=; pages=0
  while [ "$pages" -lt 16 ]; do
    act "input swipe $across $(($1 * tenth)) $across $(($2 * tenth)) 500"
    last=$page; page=$(dump); pages=$((pages + 1))
    case $page in "$last") return 1;; esac
    if printf '%s\n' "$page" | grep -qiF -- "$3"; then return 0; fi
  done
  return 1
}
expect_no_text() {
  if dump | grep -qiF -- "$1"; then echo "failed: $1 is on the screen" >&2; exit 1; fi
}
start_app() {
  device am force-stop "$1"
  device pm clear "$1" >/dev/null
  device monkey -p "$1" -c android.intent.category.LAUNCHER 1 >/dev/null 2>&1 || { echo "cannot start $1" >&2; exit 3; }
}
# Types a secret: quoted for the device's shell, spaces as input text wants them.
type_secret() {
  device "input text '$(printf '%s' "$1" | sed "s/'/'\\\\''/g; s/ /%s/g")'"
}
# Presses the keys of a numeric keypad: keypad DIGITS key=x,y …
keypad() {
  digits=$1; shift
  while [ -n "$digits" ]; do
    rest=${digits#?}; digit=${digits%"$rest"}; digits=$rest
    for key in "$@"; do
      case $key in "$digit="*) at=${key#*=}; device input tap "${at%,*}" "${at#*,}";; esac
    done
  done
}"#;

fn commands(action: &ScriptAction) -> Vec<String> {
    if !action.keys.is_empty() {
        let digits = match (&action.secret, &action.text) {
            (Some(name), _) => format!("\"${}\"", variable(name)),
            (None, text) => quote(text.as_deref().unwrap_or_default()),
        };
        let mut command = format!("keypad {digits}");
        for (key, at) in &action.keys {
            let _ = write!(command, " {}", quote(&format!("{key}={},{}", at.x, at.y)));
        }
        return vec![command];
    }
    let run = |line: &String| match &action.secret {
        Some(name) if line.starts_with("input text ") => format!("type_secret \"${}\"", variable(name)),
        _ => format!("act {}", quote(line)),
    };
    action.adb.iter().map(run).collect()
}

/// What must be in the dump before the action: the most stable thing the selector knows, as the dump writes it.
fn anchor(action: &ScriptAction, awaited: bool) -> Option<String> {
    let target = action.target.as_ref()?;
    let chain = &target.selector.chain;
    // What is waited for must be told from what is there already, so its text goes before its id.
    let told = chain.iter().filter(|locator| !awaited || !matches!(locator, Locator::ResourceId(_)));
    told.chain(chain).find_map(|locator| match locator {
        Locator::ResourceId(id) => Some(format!("resource-id=\"{}\"", escaped(id))),
        Locator::ContentDesc(text) => Some(format!("content-desc=\"{}\"", escaped(text))),
        Locator::Text(text) => Some(format!("text=\"{}\"", escaped(text))),
        // A label is made of texts that the dump holds one by one; the first is how some attribute begins.
        Locator::Label(label) => label.split(", ").next().map(|first| format!("=\"{}", escaped(first))),
        Locator::Path(_) | Locator::Bounds(_) => None,
    })
}

/// As the dump escapes attribute values (kxml2).
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_an_id_is_guarded_by_the_first_of_its_texts() {
        let text = include_str!("../../scripts/PAY-0001/virtual-phone.toml");
        let script = Script::parse(std::path::Path::new("virtual-phone.toml"), text).unwrap();
        assert!(to_shell(&script).contains("await_text '=\"Evergreen Bank' 'action 3'"));
    }

    #[test]
    fn the_dump_s_escapes_are_used() {
        assert_eq!(escaped("Tom & <Co>"), "Tom &amp; &lt;Co&gt;");
    }
}
