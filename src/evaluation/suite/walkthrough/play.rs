//! Playing one case by its walkthrough, and judging how it ended.

use super::form::Walkthrough;
use super::player::{LOOKS, Player, Stop};
use super::sight;
use crate::case::Case;
use crate::domain::Expectation;
use crate::evaluation::suite::truth::Snapshot;
use crate::evaluation::suite::{Expected, Phone, Suite, SuiteDevice, SuiteError, SuiteRun};
use crate::hierarchy::{Screen, check};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// One case on one device with the switches of one run.
pub struct Play<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The case.
    pub case: &'a Case,
    /// The run.
    pub run: &'a SuiteRun,
    /// The device, or those of all actors.
    pub device: &'a SuiteDevice,
    /// Seed of every random choice of the apps.
    pub seed: u64,
    /// Path and text of every app file that is installed.
    pub apps: &'a [(PathBuf, String)],
    /// How fast the person is.
    pub pace: Pace,
}

/// How fast a person works. Played twice at different paces, a case shows what in its state depends on time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// Without a pause, from the suites' usual time of day on.
    #[default]
    Brisk,
    /// Some minutes later, and with a pause before everything.
    Leisurely,
}

impl Pace {
    /// How much later than usual the play begins.
    pub(super) const fn delay(self) -> Duration {
        match self {
            Self::Brisk => Duration::ZERO,
            Self::Leisurely => Duration::from_millis(187_300),
        }
    }

    /// Seconds before each action.
    pub(super) const fn pause(self) -> f64 {
        match self {
            Self::Brisk => 0.0,
            Self::Leisurely => 5.0,
        }
    }
}

/// How a play ended.
#[derive(Debug)]
pub struct Played {
    /// What the case came to.
    pub verdict: Expected,
    /// Why.
    pub reason: String,
    /// What a person did, one text an action.
    pub done: Vec<String>,
    /// The last screen's texts.
    pub screen: String,
    /// Touches, swipes, keys and texts; a whole text or number counts once.
    pub actions: usize,
    /// What was true on the way, in order.
    pub moments: Vec<Moment>,
}

/// What was true at one moment of a play.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Actions of the walkthrough that were done.
    pub done: usize,
    /// What was true.
    pub truth: Snapshot,
}

impl Play<'_> {
    /// Starts the devices, does the actions, checks the expectations.
    ///
    /// # Errors
    /// When walkthrough, parameters or apps make no sense.
    pub fn to_the_end(&self) -> Result<Played, SuiteError> {
        self.watched(&mut |_, _| {})
    }

    /// The same; `watch` is told after every action how many were done, and sees the device in use.
    ///
    /// # Errors
    /// When walkthrough, parameters or apps make no sense.
    pub fn watched(&self, watch: &mut dyn FnMut(usize, &Phone)) -> Result<Played, SuiteError> {
        let walkthrough = Walkthrough::load(self.suite, self.case)?;
        let mut player = Player::ready(self)?;
        let mut done = Vec::new();
        let mut stopped = player.start().err();
        player.note();
        for action in walkthrough.actions() {
            if stopped.is_some() {
                break;
            }
            done.push(format!("{action:?}"));
            stopped = player.act(action).err();
            player.finished = done.len();
            player.note();
            watch(done.len(), player.phone().phone());
        }
        if let Some(Stop::Wrong(reason)) = stopped {
            return Err(SuiteError::wrong(&Walkthrough::path(self.suite, self.case), reason));
        }
        let screen = player.look();
        if stopped.is_some() && screen.widgets.is_empty() {
            // A person touches once more what does not react; Android then finds the app hung.
            player.tap(self.device.display.rect().center());
            player.phone().wait(8.0);
        }
        let (verdict, reason) = match (player.trouble(), stopped) {
            (Some(trouble), _) => (Expected::Failed, trouble),
            (None, Some(Stop::Failed(reason))) => (Expected::Failed, reason),
            (None, Some(Stop::Blocked(reason) | Stop::Wrong(reason))) => (Expected::Blocked, reason),
            (None, None) => self.judged(&player)?,
        };
        player.note();
        let Player { actions, moments, .. } = player;
        Ok(Played { verdict, reason, done, screen: sight::told(&screen), actions, moments })
    }

    /// Whether the case's expectations hold, as the product itself judges, in the end; each on the device of its actor.
    fn judged(&self, player: &Player<'_>) -> Result<(Expected, String), SuiteError> {
        let Self { suite, case, run, device, .. } = self;
        let mut expected: Vec<(&String, Expectation)> = Vec::new();
        for outcome in &case.expect {
            let shown = outcome.expectation.shown(player.wording.params());
            let shown = shown.map_err(|error| SuiteError::wrong(&case.path, error.to_string()))?;
            let shown = shown.map_texts(|text| suite.in_language(text, &device.locale, &run.switches));
            expected.push((outcome.actor.as_ref().unwrap_or(&player.actor), shown));
        }
        let mut broken: Vec<String> = Vec::new();
        for _ in 0..LOOKS {
            let screens: BTreeMap<&String, Screen> =
                player.phones.iter().map(|(actor, phone)| (actor, phone.look())).collect();
            let outcomes = expected.iter().filter_map(|(actor, wanted)| Some(check(wanted, screens.get(actor)?)));
            broken = outcomes
                .filter(|outcome| !outcome.held)
                .map(|outcome| format!("{}: {}", outcome.expectation, outcome.evidence))
                .collect();
            if broken.is_empty() {
                return Ok((Expected::Passed, "all expectations hold".to_owned()));
            }
            player.phone().wait(0.5);
        }
        Ok((Expected::Failed, broken.join("; ")))
    }
}
