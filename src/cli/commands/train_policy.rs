//! `tapwright train policy`.

use super::cases::index;
use super::recordings::runs_in;
use super::{plural, print_json};
use crate::app::Workspace;
use crate::cli::{Exit, Failure, TrainPolicyArgs, table};
use crate::domain::CaseId;
use crate::evaluation::decisions::{
    AdoptionVerdict, Compared, DecisionExample, FitSettings, KeptFits, read_examples, shipped_examples, weigh_adoption,
};
use crate::evaluation::{Correction, OwnRuns, by_run};
use crate::pipeline::PolicyWeights;
use crate::report::write_whole;
use crate::run::{History, PlannedCase};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What came of it.
#[derive(Serialize)]
struct Told {
    verdict: AdoptionVerdict,
    runs: usize,
    own: Compared,
    others: Compared,
    file: Option<PathBuf>,
}

/// Refits the policy on the workspace's own runs, and takes the weights over where no figure falls.
pub(super) fn policy(args: &TrainPolicyArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let in_use = match workspace.own_policy().map_err(Failure::usage)? {
        Some(weights) => weights,
        None => PolicyWeights::bundled().map_err(Failure::usage)?,
    };
    let corrections = match &args.corrections {
        Some(path) => Correction::read(path).map_err(Failure::usage)?,
        None => Vec::new(),
    };
    let mut others = if args.beside.is_empty() { shipped_examples().map_err(Failure::usage)? } else { Vec::new() };
    for path in &args.beside {
        others.extend(read_examples(path).map_err(Failure::usage)?);
    }
    let (runs, own) = own_examples(args, &corrections, workspace)?;
    let prior = PolicyWeights::prior().map_err(Failure::usage)?;
    let settings = FitSettings::default();
    let found = weigh_adoption(&own, &others, (&in_use, &prior), settings, &KeptFits::default());
    let found = found.map_err(Failure::nothing_selected)?;
    let file = (found.verdict == AdoptionVerdict::Adopted).then(|| workspace.policy_file());
    if let Some(path) = &file {
        write_whole(path, found.weights.to_toml().as_bytes()).map_err(Failure::usage)?;
    }
    let (verdict, own, others) = (found.verdict, found.own, found.others);
    tell(verdict, &own, &others, file.as_deref());
    if args.json {
        print_json(&Told { verdict, runs, own, others, file })?;
    } else {
        print(&own, &others);
    }
    Ok(if verdict == AdoptionVerdict::Adopted { Exit::Passed } else { Exit::Failed })
}

/// The decisions of the runs that are cases of the workspace, and how many runs gave some.
fn own_examples(
    args: &TrainPolicyArgs,
    corrections: &[Correction],
    workspace: &Workspace,
) -> Result<(usize, Vec<DecisionExample>), Failure> {
    let mut folders = Vec::new();
    for run in &args.runs {
        folders.extend(runs_in(run)?);
    }
    let corrected = by_run(corrections);
    let mut left: BTreeSet<PathBuf> = corrected.keys().cloned().collect();
    let (cases, rewriter) = (index(workspace)?, workspace.rewriter().map_err(Failure::usage)?);
    let judgement = workspace.judgement().map_err(Failure::infrastructure)?;
    let skills = workspace.skills().map_err(Failure::usage)?;
    let reader = OwnRuns { judgement: &judgement, skills: &skills };
    let (mut count, mut own) = (0, Vec::new());
    for folder in folders {
        let pass_over = |reason: &str| anstream::eprintln!("{}: passed over: {reason}", folder.display());
        let history = match History::read(&folder) {
            Ok(history) => history,
            Err(error) => {
                pass_over(&error.to_string());
                continue;
            }
        };
        let known = std::fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        left.remove(&known);
        let wrong = corrected.get(&known).map(Vec::as_slice).unwrap_or_default();
        if !history.passed && wrong.is_empty() {
            continue;
        }
        let case = CaseId::new(history.case_id.as_str()).map_err(|error| error.to_string());
        let case = match case.and_then(|id| cases.find(&id).map_err(|error| error.to_string())) {
            Ok(case) => case,
            Err(reason) => {
                pass_over(&reason);
                continue;
            }
        };
        let planned = PlannedCase::new(case, &rewriter, &BTreeMap::new()).map_err(Failure::usage)?;
        if let Some(reason) = differs(&planned, &history) {
            pass_over(reason);
            continue;
        }
        let found = reader.examples(&folder, &history, &planned, wrong).map_err(Failure::usage)?;
        count += usize::from(!found.is_empty());
        own.extend(found);
    }
    match left.first() {
        Some(run) => Err(Failure::usage(format!("a correction is of {}, which is none of these runs", run.display()))),
        None => Ok((count, own)),
    }
}

/// Why a run tells nothing of the case as it stands.
fn differs(planned: &PlannedCase, history: &History) -> Option<&'static str> {
    if !planned.cast.is_empty() {
        return Some("several devices took part");
    }
    let asked = |number: usize| planned.steps.iter().find(|step| step.index == number);
    let same = history.steps.iter().all(|step| asked(step.number).is_some_and(|own| own.original == step.instruction));
    (!same).then_some("its case asks for something else by now")
}

fn tell(verdict: AdoptionVerdict, own: &Compared, others: &Compared, file: Option<&std::path::Path>) {
    let of = |found: &Compared| {
        let right = |score: &crate::evaluation::decisions::DecisionScore| {
            score.count(crate::evaluation::decisions::Outcome::Right)
        };
        format!("{} of {} right before, {} after", right(&found.before), found.before.decisions, right(&found.after))
    };
    match (verdict, file) {
        (AdoptionVerdict::Adopted, Some(path)) => {
            anstream::eprintln!(
                "adopted: the weights are in {}; without that file those that ship are used",
                path.display()
            );
        }
        (AdoptionVerdict::OthersFall, _) => {
            anstream::eprintln!("not adopted: on other apps fewer decisions would be right: {}", of(others));
        }
        _ => anstream::eprintln!("not adopted: on the own cases fewer decisions would be right: {}", of(own)),
    }
}

fn print(own: &Compared, others: &Compared) {
    let mut rows = vec![["LEFT OUT", "DECISIONS", "RIGHT BEFORE", "RIGHT AFTER"].map(str::to_owned).to_vec()];
    for (name, found) in [("own cases", own), ("other apps", others)] {
        let percent = |share: Option<f64>| share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0));
        let [before, after] = [&found.before, &found.after].map(|score| percent(score.right()));
        rows.push(vec![name.to_owned(), plural(found.before.decisions, "decision"), before, after]);
    }
    table::print_fitting(&rows);
}
