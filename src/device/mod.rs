//! One Android device: observing, acting, settling, installing; profiles and leases.

mod observation;
mod port;

pub use observation::{Component, DeviceInfo, Observation};
pub use port::{Device, DeviceError};
