//! From the bytes of a dump to a tree, and from the tree to the widgets a person sees.
//!
//! Parsing never fails and never panics: it gives a tree and diagnostics.

mod beside;
mod context;
mod cover;
mod diagnostics;
mod drawer;
mod encoding;
mod error_texts;
mod error_words;
mod expectation;
mod fingerprint;
#[cfg(test)]
mod framework_tests;
mod hash;
mod keypad;
mod kind;
mod label;
mod mask;
mod outline;
mod page_stack;
mod parse;
mod perceive;
mod read_lines;
mod reading;
mod role;
mod row;
mod row_block;
mod row_finder;
mod row_flat;
#[cfg(test)]
mod row_tests;
mod row_title;
#[cfg(test)]
mod sample;
mod scan;
mod screen;
mod screen_text;
mod selector;
mod serialise;
mod tag;
mod tap;
mod title;
mod tree;
mod tree_builder;
mod visibility;
mod widget;
mod words;
mod xuat;
mod xuat_filter;

pub use crate::domain::MASK;
pub use error_texts::{ErrorsShown, new_error};
pub use error_words::{says_complaint, says_error, says_trouble, verify_tables};
pub use expectation::{check, check_all};
pub use kind::ScreenKind;
pub use parse::parse;
pub use perceive::ScreenInput;
pub use read_lines::READ_CLASS;
pub use reading::ShownText;
pub use role::is_field as holds_field;
pub use row::Row;
pub use screen::{Fingerprint, Screen};
pub use screen_text::{ScreenText, ScreenTexts, TextSource};
pub use selector::LINK_CLASS;
pub use serialise::serialise;
pub use tree::{Diagnostic, UiNode, UiTree, UiWindow};
pub use widget::{Role, Widget, WidgetId, WidgetState};
pub use xuat_filter::xuat_filter;
