//! What adbd does when a host opens a stream: `shell:`, `exec:`, `abb:`, `abb_exec:`, `sync:`, `reverse:`, `tcp:`,
//! `framebuffer:`, `jdwp`, `track-jdwp`, `track-app`, `reboot:`, `root:`, `unroot:`, `remount:`, `tcpip:`, `usb:`. Any
//! other name is refused with CLSE, as adbd refuses what it does not know.
//!
//! Source: AOSP `packages/modules/adb/daemon/*.cpp`, `docs/dev/services.md`.

mod adbd;
mod device_services;
mod framebuffer;
mod process;
mod reverse;
mod shell_packet;
mod sync;
mod sync_packet;
mod terminal;
mod tracking;

pub use device_services::{DeviceServices, Reachable, processes};
