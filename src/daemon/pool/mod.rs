//! The devices of this host: in which state each is, what is held against it, who reserved it, and who tends it.

mod condition;
mod members;
mod standing;
mod tender;

pub(super) use condition::{Condition, Happening, Phase, is_trouble};
pub(super) use members::Pool;
pub(super) use standing::Standing;
pub(super) use tender::Tender;
