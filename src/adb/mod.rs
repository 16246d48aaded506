//! The client of the host's adb server: typed commands, a time budget each, pure reply parsers.

mod device_row;
mod error;
mod shell_line;

pub use device_row::{ConnectionState, DeviceRow};
pub use error::AdbError;
pub use shell_line::{ShellLine, ShellTemplate, TemplateError, quote};
