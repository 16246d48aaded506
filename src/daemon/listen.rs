//! Connections: how many at once, how long the head of a request may take, and how they end.
//!
//! Descriptors are the process's own: adb, database and recordings need theirs, so that clients get only so many. Who holds
//! a connection and asks nothing is shown out.

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::pending;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// Pause after a connection could not be taken for want of descriptors or memory.
const BREATH: Duration = Duration::from_secs(1);

/// What a listener allows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Connections at once; others wait in the system's queue.
    pub(super) connections: usize,
    /// Time from the beginning of a connection, or the end of its last answer, to the end of the next request's head.
    pub(super) head: Duration,
}

/// Answers until `stop` fires, then lets the requests under way end. To be dropped where they take too long.
pub(super) async fn serve(
    listener: TcpListener,
    app: Router,
    tls: Option<TlsAcceptor>,
    bounds: Bounds,
    stop: CancellationToken,
) {
    let seats = Arc::new(Semaphore::new(bounds.connections));
    let mut guests = JoinSet::new();
    while let Some((socket, peer, seat)) = next(&listener, &seats, &stop).await {
        // Those that have gone leave nothing behind.
        while guests.try_join_next().is_some() {}
        let guest = Guest { app: app.clone(), peer, head: bounds.head, stop: stop.clone(), _seat: seat };
        guests.spawn(welcome(socket, tls.clone(), guest));
    }
    drop(listener);
    while guests.join_next().await.is_some() {}
}

/// The next connection, once there is a seat for it; `None` at the stop.
async fn next(
    listener: &TcpListener,
    seats: &Arc<Semaphore>,
    stop: &CancellationToken,
) -> Option<(TcpStream, Peer, OwnedSemaphorePermit)> {
    let accepted = async {
        // Nobody closes the semaphore.
        let seat = Arc::clone(seats).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((socket, address)) => return Some((socket, Peer(address), seat)),
                Err(error) if is_of_the_client(error.kind()) => {}
                Err(error) => {
                    tracing::error!(%error, "no connection can be taken");
                    let _over = timeout(BREATH, pending::<()>()).await;
                }
            }
        }
    };
    tokio::select! {
        biased;
        () = stop.cancelled() => None,
        accepted = accepted => accepted,
    }
}

const fn is_of_the_client(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}

/// The address a request came from, as its handlers find it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) SocketAddr);

/// One connection's own.
struct Guest {
    app: Router,
    peer: Peer,
    head: Duration,
    stop: CancellationToken,
    _seat: OwnedSemaphorePermit,
}

/// Shakes hands where that is asked for; who does not is shown out as who asks nothing.
async fn welcome(socket: TcpStream, tls: Option<TlsAcceptor>, guest: Guest) {
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays slow");
    }
    let Some(tls) = tls else { return attend(socket, guest).await };
    match timeout(guest.head, tls.accept(socket)).await {
        Ok(Ok(secured)) => attend(secured, guest).await,
        Ok(Err(error)) => tracing::debug!(%error, peer = %guest.peer.0, "a caller does not speak TLS"),
        Err(_elapsed) => tracing::debug!(peer = %guest.peer.0, "a caller takes too long for its handshake"),
    }
}

async fn attend<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(socket: S, guest: Guest) {
    let Guest { app, peer, head, stop, _seat } = guest;
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(head);
    let app = TowerToHyperService::new(app);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        app.call(request)
    });
    let connection = server.serve_connection(TokioIo::new(socket), service);
    let mut connection = pin!(connection);
    let mut stopping = false;
    loop {
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended before its time");
                }
                return;
            }
            () = stop.cancelled(), if !stopping => {
                stopping = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
