//! `tapwright gym`.

use super::eval_suite::{Laboratory, open};
use super::{plural, print_json};
use crate::app::Workspace;
use crate::cli::{Exit, Failure, GymArgs, GymCommand, GymExamplesArgs, GymPlayArgs, GymReportArgs, table};
use crate::evaluation::suite::{
    Examination, ExampleStore, FACET_HEADINGS, FacetReport, Pictures, PlayError, PlayPace, PlayStep, PlayStore,
    PlayTerms, Plays, Selection, Suite,
};
use crate::run::StringTables;
use crate::virtual_device::app_strings;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Plays, reports, or writes examples.
pub(super) async fn gym(command: GymCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        GymCommand::Play(args) => play(&args, workspace).await,
        GymCommand::Report(args) => report(&args),
        GymCommand::Examples(args) => examples(&args, workspace).await,
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Self {
        Self::usage(error)
    }
}

/// Suites, and the selection of their cases.
fn opened(args: &GymArgs) -> Result<(Vec<Suite>, Selection), Failure> {
    let suites = open(&args.suites)?;
    let known = |id: &str| suites.iter().any(|suite| suite.cases.iter().any(|case| case.id.as_str() == id));
    if let Some(unknown) = args.cases.iter().find(|id| !known(id)) {
        return Err(Failure::usage(format!("no suite has a case {unknown:?}; see their cases/")));
    }
    Ok((suites, Selection { cases: args.cases.clone(), ..Selection::default() }))
}

/// Model, weights and skills: each thread does its own inferences.
fn laboratory(args: &GymArgs, workspace: &Workspace) -> Result<Laboratory, Failure> {
    let workspace = workspace.clone().inferring_on(1);
    Laboratory::of(&workspace)?.with_policy(args.policy.as_deref())
}

const fn pictures(args: &GymArgs) -> Pictures {
    if args.pictures { Pictures::Drawn } else { Pictures::Omitted }
}

async fn play(args: &GymPlayArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let (suites, selection) = opened(&args.gym)?;
    let selection = Selection { limit: args.limit, ..selection };
    let laboratory = laboratory(&args.gym, workspace)?;
    let terms = PlayTerms::of(&laboratory.judgement, pictures(&args.gym));
    let mut store = PlayStore::open(&args.output, &terms)?;
    let strings = Arc::new(StringTables::new(app_strings, None));
    let examination = Examination { pictures: terms.pictures, ..laboratory.examination(Some(strings), None)? };
    let meter = Meter::new("run");
    let pace = PlayPace { threads: args.gym.threads, progress: &|step| meter.hear(step) };
    let played = tokio::task::block_in_place(|| examination.play(&suites, &selection, &mut store, &pace));
    finish(meter, played, &examination)
}

async fn examples(args: &GymExamplesArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let (suites, selection) = opened(&args.gym)?;
    let laboratory = laboratory(&args.gym, workspace)?;
    let terms = PlayTerms::of(&laboratory.judgement, pictures(&args.gym));
    let mut store = ExampleStore::open(&args.output, &terms)?;
    let examination = Examination { pictures: terms.pictures, ..laboratory.examination(None, None)? };
    let meter = Meter::new("lesson");
    let pace = PlayPace { threads: args.gym.threads, progress: &|step| meter.hear(step) };
    let collected = tokio::task::block_in_place(|| examination.collect(&suites, &selection, &mut store, &pace));
    let exit = finish(meter, collected, &examination)?;
    let kept = store.kept();
    for (case, why) in &kept.stopped {
        anstream::eprintln!("{case}: the lesson ended early: {why}");
    }
    anstream::eprintln!(
        "{} of {} in {}; {} ended early",
        plural(kept.decisions, "decision"),
        plural(kept.cases, "case"),
        args.output.display(),
        plural(kept.stopped.len(), "lesson"),
    );
    Ok(exit)
}

/// Tells how fast it went, and how to go on after an interruption.
fn finish(meter: Meter, played: Result<(), PlayError>, examination: &Examination<'_>) -> Result<Exit, Failure> {
    meter.end();
    played?;
    if meter.wanted.load(Ordering::Relaxed) == 0 {
        return Err(Failure::nothing_selected("no run of these suites was selected: see --case and --limit"));
    }
    if examination.cancel.is_cancelled() {
        anstream::eprintln!("interrupted; the same command goes on");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Passed)
}

fn report(args: &GymReportArgs) -> Result<Exit, Failure> {
    let plays = Plays::read(&args.plays)?;
    if plays.runs.is_empty() {
        return Err(Failure::nothing_selected("these files hold no runs: play some by `tapwright gym play`"));
    }
    let report = plays.report();
    let all = FacetReport::of(report.clone(), &[]);
    if let Some(unknown) = args.facets.iter().find(|facet| !all.facets().contains(&facet.as_str())) {
        let known = all.facets().join(", ");
        return Err(Failure::usage(format!("no case is tagged with a facet {unknown:?}; there are {known}")));
    }
    let report = FacetReport::of(report, &args.facets);
    if args.json {
        print_json(&report)?;
    } else {
        let mut rows = vec![FACET_HEADINGS.map(str::to_owned).to_vec()];
        rows.extend(report.table());
        table::print_fitting(&rows);
    }
    for (path, terms) in &plays.terms {
        let PlayTerms { tapwright, agent, weights, model, .. } = terms;
        anstream::eprintln!("{}: Tapwright {tapwright}, {agent}, weights {weights}, model {model}", path.display());
    }
    Ok(Exit::Passed)
}

/// How far and how fast it goes.
struct Meter {
    noun: &'static str,
    bar: ProgressBar,
    began: Instant,
    wanted: AtomicUsize,
    known: AtomicUsize,
    done: AtomicUsize,
    decisions: AtomicUsize,
}

impl Meter {
    /// A bar that a terminal shows and a pipe does not.
    fn new(noun: &'static str) -> Self {
        let shape = "[{bar:30}] {pos}/{len} {msg}, {eta} left";
        let style = ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(0).with_style(style.progress_chars("=> "));
        bar.enable_steady_tick(Duration::from_millis(500));
        let [wanted, known, done, decisions] = [const { AtomicUsize::new(0) }; 4];
        Self { noun, bar, began: Instant::now(), wanted, known, done, decisions }
    }

    fn hear(&self, step: PlayStep) {
        match step {
            PlayStep::Begun { wanted, known } => {
                self.wanted.store(wanted, Ordering::Relaxed);
                self.known.store(known, Ordering::Relaxed);
                self.bar.set_length(wanted as u64);
                self.bar.set_position(known as u64);
                self.bar.reset_eta();
            }
            PlayStep::Done { decisions } => {
                self.done.fetch_add(1, Ordering::Relaxed);
                self.decisions.fetch_add(decisions, Ordering::Relaxed);
                self.bar.inc(1);
                self.bar.set_message(self.rate());
            }
        }
    }

    /// Decisions, and runs or lessons, a second.
    fn rate(&self) -> String {
        let seconds = self.began.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
        let each = |count: &AtomicUsize| count.load(Ordering::Relaxed) as f64 / seconds;
        format!("{:.0} decisions/s, {:.1} {}s/s", each(&self.decisions), each(&self.done), self.noun)
    }

    fn end(&self) {
        self.bar.finish_and_clear();
        let (done, known) = (self.done.load(Ordering::Relaxed), self.known.load(Ordering::Relaxed));
        anstream::eprintln!(
            "{} with {} in {:.1} s: {}; {known} were there",
            plural(done, self.noun),
            plural(self.decisions.load(Ordering::Relaxed), "decision"),
            self.began.elapsed().as_secs_f64(),
            self.rate(),
        );
    }
}
