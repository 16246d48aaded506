//! `input tap|swipe|text|keyevent|…` (`InputShellCommand.java` from API 31, `Input.java` before).

use super::{Exit, Invocation, argument_expected, exception, key_code};
use crate::domain::Point;
use crate::virtual_device::Gesture;
use crate::virtual_device::faults::Fault;
use crate::virtual_device::system::Namespace;
use std::time::Duration;

const FRAME: &str = "com.android.server.input.InputShellCommand.onCommand(InputShellCommand.java)";
const SOURCES: [&str; 9] =
    ["keyboard", "dpad", "touchpad", "gamepad", "touchnavigation", "mouse", "stylus", "touchscreen", "trackball"];

const KEY_BACK: u32 = 4;
const KEY_ESCAPE: u32 = 111;

/// Why arguments were refused: Java's exception as printed.
struct Thrown(String);

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let mut words = rest.as_slice();
    loop {
        match words {
            [source, tail @ ..] if SOURCES.contains(source) => words = tail,
            ["-d", _, tail @ ..] => words = tail,
            _ => break,
        }
    }
    let Some((&command, arguments)) = words.split_first() else {
        invocation.out(
            "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\nThe commands and default sources are:\n      \
             text <string> (Default: keyboard)\n      keyevent [--longpress|--doubletap] <key code number or name> ...\n      \
             tap <x> <y> (Default: touchscreen)\n      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n",
        );
        return Exit::SUCCESS;
    };
    let done = match command {
        "tap" => tap(invocation, arguments),
        "swipe" => swipe(invocation, arguments),
        "draganddrop" => drag(invocation, arguments),
        "text" => text(invocation, arguments),
        "keyevent" => keyevent(invocation, arguments),
        unknown => return unknown_command(invocation, unknown),
    };
    match done {
        Ok(()) => Exit::SUCCESS,
        Err(Thrown(thrown)) if invocation.system.lock().config().api.since(31) => {
            exception(invocation, command, &thrown, FRAME)
        }
        Err(Thrown(_)) => {
            invocation.err(format!("Error: Invalid arguments for command: {command}\n"));
            Exit::SUCCESS
        }
    }
}

/// `onCommand` throws its result away, so an unknown word exits 0 (ROVER measured it).
fn unknown_command(invocation: &Invocation<'_>, command: &str) -> Exit {
    let new = invocation.system.lock().config().api.since(31);
    if new {
        invocation.out(format!("Unknown command: {command}\n"));
    } else {
        invocation.err(format!("Error: Unknown command: {command}\n"));
    }
    Exit::SUCCESS
}

fn required<'a>(arguments: &[&'a str], at: usize, command: &str) -> Result<&'a str, Thrown> {
    let previous = if at == 0 { command } else { arguments.get(at - 1).copied().unwrap_or(command) };
    arguments.get(at).copied().ok_or_else(|| Thrown(argument_expected(previous)))
}

/// `Float.parseFloat`, then the pixel it lies in.
fn coordinate(arguments: &[&str], at: usize, command: &str) -> Result<i32, Thrown> {
    let word = required(arguments, at, command)?;
    let number: f32 = word
        .trim()
        .parse()
        .map_err(|_| Thrown(format!("java.lang.NumberFormatException: For input string: \"{word}\"")))?;
    Ok(number as i32)
}

fn point(arguments: &[&str], at: usize, command: &str) -> Result<Point, Thrown> {
    Ok(Point::new(coordinate(arguments, at, command)?, coordinate(arguments, at + 1, command)?))
}

fn milliseconds(arguments: &[&str], at: usize) -> Result<Duration, Thrown> {
    match arguments.get(at) {
        // The default of 300 ms also stands for a negative number.
        None => Ok(Duration::from_millis(300)),
        Some(word) => word
            .parse::<i32>()
            .map(|ms| Duration::from_millis(u64::try_from(ms).unwrap_or(300)))
            .map_err(|_| Thrown(format!("java.lang.NumberFormatException: For input string: \"{word}\""))),
    }
}

fn tap(invocation: &Invocation<'_>, arguments: &[&str]) -> Result<(), Thrown> {
    let at = point(arguments, 0, "tap")?;
    invocation.system.lock().gesture(Gesture::Tap(at));
    Ok(())
}

fn swipe(invocation: &Invocation<'_>, arguments: &[&str]) -> Result<(), Thrown> {
    let (from, to) = (point(arguments, 0, "swipe")?, point(arguments, 2, "swipe")?);
    let duration = milliseconds(arguments, 4)?;
    // Injection is synchronous: the finger is down that long.
    if !invocation.system.clock().wait(duration, invocation.interrupt) {
        return Ok(());
    }
    let mut system = invocation.system.lock();
    let timeout = long_press_timeout(system.settings.get(Namespace::Secure, "long_press_timeout"));
    let gesture = match (from == to, duration >= timeout) {
        (true, true) => Gesture::LongPress(from),
        (true, false) => Gesture::Tap(from),
        (false, _) => Gesture::Swipe { from, to, duration },
    };
    system.gesture(gesture);
    Ok(())
}

/// A drag begins with a long press at its start; what an app makes of the pair is a swipe of that length.
fn drag(invocation: &Invocation<'_>, arguments: &[&str]) -> Result<(), Thrown> {
    let (from, to) = (point(arguments, 0, "draganddrop")?, point(arguments, 2, "draganddrop")?);
    let duration = milliseconds(arguments, 4)?;
    if invocation.system.clock().wait(duration, invocation.interrupt) {
        invocation.system.lock().gesture(Gesture::Swipe { from, to, duration });
    }
    Ok(())
}

fn long_press_timeout(setting: Option<&str>) -> Duration {
    Duration::from_millis(setting.and_then(|ms| ms.parse().ok()).unwrap_or(400))
}

/// `%s` is a space, the only escape; only U+0020–7E have key events, anything else throws before a key is sent.
fn text(invocation: &Invocation<'_>, arguments: &[&str]) -> Result<(), Thrown> {
    let word = required(arguments, 0, "text")?;
    // TAB and LF have no character key and are dropped without a word.
    let typed: String = word.replace("%s", " ").chars().filter(|c| !matches!(c, '\t' | '\n')).collect();
    if !typed.chars().all(|c| (' '..='~').contains(&c)) {
        return Err(Thrown(
            "java.lang.NullPointerException: Attempt to get length of null array\n\
             \tat com.android.server.input.InputShellCommand.sendText(InputShellCommand.java)"
                .to_owned(),
        ));
    }
    if !typed.is_empty() {
        invocation.system.lock().type_text(&typed);
    }
    Ok(())
}

fn keyevent(invocation: &Invocation<'_>, arguments: &[&str]) -> Result<(), Thrown> {
    let keys: Vec<&str> = arguments.iter().filter(|word| !word.starts_with("--")).copied().collect();
    required(&keys, 0, "keyevent")?;
    let times = if arguments.contains(&"--doubletap") { 2 } else { 1 };
    for key in keys {
        // Unknown names and numbers are KEYCODE_UNKNOWN: no output, exit 0, nothing happens.
        if let Some(code) = key_code::parse(key) {
            for _ in 0..times {
                let mut system = invocation.system.lock();
                let hides = matches!(code, KEY_BACK | KEY_ESCAPE) && system.front().process.keyboard_shown();
                if !hides || invocation.system.faults.strike(Fault::StuckKeyboard).is_none() {
                    system.key(code);
                }
            }
        }
    }
    Ok(())
}
