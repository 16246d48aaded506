//! An Android device made of software, reached through the real adb server.
//!
//! `wire` speaks adbd's transport; `services` and `shell` answer as Android does; `system` is the device's state
//! (properties, files, packages, the activity stack); `app` runs declarative apps and draws them, `recorded` plays recorded
//! ones, `framework` those that run on the real framework in a JVM. They meet at the
//! [`AppProcess`] trait: the system knows nothing of layout, the apps know nothing of adb.

mod adb_keyboard;
pub mod app;
pub mod console;
pub mod endpoint;
pub mod faults;
pub mod framework;
mod host;
mod process;
pub mod recorded;
pub mod services;
pub mod shell;
pub mod system;
pub mod wire;

pub(crate) use tapwright_base::{domain, hierarchy, strings};

pub use endpoint::{EndpointError, Ports, VirtualDevice, VirtualDeviceConfig};
pub use host::{AppFiles, app_strings};
pub use process::{
    AppProcess, AppState, Configuration, ConsequenceChange, ConsequenceEffect, ConsequenceState, ElementSnapshot,
    Gesture, KeyOutcome, Location, Orientation, Surroundings, SystemAnswer, SystemRequest,
};
pub use system::{
    ApiLevel, AppInstaller, AppLauncher, AppLink, Clock, DeclaredActivity, IdleWait, InstalledApp, LaunchContext,
    SharedSystem, SystemUi,
};
pub use wire::AuthPolicy;
