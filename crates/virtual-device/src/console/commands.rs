//! What each line does.

use super::{Console, help, nmea};
use crate::Location;
use crate::faults::FaultSpec;
use crate::system::{Buffer, LogEntry, Priority};

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Lines that end in CR LF, then `OK`.
    Ok(String),
    /// A reason.
    Ko(String),
    /// The conversation ends.
    Quit,
    /// The device ends.
    Kill,
}

impl Reply {
    fn ok() -> Self {
        Self::Ok(String::new())
    }

    fn ko(reason: impl Into<String>) -> Self {
        Self::Ko(reason.into())
    }
}

const UNKNOWN: &str = "unknown command, try 'help'";

/// Carries out a line. Before authentication only the harmless commands are known.
pub(super) fn run(console: &Console, line: &str, authenticated: bool) -> Reply {
    let (command, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(c, rest)| (c, rest.trim()));
    let known = help::COMMANDS.iter().find(|entry| entry.name.split('|').any(|name| name == command));
    if known.is_none_or(|entry| !authenticated && !entry.open) {
        return Reply::ko(UNKNOWN);
    }
    match command {
        "help" | "h" | "?" => help::text(rest, authenticated).map_or_else(|| Reply::ko(UNKNOWN), Reply::Ok),
        "ping" => Reply::Ok("I am alive!\r\n".to_owned()),
        "quit" | "exit" => Reply::Quit,
        "avd" => avd(console, rest, authenticated),
        "event" => event(console, rest),
        "fault" => fault(console, rest),
        "finger" => finger(console, rest),
        "geo" => geo(console, rest),
        "rotate" => {
            let mut system = console.system.lock();
            let turned = system.rotation() + 1;
            system.turn(turned);
            Reply::ok()
        }
        "kill" => Reply::Kill,
        _ => Reply::ko(UNKNOWN),
    }
}

fn split(rest: &str) -> (&str, &str) {
    rest.split_once(char::is_whitespace).map_or((rest, ""), |(word, rest)| (word, rest.trim()))
}

/// What the emulator says to a command that has subcommands, without one or with an unknown one.
fn subcommand(word: &str) -> Reply {
    Reply::ko(if word.is_empty() { "missing sub-command" } else { "bad sub-command" })
}

/// `avd name|status|snapshot load NAME`. Whatever its name, a snapshot is of the device before any app was used.
fn avd(console: &Console, rest: &str, authenticated: bool) -> Reply {
    match (split(rest), authenticated) {
        (("name", ""), _) => Reply::Ok(format!("{}\r\n", console.name)),
        (("status", ""), _) => Reply::Ok("virtual device is running\r\n".to_owned()),
        (("snapshot", what), true) => match split(what) {
            ("load", "") => Reply::ko("argument missing, try 'avd snapshot load <name>'"),
            ("load", _) => {
                console.system.lock().restore_snapshot();
                Reply::ok()
            }
            (other, _) => subcommand(other),
        },
        _ => subcommand(rest),
    }
}

/// `event text MESSAGE`: as if typed on a hardware keyboard.
fn event(console: &Console, rest: &str) -> Reply {
    match split(rest) {
        ("text", "") => Reply::ko("argument missing, try 'event text <message>'"),
        ("text", message) => {
            console.system.lock().type_text(message);
            Reply::ok()
        }
        (other, _) => subcommand(other),
    }
}

/// `fault list|add SPEC|set SPECS|clear`; not an emulator's command, but where an emulator's users look for one.
fn fault(console: &Console, rest: &str) -> Reply {
    let faults = &console.system.faults;
    match split(rest) {
        ("list", _) => Reply::Ok(
            faults
                .list()
                .iter()
                .map(|(spec, struck)| format!("{spec} (struck {struck})\r\n"))
                .collect::<Vec<_>>()
                .concat(),
        ),
        ("clear", _) => {
            faults.replace([]);
            Reply::ok()
        }
        ("add" | "set", "") => Reply::ko("argument missing, try 'fault add null-root:times=1'"),
        (how @ ("add" | "set"), list) => match FaultSpec::parse_list(list) {
            Ok(specs) if how == "add" => {
                faults.add(specs);
                Reply::ok()
            }
            Ok(specs) => {
                faults.replace(specs);
                Reply::ok()
            }
            Err(error) => Reply::ko(error.to_string()),
        },
        (other, _) => subcommand(other),
    }
}

/// `finger touch ID|remove`: no app of a virtual device waits for a finger, so only the sensor's log tells.
fn finger(console: &Console, rest: &str) -> Reply {
    let message = match split(rest) {
        ("touch", "") => return Reply::ko("not enough arguments: finger touch <fingerid>"),
        ("touch", id) => match id.parse::<u32>() {
            Ok(id) => format!("finger {id} touched the sensor; no enrolled print is asked for"),
            Err(_) => return Reply::ko("invalid fingerid: a number is expected"),
        },
        ("remove", _) => "finger removed from the sensor".to_owned(),
        (other, _) => return subcommand(other),
    };
    let mut system = console.system.lock();
    let entry = LogEntry {
        buffer: Buffer::System,
        time: system.wall(),
        pid: 600,
        priority: Priority::Info,
        tag: "fingerprint".to_owned(),
        message,
    };
    system.log.add(entry);
    Reply::ok()
}

fn geo(console: &Console, rest: &str) -> Reply {
    let found = match split(rest) {
        ("fix", arguments) => fix(arguments),
        ("nmea", "") => return Reply::ko("NMEA sentence missing, try 'help geo nmea'"),
        ("nmea", sentence) => nmea::position(sentence).map_err(ToOwned::to_owned),
        (other, _) => return subcommand(other),
    };
    match found {
        Ok(location) => {
            console.system.lock().set_location(Some(location));
            Reply::ok()
        }
        Err(reason) => Reply::Ko(reason),
    }
}

/// `<longitude> <latitude> [<altitude> [<satellites> [<velocity>]]]`, longitude first.
fn fix(arguments: &str) -> Result<Location, String> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    if words.len() < 2 {
        return Err("not enough arguments: see 'help geo fix' for details".to_owned());
    }
    if words.len() > 5 {
        return Err("too many arguments: see 'help geo fix' for details".to_owned());
    }
    let number = |at: usize, name: &str, limit: f64| match words.get(at).map(|word| word.parse::<f64>()) {
        None => Ok(0.0),
        Some(Ok(value)) if value.is_finite() && value.abs() <= limit => Ok(value),
        Some(Ok(_)) => Err(format!("{name} out of range: -{limit} to {limit}")),
        Some(Err(_)) => Err(format!("argument '{}' is not a number ({name})", words[at])),
    };
    let (longitude, latitude) = (number(0, "longitude", 180.0)?, number(1, "latitude", 90.0)?);
    // Read, but no app here asks how high or how fast it is.
    number(2, "altitude", 100_000.0)?;
    if let Some(satellites) = words.get(3)
        && !satellites.parse::<u8>().is_ok_and(|count| (1..=12).contains(&count))
    {
        return Err("invalid number of satellites. Must be an integer between 1 and 12".to_owned());
    }
    number(4, "velocity", 100_000.0)?;
    Ok(Location { latitude, longitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_has_the_longitude_first() {
        assert_eq!(fix("13.4050 52.52 34 9 1.5"), Ok(Location { latitude: 52.52, longitude: 13.405 }));
        for (bad, reason) in [
            ("1", "not enough arguments: see 'help geo fix' for details"),
            ("1 2 3 4 5 6", "too many arguments: see 'help geo fix' for details"),
            ("east 2", "argument 'east' is not a number (longitude)"),
            ("181 2", "longitude out of range: -180 to 180"),
            ("1 2 3 13", "invalid number of satellites. Must be an integer between 1 and 12"),
            ("NaN 2", "longitude out of range: -180 to 180"),
        ] {
            assert_eq!(fix(bad), Err(reason.to_owned()), "{bad}");
        }
    }
}
