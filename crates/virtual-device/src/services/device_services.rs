//! Service names to services.

use super::process::{self, Program, Protocol};
use super::reverse::DeviceSockets;
use super::tracking::{self, Listing};
use super::{adbd, framebuffer, sync};
use crate::faults::Fault;
use crate::system::SharedSystem;
use crate::wire::{Away, Line, Opener, ServiceFuture, Services, Stream};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Processes adb may run at a time on one device. Each takes a thread; Android too has a limit, of memory.
const MAX_PROCESSES: usize = 256;

/// A device as its services see it.
#[derive(Clone)]
pub struct Reachable {
    /// Its state.
    pub system: Arc<SharedSystem>,
    /// Its way to the outside.
    pub line: Line,
    /// Where it listens.
    pub address: SocketAddr,
    /// Places for processes, see [`processes`].
    pub processes: Arc<Semaphore>,
    /// What listens on it.
    pub sockets: Arc<DeviceSockets>,
}

/// Places for the processes of one device.
pub fn processes() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(MAX_PROCESSES))
}

/// The services of one connection.
pub struct DeviceServices {
    device: Reachable,
}

impl DeviceServices {
    /// Services of a device.
    pub const fn new(device: Reachable) -> Self {
        Self { device }
    }

    /// A process on the stream; `None` when there are too many.
    fn process(&self, stream: Stream, program: Program, protocol: Protocol) -> Option<ServiceFuture> {
        let place = self.device.processes.clone().try_acquire_owned().ok()?;
        Some(Box::pin(process::run(self.device.system.clone(), stream, program, protocol, place)))
    }

    /// Whether a fault takes the device off the line instead of opening this.
    fn hung_up(&self, name: &str) -> bool {
        let faults = &self.device.system.faults;
        let away = match faults.strike_at(Fault::Drop, name) {
            Some(strike) => Some(Away::Gone(strike.time())),
            None => faults.strike_at(Fault::Offline, name).map(|strike| Away::Silent(strike.time())),
        };
        away.is_some_and(|away| {
            self.device.line.leave(away);
            true
        })
    }
}

impl Services for DeviceServices {
    fn open(&self, name: &str, stream: Stream, opener: Opener) -> Option<ServiceFuture> {
        if self.hung_up(name) {
            // The connection is about to go; until then the host waits for an answer.
            return Some(Box::pin(async move { opener.connection.cancelled().await }));
        }
        let device = self.device.clone();
        match name {
            "jdwp" => return Some(Box::pin(tracking::once(device, stream))),
            "track-jdwp" => return Some(Box::pin(tracking::follow(device, stream, Listing::Pids))),
            "track-app" if self.api(31) => return Some(Box::pin(tracking::follow(device, stream, Listing::Proto))),
            _ => {}
        }
        let (service, argument) = name.split_once(':')?;
        let (service, options) = service.split_once(',').unwrap_or((service, ""));
        Some(match service {
            "shell" => {
                let (program, protocol) = parse_shell(options, argument);
                return self.process(stream, program, protocol);
            }
            "exec" => return self.process(stream, Program::Line(argument.to_owned()), Protocol::Plain),
            "abb_exec" | "abb" if self.api(29) => {
                let args = ["cmd"].into_iter().chain(argument.split('\0')).map(ToOwned::to_owned).collect();
                let protocol = if service == "abb" { Protocol::Packets } else { Protocol::Plain };
                return self.process(stream, Program::Arguments(args), protocol);
            }
            "sync" => Box::pin(sync::run(device.system, stream)),
            "framebuffer" => Box::pin(framebuffer::run(device.system, stream.writer)),
            "reverse" => {
                let (sockets, request) = (device.sockets, argument.to_owned());
                Box::pin(async move { sockets.run(&request, &stream.writer, opener).await })
            }
            // No app of this device listens; what does leads to the host. Where nothing listens, connecting fails and
            // the stream is refused.
            "tcp" | "local" | "localabstract" | "localfilesystem" | "localreserved" => {
                device.sockets.connect(name, stream)?
            }
            "reboot" => Box::pin(async move { adbd::reboot(&device) }),
            "root" => Box::pin(adbd::root(device, stream.writer)),
            "unroot" => Box::pin(adbd::unroot(device, stream.writer)),
            "remount" => Box::pin(adbd::remount(device, stream.writer)),
            "tcpip" => Box::pin(adbd::tcpip(device, argument.to_owned(), stream.writer)),
            "usb" => Box::pin(adbd::usb(device, stream.writer)),
            _ => return None,
        })
    }
}

impl DeviceServices {
    fn api(&self, level: u32) -> bool {
        self.device.system.lock().config().api.since(level)
    }
}

/// `shell[,v2][,raw|,pty][,TERM=x]:[command]`.
fn parse_shell(options: &str, command: &str) -> (Program, Protocol) {
    let has = |wanted: &str| options.split(',').any(|option| option == wanted);
    // Without a word of the host's, people get a terminal and commands do not (`ShellService`).
    let terminal = has("pty") || (command.is_empty() && !has("raw"));
    let protocol = match (has("v2"), terminal) {
        (false, false) => Protocol::Plain,
        (false, true) => Protocol::PlainOnTerminal,
        (true, false) => Protocol::Packets,
        (true, true) => Protocol::PacketsOnTerminal,
    };
    let program = match (command, protocol) {
        ("", Protocol::Packets) => Program::Script,
        ("", _) => Program::Interactive,
        (line, _) => Program::Line(line.to_owned()),
    };
    (program, protocol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_options_choose_protocol_and_terminal() {
        assert_eq!(parse_shell("", "ls"), (Program::Line("ls".to_owned()), Protocol::Plain));
        assert_eq!(parse_shell("v2,raw", "ls"), (Program::Line("ls".to_owned()), Protocol::Packets));
        assert_eq!(parse_shell("v2,TERM=xterm,pty", "").1, Protocol::PacketsOnTerminal);
        assert_eq!(parse_shell("v2,TERM=xterm,raw", "").0, Program::Script);
        assert_eq!(parse_shell("v2", "ls").1, Protocol::Packets);
        assert_eq!(parse_shell("v2,pty", "ls").1, Protocol::PacketsOnTerminal);
        assert_eq!(parse_shell("v2", "").1, Protocol::PacketsOnTerminal);
        assert_eq!(parse_shell("", ""), (Program::Interactive, Protocol::PlainOnTerminal));
        assert_eq!(parse_shell("pty", "ls").1, Protocol::PlainOnTerminal);
        assert_eq!(parse_shell("raw", "").1, Protocol::Plain);
    }
}
