//! Text that `input text` cannot type goes through a keyboard app, and the user's keyboard comes back.

use crate::bench::repository;
use std::sync::Arc;
use tapwright::device::{Device, DeviceError};
use tapwright::domain::{Action, InputText, PackageName, Point, Rect, Selector, Size, Target};
use tapwright::evaluation::suite::{Phone, SuiteDevice, morning};
use tapwright::hierarchy::{Role, Screen, ScreenInput};
use tapwright::skill::{Library, PerformError};
use tapwright::virtual_device::AppFiles;

const KEYBOARD: &str = "settings get secure default_input_method";

async fn phone() -> Phone {
    let app = repository("tests/fixtures/apps/notebook.app.yaml");
    let text = std::fs::read_to_string(&app).unwrap();
    let files = Arc::new(AppFiles::default());
    let device = SuiteDevice {
        letters: 100,
        night: false,
        profile: "phone".into(),
        api: 34,
        display: Size::new(1080, 2400),
        density: 420,
        locale: "en-US".into(),
    };
    let phone = Phone::new(&device, 0, &[], None, &files, &morning(), &[(app, text)]).unwrap();
    phone.start_fresh(&PackageName::new("com.example.notebook")).await.unwrap();
    phone
}

/// The fields of the screen in front.
async fn fields(phone: &Phone) -> Vec<tapwright::hierarchy::Widget> {
    let seen = phone.observe().await.unwrap();
    let screen = Screen::perceive(ScreenInput {
        hierarchy: &seen.hierarchy,
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: seen.keyboard_shown,
    });
    screen.widgets.into_iter().filter(|widget| widget.role == Role::Field).collect()
}

fn typing(at: Point, text: &str) -> Action {
    let target =
        Target { label: "Title".into(), shown: None, selector: Selector::default(), bounds: Rect::default(), tap: at };
    Action::InputText { target, text: InputText::Plain(text.into()) }
}

#[tokio::test]
async fn any_text_is_typed_where_the_keyboard_is_installed_and_the_users_keyboard_comes_back() {
    let (phone, skills) = (phone().await, Library::bundled().unwrap());
    let before = phone.sh(KEYBOARD);
    let mut held = 0;
    phone.sh("input tap 980 2200");
    for text in ["Zoë, 日本 and 🙂", "مطار القاهرة", "plain again", "it's $HOME; `id`"] {
        let field = fields(&phone).await.remove(0);
        skills.perform(&phone, &typing(field.bounds.center(), text), held, &[]).await.unwrap();
        let field = fields(&phone).await.remove(0);
        assert_eq!(field.value, text);
        assert_eq!(phone.sh(KEYBOARD), before);
        held = text.chars().count();
    }
}

#[tokio::test]
async fn without_the_keyboard_the_text_is_refused_before_anything_is_typed() {
    let (phone, skills) = (phone().await, Library::bundled().unwrap());
    phone.sh("input tap 980 2200");
    phone.sh("pm uninstall com.android.adbkeyboard");
    let field = fields(&phone).await.remove(0);
    let error = skills.perform(&phone, &typing(field.bounds.center(), "日本"), 0, &[]).await.unwrap_err();
    assert!(matches!(&error, PerformError::Device(DeviceError::Text { .. })), "{error}");
    assert!(error.to_string().contains("ADBKeyBoard"), "{error}");
    assert_eq!(fields(&phone).await.remove(0).value, field.value, "nothing was typed");
}
