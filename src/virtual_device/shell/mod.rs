//! `/system/bin/sh` and the commands a test agent uses, with Android's texts, exit codes and streams.
//!
//! The interpreter is a small, honest part of mksh: words, quotes, `$?` and a few variables, `;`, `&&`, `||`, `|`,
//! redirections and newlines. Other syntax (substitution, loops, `&`) is a syntax error, never silently something else.
//! Everything here blocks; services run it on blocking threads. Source of the texts: AOSP, see each command.

#[expect(
    clippy::format_push_string,
    clippy::format_collect,
    clippy::single_match_else,
    reason = "commands print a few lines: plain text building and two equal outcomes read best"
)]
mod commands;
mod interpreter;
mod invocation;
mod lexer;
mod output;
mod parser;

pub use commands::names;
pub use interpreter::{Exit, Shell};
pub use invocation::Invocation;
pub use output::{Input, Output};
