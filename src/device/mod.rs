//! One Android device: observing, acting, settling, installing, caring for it between runs; profiles, and who uses it on this host.

mod adb_device;
mod adb_screen;
mod beside;
mod budgets;
mod care;
mod crash;
mod dump;
mod eyes;
mod host_lock;
mod ladder;
mod observation;
mod pick;
mod pictures;
mod port;
mod preparation;
mod profile;
mod settle;
mod touches;

pub use adb_device::AdbDevice;
pub use budgets::Budgets;
pub use care::{AdbCare, DeviceCare, Settings};
pub use crash::crash_reason;
pub use eyes::{Eyes, Flaw, Recorder, Seen};
pub use host_lock::{DeviceRules, HoldError, HostLock};
pub use observation::{Component, DeviceInfo, Observation};
pub use pick::{PickError, pick};
pub use port::{Device, DeviceError};
pub use preparation::Preparation;
pub use profile::{Colour, DisplaySize, DumpSettings, MatchRule, Profile, ProfileError, Profiles};
pub use settle::Settle;
