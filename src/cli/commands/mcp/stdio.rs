//! Standard input and output as streams. A thread each: reading a terminal or a file cannot be waited for otherwise.

use std::io::{Read, Write};
use std::thread::JoinHandle;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::runtime::Handle;

/// Bytes that may wait in between.
const BUFFER: usize = 64 << 10;

/// Both streams.
pub(super) struct Pipes {
    /// What the client says.
    pub(super) input: DuplexStream,
    /// What it is answered.
    pub(super) output: DuplexStream,
    /// Prints; ends once `output` is closed and everything is printed.
    pub(super) printer: JoinHandle<()>,
}

impl Pipes {
    /// Opens both, within a runtime.
    pub(super) fn open() -> Self {
        let runtime = Handle::current();
        let (input, said) = tokio::io::duplex(BUFFER);
        let (output, answers) = tokio::io::duplex(BUFFER);
        let own = runtime.clone();
        // It stays in its read when everything else has ended; the process ends without it.
        std::thread::spawn(move || read(&own, said));
        let printer = std::thread::spawn(move || print(&runtime, answers));
        Self { input, output, printer }
    }
}

fn read(runtime: &Handle, mut said: DuplexStream) {
    let mut buffer = vec![0; BUFFER];
    let mut input = std::io::stdin().lock();
    while let Ok(count @ 1..) = input.read(&mut buffer) {
        let bytes = buffer.get(..count).unwrap_or_default();
        if runtime.block_on(said.write_all(bytes)).is_err() {
            return;
        }
    }
}

fn print(runtime: &Handle, mut answers: DuplexStream) {
    let mut buffer = vec![0; BUFFER];
    let mut output = std::io::stdout().lock();
    while let Ok(count @ 1..) = runtime.block_on(answers.read(&mut buffer)) {
        let bytes = buffer.get(..count).unwrap_or_default();
        if output.write_all(bytes).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
