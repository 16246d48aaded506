//! What could be done now: every proposer looks at one clause on one screen and gives proposals with features.

mod commit;
mod context;
mod count;
mod coverage;
mod finish;
mod guess;
mod input;
mod key;
mod likely;
mod ordered;
mod phrase;
mod proposal;
mod route;
mod scroll;
mod sending;
mod sign_in;
mod touch;
mod usual_content;
mod value;
mod verb;
mod wanted;
mod way;
mod window;

pub(super) use context::Context;
pub(super) use finish::{Left, finish};
pub(super) use input::{inputs, searches};
pub(super) use key::keys;
pub(super) use likely::Likely;
pub(super) use phrase::Phrases;
pub use proposal::{Move, Proposal, Source};
pub(super) use route::routes;
pub(super) use scroll::{may_show_more, scrolls};
pub(super) use touch::touches;
pub(super) use value::values;
pub(super) use way::ways;
