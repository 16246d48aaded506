//! `input text|keyevent|tap|swipe|…` (`InputShellCommand.java` from API 31, `Input.java` before).

use super::broadcast::clear_focused;
use super::{Exit, Invocation, argument_expected, exception, key_code};
use crate::Gesture;
use crate::domain::Point;
use crate::faults::Fault;
use crate::system::{Finger, Namespace};
use std::time::Duration;

const FRAME: &str = "com.android.server.input.InputShellCommand.onCommand(InputShellCommand.java)";
const SOURCES: [&str; 10] = [
    "keyboard",
    "dpad",
    "gamepad",
    "touchscreen",
    "mouse",
    "stylus",
    "trackball",
    "touchpad",
    "touchnavigation",
    "joystick",
];

const KEY_BACK: u32 = 4;
const KEY_DPAD_CENTER: u32 = 23;
const KEY_A: u32 = 29;
const KEY_DEL: u32 = 67;
const KEY_ESCAPE: u32 = 111;
const KEYS_CTRL: [u32; 2] = [113, 114];
/// Shift, alt, ctrl, meta, fn.
const MODIFIERS: [u32; 9] = [57, 58, 59, 60, 113, 114, 117, 118, 119];

/// Why arguments were refused: Java's exception as printed.
struct Thrown(String);

type Done = Result<(), Thrown>;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let mut words = rest.as_slice();
    // Events for a display that does not exist are dropped without a word.
    let mut display = 0;
    let mut source = None;
    let mut thrown = None;
    loop {
        match words {
            [word, tail @ ..] if source.is_none() && SOURCES.contains(word) => {
                source = Some(*word);
                words = tail;
            }
            ["-d", number, tail @ ..] => {
                match number.parse::<i32>() {
                    Ok(number) => display = number,
                    Err(_) => thrown = Some(number_format(number)),
                }
                words = tail;
            }
            ["-d"] => {
                thrown = Some(Thrown(argument_expected("-d")));
                break;
            }
            _ => break,
        }
    }
    let api = invocation.system.lock().config().api;
    let Some((&command, arguments)) = words.split_first() else {
        if api.since(31) {
            invocation.out(USAGE);
        } else {
            invocation.err(USAGE);
        }
        return Exit::SUCCESS;
    };
    let known = match command {
        "text" | "keyevent" | "tap" | "swipe" | "press" | "roll" => true,
        "draganddrop" => api.since(26),
        "motionevent" => api.since(29),
        "keycombination" => api.since(31),
        "scroll" => api.since(37),
        _ => false,
    };
    if !known {
        // `onCommand` throws its result away, so an unknown word exits 0 (ROVER measured it).
        if api.since(31) {
            invocation.out(format!("Unknown command: {command}\n"));
        } else {
            invocation.err(format!("Error: Unknown command: {command}\n{USAGE}"));
        }
        return Exit::SUCCESS;
    }
    let input = Input { invocation, elsewhere: display > 0 };
    let done = match thrown {
        Some(thrown) => Err(thrown),
        None => input.run(command, arguments),
    };
    match done {
        Ok(()) => Exit::SUCCESS,
        Err(Thrown(thrown)) if api.since(31) => exception(invocation, command, &thrown, FRAME),
        // Before, only numbers and missing arguments were caught; what went wrong while typing ended the process.
        Err(Thrown(thrown)) if thrown.contains("NullPointerException") => {
            invocation.err(format!(
                "{}\n",
                thrown
                    .replace("com.android.server.input.InputShellCommand", "com.android.commands.input.Input")
                    .replace("InputShellCommand.java", "Input.java")
            ));
            Exit::Code(255)
        }
        Err(Thrown(_)) => {
            invocation.err(format!("Error: Invalid arguments for command: {command}\n{USAGE}"));
            Exit::SUCCESS
        }
    }
}

const USAGE: &str = "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\nThe sources are: \n      touchnavigation\n      touchscreen\n      joystick\n      stylus\n      touchpad\n      gamepad\n      dpad\n      mouse\n      keyboard\n      trackball\n\n-d: specify the display ID.\n      (Default: -1 for key event, 0 for motion event if not specified.)\nThe commands and default sources are:\n      text <string> (Default: keyboard)\n      keyevent [--longpress] <key code number or name> ... (Default: keyboard)\n      tap <x> <y> (Default: touchscreen)\n      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n      press (Default: trackball)\n      roll <dx> <dy> (Default: trackball)\n      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)\n      keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard)\n";

fn number_format(word: &str) -> Thrown {
    Thrown(format!("java.lang.NumberFormatException: For input string: \"{word}\""))
}

fn required<'a>(arguments: &[&'a str], at: usize, command: &str) -> Result<&'a str, Thrown> {
    let previous = if at == 0 { command } else { arguments.get(at - 1).copied().unwrap_or(command) };
    arguments.get(at).copied().ok_or_else(|| Thrown(argument_expected(previous)))
}

/// `Float.parseFloat`.
fn float(arguments: &[&str], at: usize, command: &str) -> Result<f32, Thrown> {
    let word = required(arguments, at, command)?;
    // Java knows the suffixes f and d, and neither `inf` nor `nan`.
    let trimmed = word.trim();
    let plain = trimmed.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(trimmed);
    let numeric = plain.chars().any(|c| c.is_ascii_digit());
    plain.parse().ok().filter(|_| numeric).ok_or_else(|| number_format(word))
}

/// A coordinate's pixel.
fn point(arguments: &[&str], at: usize, command: &str) -> Result<Point, Thrown> {
    Ok(Point::new(float(arguments, at, command)?.floor() as i32, float(arguments, at + 1, command)?.floor() as i32))
}

fn milliseconds(arguments: &[&str], at: usize) -> Result<Duration, Thrown> {
    match arguments.get(at) {
        // The default of 300 ms also stands for a negative number.
        None => Ok(Duration::from_millis(300)),
        Some(word) => word
            .parse::<i32>()
            .map(|ms| Duration::from_millis(u64::try_from(ms).unwrap_or(300)))
            .map_err(|_| number_format(word)),
    }
}

struct Input<'a> {
    invocation: &'a Invocation<'a>,
    /// For a display this device does not have.
    elsewhere: bool,
}

impl Input<'_> {
    fn run(&self, command: &str, arguments: &[&str]) -> Done {
        match command {
            "text" => self.text(arguments),
            "keyevent" => self.keyevent(arguments),
            "tap" => {
                let at = point(arguments, 0, "tap")?;
                self.gesture(Gesture::Tap(at));
                Ok(())
            }
            "swipe" => self.swipe(arguments),
            "draganddrop" => self.drag(arguments),
            // A trackball's button is the middle of a D-pad to apps that know no trackball.
            "press" => {
                self.key(KEY_DPAD_CENTER);
                Ok(())
            }
            "roll" => self.roll(arguments),
            "motionevent" => self.motion(arguments),
            "keycombination" => self.combination(arguments),
            _ => self.scroll(arguments),
        }
    }

    fn gesture(&self, gesture: Gesture) {
        self.invocation.system.hand().all_selected = false;
        if !self.elsewhere {
            self.invocation.system.lock().gesture(gesture);
        }
    }

    fn key(&self, code: u32) {
        if self.elsewhere {
            return;
        }
        let selected = std::mem::take(&mut self.invocation.system.hand().all_selected);
        let mut system = self.invocation.system.lock();
        if selected && code == KEY_DEL {
            clear_focused(&mut system);
            return;
        }
        let hides = matches!(code, KEY_BACK | KEY_ESCAPE) && system.front().process.keyboard_shown();
        if !hides || self.invocation.system.faults.strike(Fault::StuckKeyboard).is_none() {
            system.key(code);
        }
    }

    fn long_press_timeout(&self) -> Duration {
        let system = self.invocation.system.lock();
        let setting = system.settings.get(Namespace::Secure, "long_press_timeout").and_then(|ms| ms.parse().ok());
        Duration::from_millis(setting.unwrap_or(400))
    }

    /// Lets a finger's time pass: injection is synchronous. False when the caller is gone.
    fn wait(&self, duration: Duration) -> bool {
        self.invocation.system.clock().wait(duration, self.invocation.interrupt)
    }

    /// What a finger did that was down at `from`, up at `to` and took `duration`.
    fn finish(&self, from: Point, to: Point, duration: Duration) {
        let held = duration >= self.long_press_timeout();
        self.gesture(match (from == to, held) {
            (true, true) => Gesture::LongPress(from),
            (true, false) => Gesture::Tap(from),
            (false, _) => Gesture::Swipe { from, to, duration },
        });
    }

    fn swipe(&self, arguments: &[&str]) -> Done {
        let (from, to) = (point(arguments, 0, "swipe")?, point(arguments, 2, "swipe")?);
        let duration = milliseconds(arguments, 4)?;
        if self.wait(duration) {
            self.finish(from, to, duration);
        }
        Ok(())
    }

    /// The long-press timeout is slept first; in the newer code it counts inside the duration, so that a duration that is
    /// no longer leaves no time for a MOVE, and what arrives is a long press.
    fn drag(&self, arguments: &[&str]) -> Done {
        let (from, to) = (point(arguments, 0, "draganddrop")?, point(arguments, 2, "draganddrop")?);
        let duration = milliseconds(arguments, 4)?;
        let timeout = self.long_press_timeout();
        let new = self.invocation.system.lock().config().api.since(31);
        let total = if new { duration.max(timeout) } else { duration + timeout };
        if self.wait(total) {
            let still = from == to || (new && duration <= timeout);
            self.gesture(if still { Gesture::LongPress(from) } else { Gesture::Drag { from, to, duration: total } });
        }
        Ok(())
    }

    /// A trackball that turns is a D-pad to apps that know no trackball.
    fn roll(&self, arguments: &[&str]) -> Done {
        let (x, y) = (float(arguments, 0, "roll")?, float(arguments, 1, "roll")?);
        if x.abs().max(y.abs()) >= 1.0 {
            let key = match (x.abs() > y.abs(), x > 0.0, y > 0.0) {
                (true, false, _) => 21,
                (true, true, _) => 22,
                (false, _, false) => 19,
                (false, _, true) => 20,
            };
            self.key(key);
        }
        Ok(())
    }

    /// A finger moved by several commands. What it did reaches the app when it goes up.
    fn motion(&self, arguments: &[&str]) -> Done {
        let action = required(arguments, 0, "motionevent")?.to_uppercase();
        if !matches!(action.as_str(), "DOWN" | "UP" | "MOVE" | "CANCEL") {
            return Err(Thrown(format!("java.lang.IllegalArgumentException: Unknown action: {action}")));
        }
        // Only CANCEL does without coordinates.
        let at = if action == "CANCEL" && arguments.len() == 1 {
            Point::new(0, 0)
        } else {
            point(arguments, 1, "motionevent")?
        };
        if self.elsewhere {
            return Ok(());
        }
        let now = self.invocation.system.clock().passed();
        let mut hand = self.invocation.system.hand();
        match action.as_str() {
            "DOWN" => hand.finger = Some(Finger { down: at, since: now, travelled: false }),
            "MOVE" => {
                if let Some(finger) = &mut hand.finger {
                    finger.travelled |= far(finger.down, at);
                }
            }
            "CANCEL" => hand.finger = None,
            _ => {
                // UP without DOWN is dropped by the dispatcher.
                if let Some(finger) = hand.finger.take() {
                    drop(hand);
                    let moved = finger.travelled || far(finger.down, at);
                    let to = if moved { at } else { finger.down };
                    self.finish(finger.down, to, now.saturating_sub(finger.since));
                }
            }
        }
        Ok(())
    }

    /// `%s` is a space, the only escape; only U+0020–7E have key events, anything else throws before a key is sent.
    fn text(&self, arguments: &[&str]) -> Done {
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
        if !typed.is_empty() && !self.elsewhere {
            let selected = std::mem::take(&mut self.invocation.system.hand().all_selected);
            let mut system = self.invocation.system.lock();
            if selected {
                clear_focused(&mut system);
            }
            system.type_text(&typed);
        }
        Ok(())
    }

    fn keyevent(&self, arguments: &[&str]) -> Done {
        let mut times = 1;
        let mut keys = Vec::new();
        let mut words = arguments.iter().copied();
        while let Some(word) = words.next() {
            match word {
                // Apps make nothing of a key that is held.
                "--longpress" | "--async" => {}
                "--doubletap" => times = 2,
                "--delay" | "--duration" => {
                    let ms = words.next().ok_or_else(|| Thrown(argument_expected(word)))?;
                    let pause = ms.parse().map(Duration::from_millis).map_err(|_| number_format(ms))?;
                    self.wait(pause);
                }
                key => keys.push(key),
            }
        }
        required(&keys, 0, arguments.last().unwrap_or(&"keyevent"))?;
        for key in keys {
            // Unknown names and numbers are KEYCODE_UNKNOWN: no output, exit 0, nothing happens.
            if let Some(code) = key_code::parse(key) {
                for _ in 0..times {
                    self.key(code);
                }
            }
        }
        Ok(())
    }

    fn combination(&self, arguments: &[&str]) -> Done {
        let mut words = arguments;
        if let ["-t", ms, tail @ ..] = words {
            let held = ms.parse().map(Duration::from_millis).map_err(|_| number_format(ms))?;
            self.wait(held);
            words = tail;
        }
        if words.len() < 2 {
            let reason =
                if words.is_empty() { argument_expected("keycombination") } else { argument_expected(words[0]) };
            return Err(Thrown(reason));
        }
        let codes: Vec<u32> = words.iter().filter_map(|word| key_code::parse(word)).collect();
        let control = codes.iter().any(|code| KEYS_CTRL.contains(code));
        if control && codes.contains(&KEY_A) {
            self.invocation.system.hand().all_selected = !self.elsewhere;
            return Ok(());
        }
        // With ctrl held a letter types nothing; the other shortcuts need a selection of one's own.
        for code in codes {
            let held = MODIFIERS.contains(&code) || (control && (29..=54).contains(&code));
            if !held {
                self.key(code);
            }
        }
        Ok(())
    }

    /// `scroll [x y] --axis VSCROLL,1`: one step of a wheel is 64 dp of content, upwards for a positive value.
    fn scroll(&self, arguments: &[&str]) -> Done {
        let mut at = Vec::new();
        let mut steps = (0.0, 0.0);
        let mut words = arguments.iter().copied();
        while let Some(word) = words.next() {
            if word != "--axis" {
                at.push(word);
                continue;
            }
            let axis = words.next().ok_or_else(|| Thrown(argument_expected("--axis")))?;
            let (name, value) = axis.split_once(',').unwrap_or((axis, ""));
            let value: f32 = value.parse().map_err(|_| number_format(value))?;
            match name {
                "SCROLL" | "VSCROLL" => steps.1 += value,
                "HSCROLL" => steps.0 += value,
                other => return Err(Thrown(format!("java.lang.IllegalArgumentException: Invalid axis {other}"))),
            }
        }
        let system = self.invocation.system.lock();
        let (display, density) = (system.display(), system.density());
        drop(system);
        let from = if at.is_empty() { display.rect().center() } else { point(&at, 0, "scroll")? };
        let pixels = |steps: f32| (steps * 64.0 * density as f32 / 160.0) as i32;
        let to = Point::new(from.x + pixels(steps.0), from.y + pixels(steps.1));
        if from != to {
            self.gesture(Gesture::Swipe { from, to, duration: Duration::from_millis(300) });
        }
        Ok(())
    }
}

/// Beyond the touch slop (`ViewConfiguration`: 8 dp, here at the usual density).
const fn far(from: Point, to: Point) -> bool {
    from.x.abs_diff(to.x) > 21 || from.y.abs_diff(to.y) > 21
}
