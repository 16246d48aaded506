//! An action of a replay as it is ordered and as it was carried out.

use super::format::ScriptAction;
use super::replay::Stop;
use crate::domain::{Action, ActionSource};
use crate::hierarchy::Fingerprint;

/// What became of an action of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Performance {
    /// It was carried out.
    Done(Box<CarriedOut>),
    /// It was not, and nothing was touched.
    Stopped(Stop),
}

/// An action on the live screen, ready to be carried out.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    /// The script's action it is or stands for, from 0.
    pub index: usize,
    /// The case's step, from 1.
    pub step: usize,
    /// The action of the script that follows, if one does: it tells how closely to look.
    pub next: Option<&'a ScriptAction>,
    /// The action.
    pub action: Action,
    /// Characters its field holds.
    pub held: usize,
    /// Who chose it.
    pub source: ActionSource,
    /// The ranking's score, where it was ranked.
    pub score: Option<f32>,
    /// What is to be told of how it was found.
    pub told: String,
}

/// An action as it was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedOut {
    /// The action, aimed at the widget as it is now.
    pub action: Action,
    /// Characters its field held before.
    pub held: usize,
    /// The screen it was done on.
    pub before: Fingerprint,
    /// Its title.
    pub screen: String,
    /// The screen it led to.
    pub after: Fingerprint,
    /// Digest of what was visible before.
    pub digest: u64,
}
