//! What is looked for in the source of expressions.

use regex::Regex;
use std::sync::LazyLock;

/// Patterns over an expression's source.
pub(super) struct ExpressionPatterns {
    /// Calls with a literal name: `bug("fee_twice")`.
    pub(super) named_calls: Regex,
    /// `variant("layout") == "b"`.
    pub(super) variant_tests: Regex,
    /// Calls that draw lots.
    pub(super) chance: Regex,
    /// Words.
    pub(super) words: Regex,
}

/// Compiled once. A pattern that cannot be compiled is a problem of every file that is checked, never a check left out.
pub(super) static PATTERNS: LazyLock<Result<ExpressionPatterns, regex::Error>> = LazyLock::new(|| {
    Ok(ExpressionPatterns {
        named_calls: Regex::new(r#"\b(bug|variant|granted|version_at_least)\s*\(\s*"([^"]*)"\s*\)"#)?,
        variant_tests: Regex::new(r#"\bvariant\s*\(\s*"([^"]*)"\s*\)\s*[!=]=\s*"([^"]*)""#)?,
        chance: Regex::new(r"\b(random|chance|pick|shuffled)\s*\(")?,
        words: Regex::new(r"[A-Za-z_]\w*")?,
    })
});
