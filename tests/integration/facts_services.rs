//! `settings`, `ime`, `svc`, `cmd`, `dumpsys`, `service`, `monkey`: the framework's own commands.

use crate::scripted_screen::ScriptedScreen;
use crate::two_buttons::app;
use crate::virtual_device_facts::{Phone, phone};
use tapwright::virtual_device::ElementSnapshot;

const LATIN: &str = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME";

#[test]
fn settings_are_kept_listed_deleted_and_reset() {
    phone(34).table(&[
        ("settings get global nothing_here", "null\n", "", 0),
        ("settings put global a.b 1; settings get global a.b", "1\n", "", 0),
        ("settings put --user 0 secure x y; settings get --user current secure x", "y\n", "", 0),
        ("settings list global | grep '^a.b='", "a.b=1\n", "", 0),
        ("settings delete global a.b; settings delete global a.b", "Deleted 1 rows\nDeleted 0 rows\n", "", 0),
        (
            "settings put global wifi_on 7; settings reset global trusted_defaults; settings get global wifi_on",
            "1\n",
            "",
            0,
        ),
        ("settings get SYSTEM font_scale", "1.0\n", "", 0),
        ("settings get frob x", "", "Invalid namespace 'frob'\n", 255),
        ("settings put global a", "", "Bad arguments\n", 255),
        ("settings frob", "Unknown command: frob\n", "", 255),
    ]);
}

#[test]
fn radios_are_switched_silently_and_nonsense_is_refused_on_stdout() {
    let phone = phone(34);
    phone.table(&[
        ("cmd connectivity airplane-mode", "disabled\n", "", 0),
        ("cmd connectivity airplane-mode enable; cmd connectivity airplane-mode", "enabled\n", "", 0),
        ("settings get global airplane_mode_on", "1\n", "", 0),
        ("cmd connectivity airplane-mode disable; cmd wifi set-wifi-enabled disabled", "", "", 0),
        ("settings get global wifi_on; cmd wifi status | head -n 1", "0\nWifi is disabled\n", "", 0),
        ("svc wifi enable; svc data disable; svc power stayon true", "", "", 0),
        ("settings get global wifi_on; settings get global mobile_data", "1\n0\n", "", 0),
    ]);
    for line in ["cmd connectivity airplane-mode frob", "cmd wifi set-wifi-enabled frob", "cmd wifi frob"] {
        let (out, err, exit) = phone.sh(line);
        assert!(!out.is_empty() && err.is_empty() && exit == 255, "{line}: {out:?} {err:?} {exit}");
    }
    assert!(phone.0.lock().online());
    phone.out("svc wifi disable");
    assert!(!phone.0.lock().online());
}

#[test]
fn keyboards_are_listed_enabled_and_selected() {
    let phone = phone(34);
    let adb = "com.android.adbkeyboard/.AdbIME";
    phone.table(&[
        ("ime list -s", &format!("{LATIN}\n"), "", 0),
        (&format!("ime enable {adb}"), "", &format!("Unknown input method {adb} cannot be enabled for user #0\n"), 255),
        ("ime set no/.Such", "", "Unknown input method no/.Such cannot be selected for user #0\n", 255),
    ]);
    phone.0.lock().add(app("com.android.adbkeyboard", 1));
    phone.table(&[
        ("ime list -s", &format!("{LATIN}\n"), "", 0),
        ("ime list -a -s", &format!("{LATIN}\n{adb}\n"), "", 0),
        (&format!("ime set {adb}"), "", &format!("Unknown input method {adb} cannot be selected for user #0\n"), 255),
        (&format!("ime enable {adb}"), &format!("Input method {adb}: now enabled for user #0\n"), "", 0),
        (&format!("ime enable {adb}"), &format!("Input method {adb}: already enabled for user #0\n"), "", 0),
        (
            "ime set com.android.adbkeyboard/com.android.adbkeyboard.AdbIME",
            &format!("Input method {adb} selected for user #0\n"),
            "",
            0,
        ),
        ("settings get secure default_input_method", &format!("{adb}\n"), "", 0),
        ("dumpsys input_method | grep -o 'mCurMethodId=.*'", &format!("mCurMethodId={adb}\n"), "", 0),
        (&format!("ime disable {adb}"), &format!("Input method {adb}: now disabled for user #0\n"), "", 0),
        ("ime frob", "Unknown command: frob\n", "", 255),
    ]);
    assert!(phone.out("ime reset").starts_with("Reset current and enabled IMEs for user #0\n"));
}

#[test]
fn adb_keyboard_types_only_while_it_is_the_keyboard_in_use() {
    let phone = phone(34);
    let screen = ScriptedScreen::default();
    phone.0.lock().add(screen.app());
    phone.out(&format!("am start -n {}/.MainActivity", ScriptedScreen::PACKAGE));
    phone.out("am broadcast -a ADB_INPUT_TEXT --es msg hello");
    assert_eq!(screen.events(), Vec::<String>::new(), "nobody listens");
    phone.0.lock().add(app("com.android.adbkeyboard", 1));
    phone.out("ime enable com.android.adbkeyboard/.AdbIME; ime set com.android.adbkeyboard/.AdbIME");
    screen.change(|script| {
        let class = "android.widget.EditText".to_owned();
        script.root = ElementSnapshot { class, text: "ab".to_owned(), focused: true, ..ElementSnapshot::default() };
    });
    for (line, events) in [
        ("am broadcast -a ADB_INPUT_TEXT --es msg 'café 日本'", &["text café 日本"][..]),
        ("am broadcast -a ADB_INPUT_B64 --es msg w6TDtsO8", &["text äöü"]),
        ("am broadcast -a ADB_INPUT_CHARS --eia chars '128568,32,67,97,116'", &["text 😸 Cat"]),
        ("am broadcast -a ADB_INPUT_CODE --ei code 67", &["key 67"]),
        ("am broadcast -a ADB_EDITOR_CODE --ei code 2", &["key 66"]),
        ("am broadcast -a ADB_CLEAR_TEXT", &["key 123", "key 67", "key 67"]),
        ("am broadcast -a com.example.OTHER --es msg x", &[]),
    ] {
        let out = phone.out(line);
        assert!(
            out.starts_with("Broadcasting: Intent { act=") && out.ends_with("Broadcast completed: result=0\n"),
            "{out}"
        );
        assert_eq!(screen.events(), events, "{line}");
    }
}

#[test]
fn services_are_found_or_not() {
    let phone = phone(34);
    phone.table(&[
        ("service check window", "Service window: found\n", "", 0),
        ("service check frob", "Service frob: not found\n", "", 0),
        ("service list | grep SurfaceFlinger", "0\tSurfaceFlinger: [android.ui.ISurfaceComposer]\n", "", 0),
        ("cmd frob", "", "cmd: Can't find service: frob\n", 20),
        ("cmd clipboard set text x", "No shell command implementation.\n", "", 0),
        ("dumpsys frob", "", "Can't find service: frob\n", 0),
    ]);
    assert!(phone.out("cmd -l").starts_with("Currently running services:\n"));
    assert_eq!(phone.out("cmd -l"), phone.out("dumpsys -l"));
    assert_ne!(phone.sh("service call window 1").2, 0, "no binder");
    assert!(phone.out("dumpsys").contains("DUMP OF SERVICE battery:\nCurrent Battery Service state:\n"));
}

#[test]
fn services_dump_the_lines_tools_look_for() {
    let phone = phone(34);
    phone.out("am start -n com.example.two/.MainActivity");
    let has = |line: &str, wanted: &str| {
        let out = phone.out(line);
        assert!(out.contains(wanted), "{line}: {wanted:?} is not in\n{out}");
    };
    let pid = phone.out("pidof com.example.two");
    has("dumpsys battery", "  level: 100\n");
    has("dumpsys location", "    gps provider:\n      last location=null\n");
    has("dumpsys power", "mHoldingDisplaySuspendBlocker=true");
    has("dumpsys display", "valid=true, isActive=true, displayId=0,");
    has("dumpsys display", "orientation=0, logicalFrame=Rect(0, 0 - 200, 400)");
    has("dumpsys SurfaceFlinger --display-id", "Display 4619827259835644672 (HWC display 0): port=0 pnpId=");
    has("dumpsys activity top", "  ACTIVITY com.example.two/.MainActivity ");
    has("dumpsys activity top", &format!(" pid={}", pid.trim()));
    has("dumpsys window policy", "showing=false");
    has("dumpsys meminfo com.example.two", "[com.example.two] **");
    has("dumpsys meminfo no.such", "No process found for: no.such");
    has("dumpsys input_method", "mInputShown=false");
    phone.out("settings put system user_rotation 1");
    has("dumpsys display", "orientation=1, logicalFrame=Rect(0, 0 - 400, 200)");
}

#[test]
fn a_monkey_starts_apps_and_says_so() {
    let phone = phone(34);
    let line = "monkey -p com.example.two -c android.intent.category.LAUNCHER 1";
    let out = phone.out(line);
    assert!(out.starts_with("  bash arg: -p\n  bash arg: com.example.two\n  bash arg: -c\n"), "{out}");
    assert!(out.contains("Events injected: 1\n## Network stats: elapsed time=12ms "), "{out}");
    assert!(phone.out("dumpsys window displays").contains("com.example.two/com.example.two.MainActivity}"));
    for line in ["monkey -p no.such 1", "monkey -p com.example.two -c a.b.NOPE 1"] {
        assert!(phone.out(line).ends_with("** No activities found to run, monkey aborted.\n"), "{line}");
    }
    assert_ne!(phone.sh("monkey -p com.example.two 500").2, 0, "random events are not played");
}

#[test]
fn an_emulator_says_that_it_is_one() {
    let get = |phone: &Phone, key: &str| phone.out(&format!("getprop {key}")).trim().to_owned();
    for (api, release) in [(24, "7.0"), (28, "9"), (34, "14"), (36, "16")] {
        let phone = phone(api);
        for (key, value) in [
            ("ro.hardware", "ranchu"),
            ("ro.kernel.qemu", "1"),
            ("ro.boot.qemu", "1"),
            ("ro.build.characteristics", "emulator"),
            ("sys.boot_completed", "1"),
            ("dev.bootcomplete", "1"),
            ("init.svc.bootanim", "stopped"),
            ("ro.build.version.sdk", &api.to_string()),
            ("ro.build.version.release", release),
            ("ro.product.cpu.abilist", "x86_64,arm64-v8a"),
            ("persist.sys.locale", ""),
            ("ro.product.locale", "en-US"),
        ] {
            assert_eq!(get(&phone, key), value, "{api} {key}");
        }
        assert!(phone.out("getprop").contains("[ro.kernel.qemu]: [1]\n"));
    }
    phone(34).table(&[
        ("setprop debug.x 1; getprop debug.x; getprop no.such; getprop no.such y", "1\n\ny\n", "", 0),
        ("setprop ro.x 1", "", "Failed to set property 'ro.x' to '1'.\nSee dmesg for error reason.\n", 1),
    ]);
}
