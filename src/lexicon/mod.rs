//! The one lexicon: words of 28 languages → verb classes, purposes of controls, order, state, grammar.
//!
//! The files under `languages/` are data, read once at the start; a broken one is an error with file, line and column.

mod consequence;
mod table;
mod verb;

pub use consequence::{Unasked, unasked};
pub use table::{
    FoundVerb, Grammar, Languages, Lexicon, LexiconError, Ordinal, Purpose, PurposeSet, StateWord, Superlative,
};
pub use verb::{COMMITTING, CONSEQUENTIAL, HARMLESS, Verb, VerbSet};
