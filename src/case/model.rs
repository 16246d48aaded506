//! A case as the program holds it.

use super::{Budget, Expectation, Parameters, Position};
use crate::domain::{CaseId, PackageName};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One test case. `Debug` shows no secret: parameters mask themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its unique id.
    pub id: CaseId,
    /// One line for people.
    pub title: String,
    /// The app under test; of a case with actors, the app of the one who begins.
    pub app: App,
    /// Who takes part, each with a device of their own; empty for a case on one device.
    pub actors: BTreeMap<String, Actor>,
    /// Where the device is, `latitude,longitude` in degrees.
    pub location: Option<String>,
    /// Names to select it by.
    pub tags: Vec<String>,
    /// Patterns of paths, from the repository's top folder: a change there may break it. Empty where nothing is known.
    pub touches: Vec<String>,
    /// Values its steps may need.
    pub params: Parameters,
    /// What to answer to questions that no step speaks of.
    pub preferences: Preferences,
    /// What is good to know about the app, in plain sentences.
    pub hints: Vec<String>,
    /// What is to be done.
    pub aim: Aim,
    /// What must hold at the end, in order.
    pub expect: Vec<ExpectedOutcome>,
    /// The most a run may do.
    pub budget: Budget,
    /// The file it was read from.
    pub path: PathBuf,
}

/// The app under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct App {
    /// Its application id.
    pub package: PackageName,
    /// What to install when it is missing, joined to the case file's folder.
    pub apk: Option<PathBuf>,
}

/// Someone who takes part in a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The app they use.
    pub app: App,
    /// Where their device is, `latitude,longitude` in degrees.
    pub location: Option<String>,
}

/// What the user generally wants and does not want, in words of the screen: pop-ups, offers, permissions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preferences {
    /// To be accepted.
    pub accept: Vec<String>,
    /// To be declined.
    pub decline: Vec<String>,
}

/// What a case asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aim {
    /// Steps to be done one after another, never empty.
    Steps(Vec<Step>),
    /// A goal only; the way is the agent's.
    Goal(Step),
}

impl Aim {
    /// The instructions in order; a goal is one instruction.
    pub fn instructions(&self) -> &[Step] {
        match self {
            Self::Steps(steps) => steps,
            Self::Goal(goal) => std::slice::from_ref(goal),
        }
    }
}

/// One instruction as the tester wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The text, with `${name}` references as written.
    pub text: String,
    /// Who does it; `None` in a case on one device.
    pub actor: Option<String>,
    /// When it is done at all; `None`: always.
    pub condition: Option<Condition>,
    /// Where it stands.
    pub at: Position,
}

/// What must be shown for some steps to be done; where it is not, they are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The text, with `${name}` references as written.
    pub shown: String,
    /// The step, from 1, with which those under it begin: it is looked for once, before that.
    pub begins: usize,
}

/// An expectation with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedOutcome {
    /// What must hold, with `${name}` references as written.
    pub expectation: Expectation,
    /// On whose device; `None` for the device of the last step.
    pub actor: Option<String>,
    /// Where it stands.
    pub at: Position,
}
