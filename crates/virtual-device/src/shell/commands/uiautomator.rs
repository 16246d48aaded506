//! `uiautomator dump` (`cmds/uiautomator/…/DumpCommand.java`, `Launcher.java`).

use super::ui_dump::{Detail, Shape, WindowDump, document, windows_document};
use super::{Exit, Invocation};
use crate::faults::{Fault, Faults};
use crate::system::IdleWait;
use std::time::Duration;

const NULL_ROOT: &str = "ERROR: null root node returned by UiTestAutomationBridge.\n";
/// First API level whose dumper knows `--windows`; it came somewhere between 29 and 34, and older ones ignore it.
const WINDOWS_SINCE: u32 = 34;
const DEFAULT_FILE: &str = "/sdcard/window_dump.xml";
/// How often a moving screen is looked at: once per frame at 60 Hz.
const FRAME: Duration = Duration::from_millis(16);

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    match invocation.rest().as_slice() {
        ["dump", rest @ ..] => dump(invocation, rest),
        [word @ ("events" | "runtest"), ..] => {
            invocation.err(format!("uiautomator: a virtual device knows only `dump`, not `{word}`\n"));
            Exit::FAILURE
        }
        _ => {
            invocation.err(
                "Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message\n\n\
                 runtest: executes UI automation tests\n\ndump: creates an XML dump of current UI hierarchy\n    \
                 dump [--verbose][file]\n      [--compressed]: dumps compressed layout information.\n      \
                 [file]: the location where the dumped XML should be stored, default is\n      \
                 /storage/emulated/legacy/window_dump.xml\n\nevents: prints out accessibility events until terminated\n\n",
            );
            Exit::SUCCESS
        }
    }
}

fn dump(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let compressed = rest.contains(&"--compressed");
    let file = rest.iter().rfind(|word| !word.starts_with('-')).copied().unwrap_or(DEFAULT_FILE);
    // A second UiAutomation cannot register; the process dies without a word (measured 3 of 3 by ROVER).
    let Some(_automation) = invocation.system.connect_automation() else { return Exit::Signal(9) };
    let faults = &invocation.system.faults;
    turn_screen(invocation);
    if let Some(slow) = faults.strike(Fault::SlowDump)
        && !invocation.system.clock().wait(slow.time(), invocation.interrupt)
    {
        return Exit::Signal(1);
    }
    if let Some(idle) = faults.strike(Fault::Idle) {
        if !invocation.system.clock().wait(idle.time(), invocation.interrupt) {
            return Exit::Signal(1);
        }
        return never_idle(invocation);
    }
    let idle = invocation.system.lock().config().idle;
    match wait_for_idle(invocation, idle) {
        Idle::Yes => {}
        Idle::Never => return never_idle(invocation),
        Idle::Interrupted => return Exit::Signal(1),
    }
    // No window is active before the home screen is up.
    if faults.strike(Fault::NullRoot).is_some() || !invocation.system.lock().boot_completed() {
        invocation.err(NULL_ROOT);
        return Exit::SUCCESS;
    }
    let mut system = invocation.system.lock();
    let shape = Shape {
        rotation: system.rotation(),
        api: system.config().api,
        detail: if compressed { Detail::Important } else { Detail::Everything },
        display: system.display().rect(),
    };
    let Some(root) = system.window_root() else {
        drop(system);
        invocation.err(NULL_ROOT);
        return Exit::SUCCESS;
    };
    let xml = if rest.contains(&"--windows") && shape.api.since(WINDOWS_SINCE) {
        let front = system.front();
        let title = front.title.clone().unwrap_or_else(|| format!("{}/{}", root.package, front.process.activity()));
        windows_document(&[WindowDump { title, id: front.task, layer: 1, root: &root }], shape)
    } else {
        document(&root, shape)
    };
    let path = invocation.path(file);
    let terminal = path == "/dev/tty";
    let xml = xml.map(|xml| damaged(xml, faults));
    let Some(xml) = xml.ok().filter(|_| faults.strike(Fault::Dump137).is_none()) else {
        // An exception while walking: the file is open already, nothing is in it, nothing is said.
        if !terminal {
            // What cannot be created is not created; the process dies all the same.
            let _unwritable = system.files.write(&path, Vec::new(), 0o660);
        }
        return Exit::Signal(9);
    };
    // An unwritable path prints the success line all the same; only logcat knows (ANDROID_FACTS 2.1).
    if !terminal && let Err(error) = system.files.write(&path, xml.clone().into_bytes(), 0o660) {
        let line = format!("E uiautomator: failed to dump window to file: {path}: {error}");
        let time = system.wall();
        system.log.add_report(&[line], 0, "uiautomator", time);
    }
    drop(system);
    if terminal
        && let Some(tty) = &invocation.tty
        && tty.write(xml.as_bytes()).is_err()
    {
        invocation.interrupt.raise();
    }
    // The misspelling is Android's.
    invocation.out(format!("UI hierchary dumped to: {path}\n"));
    Exit::SUCCESS
}

/// A fault may turn the screen before it is looked at.
pub(super) fn turn_screen(invocation: &Invocation<'_>) {
    if let Some(turned) = invocation.system.faults.strike(Fault::Rotated) {
        invocation.system.lock().turn(turned.turns());
    }
}

fn never_idle(invocation: &Invocation<'_>) -> Exit {
    invocation.err("ERROR: could not get idle state.\n");
    Exit::SUCCESS
}

/// The document as a fault leaves it.
fn damaged(xml: String, faults: &Faults) -> String {
    if faults.strike(Fault::TruncatedDump).is_some() {
        return xml.chars().take(xml.chars().count() / 2).collect();
    }
    if faults.strike(Fault::InvalidXml).is_some() {
        return xml.replacen("text=\"", "text=\"<&", 1);
    }
    xml
}

enum Idle {
    Yes,
    Never,
    Interrupted,
}

/// Idle when nothing has moved for `idle.quiet`, counted from the connection at the earliest.
fn wait_for_idle(invocation: &Invocation<'_>, idle: IdleWait) -> Idle {
    let clock = invocation.system.clock();
    let begin = clock.passed();
    let mut last_event = begin;
    let mut seen = None;
    loop {
        let mut system = invocation.system.lock();
        let process = system.front_process();
        // Nothing moves in an app whose main thread is blocked.
        let moving = process.animating() && !process.hung();
        // With a quiet time any change on the screen is an event; without one the present moment is enough.
        let snapshot = (!idle.quiet.is_zero() && !moving).then(|| process.snapshot());
        drop(system);
        let now = clock.passed();
        if moving || (seen.is_some() && snapshot != seen) {
            last_event = now;
        }
        if !moving && now.saturating_sub(last_event) >= idle.quiet {
            return Idle::Yes;
        }
        if now.saturating_sub(begin) >= idle.limit {
            return Idle::Never;
        }
        if snapshot.is_some() {
            seen = snapshot;
        }
        let pause = if moving { FRAME } else { FRAME.min(idle.quiet) };
        if !clock.wait(pause, invocation.interrupt) {
            return Idle::Interrupted;
        }
    }
}
