//! What a service manager is told: ready, stopping, and still alive (`sd_notify(3)`).

use crate::app::Environment;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The service manager that started this process, or nobody.
#[derive(Debug, Default)]
pub(super) struct Supervisor {
    socket: Option<PathBuf>,
    /// It ends a process of which it hears nothing for so long.
    watchdog: Option<Duration>,
}

impl Supervisor {
    /// The one the environment tells of. A watchdog that is meant for another process is none.
    pub(super) fn of(environment: &Environment) -> Self {
        let own = environment.watchdog_pid.is_none_or(|id| id == std::process::id());
        let watchdog = environment.watchdog_microseconds.filter(|time| own && *time > 0).map(Duration::from_micros);
        Self { socket: environment.notify_socket.clone(), watchdog }
    }

    /// Tells it something. One that does not listen costs nothing but a warning: the daemon works without it.
    pub(super) fn tell(&self, state: &str) {
        let Some(socket) = &self.socket else { return };
        if let Err(error) = send(socket, state) {
            tracing::warn!(%error, state, "the service manager could not be told");
        }
    }

    /// Tells it again and again that the process lives, twice as often as it asks for; comes back never.
    pub(super) async fn keep_watch(&self) {
        let Some(watchdog) = self.watchdog.filter(|_| self.socket.is_some()) else {
            return std::future::pending().await;
        };
        loop {
            self.tell("WATCHDOG=1");
            let _over = tokio::time::timeout(watchdog / 2, std::future::pending::<()>()).await;
        }
    }
}

#[cfg(target_os = "linux")]
fn send(socket: &std::path::Path, state: &str) -> io::Result<()> {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let address = match socket.as_os_str().as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address).map(drop)
}

#[cfg(not(target_os = "linux"))]
fn send(_socket: &std::path::Path, _state: &str) -> io::Result<()> {
    Err(io::Error::other("service managers are told on Linux only"))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_os = "linux")]
    use std::os::unix::net::UnixDatagram;

    #[cfg(target_os = "linux")]
    fn heard(socket: &UnixDatagram) -> String {
        let mut bytes = [0; 256];
        let length = socket.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_service_manager_is_told_on_its_socket_and_nobody_where_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let environment = Environment { notify_socket: Some(path.clone()), ..Environment::default() };
        Supervisor::of(&environment).tell("READY=1");
        assert_eq!(heard(&socket), "READY=1");
        Supervisor::default().tell("READY=1");
        // One that is gone fails nothing.
        drop(socket);
        Supervisor::of(&environment).tell("STOPPING=1");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_abstract_socket_is_reached_by_its_name() {
        use std::os::linux::net::SocketAddrExt as _;
        let name = format!("tapwright-test-{}", std::process::id());
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
        let socket = UnixDatagram::bind_addr(&address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let environment = Environment { notify_socket: Some(format!("@{name}").into()), ..Environment::default() };
        Supervisor::of(&environment).tell("STOPPING=1");
        assert_eq!(heard(&socket), "STOPPING=1");
    }

    #[test]
    fn a_watchdog_is_heeded_where_it_is_meant_for_this_process() {
        let of = |microseconds: u64, id: Option<u32>| {
            let (watchdog_microseconds, watchdog_pid) = (Some(microseconds), id);
            Supervisor::of(&Environment { watchdog_microseconds, watchdog_pid, ..Environment::default() }).watchdog
        };
        assert_eq!(of(2_000_000, None), Some(Duration::from_secs(2)));
        assert_eq!(of(2_000_000, Some(std::process::id())), Some(Duration::from_secs(2)));
        assert_eq!((of(2_000_000, Some(1)), of(0, None)), (None, None));
    }
}
