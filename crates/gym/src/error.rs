//! What may go wrong in the gym.

use std::path::PathBuf;

/// What may go wrong in the gym.
#[derive(Debug, thiserror::Error)]
pub enum GymError {
    /// A family or phrase book is malformed.
    #[error("{file}: {reason}; correct it and build the gym anew")]
    Vocabulary {
        /// Its name.
        file: &'static str,
        /// In the parser's words.
        reason: String,
    },
    /// A family lacks a language.
    #[error("family {family} has no wording for language {language}; add [wording.{language}] to it")]
    Language {
        /// The family.
        family: &'static str,
        /// The language.
        language: &'static str,
    },
    /// A family is in no split, or in several.
    #[error("family {family} is named {named} times in families.toml; name it once, under train, choose or held-out")]
    Split {
        /// The family.
        family: &'static str,
        /// How often it is named.
        named: usize,
    },
    /// No such family.
    #[error("there is no family {name}; known are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// All there are.
        known: String,
    },
    /// A generated app is refused by the virtual device: a defect of the gym.
    #[error("seed {seed}: the generated app is refused: {reason}; report the seed")]
    Refused {
        /// The seed.
        seed: u64,
        /// In the words of `emulate --check`.
        reason: String,
    },
    /// A file could not be put into words.
    #[error("seed {seed}: the suite cannot be written as YAML: {reason}")]
    Unwritable {
        /// The seed.
        seed: u64,
        /// In the serializer's words.
        reason: String,
    },
    /// A file or folder could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
