//! The client of the host's adb server: typed commands, a time budget each, pure reply parsers.
//!
//! Building a command ([`command`]), running it ([`Transport`]) and reading its answer ([`reply`]) live apart. What the
//! `adb_client` crate does here and what it does not: `docs/adr/0001-adb-client.md`.

mod address;
mod bundle;
pub mod command;
mod console;
mod device_list;
mod device_row;
mod error;
mod install;
mod pulse;
pub mod reply;
mod server;
mod shell_line;
mod shell_packet;
mod tracker;
mod transfer;
mod transport;
mod wire;

pub use address::{AddressError, ServerAddress};
pub use console::{console_port, emulator_name, geo_fix, kill_emulator, load_snapshot};
pub use device_list::parse_device_list;
pub use device_row::{ConnectionState, DeviceRow};
pub use error::AdbError;
pub use pulse::Pulse;
pub use server::{AdbServer, WaitState};
pub(crate) use shell_line::is_typeable;
pub use shell_line::{ShellLine, ShellTemplate, TemplateError, quote};
pub use shell_packet::{PacketDecoder, PacketError, PacketKind, ShellPacket};
pub use transfer::RemoteFile;
pub use transport::{ShellOutput, Transport};
