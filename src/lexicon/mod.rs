//! The one lexicon: words of 28 languages → verb classes, purposes of controls, order, state, grammar.
//!
//! The files under `languages/` are data, read once at the start; a broken one is an error with file, line and column.

mod consequence;
mod control_noun;
mod inflection;
mod leading;
mod page_kind;
mod purpose;
mod table;
mod verb;
mod word_class;

pub use consequence::{Unasked, unasked};
pub use inflection::Inflection;
pub use page_kind::{PageKind, PageKindsError};
pub use purpose::{Purpose, PurposeSet};
pub use table::{FoundVerb, Languages, Lexicon, LexiconError};
pub use verb::{COMMITTING, CONSEQUENTIAL, FORM_SENDING, HARMLESS, Verb, VerbSet};
pub use word_class::{Grammar, Ordinal, StateWord, Superlative};
