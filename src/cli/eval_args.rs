//! Arguments of `eval …`: how well perception, ranking and agent do, measured.

use super::args::only_agent;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `eval …`.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Try the tasks that people did on recorded apps
    Recorded(EvalRecordedArgs),
    /// Find the links inside texts
    Links(EvalLinksArgs),
    /// Put labelled instructions to the ranking
    Ranking(EvalRankingArgs),
    /// Run the cases of suites on virtual devices in this process
    Suite(EvalSuiteArgs),
    /// Compare single decisions of the pipeline with the walkthroughs of suites
    Decisions(EvalDecisionsArgs),
    /// Replay the scripts of suites, with repair, on the next versions of their apps
    Repairs(EvalRepairsArgs),
}

/// `eval repairs`.
#[derive(Debug, Args)]
pub struct EvalRepairsArgs {
    /// Suites, or folders that hold some
    #[arg(value_name = "DIR", required = true)]
    pub suites: Vec<PathBuf>,
    /// Only this case (repeatable)
    #[arg(long = "case", value_name = "ID")]
    pub cases: Vec<String>,
    /// Only this kind of change of the apps (repeatable)
    #[arg(long = "change", value_enum, value_name = "KIND")]
    pub changes: Vec<ChangeChoice>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How an app changes from one version to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ChangeChoice {
    /// Other ids, which say nothing
    Renamed,
    /// Rows and buttons beside each other change places
    Moved,
    /// Labels in other words
    Reworded,
    /// A page nobody knew
    Inserted,
}

/// `eval ranking`.
#[derive(Debug, Args)]
pub struct EvalRankingArgs {
    /// Labelled instructions: lines of `{id, screen, hierarchy, instruction, lang, style, skill, bounds, also_ok, text}`
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Measure this model of the manifest (repeatable) [default: the one in use]
    #[arg(long = "model", value_name = "NAME")]
    pub models: Vec<String>,
    /// Fail when a measured model is worse than this one by more than chance explains
    #[arg(long, value_name = "NAME")]
    pub at_least_as_good_as: Option<String>,
    /// Also tell the figures of the screens that have neither app nor texts in common with these labels' screens
    #[arg(long, value_name = "FILE")]
    pub apart_from: Option<PathBuf>,
    /// Only the first so many labels
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Write a report and the wrong answers, drawn, to this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `eval links`.
#[derive(Debug, Args)]
pub struct EvalLinksArgs {
    /// Labelled screens: lines of {screen, hierarchy, screenshot, links: [{text, boxes}]}
    #[arg(value_name = "FILE", required_unless_present = "generated")]
    pub file: Option<PathBuf>,
    /// Measure on this many drawn paragraphs instead, in all scripts and styles
    #[arg(long, value_name = "N", conflicts_with = "file")]
    pub generated: Option<usize>,
    /// Which paragraphs: 1 are those that the search was developed on, any other number gives unseen ones
    #[arg(long, value_name = "N", requires = "generated", default_value_t = crate::evaluation::DEVELOPMENT_SEED)]
    pub seed: u64,
    /// Leave the text in links unread
    #[arg(long)]
    pub unread: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `eval suite`.
#[derive(Debug, Args)]
pub struct EvalSuiteArgs {
    /// Suites, or folders that hold some
    #[arg(value_name = "DIR", required = true)]
    pub suites: Vec<PathBuf>,
    /// Only this case (repeatable)
    #[arg(long = "case", value_name = "ID")]
    pub cases: Vec<String>,
    /// Only devices in this language (repeatable)
    #[arg(long = "locale", value_name = "LOCALE")]
    pub locales: Vec<String>,
    /// Leave languages to the model, as if the apps had no tables of their texts
    #[arg(long)]
    pub no_strings: bool,
    /// At most this many devices and seeds of each run of a case
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// This many seeds instead of those the suite names
    #[arg(long, value_name = "N")]
    pub seeds: Option<u64>,
    /// This many variants of each run that must end the same: other ids, rows, displays, words …
    #[arg(long, value_name = "N")]
    pub fuzz: Option<u64>,
    /// Seed of the first variant; the others' follow it
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "fuzz")]
    pub seed: u64,
    /// Taken for old commands: there is one agent
    #[arg(long, value_name = "AGENT", value_parser = only_agent, hide = true)]
    pub agent: Option<String>,
    /// Weights of the pipeline's policy instead of those that ship: a file that `eval decisions --fit` wrote
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Keep maps of the apps in this folder, as a workspace does: each run finds its way by what those before it saw
    #[arg(long, value_name = "DIR")]
    pub maps: Option<PathBuf>,
    /// Explore an app that has no map yet by this many actions, before its first run
    #[arg(long, value_name = "N", default_value_t = 0, requires = "maps")]
    pub explore: u32,
    /// Keep the runs' recordings in this folder
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write the report to this file as well
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `eval decisions`.
#[derive(Debug, Args)]
pub struct EvalDecisionsArgs {
    /// Suites, or folders that hold some
    #[arg(value_name = "DIR", required_unless_present_any = ["recordings", "decisions"])]
    pub suites: Vec<PathBuf>,
    /// Decisions that `--examples` wrote, in place of playing again (repeatable)
    #[arg(long = "decisions", value_name = "FILE")]
    pub decisions: Vec<PathBuf>,
    /// Recorded apps, or folders that hold some: the decisions of their tasks, as goals and as steps (repeatable)
    #[arg(long = "recorded", value_name = "DIR")]
    pub recordings: Vec<PathBuf>,
    /// Only this case (repeatable)
    #[arg(long = "case", value_name = "ID")]
    pub cases: Vec<String>,
    /// Weights of the policy instead of those that ship: a file that `--fit` wrote
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Write every decision with its options and features to this file: a header, then one line of JSON each
    #[arg(long, value_name = "FILE")]
    pub examples: Option<PathBuf>,
    /// Write the decisions as they come with the program, without words and without what nobody would choose, packed by gzip
    #[arg(long, value_name = "FILE.jsonl.gz")]
    pub lean: Option<PathBuf>,
    /// Fit the policy's weights, each app and each family left out once, and write those fitted to all apps to this file, with their
    /// standard errors; FILE.fits keeps what is finished, and the same command goes on after an interruption
    #[arg(long, value_name = "FILE")]
    pub fit: Option<PathBuf>,
    /// Tell what each feature earns on families that are left out, and name those that earn nothing
    #[arg(long, requires = "fit")]
    pub ablate: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `eval recorded`.
#[derive(Debug, Args)]
pub struct EvalRecordedArgs {
    /// Recorded apps, or folders that hold some
    #[arg(value_name = "DIR", required = true)]
    pub recordings: Vec<PathBuf>,
    /// What the agent is given
    #[arg(long, value_enum, default_value_t = EvalMode::Goal)]
    pub mode: EvalMode,
    /// Without a map of what exploration has found
    #[arg(long)]
    pub no_map: bool,
    /// Taken for old commands: there is one agent
    #[arg(long, value_name = "AGENT", value_parser = only_agent, hide = true)]
    pub agent: Option<String>,
    /// Only this task (repeatable)
    #[arg(long = "task", value_name = "ID")]
    pub tasks: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What the agent is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvalMode {
    /// The task's goal
    Goal,
    /// The task's steps, one after another
    Steps,
}
