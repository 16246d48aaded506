//! Listening to the touch panel of a device: what a person does with it.

use super::{AdbDevice, Budgets, DeviceError};
use crate::adb::reply::{Felt, TouchReader, parse_touch_panel};
use crate::adb::{AdbError, AdbServer, ServerAddress, Transport, command};
use crate::domain::DeviceSerial;
use tokio::sync::mpsc::{UnboundedSender, channel};
use tokio::task::JoinHandle;

/// Pieces of output that may wait to be read.
const WAITING: usize = 64;

impl AdbDevice {
    /// Tells what a person does with the touch panel of a device until the task is ended or nobody listens.
    ///
    /// # Errors
    /// The device cannot be reached, or has no touch panel that its shell may listen to.
    pub async fn listen(
        address: ServerAddress,
        serial: DeviceSerial,
        felt: UnboundedSender<Felt>,
    ) -> Result<JoinHandle<()>, DeviceError> {
        let transport = Transport::new(AdbServer::new(address), serial.clone());
        let line = command::input_devices();
        let said = transport.shell(&line, Budgets::default().query).await?.stdout_text();
        let panel = parse_touch_panel(&said).ok_or_else(|| AdbError::Reported {
            serial,
            command: line.to_string(),
            reply: "no touch panel (ABS_MT_POSITION_X); touches cannot be listened to on this device".to_owned(),
        })?;
        let (pieces, mut incoming) = channel(WAITING);
        Ok(tokio::spawn(async move {
            let line = command::input_events();
            let follow = transport.follow(&line, &pieces);
            let read = async {
                let mut reader = TouchReader::new(panel);
                let mut rest = Vec::new();
                while let Some(piece) = incoming.recv().await {
                    rest.extend_from_slice(&piece);
                    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                        let line: Vec<u8> = rest.drain(..=end).collect();
                        let told = reader.line(&String::from_utf8_lossy(&line));
                        if told.is_some_and(|told| felt.send(told).is_err()) {
                            return;
                        }
                    }
                }
            };
            tokio::select! {
                ended = follow => {
                    if let Err(error) = ended {
                        tracing::error!(%error, "the touch panel is not heard any more");
                    }
                }
                () = read => {}
            }
        }))
    }
}
