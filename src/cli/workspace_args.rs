//! Arguments of the commands that begin a workspace.

use clap::{Args, ValueEnum};
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
