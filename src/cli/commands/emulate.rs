//! `tapwright emulate`.

use super::{interruption, plural};
use crate::adb::AdbServer;
use crate::app::Workspace;
use crate::cli::{EmulateArgs, Exit, Failure};
use crate::domain::Size;
use crate::virtual_device::app::AppFile;
use crate::virtual_device::faults::{FaultSpec, Takes, catalogue};
use crate::virtual_device::{ApiLevel, AppFiles, EndpointError, InstalledApp, VirtualDevice, VirtualDeviceConfig};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Checks app files, or runs devices until interrupted.
pub(super) async fn emulate(args: EmulateArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    if args.faults.iter().any(|spec| spec == "list") {
        list_faults();
        return Ok(Exit::Passed);
    }
    if args.check {
        return check(&args.apps);
    }
    let faults = args.faults.iter().map(|spec| spec.parse()).collect::<Result<Vec<FaultSpec>, _>>();
    let faults = faults.map_err(Failure::usage)?;
    let files = Arc::new(AppFiles::default());
    let mut installed = Vec::new();
    for path in &args.apps {
        installed.push(files.package(&path.display().to_string(), &read(path)?).map_err(Failure::usage)?);
    }
    let api = ApiLevel::new(args.api)
        .ok_or_else(|| Failure::usage(format!("API level {} is not supported: choose 24 to 37", args.api)))?;
    let stop = interruption();
    let server = if args.connect { Some(workspace.server().await?) } else { None };
    let mut devices = Vec::new();
    for number in 0..args.count {
        let port = if args.port == 0 {
            0
        } else {
            args.port
                .checked_add(number)
                .ok_or_else(|| Failure::usage("the last device's port would be above 65535"))?
        };
        let config = VirtualDeviceConfig {
            api,
            display: Size::new(args.display.0, args.display.1),
            density: args.density,
            locale: args.locale.clone(),
            seed: args.seed + u64::from(number),
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            faults: faults.clone(),
            ..VirtualDeviceConfig::default()
        };
        let device = start(config, &files, installed.clone(), &stop).await.map_err(|error| match error {
            EndpointError::EmulatorPort(_) => Failure::usage(error),
            EndpointError::Bind { .. } => Failure::infrastructure(error),
        })?;
        let serial = device.addr().to_string();
        if let Some(server) = &server {
            server.connect(&serial).await.map_err(Failure::infrastructure)?;
        }
        anstream::println!("{serial}");
        devices.push((serial, device));
    }
    let hint = if server.is_some() {
        "connected to the adb server"
    } else {
        "connect with: adb connect SERIAL (or start with --connect)"
    };
    anstream::eprintln!("{} ready, {hint}; stop with Ctrl-C", plural(devices.len(), "virtual device"));
    stop.cancelled().await;
    for (serial, device) in devices {
        leave(server.as_ref(), &serial).await;
        device.stopped().await;
    }
    Ok(Exit::Passed)
}

/// Starts a virtual device with the launcher and `apps`.
pub(super) async fn start(
    config: VirtualDeviceConfig,
    files: &Arc<AppFiles>,
    apps: Vec<InstalledApp>,
    stop: &CancellationToken,
) -> Result<VirtualDevice, EndpointError> {
    VirtualDevice::start(config, files.clone(), files.clone(), apps, stop.clone()).await
}

/// Takes a device off the adb server's list, so that it does not stay there as offline.
pub(super) async fn leave(server: Option<&AdbServer>, serial: &str) {
    if let Some(server) = server
        && let Err(error) = server.disconnect(serial).await
    {
        tracing::info!(%error, "{serial} could not be disconnected from the adb server");
    }
}

fn list_faults() {
    for kind in catalogue() {
        let default = match kind.takes {
            Takes::Nothing => String::new(),
            Takes::Time(time) => format!("={}s", time.as_secs()),
            Takes::Turn(turns) => format!("={turns}"),
            Takes::Code(code) => format!("={code}"),
        };
        anstream::println!("{}{default}\n    on {}: {}", kind.name, kind.strikes_on, kind.what);
    }
    anstream::println!(
        "\nEach may be followed by :times=N (at most), :after=N (let N pass first), :every=N (each N-th), \
         :chance=P with :seed=N, :only=TEXT (of the command line or service)"
    );
}

fn check(paths: &[PathBuf]) -> Result<Exit, Failure> {
    let mut problems = 0;
    for path in paths {
        let name = path.display().to_string();
        let file = match AppFile::parse(&name, &read(path)?) {
            Ok(file) => file,
            Err(error) => {
                anstream::println!("{error}");
                problems += 1;
                continue;
            }
        };
        for issue in file.check() {
            anstream::println!("{name}: {issue}");
            problems += 1;
        }
    }
    anstream::eprintln!("{}, {}", plural(paths.len(), "app file"), plural(problems, "problem"));
    Ok(if problems == 0 { Exit::Passed } else { Exit::Usage })
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))
}
