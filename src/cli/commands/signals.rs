//! How a long-running command is told to end: SIGTERM and SIGINT, once for an end in order, twice for one at once.

use std::io;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// What the process has been told.
#[derive(Debug, Clone, Default)]
pub(super) struct Signals {
    /// Fires with the first signal: end in order.
    pub(super) stop: CancellationToken,
    /// Fires with the second: end now.
    pub(super) at_once: CancellationToken,
}

impl Signals {
    /// Listens from now on. From then on neither signal ends the process by itself.
    pub(super) fn listen() -> io::Result<Self> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let signals = Self::default();
        let told = signals.clone();
        tokio::spawn(async move {
            while !told.at_once.is_cancelled() {
                let heard = tokio::select! {
                    heard = terminate.recv() => heard,
                    heard = interrupt.recv() => heard,
                };
                match heard {
                    Some(()) => told.note(),
                    None => return,
                }
            }
        });
        Ok(signals)
    }

    fn note(&self) {
        if self.stop.is_cancelled() {
            self.at_once.cancel();
        } else {
            self.stop.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_asks_and_the_second_insists() {
        let signals = Signals::default();
        signals.note();
        assert!(signals.stop.is_cancelled() && !signals.at_once.is_cancelled());
        signals.note();
        assert!(signals.at_once.is_cancelled());
    }
}
