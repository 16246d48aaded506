//! The socket of a framework device, as contributor tasks use it: lines of JSON out and in.

use crate::failure::Failure;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// Nothing has happened for so long: the screen stands.
const QUIET: Duration = Duration::from_millis(400);
/// How long a screen may take to come to rest.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open connection.
pub(crate) struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Connects to what the file names (`PORT TOKEN`); also gives what the device says of its app.
    pub(crate) fn open(socket: &Path) -> Result<(Self, String), Failure> {
        let text = std::fs::read_to_string(socket).map_err(|error| failed(&error))?;
        let nonsense = || Failure::Failed(format!("{} holds no `PORT TOKEN`", socket.display()));
        let (port, token) = text.trim().split_once(' ').ok_or_else(nonsense)?;
        let port: u16 = port.parse().map_err(|_| nonsense())?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let mut connection = Self(BufReader::new(stream));
        let (hello, _) = connection.ask(&format!(r#"{{"do":"hello","token":"{token}"}}"#))?;
        Ok((connection, hello))
    }

    /// The answer's line and the bytes behind it.
    pub(crate) fn ask(&mut self, request: &str) -> Result<(String, Vec<u8>), Failure> {
        let mut line = String::new();
        let mut exchange = || {
            self.0.get_mut().write_all(format!("{request}\n").as_bytes())?;
            self.0.read_line(&mut line)
        };
        exchange().map_err(|error| failed(&error))?;
        if line.contains("\"error\"") {
            return Err(Failure::Failed(format!("the framework device answers {request} with {}", line.trim())));
        }
        let mut bytes = vec![0; number(&line, "bytes").unwrap_or_default()];
        self.0.read_exact(&mut bytes).map_err(|error| failed(&error))?;
        Ok((line, bytes))
    }

    /// Waits until the screen stands; for how long it has by then.
    pub(crate) fn rest(&mut self) -> Result<Duration, Failure> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let (status, _) = self.ask(r#"{"do":"status"}"#)?;
            let quiet = Duration::from_millis(number(&status, "quiet_ms").unwrap_or_default() as u64);
            if quiet > QUIET {
                return Ok(quiet);
            }
        }
        Err(Failure::Failed(format!("the screen did not come to rest within {PATIENCE:?}")))
    }
}

/// Waits for the line that says that it listens, and goes on reading behind our back: nobody else empties the pipe.
pub(crate) fn ready(child: &mut Child) -> Result<(), Failure> {
    let Some(stdout) = child.stdout.take() else { return Err(Failure::Failed("java has no output".to_owned())) };
    let mut lines = BufReader::new(stdout).lines();
    let ready = lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("ready:"));
    std::thread::spawn(move || lines.for_each(drop));
    if ready { Ok(()) } else { Err(Failure::Failed("the framework device ended before it was ready".to_owned())) }
}

/// A number in a line of JSON.
pub(crate) fn number(line: &str, name: &str) -> Option<usize> {
    let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// A text in a line of JSON, as it was written; `None` where it is not there.
pub(crate) fn text(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
    let (mut out, mut chars) = (String::new(), rest.chars());
    loop {
        match chars.next()? {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'u' => {
                    let code: String = chars.by_ref().take(4).collect();
                    out.push(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)?);
                }
                escaped => out.push(escaped),
            },
            plain => out.push(plain),
        }
    }
}

pub(crate) fn failed(error: &std::io::Error) -> Failure {
    Failure::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_read_from_what_the_device_says() {
        assert_eq!(number(r#"{"bytes": 12,"quiet_ms":401}"#, "quiet_ms"), Some(401));
        assert_eq!(number(r#"{"activity":""}"#, "bytes"), None);
        let line = r#"{"activity":"","label":"Views\/\u00c9 \"a\"","crashed":false}"#;
        assert_eq!(text(line, "label").as_deref(), Some("Views/É \"a\""));
        assert_eq!(text(line, "activity").as_deref(), Some(""));
        assert_eq!(text(line, "package"), None);
    }
}
