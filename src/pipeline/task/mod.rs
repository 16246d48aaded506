//! What is asked for: clauses with verbs, names and values, read once and without a screen.

mod clause;
mod parts;
mod spoken_value;
mod text_match;

pub(super) use crate::agent::{Parameter, Step};
pub use crate::lexicon::Verb;
pub(super) use crate::lexicon::{
    COMMITTING, CONSEQUENTIAL, FORM_SENDING, HARMLESS, Languages, Lexicon, LexiconError, Purpose, PurposeSet, VerbSet,
};
pub use clause::Clause;
pub(super) use clause::PLAIN;
pub(super) use parts::{parts, phrases};
pub(super) use spoken_value::{SpokenValue, value_beside};
pub(super) use text_match::{BEARS, IS_CALLED, asked_fit, name_fit, said_fit, title_of};
