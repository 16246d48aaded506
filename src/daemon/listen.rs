//! Connections: how many at once, how long the head of a request may take, and how they end.
//!
//! Descriptors are the process's own: adb, database and recordings need theirs, so that clients get only so many. Who holds
//! a connection and asks nothing is shown out.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::pending;
use std::io::ErrorKind;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;
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
pub(super) async fn serve(listener: TcpListener, app: Router, bounds: Bounds, stop: CancellationToken) {
    let seats = Arc::new(Semaphore::new(bounds.connections));
    let mut guests = JoinSet::new();
    while let Some((socket, seat)) = next(&listener, &seats, &stop).await {
        // Those that have gone leave nothing behind.
        while guests.try_join_next().is_some() {}
        guests.spawn(attend(socket, app.clone(), bounds.head, stop.clone(), seat));
    }
    drop(listener);
    while guests.join_next().await.is_some() {}
}

/// The next connection, once there is a seat for it; `None` at the stop.
async fn next(
    listener: &TcpListener,
    seats: &Arc<Semaphore>,
    stop: &CancellationToken,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let accepted = async {
        // Nobody closes the semaphore.
        let seat = Arc::clone(seats).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((socket, _)) => return Some((socket, seat)),
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

async fn attend(socket: TcpStream, app: Router, head: Duration, stop: CancellationToken, _seat: OwnedSemaphorePermit) {
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays slow");
    }
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(head);
    let connection = server.serve_connection(TokioIo::new(socket), TowerToHyperService::new(app));
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
