//! What the agent takes beside the device: time a step and an action once everything is warm, and memory of a running case.
//!
//! ```text
//! cargo bench --bench agent -- [--suite FOLDER] [--case ID …] [--rounds N]
//! ```
//!
//! Cases run by the product's own executor on virtual devices in this process. What the devices themselves take (drawing,
//! dumping, their shell) is measured by them and is left out of the times. It cannot be left out of the memory, which is
//! therefore an upper bound: the largest resident size while the case runs, its devices included, less the size before it.

use clap::Parser;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tapwright::app::{Environment, Workspace};
use tapwright::case::Rewriter;
use tapwright::evaluation::FittedOn;
use tapwright::evaluation::suite::{Ending, Examination, RunReport, Selection, Suite};
use tokio_util::sync::CancellationToken;

#[derive(Parser)]
struct Arguments {
    /// A suite; the first run of each of its cases on a clean app is taken.
    #[arg(long, default_value = "tests/suites/first_light")]
    suite: PathBuf,
    /// Only these cases.
    #[arg(long = "case")]
    cases: Vec<String>,
    /// Warm rounds that are measured, after a cold one.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Passed by cargo; means nothing here.
    #[arg(long, hide = true)]
    bench: bool,
}

type Failure = Box<dyn std::error::Error>;

/// One round over all cases.
#[derive(Default)]
struct Round {
    /// Milliseconds beside the device's own, steps and actions.
    overhead: f64,
    steps: usize,
    actions: u64,
    decisions: Vec<f64>,
    /// KiB that each case grew by at most, with its devices.
    memory: Vec<u64>,
    wrong: usize,
}

impl Round {
    fn add(&mut self, result: &RunReport) {
        self.overhead += result.cost.overhead_ms;
        self.steps += result.steps.len();
        self.actions += result.cost.actions;
        self.decisions.extend(&result.cost.decisions);
        self.wrong += usize::from(result.ending != Ending::Right);
    }

    fn a_step(&self) -> f64 {
        self.overhead / self.steps.max(1) as f64
    }

    fn an_action(&self) -> f64 {
        self.overhead / self.actions.max(1) as f64
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = Workspace::open(Some(root), Environment::read())?;
    let judgement = workspace.judgement()?;
    let skills = workspace.skills()?;
    let rewriter = Rewriter::bundled()?;
    let examination = Examination {
        judgement: &judgement,
        skills: &skills,
        rewriter: &rewriter,
        link_colours: &[],
        reader: Some(Arc::new(workspace.reader())),
        strings: None,
        output: None,
        fitted_on: FittedOn::bundled()?,
        cancel: CancellationToken::new(),
    };
    let mut suite = Suite::load(&root.join(&arguments.suite))?;
    suite.runs.retain(|run| run.switches.iter().all(|switch| !switch.contains(":bug.")));
    let mut taken = Vec::new();
    for case in &suite.cases {
        let id = case.id.to_string();
        if arguments.cases.is_empty() || arguments.cases.contains(&id) {
            taken.push(id);
        }
    }
    if taken.is_empty() {
        return Err(format!("{} has no such case", arguments.suite.display()).into());
    }
    let suites = [suite];
    let loaded = resident("VmRSS:");
    let mut rounds = Vec::new();
    for _ in 0..=arguments.rounds {
        let mut round = Round::default();
        for case in &taken {
            let selection =
                Selection { cases: vec![case.clone()], limit: Some(1), seeds: Some(1), ..Selection::default() };
            forget_peak();
            let before = resident("VmRSS:");
            let report = examination.of(&suites, &selection, &mut |_| {}).await?;
            round.memory.push(resident("VmHWM:").saturating_sub(before));
            report.results.iter().for_each(|result| round.add(result));
        }
        rounds.push(round);
    }
    let cold = rounds.remove(0);
    println!(
        "{} cases, {} steps, {} actions a round; {} runs of the cold round did not end as they should",
        taken.len(),
        cold.steps,
        cold.actions,
        cold.wrong
    );
    println!("overhead beside the device     cold      warm, median of {} rounds (least to most)", rounds.len());
    println!("  ms a step              {:>10.1}  {}", cold.a_step(), spread(&rounds, &Round::a_step));
    println!("  ms an action           {:>10.1}  {}", cold.an_action(), spread(&rounds, &Round::an_action));
    let median = |round: &Round| quantile(&round.decisions, 0.5);
    let slow = |round: &Round| quantile(&round.decisions, 0.95);
    println!("  ms a decision, median  {:>10.1}  {}", median(&cold), spread(&rounds, &median));
    println!("  ms a decision, p95     {:>10.1}  {}", slow(&cold), spread(&rounds, &slow));
    let most = |round: &Round| round.memory.iter().copied().max().unwrap_or_default() as f64 / 1024.0;
    println!("memory of a running case with its devices, MB");
    println!("  most                   {:>10.1}  {}", most(&cold), spread(&rounds, &most));
    println!("  the process with the models loaded, before any case: {:.1} MB", loaded as f64 / 1024.0);
    Ok(())
}

fn spread(rounds: &[Round], of: &dyn Fn(&Round) -> f64) -> String {
    let all: Vec<f64> = rounds.iter().map(of).collect();
    let (least, most) = (quantile(&all, 0.0), quantile(&all, 1.0));
    format!("{:>8.1} ({least:.1} to {most:.1})", quantile(&all, 0.5))
}

fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

/// KiB, as Linux tells them; zero elsewhere.
fn resident(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

/// The largest resident size is counted anew from here; where that cannot be asked for, it is one since the beginning.
fn forget_peak() {
    if std::fs::write("/proc/self/clear_refs", "5").is_err() {
        eprintln!("the peak of memory cannot be set back here: what follows is one since the start");
    }
}
