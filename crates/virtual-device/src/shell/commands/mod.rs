//! The programs in `/system/bin`, one file each.

mod activity_manager;
mod app_locales;
mod broadcast;
mod cat;
mod change_files;
mod cmd;
mod content;
mod copy_move;
mod cut;
mod date;
mod digest;
mod disk_usage;
mod dumpsys;
mod echo;
mod file_stat;
mod find;
mod getevent;
mod grep;
mod head_tail;
mod help;
mod id;
mod identity;
mod input;
mod input_method;
mod intent;
mod key_code;
mod list_files;
mod lock_settings;
mod log_binary;
mod log_filter;
mod log_format;
mod logcat;
mod make_directory;
mod monkey;
mod network;
mod night_mode;
mod options;
mod package_activities;
mod package_install;
mod package_lists;
mod package_manager;
mod package_session;
mod pause;
mod printf;
mod process_table;
mod properties;
mod radios;
mod remove;
mod screencap;
mod sed;
mod sendevent;
mod service_dumps;
mod services;
mod settings;
mod sort;
mod test_expression;
mod touch;
mod toybox;
mod translate;
mod ui_dump;
mod uiautomator;
mod uniq;
mod window_dump;
mod window_manager;
mod word_count;
mod words;
mod xargs;

use super::interpreter::Exit;
use super::invocation::Invocation;

type Program = fn(&Invocation<'_>) -> Exit;

const PROGRAMS: &[(&str, Program)] = &[
    ("[", test_expression::run),
    ("[[", test_expression::run),
    ("am", activity_manager::run),
    ("base64", digest::base64),
    ("basename", words::basename),
    ("cat", cat::run),
    ("chmod", change_files::chmod),
    ("cmd", cmd::run),
    ("content", content::run),
    ("cp", copy_move::cp),
    ("cut", cut::run),
    ("date", date::run),
    ("df", disk_usage::df),
    ("dirname", words::dirname),
    ("du", disk_usage::du),
    ("dumpsys", dumpsys::run),
    ("echo", echo::run),
    ("egrep", grep::extended),
    ("env", toybox::env),
    ("false", |_| Exit::FAILURE),
    ("fgrep", grep::fixed),
    ("find", find::run),
    ("free", identity::free),
    ("getenforce", identity::getenforce),
    ("getevent", getevent::run),
    ("getprop", properties::getprop),
    ("grep", grep::run),
    ("head", head_tail::head),
    ("hostname", identity::hostname),
    ("id", id::run),
    ("ifconfig", network::ifconfig),
    ("ime", input_method::run),
    ("input", input::run),
    ("ip", network::ip),
    ("kill", process_table::kill),
    ("locksettings", lock_settings::run),
    ("logcat", logcat::run),
    ("ls", list_files::run),
    ("md5sum", digest::md5sum),
    ("mkdir", make_directory::run),
    ("monkey", monkey::run),
    ("mv", copy_move::mv),
    ("nproc", identity::nproc),
    ("pidof", process_table::pidof),
    ("ping", network::ping),
    ("pm", package_manager::run),
    ("printf", printf::run),
    ("ps", process_table::ps),
    ("pwd", |invocation| {
        invocation.out(format!("{}\n", invocation.directory));
        Exit::SUCCESS
    }),
    ("readlink", file_stat::readlink),
    ("realpath", file_stat::realpath),
    ("rev", words::rev),
    ("rm", remove::run),
    ("rmdir", change_files::rmdir),
    ("screencap", screencap::run),
    ("sed", sed::run),
    ("sendevent", sendevent::run),
    ("seq", words::seq),
    ("service", services::service),
    ("setprop", properties::setprop),
    ("settings", settings::run),
    ("sha256sum", digest::sha256sum),
    ("sleep", pause::run),
    ("sort", sort::run),
    ("stat", file_stat::stat),
    ("svc", radios::svc),
    ("tac", words::tac),
    ("tail", head_tail::tail),
    ("tee", change_files::tee),
    ("test", test_expression::run),
    ("top", process_table::top),
    ("touch", touch::run),
    ("toybox", toybox::run),
    ("tr", translate::run),
    ("true", |_| Exit::SUCCESS),
    ("uiautomator", uiautomator::run),
    ("uname", identity::uname),
    ("uniq", uniq::run),
    ("uptime", identity::uptime),
    ("wc", word_count::run),
    ("which", words::which),
    ("whoami", identity::whoami),
    ("wm", window_manager::run),
    ("xargs", xargs::run),
    ("yes", words::yes),
];

/// Names of all programs, for `/system/bin`.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|(name, _)| *name).filter(|name| *name != "[[").chain(["sh"])
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
        Some((known, program)) => match help_asked(known, invocation) {
            Some(text) => {
                invocation.out(text);
                Exit::SUCCESS
            }
            None => program(invocation),
        },
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

/// toybox looks for `--help` before a program does, in the first word only (`check_help`).
fn help_asked(name: &str, invocation: &Invocation<'_>) -> Option<String> {
    let asks = invocation.args.get(1).is_some_and(|word| word == "--help");
    if asks { help::of(name) } else { None }
}

/// The system service a program talks to; it cannot be found while the device starts.
fn service_behind<'a>(program: &str, invocation: &'a Invocation<'_>) -> Option<&'a str> {
    match program {
        "am" => Some("activity"),
        "pm" => Some("package"),
        "wm" => Some("window"),
        "settings" | "content" => Some("settings"),
        "locksettings" => Some("lock_settings"),
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
