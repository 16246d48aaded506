//! Classes of words that are neither verbs nor names of controls.

use serde::Deserialize;

/// Words that belong to the grammar of an instruction, not to what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grammar {
    /// Tells nothing of what the text is about.
    Stop,
    /// Negates.
    Negation,
    /// Sets one thing against another.
    Contrast,
    /// Means all of them.
    All,
    /// Means any one of them.
    Any,
    /// Asks for the same once more.
    Again,
    /// Asks for something that is not there yet.
    New,
    /// Gives the thing at hand a name: "call it".
    Naming,
    /// Joins a label and its value beside the stop words: "should".
    Link,
    /// An article or a word that stands in its place: "the", "my".
    Article,
    /// Tells what something is done for: "open it for editing".
    Aim,
    /// Names a part of a page or an entry of any kind, and no thing of its own: "field", "entry".
    Part,
    /// Tells that a thing is to stay what it is: "leave the switch alone".
    Unchanged,
}

/// A place in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ordinal {
    /// The first.
    First,
    /// The second.
    Second,
    /// The third.
    Third,
    /// The fourth.
    Fourth,
    /// The fifth.
    Fifth,
    /// The last.
    Last,
    /// The one after.
    Next,
    /// The one before.
    Previous,
}

/// Which end of a scale a superlative names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Superlative {
    /// The low end: the cheapest, the nearest, the oldest.
    Least,
    /// The high end: the dearest, the newest, the longest.
    Most,
}

/// The state a control may be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateWord {
    /// On, ticked, enabled.
    On,
    /// Off, not ticked, disabled.
    Off,
    /// Chosen among several.
    Selected,
}
