//! What adbd does to itself: root, unroot, remount, another transport, a restart of the device
//! (`daemon/restart_service.cpp`, `daemon/services.cpp`, `docs/dev/root.md`).

use super::device_services::Reachable;
use crate::system::{Rights, VirtualSystem};
use crate::wire::{Away, StreamWriter};
use std::time::Duration;

/// How long init takes to start adbd again.
const RESTART: Duration = Duration::from_millis(200);
/// How long adbd is gone while the device restarts; what is left of the boot is the system's.
const REBOOT: Duration = Duration::from_millis(500);

/// What a service answers, and whether adbd restarts after that.
struct Answer {
    text: String,
    restarts: bool,
}

impl Answer {
    fn only(text: impl Into<String>) -> Self {
        Self { text: text.into(), restarts: false }
    }

    fn then_restart(text: impl Into<String>) -> Self {
        Self { text: text.into(), restarts: true }
    }
}

/// `root:`.
pub(super) async fn root(device: Reachable, writer: StreamWriter) {
    let answer = become_root(&mut device.system.lock());
    say(&device, &writer, answer).await;
}

/// `unroot:`.
pub(super) async fn unroot(device: Reachable, writer: StreamWriter) {
    let answer = {
        let mut system = device.system.lock();
        if system.files.rights == Rights::Shell {
            Answer::only("adbd not running as root\n")
        } else {
            system.files.rights = Rights::Shell;
            system.properties.put("service.adb.root", "0");
            Answer::then_restart("restarting adbd as non root\n")
        }
    };
    say(&device, &writer, answer).await;
}

fn become_root(system: &mut VirtualSystem) -> Answer {
    if system.files.rights != Rights::Shell {
        return Answer::only("adbd is already running as root\n");
    }
    if system.properties.get("ro.debuggable") != "1" {
        return Answer::only("adbd cannot run as root in production builds\n");
    }
    system.files.rights = Rights::Root;
    system.properties.put("service.adb.root", "1");
    Answer::then_restart("restarting adbd as root\n")
}

/// `remount:`: makes `/system` writable for root.
pub(super) async fn remount(device: Reachable, writer: StreamWriter) {
    let answer = Answer::only({
        let mut system = device.system.lock();
        if system.files.rights == Rights::Shell {
            "Not running as root. Try \"adb root\" first.\n"
        } else {
            system.files.rights = Rights::Remounted;
            "remount succeeded\n"
        }
    });
    say(&device, &writer, answer).await;
}

/// `tcpip:PORT`: adbd listens on that port from now on. A virtual device has one port only.
pub(super) async fn tcpip(device: Reachable, argument: String, writer: StreamWriter) {
    let own = device.address.port();
    let answer = match argument.parse::<u16>() {
        Ok(port) if port == own => Answer::then_restart(format!("restarting in TCP mode port: {port}\n")),
        Ok(port) if port > 0 => {
            Answer::only(format!("invalid port {port}: this virtual device can only listen on its own, {own}\n"))
        }
        _ => Answer::only(format!("invalid port {argument}\n")),
    };
    say(&device, &writer, answer).await;
}

/// `usb:`: adbd restarts; like an emulator's it is then where it was, for there is no cable.
pub(super) async fn usb(device: Reachable, writer: StreamWriter) {
    say(&device, &writer, Answer::then_restart("restarting in USB mode\n")).await;
}

async fn say(device: &Reachable, writer: &StreamWriter, answer: Answer) {
    let told = writer.write(answer.text.as_bytes()).await;
    if told.is_ok() && answer.restarts {
        // The host closes once it has read the text; then adbd exits.
        let _closed = writer.flushed().await;
    }
    if answer.restarts {
        device.line.leave(Away::Gone(RESTART));
    }
}

/// `reboot:`: the connection drops, the port is closed for a while, and what runs has ended. The word behind it
/// (`bootloader`, `recovery`) changes nothing: this device has only Android to boot into.
pub(super) fn reboot(device: &Reachable) {
    {
        let mut system = device.system.lock();
        system.files.rights = Rights::Shell;
        system.properties.put("service.adb.root", "0");
        system.reboot();
    }
    device.line.leave(Away::Gone(REBOOT));
}
