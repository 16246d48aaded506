//! The virtual device's state: properties, settings, files, packages, the activity stack, log and clock.
//!
//! Everything here is synchronous and knows neither adb nor a shell. Rule for users of [`SharedSystem::lock`]: gather
//! what is needed, let go of the lock, then write it out; a slow reader must never hold the whole device.

mod api_level;
mod boot;
mod clock;
mod config;
mod configuration;
mod dropbox;
mod file_system;
mod glass;
mod idle;
mod input;
mod install_sessions;
mod interrupt;
mod kernel_reports;
mod logcat;
mod package;
mod packages;
mod permissions;
mod properties;
mod requests;
mod runtime_permission;
mod screen;
mod settings;
mod shared;
mod start;
mod switches;
pub mod system_ui;
mod tasks;
mod trouble;
mod virtual_system;

pub use api_level::ApiLevel;
pub use clock::Clock;
pub use config::SystemConfig;
pub use configuration::NightMode;
pub use dropbox::{DropBox, DropBoxEntry};
pub use file_system::{FileStat, FileSystem, FsError, NodeKind};
pub use glass::{Felt, Glass, RawEvent};
pub use idle::IdleWait;
pub use install_sessions::{InstallSession, InstallSessions};
pub use interrupt::Interrupt;
pub use logcat::{Buffer, LogBuffers, LogEntry, Priority};
pub use package::{AppInstaller, AppLauncher, AppLink, DeclaredActivity, InstalledApp, LaunchContext};
pub(crate) use package::{full_class, short_component};
pub(crate) use packages::apk_path;
pub use packages::{Downgrade, InstallError, PackageInfo, PackageKind, PermissionError};
pub use permissions::Rights;
pub use properties::{BuildType, Properties};
pub use runtime_permission::{PermissionGroup, PermissionState, RuntimePermission, runtime_permission};
pub(crate) use settings::LATIN_KEYBOARD;
pub use settings::{Namespace, Settings};
pub use shared::{Automation, Finger, Hand, SharedSystem};
pub use start::{Resolved, StartOutcome, Wanted};
pub use switches::APP_SWITCHES;
pub use system_ui::SystemUi;
pub use tasks::{Running, TaskStack};
pub use virtual_system::{Radios, VirtualSystem};
