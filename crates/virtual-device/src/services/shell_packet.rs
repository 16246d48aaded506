//! Packets of the shell protocol (`shell_protocol.h`): id, length, payload.

/// Packet ids.
pub(super) mod id {
    pub(in super::super) const STDIN: u8 = 0;
    pub(in super::super) const STDOUT: u8 = 1;
    pub(in super::super) const STDERR: u8 = 2;
    pub(in super::super) const EXIT: u8 = 3;
    pub(in super::super) const CLOSE_STDIN: u8 = 4;
}

/// Encodes one packet.
pub(super) fn encode(id: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(5 + payload.len());
    bytes.push(id);
    bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// Puts packets together from stream chunks.
#[derive(Debug, Default)]
pub(super) struct Decoder(Vec<u8>);

/// Larger than any packet a client sends; more is a broken peer.
const MAX_PACKET: usize = 16 << 20;

impl Decoder {
    /// Adds a chunk; `None` when the peer announces an absurd length.
    pub(super) fn push(&mut self, chunk: &[u8]) -> Option<Vec<(u8, Vec<u8>)>> {
        self.0.extend_from_slice(chunk);
        let mut packets = Vec::new();
        while let Some((&[id, a, b, c, d], rest)) = self.0.split_first_chunk::<5>() {
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            if length > MAX_PACKET {
                return None;
            }
            let Some(payload) = rest.get(..length) else { break };
            packets.push((id, payload.to_vec()));
            self.0.drain(..5 + length);
        }
        Some(packets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packets_survive_any_chunking(payloads: Vec<(u8, Vec<u8>)>, size in 1_usize..9) {
            let bytes: Vec<u8> = payloads.iter().flat_map(|(id, payload)| encode(*id, payload)).collect();
            let mut decoder = Decoder::default();
            let mut found = Vec::new();
            for chunk in bytes.chunks(size) {
                found.extend(decoder.push(chunk).unwrap());
            }
            prop_assert_eq!(found, payloads);
        }
    }

    #[test]
    fn an_absurd_length_is_refused() {
        assert_eq!(Decoder::default().push(&[0, 255, 255, 255, 255]), None);
    }
}
