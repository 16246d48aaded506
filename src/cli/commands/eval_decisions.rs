//! `tapwright eval decisions`.

use super::eval::open as recordings;
use super::eval_suite::{Laboratory, open, policy_of};
use super::{fit_decisions, interruption, plural, print_json};
use crate::app::Workspace;
use crate::cli::{EvalDecisionsArgs, Exit, Failure, table};
use crate::evaluation::decisions::{
    DecisionExample, DecisionReport, DecisionScore, FitError, Outcome, example_lines, packed_lean, read_examples,
};
use crate::evaluation::suite::{Lessons, Selection, Suite, apps_of_lessons};
use crate::evaluation::{Evaluation, FittedOn, Mode};
use crate::pipeline::PolicyWeights;
use crate::report::write_whole;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const HEADINGS: [&str; 9] =
    ["APP", "DECISIONS", "RIGHT", "WRONG", "ENDED EARLY", "ENDED LATE", "FORBIDDEN", "NOT PROPOSED", "GAVE UP"];

/// Compares single decisions with walkthroughs, and fits the policy's weights where that is asked for.
pub(super) async fn decisions(args: EvalDecisionsArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let suites = open(&args.suites)?;
    let selection = Selection { cases: args.cases, ..Selection::default() };
    let weights = match &args.policy {
        Some(path) => policy_of(path)?,
        None => PolicyWeights::bundled().map_err(Failure::usage)?,
    };
    let (written_astray, written): (Vec<DecisionExample>, Vec<DecisionExample>) =
        written(&args.decisions)?.into_iter().partition(|example| example.astray);
    if args.fit.is_some() {
        let known = written.iter().chain(&written_astray).map(|example| example.app.clone());
        enough_to_leave_one_out(known.collect(), &suites, &selection, &args.recordings)?;
    }
    let Lessons { mut examples, mut astray, stopped } = if suites.is_empty() {
        Lessons::default()
    } else {
        let laboratory = Laboratory::of(workspace)?.with_policy(args.policy.as_deref())?;
        let examination = laboratory.examination(None, None)?;
        examination.lessons(&suites, &selection).await.map_err(Failure::usage)?
    };
    examples.extend(recorded(&args.recordings, workspace)?);
    examples.extend(written);
    astray.extend(written_astray);
    if examples.is_empty() {
        return Err(Failure::nothing_selected(
            "no case of these suites was selected, none has a marked walkthrough, and no file holds decisions",
        ));
    }
    if let Some(path) = &args.examples {
        write_examples(path, examples.iter().chain(&astray))?;
    }
    if let Some(path) = &args.lean {
        let packed = packed_lean(examples.iter().chain(&astray)).map_err(Failure::usage)?;
        write_whole(path, &packed).map_err(Failure::usage)?;
    }
    let report = DecisionReport::of(&examples, &weights);
    if args.json {
        print_json(&report)?;
    } else {
        let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
        rows.extend(report.by_app.iter().map(|(app, score)| row(app, score)));
        rows.push(row("all", &report.total));
        table::print_fitting(&rows);
    }
    for (case, reason) in &stopped {
        anstream::eprintln!("{case}: the lesson ended early: {reason}");
    }
    anstream::eprintln!("{} ended early", plural(stopped.len(), "lesson"));
    if let Some(path) = &args.fit {
        let all: Vec<DecisionExample> = examples.iter().chain(&astray).cloned().collect();
        anstream::eprintln!(
            "fitted to {} and {} on ways on which the policy went astray",
            plural(examples.len(), "decision"),
            plural(astray.len(), "decision"),
        );
        fit_decisions::fit(path, &all, args.ablate)?;
    }
    Ok(Exit::Passed)
}

/// Refuses, before anything is played, to fit weights to fewer than two apps.
fn enough_to_leave_one_out(
    mut apps: BTreeSet<String>,
    suites: &[Suite],
    selection: &Selection,
    folders: &[PathBuf],
) -> Result<(), Failure> {
    apps.extend(apps_of_lessons(suites, selection));
    apps.extend(recordings(folders)?.iter().map(|app| app.info.package.clone()));
    FitError::unless_enough(apps).map_or(Ok(()), |error| Err(Failure::usage(error)))
}

/// The decisions that files hold.
fn written(files: &[PathBuf]) -> Result<Vec<DecisionExample>, Failure> {
    let mut examples = Vec::new();
    for path in files {
        examples.extend(read_examples(path).map_err(Failure::usage)?);
    }
    Ok(examples)
}

/// The decisions of recorded tasks, given as goals and as steps, each with a map of what exploration has found and without.
fn recorded(folders: &[PathBuf], workspace: &Workspace) -> Result<Vec<DecisionExample>, Failure> {
    let mut examples = Vec::new();
    if folders.is_empty() {
        return Ok(examples);
    }
    let (apps, judgement) = (recordings(folders)?, workspace.judgement().map_err(Failure::infrastructure)?);
    let (skills, rewriter) =
        (workspace.skills().map_err(Failure::usage)?, workspace.rewriter().map_err(Failure::usage)?);
    let all = [Mode::Goal, Mode::Steps].into_iter().flat_map(|mode| [(mode, true), (mode, false)]);
    for (mode, with_map) in all {
        let evaluation = Evaluation {
            judgement: &judgement,
            skills: &skills,
            rewriter: &rewriter,
            mode,
            with_map,
            fitted_on: FittedOn::default(),
            cancel: interruption(),
        };
        examples.extend(evaluation.lessons(&apps).map_err(Failure::infrastructure)?);
    }
    Ok(examples)
}

fn row(name: &str, score: &DecisionScore) -> Vec<String> {
    let right = score.right().map_or_else(String::new, |share| format!("{:.1} %", share * 100.0));
    let counts =
        [Outcome::Wrong, Outcome::EndedEarly, Outcome::EndedLate, Outcome::Vetoed, Outcome::Missing, Outcome::GaveUp];
    let mut row = vec![name.to_owned(), score.decisions.to_string(), right];
    row.extend(counts.map(|outcome| score.count(outcome).to_string()));
    row
}

fn write_examples<'e>(path: &Path, examples: impl Iterator<Item = &'e DecisionExample>) -> Result<(), Failure> {
    let text = example_lines(examples).map_err(Failure::usage)?;
    write_whole(path, text.as_bytes()).map_err(Failure::usage)
}
