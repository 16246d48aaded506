//! Who may use the daemon: tokens, sessions of browsers, limits on how fast. Knows nothing of HTTP but header values.

mod gatekeeper;
mod rate;
mod session;
mod token;

pub(super) use gatekeeper::{Access, Caller, Changes, Credentials, Gatekeeper, Refusal};
pub use token::{MintedToken, TokenError};
