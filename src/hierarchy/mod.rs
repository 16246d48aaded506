//! From the bytes of a dump to a tree, and from the tree to the widgets a person sees.
//!
//! Parsing never fails and never panics: it gives a tree and diagnostics.

mod diagnostics;
mod encoding;
mod parse;
mod screen;
mod serialise;
mod tag;
mod tree;
mod tree_builder;
mod widget;

pub use parse::parse;
pub use screen::{Fingerprint, Screen};
pub use serialise::serialise;
pub use tree::{Diagnostic, UiNode, UiTree, UiWindow};
pub use widget::{Role, Widget, WidgetId, WidgetState};
