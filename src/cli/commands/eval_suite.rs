//! `tapwright eval suite`.

use super::{interruption, plural, print_json};
use crate::app::Workspace;
use crate::cli::{EvalSuiteArgs, Exit, Failure, table};
use crate::evaluation::suite::{
    Ending, Examination, Fuzz, FuzzReport, RunReport, Selection, Suite, SuiteReport, SuiteScore, page,
};
use crate::run::StringTables;
use crate::virtual_device::app_strings;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the profile of virtual devices.
const PROFILE: &str = "virtual-phone";

/// Runs suites. What was measured is printed whatever it is; only infrastructure trouble makes the command fail.
pub(super) async fn suite(args: EvalSuiteArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let suites = open(&args.suites)?;
    let known = |id: &str| suites.iter().any(|suite| suite.cases.iter().any(|case| case.id.as_str() == id));
    if let Some(unknown) = args.cases.iter().find(|id| !known(id)) {
        return Err(Failure::usage(format!("no suite has a case {unknown:?}; see their cases/")));
    }
    let profiles = workspace.profiles().map_err(Failure::usage)?;
    let colours = profiles.iter().find(|profile| profile.name == PROFILE).map(|profile| &profile.link_colours);
    let examination = Examination {
        judgement: &workspace.judgement().map_err(Failure::infrastructure)?,
        skills: &workspace.skills().map_err(Failure::usage)?,
        rewriter: &workspace.rewriter().map_err(Failure::usage)?,
        link_colours: &colours.into_iter().flatten().map(|colour| colour.0).collect::<Vec<_>>(),
        reader: Some(Arc::new(workspace.reader())),
        strings: (!args.no_strings).then(|| Arc::new(StringTables::new(app_strings, None))),
        output: args.output.clone(),
        cancel: interruption(),
    };
    let selection = Selection {
        cases: args.cases,
        locales: args.locales,
        limit: args.limit,
        seeds: args.seeds,
        fuzz: args.fuzz.map(|variants| Fuzz { variants, seed: args.seed }),
    };
    let report = examination.of(&suites, &selection, &mut tell).await.map_err(Failure::usage)?;
    if report.results.is_empty() && !examination.cancel.is_cancelled() {
        return Err(Failure::nothing_selected("no run of these suites was selected: see --case and --limit"));
    }
    if let Some(path) = &args.markdown {
        std::fs::write(path, page(&report))
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?;
    }
    if args.json {
        print_json(&report)?;
    } else {
        print(&report);
    }
    Ok(match () {
        () if examination.cancel.is_cancelled() => Exit::Interrupted,
        () if report.total.errors > 0 => Exit::Infrastructure,
        () => Exit::Passed,
    })
}

fn tell(result: &RunReport) {
    let bugs = result.bugs().join(" ");
    let reason = if result.reason.is_empty() { String::new() } else { format!(": {}", result.reason) };
    let variant = result.variant.as_ref().map(|variant| {
        let changes: Vec<String> = variant.changes.iter().map(ToString::to_string).collect();
        format!(" variant {} ({})", variant.seed, changes.join(", "))
    });
    anstream::eprintln!(
        "{}{}: {} ({}, {}, seed {}), {} of {}, {}{}{reason}",
        result.case,
        variant.unwrap_or_default(),
        result.ending.word(),
        result.verdict,
        result.device,
        result.seed,
        result.steps_passed(),
        plural(result.steps_total, "step"),
        plural(usize::try_from(result.actions).unwrap_or(usize::MAX), "action"),
        if bugs.is_empty() { bugs } else { format!(", {bugs}") },
    );
    for step in &result.steps {
        tracing::info!("{}: {:?} {}: {}", result.case, step.instruction, step.verdict, step.reason);
        for action in &step.actions {
            tracing::info!("{}:     {action}", result.case);
        }
    }
}

/// The suites named, or those in the folders named. A folder that holds neither is a mistake, other files are not.
fn open(folders: &[PathBuf]) -> Result<Vec<Suite>, Failure> {
    let mut suites = Vec::new();
    for folder in folders.iter().filter(|path| folders.len() == 1 || path.is_dir()) {
        let inside = if folder.join("suite.yaml").is_file() { vec![folder.clone()] } else { suites_in(folder)? };
        for folder in inside {
            suites.push(Suite::load(&folder).map_err(Failure::usage)?);
        }
    }
    Ok(suites)
}

fn suites_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::unreadable(folder, &error))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.join("suite.yaml").is_file()).collect();
    found.sort();
    if found.is_empty() {
        let reason = "a suite is a folder with suite.yaml, apps/ and cases/";
        return Err(Failure::usage(format!("{} holds no suite: {reason}", folder.display())));
    }
    Ok(found)
}

fn print(report: &SuiteReport) {
    let percent = |share: Option<f64>| share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0));
    let row = |name: &str, score: &SuiteScore| {
        vec![
            name.to_owned(),
            score.cases.to_string(),
            score.runs.to_string(),
            percent(score.pass_at_1),
            percent(score.complete_at_1),
            score.false_passes.to_string(),
            score.false_failures.to_string(),
            format!("{} of {}", score.bugs_failed, score.bug_runs),
            score.blocked.to_string(),
            score.errors.to_string(),
            format!("{:.1}", score.actions_per_run),
            format!("{:.1}", score.latency_ms.p50),
            format!("{:.1}", score.latency_ms.p95),
            format!("{:.1}", score.overhead_ms_per_step),
        ]
    };
    let head = [
        "SUITE",
        "CASES",
        "RUNS",
        "PASS@1",
        "COMPLETE@1",
        "FALSE PASSES",
        "FALSE FAILURES",
        "BUGS FAILED",
        "BLOCKED",
        "ERRORS",
        "ACTIONS",
        "P50 MS",
        "P95 MS",
        "OVERHEAD MS/STEP",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(report.by_suite.iter().map(|(suite, score)| row(suite, score)));
    rows.push(row("all", &report.total));
    if let Some(fuzz) = &report.fuzz {
        rows.extend(fuzz.by_suite.iter().map(|(suite, score)| row(&format!("{suite}, variants"), score)));
        rows.push(row("all variants", &fuzz.score));
    }
    table::print_fitting(&rows);
    if let Some(fuzz) = &report.fuzz {
        print_fuzz(fuzz);
    }
    for prompt in &report.prompts {
        anstream::eprintln!(
            "{}: {} of {} succeeded, {} of the subtasks completed, {:.1} regenerations, {:.1} model invocations, screen not \
             used {} times, progress lost {} times, {}, context exceeded: not applicable, {}",
            prompt.case,
            percent(prompt.success_rate),
            plural(prompt.runs, "run"),
            percent(prompt.subtasks_completed),
            prompt.regenerations,
            prompt.model_invocations,
            prompt.screen_not_used,
            prompt.progress_lost,
            plural(prompt.false_positives, "false positive"),
            plural(prompt.different_ways, "different way"),
        );
    }
    let wrong = report.results.iter().filter(|result| result.ending != Ending::Right).count();
    anstream::eprintln!("{} did not end as the suite has it", plural(wrong, "run"));
}

/// How many variants ended as the runs they are variants of, by what was changed.
fn print_fuzz(fuzz: &FuzzReport) {
    let runs = fuzz.results.len();
    anstream::eprintln!(
        "{} of {} ended as without the changes; seeds {} to {}",
        fuzz.kept,
        plural(runs, "variant"),
        fuzz.seed,
        fuzz.seed.wrapping_add(fuzz.variants.saturating_sub(1)),
    );
    for (change, told) in &fuzz.by_change {
        anstream::eprintln!("  {change}: {} of {}", told.kept, told.runs);
    }
}
