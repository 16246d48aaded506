//! The adb server's own protocol: `<4 hex length><service>` out; `OKAY`, or `FAIL<4 hex length><reason>`, back
//! (AOSP `docs/dev/protocol.md`, `services.md`).

use std::io;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The server closes the connection on a longer request (AOSP `adb.cpp`); four hex digits can name no longer one.
const LONGEST_REQUEST: usize = 0xffff;

/// How a request was answered.
pub(super) enum Status {
    /// `OKAY`.
    Okay,
    /// `FAIL`, with the reason.
    Fail(String),
}

/// Sends one request.
pub(super) async fn send(stream: &mut TcpStream, service: &str) -> io::Result<()> {
    if service.len() > LONGEST_REQUEST {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is longer than 65535 bytes"));
    }
    let request = format!("{:04x}{service}", service.len());
    stream.write_all(request.as_bytes()).await
}

/// Reads `OKAY` or `FAIL`.
pub(super) async fn read_status(stream: &mut TcpStream) -> io::Result<Status> {
    let mut word = [0; 4];
    stream.read_exact(&mut word).await?;
    match &word {
        b"OKAY" => Ok(Status::Okay),
        b"FAIL" => Ok(Status::Fail(read_text(stream).await?)),
        other => Err(invalid(format!("{:?} where OKAY or FAIL belongs", String::from_utf8_lossy(other)))),
    }
}

/// Reads `<4 hex length><text>`.
pub(super) async fn read_text(stream: &mut TcpStream) -> io::Result<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).await?;
    let length = parse_length(digits)
        .ok_or_else(|| invalid(format!("{:?} where a length belongs", String::from_utf8_lossy(&digits))))?;
    let mut text = vec![0; length];
    stream.read_exact(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn parse_length(digits: [u8; 4]) -> Option<usize> {
    let text = std::str::from_utf8(&digits).ok()?;
    if !text.bytes().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    usize::from_str_radix(text, 16).ok()
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// A broken conversation in words; an early end has no words of its own.
pub(super) fn reason(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        "the connection was closed in the middle of the answer".to_owned()
    } else {
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_four_hex_digits_and_nothing_else() {
        assert_eq!(parse_length(*b"0029"), Some(0x29));
        assert_eq!(parse_length(*b"fFfF"), Some(0xffff));
        for bad in [*b"+029", *b" 029", *b"zzzz", [0xff; 4]] {
            assert_eq!(parse_length(bad), None);
        }
    }
}
