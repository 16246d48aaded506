//! The composition root: the only place that names concrete types and reads the environment.

mod config;
mod connector;
mod environment;
mod reports;
mod serve_settings;
mod tables;
mod telemetry;
mod workspace;

use crate::cli::{self, Cli, Exit};
use clap::Parser;
use std::process::ExitCode;
use telemetry::Telemetry;
use tracing_subscriber::Layer as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

pub use config::{Config, ConfigError, Folders, ModelConfig};
pub use environment::{Collector, Environment, Github};
pub use serve_settings::{Chosen, Origin, ServeFlags, ServeSettings, is_url};
pub use workspace::{ChoiceError, Workspace};

/// Entry point of the `tapwright` command.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let environment = Environment::read();
    let telemetry = match init_tracing(cli.verbose, &environment) {
        Ok(telemetry) => telemetry,
        Err(reason) => {
            anstream::eprintln!("error: {reason}");
            return Exit::Usage.into();
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            anstream::eprintln!("error: the async runtime could not be started: {error}");
            return Exit::Infrastructure.into();
        }
    };
    let outcome = runtime.block_on(async {
        tables::verify().map_err(cli::Failure::usage)?;
        let workspace = Workspace::open(cli.workspace.as_deref(), environment).map_err(cli::Failure::usage)?;
        Box::pin(cli::dispatch(cli.command, &workspace)).await
    });
    // A blocked thread (a hung file system) must not keep the process from ending.
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    drop(telemetry);
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{style}error:{style:#} {}", failure.message);
            failure.exit.into()
        }
    }
}

/// Logs go to stderr; `TAPWRIGHT_LOG` (for example `tapwright=debug`) overrides `-v`. Where the environment names a collector of
/// OpenTelemetry, spans of runs and devices go there as well.
///
/// # Errors
/// The collector's address makes no sense.
fn init_tracing(verbose: u8, environment: &Environment) -> Result<Option<Telemetry>, String> {
    let default = match verbose {
        0 => "warn",
        1 => "tapwright=info,warn",
        2 => "tapwright=debug,info",
        _ => "trace",
    };
    let filter = tracing_subscriber::EnvFilter::new(environment.log.as_deref().unwrap_or(default));
    let logs = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false).with_filter(filter);
    let telemetry = environment.collector.as_ref().map(Telemetry::new).transpose()?;
    let spans = telemetry.as_ref().map(Telemetry::layer);
    tracing_subscriber::registry().with(logs).with(spans).init();
    Ok(telemetry)
}
