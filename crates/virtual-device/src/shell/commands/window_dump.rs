//! The lines of `dumpsys window`, `dumpsys activity` and `dumpsys input_method` that tools look for.

use crate::system::{Running, VirtualSystem, short_component};

/// Whether a section prints what has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    Shown,
    Left,
}

/// `Window{48b4735 u0 pkg/cls}`.
fn window(running: &Running) -> String {
    let process = &running.process;
    let title = running.title.clone().unwrap_or_else(|| format!("{}/{}", process.package(), process.activity()));
    format!("Window{{{} u0 {title}}}", hash(running, 1))
}

/// `ActivityRecord{…}`, which changed its looks twice.
fn record(running: &Running, api: u32) -> String {
    let component = short_component(running.process.package(), &running.process.activity());
    let task = running.task;
    match api {
        33 => format!("ActivityRecord{{{} u0 {component}}} t{task}}}", hash(running, 2)),
        35.. => format!("ActivityRecord{{{} u0 {component} t{task}}}", 200_000_000 + running.pid * 7919 % 99_999_999),
        _ => format!("ActivityRecord{{{} u0 {component} t{task}}}", hash(running, 2)),
    }
}

/// A seven-digit object hash that stays the same while the task lives.
fn hash(running: &Running, salt: u32) -> String {
    format!("{:07x}", (running.pid.wrapping_mul(2_654_435_761).wrapping_add(salt.wrapping_mul(40_503))) & 0x0fff_ffff)
}

/// `mCurrentFocus` and `mFocusedApp`.
pub(super) fn focus(system: &VirtualSystem) -> String {
    let api = system.config().api.number();
    // Dialogs about apps in trouble have the focus but are no activities.
    let front = system.tasks().front_activity();
    let record = record(front, api);
    let focused = if api <= 29 {
        format!("AppWindowToken{{{} token=Token{{{} {record}}}}}", hash(front, 3), hash(front, 4))
    } else {
        record
    };
    format!("  mCurrentFocus={}\n  mFocusedApp={focused}\n", window(system.front()))
}

/// `dumpsys window displays`.
pub(super) fn displays(system: &VirtualSystem, shown: Focus) -> String {
    let size = system.display();
    let natural = system.natural_display();
    let focus = if shown == Focus::Shown { focus(system) } else { String::new() };
    format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n    init={6}x{7} {2}dpi \
         cur={0}x{1} app={0}x{1} rng={3}x{3}-{4}x{4}\n    deferred=false mLayoutNeeded=false\n    mCurrentRotation=ROTATION_{5} mUserRotation={5} rotation={8}\n{focus}\n",
        size.width,
        size.height,
        system.density(),
        size.width.min(size.height),
        size.width.max(size.height),
        u32::from(system.rotation()) * 90,
        natural.width,
        natural.height,
        system.rotation(),
    )
}

/// `dumpsys window windows`.
pub(super) fn windows(system: &VirtualSystem, shown: Focus) -> String {
    let mut text = "WINDOW MANAGER WINDOWS (dumpsys window windows)\n".to_owned();
    let front = system.front();
    text.push_str(&format!("  Window #0 {}:\n", window(front)));
    text.push_str(&format!("    mDisplayId=0 mOwnerUid=10000 package={} appop=NONE\n", front.process.package()));
    text.push_str(&keyboard_targets(system));
    if shown == Focus::Shown {
        text.push_str(&focus(system));
    }
    text
}

/// The windows a keyboard would stand over, type into and be moved by; all are the one in front
/// (`WindowManagerService.dumpWindowsNoHeaderLocked`, which named them anew in Android 12).
fn keyboard_targets(system: &VirtualSystem) -> String {
    let names: &[&str] = match system.config().api.number() {
        ..=28 => return String::new(),
        29 => &["mInputMethodTarget"],
        30 => &["mInputMethodTarget", "mInputMethodInputTarget", "mInputMethodControlTarget"],
        _ => &["imeLayeringTarget", "imeInputTarget", "imeControlTarget"],
    };
    let window = window(system.front());
    names.iter().map(|name| format!("  {name} in display# 0 {window}\n")).collect()
}

/// `dumpsys activity activities`.
pub(super) fn activities(system: &VirtualSystem) -> String {
    let api = system.config().api.number();
    let mut text =
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n"
            .to_owned();
    for running in system.tasks().apps().rev() {
        text.push_str(&format!("  * Task{{{} #{} A={}}}\n", hash(running, 5), running.task, running.process.package()));
        if running.top().pid != running.pid {
            text.push_str(&format!("    * Hist #1: {}\n", record(running.top(), api)));
        }
        text.push_str(&format!("    * Hist #0: {}\n", record(running, api)));
    }
    let front = record(system.tasks().front_activity(), api);
    text.push_str(&match api {
        ..=25 => format!("\n  mFocusedActivity: {front}\n"),
        26..=30 => format!("\n    mResumedActivity: {front}\n"),
        _ => format!("\n  topResumedActivity={front}\n\n  ResumedActivity: {front}\n"),
    });
    text
}
