//! Arguments, exit codes and the commands. Data goes to stdout, progress to stderr.

mod args;
mod commands;
mod device_state;
mod eval_args;
mod exit;
mod farm_args;
mod gate_args;
mod gym_args;
mod param_args;
mod script_args;
mod table;
mod terminal;
mod workspace_args;

pub use args::{
    CasesCommand, Cli, Command, DataArgs, DemoArgs, EmulateArgs, ExploreArgs, InstallArgs, ModelsCommand,
    RecordingsCommand, ReplayArgs, RunArgs, TrainCommand, TrainExportArgs, TrainPolicyArgs, TrainTextsArgs,
    TrainWeightsArgs, WhyArgs, WidgetsArgs, WidgetsFormat,
};
pub use commands::dispatch;
pub use device_state::{ClockChoice, DeviceStateArgs};
pub use eval_args::{
    ChangeChoice, EvalCommand, EvalDecisionsArgs, EvalLinksArgs, EvalMode, EvalRankingArgs, EvalRecordedArgs,
    EvalRepairsArgs, EvalSuiteArgs,
};
pub use exit::{Exit, Failure};
pub use farm_args::{
    BackupArgs, ConfigCommand, DatabaseArgs, DoctorArgs, NightCommand, NightSelection, RemoteArgs, ScheduleCommand,
    ServeArgs, TokenCommand,
};
pub use gate_args::GateArgs;
pub use gym_args::{GymArgs, GymCommand, GymExamplesArgs, GymPlayArgs, GymReportArgs};
pub use param_args::ParamArgs;
pub use script_args::{ImportArgs, RecordArgs, RepairChoice, ScriptFormat, ScriptsCommand};
pub use workspace_args::{InitArgs, ReportCommand, SchemaChoice};
