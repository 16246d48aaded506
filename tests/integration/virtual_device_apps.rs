//! Declarative apps on the whole device: what they ask of the system, through the device's shell, on a virtual clock.

use crate::virtual_device_facts::Phone;
use crate::virtual_device_system::home_focus;
use std::sync::Arc;
use tapwright::virtual_device::shell::names;
use tapwright::virtual_device::system::{SystemConfig, VirtualSystem};
use tapwright::virtual_device::{AppFiles, Clock, IdleWait, SharedSystem};

const NOTES: &str = r#"
package: com.example.notes
label: Notes
state: {photo: "", opened: "", size: ""}
permissions: [android.permission.CAMERA]
links: [{uri: "notes://note/{name}", goto: note, set: {opened: name}}]
screens:
  - id: list
    title: Notes
    body:
      - button:
          id: photo
          text: Add a photo
          on_tap:
            - request_permission:
                name: android.permission.CAMERA
                granted: [{set: {photo: '"A photo"'}}]
                denied: [{set: {photo: '"No camera"'}}]
      - text: {id: label, text: "{{ photo }}"}
      - text: {text: "{{ if landscape() { \"wide\" } else { \"high\" } }} {{ if dark() { \"dark\" } else { \"light\" } }} {{ language() }}"}
      - button: {id: share, text: Share, on_tap: [{share: {text: Milk and bread, title: Send notes}}]}
      - button: {id: mail, text: Mail, on_tap: [{open_url: "mail://to/ann"}]}
      - button: {id: hang, text: Hang, on_tap: [anr]}
      - button: {id: bad, text: Bad, on_tap: [{crash: out of paper}]}
  - id: note
    title: Note
    activity: .NoteActivity
    secure: true
    orientation: landscape
    body: [{text: {id: opened, text: "Note {{ opened }}"}}]
"#;

const MAIL: &str = r#"
package: com.example.mail
label: Mail
state: {to: ""}
links:
  - {uri: "mail://to/{name}", goto: compose, set: {to: name}}
  - {uri: "send://{text}", goto: compose, set: {to: text}}
screens:
  - {id: inbox, title: Inbox, body: [{text: {text: Nothing new}}]}
  - {id: compose, title: Compose, activity: .ComposeActivity, body: [{text: {text: "To {{ to }}"}}]}
"#;

fn phone() -> Phone {
    let config = SystemConfig {
        idle: IdleWait::NONE,
        clock: Clock::virtual_at("2026-05-01T10:00:00Z".parse().unwrap()),
        ..SystemConfig::default()
    };
    let files = Arc::new(AppFiles::default());
    let mut system = VirtualSystem::boot(config, files.clone(), files.clone(), names());
    for (name, text) in [("notes", NOTES), ("mail", MAIL)] {
        system.add(files.package(name, text).unwrap_or_else(|error| panic!("{error}")));
    }
    system.start("com.example.notes");
    Phone(SharedSystem::new(system))
}

#[test]
fn an_app_asks_for_a_permission_and_acts_on_the_answer() {
    let phone = phone();
    phone.tap("text", "Add a photo");
    phone.shows("Allow Notes to take pictures and record video?");
    phone.tap("text", "Don’t allow");
    phone.shows("No camera");
    phone.tap("text", "Add a photo");
    phone.tap("text", "While using the app");
    phone.shows("A photo");
    assert!(phone.out("dumpsys package com.example.notes").contains("android.permission.CAMERA: granted=true"));
}

#[test]
fn an_app_follows_what_the_user_sets_while_it_runs() {
    let phone = phone();
    phone.shows("high light en");
    phone.out(
        "wm user-rotation lock 1; cmd uimode night yes; cmd locale set-app-locales com.example.notes --locales pt-BR",
    );
    phone.shows("wide dark pt");
    assert!(phone.bounds("text", "Share").right > 1080);
}

#[test]
fn apps_open_one_another_and_secure_screens_stay_unseen() {
    let phone = phone();
    phone.tap("text", "Mail");
    phone.shows("To ann");
    assert_eq!(phone.focus(), "com.example.mail/com.example.mail.ComposeActivity");
    phone.out("am start -W -a android.intent.action.VIEW -d notes://note/milk | grep -q 'Activity: com.example.notes/.NoteActivity'");
    phone.shows("Note milk");
    assert!(phone.dump().contains("rotation=\"1\""));
    let picture = phone.0.lock().screenshot();
    assert!(
        picture.size().width > picture.size().height && picture.rgba().chunks(4).all(|pixel| pixel == [0, 0, 0, 255])
    );
    phone.out("input keyevent BACK");
    phone.shows("high light en");
    phone.tap("text", "Share");
    phone.shows("Milk and bread");
    phone.shows("Send notes");
    phone.out("input keyevent BACK");
    phone.shows("high light en");
    phone.tap("text", "Share");
    // The sheet's target, not the app's button below it.
    phone.tap("text", "Mail");
    phone.shows("To Milk and bread");
}

#[test]
fn an_app_that_hangs_or_crashes_ends_in_androids_way() {
    let phone = phone();
    phone.tap("text", "Hang");
    assert_eq!(phone.sh("uiautomator dump").1, "ERROR: null root node returned by UiTestAutomationBridge.\n");
    phone.out("input tap 500 500; sleep 5");
    phone.shows("Notes isn't responding");
    phone.tap("text", "Close app");
    assert!(home_focus(&phone));
    phone.out("am start com.example.notes");
    phone.tap("text", "Bad");
    assert!(home_focus(&phone));
    assert!(phone.out("logcat -d -b events -v raw -s am_crash").contains(",com.example.notes,"));
    assert!(phone.out("logcat -d -b crash -v raw").contains("out of paper"));
}
