//! From the bytes of a dump to a tree, and from the tree to the widgets a person sees.
//!
//! Parsing never fails and never panics: it gives a tree and diagnostics.

mod expectation;
mod screen;
mod tree;
mod widget;

pub use expectation::check;
pub use screen::{Fingerprint, Screen};
pub use tree::{Diagnostic, UiNode, UiTree};
pub use widget::{Role, Widget, WidgetId, WidgetState};
