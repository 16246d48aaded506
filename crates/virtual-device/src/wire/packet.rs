//! The 24-byte header and its payload.

/// Length of every packet's header in bytes.
pub const HEADER_LEN: usize = 24;

/// Largest payload of CNXN and AUTH packets in bytes (`MAX_PAYLOAD_V1`).
pub const MAX_HANDSHAKE_PAYLOAD: u32 = 4096;

/// A packet's command word. Unknown words are kept: adbd ignores such packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Command(pub u32);

impl Command {
    /// `CNXN`: version, max payload, banner.
    pub const CONNECT: Self = Self(u32::from_le_bytes(*b"CNXN"));
    /// `AUTH`: kind of payload.
    pub const AUTH: Self = Self(u32::from_le_bytes(*b"AUTH"));
    /// `OPEN`: local id, service name.
    pub const OPEN: Self = Self(u32::from_le_bytes(*b"OPEN"));
    /// `OKAY`: ready for the next WRTE.
    pub const OKAY: Self = Self(u32::from_le_bytes(*b"OKAY"));
    /// `WRTE`: stream data.
    pub const WRITE: Self = Self(u32::from_le_bytes(*b"WRTE"));
    /// `CLSE`: end of stream, or a failed OPEN.
    pub const CLOSE: Self = Self(u32::from_le_bytes(*b"CLSE"));

    /// CNXN and AUTH always carry a checksum and are small.
    pub const fn is_handshake(self) -> bool {
        self.0 == Self::CONNECT.0 || self.0 == Self::AUTH.0
    }
}

/// Why bytes are not a packet; the connection is dropped, as adbd does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The magic word is not the command's complement: this is not adb, or the two ends lost step.
    #[error("magic {magic:#010x} does not belong to command {command:#010x}: not an adb packet")]
    Magic {
        /// Command word.
        command: u32,
        /// Magic word found.
        magic: u32,
    },
    /// The announced payload is larger than this end agreed to receive.
    #[error("payload of {length} bytes exceeds the limit of {limit}")]
    Oversize {
        /// Announced length.
        length: u32,
        /// The limit that holds for this packet.
        limit: u32,
    },
}

/// A parsed header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// What the packet is.
    pub command: Command,
    /// First argument.
    pub arg0: u32,
    /// Second argument.
    pub arg1: u32,
    /// Payload length in bytes.
    pub length: u32,
}

impl Header {
    /// Reads a header. Like current receivers it checks the magic and the length, not the sum
    /// (`check_header` in `transport.cpp`).
    pub fn parse(bytes: &[u8; HEADER_LEN], max_payload: u32) -> Result<Self, WireError> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (command, magic, length) = (word(0), word(20), word(12));
        if command ^ 0xffff_ffff != magic {
            return Err(WireError::Magic { command, magic });
        }
        let command = Command(command);
        let limit = if command.is_handshake() { max_payload.min(MAX_HANDSHAKE_PAYLOAD) } else { max_payload };
        if length > limit {
            return Err(WireError::Oversize { length, limit });
        }
        Ok(Self { command, arg0: word(4), arg1: word(8), length })
    }
}

/// One packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// What it is.
    pub command: Command,
    /// First argument: the sender's stream id, or the version.
    pub arg0: u32,
    /// Second argument: the receiver's stream id, or the max payload.
    pub arg1: u32,
    /// Payload.
    pub payload: Vec<u8>,
}

impl Packet {
    /// A packet without payload.
    pub const fn bare(command: Command, arg0: u32, arg1: u32) -> Self {
        Self { command, arg0, arg1, payload: Vec::new() }
    }

    /// The bytes to send. `with_sum` says whether the peer is old enough (version below 0x01000001) to want the sum
    /// on every packet; handshake packets carry it always.
    pub fn encode(&self, with_sum: SumRule) -> Vec<u8> {
        let sum = if with_sum == SumRule::Always || self.command.is_handshake() { checksum(&self.payload) } else { 0 };
        let mut bytes = Vec::with_capacity(HEADER_LEN + self.payload.len());
        let words =
            [self.command.0, self.arg0, self.arg1, self.payload.len() as u32, sum, self.command.0 ^ 0xffff_ffff];
        for word in words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.payload);
        bytes
    }
}

/// Which packets carry a checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumRule {
    /// Every packet (either end speaks version 0x01000000).
    Always,
    /// Only CNXN and AUTH (both ends speak 0x01000001 or later).
    HandshakeOnly,
}

/// The header's `data_check`: a plain sum of the bytes, not the CRC32 its old name promises.
pub fn checksum(payload: &[u8]) -> u32 {
    payload.iter().fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(bytes: &[u8], max_payload: u32) -> Result<Option<Packet>, WireError> {
        let Some((head, rest)) = bytes.split_first_chunk::<HEADER_LEN>() else { return Ok(None) };
        let header = Header::parse(head, max_payload)?;
        let Some(payload) = rest.get(..header.length as usize) else { return Ok(None) };
        Ok(Some(Packet { command: header.command, arg0: header.arg0, arg1: header.arg1, payload: payload.to_vec() }))
    }

    proptest! {
        #[test]
        fn packets_round_trip(command: u32, arg0: u32, arg1: u32, payload: Vec<u8>) {
            let packet = Packet { command: Command(command), arg0, arg1, payload };
            for rule in [SumRule::Always, SumRule::HandshakeOnly] {
                prop_assert_eq!(decode(&packet.encode(rule), 1 << 20), Ok(Some(packet.clone())));
            }
        }

        #[test]
        fn garbage_never_panics_and_never_passes_the_limit(bytes: Vec<u8>, limit in 0_u32..100_000) {
            if let Ok(Some(packet)) = decode(&bytes, limit) {
                prop_assert!(packet.payload.len() as u32 <= limit);
            }
        }
    }

    #[test]
    fn the_checksum_is_a_byte_sum_and_left_out_for_new_peers_except_in_the_handshake() {
        let payload = b"host::".to_vec();
        let sum = |packet: &Packet, rule| u32::from_le_bytes(packet.encode(rule)[16..20].try_into().unwrap());
        let connect = Packet { command: Command::CONNECT, arg0: 0, arg1: 0, payload: payload.clone() };
        let write = Packet { command: Command::WRITE, arg0: 0, arg1: 0, payload: payload.clone() };
        assert_eq!(checksum(&payload), 0x68 + 0x6f + 0x73 + 0x74 + 0x3a + 0x3a);
        assert_eq!(sum(&connect, SumRule::HandshakeOnly), checksum(&payload));
        assert_eq!(sum(&write, SumRule::HandshakeOnly), 0);
        assert_eq!(sum(&write, SumRule::Always), checksum(&payload));
    }

    #[test]
    fn a_wrong_magic_and_an_oversized_payload_are_errors() {
        let mut bytes = Packet::bare(Command::OKAY, 1, 2).encode(SumRule::Always);
        bytes[20] ^= 1;
        assert!(matches!(decode(&bytes, 10), Err(WireError::Magic { .. })));
        let big = Packet { command: Command::WRITE, arg0: 1, arg1: 2, payload: vec![0; 11] };
        assert_eq!(decode(&big.encode(SumRule::Always), 10), Err(WireError::Oversize { length: 11, limit: 10 }));
        let banner = Packet { command: Command::CONNECT, arg0: 1, arg1: 2, payload: vec![0; 4097] };
        assert!(matches!(decode(&banner.encode(SumRule::Always), 1 << 20), Err(WireError::Oversize { .. })));
    }
}
