//! The composition root: the only place that names concrete types and reads the environment.

mod config;
mod connector;
mod environment;
mod reports;
mod serve_settings;
mod tables;
mod workspace;

use crate::cli::{self, Cli, Exit};
use clap::Parser;
use std::process::ExitCode;

pub use config::{Config, ConfigError, Folders, ModelConfig};
pub use environment::{Environment, Github};
pub use serve_settings::{Chosen, Origin, ServeFlags, ServeSettings, is_url};
pub use workspace::{ChoiceError, Workspace};

/// Entry point of the `tapwright` command.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let environment = Environment::read();
    init_tracing(cli.verbose, environment.log.as_deref());
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
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{style}error:{style:#} {}", failure.message);
            failure.exit.into()
        }
    }
}

/// Logs go to stderr; `TAPWRIGHT_LOG` (for example `tapwright=debug`) overrides `-v`.
fn init_tracing(verbose: u8, filter: Option<&str>) {
    let default = match verbose {
        0 => "warn",
        1 => "tapwright=info,warn",
        2 => "tapwright=debug,info",
        _ => "trace",
    };
    let filter = tracing_subscriber::EnvFilter::new(filter.unwrap_or(default));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).init();
}
