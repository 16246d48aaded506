//! The transport's rules, broken on purpose: what the device does with hosts the real adb server never is.

use crate::raw_host::{MAX_PAYLOAD, RawHost, VERSION, greeting};
use crate::two_buttons::{TestInstaller, app, home};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tapwright::domain::Size;
use tapwright::virtual_device::system::BuildType;
use tapwright::virtual_device::wire::{
    Banner, Command, HEADER_LEN, Host, Opener, Packet, Patience, ServiceFuture, Services, Stream, SumRule, serve,
};
use tapwright::virtual_device::{ApiLevel, AuthPolicy, VirtualDevice, VirtualDeviceConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

fn small() -> VirtualDeviceConfig {
    VirtualDeviceConfig { display: Size::new(200, 400), ..VirtualDeviceConfig::default() }
}

async fn start(config: VirtualDeviceConfig) -> VirtualDevice {
    let apps = vec![app("com.example.two", 1)];
    VirtualDevice::start(config, Arc::new(TestInstaller), home(), apps, CancellationToken::new()).await.unwrap()
}

const BARRIER: u32 = 0xdead_beef;

/// Nothing has come back for what was sent so far.
async fn says_nothing(host: &mut RawHost) {
    host.send(Packet::bare(Command::OKAY, 7, BARRIER)).await;
    let answer = host.receive().await.unwrap();
    assert_eq!((answer.command, answer.arg0, answer.arg1), (Command::CLOSE, BARRIER, 7), "OKAY for an unknown id");
}

#[tokio::test]
async fn each_level_shakes_hands_as_its_adbd_did() {
    for (level, version, payload, features) in [
        (24, 0x0100_0000, 256 * 1024, "shell_v2,cmd"),
        (26, 0x0100_0000, 256 * 1024, "shell_v2,cmd,stat_v2"),
        (28, 0x0100_0001, 1024 * 1024, "shell_v2,cmd,stat_v2"),
        (29, 0x0100_0001, 1024 * 1024, "fixed_push_symlink_timestamp,abb_exec"),
        (30, 0x0100_0001, 1024 * 1024, "ls_v2,sendrecv_v2"),
        (34, 0x0100_0001, 1024 * 1024, "track_app,sendrecv_v2_dry_run_send"),
    ] {
        let device = start(VirtualDeviceConfig { api: ApiLevel::new(level).unwrap(), ..small() }).await;
        let banner = RawHost::connect(device.addr()).await.banner;
        assert_eq!((banner.arg0, banner.arg1), (version, payload), "API {level}");
        let text = String::from_utf8(banner.payload).unwrap();
        assert!(text.starts_with("device::ro.product.name=tapwright_phone;ro.product.model="), "{text}");
        assert!(text.ends_with(features), "API {level}: {text}");
        device.stop();
    }
}

#[tokio::test]
async fn packets_for_nobody_are_ignored_and_okay_for_nobody_is_closed() {
    let device = start(small()).await;
    let mut host = RawHost::connect(device.addr()).await;
    host.send(Packet { command: Command::WRITE, arg0: 1, arg1: 99, payload: b"x".to_vec() }).await;
    host.send(Packet::bare(Command::CLOSE, 1, 99)).await;
    host.send(Packet::bare(Command(0x4242_4242), 1, 99)).await;
    says_nothing(&mut host).await;
    for refused in [
        "nonsense:",
        "localabstract:chrome_devtools_remote",
        "localreserved:x",
        "localfilesystem:/x",
        "dev:/dev/null",
        "tcp:22",
        "jdwp:1",
        "no colon",
        "",
    ] {
        assert_eq!(host.opened(5, refused).await, None, "{refused}");
    }
    // A window where none was agreed on, and the id 0, which names no stream.
    host.send(Packet { command: Command::OPEN, arg0: 6, arg1: 4096, payload: b"shell:true\0".to_vec() }).await;
    let answer = host.receive().await.unwrap();
    assert_eq!((answer.command, answer.arg0, answer.arg1), (Command::CLOSE, 0, 6));
    // Not UTF-8.
    host.open(7, b"shell:\xff\xfe").await;
    assert_eq!(host.receive().await.unwrap().command, Command::CLOSE);
    assert_eq!(host.ask(8, "exec:echo still here").await, "still here\n");
    device.stop();
}

#[tokio::test]
async fn adbd_answers_as_its_build_allows_and_restarts_as_root() {
    let device = start(small()).await;
    let mut host = RawHost::connect(device.addr()).await;
    for (service, answer) in [
        ("root:", "adbd cannot run as root in production builds\n"),
        ("unroot:", "adbd not running as root\n"),
        ("remount:", "Not running as root. Try \"adb root\" first.\n"),
        ("tcpip:0", "invalid port 0\n"),
        ("tcpip:x", "invalid port x\n"),
    ] {
        assert_eq!(host.ask(3, service).await, answer);
    }
    device.stop();
    let device = start(VirtualDeviceConfig { build: BuildType::Userdebug, ..small() }).await;
    let mut host = RawHost::connect(device.addr()).await;
    assert_eq!(host.ask(3, "exec:id -u; getprop ro.build.type").await, "2000\nuserdebug\n");
    assert!(host.opened(4, "root:").await.is_some());
    let text = host.receive().await.unwrap();
    assert_eq!(text.payload, b"restarting adbd as root\n");
    host.send(Packet::bare(Command::OKAY, 4, text.arg0)).await;
    assert!(host.hung_up().await);
    let mut host = back(device.addr()).await;
    assert_eq!(host.ask(3, "exec:id -u; echo x > /data/x; cat /data/x").await, "0\nx\n");
    assert_eq!(host.ask(3, "root:").await, "adbd is already running as root\n");
    assert_eq!(host.ask(3, "exec:echo x > /system/x; echo $?").await.lines().last(), Some("1"));
    assert_eq!(host.ask(3, "remount:").await, "remount succeeded\n");
    assert_eq!(host.ask(3, "exec:echo x > /system/x; echo $?").await, "0\n");
    device.stop();
}

/// Connects as soon as the device listens again.
async fn back(device: SocketAddr) -> RawHost {
    let mut look = tokio::time::interval(Duration::from_millis(20));
    let connected = async {
        loop {
            look.tick().await;
            if let Ok(mut socket) = TcpStream::connect(device).await
                && socket.write_all(&greeting()).await.is_ok()
                && socket.read_u8().await.is_ok()
            {
                return RawHost::connect(device).await;
            }
        }
    };
    timeout(crate::harness::PATIENCE, connected).await.expect("the device did not come back")
}

#[tokio::test]
async fn what_runs_is_listed_for_debuggers() {
    let device = start(small()).await;
    let mut host = RawHost::connect(device.addr()).await;
    let track = host.opened(1, "track-jdwp").await.unwrap();
    let first = host.receive().await.unwrap();
    assert_eq!(first.payload, b"0000");
    host.send(Packet::bare(Command::OKAY, 1, track)).await;
    device.system().lock().start("com.example.two");
    let pid = device.system().lock().front().pid;
    let changed = host.receive().await.unwrap();
    assert_eq!(String::from_utf8(changed.payload).unwrap(), format!("{:04x}{pid}\n", pid.to_string().len() + 1));
    host.closed(1, track).await;
    assert_eq!(host.ask(2, "jdwp").await, format!("{pid}\n"));
    let app = host.opened(3, "track-app").await.unwrap();
    assert!(host.receive().await.unwrap().payload.ends_with(b"\"\x06x86_64"));
    host.closed(3, app).await;
    device.stop();
}

#[tokio::test]
async fn the_framebuffer_has_its_levels_header_and_every_pixel() {
    for (level, header, first) in [(26, 52, 1), (34, 56, 2)] {
        let device = start(VirtualDeviceConfig { api: ApiLevel::new(level).unwrap(), ..small() }).await;
        let mut host = RawHost::connect(device.addr()).await;
        assert!(host.opened(1, "framebuffer:").await.is_some());
        let bytes = host.read_all(1).await;
        assert_eq!((bytes.len(), u32::from(bytes[0])), (header + 200 * 400 * 4, first), "API {level}");
        device.stop();
    }
}

#[tokio::test]
async fn broken_packets_end_their_connection_and_no_other() {
    let device = start(small()).await;
    let mut good = RawHost::connect(device.addr()).await;
    let oversize = {
        let mut header = Packet::bare(Command::WRITE, 1, 1).encode(SumRule::HandshakeOnly);
        header[12..16].copy_from_slice(&(MAX_PAYLOAD + 1).to_le_bytes());
        header
    };
    let wrong_magic = {
        let mut header = Packet::bare(Command::OKAY, 1, 1).encode(SumRule::HandshakeOnly);
        header[20] ^= 1;
        header
    };
    let long_greeting =
        Packet { command: Command::CONNECT, arg0: VERSION, arg1: MAX_PAYLOAD, payload: vec![b'x'; 5000] };
    for bytes in
        [oversize, wrong_magic, long_greeting.encode(SumRule::Always), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec()]
    {
        let mut bad = RawHost::connect(device.addr()).await;
        bad.socket.write_all(&bytes).await.unwrap();
        assert!(bad.hung_up().await);
    }
    // A stranger may not announce what a host may.
    let mut stranger = TcpStream::connect(device.addr()).await.unwrap();
    let large = Packet { command: Command::OPEN, arg0: 1, arg1: 0, payload: vec![0; 4097] };
    stranger.write_all(&large.encode(SumRule::HandshakeOnly)[..HEADER_LEN]).await.unwrap();
    let mut end = [0];
    assert!(!matches!(timeout(crate::harness::PATIENCE, stranger.read(&mut end)).await.unwrap(), Ok(1)));
    assert_eq!(good.ask(1, "exec:echo alive").await, "alive\n");
    device.stop();
}

#[tokio::test]
async fn a_host_that_writes_without_waiting_is_hung_up_on() {
    let device = start(small()).await;
    let mut host = RawHost::connect(device.addr()).await;
    let local = host.opened(1, "shell,v2,raw:sleep 60").await.unwrap();
    let flood = Packet { command: Command::WRITE, arg0: 1, arg1: local, payload: vec![0; 60_000] };
    let flood = flood.encode(SumRule::HandshakeOnly);
    let mut sent = 0_u64;
    // It may take as much as fits into its queues; then it is over.
    while host.socket.write_all(&flood).await.is_ok() {
        sent += flood.len() as u64;
        assert!(sent < 1 << 30, "a flood of {sent} bytes was swallowed");
    }
    assert_eq!(RawHost::connect(device.addr()).await.ask(1, "exec:echo alive").await, "alive\n");
    device.stop();
}

#[tokio::test]
async fn names_and_lines_of_a_megabyte_are_answered() {
    let device = start(small()).await;
    let mut host = RawHost::connect(device.addr()).await;
    let long = "x".repeat(MAX_PAYLOAD as usize - 20);
    let answer = host.ask(1, &format!("exec:echo {long}")).await;
    assert_eq!(answer.len(), long.len() + 1);
    assert!(host.ask(2, &format!("exec:{long}")).await.ends_with("inaccessible or not found\n"));
    assert_eq!(host.opened(3, &long).await, None);
    for nasty in ["(", "'", "\"", "$(", "`", "|", "&&", ";", ">", "<", "\\", "&"] {
        host.ask(4, &format!("exec:{}", nasty.repeat(50_000))).await;
    }
    assert_eq!(host.ask(5, "exec:echo alive").await, "alive\n");
    device.stop();
}

#[tokio::test]
async fn thousands_of_streams_are_refused_at_some_point_and_leave_nothing_behind() {
    let device = start(small()).await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let mut host = RawHost::connect(device.addr()).await;
    let before = tasks();
    // Shells have places; other streams have none but the connection's.
    let mut shells = 0;
    for id in 1..=300 {
        shells += usize::from(host.opened(id, "shell,v2,raw:sleep 600").await.is_some());
    }
    assert_eq!(shells, 256);
    let mut streams = 0;
    for id in 301..=5000 {
        streams += usize::from(host.opened(id, "sync:").await.is_some());
    }
    assert_eq!(streams + shells, 4096);
    drop(host);
    let mut host = None;
    let mut look = tokio::time::interval(Duration::from_millis(10));
    let settled = async {
        while tasks() > before {
            look.tick().await;
            // Its own tasks are as many as the first one's.
            host = Some(RawHost::connect(device.addr()).await);
        }
    };
    timeout(crate::harness::PATIENCE, settled).await.unwrap_or_else(|_| panic!("{} tasks, {before} before", tasks()));
    let mut host = RawHost::connect(device.addr()).await;
    assert!(host.opened(1, "shell,v2,raw:true").await.is_some(), "the places are free again");
    device.stop();
    device.stopped().await;
}

/// Sockets of this process at the device's end, by state, from `/proc`.
#[cfg(target_os = "linux")]
fn sockets_of(port: u16) -> usize {
    let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
    let local = format!(":{port:04X}");
    // ESTABLISHED and CLOSE_WAIT are held by someone; TIME_WAIT is the kernel's.
    let held = |fields: &[&str]| fields[1].ends_with(&local) && matches!(fields[3], "01" | "08");
    table.lines().skip(1).filter(|row| held(&row.split_whitespace().collect::<Vec<_>>())).count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn ten_thousand_reconnects_leave_neither_tasks_nor_sockets() {
    let device = start(small()).await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    drop(RawHost::connect(device.addr()).await);
    let before = tasks();
    for round in 0..10_000_u32 {
        match round % 4 {
            // Gone after the handshake, within a stream, before it, and within a packet.
            0 => drop(RawHost::connect(device.addr()).await),
            1 => {
                let mut host = RawHost::connect(device.addr()).await;
                host.open(1, b"sync:").await;
            }
            2 => drop(TcpStream::connect(device.addr()).await.unwrap()),
            _ => {
                let mut socket = TcpStream::connect(device.addr()).await.unwrap();
                socket.write_all(&greeting()[..30]).await.unwrap();
            }
        }
    }
    let mut look = tokio::time::interval(Duration::from_millis(10));
    let settled = async {
        while tasks() > before || sockets_of(device.addr().port()) > 0 {
            look.tick().await;
        }
    };
    let settled = timeout(crate::harness::PATIENCE, settled).await;
    assert!(settled.is_ok(), "{} tasks ({before}), {} sockets", tasks(), sockets_of(device.addr().port()));
    assert_eq!(RawHost::connect(device.addr()).await.ask(1, "exec:echo alive").await, "alive\n");
    device.stop();
}

#[tokio::test]
async fn who_only_connects_or_stops_halfway_locks_nobody_out() {
    let patience = Patience { greeting: Duration::from_secs(60), packet: Duration::from_millis(300) };
    let device = start(VirtualDeviceConfig { patience, ..small() }).await;
    // Silent ones and slow ones, far more than there are places.
    let mut held = Vec::new();
    for n in 0..200 {
        let mut socket = TcpStream::connect(device.addr()).await.unwrap();
        if n % 2 == 0 {
            let _hung_up = socket.write_all(&greeting()[..10]).await;
        }
        held.push(socket);
    }
    let mut host = RawHost::connect(device.addr()).await;
    assert_eq!(host.ask(1, "exec:echo in").await, "in\n");
    // One that is known may be silent for long, but not stop within a packet.
    let mut slow = RawHost::connect(device.addr()).await;
    slow.socket.write_all(&Packet::bare(Command::OKAY, 1, 1).encode(SumRule::Always)[..5]).await.unwrap();
    assert!(slow.hung_up().await);
    assert_eq!(host.ask(2, "exec:echo still in").await, "still in\n");
    device.stop();
}

#[tokio::test]
async fn a_silent_stranger_is_hung_up_on() {
    let patience = Patience { greeting: Duration::from_millis(200), packet: Duration::from_secs(30) };
    let device = start(VirtualDeviceConfig { patience, ..small() }).await;
    let mut socket = TcpStream::connect(device.addr()).await.unwrap();
    let mut byte = [0];
    let ended = timeout(crate::harness::PATIENCE, socket.read(&mut byte)).await.expect("it may stay for ever");
    assert!(matches!(ended, Ok(0) | Err(_)));
    device.stop();
}

/// Says back what it hears.
struct Echo;

impl Services for Echo {
    fn open(&self, name: &str, stream: Stream, _opener: Opener) -> Option<ServiceFuture> {
        (name == "echo:").then(|| -> ServiceFuture {
            Box::pin(async move {
                let Stream { mut reader, writer } = stream;
                while let Some(chunk) = reader.chunk().await {
                    if writer.write(&chunk).await.is_err() {
                        break;
                    }
                }
            })
        })
    }
}

#[derive(Debug, Clone)]
enum Move {
    Open { id: u32, known: bool },
    Write { id: u32, data: Vec<u8> },
    Close { id: u32 },
    Stray { command: usize, id: u32 },
    Greet,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let id = 1_u32..6;
    prop::collection::vec(
        prop_oneof![
            3 => (id.clone(), any::<bool>()).prop_map(|(id, known)| Move::Open { id, known }),
            4 => (id.clone(), prop::collection::vec(any::<u8>(), 0..50)).prop_map(|(id, data)| Move::Write { id, data }),
            2 => id.clone().prop_map(|id| Move::Close { id }),
            1 => (0_usize..4, id).prop_map(|(command, id)| Move::Stray { command, id }),
            1 => Just(Move::Greet),
        ],
        0..40,
    )
}

/// Plays moves against a connection and compares each answer with what a model of the protocol expects.
async fn play(moves: Vec<Move>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let serving = tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        let banner = Banner { version: VERSION, max_payload: 4096, text: "device::".to_owned() };
        let greeted = Arc::new(AtomicBool::new(false));
        let host = Host { banner, policy: AuthPolicy::Open, patience: Patience::default(), greeted };
        serve(socket, host, Arc::new(Echo), stop).await
    });
    let mut host = RawHost::connect(address).await;
    // The host's id of each open stream → the device's.
    let mut open: BTreeMap<u32, u32> = BTreeMap::new();
    for step in moves {
        match step {
            Move::Open { id, .. } if open.contains_key(&id) => {}
            Move::Open { id, known } => {
                let opened = host.opened(id, if known { "echo:" } else { "other:" }).await;
                assert_eq!(opened.is_some(), known);
                open.extend(opened.map(|local| (id, local)));
            }
            Move::Write { id, data } => {
                let local = open.get(&id).copied();
                let packet =
                    Packet { command: Command::WRITE, arg0: id, arg1: local.unwrap_or(999), payload: data.clone() };
                host.send(packet).await;
                if let Some(local) = local {
                    let okay = host.receive().await.unwrap();
                    assert_eq!((okay.command, okay.arg0, okay.arg1), (Command::OKAY, local, id));
                    if !data.is_empty() {
                        let echo = host.receive().await.unwrap();
                        assert_eq!(
                            (echo.command, echo.arg0, echo.arg1, &echo.payload),
                            (Command::WRITE, local, id, &data)
                        );
                        host.send(Packet::bare(Command::OKAY, id, local)).await;
                    }
                }
            }
            Move::Close { id } => match open.remove(&id) {
                Some(local) => host.closed(id, local).await,
                None => host.send(Packet::bare(Command::CLOSE, id, 999)).await,
            },
            Move::Stray { command, id } => {
                let command = [Command::WRITE, Command::CLOSE, Command::AUTH, Command(7)][command];
                host.send(Packet { command, arg0: id, arg1: 998, payload: vec![1; 3] }).await;
            }
            Move::Greet => {
                host.socket.write_all(&greeting()).await.unwrap();
                assert_eq!(host.receive().await.unwrap().command, Command::CONNECT);
                open.clear();
            }
        }
        says_nothing(&mut host).await;
    }
    drop(host);
    timeout(Duration::from_secs(30), serving).await.expect("the connection outlives its host").unwrap().unwrap();
}

#[test]
fn any_order_of_packets_is_answered_as_the_protocol_says() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut runner = proptest::test_runner::TestRunner::new(proptest::test_runner::Config {
        cases: 64,
        failure_persistence: None,
        ..proptest::test_runner::Config::default()
    });
    runner
        .run(&moves(), |moves| {
            runtime.block_on(play(moves));
            Ok(())
        })
        .unwrap();
}

#[test]
fn garbage_after_the_handshake_never_hangs_the_device() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let device = runtime.block_on(start(small()));
    let mut runner = proptest::test_runner::TestRunner::new(proptest::test_runner::Config {
        cases: 64,
        failure_persistence: None,
        ..proptest::test_runner::Config::default()
    });
    let garbage = prop::collection::vec(any::<u8>(), 0..2000);
    runner
        .run(&(garbage, any::<bool>()), |(bytes, known)| {
            runtime.block_on(async {
                let mut socket = TcpStream::connect(device.addr()).await.unwrap();
                if known {
                    socket.write_all(&greeting()).await.unwrap();
                }
                // It may hang up before all of it is sent.
                let _hung_up = socket.write_all(&bytes).await;
                drop(socket);
                assert_eq!(RawHost::connect(device.addr()).await.ask(1, "exec:echo alive").await, "alive\n");
            });
            Ok(())
        })
        .unwrap();
    device.stop();
    runtime.block_on(device.stopped());
}

/// One sync request with what follows it, and the device's whole answer to it.
async fn sync(host: &mut RawHost, id: [u8; 4], path: &str, rest: &[u8]) -> Vec<u8> {
    let local = host.opened(1, "sync:").await.unwrap();
    let request = [&id[..], &(path.len() as u32).to_le_bytes(), path.as_bytes(), rest, b"QUIT\0\0\0\0"].concat();
    host.send(Packet { command: Command::WRITE, arg0: 1, arg1: local, payload: request }).await;
    host.read_all(1).await
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn fail(reason: &str) -> Vec<u8> {
    [b"FAIL".to_vec(), words(&[reason.len() as u32]), reason.as_bytes().to_vec()].concat()
}

#[tokio::test]
async fn sync_answers_old_and_new_requests_and_says_what_is_wrong() {
    let device = start(small()).await;
    let mut host = RawHost::connect(device.addr()).await;
    let file = |content: &[u8], mtime: u32| {
        [b"DATA".to_vec(), words(&[content.len() as u32]), content.to_vec(), b"DONE".to_vec(), words(&[mtime])].concat()
    };
    let okay = [b"OKAY".to_vec(), words(&[0])].concat();
    // Both ways to send, then both ways to ask and to receive.
    assert_eq!(sync(&mut host, *b"SEND", "/sdcard/a/old.txt,33188", &file(b"old", 77)).await, okay);
    let second = [b"SND2".to_vec(), words(&[0o100_600, 0]), file(b"newer", 78)].concat();
    assert_eq!(sync(&mut host, *b"SND2", "/sdcard/a/new.txt", &second).await, okay);
    let stat = sync(&mut host, *b"STAT", "/sdcard/a/old.txt", b"").await;
    assert_eq!(stat, [b"STAT".to_vec(), words(&[0o100_644, 3, 77])].concat());
    assert_eq!(sync(&mut host, *b"STAT", "/nope", b"").await, [b"STAT".to_vec(), words(&[0, 0, 0])].concat());
    let (followed, link) =
        (sync(&mut host, *b"STA2", "/sdcard", b"").await, sync(&mut host, *b"LST2", "/sdcard", b"").await);
    let mode = |record: &[u8]| u32::from_le_bytes(record[24..28].try_into().unwrap()) & 0o170_000;
    assert_eq!((followed.len(), mode(&followed), link.len(), mode(&link)), (72, 0o040_000, 72, 0o120_000));
    assert_eq!(sync(&mut host, *b"STA2", "/nope", b"").await[..8], [b"STA2".to_vec(), words(&[2])].concat());
    for (list, entry, record) in [(*b"LIST", b"DENT", 20), (*b"LIS2", b"DNT2", 76)] {
        let listed = sync(&mut host, list, "/sdcard/a", b"").await;
        let names = [".", "..", "new.txt", "old.txt"];
        assert_eq!(listed.len(), 5 * record + names.concat().len(), "{listed:?}");
        assert!(listed.starts_with(entry) && listed[listed.len() - record..].starts_with(b"DONE"));
        assert_eq!(sync(&mut host, list, "/nope", b"").await.len(), record, "what cannot be listed is empty");
    }
    let received = [b"DATA".to_vec(), words(&[5]), b"newer".to_vec(), b"DONE".to_vec(), words(&[0])].concat();
    assert_eq!(sync(&mut host, *b"RECV", "/sdcard/a/new.txt", b"").await, received);
    let again = [b"RCV2".to_vec(), words(&[0])].concat();
    assert_eq!(sync(&mut host, *b"RCV2", "/sdcard/a/new.txt", &again).await, received);
    // A dry run receives and writes nothing.
    let dry = [b"SND2".to_vec(), words(&[0o100_644, 0x8000_0000]), file(b"dry", 79)].concat();
    assert_eq!(sync(&mut host, *b"SND2", "/sdcard/a/dry.txt", &dry).await, okay);
    for (id, path, rest, reason) in [
        (*b"RECV", "/sdcard/a/dry.txt", Vec::new(), "open failed: No such file or directory"),
        (*b"RECV", "/sdcard/a", Vec::new(), "read failed: Is a directory"),
        (*b"SEND", "/sdcard/a,33188", file(b"x", 0), "couldn't create file: Is a directory"),
        (*b"SEND", "/data/x,33188", file(b"x", 0), "couldn't create file: Permission denied"),
        (*b"SEND", "/system/a/x,33188", file(b"x", 0), "secure_mkdirs failed: Read-only file system"),
        (*b"RCV2", "/sdcard/a/new.txt", [b"RCV2".to_vec(), words(&[1])].concat(), "unsupported compression flags 0x1"),
        (*b"FROB", "/x", Vec::new(), "unknown command FROB"),
        (*b"STAT", &"x".repeat(1025), Vec::new(), "path too long"),
    ] {
        let said = sync(&mut host, id, path, &rest).await;
        assert_eq!(String::from_utf8_lossy(&said), String::from_utf8_lossy(&fail(reason)), "{path:.40}");
    }
    let oversize = [b"DATA".to_vec(), words(&[65 * 1024])].concat();
    let said = sync(&mut host, *b"SEND", "/sdcard/a/big,33188", &oversize).await;
    assert_eq!(String::from_utf8_lossy(&said), String::from_utf8_lossy(&fail("oversize data message")));
    device.stop();
}

#[tokio::test]
async fn the_words_after_shell_choose_terminal_and_protocol() {
    let device = start(small()).await;
    let mut host = RawHost::connect(device.addr()).await;
    let packet = |id: u8, text: &str| [vec![id], words(&[text.len() as u32]), text.as_bytes().to_vec()].concat();
    let exit = |code: u8| vec![3, 1, 0, 0, 0, code];
    // Order between the two streams of a process without terminal is not promised.
    for (service, out, err) in [
        ("shell,v2:echo o; ls /x", packet(1, "o\n"), packet(2, "ls: /x: No such file or directory\n")),
        ("shell,v2,raw:echo o; ls /x", packet(1, "o\n"), packet(2, "ls: /x: No such file or directory\n")),
    ] {
        assert!(host.opened(1, service).await.is_some());
        assert_eq!(host.read_all(1).await, [out, err, exit(1)].concat(), "{service}");
    }
    assert!(host.opened(1, "shell,v2,pty,TERM=xterm:ls /x").await.is_some());
    let merged = host.read_all(1).await;
    assert!(merged.starts_with(&[1]) && merged.ends_with(&exit(1)), "{merged:?}");
    for service in ["shell:echo o; ls /x; exit 3", "exec:echo o; ls /x; exit 3", "shell,raw:echo o; ls /x; exit 3"] {
        assert_eq!(host.ask(1, service).await, "o\nls: /x: No such file or directory\n", "{service}");
    }
    // abb has the protocol, abb_exec has none; their words are separated by NUL.
    assert!(host.opened(1, "abb:package\0list\0packages\0-3").await.is_some());
    assert_eq!(host.read_all(1).await, [packet(1, "package:com.example.two\n"), exit(0)].concat());
    assert_eq!(host.ask(1, "abb_exec:package\0list\0packages\0-3").await, "package:com.example.two\n");
    device.stop();
}
