//! Arguments of the commands that begin a workspace.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Where; what is there already stays as it is
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

/// A form that has a JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaChoice {
    /// A case file
    Case,
    /// A declarative app
    App,
    /// result.json
    Result,
    /// manifest.json
    Manifest,
}

/// `report …`.
#[derive(Debug, Subcommand)]
pub enum ReportCommand {
    /// Make one page of many runs: what did not pass by its cause, and every case with its latest runs
    Merge {
        /// Folders of runs, as `--output` of `run` and `gate` leave them [default: runs/ of the workspace]
        #[arg(value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// The page [default: index.html in the first folder]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Pack all of a run into one zip: report, events, screens, device log
    Bundle {
        /// A run's folder, a run's id, or `latest`
        #[arg(value_name = "RUN", default_value = "latest")]
        run: String,
        /// The file [default: <CASE>-<RUN>.zip]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}
