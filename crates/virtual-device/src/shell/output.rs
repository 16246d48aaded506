//! Streams of a device process.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes a pipe, a `$(…)` or a program may hold in memory. What prints without end must not take the host with it.
const MOST: usize = 64 << 20;

fn too_much() -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, "Out of memory")
}

/// Where a process writes; clones share it, so `2>&1` is a clone.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Wraps a writer.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// A buffer and the output that fills it; writing more than [`MOST`] fails.
    pub(super) fn buffer() -> (Self, Arc<Mutex<Vec<u8>>>) {
        let buffer = Arc::new(Mutex::new(Vec::new()));
        (Self::new(Bounded(buffer.clone())), buffer)
    }

    /// Throws everything away (`/dev/null`).
    pub(super) fn null() -> Self {
        Self::new(io::sink())
    }

    /// Writes all bytes; an error means the reader is gone.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)
    }
}

/// Where a process reads; clones share it.
#[derive(Clone)]
pub struct Input(Arc<Mutex<dyn Read + Send>>);

impl Input {
    /// Wraps a reader.
    pub fn new(reader: impl Read + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(reader)))
    }

    /// Nothing to read.
    pub fn empty() -> Self {
        Self::new(io::empty())
    }

    /// Reads to the end; an error when that is more than a device process can hold.
    pub(super) fn all(&self) -> io::Result<Vec<u8>> {
        let bytes = self.up_to(MOST as u64 + 1)?;
        if bytes.len() > MOST { Err(too_much()) } else { Ok(bytes) }
    }

    /// Reads at most `count` bytes, fewer only at the end.
    pub(super) fn up_to(&self, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Read::take(&mut *reader, count).read_to_end(&mut bytes)?;
        drop(reader);
        Ok(bytes)
    }

    /// Reads one line with its newline; `None` at the end.
    pub(super) fn line(&self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut byte = [0];
        while reader.read(&mut byte)? == 1 {
            line.push(byte[0]);
            if byte[0] == b'\n' {
                break;
            }
            if line.len() > MOST {
                return Err(too_much());
            }
        }
        drop(reader);
        Ok((!line.is_empty()).then_some(line))
    }
}

struct Bounded(Arc<Mutex<Vec<u8>>>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.len() + bytes.len() > MOST {
            return Err(too_much());
        }
        buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A pipe between two threads: writing blocks while the reader is behind and fails once it is gone.
pub(super) fn pipe() -> (Output, Input) {
    let (sender, receiver) = sync_channel(16);
    (Output::new(PipeEnd(sender)), Input::new(PipeStart { chunks: receiver, rest: Vec::new(), read: 0 }))
}

struct PipeEnd(SyncSender<Vec<u8>>);

impl Write for PipeEnd {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() {
            self.0.send(bytes.to_vec()).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct PipeStart {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
    read: usize,
}

impl Read for PipeStart {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.read == self.rest.len() {
            match self.chunks.recv() {
                Ok(chunk) => (self.rest, self.read) = (chunk, 0),
                Err(_) => return Ok(0),
            }
        }
        let count = into.len().min(self.rest.len() - self.read);
        into[..count].copy_from_slice(&self.rest[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}
