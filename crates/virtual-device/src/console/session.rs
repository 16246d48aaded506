//! One conversation: banner, authentication, a command a line.

use super::Console;
use super::commands::{self, Reply};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// Longest line; the emulator's buffer is as long.
const MAX_LINE: u64 = 4096;

pub(super) struct Session {
    console: Arc<Console>,
    authenticated: bool,
}

/// What is said, and whether the conversation goes on.
struct Said {
    text: String,
    ends: bool,
}

impl Session {
    pub(super) const fn new(console: Arc<Console>) -> Self {
        Self { console, authenticated: false }
    }

    pub(super) async fn run(mut self, socket: TcpStream) -> io::Result<()> {
        let (read, mut write) = socket.into_split();
        let mut read = BufReader::new(read);
        write.write_all(self.greeting().as_bytes()).await?;
        while let Some(line) = line(&mut read).await? {
            let Said { text, ends } = match line {
                Ok(line) => self.answer(&line),
                Err(TooLong) => Said { text: "KO: line too long\r\n".to_owned(), ends: true },
            };
            write.write_all(text.as_bytes()).await?;
            if ends {
                break;
            }
        }
        Ok(())
    }

    fn greeting(&mut self) -> String {
        if self.console.auth.token.is_none() {
            self.authenticated = true;
            return "Android Console: type 'help' for a list of commands\r\nOK\r\n".to_owned();
        }
        format!(
            "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\n\
             Android Console: you can find your <auth_token> in \r\n'{}'\r\nOK\r\n",
            self.console.auth.file.display()
        )
    }

    fn answer(&mut self, line: &str) -> Said {
        let goes_on = |text: String| Said { text, ends: false };
        if line.is_empty() {
            return goes_on(String::new());
        }
        if let Some(token) = line.strip_prefix("auth").filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
            return goes_on(self.authenticate(token.trim()));
        }
        match commands::run(&self.console, line, self.authenticated) {
            Reply::Ok(text) => goes_on(format!("{text}OK\r\n")),
            Reply::Ko(reason) => goes_on(format!("KO: {reason}\r\n")),
            Reply::Quit => Said { text: String::new(), ends: true },
            Reply::Kill => {
                self.console.stop.cancel();
                Said { text: "OK: killing emulator, bye bye\r\n".to_owned(), ends: true }
            }
        }
    }

    fn authenticate(&mut self, token: &str) -> String {
        match &self.console.auth.token {
            _ if token.is_empty() => "KO: missing authentication token\r\n".to_owned(),
            Some(wanted) if wanted != token => {
                "KO: authentication token does not match ~/.emulator_console_auth_token\r\n".to_owned()
            }
            _ => {
                self.authenticated = true;
                "Android Console: type 'help' for a list of commands\r\nOK\r\n".to_owned()
            }
        }
    }
}

struct TooLong;

/// The next line without its end; `None` when the other end is gone.
async fn line(read: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Result<String, TooLong>>> {
    let mut bytes = Vec::new();
    if read.take(MAX_LINE).read_until(b'\n', &mut bytes).await? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == MAX_LINE {
        return Ok(Some(Err(TooLong)));
    }
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).trim().to_owned())))
}
