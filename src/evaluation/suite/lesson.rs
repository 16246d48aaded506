//! One case of a suite as a lesson: the agent's own loop, led by the case's walkthrough.

use super::error::SuiteError;
use super::examination::{Examination, Selection};
use super::file::{Expected, SuiteDevice, SuiteRun};
use super::folder::Suite;
use super::phone::{Phone, morning};
use super::walkthrough::{Astray, Teacher, Walkthrough, Wording};
use crate::app_map::AppMap;
use crate::case::Case;
use crate::device::{Device, Eyes, Recorder, Seen};
use crate::domain::{EventKind, EventSink, SecretMask, Verdict};
use crate::evaluation::decisions::DecisionExample;
use crate::hierarchy::Screen;
use crate::pipeline::{Agent, Assignment, Budget, Clause, Journal, Patience};
use crate::run::PlannedCase;
use crate::virtual_device::AppFiles;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What lessons came to.
#[derive(Debug, Default)]
pub struct Lessons {
    /// Every decision.
    pub examples: Vec<DecisionExample>,
    /// Decisions on the same ways where the policy was let go astray once before each action.
    pub astray: Vec<DecisionExample>,
    /// Cases whose lesson ended early or could not begin, and why.
    pub stopped: Vec<(String, String)>,
}

/// The lessons that can be given, each case once: on the first device of its first clean run.
pub(super) fn lessons_of<'s>(suites: &'s [Suite], selection: &'s Selection) -> impl Iterator<Item = Lesson<'s>> {
    suites.iter().flat_map(move |suite| {
        let mut seen: Vec<&str> = Vec::new();
        let clean = suite.runs.iter().filter(|run| run.expect == Expected::Passed);
        let cases = clean.flat_map(move |run| suite.cases_of(run).into_iter().map(move |case| (run, case)));
        cases.filter(move |(_, case)| selection.takes(case.id.as_str())).filter_map(move |(run, case)| {
            let (device, seed) = run.variants(selection.seeds).into_iter().next()?;
            if seen.contains(&case.id.as_str()) {
                return None;
            }
            seen.push(case.id.as_str());
            Some(Lesson { suite, run, case, device, seed })
        })
    })
}

/// Packages of the apps that lessons can be about: those of the clean cases that `selection` takes and that have a
/// walkthrough.
pub fn apps_of_lessons(suites: &[Suite], selection: &Selection) -> BTreeSet<String> {
    let given = lessons_of(suites, selection).filter(|one| Walkthrough::path(one.suite, one.case).is_file());
    given.map(|one| one.case.app.package.to_string()).collect()
}

impl Lessons {
    fn add(&mut self, other: Self) {
        self.examples.extend(other.examples);
        self.astray.extend(other.astray);
        self.stopped.extend(other.stopped);
    }
}

impl Examination<'_> {
    /// Leads the agent through every clean case that `selection` takes, on the first device of its run.
    ///
    /// # Errors
    /// When a walkthrough, a case or an app makes no sense.
    pub async fn lessons(&self, suites: &[Suite], selection: &Selection) -> Result<Lessons, SuiteError> {
        let mut lessons = Lessons::default();
        for lesson in lessons_of(suites, selection) {
            lessons.add(lesson.give(self).await?);
        }
        Ok(lessons)
    }
}

/// One case on one device.
pub(super) struct Lesson<'a> {
    pub(super) suite: &'a Suite,
    pub(super) run: &'a SuiteRun,
    pub(super) case: &'a Case,
    pub(super) device: SuiteDevice,
    pub(super) seed: u64,
}

impl Lesson<'_> {
    /// Leads the agent through the case, once on the person's way and once going astray.
    ///
    /// # Errors
    /// When the walkthrough, the case or the app makes no sense.
    pub(super) async fn give(&self, examination: &Examination<'_>) -> Result<Lessons, SuiteError> {
        let Self { suite, run, case, ref device, seed } = *self;
        let mut lessons = Lessons::default();
        if !Walkthrough::path(suite, case).is_file() {
            lessons.stopped.push((case.id.to_string(), "it has no walkthrough".to_owned()));
            return Ok(lessons);
        }
        let wrong = |reason: String| SuiteError::Run { case: case.id.to_string(), device: device.to_string(), reason };
        let mut stop = |reason: String| lessons.stopped.push((case.id.to_string(), reason));
        if !case.actors.is_empty() {
            stop("several devices take part".to_owned());
            return Ok(lessons);
        }
        let params = suite.params_of(run, device);
        let planned =
            PlannedCase::new(case, examination.rewriter, &params).map_err(|error| wrong(error.to_string()))?;
        let walkthrough = Walkthrough::load(suite, case)?;
        let family = case.tags.iter().find_map(|tag| tag.strip_prefix("family:")).unwrap_or_default();
        let wording = Wording::of(suite, case, run, device)?;
        // Once as the person did it, and once with the policy going astray on the way where that changes nothing.
        for goes_astray in Wandering::ALL {
            let files = Arc::new(AppFiles::default());
            let phone =
                Phone::new(device, seed, &run.switches, run.location.as_deref(), &files, &morning(), &suite.apps)?
                    .showing(examination.pictures);
            let names = (planned.package.to_string(), case.id.to_string());
            let astray = match goes_astray {
                Wandering::Never => None,
                Wandering::Once => Some(Astray::on(&phone, planned.package.as_str(), suite)),
            };
            let instructions = case.aim.instructions().len();
            let Some(teacher) = Teacher::new(wording.clone(), &walkthrough, names, instructions, astray) else {
                stop("the walkthrough does not say which action belongs to which step".to_owned());
                return Ok(lessons);
            };
            let ended = follow(&phone, &planned, examination, &teacher).await.err();
            let (examples, stopped) = teacher.into_examples();
            let examples = examples.into_iter().map(|one| DecisionExample { family: family.to_owned(), ..one });
            match goes_astray {
                Wandering::Never => lessons.examples.extend(examples),
                Wandering::Once => {
                    lessons.astray.extend(examples.map(|one| DecisionExample { astray: true, ..one }));
                }
            }
            if let Some(reason) = ended.filter(|_| goes_astray == Wandering::Never) {
                stop(stopped.map_or(reason.clone(), |why| format!("{reason}: {why}")));
            }
        }
        Ok(lessons)
    }
}

/// Whether the policy is let go astray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wandering {
    Never,
    Once,
}

impl Wandering {
    const ALL: [Self; 2] = [Self::Never, Self::Once];
}

/// Works on all clauses as a run does, led by the teacher.
async fn follow(
    phone: &Phone,
    case: &PlannedCase,
    examination: &Examination<'_>,
    teacher: &Teacher<'_>,
) -> Result<(), String> {
    let judgement = examination.judgement;
    phone.start_fresh(&case.package).await.map_err(|error| error.to_string())?;
    let mask = SecretMask::new(case.secrets.values());
    let eyes = || Eyes {
        device: phone,
        display: phone.device().display,
        link_colours: examination.link_colours,
        reader: None,
        mask: &mask,
        bridge: None,
    };
    let mut recorder = Unrecorded;
    let mut seen = eyes().look(&mut recorder).await.map_err(|error| error.to_string())?;
    let mut agent = Agent {
        eyes: eyes(),
        chooser: teacher,
        scorer: judgement.scorer(examination.skills),
        skills: examination.skills,
        knowledge: &judgement.knowledge,
        parameters: &case.parameters,
        preferences: &case.preferences,
        package: case.package.clone(),
        budget: Budget { actions: case.budget.actions, time: case.budget.time },
        patience: Patience::ALONE,
        started: phone.now(),
        seed: 0,
        journal: Journal::default(),
        map: AppMap::default(),
        cancel: CancellationToken::new(),
    };
    let read = |step| Clause::of_case(step, &case.title, case.is_goal, &judgement.knowledge.lexicon);
    let clauses: Vec<Clause> = case.tasks().iter().map(read).collect();
    let hold = |seen: &Seen| crate::run::all_expected_holds(case, seen);
    let expected = crate::run::expected_texts(case);
    for (at, clause) in clauses.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|at| clauses.get(at));
        let later = clauses.get(at + 1..).unwrap_or_default();
        let assignment = Assignment { clause, previous, later, expectations: &hold, expected: &expected };
        let outcome = agent.work_on(assignment, &mut seen, &mut recorder).await.map_err(|error| error.to_string())?;
        if outcome.verdict != Verdict::Passed {
            return Err(format!("step {}: {}", clause.step.index, outcome.reason));
        }
    }
    Ok(())
}

/// A lesson keeps no recording.
struct Unrecorded;

impl EventSink for Unrecorded {
    fn emit(&mut self, _kind: EventKind) {}
}

impl Recorder for Unrecorded {
    fn screen(&mut self, _screen: &Screen, _observation: &crate::device::Observation, _observe_ms: f64) {}
}
