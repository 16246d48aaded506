//! One Android device: observing, acting, settling, installing; profiles and leases.

mod eyes;
mod observation;
mod port;

pub use eyes::{Eyes, Recorder, Seen};
pub use observation::{Component, DeviceInfo, Observation};
pub use port::{Device, DeviceError};
