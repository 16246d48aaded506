//! One TCP connection from an adb server: handshake, then streams until either end goes.

use super::auth::{AuthPolicy, Step, token};
use super::packet::{Command, HEADER_LEN, Header, MAX_HANDSHAKE_PAYLOAD, Packet, SumRule, WireError};
use super::stream::{Closed, Stream, StreamReader, StreamWriter};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// A running service; its stream is closed when it ends.
pub type ServiceFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Starts services by name.
pub trait Services: Send + Sync + 'static {
    /// The service's work on `stream`, or `None` for a name this device does not know (the OPEN then fails with CLSE).
    fn open(&self, name: &str, stream: Stream, opener: Opener) -> Option<ServiceFuture>;
}

/// What the device tells a host about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// Protocol version, `0x01000000` or `0x01000001`.
    pub version: u32,
    /// Largest payload this device receives, in bytes.
    pub max_payload: u32,
    /// `device::ro.product.name=…;…;features=…`.
    pub text: String,
}

/// How long a host may take. An idle host may stay for ever; one that stops in the middle of a packet may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From the connection to its CNXN.
    pub greeting: Duration,
    /// From a packet's first byte to its last.
    pub packet: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { greeting: Duration::from_secs(10), packet: Duration::from_secs(30) }
    }
}

/// How a host is met.
#[derive(Debug, Clone)]
pub struct Host {
    /// What it is told.
    pub banner: Banner,
    /// How its key is answered.
    pub policy: AuthPolicy,
    /// How long it may take.
    pub patience: Patience,
    /// Set once it has sent its CNXN.
    pub greeted: Arc<AtomicBool>,
}

/// Why a connection ended early.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// The peer does not speak adb's protocol.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The peer sent a second WRTE before the first was acknowledged.
    #[error("the host sent data on stream {0} without waiting for OKAY")]
    Flooded(u32),
    /// The peer connected and said nothing, or stopped in the middle of a packet.
    #[error("the host did not send {0} in time")]
    Slow(&'static str),
    /// The socket failed.
    #[error("connection to the adb server: {0}")]
    Io(#[from] std::io::Error),
}

/// More streams than any client opens; a host that exceeds it gets CLSE.
const MAX_STREAMS: usize = 4096;
/// Packets waiting for a host that does not read: with the largest payload, what one connection may hold in memory.
const QUEUED_PACKETS: usize = 16;

struct Entry {
    remote: Option<u32>,
    inbound: mpsc::Sender<Vec<u8>>,
    turn: Arc<Semaphore>,
    /// Streams the device opened wait here for the host's OKAY.
    opened: Option<oneshot::Sender<u32>>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.turn.close();
    }
}

struct Shared {
    streams: Mutex<HashMap<u32, Entry>>,
    outgoing: mpsc::Sender<Packet>,
    next_local: AtomicU32,
    max_payload: AtomicU32,
}

impl Shared {
    fn streams(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Entry>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_local(&self) -> u32 {
        // Zero is not a valid id.
        loop {
            let id = self.next_local.fetch_add(1, Ordering::Relaxed);
            if id != 0 && !self.streams().contains_key(&id) {
                return id;
            }
        }
    }

    fn max_payload(&self) -> usize {
        self.max_payload.load(Ordering::Relaxed) as usize
    }
}

/// Opens streams from the device to the host (`reverse:` needs it).
#[derive(Clone)]
pub struct Opener {
    shared: Arc<Shared>,
    /// Ends with the connection.
    pub connection: CancellationToken,
}

impl Opener {
    /// Asks the host for `destination` (for instance `tcp:8080`); [`Closed`] when it refuses.
    pub async fn open(&self, destination: &str) -> Result<OpenedStream, Closed> {
        let local = self.shared.next_local();
        let (inbound_sender, inbound) = mpsc::channel(2);
        let (opened, reply) = oneshot::channel();
        let turn = Arc::new(Semaphore::new(0));
        let entry = Entry { remote: None, inbound: inbound_sender, turn: turn.clone(), opened: Some(opened) };
        self.shared.streams().insert(local, entry);
        let guard = StreamGuard { shared: self.shared.clone(), local };
        let mut payload = destination.as_bytes().to_vec();
        payload.push(0);
        let packet = Packet { command: Command::OPEN, arg0: local, arg1: 0, payload };
        self.shared.outgoing.send(packet).await.map_err(|_| Closed)?;
        let remote = reply.await.map_err(|_| Closed)?;
        let reader = StreamReader::new(inbound, self.shared.outgoing.clone(), local, remote);
        let writer = StreamWriter::new(self.shared.outgoing.clone(), turn, local, remote, self.shared.max_payload());
        Ok(OpenedStream { stream: Stream { reader, writer }, remote, guard })
    }
}

/// A stream the device opened. Call [`StreamCloser::close`] at its end.
pub struct OpenedStream {
    /// The stream.
    pub stream: Stream,
    remote: u32,
    guard: StreamGuard,
}

impl OpenedStream {
    /// Splits off what closes it.
    pub fn into_parts(self) -> (Stream, StreamCloser) {
        (self.stream, StreamCloser { remote: self.remote, guard: self.guard })
    }
}

/// Closes a stream the device opened.
pub struct StreamCloser {
    remote: u32,
    guard: StreamGuard,
}

impl StreamCloser {
    /// Sends CLSE unless the host has closed the stream already.
    pub async fn close(self) {
        if self.guard.shared.streams().remove(&self.guard.local).is_some() {
            let packet = Packet::bare(Command::CLOSE, self.guard.local, self.remote);
            // A send that fails means the connection is gone, and the stream with it.
            let _gone = self.guard.shared.outgoing.send(packet).await;
        }
    }
}

struct StreamGuard {
    shared: Arc<Shared>,
    local: u32,
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.shared.streams().remove(&self.local);
    }
}

/// Serves one connection until the host goes, breaks the protocol, or `stop` is cancelled.
pub async fn serve(
    socket: TcpStream,
    host: Host,
    services: Arc<dyn Services>,
    stop: CancellationToken,
) -> Result<(), ConnectionError> {
    socket.set_nodelay(true)?;
    let (mut read, write) = socket.into_split();
    let (outgoing, queue) = mpsc::channel(QUEUED_PACKETS);
    let sums = Arc::new(Mutex::new(SumRule::Always));
    // Everything started for this connection ends with it, whichever way it ends.
    let connection = stop.child_token();
    let _ends_streams = connection.clone().drop_guard();
    let sending = tokio::spawn(send_packets(write, queue, sums.clone(), connection.clone()));
    let shared = Arc::new(Shared {
        streams: Mutex::default(),
        outgoing,
        next_local: AtomicU32::new(1),
        max_payload: AtomicU32::new(host.banner.max_payload),
    });
    let Host { banner, policy, patience, greeted } = host;
    let state = State { greeted, online: false };
    let connection_token = connection.clone();
    let mut session = Session { shared, banner, policy, patience, services, connection: connection_token, state, sums };
    let result = tokio::select! {
        result = session.receive(&mut read) => result,
        () = connection.cancelled() => Ok(()),
    };
    session.shared.streams().clear();
    connection.cancel();
    drop(session);
    sending.await.map_err(std::io::Error::other)??;
    result
}

async fn send_packets(
    mut write: OwnedWriteHalf,
    mut queue: mpsc::Receiver<Packet>,
    sums: Arc<Mutex<SumRule>>,
    connection: CancellationToken,
) -> std::io::Result<()> {
    loop {
        // What was promised before the end (an OKAY) still goes out.
        let packet = tokio::select! {
            biased;
            packet = queue.recv() => packet,
            () = connection.cancelled() => None,
        };
        let Some(packet) = packet else { return Ok(()) };
        let rule = *sums.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = packet.encode(rule);
        tokio::select! {
            biased;
            sent = write.write_all(&bytes) => if let Err(error) = sent {
                connection.cancel();
                // A host that hangs up is how every connection ends.
                tracing::debug!(%error, "adb connection closed while sending");
                return Ok(());
            },
            () = connection.cancelled() => return Ok(()),
        }
    }
}

struct Session {
    shared: Arc<Shared>,
    banner: Banner,
    policy: AuthPolicy,
    services: Arc<dyn Services>,
    patience: Patience,
    connection: CancellationToken,
    state: State,
    sums: Arc<Mutex<SumRule>>,
}

struct State {
    /// True after the host's first CNXN.
    greeted: Arc<AtomicBool>,
    /// True after the device has answered CNXN with CNXN.
    online: bool,
}

async fn within<T>(
    time: Duration,
    what: &'static str,
    work: impl Future<Output = std::io::Result<T>>,
) -> Result<T, ConnectionError> {
    match tokio::time::timeout(time, work).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(ConnectionError::Slow(what)),
    }
}

impl Session {
    async fn receive(&mut self, read: &mut OwnedReadHalf) -> Result<(), ConnectionError> {
        loop {
            let mut head = [0; HEADER_LEN];
            let greeted = self.state.greeted.load(Ordering::Relaxed);
            let begun = if greeted {
                read.read(&mut head).await?
            } else {
                within(self.patience.greeting, "CNXN", read.read(&mut head)).await?
            };
            if begun == 0 {
                return Ok(());
            }
            // Strangers have nothing large to say.
            let limit = if greeted { self.banner.max_payload } else { MAX_HANDSHAKE_PAYLOAD };
            let rest = "the rest of a packet";
            within(self.patience.packet, rest, read.read_exact(&mut head[begun..])).await?;
            let header = Header::parse(&head, limit)?;
            let mut payload = vec![0; header.length as usize];
            within(self.patience.packet, rest, read.read_exact(&mut payload)).await?;
            self.handle(Packet { command: header.command, arg0: header.arg0, arg1: header.arg1, payload }).await?;
        }
    }

    async fn send(&self, packet: Packet) {
        if self.shared.outgoing.send(packet).await.is_err() {
            self.connection.cancel();
        }
    }

    async fn handle(&mut self, packet: Packet) -> Result<(), ConnectionError> {
        match packet.command {
            Command::CONNECT => {
                self.shared.streams().clear();
                self.state.greeted.store(true, Ordering::Relaxed);
                self.state.online = false;
                let version = packet.arg0.min(self.banner.version);
                *self.sums.lock().unwrap_or_else(PoisonError::into_inner) =
                    if version >= 0x0100_0001 { SumRule::HandshakeOnly } else { SumRule::Always };
                self.shared.max_payload.store(packet.arg1.min(self.banner.max_payload), Ordering::Relaxed);
                self.advance(self.policy.on_connect()).await;
            }
            Command::AUTH if !self.state.online => self.advance(self.policy.on_auth(packet.arg0)).await,
            Command::OPEN if self.state.online => self.open(packet).await,
            Command::OKAY if self.state.online => self.acknowledge(packet.arg0, packet.arg1).await,
            Command::WRITE if self.state.online => self.deliver(packet)?,
            Command::CLOSE if self.state.online => self.close(packet.arg0, packet.arg1).await,
            // Unknown commands, and stream packets before the handshake, are ignored (`handle_packet`).
            _ => {}
        }
        Ok(())
    }

    async fn advance(&mut self, step: Step) {
        match step {
            Step::Connect => {
                self.state.online = true;
                let packet = Packet {
                    command: Command::CONNECT,
                    arg0: self.banner.version,
                    arg1: self.banner.max_payload,
                    payload: self.banner.text.clone().into_bytes(),
                };
                self.send(packet).await;
            }
            Step::Token => {
                let packet = Packet {
                    command: Command::AUTH,
                    arg0: super::auth::kind::TOKEN,
                    arg1: 0,
                    payload: token().to_vec(),
                };
                self.send(packet).await;
            }
            Step::Wait => {}
        }
    }

    async fn open(&self, packet: Packet) {
        let remote = packet.arg0;
        let local = self.shared.next_local();
        let name = String::from_utf8(packet.payload).ok().map(|name| name.trim_end_matches('\0').to_owned());
        let (inbound_sender, inbound) = mpsc::channel(2);
        let turn = Arc::new(Semaphore::new(1));
        let outgoing = self.shared.outgoing.clone();
        let stream = Stream {
            reader: StreamReader::new(inbound, outgoing.clone(), local, remote),
            writer: StreamWriter::new(outgoing, turn.clone(), local, remote, self.shared.max_payload()),
        };
        let writer = stream.writer.clone();
        let opener = Opener { shared: self.shared.clone(), connection: self.connection.clone() };
        let full = self.shared.streams().len() >= MAX_STREAMS;
        // arg1 other than 0 asks for delayed acknowledgements, which this device does not advertise.
        let service = match name {
            Some(name) if !full && remote != 0 && packet.arg1 == 0 => self.services.open(&name, stream, opener),
            _ => None,
        };
        let Some(service) = service else {
            self.send(Packet::bare(Command::CLOSE, 0, remote)).await;
            return;
        };
        let entry = Entry { remote: Some(remote), inbound: inbound_sender, turn, opened: None };
        self.shared.streams().insert(local, entry);
        self.send(Packet::bare(Command::OKAY, local, remote)).await;
        let shared = self.shared.clone();
        let connection = self.connection.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = service => {}
                () = connection.cancelled() => return,
            }
            // Closed by the host is as good as flushed.
            let _closed = writer.flushed().await;
            if shared.streams().remove(&local).is_some() {
                let _gone = shared.outgoing.send(Packet::bare(Command::CLOSE, local, remote)).await;
            }
        });
    }

    /// The host closes a stream. adbd shuts the other end down too, which sends a CLSE of its own
    /// (`local_socket_close`, `remote_socket_shutdown`); clients without an adb server wait for it. A stream that is
    /// not known, or was never answered by the host, has no other end (`find_local_socket`).
    async fn close(&self, remote: u32, local: u32) {
        let closed = {
            let mut streams = self.shared.streams();
            let known = streams.get(&local).is_some_and(|entry| remote == 0 || entry.remote == Some(remote));
            if known { streams.remove(&local) } else { None }
        };
        if let Some(peer) = closed.and_then(|entry| entry.remote) {
            self.send(Packet::bare(Command::CLOSE, local, peer)).await;
        }
    }

    async fn acknowledge(&self, remote: u32, local: u32) {
        let known = {
            let mut streams = self.shared.streams();
            match streams.get_mut(&local) {
                Some(entry) => {
                    if let Some(opened) = entry.opened.take() {
                        entry.remote = Some(remote);
                        // The one who asked may have given up; the stream is then closed by its guard.
                        let _given_up = opened.send(remote);
                    }
                    if entry.remote == Some(remote) && entry.turn.available_permits() == 0 {
                        entry.turn.add_permits(1);
                    }
                    true
                }
                None => false,
            }
        };
        if !known {
            self.send(Packet::bare(Command::CLOSE, local, remote)).await;
        }
    }

    fn deliver(&self, packet: Packet) -> Result<(), ConnectionError> {
        let streams = self.shared.streams();
        let Some(entry) = streams.get(&packet.arg1).filter(|entry| entry.remote == Some(packet.arg0)) else {
            return Ok(());
        };
        match entry.inbound.try_send(packet.payload) {
            // A service that no longer reads will close its stream in a moment.
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => Ok(()),
            Err(mpsc::error::TrySendError::Full(_)) => Err(ConnectionError::Flooded(packet.arg1)),
        }
    }
}
