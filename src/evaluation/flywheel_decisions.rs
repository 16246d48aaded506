//! What the user's own runs teach the policy: the decisions of runs that passed, and corrections of decisions that were wrong.
//!
//! Only recordings are read. What passed counts as right, repairs included; a step in which the agent went back on its own way tells
//! nothing. What a correction says counts whatever became of the run.

use super::agent_port::{DecisionProbe, PastAction};
use super::decisions::{DecisionExample, ExampleOption};
use super::ranking_labels::perceived;
use crate::app_map::AppMap;
use crate::device::Seen;
use crate::domain::{Action, ActionSource, Direction, InputText, Rect, Target};
use crate::pipeline::RehearsedQuestion;
use crate::run::{Done, History, Judgement, PlannedCase, read_artifact};
use crate::skill::Library;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// "This action, not that one": what should have been done where a run did something else.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The run's folder, from the file's own.
    pub run: PathBuf,
    /// The number of the action that was wrong, from 1, as the report counts them.
    pub action: usize,
    /// What should have been done in place of it.
    pub instead: Instead,
}

/// What should have been done.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instead {
    /// A touch on the control of this label.
    Click(String),
    /// A long touch on the control of this label.
    LongPress(String),
    /// Typing into the field of this label.
    InputText(String),
    /// Scrolling.
    Scroll(Direction),
    /// The back key.
    Back,
    /// Nothing more: what was asked for was done.
    Done,
}

/// The form of a file of corrections.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectionFile {
    corrections: Vec<Correction>,
}

/// Why nothing can be learnt from a file or a run.
#[derive(Debug, thiserror::Error)]
pub enum OwnRunError {
    /// The file of corrections makes no sense.
    #[error("{}: {reason}; it has one list, `corrections`, of {{run: FOLDER, action: NUMBER, instead: {{click: LABEL}}}}", path.display())]
    Corrections {
        /// Where it is.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A correction fits nothing that the run did or could have done.
    #[error("{}: the correction of action {action}: {reason}", run.display())]
    Correction {
        /// The run.
        run: PathBuf,
        /// The action's number.
        action: usize,
        /// Why, and what there is.
        reason: String,
    },
    /// The model failed.
    #[error("{}: {reason}", run.display())]
    Model {
        /// The run.
        run: PathBuf,
        /// Why.
        reason: String,
    },
}

impl Correction {
    /// Reads a file of corrections; runs are found from the file's folder.
    ///
    /// # Errors
    /// When it cannot be read or says something else.
    pub fn read(path: &Path) -> Result<Vec<Self>, OwnRunError> {
        let wrong = |reason: String| OwnRunError::Corrections { path: path.to_owned(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let file: CorrectionFile = serde_saphyr::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let found = |one: Self| Self { run: folder.join(&one.run), ..one };
        Ok(file.corrections.into_iter().map(found).collect())
    }
}

/// Reads decisions out of runs.
pub struct OwnRuns<'a> {
    /// Model, weights, cues.
    pub judgement: &'a Judgement,
    /// Skills.
    pub skills: &'a Library,
}

impl OwnRuns<'_> {
    /// The decisions of a run of a case: all that passed tells, and what is corrected.
    ///
    /// # Errors
    /// When a correction fits nothing, or the model fails.
    pub fn examples(
        &self,
        run: &Path,
        history: &History,
        case: &PlannedCase,
        corrections: &[&Correction],
    ) -> Result<Vec<DecisionExample>, OwnRunError> {
        let failed = |reason: String| OwnRunError::Model { run: run.to_owned(), reason };
        let mut probe = DecisionProbe::of(case, self.judgement, self.skills, &AppMap::default());
        let screens = Screens { run, history };
        let mut found = Vec::new();
        let mut step = 0;
        for (at, done) in history.actions.iter().enumerate() {
            let Some(before) = screens.seen(done.from) else { break };
            if done.step != step {
                step = done.step;
                probe.begin(step.saturating_sub(1));
            }
            let correction = corrections.iter().find(|one| one.action == at + 1);
            if let Some(Correction { instead, action, .. }) = correction {
                let wrong = |reason| OwnRunError::Correction { run: run.to_owned(), action: *action, reason };
                let questions = match instead {
                    Instead::Done => probe.questions(None, &before),
                    _ => probe.questions(Some(&|action: &Action| instead.is(action)), &before),
                };
                found.extend(corrected(questions.map_err(failed)?, instead).map_err(wrong)?);
            }
            let Some(action) = as_action(&done.action, case) else { break };
            let same = |other: &Action| does_the_same(&action, other);
            if correction.is_none() && history.passed && done.valid && is_telling(history, done) {
                found.extend(probe.questions(Some(&same), &before).map_err(failed)?);
            }
            let Some(after) = screens.seen(done.from + 1) else { break };
            let past = PastAction { before: &before, action: action.clone(), after: &after };
            probe.follow(&past, &same).map_err(failed)?;
            let is_last = history.actions.get(at + 1).is_none_or(|next| next.step != step);
            if is_last && history.passed && is_telling(history, done) {
                found.extend(probe.questions(None, &after).map_err(failed)?);
            }
        }
        if let Some(missed) = corrections.iter().find(|one| one.action == 0 || one.action > history.actions.len()) {
            let reason = format!("the run has {} actions", history.actions.len());
            return Err(OwnRunError::Correction { run: run.to_owned(), action: missed.action, reason });
        }
        Ok(found.into_iter().map(|question| example(case, question)).collect())
    }
}

/// The questions of which the last one is answered by a correction: those before it are clauses that were done by then.
fn corrected(questions: Vec<RehearsedQuestion>, instead: &Instead) -> Result<Vec<RehearsedQuestion>, String> {
    if questions.iter().any(|question| question.right.contains(&true)) {
        return Ok(questions);
    }
    let offered = questions.iter().flat_map(|question| &question.weighed);
    let offered = offered.filter_map(|one| one.proposal.action()).map(ToString::to_string);
    let mut offered: Vec<String> = offered.collect();
    offered.dedup();
    Err(format!("nothing proposes {instead:?} there; proposed are {}", offered.join(", ")))
}

/// An action of the agent, in a step that it did not go back in.
fn is_telling(history: &History, done: &Done) -> bool {
    let own = |one: &&Done| one.step == done.step && one.valid;
    matches!(done.source, Some(ActionSource::Agent | ActionSource::Repair))
        && !history.actions.iter().filter(own).any(|one| one.action["skill"] == "press_back")
}

fn example(case: &PlannedCase, question: RehearsedQuestion) -> DecisionExample {
    let RehearsedQuestion { reading, weighed, right } = question;
    DecisionExample {
        app: case.package.to_string(),
        family: String::new(),
        case: case.id.to_string(),
        step: 0,
        hand: "a run that passed, or a correction".to_owned(),
        astray: false,
        reading,
        options: weighed.iter().zip(right).map(|(one, right)| ExampleOption::of(one, right)).collect(),
    }
}

/// The screens of a run.
struct Screens<'a> {
    run: &'a Path,
    history: &'a History,
}

impl Screens<'_> {
    fn seen(&self, at: usize) -> Option<Seen> {
        let known = self.history.screens.get(at)?;
        let hierarchy = read_artifact(self.run, &known.hierarchy).ok()?;
        let screen = perceived(&hierarchy);
        (!screen.tree.nodes.is_empty()).then_some(Seen { screen, hierarchy })
    }
}

/// An action as an event shows it; a secret has the value that the case gives it now. `None` for what cannot be read back.
fn as_action(value: &Value, case: &PlannedCase) -> Option<Action> {
    let target = || serde_json::from_value::<Target>(value["target"].clone()).ok();
    let text = || {
        let said = &value["text"];
        match (said["text"].as_str(), said["secret"].as_str()) {
            (Some(plain), _) => Some(InputText::Plain(plain.to_owned())),
            (None, Some(name)) => {
                let value = case.secrets.get(name)?.clone();
                Some(InputText::Secret { name: name.to_owned(), value })
            }
            (None, None) => None,
        }
    };
    let direction = || serde_json::from_value::<Direction>(value["direction"].clone()).ok();
    Some(match value["skill"].as_str()? {
        "click" => Action::Click { target: target()? },
        "long_press" => Action::LongPress { target: target()? },
        "input_text" => Action::InputText { target: target()?, text: text()? },
        "press_back" => Action::PressBack,
        "press_enter" => Action::PressEnter,
        "scroll" => {
            let area = serde_json::from_value::<Rect>(value["area"].clone()).ok()?;
            Action::Scroll { direction: direction()?, area }
        }
        "swipe_selector" => Action::SwipeSelector { target: target()?, direction: direction()? },
        "wait" => Action::Wait { ms: value["ms"].as_u64()? },
        _ => return None,
    })
}

/// The same skill on the same place.
fn does_the_same(one: &Action, other: &Action) -> bool {
    let place = |action: &Action| action.target().map(|target| target.bounds);
    let direction = |action: &Action| match action {
        Action::Scroll { direction, .. } | Action::SwipeSelector { direction, .. } => Some(*direction),
        _ => None,
    };
    one.skill() == other.skill() && place(one) == place(other) && direction(one) == direction(other)
}

impl Instead {
    /// True for an action that does this.
    fn is(&self, action: &Action) -> bool {
        match (self, action) {
            (Self::Click(label), Action::Click { target })
            | (Self::LongPress(label), Action::LongPress { target })
            | (Self::InputText(label), Action::InputText { target, .. }) => target.label == *label,
            (Self::Scroll(wanted), Action::Scroll { direction, .. }) => direction == wanted,
            (Self::Back, Action::PressBack) => true,
            _ => false,
        }
    }
}

/// Corrections by the run that they are of; folders are compared as the file system knows them.
pub fn by_run(corrections: &[Correction]) -> BTreeMap<PathBuf, Vec<&Correction>> {
    let mut found: BTreeMap<PathBuf, Vec<&Correction>> = BTreeMap::new();
    for correction in corrections {
        let run = std::fs::canonicalize(&correction.run).unwrap_or_else(|_| correction.run.clone());
        found.entry(run).or_default().push(correction);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_says_what_should_have_been_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corrections.yaml");
        let text = "corrections:\n  - {run: runs/A-1/7, action: 3, instead: {click: Save}}\n  - {run: runs/A-1/7, action: 4, instead: done}\n";
        std::fs::write(&path, text).unwrap();
        let read = Correction::read(&path).unwrap();
        let run = folder.path().join("runs/A-1/7");
        let of = |action, instead| Correction { run: run.clone(), action, instead };
        assert_eq!(read, [of(3, Instead::Click("Save".into())), of(4, Instead::Done)]);
        for wrong in ["corrections: 3\n", "corrections:\n  - {run: a, action: 1, instead: {tap: Save}}\n"] {
            std::fs::write(&path, wrong).unwrap();
            let error = Correction::read(&path).unwrap_err().to_string();
            assert!(error.contains("corrections.yaml") && error.contains("instead: {click: LABEL}"), "{error}");
        }
        assert!(Correction::read(Path::new("nowhere.yaml")).is_err());
    }
}
