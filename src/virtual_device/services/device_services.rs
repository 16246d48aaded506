//! Service names to services.

use super::process::{self, Program, Protocol};
use super::reverse::Reverses;
use super::{framebuffer, sync};
use crate::virtual_device::system::SharedSystem;
use crate::virtual_device::wire::{Opener, ServiceFuture, Services, Stream};
use std::sync::Arc;

/// The services of one connection.
pub struct DeviceServices {
    system: Arc<SharedSystem>,
    reverses: Arc<Reverses>,
}

impl DeviceServices {
    /// Services on a device's state.
    pub fn new(system: Arc<SharedSystem>) -> Self {
        Self { system, reverses: Arc::default() }
    }

    fn process(&self, stream: Stream, program: Program, protocol: Protocol) -> ServiceFuture {
        Box::pin(process::run(self.system.clone(), stream, program, protocol))
    }
}

impl Services for DeviceServices {
    fn open(&self, name: &str, stream: Stream, opener: Opener) -> Option<ServiceFuture> {
        let (service, argument) = name.split_once(':')?;
        let (service, options) = service.split_once(',').unwrap_or((service, ""));
        let has_abb = || self.system.lock().config().api.since(29);
        Some(match service {
            "shell" => {
                let (program, protocol) = parse_shell(options, argument);
                self.process(stream, program, protocol)
            }
            "exec" => self.process(stream, Program::Line(argument.to_owned()), Protocol::Plain),
            "abb_exec" | "abb" if has_abb() => {
                let args = ["cmd"].into_iter().chain(argument.split('\0')).map(ToOwned::to_owned).collect();
                let protocol = if service == "abb" { Protocol::Packets } else { Protocol::Plain };
                self.process(stream, Program::Arguments(args), protocol)
            }
            "sync" => Box::pin(sync::run(self.system.clone(), stream)),
            "framebuffer" => Box::pin(framebuffer::run(self.system.clone(), stream.writer)),
            "reverse" => {
                let (reverses, request) = (self.reverses.clone(), argument.to_owned());
                Box::pin(async move { reverses.run(&request, &stream.writer, opener).await })
            }
            "reboot" => {
                let system = self.system.clone();
                Box::pin(async move {
                    system.lock().reboot();
                    opener.connection.cancel();
                })
            }
            "root" => say(stream, "adbd cannot run as root in production builds\n"),
            "unroot" => say(stream, "adbd not running as root\n"),
            _ => return None,
        })
    }
}

fn say(stream: Stream, text: &'static str) -> ServiceFuture {
    Box::pin(async move {
        // Nobody is left to be told.
        let _closed = stream.writer.write(text.as_bytes()).await;
    })
}

/// `shell[,v2][,raw|,pty][,TERM=x]:[command]`.
fn parse_shell(options: &str, command: &str) -> (Program, Protocol) {
    let has = |wanted: &str| options.split(',').any(|option| option == wanted);
    let protocol = match (has("v2"), has("raw")) {
        (false, _) => Protocol::Plain,
        (true, true) => Protocol::Packets,
        (true, false) => Protocol::PacketsOnTerminal,
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
        assert_eq!(parse_shell("", "").0, Program::Interactive);
    }
}
