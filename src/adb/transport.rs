//! Commands on one device, through the server. Each has its own budget; when that ends, or the future is dropped, the
//! socket goes, and adbd ends the command.

use super::shell_packet::{PacketDecoder, PacketKind};
use super::{AdbError, AdbServer, ShellLine, wire};
use crate::domain::DeviceSerial;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// More output than any command here gives (a raw 4K picture has 33 MB); a command that exceeds it ran wild.
const MOST_OUTPUT: usize = 256 << 20;
const CHUNK: usize = 64 << 10;

/// One device, reached through an adb server. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transport {
    server: AdbServer,
    serial: DeviceSerial,
}

/// What a command left behind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShellOutput {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// Exit code; 128 + n after signal n.
    pub exit_code: u8,
}

impl ShellOutput {
    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text, trimmed.
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).trim().to_owned()
    }
}

impl Transport {
    /// Reaches `serial` through `server`; nothing is sent yet.
    pub const fn new(server: AdbServer, serial: DeviceSerial) -> Self {
        Self { server, serial }
    }

    /// The device.
    pub const fn serial(&self) -> &DeviceSerial {
        &self.serial
    }

    /// The server.
    pub const fn server(&self) -> &AdbServer {
        &self.server
    }

    /// Runs a line in the device's shell (protocol v2, no terminal), whatever its exit code.
    pub async fn shell(&self, line: &ShellLine, budget: Duration) -> Result<ShellOutput, AdbError> {
        self.within(line, budget, self.shell_unbounded(line)).await
    }

    /// Runs a line in the device's shell; an exit code other than 0 is an error.
    pub async fn run(&self, line: &ShellLine, budget: Duration) -> Result<ShellOutput, AdbError> {
        let output = self.shell(line, budget).await?;
        if output.exit_code == 0 {
            return Ok(output);
        }
        let mut stderr = output.stderr_text();
        if stderr.is_empty() {
            // `Unknown command: x` and some old commands complain on stdout.
            output.stdout_text().trim().clone_into(&mut stderr);
        }
        Err(AdbError::Exit {
            serial: self.serial.clone(),
            command: line.to_string(),
            exit_code: output.exit_code,
            stderr,
        })
    }

    /// Runs a line without the shell protocol and gives its raw output, stdout and stderr merged. There is no exit code
    /// this way: the output alone must tell success.
    pub async fn exec(&self, line: &ShellLine, budget: Duration) -> Result<Vec<u8>, AdbError> {
        let conversation = async {
            let mut stream = self.open(&format!("exec:{}", line.as_sent()), line).await?;
            self.read_to_end(&mut stream, line).await
        };
        self.within(line, budget, conversation).await
    }

    /// Runs a line that never ends by itself and hands its output over piece by piece, until the receiver is gone or the
    /// command ends.
    pub async fn follow(&self, line: &ShellLine, pieces: &tokio::sync::mpsc::Sender<Vec<u8>>) -> Result<(), AdbError> {
        let mut stream = self.open(&format!("exec:{}", line.as_sent()), line).await?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = tokio::select! {
                () = pieces.closed() => return Ok(()),
                read = stream.read(&mut chunk) => read.map_err(|error| self.broken(line, wire::reason(&error)))?,
            };
            let piece = chunk.get(..read).unwrap_or_default().to_vec();
            if piece.is_empty() || pieces.send(piece).await.is_err() {
                return Ok(());
            }
        }
    }

    /// Streams `file` into a command's standard input, as `adb install` does, and gives the command's output.
    pub(super) async fn feed(&self, line: &ShellLine, file: &Path, budget: Duration) -> Result<Vec<u8>, AdbError> {
        let conversation = async {
            let unreadable = |error: std::io::Error| AdbError::File {
                serial: self.serial.clone(),
                what: format!("reading {}", file.display()),
                reason: error.to_string(),
            };
            let mut source = tokio::fs::File::open(file).await.map_err(unreadable)?;
            let mut stream = self.open(&format!("exec:{}", line.as_sent()), line).await?;
            let mut chunk = vec![0; CHUNK];
            loop {
                let read = source.read(&mut chunk).await.map_err(unreadable)?;
                if read == 0 {
                    break;
                }
                if stream.write_all(&chunk[..read]).await.is_err() {
                    // The command gave up before it had read everything; its output says why.
                    break;
                }
            }
            self.read_to_end(&mut stream, line).await
        };
        self.within(line, budget, conversation).await
    }

    async fn shell_unbounded(&self, line: &ShellLine) -> Result<ShellOutput, AdbError> {
        let mut stream = self.open(&format!("shell,v2,raw:{}", line.as_sent()), line).await?;
        let mut output = ShellOutput::default();
        let mut decoder = PacketDecoder::default();
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = stream.read(&mut chunk).await.map_err(|error| self.broken(line, wire::reason(&error)))?;
            if read == 0 {
                return Err(AdbError::NoExitCode { serial: self.serial.clone(), command: line.to_string() });
            }
            decoder.push(chunk.get(..read).unwrap_or_default());
            while let Some(packet) = decoder.next_packet().map_err(|error| self.broken(line, error.to_string()))? {
                match packet.kind {
                    PacketKind::Stdout => output.stdout.extend_from_slice(&packet.data),
                    PacketKind::Stderr => output.stderr.extend_from_slice(&packet.data),
                    PacketKind::Exit => {
                        output.exit_code = *packet
                            .data
                            .first()
                            .ok_or_else(|| self.broken(line, "an exit packet without a code".to_owned()))?;
                        return Ok(output);
                    }
                    PacketKind::Stdin | PacketKind::CloseStdin | PacketKind::WindowSize => {
                        return Err(self.broken(line, format!("a {:?} packet from the device", packet.kind)));
                    }
                }
                if output.stdout.len() + output.stderr.len() > MOST_OUTPUT {
                    return Err(self.broken(line, format!("more than {MOST_OUTPUT} bytes of output")));
                }
            }
        }
    }

    /// A stream on which the device has accepted `service`. `line` is what error texts show.
    async fn open(&self, service: &str, line: &ShellLine) -> Result<TcpStream, AdbError> {
        let transport = format!("host:transport:{}", self.serial);
        let mut stream = self.server.request(&transport, Some(&self.serial)).await?;
        wire::send(&mut stream, service).await.map_err(|error| self.broken(line, wire::reason(&error)))?;
        self.server.expect_okay(&mut stream, &line.to_string(), Some(&self.serial)).await?;
        Ok(stream)
    }

    async fn read_to_end(&self, stream: &mut TcpStream, line: &ShellLine) -> Result<Vec<u8>, AdbError> {
        let mut output = Vec::new();
        stream
            .take(MOST_OUTPUT as u64)
            .read_to_end(&mut output)
            .await
            .map_err(|error| self.broken(line, wire::reason(&error)))?;
        if output.len() >= MOST_OUTPUT {
            return Err(self.broken(line, format!("more than {MOST_OUTPUT} bytes of output")));
        }
        Ok(output)
    }

    async fn within<T>(
        &self,
        line: &ShellLine,
        budget: Duration,
        conversation: impl Future<Output = Result<T, AdbError>> + Send,
    ) -> Result<T, AdbError> {
        timeout(budget, conversation).await.unwrap_or_else(|_| {
            Err(AdbError::Timeout { serial: self.serial.clone(), command: line.to_string(), budget })
        })
    }

    fn broken(&self, line: &ShellLine, reason: String) -> AdbError {
        self.server.protocol(&line.to_string(), reason)
    }
}
