//! `tapwright serve`.

use super::signals::Signals;
use crate::adb::Pulse;
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ServeArgs};
use crate::daemon::{Daemon, Vault};
use crate::run::{Recordings, ScriptFirst};
use crate::store::SqliteStore;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;

/// Runs the daemon until it is told to stop: in order at the first SIGTERM or SIGINT, at once at the second.
pub(super) async fn serve(args: ServeArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    if !args.listen.ip().is_loopback() {
        return Err(Failure::usage(format!(
            "the daemon listens only on loopback, because it has no authentication; {} is not: use 127.0.0.1 or [::1]",
            args.listen
        )));
    }
    let database = args.database.unwrap_or_else(|| workspace.database());
    if let Some(folder) = database.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::infrastructure(format!("{}: {error}", folder.display())))?;
    }
    let launcher = workspace.launcher(Vec::new(), workspace.places(None)).map_err(Failure::usage)?;
    let launcher = ScriptFirst { launcher, scripts: workspace.scripts(), policy: workspace.daemon().scripts };
    let store = SqliteStore::open(&database).await.map_err(Failure::infrastructure)?;
    let server = workspace.server().await?;
    let devices =
        server.track_alive(workspace.adb_binary(), Pulse::default()).await.map_err(Failure::infrastructure)?;
    let listener = TcpListener::bind(args.listen).await.map_err(|error| {
        Failure::infrastructure(format!(
            "cannot listen on {}: {error}; stop what listens there or choose another address with --listen",
            args.listen
        ))
    })?;
    let address = listener.local_addr().map_err(Failure::infrastructure)?;
    let signals = Signals::listen().map_err(Failure::infrastructure)?;
    anstream::eprintln!("tapwright daemon: http://{address}/  (stop with Ctrl-C or SIGTERM; twice: at once)");
    anstream::eprintln!("queue: {}", database.display());
    // Only now: whoever holds the database's lock holds its key, too.
    let vault = Vault::open(&key_of(&database)).map_err(Failure::infrastructure)?;
    let daemon = Daemon::default()
        .sealing(vault)
        .keeping(Recordings::new(workspace.runs()))
        .retaining(workspace.daemon().retention())
        .using(workspace.device_rules("tapwright serve"));
    let served = daemon.run(listener, Arc::new(store), Arc::new(launcher), devices, signals.stop.clone());
    tokio::pin!(served);
    let stopping = signals.stop.cancelled();
    tokio::pin!(stopping);
    let mut told = false;
    loop {
        tokio::select! {
            served = &mut served => {
                served.map_err(Failure::infrastructure)?;
                return Ok(Exit::Passed);
            }
            () = &mut stopping, if !told => {
                told = true;
                anstream::eprintln!("stopping: runs under way have 30 s to end; the signal once more stops at once");
            }
            () = signals.at_once.cancelled() => {
                anstream::eprintln!("stopped at once; runs under way are made again at the next start");
                return Ok(Exit::Interrupted);
            }
        }
    }
}

/// The key of the parameters in a database: `<database>.key`, beside the file itself where a link leads to it.
fn key_of(database: &Path) -> PathBuf {
    let database = std::fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    let mut path = database.into_os_string();
    path.push(".key");
    path.into()
}
