//! By what another tool finds a recorded widget: the first name of its chain that other tools know, too.

use super::format::ScriptTarget;
use crate::domain::{Locator, Point};

/// What finds a widget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Handle {
    /// Its resource id.
    Id(String),
    /// Its own text.
    Text(String),
    /// Its content description.
    Description(String),
    /// Nothing but where it was touched.
    Place(Point),
}

/// The handle of a target. A label is made of several texts; the first is a widget's own.
pub(super) fn handle(target: &ScriptTarget) -> Handle {
    let named = target.selector.chain.iter().find_map(|locator| match locator {
        Locator::ResourceId(id) => Some(Handle::Id(id.clone())),
        Locator::ContentDesc(text) => Some(Handle::Description(text.clone())),
        Locator::Text(text) => Some(Handle::Text(text.clone())),
        Locator::Label(label) => {
            let first = label.split(", ").next().unwrap_or(label);
            (!first.is_empty()).then(|| Handle::Text(first.to_owned()))
        }
        Locator::Path(_) | Locator::Bounds(_) => None,
    });
    named.unwrap_or(Handle::Place(target.tap))
}

/// The handle as an Android `UiSelector` after `new` or not, its texts quoted by `quoted`; `None` where only its place is known.
pub(super) fn ui_selector(target: &ScriptTarget, quoted: impl Fn(&str) -> String) -> Option<String> {
    let part = match handle(target) {
        Handle::Id(id) => format!("resourceId({})", quoted(&id)),
        Handle::Text(text) => format!("text({})", quoted(&text)),
        Handle::Description(text) => format!("description({})", quoted(&text)),
        Handle::Place(_) => return None,
    };
    let instance = match target.selector.nth {
        0 => String::new(),
        nth => format!(".instance({nth})"),
    };
    Some(format!("UiSelector().{part}{instance}"))
}
