//! What `gate` is given.

use super::param_args::ParamArgs;
use crate::case::parse_duration;
use crate::gate::{FlakyResult, Shard};
use crate::run::InstallWay;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// `gate`.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// Which cases
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// How they are run
    #[command(flatten)]
    pub running: RunningArgs,
    /// What is left behind
    #[command(flatten)]
    pub outputs: OutputArgs,
    /// Print the manifest as JSON
    #[arg(long)]
    pub json: bool,
}

/// Which cases a gate runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub struct SelectionArgs {
    /// Case ids or case files [default: all cases of the workspace]
    #[arg(value_name = "ID|FILE")]
    pub cases: Vec<String>,
    /// Cases with this tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Of these only what may be broken by changes since this revision: cases whose `touches:` name a changed path, whose own
    /// file, app or script changed, or that say nothing of what touches them
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
    /// Of these only what did not pass, or was not run, in the last gate
    #[arg(long)]
    pub last_failed: bool,
    /// Of these only this machine's share, such as 1/4
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// What it means when no case is left
    #[arg(long, value_enum, value_name = "RESULT", default_value_t = NoCases::Fail)]
    pub no_cases: NoCases,
}

/// How a gate runs them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub struct RunningArgs {
    /// Run on this device (repeatable); `all` takes every one that is ready [default: `ANDROID_SERIAL`, or the only one]
    #[arg(long = "device", short = 's', value_name = "SERIAL")]
    pub devices: Vec<String>,
    /// Test this build: the app file of a package, or of the only package of the cases (repeatable)
    #[arg(long = "apk", value_name = "[PACKAGE=]FILE")]
    #[expect(rustdoc::broken_intra_doc_links, reason = "brackets mean optional parts, in the words of a command line")]
    pub apks: Vec<String>,
    /// How a build comes onto a device
    #[arg(long, value_enum, value_name = "WAY", default_value_t = InstallChoice::Over)]
    pub install: InstallChoice,
    /// Who carries a case out
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = Policy::Script)]
    pub policy: Policy,
    /// Try a case that did not pass so often again
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["repeat_each", "until_failure"])]
    pub retries: u32,
    /// Try every case so often, whatever comes of it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat_each: u32,
    /// Repeat everything until something does not pass
    #[arg(long, conflicts_with = "repeat_each")]
    pub until_failure: bool,
    /// Begin no further case once one has not passed
    #[arg(long)]
    pub fail_fast: bool,
    /// The most time: `90s`, `10m`; what runs then is called off
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_budget: Option<Duration>,
    /// What a case means that passed only sometimes
    #[arg(long, value_enum, value_name = "RESULT", default_value_t = FlakyChoice::Pass)]
    pub flaky: FlakyChoice,
    /// Values of parameters
    #[command(flatten)]
    pub params: ParamArgs,
    /// Seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// What a gate leaves behind.
#[derive(Debug, Args)]
#[command(next_help_heading = "Results")]
pub struct OutputArgs {
    /// Keep recordings and the gate's folder here [default: runs/ of the workspace]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write a `JUnit` report to this file
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write Allure results into this folder, a file for each attempt
    #[arg(long, value_name = "DIR")]
    pub allure: Option<PathBuf>,
    /// Write the manifest to this file as well
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Write a summary as Markdown to this file
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// Compare with the manifest of an earlier gate (repeatable: those of its shards)
    #[arg(long, value_name = "FILE")]
    pub baseline: Vec<PathBuf>,
    /// Which failures count; `new` leaves those out that the baseline has, too
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = FailOn::Any)]
    pub fail_on: FailOn,
    /// Annotations for a build server, and the step summary that goes with them
    #[arg(long, value_enum, value_name = "FOR", default_value_t = Annotations::Auto)]
    pub annotations: Annotations,
    /// Run this shell command for each case that did not pass; `$1` is a folder with all that is needed to look into it
    #[arg(long, value_name = "COMMAND")]
    pub on_failure: Option<String>,
}

/// Who carries a case out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// Its script; the agent where there is none, and where the script cannot go on
    Script,
    /// The agent
    Agent,
    /// Its script, repaired where it does not fit any more; the agent where there is none, and where it cannot be repaired
    Repair,
}

impl Policy {
    /// As the manifest has it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Agent => "agent",
            Self::Repair => "repair",
        }
    }
}

/// How a build comes onto a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InstallChoice {
    /// Over what is there; the app's data is cleared
    Over,
    /// Onto a device that does not have the app: what is there is removed first
    Fresh,
    /// Over the build that the case names, which is installed and started before; its data is kept
    Upgrade,
}

impl InstallChoice {
    /// What a gate says of it; nothing where it is as usual.
    pub const fn told(self) -> &'static str {
        match self {
            Self::Over => "",
            Self::Fresh => "; freshly installed",
            Self::Upgrade => "; upgraded from the build that each case names",
        }
    }
}

impl From<InstallChoice> for InstallWay {
    fn from(choice: InstallChoice) -> Self {
        match choice {
            InstallChoice::Over => Self::Over,
            InstallChoice::Fresh => Self::Fresh,
            InstallChoice::Upgrade => Self::Upgrade,
        }
    }
}

/// What it means when no case is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NoCases {
    /// Nothing to do is fine: exit code 0
    Pass,
    /// A mistake, probably: exit code 4
    Fail,
}

/// What a flaky case means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FlakyChoice {
    /// As good as a pass
    Pass,
    /// As bad as a failure
    Fail,
}

impl From<FlakyChoice> for FlakyResult {
    fn from(choice: FlakyChoice) -> Self {
        match choice {
            FlakyChoice::Pass => Self::Pass,
            FlakyChoice::Fail => Self::Fail,
        }
    }
}

/// Which failures count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// All
    Any,
    /// Those that the baseline does not have
    New,
}

/// For whom annotations are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Annotations {
    /// GitHub, where the gate runs there
    Auto,
    /// GitHub
    Github,
    /// Nobody
    Off,
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|error| error.to_string())
}
