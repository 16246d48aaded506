//! `cargo xtask framework --figures [APP.apk]`: how fast the framework device starts, dumps and settles, and how much
//! memory it takes. It prints figures beside their targets and judges nothing.

use crate::failure::Failure;
use crate::framework_link::{Connection, failed, ready};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often a thing is touched, and dumped before and after.
const ROUNDS: usize = 20;
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
        let (mut device, _) = Connection::open(socket)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_a_dump() {
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
