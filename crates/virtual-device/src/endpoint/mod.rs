//! A virtual device on a TCP port, for `adb connect`.

mod acceptor;

use super::console::{Console, ConsoleAuth};
use super::faults::FaultSpec;
use super::process::Location;
use super::services::{Reachable, processes};
use super::system::{
    ApiLevel, AppInstaller, BuildType, Clock, IdleWait, InstalledApp, SharedSystem, SystemConfig, SystemUi,
    VirtualSystem,
};
use super::wire::{AuthPolicy, Banner, Line, Patience};
use crate::domain::Size;
use acceptor::Acceptor;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// What kind of device to start, and where.
#[derive(Debug, Clone)]
pub struct VirtualDeviceConfig {
    /// API level.
    pub api: ApiLevel,
    /// Display in pixels.
    pub display: Size,
    /// Density in dpi.
    pub density: u32,
    /// BCP 47 tag.
    pub locale: String,
    /// Quarter turns of the display at first boot, 0 to 3.
    pub rotation: u8,
    /// Dark theme at first boot.
    pub night: bool,
    /// Font scale at first boot.
    pub font_scale: f32,
    /// Where the device is at first boot.
    pub location: Option<Location>,
    /// App switches, `PACKAGE:NAME[=VALUE]`.
    pub switches: Vec<String>,
    /// Seed of the apps' random choices and of the serial number.
    pub seed: u64,
    /// How the device answers the handshake.
    pub auth: AuthPolicy,
    /// When `uiautomator dump` finds the screen idle; by default at once, on Android after a quiet second.
    pub idle_wait: IdleWait,
    /// Where to listen. Port 0 takes a free one; 5554–5585 are refused, since an adb server on this machine would take
    /// the device for an emulator.
    pub bind: SocketAddr,
    /// Time.
    pub clock: Clock,
    /// What goes wrong on purpose.
    pub faults: Vec<FaultSpec>,
    /// A shop's phone or a developer's.
    pub build: BuildType,
    /// How long a host may take.
    pub patience: Patience,
    /// The emulator's console, if it is wanted; on any free port, or, in an emulator's pair, on the port below.
    pub console: Option<ConsoleAuth>,
    /// Whether the device may take an emulator's place.
    pub ports: Ports,
}

/// Which ports a device may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ports {
    /// Any but those where adb servers look for emulators.
    #[default]
    Ordinary,
    /// Only an odd one of 5555–5683, with the console on the even port below. Every adb server on this machine finds the device
    /// by itself up to 5585, beyond that once it is told of it, and calls it `emulator-<console port>`.
    EmulatorPair,
}

impl Default for VirtualDeviceConfig {
    fn default() -> Self {
        let system = SystemConfig::default();
        Self {
            api: system.api,
            display: system.display,
            density: system.density,
            locale: system.locale,
            rotation: system.rotation,
            night: system.night,
            font_scale: system.font_scale,
            location: system.location,
            switches: system.switches,
            seed: system.seed,
            auth: AuthPolicy::default(),
            idle_wait: system.idle,
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            clock: system.clock,
            faults: Vec::new(),
            build: BuildType::default(),
            patience: Patience::default(),
            console: None,
            ports: Ports::default(),
        }
    }
}

/// Why a device could not start.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// A port the adb server scans for emulators.
    #[error(
        "port {0} lies in 5554-5585, where adb looks for emulators: the device would appear twice; choose another port, \
         or 0 for any free one"
    )]
    EmulatorPort(u16),
    /// Not the upper port of an emulator's pair.
    #[error("an emulator's adb port is an odd one of 5555-5683 with the console on the even port below, not {0}")]
    NoEmulatorPort(u16),
    /// The port cannot be had.
    #[error("cannot listen on {address}: {source}; choose another port, or 0 for any free one")]
    Bind {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
}

/// A running virtual device.
pub struct VirtualDevice {
    address: SocketAddr,
    system: Arc<SharedSystem>,
    stop: CancellationToken,
    accepting: JoinHandle<()>,
    console: Option<(u16, JoinHandle<()>)>,
}

/// Where adb servers look for emulators.
const EMULATOR_PORTS: std::ops::RangeInclusive<u16> = 5554..=5585;
/// Ports that an emulator takes when it is told to.
const PAIRS: std::ops::RangeInclusive<u16> = 5554..=5683;

impl VirtualDevice {
    /// Boots a device with `apps` installed and listens; it ends when `stop` is cancelled.
    pub async fn start(
        config: VirtualDeviceConfig,
        installer: Arc<dyn AppInstaller>,
        ui: Arc<dyn SystemUi>,
        apps: Vec<InstalledApp>,
        stop: CancellationToken,
    ) -> Result<Self, EndpointError> {
        let listener = listen(config.bind, config.ports).await?;
        // Each device can end by itself (`kill` on its console).
        let stop = stop.child_token();
        let address = listener.local_addr().map_err(|source| EndpointError::Bind { address: config.bind, source })?;
        let (api, auth, faults, patience) = (config.api, config.auth, config.faults, config.patience);
        let settings = SystemConfig {
            api,
            display: config.display,
            density: config.density,
            locale: config.locale,
            rotation: config.rotation,
            night: config.night,
            font_scale: config.font_scale,
            location: config.location,
            switches: config.switches,
            seed: config.seed,
            idle: config.idle_wait,
            clock: config.clock,
        };
        let mut system = VirtualSystem::boot(settings, installer, ui, super::shell::names());
        system.properties.set_build(config.build);
        system.add_all(apps);
        let banner = Banner {
            version: api.adb_version(),
            max_payload: api.adb_max_payload(),
            text: system.properties.banner(&api.adb_features()),
        };
        let system = Arc::new(SharedSystem::new(system));
        system.faults.add(faults);
        let console = match config.console {
            Some(auth) => {
                let port = if config.ports == Ports::EmulatorPair { address.port() - 1 } else { 0 };
                let bind = SocketAddr::new(address.ip(), port);
                let listener = listen_on(bind, if port == 0 { Ports::Ordinary } else { Ports::EmulatorPair }).await?;
                let port =
                    listener.local_addr().map_err(|source| EndpointError::Bind { address: bind, source })?.port();
                let name = format!("Tapwright_{}_API_{api}", address.port());
                let console = Console { system: system.clone(), name, auth, stop: stop.clone() };
                Some((port, tokio::spawn(console.run(listener))))
            }
            None => None,
        };
        let device = Reachable {
            system: system.clone(),
            line: Line::default(),
            address,
            processes: processes(),
            sockets: Arc::default(),
        };
        let acceptor = Acceptor { device, banner, auth, patience, stop: stop.clone() };
        let accepting = tokio::spawn(acceptor.run(listener));
        Ok(Self { address, system, stop, accepting, console })
    }

    /// Where it listens: what `adb connect` takes and how the server then names it.
    pub const fn addr(&self) -> SocketAddr {
        self.address
    }

    /// The console's port.
    pub fn console_port(&self) -> Option<u16> {
        self.console.as_ref().map(|(port, _)| *port)
    }

    /// Its state, for tests and the command line.
    pub const fn system(&self) -> &Arc<SharedSystem> {
        &self.system
    }

    /// Asks it to end.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits until it was asked to end, by whomever.
    pub async fn ended(&self) {
        self.stop.cancelled().await;
    }

    /// Waits until it has ended and its port is free.
    pub async fn stopped(self) {
        if let Err(error) = self.accepting.await {
            tracing::error!(%error, "the virtual device's listener failed");
        }
        if let Some((_, console)) = self.console
            && let Err(error) = console.await
        {
            tracing::error!(%error, "the virtual device's console failed");
        }
    }
}

async fn listen(bind: SocketAddr, ports: Ports) -> Result<TcpListener, EndpointError> {
    match ports {
        Ports::Ordinary if EMULATOR_PORTS.contains(&bind.port()) => Err(EndpointError::EmulatorPort(bind.port())),
        Ports::EmulatorPair if bind.port().is_multiple_of(2) || !PAIRS.contains(&bind.port()) => {
            Err(EndpointError::NoEmulatorPort(bind.port()))
        }
        _ => listen_on(bind, ports).await,
    }
}

async fn listen_on(bind: SocketAddr, ports: Ports) -> Result<TcpListener, EndpointError> {
    let failed = |source| EndpointError::Bind { address: bind, source };
    // A system may give out any free port for 0; those in the emulators' range are held until another is found.
    let mut held = Vec::new();
    loop {
        let listener = TcpListener::bind(bind).await.map_err(failed)?;
        if ports == Ports::EmulatorPair || !EMULATOR_PORTS.contains(&listener.local_addr().map_err(failed)?.port()) {
            return Ok(listener);
        }
        held.push(listener);
    }
}

#[cfg(test)]
mod endpoint_tests;
