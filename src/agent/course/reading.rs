//! The words and costs by which a step is read; see `course.toml`.

use regex::Regex;
use serde::Deserialize;

/// What the parts of a course cost.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// Scores that differ by this much differ by a factor of e in likelihood.
    pub spread: f32,
    /// Share of the whole step's score in that of one of its parts.
    pub whole: f32,
    /// Score at which a candidate is as likely as none of them.
    pub nothing: f32,
    /// Leaving out a part that says what is to be done.
    pub skip: f32,
    /// Leaving out a part that says how or where it is done.
    pub skip_means: f32,
    /// Leaving out what is chosen behind something.
    pub skip_choice: f32,
    /// One more action for the same part that fits it as well as what was done.
    pub again: f32,
    /// How much less that costs for each 1.0 by which it fits better.
    pub gain: f32,
    /// The least it costs.
    pub least: f32,
    /// An action that only leads on, where it is known to.
    pub way: f32,
    /// A way nobody has tried from this very screen.
    pub guess: f32,
    /// Subtracted from the score of an arrow back that no part asks for.
    pub arrow: f32,
    /// Returning to a screen on which something was done for the step.
    pub back: f32,
    /// Each part that is left when the map ends.
    pub unknown: f32,
    /// Declaring a step done while something it opened asks for an answer.
    pub asked: f32,
    /// A step whose best end is worth less than this much below nothing is not done.
    pub despair: f32,
    /// Declaring a step done while something it names was not met, or was not sent.
    pub owed: f32,
}

/// The words as the file has them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    joints: Vec<String>,
    close_joints: Vec<String>,
    means: Vec<String>,
    within: Vec<String>,
    places: Vec<String>,
    leading: Vec<String>,
    r#use: Vec<String>,
    contrasts: Vec<String>,
    turning: Vec<String>,
    towards: Vec<String>,
    twice: Vec<String>,
    thrice: Vec<String>,
    pronouns: Vec<String>,
    finding: Vec<String>,
    opening: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    words: Words,
    costs: Costs,
}

/// Why the bundled file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    /// It is no such file.
    #[error("course.toml: {0}")]
    Form(#[from] toml::de::Error),
    /// A word list makes no pattern.
    #[error("course.toml: {0}")]
    Pattern(#[from] regex::Error),
}

/// The words, ready to be looked for, and the costs.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What the parts of a course cost.
    pub costs: Costs,
    pub(super) joint: Regex,
    pub(super) means: Regex,
    pub(super) within: Regex,
    pub(super) leading: Regex,
    pub(super) r#use: Regex,
    pub(super) contrast: Regex,
    pub(super) turning: Regex,
    pub(super) twice: Regex,
    pub(super) thrice: Regex,
    pub(super) pronouns: Vec<String>,
    pub(super) finding: Regex,
    pub(super) opening: Regex,
}

impl Reading {
    /// The text begins with looking for something, wherever it is.
    pub(in crate::agent) fn finds(&self, text: &str) -> bool {
        self.finding.is_match(text.trim_start())
    }

    /// The words and costs that ship with Tapwright.
    pub fn bundled() -> Result<Self, ReadingError> {
        let text = include_str!("course.toml");
        let File { words, costs } = toml::from_str(text)?;
        let joints = any(&words.joints);
        let pattern = |text: String| Regex::new(&text);
        Ok(Self {
            costs,
            joint: pattern(format!(
                r"(?i)\s*(?:[,;:]\s+|[，；、。]\s*|\.\s+)(?:(?:{joints})\s+)?|\s+(?:{joints})\s+|(?:{})\s*",
                any(&words.close_joints)
            ))?,
            means: pattern(format!(r"(?i)(?:^|\s)(?:{})\s+(?P<what>.+?)(?:\s+to\s+|$)", any(&words.means)))?,
            within: pattern(format!(
                r"(?i)\s(?:{})\s+(?P<what>(?:[\w'’\-]+\s+){{0,3}}(?:{}))\b",
                any(&words.within),
                any(&words.places)
            ))?,
            leading: pattern(format!(r"(?i)^(?:{})\s", any(&words.leading)))?,
            r#use: pattern(format!(r"(?i)^(?:{})\s+(?P<what>.+?)\s+to\s+", any(&words.r#use)))?,
            contrast: pattern(format!(r"(?i)(?:^|[\s,]+)(?:{})\s", any(&words.contrasts)))?,
            turning: pattern(format!(
                r"(?i)^(?:{})\s+(?P<what>.+?)\s+(?P<value>(?:{})\s+.+)$",
                any(&words.turning),
                any(&words.towards)
            ))?,
            twice: pattern(format!(r"(?i)\b(?:{})\b", any(&words.twice)))?,
            thrice: pattern(format!(r"(?i)\b(?:{})\b", any(&words.thrice)))?,
            finding: pattern(format!(r"(?i)^(?:{})\s", any(&words.finding)))?,
            opening: pattern(format!(r"(?i)^(?:{})\s+(?:{})\s*$", any(&words.opening), any(&words.pronouns)))?,
            pronouns: words.pronouns,
        })
    }
}

fn any(words: &[String]) -> String {
    words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|")
}
