//! One service's byte stream, with a single WRTE in flight each way.

use super::packet::{Command, Packet};
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};

/// The peer closed the stream, or the connection went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the adb stream was closed by the other end")]
pub struct Closed;

/// Both directions of a stream.
#[derive(Debug)]
pub struct Stream {
    /// From the host.
    pub reader: StreamReader,
    /// To the host.
    pub writer: StreamWriter,
}

/// Data from the host. Each chunk is acknowledged when it is taken, so a service that does not read holds the host back.
#[derive(Debug)]
pub struct StreamReader {
    inbound: mpsc::Receiver<Vec<u8>>,
    outgoing: mpsc::Sender<Packet>,
    local: u32,
    remote: u32,
    rest: Vec<u8>,
}

impl StreamReader {
    pub(super) const fn new(
        inbound: mpsc::Receiver<Vec<u8>>,
        outgoing: mpsc::Sender<Packet>,
        local: u32,
        remote: u32,
    ) -> Self {
        Self { inbound, outgoing, local, remote, rest: Vec::new() }
    }

    /// The next bytes, as the host sent them; `None` at the end.
    pub async fn chunk(&mut self) -> Option<Vec<u8>> {
        if !self.rest.is_empty() {
            return Some(std::mem::take(&mut self.rest));
        }
        let data = self.inbound.recv().await?;
        // A failed send means the connection is gone; the data already received is still good.
        if self.outgoing.send(Packet::bare(Command::OKAY, self.local, self.remote)).await.is_err() {
            self.inbound.close();
        }
        Some(data)
    }

    /// Exactly `count` bytes.
    pub async fn exact(&mut self, count: usize) -> Result<Vec<u8>, Closed> {
        // The count is the peer's word, so memory grows with what really arrives.
        let mut data = Vec::with_capacity(count.min(1 << 20));
        while data.len() < count {
            let mut chunk = self.chunk().await.ok_or(Closed)?;
            let wanted = (count - data.len()).min(chunk.len());
            self.rest = chunk.split_off(wanted);
            data.append(&mut chunk);
        }
        Ok(data)
    }
}

/// Data to the host.
#[derive(Debug, Clone)]
pub struct StreamWriter {
    outgoing: mpsc::Sender<Packet>,
    /// One permit: the right to send a WRTE. OKAY gives it back, closing the stream closes the semaphore.
    turn: Arc<Semaphore>,
    local: u32,
    remote: u32,
    max_payload: usize,
}

impl StreamWriter {
    pub(super) const fn new(
        outgoing: mpsc::Sender<Packet>,
        turn: Arc<Semaphore>,
        local: u32,
        remote: u32,
        max_payload: usize,
    ) -> Self {
        Self { outgoing, turn, local, remote, max_payload }
    }

    /// Sends all bytes, in as many packets as the negotiated payload needs.
    pub async fn write(&self, data: &[u8]) -> Result<(), Closed> {
        for chunk in data.chunks(self.max_payload.max(1)) {
            self.turn.acquire().await.map_err(|_| Closed)?.forget();
            let packet =
                Packet { command: Command::WRITE, arg0: self.local, arg1: self.remote, payload: chunk.to_vec() };
            self.outgoing.send(packet).await.map_err(|_| Closed)?;
        }
        Ok(())
    }

    /// Waits until the host has acknowledged everything.
    pub async fn flushed(&self) -> Result<(), Closed> {
        self.turn.acquire().await.map(drop).map_err(|_| Closed)
    }
}
