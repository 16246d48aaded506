//! Takes connections, hangs up when the device leaves the line, and comes back on the same port.

use crate::services::{DeviceServices, Reachable};
use crate::system::Interrupt;
use crate::wire::{AuthPolicy, Away, Banner, Host, Patience, serve};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Connections at a time. An adb server has one; more than a few are someone who does not let go.
const MAX_CONNECTIONS: usize = 96;
/// Of those that have not said CNXN yet, the oldest is hung up on for a new one: who only connects locks nobody out.
const MAX_STRANGERS: usize = 32;
/// Connections waiting to be taken; adbd asks for as many.
const BACKLOG: u32 = 128;
/// How often a port that another program took meanwhile is tried again, and how long apart.
const REBIND: (u32, Duration) = (100, Duration::from_millis(100));

/// What every connection of a device gets.
pub(super) struct Acceptor {
    pub(super) device: Reachable,
    pub(super) banner: Banner,
    pub(super) auth: AuthPolicy,
    pub(super) patience: Patience,
    pub(super) stop: CancellationToken,
}

impl Acceptor {
    /// Until the device is stopped.
    pub(super) async fn run(self, listener: TcpListener) {
        let mut listener = Some(listener);
        let mut waiting = Vec::new();
        while let Some(open) = listener.take() {
            let Some(away) = self.online(&open, std::mem::take(&mut waiting)).await else { break };
            listener = match away {
                Away::Gone(time) => {
                    drop(open);
                    self.come_back(time).await
                }
                Away::Silent(time) => {
                    waiting = self.silent(&open, time).await;
                    Some(open)
                }
            };
        }
    }

    /// Serves hosts until the device leaves (`Some`) or stops (`None`); then every connection has ended.
    async fn online(&self, listener: &TcpListener, waiting: Vec<TcpStream>) -> Option<Away> {
        let session = self.stop.child_token();
        self.device.line.arrive();
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let mut connections = JoinSet::new();
        let mut strangers = VecDeque::new();
        let mut begin = |connections: &mut JoinSet<()>, socket: TcpStream| {
            // A host too many is hung up on, as by a device that has run out of sockets.
            strangers.retain(|stranger: &Stranger| {
                !stranger.greeted.load(Ordering::Relaxed) && !stranger.token.is_cancelled()
            });
            if strangers.len() >= MAX_STRANGERS
                && let Some(oldest) = strangers.pop_front()
            {
                oldest.token.cancel();
            }
            if let Ok(place) = places.clone().try_acquire_owned() {
                let greeted = Arc::new(AtomicBool::new(false));
                let token = session.child_token();
                strangers.push_back(Stranger { greeted: greeted.clone(), token: token.clone() });
                let connection = self.connection(socket, greeted, token);
                connections.spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
        };
        for socket in waiting {
            begin(&mut connections, socket);
        }
        let away = loop {
            let accepted = tokio::select! {
                biased;
                () = self.stop.cancelled() => break None,
                away = self.device.line.left() => break Some(away),
                Some(_) = connections.join_next() => continue,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((socket, _)) => begin(&mut connections, socket),
                // Out of file descriptors, or a peer that gave up: the next one may do better.
                Err(error) => {
                    tracing::warn!(%error, "virtual device: accept failed");
                    tokio::task::yield_now().await;
                }
            }
        };
        session.cancel();
        while connections.join_next().await.is_some() {}
        away
    }

    fn connection(
        &self,
        socket: TcpStream,
        greeted: Arc<AtomicBool>,
        session: CancellationToken,
    ) -> impl Future<Output = ()> + use<> {
        let services = Arc::new(DeviceServices::new(self.device.clone()));
        let host = Host { banner: self.banner.clone(), policy: self.auth, patience: self.patience, greeted };
        async move {
            let ended = session.clone().drop_guard();
            if let Err(error) = serve(socket, host, services, session).await {
                tracing::debug!(%error, "virtual device: connection dropped");
            }
            drop(ended);
        }
    }

    /// Keeps the port without listening, so that connections are refused, then listens again; `None` when stopped.
    async fn come_back(&self, time: Duration) -> Option<TcpListener> {
        let mut kept = bind(self.device.address);
        self.pause(time).await;
        for _ in 0..REBIND.0 {
            if self.stop.is_cancelled() {
                return None;
            }
            match kept.and_then(|socket| socket.listen(BACKLOG)) {
                Ok(listener) => return Some(listener),
                Err(error) => {
                    tracing::warn!(%error, address = %self.device.address, "virtual device: its port is taken");
                }
            }
            // The other program may go; the host's time counts, whatever the device's clock does.
            let _stopped = tokio::time::timeout(REBIND.1, self.stop.cancelled()).await;
            kept = bind(self.device.address);
        }
        tracing::error!(address = %self.device.address, "virtual device: it cannot come back, its port is taken for good");
        None
    }

    /// Takes connections and keeps them unanswered; they are served afterwards.
    async fn silent(&self, listener: &TcpListener, time: Duration) -> Vec<TcpStream> {
        let mut waiting = Vec::new();
        let mut pause = pin!(self.pause(time));
        loop {
            let accepted = tokio::select! {
                () = &mut pause => return waiting,
                accepted = listener.accept() => accepted,
            };
            if let Ok((socket, _)) = accepted
                && waiting.len() < MAX_CONNECTIONS
            {
                waiting.push(socket);
            }
        }
    }

    /// Lets the device's time pass, or until it is stopped.
    async fn pause(&self, time: Duration) {
        if time.is_zero() {
            return;
        }
        let interrupt = Interrupt::default();
        let clock = self.device.system.clock().clone();
        let raised = interrupt.clone();
        let waiting = tokio::task::spawn_blocking(move || clock.wait(time, &raised));
        tokio::select! {
            _ = waiting => {}
            () = self.stop.cancelled() => interrupt.raise(),
        }
    }
}

/// A connection whose host has said nothing yet.
struct Stranger {
    greeted: Arc<AtomicBool>,
    token: CancellationToken,
}

fn bind(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // The connections just ended are still in TIME_WAIT. (On Windows this would let others take the port.)
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}
