//! What came of an action, told by the screens before and after it.

use crate::device::Seen;
use crate::domain::Action;
use crate::form::{holds, took};
use crate::skill::Validity;

/// How the screen changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Another screen, or a window more or less.
    Screen,
    /// Other content on the same screen.
    Content,
    /// The field holds what was typed.
    Field,
    /// Nothing needs to change.
    Unneeded,
}

/// What came of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// The screen changed as the skill asks.
    Changed(Change),
    /// Only the picture changed: a colour, a drawing, a passing message.
    PictureOnly,
    /// Nothing changed.
    None(String),
    /// The field did not take the text.
    Rejected(String),
    /// The app is not in front any more.
    Left(String),
    /// It cannot be done on any screen.
    Impossible(String),
}

impl Effect {
    /// True if the action had its effect.
    pub const fn is_valid(&self) -> bool {
        matches!(self, Self::Changed(_) | Self::PictureOnly | Self::Left(_))
    }

    /// What shows it, in words.
    pub fn told(&self) -> String {
        match self {
            Self::Changed(Change::Screen) => "another screen came".into(),
            Self::Changed(Change::Content) => "the screen's content changed".into(),
            Self::Changed(Change::Field) => "the field holds the text".into(),
            Self::Changed(Change::Unneeded) => "needs no effect".into(),
            Self::PictureOnly => "only the picture changed".into(),
            Self::None(reason) | Self::Rejected(reason) | Self::Impossible(reason) => reason.clone(),
            Self::Left(app) => format!("{app} came to the front"),
        }
    }
}

/// True if `name`, a package or a component, is of this package: `com.app2` is not `com.app`.
pub(crate) fn is_of_package(name: &str, package: &str) -> bool {
    name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Judges an action by the screens before and after it. `package` is the app under test.
pub(crate) fn judge(rule: Validity, action: &Action, before: &Seen, after: &Seen, package: &str) -> Effect {
    let front = |seen: &Seen| seen.screen.foreground.clone().unwrap_or_default();
    match rule {
        Validity::Always => Effect::Changed(Change::Unneeded),
        Validity::ScreenChanges if before.screen.fingerprint != after.screen.fingerprint => {
            let (was, is) = (front(before), front(after));
            let left = !is.is_empty() && is_of_package(&was, package) && !is_of_package(&is, package);
            if left { Effect::Left(is) } else { Effect::Changed(Change::Screen) }
        }
        Validity::ScreenChanges if before.screen.digest != after.screen.digest => Effect::Changed(Change::Content),
        Validity::ScreenChanges => Effect::None("nothing on the screen changed".into()),
        Validity::AppInFront if is_of_package(&front(after), package) => Effect::Changed(Change::Screen),
        Validity::AppInFront => Effect::None("the app is not in front".into()),
        Validity::FieldHoldsText => match action {
            Action::InputText { target, text } => match after.screen.resolve(&target.selector) {
                Some((field, _)) if holds(field, text) || took(&after.screen, field, text) == Some(true) => {
                    Effect::Changed(Change::Field)
                }
                Some((field, _)) if field.state.password => {
                    Effect::Rejected("the field does not hold as many characters as were typed".into())
                }
                Some((field, _)) => Effect::Rejected(format!("the field holds {:?} instead", field.value)),
                None if before.screen.fingerprint != after.screen.fingerprint => Effect::Changed(Change::Screen),
                None => Effect::Rejected("the field is gone".into()),
            },
            _ => Effect::Changed(Change::Unneeded),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_no_prefix_of_another() {
        assert!(is_of_package("com.a.app/com.a.app.Main", "com.a.app") && is_of_package("com.a.app", "com.a.app"));
        assert!(!is_of_package("com.a.app2/com.a.app2.Main", "com.a.app"));
    }
}
