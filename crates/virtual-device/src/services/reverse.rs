//! `reverse:`: ports on the device that lead to the host (`reverse_service.cpp`, `adb_listeners.cpp`).
//!
//! The virtual device shares its host's network, so a forwarded port is a real port of the loopback interface.

use crate::wire::{OpenedStream, Opener, ServiceFuture, Stream, StreamWriter};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

struct Forward {
    remote: String,
    stop: CancellationToken,
}

/// One connection's listeners; they end with it.
#[derive(Default)]
pub(super) struct Reverses(Mutex<BTreeMap<String, Forward>>);

impl Drop for Forward {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn okay(text: Option<&str>) -> String {
    text.map_or("OKAY".to_owned(), |text| format!("OKAY{:04x}{text}", text.len()))
}

impl Reverses {
    /// Answers one request, for instance `forward:tcp:6100;tcp:7100`.
    pub(super) async fn run(&self, request: &str, writer: &StreamWriter, opener: Opener) {
        let reply = match self.answer(request, opener).await {
            Ok(reply) => reply,
            Err(message) => format!("FAIL{:04x}{message}", message.len()),
        };
        // Nobody is left to be told.
        let _closed = writer.write(reply.as_bytes()).await;
    }

    /// The device connects to one of its own ports (`tcp:PORT` of a host's `forward`); `None` where nothing listens.
    pub(super) fn connect(&self, port: u16, stream: Stream) -> Option<ServiceFuture> {
        self.forwards().contains_key(&format!("tcp:{port}")).then(|| -> ServiceFuture {
            Box::pin(async move {
                // A listener that has gone meanwhile closes the stream.
                if let Ok(socket) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
                    copy(socket, stream).await;
                }
            })
        })
    }

    fn forwards(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Forward>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn answer(&self, request: &str, opener: Opener) -> Result<String, String> {
        if request == "list-forward" {
            let list = self
                .forwards()
                .iter()
                .map(|(local, forward)| format!("(reverse) {local} {}\n", forward.remote))
                .collect::<Vec<_>>()
                .concat();
            // No OKAY before a list: that is the host's doing (`#if ADB_HOST` in `handle_forward_request`).
            return Ok(format!("{:04x}{list}", list.len()));
        }
        if request == "killforward-all" {
            self.forwards().clear();
            return Ok(okay(None));
        }
        if let Some(local) = request.strip_prefix("killforward:") {
            let removed = self.forwards().remove(local);
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
        let port: u16 = local.strip_prefix("tcp:").and_then(|port| port.parse().ok()).ok_or_else(|| {
            format!("cannot bind listener: a virtual device listens on tcp ports only, not '{local}'")
        })?;
        if self.forwards().contains_key(local) {
            if !rebind {
                return Err("cannot rebind existing socket".to_owned());
            }
            self.forwards().remove(local);
        }
        let cannot = |error: std::io::Error| format!("cannot bind listener: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(cannot)?;
        let bound = listener.local_addr().map_err(cannot)?.port();
        let stop = opener.connection.child_token();
        tokio::spawn(accept(listener, remote.to_owned(), opener, stop.clone()));
        self.forwards().insert(format!("tcp:{bound}"), Forward { remote: remote.to_owned(), stop });
        Ok(if port == 0 { okay(Some(&bound.to_string())) } else { okay(None) })
    }
}

async fn accept(listener: TcpListener, remote: String, opener: Opener, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => return,
        };
        match accepted {
            Ok((socket, _)) => {
                let (remote, opener) = (remote.clone(), opener.clone());
                tokio::spawn(async move {
                    // A destination that refuses closes the socket, as adbd does.
                    if let Ok(opened) = opener.open(&remote).await {
                        join(socket, opened).await;
                    }
                });
            }
            Err(error) => {
                tracing::warn!(%error, "reverse listener ended");
                return;
            }
        }
    }
}

async fn join(socket: TcpStream, opened: OpenedStream) {
    let (stream, closer) = opened.into_parts();
    copy(socket, stream).await;
    closer.close().await;
}

/// Copies both ways until one has ended or failed.
async fn copy(socket: TcpStream, stream: Stream) {
    let Stream { mut reader, writer } = stream;
    let (mut from_socket, mut to_socket) = socket.into_split();
    let outward = async {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from_socket.read(&mut buffer).await {
            if writer.write(&buffer[..count]).await.is_err() {
                break;
            }
        }
        // All of it is to arrive before the stream is closed.
        let _closed = writer.flushed().await;
    };
    let inward = async {
        while let Some(chunk) = reader.chunk().await {
            if to_socket.write_all(&chunk).await.is_err() {
                break;
            }
        }
    };
    // adb streams know no half-close: the first end closes both, as adbd does.
    tokio::select! {
        () = outward => {}
        () = inward => {}
    }
}
