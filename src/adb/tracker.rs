//! Following the server's device list (`host:track-devices-l`): every message is the whole list, never a change.

use super::device_list::parse_device_list;
use super::wire;
use super::{AdbError, AdbServer, DeviceRow};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;

const REQUEST: &str = "host:track-devices-l";
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Connects, reads the first list within `budget`, and leaves a task behind that follows the rest.
pub(super) async fn start(
    server: AdbServer,
    budget: Duration,
) -> Result<watch::Receiver<Vec<DeviceRow>>, AdbError> {
    let (stream, rows) = open(&server, budget).await?;
    let (sender, receiver) = watch::channel(rows);
    tokio::spawn(follow(server, stream, sender, budget));
    Ok(receiver)
}

async fn open(server: &AdbServer, budget: Duration) -> Result<(TcpStream, Vec<DeviceRow>), AdbError> {
    let conversation = async {
        let mut stream = server.request(REQUEST, None).await?;
        let text = wire::read_text(&mut stream)
            .await
            .map_err(|error| server.protocol(REQUEST, wire::reason(&error)))?;
        Ok((stream, parse_device_list(&text)))
    };
    timeout(budget, conversation).await.unwrap_or_else(|_| Err(server.too_late(REQUEST, budget)))
}

async fn follow(server: AdbServer, mut stream: TcpStream, sender: watch::Sender<Vec<DeviceRow>>, budget: Duration) {
    loop {
        let error = tokio::select! {
            () = sender.closed() => return,
            error = relay(&mut stream, &sender) => error,
        };
        tracing::warn!(server = %server.address(), reason = %wire::reason(&error), "lost the adb server's device list");
        publish(&sender, Vec::new());
        let Some(reopened) = reopen(&server, &sender, budget).await else { return };
        stream = reopened;
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
async fn reopen(server: &AdbServer, sender: &watch::Sender<Vec<DeviceRow>>, budget: Duration) -> Option<TcpStream> {
    let mut pause = FIRST_PAUSE;
    loop {
        // The pause ends early when the last receiver goes.
        if timeout(pause, sender.closed()).await.is_ok() {
            return None;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
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

fn publish(sender: &watch::Sender<Vec<DeviceRow>>, rows: Vec<DeviceRow>) {
    sender.send_if_modified(|current| {
        let changed = *current != rows;
        *current = rows;
        changed
    });
}
