//! The host's adb server.

use super::device_list::parse_device_list;
use super::wire::{self, Status};
use super::{AdbError, DeviceRow, Pulse, ServerAddress, tracker};
use crate::domain::DeviceSerial;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

/// Host requests are answered from the server's memory; one that takes longer hangs.
const HOST_BUDGET: Duration = Duration::from_secs(5);
/// `connect:` waits for the device's TCP handshake (10 s in adb).
const CONNECT_BUDGET: Duration = Duration::from_secs(15);
/// A cold start of the server takes 1–3 s.
const START_BUDGET: Duration = Duration::from_secs(20);

/// A client of one adb server; cheap to clone, opens a connection per request. It never ends a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdbServer {
    address: ServerAddress,
}

/// What [`AdbServer::wait_for`] waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitState {
    /// The device can be used.
    Device,
    /// The device is listed, in whatever state.
    Any,
    /// The device is gone.
    Disconnect,
    /// The device is in recovery.
    Recovery,
    /// The device is in its bootloader.
    Bootloader,
}

impl WaitState {
    const fn word(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Any => "any",
            Self::Disconnect => "disconnect",
            Self::Recovery => "recovery",
            Self::Bootloader => "bootloader",
        }
    }
}

impl AdbServer {
    /// A client of the server at `address`; connects on the first request.
    pub const fn new(address: ServerAddress) -> Self {
        Self { address }
    }

    /// Where the server listens.
    pub const fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// The server's protocol version; 41 since platform-tools 29.
    pub async fn version(&self) -> Result<u32, AdbError> {
        let request = "host:version";
        let text = self.ask(request, HOST_BUDGET).await?;
        u32::from_str_radix(&text, 16).map_err(|_| self.protocol(request, format!("{text:?} is no version")))
    }

    /// All devices the server knows, in whatever state.
    pub async fn devices(&self) -> Result<Vec<DeviceRow>, AdbError> {
        Ok(parse_device_list(&self.ask("host:devices-l", HOST_BUDGET).await?))
    }

    /// Follows the device list: the receiver holds the current list from the start, and changes with it, down to an
    /// empty list when the last device vanishes. When the server goes away the list becomes empty and the connection is
    /// tried again with growing pauses. The task behind it ends when the last receiver is dropped.
    ///
    /// # Errors
    /// Only when the server cannot be reached now.
    pub async fn track(&self) -> Result<watch::Receiver<Vec<DeviceRow>>, AdbError> {
        tracker::start(self.clone(), None, HOST_BUDGET).await
    }

    /// Follows the device list as [`AdbServer::track`] does, and asks each device that is listed as ready for a sign of life:
    /// adb 29 lists a dead one as ready for ever. One that gives none is [`Silent`](super::ConnectionState::Silent) until it
    /// answers. Where the server goes, it is started anew with the `adb` binary, and devices in the network are connected to
    /// it again.
    ///
    /// # Errors
    /// Only when the server cannot be reached now.
    pub async fn track_alive(
        &self,
        adb: Option<PathBuf>,
        pulse: Pulse,
    ) -> Result<watch::Receiver<Vec<DeviceRow>>, AdbError> {
        let listed = tracker::start(self.clone(), adb, HOST_BUDGET).await?;
        Ok(pulse.feel(self.clone(), listed))
    }

    /// Waits until the device is in `state`.
    pub async fn wait_for(&self, serial: &DeviceSerial, state: WaitState, budget: Duration) -> Result<(), AdbError> {
        let request = format!("host-serial:{serial}:wait-for-any-{}", state.word());
        let conversation = async {
            let mut stream = self.request(&request, Some(serial)).await?;
            // The first OKAY says that the request was understood, the second that the state was reached.
            self.expect_okay(&mut stream, &request, Some(serial)).await
        };
        timeout(budget, conversation).await.unwrap_or_else(|_| {
            Err(AdbError::Timeout { serial: serial.clone(), command: format!("wait-for-{}", state.word()), budget })
        })
    }

    /// Connects the server to a device in the network, `HOST:PORT`. Already connected is fine.
    pub async fn connect(&self, target: &str) -> Result<(), AdbError> {
        // A failure comes with OKAY; only the text tells (AOSP `connect_service`).
        let reply = self.ask(&format!("host:connect:{target}"), CONNECT_BUDGET).await?;
        if reply.starts_with("connected to") || reply.starts_with("already connected to") {
            return Ok(());
        }
        Err(AdbError::Connect { address: self.address.clone(), target: target.to_owned(), reason: reply })
    }

    /// Tells the server of an emulator whose adb port is `port`, as a starting emulator does. The server does not
    /// answer; it lists the device as `emulator-<port - 1>` once it has connected.
    pub async fn announce_emulator(&self, port: u16) -> Result<(), AdbError> {
        let request = format!("host:emulator:{port}");
        let mut stream = self.dial().await?;
        let line = format!("{:04x}{request}", request.len());
        let sent = tokio::io::AsyncWriteExt::write_all(&mut stream, line.as_bytes()).await;
        sent.map_err(|error| self.protocol(&request, error.to_string()))
    }

    /// Ends the server's connection to a device in the network. A device that is not connected is an error.
    pub async fn disconnect(&self, target: &str) -> Result<(), AdbError> {
        let serial = DeviceSerial::new(target);
        let request = format!("host:disconnect:{target}");
        match self.ask(&request, HOST_BUDGET).await {
            Ok(_) => Ok(()),
            Err(AdbError::Refused { reason, .. }) if reason.starts_with("no such device") => {
                Err(AdbError::DeviceNotFound { serial })
            }
            Err(error) => Err(error),
        }
    }

    /// Starts a server with `adb -P PORT start-server` when none answers and an adb binary is given. True when one was
    /// started.
    ///
    /// # Errors
    /// No server answers and none could be started, or the address is another machine's.
    pub async fn start(&self, adb: Option<&Path>) -> Result<bool, AdbError> {
        let unreachable = match self.version().await {
            Ok(_) => return Ok(false),
            Err(error @ AdbError::ServerUnreachable { .. }) => error,
            Err(error) => return Err(error),
        };
        let Some(adb) = adb else { return Err(unreachable) };
        if !self.address.is_local() {
            return Err(unreachable);
        }
        let failed = |reason: String| AdbError::ServerStart {
            address: self.address.clone(),
            binary: adb.display().to_string(),
            reason,
        };
        // The server inherits the client's output streams, so a pipe might never end; a file does not have to.
        let log = tempfile::tempfile().map_err(|error| failed(error.to_string()))?;
        let stderr = log.try_clone().map_err(|error| failed(error.to_string()))?;
        let mut child = tokio::process::Command::new(adb)
            .args(["-P", &self.address.port().to_string(), "start-server"])
            .env_remove("ADB_SERVER_SOCKET")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let status = timeout(START_BUDGET, child.wait())
            .await
            .map_err(|_| failed(format!("not up after {START_BUDGET:?}")))?
            .map_err(|error| failed(error.to_string()))?;
        if !status.success() {
            return Err(failed(format!("{status}: {}", read_back(log))));
        }
        self.version().await.map(|_| true)
    }

    /// A connection on which `service` has been accepted.
    pub(super) async fn request(&self, service: &str, serial: Option<&DeviceSerial>) -> Result<TcpStream, AdbError> {
        let mut stream = self.dial().await?;
        wire::send(&mut stream, service).await.map_err(|error| self.protocol(service, wire::reason(&error)))?;
        self.expect_okay(&mut stream, service, serial).await?;
        Ok(stream)
    }

    /// Reads `OKAY`, or maps `FAIL` to its kind. `request` is what error texts show.
    pub(super) async fn expect_okay(
        &self,
        stream: &mut TcpStream,
        request: &str,
        serial: Option<&DeviceSerial>,
    ) -> Result<(), AdbError> {
        match wire::read_status(stream).await {
            Ok(Status::Okay) => Ok(()),
            Ok(Status::Fail(reason)) => Err(AdbError::from_fail(&self.address, request, serial, &reason)),
            Err(error) => Err(self.protocol(request, wire::reason(&error))),
        }
    }

    /// A request answered by one text.
    async fn ask(&self, request: &str, budget: Duration) -> Result<String, AdbError> {
        let conversation = async {
            let mut stream = self.request(request, None).await?;
            wire::read_text(&mut stream).await.map_err(|error| self.protocol(request, wire::reason(&error)))
        };
        timeout(budget, conversation).await.unwrap_or_else(|_| Err(self.too_late(request, budget)))
    }

    async fn dial(&self) -> Result<TcpStream, AdbError> {
        let unreachable = |source| AdbError::ServerUnreachable { address: self.address.clone(), source };
        let stream = TcpStream::connect((self.address.host(), self.address.port())).await.map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        Ok(stream)
    }

    pub(super) fn protocol(&self, request: &str, reason: String) -> AdbError {
        AdbError::Protocol { address: self.address.clone(), request: request.to_owned(), reason }
    }

    pub(super) fn too_late(&self, request: &str, budget: Duration) -> AdbError {
        AdbError::ServerTimeout { address: self.address.clone(), request: request.to_owned(), budget }
    }
}

fn read_back(mut log: std::fs::File) -> String {
    use std::io::{Read as _, Seek as _};
    let mut text = String::new();
    match log.rewind().and_then(|()| log.read_to_string(&mut text)) {
        Ok(_) => text.trim().to_owned(),
        Err(error) => format!("(its messages are unreadable: {error})"),
    }
}
