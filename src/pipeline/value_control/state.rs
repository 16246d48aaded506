//! Whether a choice is on: by its state, or by what its label says of it ("Easy, Not selected").

use super::lexicon::{is_one_of, lexicon};
use crate::hierarchy::Widget;

/// The label without what it says of the state.
pub(super) fn plain_label(widget: &Widget) -> &str {
    told(&widget.label).map_or(widget.label.as_str(), |(name, _)| name)
}

/// Whether a choice is on; `None` where nothing tells.
pub(super) fn is_on(widget: &Widget) -> Option<bool> {
    let own = widget.state.checked.or(widget.state.selected.then_some(true));
    own.or_else(|| told(&widget.label).map(|(_, on)| on))
}

/// A label's name and the state behind it.
fn told(label: &str) -> Option<(&str, bool)> {
    let (name, state) = label.rsplit_once(", ")?;
    let states = &lexicon().labels.states;
    match (is_one_of(&states.on, state), is_one_of(&states.off, state)) {
        (true, false) => Some((name.trim(), true)),
        (false, true) => Some((name.trim(), false)),
        _ => None,
    }
}
