//! One written screen a kind; `tests/integration/screen_kinds.rs` has a device's.

use crate::domain::Size;
use crate::hierarchy::{Screen, ScreenInput, ScreenKind};

fn screen(inner: &str, keyboard_shown: bool) -> Screen {
    let hierarchy = format!(
        "<hierarchy><node class=\"android.widget.FrameLayout\" package=\"a.b\" bounds=\"[0,0][1080,2400]\">{inner}\
         </node></hierarchy>"
    );
    whole(&hierarchy, keyboard_shown)
}

fn whole(hierarchy: &str, keyboard_shown: bool) -> Screen {
    Screen::perceive(ScreenInput {
        hierarchy: hierarchy.as_bytes(),
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown,
    })
}

const PAY: &str = "<node class=\"android.widget.Button\" package=\"a.b\" text=\"Pay\" clickable=\"true\" \
                   bounds=\"[40,1900][1040,2040]\"/>";

#[test]
fn an_ordinary_screen_is_one_with_words_and_nothing_special() {
    assert_eq!(screen(PAY, false).kind, ScreenKind::Ordinary);
    assert_eq!(screen(PAY, true).kind, ScreenKind::Keyboard);
}

#[test]
fn a_window_smaller_than_the_display_is_a_dialog_and_one_below_the_status_bar_is_not() {
    let window = |bounds: &str| {
        let button = "<node class=\"android.widget.Button\" package=\"a.b\" text=\"OK\" clickable=\"true\" bounds=\"[600,1400][900,1500]\"/>";
        let root = "<hierarchy><node class=\"android.widget.FrameLayout\" package=\"a.b\"";
        whole(&format!("{root} bounds=\"{bounds}\">{button}</node></hierarchy>"), false).kind
    };
    assert_eq!(window("[90,800][990,1600]"), ScreenKind::Dialog);
    assert_eq!(window("[0,1300][1080,2400]"), ScreenKind::Dialog);
    assert_eq!(window("[0,84][1080,2274]"), ScreenKind::Ordinary);
}

#[test]
fn a_wait_with_little_else_is_loading_and_a_spinner_in_a_form_is_not() {
    let spinner = "<node class=\"android.widget.ProgressBar\" package=\"a.b\" bounds=\"[500,1100][580,1180]\"/>";
    assert_eq!(screen(spinner, false).kind, ScreenKind::Loading);
    assert_eq!(screen(&format!("{spinner}{PAY}"), false).kind, ScreenKind::Loading);
    assert_eq!(
        screen(
            &format!(
                "{spinner}{PAY}{}{}",
                PAY.replace("[40,1900][1040,2040]", "[40,1700][1040,1840]"),
                PAY.replace("[40,1900][1040,2040]", "[40,1500][1040,1640]")
            ),
            false
        )
        .kind,
        ScreenKind::Ordinary
    );
}

#[test]
fn a_tree_without_words_is_empty_whatever_can_be_touched_in_it() {
    let canvas =
        "<node class=\"android.view.SurfaceView\" package=\"a.b\" clickable=\"true\" bounds=\"[0,0][1080,2400]\"/>";
    assert_eq!(screen(canvas, false).kind, ScreenKind::Empty);
    assert_eq!(whole("", false).kind, ScreenKind::Empty);
}

#[test]
fn a_page_that_fills_the_screen_is_web_and_a_banner_is_not() {
    let page = |bounds: &str| {
        screen(
            &format!("<node class=\"android.webkit.WebView\" package=\"a.b\" bounds=\"{bounds}\">{PAY}</node>{PAY}"),
            false,
        )
    };
    assert_eq!(page("[0,200][1080,2300]").kind, ScreenKind::Web);
    assert_eq!(page("[0,1900][1080,2300]").kind, ScreenKind::Ordinary);
}

#[test]
fn a_field_tells_the_error_below_it_and_not_its_neighbours() {
    let field = |name: &str, top: i32, error: &str| {
        let below = format!(
            "<node class=\"android.widget.TextView\" package=\"a.b\" resource-id=\"a.b:id/textinput_error\" text=\"{error}\" \
             bounds=\"[60,{}][900,{}]\"/>",
            top + 150,
            top + 200
        );
        format!(
            "<node class=\"android.widget.EditText\" package=\"a.b\" resource-id=\"a.b:id/{name}\" text=\"x\" clickable=\"true\" \
             bounds=\"[40,{top}][1040,{}]\"/>{}",
            top + 140,
            if error.is_empty() { String::new() } else { below }
        )
    };
    let screen = screen(
        &[field("phone", 300, "Too short"), field("mail", 900, ""), field("pin", 1500, "Wrong")].concat(),
        false,
    );
    let error = |id: &str| {
        let field = screen.widgets.iter().find(|widget| widget.resource_id.ends_with(id)).expect("a field");
        screen.field_error(field)
    };
    assert_eq!([error("phone"), error("mail"), error("pin")], [Some("Too short"), None, Some("Wrong")]);
}
