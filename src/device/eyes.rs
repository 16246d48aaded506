//! Seeing the screen, and leaving a trace of what was seen.

use super::{Device, DeviceError, Observation};
use crate::domain::{EventSink, Size};
use crate::hierarchy::{Screen, ScreenInput};
use crate::vision;
use std::time::Instant;

/// Looks at a device and records what it sees.
pub trait Recorder: EventSink {
    /// Takes a screen with the observation it was made from; `observe_ms` is the time it took.
    fn screen(&mut self, screen: &Screen, observation: &Observation, observe_ms: f64);
}

/// A device's eyes.
pub struct Eyes<'a> {
    /// The device.
    pub device: &'a dyn Device,
    /// Its display.
    pub display: Size,
    /// Colours links are drawn in, from the device's profile.
    pub link_colours: &'a [[u8; 3]],
}

/// A screen together with the dump it was read from.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The screen.
    pub screen: Screen,
    /// The dump's bytes.
    pub hierarchy: Vec<u8>,
}

impl Eyes<'_> {
    /// Observes, perceives and records.
    pub async fn look(&self, recorder: &mut dyn Recorder) -> Result<Seen, DeviceError> {
        let started = Instant::now();
        let observation = self.device.observe().await?;
        Ok(self.perceive(observation, started, recorder))
    }

    /// Like [`Eyes::look`] without a picture: no links are found, and the report has nothing to show.
    pub async fn glance(&self, recorder: &mut dyn Recorder) -> Result<Seen, DeviceError> {
        let started = Instant::now();
        let observation = self.device.glance().await?;
        Ok(self.perceive(observation, started, recorder))
    }

    fn perceive(&self, observation: Observation, started: Instant, recorder: &mut dyn Recorder) -> Seen {
        let mut screen = Screen::perceive(ScreenInput {
            hierarchy: &observation.hierarchy,
            screenshot: observation.screenshot.clone(),
            display: self.display,
            foreground: observation.foreground.as_ref().map(ToString::to_string),
            keyboard_shown: observation.keyboard_shown,
        });
        vision::find_links(&mut screen, self.link_colours);
        recorder.screen(&screen, &observation, started.elapsed().as_secs_f64() * 1000.0);
        Seen { screen, hierarchy: observation.hierarchy }
    }
}
