//! adbd's transport: packets, the connection handshake and the streams multiplexed over one TCP connection.
//!
//! Nothing here knows what a service does; [`Services`] is asked for one by name.
//! Source: AOSP `packages/modules/adb` `adb.cpp`, `transport.cpp`, `docs/dev/protocol.md`.

mod auth;
mod connection;
mod line;
mod packet;
mod stream;

pub use auth::AuthPolicy;
pub use connection::{
    Banner, ConnectionError, Host, OpenedStream, Opener, Patience, ServiceFuture, Services, StreamCloser, serve,
};
pub use line::{Away, Line};
pub use packet::{Command, HEADER_LEN, Header, MAX_HANDSHAKE_PAYLOAD, Packet, SumRule, WireError, checksum};
pub use stream::{Closed, Stream, StreamReader, StreamWriter};
