//! `/system/bin/sh` and the commands a test agent uses, with Android's texts, exit codes and streams.
//!
//! The interpreter is a small, honest part of mksh: words, quotes, variables, `$(…)`, `;`, `&&`, `||`, `|`, redirections,
//! `if`, `for`, `while`, `until`, `case`, functions and subshells. Other syntax (`&`, here-documents) is a syntax error,
//! never silently something else. Everything here blocks; services run it on blocking threads. Source of the texts: AOSP,
//! see each command.

mod arithmetic;
mod builtins;
#[expect(
    clippy::format_push_string,
    clippy::format_collect,
    clippy::single_match_else,
    reason = "commands print a few lines: plain text building and two equal outcomes read best"
)]
mod commands;
#[expect(clippy::format_push_string, reason = "a pattern is built piece by piece")]
mod expand;
mod interpreter;
mod invocation;
mod lexer;
mod output;
mod parser;
mod redirection;
mod syntax;

pub use commands::names;
pub use interpreter::{Exit, Shell};
pub use invocation::Invocation;
pub use output::{Input, Output};

#[cfg(test)]
mod shell_tests;
