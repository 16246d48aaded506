//! Carrying an action out on a device: the one way agent and scripts act.

use super::{DeviceStep, ExpandError, Library};
use crate::device::{Device, DeviceError};
use crate::domain::Action;
use std::time::Duration;

/// Why an action could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PerformError {
    /// The action does not fit the screen or the skill library.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl Library {
    /// Expands `action` and runs it line by line. `held` is the number of characters the target field holds now;
    /// `seen` the dump the action was chosen on, which waiting is measured against.
    pub async fn perform(
        &self,
        device: &dyn Device,
        action: &Action,
        held: usize,
        seen: &[u8],
    ) -> Result<(), PerformError> {
        for step in self.expand(action, held)? {
            match step {
                DeviceStep::Run(line) => device.run(&line).await?,
                DeviceStep::AwaitChange(ms) => {
                    device.wait_for_change(seen, Duration::from_millis(ms)).await?;
                }
            }
        }
        Ok(())
    }
}
