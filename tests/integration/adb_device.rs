//! `AdbDevice` against a scripted adb server.

use crate::adb_stub::{Conversation, Step, StubServer};
use std::time::Duration;
use tapwright::adb::{AdbError, ShellTemplate};
use tapwright::device::{AdbDevice, Budgets, Device, DeviceError, Profile};
use tapwright::domain::{PackageName, Rest, Size};

const XML: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" \
                   text=\"one\" bounds=\"[0,0][2,1]\" /></hierarchy>";
const OTHER_XML: &str = "<?xml version='1.0' ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"two\" \
                         bounds=\"[0,0][2,1]\" /></hierarchy>";
const NO_FILE: &str = "cat: /data/local/tmp/x.xml: No such file or directory\n";
const FOCUS: &str = "  mCurrentFocus=Window{48b4735 u0 com.a/com.a.Main}\n  mInputShown=true\n";

const DUMP: &str = "shell,v2,raw:uiautomator dump /data/local/tmp/tapwright-*.xml; cat /data/local/tmp/tapwright-*.xml; rm \
                    -f /data/local/tmp/tapwright-*.xml";
const COMPRESSED: &str = "shell,v2,raw:uiautomator dump --compressed /data/local/tmp/tapwright-*.xml; cat *; rm -f *";

fn profile(settings: &str) -> Profile {
    let text =
        format!("name = 'test'\n[dump]\nmode = 'full'\nattempts = 3\npause_ms = 1\n[settle]\npause_ms = 1\n{settings}");
    Profile::parse(&text, "test.toml".as_ref()).unwrap()
}

fn device(stub: &StubServer, settings: &str) -> AdbDevice {
    AdbDevice::new(stub.address(), "A1".into(), &profile(settings), Budgets::default())
}

fn once(stub: &StubServer) -> AdbDevice {
    device(stub, "samples = 1\nlimit_ms = 2000\n")
}

fn dump(xml: &str) -> Conversation {
    let stdout = format!("UI hierchary dumped to: /data/local/tmp/x.xml\n{xml}");
    Conversation::device("A1", DUMP).shell(stdout, "", 0)
}

fn picture() -> Conversation {
    picture_of([9, 8, 7])
}

fn picture_of([red, green, blue]: [u8; 3]) -> Conversation {
    let mut bytes: Vec<u8> = [2_u32, 1, 1, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend_from_slice(&[red, green, blue, 255, 6, 5, 4, 255]);
    Conversation::device("A1", "shell,v2,raw:screencap").shell(bytes, "[Warning] Multiple displays were found", 0)
}

fn surroundings() -> Conversation {
    Conversation::device("A1", "shell,v2,raw:dumpsys window displays; dumpsys input_method").shell(FOCUS, "", 0)
}

fn shell(line: &str) -> Conversation {
    Conversation::device("A1", &format!("shell,v2,raw:{line}"))
}

#[tokio::test]
async fn an_observation_takes_three_round_trips() {
    let stub = StubServer::start([dump(XML), picture(), surroundings()]).await;
    let seen = once(&stub).observe().await.unwrap();
    assert_eq!(seen.hierarchy, XML.as_bytes());
    assert_eq!(seen.screenshot.unwrap().rgb(1, 0), Some([6, 5, 4]));
    assert_eq!(seen.foreground.unwrap().to_string(), "com.a/com.a.Main");
    assert!(seen.keyboard_shown);
    assert_eq!((seen.dumps.len(), seen.notes.as_slice()), (1, &[][..]));
    stub.finish().await;
}

#[tokio::test]
async fn a_screen_that_never_becomes_idle_is_dumped_compressed() {
    let idle = format!("ERROR: could not get idle state.\n{NO_FILE}");
    let stub = StubServer::start([
        Conversation::device("A1", DUMP).shell("", &idle, 0),
        Conversation::device("A1", COMPRESSED).shell(XML, "", 0),
        // It was moving, so a second sample must agree.
        Conversation::device("A1", COMPRESSED).shell(XML, "", 0),
        picture(),
        surroundings(),
        // What changes is then looked for in compressed dumps too.
        Conversation::device("A1", COMPRESSED).shell(OTHER_XML, "", 0),
    ])
    .await;
    let device = once(&stub);
    let seen = device.observe().await.unwrap();
    assert_eq!(seen.dumps.len(), 3);
    let said: Vec<&str> = seen.notes.iter().map(|note| note.message.as_str()).collect();
    assert!(said[0].contains("never became idle") && said[1].contains("compressed"), "{said:?}");
    assert!(device.wait_for_change(XML.as_bytes(), Duration::ZERO).await.unwrap());
    stub.finish().await;
}

#[tokio::test]
async fn dumps_that_fail_are_tried_again_and_then_an_error() {
    let null_root = format!("ERROR: null root node returned by UiTestAutomationBridge.\n{NO_FILE}");
    let stub = StubServer::start([
        Conversation::device("A1", DUMP).shell("", &null_root, 0),
        dump(""),
        Conversation::device("A1", COMPRESSED).shell("", &format!("Killed\n{NO_FILE}"), 0),
        // Without a picture either there is nothing to look at.
        Conversation::device("A1", "shell,v2,raw:screencap").shell("", "Failed to take screenshot. Status: -1", 1),
    ])
    .await;
    let error = once(&stub).observe().await.unwrap_err();
    assert!(
        matches!(&error, DeviceError::NoHierarchy { attempts: 3, reason, .. } if reason.contains("killed")),
        "{error}"
    );
    stub.finish().await;
}

#[tokio::test]
async fn where_no_file_can_be_written_the_terminal_is_used_from_then_on() {
    let terminal = || {
        let printed = format!("{XML}UI hierchary dumped to: /dev/tty\n");
        Conversation::device("A1", "exec:uiautomator dump /dev/tty").okay([]).then(Step::Send(printed.into_bytes()))
    };
    let stub = StubServer::start([
        Conversation::device("A1", DUMP).shell("UI hierchary dumped to: /data/local/tmp/x.xml\n", NO_FILE, 0),
        terminal(),
        picture(),
        surroundings(),
        terminal(),
    ])
    .await;
    let device = once(&stub);
    let seen = device.observe().await.unwrap();
    assert_eq!((seen.hierarchy.as_slice(), seen.dumps.len()), (XML.as_bytes(), 2));
    assert_eq!((seen.dumps[1].mode.as_str(), seen.dumps[1].route.as_str()), ("full", "terminal"));
    assert_eq!(device.glance().await.unwrap().dumps.len(), 1);
    stub.finish().await;
}

#[tokio::test]
async fn a_dump_that_hangs_is_cut_off_and_its_file_removed() {
    let stub = StubServer::start([
        Conversation::device("A1", DUMP).okay([]).then(Step::AwaitClose),
        dump(XML),
        picture(),
        surroundings(),
    ])
    .await;
    stub.expect(shell("rm -f /data/local/tmp/tapwright-*.xml").shell("", "", 0).then(Step::AwaitClose));
    let budgets = Budgets { dump: Duration::from_millis(300), ..Budgets::default() };
    let device = AdbDevice::new(stub.address(), "A1".into(), &profile("samples = 1\nlimit_ms = 1000\n"), budgets);
    let seen = device.observe().await.unwrap();
    assert!(seen.notes[0].message.contains("did not end within"), "{:?}", seen.notes);
    stub.closed_by_client(2).await;
    stub.finish().await;
}

#[tokio::test]
async fn an_observation_given_up_leaves_no_file_behind() {
    let stub = StubServer::start([
        Conversation::device("A1", DUMP).okay([]).then(Step::AwaitClose),
        shell("rm -f /data/local/tmp/tapwright-*.xml").shell("", "", 0).then(Step::AwaitClose),
    ])
    .await;
    let device = once(&stub);
    tokio::time::timeout(Duration::from_millis(200), device.observe()).await.unwrap_err();
    stub.closed_by_client(2).await;
    stub.finish().await;
}

#[tokio::test]
async fn a_screen_settles_when_samples_agree_or_the_limit_is_over() {
    let (first, second) = (picture_of([9, 8, 7]), picture_of([250, 250, 250]));
    let moving = [dump(XML), first, dump(OTHER_XML), second, dump(OTHER_XML), surroundings()];
    let stub = StubServer::start(moving).await;
    let seen = device(&stub, "samples = 2\nlimit_ms = 60000\n").observe().await.unwrap();
    assert_eq!((seen.hierarchy.as_slice(), seen.dumps.len()), (OTHER_XML.as_bytes(), 3));
    assert_eq!(seen.rest, Rest::Hierarchy);
    assert!(seen.notes.is_empty(), "{:?}", seen.notes);
    stub.finish().await;

    // The dumps differ, but what a person sees does not.
    let stub = StubServer::start([dump(XML), picture(), dump(OTHER_XML), picture(), surroundings()]).await;
    let seen = device(&stub, "samples = 2\nlimit_ms = 60000\n").observe().await.unwrap();
    assert_eq!((seen.hierarchy.as_slice(), seen.rest), (OTHER_XML.as_bytes(), Rest::Picture));
    assert!(seen.notes.is_empty(), "{:?}", seen.notes);
    stub.finish().await;

    let stub = StubServer::start([dump(XML), picture(), surroundings()]).await;
    let seen = device(&stub, "samples = 2\nlimit_ms = 0\n").observe().await.unwrap();
    assert!(seen.notes[0].message.contains("still changing"), "{:?}", seen.notes);
    stub.finish().await;
}

#[tokio::test]
async fn what_cannot_be_seen_is_noted_and_not_invented() {
    let stub = StubServer::start([
        dump(XML),
        Conversation::device("A1", "shell,v2,raw:screencap").shell("", "Failed to take screenshot. Status: -1", 1),
        Conversation::device("A1", "shell,v2,raw:dumpsys window displays; dumpsys input_method").shell(
            "  mCurrentFocus=null\n",
            "",
            0,
        ),
        shell("dumpsys activity activities").shell("  mResumedActivity: ActivityRecord{1 u0 com.a/.Main t1}\n", "", 0),
    ])
    .await;
    let seen = once(&stub).observe().await.unwrap();
    assert!(seen.screenshot.is_none() && !seen.keyboard_shown);
    assert_eq!(seen.foreground.unwrap().to_string(), "com.a/com.a.Main");
    let notes = seen.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(notes.contains("Failed to take screenshot") && notes.contains("input_method"), "{notes}");
    stub.finish().await;
}

#[tokio::test]
async fn waiting_for_change_ends_with_the_limit() {
    let stub = StubServer::start([dump(XML), dump(XML), dump(OTHER_XML)]).await;
    let device = once(&stub);
    assert!(!device.wait_for_change(XML.as_bytes(), Duration::ZERO).await.unwrap());
    assert!(device.wait_for_change(XML.as_bytes(), Duration::from_secs(20)).await.unwrap());
    stub.finish().await;
}

#[tokio::test]
async fn a_device_says_what_it_is() {
    let said = "[persist.sys.locale]: [de-DE]\n[ro.build.version.sdk]: [34]\n[ro.product.model]: [Tapwright Virtual \
                Phone]\nPhysical size: 1080x2400\nOverride size: 720x1600\nPhysical density: 420\n";
    let stub = StubServer::start([
        shell("getprop; wm size; wm density").shell(said, "", 0),
        shell("getprop; wm size; wm density").shell("[ro.build.version.sdk]: [34]\n", "", 0),
    ])
    .await;
    let device = once(&stub);
    let info = device.describe().await.unwrap();
    assert_eq!((info.api, info.display, info.density, info.locale.as_str()), (34, Size::new(720, 1600), 420, "de-DE"));
    assert_eq!(info.model, "Tapwright Virtual Phone");
    let error = device.describe().await.unwrap_err().to_string();
    assert!(error.contains("no display size"), "{error}");
    stub.finish().await;
}

const RESET: &str = "am force-stop com.a; pm clear com.a; date '+%m-%d %H:%M:%S.%N'; cmd package resolve-activity --brief \
                     com.a";
const RESET_SAID: &str = "Success\n11-20 08:00:00.123456789\npriority=0 preferredOrder=0 match=0x108000 specificIndex=-1 \
                          isDefault=true\ncom.a/.Main\n";

#[tokio::test]
async fn a_fresh_start_clears_launches_and_marks_the_time_for_crashes() {
    let crash = "11-20 08:00:01.100  42  42 E AndroidRuntime: FATAL EXCEPTION: main\n11-20 08:00:01.100  42  42 E \
                 AndroidRuntime: Process: com.a, PID: 42\n";
    let stub = StubServer::start([
        shell(RESET).shell(RESET_SAID, "", 0),
        shell("am start -W -n com.a/com.a.Main").shell("Starting: Intent { }\nStatus: ok\nComplete\n", "", 0),
        shell("logcat -d -v threadtime -b main -b system -b crash -T '11-20 08:00:00.123'").shell(crash, "", 0),
    ])
    .await;
    let device = once(&stub);
    let app = PackageName::new("com.a");
    assert!(device.crashes(&app).await.unwrap().is_empty(), "nothing was started yet");
    device.start_fresh(&app).await.unwrap();
    assert_eq!(device.crashes(&app).await.unwrap(), ["FATAL EXCEPTION: main\nProcess: com.a, PID: 42"]);
    stub.finish().await;
}

#[tokio::test]
async fn an_app_that_does_not_start_says_why() {
    let stub = StubServer::start([
        shell(RESET).shell("11-20 08:00:00.1\nNo activity found\n", "Failed\n", 0),
        shell(RESET).shell("Success\n11-20 08:00:00.1\nNo activity found\n", "", 0),
        shell(RESET).shell(RESET_SAID, "", 0),
        shell("am start -W -n com.a/com.a.Main").shell(
            "Starting: Intent { }\nError type 3\nError: Activity class {com.a/com.a.Main} does not exist.\n",
            "",
            0,
        ),
    ])
    .await;
    let device = once(&stub);
    let app = PackageName::new("com.a");
    for (what, part) in [("cleared", "Failed"), ("started", "no launcher activity"), ("started", "does not exist")] {
        let error = device.start_fresh(&app).await.unwrap_err();
        assert!(matches!(&error, DeviceError::App { what: found, .. } if *found == what), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    stub.finish().await;
}

#[tokio::test]
async fn an_installed_version_is_told_from_a_missing_app_and_a_failed_installation_from_both() {
    let folder = tempfile::tempdir().unwrap();
    let apk = folder.path().join("a.apk");
    std::fs::write(&apk, b"PK").unwrap();
    let stub = StubServer::start([
        shell("dumpsys package com.a").shell("    versionName=1.4\n", "", 0),
        shell("dumpsys package com.a").shell("Unable to find package: com.a\n", "", 0),
        Conversation::device("A1", "exec:cmd package 'install' '-r' '-S' 2")
            .okay([])
            .then(Step::Expect(b"PK".to_vec()))
            .then(Step::Send(b"Failure [INSTALL_FAILED_TEST_ONLY]\n".to_vec())),
    ])
    .await;
    let device = once(&stub);
    let app = PackageName::new("com.a");
    assert_eq!(device.installed_version(&app).await.unwrap().as_deref(), Some("1.4"));
    assert_eq!(device.installed_version(&app).await.unwrap(), None);
    let error = device.install(&app, &apk).await.unwrap_err();
    assert!(error.to_string().contains("INSTALL_FAILED_TEST_ONLY"), "{error}");
    stub.finish().await;
}

#[tokio::test]
async fn text_that_cannot_be_typed_is_never_sent() {
    let stub = StubServer::start([
        shell("input text 5% && input text s%soff").shell("", "", 0),
        shell("input tpa 1 2").shell("Unknown command: tpa\n", "", 0),
        shell("input tap 1 2").shell("", "Exception occurred while executing 'tap':\n", 255),
    ])
    .await;
    let device = once(&stub);
    let typing = ShellTemplate::parse("input text {{ text | input_text }}").unwrap();
    let type_text =
        |text: &str| typing.render(&minijinja::context! { text }, &minijinja::context! { text => "***" }).unwrap();
    let error = device.run(&type_text("café")).await.unwrap_err();
    assert!(matches!(error, DeviceError::Text { .. }) && !error.to_string().contains("caf"), "{error}");
    device.run(&type_text("5%s off")).await.unwrap();

    let fixed = |text: &str| {
        ShellTemplate::parse(text).unwrap().render(&minijinja::context! {}, &minijinja::context! {}).unwrap()
    };
    let unknown = device.run(&fixed("input tpa 1 2")).await.unwrap_err();
    assert!(matches!(unknown, DeviceError::Adb(AdbError::Reported { .. })), "{unknown}");
    let failed = device.run(&fixed("input tap 1 2")).await.unwrap_err();
    assert!(matches!(failed, DeviceError::Adb(AdbError::Exit { exit_code: 255, .. })), "{failed}");
    stub.finish().await;
}
