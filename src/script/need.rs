//! Which actions of a script must be carried out, and which only where there is something to do.

use super::format::Script;
use std::num::NonZeroUsize;

/// Whether an action must be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It must.
    Always,
    /// It is left out where it has nothing to do.
    Optional,
}

impl Script {
    /// This script with actions (from 1) of another need, sealed anew.
    ///
    /// # Errors
    /// There is no such action, or it aims at no widget that could be missing, or the case checks something before it.
    pub fn with_need(mut self, actions: &[NonZeroUsize], need: Need) -> Result<Self, String> {
        let whole = self.actions.len();
        if !self.actors.is_empty() {
            return Err("in a script of several devices every action is needed".to_owned());
        }
        for number in actions {
            let action = self.actions.get_mut(number.get() - 1);
            let action = action.ok_or_else(|| format!("it has {whole} actions and no number {number}"))?;
            if action.target.is_none() {
                return Err(format!(
                    "action {number} ({}) aims at no widget, so nothing tells whether it is needed",
                    action.skill
                ));
            }
            if !action.checks.is_empty() {
                return Err(format!("the case checks something before action {number}, which must not be left out"));
            }
            action.optional = need == Need::Optional;
        }
        let seal = self.seal.clone();
        Ok(self.sealed_as(seal.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::to_shell;
    use std::path::Path;

    fn script() -> Script {
        let text = include_str!("../../scripts/PAY-0001/virtual-phone.toml");
        Script::parse(Path::new("s.toml"), text).unwrap()
    }

    fn numbers(of: &[usize]) -> Vec<NonZeroUsize> {
        of.iter().filter_map(|n| NonZeroUsize::new(*n)).collect()
    }

    #[test]
    fn an_optional_action_stays_one_when_the_script_is_read_again_and_in_its_exports() {
        let script = script();
        let changed = script.clone().with_need(&numbers(&[2]), Need::Optional).unwrap();
        let text = changed.to_toml().unwrap();
        assert!(text.contains("optional = true"), "{text}");
        let read = Script::parse(Path::new("s.toml"), &text).unwrap();
        assert!(read.actions[1].optional && !read.actions[0].optional);
        assert_ne!(read.digest(), script.digest());
        let shell = to_shell(&read);
        assert!(shell.contains("\nif is_there ") && shell.contains("\nis_there() {"), "{shell}");
        assert!(!to_shell(&script).contains("is_there"), "others stay as they are");
        assert!(crate::script::to_maestro(&read).unwrap().text.contains("optional: true"));
        assert!(crate::script::to_appium(&read).unwrap().text.contains("if is_there(\"new UiSelector()"));
        assert!(crate::script::to_uiautomator(&read).unwrap().text.contains(".exists()) find("));
        let back = read.with_need(&numbers(&[2]), Need::Always).unwrap();
        assert_eq!(back.digest(), script.digest());
    }

    #[test]
    fn what_cannot_be_missing_is_no_option() {
        let whole = script().actions.len();
        let told = script().with_need(&numbers(&[whole + 1]), Need::Optional).unwrap_err();
        assert!(told.contains(&format!("no number {}", whole + 1)), "{told}");
        let mut aimless = script();
        aimless.actions[0].target = None;
        assert!(aimless.with_need(&numbers(&[1]), Need::Optional).unwrap_err().contains("aims at no widget"));
    }
}
