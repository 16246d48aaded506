//! What the device says to a host's key.

/// How a virtual device answers the handshake. It verifies no signature: the policy *is* the answer, so that tests can
/// have each of adb's outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuthPolicy {
    /// No authentication: CNXN is answered at once (`ro.adb.secure=0`).
    #[default]
    Open,
    /// Ask for a signature and accept it: the host's key is known.
    AcceptSignature,
    /// Refuse signatures and accept the public key: a person pressed "Allow".
    AcceptPublicKey,
    /// Never accept: the server shows the device as `unauthorized`.
    Reject,
}

/// Kinds of AUTH packets (`arg0`).
pub(super) mod kind {
    /// Device → host: 20 random bytes to sign.
    pub(in super::super) const TOKEN: u32 = 1;
    /// Host → device: the signed token.
    pub(in super::super) const SIGNATURE: u32 = 2;
    /// Host → device: its public key, when no signature was accepted.
    pub(in super::super) const PUBLIC_KEY: u32 = 3;
}

/// What to do next in the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Answer with CNXN.
    Connect,
    /// Send a fresh token.
    Token,
    /// Stay silent.
    Wait,
}

impl AuthPolicy {
    /// The answer to the host's CNXN.
    pub(super) const fn on_connect(self) -> Step {
        match self {
            Self::Open => Step::Connect,
            Self::AcceptSignature | Self::AcceptPublicKey | Self::Reject => Step::Token,
        }
    }

    /// The answer to an AUTH packet of the given kind.
    pub(super) const fn on_auth(self, auth_kind: u32) -> Step {
        match (self, auth_kind) {
            (Self::AcceptSignature, kind::SIGNATURE)
            | (Self::AcceptSignature | Self::AcceptPublicKey, kind::PUBLIC_KEY) => Step::Connect,
            (Self::AcceptPublicKey | Self::Reject, kind::SIGNATURE) => Step::Token,
            _ => Step::Wait,
        }
    }
}

/// 20 bytes that differ for every call.
pub(super) fn token() -> [u8; 20] {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(uuid::Uuid::now_v7().as_bytes());
    let mut token = [0; 20];
    token.copy_from_slice(&hash[..20]);
    token
}
