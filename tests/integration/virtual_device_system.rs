//! Facts about Android's system: configuration, activities, permissions, sharing, crashes and ANRs. In-process, on a
//! virtual clock, through the device's shell.

use crate::commander::commander;
use crate::two_buttons::TestInstaller;
use crate::virtual_device_facts::Phone;
use std::sync::Arc;
use tapwright::domain::{Rect, Size};
use tapwright::virtual_device::shell::names;
use tapwright::virtual_device::system::{SystemConfig, VirtualSystem};
use tapwright::virtual_device::{ApiLevel, AppFiles, Clock, IdleWait, Location, SharedSystem};

const PERMISSIONS: [&str; 6] =
    ["CAMERA", "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "READ_CONTACTS", "READ_MEDIA_IMAGES", "INTERNET"];
const START: &str = "am start -n com.example.one/.MainActivity";

/// A device with the apps `one` and `two`; the first is in front.
fn phone_with(config: SystemConfig) -> Phone {
    let config = SystemConfig {
        display: Size::new(540, 1200),
        density: 210,
        idle: IdleWait::NONE,
        clock: Clock::virtual_at("2026-05-01T10:00:00Z".parse().unwrap()),
        ..config
    };
    let ui = Arc::new(AppFiles::default());
    let mut system = VirtualSystem::boot(config, Arc::new(TestInstaller), ui, names());
    system.add(commander("com.example.one", &PERMISSIONS));
    system.add(commander("com.example.two", &[]));
    system.start("com.example.one");
    Phone(SharedSystem::new(system))
}

fn phone(api: u32) -> Phone {
    phone_with(SystemConfig { api: ApiLevel::new(api).unwrap(), ..SystemConfig::default() })
}

impl Phone {
    pub(crate) fn dump(&self) -> String {
        self.out("uiautomator dump /sdcard/d.xml >/dev/null; cat /sdcard/d.xml")
    }

    /// Types a command into the commander in front.
    fn order(&self, line: &str) {
        self.out(&format!("input text '{}'", line.replace(' ', "%s")));
    }

    #[track_caller]
    pub(crate) fn shows(&self, text: &str) {
        let dump = self.dump();
        assert!(dump.contains(&format!("text=\"{text}\"")), "no {text:?} in {dump}");
    }

    /// Values of an attribute in the dump, empty ones left out.
    fn all(&self, attribute: &str) -> Vec<String> {
        let dump = self.dump();
        let begin = format!(" {attribute}=\"");
        dump.split(begin.as_str())
            .skip(1)
            .map(|rest| rest[..rest.find('"').unwrap()].to_owned())
            .filter(|v| !v.is_empty())
            .collect()
    }

    /// Where the first node with this attribute value is.
    #[track_caller]
    pub(crate) fn bounds(&self, attribute: &str, value: &str) -> Rect {
        let dump = self.dump();
        let wanted = format!(" {attribute}=\"{value}\"");
        let node = dump.split("<node").find(|node| node.contains(&wanted));
        let node = node.unwrap_or_else(|| panic!("no {wanted} in {dump}"));
        let text = node.split(" bounds=\"[").nth(1).unwrap();
        let numbers: Vec<i32> = text
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter(|word| !word.is_empty())
            .take(4)
            .map(|word| word.parse().unwrap())
            .collect();
        Rect::new(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    #[track_caller]
    pub(crate) fn tap(&self, attribute: &str, value: &str) {
        let at = self.bounds(attribute, value).center();
        self.out(&format!("input tap {} {}", at.x, at.y));
    }

    pub(crate) fn focus(&self) -> String {
        let text = self.out("dumpsys window | grep mCurrentFocus");
        let window = text.trim().split(" u0 ").nth(1).unwrap_or_default();
        window.trim_end_matches('}').to_owned()
    }
}

/// Whether the home screen is in front.
pub(crate) fn home_focus(phone: &Phone) -> bool {
    phone.focus().starts_with("com.android.launcher3/")
}

#[test]
fn a_turned_display_is_seen_everywhere_but_in_wm_size() {
    for (api, lock) in [(29, "wm set-user-rotation"), (31, "wm user-rotation"), (34, "cmd window user-rotation")] {
        let phone = phone(api);
        phone.shows("540x1200 210 en-US 1 night=false turns=0");
        phone.table(&[
            (lock, "lock 0\n", "", 0),
            (&format!("{lock} lock 1"), "", "", 0),
            (lock, "lock 1\n", "", 0),
            ("settings get system user_rotation", "1\n", "", 0),
            ("wm size", "Physical size: 540x1200\n", "", 0),
            (
                "dumpsys window displays | grep -o 'init=[^ ]* .* cur=[^ ]*'",
                "init=540x1200 210dpi cur=1200x540\n",
                "",
                0,
            ),
            ("screencap | head -c 8 | od -An -tu4 2>/dev/null; true", "", "", 0),
            (&format!("{lock} lock 7"), "", "Error: Rotation argument is invalid rotation code.\n", 255),
            (&format!("{lock} sideways"), "", "Error: argument needs to be either -d, free or lock.\n", 255),
        ]);
        phone.shows("1200x540 210 en-US 1 night=false turns=1");
        assert!(phone.dump().contains("<hierarchy rotation=\"1\">"));
        assert_eq!(phone.0.lock().screenshot().size(), Size::new(1200, 540));
        // Free: the device is held upright.
        phone.out(&format!("{lock} free"));
        phone.shows("540x1200 210 en-US 1 night=false turns=0");
        assert_eq!(phone.out(lock), "free\n");
        phone.out("settings put system accelerometer_rotation 0; settings put system user_rotation 3");
        assert!(phone.dump().contains("<hierarchy rotation=\"3\">"));
    }
}

#[test]
fn an_app_that_wants_landscape_gets_it_while_it_is_in_front() {
    let phone = phone(34);
    phone.order("landscape");
    phone.shows("1200x540 210 en-US 1 night=false turns=1");
    phone.out("input keyevent HOME");
    assert!(phone.dump().contains("rotation=\"0\""));
    phone.sh(START);
    assert!(phone.dump().contains("rotation=\"1\""));
    phone.order("portrait");
    phone.out("wm user-rotation lock 1");
    phone.shows("540x1200 210 en-US 1 night=false turns=0");
    phone.order("free");
    phone.shows("1200x540 210 en-US 1 night=false turns=1");
}

#[test]
fn size_density_font_theme_and_language_reach_a_running_app() {
    let phone = phone(34);
    let rows: [(&str, &str); 12] = [
        ("wm size 600x900", "600x900 210 en-US 1 night=false turns=0"),
        ("wm density 320", "600x900 320 en-US 1 night=false turns=0"),
        ("wm size reset; wm density reset", "540x1200 210 en-US 1 night=false turns=0"),
        ("settings put system font_scale 1.3", "540x1200 210 en-US 1.3 night=false turns=0"),
        ("settings put system font_scale nonsense", "540x1200 210 en-US 1 night=false turns=0"),
        ("cmd uimode night yes >/dev/null", "540x1200 210 en-US 1 night=true turns=0"),
        ("cmd uimode night auto >/dev/null", "540x1200 210 en-US 1 night=false turns=0"),
        // Ten o'clock in the evening.
        ("sleep 43200", "540x1200 210 en-US 1 night=true turns=0"),
        ("cmd uimode night no >/dev/null", "540x1200 210 en-US 1 night=false turns=0"),
        ("cmd locale set-app-locales com.example.one --locales fr-FR", "540x1200 210 fr-FR 1 night=false turns=0"),
        ("cmd locale set-app-locales com.example.two --locales de-DE", "540x1200 210 fr-FR 1 night=false turns=0"),
        ("cmd locale set-app-locales com.example.one", "540x1200 210 en-US 1 night=false turns=0"),
    ];
    for (line, shown) in rows {
        phone.out(line);
        phone.shows(shown);
    }
    phone.table(&[
        ("cmd uimode night", "Night mode: no\n", "", 0),
        ("cmd uimode night yes", "Night mode: yes\n", "", 0),
        ("cmd locale get-app-locales com.example.two", "Locales for com.example.two for user 0 are [de-DE]\n", "", 0),
        ("cmd locale get-app-locales com.example.one", "Locales for com.example.one for user 0 are []\n", "", 0),
        ("cmd locale set-app-locales no.such --locales fr-FR", "Unknown package no.such for userId 0\n", "", 0),
    ]);
    let old = self::phone(32);
    assert_eq!(old.sh("cmd locale get-app-locales com.example.one").1, "cmd: Can't find service: locale\n");
}

#[test]
fn the_systems_language_changes_with_a_restart() {
    let phone = phone(34);
    {
        let mut system = phone.0.lock();
        system.files.rights = tapwright::virtual_device::system::Rights::Root;
    }
    phone.out("setprop persist.sys.locale ar-EG");
    phone.shows("540x1200 210 en-US 1 night=false turns=0");
    phone.0.lock().reboot();
    phone.out("sleep 5");
    phone.out(START);
    phone.shows("540x1200 210 ar-EG 1 night=false turns=0");
}

#[test]
fn first_values_come_from_how_the_device_is_made() {
    let phone = phone_with(SystemConfig {
        rotation: 1,
        night: true,
        font_scale: 1.15,
        location: Some(Location { latitude: 48.2, longitude: 16.4 }),
        switches: vec!["com.example.one:bug.fee".to_owned(), "com.example.one:version=2.0".to_owned()],
        ..SystemConfig::default()
    });
    phone.shows("1200x540 210 en-US 1.15 night=true turns=1");
    phone.shows("online true location Some((48.2, 16.4))");
    phone.shows("switches bug.fee version=2.0");
    assert_eq!(
        phone.out("dumpsys package com.example.one | grep -o 'version[A-Z][a-z]*=[0-9.]*'"),
        "versionCode=20000\nversionName=2.0\n"
    );
    phone.out("settings put global tapwright_app_switches com.example.one:variant.a=b; am force-stop com.example.one");
    phone.out(START);
    phone.shows("switches variant.a=b");
    assert!(phone.out("dumpsys package com.example.one").contains("versionName=1.0\n"));
    phone.0.lock().set_location(Some(Location { latitude: -33.9, longitude: 18.4 }));
    phone.0.lock().radios.wifi = false;
    phone.0.lock().radios.mobile = false;
    phone.shows("online false location Some((-33.9, 18.4))");
}

#[test]
fn intents_lead_where_android_leads_them() {
    let phone = phone(34);
    let view = "am start -a android.intent.action.VIEW -d one://item/7";
    let shown = "Starting: Intent { act=android.intent.action.VIEW dat=one://item/... }\n";
    let top = "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n";
    let brought = "Warning: Activity not started, its current task has been brought to the front\n";
    let item = "Starting: Intent { cmp=com.example.one/.ItemActivity }\n";
    phone.table(
        &[
            ("am force-stop com.example.one", "", "", 0),
            (view, shown, "", 0),
            (
                &format!("{view} com.example.two"),
                "",
                "Error: Activity not started, unable to resolve Intent { \
          act=android.intent.action.VIEW dat=one://item/... flg=0x10000000 pkg=com.example.two }\n",
                1,
            ),
        ][..2],
    );
    phone.shows("started with one://item/7");
    phone.table(&[
        // A second one goes to the running process: a new activity, no warning.
        (&format!("{view} -W").replace('7', "8"), &format!("{shown}Status: ok\nLaunchState: WARM\nActivity: \
          com.example.one/.ItemActivity\nTotalTime: 0\nWaitTime: 3\nComplete\n"), "", 0),
        ("am start -W -n com.example.one/.MainActivity", &format!("Starting: Intent {{ cmp=com.example.one/.MainActivity \
          }}\n{top}Status: ok\nLaunchState: UNKNOWN (0)\nActivity: com.example.one/.ItemActivity\nTotalTime: 0\nWaitTime: \
          3\nComplete\n"), "", 0),
        ("input keyevent HOME", "", "", 0),
        (START, "Starting: Intent { cmp=com.example.one/.MainActivity }\n", brought, 0),
        ("am start -W com.example.one/.MainActivity | head -n 1", "Starting: Intent { act=android.intent.action.MAIN \
          cat=[android.intent.category.LAUNCHER] cmp=com.example.one/.MainActivity }\n", "", 0),
        ("am start -n com.example.one/.ItemActivity", item, "", 0),
        ("am start -f 0x20000000 -t text/plain -n com.example.two/.MainActivity", "Starting: Intent { typ=text/plain \
          flg=0x20000000 cmp=com.example.two/.MainActivity }\n", "", 0),
        ("am start -p com.example.one -a android.intent.action.DIAL", "Starting: Intent { act=android.intent.action.DIAL \
          pkg=com.example.one }\n", "Error: Activity not started, unable to resolve Intent { \
          act=android.intent.action.DIAL flg=0x10000000 pkg=com.example.one }\n", 1),
        ("am start -a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT 'hi there' -p com.example.one \
          >/dev/null", "", "", 0),
        ("am get-current-user", "0\n", "", 0),
        ("cmd package resolve-activity --brief -a android.intent.action.VIEW -d two://item/1 | tail -n 1",
         "com.example.two/.ItemActivity\n", "", 0),
    ]);
    phone.shows("opened send://hi%20there");
    phone.shows("opened one://item/8");
    let (_, thrown, exit) = phone.sh("am start -n com.example.one/.SecretActivity");
    assert!(
        thrown.contains(
            "java.lang.SecurityException: Permission Denial: starting Intent { flg=0x10000000 \
                             cmp=com.example.one/.SecretActivity } from null"
        ) && exit == 255,
        "{thrown}"
    );
    let old = self::phone(28);
    assert_eq!(
        old.out("am start -W -d two://item/1"),
        "Starting: Intent { act=android.intent.action.VIEW dat=two://item/1 }\nStatus: ok\nActivity: \
         com.example.two/.ItemActivity\nThisTime: 0\nTotalTime: 0\nWaitTime: 3\nComplete\n"
            .replace("act=android.intent.action.VIEW ", "")
    );
}

#[test]
fn back_home_and_recents_move_between_tasks() {
    let phone = phone(34);
    phone.order("launch com.example.two");
    assert_eq!(phone.focus(), "com.example.two/com.example.two.MainActivity");
    phone.out("input keyevent BACK");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
    phone.shows("resumed 2 paused 1");
    phone.out("input keyevent BACK");
    assert_eq!(phone.focus().split('/').next(), Some("com.android.launcher3"));
    // Since Android 12 the task is still there.
    assert_eq!(phone.out("am start -W -n com.example.two/.MainActivity | grep LaunchState"), "LaunchState: HOT\n");
    phone.out("input keyevent APP_SWITCH");
    assert_eq!(phone.focus(), "com.android.launcher3/com.android.quickstep.RecentsActivity");
    assert!(phone.dump().contains("content-desc=\"Commander\""));
    phone.out("input keyevent APP_SWITCH");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
    phone.out("input keyevent APP_SWITCH");
    phone.tap("resource-id", "com.android.launcher3:id/task");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
    phone.out("input keyevent APP_SWITCH");
    phone.tap("text", "Clear all");
    assert_eq!(phone.focus().split('/').next(), Some("com.android.launcher3"));
    assert_eq!(phone.sh("pidof com.example.one").2, 1);
    // Before Android 12 BACK destroys the activity and leaves the process.
    let old = self::phone(30);
    let pid = old.out("pidof com.example.one");
    old.out("input keyevent BACK");
    assert_eq!(old.out(&format!("{START} -W | grep LaunchState")), "LaunchState: WARM\n");
    assert_eq!(old.out("pidof com.example.one"), pid);
    old.order("finish");
    old.out("am kill com.example.one");
    assert_eq!(old.sh("pidof com.example.one").2, 1);
    assert_eq!(old.out(&format!("{START} -W | grep LaunchState")), "LaunchState: COLD\n");
}

#[test]
fn links_between_apps_open_the_other_or_say_so() {
    let phone = phone(34);
    phone.order("open three://item/1");
    phone.shows("unopened three://item/1");
    phone.order("open two://item/5");
    phone.shows("started with two://item/5");
    assert_eq!(phone.focus(), "com.example.two/com.example.two.ItemActivity");
    phone.out("input keyevent BACK");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
}

#[test]
fn each_level_asks_for_permissions_with_its_own_ids() {
    let old = "com.android.packageinstaller:id/";
    let new = "com.android.permissioncontroller:id/";
    let rows: [(u32, &str, &str, &str, &[&str]); 9] = [
        (28, "CAMERA", "com.android.packageinstaller", old, &["permission_deny_button", "permission_allow_button"]),
        (
            29,
            "CAMERA",
            "com.google.android.permissioncontroller",
            new,
            &["permission_allow_button", "permission_deny_button"],
        ),
        (
            29,
            "ACCESS_FINE_LOCATION",
            "com.google.android.permissioncontroller",
            new,
            &["permission_allow_foreground_only_button", "permission_deny_button"],
        ),
        (
            30,
            "CAMERA",
            "com.google.android.permissioncontroller",
            new,
            &["permission_allow_foreground_only_button", "permission_allow_one_time_button", "permission_deny_button"],
        ),
        (
            31,
            "ACCESS_FINE_LOCATION ACCESS_COARSE_LOCATION",
            "com.google.android.permissioncontroller",
            new,
            &[
                "permission_location_accuracy_radio_fine",
                "permission_location_accuracy_radio_coarse",
                "permission_allow_foreground_only_button",
                "permission_allow_one_time_button",
                "permission_deny_button",
            ],
        ),
        (
            31,
            "READ_CONTACTS",
            "com.google.android.permissioncontroller",
            new,
            &["permission_allow_button", "permission_deny_button"],
        ),
        (
            33,
            "READ_MEDIA_IMAGES",
            "com.google.android.permissioncontroller",
            new,
            &["permission_allow_button", "permission_deny_button"],
        ),
        (
            34,
            "READ_MEDIA_IMAGES",
            "com.google.android.permissioncontroller",
            new,
            &["permission_allow_selected_button", "permission_allow_all_button", "permission_deny_button"],
        ),
        (
            36,
            "CAMERA",
            "com.google.android.permissioncontroller",
            new,
            &["permission_allow_foreground_only_button", "permission_allow_one_time_button", "permission_deny_button"],
        ),
    ];
    for (api, asked, package, prefix, buttons) in rows {
        let phone = phone(api);
        phone.order(&format!("ask {asked}"));
        let ids = phone.all("resource-id");
        let found: Vec<&str> =
            ids.iter().filter_map(|id| id.strip_prefix(prefix)).filter(|id| buttons.contains(id)).collect();
        assert_eq!(found, buttons, "{api} {asked}: {ids:?}");
        assert!(ids.contains(&format!("{prefix}permission_message")), "{api}");
        // A modal dialog replaces the app's tree.
        assert!(phone.all("package").iter().all(|found| found == package), "{api}");
        assert!(phone.focus().ends_with(".permission.ui.GrantPermissionsActivity"), "{}", phone.focus());
    }
}

#[test]
fn what_the_user_decides_about_permissions_holds() {
    let phone = phone(34);
    let flags = |phone: &Phone, name: &str| {
        phone.out(&format!("dumpsys package com.example.one | grep -o 'permission.{name}: granted=.*flags=.*'"))
    };
    phone.shows("granted android.permission.INTERNET");
    assert_eq!(flags(&phone, "CAMERA"), "permission.CAMERA: granted=false, flags=[ ]\n");
    phone.order("ask INTERNET CAMERA READ_CONTACTS RECORD_AUDIO");
    phone.shows("Allow Commander to take pictures and record video?");
    assert_eq!(phone.all("text")[1..], ["While using the app", "Only this time", "Don’t allow"]);
    phone.tap("text", "Don’t allow");
    phone.shows("Allow Commander to access your contacts?");
    phone.tap("text", "Allow");
    for (name, granted) in [("INTERNET", true), ("CAMERA", false), ("READ_CONTACTS", true), ("RECORD_AUDIO", false)] {
        phone.shows(&format!("answered android.permission.{name} {granted}"));
    }
    phone.shows("granted android.permission.INTERNET android.permission.READ_CONTACTS");
    assert_eq!(flags(&phone, "READ_CONTACTS"), "permission.READ_CONTACTS: granted=true, flags=[ USER_SET]\n");
    assert_eq!(flags(&phone, "CAMERA"), "permission.CAMERA: granted=false, flags=[ USER_SET]\n");
    // The second refusal is for good.
    phone.order("ask CAMERA");
    phone.tap("resource-id", "com.android.permissioncontroller:id/permission_deny_and_dont_ask_again_button");
    assert_eq!(flags(&phone, "CAMERA"), "permission.CAMERA: granted=false, flags=[ USER_SET|USER_FIXED]\n");
    phone.order("ask CAMERA");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
    // Approximate location, this time only.
    phone.order("ask ACCESS_FINE_LOCATION ACCESS_COARSE_LOCATION");
    phone.tap("text", "Approximate");
    phone.tap("text", "Only this time");
    phone.shows("answered android.permission.ACCESS_FINE_LOCATION false");
    phone.shows("answered android.permission.ACCESS_COARSE_LOCATION true");
    assert!(flags(&phone, "ACCESS_COARSE_LOCATION").contains("granted=true, flags=[ USER_SET|ONE_TIME]"));
    phone.out(&format!("am force-stop com.example.one; {START}"));
    assert!(flags(&phone, "ACCESS_COARSE_LOCATION").contains("granted=false"));
    phone.out(&format!("pm clear com.example.one >/dev/null; {START}"));
    assert_eq!(flags(&phone, "READ_CONTACTS"), "permission.READ_CONTACTS: granted=false, flags=[ ]\n");
}

#[test]
fn permissions_are_granted_and_revoked_from_the_shell() {
    let phone = phone(34);
    let pid = phone.out("pidof com.example.one");
    phone.table(&[
        ("pm grant com.example.one android.permission.CAMERA", "", "", 0),
        ("cmd package grant com.example.one android.permission.READ_CONTACTS", "", "", 0),
    ]);
    phone.shows("granted android.permission.CAMERA android.permission.INTERNET android.permission.READ_CONTACTS");
    assert_eq!(phone.out("pidof com.example.one"), pid);
    phone.order("ask CAMERA");
    phone.shows("answered android.permission.CAMERA true");
    // Revoking ends the app.
    phone.out("pm revoke com.example.one android.permission.CAMERA");
    assert_eq!(phone.sh("pidof com.example.one").2, 1);
    for (line, thrown) in [
        (
            "pm grant com.example.one android.permission.RECORD_AUDIO",
            "java.lang.SecurityException: Package com.example.one has not requested permission android.permission.RECORD_AUDIO",
        ),
        (
            "pm grant com.example.one android.permission.INTERNET",
            "java.lang.SecurityException: Permission android.permission.INTERNET requested by package com.example.one is not a \
          changeable permission type",
        ),
        ("pm grant no.such android.permission.CAMERA", "java.lang.IllegalArgumentException: Unknown package: no.such"),
    ] {
        let (out, err, exit) = phone.sh(line);
        assert!(err.contains(thrown) && out.is_empty() && exit == 255, "{line}: {err}");
    }
}

#[test]
fn the_share_sheet_offers_other_apps_and_the_clipboard() {
    for (api, package, headline) in [
        (34, "com.android.intentresolver", "com.android.intentresolver:id/headline"),
        (33, "android", "android:id/title"),
    ] {
        let phone = phone(api);
        phone.order("share see you");
        assert!(phone.all("package").iter().all(|found| found == package), "{api}");
        let ids = phone.all("resource-id");
        assert!(ids.contains(&headline.to_owned()) && ids.contains(&"android:id/contentPanel".to_owned()), "{ids:?}");
        phone.shows("see you");
        phone.tap("text", "Copy");
        phone.shows("shared None");
        phone.out("input keyevent 279");
        phone.shows("typed see you");
        phone.order("share see you");
        phone.out("input keyevent BACK");
        phone.order("share see you");
        phone.tap("text", "Commander");
        assert_eq!(phone.focus(), "com.example.two/com.example.two.MainActivity");
        phone.shows("started with send://see%20you");
    }
}

#[test]
fn only_a_repeated_crash_shows_a_dialog() {
    let phone = phone(34);
    let home = "com.android.launcher3/com.android.launcher3.uioverrides.QuickstepLauncher";
    let pid = phone.out("pidof com.example.one");
    let pid = pid.trim();
    phone.order("crash");
    assert_eq!(phone.focus(), home);
    phone.table(&[
        (
            "logcat -d -b events -v brief -s am_crash am_proc_died | grep -v -- ---",
            &format!(
                "I/am_crash(  600): \
          [{pid},0,com.example.one,545832518,java.lang.IllegalStateException,no card,MainActivity.java,42,0]\n\
          I/am_proc_died(  600): [0,{pid},com.example.one,0,2]\n"
            ),
            "",
            0,
        ),
        (
            "logcat -d -b system -v brief -s ActivityTaskManager | tail -n 1",
            "W/ActivityTaskManager(  600):   Force finishing activity com.example.one/.MainActivity\n",
            "",
            0,
        ),
    ]);
    phone.out(START);
    phone.order("crash");
    assert_eq!(phone.focus(), "Application Error: com.example.one");
    // The resumed activity lies below.
    assert!(phone.out("dumpsys window | grep mFocusedApp").contains("com.android.launcher3/"));
    phone.shows("Commander keeps stopping");
    assert!(phone.all("package").iter().all(|package| package == "android"));
    let ids = phone.all("resource-id");
    for id in ["content", "parentPanel", "alertTitle", "aerr_app_info", "aerr_close"] {
        assert!(ids.contains(&format!("android:id/{id}")), "{id}: {ids:?}");
    }
    phone.tap("resource-id", "android:id/aerr_close");
    assert_eq!(phone.focus(), home);
    // Throttled: a dialog has just been shown.
    phone.out(START);
    phone.order("crash");
    assert_eq!(phone.focus(), home);
    // Long after, the next crash counts as the first.
    phone.out(&format!("sleep 200; {START}"));
    phone.order("crash");
    assert_eq!(phone.focus(), home);
    let dropbox = phone.out("dumpsys dropbox --print data_app_crash");
    assert!(
        dropbox.contains("\nSearching for: data_app_crash\n") && dropbox.contains("Process: com.example.one\nPID: "),
        "{dropbox}"
    );
    assert!(
        dropbox.contains("\njava.lang.IllegalStateException: no card\n\tat com.example.one.MainActivity.onUserAction(")
    );
}

#[test]
fn settings_decide_whether_crash_dialogs_come() {
    for (line, focus) in [
        ("settings put global show_first_crash_dialog 1", "Application Error: com.example.one"),
        ("settings put secure show_first_crash_dialog_dev_option 1", "Application Error: com.example.one"),
        (
            "settings put global show_first_crash_dialog 1; settings put global hide_error_dialogs 1",
            "com.android.launcher3",
        ),
    ] {
        let phone = phone(34);
        phone.out(line);
        phone.order("crash");
        assert_eq!(phone.focus().split('/').next(), Some(focus), "{line}");
    }
    let old = phone(26);
    old.out("settings put global show_first_crash_dialog 1");
    old.order("crash");
    old.shows("Commander has stopped");
    old.tap("text", "Open app again");
    assert_eq!(old.focus(), "com.example.one/com.example.one.MainActivity");
}

#[test]
fn am_crash_is_over_before_the_app_is() {
    let phone = phone(34);
    phone.table(&[("am crash no.such", "", "", 0), ("am crash com.example.one", "", "", 0)]);
    assert_eq!(phone.out("logcat -d -b crash"), "");
    phone.out("sleep 1");
    let log = phone.out("logcat -d -b crash -v raw");
    assert!(log.contains("android.app.RemoteServiceException$CrashedByAdbException: shell-induced crash"), "{log}");
    assert_eq!(phone.sh("pidof com.example.one").2, 1);
    phone.out(&format!("{START}; am crash $(pidof com.example.one); sleep 1"));
    assert_eq!(phone.focus(), "Application Error: com.example.one");
}

#[test]
fn an_app_that_leaves_input_unanswered_does_not_respond() {
    let phone = phone(34);
    phone.order("hang");
    // Nothing is known before someone touches it; its window does not answer.
    phone.out("sleep 60");
    assert_eq!(phone.sh("uiautomator dump").1, "ERROR: null root node returned by UiTestAutomationBridge.\n");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
    phone.out("input tap 50 50; sleep 4");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
    phone.out("sleep 1");
    assert_eq!(phone.focus(), "Application Not Responding: com.example.one");
    phone.shows("Commander isn't responding");
    let log = phone.out("logcat -d -b system -v brief");
    assert!(
        log.contains(": ANR in Window{")
            && log.contains(
                "com.example.one/com.example.one.MainActivity}. Reason:Input \
                          dispatching timed out ("
            ),
        "{log}"
    );
    assert!(log.contains("(server) is not responding. Waited 5001ms for MotionEvent)."), "{log}");
    for line in [
        "ANR in com.example.one (com.example.one/.MainActivity)",
        "Reason: Input dispatching timed out (",
        "Load: ",
        "CPU usage from ",
    ] {
        assert!(log.lines().any(|l| l.starts_with("E/ActivityManager(  600): ") && l.contains(line)), "{line}: {log}");
    }
    assert!(
        phone
            .out("logcat -d -b events -v raw -s am_anr")
            .contains(",com.example.one,545832518,Input dispatching timed out (")
    );
    assert!(phone.out("dumpsys dropbox --print data_app_anr").contains("Subject: Input dispatching timed out ("));
    // Wait: five more seconds from the next touch on.
    phone.tap("resource-id", "android:id/aerr_wait");
    assert_eq!(phone.focus(), "com.example.one/com.example.one.MainActivity");
    phone.out("input keyevent BACK; sleep 5");
    phone.tap("resource-id", "android:id/aerr_close");
    assert_eq!(phone.sh("pidof com.example.one").2, 1);
    assert!(
        phone.out("logcat -d -b events -v raw -s am_kill").contains(",com.example.one,0,user request after error]")
    );
    // HOME is the system's, and hidden dialogs end the app at once.
    let quiet = self::phone(34);
    quiet.out("settings put global hide_error_dialogs 1");
    quiet.order("hang");
    quiet.out("input tap 50 50; input keyevent HOME; sleep 6");
    assert_eq!(quiet.sh("pidof com.example.one").2, 1);
}

#[test]
fn a_secure_window_is_black_in_pictures_and_readable_in_dumps() {
    let phone = phone(34);
    let colors = |phone: &Phone| {
        let picture = phone.0.lock().screenshot();
        let mut colors: Vec<&[u8]> = picture.rgba().chunks_exact(4).collect();
        colors.dedup();
        colors.len()
    };
    let before = phone.0.lock().screenshot();
    assert_ne!(before.rgba()[..4], [0, 0, 0, 255]);
    phone.order("secure");
    let picture = phone.0.lock().screenshot();
    assert_eq!((picture.size(), &picture.rgba()[..4]), (Size::new(540, 1200), &[0, 0, 0, 255][..]));
    assert_eq!(colors(&phone), 1);
    phone.shows("540x1200 210 en-US 1 night=false turns=0");
    assert_eq!(phone.sh("screencap -p /sdcard/s.png").2, 0);
    phone.out("input keyevent HOME");
    assert!(colors(&phone) > 1);
}

#[test]
fn dialogs_lie_dimmed_over_what_is_below_and_turn_with_the_display() {
    let phone = phone(34);
    let plain = phone.0.lock().screenshot();
    phone.order("ask CAMERA");
    let dimmed = phone.0.lock().screenshot();
    let corner = |picture: &tapwright::domain::Screenshot| picture.rgba()[4 * 540 * 1199];
    assert_eq!((corner(&plain), corner(&dimmed)), (240, 96));
    phone.out("wm user-rotation lock 1");
    let button = phone.bounds("text", "While using the app");
    assert!(button.right <= 1200 && button.bottom <= 540 && !button.is_empty(), "{button}");
    // Leaving the task leaves the question with it.
    phone.out("input keyevent HOME");
    assert_eq!(phone.focus().split('/').next(), Some("com.android.launcher3"));
    phone.sh(START);
    phone.shows("Allow Commander to take pictures and record video?");
}

#[test]
fn a_process_that_ends_by_itself_is_not_a_crash() {
    let phone = phone(34);
    phone.order("kill");
    assert_eq!(phone.focus().split('/').next(), Some("com.android.launcher3"));
    assert_eq!(phone.out("logcat -d -b crash"), "");
    assert!(phone.out("logcat -d -b events -v raw -s am_proc_died").contains("com.example.one"));
}
