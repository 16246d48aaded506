//! Networks: `svc wifi|data|power`, `cmd wifi`, `cmd connectivity`, `cmd phone`.

use super::{Exit, Invocation};
use crate::system::{Namespace, VirtualSystem};

/// True while Wi-Fi is on.
pub(super) const fn wifi(system: &VirtualSystem) -> bool {
    system.radios.wifi
}

/// True while mobile data works.
pub(super) const fn data(system: &VirtualSystem) -> bool {
    system.radios.mobile && !system.radios.airplane
}

/// What is switched.
#[derive(Clone, Copy)]
enum Radio {
    Wifi,
    Data,
    Airplane,
}

/// Silent on success, as all of these are.
fn switch(invocation: &Invocation<'_>, radio: Radio, on: bool) -> Exit {
    let mut system = invocation.system.lock();
    let key = match radio {
        Radio::Wifi => {
            system.radios.wifi = on;
            "wifi_on"
        }
        Radio::Data => {
            system.radios.mobile = on;
            "mobile_data"
        }
        Radio::Airplane => {
            system.radios.airplane = on;
            // Entering airplane mode takes Wi-Fi along; leaving it brings back what was on before, here: everything.
            system.radios.wifi = !on;
            system.settings.put(Namespace::Global, "wifi_on", if on { "0" } else { "1" });
            "airplane_mode_on"
        }
    };
    system.settings.put(Namespace::Global, key, if on { "1" } else { "0" });
    Exit::SUCCESS
}

/// A word that is neither on nor off: Android says so on stdout and ends with −1.
fn invalid(invocation: &Invocation<'_>, command: &str, word: &str) -> Exit {
    invocation.out(format!(
        "Invalid args for {command}: java.lang.IllegalArgumentException: Expected 'enabled' or 'disabled' as next arg but \
         got '{word}'\n"
    ));
    Exit::Code(255)
}

pub(super) fn svc(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    match rest.as_slice() {
        ["wifi", word @ ("enable" | "disable"), ..] => switch(invocation, Radio::Wifi, *word == "enable"),
        ["data", word @ ("enable" | "disable"), ..] => switch(invocation, Radio::Data, *word == "enable"),
        ["wifi", ..] => usage(invocation, "Control the Wi-Fi manager\n\nusage: svc wifi [enable|disable]\n"),
        ["data", ..] => usage(invocation, "Control mobile data connectivity\n\nusage: svc data [enable|disable]\n"),
        ["power", "stayon", word, ..] => {
            let value = match *word {
                "true" => "15",
                "false" => "0",
                "ac" => "1",
                "usb" => "2",
                "wireless" => "4",
                _ => return power_usage(invocation),
            };
            invocation.system.lock().settings.put(Namespace::Global, "stay_on_while_plugged_in", value);
            Exit::SUCCESS
        }
        // A virtual display never goes dark.
        ["power", ..] => power_usage(invocation),
        _ => usage(
            invocation,
            "Available commands:\n    help     Show information about the subcommands\n    power    Control the power \
             manager\n    wifi     Control the Wi-Fi manager\n    data     Control mobile data connectivity\n",
        ),
    }
}

fn power_usage(invocation: &Invocation<'_>) -> Exit {
    usage(
        invocation,
        "Control the power manager\n\nusage: svc power stayon [true|false|usb|ac|wireless]\n         Set the 'keep awake \
         while plugged in' setting.\n",
    )
}

fn usage(invocation: &Invocation<'_>, text: &str) -> Exit {
    invocation.err(text);
    Exit::SUCCESS
}

/// `cmd wifi …`.
pub(super) fn wifi_command(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    match rest {
        ["set-wifi-enabled", "enabled", ..] => switch(invocation, Radio::Wifi, true),
        ["set-wifi-enabled", "disabled", ..] => switch(invocation, Radio::Wifi, false),
        ["set-wifi-enabled", word, ..] => invalid(invocation, "set-wifi-enabled", word),
        ["status", ..] => {
            let on = wifi(&invocation.system.lock());
            invocation.out(if on {
                "Wifi is enabled\nWifi scanning is only available when wifi is enabled\nWifi is connected to \"AndroidWifi\"\n"
            } else {
                "Wifi is disabled\nWifi scanning is only available when wifi is enabled\n"
            });
            Exit::SUCCESS
        }
        rest => unknown(invocation, rest, "Wi-Fi (wifi) commands:\n  set-wifi-enabled enabled|disabled\n  status\n"),
    }
}

/// `cmd connectivity airplane-mode …`.
pub(super) fn connectivity_command(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    match rest {
        ["airplane-mode", "enable", ..] => switch(invocation, Radio::Airplane, true),
        ["airplane-mode", "disable", ..] => switch(invocation, Radio::Airplane, false),
        ["airplane-mode"] => {
            let on = invocation.system.lock().radios.airplane;
            invocation.out(if on { "enabled\n" } else { "disabled\n" });
            Exit::SUCCESS
        }
        rest => unknown(invocation, rest, CONNECTIVITY_HELP),
    }
}

const CONNECTIVITY_HELP: &str = "Connectivity service commands:\n  help\n    Print this help text.\n  airplane-mode \
                                 [enable|disable]\n    Turn airplane mode on or off.\n  airplane-mode\n    Get airplane mode.\n";

/// `cmd phone data enable|disable`.
pub(super) fn phone_command(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    match rest {
        ["data", word @ ("enable" | "disable"), ..] => switch(invocation, Radio::Data, *word == "enable"),
        rest => unknown(invocation, rest, "Telephony Commands:\n  data [enable|disable]\n"),
    }
}

/// Help on stdout for no command or `help`; anything else is unknown, −1.
fn unknown(invocation: &Invocation<'_>, rest: &[&str], help: &str) -> Exit {
    match rest {
        [] | ["help" | "-h"] => {
            invocation.out(help);
            Exit::SUCCESS
        }
        // The handler prints its help after a word that is wrong for a known command.
        ["airplane-mode", ..] => {
            invocation.out(help);
            Exit::Code(255)
        }
        [word, ..] => {
            invocation.out(format!("Unknown command: {word}\n"));
            Exit::Code(255)
        }
    }
}
