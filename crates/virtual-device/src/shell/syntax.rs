//! What a script consists of.

use std::sync::Arc;

/// Commands one after the other.
pub(super) type List = Vec<Pipeline>;

/// A word; one without parts came from empty quotes only if `Text` parts say so.
pub(super) type Word = Vec<Part>;

/// Part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Characters as they are; unquoted ones may be a pattern.
    Text { text: String, quoted: bool },
    /// `$name`, `${name…}`, `$?`, `$1`, `$@`…; an unquoted one is split at white space.
    Variable { name: String, change: Change, quoted: bool },
    /// `$(…)` or backquotes: what the commands print, less final newlines.
    Substitution { script: List, quoted: bool },
    /// `$((…))`.
    Arithmetic { expression: Word, quoted: bool },
}

/// What `${name…}` does to the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// `${name}`.
    None,
    /// `${#name}`.
    Length,
    /// `${name:-word}`; without the colon only for an unset name.
    Default { word: Word, colon: bool },
    /// `${name:=word}`.
    Assign { word: Word, colon: bool },
    /// `${name:+word}`.
    Alternative { word: Word, colon: bool },
    /// `${name#pattern}`, `##`, `%`, `%%`.
    Remove { pattern: Word, end: End, longest: bool },
}

/// Which end of a value a pattern is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// `#`.
    Front,
    /// `%`.
    Back,
}

/// Direction of a redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectKind {
    /// `>`.
    Write,
    /// `>>`.
    Append,
    /// `<`.
    Read,
}

/// A redirection of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Redirect {
    /// To or from a file.
    File { fd: u8, kind: RedirectKind, path: Word },
    /// `2>&1`.
    Duplicate { fd: u8, from: u8 },
}

/// A command of a pipeline with its redirections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) command: Command,
    pub(super) redirects: Vec<Redirect>,
}

/// A simple or compound command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// `X=1 echo hi`.
    Simple(Vec<Word>),
    /// `{ …; }`.
    Group(List),
    /// `(…)`.
    Subshell(List),
    /// `if …; then …; elif …; else …; fi`.
    If { arms: Vec<(List, List)>, otherwise: List },
    /// `while` and `until`, which loops while the condition fails.
    Loop { condition: List, until: Until, body: List },
    /// `for name in words; do …; done`; without `in` the positional parameters.
    For { name: String, words: Option<Vec<Word>>, body: List },
    /// `case word in a|b) …;; esac`.
    Case { word: Word, arms: Vec<(Vec<Word>, List)> },
    /// `name() { …; }`.
    Function { name: String, body: Arc<Stage> },
}

/// Which outcome of its condition ends a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// `while`.
    Failure,
    /// `until`.
    Success,
}

/// When a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    /// After `;` or at the beginning.
    Always,
    /// After `&&`.
    Success,
    /// After `||`.
    Failure,
}

/// `a | b`, and when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pipeline {
    pub(super) condition: Condition,
    /// `! a`.
    pub(super) negated: Negated,
    pub(super) stages: Vec<Stage>,
}

/// Whether a pipeline's status is turned round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Negated {
    /// As it is.
    No,
    /// After `!`.
    Yes,
}

/// What is wrong with a script; prints as mksh does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum SyntaxError {
    /// A quote without its partner.
    #[error("no closing quote")]
    Quote,
    /// Anything else, with the offending text.
    #[error("syntax error: unexpected '{0}'")]
    Unexpected(String),
    /// `${` with something mksh or this shell does not know.
    #[error("{0}: bad substitution")]
    Substitution(String),
    /// More levels than anybody writes.
    #[error("syntax error: nested too deeply")]
    Depth,
}
