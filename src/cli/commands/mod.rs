//! One file per command.

mod already_true;
mod app_check;
mod apps;
mod backup;
mod cases;
mod completions;
mod config;
mod database;
mod demo;
mod devices;
mod doctor;
mod doctor_farm;
mod emulate;
mod emulators;
mod eval;
mod eval_decisions;
mod eval_ranking;
mod eval_repairs;
mod eval_suite;
mod explore;
mod farm;
mod fit_decisions;
mod gate;
mod gym;
mod help;
mod import;
mod init;
mod mcp;
mod models;
mod night;
mod record;
mod recordings;
mod remote;
mod replay;
mod report;
mod run;
mod script_review;
mod scripts;
mod serve;
mod signals;
mod supervisor;
mod token;
mod train;
mod train_export;
mod train_policy;
mod why;
mod widgets;

use super::args::Command;
use super::exit::{Exit, Failure};
use crate::app::Workspace;
use serde::Serialize;

/// Carries a command out.
pub async fn dispatch(command: Command, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        Command::Init(args) => init::init(&args),
        Command::Schema { of } => Ok(init::schema(of)),
        Command::Run(args) => run::run(args, workspace).await,
        Command::Record(args) => Box::pin(record::record(args, workspace)).await,
        Command::Replay(args) => replay::replay(args, workspace).await,
        Command::Gate(args) => Box::pin(gate::gate(*args, workspace)).await,
        Command::Mcp => Box::pin(mcp::mcp(workspace)).await,
        Command::Serve(args) => Box::pin(serve::serve(args, workspace)).await,
        Command::Night(command) => Box::pin(night::night(command, workspace)).await,
        Command::Schedule(command) => Box::pin(night::schedule(command, workspace)).await,
        Command::Token(command) => token::token(command, workspace).await,
        Command::Devices(args) => devices::devices(&args, workspace).await,
        Command::Widgets(args) => widgets::widgets(args, workspace).await,
        Command::Why(args) => why::why(&args, workspace).await,
        Command::Cases(command) => cases::cases(command, workspace).await,
        Command::Apps(command) => apps::apps(&command),
        Command::Scripts(command) => scripts::scripts(command, workspace),
        Command::Report(command) => report::report(command, workspace),
        Command::Demo(args) => demo::demo(args, workspace).await,
        Command::Emulate(args) => emulate::emulate(args, workspace).await,
        Command::Recordings(command) => recordings::recordings(&command),
        Command::Eval(command) => Box::pin(eval::eval(command, workspace)).await,
        Command::Gym(command) => Box::pin(gym::gym(command, workspace)).await,
        Command::Train(command) => train::train(&command, workspace),
        Command::Models(command) => models::models(command, workspace).await,
        Command::Help { words } => help::help(&words),
        Command::Backup(args) => backup::backup(args, workspace).await,
        Command::Config(command) => config::config(command, workspace),
        Command::Doctor(args) => doctor::doctor(&args, workspace).await,
        Command::Completions { shell } => {
            completions::completions(shell);
            Ok(Exit::Passed)
        }
    }
}

/// Prints data as JSON on stdout.
fn print_json(data: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(data).map_err(Failure::infrastructure)?;
    anstream::println!("{text}");
    Ok(())
}

/// `1 case`, `2 cases`.
fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Fires when the process is to end: a person interrupts it, or whoever started it ends it (SIGTERM, as build servers do). From
/// the return on neither signal ends the process by itself.
fn interruption() -> tokio_util::sync::CancellationToken {
    match signals::Signals::listen() {
        Ok(signals) => signals.stop,
        Err(error) => {
            tracing::warn!(%error, "Ctrl-C and SIGTERM end this process at once");
            tokio_util::sync::CancellationToken::new()
        }
    }
}
