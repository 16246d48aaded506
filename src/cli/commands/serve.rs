//! `tapwright serve`.

use super::database::Database;
use super::emulators::emulators;
use super::signals::Signals;
use super::supervisor::Supervisor;
use crate::adb::Pulse;
use crate::app::{ServeFlags, Workspace};
use crate::artifact_store::ArtifactStore;
use crate::cli::{Exit, Failure, ServeArgs};
use crate::daemon::{Daemon, Front, Vault};
use crate::device::AdbCare;
use crate::run::{Recordings, ScriptFirst, WorkspaceCatalog};
use jiff::Timestamp;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Runs the daemon until it is told to stop: in order at the first SIGTERM or SIGINT, at once at the second.
pub(super) async fn serve(args: ServeArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let settings = workspace.serve_settings(flags_of(&args)).map_err(Failure::usage)?;
    let listen = settings.listen.value;
    let front = front(&args, workspace)?;
    front.check(listen).map_err(Failure::usage)?;
    let artifacts = settings.artifacts.value.as_deref();
    let artifacts = artifacts.map(|place| ArtifactStore::open(place, &workspace.environment().access_keys));
    let artifacts = artifacts.transpose().map_err(Failure::usage)?;
    let database = Database::of(settings.database.value, workspace);
    let launcher = workspace.launcher(Vec::new(), workspace.places(None)).map_err(Failure::usage)?;
    let launcher = Arc::new(launcher);
    let profiles = workspace.profiles().map_err(Failure::usage)?.iter().map(|profile| profile.name.clone()).collect();
    let catalog = WorkspaceCatalog { launcher: Arc::clone(&launcher), profiles, scripts: workspace.scripts() };
    let (policy, repair) = (workspace.daemon().scripts, workspace.daemon().repair.into());
    let launcher = ScriptFirst { launcher, scripts: workspace.scripts(), policy, repair };
    let address = workspace.server_address().map_err(Failure::usage)?;
    let care = AdbCare { address, profiles: workspace.profiles().map_err(Failure::usage)? };
    let store = database.open().await?;
    let server = workspace.server().await?;
    let emulators = emulators(workspace, &server).await?;
    let mut rules = workspace.device_rules("tapwright serve");
    if !rules.allow.is_empty() {
        // What the daemon starts it may use.
        rules.allow.extend(emulators.serials());
    }
    let devices =
        server.track_alive(workspace.adb_binary(), Pulse::default()).await.map_err(Failure::infrastructure)?;
    let listener = TcpListener::bind(listen).await.map_err(|error| {
        Failure::infrastructure(format!(
            "cannot listen on {listen}: {error}; stop what listens there or choose another address with --listen"
        ))
    })?;
    let address = listener.local_addr().map_err(Failure::infrastructure)?;
    let signals = Signals::listen().map_err(Failure::infrastructure)?;
    let scheme = front.scheme();
    anstream::eprintln!("tapwright daemon: {scheme}://{address}/  (stop with Ctrl-C or SIGTERM; twice: at once)");
    anstream::eprintln!("queue: {}", database.shown());
    if let Some(artifacts) = &artifacts {
        anstream::eprintln!("artifacts: {}", artifacts.shown());
    }
    if front.asks_for_tokens() {
        let tokens = store.tokens().await.map_err(Failure::infrastructure)?;
        if !tokens.iter().any(|token| token.is_valid(Timestamp::now())) {
            anstream::eprintln!("nobody has a token yet: `tapwright token create NAME --scope admin` makes one");
        }
    }
    // Only now: whoever holds the database's lock holds its key, too.
    let key = settings.key.value.unwrap_or_else(|| database.key(workspace));
    let vault = Vault::open(&key).map_err(Failure::infrastructure)?;
    let ready = CancellationToken::new();
    let daemon = artifacts.map_or_else(Daemon::default, |artifacts| Daemon::default().storing(artifacts));
    let daemon = daemon
        .sealing(vault)
        .keeping(Recordings::new(workspace.runs()))
        .retaining(workspace.daemon().retention())
        .behind(front)
        .named(settings.host.value.unwrap_or_else(host_name))
        .saying_when_ready(ready.clone())
        .notifying(workspace.daemon().notices().map_err(Failure::usage)?)
        .knowing(Arc::new(catalog))
        .caring(Arc::new(care))
        .running(emulators)
        .using(rules);
    let served = daemon.run(listener, store, Arc::new(launcher), devices, signals.stop.clone());
    tokio::pin!(served);
    let stopping = signals.stop.cancelled();
    tokio::pin!(stopping);
    let supervisor = Supervisor::of(workspace.environment());
    let (answers, watch) = (ready.cancelled(), supervisor.keep_watch());
    tokio::pin!(answers, watch);
    let (mut told, mut announced) = (false, false);
    loop {
        tokio::select! {
            // In this order: the daemon may end in the moment it is told to, and the service manager hears of it first.
            biased;
            () = &mut stopping, if !told => {
                told = true;
                supervisor.tell("STOPPING=1");
                anstream::eprintln!("stopping: runs under way have 30 s to end; the signal once more stops at once");
            }
            served = &mut served => {
                served.map_err(Failure::infrastructure)?;
                return Ok(Exit::Passed);
            }
            () = &mut answers, if !announced => {
                announced = true;
                supervisor.tell(&format!("READY=1\nSTATUS=answers on {scheme}://{address}/"));
            }
            () = &mut watch, if announced => {}
            () = signals.at_once.cancelled() => {
                anstream::eprintln!("stopped at once; runs under way are made again at the next start");
                return Ok(Exit::Interrupted);
            }
        }
    }
}

/// What the command line says of how a daemon is reached and where it keeps what.
pub(super) fn flags_of(args: &ServeArgs) -> ServeFlags {
    ServeFlags {
        listen: args.listen,
        host: args.host.clone(),
        database: args.database.as_ref().map(|database| database.to_string_lossy().into_owned()),
        key: args.key.clone(),
        artifacts: args.artifacts.clone(),
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
