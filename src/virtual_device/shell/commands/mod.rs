//! The programs in `/system/bin`, one file each.

mod activity_manager;
mod cat;
mod cmd;
mod date;
mod dumpsys;
mod echo;
mod grep;
mod head_tail;
mod id;
mod input;
mod intent;
mod key_code;
mod list_files;
mod log_filter;
mod logcat;
mod make_directory;
mod monkey;
mod package_install;
mod package_manager;
mod pause;
mod pidof;
mod printf;
mod properties;
mod remove;
mod screencap;
mod settings;
mod touch;
mod ui_dump;
mod uiautomator;
mod window_dump;
mod window_manager;
mod word_count;

use super::interpreter::Exit;
use super::invocation::Invocation;

type Program = fn(&Invocation<'_>) -> Exit;

const PROGRAMS: &[(&str, Program)] = &[
    ("am", activity_manager::run),
    ("cat", cat::run),
    ("cmd", cmd::run),
    ("date", date::run),
    ("dumpsys", dumpsys::run),
    ("echo", echo::run),
    ("false", |_| Exit::FAILURE),
    ("getprop", properties::getprop),
    ("grep", grep::run),
    ("head", head_tail::head),
    ("id", id::run),
    ("input", input::run),
    ("logcat", logcat::run),
    ("ls", list_files::run),
    ("mkdir", make_directory::run),
    ("monkey", monkey::run),
    ("pidof", pidof::run),
    ("pm", package_manager::run),
    ("printf", printf::run),
    ("pwd", |invocation| {
        invocation.out(format!("{}\n", invocation.directory));
        Exit::SUCCESS
    }),
    ("rm", remove::run),
    ("screencap", screencap::run),
    ("setprop", properties::setprop),
    ("settings", settings::run),
    ("sleep", pause::run),
    ("tail", head_tail::tail),
    ("touch", touch::run),
    ("true", |_| Exit::SUCCESS),
    ("uiautomator", uiautomator::run),
    ("wc", word_count::run),
    ("wm", window_manager::run),
];

/// Names of all programs, for `/system/bin`.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|(name, _)| *name).chain(["sh"])
}

/// Runs the program `args[0]` names; 127 when there is none.
pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let Some(word) = invocation.args.first() else { return Exit::SUCCESS };
    let name = word.strip_prefix("/system/bin/").unwrap_or(word);
    if !invocation.system.lock().boot_completed()
        && let Some(service) = service_behind(name, invocation)
    {
        invocation.err(format!("cmd: Can't find service: {service}\n"));
        return Exit::Code(20);
    }
    match PROGRAMS.iter().find(|(known, _)| *known == name) {
        Some((_, program)) => program(invocation),
        None => {
            let (reason, code) = match invocation.system.lock().files.stat(&invocation.path(word)) {
                Ok(_) if word.contains('/') => ("can't execute: Permission denied", 126),
                _ => ("inaccessible or not found", 127),
            };
            invocation.err(format!("/system/bin/sh: {word}: {reason}\n"));
            Exit::Code(code)
        }
    }
}

/// The system service a program talks to; it cannot be found while the device starts.
fn service_behind<'a>(program: &str, invocation: &'a Invocation<'_>) -> Option<&'a str> {
    match program {
        "am" => Some("activity"),
        "pm" => Some("package"),
        "wm" => Some("window"),
        "settings" => Some("settings"),
        "input" => Some("input"),
        "cmd" | "dumpsys" => invocation.args.get(1).map(String::as_str),
        _ => None,
    }
}

/// What Android's shell framework prints when a command throws (`BasicShellCommandHandler`): exit 255.
fn exception(invocation: &Invocation<'_>, command: &str, exception: &str, frame: &str) -> Exit {
    invocation.err(format!("\nException occurred while executing '{command}':\n{exception}\n\tat {frame}\n"));
    Exit::Code(255)
}

/// `getNextArgRequired` at the end of the arguments.
fn argument_expected(previous: &str) -> String {
    format!("java.lang.IllegalArgumentException: Argument expected after \"{previous}\"")
}
