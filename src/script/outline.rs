//! A script in lines a person compares: what is done, checked and expected, and by which names widgets are found. Where
//! things stood and what was sent to the device is left out: that changes with every layout.

use super::format::{Script, ScriptAction};
use crate::domain::Locator;

impl Script {
    /// The lines, in order.
    pub fn outline(&self) -> Vec<String> {
        let mut lines = vec![format!("app {}", self.app.package)];
        let mut step = None;
        for action in &self.actions {
            if step.replace(action.step) != Some(action.step) {
                lines.push(format!("step {}: {}", action.step, action.instruction));
            }
            lines.extend(action.checks.iter().map(|check| format!("  check {check}")));
            lines.push(format!("  {}", action.told()));
            lines.extend(names(action).map(|names| format!("    by {names}")));
        }
        for (name, actor) in &self.actors {
            lines.extend(actor.expectations.iter().map(|wanted| format!("{name}: expect {wanted}")));
        }
        lines.extend(self.expectations.iter().map(|wanted| format!("expect {wanted}")));
        lines
    }
}

impl ScriptAction {
    /// What it does, in words; secrets by name.
    pub fn told(&self) -> String {
        let actor = self.actor.as_ref().map(|actor| format!("{actor}: ")).unwrap_or_default();
        let typed = match (&self.text, &self.secret) {
            (Some(text), _) => format!(" {text:?}"),
            (None, Some(name)) => format!(" ${{{name}}}"),
            (None, None) => String::new(),
        };
        let target = self.target.as_ref().map(|target| format!(" {:?}", target.label)).unwrap_or_default();
        let direction = self.direction.map(|direction| format!(" {direction}")).unwrap_or_default();
        let package = self.package.as_ref().map(|package| format!(" {package}")).unwrap_or_default();
        format!("{actor}{}{target}{direction}{package}{typed}", self.skill)
    }
}

/// The names its widget is found by; `None` where it has no widget.
fn names(action: &ScriptAction) -> Option<String> {
    let selector = &action.target.as_ref()?.selector;
    let named = selector.chain.iter().filter(|locator| !matches!(locator, Locator::Path(_) | Locator::Bounds(_)));
    let mut names: Vec<String> = named.map(ToString::to_string).collect();
    if names.is_empty() {
        names.push("its place only".to_owned());
    }
    let number = if selector.nth > 0 { format!(", number {}", selector.nth + 1) } else { String::new() };
    Some(format!("{}{number} ({})", names.join(", "), selector.class))
}
