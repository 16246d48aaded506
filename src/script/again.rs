//! Which actions may be done a second time where the first one had no effect: those whose repetition changes nothing.
//!
//! A touch that sends, pays or switches something may have been carried out although nothing shows it yet; it is never repeated.

use super::format::ScriptAction;
use super::locate::locate;
use crate::hierarchy::{Role, Screen};

/// Told of an action that is done a second time.
pub(super) const NOTE: &str = "done again, for nothing had come of it";

/// Whether an action can be repeated without harm on a screen: typing replaces what a field holds, an app that is open is
/// opened, a field or a tab is chosen.
pub(super) fn is_harmless(recorded: &ScriptAction, screen: &Screen) -> bool {
    match recorded.skill.as_str() {
        "input_text" | "open_app" => true,
        "click" => {
            let widget = recorded.target.as_ref().and_then(|target| locate(target, screen));
            widget.is_some_and(|found| matches!(found.widget.role, Role::Field | Role::Tab))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::hierarchy::ScreenInput;
    use crate::script::{Script, ScriptTarget};
    use std::path::Path;

    #[test]
    fn only_what_changes_nothing_the_second_time_is_repeated() {
        let node = |class: &str, text: &str, top: usize| {
            format!(
                "<node index=\"0\" text=\"{text}\" class=\"android.widget.{class}\" package=\"com.a\" clickable=\"true\" \
                 enabled=\"true\" focusable=\"true\" bounds=\"[0,{top}][1000,{}]\"/>",
                top + 150
            )
        };
        let dump = format!(
            "<hierarchy rotation=\"0\"><node index=\"0\" class=\"android.widget.FrameLayout\" package=\"com.a\" \
             bounds=\"[0,0][1000,2000]\">{}{}{}</node></hierarchy>",
            node("EditText", "Name", 100),
            node("Button", "Pay", 400),
            node("Switch", "Wi-Fi", 700)
        );
        let screen = Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        });
        let text = include_str!("../../scripts/PAY-0008/virtual-phone.toml");
        let any = Script::parse(Path::new("s.toml"), text).unwrap().actions.remove(0);
        let check = |skill: &str, widget: usize, expected: bool| {
            let found = &screen.widgets[widget];
            let target = ScriptTarget {
                label: found.shown_label().to_owned(),
                bounds: found.bounds,
                tap: found.tap,
                selector: found.selector.clone(),
            };
            let action = ScriptAction { skill: skill.into(), target: Some(target), ..any.clone() };
            assert_eq!(is_harmless(&action, &screen), expected, "{skill} {}", found.label);
        };
        check("click", 0, true);
        check("click", 1, false);
        check("click", 2, false);
        check("input_text", 0, true);
        check("long_press", 0, false);
        check("scroll", 0, false);
        check("open_app", 0, true);
    }
}
