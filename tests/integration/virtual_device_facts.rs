//! Facts about Android's shell as tables: command → stdout, stderr, exit code. In-process, on a virtual clock, no adb.

use crate::two_buttons::{NEXT, SPIN, TestInstaller, app, home};
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tapwright::domain::Size;
use tapwright::virtual_device::shell::{Input, Output, Shell, names};
use tapwright::virtual_device::system::{Interrupt, SystemConfig, VirtualSystem};
use tapwright::virtual_device::{ApiLevel, Clock, IdleWait, SharedSystem};

#[derive(Clone, Default)]
pub(crate) struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Sink {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// A device on a virtual clock and the shell into it.
pub(crate) struct Phone(pub(crate) SharedSystem);

impl Phone {
    pub(crate) fn new(api: u32, idle: IdleWait) -> Self {
        let config = SystemConfig {
            api: ApiLevel::new(api).unwrap(),
            display: Size::new(200, 400),
            idle,
            clock: Clock::virtual_at("2026-05-01T10:00:00Z".parse().unwrap()),
            ..SystemConfig::default()
        };
        let mut system = VirtualSystem::boot(config, Arc::new(TestInstaller), home(), names());
        system.add(app("com.example.two", 1));
        Self(SharedSystem::new(system))
    }

    /// stdout, stderr and exit code, as `shell,v2,raw:` has them.
    pub(crate) fn sh(&self, line: &str) -> (String, String, u8) {
        self.sh_with(line, b"")
    }

    pub(crate) fn sh_with(&self, line: &str, stdin: &[u8]) -> (String, String, u8) {
        let (out, err) = (Sink::default(), Sink::default());
        let interrupt = Interrupt::default();
        let stdin = Input::new(Cursor::new(stdin.to_vec()));
        let mut shell =
            Shell::new(&self.0, stdin, Output::new(out.clone()), Output::new(err.clone()), None, &interrupt);
        let exit = shell.run(line).code();
        (out.text(), err.text(), exit)
    }

    /// stdout with stderr merged in, and what `/dev/tty` shows: a command on a terminal.
    pub(crate) fn on_terminal(&self, line: &str) -> String {
        let out = Sink::default();
        let interrupt = Interrupt::default();
        let output = Output::new(out.clone());
        let mut shell =
            Shell::new(&self.0, Input::empty(), output.clone(), output.clone(), Some(output.clone()), &interrupt);
        shell.run(line);
        out.text()
    }

    pub(crate) fn out(&self, line: &str) -> String {
        let (out, err, exit) = self.sh(line);
        assert_eq!((err.as_str(), exit), ("", 0), "{line}");
        out
    }

    #[track_caller]
    pub(crate) fn table(&self, rows: &[(&str, &str, &str, u8)]) {
        for (line, out, err, exit) in rows {
            assert_eq!(self.sh(line), ((*out).to_owned(), (*err).to_owned(), *exit), "{line}");
        }
    }
}

pub(crate) fn phone(api: u32) -> Phone {
    Phone::new(api, IdleWait::NONE)
}

pub(crate) const START: &str = "am start -n com.example.two/.MainActivity";
const STARTING: &str = "Starting: Intent { cmp=com.example.two/.MainActivity }\n";

#[test]
fn the_shell_understands_what_it_claims_to() {
    phone(34).table(&[
        ("echo a  b 'c  d' \"e $? f\" g\\ h", "a b c  d e 0 f g h\n", "", 0),
        ("false; echo $?", "1\n", "", 0),
        ("true && echo yes || echo no", "yes\n", "", 0),
        ("false && echo yes || echo no", "no\n", "", 0),
        ("echo one\necho two; exit 5; echo three", "one\ntwo\n", "", 5),
        ("printf 'b\\na\\nb\\n' | grep b | wc -l", "2\n", "", 0),
        ("ls /nope 2>/dev/null || echo $?", "1\n", "", 0),
        ("ls /nope 2>&1", "ls: /nope: No such file or directory\n", "", 1),
        (
            "echo hi > /sdcard/f; echo ho >> /sdcard/f; cat /sdcard/f; cat < /sdcard/f | head -n 1",
            "hi\nho\nhi\n",
            "",
            0,
        ),
        ("echo x > /system/f", "", "/system/bin/sh: can't create /system/f: Read-only file system\n", 1),
        ("X=5; echo ${X}px \"$X\" '$X' $TMPDIR", "5px 5 $X /data/local/tmp\n", "", 0),
        (
            "touch /sdcard/a.x /sdcard/b.x; echo /sdcard/*.x; echo '*'; echo /none/*",
            "/sdcard/a.x /sdcard/b.x\n*\n/none/*\n",
            "",
            0,
        ),
        ("sh -c 'echo inner; exit 4'; echo $?", "inner\n4\n", "", 0),
        ("cd /sdcard && pwd && cat f", "/sdcard\nhi\nho\n", "", 0),
        ("nosuch -x", "", "/system/bin/sh: nosuch: inaccessible or not found\n", 127),
        ("/system/bin/echo hi", "hi\n", "", 0),
        ("echo hi &", "", "/system/bin/sh: syntax error: unexpected '&'\n", 1),
        ("echo 'open", "", "/system/bin/sh: no closing quote\n", 1),
        ("id -u; pwd", "2000\n/\n", "", 0),
    ]);
}

#[test]
fn text_tools_do_what_scripts_need() {
    phone(34).table(&[
        ("printf '1\\n2\\n3\\n' | tail -n 2 | head -1", "2\n", "", 0),
        ("printf '1\\n2\\n3\\n' | tail -n +2", "2\n3\n", "", 0),
        ("printf 'Ab\\ncd\\n' | grep -i -n ab", "1:Ab\n", "", 0),
        ("printf 'Ab\\ncd\\n' | grep -v A", "cd\n", "", 0),
        ("printf 'x=1 y=2\\n' | grep -oE '[a-z]=[0-9]'", "x=1\ny=2\n", "", 0),
        ("echo abc | grep -q z", "", "", 1),
        ("echo abc | grep 'a.c\\|zzz'", "abc\n", "", 0),
        ("printf '%s-%d\\n' a 1 b 2", "a-1\nb-2\n", "", 0),
        ("printf 'a b\\nc\\n' | wc", "2 3 6\n", "", 0),
        ("date +%s", "1777629600\n", "", 0),
        ("date '+%m-%d %H:%M:%S.000'", "05-01 10:00:00.000\n", "", 0),
        ("date", "Fri May  1 10:00:00 GMT 2026\n", "", 0),
        ("sleep 90; date +%H:%M:%S", "10:01:30\n", "", 0),
    ]);
}

#[test]
fn files_give_the_errors_of_linux() {
    phone(34).table(&[
        ("cat /nope", "", "cat: /nope: No such file or directory\n", 1),
        ("cat /sdcard", "", "cat: /sdcard: Is a directory\n", 1),
        ("ls /data", "", "ls: /data: Permission denied\n", 1),
        ("mkdir /sdcard/d; mkdir /sdcard/d", "", "mkdir: '/sdcard/d': File exists\n", 1),
        ("mkdir -p /sdcard/d/e/f && ls /sdcard/d", "e\n", "", 0),
        ("rm /sdcard/none", "", "rm: /sdcard/none: No such file or directory\n", 1),
        ("rm -f /sdcard/none; rm -r /sdcard/d; ls /sdcard/d", "", "ls: /sdcard/d: No such file or directory\n", 1),
        ("ls -ld /sdcard", "lrwxrwxrwx 1 root root 21 2026-05-01 10:00 /sdcard -> /storage/self/primary\n", "", 0),
    ]);
}

#[test]
fn input_is_silent_about_nonsense_and_loud_about_bad_numbers() {
    let phone = phone(34);
    phone.out(START);
    phone.table(&[
        ("input tap 99999 99999", "", "", 0),
        ("input keyevent NOT_A_KEY", "", "", 0),
        ("input keyevent 999999", "", "", 0),
        ("input text ''", "", "", 0),
        ("input frob", "Unknown command: frob\n", "", 0),
    ]);
    let (out, err, exit) = phone.sh("input tap abc 5");
    assert!(err.starts_with("\nException occurred while executing 'tap':\njava.lang.NumberFormatException: "), "{err}");
    assert_eq!((out.as_str(), exit), ("", 255));
    let (_, err, exit) = phone.sh("input swipe 1 2 3");
    assert!(err.contains("Argument expected after \"3\"") && exit == 255, "{err}");
    let (_, err, exit) = phone.sh("input text café");
    assert!(err.contains("Attempt to get length of null array") && exit == 255, "{err}");
    assert!(!phone.out("uiautomator dump /sdcard/d.xml; cat /sdcard/d.xml").contains("caf"));
    let (out, err, exit) = self::phone(29).sh("input tap abc 5");
    assert!(err.starts_with("Error: Invalid arguments for command: tap\nUsage: input "), "{err}");
    assert_eq!((out.as_str(), exit), ("", 0));
}

#[test]
fn gestures_and_text_reach_the_app_in_front() {
    let phone = phone(34);
    phone.out(START);
    let dump = |phone: &Phone| phone.out("uiautomator dump /sdcard/d.xml >/dev/null; cat /sdcard/d.xml");
    let next = NEXT.center();
    phone.out(&format!("input tap {} {}; input text 'it''s%sme'", next.x, next.y));
    let xml = dump(&phone);
    assert!(xml.contains("text=\"Taps: 1\"") && xml.contains("text=\"its me\""), "{xml}");
    assert!(phone.out("dumpsys input_method | grep mInputShown").contains("mInputShown=true"));
    phone.out("input touchscreen swipe 10 300 10 100 200");
    assert!(dump(&phone).contains("text=\"swiped\""));
    // Equal points for 380 ms are a tap, for 400 ms a long press (which crashes this app).
    phone.out(&format!("input swipe {0} {1} {0} {1} 380", next.x, next.y));
    assert!(dump(&phone).contains("text=\"Taps: 2\""));
    phone.out(&format!("input swipe {0} {1} {0} {1} 400", next.x, next.y));
    assert!(dump(&phone).contains("package=\"com.example.home\""));
}

#[test]
fn a_crash_is_one_entry_of_the_crash_buffer_and_shows_what_lies_below() {
    let phone = phone(34);
    let empty = phone.out("logcat -d -b crash");
    assert_eq!(empty, "");
    phone.out(START);
    phone.out("sleep 5");
    let mark = phone.out("date '+%m-%d %H:%M:%S.000'");
    let next = NEXT.center();
    phone.out(&format!("input swipe {0} {1} {0} {1} 500", next.x, next.y));
    let log = phone.out(&format!("logcat -d -v threadtime -b main -b crash -T '{}'", mark.trim()));
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], "--------- beginning of crash");
    assert_eq!(lines[1], "05-01 10:00:05.500  1201  1201 E AndroidRuntime: FATAL EXCEPTION: main");
    assert_eq!(lines[2], "05-01 10:00:05.500  1201  1201 E AndroidRuntime: Process: com.example.two, PID: 1201");
    assert_eq!(
        lines[4..],
        ["--------- beginning of main", "05-01 10:00:05.500  1201  1201 I Process : Sending signal. PID: 1201 SIG: 9",]
    );
    assert_eq!(phone.out("logcat -d -b crash -t 1 AndroidRuntime:E '*:S' | wc -l"), "4\n");
    assert_eq!(phone.out("logcat -d -b crash -s SomethingElse"), "");
    assert!(phone.out("dumpsys window | grep mCurrentFocus").contains("com.example.home/com.example.home.Launcher}"));
    assert_eq!(phone.sh("pidof com.example.two").2, 1);
    phone.out("logcat -c -b all");
    assert_eq!(phone.out("logcat -d -b all"), "");
}

#[test]
fn a_moving_screen_is_never_idle_and_a_quiet_one_costs_what_was_asked() {
    let spin = format!("{START} >/dev/null; input tap {} {}", SPIN.center().x, SPIN.center().y);
    let impatient = IdleWait { limit: Duration::from_secs(1), ..IdleWait::NONE };
    let phone = Phone::new(34, impatient);
    phone.out(&spin);
    phone.table(&[
        ("uiautomator dump /sdcard/d.xml", "", "ERROR: could not get idle state.\n", 0),
        ("ls /sdcard/d.xml", "", "ls: /sdcard/d.xml: No such file or directory\n", 1),
    ]);
    let phone = self::phone(34);
    phone.out(&spin);
    let begin = phone.0.clock().passed();
    phone.table(&[("uiautomator dump", "UI hierchary dumped to: /sdcard/window_dump.xml\n", "", 0)]);
    let waited = phone.0.clock().passed().checked_sub(begin).unwrap();
    assert!((2000..2020).contains(&waited.as_millis()), "{waited:?}");
    phone.out("uiautomator dump");
    assert_eq!(phone.0.clock().passed().checked_sub(begin).unwrap(), waited, "a quiet screen costs nothing");
    let android = Phone::new(34, IdleWait::AS_ON_ANDROID);
    android.out("uiautomator dump");
    assert!((1000..1020).contains(&android.0.clock().passed().as_millis()));
}

#[test]
fn dump_failures_are_androids() {
    let phone = phone(34);
    phone.table(&[
        // An unwritable path still says success.
        ("uiautomator dump /nope/x.xml", "UI hierchary dumped to: /nope/x.xml\n", "", 0),
        ("ls /nope/x.xml", "", "ls: /nope/x.xml: No such file or directory\n", 1),
    ]);
    assert!(phone.out("logcat -d -b main").contains("failed to dump window to file"));
    let (out, err, exit) = phone.sh("uiautomator");
    assert!(out.is_empty() && err.starts_with("Usage: uiautomator") && exit == 0);
    let _other = phone.0.connect_automation().unwrap();
    phone.table(&[("uiautomator dump", "", "", 137), ("uiautomator dump; echo $?", "137\n", "Killed \n", 0)]);
}

#[test]
fn newer_attributes_appear_from_api_36_on() {
    for (api, expected) in [(35, false), (36, true)] {
        let xml = phone(api).out("uiautomator dump /sdcard/d.xml >/dev/null; cat /sdcard/d.xml");
        assert_eq!(xml.contains(" drawing-order=\"") && xml.contains(" hint=\"\""), expected, "{api}");
    }
}

#[test]
fn activities_start_as_am_says() {
    let phone = phone(34);
    let missing = "Error type 3\nError: Activity class {com.example.two/com.example.two.Nope} does not exist.\n";
    let brought = "Warning: Activity not started, its current task has been brought to the front\n";
    let top = "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n";
    let nope = "Starting: Intent { cmp=com.example.two/.Nope }\n";
    phone.table(&[
        (START, STARTING, "", 0),
        (START, STARTING, top, 0),
        ("input keyevent KEYCODE_HOME", "", "", 0),
        (START, STARTING, brought, 0),
        ("am start -n com.example.two/.Nope", nope, missing, 1),
        ("am start -W -n com.example.two/.Nope", &format!("{nope}{missing}"), "", 1),
        (
            "am start -a android.intent.action.VIEW -d https://example.com/x",
            "Starting: Intent { act=android.intent.action.VIEW dat=https://example.com/... }\n",
            "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=https://example.com/... flg=0x10000000 }\n",
            1,
        ),
        ("am force-stop com.example.two; am force-stop never.seen", "", "", 0),
        (
            "am start -S -W -n com.example.two/com.example.two.MainActivity",
            &format!("Stopping: com.example.two\n{STARTING}Status: ok\nLaunchState: COLD\nActivity: com.example.two/.MainActivity\nTotalTime: 0\nWaitTime: 3\nComplete\n"),
            "",
            0,
        ),
        ("am frob", "Unknown command: frob\n", "", 255),
        ("am start -n", "", "\nException occurred while executing 'start':\njava.lang.IllegalArgumentException: Argument expected after \"-n\"\n\tat com.android.server.am.ActivityManagerShellCommand.onCommand(ActivityManagerShellCommand.java)\n", 255),
        ("cmd package resolve-activity --brief com.example.two", "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\ncom.example.two/.MainActivity\n", "", 0),
        ("cmd package resolve-activity --brief no.such", "No activity found\n", "", 0),
    ]);
}

#[test]
fn packages_are_listed_cleared_installed_and_removed() {
    let phone = phone(34);
    phone.table(&[
        ("pm list packages -3", "package:com.example.two\n", "", 0),
        ("pm list packages", "package:android\npackage:com.example.home\npackage:com.example.two\n", "", 0),
        ("pm path no.such", "", "", 1),
        ("pm clear com.example.two", "Success\n", "", 0),
        ("pm clear no.such", "", "Failed\n", 1),
        ("pm uninstall no.such", "Failure [DELETE_FAILED_INTERNAL_ERROR]\n", "", 1),
        ("dumpsys package no.such", "Unable to find package: no.such\n", "", 0),
        (
            "echo app com.example.new 4 > /data/local/tmp/n.apk && pm install -r /data/local/tmp/n.apk",
            "Success\n",
            "",
            0,
        ),
        ("pm path com.example.new", "package:/data/app/com.example.new-1/base.apk\n", "", 0),
        ("cat /data/app/com.example.new-1/base.apk", "app com.example.new 4\n", "", 0),
        (
            "dumpsys package com.example.new | grep -o 'version[A-Z][a-z]*=[0-9.]*'",
            "versionCode=4\nversionName=1.4\n",
            "",
            0,
        ),
        ("pm uninstall com.example.new", "Success\n", "", 0),
        ("frob 2>/dev/null; cmd frob", "", "cmd: Can't find service: frob\n", 20),
    ]);
    assert_eq!(
        phone.sh_with("cmd package install -S 6", b"what?!tail").0,
        "Failure [INSTALL_PARSE_FAILED_NOT_APK: no app in it]\n"
    );
    let short = phone.sh_with("cmd package install -S 100", b"app");
    assert_eq!((short.0.as_str(), short.2), ("Failure [INSTALL_FAILED_ABORTED: received 3 of 100 bytes]\n", 1));
}

#[test]
fn data_outlives_the_process_until_it_is_cleared() {
    let phone = phone(34);
    let next = NEXT.center();
    let taps =
        |phone: &Phone| phone.out("uiautomator dump /sdcard/d.xml >/dev/null; grep -o 'Taps: [0-9]*' /sdcard/d.xml");
    phone.out(&format!("{START} >/dev/null; input tap {} {}", next.x, next.y));
    phone.out(&format!("am force-stop com.example.two; {START}"));
    assert_eq!(taps(&phone), "Taps: 1\n");
    // Back on the first screen leaves the app; since Android 12 its task only goes to the back.
    phone.out(&format!("input keyevent 4; {START} 2>/dev/null"));
    assert_eq!(taps(&phone), "Taps: 1\n");
    phone.out(&format!("pm clear com.example.two; {START}"));
    assert_eq!(taps(&phone), "Taps: 0\n");
}

#[test]
fn the_home_screen_lies_below_and_starts_apps() {
    let phone = phone(34);
    phone.out("input tap 10 10");
    assert!(
        phone
            .out("dumpsys window displays | grep mCurrentFocus")
            .contains("com.example.two/com.example.two.MainActivity}")
    );
    // A swipe down makes this app finish by itself.
    phone.out("input swipe 10 100 10 300 50");
    assert!(phone.out("dumpsys window displays | grep mCurrentFocus").contains("com.example.home"));
    phone.out("input tap 10 10; input keyevent BACK");
    assert!(phone.out("dumpsys window displays | grep mCurrentFocus").contains("com.example.home"));
    phone.out("input keyevent BACK");
    assert!(phone.out("dumpsys window displays | grep mCurrentFocus").contains("com.example.home"));
}

#[test]
fn focus_is_printed_where_each_level_prints_it() {
    for (api, windows, displays, resumed) in [
        (25, true, false, "mFocusedActivity: ActivityRecord{"),
        (28, true, false, "mResumedActivity: ActivityRecord{"),
        (29, false, true, "mResumedActivity: ActivityRecord{"),
        (34, false, true, "topResumedActivity=ActivityRecord{"),
    ] {
        let phone = phone(api);
        phone.out(START);
        let focus = "  mCurrentFocus=Window{";
        assert_eq!(phone.out("dumpsys window windows").contains(focus), windows, "{api}");
        assert_eq!(phone.out("dumpsys window displays").contains(focus), displays, "{api}");
        assert!(phone.out("dumpsys window").contains(focus), "{api}");
        let activities = phone.out("dumpsys activity activities");
        assert!(
            activities.contains(resumed) && activities.contains(" u0 com.example.two/.MainActivity t2}"),
            "{activities}"
        );
    }
}

#[test]
fn settings_properties_and_window_manager_answer_like_android() {
    phone(34).table(&[
        ("settings get global window_animation_scale", "null\n", "", 0),
        ("settings put global window_animation_scale 0; settings get global window_animation_scale", "0\n", "", 0),
        ("settings delete global window_animation_scale", "Deleted 1 rows\n", "", 0),
        ("settings get secure long_press_timeout", "400\n", "", 0),
        ("getprop ro.build.version.release; getprop no.such; getprop no.such x", "14\n\nx\n", "", 0),
        ("getprop ro.product.model", "Tapwright Virtual Phone\n", "", 0),
        ("getprop | grep sys.boot_completed", "[sys.boot_completed]: [1]\n", "", 0),
        ("setprop debug.x 1; getprop debug.x", "1\n", "", 0),
        ("wm size", "Physical size: 200x400\n", "", 0),
        ("wm size 100x300; wm size", "Physical size: 200x400\nOverride size: 100x300\n", "", 0),
        ("wm size reset; wm size", "Physical size: 200x400\n", "", 0),
        ("wm density", "Physical density: 420\n", "", 0),
        ("wm density 50", "", "Error: density must be >= 72\n", 255),
        (
            "monkey -p no.such 1",
            "  bash arg: -p\n  bash arg: no.such\n  bash arg: 1\n** No activities found to run, monkey aborted.\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn a_screenshot_can_go_to_a_file() {
    let phone = phone(34);
    phone.out("screencap /sdcard/s.raw; screencap /sdcard/s.png");
    assert_eq!(phone.out("wc -c < /sdcard/s.raw"), format!("{}\n", 16 + 4 * 200 * 400));
    let png = phone.0.lock().files.read("/sdcard/s.png").unwrap().to_vec();
    assert_eq!(image::load_from_memory(&png).unwrap().to_rgba8().dimensions(), (200, 400));
    let (_, err, exit) = phone.sh("screencap -h");
    assert!(err.starts_with("usage: screencap") && exit == 1);
}

#[test]
fn after_a_reboot_adbd_is_back_before_the_system_is() {
    let phone = phone(34);
    phone.out(START);
    phone.0.lock().reboot();
    phone.table(&[
        ("getprop sys.boot_completed; getprop dev.bootcomplete; getprop init.svc.bootanim", "\n\nrunning\n", "", 0),
        ("pm list packages", "", "cmd: Can't find service: package\n", 20),
        ("am start -n com.example.two/.MainActivity", "", "cmd: Can't find service: activity\n", 20),
        ("uiautomator dump", "", "ERROR: null root node returned by UiTestAutomationBridge.\n", 0),
        ("sleep 2; getprop sys.boot_completed; getprop dev.bootcomplete", "1\n1\n", "", 0),
        ("getprop init.svc.bootanim; pidof com.example.two", "stopped\n", "", 1),
    ]);
}
