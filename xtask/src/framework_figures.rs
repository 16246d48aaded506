//! `cargo xtask framework --figures [APP.apk]`: how fast the framework device starts, dumps and settles, and how much
//! memory it takes. It prints figures beside their targets and judges nothing.

use crate::failure::Failure;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often a thing is touched, and dumped before and after.
const ROUNDS: usize = 20;
/// Nothing has happened for so long: the screen stands.
const QUIET: Duration = Duration::from_millis(400);
/// How long a screen may take to come to rest.
const PATIENCE: Duration = Duration::from_secs(10);
/// Android's code of BACK.
const BACK: &str = r#"{"do":"key","code":4}"#;

/// Starts `device`, measures it and ends it. `socket` is the file it writes.
pub(crate) fn measure(device: &mut Command, socket: &Path) -> Result<(), Failure> {
    let begin = Instant::now();
    let child = device.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| Failure::Missing(format!("java could not be started: {error}")))?;
    let measured = ready(&mut child).and_then(|()| Figures::of(&child, socket, begin));
    // It ends by itself when it is told to; after a failure it is ended.
    if measured.is_err() {
        child.kill().map_err(|error| failed(&error))?;
    }
    child.wait().map_err(|error| failed(&error))?;
    let mut figures = measured?;
    println!("{:<16} {:>10} {:>10} {:>10}", "", "middle", "most", "target");
    println!("{:<16} {:>10} {:>10} {:>10}", "start", seconds(figures.start), "", "30 s");
    line("dump", &mut figures.dumps, "200 ms");
    line("tap to settled", &mut figures.settled, "300 ms");
    let memory = figures.memory.map_or("unknown".to_owned(), |mib| format!("{mib} MiB"));
    println!("{:<16} {:>10} {:>10} {:>10}", "memory", "", memory, "1500 MiB");
    println!("{} dumps, {} touches and BACKs that changed the screen", figures.dumps.len(), figures.settled.len());
    Ok(())
}

struct Figures {
    start: Duration,
    dumps: Vec<Duration>,
    settled: Vec<Duration>,
    memory: Option<u64>,
}

impl Figures {
    fn of(child: &Child, socket: &Path, begin: Instant) -> Result<Self, Failure> {
        let mut device = Connection::open(socket)?;
        device.ask(r#"{"do":"launch","activity":""}"#)?;
        device.rest()?;
        let mut figures = Self { start: begin.elapsed(), dumps: Vec::new(), settled: Vec::new(), memory: None };
        for round in 0..ROUNDS {
            let before = figures.dump(&mut device)?;
            let rows = centres(&before);
            let Some((x, y)) = rows.get(round % rows.len().max(1)) else {
                return Err(Failure::Failed("the app's first screen has nothing to touch".to_owned()));
            };
            let touch = format!(r#"{{"do":"touch","x":{x},"y":{y},"to_x":{x},"to_y":{y},"hold_ms":0,"move_ms":0}}"#);
            figures.settle(&mut device, &touch)?;
            if figures.dump(&mut device)? != before {
                figures.settle(&mut device, BACK)?;
            }
            if figures.dump(&mut device)? != before {
                device.ask(r#"{"do":"stop"}"#)?;
                device.ask(r#"{"do":"launch","activity":""}"#)?;
                device.rest()?;
            }
        }
        figures.memory = peak(child.id());
        device.ask(r#"{"do":"quit"}"#)?;
        Ok(figures)
    }

    fn dump(&mut self, device: &mut Connection) -> Result<String, Failure> {
        let begin = Instant::now();
        let dump = device.ask(r#"{"do":"dump"}"#)?.1;
        self.dumps.push(begin.elapsed());
        Ok(String::from_utf8_lossy(&dump).into_owned())
    }

    /// From the request to the last thing that happened because of it.
    fn settle(&mut self, device: &mut Connection, request: &str) -> Result<(), Failure> {
        let begin = Instant::now();
        device.ask(request)?;
        let quiet = device.rest()?;
        self.settled.push(begin.elapsed().saturating_sub(quiet));
        Ok(())
    }
}

struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(socket: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(socket).map_err(|error| failed(&error))?;
        let nonsense = || Failure::Failed(format!("{} holds no `PORT TOKEN`", socket.display()));
        let (port, token) = text.trim().split_once(' ').ok_or_else(nonsense)?;
        let port: u16 = port.parse().map_err(|_| nonsense())?;
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let mut connection = Self(BufReader::new(stream));
        connection.ask(&format!(r#"{{"do":"hello","token":"{token}"}}"#))?;
        Ok(connection)
    }

    /// The answer's line and the bytes behind it.
    fn ask(&mut self, request: &str) -> Result<(String, Vec<u8>), Failure> {
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
    fn rest(&mut self) -> Result<Duration, Failure> {
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
fn ready(child: &mut Child) -> Result<(), Failure> {
    let Some(stdout) = child.stdout.take() else { return Err(Failure::Failed("java has no output".to_owned())) };
    let mut lines = BufReader::new(stdout).lines();
    let ready = lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("ready:"));
    std::thread::spawn(move || lines.for_each(drop));
    if ready { Ok(()) } else { Err(Failure::Failed("the framework device ended before it was ready".to_owned())) }
}

/// A number in a line of JSON.
fn number(line: &str, name: &str) -> Option<usize> {
    let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The middles of what can be touched: nodes that say so, and rows of a list, which do not.
fn centres(dump: &str) -> Vec<(i32, i32)> {
    let touchable = |node: &&str| node.contains("clickable=\"true\"") || node.contains("id/text1\"");
    let centre = |node: &str| {
        let (_, bounds) = node.split_once("bounds=\"")?;
        let numbers: Vec<i32> =
            bounds.split('"').next()?.split(['[', ']', ',']).filter_map(|part| part.parse().ok()).collect();
        let [left, top, right, bottom] = numbers[..] else { return None };
        Some(((left + right) / 2, (top + bottom) / 2))
    };
    dump.split("<node ").filter(touchable).filter_map(centre).collect()
}

/// Most memory the process had so far, MiB; only Linux tells.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib / 1024)
}

fn line(name: &str, times: &mut [Duration], target: &str) {
    times.sort_unstable();
    let (middle, most) = (times.get(times.len() / 2), times.last());
    let shown = |time: Option<&Duration>| time.map_or("none".to_owned(), |time| format!("{} ms", time.as_millis()));
    println!("{name:<16} {:>10} {:>10} {target:>10}", shown(middle), shown(most));
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn failed(error: &std::io::Error) -> Failure {
    Failure::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_places_are_read_from_what_the_device_says() {
        assert_eq!(number(r#"{"bytes": 12,"quiet_ms":401}"#, "quiet_ms"), Some(401));
        assert_eq!(number(r#"{"activity":""}"#, "bytes"), None);
        let dump = "<node text=\"a\" clickable=\"false\" bounds=\"[0,0][10,10]\"><node resource-id=\"android:id/text1\" \
                    clickable=\"false\" bounds=\"[0,10][100,30]\"/><node clickable=\"true\" bounds=\"[2,2][4,4]\"/></node>";
        assert_eq!(centres(dump), [(50, 20), (3, 3)]);
    }

    #[test]
    fn a_process_has_had_some_memory() {
        if cfg!(target_os = "linux") {
            assert!(peak(std::process::id()).is_some_and(|mib| mib < 100_000));
        }
    }
}
