//! The virtual device's state: properties, settings, files, packages, the activity stack, log and clock.
//!
//! Everything here is synchronous and knows neither adb nor a shell. Rule for users of [`SharedSystem::lock`]: gather
//! what is needed, let go of the lock, then write it out; a slow reader must never hold the whole device.

mod api_level;
mod clock;
mod configuration;
mod file_system;
mod idle;
mod interrupt;
mod logcat;
mod package;
mod permissions;
mod properties;
mod settings;
mod shared;
mod switches;
pub mod system_ui;
mod tasks;
mod virtual_system;

pub use api_level::ApiLevel;
pub use clock::Clock;
pub use configuration::NightMode;
pub use file_system::{FileStat, FileSystem, FsError, NodeKind};
pub use idle::IdleWait;
pub use interrupt::Interrupt;
pub use logcat::{Buffer, LogBuffers, LogEntry, Priority};
pub use package::{AppInstaller, AppLauncher, AppLink, DeclaredActivity, InstalledApp, LaunchContext};
pub(crate) use package::{full_class, short_component};
pub use permissions::Rights;
pub use properties::{BuildType, Properties};
pub use settings::{Namespace, Settings};
pub use shared::{Automation, SharedSystem};
pub use switches::APP_SWITCHES;
pub use system_ui::SystemUi;
pub use tasks::{Running, TaskStack};
pub(crate) use virtual_system::apk_path;
pub use virtual_system::{
    Downgrade, InstallError, PackageInfo, PackageKind, Radios, StartOutcome, SystemConfig, VirtualSystem,
};
