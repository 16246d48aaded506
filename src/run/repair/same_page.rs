//! An action that is aimed at no widget (BACK, ENTER, a scroll) on a page that is built otherwise than when it was recorded:
//! whether it is the same page all the same.

use super::change::{Change, Pictures, Way};
use super::mender::CaseMender;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, ActionSource, InputText, Size};
use crate::hierarchy::{Role, Screen, Widget};
use crate::script::{Halt, Order, ReplayError, ScriptAction};

/// Why an action without a widget may be done on a screen although the screen's structure is not the recorded one; `None` where
/// nothing says so. `previous` is what was done before it.
///
/// ENTER goes to the field that has the focus: that field must hold what was typed last. Everything else needs the recorded title.
pub(super) fn why_same_page(recorded: &ScriptAction, previous: Option<&Action>, screen: &Screen) -> Option<String> {
    if recorded.target.is_some() || !recorded.keys.is_empty() {
        return None;
    }
    match (recorded.skill.as_str(), previous) {
        ("press_enter", Some(Action::InputText { text, .. })) => {
            let holds = |value: &str| match text {
                InputText::Plain(text) => value.trim() == text.trim(),
                InputText::Secret { .. } => !value.is_empty(),
            };
            let typed = |widget: &&Widget| widget.role == Role::Field && widget.state.focused && holds(&widget.value);
            let field = screen.widgets.iter().find(typed)?;
            Some(format!("the field {:?} has the focus and holds what was typed before", field.label))
        }
        ("press_enter" | "press_back" | "scroll", _) => {
            let same = !recorded.screen.is_empty() && recorded.screen == screen.title;
            same.then(|| format!("the page is called {:?} as when it was recorded", screen.title))
        }
        _ => None,
    }
}

impl CaseMender<'_> {
    /// Does an action that is aimed at no widget as it was recorded, where the page is the recorded one by more than its structure.
    /// True where it was done.
    ///
    /// # Errors
    /// The device fails, or the script's action cannot be done.
    pub(super) async fn on_same_page(
        &mut self,
        halt: &Halt<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<bool, ReplayError> {
        let Some(recorded) = halt.script.actions.get(halt.index) else { return Ok(false) };
        let previous = self.traces.last().map(|trace| &trace.action);
        let Some(why) = why_same_page(recorded, previous, &seen.screen) else { return Ok(false) };
        let recorded_on = Size::new(halt.script.device.width, halt.script.device.height);
        let live = halt.replayer.live_action(recorded, recorded_on, &seen.screen);
        let (action, held) = live.map_err(|reason| ReplayError::Malformed { action: halt.index + 1, reason })?;
        let order = Order {
            index: halt.index,
            step: recorded.step,
            // The picture of where it led is shown to who decides about the repair.
            next: None,
            action,
            held,
            source: ActionSource::Repair,
            score: None,
            told: why.clone(),
        };
        let before = seen.screen.screenshot.clone();
        let done = halt.replayer.carry_out(order, seen, recorder).await?;
        self.changes.push(Change {
            action: halt.index + 1,
            step: recorded.step,
            instruction: recorded.instruction.clone(),
            way: Way::SamePage,
            was: recorded.told(),
            now: vec![done.action.to_string()],
            score: None,
            reason: why,
            pictures: Pictures { before, after: seen.screen.screenshot.clone() },
        });
        self.note(recorded, done);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::perceived;
    use super::*;
    use crate::domain::{Secret, Target};
    use crate::script::Script;
    use std::path::Path;

    /// A page called "Search" with a field of that content.
    fn page(value: &str, focused: bool) -> Screen {
        let node = |class: &str, text: &str, clickable: bool, focused: bool, bounds: &str| {
            format!(
                "<node index=\"0\" text=\"{text}\" resource-id=\"\" class=\"android.widget.{class}\" package=\"a.b\" \
                 content-desc=\"\" clickable=\"{clickable}\" focusable=\"{clickable}\" enabled=\"true\" focused=\"{focused}\" \
                 bounds=\"{bounds}\""
            )
        };
        let xml = format!(
            "<hierarchy rotation=\"0\">{}>{} />{} /></node></hierarchy>",
            node("FrameLayout", "", false, false, "[0,0][1080,2400]"),
            node("TextView", "Search", false, false, "[40,90][500,200]"),
            node("EditText", value, true, focused, "[0,300][1080,450]"),
        );
        perceived(&xml)
    }

    #[test]
    fn enter_needs_the_field_that_was_typed_into_and_everything_else_the_recorded_title() {
        let text = include_str!("../../../scripts/PAY-0008/virtual-phone.toml");
        let script = Script::parse(Path::new("s.toml"), text).unwrap();
        let title = page("", false).title;
        assert_eq!(title, "Search");
        let recorded = |skill: &str, screen: &str| ScriptAction {
            skill: skill.into(),
            screen: screen.into(),
            target: None,
            ..script.actions[0].clone()
        };
        let typed = |text: &str| Action::InputText {
            target: Target { label: "Name".into(), ..some_target(&script) },
            text: InputText::Plain(text.into()),
        };
        let secret = Action::InputText {
            target: some_target(&script),
            text: InputText::Secret { name: "PIN".into(), value: Secret::new("1234") },
        };
        let touched = Action::Click { target: some_target(&script) };
        for (skill, screen, previous, shown, expected) in [
            ("press_enter", "Find", Some(&typed("cheese")), page("cheese", true), true),
            ("press_enter", "Search", Some(&typed("cheese")), page("cheese", false), false),
            ("press_enter", "Search", Some(&typed("cheese")), page("bread", true), false),
            ("press_enter", "Search", Some(&secret), page("••••", true), true),
            ("press_enter", "Search", Some(&secret), page("", true), false),
            ("press_enter", "Search", Some(&touched), page("", false), true),
            ("press_back", "Search", Some(&touched), page("", false), true),
            ("press_back", "Find", Some(&touched), page("", false), false),
            ("press_back", "", Some(&touched), page("", false), false),
            ("scroll", "Search", None, page("", false), true),
            ("open_app", "Search", None, page("", false), false),
        ] {
            let found = why_same_page(&recorded(skill, screen), previous, &shown);
            assert_eq!(found.is_some(), expected, "{skill} on {screen:?}: {found:?}");
        }
        let aimed = ScriptAction { skill: "press_back".into(), screen: "Search".into(), ..aimed_at_a_widget(&script) };
        assert_eq!(why_same_page(&aimed, Some(&touched), &page("", false)), None, "it is aimed at a widget");
    }

    fn aimed_at_a_widget(script: &Script) -> ScriptAction {
        script.actions.iter().find(|action| action.target.is_some()).unwrap().clone()
    }

    fn some_target(script: &Script) -> Target {
        let target = aimed_at_a_widget(script).target.unwrap();
        Target { label: target.label, shown: None, selector: target.selector, bounds: target.bounds, tap: target.tap }
    }
}
