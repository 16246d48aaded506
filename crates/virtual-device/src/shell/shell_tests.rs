//! Programs of the shell, run as `adb shell` runs them, on a device with one app.

use super::{Input, Output, Shell};
use crate::AppFiles;
use crate::system::{Interrupt, SharedSystem, SystemConfig, VirtualSystem};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

const APP: &str =
    "package: com.example.pay\nlabel: Pay\nscreens:\n  - {id: home, title: Home, body: [{text: {text: Hello}}]}\n";

#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn device() -> SharedSystem {
    let files = Arc::new(AppFiles::default());
    let mut system = VirtualSystem::boot(SystemConfig::default(), files.clone(), files.clone(), super::names());
    system.add(files.package("pay.app.yaml", APP).unwrap());
    SharedSystem::new(system)
}

/// What a script prints on a terminal, and its exit code.
fn run(system: &SharedSystem, script: &str, stdin: &[u8]) -> (String, u8) {
    let said = Said::default();
    let output = Output::new(said.clone());
    let input = Input::new(io::Cursor::new(stdin.to_vec()));
    let interrupt = Interrupt::default();
    let code = Shell::new(system, input, output.clone(), output, None, &interrupt).run(script).code();
    let bytes = said.0.lock().unwrap().clone();
    (String::from_utf8_lossy(&bytes).into_owned(), code)
}

fn check(rows: &[(&str, &str, u8)]) {
    let system = device();
    for (script, said, code) in rows {
        assert_eq!(run(&system, script, b""), ((*said).to_owned(), *code), "{script}");
    }
}

#[test]
fn two_dashes_end_the_options_of_every_toybox_command() {
    check(&[
        ("cd /sdcard; mkdir -p -- -d; touch -- -d/-f; ls -- -d", "-f\n", 0),
        ("cd /sdcard; cp -- -d/-f -d/-g; mv -- -d/-g -d/-h; ls -1 -- -d", "-f\n-h\n", 0),
        ("cd /sdcard/-d; echo a > -h; cat -- -h; head -n 1 -- -h; tail -- -h; wc -l -- -h", "a\na\na\n1 -h\n", 0),
        ("cd /sdcard/-d; rev -- -h; tac -- -h; sort -- -h; uniq -- -h; cut -c1 -- -h", "a\na\na\na\na\n", 0),
        (
            "cd /sdcard/-d; grep -- a -h; sed -n -- p -h; stat -c %s -- -h; realpath -- -h",
            "a\na\n2\n/storage/emulated/0/-d/-h\n",
            0,
        ),
        ("cd /sdcard; chmod -- 600 -d/-h; find -- /sdcard/-d -name -f; du -- -d > /dev/null", "/sdcard/-d/-f\n", 0),
        (
            "basename -- /a/b; dirname -- /a/b; seq -- 2; which -- ls; date -- +%Z; sleep -- 0",
            "b\n/a\n1\n2\n/system/bin/ls\nUTC\n",
            0,
        ),
        (
            "cd /sdcard/-d; base64 -- -h; md5sum -- -h; sha256sum -- -h",
            "YQo=\n60b725f10c9c85c70d97880dfe8191b3  -h\n\
             87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7  -h\n",
            0,
        ),
        ("cd /sdcard/-d; cat -- -h | tr -- a b; echo c | tee -- -t; cat -- -t; egrep -- a -h", "b\nc\nc\na\n", 0),
        (
            "echo a | xargs -- echo; readlink -- /sdcard; uname --; yes -- b | head -n 1",
            "a\n/storage/self/primary\nLinux\nb\n",
            0,
        ),
        ("cd /sdcard/-d; env -- echo c; env ls -- -h; echo -h | xargs -- ls --", "c\n-h\n-h\n", 0),
        (
            "pidof -- com.android.launcher3; ps -- > /dev/null && df -- /sdcard > /dev/null && echo fine",
            "1200\nfine\n",
            0,
        ),
        ("cd /sdcard; rm -r -- -d; ls -- -d", "ls: -d: No such file or directory\n", 1),
        ("mkdir -p -- '/sdcard/a b'; rmdir -- '/sdcard/a b'; echo $?; echo --", "0\n--\n", 0),
    ]);
}

#[test]
fn toybox_commands_print_their_usage_and_the_shells_own_do_not() {
    let system = device();
    for (script, wanted) in [
        ("ls --help", "usage: ls "),
        ("toybox --help", "usage: toybox "),
        ("toybox --help grep", "usage: grep "),
        ("toybox ps --help", "\n-A\tAll\n"),
    ] {
        let (said, code) = run(&system, script, b"");
        assert!(said.starts_with("Toybox ") && said.contains(wanted) && code == 0, "{script}: {said}");
    }
    // Android's own programs are none of them: getevent is toolbox's.
    check(&[
        ("toybox getevent 2>&1", "toybox: Unknown command getevent (see \"toybox --help\")\n", 127),
        ("toybox | tr ' ' '\\n' | grep -c event", "1\n", 0),
    ]);
    check(&[("echo --help", "--help\n", 0), ("true --help", "", 0), ("printf -- '%s\\n' --help", "--help\n", 0)]);
}

#[test]
fn dev_null_and_proc_are_files() {
    check(&[
        ("echo x > /dev/null; cat /dev/null; cp /dev/null /sdcard/e; stat -c %s /sdcard/e", "0\n", 0),
        ("cp /sdcard/e /dev/null; echo x | tee /dev/null", "x\n", 0),
        ("[ -e /dev/null ] && [ ! -f /dev/null ] && [ -w /dev/null ] && echo yes", "yes\n", 0),
        ("rm -f /dev/null", "rm: /dev/null: Permission denied\n", 1),
        ("head -n 1 /proc/stat | cut -c1-5; grep -c ^processor /proc/cpuinfo", "cpu  \n4\n", 0),
        ("grep MemTotal /proc/meminfo; [ -f /proc/meminfo ] && echo file", "MemTotal:        2027764 kB\nfile\n", 0),
        ("echo 1 > /proc/stat", "/system/bin/sh: can't create /proc/stat: Permission denied\n", 1),
        ("ls /sys/devices/system/cpu", "cpu0\ncpu1\ncpu2\ncpu3\n", 0),
        ("cat /proc/1200/cmdline | tr -d '\\0'; echo", "com.android.launcher3\n", 0),
    ]);
}

#[test]
fn grep_shows_context_and_finds_words() {
    let text = "one\ntwo\nthree twofold\nfour\nfive\nsix two\n";
    let system = device();
    system.lock().files.write("/sdcard/t", text.as_bytes().to_vec(), 0o644).unwrap();
    for (arguments, said) in [
        ("-w two /sdcard/t", "two\nsix two\n"),
        ("-nA1 -w two /sdcard/t", "2:two\n3-three twofold\n--\n6:six two\n"),
        ("-n -B 1 six /sdcard/t", "5-five\n6:six two\n"),
        ("-C1 four /sdcard/t", "three twofold\nfour\nfive\n"),
        ("-x two /sdcard/t", "two\n"),
        ("-l two /sdcard/t /dev/null", "/sdcard/t\n"),
        ("-A1 -H one /sdcard/t", "/sdcard/t:one\n/sdcard/t-two\n"),
        ("-o -w tw. /sdcard/t", "two\ntwo\n"),
        ("-m1 -A1 two /sdcard/t", "two\n"),
        ("-c two /sdcard/t /dev/null", "/sdcard/t:3\n/dev/null:0\n"),
    ] {
        assert_eq!(run(&system, &format!("grep {arguments}"), b"").0, said, "{arguments}");
        let piped = format!("cat /sdcard/t | grep {}", arguments.replace(" /sdcard/t", ""));
        if !arguments.contains(['H', 'l']) && !arguments.contains("null") {
            assert_eq!(run(&system, &piped, b"").0, said, "{piped}");
        }
    }
    check(&[
        ("grep -A x y z", "grep: bad number 'x'\n", 2),
        ("grep -iZ y z", "grep: Unknown option 'Z' (see \"grep --help\")\n", 2),
    ]);
}

#[test]
fn echo_stops_at_backslash_c() {
    check(&[
        ("echo -e '1\\c' && echo -e 'a\\tb\\ccd' e", "1a\tb", 0),
        ("echo -e '\\0101\\x'; echo '1\\c'; echo -E '\\n'", "A\\x\n1\\c\n\\n\n", 0),
        ("true && echo -e '1\\c' || echo -e '0\\c'", "1", 0),
    ]);
}

#[test]
fn logcat_writes_binary_entries_without_dividers() {
    let system = device();
    run(&system, "monkey -p com.example.pay 1", b"");
    // The length of what follows the head, then the head's: 28 bytes.
    let (text, _) = run(&system, "logcat -d -B -b system -m 1 | head -c 4 | tail -c 2 | base64", b"");
    assert_eq!(text, "HAA=\n");
    let (text, code) = run(&system, "logcat -B -d -s nothing", b"");
    assert_eq!((text.as_str(), code), ("", 0));
}

#[test]
fn getevent_tells_the_size_of_the_touch_screen() {
    let system = device();
    let (said, code) = run(&system, "getevent -p", b"");
    assert!(said.contains("\n                0035  : value 0, min 0, max 1079, fuzz 0"), "{said}");
    assert!(said.contains("0036  : value 0, min 0, max 2399,") && code == 0, "{said}");
    assert!(run(&system, "getevent -lp", b"").0.contains("ABS_MT_POSITION_X     : value 0, min 0, max 1079"));
}

#[test]
fn sendevent_asks_for_a_device_and_numbers() {
    check(&[
        ("sendevent /dev/input/event1 3 57 7", "", 0),
        (
            "sendevent /dev/input/event9 0 0 0 2>&1",
            "sendevent: could not open /dev/input/event9, No such file or directory\n",
            1,
        ),
        ("sendevent /dev/input/event1 3 2>&1", "use: sendevent <device> <type> <code> <value>\n", 1),
        ("sendevent /dev/input/event1 EV_ABS 57 7 2>&1", "sendevent: bad number\n", 1),
    ]);
}

#[test]
fn content_reads_and_writes_settings() {
    check(&[
        (
            "content query --uri content://settings/system --where \"name='user_rotation'\"",
            "Row: 0 _id=6, name=user_rotation, value=0\n",
            0,
        ),
        (
            "content insert --uri content://settings/system --bind name:s:user_rotation --bind value:i:1; \
             settings get system user_rotation; content query --uri content://settings/system/user_rotation --projection name:value",
            "1\nRow: 0 name=user_rotation, value=1\n",
            0,
        ),
        ("content query --uri content://settings/secure/nothing", "No result found.\n", 0),
        (
            "content query --uri content://sms/inbox 2>&1 | head -n 2",
            "Error while accessing provider:sms\njava.lang.IllegalStateException: Could not find provider: sms\n",
            0,
        ),
        (
            "content insert --uri content://settings/system --bind x 2>&1 | head -n 1",
            "[ERROR] Binding not well formed: x\n",
            0,
        ),
    ]);
}

#[test]
fn activities_are_queried_by_what_an_intent_could_mean() {
    let main = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER";
    check(&[
        (
            &format!("cmd package query-activities --brief {main}"),
            "1 activities found:\n  Activity #0:\n    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 \
             isDefault=false\n    com.example.pay/.MainActivity\n",
            0,
        ),
        (&format!("cmd package query-activities --components {main}"), "com.example.pay/.MainActivity\n", 0),
        ("pm query-activities -a android.intent.action.VIEW -d geo:1,2", "No activities found\n", 0),
    ]);
}

#[test]
fn several_files_are_installed_as_one_app() {
    let system = device();
    let app = APP.replace("pay", "two");
    let create = run(&system, "cmd package install-create -S 100 -r", b"");
    assert_eq!(create, ("Success: created install session [1000001]\n".to_owned(), 0));
    let write = format!("pm install-write -S {} 1000001 0_base.apk -", app.len());
    assert_eq!(run(&system, &write, app.as_bytes()).0, format!("Success: streamed {} bytes\n", app.len()));
    assert_eq!(run(&system, "pm install-write -S 4 1000001 1_config.en.apk -", b"PK\x03\x04").1, 0);
    assert_eq!(run(&system, "pm install-commit 1000001", b""), ("Success\n".to_owned(), 0));
    let paths =
        "package:/data/app/com.example.two-1/base.apk\npackage:/data/app/com.example.two-1/split_config.en.apk\n";
    assert_eq!(run(&system, "pm path com.example.two", b"").0, paths);
    // The session is over.
    let (said, code) = run(&system, "pm install-commit 1000001", b"");
    assert!(said.contains("SecurityException: Caller has no access to session 1000001") && code == 255, "{said}");
    for (files, failure) in [
        (
            &[APP, &app] as &[&str],
            "INSTALL_FAILED_INVALID_APK: 1.apk package com.example.two inconsistent with com.example.pay",
        ),
        (&[APP, APP], "INSTALL_FAILED_INVALID_APK: Split null was defined multiple times"),
        (&["PK1", "PK2"], "INSTALL_FAILED_INVALID_APK: Full install must include a base package"),
        (&[], "INSTALL_FAILED_INVALID_APK: Full install must include a base package"),
    ] {
        let (said, _) = run(&system, "pm install-create", b"");
        let id = said.trim_end().trim_end_matches(']').rsplit('[').next().unwrap().to_owned();
        for (at, file) in files.iter().enumerate() {
            run(&system, &format!("pm install-write -S {} {id} {at}.apk", file.len()), file.as_bytes());
        }
        assert_eq!(run(&system, &format!("pm install-commit {id}"), b""), (format!("Failure [{failure}]\n"), 1));
    }
    assert_eq!(run(&system, "pm install-abandon 7", b"").1, 255);
}

#[test]
fn lock_keyguard_and_keyboards_answer_as_the_services_do() {
    check(&[
        ("wm dismiss-keyguard", "", 0),
        (
            "locksettings get-disabled; locksettings set-disabled true; locksettings get-disabled",
            "false\nLock screen disabled set to true\ntrue\n",
            0,
        ),
        (
            "locksettings verify; cmd lock_settings clear",
            "Lock credential verified successfully\nLock credential cleared\n",
            0,
        ),
        ("locksettings clear --old 1234", "Old password provided but user has no password\n", 255),
        ("ime disable a/.B", "Input method a/.B: already disabled for user #0\n", 0),
        ("ime enable a/.B", "Unknown input method a/.B cannot be enabled for user #0\n", 255),
        ("ime set a/.B", "Unknown input method a/.B cannot be selected for user #0\n", 255),
        ("dumpsys power | grep Locks | grep 'size='", "Wake Locks: size=0\n", 0),
        (
            "monkey -p com.example.pay 1 > /dev/null; dumpsys window windows | grep -m 1 imeControlTarget | sed 's/{[0-9a-f]*/{/'",
            "  imeControlTarget in display# 0 Window{ u0 com.example.pay/com.example.pay.MainActivity}\n",
            0,
        ),
        (
            "dumpsys activity processes | grep -o 'ProcessRecord{.*:com.example.pay/' | cut -d: -f2",
            "com.example.pay/\n",
            0,
        ),
    ]);
}
