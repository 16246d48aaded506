//! `reverse:`: sockets of the device that lead to the host (`reverse_service.cpp`, `adb_listeners.cpp`).
//!
//! They live in a space of the device's own, so that two devices may both have `tcp:8080`, and a device may have the port
//! its host's server listens on. Who connects to one is a host's `forward`.

use crate::wire::{OpenedStream, Opener, ServiceFuture, Stream, StreamWriter};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Where Linux begins to look for a free port (`ip_local_port_range`).
const FIRST_FREE_PORT: u16 = 32768;
/// Names of sockets that are no TCP ports (`socket_spec.cpp`).
const LOCAL_SOCKETS: [&str; 4] = ["local:", "localabstract:", "localfilesystem:", "localreserved:"];

struct Listener {
    remote: String,
    /// The connection whose host asked for it; the listener ends with it.
    opener: Opener,
}

/// What listens on one device, by name: `tcp:8080`, `localabstract:scrcpy`.
#[derive(Default)]
pub struct DeviceSockets(Mutex<BTreeMap<String, Listener>>);

fn okay(text: Option<&str>) -> String {
    text.map_or("OKAY".to_owned(), |text| format!("OKAY{:04x}{text}", text.len()))
}

impl DeviceSockets {
    /// Answers one request, for instance `forward:tcp:6100;tcp:7100`.
    pub(super) async fn run(&self, request: &str, writer: &StreamWriter, opener: Opener) {
        let reply = match self.answer(request, opener) {
            Ok(reply) => reply,
            Err(message) => format!("FAIL{:04x}{message}", message.len()),
        };
        // Nobody is left to be told.
        let _closed = writer.write(reply.as_bytes()).await;
    }

    /// The device connects to one of its own sockets (`tcp:PORT` of a host's `forward`); `None` where nothing listens.
    pub(super) fn connect(&self, name: &str, stream: Stream) -> Option<ServiceFuture> {
        let name = own_name(name).ok()?;
        let listeners = self.listeners();
        let listener = listeners.get(&name)?;
        let (remote, opener) = (listener.remote.clone(), listener.opener.clone());
        Some(Box::pin(async move {
            // A destination that refuses closes the socket, as adbd does.
            if let Ok(opened) = opener.open(&remote).await {
                join(stream, opened).await;
            }
        }))
    }

    /// Those whose host is still there.
    fn listeners(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Listener>> {
        let mut listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|_, listener| !listener.opener.connection.is_cancelled());
        listeners
    }

    fn answer(&self, request: &str, opener: Opener) -> Result<String, String> {
        if request == "list-forward" {
            let list = self
                .listeners()
                .iter()
                .map(|(local, listener)| format!("(reverse) {local} {}\n", listener.remote))
                .collect::<Vec<_>>()
                .concat();
            // No OKAY before a list: that is the host's doing (`#if ADB_HOST` in `handle_forward_request`).
            return Ok(format!("{:04x}{list}", list.len()));
        }
        if request == "killforward-all" {
            self.listeners().clear();
            return Ok(okay(None));
        }
        if let Some(local) = request.strip_prefix("killforward:") {
            let removed = self.listeners().remove(local);
            return removed.map(|_| okay(None)).ok_or_else(|| format!("listener '{local}' not found"));
        }
        let Some(pair) = request.strip_prefix("forward:") else {
            return Err(format!("unknown reverse command '{request}'"));
        };
        let (pair, rebind) = match pair.strip_prefix("norebind:") {
            Some(pair) => (pair, false),
            None => (pair, true),
        };
        let (local, remote) = pair.split_once(';').ok_or_else(|| format!("bad forward: {pair}"))?;
        let name = own_name(local).map_err(|reason| format!("cannot bind listener: {reason}"))?;
        let mut listeners = self.listeners();
        let remote = remote.to_owned();
        if name == "tcp:0" {
            let port = (FIRST_FREE_PORT..=u16::MAX)
                .find(|port| !listeners.contains_key(&format!("tcp:{port}")))
                .ok_or("cannot bind listener: Address already in use")?;
            listeners.insert(format!("tcp:{port}"), Listener { remote, opener });
            return Ok(okay(Some(&port.to_string())));
        }
        if !rebind && listeners.contains_key(&name) {
            return Err("cannot rebind existing socket".to_owned());
        }
        listeners.insert(name, Listener { remote, opener });
        Ok(okay(None))
    }
}

/// The name a socket goes by: `tcp:localhost:8080` is `tcp:8080`.
fn own_name(spec: &str) -> Result<String, String> {
    if let Some(port) = spec.strip_prefix("tcp:") {
        let digits = port.strip_prefix("localhost:").or_else(|| port.strip_prefix("127.0.0.1:")).unwrap_or(port);
        let port: u16 = digits.parse().map_err(|_| format!("bad port number '{digits}'"))?;
        return Ok(format!("tcp:{port}"));
    }
    let named = LOCAL_SOCKETS.iter().any(|kind| spec.strip_prefix(kind).is_some_and(|name| !name.is_empty()));
    if named { Ok(spec.to_owned()) } else { Err(format!("unknown socket specification '{spec}'")) }
}

/// Carries both ways until one has ended: adb streams know no half-close, the first end closes both, as adbd does.
async fn join(stream: Stream, opened: OpenedStream) {
    let (other, closer) = opened.into_parts();
    tokio::select! {
        () = carry(stream.reader, other.writer) => {}
        () = carry(other.reader, stream.writer) => {}
    }
    closer.close().await;
}

async fn carry(mut from: crate::wire::StreamReader, to: StreamWriter) {
    while let Some(chunk) = from.chunk().await {
        if to.write(&chunk).await.is_err() {
            return;
        }
    }
    // All of it is to arrive before the stream is closed.
    let _closed = to.flushed().await;
}

#[cfg(test)]
mod tests {
    use super::own_name;

    #[test]
    fn a_socket_has_one_name_however_it_is_written() {
        for spec in ["tcp:8080", "tcp:localhost:8080", "tcp:127.0.0.1:8080"] {
            assert_eq!(own_name(spec).unwrap(), "tcp:8080");
        }
        assert_eq!(own_name("localabstract:scrcpy").unwrap(), "localabstract:scrcpy");
        assert_eq!(own_name("tcp:x").unwrap_err(), "bad port number 'x'");
        assert_eq!(own_name("vsock:1").unwrap_err(), "unknown socket specification 'vsock:1'");
        assert_eq!(own_name("localabstract:").unwrap_err(), "unknown socket specification 'localabstract:'");
    }
}
