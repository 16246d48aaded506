//! The socket to the JVM: a line of JSON out, a line of JSON and perhaps bytes in.

use super::message::{AppInfo, Head, Request};
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an answer may take; the first activity is started while classes are still loaded.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest first line of an answer, bytes.
const LONGEST_LINE: u64 = 1 << 20;
/// Most bytes behind it: a picture of 8000x8000.
const MOST_BYTES: usize = 8000 * 8000 * 4;

/// Why the framework's app cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum FrameworkError {
    /// The file that names the socket.
    #[error("{file}: {reason}; `cargo xtask framework APP.apk` starts the app and writes this file", file = .file.display())]
    Socket {
        /// Which file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The JVM does not answer, or not in time.
    #[error("the framework's JVM does not answer: {0}")]
    Gone(#[from] std::io::Error),
    /// It answers what cannot be read.
    #[error("the framework's JVM answered nonsense: {0}")]
    Nonsense(String),
    /// It says that it could not be done.
    #[error("{0}")]
    Refused(String),
}

/// An open connection.
pub(super) struct Connection {
    /// The file that names the socket.
    file: PathBuf,
    reader: BufReader<TcpStream>,
    /// An exchange was left unfinished: what comes next answers an older request.
    torn: bool,
    /// How often an app was launched over it.
    launches: u64,
}

/// An answer: its first line as read, and the bytes behind it.
pub(super) struct Answer {
    pub head: Head,
    line: Vec<u8>,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The first line as something more than its head.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, FrameworkError> {
        serde_json::from_slice(&self.line).map_err(|error| FrameworkError::Nonsense(error.to_string()))
    }
}

impl Connection {
    /// Connects to what `file` names (`PORT TOKEN`), and shows the token.
    pub(super) fn open(file: &Path) -> Result<(Self, AppInfo), FrameworkError> {
        let (stream, token) = Self::dial(file)?;
        let reader = BufReader::new(stream);
        let mut connection = Self { file: file.to_path_buf(), reader, torn: false, launches: 0 };
        let info = connection.exchange(&Request::Hello { token })?.read()?;
        Ok((connection, info))
    }

    /// A new stream to what `file` names, and the token to show there.
    fn dial(file: &Path) -> Result<(TcpStream, String), FrameworkError> {
        let (port, token) =
            address(file).map_err(|reason| FrameworkError::Socket { file: file.to_path_buf(), reason })?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok((stream, token))
    }

    /// Counts a launch; its number tells whether what runs is still what was launched then.
    pub(super) const fn launch(&mut self) -> u64 {
        self.launches += 1;
        self.launches
    }

    /// Whether nothing was launched after the launch of that number.
    pub(super) const fn runs(&self, launch: u64) -> bool {
        self.launches == launch
    }

    /// Asks and waits for the answer; an answer that names an error is one. After an answer that was late or no answer, a
    /// new stream is opened first: on the old one the late answer would pass for that of the next request.
    pub(super) fn ask(&mut self, request: &Request) -> Result<Answer, FrameworkError> {
        if self.torn {
            let (stream, token) = Self::dial(&self.file)?;
            self.reader = BufReader::new(stream);
            self.exchange(&Request::Hello { token })?;
            self.torn = false;
        }
        let answer = self.exchange(request);
        self.torn = matches!(answer, Err(FrameworkError::Gone(_) | FrameworkError::Nonsense(_)));
        answer
    }

    fn exchange(&mut self, request: &Request) -> Result<Answer, FrameworkError> {
        let mut line = serde_json::to_vec(request).map_err(|error| FrameworkError::Nonsense(error.to_string()))?;
        line.push(b'\n');
        self.reader.get_mut().write_all(&line)?;
        line.clear();
        self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Err(FrameworkError::Nonsense("its answer ends early".to_owned()));
        }
        let head: Head = serde_json::from_slice(&line).map_err(|error| FrameworkError::Nonsense(error.to_string()))?;
        if head.bytes > MOST_BYTES {
            return Err(FrameworkError::Nonsense(format!("it announces {} bytes", head.bytes)));
        }
        let mut bytes = vec![0; head.bytes];
        self.reader.read_exact(&mut bytes)?;
        match head.error {
            Some(reason) => Err(FrameworkError::Refused(reason)),
            None => Ok(Answer { head, line, bytes }),
        }
    }
}

fn address(file: &Path) -> Result<(u16, String), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let (port, token) = text.trim().split_once(' ').ok_or("expected PORT TOKEN")?;
    Ok((port.parse().map_err(|_| format!("{port:?} is no port"))?, token.to_owned()))
}
