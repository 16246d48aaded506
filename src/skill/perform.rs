//! Carrying an action out on a device: the one way agent and scripts act.

use super::expand::text_of;
use super::{DeviceStep, ExpandError, Library};
use crate::adb::{ShellLine, is_typeable};
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

/// Succeeds where `ADBKeyBoard` is installed, which types what `input text` cannot.
fn keyboard_is_installed() -> ShellLine {
    ShellLine::fixed("ime list -a -s | grep -q com.android.adbkeyboard/.AdbIME")
}

impl Library {
    /// Expands `action` and runs it line by line. `held` is the number of characters the target field holds now;
    /// `seen` the dump the action was chosen on, which waiting is measured against. Gives the lines, secrets masked.
    ///
    /// # Errors
    /// The action does not fit the screen or the skills, or the device fails.
    pub async fn perform(
        &self,
        device: &dyn Device,
        action: &Action,
        held: usize,
        seen: &[u8],
    ) -> Result<Vec<String>, PerformError> {
        let steps = self.expand(action, held)?;
        let by_keyboard = !is_typeable(text_of(action));
        if by_keyboard && device.run(&keyboard_is_installed()).await.is_err_and(|error| error.is_refusal()) {
            let command = format!("{action}");
            return Err(DeviceError::Text { serial: device.serial().clone(), command }.into());
        }
        let mut lines = Vec::new();
        for step in &steps {
            if let DeviceStep::Run(line) = step {
                lines.push(line.to_string());
            }
            let done = match step {
                DeviceStep::Run(line) => device.run(line).await,
                DeviceStep::AwaitChange(ms) => device.wait_for_change(seen, Duration::from_millis(*ms)).await.map(drop),
            };
            if let Err(error) = done {
                // The keyboard the user had comes back whatever happens.
                if let (true, Some(DeviceStep::Run(last))) = (by_keyboard, steps.last()) {
                    device
                        .run(last)
                        .await
                        .inspect_err(|error| tracing::warn!("the keyboard is not reset: {error}"))
                        .ok();
                }
                return Err(error.into());
            }
        }
        Ok(lines)
    }
}
