//! Arguments, exit codes and the console.

mod args;
mod exit;

pub use args::{
    CasesCommand, Cli, Command, DataArgs, DemoArgs, EmulateArgs, ModelsCommand, ReplayArgs, RunArgs, ScriptsCommand,
    ServeArgs, WidgetsArgs, WidgetsFormat,
};
pub use exit::{Exit, Failure};
