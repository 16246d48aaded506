//! Arguments of the commands about scripts, and of what is taken over from elsewhere.

use super::param_args::ParamArgs;
use crate::run::RepairMode;
use clap::{Args, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What to do where a script does not fit the app any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RepairChoice {
    /// End the replay: blocked
    Off,
    /// Look for what the script means, and write what led to a pass as a proposal
    Propose,
    /// The same, and make the proposal the script
    Apply,
}

impl From<RepairChoice> for RepairMode {
    fn from(choice: RepairChoice) -> Self {
        match choice {
            RepairChoice::Off => Self::Off,
            RepairChoice::Propose => Self::Propose,
            RepairChoice::Apply => Self::Apply,
        }
    }
}

/// What a script is printed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScriptFormat {
    /// A shell script that needs nothing but adb
    Sh,
    /// A Maestro flow
    Maestro,
    /// A Gherkin feature: the sentences, without how they are carried out
    Gherkin,
    /// A journey of Android Studio: the same as XML
    Journey,
    /// A Python program for an Appium server
    Appium,
    /// A Kotlin test of androidx.test.uiautomator
    Uiautomator,
}

/// `record`.
#[derive(Debug, Args)]
pub struct RecordArgs {
    /// The id of the case that comes out
    #[arg(long, value_name = "ID")]
    pub id: String,
    /// The app's application id; its data is cleared
    #[arg(long, value_name = "PACKAGE")]
    pub app: String,
    /// Install this first
    #[arg(long, value_name = "FILE")]
    pub apk: Option<PathBuf>,
    /// The case's title [default: its id]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Watch this device [default: `ANDROID_SERIAL`, or the only one]
    #[arg(long, short = 's', value_name = "SERIAL")]
    pub device: Option<String>,
    /// Write the case here [default: the workspace's folder of cases]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// `cases import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Maestro flows (`.yaml`), Gherkin features (`.feature`) and journeys of Android Studio (`.xml`)
    #[arg(value_name = "FILE", required = true)]
    pub flows: Vec<PathBuf>,
    /// The application id, where a file names none or a variable
    #[arg(long, value_name = "PACKAGE")]
    pub app: Option<String>,
    /// Values of variables.
    #[command(flatten)]
    pub params: ParamArgs,
    /// Look here, by its file's name, for a flow that another one runs and that is not where that one says
    #[arg(long = "flows", value_name = "DIR")]
    pub flows_folder: Option<PathBuf>,
    /// Write the cases here [default: the workspace's folder of cases]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// `scripts …`.
#[derive(Debug, Subcommand)]
pub enum ScriptsCommand {
    /// List recorded scripts
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make what a run proposed the script of its case
    ///
    /// A run that passes another way than its script leaves the script as it is and writes a proposal beside it.
    Accept {
        /// The case whose proposals are accepted
        #[arg(value_name = "ID")]
        case: String,
    },
    /// Throw away what a run proposed; the script of its case stays
    Reject {
        /// The case whose proposals are thrown away
        #[arg(value_name = "ID")]
        case: String,
    },
    /// Show what a proposal does otherwise than the script, or one script file otherwise than another
    Diff {
        /// The case whose proposal is compared with its script, or a script file
        #[arg(value_name = "ID|SCRIPT")]
        script: String,
        /// The script file it is compared with
        #[arg(value_name = "SCRIPT")]
        with: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check scripts: file and line of whatever is wrong or frail
    Lint {
        /// Script files, or case ids whose scripts are in scripts/ [default: all]
        #[arg(value_name = "SCRIPT|ID")]
        scripts: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make actions of a script optional, or needed again
    ///
    /// An optional action is left out of a replay where it has nothing to do: where the screen of the next action is there and
    /// its own widget is not. Its exports ask in the same way.
    Optional {
        /// A script file, or a case id whose script is in scripts/
        #[arg(value_name = "SCRIPT|ID")]
        script: String,
        /// Numbers of the actions, from 1
        #[arg(value_name = "N", required = true)]
        actions: Vec<NonZeroUsize>,
        /// They are needed again
        #[arg(long)]
        not: bool,
    },
    /// Print what repairs of a case's script changed: what was accepted, then what is proposed
    Log {
        /// The case
        #[arg(value_name = "ID")]
        case: String,
    },
    /// Print a script in another form: a shell script that needs nothing but adb, or what another tool runs
    Export {
        /// A script file, or a case id whose script is in scripts/
        #[arg(value_name = "SCRIPT|ID")]
        script: String,
        /// What to print
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ScriptFormat::Sh)]
        format: ScriptFormat,
    },
}
