//! Whether the devices that the server lists as ready answer at all.
//!
//! adb 29 keeps a device in the network listed as ready although nothing comes from it any more, and no server notices one
//! whose system hangs. A device that misses several signs of life in a row is told as silent, until it gives one.

use super::tracker::publish;
use super::{AdbError, AdbServer, ConnectionState, DeviceRow, Transport, command};
use crate::domain::DeviceSerial;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

/// How often devices are asked for a sign of life, and how long they may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pulse {
    /// Time between two questions.
    pub every: Duration,
    /// Time an answer may take.
    pub within: Duration,
    /// So many answers in a row that do not come make a device silent; at least one.
    pub misses: u32,
}

impl Default for Pulse {
    /// A dead device is noticed within half a minute.
    fn default() -> Self {
        Self { every: Duration::from_secs(8), within: Duration::from_secs(6), misses: 2 }
    }
}

/// A device's connection: another one of the same serial begins anew.
type Connection = (DeviceSerial, Option<u64>);

/// What a question came to.
type Beat = (Connection, Result<(), AdbError>);

impl Pulse {
    /// The list as `listed` has it, with devices that do not answer told as silent. The task behind it ends with the last
    /// receiver, or with the list it follows.
    pub(super) fn feel(
        self,
        server: AdbServer,
        listed: watch::Receiver<Vec<DeviceRow>>,
    ) -> watch::Receiver<Vec<DeviceRow>> {
        let (sender, receiver) = watch::channel(listed.borrow().clone());
        let ward = Ward { pulse: self, server, missed: BTreeMap::new(), asked: JoinSet::new() };
        tokio::spawn(ward.watch(listed, sender));
        receiver
    }
}

/// The devices that are looked after.
struct Ward {
    pulse: Pulse,
    server: AdbServer,
    /// Answers in a row that did not come.
    missed: BTreeMap<Connection, u32>,
    asked: JoinSet<Beat>,
}

impl Ward {
    async fn watch(mut self, mut listed: watch::Receiver<Vec<DeviceRow>>, sender: watch::Sender<Vec<DeviceRow>>) {
        let mut clock = interval(self.pulse.every);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = sender.closed() => return,
                changed = listed.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                _ = clock.tick() => {
                    // What still waits for an answer is not asked a second time.
                    if self.asked.is_empty() {
                        self.ask(&listed.borrow());
                    }
                }
                Some(beat) = self.asked.join_next() => match beat {
                    Ok(beat) => self.note(beat),
                    Err(error) => tracing::error!(%error, "a question for a sign of life fell over"),
                },
            }
            let rows = listed.borrow_and_update().clone();
            self.missed.retain(|connection, _| rows.iter().any(|row| connection_of(row) == *connection));
            publish(&sender, self.told(rows));
        }
    }

    fn ask(&mut self, rows: &[DeviceRow]) {
        for row in rows.iter().filter(|row| row.state == ConnectionState::Device) {
            let connection = connection_of(row);
            let transport = Transport::new(self.server.clone(), row.serial.clone());
            let within = self.pulse.within;
            self.asked.spawn(async move {
                let answered = transport.run(&command::sign_of_life(), within).await.map(drop);
                (connection, answered)
            });
        }
    }

    fn note(&mut self, (connection, answered): Beat) {
        let silent = |missed: u32| missed >= self.pulse.misses.max(1);
        let before = self.missed.get(&connection).copied().unwrap_or_default();
        let after = match &answered {
            Ok(()) => 0,
            Err(_) => before.saturating_add(1),
        };
        match (silent(before), silent(after), answered) {
            (false, true, Err(error)) => {
                tracing::warn!(serial = %connection.0, %error, "a device does not answer any more");
            }
            (true, false, _) => tracing::info!(serial = %connection.0, "a device answers again"),
            _ => {}
        }
        self.missed.insert(connection, after);
    }

    fn told(&self, mut rows: Vec<DeviceRow>) -> Vec<DeviceRow> {
        for row in rows.iter_mut().filter(|row| row.state == ConnectionState::Device) {
            let missed = self.missed.get(&connection_of(row)).copied().unwrap_or_default();
            if missed >= self.pulse.misses.max(1) {
                row.state = ConnectionState::Silent;
            }
        }
        rows
    }
}

fn connection_of(row: &DeviceRow) -> Connection {
    (row.serial.clone(), row.transport_id)
}
