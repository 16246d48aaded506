//! What is asked for: clauses with verbs, names and values, read once and without a screen.

mod clause;
mod parts;
mod spoken_value;
mod step;
mod text_match;

pub use crate::form::Parameter;
pub use crate::lexicon::Verb;
pub(super) use crate::lexicon::{
    COMMITTING, CONSEQUENTIAL, FORM_SENDING, HARMLESS, Languages, Lexicon, LexiconError, Purpose, PurposeSet, VerbSet,
};
pub use clause::Clause;
pub(super) use clause::PLAIN;
pub(super) use parts::{parts, phrases};
pub(super) use spoken_value::{SpokenValue, value_beside};
pub use step::Step;
pub(super) use text_match::{BEARS, IS_CALLED, asked_fit, name_fit, only_holds, said_fit, title_of};
