//! A device process on a stream: pumps its input and output, reports its exit.

use super::shell_packet::{Decoder, encode, id};
use super::terminal::Terminal;
use crate::faults::Fault;
use crate::shell::{Exit, Input, Output, Shell};
use crate::system::{Interrupt, SharedSystem};
use crate::wire::{Closed, Stream, StreamReader, StreamWriter};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Program {
    /// `sh -c LINE`.
    Line(String),
    /// A login shell for a person.
    Interactive,
    /// A script on stdin.
    Script,
    /// One program without a shell.
    Arguments(Vec<String>),
}

impl Program {
    /// What a fault's `only=` is compared with.
    fn name(&self) -> String {
        match self {
            Self::Line(line) => line.clone(),
            Self::Interactive | Self::Script => "sh".to_owned(),
            Self::Arguments(args) => args.join(" "),
        }
    }
}

/// How it talks to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    /// Plain bytes through a PTY in raw mode (`make_pty_raw`): stderr merged, no exit status, bytes as written.
    Plain,
    /// Plain bytes through a PTY: stderr merged, no exit status, the terminal's line ends and echo.
    PlainOnTerminal,
    /// Shell protocol on a PTY: stderr merged, exit status, the terminal's line ends and echo.
    PacketsOnTerminal,
    /// Shell protocol without terminal: separate streams, exit status.
    Packets,
}

impl Protocol {
    /// The PTY a person sits at; `None` where there is none, or one that changes nothing.
    fn terminal(self) -> Option<Arc<Mutex<Terminal>>> {
        matches!(self, Self::PlainOnTerminal | Self::PacketsOnTerminal).then(Arc::default)
    }

    const fn in_packets(self) -> bool {
        matches!(self, Self::Packets | Self::PacketsOnTerminal)
    }
}

/// Ends the process when its service goes, for whatever reason: a blocking thread would outlive everything else.
struct EndOnDrop(Interrupt);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

enum Event {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// Largest payload of one shell packet.
const CHUNK: usize = 128 * 1024;

/// `place` is held until the process has ended, even when its stream goes before.
pub(super) async fn run(
    system: Arc<SharedSystem>,
    stream: Stream,
    program: Program,
    protocol: Protocol,
    place: OwnedSemaphorePermit,
) {
    let Stream { reader, writer } = stream;
    let (events, mut produced) = mpsc::channel(8);
    let (typed, stdin) = mpsc::channel(8);
    let interrupt = Interrupt::default();
    let _ends_process = EndOnDrop(interrupt.clone());
    let terminal = protocol.terminal();
    let echo = terminal.clone().map(|terminal| (terminal, events.clone()));
    let pump = tokio::spawn(pump_stdin(reader, typed, protocol, echo, interrupt.clone()));
    let process_interrupt = interrupt.clone();
    let ended = CancellationToken::new();
    let ending = ended.clone().drop_guard();
    let faults = system.faults.clone();
    let name = program.name();
    let lost_exit = faults.strike_at(Fault::LostExit, &name).is_some();
    let job = tokio::task::spawn_blocking(move || {
        let _ending = ending;
        let _place = place;
        if faults.strike_at(Fault::HungShell, &name).is_some() {
            process_interrupt.wait_for_ever();
            return Exit::Signal(1);
        }
        if let Some(slow) = faults.strike_at(Fault::SlowShell, &name)
            && !system.clock().wait(slow.time(), &process_interrupt)
        {
            return Exit::Signal(1);
        }
        let stdout = Output::new(EventWriter { events: events.clone(), wrap: Event::Out });
        let (stderr, tty) = match protocol {
            Protocol::Packets => (Output::new(EventWriter { events, wrap: Event::Err }), None),
            _ => (stdout.clone(), Some(stdout.clone())),
        };
        let stdin = Input::new(ChunkReader { chunks: stdin, rest: Vec::new() });
        let mut shell = Shell::new(&system, stdin, stdout, stderr, tty, &process_interrupt);
        match program {
            Program::Line(line) => shell.run(&line),
            Program::Script => shell.run_lines(None),
            Program::Interactive => {
                let device = system.lock().properties.get("ro.product.device").to_owned();
                shell.run_lines(Some(&format!("{device}:/ $ ")))
            }
            Program::Arguments(args) => shell.run_program(args),
        }
    });
    let mut open = true;
    loop {
        // The echo's sender lives as long as the host types, so the channel does not close by itself; what the process
        // wrote is in it before `ended` is cancelled.
        let event = tokio::select! {
            biased;
            event = produced.recv() => event,
            () = ended.cancelled() => produced.try_recv().ok(),
        };
        let Some(event) = event else { break };
        let event = match &terminal {
            Some(terminal) => on_terminal(event, terminal),
            None => event,
        };
        if send(&writer, event, protocol).await.is_err() {
            open = false;
            break;
        }
    }
    drop(produced);
    if !open {
        interrupt.raise();
    }
    let exit = match job.await {
        Ok(exit) => exit,
        Err(error) => {
            tracing::error!(%error, "a virtual device process failed; this is a defect of the device or of its app");
            Exit::Signal(6)
        }
    };
    pump.abort();
    if open && protocol.in_packets() && !lost_exit {
        // A host that closed in the meantime does not want the exit code.
        let _closed = writer.write(&encode(id::EXIT, &[exit.code()])).await;
    }
}

async fn send(writer: &StreamWriter, event: Event, protocol: Protocol) -> Result<(), Closed> {
    let (stream, bytes) = match event {
        Event::Out(bytes) => (id::STDOUT, bytes),
        Event::Err(bytes) => (id::STDERR, bytes),
    };
    if !protocol.in_packets() {
        return writer.write(&bytes).await;
    }
    for chunk in bytes.chunks(CHUNK) {
        writer.write(&encode(stream, chunk)).await?;
    }
    Ok(())
}

fn on_terminal(event: Event, terminal: &Mutex<Terminal>) -> Event {
    let terminal = terminal.lock().unwrap_or_else(PoisonError::into_inner);
    match event {
        Event::Out(bytes) => Event::Out(terminal.output(&bytes)),
        Event::Err(bytes) => Event::Err(terminal.output(&bytes)),
    }
}

/// Feeds the process and notices the end of the stream.
async fn pump_stdin(
    mut reader: StreamReader,
    typed: mpsc::Sender<Vec<u8>>,
    protocol: Protocol,
    echo: Option<(Arc<Mutex<Terminal>>, mpsc::Sender<Event>)>,
    interrupt: Interrupt,
) {
    let mut typed = Some(typed);
    let mut decoder = Decoder::default();
    while let Some(chunk) = reader.chunk().await {
        let pieces = match protocol {
            Protocol::Plain | Protocol::PlainOnTerminal => vec![Some(chunk)],
            Protocol::Packets | Protocol::PacketsOnTerminal => match decoder.push(&chunk) {
                Some(packets) => packets
                    .into_iter()
                    .filter_map(|(kind, payload)| match kind {
                        id::STDIN => Some(Some(payload)),
                        id::CLOSE_STDIN => Some(None),
                        // Window sizes matter to no command here.
                        _ => None,
                    })
                    .collect(),
                None => break,
            },
        };
        for piece in pieces {
            let Some(bytes) = piece else {
                typed = None;
                continue;
            };
            let (echoed, ready, ended) = match &echo {
                Some((terminal, _)) => terminal.lock().unwrap_or_else(PoisonError::into_inner).input(&bytes),
                None => (Vec::new(), bytes, false),
            };
            if let Some((_, events)) = &echo
                && !echoed.is_empty()
                && events.send(Event::Out(echoed)).await.is_err()
            {
                return;
            }
            // A process that does not read its input is no error.
            if let Some(sender) = &typed
                && !ready.is_empty()
                && sender.send(ready).await.is_err()
            {
                typed = None;
            }
            if ended {
                typed = None;
            }
        }
    }
    interrupt.raise();
}

struct EventWriter {
    events: mpsc::Sender<Event>,
    wrap: fn(Vec<u8>) -> Event,
}

impl io::Write for EventWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() {
            let event = (self.wrap)(bytes.to_vec());
            self.events.blocking_send(event).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct ChunkReader {
    chunks: mpsc::Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl io::Read for ChunkReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.chunks.blocking_recv() {
                Some(chunk) => self.rest = chunk,
                None => return Ok(0),
            }
        }
        let count = into.len().min(self.rest.len());
        into[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}
