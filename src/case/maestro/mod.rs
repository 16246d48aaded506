//! Maestro flows as cases: what a flow does becomes sentences, what it asserts at its end becomes expectations.
//!
//! Nothing is guessed: a command, a key or an expression without a counterpart is refused with file and line, and then no case
//! is made.

mod flow;
mod sentence;
mod swiping;
mod translate;
mod typing;
mod written;

pub use flow::FlowError;
pub use translate::{ImportedCase, Importer};
pub(in crate::case) use translate::{id_of, stem};
