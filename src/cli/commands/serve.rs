//! `tapwright serve`.

use super::database::Database;
use super::signals::Signals;
use crate::adb::Pulse;
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ServeArgs};
use crate::daemon::{Daemon, Front, Vault};
use crate::run::{Recordings, ScriptFirst, WorkspaceCatalog};
use jiff::Timestamp;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Runs the daemon until it is told to stop: in order at the first SIGTERM or SIGINT, at once at the second.
pub(super) async fn serve(args: ServeArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let front = front(&args, workspace)?;
    front.check(args.listen).map_err(Failure::usage)?;
    let database = Database::chosen(args.database, workspace);
    let launcher = workspace.launcher(Vec::new(), workspace.places(None)).map_err(Failure::usage)?;
    let launcher = Arc::new(launcher);
    let profiles = workspace.profiles().map_err(Failure::usage)?.iter().map(|profile| profile.name.clone()).collect();
    let catalog = WorkspaceCatalog { launcher: Arc::clone(&launcher), profiles, scripts: workspace.scripts() };
    let launcher = ScriptFirst { launcher, scripts: workspace.scripts(), policy: workspace.daemon().scripts };
    let store = database.open().await?;
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
    let scheme = front.scheme();
    anstream::eprintln!("tapwright daemon: {scheme}://{address}/  (stop with Ctrl-C or SIGTERM; twice: at once)");
    anstream::eprintln!("queue: {}", database.shown());
    if front.asks_for_tokens() {
        let tokens = store.tokens().await.map_err(Failure::infrastructure)?;
        if !tokens.iter().any(|token| token.is_valid(Timestamp::now())) {
            anstream::eprintln!("nobody has a token yet: `tapwright token create NAME --scope admin` makes one");
        }
    }
    // Only now: whoever holds the database's lock holds its key, too.
    let key = args.key.unwrap_or_else(|| database.key(workspace));
    let vault = Vault::open(&key).map_err(Failure::infrastructure)?;
    let daemon = Daemon::default()
        .sealing(vault)
        .keeping(Recordings::new(workspace.runs()))
        .retaining(workspace.daemon().retention())
        .behind(front)
        .named(args.host.unwrap_or_else(host_name))
        .notifying(workspace.daemon().notices().map_err(Failure::usage)?)
        .knowing(Arc::new(catalog))
        .using(workspace.device_rules("tapwright serve"));
    let served = daemon.run(listener, store, Arc::new(launcher), devices, signals.stop.clone());
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

/// How the daemon is reached: flags before `tapwright.toml`.
fn front(args: &ServeArgs, workspace: &Workspace) -> Result<Front, Failure> {
    let settings = workspace.daemon();
    let front = if args.tokens || settings.tokens { Front::default().with_tokens() } else { Front::default() };
    let own = args.tls_certificate.clone().zip(args.tls_key.clone());
    let configured = settings.tls.as_ref();
    let configured = configured.map(|tls| (workspace.root().join(&tls.certificate), workspace.root().join(&tls.key)));
    match own.or(configured) {
        Some((certificate, key)) => front.with_tls(&certificate, &key).map_err(Failure::usage),
        None => Ok(front),
    }
}

/// The system's name for this machine.
#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The system's name for this machine.
#[cfg(not(unix))]
fn host_name() -> String {
    "local".to_owned()
}
