//! `toybox` and `env`: programs that run programs.

use super::{Exit, Invocation, help, names};

/// Android's own programs, which toybox does not hold.
const OTHERS: [&str; 22] = [
    "am",
    "cmd",
    "content",
    "dumpsys",
    "getevent",
    "getprop",
    "ime",
    "input",
    "ip",
    "locksettings",
    "logcat",
    "monkey",
    "ping",
    "pm",
    "screencap",
    "service",
    "setprop",
    "settings",
    "sh",
    "svc",
    "uiautomator",
    "wm",
];

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let held = |name: &str| !OTHERS.contains(&name) && name != "toybox" && names().any(|known| known == name);
    match invocation.rest().as_slice() {
        [] => {
            let list: Vec<&str> = names().filter(|name| held(name)).collect();
            invocation.out(format!("{}\n", list.join(" ")));
            Exit::SUCCESS
        }
        ["--help"] => {
            invocation.out(help::TOYBOX);
            Exit::SUCCESS
        }
        // `toybox --help NAME` is `NAME --help`.
        ["--help", name, ..] if held(name) => {
            super::run(&invocation.with_args(vec![(*name).to_owned(), "--help".to_owned()]))
        }
        ["--version"] => {
            invocation.out("toybox 0.8.9-android\n");
            Exit::SUCCESS
        }
        ["--long"] => {
            let list: String = names().filter(|name| held(name)).map(|name| format!("/system/bin/{name}\n")).collect();
            invocation.out(list);
            Exit::SUCCESS
        }
        [name, ..] if held(name) => super::run(&invocation.with_args(invocation.args[1..].to_vec())),
        [name, ..] => {
            invocation.err(format!("toybox: Unknown command {name} (see \"toybox --help\")\n"));
            Exit::Code(127)
        }
    }
}

/// `env X=1 command`; alone it prints what `adbd` sets.
pub(super) fn env(invocation: &Invocation<'_>) -> Exit {
    // What comes after the command is the command's own.
    let rest = invocation.rest();
    let own = rest.iter().take_while(|word| word.contains('=') || word.starts_with('-')).count();
    let args: Vec<String> = rest[own..].iter().map(|word| (*word).to_owned()).collect();
    if !args.is_empty() {
        return super::run(&invocation.with_args(args));
    }
    invocation.out(
        "ANDROID_DATA=/data\nANDROID_ROOT=/system\nEXTERNAL_STORAGE=/sdcard\nHOME=/\nLOGNAME=shell\n\
         SHELL=/system/bin/sh\nTMPDIR=/data/local/tmp\nUSER=shell\n",
    );
    Exit::SUCCESS
}
