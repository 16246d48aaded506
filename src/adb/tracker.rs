//! Following the server's device list (`host:track-devices-l`): every message is the whole list, never a change.
//!
//! A server that goes is waited for, and started anew where an adb binary is known. The new one knows nothing of the devices
//! in the network that the old one was connected to: they are connected again.

use super::device_list::parse_device_list;
use super::wire;
use super::{AdbError, AdbServer, ConnectionState, DeviceRow};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

const REQUEST: &str = "host:track-devices-l";
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Times a device in the network is asked to connect to a new server.
const MOST_JOINS: u32 = 5;

/// Connects, reads the first list within `budget`, and leaves a task behind that follows the rest. With an `adb` binary a
/// server that went is started anew.
pub(super) async fn start(
    server: AdbServer,
    adb: Option<PathBuf>,
    budget: Duration,
) -> Result<watch::Receiver<Vec<DeviceRow>>, AdbError> {
    let (stream, rows) = open(&server, budget).await?;
    let (sender, receiver) = watch::channel(rows);
    tokio::spawn(follow(server, adb, stream, sender, budget));
    Ok(receiver)
}

async fn open(server: &AdbServer, budget: Duration) -> Result<(TcpStream, Vec<DeviceRow>), AdbError> {
    let conversation = async {
        let mut stream = server.request(REQUEST, None).await?;
        let text =
            wire::read_text(&mut stream).await.map_err(|error| server.protocol(REQUEST, wire::reason(&error)))?;
        Ok((stream, parse_device_list(&text)))
    };
    timeout(budget, conversation).await.unwrap_or_else(|_| Err(server.too_late(REQUEST, budget)))
}

async fn follow(
    server: AdbServer,
    adb: Option<PathBuf>,
    mut stream: TcpStream,
    sender: watch::Sender<Vec<DeviceRow>>,
    budget: Duration,
) {
    loop {
        let error = tokio::select! {
            () = sender.closed() => return,
            error = relay(&mut stream, &sender) => error,
        };
        tracing::warn!(server = %server.address(), reason = %wire::reason(&error), "lost the adb server's device list");
        let lost = in_the_network(&sender.borrow());
        publish(&sender, Vec::new());
        let Some(reopened) = reopen(&server, adb.as_ref(), &sender, budget).await else { return };
        stream = reopened;
        for target in lost.difference(&in_the_network(&sender.borrow())) {
            tokio::spawn(rejoin(server.clone(), target.clone()));
        }
    }
}

/// Passes lists on until the connection breaks.
async fn relay(stream: &mut TcpStream, sender: &watch::Sender<Vec<DeviceRow>>) -> std::io::Error {
    loop {
        match wire::read_text(stream).await {
            Ok(text) => publish(sender, parse_device_list(&text)),
            Err(error) => return error,
        }
    }
}

/// Tries again with growing pauses; `None` when nobody listens any more.
async fn reopen(
    server: &AdbServer,
    adb: Option<&PathBuf>,
    sender: &watch::Sender<Vec<DeviceRow>>,
    budget: Duration,
) -> Option<TcpStream> {
    let mut pause = FIRST_PAUSE;
    loop {
        // The pause ends early when the last receiver goes.
        if timeout(pause, sender.closed()).await.is_ok() {
            return None;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
        if let Some(adb) = adb {
            match server.start(Some(adb)).await {
                Ok(true) => tracing::warn!(server = %server.address(), "the adb server was gone and was started anew"),
                Ok(false) => {}
                Err(error) => tracing::debug!(%error, "the adb server cannot be started"),
            }
        }
        match open(server, budget).await {
            Ok((stream, rows)) => {
                tracing::info!(server = %server.address(), "following the adb server's device list again");
                publish(sender, rows);
                return Some(stream);
            }
            Err(error) => tracing::debug!(%error, "the adb server is still away"),
        }
    }
}

/// Devices the server was told to connect to, `HOST:PORT`.
fn in_the_network(rows: &[DeviceRow]) -> BTreeSet<String> {
    let usable = rows.iter().filter(|row| row.state == ConnectionState::Device);
    let serials = usable.map(|row| row.serial.as_str());
    serials.filter(|serial| is_address(serial)).map(str::to_owned).collect()
}

fn is_address(serial: &str) -> bool {
    serial.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

/// Connects a new server to a device in the network; a device that does not answer may be on its way, too.
async fn rejoin(server: AdbServer, target: String) {
    for _ in 0..MOST_JOINS {
        match server.connect(&target).await {
            Ok(()) => return,
            Err(error) => tracing::warn!(%error, target, "a device of the adb server before is not connected again"),
        }
    }
}

pub(super) fn publish(sender: &watch::Sender<Vec<DeviceRow>>, rows: Vec<DeviceRow>) {
    sender.send_if_modified(|current| {
        let changed = *current != rows;
        *current = rows;
        changed
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_devices_in_the_network_have_to_be_connected_again() {
        let list = "127.0.0.1:5555\tdevice\nemulator-5554\tdevice\n[::1]:5556\tdevice\nphone.local:5557\toffline\n:1\tdevice\n";
        let found = in_the_network(&parse_device_list(list));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["127.0.0.1:5555", "[::1]:5556"]);
    }
}
