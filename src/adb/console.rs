//! The emulator's console: a second way to an emulator, for what adb does not do. Its port is the number in the serial.
//!
//! Protocol: AOSP `packages/modules/adb/client/console.cpp`, and the emulator's own `help`.

use crate::domain::{DeviceSerial, Place};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The longest answer that is read.
const MOST_BYTES: u64 = 64 * 1024;

/// The console's port of a device, where it is an emulator: `emulator-5554` listens on 5554.
pub fn console_port(serial: &DeviceSerial) -> Option<u16> {
    serial.as_str().strip_prefix("emulator-")?.parse().ok()
}

/// Tells an emulator where it is. The error says what the console said.
pub async fn geo_fix(port: u16, place: Place, budget: Duration) -> Result<(), String> {
    command(port, &format!("geo fix {} {}", place.longitude, place.latitude), budget).await
}

/// Puts an emulator back to a snapshot; `name` must be one word. The error says what the console said.
pub async fn load_snapshot(port: u16, name: &str, budget: Duration) -> Result<(), String> {
    command(port, &format!("avd snapshot load {name}"), budget).await
}

/// Ends an emulator. The error says what the console said.
pub async fn kill_emulator(port: u16, budget: Duration) -> Result<(), String> {
    command(port, "kill", budget).await
}

/// The name of the virtual device that an emulator runs.
pub async fn emulator_name(port: u16, budget: Duration) -> Result<String, String> {
    let said = ask(port, "avd name", budget).await?;
    Ok(said.lines().next().unwrap_or_default().trim().to_owned())
}

/// Gives the console a line that it has to consent to.
async fn command(port: u16, line: &str, budget: Duration) -> Result<(), String> {
    ask(port, line, budget).await.map(drop)
}

/// What the console says to a line that it consents to.
async fn ask(port: u16, line: &str, budget: Duration) -> Result<String, String> {
    let said = tokio::time::timeout(budget, converse(port, line)).await;
    let said = said.map_err(|_elapsed| format!("its console did not answer within {budget:?}"))?;
    let said = said.map_err(|error| format!("its console on port {port}: {error}"))?;
    if is_consent(&said) {
        return Ok(said);
    }
    Err(format!("its console said {:?}", said.lines().last().unwrap_or_default()))
}

/// What the console says to a line.
async fn converse(port: u16, line: &str) -> io::Result<String> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
    let banner = answer(&mut socket).await?;
    if let Some(path) = token_file(&banner) {
        let token = tokio::fs::read_to_string(&path).await.map_err(|error| {
            io::Error::new(error.kind(), format!("the token it asks for cannot be read: {path}: {error}"))
        })?;
        socket.write_all(format!("auth {}\r\n", token.trim()).as_bytes()).await?;
        let said = answer(&mut socket).await?;
        if !is_consent(&said) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, said.trim().to_owned()));
        }
    }
    socket.write_all(format!("{line}\r\n").as_bytes()).await?;
    let said = answer(&mut socket).await?;
    // One that was told to end may have hung up already.
    let _left = socket.write_all(b"quit\r\n").await;
    Ok(said)
}

/// Reads up to a line that ends an answer.
async fn answer(socket: &mut TcpStream) -> io::Result<String> {
    let mut said = Vec::new();
    let mut limited = socket.take(MOST_BYTES);
    let mut byte = [0];
    while limited.read(&mut byte).await? == 1 {
        said.push(byte[0]);
        if byte[0] == b'\n' {
            let text = String::from_utf8_lossy(&said);
            let last = text.lines().last().unwrap_or_default();
            if is_end(last) {
                return Ok(text.into_owned());
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it hung up"))
}

/// The last line of an answer: `OK`, `OK: killing emulator, bye bye`, or `KO: ` and a reason.
fn is_end(line: &str) -> bool {
    line == "OK" || line.starts_with("OK:") || line.starts_with("KO")
}

fn is_consent(said: &str) -> bool {
    said.lines().last().is_some_and(|last| is_end(last) && last.starts_with("OK"))
}

/// The file the banner names where it asks for a token: a line in quotes.
fn token_file(banner: &str) -> Option<String> {
    let asks = banner.contains("Authentication required");
    let quoted = |line: &str| Some(line.trim().strip_prefix('\'')?.strip_suffix('\'')?.to_owned());
    banner.lines().find_map(quoted).filter(|_| asks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_the_number_of_an_emulator() {
        let port = |serial: &str| console_port(&DeviceSerial::from(serial));
        assert_eq!(port("emulator-5554"), Some(5554));
        assert_eq!([port("127.0.0.1:5555"), port("emulator-x"), port("R58M"), port("emulator-99999")], [None; 4]);
    }

    #[test]
    fn an_answer_ends_with_consent_or_a_reason() {
        for (said, is_last, consents) in [
            ("OK", true, true),
            ("OK: killing emulator, bye bye", true, true),
            ("KO: unable to load snapshot", true, false),
            ("OKAY", false, false),
            ("Android Console", false, false),
        ] {
            assert_eq!((is_end(said), is_consent(&format!("a line\n{said}\n"))), (is_last, consents), "{said}");
        }
    }

    #[test]
    fn the_banner_names_the_token_where_it_asks_for_one() {
        let banner = "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to \
                      authenticate\r\nAndroid Console: you can find your <auth_token> in \r\n'/home/a b/.token'\r\nOK\r\n";
        assert_eq!(token_file(banner).as_deref(), Some("/home/a b/.token"));
        assert_eq!(token_file("Android Console: type 'help' for a list of commands\r\nOK\r\n"), None);
    }
}
