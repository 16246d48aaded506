//! A step of a case as the agent reads it.

use crate::case::{Claim, Quantity};

/// A step of a case, rewritten, with its parameters' marks resolved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// Counted from 1.
    pub index: usize,
    /// As the case has it.
    pub original: String,
    /// What to do, in words; values of plain parameters filled in, secrets by name.
    pub instruction: String,
    /// What the text model reads and whose words are looked for: the instruction, with what is to come of it where the
    /// case says so.
    pub sentence: String,
    /// Where it is done, when the case's template says so beside what is done: the page to be entered first.
    pub context: String,
    /// Names of the parameters the step mentions.
    pub mentions: Vec<String>,
    /// Names of parameters that later steps mention and this one does not: they wait for those steps.
    pub reserved: Vec<String>,
    /// Texts in quotes.
    pub quoted: Vec<String>,
    /// Texts the step names: quoted texts and values of the plain parameters it mentions.
    pub named: Vec<String>,
    /// What it claims of the screen, where it checks something and its words tell what.
    pub claims: Vec<Claim>,
    /// How many of what it names.
    pub quantity: Option<Quantity>,
    /// What the case or the workspace says about the app, in plain sentences; those that fit the step are followed.
    pub hints: Vec<String>,
}
