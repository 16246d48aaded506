//! `tapwright eval suite`.

use super::{interruption, plural, print_json};
use crate::app::Workspace;
use crate::case::Rewriter;
use crate::cli::{EvalSuiteArgs, Exit, Failure, table};
use crate::evaluation::FittedOn;
use crate::evaluation::suite::{
    Ending, Examination, Expected, Fuzz, FuzzReport, GROUP_HEADINGS, KnownApps, Pictures, RunReport, SUITE_HEADINGS,
    Selection, Suite, SuiteReport, Unasked, page,
};
use crate::pipeline::PolicyWeights;
use crate::run::{Judgement, StringTables};
use crate::skill::Library;
use crate::virtual_device::app_strings;
use crate::vision::TextReader;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the profile of virtual devices.
pub(super) const PROFILE: &str = "virtual-phone";

/// Runs suites. What was measured is printed whatever it is; only infrastructure trouble makes the command fail.
pub(super) async fn suite(args: EvalSuiteArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let suites = open(&args.suites)?;
    let known = |id: &str| suites.iter().any(|suite| suite.cases.iter().any(|case| case.id.as_str() == id));
    if let Some(unknown) = args.cases.iter().find(|id| !known(id)) {
        return Err(Failure::usage(format!("no suite has a case {unknown:?}; see their cases/")));
    }
    let laboratory = Laboratory::of(workspace)?.with_policy(args.policy.as_deref())?;
    let strings = (!args.no_strings).then(|| Arc::new(StringTables::new(app_strings, None)));
    let mut examination = laboratory.examination(strings, args.output.clone())?;
    examination.known = args.maps.map(|folder| KnownApps { folder, explored: args.explore });
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
        () if report.total.verdicts.errors > 0 => Exit::Infrastructure,
        () => Exit::Passed,
    })
}

/// The policy's weights of a file.
pub(super) fn policy_of(path: &Path) -> Result<PolicyWeights, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
    PolicyWeights::parse(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// What every examination of suites uses.
pub(super) struct Laboratory {
    /// Model, weights, cues.
    pub(super) judgement: Judgement,
    skills: Library,
    rewriter: Rewriter,
    link_colours: Vec<[u8; 3]>,
    reader: Arc<TextReader>,
}

impl Laboratory {
    /// From the workspace.
    pub(super) fn of(workspace: &Workspace) -> Result<Self, Failure> {
        let profiles = workspace.profiles().map_err(Failure::usage)?;
        let colours = profiles.iter().find(|profile| profile.name == PROFILE).map(|profile| &profile.link_colours);
        Ok(Self {
            judgement: workspace.judgement().map_err(Failure::infrastructure)?,
            skills: workspace.skills().map_err(Failure::usage)?,
            rewriter: workspace.rewriter().map_err(Failure::usage)?,
            link_colours: colours.into_iter().flatten().map(|colour| colour.0).collect(),
            reader: Arc::new(workspace.reader()),
        })
    }

    /// With the policy's weights of a file instead of those that ship.
    pub(super) fn with_policy(mut self, file: Option<&Path>) -> Result<Self, Failure> {
        if let Some(path) = file {
            self.judgement.knowledge.weights = policy_of(path)?;
        }
        Ok(self)
    }

    /// An examination that ends at Ctrl-C.
    pub(super) fn examination(
        &self,
        strings: Option<Arc<StringTables>>,
        output: Option<PathBuf>,
    ) -> Result<Examination<'_>, Failure> {
        Ok(Examination {
            judgement: &self.judgement,
            skills: &self.skills,
            rewriter: &self.rewriter,
            link_colours: &self.link_colours,
            reader: Some(Arc::clone(&self.reader)),
            strings,
            fitted_on: FittedOn::bundled().map_err(Failure::usage)?,
            output,
            known: None,
            pictures: Pictures::Drawn,
            cancel: interruption(),
        })
    }
}

fn tell(result: &RunReport) {
    let bugs = result.bugs().join(" ");
    let reason = if result.reason.is_empty() { String::new() } else { format!(": {}", result.reason) };
    let variant = result.setting.variant.as_ref().map(|variant| {
        let changes: Vec<String> = variant.changes.iter().map(ToString::to_string).collect();
        format!(" variant {} ({})", variant.seed, changes.join(", "))
    });
    anstream::eprintln!(
        "{}{}: {} ({}, {}, seed {}), {} of {} right, {}{}{reason}{}",
        result.setting.case,
        variant.unwrap_or_default(),
        result.ending.word(),
        result.verdict,
        result.setting.device,
        result.setting.seed,
        result.truth.steps_right,
        plural(result.steps_total, "step"),
        plural(usize::try_from(result.cost.actions).unwrap_or(usize::MAX), "action"),
        if bugs.is_empty() { bugs } else { format!(", {bugs}") },
        if result.truth.end_differs.is_empty() { String::new() } else { format!("; {}", result.truth.end_differs) },
    );
    for step in &result.steps {
        let truth = match step.right {
            Some(true) => "right".to_owned(),
            Some(false) => format!("wrong: {}", step.differs),
            None => "not judged".to_owned(),
        };
        tracing::info!("{}: {:?} {} ({truth}): {}", result.setting.case, step.instruction, step.verdict, step.reason);
        for action in &step.actions {
            tracing::info!("{}:     {action}", result.setting.case);
        }
    }
}

/// The suites named, or those in the folders named. A folder that holds neither is a mistake, other files are not.
pub(super) fn open(folders: &[PathBuf]) -> Result<Vec<Suite>, Failure> {
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
    let headed = |headings: &[&str], rows: Vec<Vec<String>>| {
        let mut all = vec![headings.iter().map(|heading| (*heading).to_owned()).collect::<Vec<_>>()];
        all.extend(rows);
        table::print_fitting(&all);
    };
    headed(&SUITE_HEADINGS, report.suite_rows());
    anstream::println!();
    headed(&GROUP_HEADINGS, report.group_rows());
    let percent = |share: Option<f64>| share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0));
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
    let (steps, unasked) = (report.total.steps, report.total.unasked_consequences);
    if steps.unjudged > 0 {
        let reasons: BTreeSet<&str> = clean(report).filter_map(|result| result.truth.unjudged.as_deref()).collect();
        anstream::eprintln!(
            "{} of clean runs cannot be judged by truth: {}",
            plural(steps.unjudged, "step"),
            reasons.into_iter().collect::<Vec<_>>().join("; ")
        );
    }
    anstream::eprintln!(
        "unasked_consequences: {} in {} of {}",
        unasked.total,
        unasked.runs,
        plural(report.total.clean_runs, "clean run")
    );
    for result in clean(report) {
        for unasked in &result.truth.unasked {
            let Unasked { effect, reason, step, action, .. } = unasked;
            anstream::eprintln!("  {}: {effect:?} in step {step} by {action}: {reason}", result.setting.case);
        }
    }
    let wrong = report.results.iter().filter(|result| result.ending != Ending::Right).count();
    anstream::eprintln!("{} did not end as the suite has it", plural(wrong, "run"));
}

fn clean(report: &SuiteReport) -> impl Iterator<Item = &RunReport> {
    report.results.iter().filter(|result| result.expected == Expected::Passed)
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
