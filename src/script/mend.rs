//! What a replay asks where its script cannot go on: whether somebody knows a way that does what the script means.

use super::format::{Script, ScriptAction};
use super::performance::CarriedOut;
use super::replay::{ReplayError, Replayer, Stop};
use crate::device::{Recorder, Seen};
use async_trait::async_trait;

/// Where a replay stands still.
#[derive(Clone, Copy)]
pub struct Halt<'a> {
    /// The replay.
    pub replayer: &'a Replayer<'a>,
    /// Its script.
    pub script: &'a Script,
    /// The action that cannot be carried out, from 0.
    pub index: usize,
    /// Why not.
    pub stop: &'a Stop,
}

/// What came of asking for a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mended {
    /// The replay goes on with this action, from 0.
    On(usize),
    /// There is no way; why, where there is something to say.
    Not(String),
    /// The app is at fault.
    Failed(String),
}

/// What is to become of expectations that do not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// They stand as they were judged.
    AsItIs,
    /// Something was cleared away: they are judged again.
    JudgeAgain,
}

/// Looks for a way on. Whatever it does, the script's checks and expectations stay as they are.
#[async_trait]
pub trait Mender: Send {
    /// Takes notice of an action of the script that was carried out.
    fn keep(&mut self, recorded: &ScriptAction, deed: CarriedOut);

    /// Looks for a way on from where the replay stands.
    ///
    /// # Errors
    /// The device fails, or the run is cancelled.
    async fn mend(
        &mut self,
        halt: &Halt<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Mended, ReplayError>;

    /// Takes notice that every action was carried out and something that is expected does not hold. May clear away what
    /// covers it.
    ///
    /// # Errors
    /// The device fails, or the run is cancelled.
    async fn end(
        &mut self,
        replayer: &Replayer<'_>,
        script: &Script,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Ending, ReplayError>;
}

/// Knows no way: a replay ends where its script does not fit.
pub struct NoMender;

#[async_trait]
impl Mender for NoMender {
    fn keep(&mut self, _recorded: &ScriptAction, _deed: CarriedOut) {}

    async fn mend(&mut self, _: &Halt<'_>, _: &mut Seen, _: &mut dyn Recorder) -> Result<Mended, ReplayError> {
        Ok(Mended::Not(String::new()))
    }

    async fn end(
        &mut self,
        _: &Replayer<'_>,
        _: &Script,
        _: &mut Seen,
        _: &mut dyn Recorder,
    ) -> Result<Ending, ReplayError> {
        Ok(Ending::AsItIs)
    }
}
