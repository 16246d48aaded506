//! What an action is expected to do, in words.

use crate::app_map::{AppMap, Control, View};
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::pipeline::agent::Agent;
use crate::skill::Validity;

impl Agent<'_> {
    /// What is expected of an action on a screen: where the map knows that it leads, else what the skill's rule wants to see.
    pub(super) fn expects(&self, screen: &Screen, action: &Action) -> String {
        let rule = self.skills.get(action.skill()).map_or(Validity::ScreenChanges, |skill| skill.validity);
        known_page(&self.map, screen, action).unwrap_or_else(|| match (rule, action) {
            (Validity::FieldHoldsText, Action::InputText { text, .. }) => format!("the field holds {text}"),
            (Validity::FieldHoldsText, _) => "the field holds the text".to_owned(),
            (Validity::AppInFront, _) => format!("{} is in front", self.package),
            (Validity::Always, _) => "nothing in particular".to_owned(),
            (Validity::ScreenChanges, Action::Scroll { direction, .. }) => format!("more is seen {direction} there"),
            (Validity::ScreenChanges, Action::PressBack) => "the screen before, or the keyboard gone".to_owned(),
            (Validity::ScreenChanges, _) => "something on the screen changes".to_owned(),
        })
    }
}

/// The page that the map knows a touch to lead to; `None` where it knows none, or one without a title.
fn known_page(map: &AppMap, screen: &Screen, action: &Action) -> Option<String> {
    let target = action.target().filter(|_| matches!(action, Action::Click { .. }))?;
    let view = View::of(screen);
    let at = |control: &Control| control.clickable && control.bounds == target.bounds;
    let lead = map.lead(&view, view.controls.iter().position(at)?)?;
    let there = map.view(lead.to).filter(|there| !there.title.is_empty())?;
    let how = if lead.guessed { "where a control of this name led elsewhere" } else { "where it led before" };
    Some(format!("the screen \"{}\", {how}", there.title))
}
