//! What an exploration may touch.

use crate::domain::{CueList, CueText};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use serde::Deserialize;

/// Words that tell what to leave alone; see `caution.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Caution {
    never: CueList,
    commits: CueList,
    leaves: CueList,
    back: CueList,
}

/// Whether a widget may be touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    /// It may.
    Touch,
    /// It is not for touching, or leads where the back key leads.
    Idle,
    /// It may not: what it does could cost something, reach others, or be lost.
    Careful,
}

impl Caution {
    /// The words that ship with Tapwright.
    pub(super) fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("caution.toml"))
    }

    /// What to do about each widget of a screen, in their order.
    pub(super) fn weigh(&self, screen: &Screen) -> Vec<Leave> {
        let window = screen.kind == ScreenKind::Dialog;
        let texts: Vec<CueText> = screen.widgets.iter().map(|widget| CueText::new(&said(widget))).collect();
        let touchable = |widget: &Widget| widget.clickable && widget.state.enabled;
        let offers_to_leave =
            screen.widgets.iter().zip(&texts).any(|(widget, text)| touchable(widget) && text.holds(&self.leaves));
        // "Delete the note?" makes even "OK" dangerous.
        let dangerous = window
            && (CueText::new(&screen.title).holds(&self.never)
                || screen
                    .widgets
                    .iter()
                    .zip(&texts)
                    .any(|(widget, text)| widget.role == Role::Text && text.holds(&self.never)));
        screen
            .widgets
            .iter()
            .zip(&texts)
            .map(|(widget, text)| {
                let changes = widget.state.checked.is_some();
                let odd =
                    matches!(widget.role, Role::Field | Role::KeypadKey | Role::Link | Role::Slider | Role::Selector);
                if !touchable(widget) || changes || odd || !has_name(widget) {
                    return Leave::Idle;
                }
                let leaves = text.holds(&self.leaves);
                if text.holds(&self.back) && !window {
                    return Leave::Idle;
                }
                let commits = text.holds(&self.commits) && !leaves && (offers_to_leave || dangerous);
                if (text.holds(&self.never) || commits || dangerous) && !(window && leaves) {
                    return Leave::Careful;
                }
                Leave::Touch
            })
            .collect()
    }
}

fn said(widget: &Widget) -> String {
    format!("{} {}", widget.label, widget.id_words)
}

fn has_name(widget: &Widget) -> bool {
    !widget.label.trim().is_empty() || !widget.id_words.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::sample::screen;

    fn weighed(screen: &Screen) -> Vec<(String, Leave)> {
        let caution = Caution::bundled().unwrap();
        screen.widgets.iter().map(|widget| widget.label.clone()).zip(caution.weigh(screen)).collect()
    }

    #[test]
    fn what_destroys_costs_or_reaches_others_is_left_alone_in_any_language() {
        let screen = screen(&[
            "Button Settings",
            "Button Delete all",
            "Button Jetzt kaufen",
            "Button 发送",
            "Button Ödeme yap",
            "Button About",
            "EditText Name",
            "Button Navigate up",
            "TextView Please pay attention",
        ]);
        let found = weighed(&screen);
        let with =
            |leave| found.iter().filter(|(_, is)| *is == leave).map(|(label, _)| label.as_str()).collect::<Vec<_>>();
        assert_eq!(
            with(Leave::Touch),
            ["Settings", "Ödeme yap", "About"],
            "an unknown form of a word is not seen through"
        );
        assert_eq!(with(Leave::Careful), ["Delete all", "Jetzt kaufen", "发送"]);
    }

    #[test]
    fn a_window_that_asks_is_left_as_it_is() {
        let mut asks = screen(&["TextView Delete this note?", "Button Cancel", "Button OK"]);
        asks.kind = ScreenKind::Dialog;
        let found = weighed(&asks);
        assert_eq!(found[1], ("Cancel".into(), Leave::Touch));
        assert_eq!(found[2], ("OK".into(), Leave::Careful));
        let mut tells = screen(&["TextView Version 3", "Button OK"]);
        tells.kind = ScreenKind::Dialog;
        assert_eq!(weighed(&tells)[1].1, Leave::Touch, "nothing else closes it");
    }
}
