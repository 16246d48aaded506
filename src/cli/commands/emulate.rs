//! `tapwright emulate`.

use super::app_check::check;
use super::{interruption, plural};
use crate::adb::AdbServer;
use crate::app::Workspace;
use crate::cli::{ClockChoice, EmulateArgs, Exit, Failure};
use crate::domain::Size;
use crate::recorded::RecordedApp;
use crate::run::export_run_at;
use crate::virtual_device::app::{AppContext, AppFile, launch};
use crate::virtual_device::console::ConsoleAuth;
use crate::virtual_device::faults::{FaultSpec, Takes, catalogue};
use crate::virtual_device::framework::FrameworkApp;
use crate::virtual_device::system::BuildType;
use crate::virtual_device::{
    ApiLevel, AppFiles, Clock, EndpointError, InstalledApp, Location, Ports, VirtualDevice, VirtualDeviceConfig,
};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// The adb port of the first emulator on a machine.
const FIRST_EMULATOR: u16 = 5555;

/// Checks app files, or runs devices until interrupted.
pub(super) async fn emulate(args: EmulateArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    if args.faults.iter().any(|spec| spec == "list") {
        list_faults();
        return Ok(Exit::Passed);
    }
    check_switches(&args)?;
    let played = played(&args)?;
    let folders: Vec<PathBuf> = played.iter().map(|played| played.folder.clone()).collect();
    if args.check {
        return check(&args.apps, &folders, args.json);
    }
    let faults = args.faults.iter().map(|spec| spec.parse()).collect::<Result<Vec<FaultSpec>, _>>();
    let faults = faults.map_err(Failure::usage)?;
    let files = Arc::new(AppFiles::default());
    let mut installed = Vec::new();
    for path in &args.apps {
        installed.push(files.package(&path.display().to_string(), &read(path)?).map_err(Failure::usage)?);
    }
    if args.adb_keyboard {
        installed.push(files.adb_keyboard().map_err(Failure::usage)?);
    }
    let recordings = opened(&folders)?;
    installed.extend(recordings.iter().map(|app| files.recording(app)));
    let mut screen = recordings.first().map(|app| (app.display(), app.info.display.density));
    if let Some(socket) = &args.framework {
        let app = FrameworkApp::connect(socket).map_err(Failure::infrastructure)?;
        installed.push(app.installed());
        screen.get_or_insert(app.screen());
    }
    let (display, density) = screen_of(&args, screen);
    let api = ApiLevel::new(args.api)
        .ok_or_else(|| Failure::usage(format!("API level {} is not supported: choose 24 to 37", args.api)))?;
    let stop = interruption();
    let server = if args.connect { Some(workspace.server().await?) } else { None };
    let mut devices = Vec::new();
    let console = if args.console || args.as_emulator { Some(console_token()?) } else { None };
    // All devices of the process share their time, as their apps share a back end.
    let clock = match args.state.clock {
        ClockChoice::Real => Clock::real(),
        ClockChoice::Virtual => Clock::virtual_now(),
        ClockChoice::Times(factor) => Clock::scaled(factor),
    };
    for number in 0..args.count {
        let (port, ports) = port(&args, number)?;
        let config = VirtualDeviceConfig {
            api,
            display,
            density,
            locale: args.locale.clone(),
            seed: args.seed + u64::from(number),
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            faults: faults.clone(),
            console: console.clone(),
            ports,
            rotation: args.state.rotation,
            night: args.state.night,
            font_scale: args.state.font_scale,
            location: args.state.location.map(|(latitude, longitude)| Location { latitude, longitude }),
            switches: args.state.switches.clone(),
            clock: clock.clone(),
            build: if args.userdebug { BuildType::Userdebug } else { BuildType::User },
            ..VirtualDeviceConfig::default()
        };
        let device = start(config, &files, installed.clone(), &stop).await.map_err(|error| match error {
            EndpointError::EmulatorPort(_) | EndpointError::NoEmulatorPort(_) => Failure::usage(error),
            EndpointError::Bind { .. } => Failure::infrastructure(error),
        })?;
        let serial = match (ports, device.console_port()) {
            (Ports::EmulatorPair, Some(console)) => format!("emulator-{console}"),
            _ => device.addr().to_string(),
        };
        if let Some(server) = &server {
            let connected = match ports {
                Ports::Ordinary => server.connect(&serial).await,
                Ports::EmulatorPair => server.announce_emulator(device.addr().port()).await,
            };
            connected.map_err(Failure::infrastructure)?;
        }
        match device.console_port() {
            Some(console) => anstream::println!("{serial}\tconsole {}:{console}", Ipv4Addr::LOCALHOST),
            None => anstream::println!("{serial}"),
        }
        devices.push((serial, device));
    }
    let hint = if server.is_some() {
        "connected to the adb server"
    } else {
        "connect with: adb connect SERIAL (or start with --connect)"
    };
    anstream::eprintln!("{} ready, {hint}; stop with Ctrl-C", plural(devices.len(), "virtual device"));
    let all_killed = futures_util::future::join_all(devices.iter().map(|(_, device)| device.ended()));
    tokio::select! {
        () = stop.cancelled() => {}
        _ = all_killed => {}
    }
    stop.cancel();
    for (serial, device) in devices {
        leave(server.as_ref(), &serial).await;
        device.stopped().await;
    }
    Ok(Exit::Passed)
}

/// Recorded apps, read.
fn opened(folders: &[PathBuf]) -> Result<Vec<Arc<RecordedApp>>, Failure> {
    let open = |folder: &PathBuf| {
        let app = RecordedApp::open(folder).map_err(Failure::usage)?;
        for note in &app.notes {
            tracing::warn!("{}: {note}", folder.display());
        }
        Ok(Arc::new(app))
    };
    folders.iter().map(open).collect()
}

/// A recorded app that is played.
struct Played {
    /// Where it lies.
    folder: PathBuf,
    /// It is there until the command ends: what was made of a run.
    _made: Option<TempDir>,
}

/// The recorded apps that are played: those that were exported, and those that are made now of a run's own recording.
fn played(args: &EmulateArgs) -> Result<Vec<Played>, Failure> {
    let play = |folder: &PathBuf| {
        if !folder.join("events.jsonl").is_file() {
            if args.at.is_some() {
                let reason = "--at needs the folder of a run, which holds events.jsonl, such as runs/latest";
                return Err(Failure::usage(format!("{}: {reason}", folder.display())));
            }
            return Ok(Played { folder: folder.clone(), _made: None });
        }
        let made = tempfile::tempdir().map_err(Failure::infrastructure)?;
        let output = made.path().join("app");
        let at = args.at.map_or(1, |at| at as usize);
        let exported = export_run_at(folder, at, &output).map_err(Failure::usage)?;
        for note in &exported.notes {
            tracing::info!("{note}");
        }
        Ok(Played { folder: output, _made: Some(made) })
    };
    args.recordings.iter().map(play).collect()
}

/// A switch that an app of the command line does not have is refused here; else it would be noticed only when the app
/// starts. Other apps may still be installed later.
fn check_switches(args: &EmulateArgs) -> Result<(), Failure> {
    if args.state.switches.is_empty() {
        return Ok(());
    }
    let mut packages = Vec::new();
    for path in &args.apps {
        let file = AppFile::load(&path.display().to_string(), &read(path)?).map_err(Failure::usage)?;
        let package = file.package().to_owned();
        let of_app = args.state.switches.iter().filter_map(|switch| switch.split_once(':'));
        let switches = of_app.filter(|(of, _)| *of == package).map(|(_, name)| name.to_owned()).collect();
        launch(Arc::new(file), AppContext { switches, ..AppContext::phone() }).map_err(Failure::usage)?;
        packages.push(package);
    }
    for switch in &args.state.switches {
        if !packages.iter().any(|package| switch.split_once(':').is_some_and(|(of, _)| of == package)) {
            anstream::eprintln!("note: --switch {switch} is of no app given here ({})", packages.join(", "));
        }
    }
    Ok(())
}

/// The display and density asked for, else those the app was made for.
fn screen_of(args: &EmulateArgs, app: Option<(Size, u32)>) -> (Size, u32) {
    let usual = VirtualDeviceConfig::default();
    let (display, density) = app.unwrap_or((usual.display, usual.density));
    (args.display.map_or(display, |(width, height)| Size::new(width, height)), args.density.unwrap_or(density))
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

/// The port of the device with this number.
fn port(args: &EmulateArgs, number: u16) -> Result<(u16, Ports), Failure> {
    let too_high = || Failure::usage("the last device's port would be above 65535");
    if args.as_emulator {
        // As an emulator's `-port` this may name the console; the adb port is the odd one of the pair.
        let first = if args.port == 0 { FIRST_EMULATOR } else { args.port | 1 };
        let port = number.checked_mul(2).and_then(|step| first.checked_add(step)).ok_or_else(too_high)?;
        return Ok((port, Ports::EmulatorPair));
    }
    let port = if args.port == 0 { 0 } else { args.port.checked_add(number).ok_or_else(too_high)? };
    Ok((port, Ports::Ordinary))
}

/// The user's console token, made as an emulator makes it when there is none.
fn console_token() -> Result<ConsoleAuth, Failure> {
    let home = std::env::home_dir().ok_or_else(|| {
        Failure::usage(
            "the console's token lies in the home directory, but there is none: set HOME, or leave out --console",
        )
    })?;
    let file = home.join(".emulator_console_auth_token");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Sixteen characters nobody can guess; only the owner reads them.
            let token: String = uuid::Uuid::now_v7().simple().to_string().chars().rev().take(16).collect();
            write_private(&file, &token).map_err(|error| Failure::unreadable(&file, &error))?;
            token
        }
        Err(error) => return Err(Failure::unreadable(&file, &error)),
    };
    let token = text.trim().to_owned();
    Ok(ConsoleAuth { token: (!token.is_empty()).then_some(token), file })
}

fn write_private(file: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(text.as_bytes())
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

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))
}
