//! The emulator's console: a text protocol on a port of its own, which `adb emu` and people with `nc` speak.
//!
//! Only what the virtual device really does is a command; anything else is unknown, as on an emulator of another version.
//! Source: AOSP `external/qemu/android/android-emu/android/console.cpp`, adb `client/console.cpp`.

mod commands;
mod help;
mod nmea;
mod session;

use crate::system::SharedSystem;
use session::Session;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Conversations at a time; the emulator has no limit, but its users are few.
const MAX_SESSIONS: usize = 32;

/// Who may use the console.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConsoleAuth {
    /// The token to give; none lets everyone in, as an empty token file does.
    pub token: Option<String>,
    /// Where the token is kept, for the banner.
    pub file: PathBuf,
}

/// One device's console.
pub(super) struct Console {
    pub(super) system: Arc<SharedSystem>,
    /// `avd name`.
    pub(super) name: String,
    pub(super) auth: ConsoleAuth,
    /// Ends the device (`kill`).
    pub(super) stop: CancellationToken,
}

impl Console {
    /// Serves until the device stops.
    pub(super) async fn run(self, listener: TcpListener) {
        let console = Arc::new(self);
        let places = Arc::new(Semaphore::new(MAX_SESSIONS));
        let mut sessions = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                Some(_) = sessions.join_next() => continue,
                () = console.stop.cancelled() => break,
            };
            match (accepted, places.clone().try_acquire_owned()) {
                (Ok((socket, _)), Ok(place)) => {
                    let console = console.clone();
                    sessions.spawn(async move {
                        let stop = console.stop.clone();
                        let session = Session::new(console).run(socket);
                        tokio::select! {
                            biased;
                            ended = session => if let Err(error) = ended {
                                tracing::debug!(%error, "console connection ended");
                            },
                            () = stop.cancelled() => {}
                        }
                        drop(place);
                    });
                }
                (Ok(_), Err(_)) => tracing::debug!("console: too many connections"),
                (Err(error), _) => {
                    tracing::warn!(%error, "console: accept failed");
                    tokio::task::yield_now().await;
                }
            }
        }
        // Each ends with the device; the answer to `kill` still goes out.
        drop(listener);
        while sessions.join_next().await.is_some() {}
    }
}
