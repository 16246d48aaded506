//! The client of the host's adb server: typed commands, a time budget each, pure reply parsers.

mod error;
mod shell_line;

pub use error::AdbError;
pub use shell_line::{ShellLine, ShellTemplate, TemplateError, quote};
