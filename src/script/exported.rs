//! A script in the form of another tool.

/// A script in the form of another tool, and what of it that form cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The file's text.
    pub text: String,
    /// What the form cannot express, one sentence each.
    pub left_out: Vec<String>,
}
