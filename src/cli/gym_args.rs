//! Arguments of `gym …`: many suites played at once, and what came of them.

use super::args::only_agent;
use clap::{Args, Subcommand};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// `gym …`.
#[derive(Debug, Subcommand)]
pub enum GymCommand {
    /// Play suites on several threads, and keep each run in a file that goes on where it was interrupted
    ///
    /// A developer's tool. `cargo run -p tapwright-gym -- generate --seeds 0..50 --split train --out DIR` makes suites of generated apps; any
    /// others can be played too.
    Play(GymPlayArgs),
    /// Tell how runs that were played ended, by family, operation, register of the wording, language and surface
    Report(GymReportArgs),
    /// Write the decisions of suites' walkthroughs with all that could have been done, to a file that goes on where it was interrupted
    ///
    /// `tapwright eval decisions --decisions FILE --fit WEIGHTS` fits the policy to them.
    Examples(GymExamplesArgs),
}

/// What is played, and how.
#[derive(Debug, Args)]
pub struct GymArgs {
    /// Suites, or folders that hold some
    #[arg(value_name = "DIR", required = true)]
    pub suites: Vec<PathBuf>,
    /// Only this case (repeatable)
    #[arg(long = "case", value_name = "ID")]
    pub cases: Vec<String>,
    /// Threads to play on
    #[arg(long, value_name = "N", default_value = "2")]
    pub threads: NonZeroUsize,
    /// Weights of the pipeline's policy instead of those that ship: a file that `eval decisions --fit` wrote
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Draw the pictures that links and drawn texts are found in; needs several times the time
    #[arg(long)]
    pub pictures: bool,
}

/// `gym play`.
#[derive(Debug, Args)]
pub struct GymPlayArgs {
    /// What is played.
    #[command(flatten)]
    pub gym: GymArgs,
    /// Keep the runs in this file; what it holds already is not played again
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// At most this many devices and seeds of each run of a case
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Taken for old commands: there is one agent
    #[arg(long, value_name = "AGENT", value_parser = only_agent, hide = true)]
    pub agent: Option<String>,
}

/// `gym report`.
#[derive(Debug, Args)]
pub struct GymReportArgs {
    /// Files that `gym play` wrote; a run that several hold counts as the last one has it
    #[arg(value_name = "FILE", required = true)]
    pub plays: Vec<PathBuf>,
    /// Only groups of this facet: family, op, register, language, navigation … (repeatable)
    #[arg(long = "by", value_name = "FACET")]
    pub facets: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `gym examples`.
#[derive(Debug, Args)]
pub struct GymExamplesArgs {
    /// What is played.
    #[command(flatten)]
    pub gym: GymArgs,
    /// Write the decisions to this file, and beside it (FILE.progress) which cases it holds; those are not played again
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}
