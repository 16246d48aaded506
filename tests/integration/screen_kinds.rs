//! The kinds of screens, on what a device dumps.

use crate::virtual_device_facts::Phone;
use std::sync::Arc;
use tapwright::domain::Size;
use tapwright::hierarchy::{Screen, ScreenInput, ScreenKind};
use tapwright::virtual_device::shell::names;
use tapwright::virtual_device::system::{SystemConfig, VirtualSystem};
use tapwright::virtual_device::{AppFiles, Clock, IdleWait, SharedSystem};

const APP: &str = r#"
package: com.example.kinds
label: Kinds
state: {name: "", wrong: ""}
permissions: [android.permission.CAMERA]
screens:
  - id: home
    title: Kinds
    body:
      - button: {id: ask, text: Ask, on_tap: [show: sure]}
      - button: {id: sheet, text: Sheet, on_tap: [show: more]}
      - button: {id: wait, text: Wait, on_tap: [goto: waiting]}
      - button: {id: page, text: Page, on_tap: [goto: page]}
      - button: {id: form, text: Form, on_tap: [goto: form]}
      - button:
          id: photo
          text: Photo
          on_tap: [{request_permission: {name: android.permission.CAMERA}}]
      - button: {id: hang, text: Hang, on_tap: [anr]}
      - button: {id: bad, text: Bad, on_tap: [{crash: out of paper}]}
  - id: waiting
    title: One moment
    body: [{progress: {value: 0.4}}]
  - id: page
    title: Page
    body: [{dialect: {kind: web, title: A page, children: [{text: {text: Some words of a page}}]}}]
  - id: form
    title: Form
    body:
      - field: {id: name, bind: name, label: Full name, error: "{{ wrong }}"}
      - button: {id: save, text: Save, on_tap: [{set: {wrong: '"Enter a name"'}}]}
dialogs:
  - id: sure
    title: Delete file?
    message: It cannot be restored.
    buttons: [{text: Cancel}, {text: Delete}]
sheets:
  - id: more
    title: Share with
    body: [{list_item: {title: Messages}}, {list_item: {title: Mail}}]
"#;

fn phone() -> Phone {
    let config = SystemConfig {
        idle: IdleWait::NONE,
        clock: Clock::virtual_at("2026-05-01T10:00:00Z".parse().unwrap()),
        ..SystemConfig::default()
    };
    let files = Arc::new(AppFiles::default());
    let mut system = VirtualSystem::boot(config, files.clone(), files.clone(), names());
    system.add(files.package("kinds", APP).unwrap_or_else(|error| panic!("{error}")));
    system.start("com.example.kinds");
    Phone(SharedSystem::new(system))
}

fn seen(phone: &Phone) -> Screen {
    let dump = phone.dump();
    let keyboard_shown = phone.out("dumpsys input_method").contains("mInputShown=true");
    let display = Size::new(1080, 2400);
    Screen::perceive(ScreenInput {
        hierarchy: dump.as_bytes(),
        screenshot: None,
        display,
        foreground: None,
        keyboard_shown,
    })
}

#[test]
fn each_kind_of_screen_is_told_from_the_others() {
    let after = |button: &str| {
        let phone = phone();
        phone.tap("text", button);
        seen(&phone).kind
    };
    assert_eq!(seen(&phone()).kind, ScreenKind::Ordinary);
    assert_eq!(after("Ask"), ScreenKind::Dialog);
    assert_eq!(after("Sheet"), ScreenKind::Dialog);
    assert_eq!(after("Wait"), ScreenKind::Loading);
    assert_eq!(after("Photo"), ScreenKind::Permission);
    assert_eq!(after("Form"), ScreenKind::Ordinary);
}

#[test]
fn a_hanging_app_and_a_crashing_one_are_told_apart() {
    let hung = phone();
    hung.tap("text", "Hang");
    hung.out("input tap 500 500; sleep 5");
    assert_eq!(seen(&hung).kind, ScreenKind::NotResponding);
    let crashing = phone();
    crashing.tap("text", "Bad");
    crashing.out("am start com.example.kinds");
    crashing.tap("text", "Bad");
    crashing.shows("Kinds keeps stopping");
    assert_eq!(seen(&crashing).kind, ScreenKind::Crash);
}

#[test]
fn a_field_with_the_keyboard_up_and_its_error_are_seen() {
    let phone = phone();
    phone.tap("text", "Form");
    phone.tap("text", "Save");
    let form = seen(&phone);
    let field = form.widgets.iter().find(|widget| widget.resource_id.ends_with("/name")).expect("the field");
    assert_eq!(form.field_error(field), Some("Enter a name"));
    phone.out(&format!("input tap {} {}", field.tap.x, field.tap.y));
    assert_eq!(seen(&phone).kind, ScreenKind::Keyboard);
}
