//! Time and memory of virtual devices: start, dump, picture, and many at once.
//!
//! `cargo bench --bench virtual_device [-- --devices N]`. Prints figures with the targets they are meant to meet; judges
//! nothing. CPU time is this thread's (`/proc/thread-self/schedstat`), which some kernels count in ticks of 4 ms: therefore
//! the mean over all rounds; the spread is the wall's.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tapwright::domain::Size;
use tapwright::virtual_device::shell::{Input, Output, Shell};
use tapwright::virtual_device::system::Interrupt;
use tapwright::virtual_device::{AppFiles, InstalledApp, SharedSystem, VirtualDevice, VirtualDeviceConfig};
use tokio_util::sync::CancellationToken;

const ROUNDS: usize = 40;
const PACKAGE: &str = "com.example.bench";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let count = match arguments.as_slice() {
        [] => 200,
        [flag, number] if flag == "--devices" => number.parse().expect("--devices takes a number"),
        other => panic!("unknown arguments {other:?}: only --devices N"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let files = Arc::new(AppFiles::default());
        let begin = Instant::now();
        let app = files.package("bench.app.yaml", &hundred_nodes()).expect("the bench's own app file is sound");
        println!("parsing the app file: {:.1?}", begin.elapsed());
        let first = start(&files, &app).await;
        println!("first start in this process (fonts, caches): {:.1?}", begin.elapsed());
        starts(&files, &app).await;
        screens(first.system());
        first.stop();
        first.stopped().await;
        many(&files, &app, count).await;
    });
}

/// A shop's list: rows with a picture, texts, a box and buttons; about a hundred nodes are in sight.
fn hundred_nodes() -> String {
    let rows = (0..12)
        .map(|row| {
            format!(
                "      - row:
          padding: 4
          align: center
          children:
            - image: {{icon: card, size: 24, desc: Picture {row}}}
            - column:
                grow: 1
                children:
                  - text: {{text: Article number {row}, id: title_{row}}}
                  - text: {{text: In stock and sent tomorrow, style: caption}}
            - text: {{text: \"${row}.99\", id: price_{row}}}
            - checkbox: {{bind: on, text: Gift}}
            - switch: {{bind: on}}
"
            )
        })
        .collect::<Vec<_>>()
        .concat();
    format!(
        "package: {PACKAGE}
label: Bench
version: 1.0.0
state: {{on: false}}
screens:
  - id: main
    title: Settings
    body:
{rows}"
    )
}

async fn start(files: &Arc<AppFiles>, app: &InstalledApp) -> VirtualDevice {
    let config = VirtualDeviceConfig { display: Size::new(1080, 2400), ..VirtualDeviceConfig::default() };
    let stop = CancellationToken::new();
    VirtualDevice::start(config, files.clone(), files.clone(), vec![app.clone()], stop).await.expect("a device")
}

async fn starts(files: &Arc<AppFiles>, app: &InstalledApp) {
    let mut wall = Vec::new();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let device = start(files, app).await;
        wall.push(begin.elapsed());
        device.stop();
        device.stopped().await;
    }
    report("hot start of a device (target 50 ms)", Times { cpu: None, wall });
}

fn screens(system: &Arc<SharedSystem>) {
    let shell = |line: &str| run(system, line);
    shell(&format!("am start -n {PACKAGE}/.MainActivity"));
    let dump = shell("uiautomator dump /sdcard/d.xml; cat /sdcard/d.xml");
    let nodes = String::from_utf8_lossy(&dump).matches("<node ").count();
    report(
        &format!("dump of {nodes} nodes (target 3 ms for 100)"),
        times(|_| drop(shell("uiautomator dump /sdcard/d.xml"))),
    );
    let touch = |round: usize| drop(shell(&format!("input tap 990 {}", 300 + (round % 8) * 180)));
    report(
        &format!("dump of {nodes} nodes after a touch, touch included"),
        times(|round| {
            touch(round);
            shell("uiautomator dump /sdcard/d.xml");
        }),
    );
    report("screencap -p of 1080x2400, same screen (target 60 ms)", times(|_| drop(shell("screencap -p"))));
    report(
        "screencap -p of 1080x2400 after a touch, touch included (target 60 ms)",
        times(|round| {
            touch(round);
            shell("screencap -p");
        }),
    );
    report(
        "screencap (raw) of 1080x2400 after a touch",
        times(|round| {
            touch(round);
            shell("screencap");
        }),
    );
    println!("size of the PNG: {} KB", shell("screencap -p").len() / 1024);
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("one thread").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A command's output, without adb in between.
fn run(system: &SharedSystem, line: &str) -> Vec<u8> {
    let (out, interrupt) = (Sink::default(), Interrupt::default());
    let output = Output::new(out.clone());
    let stdin = Input::new(Cursor::new(Vec::new()));
    let exit = Shell::new(system, stdin, output.clone(), output, None, &interrupt).run(line);
    let said = std::mem::take(&mut *out.0.lock().expect("one thread"));
    assert!(exit.code() == 0, "{line}: {}", String::from_utf8_lossy(&said));
    said
}

/// Mean CPU time of a round, and each round's wall time.
struct Times {
    cpu: Option<Duration>,
    wall: Vec<Duration>,
}

fn times(mut work: impl FnMut(usize)) -> Times {
    work(0);
    let begin = cpu();
    let wall = (0..ROUNDS)
        .map(|round| {
            let begin = Instant::now();
            work(round);
            begin.elapsed()
        })
        .collect();
    let rounds = u32::try_from(ROUNDS).unwrap_or(1);
    Times { cpu: cpu().zip(begin).map(|(end, begin)| end.saturating_sub(begin) / rounds), wall }
}

/// CPU time of this thread; `None` where the kernel does not tell.
fn cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn report(what: &str, Times { cpu, mut wall }: Times) {
    wall.sort();
    let at = |share: usize| wall[(wall.len() - 1) * share / 100];
    let cpu = cpu.map_or_else(|| "unknown".to_owned(), |cpu| format!("{cpu:.2?}"));
    println!(
        "{what}: CPU {cpu}; wall fastest {:.2?}, median {:.2?}, middle half {:.2?} to {:.2?}, slowest {:.2?}",
        at(0),
        at(50),
        at(25),
        at(75),
        at(100)
    );
}

/// Resident memory of this process in KB; 0 where it cannot be read.
fn resident() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

async fn many(files: &Arc<AppFiles>, app: &InstalledApp, count: usize) {
    let before = resident();
    let begin = Instant::now();
    let mut devices = Vec::new();
    for _ in 0..count {
        devices.push(start(files, app).await);
    }
    println!("{count} devices started in {:.1?}", begin.elapsed());
    let memory = |what: &str| {
        let now = resident();
        println!(
            "{count} devices, {what}: {} MB resident in all, {} KB a device (target 1500 MB for 200)",
            now / 1024,
            (now - before) / i64::try_from(count).unwrap_or(1).max(1)
        );
    };
    memory("idle on the home screen");
    for device in &devices {
        run(device.system(), &format!("am start -n {PACKAGE}/.MainActivity; uiautomator dump /sdcard/d.xml"));
    }
    memory("app in front, dumped once");
    for device in &devices {
        run(device.system(), "screencap -p >/dev/null");
    }
    memory("each pictured once");
    let begin = Instant::now();
    for device in &devices {
        device.stop();
    }
    for device in devices {
        device.stopped().await;
    }
    println!("{count} devices stopped in {:.1?}", begin.elapsed());
}
