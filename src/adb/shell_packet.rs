//! The packets of shell protocol v2 (AOSP `shell_protocol.h`): one byte of kind, four of length (little-endian), data.

/// What a packet carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PacketKind {
    /// Input for the command.
    Stdin,
    /// Output.
    Stdout,
    /// Error output.
    Stderr,
    /// The exit code, one byte; the last packet of a command.
    Exit,
    /// No more input.
    CloseStdin,
    /// A new terminal size.
    WindowSize,
}

impl PacketKind {
    const ALL: [Self; 6] =
        [Self::Stdin, Self::Stdout, Self::Stderr, Self::Exit, Self::CloseStdin, Self::WindowSize];

    fn id(self) -> u8 {
        self as u8
    }

    fn of(id: u8) -> Option<Self> {
        Self::ALL.get(usize::from(id)).copied()
    }
}

/// One packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellPacket {
    /// What it carries.
    pub kind: PacketKind,
    /// Its data.
    pub data: Vec<u8>,
}

/// Bytes that are no packet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    /// A kind no version of the protocol has.
    #[error("unknown shell packet kind {0}")]
    UnknownKind(u8),
    /// A length no device sends; the stream is out of step.
    #[error("a shell packet of {0} bytes")]
    TooLong(u32),
}

/// adbd reads at most one transport payload (1 MiB) at a time; anything far above it is a stream out of step.
const LONGEST: u32 = 64 << 20;
const HEADER: usize = 5;

impl ShellPacket {
    /// The packet as bytes. Data longer than a packet may be is cut off; nothing here sends that much at once.
    pub fn encode(&self) -> Vec<u8> {
        let data = &self.data[..self.data.len().min(LONGEST as usize)];
        let mut bytes = Vec::with_capacity(HEADER + data.len());
        bytes.push(self.kind.id());
        bytes.extend_from_slice(&(data.len() as u32).to_le_bytes());
        bytes.extend_from_slice(data);
        bytes
    }
}

/// Cuts a byte stream into packets, however it was chunked.
#[derive(Debug, Default)]
pub struct PacketDecoder {
    buffer: Vec<u8>,
    read: usize,
}

impl PacketDecoder {
    /// Takes the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.read > 0 {
            self.buffer.drain(..self.read);
            self.read = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole packet; `None` when more bytes are needed.
    pub fn next_packet(&mut self) -> Result<Option<ShellPacket>, PacketError> {
        let rest = self.buffer.get(self.read..).unwrap_or_default();
        let Some((header, body)) = rest.split_first_chunk::<HEADER>() else { return Ok(None) };
        let [id, length @ ..] = *header;
        let length = u32::from_le_bytes(length);
        let kind = PacketKind::of(id).ok_or(PacketError::UnknownKind(id))?;
        if length > LONGEST {
            return Err(PacketError::TooLong(length));
        }
        let Some(data) = body.get(..length as usize) else { return Ok(None) };
        let packet = ShellPacket { kind, data: data.to_vec() };
        self.read += HEADER + length as usize;
        Ok(Some(packet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packets() -> impl Strategy<Value = Vec<ShellPacket>> {
        let packet = (0_u8..6, prop::collection::vec(any::<u8>(), 0..300))
            .prop_map(|(id, data)| ShellPacket { kind: PacketKind::of(id).unwrap(), data });
        prop::collection::vec(packet, 0..12)
    }

    proptest! {
        #[test]
        fn packets_round_trip_under_any_chunking(sent in packets(), cuts in prop::collection::vec(1_usize..97, 1..40)) {
            let bytes: Vec<u8> = sent.iter().flat_map(ShellPacket::encode).collect();
            let mut decoder = PacketDecoder::default();
            let mut got = Vec::new();
            let mut rest = bytes.as_slice();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (chunk, tail) = rest.split_at((*cut).min(rest.len()));
                decoder.push(chunk);
                while let Some(packet) = decoder.next_packet().unwrap() {
                    got.push(packet);
                }
                rest = tail;
            }
            prop_assert_eq!(got, sent);
        }

        #[test]
        fn any_bytes_are_packets_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            let mut decoder = PacketDecoder::default();
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.next_packet() {}
        }
    }

    #[test]
    fn a_packet_is_kind_length_and_data() {
        let packet = ShellPacket { kind: PacketKind::Exit, data: vec![7] };
        assert_eq!(packet.encode(), [3, 1, 0, 0, 0, 7]);
    }

    #[test]
    fn a_stream_out_of_step_is_an_error_and_not_a_huge_wait() {
        let mut decoder = PacketDecoder::default();
        decoder.push(&[9, 0, 0, 0, 0]);
        assert_eq!(decoder.next_packet(), Err(PacketError::UnknownKind(9)));
        let mut decoder = PacketDecoder::default();
        decoder.push(&[1, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(decoder.next_packet(), Err(PacketError::TooLong(u32::MAX)));
    }
}
